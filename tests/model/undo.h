/* undo.h: puts the twin back after an operation that the sandbox has to deny.
 * It must never touch the confined tree. */
#ifndef UNDO_H
#define UNDO_H

#include "look.h"

struct undo {
	struct parent a, b;
	struct object object;
	bool keeps_a, keeps_b; /* what is there has a second name for now */
	char *content;
	size_t length;
};

/* To be called before the operation, on the twin. */
void undo_prepare(struct undo *undo, const struct side *twin, const struct operation *operation);
/* To be called after it, `done` when it succeeded. Returns false when something cannot be put back.
 */
bool undo_finish(struct undo *undo, const struct operation *operation, bool done);

#endif
