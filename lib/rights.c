/* Looks rights up in the table of rights.h, by place, name and ABI.
 * Nothing here asks the kernel. */
#include "rights.h"

#define ROW(right, name, abi, major, minor, traits) { right, name, abi, major, minor, traits },

static const struct llr_right table[] = { LLR_RIGHTS_TABLE(ROW) };

/* No rights, but named by policies and brought by an ABI like one. */
static const struct llr_right features[] = {
	{ 0, LLR_FEATURE_LOG_DENIALS, 7, 6, 15, 0 },
};

#define ROWS (sizeof table / sizeof table[0])

const struct llr_right *llr_right_at(uint32_t index)
{
	return index < ROWS ? &table[index] : NULL;
}

static int same_name(const char *name, const char *given, size_t length)
{
	size_t i;

	for (i = 0; i < length && name[i] == given[i]; i++)
		if (!name[i])
			return 0;
	return i == length && !name[i];
}

const struct llr_right *llr_right_by_name(const char *name, size_t length)
{
	for (size_t i = 0; i < ROWS; i++)
		if (same_name(table[i].name, name, length))
			return &table[i];
	return NULL;
}

static size_t name_length(const char *name)
{
	size_t length = 0;

	while (name[length])
		length++;
	return length;
}

const struct llr_right *llr_feature_by_name(const char *name)
{
	for (size_t i = 0; i < sizeof features / sizeof features[0]; i++)
		if (same_name(features[i].name, name, name_length(name)))
			return &features[i];
	return llr_right_by_name(name, name_length(name));
}

llr_rights llr_rights_of_abi(int32_t abi)
{
	llr_rights rights = 0;

	for (size_t i = 0; i < ROWS; i++)
		if (abi > 0 && table[i].abi <= (uint32_t)abi)
			rights |= table[i].right;
	return rights;
}

int32_t llr_abi_newest(void)
{
	uint32_t newest = 0;

	for (size_t i = 0; i < ROWS; i++)
		if (table[i].abi > newest)
			newest = table[i].abi;
	return (int32_t)newest;
}

const struct llr_right *llr_rights_first(llr_rights rights)
{
	for (size_t i = 0; i < ROWS; i++)
		if (rights & table[i].right)
			return &table[i];
	return NULL;
}
