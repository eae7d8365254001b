/* Confining by a policy: the steps behind llr_confine that the launcher and llr_spawn share.
 * Async-signal-safe like llr_confine. */
#ifndef LLR_CONFINE_H
#define LLR_CONFINE_H

#include "landlock-run.h"

/* A walk over all grants that a policy comes to: those written, the devices, and the standard
 * descriptors. */
struct llr_grant_cursor {
	uint64_t index; /* of the written grant that was last returned */
	uint64_t next;
	uint64_t source;
	uint32_t device;
	int32_t descriptor;
};
#define LLR_GRANT_CURSOR_INIT \
	{ \
		0, 0, 0, 0, 0 \
	}

/* Fills *grant with the next one and returns 1, or returns 0 at the end. */
int llr_policy_next_grant(const struct llr_policy *policy, struct llr_grant_cursor *cursor,
			  struct llr_grant *grant);

/* The two below are for policies that have passed llr_policy_check, or that args.c or bwrap.c make,
 * which make no other: a launch reads its grants once. */

/* llr_confine for a process that execs next: the ruleset's descriptor stays open, exec closes it.
 * One call less. */
int llr_confine_before_exec(const struct llr_policy *policy, struct llr_result *result,
			    struct llr_error *error);
/* llr_plan. */
int llr_policy_plan(const struct llr_policy *policy, struct llr_result *result,
		    struct llr_error *error);

#endif
