/* --dry-run: what would be enforced here, as one JSON object on stdout.
 * Runs nothing and restricts nothing; a launch that would be refused is a plan too, and says so. */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

#include "confine.h"
#include "launcher.h"
#include "report.h"
#include "rights.h"
#include "sys.h"
#include "text.h"
#include "uapi.h"

/* A page that is written out whenever the next piece might not fit: the number of grants has no
 * limit. */
struct page {
	char bytes[32768];
	struct text text;
	struct llr_error *error;
	int failed;
};

#define PIECE 26000 /* the longest piece: a path of PATH_MAX bytes, each of which may take six */

static void flush(struct page *page, size_t keep_free)
{
	if (page->text.length + keep_free <= sizeof page->bytes)
		return;
	if (!page->failed)
		page->failed = report_text(page->bytes, page->text.length, "the plan", page->error);
	page->text.length = 0;
}

static void add(struct page *page, const char *json)
{
	llr_text_add(&page->text, json);
}

static void add_string(struct page *page, const char *string)
{
	flush(page, PIECE);
	llr_text_byte(&page->text, '"');
	llr_text_json(&page->text, string, llr_string_length(string), PIECE - 2);
	llr_text_byte(&page->text, '"');
}

/* A member's name, and the comma before it. */
static void add_name(struct page *page, const char *name)
{
	add(page, ",\"");
	add(page, name);
	add(page, "\":");
}

static void add_rights(struct page *page, const char *name, llr_rights rights)
{
	const char *comma = "";

	add_name(page, name);
	add(page, "[");
	for (const struct llr_right *right; (right = llr_rights_first(rights));
	     rights &= ~right->right) {
		add(page, comma);
		add_string(page, right->name);
		comma = ",";
	}
	add(page, "]");
}

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

static void add_number(struct page *page, const char *name, uint64_t number)
{
	add_name(page, name);
	llr_text_number(&page->text, number);
}

/* One grant; *refusal is filled when the launch would fail at it. */
static void add_grant(struct page *page, const struct llr_grant *grant, struct llr_error *refusal)
{
	static const char *const types[] = { "path", "descriptor", "port" };
	llr_rights rights = grant->rights;
	long result = 0;

	add(page, "{\"type\":");
	add_string(page, types[grant->type]);
	if (grant->type == LLR_GRANT_PATH) {
		add_name(page, "path");
		add_string(page, grant->path);
		result = look(grant, &rights);
	} else {
		add_number(page, types[grant->type],
			   grant->type == LLR_GRANT_PORT ? grant->port : (uint64_t)grant->fd);
	}
	add_rights(page, "rights", sys_failed(result) ? 0 : rights);
	if (sys_failed(result)) {
		const char *name = llr_errno_name((int32_t)-result);

		add_name(page, "missing");
		add_string(page, name ? name : "unknown");
		if (!(grant->flags & LLR_GRANT_IF_EXISTS && result == -ENOENT) && !refusal->code)
			*refusal = (struct llr_error){ LLR_E_RULE_PATH, (int32_t)-result,
						       grant->path, NULL, 0 };
	}
	add(page, "}");
}

static void add_grants(struct page *page, const struct llr_policy *policy,
		       struct llr_error *refusal)
{
	struct llr_grant_cursor cursor = LLR_GRANT_CURSOR_INIT;
	struct llr_grant grant;
	const char *comma = "";

	add_name(page, "grants");
	add(page, "[");
	while (policy && llr_policy_next_grant(policy, &cursor, &grant)) {
		add(page, comma);
		add_grant(page, &grant, refusal);
		comma = ",";
	}
	add(page, "]");
}

/* ---- The rest ---- */

static void add_guards(struct page *page, uint32_t guards)
{
	const char *comma = "";

	add_name(page, "guards");
	add(page, "[");
	for (uint32_t guard = 1; llr_guard_name(guard); guard <<= 1)
		if (guards & guard) {
			add(page, comma);
			add_string(page, llr_guard_name(guard));
			comma = ",";
		}
	add(page, "]");
}

static void add_command(struct page *page, const struct llr_args *args)
{
	char *const *argument = args->argv + (args->command ? args->command : args->script);
	const char *comma = "";

	add_name(page, "command");
	add(page, "[");
	if (!args->command) {
		add_string(page, "bash");
		comma = ",";
	}
	for (; (args->command || args->script) && *argument; argument++) {
		add(page, comma);
		add_string(page, *argument);
		comma = ",";
	}
	add(page, "]");
}

static void add_enforcement(struct page *page, const struct llr_result *result)
{
	add_name(page, "enforcement");
	add_string(page, llr_enforcement_name(result->enforcement));
	add_number(page, "abi", (uint64_t)result->abi);
	add_rights(page, "governed", result->governed);
	add_rights(page, "ungoverned", result->ungoverned);
}

/* The verdict comes last: it may depend on any grant. */
static void add_verdict(struct page *page, const struct llr_error *refusal)
{
	char message[1024];

	add_name(page, "run");
	add(page, refusal->code ? "false" : "true");
	add_name(page, "message");
	if (refusal->code) {
		llr_error_text(refusal, message, sizeof message);
		add_string(page, message);
	} else {
		add(page, "null");
	}
	add(page, "}\n");
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
	if (!llr_plan(&lenient, result, refusal))
		llr_plan(policy, &strict, refusal);
}

int plan_print(const struct llr_args *args, struct llr_error *error)
{
	struct page page;
	struct llr_policy policy;
	struct llr_result result = LLR_RESULT_INIT;
	struct llr_error refusal = { LLR_OK, 0, NULL, NULL, 0 };
	int confined = args->mode != LLR_MODE_DANGER_FULL_ACCESS;

	page.text = (struct text){ page.bytes, sizeof page.bytes, 0 };
	page.error = error;
	page.failed = 0;
	llr_args_policy(args, &policy);
	if (confined)
		survey(&policy, &result, &refusal);
	add(&page, "{\"landlock-run\":1,\"event\":\"plan\"");
	add_name(&page, "mode");
	if (args->mode)
		add_string(&page, llr_mode_name(args->mode));
	else
		add(&page, "null");
	add_enforcement(&page, &result);
	add_grants(&page, confined ? &policy : NULL, &refusal);
	add_guards(&page, policy.guards);
	add_command(&page, args);
	add_verdict(&page, &refusal);
	flush(&page, sizeof page.bytes);
	return page.failed;
}
