/* Filling an error value: the one way in which the library reports that something failed.
 * Below the callers' main nothing prints and nothing exits; it fills this and returns -1. */
#ifndef LLR_ERROR_H
#define LLR_ERROR_H

#include "landlock-run.h"

/* Always -1, so that a caller can `return llr_fail(…)`. errnum may be a negated errno, as a raw
 * system call returns it. */
int llr_fail(struct llr_error *error, enum llr_code code, long errnum, const char *subject,
	     const char *field);
int llr_fail_at(struct llr_error *error, enum llr_code code, const char *subject, const char *field,
		uint64_t index);

#endif
