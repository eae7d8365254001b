/* levels.c: one row for each fact about an ABI; all that a level knows is derived from the rows.
 * It must never ask a kernel: it is what a kernel is compared with. */
#include "levels.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "errnos.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const struct level_right rights[] = {
	{ "execute", LEVEL_FS, 0, 1, true },
	{ "write-file", LEVEL_FS, 1, 1, true },
	{ "read-file", LEVEL_FS, 2, 1, true },
	{ "read-dir", LEVEL_FS, 3, 1, false },
	{ "remove-dir", LEVEL_FS, 4, 1, false },
	{ "remove-file", LEVEL_FS, 5, 1, false },
	{ "make-char", LEVEL_FS, 6, 1, false },
	{ "make-dir", LEVEL_FS, 7, 1, false },
	{ "make-reg", LEVEL_FS, 8, 1, false },
	{ "make-sock", LEVEL_FS, 9, 1, false },
	{ "make-fifo", LEVEL_FS, 10, 1, false },
	{ "make-block", LEVEL_FS, 11, 1, false },
	{ "make-sym", LEVEL_FS, 12, 1, false },
	{ "refer", LEVEL_FS, 13, 2, false },
	{ "truncate", LEVEL_FS, 14, 3, true },
	{ "ioctl-dev", LEVEL_FS, 15, 5, true },
	{ "resolve-unix", LEVEL_FS, 16, 9, true },
	{ "bind-tcp", LEVEL_NET, 0, 4, false },
	{ "connect-tcp", LEVEL_NET, 1, 4, false },
	{ "bind-udp", LEVEL_NET, 2, 10, false },
	{ "connect-send-udp", LEVEL_NET, 3, 10, false },
	{ "abstract-unix-socket", LEVEL_SCOPE, 0, 6, false },
	{ "signal", LEVEL_SCOPE, 1, 6, false },
	{ "namespace-use", LEVEL_PERMISSIONS, 0, 12, false },
	{ "capability-use", LEVEL_PERMISSIONS, 1, 12, false },
};

/* `quietens` is the field whose bits a quiet field may repeat; for the others, itself. */
static const struct field {
	const char *name;
	int since;
	enum level_field quietens;
} fields[LEVEL_FIELDS] = {
	[LEVEL_FS] = { "handled_access_fs", 1, LEVEL_FS },
	[LEVEL_NET] = { "handled_access_net", 4, LEVEL_NET },
	[LEVEL_SCOPE] = { "scoped", 6, LEVEL_SCOPE },
	[LEVEL_QUIET_FS] = { "quiet_access_fs", 10, LEVEL_FS },
	[LEVEL_QUIET_NET] = { "quiet_access_net", 10, LEVEL_NET },
	[LEVEL_QUIET_SCOPE] = { "quiet_scoped", 10, LEVEL_SCOPE },
	[LEVEL_PERMISSIONS] = { "handled_permissions", 12, LEVEL_PERMISSIONS },
};

static const struct number {
	enum level_numbers set;
	uint32_t value;
	int since;
} numbers[] = {
	{ LEVEL_CREATE_FLAGS, LEVEL_CREATE_VERSION, 1 },
	/* Stable updates brought the errata query to older ABIs: this is where it was born. */
	{ LEVEL_CREATE_FLAGS, LEVEL_CREATE_ERRATA, 7 },
	{ LEVEL_RULE_TYPES, 1u << LEVEL_RULE_PATH, 1 },
	{ LEVEL_RULE_TYPES, 1u << LEVEL_RULE_PORT, 4 },
	{ LEVEL_RULE_TYPES, 1u << LEVEL_RULE_NAMESPACE, 12 },
	{ LEVEL_RULE_TYPES, 1u << LEVEL_RULE_CAPABILITY, 12 },
	{ LEVEL_ADD_FLAGS, LEVEL_ADD_QUIET, 10 },
	{ LEVEL_RESTRICT_FLAGS, 0x1, 7 }, /* log: same exec off */
	{ LEVEL_RESTRICT_FLAGS, 0x2, 7 }, /* log: new exec on */
	{ LEVEL_RESTRICT_FLAGS, LEVEL_RESTRICT_SUBDOMAINS_OFF, 7 },
	{ LEVEL_RESTRICT_FLAGS, LEVEL_RESTRICT_TSYNC, 8 },
	{ LEVEL_RESTRICT_FLAGS, LEVEL_RESTRICT_NO_NEW_PRIVS, 11 },
};

struct level level_of(int abi)
{
	struct level level = { .abi = abi };

	for (size_t i = 0; i < COUNT(rights); i++)
		if (abi >= rights[i].since) {
			level.known[rights[i].field] |= UINT64_C(1) << rights[i].bit;
			if (rights[i].on_file)
				level.on_file |= UINT64_C(1) << rights[i].bit;
		}
	for (size_t i = 0; i < LEVEL_FIELDS; i++)
		if (abi >= fields[i].since) {
			level.size = (i + 1) * sizeof(uint64_t);
			level.known[i] = level.known[fields[i].quietens];
		}
	for (size_t i = 0; i < COUNT(numbers); i++)
		if (abi >= numbers[i].since)
			level.takes[numbers[i].set] |= numbers[i].value;
	level.layers = abi >= 2 ? 16 : abi >= 1 ? 64 : 0;
	level.flags_before_privilege = abi >= 11;
	return level;
}

const char *level_field_name(enum level_field field)
{
	return fields[field].name;
}

const struct level_right *level_right(size_t index)
{
	return index < COUNT(rights) ? &rights[index] : NULL;
}

const struct level_right *level_right_named(const char *name)
{
	for (size_t i = 0; i < COUNT(rights); i++)
		if (strcmp(rights[i].name, name) == 0)
			return &rights[i];
	return NULL;
}

bool level_parse(const char *text, int *abi, int *error)
{
	char *end;
	long number = strtol(text, &end, 10);

	*abi = 0;
	*error = 0;
	if (*text < '0' || *text > '9') {
		*error = errno_named(text);
		return *error != 0;
	}
	if (*end != '\0' || number > 9999)
		return false;
	if (number == 0)
		*error = ENOSYS;
	*abi = (int)number;
	return true;
}
