/* Order statistics: medians, percentiles and the interval that a median is known to lie in.
 * Nothing here assumes a distribution, and nothing here prints. */
#ifndef BENCH_STATS_H
#define BENCH_STATS_H

#include <stddef.h>

struct stats_median {
	double value;
	double low; /* the 95 % interval, from ranks alone */
	double high;
};

/* Sorts values in place. */
void stats_sort(double *values, size_t count);

/* The value below which a fraction of the sorted values lies; 0 when there are none. */
double stats_quantile(const double *sorted, size_t count, double fraction);

/* The median of the sorted values and its interval; all 0 when there are none. */
struct stats_median stats_median(const double *sorted, size_t count);

#endif
