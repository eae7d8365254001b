/* Makes the shared memory that the counters go to, and writes what they came to as a profile that
 * llvm-profdata reads. Linked from the very objects whose counters they are: their places must be
 * the same here as in the programs that count.
 *
 *   save new|remove|to FILE */
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/shm.h>
#include <unistd.h>

#include "counters.h"

/* The compiler's runtime. */
void __llvm_profile_set_filename(const char *name);
int __llvm_profile_write_file(void);

static int failed(const char *what)
{
	perror(what);
	return 1;
}

static size_t size_of_counters(void)
{
	/* cppcheck-suppress comparePointers; they are both ends of one section */
	return (size_t)(counters_end - counters_start);
}

static int remove_segment(void)
{
	int id = shmget(COUNTERS_KEY, 0, 0);

	return id >= 0 && shmctl(id, IPC_RMID, NULL) ? failed("shmctl") : 0;
}

/* Anybody may count: some of the programs give up root first. */
static int new_segment(void)
{
	if (remove_segment() ||
	    shmget(COUNTERS_KEY, size_of_counters(), IPC_CREAT | IPC_EXCL | 0666) < 0)
		return failed("shmget");
	return 0;
}

static int save(const char *file)
{
	int id = shmget(COUNTERS_KEY, 0, 0);
	const char *counted = id < 0 ? (void *)-1 : shmat(id, NULL, SHM_RDONLY);

	if (counted == (void *)-1)
		return failed("shmat");
	memcpy(counters_start, counted, size_of_counters());
	__llvm_profile_set_filename(file);
	return __llvm_profile_write_file() ? failed(file) : 0;
}

int main(int argc, char **argv)
{
	int status = 2;

	if (argc == 2 && !strcmp(argv[1], "new"))
		status = new_segment();
	else if (argc == 2 && !strcmp(argv[1], "remove"))
		status = remove_segment();
	else if (argc == 3 && !strcmp(argv[1], "to"))
		status = save(argv[2]);
	fflush(stderr);
	_exit(status); /* the runtime would write a profile of this process too */
}
