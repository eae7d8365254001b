/* draw.h: operations at random, most of them about what is there.
 * It must never know the policy, nor what comes of an operation. */
#ifndef DRAW_H
#define DRAW_H

#include "judge.h"
#include "tree.h"

/* What operations are drawn from. */
struct scenery {
	struct random *random;
	const struct snapshot *snapshot;
	const struct side *side;
	const struct held *held;
	bool create_directory; /* O_CREAT with O_DIRECTORY is refused here, as it should be */
};

void operation_draw(const struct scenery *scenery, struct operation *operation);

#endif
