/* Command lines: what is a usage error, in which words, and that nothing happens then.
 * No test here may depend on what the kernel enforces: a wrong line is refused before the kernel is
 * asked. */
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "launch.h"

#define RAN SELF("act"), "create", "ran"
#define MISSING "usage error: missing `-- <argv>...` command"
#define UNKNOWN "usage error: unknown argument: "
#define ALONE "usage error: --probe takes no other arguments"

struct wrong {
	const char *message; /* the beginning, or the whole where it ends with a newline */
	const char *const *arguments;
};

static void check_wrong(const struct wrong *wrong, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct run run = { 0 };

		check_row("%zu: %s", i, wrong[i].message);
		run_launcher(&run, joined(LIST(check_launcher()), wrong[i].arguments));
		CHECK_FATAL(&run, wrong[i].message);
		CHECK(!file_exists("ran"));
	}
	check_row(NULL);
}

TEST(a_line_without_a_command_is_a_usage_error)
{
	const struct wrong wrong[] = {
		{ MISSING "\n", LIST(NULL) },
		{ MISSING "\n", LIST("--") },
		{ MISSING "\n", LIST("--ro", "/") },
		{ MISSING "\n", LIST("--ro", "/", "--") },
		{ MISSING "\n", LIST("--ro", "/", "--rw", "/dev/null") },
		{ MISSING "\n", LIST("--rw", ".", "--") },
		/* The first `--` is the value of --ro. */
		{ MISSING "\n", LIST("--ro", "--") },
	};

	check_wrong(wrong, COUNT(wrong));
}

TEST(the_separator_cannot_be_left_out)
{
	const struct wrong wrong[] = {
		{ UNKNOWN, LIST("true") },
		{ UNKNOWN "true\n", LIST("--ro", "/", "true") },
		{ UNKNOWN, LIST("--ro", "/", RAN) },
		{ UNKNOWN, LIST(RAN) },
		{ UNKNOWN, LIST("--ro", "--", RAN) },
		{ UNKNOWN "x\n", LIST("x", "--", RAN) },
	};

	check_wrong(wrong, COUNT(wrong));
}

TEST(an_unknown_argument_is_a_usage_error_that_names_it)
{
	const struct wrong wrong[] = {
		{ UNKNOWN "-x\n", LIST("-x", "--", RAN) },
		{ UNKNOWN "\n", LIST("", "--", RAN) },
		{ UNKNOWN "-\n", LIST("-", "--", RAN) },
		{ UNKNOWN "---", LIST("---", "--", RAN) },
		{ UNKNOWN "--r", LIST("--r", "/", "--", RAN) },
		{ UNKNOWN "--row", LIST("--row", "/", "--", RAN) },
		{ UNKNOWN "--RO", LIST("--RO", "/", "--", RAN) },
		{ UNKNOWN "-ro", LIST("-ro", "/", "--", RAN) },
		{ UNKNOWN "-ro", LIST("-ro", "--", RAN) },
		{ UNKNOWN "--readonly", LIST("--readonly", "/", "--", RAN) },
		{ UNKNOWN "--probe-me", LIST("--probe-me") },
		{ UNKNOWN "--prob", LIST("--prob") },
		{ UNKNOWN "--probe ", LIST("--probe ") },
		{ UNKNOWN "-h\n", LIST("-h") },
		{ UNKNOWN "/\n", LIST("--ro", "/", "/", "--", RAN) },
		{ UNKNOWN "/\n", LIST("/", "--ro", "/", "--", RAN) },
		{ UNKNOWN "command with spaces\n", LIST("command with spaces", "--", RAN) },
	};

	check_wrong(wrong, COUNT(wrong));
}

TEST(an_option_without_its_value_is_a_usage_error)
{
	const struct wrong wrong[] = {
		{ "usage error: --ro requires a path\n", LIST("--ro") },
		{ "usage error: --rw requires a path\n", LIST("--rw") },
		{ "usage error: --ro requires a path\n", LIST("--rw", "/", "--ro") },
		{ "usage error: --rw requires a path\n", LIST("--ro", "/", "--rw") },
		{ "usage error: --mode requires ", LIST("--mode") },
		{ "usage error: --args-file requires a file\n", LIST("--args-file") },
		{ "usage error: --workspace requires ",
		  LIST("--mode", "read-only", "--workspace") },
		{ "usage error: -c requires ", LIST("--mode", "read-only", "-c") },
	};

	check_wrong(wrong, COUNT(wrong));
}

TEST(a_value_joined_by_an_equals_sign_is_refused_and_the_error_says_so)
{
	static const char *const options[] = { "--ro",        "--rw",        "--mode",
					       "--workspace", "--ro-try",    "--allow",
					       "--bind-tcp",  "--scope",     "--guard",
					       "--require",   "--status-fd", "--keep-fd",
					       "--args-file" };

	for (size_t i = 0; i < COUNT(options); i++) {
		const char *joint = check_format("%s=/", options[i]);
		struct run run = { 0 };

		check_row("%s", joint);
		RUN(&run, joint, "--", RAN);
		CHECK_FATAL(&run, check_format("usage error: unknown argument: %s", joint));
		CHECK_CONTAINS(run.errors.text, "next argument");
		CHECK(!file_exists("ran"));
	}
}

TEST(probe_with_anything_beside_it_is_a_usage_error)
{
	const struct wrong wrong[] = {
		{ ALONE "\n", LIST("--probe", "--probe") },
		{ ALONE "\n", LIST("--probe", "--") },
		{ ALONE "\n", LIST("--probe", "--", RAN) },
		{ ALONE "\n", LIST("--probe", "x") },
		{ ALONE "\n", LIST("--probe", "") },
		{ ALONE "\n", LIST("--ro", "/", "--probe") },
		{ ALONE "\n", LIST("--ro", "/", "--probe", "--", RAN) },
		{ ALONE "\n", LIST("--probe", "--ro", "/", "--", RAN) },
		{ ALONE "\n", LIST("--mode", "read-only", "--probe") },
		{ UNKNOWN "x\n", LIST("x", "--probe") },
	};

	check_wrong(wrong, COUNT(wrong));
}

TEST(modes_are_known_by_their_whole_names)
{
	static const char *const unknown[] = { "",
					       "readonly",
					       "read-onl",
					       "read-only ",
					       "READ-ONLY",
					       "workspace",
					       "full",
					       "none",
					       "danger",
					       "danger-full-access-",
					       "--",
					       "read_only",
					       "workspace-write\n" };

	for (size_t i = 0; i < COUNT(unknown); i++) {
		struct run run = { 0 };

		check_row("%s", unknown[i]);
		RUN(&run, "--mode", unknown[i], "--", RAN);
		CHECK_FATAL(&run, "usage error: --mode: invalid value: ");
		CHECK(!file_exists("ran"));
	}
}

TEST(misuse_of_modes_is_a_usage_error)
{
	const struct wrong wrong[] = {
		{ "usage error: --mode ",
		  LIST("--mode", "read-only", "--mode", "read-only", "--", RAN) },
		{ "usage error: --mode ",
		  LIST("--mode", "read-only", "--mode", "danger-full-access", "--", RAN) },
		{ "usage error: --workspace ", LIST("--workspace", ".", "--", RAN) },
		{ "usage error: --workspace ", LIST("--ro", "/", "--workspace", ".", "--", RAN) },
		{ "usage error: --workspace ", LIST("--mode", "workspace-write", "--workspace", ".",
						    "--workspace", ".", "--", RAN) },
		{ "usage error: -c ", LIST("-c", "echo >ran") },
		{ "usage error: -c ", LIST("--ro", "/", "-c", "echo >ran") },
		{ MISSING "\n", LIST("--mode", "read-only", "--") },
		{ MISSING "\n", LIST("--mode", "danger-full-access", "--") },
	};

	check_wrong(wrong, COUNT(wrong));
}

TEST(danger_full_access_refuses_each_option_that_would_confine)
{
	const char *const *const options[] = {
		LIST("--ro", "/"),
		LIST("--rw", "/"),
		LIST("--ro-try", "/"),
		LIST("--allow", "read-file:/"),
		LIST("--require", "full"),
		LIST("--bind-tcp", "none"),
		LIST("--connect-tcp", "80"),
		LIST("--bind-udp", "none"),
		LIST("--connect-send-udp", "none"),
		LIST("--resolve-unix", "none"),
		LIST("--scope", "signal"),
		LIST("--guard", "tty"),
		LIST("--devices"),
		LIST("--stdio"),
		LIST("--log-denials"),
	};

	for (size_t i = 0; i < COUNT(options); i++)
		for (int order = 0; order < 2; order++) {
			const char *const *mode = LIST("--mode", "danger-full-access");
			struct run run = { 0 };

			check_row("%s %d", options[i][0], order);
			run_launcher(&run, joined(LIST(check_launcher()),
						  joined(order ? joined(options[i], mode)
							       : joined(mode, options[i]),
							 LIST("--", RAN))));
			CHECK_FATAL(&run, "usage error: ");
			CHECK_CONTAINS(run.errors.text, options[i][0]);
			CHECK(!file_exists("ran"));
		}
}

TEST(keep_fd_alone_is_a_usage_error)
{
	const struct wrong wrong[] = {
		{ "usage error: --keep-fd ", LIST("--keep-fd", "9", "--", RAN) },
		{ "usage error: --keep-fd ",
		  LIST("--mode", "read-only", "--keep-fd", "9", "--", RAN) },
	};

	check_wrong(wrong, COUNT(wrong));
}

TEST(what_follows_the_separator_is_the_commands_alone)
{
	static const char *const words[] = { "--ro", "/",      "--", "--probe",
					     "--rw", "--mode", "-c", "--nonsense",
					     "",     "--help", NULL };
	struct run run = { .env = LIST(NULL) };
	const char *wanted = "";

	NEEDS_LANDLOCK();
	for (size_t i = 0; words[i]; i++)
		wanted = check_format("%s[%s]\n", wanted, words[i]);
	run_launcher(&run,
		     joined(LIST(check_launcher(), "--ro", "/", "--", SELF("arguments")), words));
	CHECK_END(&run, 0);
	CHECK_STR(run.output.text, wanted);
	CHECK_SAID(&run, "");
}

TEST(a_command_may_be_named_like_an_option)
{
	static const char *const names[] = { "--", "-c", "--probe", "--ro", "-x", "=" };

	NEEDS_LANDLOCK();
	for (size_t i = 0; i < COUNT(names); i++) {
		struct run run = { .env = LIST("PATH=.") };

		check_row("%s", names[i]);
		REQUIRE(symlink(check_self(), names[i]) == 0);
		RUN(&run, "--ro", "/", "--", names[i], "--helper", "end", "7");
		CHECK_END(&run, 7);
		CHECK_SAID(&run, "");
	}
}

TEST(grants_come_in_any_order_and_number)
{
	struct run run = { 0 };

	NEEDS_LANDLOCK();
	file_write("a", "", 0644);
	file_write("b", "", 0644);
	RUN(&run, "--rw", "a", "--ro", "/", "--rw", "b", "--ro", "/", "--ro", ".", "--",
	    SELF("act"), "write", "a", "write", "b", "read", "a", "create", "ran");
	CHECK_END(&run, 0);
	CHECK_STR(run.output.text, "ok\nok\nok\nEACCES\n");
	CHECK_STR(file_read("a"), "x");
	CHECK_STR(file_read("b"), "x");
	CHECK(!file_exists("ran"));
}

static void check_text_of(const char *option, const char *begins)
{
	struct run run = { 0 };

	check_row("%s", option);
	RUN(&run, option);
	CHECK_END(&run, 0);
	CHECK_PREFIX(run.output.text, begins);
	CHECK_STR(run.errors.text, "");
	CHECK(run.output.length > 0 && run.output.text[run.output.length - 1] == '\n');
}

TEST(help_and_version_go_to_stdout_and_succeed)
{
	check_text_of("--help", "Usage: landlock-run ");
	check_text_of("--version", "landlock-run ");
}

TEST(help_names_every_option)
{
	static const char *const options[] = {
		"--mode",        "--workspace",   "--ro",           "--rw",
		"--ro-try",      "--allow",       "--devices",      "--stdio",
		"--bind-tcp",    "--connect-tcp", "--bind-udp",     "--connect-send-udp",
		"--scope",       "--guard",       "--resolve-unix", "--require",
		"--best-effort", "--close-fds",   "--keep-fd",      "--die-with-parent",
		"--log-denials", "--status-fd",   "--dry-run",      "--probe",
		"--args-file",
	};
	struct run run = { 0 };

	RUN(&run, "--help");
	for (size_t i = 0; i < COUNT(options); i++)
		CHECK_CONTAINS(run.output.text, check_format("%s ", options[i]));
	CHECK_CONTAINS(run.output.text, "125");
}

TEST(help_that_cannot_be_written_is_a_failure)
{
	static const enum stream streams[] = { STREAM_CLOSED, STREAM_BROKEN, STREAM_FULL };
	static const char *const options[] = { "--help", "--version" };

	for (size_t i = 0; i < COUNT(streams); i++)
		for (size_t k = 0; k < COUNT(options); k++) {
			struct run run = { .out = streams[i] };

			check_row("%s, stream %d", options[k], streams[i]);
			RUN(&run, options[k]);
			CHECK_FATAL(&run, "cannot write ");
		}
}

TEST(no_arguments_at_all_not_even_a_name_is_a_usage_error)
{
	struct run run = { .no_arguments = true };

	/* Since Linux 5.18 the kernel puts an empty string there. */
	RUN(&run, NULL);
	CHECK_FATAL(&run, MISSING "\n");
}

TEST(the_name_that_it_was_started_by_does_not_matter)
{
	static const char *const names[] = { "", "x", "--probe", "bash", "-landlock-run", "a\nb" };

	NEEDS_LANDLOCK();
	for (size_t i = 0; i < COUNT(names); i++) {
		struct run run = { 0 };

		check_row("%s", names[i]);
		run_program(&run, check_launcher(),
			    LIST(names[i], "--ro", "/", "--", SELF("end"), "3"));
		CHECK_END(&run, 3);
		run_program(&run, check_launcher(), LIST(names[i], "x"));
		CHECK_FATAL(&run, UNKNOWN "x\n");
	}
}
