/* Workers that measure in turns, so that the machine's moods meet each of them alike.
 * Nothing here knows what is measured, and nothing here prints. */
#ifndef BENCH_CREW_H
#define BENCH_CREW_H

#include <stddef.h>
#include <sys/types.h>

/* What a worker is: both functions run in it, and end it with _exit(1) when they cannot go on. */
struct crew_job {
	void (*prepare)(const void *context); /* once, at its start; null for nothing to do */
	void (*work)(const void *context, unsigned order, double *values); /* for each turn */
	const void *context;
	size_t values; /* that a turn measures */
};

struct crew_worker {
	int orders;
	int answers;
	pid_t pid;
	size_t values;
};

enum { CREW_ORDERS = 255 }; /* an order is below this */

/* Starts a worker: 0, or -1 when there can be none. */
int crew_begin(struct crew_worker *worker, const struct crew_job *job);

/* Has the worker carry out the order: its values, or -1 when it has ended. */
int crew_turn(const struct crew_worker *worker, unsigned order, double *values);

/* Lets the worker go: 0, or -1 when it had not ended well. */
int crew_end(const struct crew_worker *worker);

#endif
