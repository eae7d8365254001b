/* --dry-run: input is how the kernel answers, one byte, how long words are stretched and whether
 * stdout can be written, one byte, and the arguments behind `--dry-run`, each ended by a NUL.
 * Whatever they are, the plan is one line of JSON with what was asked for in it. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "claims.h"
#include "fake_sys.h"
#include "launcher.h"
#include "reference.h"

static struct {
	uint8_t answers, unsaid;
	int open;
	char *said;
	size_t length;
} world;

enum answer { NO_PATH = 1, NO_ACCESS = 2, IS_FILE = 4, OLD_KERNEL = 8, NO_LANDLOCK = 16 };

static long kernel(long number, const long arguments[5])
{
	switch (number) {
	case SYS_openat:
		HOLDS(arguments[2] & O_PATH && arguments[2] & O_CLOEXEC);
		if (world.answers & (NO_PATH | NO_ACCESS))
			return world.answers & NO_PATH ? -ENOENT : -EACCES;
		HOLDS(!world.open++);
		return 5;
	case SYS_close:
		HOLDS(world.open--);
		return 0;
	case SYS_statx:
		memset(FAKE_POINTER(arguments[4]), 0, sizeof(struct statx));
		((struct statx *)FAKE_POINTER(arguments[4]))->stx_mode = world.answers & IS_FILE
										 ? S_IFREG
										 : S_IFDIR;
		return 0;
	default:
		BROKEN("a system call that a plan has no use for");
	}
}

/* In place of the library's and the launcher's, which plan.c is compiled to call by these names. */
int fake_plan(const struct llr_policy *policy, struct llr_result *result, struct llr_error *error);
int fake_report_text(const char *bytes, size_t length, const char *what, struct llr_error *error);
int fake_git_find(struct llr_args *args, char *path, size_t size, struct llr_error *error);

int fake_git_find(struct llr_args *args, char *path, size_t size, struct llr_error *error)
{
	static const char common[] = "/\"common\"\n";

	if (!(args->launch & LLR_LAUNCH_GIT))
		return 0;
	HOLDS(path && size >= sizeof common && args->mode == LLR_MODE_WORKSPACE_WRITE);
	if (world.answers & NO_ACCESS) {
		*error = (struct llr_error){ LLR_E_GIT, 0, args->workspace, "is \n", 0 };
		return -1;
	}
	args->common_fd = 7;
	memcpy(path, common, sizeof common);
	args->common = world.answers & IS_FILE ? NULL : path;
	return 0;
}

int fake_plan(const struct llr_policy *policy, struct llr_result *result, struct llr_error *error)
{
	llr_rights wanted = LLR_FILE_SET | policy->governed | policy->required;

	HOLDS(llr_policy_check(policy, error) == 0);
	if (world.answers & NO_LANDLOCK) {
		*error = (struct llr_error){ LLR_E_NOT_ENFORCED, EOPNOTSUPP, NULL, NULL, 0 };
		return -1;
	}
	result->abi = world.answers & OLD_KERNEL ? 1 : 12;
	result->governed = wanted & llr_rights_of_abi(result->abi);
	result->ungoverned = wanted & ~result->governed;
	result->enforcement = result->ungoverned ? LLR_ENFORCEMENT_PARTIAL : LLR_ENFORCEMENT_FULL;
	if (!result->ungoverned || policy->flags & LLR_POLICY_BEST_EFFORT ||
	    !(result->ungoverned & (policy->required | policy->governed)))
		return 0;
	*error = (struct llr_error){ LLR_E_UNGOVERNED, 0, "refer", NULL, 1 };
	return -1;
}

int fake_report_text(const char *bytes, size_t length, const char *what, struct llr_error *error)
{
	char *more = fuzz_memory(world.length + length);

	if (world.unsaid) {
		*error = (struct llr_error){ LLR_E_OUTPUT, ENOSPC, what, NULL, 0 };
		return -1;
	}
	if (world.length)
		memcpy(more, world.said, world.length);
	if (length)
		memcpy(more + world.length, bytes, length);
	world.said = more;
	world.length += length;
	return 0;
}

static size_t claim_list(struct span plan, const char *name)
{
	struct span list, element;
	size_t at = 0, count = 0;

	HOLDS(reference_members(plan, name, &list) == 1 && *list.at == '[');
	while (reference_element(list, &at, &element))
		count++;
	return count;
}

/* How many grants the arguments make. */
static size_t grants_of(const struct llr_args *args)
{
	struct llr_policy policy;
	struct llr_grant grant;
	uint64_t cursor = 0;
	size_t count = 0;

	if (args->mode == LLR_MODE_DANGER_FULL_ACCESS)
		return 0;
	llr_args_policy(args, &policy);
	while (policy.grant_source(policy.grant_context, &cursor, &grant))
		count++;
	return count;
}

static void claim_plan(const struct llr_args *args, int argc)
{
	struct span plan = { world.said, world.length - 1 }, value;
	int first = args->command ? args->command : args->script;
	size_t words = first ? (size_t)(argc - first) + !args->command : 1;
	struct llr_policy policy;

	HOLDS(reference_is_line(world.said, world.length) && reference_is_json(plan));
	HOLDS(claim_list(plan, "command") == words);
	llr_args_policy(args, &policy);
	if (!(policy.flags & (LLR_POLICY_DEVICES | LLR_POLICY_STDIO)))
		HOLDS(claim_list(plan, "grants") == grants_of(args));
	HOLDS(reference_members(plan, "run", &value) == 1);
	/* A launch that Landlock would refuse is never said to run. */
	if (args->mode != LLR_MODE_DANGER_FULL_ACCESS && world.answers & NO_LANDLOCK)
		HOLDS(value.length == 5);
	if (args->launch & LLR_LAUNCH_GIT && world.answers & NO_ACCESS)
		HOLDS(value.length == 5);
	HOLDS(reference_members(plan, "message", &value) == 1);
}

/* A plan may be longer than any room for it: what is no option and no short word stands many times.
 */
static char *stretched(const char *word, size_t times)
{
	size_t length = strlen(word);
	char *longer;

	if (length < 8 || word[0] == '-')
		times = 1;
	longer = fuzz_memory(times * length + 1);
	for (size_t i = 0; i < times; i++)
		memcpy(longer + i * length, word, length);
	longer[times * length] = 0;
	return longer;
}

void fuzz_plan(struct bytes bytes)
{
	struct llr_args args;
	struct llr_error error = { 0, 0, NULL, NULL, 0 };
	char **argv;
	uint8_t output;
	int argc;

	memset(&world, 0, sizeof world);
	fake_kernel = kernel;
	world.answers = take_byte(&bytes);
	output = take_byte(&bytes);
	world.unsaid = output & 1;
	argc = take_argv(&bytes, "landlock-run", "--dry-run", &argv);
	for (int i = 2; i < argc; i++)
		argv[i] = stretched(argv[i], 1 + output / 2);
	if (llr_args_parse(&args, argc, argv, &error) || args.action != LLR_ACTION_DRY_RUN)
		return;
	if (plan_print(&args, &error)) {
		HOLDS(world.unsaid);
		claim_reported(&error, "cannot write ");
	} else {
		HOLDS(!world.unsaid);
		claim_plan(&args, argc);
	}
}
