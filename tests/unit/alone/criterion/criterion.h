/* Stands in for Criterion where there is none, or it would cost too much: all tests in one process,
 * which can be static, run under valgrind or be built for another architecture. Nothing here passes
 * a test that the real one would fail; only what these tests use is here. */
#ifndef ALONE_CRITERION_H
#define ALONE_CRITERION_H

#include <string.h>

#define Test(suite, test) \
	static void suite##_##test(void); \
	__attribute__((constructor)) static void alone_register_##suite##_##test(void) \
	{ \
		static struct alone_test entry = { #suite "::" #test, suite##_##test, NULL }; \
		alone_add(&entry); \
	} \
	static void suite##_##test(void)

/* The message's values are only looked at when it is due. */
#define ALONE_CHECK(condition, fatal, text, ...) \
	((condition) ? (void)0 : alone_fail(fatal, __FILE__, __LINE__, text, "" __VA_ARGS__))

#define cr_assert(condition, ...) ALONE_CHECK(condition, 1, #condition, __VA_ARGS__)
#define cr_assert_eq(a, b, ...) ALONE_CHECK((a) == (b), 1, #a " == " #b, __VA_ARGS__)
#define cr_assert_leq(a, b, ...) ALONE_CHECK((a) <= (b), 1, #a " <= " #b, __VA_ARGS__)
#define cr_assert_lt(a, b, ...) ALONE_CHECK((a) < (b), 1, #a " < " #b, __VA_ARGS__)
#define cr_assert_geq(a, b, ...) ALONE_CHECK((a) >= (b), 1, #a " >= " #b, __VA_ARGS__)
#define cr_assert_not_null(a, ...) ALONE_CHECK((a) != NULL, 1, #a " != NULL", __VA_ARGS__)
#define cr_assert_str_eq(a, b, ...) ALONE_CHECK(!strcmp(a, b), 1, #a " is " #b, __VA_ARGS__)

#define cr_expect(condition, ...) ALONE_CHECK(condition, 0, #condition, __VA_ARGS__)
#define cr_expect_eq(a, b, ...) ALONE_CHECK((a) == (b), 0, #a " == " #b, __VA_ARGS__)
#define cr_expect_leq(a, b, ...) ALONE_CHECK((a) <= (b), 0, #a " <= " #b, __VA_ARGS__)
#define cr_expect_geq(a, b, ...) ALONE_CHECK((a) >= (b), 0, #a " >= " #b, __VA_ARGS__)
#define cr_expect_gt(a, b, ...) ALONE_CHECK((a) > (b), 0, #a " > " #b, __VA_ARGS__)
#define cr_expect_null(a, ...) ALONE_CHECK((a) == NULL, 0, #a " == NULL", __VA_ARGS__)
#define cr_expect_not_null(a, ...) ALONE_CHECK((a) != NULL, 0, #a " != NULL", __VA_ARGS__)
#define cr_expect_str_eq(a, b, ...) ALONE_CHECK(!strcmp(a, b), 0, #a " is " #b, __VA_ARGS__)
#define cr_expect_arr_eq(a, b, size, ...) \
	ALONE_CHECK(!memcmp(a, b, size), 0, #a " is " #b, __VA_ARGS__)

struct alone_test {
	const char *name;
	void (*run)(void);
	struct alone_test *next;
};

void alone_add(struct alone_test *test);
/* Says what does not hold; ends the test when that is fatal. */
void alone_fail(int fatal, const char *file, int line, const char *condition, const char *format,
		...);

#endif
