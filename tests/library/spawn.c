/* llr_spawn and llr_confine as their callers see them: what starts, what is denied, and each failure as a value.
 * No test here may leave a process or a descriptor behind; some count them. */
#include <errno.h>
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../check.h"
#include "../program.h"
#include "landlock-run.h"

#define LIST(...) ((char *const[]){ __VA_ARGS__, NULL })
#define ME(helper) (char *)check_self(), (char *)"--helper", (char *)helper

/* Read and execute everywhere, write beneath one directory. */
static void policy_for(struct llr_policy *policy, struct llr_grant grants[3], const char *writable)
{
	grants[0] = (struct llr_grant){ LLR_GRANT_PATH, 0, LLR_READ_EXECUTE, "/", -1, 0 };
	grants[1] = (struct llr_grant){ LLR_GRANT_PATH, 0, LLR_FILE_SET, "/dev/null", -1, 0 };
	grants[2] = (struct llr_grant){ LLR_GRANT_PATH, 0, LLR_FILE_SET, writable, -1, 0 };
	*policy = (struct llr_policy)LLR_POLICY_INIT;
	policy->grants = grants;
	policy->grants_count = writable ? 3 : 2;
}

static struct llr_spawn spawn_of(const struct llr_policy *policy, char *const *argv)
{
	struct llr_spawn spawn = LLR_SPAWN_INIT;

	spawn.policy = policy;
	spawn.argv = argv;
	return spawn;
}

static int end_of(int32_t pid)
{
	int status = -1;

	REQUIRE(pid > 0 && waitpid(pid, &status, 0) == pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

static int open_descriptors(void)
{
	DIR *directory = opendir("/proc/self/fd");
	int count = 0;

	REQUIRE(directory != NULL);
	while (readdir(directory))
		count++;
	closedir(directory);
	return count;
}

/* The start failed with that error, and there is no child left and no descriptor more. */
static void check_refused(const struct llr_spawn *spawn, enum llr_code code, int errnum)
{
	struct llr_error error = { 0 };
	struct llr_result result = LLR_RESULT_INIT;
	int before = open_descriptors();

	errno = 4711;
	CHECK_INT(llr_spawn(spawn, &result, &error), -1);
	CHECK_INT(errno, 4711);
	CHECK_INT(error.code, code);
	CHECK_INT(error.errnum, errnum);
	CHECK_INT(waitpid(-1, NULL, 0), -1);
	CHECK_INT(errno, ECHILD);
	CHECK_INT(open_descriptors(), before);
	CHECK_INT(result.enforcement, LLR_ENFORCEMENT_NONE);
}

HELPER(create)
{
	int fd = argc == 2 ? open(argv[1], O_WRONLY | O_CREAT | O_CLOEXEC, 0644) : -1;

	return fd < 0 ? errno : 0;
}

/* ---- What is confined ---- */

TEST(a_spawned_command_is_confined_and_its_parent_is_not)
{
	struct llr_grant grants[3];
	struct llr_policy policy;
	struct llr_result result = LLR_RESULT_INIT;
	struct llr_spawn spawn;

	NEEDS_LANDLOCK();
	REQUIRE(mkdir("granted", 0755) == 0);
	policy_for(&policy, grants, "granted");
	spawn = spawn_of(&policy, LIST(ME("create"), (char *)"granted/new"));
	CHECK_INT(end_of(llr_spawn(&spawn, &result, NULL)), 0);
	CHECK(file_exists("granted/new"));
	CHECK_INT(result.enforcement, check_abi() >= 5 ? LLR_ENFORCEMENT_FULL : LLR_ENFORCEMENT_PARTIAL);
	CHECK_INT(result.abi, check_abi());
	spawn.argv = LIST(ME("create"), (char *)"outside");
	CHECK_INT(end_of(llr_spawn(&spawn, NULL, NULL)), EACCES);
	CHECK(!file_exists("outside"));
	file_write("by-the-parent", "x", 0644);
	CHECK_INT(prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0), 0);
}

TEST(without_a_policy_a_command_is_unconfined)
{
	struct llr_spawn spawn = spawn_of(NULL, LIST(ME("create"), (char *)"new"));
	struct llr_result result = LLR_RESULT_INIT;

	CHECK_INT(end_of(llr_spawn(&spawn, &result, NULL)), 0);
	CHECK(file_exists("new"));
	CHECK_INT(result.enforcement, LLR_ENFORCEMENT_NONE);
}

static void *confine_this_thread(void *writable)
{
	struct llr_grant grants[3];
	struct llr_policy policy;
	struct llr_result result = LLR_RESULT_INIT;

	policy_for(&policy, grants, writable);
	CHECK_INT(llr_confine(&policy, &result, NULL), 0);
	CHECK_INT(open("in-the-thread", O_WRONLY | O_CREAT | O_CLOEXEC, 0644), -1);
	CHECK_INT(errno, EACCES);
	return NULL;
}

TEST(confine_holds_for_its_thread_alone_and_leaves_no_descriptor)
{
	pthread_t thread;
	int before;

	NEEDS_LANDLOCK();
	REQUIRE(mkdir("granted", 0755) == 0);
	before = open_descriptors();
	REQUIRE(pthread_create(&thread, NULL, confine_this_thread, (void *)"granted") == 0);
	pthread_join(thread, NULL);
	CHECK_INT(open_descriptors(), before);
	file_write("in-the-main-thread", "x", 0644);
	CHECK_INT(prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0), 0);
}

TEST(confine_in_a_fork_of_a_program_with_threads_holds_there)
{
	pthread_t thread;
	pid_t pid;

	NEEDS_LANDLOCK();
	REQUIRE(mkdir("granted", 0755) == 0);
	REQUIRE(pthread_create(&thread, NULL, confine_this_thread, (void *)"granted") == 0);
	pid = fork();
	if (!pid) {
		struct llr_grant grants[3];
		struct llr_policy policy;
		struct llr_result result = LLR_RESULT_INIT;

		policy_for(&policy, grants, "granted");
		_exit(llr_confine(&policy, &result, NULL) || open("forked", O_CREAT | O_WRONLY, 0644) >= 0);
	}
	CHECK_INT(end_of(pid), 0);
	CHECK(!file_exists("forked"));
	pthread_join(thread, NULL);
}

TEST(a_failure_before_the_restriction_leaves_the_thread_as_it_was)
{
	struct llr_grant grants[3];
	struct llr_policy policy;
	struct llr_result result = LLR_RESULT_INIT;
	struct llr_error error;
	int before = open_descriptors();

	NEEDS_LANDLOCK();
	policy_for(&policy, grants, "missing");
	CHECK_INT(llr_confine(&policy, &result, &error), -1);
	CHECK_INT(error.code, LLR_E_RULE_PATH);
	CHECK_INT(error.errnum, ENOENT);
	CHECK_STR(error.subject, "missing");
	CHECK_INT(result.enforcement, LLR_ENFORCEMENT_NONE);
	file_write("still-free", "x", 0644);
	CHECK_INT(prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0), 0);
	CHECK_INT(open_descriptors(), before);
}

TEST(the_seventeenth_layer_is_an_error_of_its_own)
{
	struct llr_grant grants[3];
	struct llr_policy policy;
	struct llr_result result = LLR_RESULT_INIT;
	struct llr_error error = { 0 };
	struct llr_spawn spawn;
	int layers = 0;

	NEEDS_ABI(2);
	policy_for(&policy, grants, NULL);
	while (layers < 20 && !llr_confine(&policy, &result, &error))
		layers++;
	CHECK_INT(error.code, LLR_E_LAYERS);
	CHECK(layers <= 16);
	spawn = spawn_of(&policy, LIST(ME("create"), (char *)"never"));
	check_refused(&spawn, LLR_E_LAYERS, E2BIG);
}

/* ---- Each step's failure as a value ---- */

TEST(each_step_of_a_spawn_fails_with_its_own_code)
{
	struct llr_grant grants[3];
	struct llr_policy policy;
	struct llr_spawn spawn;

	NEEDS_LANDLOCK();
	policy_for(&policy, grants, ".");
	file_write("text", "no program\n", 0755);
	file_write("plain", "no program\n", 0644);
	spawn = spawn_of(&policy, LIST((char *)"./missing"));
	check_refused(&spawn, LLR_E_EXEC, ENOENT);
	spawn.argv = LIST((char *)"./text");
	check_refused(&spawn, LLR_E_EXEC, ENOEXEC);
	spawn.argv = LIST((char *)"./plain");
	check_refused(&spawn, LLR_E_EXEC, EACCES);
	spawn.argv = LIST(ME("create"), (char *)"ran");
	spawn.cwd = "nowhere";
	check_refused(&spawn, LLR_E_FILES, ENOENT);
	spawn.cwd = NULL;
	spawn.stdio[1] = 999;
	check_refused(&spawn, LLR_E_FILES, EBADF);
	spawn.stdio[1] = -1;
	grants[2].path = "gone";
	check_refused(&spawn, LLR_E_RULE_PATH, ENOENT);
	CHECK(!file_exists("ran"));
}

TEST(a_spawn_that_asks_for_the_impossible_is_refused_before_anything_happens)
{
	struct llr_spawn spawn = spawn_of(NULL, LIST(ME("create"), (char *)"ran"));
	struct llr_error error;

	spawn.size--;
	CHECK_INT(llr_spawn(&spawn, NULL, &error), -1);
	CHECK_STR(error.field, "spawn.size");
	spawn.size++;
	spawn.flags = 1U << 31;
	CHECK_INT(llr_spawn(&spawn, NULL, &error), -1);
	CHECK_STR(error.field, "spawn.flags");
	spawn.flags = 0;
	spawn.stdio[2] = -2;
	CHECK_INT(llr_spawn(&spawn, NULL, &error), -1);
	CHECK_STR(error.field, "spawn.stdio");
	spawn.stdio[2] = -1;
	spawn.argv = (char *const[]){ NULL };
	CHECK_INT(llr_spawn(&spawn, NULL, &error), -1);
	CHECK_STR(error.field, "spawn.argv");
	CHECK_INT(llr_spawn(NULL, NULL, &error), -1);
	CHECK_INT(error.code, LLR_E_POLICY);
	CHECK(!file_exists("ran"));
}

TEST(an_exec_that_is_not_granted_is_an_error_of_the_exec)
{
	struct llr_grant grant = { LLR_GRANT_PATH, 0, LLR_READ_EXECUTE, "/proc", -1, 0 };
	struct llr_policy policy = LLR_POLICY_INIT;
	struct llr_spawn spawn;

	NEEDS_LANDLOCK();
	policy.grants = &grant;
	policy.grants_count = 1;
	spawn = spawn_of(&policy, LIST(ME("create"), (char *)"ran"));
	check_refused(&spawn, LLR_E_EXEC, EACCES);
}

/* ---- Signals ---- */

HELPER(say_signals)
{
	sigset_t mask;
	struct sigaction action;

	sigprocmask(SIG_BLOCK, NULL, &mask);
	for (int number = 1; number < 65; number++) {
		if (sigismember(&mask, number) == 1)
			printf("blocked %d\n", number);
		if (!sigaction(number, NULL, &action) && action.sa_handler == SIG_IGN)
			printf("ignored %d\n", number);
	}
	return 0;
}

static void on_signal(int number)
{
	(void)number;
}

static const char *signals_of_command(uint32_t flags)
{
	struct llr_spawn spawn = spawn_of(NULL, LIST(ME("say_signals")));
	int pipe_ends[2];
	int32_t pid;

	REQUIRE(pipe2(pipe_ends, O_CLOEXEC) == 0);
	spawn.flags = flags;
	spawn.stdio[1] = pipe_ends[1];
	pid = llr_spawn(&spawn, NULL, NULL);
	close(pipe_ends[1]);
	CHECK_INT(end_of(pid), 0);
	return descriptor_read(pipe_ends[0]).text;
}

TEST(signals_start_at_their_default_or_are_kept_as_asked)
{
	sigset_t mask, after;

	signal(SIGPIPE, SIG_IGN);
	signal(SIGUSR1, on_signal);
	sigemptyset(&mask);
	sigaddset(&mask, SIGUSR2);
	sigprocmask(SIG_SETMASK, &mask, NULL);
	CHECK_STR(signals_of_command(0), "");
	CHECK_STR(signals_of_command(LLR_SPAWN_KEEP_SIGNALS), "ignored 13\n");
	CHECK_STR(signals_of_command(LLR_SPAWN_KEEP_MASK), "blocked 12\n");
	CHECK_STR(signals_of_command(LLR_SPAWN_KEEP_SIGNALS | LLR_SPAWN_KEEP_MASK), "blocked 12\nignored 13\n");
	sigprocmask(SIG_BLOCK, NULL, &after);
	CHECK_INT(sigismember(&after, SIGUSR2), 1);
	CHECK_INT(sigismember(&after, SIGUSR1), 0);
}

static atomic_int handled;

static void count_signal(int number)
{
	(void)number;
	atomic_fetch_add(&handled, 1);
}

/* A handler that ran in the child would count in this process's memory without this process having been signalled. */
TEST(no_handler_of_the_parents_runs_in_the_child)
{
	struct llr_spawn spawn = spawn_of(NULL, LIST(ME("create"), (char *)"new"));

	signal(SIGCHLD, SIG_DFL);
	signal(SIGALRM, count_signal);
	for (int i = 0; i < 200; i++)
		CHECK_INT(end_of(llr_spawn(&spawn, NULL, NULL)), 0);
	CHECK_INT(atomic_load(&handled), 0);
}

/* ---- Descriptors ---- */

HELPER(say_descriptors)
{
	struct stat status;

	for (int fd = 0; fd < 64; fd++)
		if (fd != 1 && !fstat(fd, &status))
			printf("%d ", fd);
	return 0;
}

HELPER(copy_in_to_out)
{
	char byte;

	while (read(0, &byte, 1) == 1)
		if (write(1, &byte, 1) != 1)
			return 1;
	return write(2, "e", 1) != 1;
}

TEST(stdio_is_put_into_place_also_when_the_numbers_overlap)
{
	struct llr_spawn spawn = spawn_of(NULL, LIST(ME("copy_in_to_out")));
	int in, out, err;

	file_write("in", "content", 0644);
	in = open("in", O_RDONLY);
	out = open("out", O_WRONLY | O_CREAT, 0644);
	err = open("err", O_WRONLY | O_CREAT, 0644);
	REQUIRE(in > 2 && out > 2 && err > 2);
	/* This process's own 0 to 2 become the three in a circle: 0 is for out, 1 for err, 2 for in. */
	REQUIRE(dup2(out, 0) == 0 && dup2(err, 1) == 1 && dup2(in, 2) == 2);
	spawn.stdio[0] = 2;
	spawn.stdio[1] = 0;
	spawn.stdio[2] = 1;
	CHECK_INT(end_of(llr_spawn(&spawn, NULL, NULL)), 0);
	CHECK_STR(file_read("out"), "content");
	CHECK_STR(file_read("err"), "e");
}

TEST(a_descriptor_that_stands_in_its_place_survives_although_it_is_close_on_exec)
{
	struct llr_spawn spawn = spawn_of(NULL, LIST(ME("copy_in_to_out")));
	int out = open("out", O_WRONLY | O_CREAT | O_CLOEXEC, 0644);

	file_write("in", "content", 0644);
	REQUIRE(dup2(out, 1) == 1 && fcntl(1, F_SETFD, FD_CLOEXEC) == 0);
	spawn.stdio[0] = open("in", O_RDONLY | O_CLOEXEC);
	spawn.stdio[1] = 1;
	spawn.stdio[2] = open("/dev/null", O_WRONLY | O_CLOEXEC);
	CHECK_INT(end_of(llr_spawn(&spawn, NULL, NULL)), 0);
	CHECK_STR(file_read("out"), "content");
	CHECK_INT(fcntl(1, F_GETFD), FD_CLOEXEC);
}

static const char *descriptors_of_command(const struct llr_policy *policy, uint32_t flags)
{
	struct llr_spawn spawn = spawn_of(policy, LIST(ME("say_descriptors")));
	int pipe_ends[2];
	int32_t pid;

	REQUIRE(pipe2(pipe_ends, O_CLOEXEC) == 0);
	spawn.stdio[1] = pipe_ends[1];
	spawn.flags = flags;
	pid = llr_spawn(&spawn, NULL, NULL);
	close(pipe_ends[1]);
	CHECK_INT(end_of(pid), 0);
	return descriptor_read(pipe_ends[0]).text;
}

TEST(descriptors_are_inherited_unless_closing_is_asked_for)
{
	struct llr_grant grants[3];
	struct llr_policy policy;
	const char *before;

	NEEDS_LANDLOCK();
	policy_for(&policy, grants, NULL);
	before = descriptors_of_command(&policy, 0);
	REQUIRE(dup2(0, 60) == 60 && fcntl(0, F_DUPFD_CLOEXEC, 61) >= 61);
	CHECK_STR(descriptors_of_command(&policy, 0), check_format("%s60 ", before));
	CHECK_STR(descriptors_of_command(&policy, LLR_SPAWN_CLOSE_FDS), "0 2 ");
}

TEST(a_session_of_its_own_and_a_directory_are_entered)
{
	struct llr_spawn spawn = spawn_of(NULL, LIST(ME("say_place")));
	int pipe_ends[2];
	int32_t pid;
	const char *said;

	REQUIRE(mkdir("place", 0755) == 0 && pipe2(pipe_ends, O_CLOEXEC) == 0);
	spawn.cwd = "place";
	spawn.flags = LLR_SPAWN_SESSION;
	spawn.stdio[1] = pipe_ends[1];
	pid = llr_spawn(&spawn, NULL, NULL);
	close(pipe_ends[1]);
	CHECK_INT(end_of(pid), 0);
	said = descriptor_read(pipe_ends[0]).text;
	CHECK_CONTAINS(said, "place session 1");
}

HELPER(say_place)
{
	char directory[4096];

	REQUIRE(getcwd(directory, sizeof directory) != NULL);
	printf("%s session %d\n", strrchr(directory, '/') + 1, getsid(0) == getpid());
	return 0;
}

/* ---- Many at once ---- */

#define THREADS 8
#define EACH 150

static atomic_int bad;

static char inherited[12]; /* how many descriptors a command has that inherits what this test was started with */

static void *spawn_many(void *policy)
{
	for (int i = 0; i < EACH; i++) {
		struct llr_spawn spawn = spawn_of(policy, LIST(ME("has_just"), inherited));
		struct llr_error error = { 0 };
		int status, pid, pipe_ends[2];

		if (pipe2(pipe_ends, O_CLOEXEC))
			break;
		spawn.stdio[1] = pipe_ends[1];
		pid = llr_spawn(&spawn, NULL, &error);
		close(pipe_ends[0]);
		close(pipe_ends[1]);
		if (pid < 0 || waitpid(pid, &status, 0) != pid || status != 0)
			atomic_fetch_add(&bad, 1);
	}
	return NULL;
}

static int count_descriptors(void)
{
	struct stat status;
	int count = 0;

	for (int fd = 0; fd < 256; fd++)
		count += !fstat(fd, &status) && !(fcntl(fd, F_GETFD) & FD_CLOEXEC);
	return count;
}

HELPER(has_just)
{
	return argc != 2 || count_descriptors() != atoi(argv[1]);
}

TEST_WITHIN(threads_spawn_at_once_and_leak_nothing_into_each_others_commands, 60)
{
	struct llr_grant grants[3];
	struct llr_policy policy;
	pthread_t threads[THREADS];
	int before;

	NEEDS_LANDLOCK();
	policy_for(&policy, grants, NULL);
	before = open_descriptors();
	snprintf(inherited, sizeof inherited, "%d", count_descriptors());
	for (int i = 0; i < THREADS; i++)
		REQUIRE(pthread_create(&threads[i], NULL, spawn_many, &policy) == 0);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	CHECK_INT(atomic_load(&bad), 0);
	CHECK_INT(open_descriptors(), before);
}

TEST(a_name_is_searched_for_only_when_that_is_asked)
{
	char *const environment[] = { (char *)"PATH=/nowhere:bin", NULL };
	struct llr_spawn spawn = spawn_of(NULL, LIST((char *)"tool", (char *)"--helper", (char *)"create", (char *)"new"));

	REQUIRE(mkdir("bin", 0755) == 0 && symlink(check_self(), "bin/tool") == 0);
	spawn.envp = environment;
	check_refused(&spawn, LLR_E_EXEC, ENOENT);
	spawn.flags = LLR_SPAWN_SEARCH_PATH;
	CHECK_INT(end_of(llr_spawn(&spawn, NULL, NULL)), 0);
	CHECK(file_exists("new"));
}
