/* The bwrap front: the harness's two profiles by their effects on disk, and everything else refused
 * by name. No test here may need bubblewrap itself. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "launch.h"

#define WAIVED "bwrap", "--share-pids", "--share-tmp"
#define PROFILE \
	"--ro-bind", "/", "/", "--dev", "/dev", "--unshare-pid", "--proc", "/proc", \
		"--die-with-parent"
#define REFUSED "usage error: bwrap "
#define RAN "--", SELF("act"), "create", "ran"

/* The front is strict: it needs every right that it promises, signals (ABI 6) included. */
#define NEEDS_THE_WHOLE() NEEDS_ABI(6)

static const char *in_sandbox(const char *path)
{
	return check_format("%s/%s", check_outside_tmp(), path);
}

TEST(the_bwrap_read_only_profile_reads_and_changes_nothing)
{
	const char *file = in_sandbox("file");
	const struct act acts[] = {
		{ "read", file, NULL, "ok", 0 },
		{ "write", file, NULL, "EACCES", 0 },
		{ "unlink", file, NULL, "EACCES", 0 },
		{ "create", check_format("%s.new", file), NULL, "EACCES", 0 },
		{ "write", "/dev/null", NULL, "ok", 0 },
		{ "create", "/tmp/landlock-run-bwrap-test", NULL, "EACCES", 0 },
	};

	NEEDS_THE_WHOLE();
	needs_guards();
	file_write(file, "content", 0644);
	CHECK_ACTS(LIST("bwrap", "--share-pids", PROFILE, "--"), acts);
	CHECK_STR(file_read(file), "content");
}

TEST(the_bwrap_read_only_profile_guards_metadata_and_the_other_does_not)
{
	struct run run = { 0 };
	struct stat status;
	const char *place = check_outside_tmp(), *file = check_format("%s/file", place);

	NEEDS_THE_WHOLE();
	needs_guards();
	file_write(file, "content", 0644);
	RUN(&run, "bwrap", "--share-pids", PROFILE, "--", SELF("change_mode"), file);
	CHECK_END(&run, 1);
	REQUIRE(stat(file, &status) == 0);
	CHECK_INT(status.st_mode & 0777, 0644);
	RUN(&run, WAIVED, PROFILE, "--tmpfs", "/tmp", "--bind", place, place, "--",
	    SELF("change_mode"), file);
	CHECK_END(&run, 0);
	REQUIRE(stat(file, &status) == 0);
	CHECK_INT(status.st_mode & 0777, 0600);
}

HELPER(change_mode)
{
	return argc == 2 && chmod(argv[1], 0600) == 0 ? 0 : 1;
}

TEST(the_bwrap_workspace_profile_changes_the_workspace_and_tmp_alone)
{
	const char *outside = check_outside_tmp(),
		   *workspace = check_format("%s/workspace", outside);
	const char *scratch = check_format("/tmp/landlock-run-bwrap-%d", (int)getpid());
	const struct act acts[] = {
		{ "create", check_format("%s/new", workspace), NULL, "ok", 0 },
		{ "create", scratch, NULL, "ok", 0 },
		{ "create", check_format("%s/new", outside), NULL, "EACCES", 0 },
	};

	NEEDS_THE_WHOLE();
	check_remove_later(scratch);
	REQUIRE(mkdir(workspace, 0755) == 0);
	CHECK_ACTS(LIST(WAIVED, PROFILE, "--tmpfs", "/tmp", "--bind", workspace, workspace, "--"),
		   acts);
	CHECK(file_exists(check_format("%s/new", workspace)));
	CHECK(!file_exists(check_format("%s/new", outside)));
}

TEST(a_bwrap_command_cannot_signal_what_it_did_not_start)
{
	struct run run = { 0 };

	NEEDS_THE_WHOLE();
	needs_guards();
	RUN(&run, "bwrap", "--share-pids", PROFILE, "--", SELF("signal_parent"));
	CHECK_END(&run, 1);
}

HELPER(signal_parent)
{
	return kill(getppid(), 0) == 0 ? 0 : 1;
}

TEST(bwrap_passes_the_command_its_status_and_says_nothing)
{
	struct run run = { 0 };

	NEEDS_THE_WHOLE();
	needs_guards();
	RUN(&run, "bwrap", "--share-pids", PROFILE, "--", SELF("end_with"), "125");
	CHECK_END(&run, 125);
	CHECK_STR(run.errors.text, "");
	CHECK_STR(run.output.text, "");
}

HELPER(end_with)
{
	return argc == 2 ? atoi(argv[1]) : 99;
}

TEST(bwrap_changes_the_directory_and_passes_over_a_missing_try)
{
	struct run run = { 0 };
	const char *place = check_outside_tmp();

	NEEDS_THE_WHOLE();
	RUN(&run, "bwrap", "--ro-bind", "/", "/", "--ro-bind-try", "/nowhere/at/all",
	    "/nowhere/at/all", "--bind-try", "/nowhere/too", "/nowhere/too", "--bind", place, place,
	    "--chdir", place, "--", SELF("act"), "create", "here");
	CHECK_END(&run, 0);
	CHECK(file_exists(check_format("%s/here", place)));
	CHECK(!file_exists("here"));
}

TEST(bwrap_says_that_a_directory_to_change_to_is_missing)
{
	struct run run = { 0 };

	RUN(&run, "bwrap", "--ro-bind", "/", "/", "--chdir", "/nowhere/at/all", RAN);
	CHECK_FATAL(&run, "cannot set up the working directory: /nowhere/at/all: ");
	CHECK(!file_exists("ran"));
}

/* A group of its own, as a shell gives to each job; then there is no session to be had without a
 * fork. */
static void be_job(const struct run *run)
{
	(void)run;
	setpgid(0, 0);
}

static void be_detached(const struct run *run)
{
	(void)run;
	setsid();
}

/* Whether the command, which is the launcher's process, leads a session. */
HELPER(lead_a_session)
{
	(void)argc;
	(void)argv;
	return getsid(0) == getpid() ? 0 : 1;
}

TEST(bwrap_new_session_is_made_or_refused_and_never_passed_over)
{
	struct run plain = { 0 }, detached = { .prepare = be_detached },
		   job = { .prepare = be_job };

	NEEDS_THE_WHOLE();
	needs_guards();
	RUN(&plain, "bwrap", "--ro-bind", "/", "/", "--new-session", "--", SELF("lead_a_session"));
	CHECK_END(&plain, 0);
	/* A session without a terminal is just what it would have made. */
	RUN(&detached, "bwrap", "--ro-bind", "/", "/", "--new-session", "--",
	    SELF("lead_a_session"));
	CHECK_END(&detached, 0);
	RUN(&job, "bwrap", "--ro-bind", "/", "/", "--new-session", RAN);
	CHECK_FATAL(&job,
		    REFUSED "--new-session cannot be honoured (this process leads a group)\n");
	CHECK(!file_exists("ran"));
}

TEST(bwrap_refuses_by_name_what_it_cannot_honour)
{
	const struct {
		const char *option;
		const char *const *arguments;
	} refused[] = {
		{ "--unshare-pid", LIST("--ro-bind", "/", "/", "--unshare-pid", RAN) },
		{ "--unshare-pid", LIST("--share-tmp", "--unshare-pid", RAN) },
		{ "--tmpfs", LIST("--share-pids", "--ro-bind", "/", "/", "--tmpfs", "/tmp", RAN) },
		{ "--tmpfs", LIST("--share-tmp", "--tmpfs", "/run", RAN) },
		{ "--share-pids", LIST("--ro-bind", "/", "/", "--share-pids", RAN) },
		{ "--share-tmp", LIST("--ro-bind", "/", "/", "--share-tmp", RAN) },
		{ "--ro-bind", LIST("--ro-bind", "/usr", "/mnt", RAN) },
		{ "--bind", LIST("--bind", "/tmp", "/home", RAN) },
		{ "--ro-bind", LIST("--bind", "/", "/", "--ro-bind", "/etc", "/etc", RAN) },
		{ "--ro-bind-try", LIST("--share-tmp", "--tmpfs", "/tmp", "--ro-bind-try", "/tmp/x",
					"/tmp/x", RAN) },
		{ "--dev", LIST("--dev", "/mnt/dev", RAN) },
		{ "--proc", LIST("--proc", "/mnt/proc", RAN) },
		{ "--unshare-net", LIST("--unshare-net", RAN) },
		{ "--unshare-all", LIST("--unshare-all", RAN) },
		{ "--setenv", LIST("--setenv", "A", "--bind", RAN) },
		{ "--symlink", LIST("--symlink", "/a", "/b", RAN) },
		{ "--dev-bind", LIST("--dev-bind", "/", "/", RAN) },
		{ "--args", LIST("--args", "3", RAN) },
		{ "--seccomp", LIST("--seccomp", "3", RAN) },
		{ "--uid", LIST("--uid", "0", RAN) },
		{ "ls", LIST("--ro-bind", "/", "/", "ls") },
	};

	for (size_t i = 0; i < COUNT(refused); i++) {
		struct run run = { 0 };

		check_row("%zu: %s", i, refused[i].option);
		run_launcher(&run, joined(LIST(check_launcher(), "bwrap"), refused[i].arguments));
		CHECK_FATAL(&run, check_format(REFUSED "%s cannot be honoured", refused[i].option));
		CHECK(!file_exists("ran"));
	}
	check_row(NULL);
}

TEST(bwrap_without_a_command_or_a_value_is_a_usage_error)
{
	struct run run = { 0 };

	RUN(&run, "bwrap");
	CHECK_FATAL(&run, "usage error: missing `-- <argv>...` command\n");
	RUN(&run, "bwrap", "--ro-bind", "/", "/", "--");
	CHECK_FATAL(&run, "usage error: missing `-- <argv>...` command\n");
	RUN(&run, "bwrap", "--ro-bind", "/");
	CHECK_FATAL(&run, "usage error: --ro-bind requires its arguments\n");
	RUN(&run, "bwrap", "--chdir");
	CHECK_FATAL(&run, "usage error: --chdir requires its arguments\n");
}

TEST(bwrap_refuses_an_older_kernel_and_never_prints_the_notice)
{
	struct run run = { 0 };
	const char *const *line = LIST(check_launcher(), "bwrap", "--share-pids", PROFILE, RAN);

	needs_guards();
	if (emulated())
		SKIP("an emulator knows no filters, and the guard is refused first");
	if (check_abi() >= 6 && !simulator())
		SKIP("no older kernel: the simulator is not here");
	run_command(&run, check_abi() >= 6 ? claiming(5, line) : line);
	CHECK_FATAL(&run, "landlock is not enforced by this kernel (");
	CHECK_LACKS(run.errors.text, "partial enforcement");
	CHECK(!file_exists("ran"));
}
