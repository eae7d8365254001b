/* What the running kernel enforces, found by doing it.
 * Nothing here reads a version or a file to decide what is true. */
#ifndef PROBE_H
#define PROBE_H

#include "landlock-run.h"

/* Restricts this process and says on stdout what that enforces. Fails when nothing is enforced or
 * the line could not be written. */
int probe(struct llr_error *error);

#endif
