/* The lines of the contract that only the launcher and the probe need beside those of the public
 * header. Nothing here writes. */
#ifndef LLR_REPORT_H
#define LLR_REPORT_H

#include "landlock-run.h"
#include "text.h"

#define LLR_BEGIN_USAGE "usage error: " /* of each message of that stage */

/* Why a kernel does not enforce Landlock, by the errno of the version query. */
struct llr_cause {
	int32_t errnum;
	char cause[44];
	char remedy[124];
};

const struct llr_cause *llr_cause_of(int32_t errnum);

/* "full" for LLR_ENFORCEMENT_FULL, as records say it; NULL for anything else than an enum
 * llr_enforcement. */
const char *llr_enforcement_name(uint32_t enforcement);

/* Adds where a right comes from: "ABI 6", open, "Linux 6.12", close. */
void llr_text_origin(struct text *text, const struct llr_right *right, const char *open,
		     const char *close);

#endif
