/* What the tests of the contract share: its words, what each launch must keep to, and levels of the
 * kernel. It must not use the product's code: the words are spelled here once more, as consumers
 * spell them. */
#ifndef LAUNCH_H
#define LAUNCH_H

#include "../check.h"
#include "../program.h"

#define PREFIX "landlock-run: "
#define NOTICE "landlock-run: partial enforcement (older Landlock ABI)"
#define LINE_MOST 4096
#define FAILURE 125

/* A whole argument list out of a macro's arguments. */
#define LIST(...) ((const char *const[]){ __VA_ARGS__, NULL })
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Whether a launch that confines must say the notice on the kernel that runs this. */
bool notice_due(void);

/* The launch succeeded and said nothing but, where it is due, the notice; then what its command
 * said on stderr. */
#define CHECK_SAID(run, errors) check_said(run, errors, __FILE__, __LINE__)
bool check_said(const struct run *run, const char *errors, const char *file, int line);

/* The launch failed as the contract says: 125, nothing on stdout, one line with PREFIX and then
 * this beginning. */
#define CHECK_FATAL(run, beginning) check_fatal(run, beginning, false, __FILE__, __LINE__)
/* The same for what fails when the process is confined: after the notice, where that is due. */
#define CHECK_EXEC_FAILED(run, beginning) check_fatal(run, beginning, true, __FILE__, __LINE__)
bool check_fatal(const struct run *run, const char *beginning, bool confined, const char *file,
		 int line);

/* ---- Acts: what a confined command can do, by its effects ---- */

/* One act of the helper `act` and what must come of it. */
struct act {
	const char *name;
	const char *path;
	const char *other;  /* of rename and link */
	const char *result; /* "ok" or the errno's name */
	int since;          /* the ABI from which that is so; before it the result is "ok" */
};

/* Runs the launcher with these arguments, up to and with `--`, and the acts in turn as its command;
 * the results must be these. */
#define CHECK_ACTS(arguments, acts) check_acts(arguments, acts, COUNT(acts), __FILE__, __LINE__)
bool check_acts(const char *const *arguments, const struct act *acts, size_t count,
		const char *file, int line);
/* For a single one. */
#define CHECK_ACT(arguments, ...) \
	check_acts(arguments, &(const struct act){ __VA_ARGS__ }, 1, __FILE__, __LINE__)

/* ---- Levels ---- */

/* Lets a test see a launch that the kernel governs only in part; skips the test where there is no
 * way. The ABI to claim, 0 for the kernel's own. */
int needs_partial(void);
/* The argument list behind the words that claim that ABI; itself for 0. */
const char *const *claiming(int abi, const char *const *argv);
/* The file of a launcher that is run through an emulator: LANDLOCK_RUN_EMULATED names it,
 * LANDLOCK_RUN what runs it. NULL where the launcher runs by itself. */
const char *emulated(void);
/* Whether the launcher has the guards' filters on this architecture. */
bool has_guards(void);
void needs_guards(void);
/* Skips the test where there is no bash on PATH. */
void needs_bash(void);
/* A name of this test's own in a directory that is everybody's; what a broken launcher lets appear
 * there is removed. */
const char *stray(const char *directory);
/* Fills a pipe that does not block, to the last byte. */
void stuff(int fd);
/* Two lists as one. */
const char *const *joined(const char *const *first, const char *const *second);

/* The name of an errno value, as "ENOENT". */
const char *errno_name(int number);

#endif
