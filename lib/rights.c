/* The table of rights: one row per right that a Landlock ABI up to 12 has, and everything derived from it.
 * Nothing here asks the kernel; a right that is not in this table is never handled. */
#include "rights.h"

#define FILE_RIGHT (LLR_TRAIT_FILE_SET | LLR_TRAIT_PATH | LLR_TRAIT_ON_FILE)
#define DIRECTORY_RIGHT (LLR_TRAIT_FILE_SET | LLR_TRAIT_PATH)
#define PORT_RIGHT (LLR_TRAIT_OPT_IN | LLR_TRAIT_PORT)
#define SCOPE_RIGHT (LLR_TRAIT_OPT_IN | LLR_TRAIT_SCOPE)

static const struct llr_right table[] = {
	/* right, name, ABI, Linux, traits */
	{ LLR_EXECUTE, "execute", 1, 5, 13, FILE_RIGHT | LLR_TRAIT_READ },
	{ LLR_WRITE_FILE, "write-file", 1, 5, 13, FILE_RIGHT },
	{ LLR_READ_FILE, "read-file", 1, 5, 13, FILE_RIGHT | LLR_TRAIT_READ },
	{ LLR_READ_DIR, "read-dir", 1, 5, 13, DIRECTORY_RIGHT | LLR_TRAIT_READ },
	{ LLR_REMOVE_DIR, "remove-dir", 1, 5, 13, DIRECTORY_RIGHT },
	{ LLR_REMOVE_FILE, "remove-file", 1, 5, 13, DIRECTORY_RIGHT },
	{ LLR_MAKE_CHAR, "make-char", 1, 5, 13, DIRECTORY_RIGHT },
	{ LLR_MAKE_DIR, "make-dir", 1, 5, 13, DIRECTORY_RIGHT },
	{ LLR_MAKE_REG, "make-reg", 1, 5, 13, DIRECTORY_RIGHT },
	{ LLR_MAKE_SOCK, "make-sock", 1, 5, 13, DIRECTORY_RIGHT },
	{ LLR_MAKE_FIFO, "make-fifo", 1, 5, 13, DIRECTORY_RIGHT },
	{ LLR_MAKE_BLOCK, "make-block", 1, 5, 13, DIRECTORY_RIGHT },
	{ LLR_MAKE_SYM, "make-sym", 1, 5, 13, DIRECTORY_RIGHT },
	{ LLR_REFER, "refer", 2, 5, 19, DIRECTORY_RIGHT },
	{ LLR_TRUNCATE, "truncate", 3, 6, 2, FILE_RIGHT },
	{ LLR_IOCTL_DEV, "ioctl-dev", 5, 6, 10, FILE_RIGHT },
	{ LLR_RESOLVE_UNIX, "resolve-unix", 9, 7, 1, LLR_TRAIT_OPT_IN | LLR_TRAIT_PATH | LLR_TRAIT_ON_FILE },
	{ LLR_BIND_TCP, "bind-tcp", 4, 6, 7, PORT_RIGHT },
	{ LLR_CONNECT_TCP, "connect-tcp", 4, 6, 7, PORT_RIGHT },
	{ LLR_BIND_UDP, "bind-udp", 10, 7, 2, PORT_RIGHT },
	{ LLR_CONNECT_SEND_UDP, "connect-send-udp", 10, 7, 2, PORT_RIGHT },
	{ LLR_ABSTRACT_UNIX_SOCKET, "abstract-unix-socket", 6, 6, 12, SCOPE_RIGHT },
	{ LLR_SIGNAL, "signal", 6, 6, 12, SCOPE_RIGHT },
	/* Denied by default over all their members once handled: known by name until somebody needs them. */
	{ LLR_NAMESPACE_USE, "namespace-use", 12, 7, 4, 0 },
	{ LLR_CAPABILITY_USE, "capability-use", 12, 7, 4, 0 },
};

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

llr_rights llr_rights_with(uint32_t traits)
{
	llr_rights rights = 0;

	for (size_t i = 0; i < ROWS; i++)
		if ((table[i].traits & traits) == traits)
			rights |= table[i].right;
	return rights;
}

const struct llr_right *llr_rights_first(llr_rights rights)
{
	for (size_t i = 0; i < ROWS; i++)
		if (rights & table[i].right)
			return &table[i];
	return NULL;
}
