/* `landlock-run probe`: what this kernel governs, what that means for a command, what each mode
 * promises, and whether a policy holds. Nothing is called governed that a child of this process has
 * not had the kernel enforce. */
#include <errno.h>
#include <sys/utsname.h>

#include "error.h"
#include "page.h"
#include "probe.h"
#include "report.h"
#include "rights.h"
#include "sys.h"
#include "trial.h"

/* ---- Effects: the rights in the words of what a command does ---- */

#define MAKE \
	(LLR_MAKE_CHAR | LLR_MAKE_DIR | LLR_MAKE_REG | LLR_MAKE_SOCK | LLR_MAKE_FIFO | \
	 LLR_MAKE_BLOCK | LLR_MAKE_SYM)

/* Effect and the rights that govern it, each of which it may need; 0: no right of Landlock's. */
#define EFFECTS(ROW) \
	ROW("read", LLR_READ_FILE | LLR_READ_DIR) \
	ROW("execute", LLR_EXECUTE) \
	ROW("write", LLR_WRITE_FILE) \
	ROW("create", MAKE) \
	ROW("delete", LLR_REMOVE_DIR | LLR_REMOVE_FILE) \
	ROW("truncate", LLR_TRUNCATE) \
	ROW("rename across directories", LLR_REFER) \
	ROW("device ioctl", LLR_IOCTL_DEV) \
	ROW("pathname sockets", LLR_RESOLVE_UNIX) \
	ROW("abstract sockets", LLR_ABSTRACT_UNIX_SOCKET) \
	ROW("signals", LLR_SIGNAL) \
	ROW("TCP", LLR_BIND_TCP | LLR_CONNECT_TCP) \
	ROW("UDP", LLR_BIND_UDP | LLR_CONNECT_SEND_UDP) \
	ROW("metadata", 0) \
	ROW("inherited descriptors", 0)

#define RIGHTS(name, rights) rights,
#define NAME(name, rights) name "\0"

static const llr_rights effects[] = { EFFECTS(RIGHTS) };
static const char effect_names[] WORDS = EFFECTS(NAME);

#define COUNT (sizeof effects / sizeof effects[0])

/* A row of an array begins with what it is about. */
static void begin_row(struct page *page, const char *name, const char *subject)
{
	page_open(page, NULL);
	page_string(page, name, subject);
}

static void end_row(struct page *page)
{
	page_close(page);
}

/* ---- Rights and effects ---- */

static void add_origin(struct text *text, const struct llr_right *right)
{
	llr_text_origin(text, right, WORD(" ("), ")");
}

static void add_rights(struct page *page, llr_rights governed)
{
	llr_rights left = ~(llr_rights)0;
	struct llr_right right;

	page_open(page, WORD("rights"));
	while (llr_rights_take(&left, &right)) {
		char origin[32];
		struct text text = { origin, sizeof origin, 0 };

		add_origin(&text, &right);
		llr_text_byte(&text, 0);
		begin_row(page, WORD("right"), right.name);
		page_string(page, WORD("since"), origin);
		page_number(page, WORD("abi"), right.abi);
		page_truth(page, WORD("governed"), (governed & right.right) != 0);
		end_row(page);
	}
	page_close(page);
}

/* The newest of the rights that an effect lacks here; 0 when it lacks none. */
static int lacking(size_t effect, llr_rights governed, struct llr_right *newest)
{
	llr_rights left = effects[effect] & ~governed;
	struct llr_right right;

	newest->abi = 0;
	while (llr_rights_take(&left, &right))
		if (right.abi > newest->abi)
			*newest = right;
	return newest->abi;
}

static int is_governed(size_t effect, llr_rights governed)
{
	return effects[effect] && !(effects[effect] & ~governed);
}

static void add_effect(struct page *page, size_t effect, llr_rights governed)
{
	struct llr_right right;
	int lacks = lacking(effect, governed, &right);
	char words[80];
	struct text text = { words, sizeof words, 0 };

	llr_text_add(&text, lacks             ? WORD("not governed here: needs ")
			    : effects[effect] ? WORD("governed")
					      : WORD("never governed by Landlock"));
	if (lacks)
		add_origin(&text, &right);
	llr_text_byte(&text, 0);
	begin_row(page, WORD("effect"), llr_word_at(effect_names, effect));
	page_string(page, WORD("status"), words);
	if (lacks)
		page_number(page, WORD("needs"), right.abi);
	end_row(page);
}

static void add_effects(struct page *page, llr_rights governed)
{
	page_open(page, WORD("effects"));
	for (size_t i = 0; i < COUNT; i++)
		add_effect(page, i, governed);
	page_close(page);
}

/* ---- Modes ---- */

/* The effects that a mode refuses here, or those that it does not. */
static void add_promise(struct page *page, const char *name, llr_rights refused, int wanted)
{
	page_open(page, name);
	for (size_t i = 0; i < COUNT; i++)
		if (is_governed(i, refused) == wanted)
			page_string(page, NULL, llr_word_at(effect_names, i));
	page_close(page);
}

static void add_writable(struct page *page, const struct llr_policy *policy)
{
	struct llr_grant_cursor cursor = LLR_GRANT_CURSOR_INIT;
	struct llr_grant grant;

	page_open(page, WORD("except"));
	while (llr_policy_next_grant(policy, &cursor, &grant))
		if (grant.rights & LLR_WRITE_FILE)
			page_string(page, NULL, grant.path);
	page_close(page);
}

static void add_modes(struct page *page, llr_rights governed)
{
	struct llr_args args = { .options_end = 1, .workspace = "DIR", .common_fd = -1 };

	/* A kernel that does not know it refuses it to all who are confined. */
	if (governed)
		governed |= LLR_REFER;
	page_open(page, WORD("modes"));
	for (args.mode = LLR_MODE_READ_ONLY; llr_mode_name(args.mode); args.mode++) {
		struct llr_policy policy;
		llr_rights refused = args.mode == LLR_MODE_DANGER_FULL_ACCESS
					     ? 0
					     : governed & LLR_FILE_SET & ~LLR_READ_EXECUTE;

		llr_args_policy(&args, &policy);
		begin_row(page, WORD("mode"), llr_mode_name(args.mode));
		add_promise(page, WORD("refuses"), refused, 1);
		add_writable(page, &policy);
		add_promise(page, WORD("allows"), refused, 0);
		end_row(page);
	}
	page_close(page);
}

/* ---- The policy ---- */

/* The row of one test; errnum says why. */
static void add_test(struct page *page, const char *test, const char *subject, const char *result,
		     long errnum)
{
	begin_row(page, WORD("test"), test);
	page_string(page, WORD("subject"), subject);
	page_string(page, WORD("result"), result);
	page_string(page, WORD("errno"), errnum ? llr_errno_name((int32_t)-errnum) : NULL);
	end_row(page);
}

#define AS_GRANTED "as granted"
#define NOT_AS_GRANTED "not as granted"
#define NOT_REFUSED "not refused"
#define NOT_TRIED "not tried"

static void fail(struct llr_error *failure, const char *words, const char *subject)
{
	if (!failure->code)
		llr_fail(failure, LLR_E_TRIAL, 0, subject, words);
}

/* What the confined child could do with a grant, beside what this process can. */
static void judge_grant(struct page *page, const struct trial *trial, const char *test,
			enum attempt attempt, const struct trial_cursor *cursor,
			struct llr_error *failure)
{
	const char *subject = cursor->grant.path ? cursor->grant.path : WORD("descriptor or port");
	const char *result = WORD(AS_GRANTED);
	long inside = trial->outcomes[cursor->index];
	long before = trial_attempt(attempt, &cursor->grant);

	/* The row of reading has said already that nothing opens. */
	if (before == NOTHING_TO_OPEN && attempt == ATTEMPT_WRITE)
		return;
	if (before) {
		result = before == NOTHING_TO_OPEN ? WORD(NOT_TRIED ": nothing opens")
						   : WORD(NOT_TRIED ": refused anyway");
		inside = before == NOTHING_TO_OPEN ? 0 : before;
	} else if (inside) {
		result = WORD(NOT_AS_GRANTED);
		fail(failure, result, subject);
	}
	add_test(page, test, subject, result, inside);
}

/* Whether what no grant reaches is refused. */
static void judge_outside(struct page *page, const struct trial *trial, const char *test,
			  enum attempt attempt, const struct trial_cursor *cursor,
			  struct llr_error *failure)
{
	const char *path = cursor->grant.path;
	const char *result = WORD("refused");
	llr_rights right = cursor->grant.rights;

	if (trial_grants(trial->policy, "/", right) ||
	    trial_grants(trial->policy, "/proc", right) || trial_attempt(attempt, &cursor->grant)) {
		result = WORD(NOT_TRIED ": granted, or not there");
	} else if (trial->outcomes[cursor->index] != -EACCES) {
		result = WORD(NOT_REFUSED);
		fail(failure, result, path);
	}
	add_test(page, test, path, result, 0);
}

static void add_tests(struct page *page, const struct trial *trial, struct llr_error *failure)
{
	static const char tests[] WORDS = "read\0write\0read outside\0write outside\0";
	struct trial_cursor cursor = TRIAL_CURSOR_INIT;
	enum attempt attempt;

	while ((attempt = trial_next(trial->policy, &cursor)) != ATTEMPT_NONE)
		(attempt <= ATTEMPT_WRITE ? judge_grant : judge_outside)(
			page, trial, llr_word_at(tests, attempt), attempt, &cursor, failure);
}

static void add_exec(struct page *page, const struct trial *trial, struct llr_error *failure)
{
	char message[LLR_LINE_MAX];
	const char *result = WORD("executable");

	if (!trial->command)
		return;
	if (trial->state == TRIAL_UNTRACED)
		result = WORD(NOT_TRIED ": it would run");
	if (trial->state == TRIAL_NOT_EXECUTED) {
		llr_error_text(&trial->error, message, sizeof message);
		result = message;
		if (!failure->code)
			*failure = trial->error;
	}
	add_test(page, WORD("exec"), trial->command[0], result, 0);
}

/* What is in force and shows in no file that opens. */
static void add_untried(struct page *page, const struct trial *trial)
{
	llr_rights left = trial->result.governed & ~LLR_FILE_SET;
	struct llr_right right;

	while (llr_rights_take(&left, &right))
		add_test(page, WORD("governed"), right.name, WORD(NOT_TRIED), 0);
	for (uint32_t guard = 1; llr_guard_name(guard); guard <<= 1)
		if (trial->policy->guards & guard)
			add_test(page, WORD("guard"), llr_guard_name(guard), WORD(NOT_TRIED), 0);
}

static void add_trial(struct page *page, const struct trial *trial, struct llr_error *failure)
{
	char message[LLR_LINE_MAX];

	if (trial->state == TRIAL_REFUSED)
		*failure = trial->error;
	if (failure->code)
		llr_error_text(failure, message, sizeof message);
	page_string(page, WORD("policy"), llr_enforcement_name(trial->result.enforcement));
	page_string(page, WORD("refusal"), failure->code ? message : NULL);
	page_open(page, WORD("tests"));
	if (!failure->code) {
		add_tests(page, trial, failure);
		add_exec(page, trial, failure);
		add_untried(page, trial);
	}
	page_close(page);
}

/* ---- The whole ---- */

static void add_kernel(struct page *page)
{
	struct utsname name = { 0 };
	char words[sizeof name];
	struct text text = { words, sizeof words, 0 };

	SYS1(uname, &name);
	llr_text_add(&text, name.sysname);
	llr_text_byte(&text, ' ');
	llr_text_add(&text, name.release);
	llr_text_byte(&text, ' ');
	llr_text_add(&text, name.machine);
	llr_text_byte(&text, 0);
	page_string(page, WORD("kernel"), words);
}

/* A number that the kernel may have no answer for. */
static void add_answer(struct page *page, const char *name, int32_t number)
{
	if (number < 0)
		page_null(page, name);
	else
		page_number(page, name, (uint64_t)number);
}

static void add_usability(struct page *page, const struct trial *survey)
{
	int usable = survey->state == TRIAL_CONFINED;
	llr_rights missing = LLR_FILE_SET & ~survey->result.governed;
	uint32_t enforcement = missing ? LLR_ENFORCEMENT_PARTIAL : LLR_ENFORCEMENT_FULL;
	const struct llr_cause *cause = llr_cause_of(survey->error.errnum);
	char message[LLR_LINE_MAX];

	llr_error_text(&survey->error, message, sizeof message);
	if (survey->error.code != LLR_E_NOT_ENFORCED)
		cause = NULL;
	page_truth(page, WORD("usable"), usable);
	page_string(page, WORD("enforcement"),
		    llr_enforcement_name(usable ? enforcement : LLR_ENFORCEMENT_NONE));
	add_answer(page, WORD("abi"), llr_kernel_abi(NULL));
	add_answer(page, WORD("errata"), llr_kernel_errata());
	page_string(page, WORD("cause"), usable ? NULL : cause ? cause->cause : message);
	page_string(page, WORD("remedy"), cause ? cause->remedy : NULL);
}

/* Everything that this kernel can govern, in force. */
static struct trial *take_survey(struct llr_policy *policy, struct llr_error *error)
{
	*policy = (struct llr_policy)LLR_POLICY_INIT;
	policy->flags = LLR_POLICY_BEST_EFFORT;
	policy->governed = llr_rights_with(LLR_TRAIT_OPT_IN);
	return trial_run(policy, NULL, NULL, error);
}

static int print(struct page *page, const struct trial *survey, const struct trial *trial,
		 struct llr_error *failure)
{
	llr_rights governed = survey->result.governed;

	page_open(page, NULL);
	if (page->json) {
		page_number(page, WORD("landlock-run"), 1);
		page_string(page, WORD("event"), WORD("probe"));
	}
	add_kernel(page);
	add_usability(page, survey);
	add_rights(page, governed);
	add_effects(page, governed);
	add_modes(page, governed);
	if (trial)
		add_trial(page, trial, failure);
	page_close(page);
	return page_end(page);
}

static int tell(const struct trial *survey, const struct trial *trial, int json,
		struct llr_error *error)
{
	struct page room, *page;
	struct llr_error failure = { LLR_OK, 0, NULL, NULL, 0 };

	page = page_begin(&room, WORD("the probe"), json, error);
	if (print(page, survey, trial, &failure))
		return -1;
	if (survey->state != TRIAL_CONFINED)
		failure = survey->error;
	*error = failure;
	return failure.code ? -1 : 0;
}

int probe_at_length(int argc, char **argv, char **envp, struct llr_error *error)
{
	char *const shell[] = { (char *)"bash", NULL };
	int json = argc > 2 && llr_string_equal(argv[2], "--json");
	struct llr_args args;
	struct llr_policy policy, everything;
	struct trial *survey, *trial = NULL;
	char common[PATH_ROOM];
	int skip = 1 + json;

	if (argsfile_parse(&args, argc - skip, argv + skip, 0, error))
		return -1;
	if (args.action == LLR_ACTION_HELP)
		return help_print(error);
	if (args.action)
		return llr_fail(error, LLR_E_ARGUMENT_UNKNOWN, 0,
				llr_option_granting(OPTION_ACTION, 0, args.action)->name, NULL);
	if (git_find(&args, common, sizeof common, error))
		return -1;
	survey = take_survey(&everything, error);
	if (!survey)
		return -1;
	if (args.options_end > 1 && args.mode != LLR_MODE_DANGER_FULL_ACCESS) {
		llr_args_policy(&args, &policy);
		trial = trial_run(&policy,
				  args.command ? args.argv + args.command
				  : args.mode  ? shell
					       : NULL,
				  envp, error);
		if (!trial)
			return -1;
	}
	return tell(survey, trial, json, error);
}
