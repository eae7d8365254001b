/* Reads the launcher's command line. What writes one for a policy is in argv.c, from the same table
 * of options. Everything is checked before anything is done; nothing here asks the kernel. */
#include <errno.h>
#include <limits.h>

#include "args.h"
#include "error.h"
#include "rights.h"
#include "text.h"

/* ---- Values ---- */

/* A decimal number in full, nothing else around it; -1 when it is none or out of range. */
static int64_t number(const char *value, int64_t most)
{
	int64_t result = 0;

	if (!*value)
		return -1;
	for (; *value; value++) {
		if (*value < '0' || *value > '9')
			return -1;
		result = result * 10 + (*value - '0');
		if (result > most)
			return -1;
	}
	return result;
}

/* A comma-separated list of rights up to the first byte of `stop` or the end; *rest points there. 0
 * when a name is unknown. */
static llr_rights rights_list(const char *value, char stop, const char **rest)
{
	llr_rights rights = 0;

	for (;;) {
		size_t length = 0;
		llr_rights right;

		while (value[length] && value[length] != ',' && value[length] != stop)
			length++;
		right = llr_rights_named(value, length);
		if (!right)
			return 0;
		rights |= right;
		value += length;
		if (*value != ',')
			break;
		value++;
	}
	*rest = value;
	return rights;
}

static int invalid(const struct llr_option *option, const char *value, struct llr_error *error)
{
	return llr_fail(error, LLR_E_VALUE_INVALID, 0, value, option->name);
}

/* A grant out of an option's value; 1 when it grants something, 0 for `none`, -1 for an unusable
 * value. */
static int read_grant(const struct llr_option *option, const char *value, struct llr_grant *grant)
{
	int none = option->kind != OPTION_PATH && llr_string_equal(value, "none");
	int64_t port;

	*grant = (struct llr_grant){ LLR_GRANT_PATH, option->flag, llr_option_rights(option),
				     value,          -1,           0 };
	switch (option->kind) {
	case OPTION_PATH:
		return 1;
	case OPTION_SOCKET:
		return !none;
	case OPTION_ALLOW:
		grant->rights = rights_list(value, ':', &grant->path);
		if (!grant->rights || *grant->path++ != ':' ||
		    grant->rights & ~llr_rights_with(LLR_TRAIT_PATH))
			return -1;
		return 1;
	case OPTION_PORT:
		port = none ? 0 : number(value, UINT16_MAX);
		if (port < 0)
			return -1;
		*grant = (struct llr_grant){ LLR_GRANT_PORT, 0,  llr_option_rights(option),
					     NULL,           -1, (uint32_t)port };
		return !none;
	default:
		return 0;
	}
}

static int is_grant(const struct llr_option *option)
{
	return option->kind <= OPTION_PORT;
}

/* ---- Options ---- */

static int take_mode(struct llr_args *args, const struct llr_option *option, const char *value,
		     struct llr_error *error)
{
	for (uint32_t mode = LLR_MODE_READ_ONLY; llr_mode_name(mode); mode++)
		if (llr_string_equal(value, llr_mode_name(mode))) {
			args->mode = mode;
			return 0;
		}
	return invalid(option, value, error);
}

/* Adds a list of rights, all of which must be allowed there. */
static int take_rights(llr_rights *rights, llr_rights allowed, const struct llr_option *option,
		       const char *value, struct llr_error *error)
{
	const char *rest;
	llr_rights list = rights_list(value, 0, &rest);
	llr_rights unsupported = list & ~(LLR_FILE_SET | llr_rights_with(LLR_TRAIT_OPT_IN));
	struct llr_right first;

	if (llr_rights_take(&unsupported, &first))
		return llr_fail(error, LLR_E_RIGHT_UNSUPPORTED, 0, first.name, option->name);
	if (!list || list & ~allowed)
		return invalid(option, value, error);
	*rights |= list;
	return 0;
}

static int take_guard(struct llr_args *args, const struct llr_option *option, const char *value,
		      struct llr_error *error)
{
	for (uint32_t guard = LLR_GUARD_METADATA; llr_guard_name(guard); guard <<= 1)
		if (llr_string_equal(value, llr_guard_name(guard))) {
			args->guards |= guard;
			return 0;
		}
	return invalid(option, value, error);
}

static int take_grant(struct llr_args *args, const struct llr_option *option, const char *value,
		      struct llr_error *error)
{
	struct llr_grant grant;

	if (read_grant(option, value, &grant) < 0)
		return invalid(option, value, error);
	args->governed |= (llr_option_rights(option) | grant.rights) &
			  llr_rights_with(LLR_TRAIT_OPT_IN);
	return 0;
}

static int take_fd(struct llr_args *args, const struct llr_option *option, const char *value,
		   struct llr_error *error)
{
	int64_t given = number(value, INT_MAX);

	/* 0 to 2 are the command's own in any case. */
	if (given < 3)
		return invalid(option, value, error);
	if (option->kind == OPTION_STATUS_FD) {
		args->status_fd = (int)given;
		args->status_value = value;
	}
	return 0;
}

/* Takes one option whose value, if it has one, is there. */
static int take(struct llr_args *args, const struct llr_option *option, const char *value,
		struct llr_error *error)
{
	switch (option->kind) {
	case OPTION_SCOPE:
		return take_rights(&args->governed, llr_rights_with(LLR_TRAIT_SCOPE), option, value,
				   error);
	case OPTION_REQUIRE:
		if (llr_string_equal(value, "full"))
			args->required |= LLR_FILE_SET;
		else
			return take_rights(&args->required, ~(llr_rights)0, option, value, error);
		return 0;
	case OPTION_GUARD:
		return take_guard(args, option, value, error);
	case OPTION_MODE:
		return take_mode(args, option, value, error);
	case OPTION_WORKSPACE:
		args->workspace = value;
		return 0;
	case OPTION_STATUS_FD:
	case OPTION_KEEP_FD:
		return take_fd(args, option, value, error);
	case OPTION_ARGS_FILE:
		return llr_fail(error, LLR_E_ARGS_FILE, 0, value, NULL);
	case OPTION_POLICY:
		args->flags |= option->flag;
		return 0;
	case OPTION_LAUNCH:
		args->launch |= option->flag;
		return 0;
	case OPTION_ACTION:
		args->action = option->flag;
		return option->flag == LLR_ACTION_PROBE
			       ? llr_fail(error, LLR_E_PROBE_ALONE, 0, NULL, NULL)
			       : 0;
	default:
		return take_grant(args, option, value, error);
	}
}

static int unknown(const char *argument, struct llr_error *error)
{
	const struct llr_option *attached = llr_option_attached(argument);

	if (attached && llr_option_takes_value(attached))
		return llr_fail(error, LLR_E_VALUE_ATTACHED, 0, argument, attached->name);
	return llr_fail(error, LLR_E_ARGUMENT_UNKNOWN, 0, argument, llr_option_nearest(argument));
}

/* ---- The line as a whole ---- */

/* Which options were given: one bit for each row of the table. */
struct seen {
	uint64_t options;
	const char *confining; /* the first option that danger-full-access cannot honour */
	const char *keep_fd;
};

static int note(struct seen *seen, const struct llr_option *option, struct llr_error *error)
{
	uint64_t bit = UINT64_C(1) << (option - llr_option_at(0));

	if (option->traits & OPTION_ONCE && seen->options & bit)
		return llr_fail(error, LLR_E_OPTION_REPEATED, 0, NULL, option->name);
	seen->options |= bit;
	if (option->traits & OPTION_CONFINES && !seen->confining)
		seen->confining = option->name;
	if (option->kind == OPTION_KEEP_FD)
		seen->keep_fd = option->name;
	return 0;
}

/* Takes all options up to `--`, `-c` or the end. */
static int take_options(struct llr_args *args, struct seen *seen, int argc, struct llr_error *error)
{
	int i = 1;

	for (; i < argc && args->action < LLR_ACTION_HELP; i++) {
		const char *argument = args->argv[i];
		const struct llr_option *option = llr_option_by_name(argument);

		if (llr_string_equal(argument, "--") || llr_string_equal(argument, "-c"))
			break;
		if (!option)
			return unknown(argument, error);
		if (note(seen, option, error))
			return -1;
		if (llr_option_takes_value(option) && ++i >= argc)
			return llr_fail(error, LLR_E_VALUE_MISSING, 0, llr_option_requires(option),
					option->name);
		if (take(args, option, args->argv[i], error))
			return -1;
	}
	args->options_end = i < argc ? i : argc > 0 ? argc : 1;
	return 0;
}

/* Finds the command behind the options. */
static int take_command(struct llr_args *args, int argc, int needed, struct llr_error *error)
{
	int at = args->options_end;

	if (at >= argc)
		return args->mode || !needed
			       ? 0
			       : llr_fail(error, LLR_E_COMMAND_MISSING, 0, NULL, NULL);
	if (llr_string_equal(args->argv[at], "-c")) {
		if (!args->mode)
			return llr_fail(error, LLR_E_OPTION_NEEDS, 0, WORD("--mode"), "-c");
		if (at + 1 >= argc)
			return llr_fail(error, LLR_E_VALUE_MISSING, 0, WORD("a script"), "-c");
		args->script = at;
		return 0;
	}
	if (at + 1 >= argc)
		return llr_fail(error, LLR_E_COMMAND_MISSING, 0, NULL, NULL);
	args->command = at + 1;
	return 0;
}

/* What only the whole line can tell. */
static int check_together(const struct llr_args *args, const struct seen *seen,
			  struct llr_error *error)
{
	if (args->workspace && !args->mode)
		return llr_fail(error, LLR_E_OPTION_NEEDS, 0, WORD("--mode"), WORD("--workspace"));
	if (args->launch & LLR_LAUNCH_GIT && args->mode != LLR_MODE_WORKSPACE_WRITE)
		return llr_fail(error, LLR_E_OPTION_NEEDS, 0, WORD("--mode workspace-write"),
				WORD("--git"));
	if (seen->keep_fd && !(args->launch & LLR_LAUNCH_CLOSE_FDS))
		return llr_fail(error, LLR_E_OPTION_NEEDS, 0, WORD("--close-fds"), seen->keep_fd);
	if (args->mode == LLR_MODE_DANGER_FULL_ACCESS && seen->confining)
		return llr_fail(error, LLR_E_OPTION_UNCONFINED, 0, NULL, seen->confining);
	return 0;
}

static int parse(struct llr_args *args, int argc, char *const *argv, int command_needed,
		 struct llr_error *error)
{
	struct seen seen = { 0, NULL, NULL };

	*args = (struct llr_args){ .argv = argv, .status_fd = -1, .common_fd = -1 };
	if (command_needed && argc == 2 && llr_string_equal(argv[1], "--probe")) {
		args->action = LLR_ACTION_PROBE;
		return 0;
	}
	if (take_options(args, &seen, argc, error))
		return -1;
	if (args->action >= LLR_ACTION_HELP)
		return 0;
	if (check_together(args, &seen, error) || take_command(args, argc, command_needed, error))
		return -1;
	if (!args->workspace)
		args->workspace = ".";
	return 0;
}

int llr_args_parse(struct llr_args *args, int argc, char *const *argv, struct llr_error *error)
{
	return parse(args, argc, argv, 1, error);
}

int llr_args_parse_policy(struct llr_args *args, int argc, char *const *argv,
			  struct llr_error *error)
{
	return parse(args, argc, argv, 0, error);
}

/* ---- The policy ---- */

struct mode_grant {
	char path[10]; /* empty: the workspace */
	uint8_t flags;
	uint16_t rights; /* of files */
};

/* workspace-write is read-only and two more. */
static const struct mode_grant mode_grants[] = {
	{ "/", 0, LLR_READ_EXECUTE },
	{ "/dev/null", 0, LLR_FILE_SET },
	{ "/tmp", 0, LLR_FILE_SET },
	{ "", LLR_GRANT_DIRECTORY, LLR_FILE_SET },
};

static const uint8_t mode_grants_count[] = {
	[LLR_MODE_NONE] = 0,
	[LLR_MODE_READ_ONLY] = 2,
	[LLR_MODE_WORKSPACE_WRITE] = 4,
	[LLR_MODE_DANGER_FULL_ACCESS] = 0,
};

/* The cursor counts the mode's grants first, then --git's, then the positions in argv. */
static int next_grant(const void *context, uint64_t *cursor, struct llr_grant *grant)
{
	const struct llr_args *args = context;
	uint64_t builtin = mode_grants_count[args->mode];
	uint64_t unwritten = builtin + (args->common_fd >= 0);

	if (*cursor < builtin) {
		const struct mode_grant *from = &mode_grants[(*cursor)++];

		*grant = (struct llr_grant){ LLR_GRANT_PATH,
					     from->flags,
					     from->rights,
					     from->path[0] ? from->path : args->workspace,
					     -1,
					     0 };
		return 1;
	}
	if (*cursor < unwritten) {
		*grant = (struct llr_grant){ LLR_GRANT_FD,    0, LLR_FILE_SET, args->common,
					     args->common_fd, 0 };
		++*cursor;
		return 1;
	}
	while (1 + *cursor - unwritten < (uint64_t)args->options_end) {
		char *const *at = args->argv + 1 + *cursor - unwritten;
		const struct llr_option *option = llr_option_by_name(*at);

		*cursor += option && llr_option_takes_value(option) ? 2 : 1;
		if (option && is_grant(option) && read_grant(option, at[1], grant) > 0)
			return 1;
	}
	return 0;
}

void llr_args_policy(const struct llr_args *args, struct llr_policy *policy)
{
	*policy = (struct llr_policy)LLR_POLICY_INIT;
	policy->flags = args->flags;
	policy->governed = args->governed;
	policy->required = args->required;
	policy->guards = args->guards;
	policy->grant_source = next_grant;
	policy->grant_context = args;
}

int llr_args_kept_fd(const struct llr_args *args, int from, const char **value)
{
	int smallest = -1;

	for (int i = 1; i < args->options_end; i++) {
		const struct llr_option *option = llr_option_by_name(args->argv[i]);
		int fd = option && option->kind == OPTION_KEEP_FD
				 ? (int)number(args->argv[i + 1], INT_MAX)
				 : -1;

		if (fd >= from && (smallest < 0 || fd < smallest)) {
			smallest = fd;
			if (value)
				*value = args->argv[i + 1];
		}
		i += option && llr_option_takes_value(option);
	}
	return smallest;
}
