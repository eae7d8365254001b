/* The harness behind check.h: runs each test in a child, collects what it reports, counts.
 * It never calls a test passed that did not reach its end. */
#include "check.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#endif

#define SHOWN 400        /* bytes of a text that a failure shows */
#define FAILURES_SHOWN 6 /* of one test: the first tell the most */

static struct check_test *tests, **tests_end = &tests;
static struct check_helper *helpers;
static char start_directory[PATH_MAX];
static char row[256];
static unsigned int rows_met, rows_due; /* of the running test's sampled sweeps */
static sigset_t watched;
static int report = -1; /* the running test's: a file in memory, one record a line */

void check_add_test(struct check_test *test)
{
	*tests_end = test;
	tests_end = &test->next;
}

void check_add_helper(struct check_helper *helper)
{
	helper->next = helpers;
	helpers = helper;
}

/* ---- What a test says ---- */

/* Records are: F a failure, S a skip, N how much of a sweep was left out, R a path to be removed, D
 * the test's end. */
static void record(char kind, const char *text)
{
	size_t length = strlen(text);
	char *line = malloc(length + 2);

	if (line == NULL)
		abort();
	line[0] = kind;
	memcpy(line + 1, text, length);
	line[length + 1] = '\n';
	if (write(report, line, length + 2) != (ssize_t)(length + 2))
		abort();
	free(line);
}

/* The text with control bytes escaped, cut where it is long. */
static void show(char *shown, size_t size, const char *text)
{
	size_t used = 0;

	if (text == NULL)
		text = "(null)";
	for (; *text && used + 8 < size; text++) {
		unsigned char byte = (unsigned char)*text;

		if (byte == '\n')
			used += (size_t)snprintf(shown + used, size - used, "\\n");
		else if (byte < 0x20 || byte >= 0x7f)
			used += (size_t)snprintf(shown + used, size - used, "\\x%02x", byte);
		else
			shown[used++] = (char)byte;
	}
	snprintf(shown + used, size - used, "%s", *text ? "..." : "");
}

void check_row(const char *format, ...)
{
	va_list arguments;
	char plain[sizeof row / 2];

	row[0] = '\0';
	if (format == NULL)
		return;
	va_start(arguments, format);
	vsnprintf(plain, sizeof plain, format, arguments);
	va_end(arguments);
	show(row, sizeof row, plain);
}

bool check_fail(const char *file, int line, const char *format, ...)
{
	char message[4 * SHOWN], text[5 * SHOWN];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(message, sizeof message, format, arguments);
	va_end(arguments);
	snprintf(text, sizeof text, "%s:%d: %s%s%s%s", file, line, *row ? "[" : "", row,
		 *row ? "] " : "", message);
	for (char *at = text; *at; at++)
		if (*at == '\n')
			*at = ' ';
	record('F', text);
	return false;
}

bool check_true(bool holds, const char *file, int line, const char *what)
{
	return holds || check_fail(file, line, "%s", what);
}

bool check_int(long long actual, long long expected, const char *file, int line, const char *what)
{
	return actual == expected ||
	       check_fail(file, line, "%s is %lld, not %lld", what, actual, expected);
}

static bool has_line(const char *text, const char *line)
{
	size_t length = strlen(line);

	for (const char *at = text; (at = strstr(at, line)) != NULL; at++)
		if ((at == text || at[-1] == '\n') && (!at[length] || at[length] == '\n'))
			return true;
	return false;
}

static bool related(const char *text, const char *wanted, enum check_relation relation)
{
	size_t length = strlen(wanted);

	switch (relation) {
	case CHECK_EQUAL:
		return strcmp(text, wanted) == 0;
	case CHECK_BEGINS:
		return strncmp(text, wanted, length) == 0;
	case CHECK_HOLDS:
		return strstr(text, wanted) != NULL;
	case CHECK_HOLDS_NOT:
		return strstr(text, wanted) == NULL;
	case CHECK_IS_LINE:
		return strncmp(text, wanted, length) == 0 && strcmp(text + length, "\n") == 0;
	case CHECK_HAS:
		return has_line(text, wanted);
	}
	return false;
}

bool check_text(const char *text, const char *wanted, enum check_relation relation,
		const char *file, int line)
{
	static const char *const words[] = {
		[CHECK_EQUAL] = "is not",
		[CHECK_BEGINS] = "does not begin with",
		[CHECK_HOLDS] = "does not contain",
		[CHECK_HOLDS_NOT] = "contains",
		[CHECK_IS_LINE] = "is not the line",
		[CHECK_HAS] = "has no line",
	};
	char shown[SHOWN], shown_wanted[SHOWN];

	if (text != NULL && related(text, wanted, relation))
		return true;
	show(shown, sizeof shown, text);
	show(shown_wanted, sizeof shown_wanted, wanted);
	return check_fail(file, line, "\"%s\" %s \"%s\"", shown, words[relation], shown_wanted);
}

static _Noreturn void finish(void)
{
	if (rows_due < rows_met)
		record('N', check_format("%u of %u rows", rows_due, rows_met));
	record('D', "");
	_exit(0);
}

void check_require(bool holds, const char *file, int line, const char *what)
{
	if (holds)
		return;
	check_fail(file, line, "%s (%s)", what, strerror(errno));
	finish();
}

_Noreturn void check_skip(const char *format, ...)
{
	char reason[SHOWN];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(reason, sizeof reason, format, arguments);
	va_end(arguments);
	record('S', reason);
	finish();
}

/* ---- What a test asks ---- */

int check_abi(void)
{
	const char *expected = getenv("LANDLOCK_RUN_EXPECT_ABI");
	long abi;

	if (expected != NULL && *expected)
		return atoi(expected);
	abi = syscall(SYS_landlock_create_ruleset, NULL, 0, 1);
	return abi > 0 ? (int)abi : 0;
}

void check_needs_abi(int abi)
{
	const char *must = getenv("LANDLOCK_RUN_MUST_ENFORCE");

	if (check_abi() >= abi)
		return;
	if (check_abi() > 0)
		check_skip("needs Landlock ABI %d, this kernel has %d", abi, check_abi());
	if (must == NULL || strcmp(must, "1") != 0)
		check_skip("this kernel does not enforce Landlock");
	check_fail("check", 0,
		   "this kernel does not enforce Landlock and LANDLOCK_RUN_MUST_ENFORCE=1");
	finish();
}

/* One row in how many is due. Ends this program on a number that is none: a sweep that was left out
 * by a slip of the pen would pass. */
static unsigned int stride(void)
{
	const char *given = getenv("LANDLOCK_RUN_SAMPLE");
	char *end;
	unsigned long number;

	if (given == NULL || !*given)
		return 1;
	number = strtoul(given, &end, 10);
	if (*given >= '1' && *given <= '9' && !*end && number <= 1000)
		return (unsigned int)number;
	fprintf(stderr, "check: LANDLOCK_RUN_SAMPLE is no number from 1 to 1000: %s\n", given);
	exit(2);
}

bool check_due(void)
{
	bool due = rows_met++ % stride() == 0;

	rows_due += due ? 1 : 0;
	return due;
}

char *check_format(const char *format, ...)
{
	va_list arguments;
	char *text;

	va_start(arguments, format);
	if (vasprintf(&text, format, arguments) < 0)
		abort();
	va_end(arguments);
	return text;
}

const char *check_launcher(void)
{
	static char path[2 * PATH_MAX];
	const char *given = getenv("LANDLOCK_RUN");

	if (given == NULL || !*given)
		given = "build/landlock-run";
	snprintf(path, sizeof path, "%s%s%s", *given == '/' ? "" : start_directory,
		 *given == '/' ? "" : "/", given);
	return path;
}

const char *check_self(void)
{
	static char path[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);

	if (length < 0)
		abort();
	path[length] = '\0';
	return path;
}

void check_remove_later(const char *path)
{
	record('R', path);
}

static bool is_beneath_tmp(const char *path)
{
	char resolved[PATH_MAX];

	return realpath(path, resolved) == NULL ||
	       ((strncmp(resolved, "/tmp", 4) == 0) && (!resolved[4] || resolved[4] == '/'));
}

const char *check_outside_tmp(void)
{
	const char *const places[] = { getenv("TMPDIR"), "/var/tmp", start_directory, "/dev/shm" };
	static char path[PATH_MAX];

	for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
		if (places[i] == NULL || *places[i] != '/' || is_beneath_tmp(places[i]))
			continue;
		snprintf(path, sizeof path, "%s/check-XXXXXX", places[i]);
		if (mkdtemp(path) == NULL)
			continue;
		check_remove_later(path);
		return path;
	}
	check_skip("no place outside /tmp can be written");
}

/* ---- Cleaning up ---- */

static int remove_entry(const char *path, const struct stat *status, int type, struct FTW *walk)
{
	(void)status;
	(void)walk;
	if (type == FTW_DNR || type == FTW_DP || type == FTW_D)
		rmdir(path);
	else
		unlink(path);
	return 0;
}

static int open_entry(const char *path, const struct stat *status, int type, struct FTW *walk)
{
	(void)status;
	(void)walk;
	if (type == FTW_D || type == FTW_DNR)
		chmod(path, 0700);
	return 0;
}

static void remove_tree(const char *path)
{
	struct stat status;

	/* What a test has closed is opened level by level. */
	for (int depth = 0; depth < 8 && lstat(path, &status) == 0; depth++) {
		nftw(path, open_entry, 16, FTW_PHYS);
		nftw(path, remove_entry, 16, FTW_PHYS | FTW_DEPTH);
	}
}

static pid_t parent_of(const char *pid)
{
	char path[64], text[512], *after;
	int fd, parent = -1;
	ssize_t length;

	snprintf(path, sizeof path, "/proc/%.20s/stat", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	length = read(fd, text, sizeof text - 1);
	close(fd);
	text[length > 0 ? length : 0] = '\0';
	after = strrchr(text, ')');
	if (after == NULL || sscanf(after + 1, " %*c %d", &parent) != 1)
		return -1;
	return parent;
}

/* Ends what a test has left running: it has become this process's child. */
static void end_orphans(void)
{
	while (waitpid(-1, NULL, WNOHANG) >= 0) {
		DIR *processes = opendir("/proc");
		struct dirent *entry;

		while (processes != NULL && (entry = readdir(processes)) != NULL)
			if (*entry->d_name >= '1' && *entry->d_name <= '9' &&
			    parent_of(entry->d_name) == getpid())
				kill(atoi(entry->d_name), SIGKILL);
		if (processes != NULL)
			closedir(processes);
		usleep(1000);
	}
}

/* ---- Running tests ---- */

struct outcome {
	int status;
	bool timed_out;
	int asked_to_end; /* the signal that this process got meanwhile */
	char *report;
	char directory[PATH_MAX];
};

static _Noreturn void die(const char *what)
{
	fprintf(stderr, "check: %s: %s\n", what, strerror(errno));
	exit(2);
}

static void make_directory(struct outcome *outcome)
{
	const char *base = getenv("TMPDIR");

	if (base == NULL || *base != '/')
		base = "/tmp";
	snprintf(outcome->directory, sizeof outcome->directory, "%s/check-XXXXXX", base);
	if (mkdtemp(outcome->directory) == NULL)
		die(outcome->directory);
}

static _Noreturn void become(const struct check_test *test, const char *directory,
			     const sigset_t *mask)
{
	int null = open("/dev/null", O_RDONLY);

	prctl(PR_SET_PDEATHSIG, SIGKILL); /* a suite that is broken off leaves no test behind */
	sigprocmask(SIG_SETMASK, mask, NULL);
	setsid();
	if (null < 0 || dup2(null, 0) < 0 || dup2(2, 1) < 0 || chdir(directory) != 0)
		abort();
	if (null > 2)
		close(null);
	test->body();
	finish();
}

/* Tests say what a launch does with signals; they must not start from what a runner in the
 * background, or nohup, has made to be ignored. */
static void take_defaults(void)
{
	for (int number = 1; number < NSIG; number++)
		signal(number, SIG_DFL); /* of two it cannot be changed */
}

/* What interrupts a wait: the end of a child, and what asks this process to end. */
static void watch(sigset_t *before)
{
	static const int numbers[] = { SIGCHLD, SIGINT, SIGTERM, SIGHUP };

	sigemptyset(&watched);
	for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
		sigaddset(&watched, numbers[i]);
	sigprocmask(SIG_BLOCK, &watched, before);
}

/* Waits for the child to end, or ends it. */
static void await(pid_t child, unsigned int seconds, struct outcome *outcome)
{
	struct timespec now, end, rest;
	int number = SIGCHLD;

	clock_gettime(CLOCK_MONOTONIC, &end);
	end.tv_sec += (time_t)seconds;
	for (;;) {
		pid_t ended = waitpid(child, &outcome->status, WNOHANG);

		if (ended == child)
			return;
		clock_gettime(CLOCK_MONOTONIC, &now);
		if (now.tv_sec >= end.tv_sec || (number > 0 && number != SIGCHLD))
			break;
		rest = (struct timespec){ .tv_sec = 1 };
		number = sigtimedwait(&watched, NULL, &rest);
	}
	outcome->timed_out = true;
	outcome->asked_to_end = number > 0 && number != SIGCHLD ? number : 0;
	kill(child, SIGKILL);
	waitpid(child, &outcome->status, 0);
}

static char *read_report(void)
{
	off_t size = lseek(report, 0, SEEK_END);
	char *text = calloc(1, (size_t)size + 1);

	if (text == NULL || pread(report, text, (size_t)size, 0) != size)
		die("the report");
	close(report);
	report = -1;
	return text;
}

static void run(const struct check_test *test, const sigset_t *mask, struct outcome *outcome)
{
	pid_t child;

	make_directory(outcome);
	outcome->timed_out = false;
	outcome->asked_to_end = 0;
	report = memfd_create("report", MFD_CLOEXEC);
	if (report < 0 || fcntl(report, F_SETFL, O_APPEND) != 0)
		die("memfd_create");
	fflush(NULL);
	child = fork();
	if (child < 0)
		die("fork");
	if (child == 0)
		become(test, outcome->directory, mask);
	await(child, test->seconds, outcome);
	end_orphans();
	outcome->report = read_report();
	remove_tree(outcome->directory);
}

/* ---- Telling ---- */

static struct {
	unsigned int passed, failed, skipped;
} counts;

/* A test that did not end by itself has failed, whatever it recorded. */
static const char *broken_off(const struct check_test *test, const struct outcome *outcome,
			      bool ended)
{
	static char text[80];

	if (outcome->asked_to_end)
		snprintf(text, sizeof text, "broken off by signal %d", outcome->asked_to_end);
	else if (outcome->timed_out)
		snprintf(text, sizeof text, "not done after %u seconds", test->seconds);
	else if (WIFSIGNALED(outcome->status))
		snprintf(text, sizeof text, "ended by signal %d", WTERMSIG(outcome->status));
	else if (WEXITSTATUS(outcome->status) != 0 || !ended)
		snprintf(text, sizeof text, "exited with %d before its end",
			 WEXITSTATUS(outcome->status));
	else
		return NULL;
	return text;
}

static void tell(const struct check_test *test, struct outcome *outcome)
{
	const char *skip = NULL, *broken;
	unsigned int failures = 0;
	bool ended = false;

	for (char *line = strtok(outcome->report, "\n"); line != NULL; line = strtok(NULL, "\n")) {
		if (*line == 'F' && failures++ < FAILURES_SHOWN)
			printf("%s %s: %s\n", failures > 1 ? "    " : "FAIL", test->name, line + 1);
		else if (*line == 'R')
			remove_tree(line + 1);
		else if (*line == 'S')
			skip = line + 1;
		else if (*line == 'N')
			printf("sampled %s: %s\n", test->name, line + 1);
		else if (*line == 'D')
			ended = true;
	}
	if (failures > FAILURES_SHOWN)
		printf("     %s: and %u more\n", test->name, failures - FAILURES_SHOWN);
	broken = broken_off(test, outcome, ended);
	if (broken != NULL)
		printf("%s %s: %s\n", failures++ ? "    " : "FAIL", test->name, broken);
	if (failures > 0) {
		counts.failed++;
	} else if (skip != NULL) {
		counts.skipped++;
		printf("skip %s: %s\n", test->name, skip);
	} else {
		counts.passed++;
		printf("ok %s\n", test->name);
	}
	fflush(stdout);
	free(outcome->report);
}

static bool is_chosen(const struct check_test *test, char **patterns)
{
	if (*patterns == NULL)
		return true;
	for (; *patterns != NULL; patterns++)
		if (strstr(test->name, *patterns) != NULL)
			return true;
	return false;
}

static int run_helper(int argc, char **argv)
{
	const char *name = argc > 0 ? argv[0] : "";

	for (const struct check_helper *helper = helpers; helper != NULL; helper = helper->next)
		if (strcmp(helper->name, name) == 0)
			return helper->body(argc, argv);
	fprintf(stderr, "check: no such helper: %s\n", name);
	return 99;
}

static int list(void)
{
	for (const struct check_test *test = tests; test != NULL; test = test->next)
		puts(test->name);
	return fflush(stdout) == 0 ? 0 : 2;
}

/* usage: PROGRAM [--list | PART-OF-A-NAME...] */
int main(int argc, char **argv)
{
	static struct outcome outcome;
	sigset_t mask;

	if (argc > 1 && strcmp(argv[1], "--helper") == 0)
		return run_helper(argc - 2, argv + 2);
	if (argc > 1 && strcmp(argv[1], "--list") == 0)
		return list();
	if (getcwd(start_directory, sizeof start_directory) == NULL)
		die("getcwd");
	stride(); /* says at once what is wrong with it */
	/* Absolute for tests and their helpers, which have other directories. */
	if (setenv("LANDLOCK_RUN", check_launcher(), 1) != 0 ||
	    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0)
		die("prctl");
	take_defaults();
	watch(&mask);
	for (const struct check_test *test = tests; test != NULL; test = test->next) {
		if (!is_chosen(test, argv + (argc > 0)))
			continue;
		run(test, &mask, &outcome);
		tell(test, &outcome);
		if (outcome.asked_to_end)
			return 128 + outcome.asked_to_end;
	}
	printf("SUITE: %u passed, %u failed, %u skipped\n", counts.passed, counts.failed,
	       counts.skipped);
	if (fflush(stdout) != 0 || counts.passed + counts.failed + counts.skipped == 0)
		return 2;
	return counts.failed > 0 ? 1 : 0;
}
