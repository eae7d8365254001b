/* levels.h: what each Landlock ABI knows. The one table, for the simulator and for its test.
 * It must never ask a kernel: it is what a kernel is compared with. */
#ifndef LEVELS_H
#define LEVELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The newest ABI described here. A higher one knows at least this; what more, nobody can say. */
#define LEVEL_NEWEST 12

/* The fields of struct landlock_ruleset_attr, in their order there: each is eight bytes. */
enum level_field {
	LEVEL_FS,
	LEVEL_NET,
	LEVEL_SCOPE,
	LEVEL_QUIET_FS,
	LEVEL_QUIET_NET,
	LEVEL_QUIET_SCOPE,
	LEVEL_PERMISSIONS,
	LEVEL_FIELDS
};

/* The numbers a call takes that are no rights. */
enum level_numbers {
	LEVEL_CREATE_FLAGS,
	LEVEL_RULE_TYPES, /* 1 << type for each */
	LEVEL_ADD_FLAGS,
	LEVEL_RESTRICT_FLAGS,
	LEVEL_NUMBERS
};

#define LEVEL_CREATE_VERSION 0x1u
#define LEVEL_CREATE_ERRATA 0x2u
#define LEVEL_RULE_PATH 1u
#define LEVEL_RULE_PORT 2u
#define LEVEL_RULE_NAMESPACE 3u
#define LEVEL_RULE_CAPABILITY 4u
#define LEVEL_ADD_QUIET 0x1u
#define LEVEL_RESTRICT_SUBDOMAINS_OFF 0x4u
#define LEVEL_RESTRICT_TSYNC 0x8u
#define LEVEL_RESTRICT_NO_NEW_PRIVS 0x10u

struct level_right {
	const char *name; /* the kernel's, in kebab-case */
	enum level_field field;
	unsigned int bit;
	int since;
	bool on_file; /* valid in a rule on something that is no directory */
};

/* All that one ABI knows. An abi of 0 is a kernel without Landlock: it knows nothing. */
struct level {
	int abi;
	size_t size;                  /* of its struct landlock_ruleset_attr */
	uint64_t known[LEVEL_FIELDS]; /* the bits it takes in each field */
	uint64_t on_file;             /* those of LEVEL_FS that a rule on a file may have */
	uint32_t takes[LEVEL_NUMBERS];
	int layers;                  /* that can be stacked on one process */
	bool flags_before_privilege; /* restrict_self says EINVAL before EPERM */
};

/* Returns what ABI `abi` knows; above LEVEL_NEWEST, what LEVEL_NEWEST knows. */
struct level level_of(int abi);

/* Returns the name of a field of struct landlock_ruleset_attr. */
const char *level_field_name(enum level_field field);

/* Returns right number `index`, or NULL after the last one. */
const struct level_right *level_right(size_t index);

/* Returns the right of that name, or NULL. */
const struct level_right *level_right_named(const char *name);

/* Reads "7" as ABI 7, and "ENOSYS" (also "0") as a kernel that answers every call with that errno:
 * one of *abi and *error is then 0. Returns false when it is neither. */
bool level_parse(const char *text, int *abi, int *error);

#endif
