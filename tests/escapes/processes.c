/* processes.c: attempts on a process outside.
 * None may end it, or touch any other process. */
#include "escape.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <linux/perf_event.h>
#include <unistd.h>

#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif
#ifndef SYS_pidfd_send_signal
#define SYS_pidfd_send_signal 424
#endif
#ifndef SYS_pidfd_getfd
#define SYS_pidfd_getfd 438
#endif

static pid_t process_of(const struct outside *outside)
{
	return (pid_t)outside->process;
}

/* A path beneath the process' directory in /proc; lasts until the next one. */
static const char *proc(const struct outside *outside, const char *name)
{
	static char path[512];

	snprintf(path, sizeof path, "/proc/%lu/%s", outside->process, name);
	return path;
}

/* ---- Tracing ---- */

int attaching_with_ptrace(const struct outside *outside)
{
	if (ptrace(PTRACE_ATTACH, process_of(outside), NULL, NULL) != 0)
		return errno;
	waitpid(process_of(outside), NULL, __WALL);
	return answer(ptrace(PTRACE_DETACH, process_of(outside), NULL, NULL));
}

/* The trace ends with this process. */
int seizing_with_ptrace(const struct outside *outside)
{
	return answer(ptrace(PTRACE_SEIZE, process_of(outside), NULL, NULL));
}

int reading_memory_with_process_vm_readv(const struct outside *outside)
{
	char found[sizeof MEMORY] = "";
	struct iovec here = { found, sizeof found };
	struct iovec there = { (void *)outside->memory, sizeof found };

	if (process_vm_readv(process_of(outside), &here, 1, &there, 1, 0) < 0)
		return answer_unless(-1, ENOSYS, "no process_vm_readv in this kernel");
	return strcmp(found, MEMORY) == 0 ? DONE : ENOMSG;
}

int writing_memory_with_process_vm_writev(const struct outside *outside)
{
	char byte = '!';
	struct iovec here = { &byte, 1 }, there = { (void *)outside->memory, 1 };

	return answer_unless(process_vm_writev(process_of(outside), &here, 1, &there, 1, 0), ENOSYS,
			     "no process_vm_writev in this kernel");
}

int writing_memory_through_proc(const struct outside *outside)
{
	int fd = open(proc(outside, "mem"), O_RDWR);

	return fd < 0 ? errno : answer(pwrite(fd, "!", 1, (off_t)outside->memory));
}

/* ---- Its links in /proc ---- */

int reaching_files_through_proc_root(const struct outside *outside)
{
	char name[400];

	snprintf(name, sizeof name, "root%.380s/file", outside->directory);
	return write_to(proc(outside, name), 0);
}

int reaching_files_through_proc_cwd(const struct outside *outside)
{
	return write_to(proc(outside, "cwd/file"), 0);
}

int reopening_descriptors_through_proc_fd(const struct outside *outside)
{
	char name[32];

	snprintf(name, sizeof name, "fd/%d", PROCESS_FD);
	return write_to(proc(outside, name), 0);
}

static int read_environment(const struct outside *outside)
{
	char byte;
	int fd = open(proc(outside, "environ"), O_RDONLY);

	return fd < 0 ? errno : answer(read(fd, &byte, 1));
}

int reading_an_environment_through_proc(const struct outside *outside)
{
	return read_environment(outside);
}

int reading_an_environment_as_root(const struct outside *outside)
{
	return read_environment(outside);
}

int listing_processes(const struct outside *outside)
{
	char byte;
	int fd = open(proc(outside, "cmdline"), O_RDONLY);

	return fd < 0 ? errno : answer(read(fd, &byte, 1));
}

/* It is the namespace that this process is in. */
int entering_a_namespace_through_proc(const struct outside *outside)
{
	int fd = open(proc(outside, "ns/mnt"), O_RDONLY);

	return fd < 0 ? errno : answer(setns(fd, CLONE_NEWNS));
}

static int pidfd(const struct outside *outside)
{
	return (int)syscall(SYS_pidfd_open, process_of(outside), 0);
}

int entering_a_namespace_through_a_pidfd(const struct outside *outside)
{
	int fd = pidfd(outside);

	return fd < 0 ? errno : answer(setns(fd, CLONE_NEWNS));
}

int choosing_what_the_kernel_kills(const struct outside *outside)
{
	int fd = open(proc(outside, "oom_score_adj"), O_WRONLY);

	return fd < 0 ? errno : answer(write(fd, "500", 3));
}

/* ---- Descriptors and comparisons ---- */

int taking_a_descriptor_with_pidfd_getfd(const struct outside *outside)
{
	long fd = syscall(SYS_pidfd_getfd, pidfd(outside), PROCESS_FD, 0);

	return fd < 0 ? answer_unless(-1, ENOSYS, "no pidfd_getfd in this kernel")
		      : write_and_close((int)fd);
}

int comparing_with_kcmp(const struct outside *outside)
{
	return answer_unless(syscall(SYS_kcmp, getpid(), process_of(outside), 1, 0, 0), ENOSYS,
			     "no kcmp in this kernel");
}

/* Only what the process itself does: more needs privileges on some systems. */
static int sample(const struct outside *outside)
{
	struct perf_event_attr attributes = { .type = PERF_TYPE_SOFTWARE,
					      .size = sizeof attributes,
					      .config = PERF_COUNT_SW_TASK_CLOCK,
					      .exclude_kernel = 1,
					      .exclude_hv = 1 };
	long fd = syscall(SYS_perf_event_open, &attributes, process_of(outside), -1, -1, 0);

	return answer_unless(fd, ENOSYS, "no perf events in this kernel");
}

int sampling_a_process_with_perf(const struct outside *outside)
{
	char level[8] = "";
	int fd = open("/proc/sys/kernel/perf_event_paranoid", O_RDONLY);

	if (fd >= 0 && read(fd, level, sizeof level - 1) > 0 && atoi(level) > 2)
		return absent("kernel.perf_event_paranoid keeps it from ordinary users");
	return sample(outside);
}

int sampling_a_process_as_root(const struct outside *outside)
{
	return sample(outside);
}

/* ---- Signals ---- */

int signalling_with_kill(const struct outside *outside)
{
	return answer(kill(process_of(outside), SIGUSR1));
}

/* The process is in the same group as the caller and the command, who ignore the signal. */
int signalling_a_group(const struct outside *outside)
{
	(void)outside;
	return answer(kill(0, SIGUSR1));
}

int signalling_a_thread_with_tgkill(const struct outside *outside)
{
	return answer(syscall(SYS_tgkill, process_of(outside), process_of(outside), SIGUSR1));
}

int signalling_with_a_value(const struct outside *outside)
{
	return answer(sigqueue(process_of(outside), SIGUSR1, (union sigval){ .sival_int = 1 }));
}

int signalling_through_a_pidfd(const struct outside *outside)
{
	return answer_unless(syscall(SYS_pidfd_send_signal, pidfd(outside), SIGUSR1, NULL, 0),
			     ENOSYS, "no pidfd_send_signal in this kernel");
}

int signalling_by_input_on_a_descriptor(const struct outside *outside)
{
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0 ||
	    fcntl(ends[0], F_SETOWN, process_of(outside)) != 0 ||
	    fcntl(ends[0], F_SETSIG, SIGUSR1) != 0 || fcntl(ends[0], F_SETFL, O_ASYNC) != 0)
		return errno;
	return answer(write(ends[1], "x", 1));
}

/* ---- How it runs ---- */

int changing_the_priority_of_others(const struct outside *outside)
{
	return answer(setpriority(PRIO_PROCESS, (id_t)outside->process, 5));
}

int changing_the_limits_of_others(const struct outside *outside)
{
	struct rlimit limit;

	if (prlimit(process_of(outside), RLIMIT_CPU, NULL, &limit) != 0)
		return errno;
	limit.rlim_cur = 3600;
	return answer(prlimit(process_of(outside), RLIMIT_CPU, &limit, NULL));
}

int changing_the_processors_of_others(const struct outside *outside)
{
	cpu_set_t processors;

	if (sched_getaffinity(process_of(outside), sizeof processors, &processors) != 0)
		return errno;
	return answer(sched_setaffinity(process_of(outside), sizeof processors, &processors));
}

int changing_the_policy_of_others(const struct outside *outside)
{
	const struct sched_param parameter = { 0 };

	return answer(sched_setscheduler(process_of(outside), SCHED_BATCH, &parameter));
}

int changing_the_disk_priority_of_others(const struct outside *outside)
{
	const int of_process = 1, least = 2 << 13 | 7;

	return answer_unless(syscall(SYS_ioprio_set, of_process, process_of(outside), least),
			     ENOSYS, "no disk priorities in this kernel");
}

int asking_whether_a_process_exists(const struct outside *outside)
{
	return answer(getpgid(process_of(outside)));
}
