/* escapes.c: tries every row of the table: unconfined, where it must succeed, then confined at the
 * ABIs that the row is about, with and without the option that it names.
 * It never takes an attempt's word where there is a trace to look for. */
#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "../check.h"
#include "../program.h"
#include "escape.h"

#define WORDS_MOST 64
#define FAILURE 125
#define UNCONFINED "--mode danger-full-access"
/* All that can be asked for, whatever the kernel has. */
#define EVERYTHING \
	"--best-effort --bind-tcp none --connect-tcp none --bind-udp none --connect-send-udp none" \
	" --resolve-unix none --scope abstract-unix-socket --scope signal --guard metadata" \
	" --guard tty --close-fds --die-with-parent"

#define CLOSED(id, abi, whom, topic, words, ...) \
	{ .name = #id, \
	  .attempt = id, \
	  .verdict = VERDICT_CLOSED, \
	  .since = abi, \
	  .who = whom, \
	  __VA_ARGS__ },
#define OPTION(id, abi, whom, by, words, ...) \
	{ .name = #id, \
	  .attempt = id, \
	  .verdict = VERDICT_OPTION, \
	  .since = abi, \
	  .who = whom, \
	  .option = by, \
	  __VA_ARGS__ },
#define OPEN(id, whom, topic, words, ...) \
	{ .name = #id, .attempt = id, .verdict = VERDICT_OPEN, .who = whom, __VA_ARGS__ },
#define TOPIC(id, text)

static const struct escape escapes[] = {
#include "table.h"
};

#undef CLOSED
#undef OPTION
#undef OPEN

/* ---- The confined half ---- */

HELPER(escape)
{
	struct outside outside;

	if (argc > 2 && outside_read(&outside, argv + 2, argc - 2))
		for (size_t i = 0; i < sizeof escapes / sizeof escapes[0]; i++)
			if (strcmp(escapes[i].name, argv[1]) == 0)
				return escapes[i].attempt(&outside);
	return ENOTSUP;
}

/* ---- A launch ---- */

enum outcome {
	OUTCOME_DONE,
	OUTCOME_REFUSED,
	OUTCOME_ABSENT,
	OUTCOME_NOT_LAUNCHED,
	OUTCOME_BROKEN,
};

static const char *const outcomes[] = {
	[OUTCOME_DONE] = "done",     [OUTCOME_REFUSED] = "refused",
	[OUTCOME_ABSENT] = "absent", [OUTCOME_NOT_LAUNCHED] = "not launched",
	[OUTCOME_BROKEN] = "broken",
};

enum {
	CLAIM_NOTHING = 0, /* the kernel's own ABI */
	CLAIM_NONE = -1,   /* a kernel without Landlock */
};

struct launch {
	const struct escape *row;
	const char *grants, *options, *more;
	int claim; /* the ABI to be claimed by the simulator, or one of these */
	/* What comes of it. */
	struct outside outside;
	enum outcome outcome;
	const char *why;
};

/* The words of a text, with what stands for paths put in. */
static size_t add_words(const char **words, size_t count, const struct launch *launch,
			const char *text)
{
	static const char place[] = "WORKSPACE";
	char *rest = check_format("%s", text ? text : "");

	for (char *word; (word = strsep(&rest, " ")) != NULL;) {
		size_t length = strlen(word), tail = sizeof place - 1;

		if (strcmp(word, "SELF") == 0)
			word = check_format("%s", check_self());
		else if (length >= tail && strcmp(word + length - tail, place) == 0)
			word = check_format("%.*s%s", (int)(length - tail), word,
					    launch->outside.workspace);
		REQUIRE(count + 1 < WORDS_MOST);
		if (*word)
			words[count++] = word;
	}
	words[count] = NULL;
	return count;
}

static const char *const *words_of(const struct launch *launch)
{
	static const char *words[WORDS_MOST];
	const char *const *numbers = outside_words(&launch->outside);
	size_t count = 0;

	if (launch->claim != CLAIM_NOTHING)
		count = add_words(words, count, launch,
				  check_format("%s --abi %d --", simulator(),
					       launch->claim == CLAIM_NONE ? 0 : launch->claim));
	words[count++] = check_launcher();
	count = add_words(words, count, launch, launch->grants);
	count = add_words(words, count, launch, launch->options);
	count = add_words(words, count, launch, launch->more);
	count = add_words(words, count, launch,
			  check_format("-- SELF --helper escape %s", launch->row->name));
	for (size_t i = 0; numbers[i]; i++) {
		REQUIRE(count + 1 < WORDS_MOST);
		words[count++] = numbers[i];
	}
	words[count] = NULL;
	return words;
}

static void prepare(const struct run *run)
{
	const struct launch *launch = run->context;
	int prepared = launch->row->prepare ? launch->row->prepare(&launch->outside) : DONE;

	if (prepared != DONE)
		_exit(prepared);
}

/* ---- What came of it ---- */

static bool is_refusal(int error)
{
	return error == EACCES || error == EPERM || error == EXDEV || error == EBADF;
}

/* Whether something has become of it outside: at once, or soon when it is to be expected. */
static bool left_trace(const struct outside *outside, uint64_t before, bool expected)
{
	const struct timespec moment = { 0, 5000000 };
	int moments = expected ? 2000 : 40;

	for (int i = 0; i < moments; i++) {
		if (outside_trace(outside) != before)
			return true;
		nanosleep(&moment, NULL);
	}
	return false;
}

/* What a trace says of an attempt that itself says that it was done, or refused. */
static void look_for_trace(struct launch *launch, uint64_t before, enum outcome expected)
{
	bool said_done = launch->outcome == OUTCOME_DONE;
	bool trace = said_done ? left_trace(&launch->outside, before,
					    expected == OUTCOME_DONE || !launch->row->silent)
			       : outside_trace(&launch->outside) != before;

	if (trace && !said_done) {
		launch->outcome = OUTCOME_BROKEN;
		launch->why = check_format("said to be refused (%s), and yet there is a trace",
					   launch->why);
	} else if (!trace && said_done) {
		launch->outcome = launch->row->silent ? OUTCOME_REFUSED : OUTCOME_BROKEN;
		launch->why = "said to be done, and yet there is no trace";
	}
}

static void judge(struct launch *launch, const struct run *run)
{
	static const char reason[] = "absent: ";
	const char *found = strstr(run->errors.text, reason);
	int end = run_end(run);

	launch->why = end < 0 ? check_format("ended by signal %d", -end)
			      : check_format("%s", strerror(end));
	if (end == DONE) {
		launch->outcome = OUTCOME_DONE;
	} else if (end == ABSENT && found != NULL) {
		launch->outcome = OUTCOME_ABSENT;
		launch->why = check_format("%.*s", (int)strcspn(found + strlen(reason), "\n"),
					   found + strlen(reason));
	} else if (end == FAILURE && strstr(run->errors.text, "landlock-run: ") != NULL) {
		launch->outcome = OUTCOME_NOT_LAUNCHED;
		launch->why = run->errors.text;
	} else if (is_refusal(end)) {
		launch->outcome = OUTCOME_REFUSED;
	} else {
		launch->outcome = OUTCOME_BROKEN;
	}
}

static void launch_and_see(struct launch *launch, enum outcome expected)
{
	struct run run = { .context = launch, .prepare = prepare };
	const char *const *words;
	uint64_t before;

	outside_make(&launch->outside);
	words = words_of(launch);
	run.cwd = launch->outside.directory;
	before = outside_trace(&launch->outside);
	run_start(&run, words[0], words);
	run_finish(&run);
	judge(launch, &run);
	if (launch->row->trace && launch->outcome <= OUTCOME_REFUSED)
		look_for_trace(launch, before, expected);
	else if (launch->outcome == OUTCOME_NOT_LAUNCHED &&
		 outside_trace(&launch->outside) != before)
		launch->outcome = OUTCOME_BROKEN;
	outside_end(&launch->outside);
}

/* ---- What must come of it ---- */

/* The row's verdict and what is seen differ, and no ABI tells which of the two a kernel has. */
static const char *undecided;

static void expect(const struct escape *row, int claim, const char *grants, const char *options,
		   const char *more, enum outcome expected)
{
	struct launch launch = {
		.row = row, .grants = grants, .options = options, .more = more, .claim = claim
	};
	int abi = claim ? claim : check_abi();

	launch_and_see(&launch, expected);
	if (launch.outcome == OUTCOME_ABSENT && row->hidden)
		launch.outcome = OUTCOME_REFUSED;
	if (launch.outcome == expected)
		return;
	if (abi < row->certain && launch.outcome <= OUTCOME_REFUSED && expected <= OUTCOME_REFUSED)
		undecided = check_format("at ABI %d it was %s here: certain only from ABI %d", abi,
					 outcomes[launch.outcome], row->certain);
	else
		FAIL("at ABI %d under \"%s %s %s\": %s, not %s: %s", abi, grants,
		     options ? options : "", more ? more : "", outcomes[launch.outcome],
		     outcomes[expected], launch.why);
}

/* The row's verdict at the ABI that is claimed. */
static void expect_verdict(const struct escape *row, int claim)
{
	const char *grants = row->grants ? row->grants : GRANTS_MODE;
	const char *closed = row->closed ? row->closed : grants;
	const char *option = row->closed ? NULL : row->option;
	bool since = (claim ? claim : check_abi()) >= row->since;

	switch (row->verdict) {
	case VERDICT_CLOSED:
		expect(row, claim, grants, NULL, NULL, since ? OUTCOME_REFUSED : OUTCOME_DONE);
		break;
	case VERDICT_OPTION:
		expect(row, claim, grants, NULL, NULL, OUTCOME_DONE);
		expect(row, claim, closed, option, NULL,
		       since ? OUTCOME_REFUSED : OUTCOME_NOT_LAUNCHED);
		if (!since)
			expect(row, claim, closed, option, "--best-effort", OUTCOME_DONE);
		break;
	case VERDICT_OPEN:
		expect(row, claim, grants, NULL, NULL, OUTCOME_DONE);
		expect(row, claim, grants, EVERYTHING, NULL, OUTCOME_DONE);
		break;
	}
}

/* The ABI that brings it, and the one before, are claimed where that can be done. */
static void expect_at_claimed_levels(const struct escape *row)
{
	int own = check_abi();

	if (simulator() == NULL || row->verdict == VERDICT_OPEN || row->since > own)
		return;
	if (row->since < own)
		expect_verdict(row, row->since);
	if (row->since > 1)
		expect_verdict(row, row->since - 1);
}

/* Those that attempts here need; a root without them is not what the table speaks of. */
static bool has_privileges(void)
{
	/* As numbered in linux/capability.h: from chown to sys_time, and perfmon and bpf. Not
	 * sys_resource (24), which nothing here needs. */
	static const int needed[] = {
		0, 1, 2, 5, 6, 7, 12, 13, 16, 17, 18, 19, 20, 21, 22, 25, 27
	};
	const char *status = file_read("/proc/self/status");
	const char *found = status ? strstr(status, "CapEff:") : NULL;
	unsigned long long set = found ? strtoull(found + 7, NULL, 16) : 0;

	for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++)
		if (!(set >> needed[i] & 1))
			return false;
	return true;
}

/* Without confinement it succeeds, or is refused as the row says; else nothing follows from a
 * refusal. */
static void expect_control(const struct escape *row, enum outcome expected)
{
	struct launch launch = { .row = row, .grants = UNCONFINED };

	launch_and_see(&launch, expected);
	if (launch.outcome == OUTCOME_ABSENT)
		SKIP("%s", launch.why);
	if (launch.outcome == OUTCOME_REFUSED && geteuid() == 0 && !has_privileges())
		SKIP("refused without confinement too: this root lacks privileges");
	if (launch.outcome != expected)
		FAIL("unconfined: %s, not %s: %s", outcomes[launch.outcome], outcomes[expected],
		     launch.why);
	REQUIRE(launch.outcome == expected);
}

static void try_row(size_t index)
{
	const struct escape *row = &escapes[index];

	NEEDS_LANDLOCK();
	/* Sent to the group that this process is in. */
	signal(SIGUSR1, SIG_IGN);
	if (row->who == PRIVILEGED && geteuid() != 0) {
		expect_control(row, OUTCOME_REFUSED);
		expect(row, 0, GRANTS_MODE, NULL, NULL, OUTCOME_REFUSED);
		return;
	}
	expect_control(row, OUTCOME_DONE);
	expect_verdict(row, 0);
	expect_at_claimed_levels(row);
	if (undecided)
		SKIP("%s", undecided);
	if (row->since > check_abi())
		SKIP("closed from ABI %d, this kernel has %d: it is open here", row->since,
		     check_abi());
}

TEST(nothing_is_launched_where_nothing_can_be_confined)
{
	const struct escape *row = escapes;

	if (check_abi() > 0 && simulator() == NULL)
		SKIP("this kernel has Landlock, and no simulator is here");
	expect_control(row, OUTCOME_DONE);
	expect(row, check_abi() > 0 ? CLAIM_NONE : CLAIM_NOTHING, GRANTS_MODE, NULL, NULL,
	       OUTCOME_NOT_LAUNCHED);
	expect(row, check_abi() > 0 ? CLAIM_NONE : CLAIM_NOTHING, GRANTS_MODE, EVERYTHING, NULL,
	       OUTCOME_NOT_LAUNCHED);
}

/* ---- A test for each row ---- */

/* A row that is about somebody else has no test. This also happens before each attempt: it must not
 * cost anything. */
static void add(struct check_test *test, enum who who, const char *refused)
{
	static int user = -1;

	if (user < 0)
		user = geteuid() == 0 ? 0 : 1;
	if (who == PRIVILEGED && user != 0)
		test->name = refused;
	if ((who != AS_ROOT || user == 0) && (who != AS_USER || user != 0))
		check_add_test(test);
}

enum {
#define CLOSED(name, ...) INDEX_##name,
#define OPTION(name, ...) INDEX_##name,
#define OPEN(name, ...) INDEX_##name,
#include "table.h"
#undef CLOSED
#undef OPTION
#undef OPEN
};

#define ESCAPE_TEST(id, who, claim) \
	static void test_##id(void) \
	{ \
		try_row(INDEX_##id); \
	} \
	__attribute__((constructor)) static void register_##id(void) \
	{ \
		static struct check_test entry = { #id claim, test_##id, 120, NULL }; \
		add(&entry, who, #id "_is_refused_to_an_ordinary_user"); \
	}
#define CLOSED(id, abi, who, ...) ESCAPE_TEST(id, who, "_is_closed")
#define OPTION(id, abi, who, ...) ESCAPE_TEST(id, who, "_is_closed_by_an_option")
#define OPEN(id, who, ...) ESCAPE_TEST(id, who, "_is_open")
#include "table.h"
