/* landlock-run.h: confine a thread or start a confined command with Landlock, and read what landlock-run says.
 *
 * Conventions, for every function unless its own comment says otherwise:
 * - It returns 0 (or a value >= 0) on success and -1 on failure; on failure *error, when it is not NULL, says what failed.
 * - Memory is the caller's. Nothing is allocated, nothing is kept after the return, nothing is printed, nothing exits.
 * - Pointers put into results (error.subject, verdict.evidence) point into what the caller passed in or to constants.
 * - Sizes are in bytes, counts in elements. There is no global state: any number of threads may call at once.
 * - errno is not touched.
 * - "async-signal-safe": may be called between fork and exec, also in a multi-threaded program, and in a signal handler.
 *
 * Structures whose first member is `size` grow at the end: set it to sizeof (or initialise with the LLR_…_INIT macro), and
 * members that an older caller does not know read as zero.
 *
 * Facts about the kernel are from Linux' Documentation/userspace-api/landlock.rst and were checked on real kernels.
 */
#ifndef LANDLOCK_RUN_H
#define LANDLOCK_RUN_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined __GNUC__
#define LLR_API __attribute__((visibility("default")))
#else
#define LLR_API
#endif

/* ---- The contract's words -------------------------------------------------------------------------------------------- */

#define LLR_VERSION "1.0.0"

/* Exit status of a launcher that failed before its command ran. */
#define LLR_EXIT_FAILURE 125
/* Begins each line that a launcher writes to stderr. */
#define LLR_PREFIX "landlock-run: "
/* The whole notice of a partially confined launch, without its newline. */
#define LLR_NOTICE "landlock-run: partial enforcement (older Landlock ABI)"
/* The probe's lines on stdout, without their newline. */
#define LLR_PROBE_FULL "landlock: fully enforced"
#define LLR_PROBE_PARTIAL "landlock: partially enforced (older ABI)"
/* A line of a launcher, its newline included, is never longer: such a write to a pipe is atomic (PIPE_BUF). */
#define LLR_LINE_MAX 4096

/* ---- Rights ---------------------------------------------------------------------------------------------------------- */

/* A set of access rights. Bits 0-31 are the kernel's LANDLOCK_ACCESS_FS_*, bits 32-47 its LANDLOCK_ACCESS_NET_*, bits 48-55
 * its LANDLOCK_SCOPE_* and bits 56-63 its LANDLOCK_PERMISSION_*, each field in the kernel's own order. */
typedef uint64_t llr_rights;

#define LLR_EXECUTE ((llr_rights)1 << 0)
#define LLR_WRITE_FILE ((llr_rights)1 << 1)
#define LLR_READ_FILE ((llr_rights)1 << 2)
#define LLR_READ_DIR ((llr_rights)1 << 3)
#define LLR_REMOVE_DIR ((llr_rights)1 << 4)
#define LLR_REMOVE_FILE ((llr_rights)1 << 5)
#define LLR_MAKE_CHAR ((llr_rights)1 << 6)
#define LLR_MAKE_DIR ((llr_rights)1 << 7)
#define LLR_MAKE_REG ((llr_rights)1 << 8)
#define LLR_MAKE_SOCK ((llr_rights)1 << 9)
#define LLR_MAKE_FIFO ((llr_rights)1 << 10)
#define LLR_MAKE_BLOCK ((llr_rights)1 << 11)
#define LLR_MAKE_SYM ((llr_rights)1 << 12)
#define LLR_REFER ((llr_rights)1 << 13)
#define LLR_TRUNCATE ((llr_rights)1 << 14)
#define LLR_IOCTL_DEV ((llr_rights)1 << 15)
#define LLR_RESOLVE_UNIX ((llr_rights)1 << 16)
#define LLR_BIND_TCP ((llr_rights)1 << 32)
#define LLR_CONNECT_TCP ((llr_rights)1 << 33)
#define LLR_BIND_UDP ((llr_rights)1 << 34)
#define LLR_CONNECT_SEND_UDP ((llr_rights)1 << 35)
#define LLR_ABSTRACT_UNIX_SOCKET ((llr_rights)1 << 48)
#define LLR_SIGNAL ((llr_rights)1 << 49)
/* Known by name, handled by no version of this library yet. */
#define LLR_NAMESPACE_USE ((llr_rights)1 << 56)
#define LLR_CAPABILITY_USE ((llr_rights)1 << 57)

/* What every policy governs and `--rw` grants: execute to ioctl-dev. Complete from ABI 5 on. */
#define LLR_FILE_SET ((llr_rights)0xffff)
/* What `--ro` grants: execute, read-file, read-dir. */
#define LLR_READ_EXECUTE (LLR_EXECUTE | LLR_READ_FILE | LLR_READ_DIR)

enum llr_trait {
	LLR_TRAIT_ON_FILE = 1,  /* may be granted on something that is not a directory */
	LLR_TRAIT_FILE_SET = 2, /* part of LLR_FILE_SET */
	LLR_TRAIT_READ = 4,     /* part of LLR_READ_EXECUTE */
	LLR_TRAIT_OPT_IN = 8,   /* governed only when a policy names it */
	LLR_TRAIT_PORT = 16,    /* granted by port */
	LLR_TRAIT_SCOPE = 32,   /* cannot be granted: governed or not */
	LLR_TRAIT_PATH = 64     /* granted beneath a path */
};

struct llr_right {
	llr_rights right;     /* one bit */
	const char *name;     /* the kernel's name in kebab-case, "write-file" */
	uint8_t abi;          /* the Landlock ABI that brought it */
	uint8_t linux_major;  /* the first Linux with that ABI */
	uint8_t linux_minor;
	uint8_t traits;       /* enum llr_trait, or-ed */
};

/* The table of rights in the kernel's order; NULL from the first index past its end. Constant memory. Async-signal-safe. */
LLR_API const struct llr_right *llr_right_at(uint32_t index);
/* The right of that name (`length` bytes, no NUL needed), or NULL. Async-signal-safe. */
LLR_API const struct llr_right *llr_right_by_name(const char *name, size_t length);
/* All rights that a kernel of that Landlock ABI can govern, of those in the table. Async-signal-safe. */
LLR_API llr_rights llr_rights_of_abi(int32_t abi);
/* The newest ABI in the table. Async-signal-safe. */
LLR_API int32_t llr_abi_newest(void);

/* ---- Errors ---------------------------------------------------------------------------------------------------------- */

enum llr_code {
	LLR_OK = 0,
	/* The caller's: nothing was asked of the kernel. */
	LLR_E_COMMAND_MISSING = 1,
	LLR_E_ARGUMENT_UNKNOWN = 2,  /* subject: the argument; field: the nearest option, or NULL */
	LLR_E_VALUE_MISSING = 3,     /* field: the option; subject: what it requires */
	LLR_E_VALUE_ATTACHED = 4,    /* subject: `--option=value` as given; field: the option */
	LLR_E_VALUE_INVALID = 5,     /* field: the option; subject: the value; errnum may say why */
	LLR_E_OPTION_REPEATED = 6,   /* field: the option */
	LLR_E_OPTION_NEEDS = 7,      /* field: the option; subject: what it needs beside it */
	LLR_E_OPTION_UNCONFINED = 8, /* field: an option that danger-full-access cannot honour */
	LLR_E_PROBE_ALONE = 9,
	LLR_E_RIGHT_UNSUPPORTED = 10, /* subject: a right known by name and handled by no version yet */
	LLR_E_POLICY = 11,            /* field: the member at fault */
	LLR_E_BUFFER = 12,            /* field: a buffer that is too small; index: the size needed */
	LLR_E_NOT_HONOURED = 14,      /* subject: an option of bwrap's; field: why, or NULL */
	LLR_E_GRANT = 13,             /* field: the member at fault; index: of which grant, counted from 0 */
	LLR_E_ARGS_FILE = 15,         /* subject: a file of options; field: what is wrong in line index, or NULL: it cannot be read */
	/* The kernel's, before anything was restricted. */
	LLR_E_NOT_ENFORCED = 20, /* errnum: ENOSYS not built in, EOPNOTSUPP off at boot, EPERM or EACCES blocked by a filter */
	LLR_E_RULE_PATH = 21,    /* subject: the path of a grant that cannot be opened */
	LLR_E_UNGOVERNED = 22,   /* subject: a right asked for by name that this kernel cannot govern; index: the kernel's ABI */
	LLR_E_RULESET = 23,      /* field: the step; subject: the path of a rule, or NULL */
	LLR_E_LAYERS = 24,       /* too many nested domains */
	LLR_E_NO_NEW_PRIVS = 25,
	LLR_E_GIT = 26, /* subject: a workspace whose .git --git cannot follow; field: why; errnum may say more */
	/* After the restriction, or of the start itself. */
	LLR_E_GUARD = 30,  /* a seccomp filter was refused */
	LLR_E_EXEC = 31,   /* subject: the command; index: enum llr_culprit; field: the file at fault, or NULL */
	LLR_E_FILES = 32,  /* subject: a working directory, or NULL; field: which file action of a spawn */
	LLR_E_SPAWN = 33,  /* no process could be made; or it ended before its command: field "signal" or "exit", index: which */
	LLR_E_OUTPUT = 34, /* subject: what could not be written */
	LLR_E_PARENT = 35, /* the parent died while the launcher asked to die with it */
	LLR_E_SIGNAL = 36, /* subject: what could not be done to the signal state */
	LLR_E_INPUT = 37,  /* what was to be read is not what it should be */
	LLR_E_TRIAL = 38   /* a probe tried a policy and it does not hold here; subject: the path; field: what failed */
};

/* What kept a command from starting, where it could be told. The error's field then names the file at fault. */
enum llr_culprit {
	LLR_CULPRIT_UNKNOWN = 0,
	LLR_CULPRIT_TARGET_MISSING = 1,     /* a symlink leads to nothing */
	LLR_CULPRIT_TARGET_NOT_GRANTED = 2, /* the file exists and no grant lets it be read and executed */
	LLR_CULPRIT_INTERPRETER_MISSING = 3,
	LLR_CULPRIT_INTERPRETER_NOT_GRANTED = 4,
	LLR_CULPRIT_LOADER_MISSING = 5,
	LLR_CULPRIT_LOADER_NOT_GRANTED = 6,
	LLR_CULPRIT_NOEXEC_MOUNT = 7,
	LLR_CULPRIT_DIRECTORY = 8,
	LLR_CULPRIT_FORMAT = 9, /* no executable format, and no `#!` line */
	LLR_CULPRIT_MODE = 10   /* the file's mode forbids it */
};

struct llr_error {
	int32_t code;        /* enum llr_code */
	int32_t errnum;      /* the errno of the failed call, 0 where there was none */
	const char *subject; /* what it is about: a path, a value, a right; borrowed from the caller's input, or constant */
	const char *field;   /* the option or member at fault, or NULL; constant, or borrowed likewise */
	uint64_t index;      /* which element of an array, or a number that the code names */
};

/* Writes one line's text for the error, NUL-terminated, without prefix and newline; at most size bytes, the subject cut where it must
 * be and control bytes in it shown as `?`. Returns the length of the text. Async-signal-safe. */
LLR_API size_t llr_error_text(const struct llr_error *error, char *buffer, size_t size);
/* A short word for the step that failed: "usage", "kernel", "rule", "ruleset", "restrict", "guard", "exec", … Async-signal-safe. */
LLR_API const char *llr_error_stage(const struct llr_error *error);
/* "ENOENT" for ENOENT; NULL for a number without a name. Async-signal-safe. */
LLR_API const char *llr_errno_name(int32_t errnum);

/* ---- Confine --------------------------------------------------------------------------------------------------------- */

enum llr_grant_type {
	LLR_GRANT_PATH = 0, /* rights beneath path (on it alone when it is no directory); symlinks are followed */
	LLR_GRANT_FD = 1,   /* the same for the file behind an open descriptor */
	LLR_GRANT_PORT = 2  /* network rights for a port, in host order */
};

enum llr_grant_flag {
	LLR_GRANT_IF_EXISTS = 1, /* skip a path that does not exist (ENOENT alone); only for grants without a right to write */
	LLR_GRANT_DIRECTORY = 2  /* refuse a path that is no directory */
};

struct llr_grant {
	uint32_t type;     /* enum llr_grant_type */
	uint32_t flags;    /* enum llr_grant_flag, or-ed */
	llr_rights rights; /* rights that do not apply to a file are left out there; overlapping grants add up */
	const char *path;  /* LLR_GRANT_PATH: NUL-terminated, relative to the current directory if not absolute */
	int32_t fd;        /* LLR_GRANT_FD; pipes, sockets and memory files need no grant and are passed over */
	uint32_t port;     /* LLR_GRANT_PORT: 0 to 65535; 0 is "a port chosen by the kernel" */
};

/* A source of grants for callers without memory for an array. *cursor is 0 at first and the source's own afterwards; the same cursor
 * must give the same grant again. Fills *grant and returns 1, or returns 0 at the end. Called twice over: once to check, once to apply.
 * A path that it gives must last until the call that the policy is passed to has returned: an error may point to it. */
typedef int (*llr_grant_source)(const void *context, uint64_t *cursor, struct llr_grant *grant);

enum llr_policy_flag {
	LLR_POLICY_BEST_EFFORT = 1, /* what is named and cannot be governed makes the enforcement partial instead of an error */
	LLR_POLICY_LOG_DENIALS = 2, /* the audit log records what the command is denied (ABI 7) */
	LLR_POLICY_DEVICES = 4,     /* write and ioctl on those of /dev/{null,zero,full,random,urandom,tty,ptmx,pts} that exist */
	LLR_POLICY_STDIO = 8        /* files behind descriptors 0-2 may be reopened in the access mode that the descriptor has */
};

enum llr_guard {
	LLR_GUARD_METADATA = 1, /* chmod, chown, utime, xattr and inode-flag calls fail with EACCES */
	LLR_GUARD_TTY = 2       /* TIOCSTI and TIOCLINUX fail with EPERM */
};

/* What a confined thread may do. LLR_FILE_SET is always governed: what no grant allows is denied. */
struct llr_policy {
	uint32_t size;
	uint32_t flags;                  /* enum llr_policy_flag, or-ed */
	llr_rights governed;             /* opt-in rights to govern too: network, scopes, resolve-unix */
	llr_rights required;             /* refuse unless each is governed; opt-in rights in it are governed as if named above */
	const struct llr_grant *grants;  /* grants_count of them; may be NULL when there are none */
	uint64_t grants_count;
	llr_grant_source grant_source;   /* NULL, or where further grants come from */
	const void *grant_context;       /* passed to grant_source */
	uint32_t guards;                 /* enum llr_guard, or-ed; seccomp filters, installed last */
	uint32_t reserved;               /* 0 */
};
#define LLR_POLICY_INIT { sizeof(struct llr_policy), 0, 0, 0, NULL, 0, NULL, NULL, 0, 0 }

enum llr_enforcement {
	LLR_ENFORCEMENT_NONE = 0,
	LLR_ENFORCEMENT_PARTIAL = 1, /* some right of the file set, or one asked for by name, is not governed */
	LLR_ENFORCEMENT_FULL = 2
};

struct llr_result {
	uint32_t size;
	uint32_t enforcement; /* enum llr_enforcement; never more than the kernel does */
	int32_t abi;          /* what the kernel reports; it may be newer than llr_abi_newest() */
	uint32_t unmet;       /* enum llr_policy_flag: what was asked for and this kernel cannot do (LLR_POLICY_LOG_DENIALS) */
	llr_rights governed;   /* what this kernel governs of the policy */
	llr_rights ungoverned; /* what was wanted and is not governed */
};
#define LLR_RESULT_INIT { sizeof(struct llr_result), 0, 0, 0, 0, 0 }

/* The kernel's Landlock ABI (1 or more). Fails with LLR_E_NOT_ENFORCED. Restricts nothing. Async-signal-safe. */
LLR_API int32_t llr_kernel_abi(struct llr_error *error);
/* The kernel's bitmask of fixed errata, or -1 where it cannot be asked. For display; never act on it. Async-signal-safe. */
LLR_API int32_t llr_kernel_errata(void);
/* Checks a policy without asking the kernel. Fails with LLR_E_POLICY. Async-signal-safe if the grant source is. */
LLR_API int llr_policy_check(const struct llr_policy *policy, struct llr_error *error);
/* What confining by the policy would enforce on this kernel, found by asking it for a ruleset that is thrown away. Restricts nothing.
 * Fails as llr_confine does, but looks at no grant's path. Async-signal-safe if the grant source is. */
LLR_API int llr_plan(const struct llr_policy *policy, struct llr_result *result, struct llr_error *error);
/* Restricts the calling thread for good, and what it starts from now on; threads that exist already stay as they are.
 * *result is needed here and by llr_plan; it is filled on success alone.
 * On failure nothing is restricted, except that no_new_privs stays set from LLR_E_LAYERS or a refused restriction on, and that after
 * LLR_E_GUARD the thread is restricted by Landlock already: end it. Uses two descriptors, one at a time or together, both closed again.
 * Async-signal-safe if the grant source is. */
LLR_API int llr_confine(const struct llr_policy *policy, struct llr_result *result, struct llr_error *error);

/* ---- Spawn ----------------------------------------------------------------------------------------------------------- */

enum llr_spawn_flag {
	LLR_SPAWN_SEARCH_PATH = 1,  /* look argv[0] up along envp's PATH as execvp does; otherwise it is a path, from cwd if relative */
	LLR_SPAWN_KEEP_SIGNALS = 2, /* leave dispositions (ignored ones) as they are; otherwise all are reset to their default */
	LLR_SPAWN_KEEP_MASK = 4,    /* leave the caller's signal mask in force; otherwise the command starts with none blocked */
	LLR_SPAWN_SESSION = 8,      /* setsid: a session and process group of its own */
	LLR_SPAWN_CLOSE_FDS = 16,   /* descriptors 3 and up do not reach the command */
	/* SIGKILL for the command when the thread that started it ends */
	LLR_SPAWN_DIE_WITH_PARENT = 32
};

struct llr_spawn {
	uint32_t size;
	uint32_t flags;                  /* enum llr_spawn_flag, or-ed */
	const struct llr_policy *policy; /* NULL: unconfined */
	char *const *argv;               /* NULL-terminated, argv[0] is the command */
	char *const *envp;               /* NULL-terminated; NULL: an empty environment */
	const char *cwd;                 /* NULL: the caller's; entered before the restriction, relative grants are taken from it */
	int32_t stdio[3];                /* the descriptors that become 0, 1 and 2, in any order; -1: the caller's own as it is */
	uint32_t reserved;
};
#define LLR_SPAWN_INIT { sizeof(struct llr_spawn), 0, NULL, NULL, NULL, NULL, { -1, -1, -1 }, 0 }

/* Starts a confined command. Returns its process id (the caller waits for it), or -1 when the command did not start: then there is no
 * process left and *error says which step failed. *result, when not NULL, says what is enforced.
 * - LLR_E_POLICY, LLR_E_GRANT: refused before anything was done; field "spawn.…" for the spawn's own members.
 * - In the child, in this order: setsid, stdio and cwd (LLR_E_FILES with field "session", "stdio[0]" to "stdio[2]", "cwd" or
 *   "descriptors"), llr_confine's steps with its errors, exec (LLR_E_EXEC).
 * - The child shares the caller's memory until it execs, as after vfork, so the cost does not grow with it; the calling thread sleeps
 *   meanwhile with all signals blocked, and no handler of the caller's runs in the child. Handlers of pthread_atfork are not called.
 *   A grant source is called in both, in the child on a stack of 64 KiB; it may do there what is allowed after vfork.
 * - A child that fails raises no SIGCHLD, and no other thread that waits for any child meets it.
 * - No descriptor is opened in the caller, so that commands spawned at once by several threads get nothing of each other's.
 * - Emulators that turn vfork into fork hide a failure: the child then exits with LLR_EXIT_FAILURE.
 * Not for signal handlers; any number of threads may spawn at once. */
LLR_API int32_t llr_spawn(const struct llr_spawn *spawn, struct llr_result *result, struct llr_error *error);

/* ---- Emit: for launchers that speak this contract ---------------------------------------------------------------------- */

/* Each writes into the caller's buffer and returns the length, newline included and no NUL counted (one is added where there is room);
 * 0 when the buffer is too small for the line's fixed part. LLR_LINE_MAX is always enough. Async-signal-safe. */

/* "landlock-run: MESSAGE\n" */
LLR_API size_t llr_format_fatal(const struct llr_error *error, char *buffer, size_t size);
/* The notice with its newline. */
LLR_API size_t llr_format_notice(char *buffer, size_t size);
/* The probe's line for LLR_ENFORCEMENT_FULL or LLR_ENFORCEMENT_PARTIAL, with its newline; 0 for anything else. */
LLR_API size_t llr_format_probe(uint32_t enforcement, char *buffer, size_t size);
/* The status record of a launch that goes on, LLR_ENFORCEMENT_NONE being an unconfined one; 0 for an enforcement that does not exist.
 * mode may be NULL. What of it does not fit the line is left out, and `...` says so. */
LLR_API size_t llr_format_confined(const struct llr_result *result, const char *mode, char *buffer, size_t size);
/* The status record of a failure. A long subject is cut like a long mode; the message keeps the end of its sentence. */
LLR_API size_t llr_format_failed(const struct llr_error *error, char *buffer, size_t size);

/* The words above as functions, for callers that cannot read macros. Constant memory, no newline. Async-signal-safe. */
LLR_API const char *llr_version(void);
LLR_API const char *llr_prefix(void);
LLR_API const char *llr_notice(void);
LLR_API const char *llr_probe_full(void);
LLR_API const char *llr_probe_partial(void);
LLR_API int32_t llr_exit_failure(void);

/* ---- Read: for programs that start the launcher --------------------------------------------------------------------------- */

/* Builds the launcher's argument vector for a policy: argv[0] = launcher, options, `--`, then command's elements, NULL at the end.
 * argv has room for argv_count pointers; option values that are no strings of the caller's are written to text (text_size bytes).
 * Returns the number of arguments without the NULL. LLR_E_BUFFER with index = the pointers (field "argv") or bytes (field "text") needed.
 * What the launcher reads from it is the same policy, with the same grants in the same order; a port grant of several rights becomes an
 * option for each. What the command line cannot say is LLR_E_GRANT: type for a descriptor, flags for LLR_GRANT_DIRECTORY, or for
 * LLR_GRANT_IF_EXISTS with other rights than LLR_READ_EXECUTE. LLR_E_POLICY: a launcher or a command that is missing (field), or what
 * llr_policy_check refuses. Nothing is written past the buffers in any case. Async-signal-safe if the grant source is. */
LLR_API int32_t llr_build_argv(const struct llr_policy *policy, const char *launcher, const char *const *command, const char **argv,
			       uint64_t argv_count, char *text, size_t text_size, struct llr_error *error);

/* What a `--probe` said: LLR_ENFORCEMENT_FULL or _PARTIAL for exactly exit status 0 and exactly that line (CR LF and a missing
 * newline allowed), otherwise LLR_ENFORCEMENT_NONE. wait_status is waitpid's. Async-signal-safe. */
LLR_API uint32_t llr_read_probe(int32_t wait_status, const char *output, size_t length);

enum llr_verdict_kind {
	LLR_VERDICT_COMMAND = 0, /* the status is the command's own */
	LLR_VERDICT_DENIED = 1,  /* the command failed and its stderr speaks of a denial: likely the sandbox */
	LLR_VERDICT_LAUNCHER = 2 /* the launcher failed and the command did not run, as far as text can tell */
};

struct llr_verdict {
	uint32_t size;
	uint32_t kind;        /* enum llr_verdict_kind */
	int32_t exit_status;  /* 0-255, or -1 when a signal ended it */
	int32_t signal;       /* the signal, or 0 */
	uint32_t partial;     /* 1 when the notice was there */
	uint32_t reserved;
	const char *evidence; /* the line that decided, without its line end; into the stderr given; NULL for LLR_VERDICT_COMMAND */
	uint64_t evidence_length;
};
#define LLR_VERDICT_INIT { sizeof(struct llr_verdict), 0, 0, 0, 0, 0, NULL, 0 }

/* Judges a finished child of the launcher by its wait status (waitpid's; a caller that has an exit status and a signal instead passes
 * status << 8, or the signal) and what it wrote to stderr (any bytes). LLR_VERDICT_LAUNCHER: exit status LLR_EXIT_FAILURE and a line
 * that holds LLR_PREFIX anywhere and is not LLR_NOTICE. Otherwise LLR_VERDICT_DENIED: exit status not 0 and a line that holds
 * "permission denied". The first such line is the evidence. The case of ASCII letters does not count, for the notice neither; a line
 * ends with LF, CR LF, or the text. Takes time in proportion to the length. A confined command can write any text and end with any
 * status, so LLR_VERDICT_LAUNCHER can be forged; the status stream cannot. Async-signal-safe. */
LLR_API void llr_classify(int32_t wait_status, const char *errors, size_t length, struct llr_verdict *verdict);

enum llr_status_event {
	LLR_STATUS_NOTHING = 0,  /* empty: the launcher ended before it could report */
	LLR_STATUS_CONFINED = 1, /* confined, and the command ran */
	LLR_STATUS_FAILED = 2,   /* the launcher failed; the command did not run */
	LLR_STATUS_INVALID = 3   /* not a status stream of this version */
};

struct llr_status {
	uint32_t size;
	uint32_t event;        /* enum llr_status_event */
	uint32_t enforcement;  /* enum llr_enforcement, of the confined record */
	int32_t abi;
	llr_rights ungoverned; /* of the confined record, those that this library knows */
	char stage[16];        /* of the failed record */
	char errno_name[16];   /* of the failed record, or "" */
	char message[256];     /* of the failed record, cut at a character; UTF-8 */
};

/* Reads a whole status stream (up to end of file). Failed after confined is LLR_STATUS_FAILED: it was exec that failed, and what was
 * enforced is told too. Records of events that this library does not know are passed over. Anything else that is not a sequence of whole
 * records of version 1 with at most one outcome is LLR_STATUS_INVALID and LLR_E_INPUT: field says why, index which record, counted from
 * 0. Never take it for a run of the command. status->size must be set. Async-signal-safe. */
LLR_API int llr_read_status(const char *stream, size_t length, struct llr_status *status, struct llr_error *error);

#ifdef __cplusplus
}
#endif

#endif
