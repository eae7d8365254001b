/* The probe: what it says on each kernel, that it never succeeds without having said it, and
 * kernels without Landlock. A consumer takes any other success for full enforcement, so no test
 * here may be content with less than the exact line. */
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "launch.h"

#define FULL "landlock: fully enforced"
#define PARTIAL "landlock: partially enforced (older ABI)"
#define NOT_ENFORCED "landlock is not enforced by this kernel ("

static const char *line_of(int abi)
{
	return abi < 5 ? PARTIAL : FULL;
}

TEST(the_probe_says_what_this_kernel_enforces)
{
	struct run run = { 0 };

	NEEDS_LANDLOCK();
	RUN(&run, "--probe");
	CHECK_END(&run, 0);
	CHECK_LINE(run.output.text, line_of(check_abi()));
	CHECK_STR(run.errors.text, "");
}

TEST(the_probe_says_what_each_abi_enforces)
{
	NEEDS_LANDLOCK();
	if (simulator() == NULL)
		SKIP("needs the simulator");
	for (int abi = 1; abi <= check_abi(); abi++) {
		struct run run = { 0 };

		check_row("ABI %d", abi);
		run_command(&run, claiming(abi, LIST(check_launcher(), "--probe")));
		CHECK_END(&run, 0);
		CHECK_LINE(run.output.text, line_of(abi));
		CHECK_STR(run.errors.text, "");
	}
}

TEST(a_probe_whose_line_cannot_be_written_fails)
{
	static const char *const states[] = { "close=1", "broken=1", "full=1", "stuffed=1" };

	NEEDS_LANDLOCK();
	for (size_t i = 0; i < COUNT(states); i++) {
		struct run run = { 0 };

		check_row("%s", states[i]);
		RUN_COMMAND(&run, SELF("with"), states[i], "--", check_launcher(), "--probe");
		CHECK_FATAL(&run, "cannot write ");
		/* Also where nothing at all can be said. */
		RUN_COMMAND(&run, SELF("with"), states[i], "close=2", "--", check_launcher(),
			    "--probe");
		CHECK_END(&run, FAILURE);
		RUN_COMMAND(&run, SELF("with"), states[i], "broken=2", "--", check_launcher(),
			    "--probe");
		CHECK_END(&run, FAILURE);
		RUN_COMMAND(&run, SELF("with"), states[i], "ignore=13", "--", check_launcher(),
			    "--probe");
		CHECK_FATAL(&run, "cannot write ");
	}
}

static void read_only_stdout(const struct run *run)
{
	(void)run;
	if (dup2(open("/dev/null", O_RDONLY), 1) < 0)
		_exit(97);
}

static void path_stdout(const struct run *run)
{
	(void)run;
	if (dup2(open(".", O_PATH), 1) < 0)
		_exit(97);
}

TEST(a_stdout_that_takes_no_bytes_fails_the_probe)
{
	struct run reading = { .prepare = read_only_stdout }, path = { .prepare = path_stdout };

	NEEDS_LANDLOCK();
	RUN(&reading, "--probe");
	CHECK_FATAL(&reading, "cannot write ");
	RUN(&path, "--probe");
	CHECK_FATAL(&path, "cannot write ");
}

/* All of the line or nothing: a disk that takes half of it is full. */
TEST(a_line_that_is_written_in_part_fails_the_probe)
{
	static const char *const sizes[] = { "size=0", "size=1", "size=10", "size=24" };

	NEEDS_LANDLOCK();
	for (size_t i = 0; i < COUNT(sizes); i++) {
		struct run run = { 0 };

		check_row("%s", sizes[i]);
		unlink("stream");
		RUN_COMMAND(&run, SELF("with"), "file=1", sizes[i], "--", check_launcher(),
			    "--probe");
		CHECK_FATAL(&run, "cannot write ");
	}
}

TEST(the_probes_line_reaches_a_file)
{
	struct run run = { 0 };

	NEEDS_LANDLOCK();
	file_write("stream", "before\n", 0644);
	RUN_COMMAND(&run, SELF("with"), "file=1", "--", check_launcher(), "--probe");
	CHECK_END(&run, 0);
	CHECK_STR(file_read("stream"), check_format("before\n%s\n", line_of(check_abi())));
}

TEST(the_probe_needs_neither_stdin_nor_stderr)
{
	static const char *const states[] = { "close=0", "close=2", "broken=2", "full=2" };

	NEEDS_LANDLOCK();
	for (size_t i = 0; i < COUNT(states); i++) {
		struct run run = { 0 };

		check_row("%s", states[i]);
		RUN_COMMAND(&run, SELF("with"), states[i], "--", check_launcher(), "--probe");
		CHECK_END(&run, 0);
		CHECK_LINE(run.output.text, line_of(check_abi()));
	}
}

/* A kernel that can do no more of it says so: the probe does what it claims. */
TEST(the_probe_really_restricts)
{
	const char *const *command = LIST(check_launcher(), "--probe");
	struct run run = { 0 };

	NEEDS_ABI(2);
	for (int layers = 0; layers < 15; layers++)
		command = joined(LIST(check_launcher(), "--ro", "/", "--"), command);
	run_launcher(&run, command);
	CHECK_END(&run, 0);
	CHECK_LINE(run.output.text, line_of(check_abi()));
	run_launcher(&run, joined(LIST(check_launcher(), "--ro", "/", "--"), command));
	CHECK_INT(run_end(&run), FAILURE);
	CHECK_STR(run.output.text, "");
	CHECK_HAS_LINE(run.errors.text, PREFIX
		       "landlock ruleset error: too many nested Landlock domains (limit 16)");
}

static int stuffed[2];

/* A pipe that nobody empties: the probe waits on it. */
static void wait_on_stdout(const struct run *run)
{
	(void)run;
	if (dup2(stuffed[1], 1) < 0)
		_exit(97);
}

TEST(sigterm_ends_a_probe_that_hangs)
{
	struct run run = { .prepare = wait_on_stdout };
	struct timespec moment = { .tv_nsec = 100000000 };

	NEEDS_LANDLOCK();
	REQUIRE(pipe2(stuffed, O_CLOEXEC | O_NONBLOCK) == 0);
	stuff(stuffed[1]);
	REQUIRE(fcntl(stuffed[1], F_SETFL, 0) == 0);
	run_start(&run, check_launcher(), LIST(check_launcher(), "--probe"));
	nanosleep(&moment, NULL);
	CHECK_INT(kill(run.pid, SIGTERM), 0);
	run_finish(&run);
	CHECK_END(&run, -SIGTERM);
}

/* ---- Kernels without Landlock ---- */

static void check_refusals(const char *const *before, const char *cause)
{
	const char *const *const launches[] = {
		LIST(check_launcher(), "--probe"),
		LIST(check_launcher(), "--ro", "/", "--", SELF("act"), "create", "ran"),
		LIST(check_launcher(), "--rw", "/", "--", SELF("act"), "create", "ran"),
		LIST(check_launcher(), "--", SELF("act"), "create", "ran"),
		LIST(check_launcher(), "--mode", "read-only", "--", SELF("act"), "create", "ran"),
		LIST(check_launcher(), "--mode", "workspace-write", "-c", "echo >ran"),
		LIST(check_launcher(), "--mode", "read-only"),
		LIST(check_launcher(), "--best-effort", "--ro", "/", "--", SELF("act"), "create",
		     "ran"),
	};

	for (size_t i = 0; i < COUNT(launches); i++) {
		struct run run = { .input = "echo >ran\n" };

		check_row("%s launch %zu", cause, i);
		run_command(&run, joined(before, launches[i]));
		CHECK_INT(run_end(&run), FAILURE);
		CHECK_STR(run.output.text, "");
		CHECK_PREFIX(run.errors.text, PREFIX NOT_ENFORCED);
		CHECK_CONTAINS(run.errors.text, cause);
		CHECK(strchr(run.errors.text, '\n') == run.errors.text + run.errors.length - 1);
		CHECK(!file_exists("ran"));
	}
}

TEST(each_reason_for_having_no_landlock_has_its_own_words_and_remedy)
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
	for (size_t i = 0; i < COUNT(rows); i++) {
		const char *const *claim = LIST(simulator(), "--abi", rows[i].number, "--");

		check_refusals(claim, rows[i].cause);
		check_refusals(claim, rows[i].remedy);
	}
}

TEST(a_kernel_without_landlock_is_refused)
{
	if (check_abi() > 0)
		SKIP("this kernel has Landlock");
	check_refusals(LIST(NULL), "");
}

TEST(what_needs_no_landlock_works_without_it)
{
	const char *const *claim = LIST(simulator(), "--abi", "ENOSYS", "--");
	struct run run = { 0 };

	/* Nothing is to be claimed where it is so. */
	if (check_abi() == 0)
		claim += 4;
	else if (simulator() == NULL)
		SKIP("needs a kernel without Landlock, or the simulator");
	run_command(&run, joined(claim, LIST(check_launcher(), "--mode", "danger-full-access", "--",
					     SELF("act"), "create", "new")));
	CHECK_END(&run, 0);
	CHECK_STR(run.output.text, "ok\n");
	CHECK(file_exists("new"));
	run_command(&run, joined(claim, LIST(check_launcher(), "--version")));
	CHECK_END(&run, 0);
	/* A wrong line is a wrong line first. */
	run_command(&run, joined(claim, LIST(check_launcher(), "x")));
	CHECK_PREFIX(run.errors.text, PREFIX "usage error: unknown argument: x\n");
}
