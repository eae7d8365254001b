/* fault_tables.c: what is launched, which faults its calls can have, and what has to come of them.
 * It must never say that a launch may end unconfined. */
#include "fault_tables.h"

#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* ---- Launches ---- */

#define MARK "make:in/marker make:out/escape fds state"
#define NO_MARK "make:out/escape fds state"

/* The calls of the contract: what comes first, what a directory's and a file's grant cost, and what
 * comes last. */
#define ASK "landlock_create_ruleset landlock_create_ruleset "
#define DIRECTORY "openat landlock_add_rule close "
#define PLAIN_FILE "openat openat landlock_add_rule close "
#define RESTRICT "prctl landlock_restrict_self "
#define SAY_NOTICE "rt_sigprocmask rt_sigpending write rt_sigprocmask "
#define SAY_STATUS "ppoll rt_sigprocmask rt_sigpending write rt_sigprocmask "
#define SAY_LAST "rt_sigprocmask write "
#define SAY_FATAL UNPACK SAY_LAST
#define CONTRACT ASK DIRECTORY DIRECTORY RESTRICT
#define UNPACK "mmap " /* the words, of which a launch that succeeds needs none */
#define TAKE_FILE "mmap openat read read close "

/* What a ruleset costs on a kernel that refuses one of the file set's 16 rights. */
#define GOVERNED "landlock_create_ruleset close "
#define GOVERNED_5 GOVERNED GOVERNED GOVERNED GOVERNED GOVERNED
#define ASK_EACH \
	ASK GOVERNED_5 GOVERNED_5 GOVERNED_5 "landlock_create_ruleset landlock_create_ruleset "

#define BWRAP \
	"bwrap --share-pids --share-tmp --ro-bind / / --dev /dev --unshare-pid --proc /proc " \
	"--die-with-parent"

static const struct launch launches[] = {
	{ "contract", 5, NULL, "--ro / --rw in", NULL, MARK, NULL, 0, END_RUNS, CONTRACT "execve" },
	{ "contract with a file", 5, NULL, "--ro / --rw in --rw out/file", NULL,
	  MARK " write:out/file", NULL, 0, END_RUNS,
	  ASK DIRECTORY DIRECTORY PLAIN_FILE RESTRICT "execve" },
	{ "contract without a grant that writes", 5, NULL, "--ro /", NULL, NO_MARK, NULL,
	  HAS_NO_MARK, END_RUNS, ASK DIRECTORY RESTRICT "execve" },
	{ "notice", 5, "--abi 4", "--ro / --rw in", NULL, MARK, NULL, HAS_NOTICE, END_RUNS,
	  CONTRACT SAY_NOTICE "execve" },
	{ "kernel that lies", 7, "--abi 7 --refuse ioctl-dev", "--ro / --rw in", NULL, MARK, NULL,
	  HAS_NOTICE, END_RUNS, ASK_EACH DIRECTORY DIRECTORY RESTRICT SAY_NOTICE "execve" },
	{ "search", 5, NULL, "--ro / --rw in", "witness", MARK, "bin/none:bin/denied:bin/right:bin",
	  0, END_RUNS, CONTRACT "execve execve execve" },
	{ "read-only", 5, NULL, "--mode read-only", NULL, NO_MARK, NULL, HAS_NO_MARK, END_RUNS,
	  ASK DIRECTORY PLAIN_FILE RESTRICT "execve" },
	{ "workspace-write", 5, NULL, "--mode workspace-write --workspace in", NULL, MARK, NULL, 0,
	  END_RUNS, ASK DIRECTORY PLAIN_FILE DIRECTORY DIRECTORY RESTRICT "execve" },
	{ "git", 5, NULL, "--mode workspace-write --workspace git/linked --git --rw in", NULL, MARK,
	  NULL, 0, END_RUNS,
	  "openat openat openat read openat openat openat statx statx statx statx statx statx "
	  "faccessat faccessat faccessat openat read openat2 statx statx " ASK DIRECTORY PLAIN_FILE
		  DIRECTORY DIRECTORY "landlock_add_rule " DIRECTORY RESTRICT "execve" },
	{ "danger-full-access", 0, NULL, "--mode danger-full-access", NULL,
	  "make:in/marker fds state", NULL, IS_UNCONFINED, END_RUNS, "execve" },
	{ "status", 5, NULL, "--status-fd 9 --ro / --rw in", NULL, MARK, NULL, HAS_STATUS, END_RUNS,
	  "fcntl fcntl " CONTRACT SAY_STATUS "execve" },
	{ "status and notice", 5, "--abi 4", "--status-fd 9 --ro / --rw in", NULL, MARK, NULL,
	  HAS_STATUS | HAS_NOTICE, END_RUNS,
	  "fcntl fcntl " CONTRACT SAY_NOTICE SAY_STATUS "execve" },
	{ "status of danger-full-access", 0, NULL, "--status-fd 9 --mode danger-full-access", NULL,
	  "make:in/marker fds state", NULL, HAS_STATUS | IS_UNCONFINED, END_RUNS,
	  "fcntl fcntl " SAY_STATUS "execve" },
	{ "close-fds", 5, NULL, "--close-fds --ro / --rw in", NULL, MARK, NULL, HOLDS_FD, END_RUNS,
	  CONTRACT "close_range execve" },
	{ "keep-fd", 5, NULL, "--close-fds --keep-fd 9 --ro / --rw in", NULL, MARK, NULL, HOLDS_FD,
	  END_RUNS, "fcntl " CONTRACT "close_range close_range execve" },
	{ "die-with-parent", 5, NULL, "--die-with-parent --ro / --rw in", NULL, MARK, NULL, 0,
	  END_RUNS, "getppid prctl getppid " CONTRACT "execve" },
	{ "devices", 5, NULL, "--devices --ro / --rw in", NULL, MARK " write:/dev/zero", NULL, 0,
	  END_RUNS, NULL },
	{ "stdio", 5, NULL, "--stdio --ro / --rw in", NULL, MARK " write:/dev/stdout", NULL, 0,
	  END_RUNS, NULL },
	{ "network", 7, NULL, "--bind-tcp 0 --connect-tcp none --ro / --rw in", NULL,
	  MARK " bind-tcp:0 connect-tcp:1", NULL, 0, END_RUNS,
	  ASK "landlock_add_rule " DIRECTORY DIRECTORY RESTRICT "execve" },
	{ "scopes", 7, NULL, "--scope signal --scope abstract-unix-socket --ro / --rw in", NULL,
	  MARK " kill:1 connect-unix:nobody", NULL, 0, END_RUNS, CONTRACT "execve" },
	{ "guards", 5, NULL, "--guard metadata --guard tty --ro / --rw in", NULL,
	  MARK " chmod:in/a/file", NULL, 0, END_RUNS,
	  "seccomp " CONTRACT "seccomp seccomp execve" },
	{ "log-denials", 7, NULL, "--log-denials --ro / --rw in", NULL, MARK, NULL, 0, END_RUNS,
	  CONTRACT "execve" },
	{ "require", 5, NULL, "--require full --ro / --rw in", NULL, MARK, NULL, 0, END_RUNS,
	  CONTRACT "execve" },
	{ "best-effort", 5, "--abi 5", "--scope signal --best-effort --ro / --rw in", NULL, MARK,
	  NULL, HAS_NOTICE, END_RUNS, CONTRACT SAY_NOTICE "execve" },
	{ "ro-try", 5, NULL, "--ro-try in/absent --ro-try / --rw in", NULL, MARK, NULL, 0, END_RUNS,
	  ASK "openat " DIRECTORY DIRECTORY RESTRICT "execve" },
	{ "allow", 5, NULL, "--ro / --rw in --allow write-file,truncate:out/file", NULL,
	  MARK " write:out/file", NULL, 0, END_RUNS, NULL },

	{ "args-file", 5, NULL, "--args-file policy", NULL, MARK, NULL, 0, END_RUNS,
	  TAKE_FILE CONTRACT "execve" },
	{ "args-file twice and status", 5, NULL,
	  "--status-fd 9 --args-file policy --args-file policy", NULL, MARK, NULL, HAS_STATUS,
	  END_RUNS,
	  TAKE_FILE TAKE_FILE
	  "fcntl fcntl " ASK DIRECTORY DIRECTORY DIRECTORY DIRECTORY RESTRICT SAY_STATUS "execve" },

	{ "bwrap", 7, NULL, BWRAP " --tmpfs /tmp --bind in in", NULL, MARK " kill:1", NULL, 0,
	  END_RUNS, NULL },
	{ "bwrap without a writable bind", 7, NULL, BWRAP, NULL, NO_MARK " chmod:in/a/file", NULL,
	  HAS_NO_MARK, END_RUNS, NULL },

	{ "probe", 5, NULL, "--probe", "", "", NULL, 0, END_SAYS,
	  ASK RESTRICT SAY_LAST "close exit_group" },
	{ "probe of an older kernel", 5, "--abi 4", "--probe", "", "", NULL, 0, END_SAYS,
	  ASK RESTRICT SAY_LAST "close exit_group" },
	{ "help", 0, NULL, "--help", "", "", NULL, 0, END_SAYS, NULL },
	{ "version", 0, NULL, "--version", "", "", NULL, 0, END_SAYS, NULL },
	{ "probe at length", 5, NULL, "probe --json --ro / --rw in", NULL, MARK, NULL, 0, END_SAYS,
	  NULL },
	{ "dry-run", 5, NULL, "--dry-run --devices --stdio --ro / --rw in --rw out/file", NULL,
	  MARK, NULL, 0, END_SAYS, NULL },

	{ "usage error", 0, NULL, "--bogus", NULL, MARK, NULL, 0, END_FAILS,
	  SAY_FATAL "exit_group" },
	{ "usage error with status", 0, NULL, "--status-fd 9 --bogus", NULL, MARK, NULL, HAS_STATUS,
	  END_FAILS, NULL },
	{ "args-file that is wrong", 0, NULL, "--status-fd 9 --args-file wrong", NULL, MARK, NULL,
	  HAS_STATUS, END_FAILS, NULL },
	{ "args-file that is missing", 0, NULL, "--status-fd 9 --args-file in/absent", NULL, MARK,
	  NULL, HAS_STATUS, END_FAILS, NULL },
	{ "unusable kernel", 1, "--abi ENOSYS", "--ro / --rw in", NULL, MARK, NULL, 0, END_FAILS,
	  "landlock_create_ruleset " SAY_FATAL "exit_group" },
	{ "refused wish", 5, "--abi 5", "--scope signal --ro / --rw in", NULL, MARK, NULL, 0,
	  END_FAILS, NULL },
	{ "missing grant", 5, NULL, "--ro / --rw in/absent", NULL, MARK, NULL, 0, END_FAILS, NULL },
	{ "missing command", 5, NULL, "--ro / --rw in", "in/absent", MARK, NULL, 0, END_FAILS,
	  NULL },
	{ "command that PATH lacks", 5, NULL, "--ro / --rw in", "absent", MARK,
	  "bin/none:bin/right", 0, END_FAILS, NULL },
	{ "command without a grant", 5, NULL, "--rw in", NULL, MARK, NULL, 0, END_FAILS, NULL },
	{ "script without its interpreter", 5, NULL, "--ro / --rw in", "bin/script", MARK, NULL, 0,
	  END_FAILS, NULL },
	{ "script in a script", 5, NULL, "--ro / --rw in", "bin/nested", MARK, NULL, 0, END_FAILS,
	  NULL },
	{ "program without its loader", 5, NULL, "--ro / --rw in", "bin/unloaded", MARK, NULL, 0,
	  END_FAILS, NULL },
	{ "file of no format", 5, NULL, "--ro / --rw in", "bin/formless", MARK, NULL, 0, END_FAILS,
	  NULL },
	{ "file without its mode", 5, NULL, "--ro / --rw in", "bin/denied/witness", MARK, NULL, 0,
	  END_FAILS, NULL },
	{ "missing command and notice", 5, "--abi 4", "--ro / --rw in", "in/absent", MARK, NULL,
	  HAS_NOTICE, END_FAILS, NULL },
	{ "missing command and status", 5, NULL, "--status-fd 9 --ro / --rw in", "in/absent", MARK,
	  NULL, HAS_STATUS, END_FAILS, NULL },
};

const struct launch *launch_at(size_t index)
{
	return index < COUNT(launches) ? &launches[index] : NULL;
}

const struct launch *launch_named(const char *name)
{
	for (size_t i = 0; i < COUNT(launches); i++)
		if (strcmp(launches[i].name, name) == 0)
			return &launches[i];
	abort();
}

/* ---- Errors ---- */

/* A kernel or a filter can give these to any call. */
#define ANY "EINTR ENOMEM EMFILE EIO EPERM ENOSYS"

const char errors_for_good[] = "EINTR EINVAL EIO ENOSYS";
const char errors_again[] = "EINTR EIO";

/* What only looks for the reason of a failure, or at what is there: any error is one to it. */
#define EXPLAINING "EINTR ENOMEM EMFILE EIO ENOSYS EACCES ENOENT EINVAL"

/* By the manual pages. */
static const struct {
	const char *call;
	const char *errors;
} errors[] = {
	{ "landlock_create_ruleset", ANY " EOPNOTSUPP E2BIG EFAULT EINVAL ENOMSG ENFILE EACCES" },
	{ "landlock_add_rule",
	  ANY " EOPNOTSUPP E2BIG EFAULT EINVAL ENOMSG EBADF EBADFD EAFNOSUPPORT EACCES" },
	{ "landlock_restrict_self", ANY " EOPNOTSUPP E2BIG EINVAL EBADF EBADFD EACCES" },
	{ "openat", ANY
	  " EACCES EAGAIN EBADF EBUSY EEXIST EFAULT EINVAL EISDIR ELOOP ENAMETOOLONG ENFILE ENODEV "
	  "ENOENT ENOSPC ENOTDIR ENXIO EOVERFLOW EROFS ESTALE ETXTBSY EDQUOT EFBIG" },
	{ "read", ANY " EAGAIN EBADF EFAULT EINVAL EISDIR" },
	{ "mmap", ANY " EACCES EAGAIN EBADF EINVAL ENFILE ENODEV EOVERFLOW" },
	{ "close", ANY " EBADF ENOSPC EDQUOT" },
	{ "prctl", ANY " EINVAL EFAULT EACCES EBUSY" },
	{ "execve", ANY " E2BIG EACCES EAGAIN EFAULT EINVAL EISDIR ELIBBAD ELOOP ENAMETOOLONG "
			"ENFILE ENODEV ENOENT "
			"ENOEXEC ENOTDIR ESTALE ETIMEDOUT ETXTBSY" },
	{ "write", ANY " EAGAIN EBADF EDESTADDRREQ EDQUOT EFAULT EFBIG EINVAL ENOSPC EPIPE" },
	{ "rt_sigprocmask", ANY " EFAULT EINVAL" },
	{ "rt_sigpending", ANY " EFAULT EINVAL" },
	{ "rt_sigtimedwait", ANY " EAGAIN EFAULT EINVAL" },
	{ "ppoll", ANY " EFAULT EINVAL" },
	{ "fcntl", ANY " EACCES EAGAIN EBADF EBUSY EDEADLK EFAULT EINVAL ENOLCK ENOTDIR" },
	{ "statx", EXPLAINING },
	{ "statfs", EXPLAINING },
	{ "faccessat", EXPLAINING },
	{ "readlinkat", EXPLAINING },
	{ "pread64", EXPLAINING },
	{ "openat2",
	  ANY " E2BIG EACCES EAGAIN EBADF EFAULT EINVAL ELOOP EMFILE ENFILE ENOENT ENOTDIR EXDEV" },
	{ "execveat", EXPLAINING },
	{ "seccomp", ANY " EACCES EBUSY ECANCELED EFAULT EINVAL EOPNOTSUPP ESRCH" },
	{ "close_range", ANY " EINVAL" },
	{ "getppid", ANY },
	{ "getpid", ANY },
	{ "munmap", ANY " EINVAL" },
	{ "clone", ANY " EAGAIN EINVAL ENOSPC EUSERS" },
	{ "wait4", ANY " ECHILD EINVAL ESRCH" },
	{ "kill", ANY " EINVAL ESRCH" },
	{ "uname", ANY " EFAULT" },
	{ "exit_group", ANY },
};

const char *errors_of(const char *call)
{
	for (size_t i = 0; i < COUNT(errors); i++)
		if (strcmp(errors[i].call, call) == 0)
			return errors[i].errors;
	return NULL;
}

/* ---- Consequences ---- */

#define EITHER ((enum duration) - 1)

/* The errors upon which execvp looks further along PATH. */
#define ELSEWHERE "EACCES ENOENT ENOTDIR ESTALE ENODEV ETIMEDOUT"

/* Exceptions from "refused", the first that fits counts. A NULL and a 0 fit everything. */
static const struct rule {
	const char *launch;
	const char *call;
	unsigned int nth;
	const char *part; /* of the recorded line */
	const char *errors;
	enum duration duration;
	enum consequence consequence;
} rules[] = {
	/* Nothing of a launch hangs on a descriptor of its own being closed by hand; the probe's is
	   stdout. */
	{ NULL, "close", 0, "close(1)", "EINTR", EITHER, SAME },
	{ NULL, "close", 0, "close(1)", NULL, EITHER, REFUSED },
	{ NULL, "close", 0, NULL, NULL, EITHER, SAME },

	/* The process ends in the next turn. */
	{ NULL, "exit_group", 0, NULL, NULL, EITHER, SAME },

	/* A kernel that refuses all rights together is asked for each alone. */
	{ "dry-run", "landlock_create_ruleset", 0, NULL, NULL, EITHER, OTHERWISE },
	{ "probe at length", "landlock_create_ruleset", 0, NULL, NULL, EITHER, OTHERWISE },
	{ "kernel that lies", "landlock_create_ruleset", 11, NULL, "EINVAL E2BIG", ONCE,
	  UNGOVERNED },
	{ "kernel that lies", "landlock_create_ruleset", 1, NULL, NULL, EITHER, REFUSED },
	{ "kernel that lies", "landlock_create_ruleset", 19, NULL, NULL, EITHER, REFUSED },
	{ "kernel that lies", "landlock_create_ruleset", 0, NULL, "EINVAL E2BIG", ONCE, SAME },
	{ NULL, "landlock_create_ruleset", 2, NULL, "EINVAL E2BIG", ONCE, SAME },

	/* What no path rule can name needs none: a pipe that a path of /proc leads to, say. */
	{ "contract with a file", "landlock_add_rule", 3, NULL, "EBADFD", EITHER, LESS },
	{ "read-only", "landlock_add_rule", 2, NULL, "EBADFD", EITHER, SAME },
	{ "workspace-write", "landlock_add_rule", 2, NULL, "EBADFD", ONCE, SAME },
	{ "allow", "landlock_add_rule", 3, NULL, "EBADFD", EITHER, LESS },
	{ "bwrap", "landlock_add_rule", 1, NULL, NULL, EITHER, REFUSED },
	{ "bwrap", "landlock_add_rule", 2, NULL, NULL, EITHER, REFUSED },
	{ "bwrap", "landlock_add_rule", 3, NULL, NULL, EITHER, REFUSED },
	{ "bwrap", "landlock_add_rule", 0, NULL, "EBADFD", EITHER, LESS },
	{ "bwrap without a writable bind", "landlock_add_rule", 1, NULL, NULL, EITHER, REFUSED },
	{ "bwrap without a writable bind", "landlock_add_rule", 0, NULL, "EBADFD", EITHER, LESS },
	{ "devices", "landlock_add_rule", 1, NULL, NULL, EITHER, REFUSED },
	{ "devices", "landlock_add_rule", 2, NULL, NULL, EITHER, REFUSED },
	{ "devices", "landlock_add_rule", 0, NULL, "EBADFD", EITHER, LESS },
	{ "stdio", "landlock_add_rule", 1, NULL, NULL, EITHER, REFUSED },
	{ "stdio", "landlock_add_rule", 2, NULL, NULL, EITHER, REFUSED },
	{ "stdio", "landlock_add_rule", 0, NULL, "EBADFD", EITHER, LESS },
	{ "stdio", "landlock_add_rule", 0, NULL, "EINVAL", ONCE, SAME },
	/* A descriptor's rule, as those of --stdio. */
	{ "git", "landlock_add_rule", 2, NULL, "EBADFD", ONCE, SAME },
	{ "git", "landlock_add_rule", 5, NULL, "EBADFD EINVAL", ONCE, LESS },
	/* A kernel without TCP has nothing to allow. */
	{ "network", "landlock_add_rule", 1, NULL, "EAFNOSUPPORT", ONCE, LESS },

	/* The plan says what is missing. */
	{ "dry-run", "openat", 0, NULL, NULL, EITHER, OTHERWISE },
	{ "dry-run", "statx", 0, NULL, NULL, EITHER, OTHERWISE },
	{ "dry-run", "fcntl", 0, NULL, NULL, EITHER, OTHERWISE },

	/* A file has no rights of a directory, and a workspace is none. */
	{ "workspace-write", "openat", 5, NULL, "ENOTDIR", EITHER, REFUSED },
	{ "git", "openat", 2, NULL, "ENOTDIR", ONCE, SAME },
	{ "git", "openat", 0, "git/linked", "ENOTDIR", EITHER, REFUSED },
	{ "git", "openat", 0, "worktrees", "ENOTDIR", EITHER, REFUSED },
	{ "git", "openat", 0, "\"..\"", "ENOTDIR", EITHER, REFUSED },
	{ NULL, "openat", 0, "O_DIRECTORY", "ENOTDIR", ONCE, LESS },

	/* What the probe looks at once more itself is only told otherwise; so is a child that
	   could not be had. */
	{ "probe at length", "openat", 0, NULL, NULL, EITHER, OTHERWISE },
	{ "probe at length", "statx", 0, NULL, NULL, EITHER, OTHERWISE },
	{ "probe at length", "uname", 0, NULL, NULL, EITHER, OTHERWISE },
	{ "probe at length", "getpid", 0, NULL, NULL, EITHER, OTHERWISE },
	{ "probe at length", "kill", 0, NULL, NULL, EITHER, OTHERWISE },
	{ "probe at length", "clone", 0, NULL, "EINVAL", ONCE, SAME },
	/* A child that is told to have gone is killed: no trial. */
	{ "probe at length", "wait4", 0, NULL, NULL, EITHER, OTHERWISE },
	{ "probe at length", "rt_sigprocmask", 0, NULL, NULL, EITHER, SAME },

	/* What may be missing. */
	{ "devices", "openat", 0, "/dev/zero", "ENOENT", ONCE, LESS },
	{ "devices", "openat", 0, "/dev/", "ENOENT", ONCE, SAME },
	{ "bwrap", "openat", 0, "/dev/", "ENOENT", ONCE, SAME },
	{ "bwrap without a writable bind", "openat", 0, "/dev/", "ENOENT", ONCE, SAME },
	{ "ro-try", "openat", 0, "in/absent", "ENOENT", ONCE, SAME },

	/* What cannot be looked at is not granted. */
	{ "stdio", "fcntl", 0, NULL, NULL, EITHER, LESS },
	{ "stdio", "statx", 0, NULL, NULL, EITHER, LESS },

	/* The search goes on. */
	{ "search", "execve", 1, NULL, ELSEWHERE, ONCE, SAME },
	{ "search", "execve", 2, NULL, ELSEWHERE, ONCE, SAME },

	/* A filter that hides the parent hides it twice. */
	{ NULL, "getppid", 1, NULL, NULL, FOR_GOOD, SAME },

	/* A process that only says something and ends can do no better. */
	{ "probe", "rt_sigprocmask", 0, NULL, NULL, EITHER, SAME },
	{ "probe of an older kernel", "rt_sigprocmask", 0, NULL, NULL, EITHER, SAME },
	{ "help", "rt_sigprocmask", 0, NULL, NULL, EITHER, SAME },
	{ "version", "rt_sigprocmask", 0, NULL, NULL, EITHER, SAME },
	{ "dry-run", "rt_sigprocmask", 0, NULL, NULL, EITHER, SAME },

	/* Interrupted, it is written again. */
	{ NULL, "write", 0, NULL, "EINTR", ONCE, SAME },
	/* A notice that cannot be written changes nothing; where a status record follows that
	   cannot be either, it does. */
	{ "status and notice", "write", 0, NULL, NULL, FOR_GOOD, UNSEEN },
	{ NULL, "write", 0, "(2, ", NULL, EITHER, SILENT },
	/* What is said on stdout, or on the status descriptor before exec, has to be. */
	{ NULL, "write", 0, "\\\"failed\\\"", NULL, ONCE, SILENT },
	{ NULL, "write", 0, NULL, NULL, ONCE, REFUSED },
	{ NULL, "write", 0, NULL, NULL, FOR_GOOD, UNSEEN },
};

static bool listed(const char *list, const char *word)
{
	size_t length = strlen(word);
	const char *at = list;

	while ((at = strstr(at, word)) != NULL) {
		if ((at == list || at[-1] == ' ') && (at[length] == '\0' || at[length] == ' '))
			return true;
		at += length;
	}
	return false;
}

static bool fits(const struct rule *rule, const struct launch *launch, const struct call_at *at,
		 const char *error, enum duration duration)
{
	return (rule->launch == NULL || strcmp(rule->launch, launch->name) == 0) &&
	       strcmp(rule->call, at->name) == 0 && (rule->nth == 0 || rule->nth == at->nth) &&
	       (rule->part == NULL || strstr(at->line, rule->part) != NULL) &&
	       (rule->errors == NULL || listed(rule->errors, error)) &&
	       (rule->duration == EITHER || rule->duration == duration);
}

enum consequence consequence_of(const struct launch *launch, const struct call_at *at,
				const char *error, enum duration duration)
{
	for (size_t i = 0; i < COUNT(rules); i++)
		if (fits(&rules[i], launch, at, error, duration))
			/* No command runs with less where none runs at all. */
			return rules[i].consequence == LESS && launch->end == END_FAILS
				       ? REFUSED
				       : rules[i].consequence;
	return REFUSED;
}
