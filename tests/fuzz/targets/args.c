/* The launcher's command line, read: input is the arguments behind the program's name, each ended
 * by a NUL. What is accepted means what its words say; what is not is one usage error. */
#include "args.h"

#include <string.h>

#include "claims.h"

/* ---- What an accepted line grants, read off its words ---- */

static int is_path(const struct llr_grant *grant, const char *path, llr_rights rights,
		   uint32_t flags)
{
	return grant->type == LLR_GRANT_PATH && grant->rights == rights && grant->flags == flags &&
	       !strcmp(grant->path, path);
}

/* The grants that a mode begins with; the number of them. */
static size_t claim_mode(const struct llr_args *args, const struct llr_policy *policy,
			 uint64_t *cursor)
{
	static const size_t counts[] = { 0, 2, 4, 0 };
	struct llr_grant grants[4];
	size_t count = counts[args->mode];

	for (size_t i = 0; i < count; i++)
		HOLDS(policy->grant_source(policy->grant_context, cursor, &grants[i]));
	if (count >= 2) {
		HOLDS(is_path(&grants[0], "/", LLR_READ_EXECUTE, 0));
		HOLDS(is_path(&grants[1], "/dev/null", LLR_FILE_SET, 0));
	}
	if (count == 4) {
		HOLDS(is_path(&grants[2], "/tmp", LLR_FILE_SET, 0));
		HOLDS(is_path(&grants[3], args->workspace ? args->workspace : ".", LLR_FILE_SET,
			      LLR_GRANT_DIRECTORY));
	}
	return count;
}

/* Whether these two words are a grant, and what they must have become. */
static int is_granting(const struct llr_option *option, const char *value)
{
	return option->kind <= OPTION_ALLOW ||
	       ((option->kind == OPTION_SOCKET || option->kind == OPTION_PORT) &&
		strcmp(value, "none") != 0);
}

static void claim_grant(const struct llr_option *option, const char *value,
			const struct llr_grant *grant)
{
	uint32_t port = 0;

	if (option->kind == OPTION_PORT) {
		for (; *value; value++)
			port = port * 10 + (uint32_t)(*value - '0');
		HOLDS(grant->type == LLR_GRANT_PORT && grant->port == port && port <= 65535);
		HOLDS(grant->rights == llr_option_rights(option));
	} else if (option->kind == OPTION_ALLOW) {
		HOLDS(grant->path == strchr(value, ':') + 1);
		HOLDS(is_path(grant, grant->path, grant->rights, 0) && grant->rights);
	} else {
		HOLDS(grant->path == value);
		HOLDS(is_path(grant, value, llr_option_rights(option), option->flag));
	}
}

/* Every grant of the policy is said by a word, and every word that grants has its grant. */
static void claim_grants(const struct llr_args *args, const struct llr_policy *policy)
{
	struct llr_grant grant;
	uint64_t cursor = 0;

	claim_mode(args, policy, &cursor);
	for (int i = 1; i < args->options_end; i++) {
		const struct llr_option *option = llr_option_by_name(args->argv[i]);

		HOLDS(option != NULL);
		if (is_granting(option, args->argv[i + 1])) {
			HOLDS(policy->grant_source(policy->grant_context, &cursor, &grant));
			claim_grant(option, args->argv[i + 1], &grant);
		}
		i += llr_option_takes_value(option);
	}
	HOLDS(!policy->grant_source(policy->grant_context, &cursor, &grant));
}

/* ---- What else an accepted line says ---- */

static void claim_command(const struct llr_args *args, int argc)
{
	HOLDS(args->options_end >= 1 && args->options_end <= argc);
	if (args->command) {
		HOLDS(args->command < argc && args->command == args->options_end + 1);
		HOLDS(!strcmp(args->argv[args->options_end], "--") && !args->script);
		return;
	}
	/* bash, which a mode alone brings. */
	HOLDS(args->mode);
	HOLDS(args->script ? args->script == args->options_end && args->script + 1 < argc &&
				     !strcmp(args->argv[args->script], "-c")
			   : args->options_end == argc);
}

/* The descriptors that are kept come in order, and are 3 or more. */
static void claim_descriptors(const struct llr_args *args)
{
	const char *value = NULL;
	int fd = 0, from = 0;

	HOLDS(args->status_fd == -1 ? !args->status_value : args->status_fd >= 3);
	while (from >= 0 && (fd = llr_args_kept_fd(args, from, &value)) >= 0) {
		HOLDS(fd >= 3 && fd >= from && *value >= '0' && *value <= '9');
		HOLDS(args->launch & LLR_LAUNCH_CLOSE_FDS);
		from = fd == INT32_MAX ? -1 : fd + 1;
	}
}

/* What follows the command's name changes nothing. */
static void claim_command_is_opaque(const struct llr_args *args)
{
	char **argv = fuzz_memory(((size_t)args->command + 3) * sizeof *argv);
	struct llr_args other;
	struct llr_policy policy, other_policy;
	struct llr_error error;

	memcpy(argv, args->argv, (size_t)args->command * sizeof *argv);
	argv[args->command] = fuzz_copy("--mode");
	argv[args->command + 1] = fuzz_copy("--");
	argv[args->command + 2] = NULL;
	HOLDS(llr_args_parse(&other, args->command + 2, argv, &error) == 0);
	HOLDS(other.command == args->command && other.mode == args->mode);
	HOLDS(other.launch == args->launch && other.status_fd == args->status_fd);
	llr_args_policy(args, &policy);
	llr_args_policy(&other, &other_policy);
	claim_same_policy(&policy, &other_policy);
}

static void claim_policy(const struct llr_args *args)
{
	static const char *const command[] = { "--", "-c", NULL };
	struct llr_policy policy;
	struct llr_error error;

	llr_args_policy(args, &policy);
	if (args->mode == LLR_MODE_DANGER_FULL_ACCESS) {
		/* Nothing was asked for that it would have to honour. */
		HOLDS(!policy.governed && !policy.required && !policy.guards);
		HOLDS(!(policy.flags & ~(uint32_t)LLR_POLICY_BEST_EFFORT));
		return;
	}
	HOLDS(llr_policy_check(&policy, &error) == 0);
	claim_grants(args, &policy);
	/* Only of a workspace, which has to be a directory, a line cannot be written. */
	if (args->mode != LLR_MODE_WORKSPACE_WRITE)
		claim_built(&policy, command);
}

void fuzz_args(struct bytes bytes)
{
	struct llr_args args;
	struct llr_error error = { 0, 0, NULL, NULL, 0 };
	char **argv, *none[] = { NULL };
	int argc;

	if (!bytes.left) {
		HOLDS(llr_args_parse(&args, 0, none, &error) == -1);
		claim_reported(&error, "usage error: ");
		return;
	}
	argc = take_argv(&bytes, "landlock-run", NULL, &argv);
	if (llr_args_parse(&args, argc, argv, &error)) {
		claim_reported(&error, "usage error: ");
		return;
	}
	HOLDS(args.action != LLR_ACTION_PROBE || (argc == 2 && !strcmp(argv[1], "--probe")));
	if (args.action != LLR_ACTION_LAUNCH && args.action != LLR_ACTION_DRY_RUN)
		return;
	claim_command(&args, argc);
	claim_descriptors(&args);
	claim_policy(&args);
	if (args.command)
		claim_command_is_opaque(&args);
}
