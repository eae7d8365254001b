/* Order statistics: medians, percentiles and the interval that a median is known to lie in.
 * Nothing here assumes a distribution, and nothing here prints. */
#include "stats.h"

#include <stdlib.h>

static int compare(const void *left, const void *right)
{
	double a = *(const double *)left;
	double b = *(const double *)right;

	return (a > b) - (a < b);
}

void stats_sort(double *values, size_t count)
{
	if (count > 1)
		qsort(values, count, sizeof(*values), compare);
}

double stats_quantile(const double *sorted, size_t count, double fraction)
{
	double place;
	size_t below;

	if (count == 0)
		return 0;
	place = fraction * (double)(count - 1);
	below = (size_t)place;
	if (below + 1 >= count)
		return sorted[count - 1];
	return sorted[below] + (place - (double)below) * (sorted[below + 1] - sorted[below]);
}

/* By Newton's steps: the one root that is needed is not worth linking the mathematics library. */
static double square_root(double x)
{
	double root = x > 1 ? x : 1;

	for (int i = 0; i < 60; i++)
		root = (root + x / root) / 2;
	return root;
}

struct stats_median stats_median(const double *sorted, size_t count)
{
	struct stats_median median = { 0, 0, 0 };
	double half;

	if (count == 0)
		return median;
	/* The number of values below the true median is binomial(count, 1/2). */
	half = 0.98 / square_root((double)count);
	median.value = stats_quantile(sorted, count, 0.5);
	median.low = stats_quantile(sorted, count, half < 0.5 ? 0.5 - half : 0);
	median.high = stats_quantile(sorted, count, half < 0.5 ? 0.5 + half : 1);
	return median;
}
