/* The reader of a probe's output: input is the wait status, four bytes, and what was on stdout.
 * Only an exit status of 0 and exactly one of the two lines are ever enforcement. */
#include <string.h>

#include "claims.h"

static int is_line(const char *output, size_t length, const char *line)
{
	static const char *const ends[] = { "", "\n", "\r\n", "\r" };
	size_t size = strlen(line);

	for (size_t i = 0; i < COUNT(ends); i++)
		if (length == size + strlen(ends[i]) && !memcmp(output, line, size) &&
		    !memcmp(output + size, ends[i], strlen(ends[i])))
			return 1;
	return 0;
}

/* What is written is read, and what is not whole is not. */
static void claim_round_trip(uint32_t enforcement, size_t room)
{
	char *line = fuzz_memory(room);
	size_t length = llr_format_probe(enforcement, line, room);

	HOLDS(length <= room);
	if (length) {
		HOLDS(llr_read_probe(0, line, length) == enforcement);
		HOLDS(llr_read_probe(0, line, length - 2) == LLR_ENFORCEMENT_NONE);
		HOLDS(llr_read_probe(125 << 8, line, length) == LLR_ENFORCEMENT_NONE);
	} else {
		HOLDS(room < 42 || (enforcement != LLR_ENFORCEMENT_FULL &&
				    enforcement != LLR_ENFORCEMENT_PARTIAL));
	}
}

void fuzz_probe(struct bytes bytes)
{
	int32_t status = (int32_t)take_number(&bytes, 4);
	size_t length;
	char *output = take_rest(&bytes, &length);
	uint32_t read = llr_read_probe(status, output, length);

	if (status == 0 && is_line(output, length, "landlock: fully enforced"))
		HOLDS(read == LLR_ENFORCEMENT_FULL);
	else if (status == 0 && is_line(output, length, "landlock: partially enforced (older ABI)"))
		HOLDS(read == LLR_ENFORCEMENT_PARTIAL);
	else
		HOLDS(read == LLR_ENFORCEMENT_NONE);
	claim_round_trip((uint32_t)status % 4, length);
}
