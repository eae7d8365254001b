/* The table of the launcher's options, from which parsing, building, help and suggestions derive.
 * Nothing here looks at values. */
#include "options.h"
#include "text.h"

#define GRANTS OPTION_CONFINES

static const struct llr_option options[] = {
	{ "--mode", "a mode", "MODE", NULL, OPTION_MODE, OPTION_ONCE, 0, 0 },
	{ "--workspace", "a directory", "DIR", "what workspace-write may change (default: .)",
	  OPTION_WORKSPACE, OPTION_ONCE, 0, 0 },
	{ "--ro", "a path", "PATH", "read and execute beneath PATH", OPTION_PATH, GRANTS, 0,
	  LLR_READ_EXECUTE },
	{ "--rw", "a path", "PATH", "everything beneath PATH", OPTION_PATH, GRANTS, 0,
	  LLR_FILE_SET },
	{ "--ro-try", "a path", "PATH", "like --ro, if PATH exists", OPTION_PATH, GRANTS,
	  LLR_GRANT_IF_EXISTS, LLR_READ_EXECUTE },
	{ "--allow", "rights and a path", "RIGHTS:PATH", "just these rights beneath PATH",
	  OPTION_ALLOW, GRANTS, 0, 0 },
	{ "--devices", NULL, NULL, "write to null, zero, tty, pts... in /dev", OPTION_POLICY,
	  GRANTS, LLR_POLICY_DEVICES, 0 },
	{ "--stdio", NULL, NULL, "descriptors 0-2 may be reopened as they are", OPTION_POLICY,
	  GRANTS, LLR_POLICY_STDIO, 0 },
	{ "--bind-tcp", "a port or `none`", "PORT|none", "bind TCP to such ports only", OPTION_PORT,
	  GRANTS, 0, LLR_BIND_TCP },
	{ "--connect-tcp", "a port or `none`", "PORT|none", "connect TCP to such ports only",
	  OPTION_PORT, GRANTS, 0, LLR_CONNECT_TCP },
	{ "--bind-udp", "a port or `none`", "PORT|none", "bind UDP to such ports only", OPTION_PORT,
	  GRANTS, 0, LLR_BIND_UDP },
	{ "--connect-send-udp", "a port or `none`", "PORT|none", "send UDP to such ports only",
	  OPTION_PORT, GRANTS, 0, LLR_CONNECT_SEND_UDP },
	{ "--resolve-unix", "a path or `none`", "PATH|none", "connect to such Unix sockets only",
	  OPTION_SOCKET, GRANTS, 0, LLR_RESOLVE_UNIX },
	{ "--scope", "a scope", "SCOPE", "abstract-unix-socket, signal: not to outside",
	  OPTION_SCOPE, GRANTS, 0, 0 },
	{ "--guard", "a guard", "GUARD", "metadata, tty: refuse what Landlock cannot", OPTION_GUARD,
	  GRANTS, 0, 0 },
	{ "--require", "rights or `full`", "full|RIGHTS", "refuse to run unless these are governed",
	  OPTION_REQUIRE, GRANTS, 0, 0 },
	{ "--best-effort", NULL, NULL, "run although something named is not governed",
	  OPTION_POLICY, 0, LLR_POLICY_BEST_EFFORT, 0 },
	{ "--log-denials", NULL, NULL, "the audit log records denials", OPTION_POLICY, GRANTS,
	  LLR_POLICY_LOG_DENIALS, 0 },
	{ "--close-fds", NULL, NULL, "descriptors 3 and up do not reach COMMAND", OPTION_LAUNCH, 0,
	  LLR_LAUNCH_CLOSE_FDS, 0 },
	{ "--keep-fd", "a descriptor", "N", "except this one", OPTION_KEEP_FD, 0, 0, 0 },
	{ "--die-with-parent", NULL, NULL, "SIGKILL COMMAND when the parent dies", OPTION_LAUNCH, 0,
	  LLR_LAUNCH_DIE_WITH_PARENT, 0 },
	{ "--status-fd", "a descriptor", "N", "report as JSON lines on this descriptor",
	  OPTION_STATUS_FD, OPTION_ONCE, 0, 0 },
	{ "--dry-run", NULL, NULL, "print what would be enforced, run nothing", OPTION_ACTION, 0,
	  LLR_ACTION_DRY_RUN, 0 },
	{ "--probe", NULL, NULL, "alone: say what this kernel enforces", OPTION_ACTION, 0,
	  LLR_ACTION_PROBE, 0 },
	{ "--help", NULL, NULL, NULL, OPTION_ACTION, 0, LLR_ACTION_HELP, 0 },
	{ "--version", NULL, NULL, NULL, OPTION_ACTION, 0, LLR_ACTION_VERSION, 0 },
};

#define ROWS (sizeof options / sizeof options[0])

static const char *const modes[] = { "", "read-only", "workspace-write", "danger-full-access" };

const char *llr_mode_name(uint32_t mode)
{
	return mode < sizeof modes / sizeof modes[0] ? modes[mode] : NULL;
}

const char *llr_guard_name(uint32_t guard)
{
	return guard == LLR_GUARD_METADATA ? "metadata" : guard == LLR_GUARD_TTY ? "tty" : NULL;
}

const struct llr_option *llr_option_at(size_t index)
{
	return index < ROWS ? &options[index] : NULL;
}

const struct llr_option *llr_option_by_name(const char *name)
{
	if (name[0] != '-' || name[1] != '-')
		return NULL;
	/* The third byte tells most of them apart without a call. */
	for (size_t i = 0; i < ROWS; i++)
		if (options[i].name[2] == name[2] && llr_string_equal(options[i].name, name))
			return &options[i];
	return NULL;
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
		if (options[i].kind == kind && options[i].rights == rights &&
		    options[i].flag == flags)
			return &options[i];
	return NULL;
}

/* ---- Suggestions ---- */

#define NAME_MAX_LENGTH 24 /* longer than any option by as much as a typing error may add */

/* How many characters must be inserted, removed or replaced to make one name the other
 * (Levenshtein). */
static size_t distance(const char *left, const char *right)
{
	size_t columns = llr_string_length(right);
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
		size_t errors = distance(options[i].name, argument);

		if (errors < best) {
			best = errors;
			nearest = options[i].name;
		}
	}
	return nearest;
}
