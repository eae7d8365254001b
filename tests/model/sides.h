/* sides.h: the two trees of a trial and the process in each: one in a sandbox, one not.
 * It must never leave a process or a mount behind. */
#ifndef SIDES_H
#define SIDES_H

#include "trial.h"

struct sides {
	struct side real, twin;
	char base[256]; /* the directory that both trees are in */
	bool mounted;   /* a file system of its own is there */
	char said[512]; /* what the launcher said */
};

/* Builds both trees as the script says. Returns NULL or what went wrong, in words. */
const char *sides_build(struct sides *sides, const struct script *script,
			const struct setting *setting);
/* Starts both workers; the real one with the policy in force. */
const char *sides_start(struct sides *sides, const struct script *script,
			const struct setting *setting);
/* Ends the workers and removes the trees. */
void sides_remove(struct sides *sides);

/* Has the operation done on a side. The errno of a worker that does not answer is below 0. */
struct reply side_perform(struct side *side, const struct operation *operation);

#endif
