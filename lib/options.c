/* The table of the launcher's options, from which parsing, building, help and suggestions derive.
 * Nothing here looks at values. */
#include "args.h"
#include "text.h"

#define GRANTS OPTION_CONFINES

/* What the row of an option grants. */
enum { NOTHING, READS, ALL, BIND_TCP, CONNECT_TCP, BIND_UDP, CONNECT_SEND_UDP, RESOLVE_UNIX };

static const llr_rights granted[] = {
	0,
	LLR_READ_EXECUTE,
	LLR_FILE_SET,
	LLR_BIND_TCP,
	LLR_CONNECT_TCP,
	LLR_BIND_UDP,
	LLR_CONNECT_SEND_UDP,
	LLR_RESOLVE_UNIX,
};

/* Name, kind, traits, flag, what it grants, and its line of help. */
#define OPTIONS(ROW) \
	ROW("--mode", MODE, OPTION_ONCE, 0, NOTHING, "") \
	ROW("--workspace", WORKSPACE, OPTION_ONCE, 0, NOTHING, \
	    "what workspace-write may change (default: .)") \
	ROW("--git", LAUNCH, 0, LLR_LAUNCH_GIT, NOTHING, \
	    "in a linked worktree, also its repository") \
	ROW("--ro", PATH, GRANTS, 0, READS, "read and execute beneath PATH") \
	ROW("--rw", PATH, GRANTS, 0, ALL, "everything beneath PATH") \
	ROW("--ro-try", PATH, GRANTS, LLR_GRANT_IF_EXISTS, READS, "like --ro, if PATH exists") \
	ROW("--allow", ALLOW, GRANTS, 0, NOTHING, "just these rights beneath PATH") \
	ROW("--devices", POLICY, GRANTS, LLR_POLICY_DEVICES, NOTHING, \
	    "write to null, zero, tty, pts... in /dev") \
	ROW("--stdio", POLICY, GRANTS, LLR_POLICY_STDIO, NOTHING, \
	    "descriptors 0-2 may be reopened as they are") \
	ROW("--bind-tcp", PORT, GRANTS, 0, BIND_TCP, "bind TCP to such ports only") \
	ROW("--connect-tcp", PORT, GRANTS, 0, CONNECT_TCP, "connect TCP to such ports only") \
	ROW("--bind-udp", PORT, GRANTS, 0, BIND_UDP, "bind UDP to such ports only") \
	ROW("--connect-send-udp", PORT, GRANTS, 0, CONNECT_SEND_UDP, \
	    "send UDP to such ports only") \
	ROW("--resolve-unix", SOCKET, GRANTS, 0, RESOLVE_UNIX, \
	    "connect to such Unix sockets only") \
	ROW("--scope", SCOPE, GRANTS, 0, NOTHING, "abstract-unix-socket, signal: not to outside") \
	ROW("--guard", GUARD, GRANTS, 0, NOTHING, "metadata, tty: refuse what Landlock cannot") \
	ROW("--require", REQUIRE, GRANTS, 0, NOTHING, "refuse to run unless these are governed") \
	ROW("--best-effort", POLICY, 0, LLR_POLICY_BEST_EFFORT, NOTHING, \
	    "run although something named is not governed") \
	ROW("--log-denials", POLICY, GRANTS, LLR_POLICY_LOG_DENIALS, NOTHING, \
	    "the audit log records denials") \
	ROW("--close-fds", LAUNCH, 0, LLR_LAUNCH_CLOSE_FDS, NOTHING, \
	    "descriptors 3 and up do not reach COMMAND") \
	ROW("--keep-fd", KEEP_FD, 0, 0, NOTHING, "except this one") \
	ROW("--die-with-parent", LAUNCH, 0, LLR_LAUNCH_DIE_WITH_PARENT, NOTHING, \
	    "SIGKILL COMMAND when the parent dies") \
	ROW("--status-fd", STATUS_FD, OPTION_ONCE, 0, NOTHING, \
	    "report as JSON lines on this descriptor") \
	ROW("--args-file", ARGS_FILE, 0, 0, NOTHING, "options from FILE, one a line") \
	ROW("--dry-run", ACTION, 0, LLR_ACTION_DRY_RUN, NOTHING, \
	    "print what would be enforced, run nothing") \
	ROW("--probe", ACTION, 0, LLR_ACTION_PROBE, NOTHING, \
	    "alone: say what this kernel enforces") \
	ROW("--help", ACTION, 0, LLR_ACTION_HELP, NOTHING, "") \
	ROW("--version", ACTION, 0, LLR_ACTION_VERSION, NOTHING, "")

#define ROW(name, kind, traits, flag, grants, help) { name, OPTION_##kind, traits, flag, grants },
#define HELP(name, kind, traits, flag, grants, help) help "\0"

static const struct llr_option options[] = { OPTIONS(ROW) };
static const char helps[] WORDS = OPTIONS(HELP);

/* In the order of the kinds: what is required, and the same in the help. */
static const struct {
	char required[18];
	char usage[12];
} values[] WORDS = {
	{ "a path", "PATH" },
	{ "rights and a path", "RIGHTS:PATH" },
	{ "a path or `none`", "PATH|none" },
	{ "a port or `none`", "PORT|none" },
	{ "a scope", "SCOPE" },
	{ "rights or `full`", "full|RIGHTS" },
	{ "a guard", "GUARD" },
	{ "a mode", "MODE" },
	{ "a directory", "DIR" },
	{ "a descriptor", "N" },
	{ "a descriptor", "N" },
	{ "a file", "FILE" },
};

#define ROWS (sizeof options / sizeof options[0])

llr_rights llr_option_rights(const struct llr_option *option)
{
	return granted[option->grants];
}

const char *llr_option_requires(const struct llr_option *option)
{
	return WORDS_POINTER(values)[option->kind].required;
}

const char *llr_option_usage(const struct llr_option *option)
{
	return WORDS_POINTER(values)[option->kind].usage;
}

const char *llr_option_help(const struct llr_option *option)
{
	return llr_word_at(helps, (size_t)(option - options));
}

static const char modes[] = "\0read-only\0workspace-write\0danger-full-access";

const char *llr_mode_name(uint32_t mode)
{
	return mode <= LLR_MODE_DANGER_FULL_ACCESS ? llr_word_at(modes, mode) : NULL;
}

const char *llr_guard_name(uint32_t guard)
{
	return guard == LLR_GUARD_METADATA ? "metadata" : guard == LLR_GUARD_TTY ? "tty" : NULL;
}

const struct llr_option *llr_option_at(size_t index)
{
	return index < ROWS ? &options[index] : NULL;
}

const struct llr_option *llr_option_by_word(const char *word)
{
	/* The first byte tells most of them apart without a call. */
	for (size_t i = 0; i < ROWS; i++)
		if (options[i].name[2] == *word && llr_string_equal(options[i].name + 2, word))
			return &options[i];
	return NULL;
}

const struct llr_option *llr_option_by_name(const char *name)
{
	return name[0] == '-' && name[1] == '-' ? llr_option_by_word(name + 2) : NULL;
}

const struct llr_option *llr_option_attached(const char *argument)
{
	for (size_t i = 0; i < ROWS; i++) {
		size_t k = 0;

		while (options[i].name[k] && options[i].name[k] == argument[k])
			k++;
		if (!options[i].name[k] && argument[k] == '=')
			return &options[i];
	}
	return NULL;
}

const struct llr_option *llr_option_granting(enum llr_option_kind kind, llr_rights rights,
					     uint32_t flags)
{
	for (size_t i = 0; i < ROWS; i++)
		if (options[i].kind == kind && llr_option_rights(&options[i]) == rights &&
		    options[i].flag == flags)
			return &options[i];
	return NULL;
}

/* ---- Suggestions ---- */

#define NAME_MAX_LENGTH 24 /* longer than any option by as much as a typing error may add */

/* How many characters must be inserted, removed or replaced to make one name the other, which has
 * that many columns (Levenshtein). */
static size_t distance(const char *left, const char *right, size_t columns)
{
	size_t row[NAME_MAX_LENGTH + 1];

	for (size_t k = 0; k <= columns; k++)
		row[k] = k;
	for (size_t i = 0; left[i]; i++) {
		size_t diagonal = row[0];

		row[0] = i + 1;
		for (size_t k = 0; k < columns; k++) {
			size_t replaced = diagonal + (left[i] != right[k]);

			diagonal = row[k + 1];
			row[k + 1] = llr_smaller(replaced, llr_smaller(row[k], row[k + 1]) + 1);
		}
	}
	return row[columns];
}

const char *llr_option_nearest(const char *argument)
{
	const char *nearest = NULL;
	size_t length = llr_string_length(argument);
	size_t best = length < 6 ? 2 : 3; /* further away than two errors is another word; of a
					     short one, than one */

	if (argument[0] != '-' || length < 4 || length > NAME_MAX_LENGTH)
		return NULL;
	for (size_t i = 0; i < ROWS; i++) {
		size_t errors = distance(options[i].name, argument, length);

		if (errors < best) {
			best = errors;
			nearest = options[i].name;
		}
	}
	return nearest;
}
