/* worker.h: the one that does it: system calls for operations, in a sandbox or outside.
 * It must never know which of the two it is in, nor what is expected. */
#ifndef WORKER_H
#define WORKER_H

#include <limits.h>

#include "operation.h"

#define WORKER_CHANNEL 3 /* the descriptor that operations come in and replies go out through */

/* The tree that places are in. */
struct hands {
	const char *top;
	const char *program; /* the file that PROGRAM puts copies of */
};

/* Does the operation in the calling process: its working directory, its descriptors. */
struct reply perform(const struct hands *hands, const struct operation *operation);

/* Replies to what comes through the channel until that ends; the first reply has the process's
 * number. argv: the top of the tree. */
int work(int argc, char **argv);

#endif
