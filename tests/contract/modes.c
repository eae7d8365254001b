/* The modes: what each grants, the shell that it starts, and a person at a terminal.
 * What a mode must deny is looked for on disk, in a place that no mode opens. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

#include "launch.h"

/* A directory outside /tmp with a file in it. */
static const char *outside(void)
{
	const char *directory = check_format("%s", check_outside_tmp());

	file_write(check_format("%s/file", directory), "content", 0644);
	return directory;
}

static const char *in(const char *directory, const char *name)
{
	return check_format("%s/%s", directory, name);
}

/* ---- Grants ---- */

TEST(read_only_reads_everything_and_writes_dev_null_alone)
{
	const char *there = outside();
	const struct act acts[] = {
		{ "list", "/", NULL, "ok", 0 },
		{ "read", in(there, "file"), NULL, "ok", 0 },
		{ "read", "/proc/self/status", NULL, "ok", 0 },
		{ "write", "/dev/null", NULL, "ok", 0 },
		{ "empty", "/dev/null", NULL, "ok", 0 },
		{ "write", in(there, "file"), NULL, "EACCES", 0 },
		{ "create", in(there, "new"), NULL, "EACCES", 0 },
		{ "create", "new", NULL, "EACCES", 0 },
		{ "mkdir", "directory", NULL, "EACCES", 0 },
		{ "create", stray("/tmp"), NULL, "EACCES", 0 },
		{ "unlink", in(there, "file"), NULL, "EACCES", 0 },
		{ "truncate", in(there, "file"), NULL, "EACCES", 3 },
	};

	NEEDS_LANDLOCK();
	CHECK_ACTS(LIST("--mode", "read-only", "--"), acts);
	CHECK(!file_exists("new") && !file_exists("directory") && !file_exists(in(there, "new")));
	CHECK_STR(file_read(in(there, "file")), check_abi() >= 3 ? "content" : "");
}

TEST(read_only_cannot_write_shared_memory)
{
	const char *new = stray("/dev/shm");

	NEEDS_LANDLOCK();
	if (access("/dev/shm", W_OK) != 0)
		SKIP("there is no /dev/shm that can be written");
	CHECK_ACT(LIST("--mode", "read-only", "--"), "create", new, NULL, "EACCES", 0);
	CHECK_ACT(LIST("--mode", "workspace-write", "--"), "create", new, NULL, "EACCES", 0);
	CHECK(!file_exists(new));
}

TEST(workspace_write_writes_the_workspace_tmp_and_dev_null_alone)
{
	const char *there = outside(), *elsewhere = check_format("%s", outside());
	const char *scratch = stray("/tmp");
	const struct act acts[] = {
		{ "create", in(there, "new"), NULL, "ok", 0 },
		{ "write", in(there, "file"), NULL, "ok", 0 },
		{ "mkdir", in(there, "directory"), NULL, "ok", 0 },
		{ "rename", in(there, "new"), in(there, "directory/moved"), "ok", 0 },
		{ "create", scratch, NULL, "ok", 0 },
		{ "unlink", scratch, NULL, "ok", 0 },
		{ "write", "/dev/null", NULL, "ok", 0 },
		{ "read", in(elsewhere, "file"), NULL, "ok", 0 },
		{ "write", in(elsewhere, "file"), NULL, "EACCES", 0 },
		{ "create", in(elsewhere, "new"), NULL, "EACCES", 0 },
		{ "write", "/dev/zero", NULL, "EACCES", 0 },
	};

	NEEDS_ABI(2);
	CHECK_ACTS(LIST("--mode", "workspace-write", "--workspace", there, "--"), acts);
	CHECK_STR(file_read(in(there, "directory/moved")), "x");
	CHECK_STR(file_read(in(there, "file")), "contentx");
	CHECK_STR(file_read(in(elsewhere, "file")), "content");
	CHECK(!file_exists(in(elsewhere, "new")));
}

TEST(the_workspace_is_the_current_directory_by_default)
{
	const char *there = outside(), *elsewhere = check_format("%s", outside());
	struct run run = { .cwd = there };

	NEEDS_LANDLOCK();
	RUN(&run, "--mode", "workspace-write", "--", SELF("act"), "create", "new", "create",
	    in(elsewhere, "new"));
	CHECK_END(&run, 0);
	CHECK_STR(run.output.text, "ok\nEACCES\n");
	CHECK(file_exists(in(there, "new")) && !file_exists(in(elsewhere, "new")));
	/* Given, it replaces the default. */
	RUN(&run, "--mode", "workspace-write", "--workspace", elsewhere, "--", SELF("act"),
	    "create", "newer", "create", in(elsewhere, "newer"));
	CHECK_STR(run.output.text, "EACCES\nok\n");
	CHECK(!file_exists(in(there, "newer")) && file_exists(in(elsewhere, "newer")));
}

TEST(a_workspace_may_be_written_in_any_way)
{
	static const char *const names[] = { "with spaces", "\xc3\xa4\xe2\x82\xac",
					     "new\nline",   "--",
					     "-c",          "=" };
	const char *there = outside();

	NEEDS_LANDLOCK();
	for (size_t i = 0; i < COUNT(names); i++) {
		const char *const spellings[] = { in(there, names[i]), names[i],
						  check_format("./%s/", names[i]) };

		REQUIRE(mkdir(in(there, names[i]), 0755) == 0);
		for (size_t k = 0; k < COUNT(spellings); k++) {
			struct run run = { .cwd = there };

			check_row("%s", spellings[k]);
			RUN(&run, "--workspace", spellings[k], "--mode", "workspace-write", "--",
			    SELF("act"), "create", check_format("%s/%zu", names[i], k), "create",
			    "new");
			CHECK_END(&run, 0);
			CHECK_STR(run.output.text, "ok\nEACCES\n");
			CHECK(!file_exists(in(there, "new")));
		}
	}
}

TEST(a_workspace_that_cannot_be_opened_is_named_and_the_command_does_not_run)
{
	static const char *const names[] = { "missing", "file", "", "file/x", "dangling" };

	NEEDS_LANDLOCK();
	file_write("file", "", 0644);
	REQUIRE(symlink("missing", "dangling") == 0);
	for (size_t i = 0; i < COUNT(names); i++) {
		struct run run = { 0 };

		check_row("%s", names[i]);
		RUN(&run, "--mode", "workspace-write", "--workspace", names[i], "--", SELF("act"),
		    "create", "ran");
		CHECK_FATAL(&run, check_format("cannot open rule path: %s: ", names[i]));
		CHECK(!file_exists("ran") && !file_exists("missing"));
	}
}

TEST(the_other_modes_accept_a_workspace_and_do_not_open_it)
{
	static const char *const modes[] = { "read-only", "danger-full-access" };

	NEEDS_LANDLOCK();
	for (size_t i = 0; i < COUNT(modes); i++) {
		struct run run = { 0 };

		check_row("%s", modes[i]);
		RUN(&run, "--mode", modes[i], "--workspace", "/nonexistent", "--", SELF("end"),
		    "6");
		CHECK_END(&run, 6);
		RUN(&run, "--workspace", ".", "--mode", modes[i], "--", SELF("act"), "create",
		    modes[i]);
		CHECK_STR(run.output.text, i ? "ok\n" : "EACCES\n");
	}
}

TEST(further_grants_add_to_a_mode)
{
	const char *there = outside();
	struct run run = { 0 };

	NEEDS_LANDLOCK();
	RUN(&run, "--mode", "read-only", "--rw", there, "--", SELF("act"), "create",
	    in(there, "new"), "create", "new");
	CHECK_STR(run.output.text, "ok\nEACCES\n");
	RUN(&run, "--rw", in(there, "file"), "--mode", "workspace-write", "--workspace", ".",
	    "--rw", "/dev/zero", "--ro", "/", "--", SELF("act"), "write", in(there, "file"),
	    "create", in(there, "newer"), "create", "new", "write", "/dev/zero");
	CHECK_STR(run.output.text, "ok\nEACCES\nok\nok\n");
}

TEST(a_mode_and_its_grants_spelled_out_are_the_same)
{
	const char *there = outside();
	const struct {
		const char *const *mode, *const *grants;
	} pairs[] = {
		{ LIST("--mode", "read-only"), LIST("--ro", "/", "--rw", "/dev/null") },
		{ LIST("--mode", "workspace-write", "--workspace", there),
		  LIST("--ro", "/", "--rw", "/dev/null", "--rw", "/tmp", "--rw", there) },
	};
	const char *const *const acts =
		LIST("--", SELF("act"), "create", in(there, "a"), "unlink", in(there, "a"),
		     "create", "b", "unlink", "b", "write", "/dev/null", "write", "/dev/full",
		     "list", "/", "execute", check_launcher(), "mkfifo", in(there, "f"), "unlink",
		     in(there, "f"), "ioctl", "/dev/urandom", "chdir", there);

	NEEDS_LANDLOCK();
	for (size_t i = 0; i < COUNT(pairs); i++) {
		struct run mode = { 0 }, grants = { 0 };

		run_launcher(&mode, joined(LIST(check_launcher()), joined(pairs[i].mode, acts)));
		run_launcher(&grants,
			     joined(LIST(check_launcher()), joined(pairs[i].grants, acts)));
		CHECK_END(&mode, 0);
		CHECK_STR(mode.output.text, grants.output.text);
		CHECK_STR(mode.errors.text, grants.errors.text);
	}
}

TEST(danger_full_access_confines_nothing_and_says_nothing)
{
	struct run run = { 0 };

	RUN(&run, "--mode", "danger-full-access", "--", SELF("act"), "create", "new");
	CHECK_END(&run, 0);
	CHECK_STR(run.output.text, "ok\n");
	CHECK_STR(run.errors.text, "");
	CHECK(file_exists("new"));
	RUN(&run, "--mode", "danger-full-access", "--", SELF("status_line"), "NoNewPrivs");
	CHECK_STR(run.output.text, "0\n");
}

/* ---- The shell ---- */

#define CHECK_SHELL(run, status, wanted) \
	do { \
		CHECK_END(run, status); \
		CHECK_STR((run)->output.text, wanted); \
		CHECK_SAID(run, ""); \
	} while (0)

TEST(a_script_is_what_bash_makes_of_it)
{
	struct run run = { 0 };

	NEEDS_LANDLOCK();
	needs_bash();
	RUN(&run, "--mode", "read-only", "-c", "echo \"[$0]\" \"[$#]\"");
	CHECK_SHELL(&run, 0, "[bash] [0]\n");
	RUN(&run, "--mode", "read-only", "-c", "printf '[%s]' \"$0\" \"$@\"", "name", "", "b c",
	    "--ro", "--", "-c");
	CHECK_SHELL(&run, 0, "[name][][b c][--ro][--][-c]");
	RUN(&run, "--mode", "read-only", "-c", "[[ -n $BASH_VERSION ]] && exit 45");
	CHECK_SHELL(&run, 45, "");
	RUN(&run, "--mode", "read-only", "-c", "kill -9 $$");
	CHECK_SHELL(&run, -9, "");
	RUN(&run, "--mode", "read-only", "-c", "");
	CHECK_SHELL(&run, 0, "");
	RUN(&run, "--mode", "read-only", "-c", "exit 125");
	CHECK_SHELL(&run, 125, "");
}

TEST(a_script_is_confined)
{
	const char *there = outside();
	struct run run = { .cwd = there };

	NEEDS_LANDLOCK();
	needs_bash();
	RUN(&run, "--mode", "read-only", "-c",
	    "echo x 2>/dev/null >new; echo $?; read -r line <file; echo $line");
	CHECK_END(&run, 0);
	CHECK_STR(run.output.text, "1\ncontent\n");
	CHECK(!file_exists(in(there, "new")));
	RUN(&run, "--mode", "workspace-write", "-c", "echo x >new && echo written");
	CHECK_SHELL(&run, 0, "written\n");
	CHECK_STR(file_read(in(there, "new")), "x\n");
	/* A denial is told so that consumers see one: not zero, and these words. */
	RUN(&run, "--mode", "read-only", "-c", "echo x >newer");
	CHECK_END(&run, 1);
	CHECK_CONTAINS(run.errors.text, "Permission denied");
	CHECK(!file_exists(in(there, "newer")));
}

TEST(without_a_command_bash_reads_what_stdin_says)
{
	static const char *const modes[] = { "read-only", "workspace-write", "danger-full-access" };

	NEEDS_LANDLOCK();
	needs_bash();
	for (size_t i = 0; i < COUNT(modes); i++) {
		struct run run = { .input = "echo \"[$0]\" \"[$#]\"\n(exit 7)\n" };

		check_row("%s", modes[i]);
		RUN(&run, "--mode", modes[i]);
		CHECK_END(&run, 7);
		CHECK_STR(run.output.text, "[bash] [0]\n");
	}
}

TEST(the_script_of_bash_env_is_confined_too)
{
	struct run run = { .env = LIST("PATH=/bin:/usr/bin", "BASH_ENV=./env") };

	NEEDS_LANDLOCK();
	needs_bash();
	file_write("env", "echo x 2>/dev/null >made || echo refused\n", 0644);
	RUN(&run, "--mode", "read-only", "-c", "echo script");
	CHECK_END(&run, 0);
	CHECK_STR(run.output.text, "refused\nscript\n");
	CHECK(!file_exists("made"));
}

/* Another launcher in bash's place tells what it was given. */
TEST(bash_is_found_on_path)
{
	const struct {
		const char *const *words;
		const char *said;
	} rows[] = {
		{ LIST("--mode", "read-only"), "usage error: missing `-- <argv>...` command" },
		{ LIST("--mode", "workspace-write", "--workspace", "."),
		  "usage error: missing `-- <argv>...` command" },
		{ LIST("--mode", "read-only", "-c", "script"), "usage error: -c needs " },
		{ LIST("--mode", "danger-full-access", "-c", "script"), "usage error: -c needs " },
	};

	NEEDS_LANDLOCK();
	REQUIRE(symlink(check_launcher(), "bash") == 0);
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct run run = { .env = LIST("PATH=/nowhere:.") };

		check_row("%zu", i);
		run_launcher(&run, joined(LIST(check_launcher()), rows[i].words));
		CHECK_END(&run, FAILURE);
		CHECK_CONTAINS(run.errors.text, rows[i].said);
	}
}

TEST(a_missing_bash_is_named)
{
	struct run run = { .env = LIST("PATH=/nowhere") };

	NEEDS_LANDLOCK();
	RUN(&run, "--mode", "read-only");
	CHECK_EXEC_FAILED(&run, "exec failed: bash: ");
	RUN(&run, "--mode", "read-only", "-c", "echo");
	CHECK_EXEC_FAILED(&run, "exec failed: bash: ");
}

TEST(the_script_of_c_may_look_like_an_option)
{
	struct run run = { 0 };

	NEEDS_LANDLOCK();
	needs_bash();
	RUN(&run, "--mode", "read-only", "-c", "--");
	CHECK_LACKS(run.errors.text, PREFIX "usage");
	RUN(&run, "--mode", "read-only", "-c", "echo $0", "--probe");
	CHECK_SHELL(&run, 0, "--probe\n");
}

/* ---- A person at a terminal ---- */

static int terminal; /* the side of the person */

static void take_terminal(const struct run *run)
{
	int fd;

	(void)run;
	setsid();
	fd = open(ptsname(terminal), O_RDWR);
	if (fd < 0 || ioctl(fd, TIOCSCTTY, 0) != 0 || dup2(fd, 0) < 0 || dup2(fd, 1) < 0 ||
	    dup2(fd, 2) < 0)
		_exit(97);
	if (fd > 2)
		close(fd);
}

/* Reads until that has been seen; all that was read. */
static const char *read_until(const char *wanted, const char *seen)
{
	struct pollfd waiting = { terminal, POLLIN, 0 };
	char bytes[4096];

	while (strstr(seen, wanted) == NULL && poll(&waiting, 1, 30000) == 1) {
		ssize_t length = read(terminal, bytes, sizeof bytes - 1);

		if (length <= 0)
			break;
		bytes[length] = '\0';
		seen = check_format("%s%s", seen, bytes);
	}
	CHECK_CONTAINS(seen, wanted);
	return seen;
}

static void type(const char *line)
{
	CHECK_INT(write(terminal, line, strlen(line)), (long long)strlen(line));
}

TEST(bash_at_a_terminal_is_interactive_confined_and_has_job_control)
{
	struct run run = { .prepare = take_terminal,
			   .env = LIST("PATH=/bin:/usr/bin:/usr/local/bin", "HOME=/nonexistent",
				       "TERM=dumb") };
	const char *seen = "";

	NEEDS_LANDLOCK();
	needs_bash();
	terminal = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (terminal < 0 || grantpt(terminal) != 0 || unlockpt(terminal) != 0)
		SKIP("there is no pseudo-terminal");
	run_start(&run, check_launcher(), LIST(check_launcher(), "--mode", "read-only"));
	type("PS1='ready'\"> \"\n");
	seen = read_until("ready> ", seen);
	type("echo $((6 * 7)) ${-//[^im]/}\n");
	seen = read_until("42 im", seen);
	type("echo x >new; echo status $?\n");
	seen = read_until("status 1", seen);
	/* A stopped job comes back: the terminal is bash's to give away. */
	type("bash -c 'kill -STOP $$; echo \"conti\"nued'\n");
	seen = read_until("Stopped", seen);
	type("fg\n");
	seen = read_until("continued", seen);
	type("exit 5\n");
	run_finish(&run);
	CHECK_END(&run, 5);
	CHECK_LACKS(seen, "no job control");
	CHECK_LACKS(seen, "cannot set terminal");
	CHECK(!file_exists("new"));
}
