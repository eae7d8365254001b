/* What a command inherits from the process that becomes it: its descriptors, and its parent's
 * death. Async-signal-safe; each returns 0, or -1 with *error filled. */
#ifndef LLR_INHERIT_H
#define LLR_INHERIT_H

#include "landlock-run.h"

/* Asks for SIGKILL when the parent, the process of that id, dies, and notices one that died
 * meanwhile. */
int llr_die_with_parent(long parent, struct llr_error *error);
/* Has exec close the descriptors from first to last, both included. They stay open until then: a
 * failed exec must still be reported. */
int llr_close_on_exec(unsigned int first, unsigned int last, struct llr_error *error);

#endif
