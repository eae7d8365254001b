/* witness.h: a process outside that notices what reaches it and writes that down in a file.
 * It does for a command what services do: it answers on sockets, and runs what it is given. */
#ifndef WITNESS_H
#define WITNESS_H

struct outside;

/* Starts it; fills in its process and its ports. `memory` is what it must find unchanged. A failure
 * ends the test. */
void witness_start(struct outside *outside, const char *memory);

#endif
