/* Puts shared memory in the place of the counters before anything of the program runs: three system
 * calls. Where there is no such memory, the program runs as ever and is not counted. */
#include <stdint.h>
#include <sys/ipc.h>
#include <sys/shm.h>

#include "counters.h"
#include "sys.h"

static void share_counters(void)
{
	long id = SYS3(shmget, COUNTERS_KEY, 0, 0);
	long place = sys_failed(id) ? id : SYS3(shmat, id, 0, 0);

	if (sys_failed(place))
		return;
	/* What was counted before this stays counted: the entry point. */
	/* cppcheck-suppress comparePointers; they are both ends of one section */
	for (size_t at = 0; at < (size_t)(counters_end - counters_start); at += sizeof(uint64_t))
		if (*(volatile uint64_t *)(counters_start + at))
			*(volatile uint64_t *)(place + (long)at) = 1;
	SYS3(shmat, id, sys_pointer(counters_start), SHM_REMAP);
}

#ifdef COUNTERS_WRAP

/* The launcher has no constructors. */
int __real_launch(int argc, char **argv, char **envp);
int __wrap_launch(int argc, char **argv, char **envp);

int __wrap_launch(int argc, char **argv, char **envp)
{
	share_counters();
	return __real_launch(argc, argv, envp);
}

#else

__attribute__((constructor)) static void begin(void)
{
	share_counters();
}

#endif
