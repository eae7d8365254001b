/* --dry-run: what would be enforced here, as one JSON object on stdout.
 * Runs nothing and restricts nothing; a launch that would be refused is a plan too, and says so. */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

#include "confine.h"
#include "launcher.h"
#include "page.h"
#include "report.h"
#include "rights.h"
#include "sys.h"
#include "uapi.h"
#include "words.h"

/* ---- Grants ---- */

/* Whether the path opens as the launch would open it, and what of the rights it can have; 0 or a
 * negated errno. */
static long look(const struct llr_grant *grant, llr_rights *rights)
{
	int flags = O_PATH | O_CLOEXEC | (grant->flags & LLR_GRANT_DIRECTORY ? O_DIRECTORY : 0);
	struct statx status = { 0 };
	long fd = SYS4(openat, AT_FDCWD, sys_pointer(grant->path), flags, 0);

	if (sys_failed(fd))
		return fd;
	if (!sys_failed(SYS5(statx, fd, sys_pointer(""), AT_EMPTY_PATH, STATX_TYPE,
			     sys_pointer(&status))) &&
	    !S_ISDIR(status.stx_mode))
		*rights &= llr_rights_with(LLR_TRAIT_ON_FILE);
	SYS1(close, fd);
	return 0;
}

/* One grant; *refusal is filled when the launch would fail at it. */
static void add_grant(struct page *page, const struct llr_grant *grant, struct llr_error *refusal)
{
	static const char types[][11] WORDS = { "path", "descriptor", "port" };
	llr_rights rights = grant->rights;
	long result = 0;

	page_open(page, NULL);
	page_string(page, WORD("type"), WORDS_POINTER(types)[grant->type]);
	if (grant->type == LLR_GRANT_PATH) {
		page_string(page, WORD("path"), grant->path);
		result = look(grant, &rights);
	} else {
		if (grant->path)
			page_string(page, WORD("path"), grant->path);
		page_number(page, WORDS_POINTER(types)[grant->type],
			    grant->type == LLR_GRANT_PORT ? grant->port : (uint64_t)grant->fd);
	}
	page_rights(page, WORD("rights"), sys_failed(result) ? 0 : rights);
	if (sys_failed(result)) {
		const char *name = llr_errno_name((int32_t)-result);

		page_string(page, WORD("missing"), name ? name : WORD("unknown"));
		if (!(grant->flags & LLR_GRANT_IF_EXISTS && result == -ENOENT) && !refusal->code)
			*refusal = (struct llr_error){ LLR_E_RULE_PATH, (int32_t)-result,
						       grant->path, NULL, 0 };
	}
	page_close(page);
}

static void add_grants(struct page *page, const struct llr_policy *policy,
		       struct llr_error *refusal)
{
	struct llr_grant_cursor cursor = LLR_GRANT_CURSOR_INIT;
	struct llr_grant grant;

	page_open(page, WORD("grants"));
	while (policy && llr_policy_next_grant(policy, &cursor, &grant))
		add_grant(page, &grant, refusal);
	page_close(page);
}

/* ---- The rest ---- */

static void add_guards(struct page *page, uint32_t guards)
{
	page_open(page, WORD("guards"));
	for (uint32_t guard = 1; llr_guard_name(guard); guard <<= 1)
		if (guards & guard)
			page_string(page, NULL, llr_guard_name(guard));
	page_close(page);
}

static void add_command(struct page *page, const struct llr_args *args)
{
	char *const *argument = args->argv + (args->command ? args->command : args->script);

	page_open(page, WORD("command"));
	if (!args->command)
		page_string(page, NULL, WORD("bash"));
	for (; (args->command || args->script) && *argument; argument++)
		page_string(page, NULL, *argument);
	page_close(page);
}

static void add_enforcement(struct page *page, const struct llr_result *result)
{
	page_string(page, WORD("enforcement"), llr_enforcement_name(result->enforcement));
	page_number(page, WORD("abi"), (uint64_t)result->abi);
	page_rights(page, WORD("governed"), result->governed);
	page_rights(page, WORD("ungoverned"), result->ungoverned);
}

/* The verdict comes last: it may depend on any grant. */
static void add_verdict(struct page *page, const struct llr_error *refusal)
{
	char message[1024];

	if (refusal->code)
		llr_error_text(refusal, message, sizeof message);
	page_truth(page, WORD("run"), !refusal->code);
	page_string(page, WORD("message"), refusal->code ? message : NULL);
}

/* What the kernel governs of the policy even where the launch would be refused for what it does
 * not. */
static void survey(const struct llr_policy *policy, struct llr_result *result,
		   struct llr_error *refusal)
{
	struct llr_policy lenient = *policy;
	struct llr_result strict = LLR_RESULT_INIT;

	lenient.flags |= LLR_POLICY_BEST_EFFORT;
	lenient.governed |= lenient.required & llr_rights_with(LLR_TRAIT_OPT_IN);
	lenient.required = 0;
	if (!llr_policy_plan(&lenient, result, refusal))
		llr_policy_plan(policy, &strict, refusal);
}

int plan_print(struct llr_args *args, struct llr_error *error)
{
	struct page room, *page;
	struct llr_policy policy;
	struct llr_result result = LLR_RESULT_INIT;
	struct llr_error refusal = { LLR_OK, 0, NULL, NULL, 0 };
	char common[PATH_ROOM];
	int confined = args->mode != LLR_MODE_DANGER_FULL_ACCESS;

	if (words_unpack(error))
		return -1;
	llr_args_policy(args, &policy);
	if (confined)
		survey(&policy, &result, &refusal);
	git_find(args, common, sizeof common, &refusal);
	page = page_begin(&room, WORD("the plan"), 1, error);
	page_open(page, NULL);
	page_number(page, WORD("landlock-run"), 1);
	page_string(page, WORD("event"), WORD("plan"));
	page_string(page, WORD("mode"), args->mode ? llr_mode_name(args->mode) : NULL);
	add_enforcement(page, &result);
	add_grants(page, confined ? &policy : NULL, &refusal);
	add_guards(page, policy.guards);
	add_command(page, args);
	add_verdict(page, &refusal);
	page_close(page);
	return page_end(page);
}
