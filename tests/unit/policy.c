/* The check of a policy: each member at fault is told by its name, before anything is asked of the
 * kernel. What passes is not judged here. */
#include <string.h>

#include "guards.h"
#include "rights.h"
#include "unit.h"

#define EVERY_RIGHT ((llr_rights)LLR_FILE_SET | llr_rights_with(LLR_TRAIT_OPT_IN))

static const char *fault_of(const struct llr_policy *policy)
{
	struct llr_error error = { 0, 0, NULL, NULL, 0 };

	if (llr_policy_check(policy, &error) == 0)
		return "none";
	cr_expect_eq(error.code, LLR_E_POLICY);
	cr_expect_eq(llr_policy_check(policy, NULL), -1);
	return error.field;
}

static const char *fault_of_grant(struct llr_grant grant, llr_rights governed)
{
	struct llr_policy policy = LLR_POLICY_INIT;
	struct llr_error error = { 0, 0, NULL, NULL, 0 };
	struct llr_grant grants[] = { { LLR_GRANT_PATH, 0, LLR_READ_FILE, "/", -1, 0 }, grant };

	policy.governed = governed;
	policy.grants = grants;
	policy.grants_count = 2;
	if (llr_policy_check(&policy, &error) == 0)
		return "none";
	cr_expect_eq(error.code, LLR_E_GRANT);
	cr_expect_eq(error.index, 1, "grants are counted from 0");
	return error.field;
}

Test(policy, the_initial_one_and_the_widest_are_sound)
{
	struct llr_policy policy = LLR_POLICY_INIT;

	cr_expect_str_eq(fault_of(&policy), "none");
	policy.flags = LLR_POLICY_BEST_EFFORT | LLR_POLICY_LOG_DENIALS | LLR_POLICY_DEVICES |
		       LLR_POLICY_STDIO;
	policy.governed = policy.required = EVERY_RIGHT;
	policy.guards = LLR_GUARD_METADATA | LLR_GUARD_TTY;
	cr_expect_str_eq(fault_of(&policy), "none");
}

Test(policy, each_member_at_fault_is_named)
{
	static const struct llr_policy good = LLR_POLICY_INIT;
	struct llr_policy policy = good;

	cr_expect_str_eq(fault_of(NULL), "policy");
	policy.size--;
	cr_expect_str_eq(fault_of(&policy), "size");
	policy = good;
	policy.size += 8;
	cr_expect_str_eq(fault_of(&policy), "size", "wishes that this library cannot know");
	policy = good;
	policy.flags = 16;
	cr_expect_str_eq(fault_of(&policy), "flags");
	policy = good;
	policy.governed = LLR_NAMESPACE_USE;
	cr_expect_str_eq(fault_of(&policy), "governed");
	policy = good;
	policy.required = (llr_rights)1 << 63;
	cr_expect_str_eq(fault_of(&policy), "required");
	policy = good;
	policy.grants_count = 1;
	cr_expect_str_eq(fault_of(&policy), "grants");
	policy = good;
	policy.guards = 4;
	cr_expect_str_eq(fault_of(&policy), "guards");
	policy = good;
	policy.reserved = 1;
	cr_expect_str_eq(fault_of(&policy), "reserved");
}

Test(policy, each_member_of_a_grant_at_fault_is_named)
{
	static const struct {
		struct llr_grant grant;
		const char *fault;
	} rows[] = {
		{ { LLR_GRANT_PATH, LLR_GRANT_DIRECTORY, LLR_FILE_SET, "/", -1, 0 }, "none" },
		{ { LLR_GRANT_FD, 0, LLR_READ_FILE, NULL, 0, 0 }, "none" },
		{ { LLR_GRANT_PORT, 0, LLR_BIND_TCP, NULL, -1, 65535 }, "none" },
		{ { 3, 0, LLR_READ_FILE, "/", -1, 0 }, "type" },
		{ { LLR_GRANT_PATH, 4, LLR_READ_FILE, "/", -1, 0 }, "flags" },
		{ { LLR_GRANT_FD, LLR_GRANT_DIRECTORY, LLR_READ_FILE, NULL, 0, 0 }, "flags" },
		{ { LLR_GRANT_PORT, LLR_GRANT_IF_EXISTS, LLR_BIND_TCP, NULL, -1, 0 }, "flags" },
		{ { LLR_GRANT_PATH, LLR_GRANT_IF_EXISTS, LLR_WRITE_FILE, "/", -1, 0 }, "flags" },
		{ { LLR_GRANT_PATH, 0, 0, "/", -1, 0 }, "rights" },
		{ { LLR_GRANT_PATH, 0, LLR_BIND_TCP, "/", -1, 0 }, "rights" },
		{ { LLR_GRANT_PATH, 0, LLR_RESOLVE_UNIX, "/", -1, 0 }, "rights" },
		{ { LLR_GRANT_PORT, 0, LLR_CONNECT_TCP, NULL, -1, 0 }, "rights" },
		{ { LLR_GRANT_PATH, 0, LLR_READ_FILE, NULL, -1, 0 }, "path" },
		{ { LLR_GRANT_FD, 0, LLR_READ_FILE, NULL, -1, 0 }, "fd" },
		{ { LLR_GRANT_PORT, 0, LLR_BIND_TCP, NULL, -1, 65536 }, "port" },
	};

	for (size_t i = 0; i < COUNT(rows); i++)
		cr_expect_str_eq(fault_of_grant(rows[i].grant, LLR_BIND_TCP), rows[i].fault,
				 "row %zu", i);
}

Test(policy, a_result_of_another_version_is_refused_before_anything_is_restricted)
{
	struct llr_policy policy = LLR_POLICY_INIT;
	struct llr_result result = LLR_RESULT_INIT;
	struct llr_error error = { 0, 0, NULL, NULL, 0 };

	result.size--;
	cr_expect_eq(llr_confine(&policy, &result, &error), -1);
	cr_expect(error.code == LLR_E_POLICY && !strcmp(error.field, "result.size"));
	cr_expect_eq(llr_confine(&policy, NULL, &error), -1);
	cr_expect(error.code == LLR_E_POLICY && !strcmp(error.field, "result.size"));
	cr_expect_eq(llr_plan(&policy, NULL, &error), -1);
	cr_expect(error.code == LLR_E_POLICY && !strcmp(error.field, "result.size"));
}

Test(policy, an_unknown_guard_is_never_taken_for_one_that_is_installed)
{
	cr_expect(llr_guard_available(4) < 0);
	cr_expect(llr_guard_install(LLR_GUARD_TTY | 4) < 0);
	cr_expect_eq(llr_guard_available(0), 0);
	cr_expect_eq(llr_guard_install(0), 0);
}
