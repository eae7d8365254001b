/* suite.h: runs each test in a process of its own and says what they came to, line by line.
 * It must never count what did not say itself that it passed. */
#ifndef SUITE_H
#define SUITE_H

#include <stdbool.h>
#include <stddef.h>

/* The test in hand ends here, failed or skipped. Only within a test, or in a child of it. */
#define FAIL(...) suite_fail(__FILE__, __LINE__, __VA_ARGS__)
#define EXPECT(condition, ...) ((condition) ? (void)0 : FAIL(__VA_ARGS__))

_Noreturn void suite_fail(const char *file, int line, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
_Noreturn void suite_skip(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* What goes before the name of every test from now on; it is kept, not copied. */
void suite_prefix(const char *prefix);

/* Runs `test` with `subject` in a new process. Its name is made as by printf. */
void suite_run(void (*test)(const void *subject), const void *subject, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Runs a part of a test in a new process and returns when it ended well; else so ends the test. */
void suite_in_child(void (*part)(void));

/* Runs another suite, prints its lines with the prefix in them, and counts them as its own. A
 * closing line that counts otherwise, or an exit status that says otherwise, is a failure. */
void suite_relay(const char *prefix, char *const argv[]);

/* Prints the closing line and returns the exit status. */
int suite_end(void);

#endif
