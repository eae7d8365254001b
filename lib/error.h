/* Filling an error value: the one way in which the library reports that something failed.
 * Below the callers' main nothing prints and nothing exits; it fills this and returns -1. */
#ifndef LLR_ERROR_H
#define LLR_ERROR_H

#include "landlock-run.h"

/* Always -1, so that a caller can `return llr_fail(…)`. errnum may be a negated errno, as a raw
 * system call returns it. */
static inline int llr_fail(struct llr_error *error, enum llr_code code, long errnum,
			   const char *subject, const char *field)
{
	if (error) {
		error->code = (int32_t)code;
		error->errnum = (int32_t)(errnum < 0 ? -errnum : errnum);
		error->subject = subject;
		error->field = field;
		error->index = 0;
	}
	return -1;
}

static inline int llr_fail_at(struct llr_error *error, enum llr_code code, const char *subject,
			      const char *field, uint64_t index)
{
	llr_fail(error, code, 0, subject, field);
	if (error)
		error->index = index;
	return -1;
}

#endif
