/* The fatal line and the failed record: input is the room there is, two bytes, and any error.
 * Whatever a subject holds, each is one line that says what it has to. */
#include "claims.h"

void fuzz_lines(struct bytes bytes)
{
	size_t room = (size_t)take_number(&bytes, 2) % (LLR_LINE_MAX + 64);
	struct llr_error error = take_error(&bytes);

	claim_lines(&error, room);
	claim_lines(&error, LLR_LINE_MAX);
}
