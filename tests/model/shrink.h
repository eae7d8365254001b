/* shrink.h: makes a script that shows a disagreement shorter.
 * It must never return one that does not show any. */
#ifndef SHRINK_H
#define SHRINK_H

#include "trial.h"

/* Leaves in *script the shortest that was found, and returns what it comes to. */
struct verdict shrink(struct script *script, const struct setting *setting, struct verdict verdict);

#endif
