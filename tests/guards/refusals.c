/* Makes each call, by number, by every way into this kernel, and looks at the file afterwards.
 * Never trusts an errno alone: refused must mean unchanged, and the unguarded call must differ. */
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <termios.h>
#include <unistd.h>

#include "../check.h"
#include "../../lib/guards.h"
#include "shape.h"
#include "attempt.h"
#include "calls.h"

#define HELPER_FD 4
/* Exit statuses that are no errno. */
#define NOT_STARTED 200
#define NOT_GUARDED 201
#define BY_SIGNAL 256 /* added to the signal */

#define FS_IOC_GETFLAGS 0x80086601U
#define FS_IOC_GETVERSION 0x80087601U
#define FLAG_NODUMP 0x40U

#if defined __x86_64__
#define NATIVE X86_64
#elif defined __aarch64__
#define NATIVE AARCH64
#elif defined __riscv && __riscv_xlen == 64
#define NATIVE RISCV64
#else
#error "no guards on this architecture"
#endif

/* ---- Ways into the kernel ---- */

static long enter_native(long number, const long a[6])
{
	long result = syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);

	return result < 0 ? -errno : result;
}

#if defined __x86_64__

static long enter_x32(long number, const long a[6])
{
	return enter_native(number | (long)ways[X32].bit, a);
}

long enter_int80(long number, const long a[6]);

/* The upper halves of the argument registers go to the kernel as they are. */
__asm__(".globl enter_int80\n"
	"enter_int80:\n"
	"	push %rbx\n"
	"	push %rbp\n"
	"	mov %edi, %eax\n"
	"	mov (%rsi), %rbx\n"
	"	mov 8(%rsi), %rcx\n"
	"	mov 16(%rsi), %rdx\n"
	"	mov 32(%rsi), %rdi\n"
	"	mov 40(%rsi), %rbp\n"
	"	mov 24(%rsi), %rsi\n"
	"	int $0x80\n"
	"	cltq\n"
	"	pop %rbp\n"
	"	pop %rbx\n"
	"	ret\n");

static const enter_function entries[ARCHES] = {
	[X86_64] = enter_native, [I386] = enter_int80, [X32] = enter_x32
};

#else

static const enter_function entries[ARCHES] = { [NATIVE] = enter_native };

#endif

/* ---- One trial: a child that makes one call ---- */

enum program { BEFORE_EXEC, AFTER_EXEC, AFTER_EXEC_32 };

struct trial {
	enum arch arch;
	enum program program;
	uint32_t guards;
	int number;
	enum shape shape;
	uint64_t command;
	bool tty;
};

static int pty = -1, pts = -1;

/* What the exec'd half of a trial does, as attempt32 does it. */
HELPER(attempt)
{
	if (argc != 6)
		return NOT_STARTED;
	return attempt(entries[atoi(argv[1])], atoi(argv[2]), (enum shape)atoi(argv[3]),
		       strtoull(argv[4], NULL, 10), (uint32_t)strtoul(argv[5], NULL, 10));
}

/* The real 32-bit program is built beside this one. */
static const char *attempt32(void)
{
	return check_format("%s32", check_self());
}

static void execute(const struct trial *trial, uint32_t flags)
{
	const char *arch = check_format("%d", (int)trial->arch);
	const char *number = check_format("%d", trial->number);
	const char *shape = check_format("%d", (int)trial->shape);
	const char *command = check_format("%llu", (unsigned long long)trial->command);
	const char *value = check_format("%u", flags);
	const char *const here[] = { SELF("attempt"), arch, number, shape, command, value, NULL };
	const char *const there[] = { "attempt32", number, shape, command, value, NULL };

	syscall(SYS_execveat, HELPER_FD, "", trial->program == AFTER_EXEC ? here : there, NULL,
		AT_EMPTY_PATH);
	_exit(NOT_STARTED);
}

static _Noreturn void be_the_child(const struct trial *trial, uint32_t flags)
{
	int file = trial->tty ? pts : open("f", O_RDONLY);
	int program = open(trial->program == AFTER_EXEC_32 ? attempt32() : check_self(), O_RDONLY);

	/* Out of each other's future place first. */
	file = fcntl(file, F_DUPFD, 10);
	program = fcntl(program, F_DUPFD, 10);
	if (file < 0 || program < 0 || dup2(file, ATTEMPT_FD) < 0 || dup2(program, HELPER_FD) < 0)
		_exit(NOT_STARTED);
	if (trial->tty && (setsid() < 0 || ioctl(ATTEMPT_FD, TIOCSCTTY, 0)))
		_exit(NOT_STARTED);
	if (trial->guards &&
	    (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || llr_guard_install(trial->guards)))
		_exit(NOT_GUARDED);
	if (trial->program != BEFORE_EXEC)
		execute(trial, flags);
	_exit(attempt(entries[trial->arch], trial->number, trial->shape, trial->command, flags));
}

/* The child's errno, 0 for success, or one of the statuses above. */
static int run(const struct trial *trial, uint32_t flags)
{
	int status;
	pid_t child = fork();

	if (child == 0)
		be_the_child(trial, flags);
	if (child < 0 || waitpid(child, &status, 0) != child)
		return NOT_STARTED;
	return WIFSIGNALED(status) ? BY_SIGNAL + WTERMSIG(status) : WEXITSTATUS(status);
}

/* ---- The file, before and after ---- */

struct state {
	mode_t mode;
	uid_t uid;
	gid_t gid;
	time_t modified;
	uint32_t flags, version;
	bool has_new, has_there;
	int waiting; /* characters on the terminal */
};

static void make_file(void)
{
	struct timespec times[2] = { { 1000000000, 0 }, { 1000000000, 0 } };
	int file;

	unlink("f");
	file = open("f", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	/* Extended attributes are the file system's to have. */
	REQUIRE(file >= 0 && (!fsetxattr(file, "user.there", "x", 1, 0) || errno == EOPNOTSUPP));
	REQUIRE(futimens(file, times) == 0);
	close(file);
}

static struct state look(void)
{
	struct state state;
	struct stat info;
	char byte;
	int file = open("f", O_RDONLY | O_CLOEXEC);

	memset(&state, 0, sizeof state);
	REQUIRE(file >= 0 && fstat(file, &info) == 0);
	state.mode = info.st_mode;
	state.uid = info.st_uid;
	state.gid = info.st_gid;
	state.modified = info.st_mtime;
	state.has_new = fgetxattr(file, "user.new", &byte, 1) == 1;
	state.has_there = fgetxattr(file, "user.there", &byte, 1) == 1;
	/* Where a file system has none, they stay 0. */
	ioctl(file, FS_IOC_GETFLAGS, &state.flags);
	ioctl(file, FS_IOC_GETVERSION, &state.version);
	if (pts >= 0)
		ioctl(pts, FIONREAD, &state.waiting);
	close(file);
	return state;
}

/* ---- Judging ---- */

struct row {
	const char *name;
	int answer;
	enum unguarded unguarded;
	struct trial trial;
};

static bool is_ring(const struct row *row)
{
	return row->trial.shape == RING_SETUP || row->trial.shape == RING_USE;
}

static bool is_owner(const struct row *row)
{
	return row->trial.shape == PATH_OWNER || row->trial.shape == FD_OWNER ||
	       row->trial.shape == AT_OWNER;
}

/* Makes the call on a new file; *changed: something of the file or the terminal has changed. */
static int try(const struct row *row, bool *changed)
{
	struct state before, after;
	int result;

	make_file();
	before = look();
	result = run(&row->trial, before.flags | FLAG_NODUMP);
	after = look();
	*changed = memcmp(&before, &after, sizeof before) != 0;
	check_row("%s", row->name);
	return result;
}

static void judge_guarded(const struct row *row)
{
	bool changed;

	CHECK_INT(try(row, &changed), row->answer);
	CHECK(!changed);
}

static bool has_x32(void)
{
	return syscall(SYS_getpid | (long)ways[X32].bit) > 0;
}

/* What the call must come to without a guard, or -1 where that depends on more than is known. */
static int unguarded_result(const struct row *row)
{
	if (row->trial.arch == X32 && !has_x32())
		return ENOSYS;
	if (row->unguarded == DEPENDS)
		return -1;
	return is_owner(row) && getuid() ? EPERM : 0;
}

static void judge_unguarded(const struct row *row)
{
	int wanted = unguarded_result(row);
	bool changed;
	int result = try(row, &changed);

	if (wanted >= 0)
		CHECK_INT(result, wanted);
	else
		CHECK(result < NOT_STARTED && result != row->answer);
	if (!is_ring(row))
		CHECK_INT(changed, result == 0);
}

/* ---- The matrix ---- */

struct scope {
	enum arch arch;
	enum program program;
	bool tty;
	uint32_t guards;
	uint32_t high; /* of an ioctl's command */
};

static void each_command(const struct scope *scope, void (*judge)(const struct row *row))
{
	for (size_t i = 0; i < LENGTH(commands); i++) {
		const struct command *command = &commands[i];
		const struct row row = {
			command->name,
			command->answer,
			DEPENDS,
			{ scope->arch, scope->program, scope->guards, ways[scope->arch].ioctl,
			  command->shape, (uint64_t)scope->high << 32 | command->number,
			  scope->tty },
		};

		if (scope->tty == (command->guard == TTY))
			judge(&row);
	}
}

static void each_call(const struct scope *scope, void (*judge)(const struct row *row))
{
	for (size_t i = 0; i < LENGTH(calls); i++) {
		const struct call *call = &calls[i];
		const struct row row = {
			call->name,
			call->answer,
			call->unguarded,
			{ scope->arch, scope->program, scope->guards, call->numbers[scope->arch],
			  call->shape, 0, false },
		};

		if (!scope->tty && call->numbers[scope->arch] >= 0)
			judge(&row);
	}
}

static void each_of(struct scope scope, void (*judge)(const struct row *row))
{
	each_call(&scope, judge);
	each_command(&scope, judge);
	/* The kernel looks at a command's low half alone. A real 32-bit program has no other. */
	scope.high = 0xdeadbeef;
	if (scope.program != AFTER_EXEC_32)
		each_command(&scope, judge);
}

static void need_pty(void)
{
	struct termios raw;

	pty = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (pty < 0 || grantpt(pty) || unlockpt(pty) ||
	    (pts = open(ptsname(pty), O_RDWR | O_NOCTTY | O_CLOEXEC)) < 0)
		SKIP("no pseudo-terminal here");
	/* Without a line discipline in the way, an injected character can be seen at once. */
	REQUIRE(!tcgetattr(pts, &raw));
	cfmakeraw(&raw);
	REQUIRE(!tcsetattr(pts, TCSANOW, &raw));
}

/* getpid: a kernel without 32-bit calls ends the process. */
static void need_i386(void)
{
	static const long none[6];
	int status = 0;
	pid_t child = fork();

	if (child == 0)
		_exit(entries[I386](20, none) == getpid() ? 0 : 1);
	REQUIRE(child > 0 && waitpid(child, &status, 0) == child);
	if (status)
		SKIP("this kernel takes no 32-bit calls");
}

static struct scope need(enum arch arch, enum program program, bool tty, uint32_t guards)
{
	const struct scope scope = { arch, program, tty, guards, 0 };

	if (tty)
		need_pty();
	if (arch == I386)
		need_i386();
	if (program == AFTER_EXEC_32 && access(attempt32(), X_OK))
		SKIP("there is no %s", attempt32());
	return scope;
}

#define SCOPE(subject, arch, program) \
	TEST(metadata_calls_##subject##_are_refused_and_change_nothing) \
	{ \
		each_of(need(arch, program, false, GUARDS), judge_guarded); \
	} \
	TEST(metadata_calls_##subject##_answer_as_ever_without_the_guard) \
	{ \
		each_of(need(arch, program, false, 0), judge_unguarded); \
	} \
	TEST(tty_calls_##subject##_are_refused_and_change_nothing) \
	{ \
		each_of(need(arch, program, true, GUARDS), judge_guarded); \
	} \
	TEST(tty_calls_##subject##_answer_as_ever_without_the_guard) \
	{ \
		each_of(need(arch, program, true, 0), judge_unguarded); \
	}

SCOPE(before_exec, NATIVE, BEFORE_EXEC)
SCOPE(after_exec, NATIVE, AFTER_EXEC)

#if defined __x86_64__
SCOPE(by_x32_number_before_exec, X32, BEFORE_EXEC)
SCOPE(by_x32_number_after_exec, X32, AFTER_EXEC)
SCOPE(by_int_0x80_before_exec, I386, BEFORE_EXEC)
SCOPE(by_int_0x80_after_exec, I386, AFTER_EXEC)
SCOPE(of_a_32_bit_program, I386, AFTER_EXEC_32)

/* A filter that killed what it does not know would still refuse. */
TEST(a_32_bit_program_runs_under_both_guards)
{
	const struct row row = {
		"getpid", 0, DEPENDS, { I386, AFTER_EXEC_32, GUARDS, 20, RING_USE, 0, false }
	};

	need(I386, AFTER_EXEC_32, false, GUARDS);
	judge_guarded(&row);
}
#endif

TEST(the_tty_guard_refuses_no_metadata_call)
{
	each_of(need(NATIVE, BEFORE_EXEC, false, TTY), judge_unguarded);
}

TEST(the_metadata_guard_refuses_no_tty_call)
{
	each_of(need(NATIVE, BEFORE_EXEC, true, METADATA), judge_unguarded);
}
