/* filter.h: the seccomp filter that hands the Landlock calls of a process to a listener.
 * It must never touch another system call. */
#ifndef FILTER_H
#define FILTER_H

#include <linux/filter.h>

/* Builds the filter in static memory. Returns 0 or -1, with errno. */
int filter_build(struct sock_fprog *program);

/* Puts it on the calling process and returns the listener, close-on-exec, or -1 with errno. Sets
 * no_new_privs only when it must: a command is to be seen setting that itself. */
int filter_install(const struct sock_fprog *program);

#endif
