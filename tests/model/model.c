/* model.c: what a confined command can do is what a model of the rules says, over random trees,
 * random policies and random operations. It must never pass without having denied and allowed
 * something of everything.
 *
 *   model                         the suite
 *   model --helper trials [--seed N] [--count N] [--operations N] [--abi N] [--break RULE]
 *                         [--jobs N] [--tally]
 *                                 any number of trials; a RULE is given by its number
 *   model --helper rules          the rules that the model consists of
 *
 * A trial has a tree, a policy of one to three launchers in each other, and operations. Each
 * operation is done three times: by a worker that the launcher has confined, by its twin, a worker
 * that nobody has confined, in an identical tree, and by the model (judge.c), which says whether
 * Landlock is asked and what it answers. The twin says what the file system does and in which order
 * it complains; from both follows what the confined worker has to get. After each operation the
 * trees are compared; what the twin did and the sandbox has to deny is undone in the twin first.
 *
 * Not told by the model, and so not tried: what happens in directories that have been moved out of
 * what is mounted (an operation that would begin there is drawn again), RENAME_WHITEOUT, mounting,
 * and a real kernel of ABI 1, which checks more coarsely than one that claims to be so. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "../check.h"
#include "campaign.h"

#define TRIALS 1100          /* with seeds that never change: more than 100000 operations */
#define FRESH_TRIALS 140     /* with seeds from the clock */
#define CLAIMED_TRIALS 50    /* for each claimed ABI */
#define BREAKING_TRIALS 3000 /* at most, until a broken rule is noticed */

static unsigned int processors(void)
{
	long count = sysconf(_SC_NPROCESSORS_ONLN);

	return count < 1 ? 1 : count > 8 ? 8 : (unsigned int)count;
}

/* What is built with this program: the path from the directory that it is in; NULL where there is
 * nothing. */
static const char *neighbour(const char *path)
{
	const char *self = check_self();
	const char *slash = strrchr(self, '/');
	char *name = check_format("%.*s/%s", (int)(slash - self), self, path);

	return realpath(name, NULL);
}

static const char *simulator(void)
{
	return neighbour("simulate");
}

static void prepare(struct campaign *campaign)
{
	memset(campaign, 0, sizeof *campaign);
	setting_find(&campaign->setting, check_launcher(), strdup(check_self()));
	campaign->jobs = processors();
	campaign->shrinks = true;
}

static void clean_up(const struct campaign *campaign)
{
	if (campaign->setting.fast != campaign->setting.slow)
		rmdir(campaign->setting.fast);
}

/* For a test that may be broken off. */
static void prepare_test(struct campaign *campaign)
{
	prepare(campaign);
	if (campaign->setting.fast != campaign->setting.slow)
		check_remove_later(campaign->setting.fast);
}

/* The campaign's disagreement, as one that can be made again. */
static void tell(const struct campaign *campaign)
{
	const struct setting *setting = &campaign->setting;
	unsigned long long seed = campaign->script.seed;
	char claim[32] = "";

	if (setting->simulator != NULL)
		snprintf(claim, sizeof claim, " ABI=%d", setting->abi);
	printf("     seed %llu (again: make model SEED=%llu COUNT=1%s, as %s), operation %u: %s\n",
	       seed, seed, claim, setting->root ? "root" : "an ordinary user",
	       campaign->verdict.at + 1, campaign->verdict.text);
	script_tell(&campaign->script);
	fflush(stdout);
}

static void check_campaign(struct campaign *campaign)
{
	campaign_run(campaign);
	if (campaign->verdict.outcome == AGREED)
		return;
	tell(campaign);
	FAIL("seed %llu: %s: %s", (unsigned long long)campaign->script.seed,
	     campaign->verdict.outcome == BROKEN ? "not set up" : "disagreement",
	     campaign->verdict.text);
}

static void print_tally(const struct tally *tally)
{
	printf("%lu trials (%lu, %lu, %lu with 1, 2, 3 layers, %lu with mounts), %lu operations "
	       "(%lu drawn again), %lu EXDEV, %lu created and yet denied\n",
	       tally->trials, tally->layers[0], tally->layers[1], tally->layers[2], tally->mounts,
	       tally->operations, tally->skipped, tally->exdev, tally->stays);
	for (unsigned int kind = 0; kind < KIND_PROGRAM; kind++)
		printf("%-14s %8lu done %8lu denied %8lu failed\n", kind_name(kind),
		       tally->endings[kind][ENDING_DONE], tally->endings[kind][ENDING_DENIED],
		       tally->endings[kind][ENDING_FAILED]);
	fflush(stdout);
}

/* ---- The suite ---- */

static bool is_governed(unsigned int kind)
{
	switch (kind) {
	case KIND_CLOSE:
	case KIND_READ:
	case KIND_WRITE:
	case KIND_MEMFD:
	case KIND_PIPE:
	case KIND_FCHDIR:
	case KIND_CHDIR:
		return false;
	default:
		return kind < KIND_STAT;
	}
}

/* Each kind of operation was allowed, and denied where it can be, a good number of times. */
static void check_tally(const struct tally *tally)
{
	for (unsigned int kind = 0; kind < KIND_PROGRAM; kind++) {
		check_row("%s", kind_name(kind));
		CHECK(tally->endings[kind][ENDING_DONE] >= 30);
		if (is_governed(kind))
			CHECK(tally->endings[kind][ENDING_DENIED] >= 30);
	}
	check_row(NULL);
	CHECK(tally->exdev >= 30);
	CHECK(tally->stays >= 30);
	CHECK(tally->operations >= 100000);
}

TEST_WITHIN(a_command_can_do_what_the_model_says_and_nothing_else, 900)
{
	struct campaign campaign;

	NEEDS_ABI(2);
	prepare_test(&campaign);
	campaign.seed = 1;
	campaign.count = TRIALS;
	check_campaign(&campaign);
	if (campaign.verdict.outcome == AGREED)
		check_tally(&campaign.tally);
}

TEST_WITHIN(it_does_so_with_seeds_that_nobody_has_tried, 600)
{
	struct campaign campaign;

	NEEDS_ABI(2);
	prepare_test(&campaign);
	campaign.seed = (uint64_t)time(NULL) * 1000;
	/* All are as good as each other: an emulated machine takes fewer. */
	for (unsigned int trial = 0; trial < FRESH_TRIALS; trial++)
		campaign.count += check_due();
	printf("the seeds from %llu on\n", (unsigned long long)campaign.seed);
	check_campaign(&campaign);
}

TEST_WITHIN(it_does_so_at_each_abi_that_governs_less, 600)
{
	struct campaign campaign;

	NEEDS_ABI(2);
	if (simulator() == NULL)
		SKIP("the simulator is not built here");
	prepare_test(&campaign);
	campaign.setting.simulator = simulator();
	campaign.count = CLAIMED_TRIALS;
	for (int abi = 1; abi <= 5 && abi < check_abi(); abi++) {
		campaign.setting.abi = abi;
		campaign.seed = UINT64_C(1000000) * (unsigned int)abi;
		check_row("ABI %d", abi);
		check_campaign(&campaign);
	}
}

TEST_WITHIN(a_model_with_any_rule_broken_is_found_out, 900)
{
	struct campaign campaign;

	NEEDS_ABI(5);
	prepare_test(&campaign);
	campaign.seed = 1;
	campaign.count = BREAKING_TRIALS;
	campaign.shrinks = false;
	for (unsigned int rule = 0; rule_claim(rule) != NULL; rule++) {
		check_row("%s", rule_claim(rule));
		rule_break(rule);
		campaign_run(&campaign);
		CHECK(campaign.verdict.outcome == DISAGREED);
	}
}

TEST_WITHIN(a_disagreement_is_cut_to_what_it_takes, 300)
{
	struct campaign campaign;

	NEEDS_ABI(2);
	prepare_test(&campaign);
	campaign.seed = 1;
	campaign.count = BREAKING_TRIALS;
	rule_break(RULE_GAIN);
	campaign_run(&campaign);
	CHECK(campaign.verdict.outcome == DISAGREED);
	CHECK(campaign.script.count <= 3);
	CHECK(campaign.script.furnishing.count <= 5);
	CHECK(campaign.script.policy.count <= 2);
}

/* ---- By hand ---- */

HELPER(work)
{
	return work(argc, argv);
}

HELPER(rules)
{
	for (unsigned int rule = 0; rule_claim(rule) != NULL; rule++)
		printf("%2u %s\n", rule, rule_claim(rule));
	return fflush(stdout) == 0 ? 0 : 1;
}

static bool read_options(struct campaign *campaign, bool *tallies, char **options)
{
	for (; *options != NULL; options += 2) {
		unsigned long long number;

		if (strcmp(*options, "--tally") == 0) {
			*tallies = true;
			options--;
			continue;
		}
		if (options[1] == NULL)
			return false;
		number = strtoull(options[1], NULL, 10);
		if (strcmp(*options, "--seed") == 0)
			campaign->seed = number;
		else if (strcmp(*options, "--count") == 0)
			campaign->count = number;
		else if (strcmp(*options, "--operations") == 0 && number <= OPERATIONS)
			campaign->setting.operations = (unsigned int)number;
		else if (strcmp(*options, "--break") == 0 && rule_claim((unsigned int)number))
			rule_break((unsigned int)number);
		else if (strcmp(*options, "--jobs") == 0 && number >= 1 && number <= 64)
			campaign->jobs = (unsigned int)number;
		else if (strcmp(*options, "--abi") == 0 && simulator() != NULL)
			campaign->setting.abi = (int)number;
		else
			return false;
	}
	return true;
}

HELPER(trials)
{
	struct campaign campaign;
	bool tallies = false;
	const char *base = getenv("TMPDIR");
	char *directory = check_format("%s/model-XXXXXX", base != NULL ? base : "/tmp");
	int abi;

	/* The harness knows it only in a suite. */
	if (getenv("LANDLOCK_RUN") == NULL && neighbour("../landlock-run") != NULL)
		setenv("LANDLOCK_RUN", neighbour("../landlock-run"), 1);
	if (argc < 1 || mkdtemp(directory) == NULL || chdir(directory) != 0)
		return 2;
	prepare(&campaign);
	campaign.seed = (uint64_t)time(NULL) * 1000;
	campaign.count = 1000;
	abi = campaign.setting.abi;
	if (!read_options(&campaign, &tallies, argv + 1)) {
		fputs("usage: --helper trials [--seed N] [--count N] [--operations N] [--abi N] "
		      "[--break RULE] [--jobs N] [--tally]\n",
		      stderr);
		return 2;
	}
	if (campaign.setting.abi != abi)
		campaign.setting.simulator = simulator();
	printf("seeds %llu to %llu\n", (unsigned long long)campaign.seed,
	       (unsigned long long)(campaign.seed + campaign.count - 1));
	campaign_run(&campaign);
	clean_up(&campaign);
	if (chdir("/") == 0)
		rmdir(directory);
	if (tallies)
		print_tally(&campaign.tally);
	if (campaign.verdict.outcome != AGREED)
		tell(&campaign);
	return campaign.verdict.outcome == AGREED ? 0 : 1;
}
