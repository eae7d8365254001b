/* `landlock-run probe`: what it says of each kernel, that it tries a policy for real, and that
 * nothing comes of that. The command it is given must never run. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "launch.h"

#ifndef SYS_landlock_restrict_self
#define SYS_landlock_restrict_self 446
#endif

/* What would be seen had the command run. */
#define MARKS SELF("act"), "create", "ran"
#define COLUMNS 80
#define PROBE check_launcher(), "probe"

/* ---- What this kernel governs ---- */

/* Each right or effect with the ABI that brings it and its Linux. */
struct fact {
	const char *name;
	int abi; /* 0: none does */
	const char *since;
};

static const struct fact rights[] = {
	{ "execute", 1, "ABI 1 (Linux 5.13)" },
	{ "write-file", 1, "ABI 1 (Linux 5.13)" },
	{ "read-file", 1, "ABI 1 (Linux 5.13)" },
	{ "read-dir", 1, "ABI 1 (Linux 5.13)" },
	{ "remove-dir", 1, "ABI 1 (Linux 5.13)" },
	{ "remove-file", 1, "ABI 1 (Linux 5.13)" },
	{ "make-char", 1, "ABI 1 (Linux 5.13)" },
	{ "make-dir", 1, "ABI 1 (Linux 5.13)" },
	{ "make-reg", 1, "ABI 1 (Linux 5.13)" },
	{ "make-sock", 1, "ABI 1 (Linux 5.13)" },
	{ "make-fifo", 1, "ABI 1 (Linux 5.13)" },
	{ "make-block", 1, "ABI 1 (Linux 5.13)" },
	{ "make-sym", 1, "ABI 1 (Linux 5.13)" },
	{ "refer", 2, "ABI 2 (Linux 5.19)" },
	{ "truncate", 3, "ABI 3 (Linux 6.2)" },
	{ "ioctl-dev", 5, "ABI 5 (Linux 6.10)" },
	{ "resolve-unix", 9, "ABI 9 (Linux 7.1)" },
	{ "bind-tcp", 4, "ABI 4 (Linux 6.7)" },
	{ "connect-tcp", 4, "ABI 4 (Linux 6.7)" },
	{ "bind-udp", 10, "ABI 10 (Linux 7.2)" },
	{ "connect-send-udp", 10, "ABI 10 (Linux 7.2)" },
	{ "abstract-unix-socket", 6, "ABI 6 (Linux 6.12)" },
	{ "signal", 6, "ABI 6 (Linux 6.12)" },
};

static const struct fact effects[] = {
	{ "read", 1, "ABI 1 (Linux 5.13)" },
	{ "execute", 1, "ABI 1 (Linux 5.13)" },
	{ "write", 1, "ABI 1 (Linux 5.13)" },
	{ "create", 1, "ABI 1 (Linux 5.13)" },
	{ "delete", 1, "ABI 1 (Linux 5.13)" },
	{ "truncate", 3, "ABI 3 (Linux 6.2)" },
	{ "rename across directories", 2, "ABI 2 (Linux 5.19)" },
	{ "device ioctl", 5, "ABI 5 (Linux 6.10)" },
	{ "pathname sockets", 9, "ABI 9 (Linux 7.1)" },
	{ "abstract sockets", 6, "ABI 6 (Linux 6.12)" },
	{ "signals", 6, "ABI 6 (Linux 6.12)" },
	{ "TCP", 4, "ABI 4 (Linux 6.7)" },
	{ "UDP", 10, "ABI 10 (Linux 7.2)" },
	{ "metadata", 0, "" },
	{ "inherited descriptors", 0, "" },
};

/* The text between two headings. */
static const char *section(const char *text, const char *heading, const char *next)
{
	const char *begin = strstr(text, check_format("\n%s\n", heading));
	const char *end = begin ? strstr(begin, check_format("\n%s\n", next)) : NULL;

	REQUIRE(begin != NULL && end != NULL);
	return check_format("%.*s\n", (int)(end - begin), begin);
}

static size_t lines_of(const char *text)
{
	size_t count = 0;

	for (; *text; text++)
		count += *text == '\n';
	return count;
}

static void check_rights(const char *text, int abi)
{
	const char *part = section(text, "rights", "effects");

	for (size_t i = 0; i < COUNT(rights); i++)
		CHECK_HAS_LINE(part,
			       check_format("  %-25s  %-18s  %s", rights[i].name, rights[i].since,
					    abi >= rights[i].abi ? "governed" : "not governed"));
	/* Each once: there are as many lines as names, and no more than are newer than this. */
	CHECK(lines_of(part) - 2 >= COUNT(rights));
	for (size_t i = 0; i < COUNT(rights); i++) {
		const char *line = check_format("\n  %s ", rights[i].name);
		const char *first = strstr(part, line);

		CHECK(first != NULL && strstr(first + 1, line) == NULL);
	}
}

static void check_effects(const char *text, int abi)
{
	const char *part = section(text, "effects", "modes");

	CHECK_INT(lines_of(part) - 2, COUNT(effects));
	for (size_t i = 0; i < COUNT(effects); i++) {
		const struct fact *effect = &effects[i];
		const char *status = check_format("not governed here: needs %s", effect->since);

		if (effect->abi == 0)
			status = "never governed by Landlock";
		else if (abi >= effect->abi)
			status = "governed";
		CHECK_HAS_LINE(part, check_format("  %-25s  %s", effect->name, status));
	}
}

/* Plain text that fits on a terminal; a cause, a remedy and a refusal are sentences, of any length.
 */
static void check_plain(const char *text)
{
	bool sentence = false;
	size_t column = 0;

	for (; *text; text++) {
		column = *text == '\n' ? 0 : column + 1;
		if (column == 1)
			sentence = strncmp(text, "cause ", 6) == 0 ||
				   strncmp(text, "remedy ", 7) == 0 ||
				   strncmp(text, "refusal ", 8) == 0;
		if ((column > COLUMNS && !sentence) || *text == '\033' || *text == '\t' ||
		    *text == '\r') {
			FAIL("not plain, or wider than %d columns: %.100s", COLUMNS, text);
			return;
		}
	}
	CHECK_INT(column, 0);
}

static void check_survey(const char *text, int abi)
{
	check_plain(text);
	CHECK_HAS_LINE(text, "usable       true");
	CHECK_HAS_LINE(text, check_format("enforcement  %s", abi < 5 ? "partial" : "full"));
	CHECK_HAS_LINE(text, check_format("abi          %d", abi));
	CHECK_PREFIX(text, "kernel       Linux ");
	CHECK_LACKS(text, "cause");
	CHECK_LACKS(text, "policy");
	check_rights(text, abi);
	check_effects(text, abi);
}

TEST(probe_at_length_says_what_this_kernel_governs)
{
	struct run run = { 0 };

	NEEDS_LANDLOCK();
	RUN(&run, "probe");
	CHECK_END(&run, 0);
	CHECK_STR(run.errors.text, "");
	check_survey(run.output.text, check_abi());
}

TEST(probe_at_length_says_what_each_abi_governs)
{
	NEEDS_LANDLOCK();
	if (simulator() == NULL)
		SKIP("needs the simulator");
	for (int abi = 1; abi <= check_abi(); abi++) {
		struct run run = { 0 };

		check_row("ABI %d", abi);
		run_command(&run, claiming(abi, LIST(PROBE)));
		CHECK_END(&run, 0);
		CHECK_STR(run.errors.text, "");
		check_survey(run.output.text, abi);
	}
}

TEST(a_mode_never_promises_what_this_kernel_does_not_govern)
{
	struct run run = { 0 };
	const char *part;

	NEEDS_LANDLOCK();
	if (simulator() == NULL)
		SKIP("needs the simulator");
	run_command(&run, claiming(1, LIST(PROBE)));
	CHECK_END(&run, 0);
	part = strstr(run.output.text, "\nmodes\n");
	REQUIRE(part != NULL);
	CHECK_HAS_LINE(part, "    refuses   write, create, delete, rename across directories");
	CHECK_CONTAINS(part, "allows    read, execute, truncate, ");
}

TEST(where_landlock_is_unusable_the_probe_tells_cause_and_remedy_and_fails)
{
	static const struct {
		const char *number, *cause, *remedy;
	} rows[] = {
		{ "ENOSYS", "not built in", "CONFIG_SECURITY_LANDLOCK" },
		{ "EOPNOTSUPP", "disabled at boot", "lsm=" },
		{ "EPERM", "blocked by a seccomp profile", "profile" },
	};

	if (simulator() == NULL)
		SKIP("needs the simulator");
	for (size_t i = 0; i < 2 * COUNT(rows); i++) {
		size_t row = i / 2;
		struct run run = { 0 };

		check_row("%s %s", rows[row].number, i % 2 ? "with a policy" : "alone");
		run_command(&run, joined(LIST(simulator(), "--abi", rows[row].number, "--", PROBE),
					 i % 2 ? LIST("--rw", ".", "--ro", "/", "--", MARKS)
					       : LIST(NULL)));
		CHECK_INT(run_end(&run), FAILURE);
		check_plain(run.output.text);
		CHECK_HAS_LINE(run.output.text, "usable       false");
		CHECK_HAS_LINE(run.output.text, "enforcement  none");
		CHECK_CONTAINS(run.output.text, check_format("\ncause        %s", rows[row].cause));
		CHECK_CONTAINS(run.output.text, "\nremedy       ");
		CHECK_CONTAINS(run.output.text, rows[row].remedy);
		CHECK_LACKS(section(run.output.text, "rights", "effects"), "  governed");
		CHECK_PREFIX(run.errors.text, PREFIX "landlock is not enforced by this kernel (");
		CHECK_CONTAINS(run.errors.text, rows[row].cause);
		CHECK_INT(lines_of(run.errors.text), 1);
		CHECK(!file_exists("ran"));
	}
}

TEST(a_kernel_without_landlock_is_told_by_the_probe_at_length)
{
	struct run run = { 0 };

	if (check_abi() > 0)
		SKIP("this kernel has Landlock");
	RUN(&run, "probe", "--json", "--rw", ".", "--", MARKS);
	CHECK_INT(run_end(&run), FAILURE);
	CHECK_CONTAINS(run.output.text, "\"usable\":false");
	CHECK_PREFIX(run.errors.text, PREFIX "landlock is not enforced by this kernel (");
	CHECK(!file_exists("ran"));
}

/* ---- Saying it ---- */

TEST(a_probe_at_length_that_cannot_be_written_fails)
{
	static const char *const states[] = { "close=1", "broken=1", "full=1" };

	NEEDS_LANDLOCK();
	for (size_t i = 0; i < 2 * COUNT(states); i++) {
		const char *const *probe = i % 2 ? LIST(PROBE, "--json") : LIST(PROBE);
		struct run run = { 0 };

		check_row("%s, %s", states[i / 2], i % 2 ? "JSON" : "text");
		run_command(&run, joined(LIST(SELF("with"), states[i / 2], "--"), probe));
		CHECK_FATAL(&run, "cannot write the probe");
		run_command(&run,
			    joined(LIST(SELF("with"), states[i / 2], "close=2", "--"), probe));
		CHECK_END(&run, FAILURE);
	}
}

TEST(a_probe_at_length_that_is_written_in_part_fails)
{
	static const char *const sizes[] = { "size=0", "size=1", "size=1000", "size=2000" };

	NEEDS_LANDLOCK();
	for (size_t i = 0; i < COUNT(sizes); i++) {
		struct run run = { 0 };

		check_row("%s", sizes[i]);
		unlink("stream");
		RUN_COMMAND(&run, SELF("with"), "file=1", sizes[i], "--", PROBE);
		CHECK_FATAL(&run, "cannot write the probe");
	}
}

TEST(the_probe_at_length_needs_neither_stdin_nor_stderr)
{
	static const char *const states[] = { "close=0", "close=2", "broken=2", "full=2" };

	NEEDS_LANDLOCK();
	for (size_t i = 0; i < COUNT(states); i++) {
		struct run run = { 0 };

		check_row("%s", states[i]);
		RUN_COMMAND(&run, SELF("with"), states[i], "--", PROBE, "--ro", "/", "--", MARKS);
		CHECK_END(&run, 0);
		CHECK_HAS_LINE(run.output.text, "usable       true");
		CHECK(!file_exists("ran"));
	}
}

/* ---- Command lines ---- */

TEST(a_wrong_line_of_the_probe_is_a_usage_error_before_anything_is_said)
{
	const char *const *const lines[] = {
		LIST("x"),
		LIST("--json", "x"),
		LIST("--json", "--json"),
		LIST("--ro", "/", "--json"),
		LIST("--json=1"),
		LIST("--bogus", "--", MARKS),
		LIST("--probe"),
		LIST("--dry-run", "--ro", "/", "--", MARKS),
		LIST("--version"),
		LIST("--json", "--probe"),
		LIST("--ro"),
		LIST("--"),
		LIST("--ro", "/", "--"),
		LIST("--ro", "/", "-c", "echo >ran"),
		LIST("--mode", "none"),
		LIST("probe"),
	};

	for (size_t i = 0; i < COUNT(lines); i++) {
		struct run run = { 0 };

		check_row("%zu: %s", i, lines[i][0]);
		run_launcher(&run, joined(LIST(PROBE), lines[i]));
		CHECK_FATAL(&run, "usage error: ");
		CHECK(!file_exists("ran"));
	}
}

TEST(the_probe_has_the_help_and_names_what_it_cannot_take)
{
	struct run help = { 0 }, run = { 0 };

	RUN(&help, "--help");
	RUN(&run, "probe", "--help");
	CHECK_END(&run, 0);
	CHECK_STR(run.output.text, help.output.text);
	RUN(&run, "probe", "--json", "--ro", "/", "--help");
	CHECK_END(&run, 0);
	CHECK_STR(run.output.text, help.output.text);
	RUN(&run, "probe", "--dry-run");
	CHECK_FATAL(&run, "usage error: unknown argument: --dry-run");
	RUN(&run, "probe", "--version");
	CHECK_FATAL(&run, "usage error: unknown argument: --version");
}

TEST(danger_full_access_has_no_policy_to_try)
{
	struct run run = { 0 };

	NEEDS_LANDLOCK();
	RUN(&run, "probe", "--mode", "danger-full-access", "--", MARKS);
	CHECK_END(&run, 0);
	check_survey(run.output.text, check_abi());
	CHECK(!file_exists("ran"));
}

/* ---- Trying a policy ---- */

/* A row of what was tried. */
#define CHECK_TRIED(run, test, subject, result) \
	CHECK_HAS_LINE((run)->output.text, \
		       check_format("  %-25s  %-18s  %s", test, subject, result))

TEST(what_is_granted_opens_and_what_is_not_is_refused)
{
	struct run run = { 0 };

	NEEDS_LANDLOCK();
	REQUIRE(mkdir("d", 0755) == 0 && mkdir("r", 0755) == 0);
	REQUIRE(symlink("d", "link") == 0);
	file_write("file", "content", 0600);
	RUN(&run, "probe", "--rw", "d", "--ro", "r", "--rw", "file", "--rw", "link", "--rw",
	    "/dev/null");
	CHECK_END(&run, 0);
	CHECK_STR(run.errors.text, "");
	CHECK_HAS_LINE(run.output.text,
		       check_format("policy       %s", notice_due() ? "partial" : "full"));
	CHECK_TRIED(&run, "read", "d", "as granted");
	CHECK_TRIED(&run, "read", "r", "as granted");
	CHECK_LACKS(run.output.text, check_format("  %-25s  r", "write"));
	CHECK_TRIED(&run, "read", "file", "as granted");
	CHECK_TRIED(&run, "write", "file", "as granted");
	CHECK_TRIED(&run, "read", "link", "as granted");
	CHECK_TRIED(&run, "write", "/dev/null", "as granted");
	CHECK_TRIED(&run, "read outside", "/", "refused");
	CHECK_TRIED(&run, "write outside", "/proc/self/comm", "refused");
	CHECK_STR(file_read("file"), "content");
}

/* The names of a directory with their times, and its own. */
static const char *inventory(const char *path)
{
	struct dirent **entries;
	int count = scandir(path, &entries, NULL, alphasort);
	const char *text = "";

	REQUIRE(count >= 2);
	for (int i = 0; i < count; i++) {
		struct stat status;

		/* The parent is everybody's. */
		if (strcmp(entries[i]->d_name, "..") == 0)
			continue;
		REQUIRE(lstat(check_format("%s/%s", path, entries[i]->d_name), &status) == 0);
		text = check_format("%s%s %lld.%09ld %lld.%09ld %o %lld\n", text,
				    entries[i]->d_name, (long long)status.st_mtim.tv_sec,
				    status.st_mtim.tv_nsec, (long long)status.st_ctim.tv_sec,
				    status.st_ctim.tv_nsec, (unsigned int)status.st_mode,
				    (long long)status.st_size);
	}
	return text;
}

TEST(a_trial_leaves_no_name_no_change_and_no_process_behind)
{
	struct run run = { 0 };
	const char *before, *inside;

	NEEDS_LANDLOCK();
	REQUIRE(prctl(PR_SET_CHILD_SUBREAPER, 1) == 0);
	REQUIRE(mkdir("d", 0755) == 0);
	file_write("d/file", "content", 0644);
	file_write("file", "content", 0644);
	before = inventory(".");
	inside = inventory("d");
	RUN(&run, "probe", "--ro", "/", "--rw", "d", "--rw", "file", "--rw", ".", "--", MARKS);
	CHECK_END(&run, 0);
	CHECK_TRIED(&run, "write", "file", "as granted");
	CHECK_STR(inventory("d"), inside);
	CHECK_STR(inventory("."), before);
	CHECK(wait(NULL) < 0 && errno == ECHILD);
}

TEST(fifos_and_devices_are_not_opened_and_do_not_block)
{
	struct run run = { .seconds = 30 };
	int reader;
	char byte;

	NEEDS_LANDLOCK();
	REQUIRE(mkfifo("fifo", 0600) == 0 && mkfifo("other", 0600) == 0);
	reader = open("other", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	REQUIRE(reader >= 0);
	RUN(&run, "probe", "--rw", "fifo", "--rw", "other", "--ro-try", "/dev/ptmx");
	CHECK_END(&run, 0);
	CHECK_TRIED(&run, "read", "fifo", "not tried: nothing opens");
	CHECK_TRIED(&run, "read", "other", "not tried: nothing opens");
	if (access("/dev/ptmx", F_OK) == 0)
		CHECK_TRIED(&run, "read", "/dev/ptmx", "not tried: nothing opens");
	CHECK_INT(read(reader, &byte, 1), 0);
	close(reader);
}

/* Neither root's privilege over files. */
static void drop_override(const struct run *run)
{
	(void)run;
	for (int capability = 1; geteuid() == 0 && capability <= 2; capability++)
		if (prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) != 0)
			_exit(97);
}

TEST(what_the_caller_itself_may_not_open_is_not_tried)
{
	struct run run = { .prepare = drop_override };

	NEEDS_LANDLOCK();
	file_write("closed", "content", 0000);
	RUN(&run, "probe", "--rw", "closed");
	CHECK_END(&run, 0);
	CHECK_TRIED(&run, "read", "closed", "not tried: refused anyway  EACCES");
	CHECK_TRIED(&run, "write", "closed", "not tried: refused anyway  EACCES");
}

TEST(a_file_system_without_nameless_files_is_said_to_be_not_tried)
{
	struct run run = { 0 };

	NEEDS_LANDLOCK();
	if (geteuid() != 0)
		SKIP("needs root: /proc is read-only to others");
	RUN(&run, "probe", "--rw", "/proc/self/task");
	CHECK_TRIED(&run, "read", "/proc/self/task", "as granted");
	CHECK_TRIED(&run, "write", "/proc/self/task", "not tried: refused anyway  EOPNOTSUPP");
	CHECK_END(&run, 0);
}

TEST(a_grant_that_is_not_there_refuses_the_policy)
{
	static const char refusal[] = "cannot open rule path: absent: No such file or directory";
	struct run run = { 0 };

	NEEDS_LANDLOCK();
	RUN(&run, "probe", "--ro", "/", "--rw", "absent", "--", MARKS);
	CHECK_INT(run_end(&run), FAILURE);
	CHECK_HAS_LINE(run.output.text, "usable       true");
	CHECK_HAS_LINE(run.output.text, "policy       none");
	CHECK_HAS_LINE(run.output.text, check_format("refusal      %s", refusal));
	CHECK_LINE(run.errors.text, check_format(PREFIX "%s", refusal));
	CHECK(!file_exists("ran"));
	CHECK(!file_exists("absent"));
}

TEST(a_name_cannot_break_the_form)
{
	static const char name[] = "q\"\\\n\033[31m\xff\x7f";
	struct run run = { 0 };

	NEEDS_LANDLOCK();
	REQUIRE(mkdir(name, 0755) == 0);
	RUN(&run, "probe", "--rw", name);
	CHECK_END(&run, 0);
	CHECK(strchr(run.output.text, '\033') == NULL && strchr(run.output.text, 0x7f) == NULL);
	CHECK_CONTAINS(run.output.text, "q\"\\??[31m");
	RUN(&run, "probe", "--json", "--rw", name);
	CHECK_END(&run, 0);
	CHECK_INT(lines_of(run.output.text), 1);
	CHECK_CONTAINS(run.output.text, "\"subject\":\"q\\\"\\\\\\u000a\\u001b[31m");
}

TEST_WITHIN(ten_thousand_grants_are_tried, 300)
{
	enum { GRANTS = 10000 };
	const char **words = calloc(2 * GRANTS + 1, sizeof *words);
	struct run run = { .seconds = 200 };

	NEEDS_LANDLOCK();
	REQUIRE(words != NULL && mkdir("d", 0755) == 0);
	for (size_t i = 0; i < GRANTS; i++) {
		words[2 * i] = "--rw";
		words[2 * i + 1] = "d";
	}
	run_launcher(&run, joined(LIST(PROBE), words));
	CHECK_END(&run, 0);
	CHECK(lines_of(run.output.text) > 2 * GRANTS);
	CHECK_LACKS(run.output.text, "not as granted");
	CHECK_STR(run.errors.text, "");
}

/* ---- The command ---- */

TEST(a_command_that_could_run_is_said_to_be_executable)
{
	struct run run = { 0 };

	NEEDS_LANDLOCK();
	file_write("script", check_format("#!%s --helper end\n", check_self()), 0755);
	RUN(&run, "probe", "--ro", "/", "--", check_self());
	CHECK_END(&run, 0);
	CHECK_CONTAINS(run.output.text, "executable\n");
	RUN(&run, "probe", "--ro", "/", "--", "./script");
	CHECK_END(&run, 0);
	CHECK_TRIED(&run, "exec", "./script", "executable");
}

/* What a launch would say of the same command, the probe says. */
TEST(a_command_that_could_not_run_is_told_as_a_launch_tells_it)
{
	struct run launch = { 0 }, run = { 0 };
	const char *last;

	NEEDS_LANDLOCK();
	REQUIRE(mkdir("d", 0755) == 0);
	file_write("d/denied", check_format("#!%s\n", check_self()), 0755);
	file_write("d/missing", "#!/nowhere/interpreter\n", 0755);
	file_write("d/formless", "nothing\n", 0755);
	REQUIRE(symlink(check_self(), "d/shim") == 0);
	for (size_t i = 0; i < 6; i++) {
		const char *command = (const char *const[]){
			"d/denied", "d/missing", "d/formless", "d/shim", "d/absent", check_self()
		}[i];

		check_row("%s", command);
		RUN(&launch, "--rw", "d", "--", command);
		RUN(&run, "probe", "--rw", "d", "--", command);
		CHECK_EXEC_FAILED(&launch, "exec failed: ");
		CHECK_INT(run_end(&run), FAILURE);
		last = strstr(launch.errors.text, PREFIX "exec failed: ");
		REQUIRE(last != NULL);
		CHECK_STR(run.errors.text, last);
		CHECK_CONTAINS(run.output.text, last + strlen(PREFIX));
	}
}

/* The states in which a caller may have left it; the command must not run in any. */
TEST(the_command_never_runs_whatever_the_caller_has_done_to_its_signals)
{
	static const char *const states[] = { "block=5",   "ignore=5",  "block=17", "ignore=17",
					      "ignore=18", "ignore=15", "block=9",  "death=9" };

	NEEDS_LANDLOCK();
	for (size_t i = 0; i < COUNT(states); i++) {
		struct run run = { .seconds = 30 };

		check_row("%s", states[i]);
		RUN_COMMAND(&run, SELF("with"), states[i], "--", PROBE, "--ro", "/", "--rw", ".",
			    "--", MARKS);
		CHECK_END(&run, 0);
		CHECK_HAS_LINE(run.output.text, "usable       true");
		CHECK_CONTAINS(run.output.text, "executable\n");
		CHECK(!file_exists("ran"));
	}
}

/* A filter on one system call. */
static int filter(long number, unsigned int action)
{
	struct sock_filter rules[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned int)number, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, action),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { COUNT(rules), rules };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
		return -1;
	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

static void refuse_ptrace(const struct run *run)
{
	(void)run;
	if (filter(SYS_ptrace, SECCOMP_RET_ERRNO | EPERM) != 0)
		_exit(97);
}

static void needs_filters(void)
{
	if (prctl(PR_GET_SECCOMP) != 0 && errno == EINVAL)
		SKIP("needs seccomp");
	if (emulated() != NULL)
		SKIP("the emulator makes system calls of its own");
}

TEST(the_command_never_runs_where_it_cannot_be_stopped)
{
	struct run run = { .prepare = refuse_ptrace };

	NEEDS_LANDLOCK();
	needs_filters();
	RUN(&run, "probe", "--ro", "/", "--rw", ".", "--", MARKS);
	CHECK_END(&run, 0);
	CHECK_CONTAINS(run.output.text, "not tried: it would run\n");
	CHECK(!file_exists("ran"));
}

/* Rules that the kernel seems to take and that match nothing: so a grant ends on a file system
 * whose inodes do not last. */
static void lose_rules(const struct run *run)
{
	(void)run;
	if (filter(SYS_landlock_add_rule, SECCOMP_RET_ERRNO | 0) != 0)
		_exit(97);
}

TEST(a_grant_that_does_not_match_is_told)
{
	struct run run = { .prepare = lose_rules };

	NEEDS_LANDLOCK();
	needs_filters();
	RUN(&run, "probe", "--json", "--ro", "/", "--rw", ".", "--", MARKS);
	CHECK_INT(run_end(&run), FAILURE);
	CHECK_CONTAINS(run.output.text,
		       "\"subject\":\"/\",\"result\":\"not as granted\",\"errno\":\"EACCES\"");
	CHECK_STR(run.errors.text, PREFIX "policy does not hold: not as granted: /\n");
	CHECK(!file_exists("ran"));
}

static void kill_at_restriction(const struct run *run)
{
	(void)run;
	if (filter(SYS_landlock_restrict_self, SECCOMP_RET_KILL) != 0)
		_exit(97);
}

TEST(a_child_that_is_killed_is_no_proof)
{
	struct run run = { .prepare = kill_at_restriction };

	NEEDS_LANDLOCK();
	needs_filters();
	RUN(&run, "probe", "--json", "--ro", "/", "--rw", ".", "--", MARKS);
	CHECK_INT(run_end(&run), FAILURE);
	CHECK_CONTAINS(run.output.text, "\"usable\":false");
	CHECK_LACKS(run.output.text, "\"governed\":true");
	CHECK_PREFIX(run.errors.text, PREFIX);
	CHECK_INT(lines_of(run.errors.text), 1);
	CHECK(!file_exists("ran"));
}

/* Becomes the program as a tracee whose children are traced too; ends as it ends. */
HELPER(trace)
{
	int status = 0;
	pid_t pid = fork(), stopped;

	if (pid == 0) {
		if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0 || raise(SIGSTOP) != 0)
			_exit(97);
		execv(argv[1], argv + 1);
		_exit(95);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid ||
	    ptrace(PTRACE_SETOPTIONS, pid, NULL,
		   (void *)(PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACECLONE)) != 0)
		return 97;
	for (stopped = pid;;) {
		int number = WIFSTOPPED(status) ? WSTOPSIG(status) : 0;

		if (number == SIGSTOP || number == SIGTRAP)
			number = 0;
		ptrace(PTRACE_CONT, stopped, NULL, (void *)(long)number);
		stopped = waitpid(-1, &status, __WALL);
		if (stopped < 0 || (stopped == pid && !WIFSTOPPED(status)))
			break;
	}
	return stopped == pid && WIFEXITED(status) ? WEXITSTATUS(status) : 98;
}

TEST(the_command_never_runs_beneath_a_tracer)
{
	struct run run = { .seconds = 30 };

	NEEDS_LANDLOCK();
	if (emulated() != NULL)
		SKIP("an emulator cannot be traced as what it emulates");
	RUN_COMMAND(&run, SELF("trace"), PROBE, "--ro", "/", "--rw", ".", "--", MARKS);
	CHECK_END(&run, 0);
	CHECK_CONTAINS(run.output.text, "not tried: it would run\n");
	CHECK(!file_exists("ran"));
}

TEST(a_set_user_id_program_is_tried_and_never_runs)
{
	struct run run = { 0 };
	int from = open(check_self(), O_RDONLY | O_CLOEXEC);
	struct captured program = descriptor_read(from);
	int to = open("program", O_WRONLY | O_CREAT | O_CLOEXEC, 0755);

	NEEDS_LANDLOCK();
	REQUIRE(from >= 0 && to >= 0);
	REQUIRE(write(to, program.text, program.length) == (ssize_t)program.length);
	REQUIRE(fchmod(to, 06755) == 0 && close(to) == 0 && close(from) == 0);
	RUN(&run, "probe", "--ro", "/", "--rw", ".", "--", "./program", "--helper", "act", "create",
	    "ran");
	CHECK_END(&run, 0);
	CHECK_TRIED(&run, "exec", "./program", "executable");
	CHECK(!file_exists("ran"));
}

TEST(with_a_mode_and_no_command_bash_is_tried_and_its_script_never_runs)
{
	struct run run = { .input = "echo >ran\n" };

	NEEDS_LANDLOCK();
	needs_bash();
	RUN(&run, "probe", "--mode", "workspace-write", "-c", "echo >ran");
	CHECK_END(&run, 0);
	CHECK_TRIED(&run, "exec", "bash", "executable");
	CHECK(!file_exists("ran"));
	RUN(&run, "probe", "--mode", "workspace-write");
	CHECK_END(&run, 0);
	CHECK(!file_exists("ran"));
}

/* ---- What shows in no file that opens ---- */

TEST(what_cannot_be_tried_is_said_to_be_not_tried)
{
	struct run run = { 0 };

	NEEDS_ABI(6);
	RUN(&run, "probe", "--ro", "/", "--connect-tcp", "443", "--scope", "signal");
	CHECK_END(&run, 0);
	CHECK_TRIED(&run, "read", "descriptor or port", "not tried: nothing opens");
	CHECK_TRIED(&run, "governed", "connect-tcp", "not tried");
	CHECK_TRIED(&run, "governed", "signal", "not tried");
	CHECK_TRIED(&run, "read outside", "/", "not tried: granted, or not there");
	if (has_guards()) {
		RUN(&run, "probe", "--ro", "/", "--guard", "metadata");
		CHECK_END(&run, 0);
		CHECK_TRIED(&run, "guard", "metadata", "not tried");
	}
}
