/* Writes what was measured as Markdown.
 * Never runs or judges anything. */
#include "table.h"

#include "stats.h"

#include <stdlib.h>
#include <string.h>

/* The copy's ratios are expected this near to 1. */
static const double copy_margin = 0.01;

enum pairing { RATIO, DIFFERENCE };

struct span {
	size_t from;
	size_t to;
};

static double *new_values(size_t count)
{
	double *values = calloc(count + 1, sizeof(*values));

	if (values == NULL)
		abort();
	return values;
}

/* The contender's samples in the span, sorted; the caller frees them. */
static double *samples(const double *all, struct span span, size_t *count)
{
	double *values = new_values(span.to - span.from);

	*count = 0;
	for (size_t round = span.from; round < span.to; round++)
		if (all[round] > 0)
			values[(*count)++] = all[round];
	stats_sort(values, *count);
	return values;
}

static double median_of(const double *all, struct span span)
{
	size_t count;
	double *values = samples(all, span, &count);
	double median = stats_quantile(values, count, 0.5);

	free(values);
	return median;
}

/* The median over the rounds in which both took part, of one value for each such round. */
static struct stats_median paired(const struct contender *one, const struct contender *other,
				  enum pairing pairing, struct span span)
{
	double *values = new_values(span.to - span.from);
	struct stats_median median;
	size_t count = 0;

	for (size_t round = span.from; round < span.to; round++) {
		double a = one->nanoseconds[round];
		double b = other->nanoseconds[round];

		if (a > 0 && b > 0)
			values[count++] = pairing == RATIO ? a / b : a - b;
	}
	stats_sort(values, count);
	median = stats_median(values, count);
	free(values);
	return median;
}

/* The same one with the fewest units. */
static const struct contender *with_fewest(const struct roster *roster, const struct contender *of)
{
	const struct contender *base = NULL;

	for (size_t i = 0; i < roster->count; i++) {
		const struct contender *one = &roster->contenders[i];

		if (one->table == of->table && one->measured && strcmp(one->name, of->name) == 0 &&
		    (base == NULL || one->units < base->units))
			base = one;
	}
	return base;
}

static void print_units(const struct roster *roster, const struct contender *contender,
			struct span span, FILE *out)
{
	const struct contender *base = with_fewest(roster, contender);
	size_t more = base == NULL ? 0 : contender->units - base->units;

	if (more == 0 || contender->units < roster->tables[contender->table].told)
		fprintf(out, " %zu | |", contender->units);
	else
		fprintf(out, " %zu | %.0f |", contender->units,
			paired(contender, base, DIFFERENCE, span).value / (double)more);
}

static void print_ratios(const struct contender *contender, const struct contender *floor,
			 struct span span, FILE *out)
{
	struct stats_median pairs;

	if (floor == NULL || !floor->measured) {
		fprintf(out, " | | |");
		return;
	}
	pairs = paired(contender, floor, RATIO, span);
	fprintf(out, " %.3f | %.3f | %.3f–%.3f |",
		median_of(contender->nanoseconds, span) / median_of(floor->nanoseconds, span),
		pairs.value, pairs.low, pairs.high);
}

static void print_row(const struct roster *roster, const struct contender *contender,
		      struct span span, FILE *out)
{
	const char *unit = roster->tables[contender->table].unit;
	size_t count;
	double *times = samples(contender->nanoseconds, span, &count);

	fprintf(out, "| %s |", contender->name);
	if (unit != NULL)
		print_units(roster, contender, span, out);
	fprintf(out, " %.1f | %.1f | %.1f |", stats_quantile(times, count, 0.5) / 1e3,
		stats_quantile(times, count, 0.1) / 1e3, stats_quantile(times, count, 0.9) / 1e3);
	print_ratios(contender, roster_floor(roster, contender), span, out);
	fprintf(out, " %.0f |", median_of(contender->faults, span));
	if (contender->launches)
		fprintf(out, " %zu | %zu |\n", contender->calls, count);
	else
		fprintf(out, " | %zu |\n", count);
	free(times);
}

static void print_head(const struct table *table, FILE *out)
{
	fprintf(out, "\n## %s\n\n| launch |", table->title);
	if (table->unit != NULL)
		fprintf(out, " %ss | ns per %s |", table->unit, table->unit);
	fprintf(out, " median µs | p10 | p90 | ratio of medians | paired ratio | 95 %% interval |"
		     " page faults | system calls | runs |\n|---|");
	for (int columns = table->unit == NULL ? 9 : 11; columns > 0; columns--)
		fprintf(out, "--:|");
	fprintf(out, "\n");
}

static void print_missing(const struct contender *contender, FILE *out)
{
	if (contender->role == ROLE_ABSENT)
		fprintf(out, "\nNot measured: %s: %s.\n", contender->name, contender->argv[0]);
	else if (!contender->measured)
		fprintf(out, "\nNot measured: %s: it fails here and says: %s\n", contender->name,
			contender->why);
	else if (contender->failures > 0)
		fprintf(out, "\n%s: %zu runs failed and are left out.\n", contender->name,
			contender->failures);
}

static double distance(double ratio)
{
	return ratio < 1 ? 1 - ratio : ratio - 1;
}

/* How far the farther of the two ratios is from 1. */
static double print_half(const struct contender *copy, const struct contender *floor,
			 struct span half, FILE *out)
{
	double medians = median_of(copy->nanoseconds, half) / median_of(floor->nanoseconds, half);
	double pairs = paired(copy, floor, RATIO, half).value;

	fprintf(out, " %.3f (paired %.3f)", medians, pairs);
	return distance(medians) > distance(pairs) ? distance(medians) : distance(pairs);
}

static void print_copy(const struct contender *copy, const struct contender *floor, size_t rounds,
		       FILE *out)
{
	struct span first = { 0, rounds / 2 };
	struct span second = { rounds / 2, rounds };
	double error;
	double later;

	if (!(median_of(copy->nanoseconds, first) > 0 &&
	      median_of(copy->nanoseconds, second) > 0)) {
		fprintf(out,
			"\nA/A, %s: **too few runs to tell how far a ratio above can be "
			"trusted**.\n",
			copy->name);
		return;
	}
	fprintf(out, "\nA/A, %s: first half", copy->name);
	error = print_half(copy, floor, first, out);
	fprintf(out, ", second half");
	later = print_half(copy, floor, second, out);
	if (later > error)
		error = later;
	if (error <= copy_margin)
		fprintf(out, ": within 1.00 ± %.2f.\n", copy_margin);
	else
		fprintf(out, ": **outside 1.00 ± %.2f; no ratio above is better than ± %.3f**.\n",
			copy_margin, error);
}

void table_print(const struct roster *roster, size_t table, FILE *out)
{
	size_t rounds = roster->tables[table].rounds;
	const struct contender *end = roster->contenders + roster->count;
	struct span all = { 0, rounds };

	print_head(&roster->tables[table], out);
	for (const struct contender *one = roster->contenders; one < end; one++)
		if (one->table == table && one->measured)
			print_row(roster, one, all, out);
	for (const struct contender *one = roster->contenders; one < end; one++) {
		const struct contender *floor = roster_floor(roster, one);

		if (one->table != table)
			continue;
		print_missing(one, out);
		if (one->role == ROLE_COPY && one->measured && floor != NULL && floor->measured)
			print_copy(one, floor, rounds, out);
	}
}

static void print_data(const struct roster *roster, const struct contender *one, FILE *out)
{
	const struct contender *floor = roster_floor(roster, one);
	struct span span = { 0, roster->tables[one->table].rounds };
	struct stats_median ratio = { 0, 0, 0 };
	size_t count;
	double added = 0;
	double *values = samples(one->nanoseconds, span, &count);

	fprintf(out, "%s\t%s\t%zu\t%zu", roster->tables[one->table].title, one->name, one->units,
		count);
	fprintf(out, "\t%.3f\t%.3f\t%.3f", stats_quantile(values, count, 0.5) / 1e3,
		stats_quantile(values, count, 0.1) / 1e3, stats_quantile(values, count, 0.9) / 1e3);
	free(values);
	if (floor != NULL && floor->measured) {
		ratio = paired(one, floor, RATIO, span);
		added = paired(one, floor, DIFFERENCE, span).value / 1e3;
	}
	values = samples(one->faults, span, &count);
	fprintf(out, "\t%.4f\t%.4f\t%.4f\t%.3f\t%.0f\t%.0f\t%.0f", ratio.value, ratio.low,
		ratio.high, added, stats_quantile(values, count, 0),
		stats_quantile(values, count, 0.5), stats_quantile(values, count, 1));
	free(values);
	fprintf(out, "\t%ld\n", one->launches ? (long)one->calls : -1);
}

void table_print_data(const struct roster *roster, FILE *out)
{
	for (size_t i = 0; i < roster->count; i++)
		if (roster->contenders[i].measured)
			print_data(roster, &roster->contenders[i], out);
}
