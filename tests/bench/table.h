/* Writes what was measured as Markdown.
 * Never runs or judges anything. */
#ifndef BENCH_TABLE_H
#define BENCH_TABLE_H

#include "roster.h"

/*
 * The table of that index; what is missing in it; and what the floor's copy came to in each half of
 * the run, which tells how far the other ratios can be trusted.
 */
void table_print(const struct roster *roster, size_t table, FILE *out);

/*
 * All tables, a line for each contender that was measured, its words parted by tabs: table, name,
 * units, runs, then in microseconds the median, its 10th and 90th percentile, then the paired ratio
 * to the floor and its interval, then in microseconds the paired difference to the floor, the
 * least, median and greatest number of page faults, and the number of system calls or -1.
 */
void table_print_data(const struct roster *roster, FILE *out);

#endif
