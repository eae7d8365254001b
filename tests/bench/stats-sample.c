/* Prints the order statistics of the numbers 1 to N in falling order, for the tests to compare.
 * Never used by the bench. */
#include "stats.h"

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char *argv[])
{
	size_t count = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;
	double *values = calloc(count + 1, sizeof(*values));
	struct stats_median median;

	if (values == NULL)
		return 1;
	for (size_t i = 0; i < count; i++)
		values[i] = (double)(count - i);
	stats_sort(values, count);
	median = stats_median(values, count);
	printf("%g %g %g %g %g\n", stats_quantile(values, count, 0.1),
	       stats_quantile(values, count, 0.9), median.value, median.low, median.high);
	free(values);
	return 0;
}
