/* Runs the unit tests one after the other in this process, without Criterion, and ends as every
 * suite here does. A crash ends it without the closing line, which counts as a failure. */
#include <criterion/criterion.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

static struct alone_test *first, **last = &first;
static const char *name;
static int failures;
static jmp_buf end_of_test;

void alone_add(struct alone_test *test)
{
	*last = test;
	last = &test->next;
}

void alone_fail(int fatal, const char *file, int line, const char *condition, const char *format,
		...)
{
	va_list arguments;

	failures++;
	printf("FAIL %s: %s:%d: %s", name, file, line, condition);
	if (*format) {
		printf(": ");
		va_start(arguments, format);
		vprintf(format, arguments);
		va_end(arguments);
	}
	putchar('\n');
	if (fatal)
		longjmp(end_of_test, 1);
}

static int run(struct alone_test *test)
{
	name = test->name;
	failures = 0;
	if (!setjmp(end_of_test))
		test->run();
	if (!failures)
		printf("ok %s\n", name);
	fflush(stdout);
	return failures == 0;
}

int main(int argc, char **argv)
{
	const char *slash = argc ? strrchr(argv[0], '/') : NULL;
	int passed = 0, failed = 0;

	for (struct alone_test *test = first; test; test = test->next) {
		int held = run(test);

		passed += held;
		failed += !held;
	}
	printf("%s: %d passed, %d failed, 0 skipped\n", slash ? slash + 1 : "unit-alone", passed,
	       failed);
	return failed > 0 || passed == 0;
}
