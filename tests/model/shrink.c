/* shrink.c: makes a script that shows a disagreement shorter.
 * It must never return one that does not show any. */
#include "shrink.h"

#include <string.h>

#define RUNS 600 /* at most: a short script is worth some seconds */

struct search {
	struct script *best;
	struct verdict verdict;
	const struct setting *setting;
	unsigned int runs;
};

/* Takes the candidate when it shows a disagreement too, and cuts what comes after that. */
static bool try(struct search *search, struct script *candidate)
{
	struct tally ignored = { .operations = 0 };
	struct verdict verdict;

	if (search->runs >= RUNS || candidate->count == 0)
		return false;
	search->runs++;
	verdict = trial_run(candidate, search->setting, &ignored);
	if (verdict.outcome != DISAGREED)
		return false;
	if (verdict.at + 1 < candidate->count)
		candidate->count = verdict.at + 1;
	*search->best = *candidate;
	search->verdict = verdict;
	return true;
}

static void cut(struct operation *operations, unsigned int *count, unsigned int at,
		unsigned int length)
{
	memmove(operations + at, operations + at + length,
		(*count - at - length) * sizeof *operations);
	*count -= length;
}

/* Leaves out operations in ever shorter pieces, from the end. */
static void shorten(struct search *search, bool furnishing)
{
	static struct script candidate;
	struct script *best = search->best;
	unsigned int *left = furnishing ? &best->furnishing.count : &best->count;

	for (unsigned int length = (*left + 1) / 2; length > 0; length /= 2) {
		unsigned int end = *left;

		while (end >= length) {
			end -= length;
			candidate = *best;
			cut(furnishing ? candidate.furnishing.operations : candidate.operations,
			    furnishing ? &candidate.furnishing.count : &candidate.count, end,
			    length);
			try(search, &candidate);
			end = end < *left ? end : *left;
		}
	}
}

static void drop_layers(struct search *search)
{
	static struct script candidate;

	for (unsigned int i = search->best->policy.count;
	     i-- > 0 && search->best->policy.count > 1;) {
		candidate = *search->best;
		memmove(&candidate.policy.layers[i], &candidate.policy.layers[i + 1],
			(candidate.policy.count - i - 1) * sizeof candidate.policy.layers[0]);
		candidate.policy.count--;
		try(search, &candidate);
	}
}

static void drop_grants(struct search *search)
{
	static struct script candidate;

	for (unsigned int i = 0; i < search->best->policy.count; i++) {
		for (unsigned int j = search->best->policy.layers[i].count; j-- > 0;) {
			struct layer *layer = &candidate.policy.layers[i];

			candidate = *search->best;
			memmove(&layer->grants[j], &layer->grants[j + 1],
				(layer->count - j - 1) * sizeof layer->grants[0]);
			layer->count--;
			try(search, &candidate);
		}
	}
}

struct verdict shrink(struct script *script, const struct setting *setting, struct verdict verdict)
{
	struct search search = { script, verdict, setting, 0 };
	static struct script first;

	first = *script;
	first.count = verdict.at + 1 < first.count ? verdict.at + 1 : first.count;
	/* What does not show again by itself is told as it was seen. */
	if (!try(&search, &first))
		return verdict;
	shorten(&search, false);
	drop_layers(&search);
	drop_grants(&search);
	shorten(&search, true);
	shorten(&search, false);
	return search.verdict;
}
