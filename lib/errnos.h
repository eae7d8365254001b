/* Names and texts of errno values, without a libc.
 * The texts are this project's; tests match prefix and subject, never these words. */
#ifndef LLR_ERRNOS_H
#define LLR_ERRNOS_H

#include <stdint.h>

/* "No such file or directory", or the name of a rare one; NULL for a number that is not there. */
const char *llr_errno_text(int32_t errnum);

#endif
