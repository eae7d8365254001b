/* A harness for test programs that must run anywhere, also in a guest that has nothing but them:
 * tests that register themselves, each in a process and an empty directory of its own. Nothing here
 * may need more than a libc; nothing passes without having run. */
#ifndef CHECK_H
#define CHECK_H

#include <stdbool.h>
#include <stddef.h>

/* TEST(name_is_a_claim) { … }: a test. Its working directory is empty and its own, stdin is
 * /dev/null, it leads a session. Whatever it leaves behind, processes and files, is removed. */
#define TEST(name) TEST_WITHIN(name, 120)
#define TEST_WITHIN(test, limit) \
	static void test_##test(void); \
	__attribute__((constructor)) static void register_##test(void) \
	{ \
		static struct check_test entry = { #test, test_##test, limit, NULL }; \
		check_add_test(&entry); \
	} \
	static void test_##test(void)

/* HELPER(name) { … return status; }: what this program does when it is started as `PROGRAM --helper
 * name [ARG]...`: the commands of tests where there may be no others. It sees argc and argv,
 * argv[0] being its name. */
#define HELPER(helper) \
	static int helper_##helper(int argc, char **argv); \
	__attribute__((constructor)) static void register_helper_##helper(void) \
	{ \
		static struct check_helper entry = { #helper, helper_##helper, NULL }; \
		check_add_helper(&entry); \
	} \
	static int helper_##helper(__attribute__((unused)) int argc, \
				   __attribute__((unused)) char **argv)

/* Each says whether it held; the test goes on in any case and has failed when one did not. Also in
 * forked children. */
#define CHECK(condition) check_true((condition) ? true : false, __FILE__, __LINE__, #condition)
#define CHECK_INT(actual, expected) \
	check_int((long long)(actual), (long long)(expected), __FILE__, __LINE__, #actual)
#define CHECK_STR(actual, expected) check_text(actual, expected, CHECK_EQUAL, __FILE__, __LINE__)
#define CHECK_PREFIX(text, prefix) check_text(text, prefix, CHECK_BEGINS, __FILE__, __LINE__)
#define CHECK_CONTAINS(text, part) check_text(text, part, CHECK_HOLDS, __FILE__, __LINE__)
#define CHECK_LACKS(text, part) check_text(text, part, CHECK_HOLDS_NOT, __FILE__, __LINE__)
/* The text is that line, with its newline, and nothing else. */
#define CHECK_LINE(text, line) check_text(text, line, CHECK_IS_LINE, __FILE__, __LINE__)
/* The text has that line, whole, among others. */
#define CHECK_HAS_LINE(text, line) check_text(text, line, CHECK_HAS, __FILE__, __LINE__)

/* Ends the test, as failed, unless the condition holds: for what the rest of the test stands on. */
#define REQUIRE(condition) check_require((condition) ? true : false, __FILE__, __LINE__, #condition)
/* A failure in words (printf's); the test goes on. */
#define FAIL(...) check_fail(__FILE__, __LINE__, __VA_ARGS__)
/* Ends the test, as skipped, and says why (printf's). */
#define SKIP(...) check_skip(__VA_ARGS__)
/* Ends the test as skipped where the kernel's Landlock is none, or older; as failed where
 * LANDLOCK_RUN_MUST_ENFORCE=1 and it is none. */
#define NEEDS_LANDLOCK() check_needs_abi(1)
#define NEEDS_ABI(abi) check_needs_abi(abi)

enum check_relation {
	CHECK_EQUAL,
	CHECK_BEGINS,
	CHECK_HOLDS,
	CHECK_HOLDS_NOT,
	CHECK_IS_LINE,
	CHECK_HAS,
};

/* The row of a table that the checks to come are about, in words (printf's); NULL: none. */
void check_row(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Whether the next row of a sweep is due: for sweeps so long that an emulated machine cannot afford
 * them, and of which no kernel decides the result. Every row is, unless LANDLOCK_RUN_SAMPLE=N: then
 * the first and each Nth after it, the same in each run, and the harness says beside the result
 * `sampled NAME: M of ALL rows`. Asked once a row. */
bool check_due(void);

/* The Landlock ABI that tests count on: LANDLOCK_RUN_EXPECT_ABI, or what the kernel says; 0: none.
 */
int check_abi(void);
/* The path of the launcher to be tested: LANDLOCK_RUN, or build/landlock-run beneath the directory
 * that the suite was started in. */
const char *check_launcher(void);
/* The path of this program. */
const char *check_self(void);
/* The words that start a helper, within an argument list. */
#define SELF(helper) check_self(), "--helper", helper
/* The path of a new directory that is not beneath /tmp, removed with the test; skips the test where
 * no such place can be written. */
const char *check_outside_tmp(void);
/* Removes the path, with all beneath it, when the test has ended. */
void check_remove_later(const char *path);
/* printf into memory that lasts as long as the test. */
char *check_format(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* ---- Behind the macros ---- */

struct check_test {
	const char *name;
	void (*body)(void);
	unsigned int seconds;
	struct check_test *next;
};

struct check_helper {
	const char *name;
	int (*body)(int argc, char **argv);
	struct check_helper *next;
};

void check_add_test(struct check_test *test);
void check_add_helper(struct check_helper *helper);
bool check_true(bool holds, const char *file, int line, const char *what);
bool check_int(long long actual, long long expected, const char *file, int line, const char *what);
bool check_text(const char *text, const char *wanted, enum check_relation relation,
		const char *file, int line);
void check_require(bool holds, const char *file, int line, const char *what);
bool check_fail(const char *file, int line, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
_Noreturn void check_skip(const char *format, ...) __attribute__((format(printf, 1, 2)));
void check_needs_abi(int abi);

#endif
