/* suite.c: runs each test in a process of its own and says what they came to, line by line.
 * It must never count what did not say itself that it passed. */
#include "suite.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* How a test's process ends: not by a status that a crash or a stray exit would give. */
#define PASSED 40
#define FAILED 41
#define SKIPPED 42

#define SECONDS 60

static int passed, failed, skipped;
static const char *prefix_now = "";
static char name_now[256];

void suite_prefix(const char *prefix)
{
	prefix_now = prefix;
}

void suite_fail(const char *file, int line, const char *format, ...)
{
	va_list arguments;

	printf("FAIL %s: %s:%d: ", name_now, file, line);
	va_start(arguments, format);
	vprintf(format, arguments);
	va_end(arguments);
	putchar('\n');
	fflush(stdout);
	_exit(FAILED);
}

void suite_skip(const char *format, ...)
{
	va_list arguments;

	printf("skip %s: ", name_now);
	va_start(arguments, format);
	vprintf(format, arguments);
	va_end(arguments);
	putchar('\n');
	fflush(stdout);
	_exit(SKIPPED);
}

static void count(int status)
{
	if (WIFEXITED(status) && WEXITSTATUS(status) == PASSED) {
		printf("ok %s\n", name_now);
		passed++;
	} else if (WIFEXITED(status) && WEXITSTATUS(status) == SKIPPED) {
		skipped++;
	} else {
		failed++;
		if (WIFSIGNALED(status))
			printf("FAIL %s: ended by signal %d\n", name_now, WTERMSIG(status));
		else if (WEXITSTATUS(status) != FAILED)
			printf("FAIL %s: ended by itself, with status %d\n", name_now,
			       WEXITSTATUS(status));
	}
	fflush(stdout);
}

void suite_run(void (*test)(const void *subject), const void *subject, const char *format, ...)
{
	int length = snprintf(name_now, sizeof(name_now), "%s", prefix_now);
	va_list arguments;
	int status;
	pid_t child;

	va_start(arguments, format);
	vsnprintf(name_now + length, sizeof(name_now) - (size_t)length, format, arguments);
	va_end(arguments);
	fflush(stdout);
	child = fork();
	if (child == 0) {
		alarm(SECONDS);
		test(subject);
		_exit(PASSED);
	}
	if (child < 0 || waitpid(child, &status, 0) != child) {
		printf("FAIL %s: cannot run it: %s\n", name_now, strerror(errno));
		failed++;
		return;
	}
	count(status);
}

void suite_in_child(void (*part)(void))
{
	int status;
	pid_t child;

	fflush(stdout);
	child = fork();
	EXPECT(child >= 0, "cannot fork: %s", strerror(errno));
	if (child == 0) {
		part();
		_exit(PASSED);
	}
	EXPECT(waitpid(child, &status, 0) == child, "cannot wait: %s", strerror(errno));
	if (WIFSIGNALED(status))
		FAIL("a part of it ended by signal %d", WTERMSIG(status));
	if (WEXITSTATUS(status) != PASSED)
		_exit(WEXITSTATUS(status));
}

/* Prints one line of another suite and counts it; its closing line goes to `closing`. */
static void relay_line(const char *line, int counts[3], char closing[64])
{
	static const char *const words[] = { "ok ", "FAIL ", "skip " };

	if (strncmp(line, "SUITE: ", 7) == 0) {
		snprintf(closing, 64, "%.63s", line);
		return;
	}
	for (int i = 0; i < 3; i++)
		if (strncmp(line, words[i], strlen(words[i])) == 0) {
			counts[i]++;
			printf("%s%s%s", words[i], prefix_now, line + strlen(words[i]));
			return;
		}
	fputs(line, stdout);
}

/* Starts the other suite with its stdout in *lines. */
static pid_t start(char *const argv[], FILE **lines)
{
	int ends[2];
	pid_t child;

	if (pipe(ends) != 0)
		return -1;
	fflush(stdout);
	child = fork();
	if (child == 0) {
		dup2(ends[1], STDOUT_FILENO);
		close(ends[0]);
		close(ends[1]);
		execv(argv[0], argv);
		_exit(127);
	}
	close(ends[1]);
	*lines = fdopen(ends[0], "r");
	return child;
}

void suite_relay(const char *prefix, char *const argv[])
{
	int counts[3] = { 0 }, status = -1;
	char line[4096], closing[64] = "", due[64];
	const char *outer = prefix_now;
	FILE *lines = NULL;
	pid_t child = start(argv, &lines);

	prefix_now = prefix;
	while (lines != NULL && fgets(line, sizeof(line), lines) != NULL)
		relay_line(line, counts, closing);
	if (lines != NULL)
		fclose(lines);
	if (child > 0)
		waitpid(child, &status, 0);
	snprintf(due, sizeof(due), "SUITE: %d passed, %d failed, %d skipped\n", counts[0],
		 counts[1], counts[2]);
	if (strcmp(closing, due) != 0 || counts[0] == 0 ||
	    status != (counts[1] == 0 ? 0 : 1 << 8)) {
		printf("FAIL %sthe suite ends as it counted: wait status 0x%x, closing line "
		       "\"%.*s\"\n",
		       prefix, (unsigned int)status, (int)strcspn(closing, "\n"), closing);
		counts[1]++;
	}
	passed += counts[0];
	failed += counts[1];
	skipped += counts[2];
	prefix_now = outer;
	fflush(stdout);
}

int suite_end(void)
{
	printf("SUITE: %d passed, %d failed, %d skipped\n", passed, failed, skipped);
	return fflush(stdout) == 0 && failed == 0 ? 0 : 1;
}
