/* Situations that users of such launchers reported, as they met them: a shell, a command line, and
 * what must come of it. Commands are bash's own or this program's helpers, so that they mean the
 * same everywhere. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "launch.h"

#define READ_ONLY "--ro", "/", "--rw", "/dev/null"

/* A line of bash in which `act` and `end` are helpers of this program. */
static const char *script(const char *line)
{
	return check_format(
		"act() { '%s' --helper act \"$@\"; }; helper() { '%s' --helper \"$@\"; }; %s",
		check_self(), check_self(), line);
}

static const char *workspace(void)
{
	return check_format("%s", check_outside_tmp());
}

/* ---- The reference consumer's launches ---- */

static void be_detached(const struct run *run)
{
	(void)run;
	setsid();
}

TEST(a_consumers_read_only_command_reads_and_is_seen_to_be_denied)
{
	struct run run = { .prepare = be_detached };

	NEEDS_LANDLOCK();
	needs_bash();
	RUN(&run, READ_ONLY, "--", "bash", "-c", "echo /* >/dev/null && echo listed");
	CHECK_END(&run, 0);
	CHECK_STR(run.output.text, "listed\n");
	CHECK_SAID(&run, "");
	RUN(&run, READ_ONLY, "--", "bash", "-c", "echo x >denied");
	CHECK(run_end(&run) > 0 && run_end(&run) != FAILURE);
	CHECK_CONTAINS(run.errors.text, "Permission denied");
	CHECK(!file_exists("denied"));
}

TEST(a_consumers_workspace_may_hold_spaces_and_utf_8)
{
	const char *directory = check_format("%s/a b \xc3\xa4 $x", workspace());
	struct run run = { .prepare = be_detached, .cwd = directory };

	NEEDS_LANDLOCK();
	needs_bash();
	REQUIRE(mkdir(directory, 0755) == 0);
	RUN(&run, READ_ONLY, "--rw", "/tmp", "--rw", directory, "--", "bash", "-c",
	    "echo content >file && echo done");
	CHECK_END(&run, 0);
	CHECK_STR(run.output.text, "done\n");
	CHECK_STR(file_read(check_format("%s/file", directory)), "content\n");
}

/* Exit 125 and a line with the prefix is what a consumer takes for a failure of the launcher: a
 * command's own 125 has no line. */
TEST(a_commands_own_125_has_no_line_that_a_consumer_could_mistake)
{
	struct run run = { 0 };

	NEEDS_LANDLOCK();
	needs_bash();
	RUN(&run, READ_ONLY, "--", "bash", "-c", "echo some error >&2; exit 125");
	CHECK_END(&run, FAILURE);
	CHECK_SAID(&run, "some error\n");
}

/* ---- By number, as they are listed ---- */

TEST(scenario_01_files_move_between_directories_of_the_workspace)
{
	const char *directory = workspace();
	struct run run = { .cwd = directory };

	NEEDS_ABI(2);
	needs_bash();
	RUN(&run, READ_ONLY, "--rw", directory, "--", "bash", "-c",
	    script("act mkdir a mkdir b && echo x >a/f && act rename a/f b/f link b/f a/g"));
	CHECK_END(&run, 0);
	CHECK_STR(run.output.text, "ok\nok\nok\nok\n");
	CHECK_STR(file_read(check_format("%s/b/f", directory)), "x\n");
	CHECK_STR(file_read(check_format("%s/a/g", directory)), "x\n");
}

TEST(scenario_01_at_abi_1_the_plan_says_so_and_require_refuses)
{
	const char *const *start = LIST(check_launcher());
	struct run run = { 0 };

	NEEDS_LANDLOCK();
	if (simulator() == NULL)
		SKIP("needs the simulator");
	run_command(&run, claiming(1, joined(start, LIST("--dry-run", READ_ONLY, "--", "true"))));
	CHECK_END(&run, 0);
	CHECK_CONTAINS(run.output.text, "\"ungoverned\":[\"refer\",");
	run_command(&run, claiming(1, joined(start,
					     LIST("--require", "refer", READ_ONLY, "--", "true"))));
	CHECK_END(&run, FAILURE);
	CHECK_PREFIX(run.errors.text, PREFIX "landlock is not enforced by this kernel (refer: ");
	/* Over-restricted, not open: a kernel that has only this much denies such a rename whatever
	 * is granted. */
	CHECK_CONTAINS(run.errors.text, "ABI 2, Linux 5.19");
}

TEST(scenario_02_a_missing_path_is_named_skipped_or_never_skipped)
{
	struct run run = { 0 };

	NEEDS_LANDLOCK();
	RUN(&run, "--ro", "/", "--rw", "/nope", "--", SELF("end"));
	CHECK_FATAL(&run, "cannot open rule path: /nope: ");
	RUN(&run, "--ro", "/", "--ro-try", "/nope", "--", SELF("end"), "2");
	CHECK_END(&run, 2);
	RUN(&run, "--rw-try", "/nope", "--ro", "/", "--", SELF("end"));
	CHECK_FATAL(&run, "usage error: unknown argument: --rw-try");
	CHECK(!file_exists("/nope"));
}

TEST(scenario_03_devices_and_shared_memory)
{
	struct run run = { 0 };

	NEEDS_LANDLOCK();
	needs_bash();
	RUN(&run, READ_ONLY, "--", "bash", "-c", "echo x 2>/dev/null >/dev/zero || echo denied");
	CHECK_CONTAINS(run.output.text, "denied\n");
	RUN(&run, "--mode", "workspace-write", "--devices", "--", "bash", "-c",
	    "echo x >/dev/zero && echo written");
	CHECK_END(&run, 0);
	CHECK_STR(run.output.text, "written\n");
	if (access("/dev/shm", W_OK) != 0)
		return;
	/* As multiprocessing.Lock() does. */
	const char *name = stray("/dev/shm");
	const struct act acts[] = { { "create", name, NULL, "ok", 0 },
				    { "unlink", name, NULL, "ok", 0 } };

	CHECK_ACTS(LIST(READ_ONLY, "--rw", "/dev/shm", "--"), acts);
}

TEST(scenario_04_a_command_that_cannot_start_names_the_culprit)
{
	struct run run = { 0 };

	NEEDS_LANDLOCK();
	REQUIRE(mkdir("bin", 0755) == 0 && symlink(check_self(), "bin/shim") == 0);
	file_write("bin/script", "#!/opt/nowhere/python3\n", 0755);
	RUN(&run, "--ro", "bin", "--", "bin/script");
	CHECK_EXEC_FAILED(&run, "exec failed: bin/script: ");
	CHECK_CONTAINS(run.errors.text, "/opt/nowhere/python3");
	RUN(&run, "--ro", "bin", "--", "bin/shim");
	CHECK_EXEC_FAILED(&run, "exec failed: bin/shim: ");
	CHECK_CONTAINS(run.errors.text, check_self());
	CHECK_CONTAINS(run.errors.text, "not granted");
}

static int status_ends[2];

static void give_status(const struct run *run)
{
	(void)run;
	if (dup2(status_ends[1], 9) < 0)
		_exit(97);
}

TEST(scenario_05_a_forged_line_is_told_by_the_status_descriptor)
{
	struct run run = { .prepare = give_status };
	const char *status;

	NEEDS_LANDLOCK();
	needs_bash();
	REQUIRE(pipe2(status_ends, O_CLOEXEC) == 0);
	RUN(&run, "--status-fd", "9", READ_ONLY, "--", "bash", "-c",
	    "echo 'landlock-run: fake' >&2; echo '{\"landlock-run\":1,\"event\":\"failed\"}' >&9; "
	    "exit 125");
	close(status_ends[1]);
	status = descriptor_read(status_ends[0]).text;
	CHECK_END(&run, FAILURE);
	CHECK_HAS_LINE(run.errors.text, "landlock-run: fake");
	CHECK_CONTAINS(status, "\"event\":\"confined\"");
	CHECK_LACKS(status, "failed");
}

static void open_outside(const struct run *run)
{
	(void)run;
	if (dup2(open("outside", O_WRONLY | O_CREAT | O_APPEND, 0644), 9) < 0)
		_exit(97);
}

TEST(scenario_06_an_open_file_leaks_unless_descriptors_are_closed)
{
	struct run run = { .prepare = open_outside };

	NEEDS_LANDLOCK();
	needs_bash();
	RUN(&run, "--close-fds", READ_ONLY, "--", "bash", "-c", "echo leak >&9");
	CHECK_END(&run, 1);
	CHECK_CONTAINS(run.errors.text, "Bad file descriptor");
	CHECK_STR(file_read("outside"), "");
	RUN(&run, "--close-fds", "--keep-fd", "9", READ_ONLY, "--", "bash", "-c", "echo leak >&9");
	CHECK_END(&run, 0);
	CHECK_STR(file_read("outside"), "leak\n");
}

TEST(scenario_07_a_process_and_an_abstract_socket_outside_are_out_of_reach)
{
	const char *pid = check_format("%d", getpid());
	struct run run = { 0 };

	NEEDS_ABI(6);
	needs_bash();
	RUN(&run, READ_ONLY, "--scope", "signal", "--", "bash", "-c",
	    /* No function in the background: its shell would be killed and its command be left. */
	    script(check_format("act kill %s; '%s' --helper wait & kill $! && wait $!; echo $?",
				pid, check_self())));
	CHECK_CONTAINS(run.output.text, "EPERM\n");
	CHECK_CONTAINS(run.output.text, "143\n");
	RUN(&run, READ_ONLY, "--", "bash", "-c", script(check_format("act kill %s", pid)));
	CHECK_STR(run.output.text, "ok\n");
}

TEST(scenario_07_a_kernel_that_cannot_refuses_by_name)
{
	struct run run = { 0 };

	NEEDS_LANDLOCK();
	if (check_abi() >= 9)
		SKIP("this kernel can");
	RUN(&run, READ_ONLY, "--resolve-unix", "none", "--", SELF("act"), "create", "ran");
	CHECK_FATAL(
		&run,
		"landlock is not enforced by this kernel (resolve-unix: needs ABI 9, Linux 7.1; ");
	CHECK(!file_exists("ran"));
}

TEST(scenario_08_metadata_is_refused_by_the_guard_alone)
{
	struct run run = { 0 };
	struct stat status;

	NEEDS_LANDLOCK();
	needs_guards();
	needs_bash();
	file_write("file", "", 0600);
	RUN(&run, READ_ONLY, "--", "bash", "-c", script("act touch file chmod file chown file"));
	CHECK_STR(run.output.text, "ok\nok\nok\n");
	REQUIRE(stat("file", &status) == 0);
	CHECK_INT(status.st_mode & 07777, 0777);
	RUN(&run, READ_ONLY, "--guard", "metadata", "--", "bash", "-c",
	    script("act touch file chmod file chown file setxattr file"));
	CHECK_STR(run.output.text, "EACCES\nEACCES\nEACCES\nEACCES\n");
}

TEST(scenario_10_the_seventeenth_launch_says_that_the_limit_is_sixteen)
{
	const char *line = check_format("'%s' --ro / -- ", check_launcher()), *all = "";
	struct run run = { 0 };

	NEEDS_ABI(2);
	needs_bash();
	for (int i = 0; i < 16; i++)
		all = check_format("%s%s", all, line);
	RUN(&run, "--ro", "/", "--", "bash", "-c", check_format("%s echo unreachable", all));
	CHECK_END(&run, FAILURE);
	CHECK_STR(run.output.text, "");
	CHECK_CONTAINS(run.errors.text, "limit 16");
}

TEST(scenario_11_binding_and_connecting_are_governed_apart)
{
	struct run run = { 0 };

	NEEDS_ABI(4);
	needs_bash();
	/* Nobody listens on the discard port, which is told by another error than a denial. */
	RUN(&run, READ_ONLY, "--bind-tcp", "none", "--", "bash", "-c",
	    script("act bind-tcp 0 connect-tcp 9"));
	CHECK_STR(run.output.text, "EACCES\nECONNREFUSED\n");
	RUN(&run, READ_ONLY, "--connect-tcp", "443", "--", "bash", "-c",
	    script("act bind-tcp 0 connect-tcp 9"));
	CHECK_STR(run.output.text, "ok\nEACCES\n");
}

TEST_WITHIN(scenario_12_a_fifo_as_a_grant_neither_hangs_nor_fails, 30)
{
	struct run run = { .seconds = 20 };

	NEEDS_LANDLOCK();
	REQUIRE(mkfifo("fifo", 0644) == 0);
	RUN(&run, READ_ONLY, "--rw", "fifo", "--ro", "fifo", "--", SELF("end"), "4");
	CHECK_END(&run, 4);
	CHECK_SAID(&run, "");
}

/* The first process of a container: starts its arguments and ends as they do. */
HELPER(first_process)
{
	int status;
	pid_t child;

	if (argc < 2 || unshare(CLONE_NEWPID) != 0)
		return 77;
	child = fork();
	if (child == 0) {
		/* PID 1 here; its child is the launcher. */
		pid_t launcher = getpid() == 1 ? fork() : -1;

		if (launcher == 0) {
			execv(argv[1], argv + 1);
			_exit(99);
		}
		if (launcher < 0 || waitpid(launcher, &status, 0) != launcher)
			_exit(98);
		_exit(WIFEXITED(status) ? WEXITSTATUS(status) : 97);
	}
	return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status)
		       ? WEXITSTATUS(status)
		       : 96;
}

TEST(scenario_13_a_launcher_whose_parent_is_pid_1_still_runs)
{
	struct run run = { 0 };

	NEEDS_LANDLOCK();
	RUN_COMMAND(&run, SELF("first_process"), check_launcher(), "--die-with-parent", "--ro", "/",
		    "--", SELF("end"), "5");
	if (run_end(&run) == 77)
		SKIP("needs the right to make a PID namespace");
	CHECK_END(&run, 5);
	CHECK_SAID(&run, "");
}

TEST(scenario_16_a_partial_launch_says_exactly_one_line_whatever_is_asked)
{
	const int abi = needs_partial();
	struct run run = { .prepare = give_status };
	const char *status;

	needs_bash();
	REQUIRE(pipe2(status_ends, O_CLOEXEC) == 0);
	run_command(&run, claiming(abi, LIST(check_launcher(), "--status-fd", "9", "--best-effort",
					     READ_ONLY, "--scope", "signal", "--connect-send-udp",
					     "none", "--resolve-unix", "none", "--", "bash", "-c",
					     "echo command >&2")));
	close(status_ends[1]);
	status = descriptor_read(status_ends[0]).text;
	CHECK_END(&run, 0);
	CHECK_STR(run.errors.text, NOTICE "\ncommand\n");
	/* Everything else is in the record. */
	CHECK_CONTAINS(status,
		       "\"ioctl-dev\",\"resolve-unix\",\"connect-send-udp\",\"signal\"]}\n");
}

TEST(scenario_09_three_causes_have_three_remedies)
{
	static const struct {
		const char *claimed, *cause, *remedy;
	} rows[] = {
		{ "ENOSYS", "not built in", "CONFIG_SECURITY_LANDLOCK" },
		{ "EOPNOTSUPP", "disabled at boot", "lsm=" },
		{ "EPERM", "blocked by a seccomp profile", "allow landlock_create_ruleset" },
	};

	if (!simulator())
		SKIP("the simulator is not here, or this is a guest");
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct run run = { 0 };

		check_row("%s", rows[i].claimed);
		RUN_COMMAND(&run, simulator(), "--abi", rows[i].claimed, "--", check_launcher(),
			    "--probe");
		CHECK_FATAL(&run, "landlock is not enforced by this kernel (");
		CHECK_CONTAINS(run.errors.text, rows[i].cause);
		CHECK_CONTAINS(run.errors.text, rows[i].remedy);
	}
}

/* That each costs three calls and no more is counted in binary.c; here that ten thousand work. */
TEST_WITHIN(scenario_14_ten_thousand_grants_are_granted, 120)
{
	enum { GRANTS = 10000 };
	const char *argv[2 * GRANTS + 8];
	struct run run = { .seconds = 100 };
	size_t count = 0;

	NEEDS_LANDLOCK();
	REQUIRE(mkdir("d", 0755) == 0 && mkdir("last", 0755) == 0);
	argv[count++] = check_launcher();
	argv[count++] = "--ro";
	argv[count++] = "/";
	for (int i = 0; i < GRANTS - 1; i++) {
		argv[count++] = "--ro";
		argv[count++] = "d";
	}
	argv[count++] = "--rw";
	argv[count++] = "last";
	argv[count++] = "--";
	argv[count] = NULL;
	run_launcher(&run, joined(argv, LIST(SELF("act"), "create", "last/new")));
	CHECK_END(&run, 0);
	CHECK_SAID(&run, "");
	CHECK(file_exists("last/new"));
}

TEST(scenario_15_a_kernel_that_refuses_a_right_of_its_abi_is_partial)
{
	struct run run = { 0 };

	if (!simulator() || check_abi() < 5)
		SKIP("the simulator is not here, or this kernel has too little to refuse");
	RUN_COMMAND(&run, simulator(), "--abi", "5", "--refuse", "ioctl-dev", "--",
		    check_launcher(), READ_ONLY, "--rw", ".", "--", SELF("act"), "create", "new");
	CHECK_END(&run, 0);
	CHECK_STR(run.errors.text, NOTICE "\n");
	CHECK(file_exists("new"));
}
