/* Confining by a policy: the steps behind llr_confine that the launcher and llr_spawn share.
 * Async-signal-safe like llr_confine. */
#ifndef LLR_CONFINE_H
#define LLR_CONFINE_H

#include "landlock-run.h"

/* llr_confine for a process that execs next: the ruleset's descriptor stays open, exec closes it. One call less. */
int llr_confine_before_exec(const struct llr_policy *policy, struct llr_result *result, struct llr_error *error);

#endif
