/* pool.h: runs a list of tests in a few processes at once and says what they came to, line by line.
 * It must never count a test that did not come to its end. */
#ifndef POOL_H
#define POOL_H

#include <stdbool.h>
#include <stddef.h>

#define POOL_NAME 200

struct pool_test {
	char name[POOL_NAME];
	void (*run)(const void *subject);
	const void *subject;
};

/* The test in hand ends here, failed or skipped. Only within a test. */
#define FAIL(...) pool_fail(__FILE__, __LINE__, __VA_ARGS__)
#define EXPECT(condition, ...) ((condition) ? (void)0 : FAIL(__VA_ARGS__))
#define SKIP(...) pool_skip(__VA_ARGS__)

_Noreturn void pool_fail(const char *file, int line, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
_Noreturn void pool_skip(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Adds a test; its name is made as by printf. The subject is kept, not copied. */
void pool_add(void (*run)(const void *subject), const void *subject, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* How many tests were added. */
size_t pool_count(void);

/* Runs `prepare` once in each process and then all tests, spread over the processes, in no order;
 * prints the closing line and returns the exit status. */
int pool_run(void (*prepare)(void));

/* Ends the suite without a test run: one skip, or one failure where the thing must work. */
int pool_leave(const char *name, const char *why);

#endif
