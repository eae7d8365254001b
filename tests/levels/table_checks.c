/* table_checks.c: tests the table of levels against what the kernel's documentation says.
 * They must never use the rows of that table: they are its second, independent spelling. */
#include "table_checks.h"

#include <errno.h>
#include <string.h>

#include "levels.h"
#include "suite.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

struct row {
	int abi;
	size_t size;
	uint64_t fs, net, scope, permissions;
	uint32_t restrict_flags, add_flags, create_flags, rule_types;
	uint64_t on_file;
};

/* From Documentation/userspace-api/landlock.rst and include/uapi/linux/landlock.h of each release,
 * whole masks, not what each ABI added. */
static const struct row documented[] = {
	{ 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 },
	{ 1, 8, 0x1fff, 0, 0, 0, 0, 0, 1, 0x2, 0x7 },
	{ 2, 8, 0x3fff, 0, 0, 0, 0, 0, 1, 0x2, 0x7 },
	{ 3, 8, 0x7fff, 0, 0, 0, 0, 0, 1, 0x2, 0x4007 },
	{ 4, 16, 0x7fff, 0x3, 0, 0, 0, 0, 1, 0x6, 0x4007 },
	{ 5, 16, 0xffff, 0x3, 0, 0, 0, 0, 1, 0x6, 0xc007 },
	{ 6, 24, 0xffff, 0x3, 0x3, 0, 0, 0, 1, 0x6, 0xc007 },
	{ 7, 24, 0xffff, 0x3, 0x3, 0, 0x7, 0, 3, 0x6, 0xc007 },
	{ 8, 24, 0xffff, 0x3, 0x3, 0, 0xf, 0, 3, 0x6, 0xc007 },
	{ 9, 24, 0x1ffff, 0x3, 0x3, 0, 0xf, 0, 3, 0x6, 0x1c007 },
	{ 10, 48, 0x1ffff, 0xf, 0x3, 0, 0xf, 0x1, 3, 0x6, 0x1c007 },
	{ 11, 48, 0x1ffff, 0xf, 0x3, 0, 0x1f, 0x1, 3, 0x6, 0x1c007 },
	{ 12, 56, 0x1ffff, 0xf, 0x3, 0x3, 0x1f, 0x1, 3, 0x1e, 0x1c007 },
	{ 99, 56, 0x1ffff, 0xf, 0x3, 0x3, 0x1f, 0x1, 3, 0x1e, 0x1c007 },
};

static const struct {
	const char *name;
	enum level_field field;
	uint64_t value;
} values[] = {
	{ "execute", LEVEL_FS, 0x1 },
	{ "write-file", LEVEL_FS, 0x2 },
	{ "read-file", LEVEL_FS, 0x4 },
	{ "read-dir", LEVEL_FS, 0x8 },
	{ "remove-dir", LEVEL_FS, 0x10 },
	{ "remove-file", LEVEL_FS, 0x20 },
	{ "make-char", LEVEL_FS, 0x40 },
	{ "make-dir", LEVEL_FS, 0x80 },
	{ "make-reg", LEVEL_FS, 0x100 },
	{ "make-sock", LEVEL_FS, 0x200 },
	{ "make-fifo", LEVEL_FS, 0x400 },
	{ "make-block", LEVEL_FS, 0x800 },
	{ "make-sym", LEVEL_FS, 0x1000 },
	{ "refer", LEVEL_FS, 0x2000 },
	{ "truncate", LEVEL_FS, 0x4000 },
	{ "ioctl-dev", LEVEL_FS, 0x8000 },
	{ "resolve-unix", LEVEL_FS, 0x10000 },
	{ "bind-tcp", LEVEL_NET, 0x1 },
	{ "connect-tcp", LEVEL_NET, 0x2 },
	{ "bind-udp", LEVEL_NET, 0x4 },
	{ "connect-send-udp", LEVEL_NET, 0x8 },
	{ "abstract-unix-socket", LEVEL_SCOPE, 0x1 },
	{ "signal", LEVEL_SCOPE, 0x2 },
	{ "namespace-use", LEVEL_PERMISSIONS, 0x1 },
	{ "capability-use", LEVEL_PERMISSIONS, 0x2 },
};

static void row_is_the_documented_one(const void *subject)
{
	const struct row *row = subject;
	struct level level = level_of(row->abi);

	EXPECT(level.abi == row->abi, "abi %d", level.abi);
	EXPECT(level.size == row->size, "size %u", (unsigned int)level.size);
	EXPECT(level.known[LEVEL_FS] == row->fs, "fs 0x%llx",
	       (unsigned long long)level.known[LEVEL_FS]);
	EXPECT(level.known[LEVEL_NET] == row->net, "net 0x%llx",
	       (unsigned long long)level.known[LEVEL_NET]);
	EXPECT(level.known[LEVEL_SCOPE] == row->scope, "scope");
	EXPECT(level.known[LEVEL_PERMISSIONS] == row->permissions, "permissions");
	EXPECT(level.known[LEVEL_QUIET_FS] == (row->abi >= 10 ? row->fs : 0), "quiet fs");
	EXPECT(level.known[LEVEL_QUIET_NET] == (row->abi >= 10 ? row->net : 0), "quiet net");
	EXPECT(level.known[LEVEL_QUIET_SCOPE] == (row->abi >= 10 ? row->scope : 0), "quiet scope");
	EXPECT(level.on_file == row->on_file, "on a file 0x%llx",
	       (unsigned long long)level.on_file);
	EXPECT(level.takes[LEVEL_RESTRICT_FLAGS] == row->restrict_flags, "restrict_self flags");
	EXPECT(level.takes[LEVEL_ADD_FLAGS] == row->add_flags, "add_rule flags");
	EXPECT(level.takes[LEVEL_CREATE_FLAGS] == row->create_flags, "create_ruleset flags");
	EXPECT(level.takes[LEVEL_RULE_TYPES] == row->rule_types, "rule types");
	EXPECT(level.layers == (row->abi == 0 ? 0 : row->abi == 1 ? 64 : 16), "layers");
	EXPECT(level.flags_before_privilege == (row->abi >= 11), "order of the checks");
}

static void rights_have_the_documented_values(const void *unused)
{
	size_t count = 0;

	(void)unused;
	while (level_right(count) != NULL)
		count++;
	EXPECT(count == COUNT(values), "%u rights", (unsigned int)count);
	for (size_t i = 0; i < COUNT(values); i++) {
		const struct level_right *right = level_right_named(values[i].name);

		EXPECT(right != NULL, "no %s", values[i].name);
		EXPECT(right->field == values[i].field &&
			       UINT64_C(1) << right->bit == values[i].value,
		       "%s is bit %u of %s", right->name, right->bit,
		       level_field_name(right->field));
	}
	EXPECT(level_right_named("write") == NULL, "a right that there is not");
}

static void kernels_are_read_from_their_names(const void *unused)
{
	static const char *const wrong[] = {
		"", "-1", "7x", "1e3", "99999", "enosys", "ENO", " 7"
	};
	int abi, error;

	(void)unused;
	EXPECT(level_parse("7", &abi, &error) && abi == 7 && error == 0, "7");
	EXPECT(level_parse("99", &abi, &error) && abi == 99 && error == 0, "99");
	EXPECT(level_parse("0", &abi, &error) && abi == 0 && error == ENOSYS, "0");
	EXPECT(level_parse("EPERM", &abi, &error) && abi == 0 && error == EPERM, "EPERM");
	for (size_t i = 0; i < COUNT(wrong); i++)
		EXPECT(!level_parse(wrong[i], &abi, &error), "\"%s\"", wrong[i]);
}

void table_checks(void)
{
	for (size_t i = 0; i < COUNT(documented); i++)
		suite_run(row_is_the_documented_one, &documented[i],
			  "table: abi %d is as documented", documented[i].abi);
	suite_run(rights_have_the_documented_values, NULL,
		  "table: each right has its documented value");
	suite_run(kernels_are_read_from_their_names, NULL,
		  "table: a kernel is read from its ABI or its errno");
}
