/* What the running kernel enforces, found by doing it.
 * Nothing here reads a version or a file to decide what is true. */
#ifndef PROBE_H
#define PROBE_H

#include "args.h"

/* Restricts this process and says on stdout what that enforces. Fails when nothing is enforced or
 * the line could not be written. */
int probe(struct llr_error *error);

/* `landlock-run probe [--json] [OPTION]... [-- COMMAND]`: the same at length, and a trial of the
 * policy that the options describe. Fails when nothing is enforced, when the policy does not hold
 * here, or when that could not be written. */
int probe_at_length(int argc, char **argv, char **envp, struct llr_error *error);

#endif
