/* simulator_checks.c: tests of the simulator as a program: its options, faults, ends, processes.
 * They must never run where the kernel is not the real one. */
#include "simulator_checks.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "calls.h"
#include "expect.h"
#include "jobs.h"
#include "levels.h"
#include "suite.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define FAILED 99

static struct level real;

/* Ends the test where the kernel has not what it needs. */
static void need(int abi)
{
	if (real.abi >= abi)
		return;
	if (real.abi == 0 && getenv("LANDLOCK_RUN_MUST_ENFORCE") != NULL)
		FAIL("this kernel has no Landlock");
	suite_skip("this kernel has Landlock ABI %d, not %d", real.abi, abi);
}

/* --- command lines, what comes of them, and what is on stderr --- */

static const struct line {
	const char *claim;
	int needs;
	const char *words;
	int status;
	const char *out;
	const char *err; /* its beginning */
} lines[] = {
	{ "two dashes may go before the command", 0, "$ --abi 3 -- @ calls version", 0, "3\n", "" },
	{ "no dashes are needed", 0, "$ --abi 3 @ calls version", 0, "3\n", "" },
	{ "a level can be claimed above any kernel's", 1, "$ --abi 99 @ calls version create", 0,
	  "99 ok\n", "" },
	{ "an errno can be claimed", 0, "$ --abi EPERM @ calls version create rule restrict", 0,
	  "EPERM EPERM EPERM EPERM\n", "" },
	{ "ABI 0 is ENOSYS", 0, "$ --abi 0 @ calls version create", 0, "ENOSYS ENOSYS\n", "" },
	{ "below ABI 7 there is no errata query", 0, "$ --abi 6 @ calls errata", 0, "EINVAL\n", "" },
	{ "errata can be set before the ABI", 0, "$ --errata 0xc --abi 2 @ calls errata", 0, "12\n",
	  "" },
	{ "errata can be set after the ABI", 0, "$ --abi 2 --errata 15 @ calls errata", 0, "15\n",
	  "" },
	{ "errata can be none", 0, "$ --abi 9 --errata none @ calls errata", 0, "EINVAL\n", "" },
	{ "a right can be refused against the ABI", 6,
	  "$ --abi 6 --refuse signal @ calls version create:signal create:abstract-unix-socket "
	  "create:execute", 0, "6 EINVAL ok ok\n", "" },
	{ "rights can be refused against the real ABI", 4,
	  "$ --refuse truncate --refuse bind-tcp @ calls create:truncate create:bind-tcp "
	  "create:connect-tcp create:refer", 0, "EINVAL EINVAL ok ok\n", "" },
	{ "every call can fail", 1, "$ --fail add-rule=ENOMEM @ calls create rule rule restrict", 0,
	  "ok ENOMEM ENOMEM ok\n", "" },
	{ "the second call can fail", 1, "$ --fail add-rule=EBADFD@2 @ calls create rule rule rule",
	  0, "ok ok EBADFD ok\n", "" },
	{ "calls are counted in all processes together", 0,
	  "$ --abi 3 --fail version=EIO@2 @ in-child version version", 0, "3 EIO\n3 3\n", "" },
	{ "the version query can fail alone", 1, "$ --fail version=EPERM @ calls version create", 0,
	  "EPERM ok\n", "" },
	{ "the errata query can fail alone", 0, "$ --abi 7 --fail errata=EACCES @ calls errata version",
	  0, "EACCES 7\n", "" },
	{ "several calls can fail", 1,
	  "$ --abi 1 --fail create-ruleset=EMFILE@1 --fail restrict-self=E2BIG --fail version=EIO@2 "
	  "@ calls create create restrict version version version", 0, "EMFILE ok E2BIG 1 EIO 1\n",
	  "" },
	{ "one call can fail in several ways", 1,
	  "$ --fail create-ruleset=ENFILE@1 --fail create-ruleset=ENOMEM@3 @ calls create create "
	  "create create", 0, "ENFILE ok ENOMEM ok\n", "" },
	{ "a fault comes before the claimed errno", 0,
	  "$ --abi ENOSYS --fail version=EINTR @ calls version create", 0, "EINTR ENOSYS\n", "" },
	{ "a second thread is answered", 3,
	  "$ --abi 3 @ in-thread version create rule rule:1 restrict:1 restrict", 0,
	  "3 ok ok EINVAL EINVAL ok\n", "" },
	{ "a command that is not there ends with 99", 0, "$ --abi 3 /nonexistent/command", FAILED, "",
	  "simulate: cannot run /nonexistent/command: " },
	{ "a simulator inside a simulator ends with 99", 0, "$ --abi 3 $ --abi 2 @ calls version",
	  FAILED, "", "simulate: cannot run inside another simulator: " },
	{ "help goes to stdout", 0, "$ --help", 0, NULL, "" },
	{ "an unknown bit above the known ABIs has no answer", 0, "$ --abi 99 @ calls create:unknown-bit",
	  FAILED, "", "simulate: no right answer on this kernel: " },
	{ "an unknown field above the known ABIs has no answer", 0,
	  "$ --abi 99 @ calls create:unknown-field", FAILED, "",
	  "simulate: no right answer on this kernel: " },
	{ "an unknown add_rule flag above the known ABIs has no answer", 1,
	  "$ --abi 99 @ calls create rule:0x80", FAILED, "",
	  "simulate: no right answer on this kernel: " },
	{ "an unknown restrict_self flag above the known ABIs has no answer", 1,
	  "$ --abi 99 @ calls create restrict:0x4000", FAILED, "",
	  "simulate: no right answer on this kernel: " },
};

static void line_does_as_it_claims(const void *subject)
{
	const struct line *line = subject;
	struct outcome outcome;

	need(line->needs);
	job_run(line->words, NULL, &outcome);
	EXPECT(outcome.status == line->status, "status %d, stderr: %s", outcome.status, outcome.err);
	if (line->out != NULL)
		EXPECT(strcmp(outcome.out, line->out) == 0, "stdout: %s", outcome.out);
	if (*line->err == '\0')
		EXPECT(*outcome.err == '\0', "stderr: %s", outcome.err);
	EXPECT(strncmp(outcome.err, line->err, strlen(line->err)) == 0, "stderr: %s", outcome.err);
}

static void a_usage_error_ends_with_99(const void *subject)
{
	struct outcome outcome;

	job_run(subject, NULL, &outcome);
	EXPECT(outcome.status == FAILED, "status %d", outcome.status);
	EXPECT(*outcome.out == '\0', "stdout: %s", outcome.out);
	EXPECT(strncmp(outcome.err, "simulate: usage error: ", 23) == 0, "stderr: %s", outcome.err);
}

static void without_options_the_kernel_is_the_real_one(const void *unused)
{
	struct outcome outcome;
	char due[64];

	(void)unused;
	need(1);
	snprintf(due, sizeof(due), "%d ok ok ok\n", real.abi);
	job_run("$ @ calls version create rule restrict", NULL, &outcome);
	EXPECT(outcome.status == 0 && strcmp(outcome.out, due) == 0, "status %d: %s%s",
	       outcome.status, outcome.out, outcome.err);
}

/* --- what only a newer kernel has --- */

struct newer {
	int abi;
	const char *act;
	char words[64];
};

static void what_this_kernel_lacks_ends_with_99(const void *subject)
{
	const struct newer *newer = subject;
	struct outcome outcome;
	char words[128];

	snprintf(words, sizeof(words), "$ --abi %d @ %s version %s", newer->abi, newer->act,
		 newer->words);
	job_run(words, NULL, &outcome);
	EXPECT(outcome.status == FAILED, "status %d: %s", outcome.status, outcome.out);
	EXPECT(*outcome.out == '\0', "stdout: %s", outcome.out);
	EXPECT(strncmp(outcome.err, "simulate: no right answer on this kernel: ", 42) == 0,
	       "stderr: %s", outcome.err);
}

static void newer_checks(void)
{
	static const struct newer others[] = {
		{ 10, "calls", "create:quiet" },
		{ 8, "calls", "create restrict:8" },
		{ 8, "calls", "mute:12" },
		{ 11, "calls", "create restrict:16" },
	};
	const struct level_right *right;

	for (size_t i = 0; (right = level_right(i)) != NULL; i++)
		for (int child = 0; child < 2 && right->since > real.abi; child++) {
			struct newer newer = { right->since, child ? "in-child" : "calls", "" };

			snprintf(newer.words, sizeof(newer.words), "create:%s", right->name);
			suite_run(what_this_kernel_lacks_ends_with_99, &newer,
				  "%s, which this kernel lacks, ends with 99%s", right->name,
				  child ? ", in a child too" : "");
		}
	for (size_t i = 0; i < COUNT(others); i++)
		if (others[i].abi > real.abi && (real.abi > 0 || i == 0))
			suite_run(what_this_kernel_lacks_ends_with_99, &others[i],
				  "%s, which this kernel lacks, ends with 99", others[i].words);
}

/* --- how it ends --- */

static void the_status_is_the_commands(const void *unused)
{
	static const int statuses[] = { 0, 1, 2, 98, 99, 100, 125, 126, 127, 128, 137, 143, 255 };

	(void)unused;
	for (size_t i = 0; i < COUNT(statuses); i++) {
		struct outcome outcome;
		char words[64];

		snprintf(words, sizeof(words), "$ --abi 3 @ status %d", statuses[i]);
		job_run(words, NULL, &outcome);
		EXPECT(outcome.status == statuses[i] && *outcome.err == '\0', "status %d, not %d",
		       outcome.status, statuses[i]);
	}
}

static void the_signal_is_the_commands(const void *unused)
{
	static const int fatal[] = { SIGHUP,  SIGINT,  SIGQUIT, SIGILL,	 SIGTRAP, SIGABRT, SIGBUS,
				     SIGFPE,  SIGKILL, SIGUSR1, SIGSEGV, SIGUSR2, SIGPIPE, SIGALRM,
				     SIGTERM, SIGSYS,  40 };

	(void)unused;
	for (size_t i = 0; i < COUNT(fatal); i++) {
		struct outcome outcome;
		char words[64];

		snprintf(words, sizeof(words), "$ --abi 3 @ signal %d", fatal[i]);
		job_run(words, NULL, &outcome);
		EXPECT(outcome.status == -fatal[i] && *outcome.err == '\0', "%d, not signal %d",
		       outcome.status, fatal[i]);
	}
}

/* Starts a command that says its number; returns that. */
static pid_t start_and_read_pid(const char *words, struct job *job)
{
	char line[64];

	*job = job_start(words, NULL);
	EXPECT(job_line(job, line, sizeof(line)) && atoi(line) > 0, "no process number: %s", line);
	return (pid_t)atoi(line);
}

static void expect_gone(pid_t pid)
{
	/* As a subreaper this test inherits what is left, so it can tell a zombie from a process. */
	for (int tries = 0; tries < 200; tries++) {
		if (waitpid(pid, NULL, WNOHANG) == pid || (kill(pid, 0) != 0 && errno == ESRCH))
			return;
		usleep(10000);
	}
	kill(pid, SIGKILL);
	FAIL("process %d is left behind", (int)pid);
}

static void a_terminated_simulator_ends_its_command(const void *unused)
{
	static const int deadly[] = { SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGALRM, SIGKILL };

	(void)unused;
	prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
	for (size_t i = 0; i < COUNT(deadly); i++) {
		struct outcome outcome;
		struct job job;
		pid_t command = start_and_read_pid("$ --abi 3 @ wait", &job);

		kill(job.pid, deadly[i]);
		job_collect(&job, &outcome);
		EXPECT(outcome.status == -deadly[i], "status %d at signal %d", outcome.status,
		       deadly[i]);
		expect_gone(command);
	}
}

static void a_signal_is_passed_on(const void *unused)
{
	struct outcome outcome;
	struct job job;
	char line[64];

	(void)unused;
	start_and_read_pid("$ --abi 3 @ catch", &job);
	for (int i = 0; i < 3; i++) {
		kill(job.pid, SIGUSR1);
		EXPECT(job_line(&job, line, sizeof(line)) && strcmp(line, "signal 10") == 0,
		       "it said: %s", line);
	}
	kill(job.pid, SIGTERM);
	job_collect(&job, &outcome);
	EXPECT(outcome.status == 7 && strcmp(outcome.out, "signal 15\n") == 0, "status %d: %s",
	       outcome.status, outcome.out);
}

static long milliseconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void a_process_left_behind_is_answered(const void *unused)
{
	long before = milliseconds(), after;
	struct outcome outcome;

	(void)unused;
	job_run("$ --abi 3 @ leave-behind 300", NULL, &outcome);
	after = milliseconds();
	EXPECT(strcmp(outcome.out, "3\n") == 0, "it was told: %s", outcome.out);
	EXPECT(outcome.status == 5, "status %d", outcome.status);
	EXPECT(after - before >= 300, "it ended after %ld ms", after - before);
}

static void a_process_left_behind_ends_with_the_simulator(const void *unused)
{
	struct job job = job_start("$ --abi 3 @ leave-behind 50000", NULL);
	long before = milliseconds();
	struct outcome outcome;

	(void)unused;
	usleep(200000);
	kill(job.pid, SIGTERM);
	job_collect(&job, &outcome); /* whoever is left would hold the pipes */
	EXPECT(outcome.status == 5, "status %d", outcome.status);
	EXPECT(milliseconds() - before < 10000, "it took too long");
}

static void a_closed_pipe_is_seen_closed(const void *unused)
{
	struct job job = job_start("$ --abi 3 @ close-stdout", NULL);
	struct outcome outcome;
	char byte;

	(void)unused;
	EXPECT(read(job.out, &byte, 1) == 0, "there was output");
	EXPECT(waitpid(job.pid, NULL, WNOHANG) == 0, "it has ended");
	kill(job.pid, SIGTERM);
	job_collect(&job, &outcome);
	EXPECT(outcome.status == -SIGTERM, "status %d", outcome.status);
}

/* --- what the command gets --- */

static void close_stdin(void)
{
	close(STDIN_FILENO);
}

static void close_all_standard(void)
{
	dup2(STDOUT_FILENO, 9);
	close(STDIN_FILENO);
	close(STDOUT_FILENO);
	close(STDERR_FILENO);
}

static void open_some_more(void)
{
	dup2(STDOUT_FILENO, 5);
	dup2(STDOUT_FILENO, 300);
}

static void change_signals(void)
{
	sigset_t blocked;

	sigemptyset(&blocked);
	sigaddset(&blocked, SIGUSR2);
	sigaddset(&blocked, SIGTERM);
	sigprocmask(SIG_BLOCK, &blocked, NULL);
	signal(SIGCHLD, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
}

/* Runs the act with the simulator and without; the two must print the same. */
static void expect_same(const char *act_words, void (*prepare)(void))
{
	struct outcome direct, simulated;
	char words[128];
	char *privs;

	snprintf(words, sizeof(words), "@ %s", act_words);
	job_run(words, prepare, &direct);
	snprintf(words, sizeof(words), "$ --abi 3 @ %s", act_words);
	job_run(words, prepare, &simulated);
	EXPECT(direct.status == 0 && *direct.out != '\0', "the act failed: %s", direct.err);
	/* Only the superuser can have a filter without it. */
	privs = strstr(direct.out, "NoNewPrivs:\t0");
	if (privs != NULL && geteuid() != 0)
		privs[strlen("NoNewPrivs:\t")] = '1';
	EXPECT(simulated.status == 0, "status %d: %s", simulated.status, simulated.err);
	EXPECT(strcmp(direct.out, simulated.out) == 0, "without it:\n%swith it:\n%s", direct.out,
	       simulated.out);
}

static void descriptors_are_as_they_were(const void *unused)
{
	(void)unused;
	expect_same("descriptors 1", NULL);
	expect_same("descriptors 1", close_stdin);
	expect_same("descriptors 9", close_all_standard);
	expect_same("descriptors 1", open_some_more);
}

static void signals_and_privileges_are_as_they_were(const void *unused)
{
	(void)unused;
	expect_same("state", NULL);
	expect_same("state", change_signals);
}

static void the_end_is_known_when_signals_are_ignored(const void *unused)
{
	struct outcome outcome;

	(void)unused;
	job_run("$ --abi 3 @ status 33", change_signals, &outcome);
	EXPECT(outcome.status == 33, "status %d", outcome.status);
	/* So is a signal that the simulator was started ignoring. */
	job_run("$ --abi 3 @ signal 1", change_signals, &outcome);
	EXPECT(outcome.status == -SIGHUP, "status %d", outcome.status);
}

static void no_answer_is_interrupted(const void *unused)
{
	struct outcome outcome;

	(void)unused;
	job_run("$ --abi 3 @ interrupted 5000", NULL, &outcome);
	EXPECT(outcome.status == 0 && strcmp(outcome.out, "0\n") == 0, "status %d, wrong: %s",
	       outcome.status, outcome.out);
}

static void many_run_side_by_side(const void *unused)
{
	struct job jobs[48];

	(void)unused;
	for (size_t i = 0; i < COUNT(jobs); i++) {
		char words[64];

		snprintf(words, sizeof(words), "$ --abi %u @ in-child version", 1 + (unsigned int)i);
		jobs[i] = job_start(words, NULL);
	}
	for (size_t i = 0; i < COUNT(jobs); i++) {
		struct outcome outcome;
		char due[64];

		job_collect(&jobs[i], &outcome);
		snprintf(due, sizeof(due), "%u\n%u\n", 1 + (unsigned int)i, 1 + (unsigned int)i);
		EXPECT(outcome.status == 0 && strcmp(outcome.out, due) == 0, "%u: status %d: %s%s",
		       (unsigned int)i, outcome.status, outcome.out, outcome.err);
	}
}

static void usage_checks(void)
{
	static const char *const wrong[] = {
		"$",
		"$ --",
		"$ --abi 3",
		"$ --abi",
		"$ --abi x @ calls version",
		"$ --abi -1 @ calls version",
		"$ --abi 10000 @ calls version",
		"$ --abi=3 @ calls version",
		"$ --errata x @ calls version",
		"$ --errata -1 @ calls version",
		"$ --refuse nothing @ calls version",
		"$ --fail add-rule @ calls version",
		"$ --fail nothing=EPERM @ calls version",
		"$ --fail add-rule=ENOTHING @ calls version",
		"$ --fail add-rule=EPERM@ @ calls version",
		"$ --fail add-rule=EPERM@0 @ calls version",
		"$ --fail add-rule=EPERM@x @ calls version",
		"$ --fail add-rule=EPERM@1x @ calls version",
		"$ --fail add-rule=EPERM, @ calls version",
		"$ --fail =EPERM @ calls version",
		"$ --nothing @ calls version",
	};

	for (size_t i = 0; i < COUNT(wrong); i++)
		suite_run(a_usage_error_ends_with_99, wrong[i], "a usage error ends with 99: %s",
			  wrong[i]);
}

static void process_checks(void)
{
	static const struct {
		void (*test)(const void *unused);
		const char *claim;
	} tests[] = {
		{ the_status_is_the_commands, "the status is the command's" },
		{ the_signal_is_the_commands, "the signal is the command's" },
		{ a_terminated_simulator_ends_its_command, "a terminated simulator ends its command" },
		{ a_signal_is_passed_on, "a signal is passed on" },
		{ a_process_left_behind_is_answered, "a process left behind is answered" },
		{ a_process_left_behind_ends_with_the_simulator,
		  "a process left behind ends with the simulator" },
		{ a_closed_pipe_is_seen_closed, "a closed pipe is seen closed" },
		{ descriptors_are_as_they_were, "descriptors are as they were" },
		{ signals_and_privileges_are_as_they_were, "signals and privileges are as they were" },
		{ the_end_is_known_when_signals_are_ignored,
		  "the end is known when signals are ignored" },
		{ no_answer_is_interrupted, "no answer is interrupted" },
		{ many_run_side_by_side, "many run side by side" },
	};

	for (size_t i = 0; i < COUNT(tests); i++)
		suite_run(tests[i].test, NULL, "%s", tests[i].claim);
}

void simulator_checks(const char *simulator, const char *self)
{
	long abi = create_ruleset(NULL, 0, LEVEL_CREATE_VERSION);

	real = level_of(abi < 0 ? 0 : (int)abi);
	jobs_name(simulator, self);
	for (size_t i = 0; i < COUNT(lines); i++)
		suite_run(line_does_as_it_claims, &lines[i], "%s", lines[i].claim);
	usage_checks();
	suite_run(without_options_the_kernel_is_the_real_one, NULL,
		  "without options the kernel is the real one");
	newer_checks();
	process_checks();
}
