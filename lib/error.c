/* Filling an error value. Nothing here prints.
 * A function of its own: there are a hundred places that fail. */
#include "error.h"

int llr_fail(struct llr_error *error, enum llr_code code, long errnum, const char *subject,
	     const char *field)
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

int llr_fail_at(struct llr_error *error, enum llr_code code, const char *subject, const char *field,
		uint64_t index)
{
	llr_fail(error, code, 0, subject, field);
	if (error)
		error->index = index;
	return -1;
}
