/* Looks rights up in the table of rights.h, by place, name and ABI.
 * Nothing here asks the kernel. */
#include "rights.h"
#include "text.h"

#define ROW(right, name, abi, major, minor, traits) \
	{ __builtin_ctzll(right), abi, major, minor, traits },
#define NAME(right, name, abi, major, minor, traits) name "\0"

/* Without pointers: in the launcher they would be more than all the rest of it. */
static const struct {
	uint8_t bit, abi, linux_major, linux_minor, traits;
} rows[] = { LLR_RIGHTS_TABLE(ROW) };
static const char names[] = LLR_RIGHTS_TABLE(NAME);

#define ROWS (sizeof rows / sizeof rows[0])

static llr_rights right_at(size_t place)
{
	return (llr_rights)1 << rows[place].bit;
}

static void fill(struct llr_right *right, size_t place)
{
	right->right = right_at(place);
	right->name = llr_word_at(names, place);
	right->abi = rows[place].abi;
	right->linux_major = rows[place].linux_major;
	right->linux_minor = rows[place].linux_minor;
	right->traits = rows[place].traits;
}

int llr_right_place(const char *name, size_t length)
{
	return llr_word_place(names, name, length);
}

llr_rights llr_rights_named(const char *name, size_t length)
{
	int place = llr_right_place(name, length);

	return place < 0 ? 0 : right_at((size_t)place);
}

int llr_feature_by_name(const char *name, struct llr_right *feature)
{
	int place = llr_right_place(name, llr_string_length(name));

	if (place >= 0) {
		fill(feature, (size_t)place);
		return 1;
	}
	/* No right, but named by policies and brought by an ABI like one. */
	feature->right = 0;
	feature->name = LLR_FEATURE_LOG_DENIALS;
	feature->abi = LLR_LOG_DENIALS_ABI;
	feature->linux_major = 6;
	feature->linux_minor = 15;
	feature->traits = 0;
	return llr_string_equal(name, LLR_FEATURE_LOG_DENIALS);
}

llr_rights llr_rights_of_abi(int32_t abi)
{
	llr_rights rights = 0;

	for (size_t i = 0; i < ROWS; i++)
		if (rows[i].abi <= abi)
			rights |= right_at(i);
	return rights;
}

int32_t llr_abi_newest(void)
{
	int32_t newest = 0;

	for (size_t i = 0; i < ROWS; i++)
		if (rows[i].abi > newest)
			newest = rows[i].abi;
	return newest;
}

int llr_rights_take(llr_rights *rights, struct llr_right *first)
{
	for (size_t i = 0; i < ROWS; i++)
		if (*rights & right_at(i)) {
			fill(first, i);
			*rights &= ~first->right;
			return 1;
		}
	return 0;
}
