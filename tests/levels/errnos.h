/* errnos.h: errno values by name, for command lines and messages.
 * It must never depend on the libc's texts, which differ between the libcs. */
#ifndef ERRNOS_H
#define ERRNOS_H

/* Returns the errno of that name, or 0 when there is none here. */
int errno_named(const char *name);

/* Returns the name of an errno, "success" for 0, and "another errno" for one without a row here. */
const char *errno_name(int error);

#endif
