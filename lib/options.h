/* The table of the launcher's options: what each takes, grants or sets, and its line of help.
 * Nothing here looks at values. */
#ifndef LLR_OPTIONS_H
#define LLR_OPTIONS_H

#include "landlock-run.h"

/* Those that take a value come first. */
enum llr_option_kind {
	OPTION_PATH,      /* a path granted what the row grants */
	OPTION_ALLOW,     /* rights and a path */
	OPTION_SOCKET,    /* a path granted what the row grants, or none */
	OPTION_PORT,      /* a port granted what the row grants, or none */
	OPTION_SCOPE,     /* a scope */
	OPTION_REQUIRE,   /* rights, or full */
	OPTION_GUARD,     /* a guard */
	OPTION_MODE,      /* a mode */
	OPTION_WORKSPACE, /* a directory */
	OPTION_STATUS_FD, /* a descriptor */
	OPTION_KEEP_FD,   /* a descriptor */
	OPTION_ARGS_FILE, /* a file of options, for the launcher to put in its place */
	OPTION_POLICY,    /* sets a policy flag */
	OPTION_LAUNCH,    /* sets a launch flag */
	OPTION_ACTION     /* does something else than launch */
};

enum llr_option_trait {
	OPTION_ONCE = 1,     /* takes one value, so it is given at most once */
	OPTION_CONFINES = 2, /* a grant or a restriction, which danger-full-access cannot honour */
};

enum llr_launch_flag {
	LLR_LAUNCH_CLOSE_FDS = 1,
	LLR_LAUNCH_DIE_WITH_PARENT = 2,
	LLR_LAUNCH_GIT = 4,
};

enum llr_action {
	LLR_ACTION_LAUNCH = 0,
	LLR_ACTION_PROBE = 1,
	LLR_ACTION_DRY_RUN = 2,
	LLR_ACTION_HELP = 3,
	LLR_ACTION_VERSION = 4,
};

/* The name stands in the row, and what is the same for all options of a kind is told of the kind:
 * as pointers in each row they would be a twentieth of the launcher. */
struct llr_option {
	char name[19];
	uint8_t kind;
	uint8_t traits;
	uint8_t flag;   /* of a grant, a policy, a launch, or the action */
	uint8_t grants; /* for llr_option_rights */
};

/* Whether it takes a value, the next argument. */
static inline int llr_option_takes_value(const struct llr_option *option)
{
	return option->kind < OPTION_POLICY;
}

/* What it grants. */
llr_rights llr_option_rights(const struct llr_option *option);
/* What it takes, for the error when that is missing ("a path"), and the same in the help ("PATH"):
 * only of an option that takes a value. */
const char *llr_option_requires(const struct llr_option *option);
const char *llr_option_usage(const struct llr_option *option);
/* Its line of help; empty when it has none. */
const char *llr_option_help(const struct llr_option *option);

/* The table's rows in the order of the help; NULL past its end. */
const struct llr_option *llr_option_at(size_t index);
/* The option of that name, or NULL. */
const struct llr_option *llr_option_by_name(const char *name);
/* The same by its name without the dashes. */
const struct llr_option *llr_option_by_word(const char *word);
/* The option that an argument like `--name=value` begins with, or NULL. */
const struct llr_option *llr_option_attached(const char *argument);
/* The option of that kind that grants just these rights and has just these flags, or NULL. */
const struct llr_option *llr_option_granting(enum llr_option_kind kind, llr_rights rights,
					     uint32_t flags);
/* The name of the option that a mistyped one was most likely meant to be, or NULL. */
const char *llr_option_nearest(const char *argument);

/* Modes in the order of enum llr_mode; NULL past the last. */
const char *llr_mode_name(uint32_t mode);
/* "metadata" for LLR_GUARD_METADATA; NULL for anything else. */
const char *llr_guard_name(uint32_t guard);

#endif
