/* llr_spawn and llr_confine as their callers see them: what starts, what is denied, and each
 * failure as a value. No test here may leave a process or a descriptor behind; some count them. */
#include <errno.h>
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/utsname.h>
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
static struct llr_error check_refused(const struct llr_spawn *spawn, enum llr_code code, int errnum)
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
	return error;
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
	CHECK_INT(result.enforcement,
		  check_abi() >= 5 ? LLR_ENFORCEMENT_FULL : LLR_ENFORCEMENT_PARTIAL);
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

TEST(what_the_kernel_reports_restricts_nothing)
{
	struct llr_error error;

	NEEDS_LANDLOCK();
	CHECK_INT(llr_kernel_abi(&error), check_abi());
	/* Errata came with ABI 7; an older kernel takes the question for a mistake. */
	CHECK(check_abi() >= 7 ? llr_kernel_errata() >= 0 : llr_kernel_errata() >= -1);
	CHECK_INT(access("/", R_OK), 0);
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
		_exit(llr_confine(&policy, &result, NULL) ||
		      open("forked", O_CREAT | O_WRONLY, 0644) >= 0);
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
	struct llr_error error;

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
	error = check_refused(&spawn, LLR_E_FILES, ENOENT);
	CHECK_STR(error.field, "cwd");
	CHECK_STR(error.subject, "nowhere");
	spawn.cwd = NULL;
	spawn.stdio[1] = 999;
	CHECK_STR(check_refused(&spawn, LLR_E_FILES, EBADF).field, "stdio[1]");
	REQUIRE(close(2) == 0);
	spawn.stdio[1] = 2; /* one that is closed, and that a copy would have to be made of */
	CHECK_STR(check_refused(&spawn, LLR_E_FILES, EBADF).field, "stdio[1]");
	spawn.stdio[1] = -1;
	spawn.stdio[2] = 2;
	CHECK_STR(check_refused(&spawn, LLR_E_FILES, EBADF).field, "stdio[2]");
	spawn.stdio[2] = -1;
	grants[2].path = "gone";
	CHECK_STR(check_refused(&spawn, LLR_E_RULE_PATH, ENOENT).subject, "gone");
	CHECK(!file_exists("ran"));
}

TEST(a_spawn_that_asks_for_the_impossible_is_refused_before_anything_happens)
{
	struct llr_spawn spawn = spawn_of(NULL, LIST(ME("create"), (char *)"ran"));
	struct llr_result result = LLR_RESULT_INIT;
	struct llr_grant grants[3];
	struct llr_policy policy;
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
	spawn.argv = LIST(ME("create"), (char *)"ran");
	result.size--;
	CHECK_INT(llr_spawn(&spawn, &result, &error), -1);
	CHECK_STR(error.field, "result.size");
	spawn.reserved = 1;
	CHECK_INT(llr_spawn(&spawn, NULL, &error), -1);
	CHECK_STR(error.field, "spawn.reserved");
	spawn.reserved = 0;
	policy_for(&policy, grants, NULL);
	grants[1].rights = 0;
	spawn.policy = &policy;
	CHECK_INT(llr_spawn(&spawn, NULL, &error), -1);
	CHECK_INT(error.code, LLR_E_GRANT);
	CHECK_INT(error.index, 1);
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
	signal(SIGRTMAX, SIG_IGN);
	signal(SIGUSR1, on_signal);
	sigemptyset(&mask);
	sigaddset(&mask, SIGUSR2);
	sigprocmask(SIG_SETMASK, &mask, NULL);
	CHECK_STR(signals_of_command(0), "");
	CHECK_STR(signals_of_command(LLR_SPAWN_KEEP_SIGNALS), "ignored 13\nignored 64\n");
	CHECK_STR(signals_of_command(LLR_SPAWN_KEEP_MASK), "blocked 12\n");
	CHECK_STR(signals_of_command(LLR_SPAWN_KEEP_SIGNALS | LLR_SPAWN_KEEP_MASK),
		  "blocked 12\nignored 13\nignored 64\n");
	sigprocmask(SIG_BLOCK, NULL, &after);
	CHECK_INT(sigismember(&after, SIGUSR2), 1);
	CHECK_INT(sigismember(&after, SIGUSR1), 0);
}

/* ---- What happens between the child's start and its exec: a grant source runs there ---- */

static pid_t this_process;
static atomic_int handled;

static void count_signal(int number)
{
	(void)number;
	atomic_fetch_add(&handled, 1);
}

/* A grant source of everything that, in the child, first does something. */
static int grant_after(void (*act)(void), uint64_t *cursor, struct llr_grant *grant)
{
	if (!*cursor && getpid() != this_process)
		act();
	*grant = (struct llr_grant){ LLR_GRANT_PATH, 0, LLR_READ_EXECUTE, "/", -1, 0 };
	return !(*cursor)++;
}

#define SOURCE(act) \
	static int source_##act(const void *context, uint64_t *cursor, struct llr_grant *grant) \
	{ \
		(void)context; \
		return grant_after(act, cursor, grant); \
	}

static void signal_itself(void)
{
	kill(getpid(), SIGUSR1);
}

static void signal_the_parent(void)
{
	kill(this_process, SIGUSR1);
}

static void be_killed(void)
{
	kill(getpid(), SIGKILL);
}

static void leave(void)
{
	_exit(3);
}

static int deepen(volatile char *above, int depth)
{
	volatile char frame[4096];

	frame[0] = (char)(above[0] + 1);
	return depth ? deepen(frame, depth - 1) + frame[0] : frame[0];
}

static void run_out_of_stack(void)
{
	char top = 0;

	_exit(deepen(&top, 24)); /* past the stack, and not past what is below it for that */
}

SOURCE(signal_itself)
SOURCE(signal_the_parent)
SOURCE(be_killed)
SOURCE(leave)
SOURCE(run_out_of_stack)

/* A spawn whose child, before its command, meets the source. */
static struct llr_spawn spawn_through(struct llr_policy *policy, llr_grant_source source,
				      char *const *argv)
{
	*policy = (struct llr_policy)LLR_POLICY_INIT;
	policy->grant_source = source;
	this_process = getpid();
	return spawn_of(policy, argv);
}

/* A handler that ran in the child would count in this process's memory. */
TEST(no_handler_of_the_parents_runs_in_the_child)
{
	struct llr_policy policy;
	struct llr_spawn spawn = spawn_through(&policy, source_signal_itself,
					       LIST(ME("create"), (char *)"new"));
	struct llr_error error;

	NEEDS_LANDLOCK();
	signal(SIGUSR1, count_signal);
	error = check_refused(&spawn, LLR_E_SPAWN, 0);
	CHECK_STR(error.field, "signal");
	CHECK_INT(error.index, SIGUSR1);
	spawn.flags = LLR_SPAWN_KEEP_SIGNALS;
	check_refused(&spawn, LLR_E_SPAWN, 0);
	CHECK_INT(atomic_load(&handled), 0);
	signal(SIGUSR1, SIG_IGN);
	CHECK_INT(end_of(llr_spawn(&spawn, NULL, NULL)), EACCES); /* it ran, and may not create */
}

HELPER(say_pending)
{
	sigset_t pending;

	return sigpending(&pending) || sigismember(&pending, SIGUSR1) != 1;
}

TEST(a_signal_that_the_caller_blocks_stays_pending_for_a_command_that_keeps_the_mask)
{
	struct llr_policy policy;
	struct llr_spawn spawn = spawn_through(&policy, source_signal_itself,
					       LIST(ME("say_pending")));
	sigset_t mask;

	NEEDS_LANDLOCK();
	sigemptyset(&mask);
	sigaddset(&mask, SIGUSR1);
	sigprocmask(SIG_BLOCK, &mask, NULL);
	spawn.flags = LLR_SPAWN_KEEP_MASK;
	CHECK_INT(end_of(llr_spawn(&spawn, NULL, NULL)), 0);
}

TEST(a_signal_for_the_parent_waits_until_the_command_has_started)
{
	struct llr_policy policy;
	struct llr_spawn spawn = spawn_through(&policy, source_signal_the_parent,
					       LIST(ME("create"), (char *)"new"));

	NEEDS_LANDLOCK();
	signal(SIGUSR1, count_signal);
	CHECK_INT(end_of(llr_spawn(&spawn, NULL, NULL)), EACCES);
	CHECK_INT(atomic_load(&handled), 1);
}

TEST(a_child_that_ends_before_its_command_is_a_start_that_failed)
{
	struct llr_policy policy;
	struct llr_spawn spawn = spawn_through(&policy, source_be_killed,
					       LIST(ME("create"), (char *)"ran"));
	struct llr_error error;
	char text[128];

	NEEDS_LANDLOCK();
	error = check_refused(&spawn, LLR_E_SPAWN, 0);
	CHECK_STR(error.field, "signal");
	CHECK_INT(error.index, SIGKILL);
	llr_error_text(&error, text, sizeof text);
	CHECK_STR(text, "cannot start a process: ended by signal 9");
	policy.grant_source = source_leave;
	error = check_refused(&spawn, LLR_E_SPAWN, 0);
	CHECK_STR(error.field, "exit");
	CHECK_INT(error.index, 3);
	CHECK(!file_exists("ran"));
}

TEST(a_grant_source_that_runs_out_of_stack_ends_the_child_and_touches_nothing_of_the_parents)
{
	struct llr_policy policy;
	struct llr_spawn spawn = spawn_through(&policy, source_run_out_of_stack,
					       LIST(ME("create"), (char *)"ran"));
	struct llr_error error;
	unsigned int major = 0, minor = 0;
	struct utsname name;

	NEEDS_LANDLOCK();
	REQUIRE(!uname(&name) && sscanf(name.release, "%u.%u", &major, &minor) == 2);
	if (major < 5 || (major == 5 && minor < 17))
		SKIP("before Linux 5.17 a process that dumps core takes along all that share its "
		     "memory");
	error = check_refused(&spawn, LLR_E_SPAWN, 0);
	CHECK_STR(error.field, "signal");
	CHECK_INT(error.index, SIGSEGV);
	CHECK(!file_exists("ran"));
}

TEST(a_start_that_fails_raises_no_sigchld_and_one_that_succeeds_raises_it)
{
	struct llr_spawn spawn = spawn_of(NULL, LIST((char *)"./missing"));

	signal(SIGCHLD, count_signal);
	for (int i = 0; i < 20; i++)
		check_refused(&spawn, LLR_E_EXEC, ENOENT);
	CHECK_INT(atomic_load(&handled), 0);
	spawn.argv = LIST(ME("create"), (char *)"new");
	CHECK_INT(end_of(llr_spawn(&spawn, NULL, NULL)), 0);
	CHECK_INT(atomic_load(&handled), 1);
}

TEST(a_start_that_fails_says_so_also_where_sigchld_is_ignored)
{
	struct llr_spawn spawn = spawn_of(NULL, LIST((char *)"./missing"));

	signal(SIGCHLD, SIG_IGN);
	check_refused(&spawn, LLR_E_EXEC, ENOENT);
}

static atomic_int finished;

/* Waits for any child all the while: what it catches. */
static void *wait_for_any(void *unused)
{
	intptr_t caught = 0;

	(void)unused;
	while (!atomic_load(&finished))
		caught += waitpid(-1, NULL, WNOHANG) > 0;
	return (void *)caught;
}

TEST(another_threads_wait_for_any_child_never_meets_one_that_failed_to_start)
{
	struct llr_spawn spawn = spawn_of(NULL, LIST((char *)"./missing"));
	struct llr_error error = { 0 };
	pthread_t thread;
	void *caught;

	REQUIRE(pthread_create(&thread, NULL, wait_for_any, NULL) == 0);
	for (int i = 0; i < 500; i++) {
		CHECK_INT(llr_spawn(&spawn, NULL, &error), -1);
		CHECK_INT(error.code, LLR_E_EXEC);
	}
	atomic_store(&finished, 1);
	REQUIRE(pthread_join(thread, &caught) == 0);
	CHECK_INT((intptr_t)caught, 0);
}

TEST(no_process_to_be_had_is_an_error_of_the_spawn)
{
	struct llr_spawn spawn = spawn_of(NULL, LIST(ME("create"), (char *)"ran"));
	struct rlimit none = { 0, 0 };

	/* The limit does not hold for root, and an ordinary user may not be another one. */
	REQUIRE(geteuid() || setresuid(65534, 65534, 65534) == 0);
	REQUIRE(setrlimit(RLIMIT_NPROC, &none) == 0);
	check_refused(&spawn, LLR_E_SPAWN, EAGAIN);
}

TEST(no_room_for_the_childs_stack_is_an_error_of_the_spawn)
{
	struct llr_spawn spawn = spawn_of(NULL, LIST(ME("create"), (char *)"ran"));
	struct llr_error error = { 0 };
	struct rlimit before, none = { 0, 0 };
	int32_t pid;

	REQUIRE(getrlimit(RLIMIT_AS, &before) == 0);
	none.rlim_max = before.rlim_max;
	REQUIRE(setrlimit(RLIMIT_AS, &none) == 0);
	errno = 4711;
	pid = llr_spawn(&spawn, NULL, &error);
	CHECK_INT(errno, 4711);
	REQUIRE(setrlimit(RLIMIT_AS, &before) == 0);
	CHECK_INT(pid, -1);
	CHECK_INT(error.code, LLR_E_SPAWN);
	CHECK_INT(error.errnum, ENOMEM);
}

static unsigned long pages_mapped(void)
{
	return strtoul(file_read("/proc/self/statm"), NULL, 10);
}

TEST(a_spawn_leaves_no_memory_mapped)
{
	struct llr_spawn good = spawn_of(NULL, LIST(ME("create"), (char *)"new")),
			 bad = spawn_of(NULL, LIST((char *)"./missing"));
	unsigned long before;

	CHECK_INT(end_of(llr_spawn(&good, NULL, NULL)), 0);
	pages_mapped();
	before = pages_mapped();
	for (int i = 0; i < 20; i++) {
		CHECK_INT(end_of(llr_spawn(&good, NULL, NULL)), 0);
		CHECK_INT(llr_spawn(&bad, NULL, NULL), -1);
	}
	/* The harness keeps what was read: some pages of it, but not forty stacks. */
	CHECK(pages_mapped() < before + 40 * 16);
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
	/* This process's own 0 to 2 become the three in a circle: 0 is for out, 1 for err, 2 for
	 * in. */
	REQUIRE(dup2(out, 0) == 0 && dup2(err, 1) == 1 && dup2(in, 2) == 2);
	spawn.stdio[0] = 2;
	spawn.stdio[1] = 0;
	spawn.stdio[2] = 1;
	CHECK_INT(end_of(llr_spawn(&spawn, NULL, NULL)), 0);
	CHECK_STR(file_read("out"), "content");
	CHECK_STR(file_read("err"), "e");
}

/* "INODE INODE INODE", and then the numbers of descriptors that the command should not have. */
HELPER(say_inodes)
{
	unsigned long long inodes[3];
	struct stat status;
	FILE *out;

	for (int fd = 0; fd < 3; fd++)
		inodes[fd] = fstat(fd, &status) ? 0 : status.st_ino;
	out = argc == 2 ? fopen(argv[1], "we") : NULL;
	if (!out)
		return 1;
	fprintf(out, "%llu %llu %llu", inodes[0], inodes[1], inodes[2]);
	for (int fd = 3; fd < 256; fd++)
		if (fd != fileno(out) && !fstat(fd, &status))
			fprintf(out, " and %d", fd);
	return fclose(out);
}

static unsigned long long inode_of(int fd)
{
	struct stat status;

	return fstat(fd, &status) ? 0 : status.st_ino;
}

#define CHOICES 6 /* for each of the three: kept, one of the three, or a descriptor beside them */
#define WAYS (CHOICES * CHOICES * CHOICES)

static void check_way(int way)
{
	static const int choices[CHOICES] = { -1, 0, 1, 2, 70, 71 };
	struct llr_spawn spawn = spawn_of(NULL, LIST(ME("say_inodes"), (char *)"said"));
	unsigned long long wanted[3];
	bool possible = true;

	for (int i = 0; i < 3; i++, way /= CHOICES) {
		spawn.stdio[i] = choices[way % CHOICES];
		wanted[i] = inode_of(spawn.stdio[i] < 0 ? i : spawn.stdio[i]);
		possible = possible && (spawn.stdio[i] < 0 || wanted[i]);
	}
	if (!possible) {
		check_refused(&spawn, LLR_E_FILES, EBADF);
		return;
	}
	CHECK_INT(end_of(llr_spawn(&spawn, NULL, NULL)), 0);
	CHECK_STR(file_read("said"),
		  check_format("%llu %llu %llu", wanted[0], wanted[1], wanted[2]));
}

/* With all of the three open, and with each of them closed. */
TEST(stdio_is_right_for_every_way_to_arrange_it)
{
	static const int places[] = { 0, 1, 2, 70, 71 };

	for (int fd = 3; fd < 256; fd++)
		fcntl(fd, F_SETFD, FD_CLOEXEC); /* what this suite was started with */
	for (int i = 0; i < 5; i++) {
		int fd = open(check_format("f%d", i), O_RDWR | O_CREAT | O_CLOEXEC, 0644);

		/* Close-on-exec where the number will not do as it is. */
		REQUIRE(fd >= 0 && dup3(fd, places[i], places[i] > 2 ? O_CLOEXEC : 0) == places[i]);
		close(fd);
	}
	for (int closed = 3; closed >= 0; closed--) {
		int kept = closed < 3 ? fcntl(closed, F_DUPFD_CLOEXEC, 80) : -1;

		if (closed < 3)
			close(closed);
		for (int way = 0; way < WAYS; way++) {
			check_row("%d closed, way %d", closed, way);
			check_way(way);
		}
		REQUIRE(closed == 3 || dup2(kept, closed) == closed);
	}
}

TEST(no_descriptor_left_to_rearrange_with_is_an_error_of_the_files)
{
	struct llr_spawn spawn = spawn_of(NULL, LIST(ME("create"), (char *)"ran"));
	struct rlimit limit;

	REQUIRE(getrlimit(RLIMIT_NOFILE, &limit) == 0);
	limit.rlim_cur = 32;
	REQUIRE(setrlimit(RLIMIT_NOFILE, &limit) == 0);
	while (open("/dev/null", O_RDONLY | O_CLOEXEC) >= 0)
		;
	spawn.stdio[0] = 1;
	spawn.stdio[1] = 0;
	close(31); /* for the directory that counts descriptors, and for the first copy */
	CHECK_STR(check_refused(&spawn, LLR_E_FILES, EMFILE).field, "stdio[1]");
}

HELPER(reopen_output)
{
	return open("/proc/self/fd/1", O_WRONLY | O_CLOEXEC) < 0 ? errno : 0;
}

TEST(a_policy_that_speaks_of_stdio_means_the_commands_own)
{
	struct llr_grant grants[3];
	struct llr_policy policy;
	struct llr_spawn spawn;

	NEEDS_LANDLOCK();
	policy_for(&policy, grants, NULL);
	spawn = spawn_of(&policy, LIST(ME("reopen_output")));
	spawn.stdio[1] = open("out", O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
	CHECK_INT(end_of(llr_spawn(&spawn, NULL, NULL)), EACCES);
	policy.flags = LLR_POLICY_STDIO;
	CHECK_INT(end_of(llr_spawn(&spawn, NULL, NULL)), 0);
}

TEST(relative_paths_of_grants_and_of_the_command_are_taken_from_its_directory)
{
	struct llr_grant grants[3];
	struct llr_policy policy;
	struct llr_spawn spawn;

	NEEDS_LANDLOCK();
	REQUIRE(mkdir("place", 0755) == 0 && symlink(check_self(), "place/tool") == 0);
	policy_for(&policy, grants, ".");
	spawn = spawn_of(&policy, LIST((char *)"./tool", (char *)"--helper", (char *)"create",
				       (char *)"inside"));
	spawn.cwd = "place";
	CHECK_INT(end_of(llr_spawn(&spawn, NULL, NULL)), 0);
	CHECK(file_exists("place/inside"));
	spawn.argv = LIST((char *)"./tool", (char *)"--helper", (char *)"create",
			  (char *)"../outside");
	CHECK_INT(end_of(llr_spawn(&spawn, NULL, NULL)), EACCES);
	CHECK(!file_exists("outside"));
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
	/* The first that is to be closed is open, and would be inherited. */
	REQUIRE(fcntl(3, F_GETFD) < 0 ? dup2(0, 3) == 3 : fcntl(3, F_SETFD, 0) == 0);
	CHECK_STR(descriptors_of_command(&policy, LLR_SPAWN_CLOSE_FDS), "0 2 ");
	/* Closed by the exec: a grant may name one until then. */
	grants[2] = (struct llr_grant){ LLR_GRANT_FD, 0, LLR_FILE_SET, NULL, 60, 0 };
	policy.grants_count = 3;
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
#define EACH 200

static atomic_int bad;

static char inherited[12]; /* how many descriptors a command has that inherits what this test was
			      started with */

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
		if (pid < 0 || waitpid(pid, &status, 0) != pid || status != 0)
			atomic_fetch_add(&bad, 1);
		/* One that fails between those of the other threads. */
		spawn.argv = LIST((char *)"./missing");
		if (llr_spawn(&spawn, NULL, &error) != -1 || error.code != LLR_E_EXEC ||
		    error.errnum != ENOENT)
			atomic_fetch_add(&bad, 1);
		close(pipe_ends[0]);
		close(pipe_ends[1]);
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
	CHECK_INT(waitpid(-1, NULL, 0), -1);
	CHECK_INT(errno, ECHILD);
}

/* Waits for a signal until the test's time is up. */
HELPER(wait_long)
{
	pause();
	return 0;
}

TEST(a_command_can_be_made_to_die_with_its_parent)
{
	int ends[2];
	char byte;
	pid_t parent;

	REQUIRE(pipe2(ends, O_CLOEXEC) == 0);
	parent = fork();
	if (!parent) {
		struct llr_spawn spawn = spawn_of(NULL, LIST(ME("wait_long")));

		/* The command holds the pipe's end open for as long as it lives. */
		spawn.stdio[1] = ends[1];
		spawn.flags = LLR_SPAWN_DIE_WITH_PARENT;
		_exit(llr_spawn(&spawn, NULL, NULL) < 0);
	}
	close(ends[1]);
	CHECK_INT(end_of(parent), 0);
	CHECK_INT(read(ends[0], &byte, 1), 0);
}

TEST(a_name_is_searched_for_only_when_that_is_asked)
{
	char *const environment[] = { (char *)"PATH=/nowhere:bin", NULL };
	struct llr_spawn spawn = spawn_of(
		NULL, LIST((char *)"tool", (char *)"--helper", (char *)"create", (char *)"new"));

	REQUIRE(mkdir("bin", 0755) == 0 && symlink(check_self(), "bin/tool") == 0);
	spawn.envp = environment;
	check_refused(&spawn, LLR_E_EXEC, ENOENT);
	spawn.flags = LLR_SPAWN_SEARCH_PATH;
	CHECK_INT(end_of(llr_spawn(&spawn, NULL, NULL)), 0);
	CHECK(file_exists("new"));
}
