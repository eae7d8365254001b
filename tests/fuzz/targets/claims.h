/* What several targets claim of the same things: lines, errors, policies.
 * Each ends the run when it does not hold. */
#ifndef CLAIMS_H
#define CLAIMS_H

#include "fuzz.h"

/* Whatever is said of the error is one fatal line that begins like that behind the prefix, is taken
 * for a failure by whoever classifies it, and a record that tells the same. */
void claim_reported(const struct llr_error *error, const char *beginning);
/* The fatal line and the record of any error at all, at most that many bytes of room for each. */
void claim_lines(const struct llr_error *error, size_t room);

/* Two policies have the same grants in the same order and want the same of the kernel. A port grant
 * of several rights is as many grants of one. */
void claim_same_policy(const struct llr_policy *left, const struct llr_policy *right);
/* What the launcher reads from the line that is built for the policy is that policy. Where there is
 * no room the line is refused with the room that is enough. */
void claim_built(const struct llr_policy *policy, const char *const *command);

#endif
