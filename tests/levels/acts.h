/* acts.h: what the test does when it is the command that the simulator runs.
 * It must never judge: it reports on stdout, or acts, and the test looks. */
#ifndef ACTS_H
#define ACTS_H

/* Performs the act that argv[0] names, with the arguments after it. Returns the exit status. */
int act(char *const argv[]);

#endif
