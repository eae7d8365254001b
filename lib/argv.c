/* Writes the launcher's command line for a policy: the other direction of args.c, from the same
 * table of options. Writes nothing past the caller's buffers, and says what the command line cannot
 * say instead of saying something near it. */
#include "confine.h"
#include "error.h"
#include "options.h"
#include "rights.h"
#include "text.h"

#define NONE "none"
#define FULL "full"

/* Both buffers count on past their ends, so that one call tells how much is needed. */
struct builder {
	const char **argv;
	uint64_t room;
	uint64_t count;
	struct text text;
	llr_rights mentioned; /* rights that a grant names: governed without a word more */
};

static void put(struct builder *builder, const char *argument)
{
	if (builder->count < builder->room)
		builder->argv[builder->count] = argument;
	builder->count++;
}

static void put_option(struct builder *builder, const struct llr_option *option, const char *value)
{
	put(builder, option->name);
	put(builder, value);
}

/* The option of a kind that has one row only. */
static const struct llr_option *only(enum llr_option_kind kind)
{
	return llr_option_granting(kind, 0, 0);
}

/* ---- Values that are written to the text ---- */

static const char *text_start(const struct builder *builder)
{
	return builder->text.length < builder->text.size
		       ? builder->text.bytes + builder->text.length
		       : NULL;
}

static void add_rights(struct builder *builder, llr_rights rights)
{
	struct llr_right right;

	while (llr_rights_take(&rights, &right)) {
		llr_text_add(&builder->text, right.name);
		if (rights)
			llr_text_byte(&builder->text, ',');
	}
}

static void put_rights(struct builder *builder, const struct llr_option *option, llr_rights rights,
		       const char *path)
{
	put_option(builder, option, text_start(builder));
	add_rights(builder, rights);
	if (path) {
		llr_text_byte(&builder->text, ':');
		llr_text_add(&builder->text, path);
	}
	llr_text_byte(&builder->text, 0);
}

static void put_port(struct builder *builder, llr_rights right, uint32_t port)
{
	put_option(builder, llr_option_granting(OPTION_PORT, right, 0), text_start(builder));
	llr_text_number(&builder->text, port);
	llr_text_byte(&builder->text, 0);
}

/* ---- Grants ---- */

/* NULL, or the member that no option can say. */
static const char *put_path_grant(struct builder *builder, const struct llr_grant *grant)
{
	const struct llr_option *option = llr_option_granting(OPTION_PATH, grant->rights,
							      grant->flags);

	/* A socket whose name is the word for none has to be named otherwise. */
	if (!option && !llr_string_equal(grant->path, NONE))
		option = llr_option_granting(OPTION_SOCKET, grant->rights, grant->flags);
	if (option)
		put_option(builder, option, grant->path);
	else if (grant->flags)
		return "flags";
	else
		put_rights(builder, only(OPTION_ALLOW), grant->rights, grant->path);
	return NULL;
}

static const char *put_grant(struct builder *builder, const struct llr_grant *grant)
{
	builder->mentioned |= grant->rights;
	if (grant->type == LLR_GRANT_PATH)
		return put_path_grant(builder, grant);
	if (grant->type != LLR_GRANT_PORT)
		return "type";
	/* An option for each right: they add up to the same. */
	for (llr_rights left = grant->rights; left; left &= left - 1)
		put_port(builder, left & ~(left - 1), grant->port);
	return NULL;
}

static int put_grants(struct builder *builder, const struct llr_policy *policy,
		      struct llr_error *error)
{
	struct llr_policy written = *policy;
	struct llr_grant_cursor cursor = LLR_GRANT_CURSOR_INIT;
	struct llr_grant grant;

	written.flags = 0; /* the grants that flags stand for have options of their own */
	while (llr_policy_next_grant(&written, &cursor, &grant)) {
		const char *fault = put_grant(builder, &grant);

		if (fault)
			return llr_fail_at(error, LLR_E_GRANT, NULL, fault, cursor.index);
	}
	return 0;
}

/* ---- The rest of the policy ---- */

/* Governed without any grant. */
static void put_governed(struct builder *builder, llr_rights governed)
{
	struct llr_right right;

	while (llr_rights_take(&governed, &right)) {
		if (right.traits & LLR_TRAIT_PORT)
			put_option(builder, llr_option_granting(OPTION_PORT, right.right, 0), NONE);
		else if (right.traits & LLR_TRAIT_SCOPE)
			put_option(builder, only(OPTION_SCOPE), right.name);
		else
			put_option(builder, llr_option_granting(OPTION_SOCKET, right.right, 0),
				   NONE);
	}
}

static void put_required(struct builder *builder, llr_rights required)
{
	if ((required & LLR_FILE_SET) == LLR_FILE_SET) {
		put_option(builder, only(OPTION_REQUIRE), FULL);
		required &= ~LLR_FILE_SET;
	}
	if (required)
		put_rights(builder, only(OPTION_REQUIRE), required, NULL);
}

static void put_policy(struct builder *builder, const struct llr_policy *policy)
{
	llr_rights required = policy->required;

	/* A right of the file set is governed anyway; naming it in `governed` asks for the same
	 * refusal as requiring it, unless best effort asks for none. */
	if (!(policy->flags & LLR_POLICY_BEST_EFFORT))
		required |= policy->governed & LLR_FILE_SET;
	put_governed(builder, policy->governed & ~LLR_FILE_SET & ~builder->mentioned);
	put_required(builder, required);
	for (uint32_t guards = policy->guards; guards; guards &= guards - 1)
		put_option(builder, only(OPTION_GUARD), llr_guard_name(guards & ~(guards - 1)));
	for (uint32_t flags = policy->flags; flags; flags &= flags - 1)
		put(builder, llr_option_granting(OPTION_POLICY, 0, flags & ~(flags - 1))->name);
}

static const char *argument_fault(const char *launcher, const char *const *command)
{
	if (!launcher)
		return "launcher";
	return command && *command ? NULL : "command";
}

int32_t llr_build_argv(const struct llr_policy *policy, const char *launcher,
		       const char *const *command, const char **argv, uint64_t argv_count,
		       char *text, size_t text_size, struct llr_error *error)
{
	struct builder builder = { argv, argv_count, 0, { text, text_size, 0 }, 0 };
	const char *fault = argument_fault(launcher, command);

	if (fault)
		return llr_fail(error, LLR_E_POLICY, 0, NULL, fault);
	if (llr_policy_check(policy, error))
		return -1;
	put(&builder, launcher);
	if (put_grants(&builder, policy, error))
		return -1;
	put_policy(&builder, policy);
	put(&builder, "--");
	while (*command)
		put(&builder, *command++);
	put(&builder, NULL);
	if (builder.count > builder.room)
		return llr_fail_at(error, LLR_E_BUFFER, NULL, "argv", builder.count);
	if (builder.text.length > builder.text.size)
		return llr_fail_at(error, LLR_E_BUFFER, NULL, "text", builder.text.length);
	if (builder.count > INT32_MAX)
		return llr_fail(error, LLR_E_POLICY, 0, NULL, "grants");
	return (int32_t)(builder.count - 1);
}
