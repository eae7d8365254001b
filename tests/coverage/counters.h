/* Where the counters of instrumented code are kept: a segment of System V shared memory, which
 * needs no descriptor and no path. Landlock does not govern it, so a confined process goes on
 * counting. */
#ifndef COUNTERS_H
#define COUNTERS_H

/* Set by counters.ld; hidden, so that they are reached without a table. */
__attribute__((visibility("hidden"))) extern char counters_start[], counters_end[];

/* COUNTERS_KEY: the segment's key, one for each build and for each set of instrumented objects. */

#endif
