/* claim.h: the kernels that are claimed in turn, and what has to follow from each.
 * It must never ask the product: what follows is derived from the table of levels. */
#ifndef CLAIM_H
#define CLAIM_H

#include <stdbool.h>
#include <stdint.h>

#include "levels.h"

#define CLAIM_RIGHTS 4

struct claim {
	const char *name;
	int abi;           /* 0: none */
	const char *error; /* the errno that it answers everything with, or NULL */
	int errnum;
	const char *refuses[CLAIM_RIGHTS]; /* although its ABI knows them */
	const char *remedy;                /* a word of it, where the kernel is unusable */
};

/* The claims; NULL past the last. The first is the kernel as it is. */
const struct claim *claim_at(size_t index);

/* The real kernel's ABI, 0 when it has none. */
int claim_real_abi(void);

/* Fills the simulator's arguments for that claim, up to a NULL; none for the kernel as it is. */
void claim_arguments(const struct claim *claim, const char *simulate, const char *arguments[16]);

/* The ABI that is reported. */
int claim_abi(const struct claim *claim);

/* Whether it governs a right. */
bool claim_governs(const struct claim *claim, const struct level_right *right);

/* The bit of a right as the library counts them, and the set of all that the claim governs. */
uint64_t claim_bit(const struct level_right *right);
uint64_t claim_governed(const struct claim *claim);

/* The rights that every launch wants governed. */
uint64_t claim_file_set(void);

/* Whether a launch that wants these is enforced only in part. */
bool claim_partial(const struct claim *claim, uint64_t wanted);

/* The name of the first right of a set, in the kernel's order; NULL for an empty set. */
const char *claim_first(uint64_t rights);

/* What a right needs, in words: "ABI 6, Linux 6.12". In static memory. */
const char *claim_needs(int abi);

#endif
