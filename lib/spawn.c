/* Starts a confined command without the binary: a child that shares this process's memory until it
 * execs, as vfork does. A failure before exec comes back as a value; the child writes nothing but
 * that, and only calls what is async-signal-safe. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "confine.h"
#include "error.h"
#include "exec.h"
#include "inherit.h"
#include "sys.h"

#ifndef __WALL
#define __WALL 0x40000000
#endif
#ifndef __WCLONE
#define __WCLONE 0x80000000
#endif

#define SPAWN_FLAGS \
	(LLR_SPAWN_SEARCH_PATH | LLR_SPAWN_KEEP_SIGNALS | LLR_SPAWN_KEEP_MASK | \
	 LLR_SPAWN_SESSION | LLR_SPAWN_CLOSE_FDS | LLR_SPAWN_DIE_WITH_PARENT)
#define STACK_SIZE ((size_t)64 * 1024) /* the child's; a grant source runs on it too */
#define GUARD_SIZE \
	((size_t)64 * 1024) /* below it, so that running out of it is a fault of the child's; no \
			       page is larger */

/* The kernel's signals, those that a libc keeps for itself among them, and the word of its
 * sigaction that is the handler. */
#ifdef __mips__
#define SIGNALS 128
#define HANDLER 1
#else
#define SIGNALS 64
#define HANDLER 0
#endif

/* The kernel's set of signals; libc's is longer, and libc's calls leave out the signals that it
 * uses itself. */
struct signals {
	unsigned long words[SIGNALS / (8 * sizeof(unsigned long))];
};

/* How far the child has come. */
enum progress {
	UNSEEN = 0, /* killed at once; or memory is not shared after all: emulators make a vfork a
		       fork, and the child goes on out of sight */
	SETTING_UP,
	STARTING, /* whatever ends it from here on ends the command */
	FAILED
};

/* What parent and child share. */
struct job {
	const struct llr_spawn *spawn;
	long parent;         /* the caller's process */
	struct signals mask; /* the caller's */
	struct llr_result result;
	struct llr_error error;
	enum progress progress;
};

static const char *const stdio_names[] = { "stdio[0]", "stdio[1]", "stdio[2]" };

/* ---- In the child ---- */

static int failed_files(struct job *job, long result, const char *subject, const char *field)
{
	return llr_fail(&job->error, LLR_E_FILES, result, subject, field);
}

/* No handler of the caller's may run in its memory once the mask is lifted. */
static void reset_dispositions(const struct llr_spawn *spawn)
{
	for (int number = 1; number <= SIGNALS; number++) {
		/* The kernel's structure is no longer than this, and zero in all of it is the
		 * default. */
		unsigned long action[8] = { 0 };

		if (number == SIGKILL || number == SIGSTOP)
			continue;
		SYS4(rt_sigaction, number, 0, sys_pointer(action), sizeof(struct signals));
		if (action[HANDLER] == (unsigned long)SIG_DFL ||
		    (action[HANDLER] == (unsigned long)SIG_IGN &&
		     spawn->flags & LLR_SPAWN_KEEP_SIGNALS))
			continue;
		for (size_t i = 0; i < sizeof action / sizeof action[0]; i++)
			action[i] = 0;
		SYS4(rt_sigaction, number, sys_pointer(action), 0, sizeof(struct signals));
	}
}

/* Puts the three descriptors into their places. Those that another one's place would overwrite are
 * first copied out of the way. */
static int arrange_stdio(struct job *job)
{
	int from[3];

	for (int i = 0; i < 3; i++) {
		long moved = job->spawn->stdio[i];

		if (moved >= 0 && moved < 3 && moved != i)
			moved = SYS3(fcntl, moved, F_DUPFD_CLOEXEC, 3);
		if (moved < -1)
			return failed_files(job, moved, NULL, stdio_names[i]);
		from[i] = (int)moved;
	}
	for (int i = 0; i < 3; i++) {
		long result = 0;

		if (from[i] == i)
			result = SYS3(fcntl, i, F_SETFD, 0);
		else if (from[i] >= 0)
			result = SYS3(dup3, from[i], i, 0);
		if (sys_failed(result))
			return failed_files(job, result, NULL, stdio_names[i]);
	}
	return 0;
}

static int arrange(struct job *job)
{
	const struct llr_spawn *spawn = job->spawn;
	long result = spawn->flags & LLR_SPAWN_SESSION ? SYS0(setsid) : 0;

	if (sys_failed(result))
		return failed_files(job, result, NULL, "session");
	if (spawn->flags & LLR_SPAWN_DIE_WITH_PARENT &&
	    llr_die_with_parent(job->parent, &job->error))
		return -1;
	if (arrange_stdio(job))
		return -1;
	result = spawn->cwd ? SYS1(chdir, sys_pointer(spawn->cwd)) : 0;
	if (sys_failed(result))
		return failed_files(job, result, spawn->cwd, "cwd");
	if (spawn->flags & LLR_SPAWN_CLOSE_FDS)
		return llr_close_on_exec(3, ~0U, &job->error);
	return 0;
}

/* Returns only on failure, with job->error filled. */
static void become(struct job *job)
{
	static char *const no_environment[] = { NULL };
	static const struct signals none = { { 0 } };
	const struct llr_spawn *spawn = job->spawn;
	const struct signals *mask = spawn->flags & LLR_SPAWN_KEEP_MASK ? &job->mask : &none;
	long result;

	reset_dispositions(spawn);
	if (arrange(job) ||
	    (spawn->policy && llr_confine_before_exec(spawn->policy, &job->result, &job->error)))
		return;
	SYS4(rt_sigprocmask, SIG_SETMASK, sys_pointer(mask), 0, sizeof *mask);
	job->progress = STARTING;
	result = llr_exec(spawn->argv, spawn->envp ? spawn->envp : no_environment,
			  (spawn->flags & LLR_SPAWN_SEARCH_PATH) != 0, NULL);
	llr_fail(&job->error, LLR_E_EXEC, result, spawn->argv[0], NULL);
}

static int child(void *context)
{
	struct job *job = context;

	job->progress = SETTING_UP;
	become(job);
	job->progress = FAILED;
	SYS1(exit_group, LLR_EXIT_FAILURE); /* no handler of the parent's is run */
	return LLR_EXIT_FAILURE;
}

/* ---- In the parent ---- */

static const char *spawn_fault(const struct llr_spawn *spawn)
{
	if (!spawn)
		return "spawn";
	if (spawn->size != sizeof *spawn)
		return "spawn.size";
	if (spawn->flags & ~(uint32_t)SPAWN_FLAGS)
		return "spawn.flags";
	if (!spawn->argv || !spawn->argv[0])
		return "spawn.argv";
	for (int i = 0; i < 3; i++)
		if (spawn->stdio[i] < -1)
			return "spawn.stdio";
	return spawn->reserved ? "spawn.reserved" : NULL;
}

static int check(const struct llr_spawn *spawn, const struct llr_result *result,
		 struct llr_error *error)
{
	const char *fault = spawn_fault(spawn);

	if (!fault && result && result->size != sizeof *result)
		fault = "result.size";
	if (fault)
		return llr_fail(error, LLR_E_POLICY, 0, NULL, fault);
	return spawn->policy ? llr_policy_check(spawn->policy, error) : 0;
}

/* Where the child's stack ends, or NULL and *failure set to an errno. */
static char *map_stack(int *failure)
{
	int before = errno;
	char *low = mmap(NULL, GUARD_SIZE + STACK_SIZE, PROT_NONE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
	char *top = NULL;

	if (low != MAP_FAILED && !mprotect(low + GUARD_SIZE, STACK_SIZE, PROT_READ | PROT_WRITE))
		top = low + GUARD_SIZE + STACK_SIZE;
	*failure = errno;
	if (low != MAP_FAILED && !top)
		munmap(low, GUARD_SIZE + STACK_SIZE);
	errno = before;
	return top;
}

static void unmap_stack(char *top)
{
	munmap(top - STACK_SIZE - GUARD_SIZE, GUARD_SIZE + STACK_SIZE);
}

/* The child's process id or a negated errno, with the child already past exec or at its end. */
static long start(struct job *job, char *stack)
{
	int flags = CLONE_VM | CLONE_VFORK;
	int before = errno;
	/* No signal at its end: a child that fails is seen by nobody but us, neither as a SIGCHLD
	 * nor by another thread's wait. Its exec makes it a child like any other. */
	long pid = clone(child, stack, flags, job);

	if (pid < 0 && errno == EINVAL)
		pid = clone(child, stack, flags | SIGCHLD,
			    job); /* what an emulator of processes may insist on */
	if (pid < 0)
		pid = -errno;
	errno = before;
	return pid;
}

/* 0 when the child has become the command. Otherwise it is waited for, and that is -1 with *error
 * filled. */
static int collect(const struct job *job, long pid, struct llr_error *error)
{
	int status = 0;
	int signal;
	long waited;

	if (job->progress == STARTING)
		return 0;
	/* One out of sight that has become the command is a child like any other, and not waited
	 * for. */
	waited = SYS4(wait4, pid, sys_pointer(&status), job->progress == UNSEEN ? __WCLONE : __WALL,
		      0);
	if (job->progress == UNSEEN && sys_failed(waited))
		return 0;
	if (job->progress == FAILED) {
		if (error)
			*error = job->error;
		return -1;
	}
	signal = status & 0x7f;
	return llr_fail_at(error, LLR_E_SPAWN, NULL, signal ? "signal" : "exit",
			   (uint64_t)(signal ? signal : status >> 8));
}

/* The process id, or -1. Between two masks: a handler that ran in the child would run in this
 * process's memory. */
static int32_t run(struct job *job, char *stack, struct llr_error *error)
{
	struct signals all;
	long pid;
	int failed;

	for (size_t i = 0; i < sizeof all.words / sizeof all.words[0]; i++)
		all.words[i] = ~0UL;
	pid = SYS4(rt_sigprocmask, SIG_SETMASK, sys_pointer(&all), sys_pointer(&job->mask),
		   sizeof all);
	if (sys_failed(pid))
		return llr_fail(error, LLR_E_SPAWN, pid, NULL, NULL);
	pid = start(job, stack);
	if (sys_failed(pid))
		failed = llr_fail(error, LLR_E_SPAWN, pid, NULL, NULL);
	else
		failed = collect(job, pid, error);
	SYS4(rt_sigprocmask, SIG_SETMASK, sys_pointer(&job->mask), 0, sizeof job->mask);
	return failed ? -1 : (int32_t)pid;
}

int32_t llr_spawn(const struct llr_spawn *spawn, struct llr_result *result, struct llr_error *error)
{
	struct job job = {
		spawn, SYS0(getpid), { { 0 } }, LLR_RESULT_INIT, { LLR_OK, 0, NULL, NULL, 0 },
		UNSEEN
	};
	char *stack;
	int32_t pid;
	int failed;

	if (check(spawn, result, error))
		return -1;
	stack = map_stack(&failed);
	if (!stack)
		return llr_fail(error, LLR_E_SPAWN, failed, NULL, NULL);
	pid = run(&job, stack, error);
	unmap_stack(stack);
	if (pid >= 0 && result)
		*result = job.result;
	return pid;
}
