/* The table of rights against what is known of the kernel, ABI by ABI.
 * The expectations are written out, not computed from the table. */
#include <string.h>

#include "rights.h"
#include "unit.h"

/* What a kernel of each ABI accepts; ABI 13 does not exist yet and must not be guessed at. */
static const struct {
	int32_t abi;
	uint64_t fs, net, scope, permission, on_file;
} kernels[] = {
	{ 1, 0x1fff, 0, 0, 0, 0x7 },
	{ 2, 0x3fff, 0, 0, 0, 0x7 },
	{ 3, 0x7fff, 0, 0, 0, 0x4007 },
	{ 4, 0x7fff, 0x3, 0, 0, 0x4007 },
	{ 5, 0xffff, 0x3, 0, 0, 0xc007 },
	{ 6, 0xffff, 0x3, 0x3, 0, 0xc007 },
	{ 7, 0xffff, 0x3, 0x3, 0, 0xc007 },
	{ 8, 0xffff, 0x3, 0x3, 0, 0xc007 },
	{ 9, 0x1ffff, 0x3, 0x3, 0, 0x1c007 },
	{ 10, 0x1ffff, 0xf, 0x3, 0, 0x1c007 },
	{ 11, 0x1ffff, 0xf, 0x3, 0, 0x1c007 },
	{ 12, 0x1ffff, 0xf, 0x3, 0x3, 0x1c007 },
	{ 13, 0x1ffff, 0xf, 0x3, 0x3, 0x1c007 },
	{ INT32_MAX, 0x1ffff, 0xf, 0x3, 0x3, 0x1c007 },
};

/* The kernel's names in its own order, with the bit in its own field. */
static const struct {
	const char *name;
	int field; /* where the field begins in a set of rights */
	uint64_t bit;
	uint32_t abi, linux_major, linux_minor;
} names[] = {
	{ "execute", 0, 0x1, 1, 5, 13 },           { "write-file", 0, 0x2, 1, 5, 13 },
	{ "read-file", 0, 0x4, 1, 5, 13 },         { "read-dir", 0, 0x8, 1, 5, 13 },
	{ "remove-dir", 0, 0x10, 1, 5, 13 },       { "remove-file", 0, 0x20, 1, 5, 13 },
	{ "make-char", 0, 0x40, 1, 5, 13 },        { "make-dir", 0, 0x80, 1, 5, 13 },
	{ "make-reg", 0, 0x100, 1, 5, 13 },        { "make-sock", 0, 0x200, 1, 5, 13 },
	{ "make-fifo", 0, 0x400, 1, 5, 13 },       { "make-block", 0, 0x800, 1, 5, 13 },
	{ "make-sym", 0, 0x1000, 1, 5, 13 },       { "refer", 0, 0x2000, 2, 5, 19 },
	{ "truncate", 0, 0x4000, 3, 6, 2 },        { "ioctl-dev", 0, 0x8000, 5, 6, 10 },
	{ "resolve-unix", 0, 0x10000, 9, 7, 1 },   { "bind-tcp", 32, 0x1, 4, 6, 7 },
	{ "connect-tcp", 32, 0x2, 4, 6, 7 },       { "bind-udp", 32, 0x4, 10, 7, 2 },
	{ "connect-send-udp", 32, 0x8, 10, 7, 2 }, { "abstract-unix-socket", 48, 0x1, 6, 6, 12 },
	{ "signal", 48, 0x2, 6, 6, 12 },           { "namespace-use", 56, 0x1, 12, 7, 4 },
	{ "capability-use", 56, 0x2, 12, 7, 4 },
};

Test(rights, each_abi_governs_exactly_the_kernels_masks)
{
	for (size_t i = 0; i < COUNT(kernels); i++) {
		llr_rights rights = llr_rights_of_abi(kernels[i].abi);
		int abi = (int)kernels[i].abi;

		cr_expect_eq(rights_fs(rights), kernels[i].fs, "fs of ABI %d", abi);
		cr_expect_eq(rights_net(rights), kernels[i].net, "net of ABI %d", abi);
		cr_expect_eq(rights_scope(rights), kernels[i].scope, "scope of ABI %d", abi);
		cr_expect_eq(rights >> 56, kernels[i].permission, "permissions of ABI %d", abi);
		cr_expect_eq(rights_fs(rights & llr_rights_with(LLR_TRAIT_ON_FILE)),
			     kernels[i].on_file, "on a file at ABI %d", abi);
	}
}

Test(rights, no_abi_governs_nothing)
{
	cr_expect_eq(llr_rights_of_abi(0), 0);
	cr_expect_eq(llr_rights_of_abi(-1), 0);
	cr_expect_eq(llr_rights_of_abi(INT32_MIN), 0);
}

Test(rights, the_table_has_the_kernels_rights_in_its_order_and_no_others)
{
	for (uint32_t i = 0; i < COUNT(names); i++) {
		const struct llr_right *right = llr_right_at(i);

		cr_assert_not_null(right, "row %u", i);
		cr_expect_str_eq(right->name, names[i].name);
		cr_expect_eq(right->right, names[i].bit << names[i].field, "the bit of %s",
			     names[i].name);
		cr_expect_eq(right->abi, names[i].abi, "the ABI of %s", names[i].name);
		cr_expect(right->linux_major == names[i].linux_major &&
				  right->linux_minor == names[i].linux_minor,
			  "the Linux of %s", names[i].name);
	}
	cr_expect_null(llr_right_at(COUNT(names)));
	cr_expect_null(llr_right_at(UINT32_MAX));
	cr_expect_eq(llr_abi_newest(), 12);
}

Test(rights, each_name_finds_its_row_and_nothing_near_it_does)
{
	for (uint32_t i = 0; i < COUNT(names); i++) {
		size_t length = strlen(names[i].name);
		char longer[32];
		char *exact = exact_copy(names[i].name, length);

		snprintf(longer, sizeof longer, "%sx", names[i].name);
		cr_expect_eq(llr_right_by_name(exact, length), llr_right_at(i), "%s",
			     names[i].name);
		cr_expect_null(llr_right_by_name(exact, length - 1), "%s without its end",
			       names[i].name);
		cr_expect_null(llr_right_by_name(longer, length + 1), "%s", longer);
		cr_expect_null(llr_right_by_name(names[i].name, length + 1), "%s and its NUL",
			       names[i].name);
		exact_free(exact);
	}
	cr_expect_null(llr_right_by_name("", 0));
	cr_expect_null(llr_right_by_name("EXECUTE", 7));
	cr_expect_null(llr_right_by_name("write_file", 10));
}

Test(rights, the_derived_sets_are_the_published_ones)
{
	llr_rights network = LLR_BIND_TCP | LLR_CONNECT_TCP | LLR_BIND_UDP | LLR_CONNECT_SEND_UDP;
	llr_rights scopes = LLR_ABSTRACT_UNIX_SOCKET | LLR_SIGNAL;

	cr_expect_eq(LLR_FILE_SET, 0xffff);
	cr_expect_eq(LLR_READ_EXECUTE, 0xd);
	cr_expect_eq(llr_rights_with(LLR_TRAIT_FILE_SET), LLR_FILE_SET);
	cr_expect_eq(llr_rights_with(LLR_TRAIT_READ), LLR_READ_EXECUTE);
	cr_expect_eq(llr_rights_with(LLR_TRAIT_PATH), LLR_FILE_SET | LLR_RESOLVE_UNIX);
	cr_expect_eq(llr_rights_with(LLR_TRAIT_PORT), network);
	cr_expect_eq(llr_rights_with(LLR_TRAIT_SCOPE), scopes);
	cr_expect_eq(llr_rights_with(LLR_TRAIT_OPT_IN), network | scopes | LLR_RESOLVE_UNIX);
	cr_expect_eq(llr_rights_with(LLR_TRAIT_READ | LLR_TRAIT_ON_FILE),
		     LLR_EXECUTE | LLR_READ_FILE);
	cr_expect_eq(llr_rights_with(LLR_TRAIT_FILE_SET | LLR_TRAIT_OPT_IN), 0);
}

Test(rights, the_file_set_is_complete_from_abi_5_on)
{
	cr_expect_eq(llr_rights_of_abi(4) & LLR_FILE_SET, LLR_FILE_SET & ~LLR_IOCTL_DEV);
	cr_expect_eq(llr_rights_of_abi(5) & LLR_FILE_SET, LLR_FILE_SET);
}

Test(rights, later_rights_are_known_by_name_and_handled_by_nothing)
{
	cr_expect_eq(llr_right_by_name("namespace-use", 13)->traits, 0);
	cr_expect_eq(llr_right_by_name("capability-use", 14)->traits, 0);
}

Test(rights, the_first_of_a_set_is_the_first_in_the_table)
{
	llr_rights none = 0, unknown = (llr_rights)1 << 31;
	llr_rights rights = LLR_SIGNAL | LLR_TRUNCATE | LLR_BIND_TCP;
	struct llr_right right;

	cr_expect(!llr_rights_take(&none, &right));
	cr_expect(!llr_rights_take(&unknown, &right), "a bit that is no right");
	cr_assert(llr_rights_take(&rights, &right));
	cr_expect_str_eq(right.name, "truncate");
	cr_expect_eq(rights, LLR_SIGNAL | LLR_BIND_TCP);
}

Test(rights, all_rights_are_taken_in_the_tables_order_each_with_its_row)
{
	llr_rights rights = ~(llr_rights)0;
	const struct llr_right *row;
	struct llr_right right;

	for (uint32_t i = 0; (row = llr_right_at(i)); i++) {
		cr_assert(llr_rights_take(&rights, &right), "row %u", i);
		cr_expect_eq(right.right, row->right, "the right of %s", row->name);
		cr_expect_str_eq(right.name, row->name);
		cr_expect(right.abi == row->abi && right.linux_major == row->linux_major &&
				  right.linux_minor == row->linux_minor &&
				  right.traits == row->traits,
			  "the rest of %s", row->name);
		cr_expect_eq(llr_rights_named(row->name, strlen(row->name)), row->right);
	}
	cr_expect(!llr_rights_take(&rights, &right));
	cr_expect_eq(llr_rights_named("executes", 8), 0);
}

Test(rights, logging_denials_is_found_as_a_feature_and_is_no_right)
{
	struct llr_right feature;

	cr_assert(llr_feature_by_name("log-denials", &feature));
	cr_expect_str_eq(feature.name, "log-denials");
	cr_expect(feature.right == 0 && feature.abi == 7 && feature.linux_major == 6 &&
		  feature.linux_minor == 15);
	cr_expect_null(llr_right_by_name("log-denials", 11));
	cr_expect(llr_feature_by_name("signal", &feature));
	cr_expect_eq(feature.right, LLR_SIGNAL);
	cr_expect(!llr_feature_by_name("", &feature));
}
