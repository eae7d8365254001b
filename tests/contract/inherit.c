/* What a command is started with and how it ends: all of it as if the launcher had not been there.
 * Each test compares a launch with the same start without the launcher. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "launch.h"

/* ---- State ---- */

/* Starts in which a command may find itself; the words of the helper `with`. */
static const struct {
	const char *const words[8];
} starts[] = {
	{ { NULL } },
	/* 13 is SIGPIPE and 25 SIGXFSZ, which the launcher must hold back when it writes. */
	{ { "ignore=13" } },
	{ { "block=13" } },
	{ { "block=13", "raise=13" } },
	{ { "block=13", "send=13" } },
	{ { "block=13", "raise=13", "send=13" } },
	{ { "block=13", "ignore=13" } },
	{ { "block=13", "ignore=13", "raise=13" } },
	{ { "ignore=25" } },
	{ { "block=25", "send=25" } },
	{ { "block=25", "raise=25", "block=13" } },
	{ { "block=25", "raise=25", "block=13", "send=13" } },
	{ { "block=1", "block=2", "block=3", "block=15", "send=15" } },
	{ { "ignore=1", "ignore=2", "ignore=3", "ignore=15", "ignore=17" } },
	{ { "block=10", "raise=10", "ignore=12", "send=12" } },
	{ { "block=34", "send=34", "block=64", "raise=64" } },
	{ { "block=17", "ignore=17" } },
	{ { "umask=0" } },
	{ { "umask=777" } },
	{ { "files=64" } },
	{ { "files=6" } },
	{ { "nice=5", "alarm=100", "death=10" } },
	{ { "chdir=/" } },
	{ { "close=0" } },
	{ { "close=0", "close=2" } },
	{ { "broken=0" } },
	{ { "broken=2" } },
	{ { "full=2" } },
	{ { "stuffed=2" } },
	{ { "file=9", "broken=10", "full=11" } },
	{ { "close=0", "file=0" } },
	{ { "broken=2", "block=13", "raise=13" } },
	{ { "broken=2", "ignore=13" } },
	{ { "broken=2", "block=13" } },
	{ { "broken=2", "block=25", "send=25" } },
	{ { "close=2", "block=13", "send=13" } },
	{ { "full=2", "block=13", "send=13", "block=25", "send=25" } },
	{ { "file=2", "size=0" } },
	{ { "file=2", "size=0", "ignore=25" } },
	{ { "file=2", "size=0", "block=25" } },
	{ { "file=2", "size=0", "block=25", "raise=25" } },
	{ { "file=2", "size=0", "block=25", "raise=25", "block=13", "send=13" } },
};

static const char *const *state_after(const char *const *start, const char *const *launcher)
{
	return joined(joined(LIST(SELF("with")), start),
		      joined(joined(LIST("--"), launcher), LIST(SELF("state"), "an argument", "")));
}

/* Names the first line in which two states differ. */
static bool check_same(const char *actual, const char *expected)
{
	char *left = check_format("%s", actual), *right = check_format("%s", expected);

	while (left && right) {
		const char *line = strsep(&left, "\n"), *wanted = strsep(&right, "\n");

		if (strcmp(line, wanted) != 0)
			return FAIL("\"%.300s\" instead of \"%.300s\"", line, wanted);
	}
	return CHECK(left == NULL && right == NULL);
}

/* The state is printed to stdout, so that stays; a closed stdin or stderr is not filled by the
 * launcher either. */
static void check_state(int abi, const char *const *start, const char *const *launcher, bool notice)
{
	struct run plain = { .in = STREAM_NULL }, launched = { .in = STREAM_NULL };

	/* The file that some starts write to is one and the same, and empty. */
	file_write("stream", "", 0644);
	run_command(&plain, claiming(abi, state_after(start, LIST(NULL))));
	file_write("stream", "", 0644);
	run_command(&launched, claiming(abi, state_after(start, launcher)));
	CHECK_END(&plain, 0);
	CHECK_END(&launched, 0);
	CHECK(plain.output.length > 500);
	check_same(launched.output.text, plain.output.text);
	CHECK(launched.errors.length == 0 || strcmp(launched.errors.text, NOTICE "\n") == 0);
	CHECK(notice || launched.errors.length == 0);
}

TEST_WITHIN(a_command_inherits_all_of_the_launchers_state, 600)
{
	const char *const *const launchers[] = {
		LIST(check_launcher(), "--ro", "/", "--rw", "/dev/null", "--"),
		LIST(check_launcher(), "--mode", "read-only", "--"),
		LIST(check_launcher(), "--mode", "danger-full-access", "--"),
		LIST(check_launcher(), "--ro", "/", "--ro", "/", "--ro", "/", "--ro", check_self(),
		     "--"),
	};

	NEEDS_LANDLOCK();
	if (notice_due())
		SKIP("the notice that is due here has its own test");
	for (size_t i = 0; i < COUNT(starts); i++)
		for (size_t k = 0; k < COUNT(launchers); k++) {
			if (!check_due())
				continue;
			check_row("start %zu (%s), launcher %zu", i, starts[i].words[0], k);
			check_state(0, starts[i].words, launchers[k], false);
		}
}

/* A notice to a broken pipe makes a SIGPIPE, one to a full file a SIGXFSZ: taken back without a
 * trace, and without taking what was already pending. */
TEST_WITHIN(a_command_inherits_all_of_the_state_after_a_notice_too, 600)
{
	const int abi = needs_partial();

	for (size_t i = 0; i < COUNT(starts); i++) {
		/* The simulator is no part of what a low limit is about. */
		if (abi && (strncmp(starts[i].words[0] ? starts[i].words[0] : "", "files", 5) == 0))
			continue;
		check_row("start %zu (%s %s)", i, starts[i].words[0], starts[i].words[1]);
		check_state(abi, starts[i].words,
			    LIST(check_launcher(), "--ro", "/", "--rw", "/dev/null", "--"), true);
	}
}

/* One that waits for the process is not the one that the write made, which is for the thread. */
TEST(a_signal_that_waits_for_the_process_is_not_doubled_by_a_notice)
{
	static const char *const rows[][4] = {
		{ "broken=2", "block=13", "send=13", NULL },
		{ "broken=2", "block=13", "raise=13", NULL },
	};
	const int abi = needs_partial();

	for (size_t i = 0; i < COUNT(rows); i++) {
		check_row("%s", rows[i][2]);
		check_state(abi, rows[i],
			    LIST(check_launcher(), "--ro", "/", "--rw", "/dev/null", "--"), true);
	}
	check_row("a file that may not grow");
	check_state(abi, LIST("file=2", "size=0", "block=25", "send=25"),
		    LIST(check_launcher(), "--ro", "/", "--"), true);
}

TEST(a_notice_that_cannot_be_written_changes_nothing)
{
	static const char *const states[] = { "close=2", "broken=2", "full=2", "stuffed=2" };
	const int abi = needs_partial();

	for (size_t i = 0; i < COUNT(states); i++) {
		struct run run = { .input = "through\n" };

		check_row("%s", states[i]);
		run_command(&run,
			    claiming(abi, LIST(SELF("with"), states[i], "--", check_launcher(),
					       "--ro", "/", "--", SELF("copy"))));
		CHECK_END(&run, 0);
		CHECK_STR(run.output.text, "through\n");
	}
}

TEST(a_closed_stderr_is_not_where_the_next_file_goes)
{
	static const char *const states[] = { "close=0", "close=1", "close=2" };
	const int abi = needs_partial();

	NEEDS_LANDLOCK();
	for (size_t i = 0; i < COUNT(states); i++) {
		struct run run = { 0 };

		/* The ruleset and each path land on the free number; neither a line nor the command
		 * may reach them. */
		check_row("%s", states[i]);
		file_write("file", "content", 0644);
		run_command(&run,
			    claiming(abi, LIST(SELF("with"), states[i], "--", check_launcher(),
					       "--ro", "/", "--rw", "file", "--", SELF("write_to"),
					       states[i] + strlen("close="), "text")));
		CHECK_STR(file_read("file"), "content");
		if (i != 1)
			CHECK_STR(run.output.text, "EBADF\n");
	}
}

TEST(the_notice_is_one_exact_line_before_the_commands_output)
{
	const int abi = needs_partial();
	struct run run = { 0 };

	run_command(&run, claiming(abi, LIST(check_launcher(), "--ro", "/", "--", SELF("write_to"),
					     "2", "text\n")));
	CHECK_END(&run, 0);
	CHECK_STR(run.errors.text, NOTICE "\ntext\n");
	CHECK_STR(run.output.text, "ok\n");
}

TEST(the_notice_is_there_on_abi_1_to_4_and_only_there)
{
	NEEDS_LANDLOCK();
	if (simulator() == NULL)
		SKIP("needs the simulator");
	for (int abi = 1; abi <= check_abi(); abi++) {
		struct run run = { 0 };

		check_row("ABI %d", abi);
		run_command(&run, claiming(abi, LIST(check_launcher(), "--ro", "/", "--",
						     SELF("end"), "4")));
		CHECK_END(&run, 4);
		CHECK_STR(run.errors.text, abi < 5 ? NOTICE "\n" : "");
		run_command(&run,
			    claiming(abi, LIST(check_launcher(), "--mode", "danger-full-access",
					       "--", SELF("end"), "4")));
		CHECK_END(&run, 4);
		CHECK_STR(run.errors.text, "");
	}
}

/* ---- Arguments and environment ---- */

TEST(arguments_and_environment_arrive_byte_for_byte)
{
	static const char *const words[] = { "",        "",         " ", "a b",   "a\nb",
					     "\x1b[0m", "\xff\xfe", "*", "$HOME", "--",
					     "-c",      "=",        "",  NULL };
	static const char *const environment[] = { "PATH=", "EMPTY=", "=nameless", "no equals sign",
						   "A=1",   "A=2",    "B=x\ny",    "\xff=\x80",
						   "",      NULL };
	struct run run = { .env = environment };
	const char *wanted = "";

	NEEDS_LANDLOCK();
	for (size_t i = 0; words[i]; i++)
		wanted = check_format("%s[%s]\n", wanted, words[i]);
	for (size_t i = 0; environment[i]; i++)
		wanted = check_format("%s{%s}\n", wanted, environment[i]);
	run_launcher(&run,
		     joined(LIST(check_launcher(), "--ro", "/", "--", SELF("arguments")), words));
	CHECK_END(&run, 0);
	CHECK_STR(run.output.text, wanted);
}

TEST(an_empty_environment_stays_empty)
{
	struct run run = { .env = LIST(NULL) };

	NEEDS_LANDLOCK();
	RUN(&run, "--ro", "/", "--", SELF("arguments"));
	CHECK_END(&run, 0);
	CHECK_STR(run.output.text, "");
}

TEST(many_and_long_arguments_arrive)
{
	const char **words = calloc(5001, sizeof *words);
	char *longest = calloc(1, 100001);
	struct run run = { .env = LIST(NULL) };
	const char *line;
	int count = 0;

	NEEDS_LANDLOCK();
	REQUIRE(words != NULL && longest != NULL);
	memset(longest, 'a', 100000);
	for (int i = 0; i < 5000; i++)
		words[i] = i == 4321 ? longest : check_format("%d", i);
	run_launcher(&run,
		     joined(LIST(check_launcher(), "--ro", "/", "--", SELF("arguments")), words));
	CHECK_END(&run, 0);
	line = run.output.text;
	for (int i = 0; i < 5000; i++) {
		const char *wanted = check_format("[%s]\n", words[i]);

		if (strncmp(line, wanted, strlen(wanted)) != 0)
			break;
		line += strlen(wanted);
		count++;
	}
	CHECK_INT(count, 5000);
	CHECK_STR(line, "");
}

TEST(no_variable_but_path_changes_what_the_launcher_does)
{
	static const char *const variables[] = {
		"LD_PRELOAD=/nowhere.so",
		"LD_LIBRARY_PATH=/nowhere",
		"LANG=de_DE.UTF-8",
		"LC_ALL=C",
		"POSIXLY_CORRECT=1",
		"TMPDIR=/",
		"HOME=/",
		"SHELL=/nowhere",
		"LANDLOCK_RUN=/nowhere",
		"LANDLOCK_RUN_MODE=none",
		"LANDLOCK_RUN_EXPECT_ABI=none",
		"LL_FS_RO=/nowhere",
		"LL_FS_RW=/",
		"GLIBC_TUNABLES=x=y",
		"MALLOC_CHECK_=3",
		"IFS=x",
		"PWD=/nowhere",
		"BASH_ENV=/nowhere",
	};

	NEEDS_LANDLOCK();
	for (size_t i = 0; i < COUNT(variables); i++) {
		struct run run = { .env = LIST(variables[i]) };

		check_row("%s", variables[i]);
		RUN(&run, "--ro", "/", "--rw", "/dev/null", "--", SELF("act"), "create", "ran",
		    "write", "/dev/null");
		CHECK_END(&run, 0);
		CHECK_STR(run.output.text, "EACCES\nok\n");
		CHECK_SAID(&run, "");
	}
}

/* ---- Descriptors ---- */

static void open_many(const struct run *run)
{
	(void)run;
	for (int fd = 3; fd < 40; fd++)
		if (fd % 5 && dup2(open("/dev/null", fd % 2 ? O_RDONLY : O_WRONLY), fd) < 0)
			_exit(97);
	fcntl(39, F_SETFL, O_NONBLOCK);
	/* Those from which the numbers above were copied. */
	for (int fd = 5; fd < 40; fd += 5)
		close(fd);
}

TEST(inherited_descriptors_are_as_they_were_and_no_other_is_there)
{
	struct run plain = { .prepare = open_many }, launched = { .prepare = open_many };

	NEEDS_LANDLOCK();
	RUN_COMMAND(&plain, SELF("state"));
	RUN(&launched, "--ro", "/", "--rw", "/dev/null", "--rw", ".", "--", SELF("state"));
	CHECK_END(&launched, 0);
	CHECK_STR(launched.output.text, plain.output.text);
	CHECK_CONTAINS(launched.output.text, "descriptor 39: ");
	CHECK_LACKS(launched.output.text, "descriptor 40: ");
}

static void open_outside(const struct run *run)
{
	(void)run;
	if (dup2(open("inherited", O_WRONLY | O_CREAT, 0644), 9) < 0)
		_exit(97);
}

TEST(an_inherited_descriptor_can_still_be_written)
{
	struct run run = { .prepare = open_outside };

	NEEDS_LANDLOCK();
	RUN(&run, "--ro", "/", "--", SELF("write_to"), "9", "text");
	CHECK_END(&run, 0);
	CHECK_STR(run.output.text, "ok\n");
	CHECK_STR(file_read("inherited"), "text");
}

TEST(stdin_is_not_read)
{
	struct run run = { .input = "0123456789" };
	int ends[2];
	char left[32] = "";

	NEEDS_LANDLOCK();
	RUN(&run, "--ro", "/", "--", SELF("copy"));
	CHECK_STR(run.output.text, "0123456789");
	/* Nor by a launch that fails, nor by the probe. */
	REQUIRE(pipe(ends) == 0 && write(ends[1], "0123456789", 10) == 10);
	close(ends[1]);
	REQUIRE(dup2(ends[0], 0) == 0);
	run = (struct run){ .in = STREAM_KEPT };
	RUN(&run, "--ro", "missing", "--", "true");
	RUN(&run, "--probe");
	RUN(&run, "--ro", "/", "--", SELF("end"));
	CHECK_INT(read(0, left, sizeof left), 10);
	CHECK_STR(left, "0123456789");
}

/* ---- The process ---- */

TEST(the_command_is_the_launchers_own_process)
{
	const char *const *const launchers[] = {
		LIST(check_launcher(), "--ro", "/", "--"),
		LIST(check_launcher(), "--mode", "workspace-write", "--workspace", ".", "--"),
		LIST(check_launcher(), "--mode", "danger-full-access", "--"),
	};

	NEEDS_LANDLOCK();
	for (size_t i = 0; i < COUNT(launchers); i++) {
		struct run run = { 0 };

		run_launcher(&run, joined(launchers[i], LIST(SELF("pid"))));
		CHECK_END(&run, 0);
		CHECK_INT(atoi(run.output.text), run.pid);
	}
}

TEST_WITHIN(after_exec_every_status_is_the_commands_own, 600)
{
	NEEDS_LANDLOCK();
	for (int status = 0; status < 256; status++) {
		struct run run = { 0 };

		if (!check_due())
			continue;
		RUN(&run, "--ro", "/", "--", SELF("end"), check_format("%d", status));
		CHECK_END(&run, status);
		CHECK_STR(run.output.text, "");
		CHECK_SAID(&run, "");
	}
}

TEST(after_exec_every_signal_is_the_commands_own)
{
	NEEDS_LANDLOCK();
	for (int number = 1; number <= 64; number++) {
		struct run run = { 0 };

		/* Those that do not end a process, and two that the libc keeps. */
		if (number == SIGCHLD || number == SIGCONT || number == SIGURG ||
		    number == SIGWINCH || number == SIGSTOP || number == SIGTSTP ||
		    number == SIGTTIN || number == SIGTTOU || (number > 31 && number < 36))
			continue;
		if (!check_due())
			continue;
		check_row("signal %d", number);
		RUN(&run, "--ro", "/", "--", SELF("end_by"), check_format("%d", number));
		CHECK_END(&run, -number);
		CHECK_SAID(&run, "");
	}
}

/* The harness ends its commands with SIGTERM, then SIGKILL, sent to the group. */
TEST(signals_sent_to_the_launcher_reach_the_command)
{
	static const int numbers[] = {
		SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGKILL, SIGUSR1, SIGPIPE
	};

	NEEDS_LANDLOCK();
	for (size_t i = 0; i < COUNT(numbers); i++) {
		struct run run = { 0 };
		char here[8] = "";

		check_row("signal %d", numbers[i]);
		run_start(&run, check_launcher(),
			  LIST(check_launcher(), "--ro", "/", "--", SELF("wait")));
		CHECK_INT(read(run.pipes[0], here, sizeof here - 1), 5);
		CHECK_INT(kill(run.pid, numbers[i]), 0);
		run_finish(&run);
		CHECK_END(&run, -numbers[i]);
	}
}

TEST(a_launcher_that_is_its_groups_leader_stays_in_its_group)
{
	struct run run = { 0 };
	char here[8] = "";

	NEEDS_LANDLOCK();
	run_start(&run, check_launcher(), LIST(check_launcher(), "--ro", "/", "--", SELF("wait")));
	CHECK_INT(read(run.pipes[0], here, sizeof here - 1), 5);
	CHECK_INT(getpgid(run.pid), getpgrp());
	CHECK_INT(getsid(run.pid), getsid(0));
	CHECK_INT(kill(run.pid, SIGTERM), 0);
	run_finish(&run);
	CHECK_END(&run, -SIGTERM);
}

static void be_detached(const struct run *run)
{
	(void)run;
	setsid();
}

TEST(a_detached_launcher_leads_its_session_and_dies_with_its_group)
{
	struct run run = { .prepare = be_detached };
	char here[8] = "";

	NEEDS_LANDLOCK();
	run_start(&run, check_launcher(), LIST(check_launcher(), "--ro", "/", "--", SELF("wait")));
	CHECK_INT(read(run.pipes[0], here, sizeof here - 1), 5);
	CHECK_INT(getpgid(run.pid), run.pid);
	CHECK_INT(getsid(run.pid), run.pid);
	CHECK_INT(kill(-run.pid, SIGTERM), 0);
	run_finish(&run);
	CHECK_END(&run, -SIGTERM);
}

/* ---- Privilege ---- */

static void be_nobody(const struct run *run)
{
	(void)run;
	if (setgid(65534) != 0 || setuid(65534) != 0)
		_exit(97);
}

/* The user ids of a command: real, effective, saved, for the file system. */
static void check_ids(const char *const *argv, const char *wanted)
{
	struct run run = { .prepare = be_nobody };

	run_command(&run, argv);
	CHECK_END(&run, 0);
	CHECK_LINE(run.output.text, wanted);
}

TEST(a_set_uid_program_gains_nothing_inside)
{
	int from = open(check_self(), O_RDONLY | O_CLOEXEC), to;
	struct run run = { .prepare = be_nobody };
	struct captured program;

	NEEDS_LANDLOCK();
	if (geteuid() != 0)
		SKIP("needs root");
	to = open("set-uid", O_WRONLY | O_CREAT | O_CLOEXEC, 0755);
	program = descriptor_read(from);
	REQUIRE(to >= 0 && write(to, program.text, program.length) == (ssize_t)program.length);
	close(to);
	REQUIRE(chmod("set-uid", 04755) == 0 && chmod(".", 0755) == 0);
	RUN_COMMAND(&run, "./set-uid", "--helper", "status_line", "Uid");
	if (strcmp(run.output.text, "65534\t0\t0\t0\n") != 0)
		SKIP("set-uid programs gain nothing here in any case");
	check_ids(LIST(check_launcher(), "--ro", "/", "--", "./set-uid", "--helper", "status_line",
		       "Uid"),
		  "65534\t65534\t65534\t65534");
	check_ids(LIST(check_launcher(), "--mode", "danger-full-access", "--", "./set-uid",
		       "--helper", "status_line", "Uid"),
		  "65534\t0\t0\t0");
}
