/* Who takes part: the tables and the contenders in them, read from a file.
 * Nothing here runs or prints. */
#ifndef BENCH_ROSTER_H
#define BENCH_ROSTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum role {
	ROLE_FLOOR, /* what the contenders of the same table and units are divided by */
	ROLE_COPY,  /* the floor's bytes in another file: its ratio is the bench's own error */
	ROLE_MUST,  /* the bench fails when this one cannot be measured */
	ROLE_MAY,   /* a peer: named as not measured when it cannot */
	ROLE_ABSENT /* named only; its one word says why */
};

struct contender {
	enum role role;
	size_t table; /* index */
	size_t every; /* takes part in each round that this divides */
	size_t units; /* grants, layers: for the cost of one */
	const char *name;
	char **argv;
	bool measured;       /* its trial ended with 0 */
	bool launches;       /* it execs something: what it calls until then is a launch */
	size_t calls;        /* system calls of its launch */
	double *nanoseconds; /* one per round; 0: did not take part, or failed */
	double *faults;      /* likewise */
	size_t failures;
	const char *why; /* it cannot be measured: what it said in its trial */
};

struct table {
	const char *title;
	const char *unit; /* what its contenders have so many of: "grant"; null for none */
	size_t told; /* fewer units than this cost less than the difference of two launches can tell
		      */
	size_t rounds; /* that were run: the samples from 0 up to this are valid */
};

struct roster {
	struct table *tables;
	size_t table_count;
	struct contender *contenders;
	size_t count;
};

/*
 * Reads lines of words parted by tabs:
 *   table TITLE [UNIT TOLD]
 *   floor|copy|must|may EVERY UNITS NAME ARGV...
 *   absent EVERY UNITS NAME WHY
 * 0, or the number of the first bad line. Lives until the process ends; gives up the process when
 * memory does.
 */
size_t roster_read(struct roster *roster, FILE *in);

/* Makes room for the samples of so many rounds. */
void roster_reserve(struct roster *roster, size_t rounds);

/* The floor of the contender's table and units; null when there is none. */
const struct contender *roster_floor(const struct roster *roster, const struct contender *of);

#endif
