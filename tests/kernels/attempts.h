/* attempts.h: the things a confined command may try on what lies outside it, and whether they
 * happened. Nothing here knows what a kernel or a policy should allow. */
#ifndef ATTEMPTS_H
#define ATTEMPTS_H

#include <stdbool.h>
#include <stddef.h>

struct surroundings;

struct attempt {
	const char *name;
	/* Tries it. 0, or -1 with errno. */
	int (*act)(const struct surroundings *around);
	/* Whether it left its trace; NULL when it leaves none. */
	bool (*happened)(const struct surroundings *around);
};

/* The attempts, in the order in which they are made; NULL from the first index past the end. */
const struct attempt *attempt_at(size_t index);

#endif
