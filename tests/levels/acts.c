/* acts.c: what the test does when it is the command that the simulator runs.
 * It must never judge: it reports on stdout, or acts, and the test looks. */
#include "acts.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "calls.h"
#include "errnos.h"
#include "expect.h"
#include "levels.h"

static long ruleset = -1;

/* A ruleset with one right, or with what only a newer kernel can have. */
static long make(const char *what)
{
	uint64_t fields[LEVEL_FIELDS + 1] = { 0 };
	const struct level_right *right = level_right_named(what);

	if (right != NULL) {
		fields[right->field] = UINT64_C(1) << right->bit;
	} else if (strcmp(what, "quiet") == 0) {
		fields[LEVEL_FS] = fields[LEVEL_QUIET_FS] = 1;
	} else if (strcmp(what, "unknown-bit") == 0) {
		fields[LEVEL_FS] = UINT64_C(1) << 63;
	} else if (strcmp(what, "unknown-field") == 0) {
		fields[LEVEL_FS] = fields[LEVEL_FIELDS] = 1;
	} else {
		return -ENOENT;
	}
	return create_ruleset(fields, sizeof(fields), 0);
}

/* One call by its word: version errata create[:RIGHT] rule[:FLAGS] restrict[:FLAGS]; mute:FLAGS is
 * to restrict without a ruleset. */
static long call(const char *word)
{
	struct path_rule rule = { .allowed = 4 };
	const char *colon = strchr(word, ':');
	size_t length = colon == NULL ? strlen(word) : (size_t)(colon - word);
	uint32_t flags = colon == NULL ? 0 : (uint32_t)strtoul(colon + 1, NULL, 0);

	if (strcmp(word, "version") == 0)
		return create_ruleset(NULL, 0, LEVEL_CREATE_VERSION);
	if (strcmp(word, "errata") == 0)
		return create_ruleset(NULL, 0, LEVEL_CREATE_ERRATA);
	if (strncmp(word, "create", length) == 0) {
		ruleset = make(colon == NULL ? "read-file" : colon + 1);
		return ruleset < 0 ? ruleset : 0;
	}
	rule.parent = open("/", O_PATH | O_CLOEXEC);
	if (strncmp(word, "rule", length) == 0)
		return add_rule(ruleset, LEVEL_RULE_PATH, &rule, flags);
	if (strncmp(word, "restrict", length) == 0)
		return restrict_self(ruleset, flags);
	if (strncmp(word, "mute", length) == 0)
		return restrict_self(-1, flags);
	return -ENOENT;
}

/* calls WORD...: makes each call and prints the results. */
static int calls(char *const argv[])
{
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	for (; *argv != NULL; argv++) {
		long result = call(*argv);

		printf("%s%s", result == 0 ? "ok" : expect_show(result),
		       argv[1] == NULL ? "\n" : " ");
	}
	return 0;
}

/* in-child WORD...: the same in a child, then, whatever became of that, here. */
static int calls_in_child(char *const argv[])
{
	pid_t child = fork();

	if (child == 0)
		exit(calls(argv));
	waitpid(child, NULL, 0);
	return calls(argv);
}

static void *calls_of_thread(void *argv)
{
	calls(argv);
	return NULL;
}

/* in-thread WORD...: the same in a second thread. */
static int calls_in_thread(char *const argv[])
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, calls_of_thread, (void *)(uintptr_t)argv) != 0)
		return 1;
	return pthread_join(thread, NULL);
}

/* status N: ends with that status. */
static int status(char *const argv[])
{
	return atoi(argv[0]);
}

/* signal N: ends by that signal. */
static int die(char *const argv[])
{
	signal(atoi(argv[0]), SIG_DFL);
	raise(atoi(argv[0]));
	return 0;
}

/* descriptors TO: prints the open ones on one of them. */
static int descriptors(char *const argv[])
{
	for (int fd = 0; fd < 1024; fd++)
		if (fcntl(fd, F_GETFD) >= 0)
			dprintf(atoi(argv[0]), "%d ", fd);
	return 0;
}

/* state: prints what a process gets from the one that starts it. */
static int state(char *const argv[])
{
	char line[256];
	FILE *file = fopen("/proc/self/status", "r");

	(void)argv;
	while (file != NULL && fgets(line, sizeof(line), file) != NULL)
		if (strncmp(line, "SigBlk:", 7) == 0 || strncmp(line, "SigIgn:", 7) == 0 ||
		    strncmp(line, "NoNewPrivs:", 11) == 0 || strncmp(line, "CapEff:", 7) == 0)
			fputs(line, stdout);
	printf("pgrp %d sid %d\n", (int)getpgrp(), (int)getsid(0));
	return 0;
}

/* wait: says that it is there, and waits for a signal. */
static int wait_for_signal(char *const argv[])
{
	(void)argv;
	dprintf(STDOUT_FILENO, "%d\n", (int)getpid());
	while (pause() < 0)
		;
	return 0;
}

static void say_signal(int number)
{
	dprintf(STDOUT_FILENO, "signal %d\n", number);
	if (number != SIGUSR1)
		_exit(7);
}

/* catch: says which signals come; ends with 7 at one that is not SIGUSR1. */
static int catch (char *const argv[])
{
	signal(SIGUSR1, say_signal);
	signal(SIGTERM, say_signal);
	return wait_for_signal(argv);
}

/* close-stdout: closes it, then waits. */
static int close_stdout(char *const argv[])
{
	(void)argv;
	close(STDOUT_FILENO);
	while (pause() < 0)
		;
	return 0;
}

/* leave-behind MILLISECONDS: ends with 5 at once; its grandchild asks later, in a new session. */
static int leave_behind(char *const argv[])
{
	if (fork() != 0)
		return 5;
	setsid();
	if (fork() != 0)
		_exit(0);
	usleep((useconds_t)atoi(argv[0]) * 1000);
	printf("%s\n", expect_show(call("version")));
	return 0;
}

static void count_tick(int number)
{
	(void)number;
}

/* interrupted N: asks N times while signals come; prints how many answers were another errno. */
static int interrupted(char *const argv[])
{
	/* Before the simulator has taken the call a signal is seen in any case; restarted, not. */
	struct sigaction action = { .sa_handler = count_tick, .sa_flags = SA_RESTART };
	struct itimerval fast = { { 0, 50 }, { 0, 50 } };
	int wrong = 0;

	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &fast, NULL);
	for (int i = 0; i < atoi(argv[0]); i++)
		if (call("version") < 0)
			wrong++;
	printf("%d\n", wrong);
	return 0;
}

int act(char *const argv[])
{
	static const struct {
		const char *name;
		int arguments; /* at least */
		int (*run)(char *const argv[]);
	} acts[] = {
		{ "calls", 1, calls },
		{ "in-child", 1, calls_in_child },
		{ "in-thread", 1, calls_in_thread },
		{ "status", 1, status },
		{ "signal", 1, die },
		{ "descriptors", 1, descriptors },
		{ "state", 0, state },
		{ "wait", 0, wait_for_signal },
		{ "catch", 0, catch },
		{ "close-stdout", 0, close_stdout },
		{ "leave-behind", 1, leave_behind },
		{ "interrupted", 1, interrupted },
	};

	for (size_t i = 0; argv[0] != NULL && i < sizeof(acts) / sizeof(acts[0]); i++)
		if (strcmp(acts[i].name, argv[0]) == 0 &&
		    (acts[i].arguments == 0 || argv[1] != NULL))
			return acts[i].run(argv + 1);
	fputs("simulate_test: no such act\n", stderr);
	return 98;
}
