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

#endif
