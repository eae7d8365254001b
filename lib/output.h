/* Writing a line to a descriptor that may be closed, broken or full, without ever dying of it.
 * Used by the launcher; the library's public functions never write. */
#ifndef LLR_OUTPUT_H
#define LLR_OUTPUT_H

#include <stddef.h>

/* Writes all of it with SIGPIPE and SIGXFSZ held back, and leaves the signal state as it was, with
 * neither of them pending that was not before. Returns 0, or a negated errno: *signal_failed tells
 * whether it came from the signal state, which then is not as it was. */
long llr_output(int fd, const char *bytes, size_t length, int *signal_failed);
/* The same for a process that is about to end: the signals stay blocked. */
long llr_output_last(int fd, const char *bytes, size_t length);

#endif
