/* The launcher's command line, written for a policy: input is the policy, member by member.
 * What can be said is read again as the same policy; what cannot is refused, as the check says. */
#include <string.h>

#include "claims.h"
#include "confine.h"
#include "rights.h"

#define MOST_GRANTS 16

static llr_rights take_rights(struct bytes *bytes)
{
	static const llr_rights usual[] = { 0,
					    LLR_READ_EXECUTE,
					    LLR_FILE_SET,
					    LLR_RESOLVE_UNIX,
					    LLR_BIND_TCP,
					    LLR_CONNECT_TCP | LLR_BIND_UDP,
					    LLR_SIGNAL,
					    LLR_FILE_SET & ~LLR_EXECUTE };
	uint8_t which = take_byte(bytes);

	return which < COUNT(usual) ? usual[which] : take_number(bytes, 7);
}

static struct llr_grant take_grant(struct bytes *bytes)
{
	struct llr_grant grant = { 0, 0, 0, NULL, -1, 0 };
	uint8_t kind = take_byte(bytes);

	grant.type = kind & 3;
	grant.flags = kind >> 2 & 7;
	grant.rights = take_rights(bytes);
	if (grant.type == LLR_GRANT_PATH)
		grant.path = take_text(bytes);
	else
		grant.port = (uint32_t)take_number(bytes, 2 + (kind >> 7));
	return grant;
}

struct list {
	const struct llr_grant *grants;
	uint64_t count;
};

static int next_of_list(const void *context, uint64_t *cursor, struct llr_grant *grant)
{
	const struct list *list = context;

	if (*cursor >= list->count)
		return 0;
	*grant = list->grants[(*cursor)++];
	return 1;
}

/* A grant that the policy allows and the command line cannot say. */
static int is_unsayable(const struct llr_grant *grant)
{
	return grant->type == LLR_GRANT_FD ||
	       (grant->type == LLR_GRANT_PATH && grant->flags &&
		!(grant->flags == LLR_GRANT_IF_EXISTS && grant->rights == LLR_READ_EXECUTE));
}

static int is_sayable(const struct llr_policy *policy)
{
	struct llr_policy written = *policy;
	struct llr_grant_cursor cursor = LLR_GRANT_CURSOR_INIT;
	struct llr_grant grant;

	written.flags = 0;
	while (llr_policy_next_grant(&written, &cursor, &grant))
		if (is_unsayable(&grant))
			return 0;
	return 1;
}

static void claim_refused(const struct llr_policy *policy, const char *const *command)
{
	struct llr_error error = { 0, 0, NULL, NULL, 0 };
	const char *argv[MOST_GRANTS * 8];
	char text[16384];

	HOLDS(llr_build_argv(policy, "landlock-run", command, argv, COUNT(argv), text, sizeof text,
			     &error) == -1);
	HOLDS(error.code == LLR_E_GRANT || error.code == LLR_E_POLICY);
	claim_reported(&error, "policy error: ");
}

void fuzz_argv(struct bytes bytes)
{
	static const char *const command[] = { "--ro", "", "--", NULL };
	struct llr_policy policy = LLR_POLICY_INIT;
	struct llr_grant *grants = fuzz_memory(MOST_GRANTS * sizeof *grants);
	uint8_t shape = take_byte(&bytes);
	size_t count = shape % MOST_GRANTS;
	struct llr_error error;
	struct list list;

	policy.flags = take_byte(&bytes);
	policy.guards = take_byte(&bytes);
	policy.governed = take_rights(&bytes);
	policy.required = take_rights(&bytes);
	for (size_t i = 0; i < count; i++)
		grants[i] = take_grant(&bytes);
	/* The first of them in the array, the others from a source. */
	policy.grants = grants;
	policy.grants_count = (uint64_t)(shape >> 4) % (count + 1);
	list = (struct list){ grants + policy.grants_count, count - policy.grants_count };
	policy.grant_source = next_of_list;
	policy.grant_context = &list;
	if (llr_policy_check(&policy, &error) || !is_sayable(&policy))
		claim_refused(&policy, command);
	else
		claim_built(&policy, command);
}
