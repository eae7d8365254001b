/* command.h: the command whose Landlock calls are answered, from its start to its last process.
 * It must never outlive the simulator's end, nor see a descriptor of the simulator. */
#ifndef COMMAND_H
#define COMMAND_H

#include <sys/types.h>

#include "kernel.h"

/* The exit status of the simulator when it failed itself. */
#define SIMULATE_FAILED 99

/* Runs the command, answers the Landlock calls of it and of all that it starts, and returns when
 * the last of these processes has ended: the command's wait status, or -1 after one line on stderr
 * when the simulator failed; then all of them have been killed. */
int command_run(struct kernel *kernel, char *const argv[]);

#endif
