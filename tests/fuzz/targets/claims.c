/* What several targets claim of the same things: lines, errors, policies.
 * The words of the contract are spelled once more here, as who reads them spells them. */
#include "claims.h"

#include <string.h>

#include "args.h"
#include "confine.h"
#include "reference.h"
#include "rights.h"

#define PREFIX "landlock-run: "
#define NOTICE "landlock-run: partial enforcement (older Landlock ABI)\n"
#define LINE_MOST 4096
#define FAILED_STATUS (125 << 8)

/* ---- Errors and their lines ---- */

/* All bytes of the one stand in the other in that order. */
static int holds_in_order(const char *text, size_t length, const char *wanted)
{
	for (size_t i = 0; i < length && *wanted; i++)
		wanted += text[i] == *wanted;
	return !*wanted;
}

static void claim_classified(const char *line, size_t length)
{
	struct llr_verdict verdict = LLR_VERDICT_INIT;

	llr_classify(FAILED_STATUS, line, length, &verdict);
	HOLDS(verdict.kind == LLR_VERDICT_LAUNCHER && !verdict.partial);
	HOLDS(verdict.evidence == line && verdict.evidence_length == length - 1);
	/* The same text beside another status is the command's. */
	llr_classify(0, line, length, &verdict);
	HOLDS(verdict.kind == LLR_VERDICT_COMMAND);
}

/* The line without the texts from outside: what has to be there of it however long they are. */
static const char *bare_text(const struct llr_error *error)
{
	struct llr_error bare = *error;
	struct llr_right feature;
	char *text = fuzz_memory(LINE_MOST);

	bare.subject = error->subject && llr_feature_by_name(error->subject, &feature)
			       ? error->subject
		       : error->subject ? ""
					: NULL;
	bare.field = error->field ? "" : NULL;
	llr_error_text(&bare, text, LINE_MOST);
	return text;
}

static void claim_fatal(const struct llr_error *error, size_t room)
{
	char *line = fuzz_memory(room);
	size_t length = llr_format_fatal(error, line, room);

	HOLDS(length <= room && length <= LINE_MOST);
	HOLDS(length > 0 || room < LINE_MOST);
	if (!length)
		return;
	HOLDS(reference_is_line(line, length));
	HOLDS(length >= strlen(PREFIX) && !memcmp(line, PREFIX, strlen(PREFIX)));
	HOLDS(length != strlen(NOTICE) || memcmp(line, NOTICE, length) != 0);
	HOLDS(length == room || line[length] == 0);
	HOLDS(holds_in_order(line + strlen(PREFIX), length - strlen(PREFIX), bare_text(error)));
	claim_classified(line, length);
}

/* Reads the record as who starts the launcher does. */
static void claim_record_read(const struct llr_error *error, const char *line, size_t length)
{
	struct llr_status status = { .size = sizeof status };
	const char *name = error->errnum ? llr_errno_name(error->errnum) : NULL;
	char *text = fuzz_memory(LINE_MOST);
	size_t common = 0;

	HOLDS(llr_read_status(line, length, &status, NULL) == 0);
	HOLDS(status.event == LLR_STATUS_FAILED);
	HOLDS(!strcmp(status.stage, llr_error_stage(error)));
	HOLDS(!strcmp(status.errno_name, name ? name : ""));
	/* Up to where either is cut, and where a byte is no text. */
	llr_error_text(error, text, LINE_MOST);
	while (status.message[common] && status.message[common] == text[common])
		common++;
	HOLDS(!status.message[common] || common > 0);
}

static void claim_record(const struct llr_error *error, size_t room)
{
	char *line = fuzz_memory(room);
	size_t length = llr_format_failed(error, line, room);
	struct span value;

	HOLDS(length <= room && length <= LINE_MOST);
	HOLDS(length > 0 || room < LINE_MOST);
	if (!length)
		return;
	HOLDS(reference_is_line(line, length));
	HOLDS(reference_is_json((struct span){ line, length - 1 }));
	for (const char *const *key = (const char *const[]){ "landlock-run", "event", "stage",
							     "errno", "subject", "message", NULL };
	     *key; key++)
		HOLDS(reference_members((struct span){ line, length - 1 }, *key, &value) == 1);
	if (room >= LINE_MOST)
		claim_record_read(error, line, length);
}

static void claim_text(const struct llr_error *error, size_t room)
{
	char *text = fuzz_memory(room);
	size_t length = llr_error_text(error, text, room);

	HOLDS(length < room || !room);
	HOLDS(!room || (text[length] == 0 && strlen(text) == length));
}

void claim_lines(const struct llr_error *error, size_t room)
{
	claim_text(error, room);
	claim_fatal(error, room);
	claim_record(error, room);
}

void claim_reported(const struct llr_error *error, const char *beginning)
{
	char line[LINE_MOST];
	size_t length = llr_format_fatal(error, line, sizeof line), fixed = strlen(PREFIX);

	HOLDS(length > fixed + strlen(beginning));
	HOLDS(!memcmp(line + fixed, beginning, strlen(beginning)));
	claim_lines(error, LINE_MOST);
}

/* ---- Policies ---- */

/* The grants of a policy one by one, those for several ports' rights taken apart. */
struct walk {
	struct llr_policy policy;
	struct llr_grant_cursor cursor;
	struct llr_grant grant;
	llr_rights left; /* of a port grant */
};

static struct walk walk_over(const struct llr_policy *policy)
{
	struct walk walk = { *policy, LLR_GRANT_CURSOR_INIT, { 0 }, 0 };

	walk.policy.flags = 0; /* what flags grant is not written down */
	return walk;
}

static int walk_on(struct walk *walk, struct llr_grant *grant)
{
	if (!walk->left) {
		if (!llr_policy_next_grant(&walk->policy, &walk->cursor, &walk->grant))
			return 0;
		walk->left = walk->grant.rights;
	}
	*grant = walk->grant;
	if (grant->type == LLR_GRANT_PORT)
		grant->rights = walk->left & ~(walk->left - 1);
	walk->left &= ~grant->rights;
	return 1;
}

static llr_rights governed_of(const struct llr_policy *policy)
{
	return (policy->governed | policy->required) & llr_rights_with(LLR_TRAIT_OPT_IN);
}

/* Naming a right of the file set asks for its refusal, unless best effort asks for none. */
static llr_rights required_of(const struct llr_policy *policy)
{
	return policy->flags & LLR_POLICY_BEST_EFFORT
		       ? policy->required
		       : policy->required | (policy->governed & LLR_FILE_SET);
}

void claim_same_policy(const struct llr_policy *left, const struct llr_policy *right)
{
	struct walk one = walk_over(left), other = walk_over(right);
	struct llr_grant first, second;

	while (walk_on(&one, &first)) {
		HOLDS(walk_on(&other, &second));
		HOLDS(first.type == second.type && first.flags == second.flags &&
		      first.rights == second.rights);
		if (first.type == LLR_GRANT_PATH)
			HOLDS(!strcmp(first.path, second.path));
		else
			HOLDS(first.port == second.port);
	}
	HOLDS(!walk_on(&other, &second));
	HOLDS(governed_of(left) == governed_of(right));
	HOLDS(required_of(left) == required_of(right));
	HOLDS(left->flags == right->flags && left->guards == right->guards);
}

/* ---- Building ---- */

struct built {
	int32_t count;
	const char **argv;
	char *text;
	uint64_t argv_room;
	size_t text_room;
	struct llr_error error;
};

static void build(struct built *built, const struct llr_policy *policy, const char *const *command)
{
	built->argv = fuzz_memory(built->argv_room * sizeof *built->argv);
	built->text = fuzz_memory(built->text_room);
	built->count = llr_build_argv(policy, "landlock-run", command, built->argv,
				      built->argv_room, built->text, built->text_room,
				      &built->error);
}

/* Asks how much room is needed, for one after the other, and gives just that. */
static void build_exactly(struct built *built, const struct llr_policy *policy,
			  const char *const *command)
{
	*built = (struct built){ 0 };
	for (int tries = 0; tries < 3; tries++) {
		build(built, policy, command);
		if (built->count >= 0)
			return;
		HOLDS(built->error.code == LLR_E_BUFFER);
		if (!strcmp(built->error.field, "argv"))
			built->argv_room = built->error.index;
		else
			built->text_room = (size_t)built->error.index;
	}
	BROKEN("the room that was asked for is not enough");
}

static void claim_no_room(const struct built *built, const struct llr_policy *policy,
			  const char *const *command)
{
	struct built less = *built;

	less.argv_room--;
	build(&less, policy, command);
	HOLDS(less.count < 0 && less.error.code == LLR_E_BUFFER);
	HOLDS(less.error.index == built->argv_room);
	if (!built->text_room)
		return;
	less = *built;
	less.text_room--;
	build(&less, policy, command);
	HOLDS(less.count < 0 && less.error.code == LLR_E_BUFFER);
	HOLDS(less.error.index == built->text_room);
}

void claim_built(const struct llr_policy *policy, const char *const *command)
{
	struct built built;
	struct llr_args args;
	struct llr_policy again;
	struct llr_error error;
	char **argv;

	build_exactly(&built, policy, command);
	HOLDS(built.argv_room == (uint64_t)built.count + 1 && !built.argv[built.count]);
	claim_no_room(&built, policy, command);
	argv = fuzz_memory((size_t)built.argv_room * sizeof *argv);
	for (int32_t i = 0; i <= built.count; i++)
		argv[i] = built.argv[i] ? fuzz_copy(built.argv[i]) : NULL;
	HOLDS(llr_args_parse(&args, built.count, argv, &error) == 0);
	HOLDS(args.action == LLR_ACTION_LAUNCH && !args.mode && !args.launch);
	HOLDS(args.command > 1 && !strcmp(argv[args.command - 1], "--"));
	for (int32_t i = 0; command[i] || args.command + i < built.count; i++)
		HOLDS(built.argv[args.command + i] == command[i]);
	llr_args_policy(&args, &again);
	claim_same_policy(policy, &again);
}
