/* A trial: a throw-away child that really confines itself and then tries what it may do.
 * Nothing of the host is changed, and the child leaves nothing behind. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "error.h"
#include "exec.h"
#include "inherit.h"
#include "memory.h"
#include "sys.h"
#include "text.h"
#include "trial.h"
#include "uapi.h"

#define MEMORY_DEVICES \
	1 /* the major number of null, zero and the like, which opening cannot touch */

/* ---- What is tried ---- */

enum attempt trial_next(const struct llr_policy *policy, struct trial_cursor *cursor)
{
	enum attempt attempt = cursor->next++;

	cursor->index++;
	if (attempt == ATTEMPT_READ &&
	    !llr_policy_next_grant(policy, &cursor->grants, &cursor->grant)) {
		attempt = ATTEMPT_READ_OUTSIDE;
		cursor->next = ATTEMPT_WRITE_OUTSIDE;
	}
	if (attempt == ATTEMPT_WRITE)
		cursor->next = ATTEMPT_READ;
	if (attempt == ATTEMPT_READ_OUTSIDE)
		cursor->grant = (struct llr_grant){ LLR_GRANT_PATH, 0, LLR_READ_DIR, "/", -1, 0 };
	/* A file that everybody may write to, and opening it changes nothing. */
	if (attempt == ATTEMPT_WRITE_OUTSIDE)
		cursor->grant = (struct llr_grant){ LLR_GRANT_PATH,    0,  LLR_WRITE_FILE,
						    "/proc/self/comm", -1, 0 };
	return attempt;
}

static int is_harmless(const struct statx *status)
{
	return S_ISREG(status->stx_mode) ||
	       (S_ISCHR(status->stx_mode) && status->stx_rdev_major == MEMORY_DEVICES);
}

static long open_granted(const struct llr_grant *grant, int write)
{
	struct statx status = { 0 };
	long result = SYS5(statx, AT_FDCWD, sys_pointer(grant->path), 0, STATX_TYPE,
			   sys_pointer(&status));
	int directory = S_ISDIR(status.stx_mode);
	llr_rights needed = write ? LLR_WRITE_FILE : directory ? LLR_READ_DIR : LLR_READ_FILE;

	if (sys_failed(result))
		return result;
	if (!(grant->rights & needed) || (!directory && !is_harmless(&status)))
		return NOTHING_TO_OPEN;
	/* In a directory a file without a name is made; not all file systems can. */
	return SYS4(openat, AT_FDCWD, sys_pointer(grant->path),
		    O_CLOEXEC | O_NONBLOCK | O_NOCTTY | (write ? O_WRONLY : O_RDONLY) |
			    (write && directory ? O_TMPFILE : 0),
		    0600);
}

long trial_attempt(enum attempt attempt, const struct llr_grant *grant)
{
	long result = NOTHING_TO_OPEN;

	if (grant->path)
		result = open_granted(grant, attempt & 1);
	if (sys_failed(result) || result == NOTHING_TO_OPEN)
		return result;
	SYS1(close, result);
	return 0;
}

int trial_grants(const struct llr_policy *policy, const char *path, llr_rights right)
{
	struct llr_grant_cursor cursor = LLR_GRANT_CURSOR_INIT;
	struct llr_grant grant;

	while (llr_policy_next_grant(policy, &cursor, &grant))
		if (grant.type == LLR_GRANT_PATH && grant.rights & right &&
		    !process_differ(AT_FDCWD, path, AT_FDCWD, grant.path))
			return 1;
	return 0;
}

/* ---- The child ---- */

/* A tracee is stopped by a SIGTRAP when exec has succeeded, before the command's first instruction;
 * no other signal may stop it, and a mask that was inherited must not hold this one back. That its
 * tracer dies must not set it free: so it dies too. */
static void execute(struct trial *trial, long parent)
{
	uint64_t all_but_trap = ~(UINT64_C(1) << (SIGTRAP - 1));
	int decided;
	long result;

	trial->state = TRIAL_UNTRACED;
	if (llr_die_with_parent(parent, &trial->error) ||
	    sys_failed(SYS4(rt_sigprocmask, SIG_SETMASK, sys_pointer(&all_but_trap), 0,
			    sizeof all_but_trap)) ||
	    sys_failed(SYS4(ptrace, PTRACE_TRACEME, 0, 0, 0)))
		return;
	trial->state = TRIAL_EXECUTED;
	result = llr_exec(trial->command, trial->envp, 1, &decided);
	trial->state = TRIAL_NOT_EXECUTED;
	llr_fail(&trial->error, LLR_E_EXEC, result, trial->command[0], NULL);
	culprit_find(&trial->culprit, trial->command[0], trial->envp, decided, &trial->error);
}

static void try(struct trial *trial, long parent)
{
	struct trial_cursor cursor = TRIAL_CURSOR_INIT;
	enum attempt attempt;

	trial->state = TRIAL_REFUSED;
	if (llr_confine_before_exec(trial->policy, &trial->result, &trial->error))
		return;
	trial->state = TRIAL_CONFINED;
	while ((attempt = trial_next(trial->policy, &cursor)) != ATTEMPT_NONE)
		trial->outcomes[cursor.index] = (int16_t)trial_attempt(attempt, &cursor.grant);
	if (trial->command)
		execute(trial, parent);
}

/* ---- Around it ---- */

/* A fork, but for the signal at its end: a caller that ignores SIGCHLD must not make the child's
 * end one that nobody can wait for. Emulators of processes insist on it. */
static long new_process(void)
{
	long pid = SYS5(clone, 0, 0, 0, 0, 0);

	return pid == -EINVAL ? SYS5(clone, SIGCHLD, 0, 0, 0, 0) : pid;
}

/* Waits for the child's end, or for the stop behind its exec, which is made its end. Anything else
 * is no trial. */
static void await(struct trial *trial, long pid)
{
	int status = 0, due;
	long waited;

	/* No handler is there to interrupt it. What cannot be killed is not waited for: it dies
	 * with this process. */
	waited = SYS4(wait4, pid, sys_pointer(&status), __WALL, 0);
	if ((waited != pid || WIFSTOPPED(status)) && !SYS2(kill, pid, SIGKILL))
		SYS4(wait4, pid, 0, __WALL, 0);
	due = trial->state == TRIAL_EXECUTED ? SIGTRAP << 8 | 0x7f : 0;
	if (waited != pid || status != due) {
		trial->state = TRIAL_REFUSED;
		llr_fail(&trial->error, LLR_E_TRIAL, 0, WORD("a child"), WORD("killed"));
	}
}

static uint64_t count_attempts(const struct llr_policy *policy)
{
	struct trial_cursor cursor = TRIAL_CURSOR_INIT;

	while (trial_next(policy, &cursor) != ATTEMPT_NONE)
		;
	return cursor.index;
}

struct trial *trial_run(const struct llr_policy *policy, char *const *command, char *const *envp,
			struct llr_error *error)
{
	uint64_t size = sizeof(struct trial) + count_attempts(policy) * sizeof(int16_t);
	long memory = memory_map(0, size, MAP_SHARED);
	struct trial *trial = (struct trial *)(uintptr_t)memory;
	long pid, parent = SYS0(getpid);

	if (sys_failed(memory)) {
		llr_fail(error, LLR_E_SPAWN, memory, NULL, NULL);
		return NULL;
	}
	trial->policy = policy;
	trial->command = command;
	trial->envp = envp;
	trial->size = size;
	trial->result = (struct llr_result)LLR_RESULT_INIT;
	pid = new_process();
	if (!pid) {
		try(trial, parent);
		for (;;)
			SYS1(exit_group, 0);
	}
	if (sys_failed(pid)) {
		trial_end(trial);
		llr_fail(error, LLR_E_SPAWN, pid, NULL, NULL);
		return NULL;
	}
	await(trial, pid);
	return trial;
}

void trial_end(struct trial *trial)
{
	SYS2(munmap, trial, trial->size);
}
