/* The table of rights as the library's callers see it: rows that stay where they are.
 * Nothing here knows a fact that rights.h does not state; the launcher does without. */
#include "rights.h"

#define ROW(right, name, abi, major, minor, traits) { right, name, abi, major, minor, traits },

static const struct llr_right table[] = { LLR_RIGHTS_TABLE(ROW) };

const struct llr_right *llr_right_at(uint32_t index)
{
	return index < sizeof table / sizeof table[0] ? &table[index] : NULL;
}

const struct llr_right *llr_right_by_name(const char *name, size_t length)
{
	int place = llr_right_place(name, length);

	return place < 0 ? NULL : &table[place];
}
