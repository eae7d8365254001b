/* task.h: what the simulated kernel must know about the process that called it.
 * It must never change that process. */
#ifndef TASK_H
#define TASK_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Returned when the process is not to be looked into: not an answer of the kernel. */
#define TASK_OPAQUE (-1)

/* Copies up to `size` bytes of the process at `address` and returns how many could be read before
 * the first that cannot, or TASK_OPAQUE. */
ssize_t task_read(pid_t task, uint64_t address, void *buffer, size_t size);

/* Returns 0 when descriptor `fd` of the process is a ruleset, else the errno that a Landlock call
 * has for it, or TASK_OPAQUE. */
int task_ruleset_error(pid_t task, int fd);

/* Returns 1 when the process may confine itself (no_new_privs, or CAP_SYS_ADMIN in its user
 * namespace), 0 when it may not, or TASK_OPAQUE. */
int task_may_restrict(pid_t task);

#endif
