/* A Landlock ruleset of the running kernel: asked for, filled, and put into force.
 * Every function here is async-signal-safe, returns 0 or -1 and fills *error. */
#ifndef LLR_RULESET_H
#define LLR_RULESET_H

#include "landlock-run.h"

struct llr_ruleset {
	int fd;              /* close-on-exec */
	llr_rights governed; /* what the kernel took; rights outside it cannot and need not be
				granted */
};

/* Opens a ruleset for as much of `wanted` as the kernel takes. A kernel that refuses some of it,
 * whatever ABI it claims, is asked right by right. */
int llr_ruleset_open(struct llr_ruleset *ruleset, llr_rights wanted, struct llr_error *error);
/* Adds a grant. One that this kernel has nothing to govern for changes nothing, but its path must
 * open all the same. */
int llr_ruleset_grant(const struct llr_ruleset *ruleset, const struct llr_grant *grant,
		      struct llr_error *error);
/* Sets no_new_privs and restricts the calling thread; log_denials must not be asked below ABI 7.
 * Leaves the descriptor open. */
int llr_ruleset_restrict(const struct llr_ruleset *ruleset, int log_denials,
			 struct llr_error *error);
void llr_ruleset_close(const struct llr_ruleset *ruleset);

#endif
