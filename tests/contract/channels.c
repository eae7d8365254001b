/* Descriptors that do not reach the command, the status descriptor, the plan, and the parent's
 * death. A status stream is judged as a consumer would: by its lines and where they end. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "launch.h"

#define RAN SELF("act"), "create", "ran"
#define CONFINED "{\"landlock-run\":1,\"event\":\"confined\","
#define FAILED "{\"landlock-run\":1,\"event\":\"failed\","

/* ---- Descriptors ---- */

static void open_files(const struct run *run)
{
	static const int numbers[] = { 3, 4, 9, 10, 100, 900 };

	(void)run;
	for (size_t i = 0; i < COUNT(numbers); i++)
		if (dup2(open("leak", O_WRONLY | O_CREAT | O_APPEND, 0644), numbers[i]) < 0)
			_exit(97);
}

/* The numbers from 3 on that are open, as in "3 9 ". */
HELPER(open_descriptors)
{
	for (int fd = 3; fd < 1024; fd++)
		if (fcntl(fd, F_GETFD) >= 0 && dprintf(1, "%d ", fd) < 0)
			return 98;
	return 0;
}

TEST(close_fds_closes_all_but_those_that_are_kept)
{
	const struct {
		const char *open;
		const char *const *words;
	} rows[] = {
		{ "", LIST("--close-fds") },
		{ "9 ", LIST("--close-fds", "--keep-fd", "9") },
		{ "9 ", LIST("--keep-fd", "9", "--close-fds") },
		{ "3 ", LIST("--close-fds", "--keep-fd", "3") },
		{ "3 4 ", LIST("--close-fds", "--keep-fd", "4", "--keep-fd", "3") },
		{ "3 9 900 ",
		  LIST("--keep-fd", "900", "--close-fds", "--keep-fd", "3", "--keep-fd", "9") },
		{ "9 ", LIST("--close-fds", "--keep-fd", "9", "--keep-fd", "9", "--close-fds") },
		{ "3 4 9 10 100 900 ",
		  LIST("--close-fds", "--keep-fd", "3", "--keep-fd", "4", "--keep-fd", "9",
		       "--keep-fd", "10", "--keep-fd", "100", "--keep-fd", "900") },
	};
	const char *const *const modes[] = { LIST("--ro", "/"),
					     LIST("--mode", "danger-full-access") };

	NEEDS_LANDLOCK();
	for (size_t i = 0; i < COUNT(rows); i++)
		for (size_t k = 0; k < COUNT(modes); k++) {
			struct run run = { .prepare = open_files };

			check_row("%zu, %s", i, modes[k][0]);
			run_launcher(&run,
				     joined(joined(joined(LIST(check_launcher()), rows[i].words),
						   modes[k]),
					    LIST("--", SELF("open_descriptors"))));
			CHECK_END(&run, 0);
			CHECK_STR(run.output.text, rows[i].open);
		}
}

TEST(a_closed_descriptor_cannot_be_written_and_a_kept_one_can)
{
	struct run run = { .prepare = open_files };

	NEEDS_LANDLOCK();
	RUN(&run, "--ro", "/", "--close-fds", "--", SELF("write_to"), "9", "leak");
	CHECK_STR(run.output.text, "EBADF\n");
	CHECK_STR(file_read("leak"), "");
	RUN(&run, "--ro", "/", "--close-fds", "--keep-fd", "9", "--", SELF("write_to"), "9",
	    "leak");
	CHECK_STR(run.output.text, "ok\n");
	CHECK_STR(file_read("leak"), "leak");
	/* The streams stay. */
	RUN(&run, "--ro", "/", "--close-fds", "--", SELF("write_to"), "2", "said\n");
	CHECK_SAID(&run, "said\n");
}

TEST(descriptors_that_are_none_or_not_open_are_usage_errors)
{
	static const char *const values[] = { "",
					      "0",
					      "1",
					      "2",
					      "-1",
					      "x",
					      "3x",
					      " 9",
					      "9 ",
					      "2147483648",
					      "99999999999999999999",
					      "+9",
					      "0x9",
					      "555",
					      "2147483647" };

	for (size_t i = 0; i < COUNT(values); i++) {
		struct run run = { .prepare = open_files };

		check_row("%s", values[i]);
		RUN(&run, "--close-fds", "--keep-fd", values[i], "--ro", "/", "--rw", ".", "--",
		    RAN);
		CHECK_FATAL(&run, "usage error: --keep-fd: invalid value: ");
		RUN(&run, "--status-fd", values[i], "--ro", "/", "--rw", ".", "--", RAN);
		CHECK_FATAL(&run, "usage error: --status-fd: invalid value: ");
		CHECK(!file_exists("ran"));
	}
}

/* ---- The status descriptor ---- */

/* A pipe as descriptor 9, all that was written to it being kept. */
static int status_ends[2];

static void give_status(const struct run *run)
{
	(void)run;
	if (dup2(status_ends[1], 9) < 0)
		_exit(97);
}

static const char *status_of(struct run *run, const char *const *argv)
{
	const char *text;

	REQUIRE(pipe2(status_ends, O_CLOEXEC) == 0);
	run->prepare = give_status;
	run_program(run, argv[0], argv);
	close(status_ends[1]);
	text = descriptor_read(status_ends[0]).text;
	close(status_ends[0]);
	return text;
}

/* The words of a launch with the status descriptor. */
#define WITH_STATUS(...) LIST(check_launcher(), "--status-fd", "9", __VA_ARGS__)

static const char *confined_record(int abi, const char *mode)
{
	const char *ungoverned = abi >= 5   ? ""
				 : abi >= 3 ? "\"ioctl-dev\""
				 : abi >= 2 ? "\"truncate\",\"ioctl-dev\""
					    : "\"refer\",\"truncate\",\"ioctl-dev\"";

	return check_format(CONFINED
			    "\"enforcement\":\"%s\",\"abi\":%d,\"mode\":%s,\"ungoverned\":[%s]}",
			    abi < 5 ? "partial" : "full", abi, mode, ungoverned);
}

TEST(a_launch_that_runs_has_one_record_that_says_how_it_is_confined)
{
	const struct {
		const char *mode;
		const char *const *words;
	} rows[] = {
		{ "null", WITH_STATUS("--ro", "/", "--", SELF("end"), "125") },
		{ "\"read-only\"", WITH_STATUS("--mode", "read-only", "--", SELF("end"), "125") },
		{ "\"workspace-write\"",
		  WITH_STATUS("--mode", "workspace-write", "--", SELF("end"), "125") },
	};

	NEEDS_LANDLOCK();
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct run run = { 0 };
		const char *status = status_of(&run, rows[i].words);

		check_row("%s", rows[i].mode);
		CHECK_END(&run, 125);
		CHECK_LINE(status, confined_record(check_abi(), rows[i].mode));
		CHECK_SAID(&run, "");
	}
}

TEST(the_record_names_what_each_abi_does_not_govern)
{
	NEEDS_LANDLOCK();
	if (simulator() == NULL)
		SKIP("needs the simulator");
	for (int abi = 1; abi <= check_abi(); abi++) {
		struct run run = { 0 };
		const char *status =
			status_of(&run, claiming(abi, WITH_STATUS("--ro", "/", "--", SELF("end"))));

		check_row("ABI %d", abi);
		CHECK_END(&run, 0);
		CHECK_LINE(status, confined_record(abi, "null"));
	}
}

TEST(an_unconfined_launch_says_so_in_its_record)
{
	struct run run = { 0 };
	const char *status = status_of(
		&run, WITH_STATUS("--mode", "danger-full-access", "--", SELF("end"), "3"));

	CHECK_END(&run, 3);
	CHECK_PREFIX(status, CONFINED "\"enforcement\":\"none\",");
	CHECK_CONTAINS(status, "\"mode\":\"danger-full-access\"");
	CHECK_INT(strchr(status, '\n') - status + 1, (long long)strlen(status));
}

TEST(a_failure_has_a_record_with_stage_errno_subject_and_message)
{
	const struct {
		const char *stage, *number, *subject, *message;
		bool confined;
		const char *const *words;
	} rows[] = {
		{ "usage", NULL, "x", "usage error: unknown argument: x", false, WITH_STATUS("x") },
		{ "usage", NULL, NULL, "usage error: missing `-- <argv>...` command", false,
		  WITH_STATUS("--ro", "/") },
		{ "usage", "ENOENT", "missing", "usage error: missing: cannot be read: ", false,
		  WITH_STATUS("--args-file", "missing", "--", RAN) },
		{ "usage", NULL, "wrong", "usage error: wrong:2: unknown argument: bogus", false,
		  WITH_STATUS("--args-file", "wrong", "--", RAN) },
		{ "rule", "ENOENT", "missing", "cannot open rule path: missing: ", false,
		  WITH_STATUS("--ro", "missing", "--", RAN) },
		{ "rule", "ENOTDIR", "file/x", "cannot open rule path: file/x: ", false,
		  WITH_STATUS("--rw", "file/x", "--", RAN) },
		{ "exec", "ENOENT", "./missing", "exec failed: ./missing: ", true,
		  WITH_STATUS("--ro", "/", "--", "./missing") },
		{ "exec", "EACCES", "./file", "exec failed: ./file: ", true,
		  WITH_STATUS("--ro", "/", "--", "./file") },
		{ "exec", "ENOENT", "no-such-command", "exec failed: no-such-command: ", true,
		  WITH_STATUS("--ro", "/", "--", "no-such-command") },
	};

	NEEDS_LANDLOCK();
	file_write("file", "", 0644);
	file_write("wrong", "ro /\nbogus\n", 0644);
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct run run = { .env = LIST("PATH=/nowhere") };
		const char *status = status_of(&run, rows[i].words), *record = status;

		check_row("%zu: %s", i, rows[i].message);
		check_fatal(&run, rows[i].message, rows[i].confined, __FILE__, __LINE__);
		if (rows[i].confined) {
			CHECK_PREFIX(status,
				     check_format("%s\n", confined_record(check_abi(), "null")));
			record = strchr(status, '\n') + 1;
		}
		CHECK_PREFIX(
			record,
			check_format(
				FAILED
				"\"stage\":\"%s\",\"errno\":%s,\"subject\":%s,\"message\":\"%s",
				rows[i].stage,
				rows[i].number ? check_format("\"%s\"", rows[i].number) : "null",
				rows[i].subject ? check_format("\"%s\"", rows[i].subject) : "null",
				rows[i].message));
		CHECK(strlen(record) > 2 && strcmp(record + strlen(record) - 3, "\"}\n") == 0);
		CHECK(strchr(record, '\n') == record + strlen(record) - 1);
		/* The same words on both ways. */
		CHECK_CONTAINS(run.errors.text, rows[i].message);
		CHECK(!file_exists("ran"));
	}
}

TEST(a_usage_error_in_front_of_the_option_has_no_record_and_behind_it_has)
{
	struct run run = { 0 };

	CHECK_STR(status_of(&run, LIST(check_launcher(), "x", "--status-fd", "9")), "");
	CHECK_FATAL(&run, "usage error: unknown argument: x\n");
	CHECK_PREFIX(status_of(&run, WITH_STATUS("x")), FAILED);
	CHECK_FATAL(&run, "usage error: unknown argument: x\n");
	CHECK_STR(status_of(&run, LIST(check_launcher(), "--args-file", "x", "--status-fd", "9")),
		  "");
	CHECK_FATAL(&run, "usage error: x: cannot be read: ");
	/* Options in a file stand where the file does. */
	file_write("x", "status-fd 9\n", 0644);
	CHECK_PREFIX(status_of(&run, LIST(check_launcher(), "--args-file", "x", "x")), FAILED);
	CHECK_FATAL(&run, "usage error: unknown argument: x\n");
	file_write("x", "status-fd 9\nx\n", 0644);
	CHECK_PREFIX(status_of(&run, LIST(check_launcher(), "--args-file", "x")), FAILED);
	CHECK_FATAL(&run, "usage error: x:2: unknown argument: x\n");
	file_write("x", "x\nstatus-fd 9\n", 0644);
	CHECK_STR(status_of(&run, LIST(check_launcher(), "--args-file", "x")), "");
	/* The first that is named, as on the command line. */
	file_write("x", "status-fd 10\nx\n", 0644);
	CHECK_PREFIX(status_of(&run, WITH_STATUS("--args-file", "x")), FAILED);
}

TEST(no_subject_can_break_a_record)
{
	static const char *const subjects[] = { "a\nb",     "a\"b",     "a\\b", ("\"}\n" CONFINED),
						"\x1b[31m", "\xff\xfe", "\x7f", "\xc3\xa4",
						"\t\r",     "\xc2\x85", "" };

	NEEDS_LANDLOCK();
	for (size_t i = 0; i < COUNT(subjects); i++) {
		struct run run = { 0 };
		const char *status = status_of(&run, WITH_STATUS("--ro", "/", "--ro",
								 check_format("no/%s", subjects[i]),
								 "--", RAN));
		size_t quotes = 0;

		check_row("%s", subjects[i]);
		CHECK_END(&run, FAILURE);
		CHECK_PREFIX(status, FAILED "\"stage\":\"rule\",");
		CHECK(strchr(status, '\n') == status + strlen(status) - 1);
		for (const char *at = status; *at; at++) {
			CHECK(*at == '\n' || (unsigned char)*at >= 0x20);
			if (*at == '\\')
				at++;
			else
				quotes += *at == '"';
		}
		/* Seven members, of which two values are not strings here; a name and a value have
		 * two each. */
		CHECK_INT(quotes, 22);
	}
}

TEST(a_record_stays_within_4096_bytes)
{
	static const size_t lengths[] = { 1000, 1900, 2000, 2100, 3900, 4096, 5000, 100000 };

	NEEDS_LANDLOCK();
	for (size_t i = 0; i < COUNT(lengths); i++)
		for (int kind = 0; kind < 3; kind++) {
			static const char bytes[] = { 'x', '"', '\x01' };
			char *path = calloc(1, lengths[i] + 1);
			struct run run = { 0 };
			const char *status;

			memset(path, bytes[kind], lengths[i]);
			check_row("%zu bytes of %d", lengths[i], bytes[kind]);
			status = status_of(&run, WITH_STATUS("--ro", path, "--", RAN));
			CHECK_END(&run, FAILURE);
			CHECK(strlen(status) <= 4096);
			CHECK_PREFIX(status, FAILED);
			CHECK(strlen(status) > 3 &&
			      strcmp(status + strlen(status) - 3, "\"}\n") == 0);
			free(path);
		}
}

TEST(the_command_cannot_write_to_the_status_descriptor)
{
	struct run run = { 0 };
	const char *status =
		status_of(&run, WITH_STATUS("--ro", "/", "--", SELF("write_to"), "9", "forged\n"));

	NEEDS_LANDLOCK();
	CHECK_END(&run, 0);
	CHECK_STR(run.output.text, "EBADF\n");
	CHECK_LACKS(status, "forged");
	/* Not even where it is asked to keep it. */
	status = status_of(&run,
			   WITH_STATUS("--close-fds", "--keep-fd", "9", "--ro", "/", "--", RAN));
	CHECK_FATAL(&run, "usage error: --keep-fd: ");
	CHECK_LACKS(status, CONFINED);
}

/* The text contract cannot tell this from a failure of the launcher; the status stream does. */
TEST(a_command_that_imitates_a_failure_is_told_by_its_status_stream)
{
	struct run run = { 0 };
	const char *status = status_of(&run, WITH_STATUS("--ro", "/", "--", SELF("imitate")));

	NEEDS_LANDLOCK();
	CHECK_END(&run, FAILURE);
	CHECK_HAS_LINE(run.errors.text, PREFIX "fake");
	CHECK_LINE(status, confined_record(check_abi(), "null"));
}

HELPER(imitate)
{
	return write(2, "landlock-run: fake\n", 19) == 19 ? FAILURE : 98;
}

static void stuff_status(const struct run *run)
{
	(void)run;
	if (dup2(open("/dev/full", O_WRONLY), 9) < 0)
		_exit(97);
}

static void read_only_status(const struct run *run)
{
	(void)run;
	if (dup2(open("/dev/null", O_RDONLY), 9) < 0)
		_exit(97);
}

static void broken_status(const struct run *run)
{
	int ends[2];

	(void)run;
	if (pipe(ends) != 0 || dup2(ends[1], 9) < 0)
		_exit(97);
	close(ends[0]);
	close(ends[1]);
}

static void closed_status(const struct run *run)
{
	(void)run;
	close(9);
}

TEST(a_status_that_cannot_be_written_is_a_failure)
{
	static const struct {
		void (*prepare)(const struct run *run);
		const char *message;
		bool confined;
	} rows[] = {
		{ closed_status, "usage error: --status-fd: invalid value: 9: ", false },
		{ read_only_status, "usage error: --status-fd: invalid value: 9: ", false },
		{ stuff_status, "cannot write the status record: ", true },
		{ broken_status, "cannot write the status record: ", true },
	};

	NEEDS_LANDLOCK();
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct run run = { .prepare = rows[i].prepare };

		check_row("%zu", i);
		RUN(&run, "--status-fd", "9", "--ro", "/", "--rw", ".", "--", RAN);
		check_fatal(&run, rows[i].message, rows[i].confined, __FILE__, __LINE__);
		CHECK(!file_exists("ran"));
	}
}

static void wait_status(const struct run *run)
{
	int ends[2];

	(void)run;
	if (pipe(ends) != 0)
		_exit(97);
	fcntl(ends[1], F_SETFL, O_NONBLOCK);
	stuff(ends[1]);
	fcntl(ends[1], F_SETFL, 0);
	if (dup2(ends[1], 9) < 0)
		_exit(97);
}

TEST(sigterm_ends_a_launcher_that_waits_for_its_status_reader)
{
	struct run run = { .prepare = wait_status };
	struct timespec moment = { .tv_nsec = 100000000 };

	NEEDS_LANDLOCK();
	run_start(&run, check_launcher(),
		  LIST(check_launcher(), "--status-fd", "9", "--ro", "/", "--rw", ".", "--", RAN));
	nanosleep(&moment, NULL);
	CHECK_INT(kill(run.pid, SIGTERM), 0);
	run_finish(&run);
	CHECK_END(&run, -SIGTERM);
	CHECK(!file_exists("ran"));
}

TEST(the_status_stream_of_a_wrong_number_is_given_once)
{
	struct run run = { 0 };

	status_of(&run, WITH_STATUS("--status-fd", "9", "--ro", "/", "--", RAN));
	CHECK_FATAL(&run, "usage error: --status-fd ");
}

/* ---- The plan ---- */

TEST(a_plan_runs_and_restricts_nothing)
{
	const char *const *const launches[] = {
		LIST(check_launcher(), "--dry-run", "--ro", "/", "--rw", ".", "--", RAN),
		LIST(check_launcher(), "--mode", "workspace-write", "--dry-run", "-c", "echo >ran"),
		LIST(check_launcher(), "--mode", "danger-full-access", "--dry-run", "--", RAN),
		LIST(check_launcher(), "--dry-run", "--rw", "missing", "--", RAN),
	};

	NEEDS_LANDLOCK();
	for (size_t i = 0; i < COUNT(launches); i++) {
		struct run run = { 0 };

		check_row("%zu", i);
		run_command(&run, launches[i]);
		CHECK_END(&run, 0);
		CHECK_PREFIX(run.output.text, "{\"landlock-run\":1,\"event\":\"plan\",");
		CHECK(run.output.length > 2 &&
		      strcmp(run.output.text + run.output.length - 2, "}\n") == 0);
		CHECK_STR(run.errors.text, "");
		CHECK(!file_exists("ran") && !file_exists("missing"));
	}
}

TEST(a_plan_names_grants_rights_and_what_is_not_governed)
{
	struct run run = { 0 };

	NEEDS_LANDLOCK();
	RUN(&run, "--dry-run", "--ro", "/", "--rw", "/dev/null", "--", "a \"command\"", "");
	CHECK_CONTAINS(run.output.text, "{\"type\":\"path\",\"path\":\"/"
					"\",\"rights\":[\"execute\",\"read-file\",\"read-dir\"]}");
	CHECK_CONTAINS(run.output.text,
		       "{\"type\":\"path\",\"path\":\"/dev/null\",\"rights\":[\"execute\","
		       "\"write-file\",\"read-file\",\"truncate\",\"ioctl-dev\"]}");
	CHECK_CONTAINS(run.output.text, "\"command\":[\"a \\\"command\\\"\",\"\"]");
	CHECK_CONTAINS(run.output.text, check_format("\"abi\":%d,", check_abi()));
	CHECK_CONTAINS(run.output.text,
		       check_abi() < 5 ? "\"ioctl-dev\"],\"grants\"" : "\"ungoverned\":[],");
	CHECK_CONTAINS(run.output.text, "\"run\":true");
	CHECK_CONTAINS(run.output.text, "\"guards\":[],");
	RUN(&run, "--dry-run", "--guard", "tty", "--guard", "metadata", "--", "true");
	CHECK_CONTAINS(run.output.text, "\"guards\":[\"metadata\",\"tty\"],");
	RUN(&run, "--dry-run", "--rw", "missing", "--", "true");
	CHECK_CONTAINS(run.output.text, "\"run\":false");
	CHECK_CONTAINS(run.output.text, "cannot open rule path: missing: ");
}

TEST(a_plan_that_cannot_be_written_is_a_failure)
{
	static const enum stream streams[] = { STREAM_CLOSED, STREAM_BROKEN, STREAM_FULL };

	NEEDS_LANDLOCK();
	for (size_t i = 0; i < COUNT(streams); i++) {
		struct run run = { .out = streams[i] };

		check_row("stream %d", streams[i]);
		RUN(&run, "--dry-run", "--ro", "/", "--", RAN);
		CHECK_FATAL(&run, "cannot write ");
	}
}

/* ---- The parent's death ---- */

/* launch_and_die FILE: starts a confined command that writes its pid to FILE's place, waits for it,
 * and dies. */
HELPER(launch_and_die)
{
	int ends[2];
	char ready[16] = "";

	if (argc < 3 || pipe(ends) != 0)
		return 97;
	if (fork() == 0) {
		close(ends[0]);
		if (dup2(ends[1], 1) < 0)
			_exit(97);
		close(ends[1]);
		execl(check_launcher(), "landlock-run", argv[1], "--ro", "/", "--",
		      SELF("say_pid_and_wait"), (char *)NULL);
		_exit(98);
	}
	close(ends[1]);
	if (read(ends[0], ready, sizeof ready - 1) < 2)
		return 96;
	file_write(argv[2], ready, 0644);
	/* Not by its exit alone: as when it is killed. */
	raise(SIGKILL);
	return 95;
}

HELPER(say_pid_and_wait)
{
	if (dprintf(1, "%d\n", getpid()) < 2)
		return 98;
	for (;;)
		pause();
}

/* Whether the process that the file names is gone, or will be within a second. */
static bool is_gone(const char *file)
{
	const char *text = file_read(file);
	pid_t pid = text ? atoi(text) : 0;

	REQUIRE(pid > 0);
	for (int i = 0; i < 100; i++) {
		struct timespec pause_time = { .tv_nsec = 10000000 };

		if (kill(pid, 0) != 0 && errno == ESRCH)
			return true;
		waitpid(pid, NULL, WNOHANG);
		nanosleep(&pause_time, NULL);
	}
	kill(pid, SIGKILL);
	return false;
}

TEST(a_command_dies_with_its_parent_where_it_is_asked_to)
{
	/* A command that lives on would hold a stream that is read to its end. */
	struct run run = { .out = STREAM_NULL, .err = STREAM_NULL };

	NEEDS_LANDLOCK();
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	RUN_COMMAND(&run, SELF("launch_and_die"), "--die-with-parent", "pid");
	CHECK_END(&run, -SIGKILL);
	CHECK(is_gone("pid"));
	RUN_COMMAND(&run, SELF("launch_and_die"), "--best-effort", "pid2");
	CHECK_END(&run, -SIGKILL);
	CHECK(!is_gone("pid2"));
}

TEST(a_launcher_whose_parent_lives_is_not_disturbed)
{
	struct run run = { 0 };

	NEEDS_LANDLOCK();
	RUN(&run, "--die-with-parent", "--ro", "/", "--", SELF("end"), "8");
	CHECK_END(&run, 8);
	CHECK_SAID(&run, "");
	RUN(&run, "--die-with-parent", "--mode", "danger-full-access", "--", SELF("state"));
	CHECK_END(&run, 0);
	CHECK_CONTAINS(run.output.text, check_format("death signal: %d ", SIGKILL));
}

/* ---- Audit ---- */

TEST(log_denials_is_enforced_or_refused)
{
	struct run run = { 0 };

	NEEDS_LANDLOCK();
	RUN(&run, "--log-denials", "--ro", "/", "--", RAN);
	if (check_abi() >= 7) {
		CHECK_END(&run, 0);
		CHECK_STR(run.output.text, "EACCES\n");
		CHECK_SAID(&run, "");
	} else {
		CHECK_FATAL(&run, "landlock is not enforced by this kernel (log-denials: needs ABI "
				  "7, Linux 6.15; ");
	}
}
