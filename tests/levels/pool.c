/* pool.c: runs a list of tests in a few processes at once and says what they came to, line by line.
 * It must never count a test that did not come to its end. */
#include "pool.h"

#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define PROCESSES_MOST 8

enum verdict { PASSED = 1, FAILED, SKIPPED };

static struct pool_test *tests;
static size_t count, room;

/* Shared with the processes. */
static struct {
	atomic_size_t next;
	atomic_uint verdicts[SKIPPED + 1];
} * board;

static const struct pool_test *in_hand;
static jmp_buf end_of_test;

size_t pool_count(void)
{
	return count;
}

void pool_add(void (*run)(const void *subject), const void *subject, const char *format, ...)
{
	va_list arguments;

	if (count == room) {
		room = room == 0 ? 256 : 2 * room;
		tests = realloc(tests, room * sizeof(*tests));
		if (tests == NULL)
			abort();
	}
	tests[count] = (struct pool_test){ .run = run, .subject = subject };
	va_start(arguments, format);
	vsnprintf(tests[count].name, POOL_NAME, format, arguments);
	va_end(arguments);
	count++;
}

/* One write a line: the processes share the descriptor. */
static void say(const char *line, size_t length)
{
	while (length > 0) {
		ssize_t written = write(STDOUT_FILENO, line, length);

		if (written <= 0)
			_exit(1);
		line += written;
		length -= (size_t)written;
	}
}

__attribute__((format(printf, 3, 0))) static void say_why(const char *word, const char *where,
							  const char *format, va_list arguments)
{
	char line[8192];
	size_t most = sizeof(line) - 1;
	int length = snprintf(line, most, "%s %s: %s", word, in_hand->name, where);

	length += vsnprintf(line + length, most - (size_t)length, format, arguments);
	if ((size_t)length >= most)
		length = (int)most - 1;
	/* What a program wrote may be in it: one test is one line. */
	for (int i = 0; i < length; i++)
		if ((unsigned char)line[i] < ' ')
			line[i] = line[i] == '\n' ? '|' : '?';
	line[length++] = '\n';
	say(line, (size_t)length);
}

void pool_fail(const char *file, int line, const char *format, ...)
{
	char where[200];
	va_list arguments;

	snprintf(where, sizeof(where), "%s:%d: ", file, line);
	va_start(arguments, format);
	say_why("FAIL", where, format, arguments);
	va_end(arguments);
	longjmp(end_of_test, FAILED);
}

void pool_skip(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	say_why("skip", "", format, arguments);
	va_end(arguments);
	longjmp(end_of_test, SKIPPED);
}

static void run_one(const struct pool_test *test)
{
	char line[POOL_NAME + 8];
	int verdict;

	in_hand = test;
	verdict = setjmp(end_of_test);
	if (verdict == 0) {
		test->run(test->subject);
		say(line, (size_t)snprintf(line, sizeof(line), "ok %s\n", test->name));
		verdict = PASSED;
	}
	atomic_fetch_add(&board->verdicts[verdict], 1);
}

static const int endings[] = { SIGTERM, SIGINT, SIGHUP };

static bool told_to_end(void)
{
	sigset_t pending;

	sigpending(&pending);
	for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); i++)
		if (sigismember(&pending, endings[i]) == 1)
			return true;
	return false;
}

_Noreturn static void work(void (*prepare)(void))
{
	sigset_t taken;
	size_t at;

	/* Between two tests: what prepare made is put away at exit. */
	sigemptyset(&taken);
	for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); i++)
		sigaddset(&taken, endings[i]);
	sigprocmask(SIG_BLOCK, &taken, NULL);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	prepare();
	while (!told_to_end() && (at = atomic_fetch_add(&board->next, 1)) < count)
		run_one(&tests[at]);
	exit(told_to_end() ? 1 : 0);
}

static int close_suite(unsigned int passed, unsigned int failed, unsigned int skipped)
{
	printf("SUITE: %u passed, %u failed, %u skipped\n", passed, failed, skipped);
	return fflush(stdout) == 0 && failed == 0 && passed + skipped > 0 ? 0 : 1;
}

int pool_run(void (*prepare)(void))
{
	long processes = sysconf(_SC_NPROCESSORS_ONLN);
	unsigned int failed, done = 0, crashed = 0;
	int status;

	board = mmap(NULL, sizeof(*board), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		     0);
	if (board == MAP_FAILED)
		abort();
	if (processes < 1 || processes > PROCESSES_MOST)
		processes = processes < 1 ? 1 : PROCESSES_MOST;
	fflush(stdout);
	for (long i = 0; i < processes; i++)
		if (fork() == 0)
			work(prepare);
	while (wait(&status) > 0)
		if (status != 0) {
			printf("FAIL every process of the suite ends well: wait status 0x%x\n",
			       (unsigned int)status);
			crashed++;
		}
	for (int i = PASSED; i <= SKIPPED; i++)
		done += atomic_load(&board->verdicts[i]);
	failed = atomic_load(&board->verdicts[FAILED]) + crashed;
	if (done != count) {
		printf("FAIL every test comes to an end: %s:%d: %u of %zu did\n", __FILE__,
		       __LINE__, done, count);
		failed++;
	}
	return close_suite(atomic_load(&board->verdicts[PASSED]), failed,
			   atomic_load(&board->verdicts[SKIPPED]));
}

int pool_leave(const char *name, const char *why)
{
	const char *must = getenv("LANDLOCK_RUN_MUST_ENFORCE");
	bool fails = must != NULL && strcmp(must, "1") == 0;

	if (fails)
		printf("FAIL %s: %s:%d: %s\n", name, __FILE__, __LINE__, why);
	else
		printf("skip %s: %s\n", name, why);
	return close_suite(0, fails ? 1 : 0, fails ? 0 : 1);
}
