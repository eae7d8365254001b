/* rows.c: the product's table of rights against the kernel that runs this, row by row and bit by
 * bit. It must never take from the table what the kernel has to say: the calls here are made by
 * hand. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "../../lib/rights.h"
#include "../check.h"
#include "../levels/calls.h"
#include "../levels/levels.h"
#include "../program.h"

#define LOG_NEW_EXEC_ON 0x2u

/* The fields of a set of rights, as landlock-run.h lays it out, and where the kernel has each. */
static const struct field {
	unsigned int shift, bits;
	size_t at; /* in struct landlock_ruleset_attr, counted in its members */
} fields[] = {
	{ 0, 32, 0 },
	{ 32, 16, 1 },
	{ 48, 8, 2 },
	{ 56, 8, 6 },
};

#define FIELDS (sizeof fields / sizeof fields[0])
#define MEMBERS 7

static const struct field *field_of(llr_rights right)
{
	const struct field *field = fields;

	while (right >> field->shift >> (field->bits - 1) > 1)
		field++;
	return field;
}

/* The members of the kernel's struct for a set of rights. */
static void lay_out(uint64_t members[MEMBERS], llr_rights rights)
{
	memset(members, 0, MEMBERS * sizeof *members);
	for (size_t i = 0; i < FIELDS; i++)
		members[fields[i].at] = rights >> fields[i].shift &
					((UINT64_C(1) << fields[i].bits) - 1);
}

static long ruleset_of(llr_rights rights)
{
	uint64_t members[MEMBERS];

	lay_out(members, rights);
	return create_ruleset(members, sizeof members, 0);
}

/* Whether a ruleset with that bit of that member can be made; anything but a refusal for the bit's
 * sake, which is EINVAL, or E2BIG where the kernel's struct ends before it, is a failure. */
static bool accepts(size_t member, unsigned int bit)
{
	uint64_t members[MEMBERS] = { 0 };
	long ruleset;

	members[member] = UINT64_C(1) << bit;
	ruleset = create_ruleset(members, sizeof members, 0);
	if (ruleset >= 0)
		close((int)ruleset);
	else if (ruleset != -EINVAL && ruleset != -E2BIG)
		FAIL("bit %u of member %zu: errno %ld", bit, member, -ruleset);
	return ruleset >= 0;
}

static bool governed(const struct llr_right *right)
{
	return (int)right->abi <= check_abi();
}

static unsigned int bit_of(const struct llr_right *right)
{
	return (unsigned int)__builtin_ctzll(right->right) - field_of(right->right)->shift;
}

/* Tells the support matrix, where this is a guest. */
static void tell(const struct llr_right *right, bool accepted)
{
	if (getenv("LANDLOCK_RUN_EXPECT_ABI") == NULL)
		return;
	printf("effect rights %s %s\n", right->name, accepted ? "governed" : "unknown");
	fflush(stdout);
}

/* ---- Bits of a ruleset ---- */

TEST(a_ruleset_takes_each_right_from_its_abi_on_and_not_before)
{
	const struct llr_right *right;

	NEEDS_LANDLOCK();
	for (uint32_t i = 0; (right = llr_right_at(i)) != NULL; i++) {
		bool accepted = accepts(field_of(right->right)->at, bit_of(right));

		check_row("%s, ABI %u", right->name, right->abi);
		CHECK_INT(accepted, governed(right));
		tell(right, accepted);
	}
}

/* A right that the kernel has and the table lacks would be one that nothing governs. */
TEST(a_ruleset_takes_no_bit_that_has_no_row)
{
	NEEDS_LANDLOCK();
	if (check_abi() > llr_abi_newest())
		SKIP("this kernel is newer than the table");
	for (size_t i = 0; i < FIELDS; i++)
		for (unsigned int bit = 0; bit < 64; bit++) {
			llr_rights right = 0;

			if (bit < fields[i].bits)
				right = (llr_rights)1 << bit << fields[i].shift;
			check_row("bit %u of member %zu", bit, fields[i].at);
			CHECK_INT(accepts(fields[i].at, bit),
				  (right & llr_rights_of_abi(check_abi())) != 0);
		}
}

TEST(a_ruleset_takes_all_rights_of_its_abi_at_once)
{
	long ruleset;

	NEEDS_LANDLOCK();
	CHECK(ruleset_of(llr_rights_of_abi(check_abi())) >= 0);
	/* What a contract launch handles: complete from ABI 5 on. */
	CHECK(ruleset_of(LLR_FILE_SET & llr_rights_of_abi(check_abi())) >= 0);
	ruleset = ruleset_of(LLR_FILE_SET);
	CHECK(check_abi() >= 5 ? ruleset >= 0 : ruleset == -EINVAL);
}

/* ---- Bits of a rule ---- */

/* A rule with that right in a ruleset that handles all the kernel has. */
static long rule_of(const struct llr_right *right, uint32_t type, int parent)
{
	struct path_rule path = { .allowed = UINT64_C(1) << bit_of(right), .parent = parent };
	struct port_rule port = { .allowed = path.allowed, .port = 1 };
	long ruleset = ruleset_of(llr_rights_of_abi(check_abi())), result;

	REQUIRE(ruleset >= 0);
	result = add_rule(ruleset, type, type == LEVEL_RULE_PATH ? (void *)&path : &port, 0);
	close((int)ruleset);
	return result;
}

static void check_rule(const struct llr_right *right, uint32_t type, int parent, bool valid)
{
	long result = rule_of(right, type, parent);

	CHECK_INT(result, valid && governed(right) ? 0 : -EINVAL);
}

/* All the rights whose rules are about a path, on a thing of either kind. */
static void check_path_rules(const char *path, uint32_t trait)
{
	int parent = open(path, O_PATH | O_CLOEXEC);
	const struct llr_right *right;

	REQUIRE(parent >= 0);
	for (uint32_t i = 0; (right = llr_right_at(i)) != NULL; i++) {
		if (!(right->traits & LLR_TRAIT_PATH))
			continue;
		check_row("%s on %s", right->name, path);
		check_rule(right, LEVEL_RULE_PATH, parent, (right->traits & trait) != 0);
	}
	close(parent);
}

TEST(a_rule_on_a_directory_takes_each_right_to_a_path)
{
	NEEDS_LANDLOCK();
	check_path_rules("/", LLR_TRAIT_PATH);
	check_path_rules("/proc", LLR_TRAIT_PATH);
}

TEST(a_rule_on_what_is_no_directory_takes_the_rights_of_a_file_alone)
{
	NEEDS_LANDLOCK();
	check_path_rules("/proc/self/exe", LLR_TRAIT_ON_FILE);
	check_path_rules("/dev/null", LLR_TRAIT_ON_FILE);
}

TEST(a_rule_on_a_port_takes_the_rights_to_a_port)
{
	const struct llr_right *right;

	NEEDS_LANDLOCK();
	for (uint32_t i = 0; (right = llr_right_at(i)) != NULL; i++) {
		if (!(right->traits & LLR_TRAIT_PORT))
			continue;
		check_row("%s", right->name);
		check_rule(right, LEVEL_RULE_PORT, -1, true);
	}
}

/* Neither a path nor a port: governed or not, and nothing in between. */
TEST(no_rule_grants_a_scope)
{
	struct path_rule rule = { .parent = open("/", O_PATH | O_CLOEXEC) };
	const struct llr_right *right;

	NEEDS_LANDLOCK();
	for (uint32_t i = 0; (right = llr_right_at(i)) != NULL; i++) {
		long ruleset;

		if (!(right->traits & LLR_TRAIT_SCOPE) || !governed(right))
			continue;
		check_row("%s", right->name);
		rule.allowed = UINT64_C(1) << bit_of(right);
		ruleset = ruleset_of(right->right);
		REQUIRE(ruleset >= 0);
		CHECK_INT(add_rule(ruleset, LEVEL_RULE_PATH, &rule, 0), -EINVAL);
		close((int)ruleset);
	}
}

/* ---- What is no right ---- */

/* The flag is looked at before the ruleset, of which there is none. */
TEST(logging_of_denials_is_taken_from_its_abi_on)
{
	struct llr_right feature;

	NEEDS_LANDLOCK();
	REQUIRE(llr_feature_by_name(LLR_FEATURE_LOG_DENIALS, &feature) &&
		prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
	CHECK_INT(restrict_self(-1, LOG_NEW_EXEC_ON), governed(&feature) ? -EBADF : -EINVAL);
}

TEST(a_kernel_without_landlock_has_one_answer_for_every_row)
{
	long first = create_ruleset(NULL, 0, LEVEL_CREATE_VERSION);
	const struct llr_right *right;

	if (check_abi() > 0)
		SKIP("this kernel has Landlock");
	CHECK(first < 0);
	for (uint32_t i = 0; (right = llr_right_at(i)) != NULL; i++) {
		check_row("%s", right->name);
		CHECK_INT(ruleset_of(right->right), first);
	}
}

/* ---- What the launcher tells ---- */

/* Its long probe finds out by itself what the kernel takes: that is not read off the table. */
TEST(the_probe_tells_of_each_right_what_the_kernel_says_of_it)
{
	const struct llr_right *right;
	struct run run = { 0 };

	RUN(&run, "probe", "--json");
	CHECK_END(&run, check_abi() > 0 ? 0 : LLR_EXIT_FAILURE);
	CHECK_CONTAINS(run.output.text, check_abi() > 0
						? check_format("\"abi\":%d,\"errata\"", check_abi())
						: "\"abi\":null,\"errata\"");
	for (uint32_t i = 0; (right = llr_right_at(i)) != NULL; i++) {
		bool accepted = check_abi() > 0 &&
				accepts(field_of(right->right)->at, bit_of(right));
		const char *said = strstr(run.output.text,
					  check_format("{\"right\":\"%s\",", right->name));

		/* Known by name, and nothing asks for them yet. */
		if (right->traits == 0)
			continue;
		check_row("%s", right->name);
		REQUIRE(said != NULL);
		said = strstr(said, "\"governed\":");
		CHECK_PREFIX(said, accepted ? "\"governed\":true}" : "\"governed\":false}");
	}
}

/* ---- Two tables ---- */

/* The simulator has a table of its own, so that neither is right because the other is. */
TEST(the_simulators_table_has_the_same_rows)
{
	const struct llr_right *right;
	uint32_t count = 0;

	for (; (right = llr_right_at(count)) != NULL; count++) {
		const struct level_right *other = level_right(count);

		check_row("%s", right->name);
		REQUIRE(other != NULL);
		CHECK_STR(other->name, right->name);
		CHECK_INT(other->since, right->abi);
		CHECK_INT(other->bit, bit_of(right));
		CHECK_INT(other->field, field_of(right->right)->at);
		CHECK_INT(other->on_file, (right->traits & LLR_TRAIT_ON_FILE) != 0);
	}
	CHECK(level_right(count) == NULL);
	CHECK_INT(llr_abi_newest(), LEVEL_NEWEST);
}
