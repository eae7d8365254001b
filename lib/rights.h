/* Sets of rights as the rest of the library needs them, all derived from the one table in rights.c.
 * Nothing here asks the kernel. */
#ifndef LLR_RIGHTS_H
#define LLR_RIGHTS_H

#include "landlock-run.h"

#define LLR_FEATURE_LOG_DENIALS "log-denials"

/* The fields of the kernel's ruleset inside a set of rights. */
static inline uint64_t rights_fs(llr_rights rights)
{
	return rights & UINT32_MAX;
}

static inline uint64_t rights_net(llr_rights rights)
{
	return rights >> 32 & UINT16_MAX;
}

static inline uint64_t rights_scope(llr_rights rights)
{
	return rights >> 48 & UINT8_MAX;
}

/* The rights that have every one of the traits. */
llr_rights llr_rights_with(uint32_t traits);
/* A row for what is no right but comes with an ABI all the same (log-denials), or the right of that name; NULL for neither. */
const struct llr_right *llr_feature_by_name(const char *name);
/* The first right of the set in the table's order; NULL for an empty set. */
const struct llr_right *llr_rights_first(llr_rights rights);

#endif
