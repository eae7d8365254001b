/* The binary itself: what is in it, and exactly which system calls a launch makes.
 * A binary that was built against a libc is told from one that should not have been by
 * LANDLOCK_RUN_HOSTED=1 alone. */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "launch.h"

#define SIZE_MOST 32768

#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#define SYS_landlock_add_rule 445
#define SYS_landlock_restrict_self 446
#endif

static void needs_bare(void)
{
#if !defined __x86_64__ && !defined __aarch64__ && !(defined __riscv && __riscv_xlen == 64)
	SKIP("built against a libc on this architecture");
#endif
	if (getenv("LANDLOCK_RUN_HOSTED") && strcmp(getenv("LANDLOCK_RUN_HOSTED"), "1") == 0)
		SKIP("LANDLOCK_RUN_HOSTED=1: built against a libc");
}

static const char *binary_path(void)
{
	return emulated() ? emulated() : check_launcher();
}

static struct captured binary(void)
{
	int fd = open(binary_path(), O_RDONLY | O_CLOEXEC);
	struct captured bytes;

	REQUIRE(fd >= 0);
	bytes = descriptor_read(fd);
	close(fd);
	REQUIRE(bytes.length > sizeof(Elf64_Ehdr) && memcmp(bytes.text, ELFMAG, SELFMAG) == 0);
	return bytes;
}

/* ---- What is in it ---- */

TEST(the_binary_is_at_most_32_kib)
{
	struct stat status;

	needs_bare();
	REQUIRE(stat(binary_path(), &status) == 0);
	if (status.st_size > SIZE_MOST)
		FAIL("%lld bytes", (long long)status.st_size);
}

TEST(the_binary_is_static_and_needs_no_interpreter)
{
	struct captured bytes = binary();
	Elf64_Ehdr head;
	int loads = 0;

	needs_bare();
	memcpy(&head, bytes.text, sizeof head);
	CHECK_INT(head.e_ident[EI_CLASS], ELFCLASS64);
	CHECK_INT(head.e_type, ET_EXEC);
	for (int i = 0; i < head.e_phnum; i++) {
		Elf64_Phdr part;

		REQUIRE(head.e_phoff + (size_t)(i + 1) * sizeof part <= bytes.length);
		memcpy(&part, bytes.text + head.e_phoff + (size_t)i * sizeof part, sizeof part);
		CHECK(part.p_type != PT_INTERP);
		CHECK(part.p_type != PT_DYNAMIC);
		CHECK(part.p_type != PT_TLS);
		/* Nothing in memory can be both written and executed. */
		CHECK(part.p_type != PT_LOAD || (part.p_flags & (PF_W | PF_X)) != (PF_W | PF_X));
		CHECK(part.p_type != PT_GNU_STACK || !(part.p_flags & PF_X));
		loads += part.p_type == PT_LOAD;
	}
	CHECK(loads > 0);
}

TEST(the_binary_has_no_symbols_and_no_section_of_a_libc)
{
	static const char *const strangers[] = {
		".symtab",  ".dynsym", ".dynamic", ".interp",  ".got.plt",           ".init_array",
		".tdata",   ".tbss",   "__libc",   ".comment", ".note.gnu.build-id", ".debug_info",
		".eh_frame"
	};
	struct captured bytes = binary();

	needs_bare();
	for (size_t i = 0; i < COUNT(strangers); i++)
		if (memmem(bytes.text, bytes.length, strangers[i], strlen(strangers[i])) != NULL)
			FAIL("%s", strangers[i]);
}

TEST(the_binary_holds_no_string_of_a_libc)
{
	static const char *const strangers[] = {
		"libc",       "GLIBC",  "glibc",           "GNU C Library", "musl",
		"malloc",     "printf", "LD_LIBRARY_PATH", "LD_PRELOAD",    "/locale",
		"/etc/ld.so", ".so.",   "stack smashing",  "GCONV_PATH",    "TZ=",
		"(null)",     "GCC: (", "/usr/lib",        "/home/",        "/build/",
	};
	struct captured bytes = binary();

	needs_bare();
	for (size_t i = 0; i < COUNT(strangers); i++)
		if (memmem(bytes.text, bytes.length, strangers[i], strlen(strangers[i])) != NULL)
			FAIL("\"%s\"", strangers[i]);
}

/* ---- System calls ---- */

static void needs_own_calls(void)
{
	needs_bare();
	if (emulated())
		SKIP("run through an emulator, which makes calls of its own");
}

/* The kernel's stable layout and numbers; the C libraries disagree on what they call them. */
enum { TRACE_ME = 0, TRACE_SYSCALL = 24, TRACE_OPTIONS = 0x4200, TRACE_INFO = 0x420e, ENTRY = 1 };
enum { OPTION_SYSGOOD = 1, OPTION_EXEC = 1 << 4, OPTION_EXIT_KILL = 1 << 20, EVENT_EXEC = 4 };

struct call_info {
	uint8_t op;
	uint8_t pad[3];
	uint32_t arch;
	uint64_t instruction_pointer, stack_pointer;
	uint64_t number;
	uint64_t arguments[6];
};

static const struct {
	long number;
	const char *name;
} calls[] = {
	{ SYS_landlock_create_ruleset, "create" },
	{ SYS_landlock_add_rule, "add" },
	{ SYS_landlock_restrict_self, "restrict" },
	{ SYS_openat, "open" },
	{ SYS_close, "close" },
	{ SYS_prctl, "prctl" },
	{ SYS_execve, "exec" },
	{ SYS_write, "write" },
	{ SYS_mmap, "mmap" },
	{ SYS_rt_sigprocmask, "sigprocmask" },
	{ SYS_rt_sigpending, "sigpending" },
	{ SYS_exit_group, "exit" },
};

static const char *call_name(uint64_t number)
{
	for (size_t i = 0; i < COUNT(calls); i++)
		if ((uint64_t)calls[i].number == number)
			return calls[i].name;
	return check_format("call-%llu", (unsigned long long)number);
}

static long trace(long request, pid_t pid, uintptr_t address, uintptr_t data)
{
	return syscall(SYS_ptrace, request, (long)pid, address, data);
}

static pid_t start_traced(const char *const *argv)
{
	pid_t child = fork();
	int status;

	if (child == 0) {
		int null = open("/dev/null", O_RDWR | O_CLOEXEC);

		/* What it says is another test's. */
		if (dup2(null, 1) < 0 || dup2(null, 2) < 0)
			_exit(99);
		trace(TRACE_ME, 0, 0, 0);
		raise(SIGSTOP);
		execv(argv[0], (char **)argv);
		_exit(99);
	}
	REQUIRE(child > 0 && waitpid(child, &status, 0) == child && WIFSTOPPED(status));
	REQUIRE(trace(TRACE_OPTIONS, child, 0, OPTION_SYSGOOD | OPTION_EXEC | OPTION_EXIT_KILL) ==
		0);
	return child;
}

/* The names of the calls of a launch, from its own exec to the first exec of its command, that
 * included. */
static const char *calls_of(const char *const *argv)
{
	pid_t child = start_traced(argv);
	const char *names = "";
	bool launched = false, done = false;
	int status;

	while (trace(TRACE_SYSCALL, child, 0, 0) == 0 && waitpid(child, &status, 0) == child &&
	       WIFSTOPPED(status)) {
		struct call_info info = { 0 };

		if (status >> 8 == (SIGTRAP | EVENT_EXEC << 8)) {
			done = launched;
			launched = true;
			continue;
		}
		if (WSTOPSIG(status) != (SIGTRAP | 0x80) || !launched || done)
			continue;
		REQUIRE(trace(TRACE_INFO, child, sizeof info, (uintptr_t)&info) > 0);
		if (info.op != ENTRY)
			continue;
		names = check_format("%s%s%s", names, *names ? " " : "", call_name(info.number));
		done = info.number == SYS_execve;
	}
	return names;
}

/* The notice, where it is due, stands between the restriction and exec. */
#define SAY "sigprocmask sigpending write sigprocmask "

TEST(a_launch_makes_four_calls_three_for_a_directory_four_for_a_file_and_exec)
{
#define DIRECTORY "open add close "
#define FILE_GRANT "open open add close "
	const struct {
		const char *grants;
		const char *const *words;
	} rows[] = {
		{ "", LIST(NULL) },
		{ DIRECTORY, LIST("--ro", "/") },
		{ DIRECTORY, LIST("--rw", ".") },
		{ DIRECTORY DIRECTORY, LIST("--ro", "/", "--rw", ".") },
		{ FILE_GRANT, LIST("--ro", check_self()) },
		{ FILE_GRANT, LIST("--rw", "/dev/null") },
		{ DIRECTORY FILE_GRANT, LIST("--ro", "/", "--rw", "/dev/null") },
		{ DIRECTORY FILE_GRANT, LIST("--mode", "read-only") },
		{ DIRECTORY FILE_GRANT DIRECTORY DIRECTORY,
		  LIST("--mode", "workspace-write", "--workspace", ".") },
		{ DIRECTORY FILE_GRANT DIRECTORY, LIST("--mode", "read-only", "--rw", ".") },
	};

	NEEDS_LANDLOCK();
	needs_own_calls();
	for (size_t i = 0; i < COUNT(rows); i++) {
		const char *wanted = check_format("create create %sprctl restrict %sexec",
						  rows[i].grants, notice_due() ? SAY : "");

		check_row("%zu", i);
		CHECK_STR(calls_of(joined(joined(LIST(check_launcher()), rows[i].words),
					  LIST("--", SELF("end")))),
			  wanted);
	}
}

TEST(danger_full_access_makes_no_call_but_exec)
{
	needs_own_calls();
	CHECK_STR(
		calls_of(LIST(check_launcher(), "--mode", "danger-full-access", "--", SELF("end"))),
		"exec");
	CHECK_STR(calls_of(LIST(check_launcher(), "--mode", "danger-full-access", "--workspace",
				".", "--", SELF("end"))),
		  "exec");
}

/* A wrong line costs the kernel nothing but its one line, and the memory for the words of it; the
 * mask is for a stderr that has lost its reader. */
TEST(a_usage_error_asks_the_kernel_nothing)
{
	needs_own_calls();
	CHECK_STR(calls_of(LIST(check_launcher(), "x")), "mmap sigprocmask write exit");
	CHECK_STR(calls_of(LIST(check_launcher(), "--ro", "/")), "mmap sigprocmask write exit");
}

/* The words of a failure are unpacked into memory of their own. */
TEST(without_memory_for_its_words_a_failure_is_still_a_line_and_a_record)
{
	struct run run = { 0 };

	needs_own_calls();
	RUN_COMMAND(&run, SELF("with"), "file=9", "data=0", "--", check_launcher(), "--status-fd",
		    "9", "--mode", "danger-full-access", "--", "./absent");
	CHECK_FATAL(&run, "no memory to say why");
	CHECK_CONTAINS(
		file_read("stream"),
		"\n{\"landlock-run\":1,\"event\":\"failed\",\"stage\":\"output\",\"errno\":null,"
		"\"subject\":null,\"message\":\"no memory to say why\"}\n");
	RUN_COMMAND(&run, SELF("with"), "data=0", "--", check_launcher(), "--help");
	CHECK_FATAL(&run, "no memory to say why");
}

TEST(the_number_of_calls_grows_by_three_a_grant)
{
	const char **words = calloc(201, sizeof *words);
	const char *names, *wanted = "create create ";

	NEEDS_LANDLOCK();
	needs_own_calls();
	for (int i = 0; i < 100; i++) {
		words[2 * i] = "--ro";
		words[2 * i + 1] = "/";
		wanted = check_format("%sopen add close ", wanted);
	}
	wanted = check_format("%sprctl restrict %sexec", wanted, notice_due() ? SAY : "");
	names = calls_of(joined(joined(LIST(check_launcher()), words), LIST("--", SELF("end"))));
	CHECK(strcmp(names, wanted) == 0);
}
