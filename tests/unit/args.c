/* The command line read: what each option sets, and the exact sentence of each misuse.
 * Nothing here asks the kernel; the sentences are the published ones. */
#include "args.h"

#include <string.h>

#include "unit.h"

#define MOST 32

/* A parsed command line and what it was parsed from. */
struct line {
	char *argv[MOST];
	int argc;
	int result;
	struct llr_args args;
	struct llr_error error;
};

/* Parses `landlock-run` and the words up to the first NULL. */
static struct line *parse(const char *const words[])
{
	static struct line line;
	static char program[] = "landlock-run";

	memset(&line, 0, sizeof line);
	line.argv[line.argc++] = program;
	while (words[line.argc - 1]) {
		line.argv[line.argc] = (char *)(uintptr_t)words[line.argc - 1];
		line.argc++;
	}
	line.result = llr_args_parse(&line.args, line.argc, line.argv, &line.error);
	return &line;
}

#define PARSE(...) parse((const char *const[]){ __VA_ARGS__, NULL })

/* Parses what must be accepted. */
static struct line *accept(const char *const words[])
{
	struct line *line = parse(words);

	cr_assert_eq(line->result, 0, "refused: %s", error_text(&line->error));
	return line;
}

#define ACCEPT(...) accept((const char *const[]){ __VA_ARGS__, NULL })

/* All grants of a parsed line; their number. */
static size_t grants_of(const struct line *line, struct llr_grant grants[MOST])
{
	struct llr_policy policy;
	uint64_t cursor = 0;
	size_t count = 0;

	llr_args_policy(&line->args, &policy);
	cr_assert(policy.grants_count == 0 && policy.grant_source);
	while (policy.grant_source(policy.grant_context, &cursor, &grants[count]))
		count++;
	return count;
}

static void expect_path(const struct llr_grant *grant, const char *path, llr_rights rights,
			uint32_t flags)
{
	cr_expect_eq(grant->type, LLR_GRANT_PATH, "type of %s", path);
	cr_expect_str_eq(grant->path, path);
	cr_expect_eq(grant->rights, rights, "rights of %s: 0x%lx", path,
		     (unsigned long)grant->rights);
	cr_expect_eq(grant->flags, flags, "flags of %s", path);
}

static void expect_port(const struct llr_grant *grant, uint32_t port, llr_rights rights)
{
	cr_expect_eq(grant->type, LLR_GRANT_PORT, "type of port %u", port);
	cr_expect_eq(grant->port, port);
	cr_expect_eq(grant->rights, rights, "rights of port %u", port);
	cr_expect_eq(grant->flags, 0);
}

/* ---- Misuse ---- */

struct misuse {
	const char *words[8];
	const char *text;
};

static void expect_misuse(const struct misuse *misuse)
{
	struct line *line = parse(misuse->words);

	cr_assert_eq(line->result, -1, "accepted; wanted: %s", misuse->text);
	cr_expect_str_eq(error_text(&line->error), misuse->text);
	cr_expect_str_eq(llr_error_stage(&line->error), "usage");
	cr_expect_eq(line->error.errnum, 0);
}

#define EXPECT_MISUSES(misuses) \
	do { \
		for (size_t i_ = 0; i_ < COUNT(misuses); i_++) \
			expect_misuse(&(misuses)[i_]); \
	} while (0)

Test(args, a_line_without_command_is_said_to_miss_it)
{
	static const struct misuse misuses[] = {
		{ { NULL }, "usage error: missing `-- <argv>...` command" },
		{ { "--" }, "usage error: missing `-- <argv>...` command" },
		{ { "--ro", "/" }, "usage error: missing `-- <argv>...` command" },
		{ { "--ro", "/", "--" }, "usage error: missing `-- <argv>...` command" },
		{ { "--mode", "read-only", "--" }, "usage error: missing `-- <argv>...` command" },
		{ { "--dry-run" }, "usage error: missing `-- <argv>...` command" },
		{ { "--ro", "--" }, "usage error: missing `-- <argv>...` command" },
	};
	struct llr_args args;
	struct llr_error error;
	char *const none[] = { NULL };

	EXPECT_MISUSES(misuses);
	cr_assert_eq(llr_args_parse(&args, 0, none, &error), -1, "argc 0");
	cr_expect_str_eq(error_text(&error), "usage error: missing `-- <argv>...` command");
}

Test(args, what_is_no_option_is_named)
{
	static const struct misuse misuses[] = {
		{ { "x" }, "usage error: unknown argument: x" },
		{ { "" }, "usage error: unknown argument: " },
		{ { "-" }, "usage error: unknown argument: -" },
		{ { "-r", "/" }, "usage error: unknown argument: -r" },
		{ { "---" }, "usage error: unknown argument: ---" },
		{ { "ro", "/", "--", "true" }, "usage error: unknown argument: ro" },
		{ { "--ro", "/", "true" }, "usage error: unknown argument: true" },
		{ { "--ro", "--", "true" }, "usage error: unknown argument: true" },
		{ { "--RO", "/", "--", "true" }, "usage error: unknown argument: --RO" },
		{ { "--something-else" }, "usage error: unknown argument: --something-else" },
	};

	EXPECT_MISUSES(misuses);
}

Test(args, a_slip_of_the_keyboard_is_answered_with_the_option_meant)
{
	static const struct misuse misuses[] = {
		{ { "--rq", "/" }, "usage error: unknown argument: --rq (did you mean --ro?)" },
		{ { "--r", "/" }, "usage error: unknown argument: --r" },
		{ { "--worksapce", "/" },
		  "usage error: unknown argument: --worksapce (did you mean --workspace?)" },
		{ { "--requires" },
		  "usage error: unknown argument: --requires (did you mean --require?)" },
		{ { "--connect-tpc" },
		  "usage error: unknown argument: --connect-tpc (did you mean --connect-tcp?)" },
		{ { "-mode" }, "usage error: unknown argument: -mode (did you mean --mode?)" },
		{ { "--devices=1" },
		  "usage error: unknown argument: --devices=1 (did you mean --devices?)" },
		{ { "--xy" }, "usage error: unknown argument: --xy" },
		{ { "--ab" }, "usage error: unknown argument: --ab" },
	};

	EXPECT_MISUSES(misuses);
}

Test(args, each_option_is_the_answer_to_its_own_slip)
{
	const struct llr_option *option;

	for (size_t i = 0; (option = llr_option_at(i)) != NULL; i++) {
		char slip[32];

		snprintf(slip, sizeof slip, "%sx", option->name);
		cr_expect_eq(llr_option_nearest(slip), option->name, "%s", slip);
	}
	cr_expect_null(llr_option_nearest("--a-very-long-argument-that-is-no-option-at-all"));
	cr_expect_null(llr_option_nearest("connect-tcp"), "a word is no option");
}

/* Levenshtein's distance by its definition, in a matrix. */
static size_t distance(const char *left, const char *right)
{
	size_t rows = strlen(left), columns = strlen(right);
	static size_t cell[40][40];

	for (size_t i = 0; i <= rows; i++)
		for (size_t k = 0; k <= columns; k++) {
			size_t best = i + k; /* right for an empty side, and never too little */

			if (i && k) {
				best = cell[i - 1][k - 1] + (left[i - 1] != right[k - 1]);
				best = cell[i - 1][k] + 1 < best ? cell[i - 1][k] + 1 : best;
				best = cell[i][k - 1] + 1 < best ? cell[i][k - 1] + 1 : best;
			}
			cell[i][k] = best;
		}
	return cell[rows][columns];
}

/* A name with some characters inserted, removed or replaced. */
static void random_slip(char slip[40], const char *name)
{
	snprintf(slip, 40, "%s", name);
	for (uint64_t errors = random_below(4); errors--;) {
		size_t length = strlen(slip), at = (size_t)random_below(length + 1);
		uint64_t kind = random_below(3);

		if (kind == 0 || at == length) {
			memmove(slip + at + 1, slip + at, length - at + 1);
			slip[at] = "abefx-"[random_below(6)];
		} else if (kind == 1) {
			memmove(slip + at, slip + at + 1, length - at);
		} else {
			slip[at] = "abefx-"[random_below(6)];
		}
	}
}

Test(args, the_option_meant_is_the_nearest_of_all_within_two_errors)
{
	int found = 0, none = 0;

	random_begin("slips");
	for (int round = 0; round < 20000; round++) {
		const struct llr_option *option;
		const char *nearest;
		char slip[40];
		size_t best = SIZE_MAX, allowed;

		do
			option = llr_option_at((size_t)random_below(40));
		while (!option);
		random_slip(slip, option->name);
		nearest = llr_option_nearest(slip);
		for (size_t i = 0; (option = llr_option_at(i)) != NULL; i++)
			best = distance(slip, option->name) < best ? distance(slip, option->name)
								   : best;
		allowed = slip[0] != '-' || strlen(slip) < 4 ? 0
			  : strlen(slip) < 6                 ? 1
			  : strlen(slip) > 24                ? 0
							     : 2;
		if (nearest)
			cr_assert(best <= allowed && distance(slip, nearest) == best,
				  "seed 0x%llx round %d: %s, not %s",
				  (unsigned long long)random_seed(), round, slip, nearest);
		else
			cr_assert(best > allowed || !allowed, "seed 0x%llx round %d: %s",
				  (unsigned long long)random_seed(), round, slip);
		found += nearest != NULL;
		none += nearest == NULL;
	}
	cr_expect(found > 1000 && none > 1000, "%d %d", found, none);
}

Test(args, a_value_attached_with_an_equals_sign_is_explained)
{
	const struct llr_option *option;

	for (size_t i = 0; (option = llr_option_at(i)) != NULL; i++) {
		char attached[32], text[128];
		struct misuse misuse = { { attached }, text };

		if (!llr_option_takes_value(option))
			continue;
		snprintf(attached, sizeof attached, "%s=1", option->name);
		snprintf(text, sizeof text,
			 "usage error: unknown argument: %s (the value is the next argument: %s "
			 "VALUE)",
			 attached, option->name);
		expect_misuse(&misuse);
	}
}

Test(args, a_missing_value_is_said_with_what_is_required)
{
	static const struct misuse misuses[] = {
		{ { "--ro" }, "usage error: --ro requires a path" },
		{ { "--rw" }, "usage error: --rw requires a path" },
		{ { "--ro", "/", "--rw" }, "usage error: --rw requires a path" },
		{ { "--ro-try" }, "usage error: --ro-try requires a path" },
		{ { "--allow" }, "usage error: --allow requires rights and a path" },
		{ { "--mode" }, "usage error: --mode requires a mode" },
		{ { "--workspace" }, "usage error: --workspace requires a directory" },
		{ { "--bind-tcp" }, "usage error: --bind-tcp requires a port or `none`" },
		{ { "--connect-tcp" }, "usage error: --connect-tcp requires a port or `none`" },
		{ { "--bind-udp" }, "usage error: --bind-udp requires a port or `none`" },
		{ { "--connect-send-udp" },
		  "usage error: --connect-send-udp requires a port or `none`" },
		{ { "--resolve-unix" }, "usage error: --resolve-unix requires a path or `none`" },
		{ { "--scope" }, "usage error: --scope requires a scope" },
		{ { "--guard" }, "usage error: --guard requires a guard" },
		{ { "--require" }, "usage error: --require requires rights or `full`" },
		{ { "--keep-fd" }, "usage error: --keep-fd requires a descriptor" },
		{ { "--status-fd" }, "usage error: --status-fd requires a descriptor" },
		{ { "--args-file" }, "usage error: --args-file requires a file" },
		{ { "--mode", "read-only", "-c" }, "usage error: -c requires a script" },
	};

	EXPECT_MISUSES(misuses);
}

Test(args, an_unusable_value_is_shown_with_its_option)
{
	static const struct misuse misuses[] = {
		{ { "--mode", "readonly", "--", "x" },
		  "usage error: --mode: invalid value: readonly" },
		{ { "--mode", "", "--", "x" }, "usage error: --mode: invalid value: " },
		{ { "--mode", "READ-ONLY", "--", "x" },
		  "usage error: --mode: invalid value: READ-ONLY" },
		{ { "--guard", "all", "--", "x" }, "usage error: --guard: invalid value: all" },
		{ { "--guard", "", "--", "x" }, "usage error: --guard: invalid value: " },
		{ { "--guard", "metadata,tty", "--", "x" },
		  "usage error: --guard: invalid value: metadata,tty" },
		{ { "--scope", "read-file", "--", "x" },
		  "usage error: --scope: invalid value: read-file" },
		{ { "--scope", "", "--", "x" }, "usage error: --scope: invalid value: " },
		{ { "--scope", "signals", "--", "x" },
		  "usage error: --scope: invalid value: signals" },
		{ { "--scope", "none", "--", "x" }, "usage error: --scope: invalid value: none" },
		{ { "--require", "full,execute", "--", "x" },
		  "usage error: --require: invalid value: full,execute" },
		{ { "--require", "", "--", "x" }, "usage error: --require: invalid value: " },
		{ { "--require", "execute,", "--", "x" },
		  "usage error: --require: invalid value: execute," },
		{ { "--require", ",execute", "--", "x" },
		  "usage error: --require: invalid value: ,execute" },
		{ { "--require", "execute, truncate", "--", "x" },
		  "usage error: --require: invalid value: execute, truncate" },
		{ { "--require", "execute:/", "--", "x" },
		  "usage error: --require: invalid value: execute:/" },
		{ { "--allow", "/", "--", "x" }, "usage error: --allow: invalid value: /" },
		{ { "--allow", "execute", "--", "x" },
		  "usage error: --allow: invalid value: execute" },
		{ { "--allow", ":/", "--", "x" }, "usage error: --allow: invalid value: :/" },
		{ { "--allow", "execute,:/", "--", "x" },
		  "usage error: --allow: invalid value: execute,:/" },
		{ { "--allow", "signal:/", "--", "x" },
		  "usage error: --allow: invalid value: signal:/" },
		{ { "--allow", "bind-tcp:80", "--", "x" },
		  "usage error: --allow: invalid value: bind-tcp:80" },
		{ { "--allow", "full:/", "--", "x" },
		  "usage error: --allow: invalid value: full:/" },
	};

	EXPECT_MISUSES(misuses);
}

Test(args, a_right_known_by_name_alone_is_said_to_be_so)
{
	static const struct misuse misuses[] = {
		{ { "--require", "namespace-use", "--", "x" },
		  "usage error: --require: namespace-use is known by name but not handled by this "
		  "version (it came with ABI 12, Linux 7.4)" },
		{ { "--require", "execute,capability-use", "--", "x" },
		  "usage error: --require: capability-use is known by name but not handled "
		  "by this version (it came with ABI 12, Linux 7.4)" },
		{ { "--scope", "namespace-use", "--", "x" },
		  "usage error: --scope: namespace-use is known by name but not handled by this "
		  "version (it came with ABI 12, Linux 7.4)" },
	};

	EXPECT_MISUSES(misuses);
}

Test(args, an_option_that_needs_another_says_which)
{
	static const struct misuse misuses[] = {
		{ { "--workspace", "/w", "--", "x" }, "usage error: --workspace needs --mode" },
		{ { "-c", "true" }, "usage error: -c needs --mode" },
		{ { "--ro", "/", "-c", "true" }, "usage error: -c needs --mode" },
		{ { "--keep-fd", "3", "--", "x" }, "usage error: --keep-fd needs --close-fds" },
	};

	EXPECT_MISUSES(misuses);
}

Test(args, what_is_given_once_may_not_be_given_twice)
{
	static const struct misuse misuses[] = {
		{ { "--mode", "read-only", "--mode", "read-only" },
		  "usage error: --mode given more than once" },
		{ { "--mode", "read-only", "--ro", "/", "--mode", "read-only" },
		  "usage error: --mode given more than once" },
		{ { "--mode", "read-only", "--workspace", "/a", "--workspace", "/a" },
		  "usage error: --workspace given more than once" },
		{ { "--status-fd", "3", "--status-fd", "4" },
		  "usage error: --status-fd given more than once" },
	};

	EXPECT_MISUSES(misuses);
}

Test(args, danger_full_access_refuses_every_grant_and_restriction)
{
	static const char *const values[] = { "/",        "execute:/", "none", "signal",
					      "metadata", "full",      "3" };
	const struct llr_option *option;
	size_t confining = 0;

	for (size_t i = 0; (option = llr_option_at(i)) != NULL; i++) {
		struct line *line = NULL;
		char text[128];

		if (!(option->traits & OPTION_CONFINES))
			continue;
		confining++;
		/* One of the values suits any option. */
		for (size_t k = 0;
		     k < COUNT(values) && !(line && line->error.code == LLR_E_OPTION_UNCONFINED);
		     k++)
			line = llr_option_takes_value(option)
				       ? PARSE("--mode", "danger-full-access", option->name,
					       values[k], "--", "x")
				       : PARSE("--mode", "danger-full-access", option->name, "--",
					       "x");
		snprintf(text, sizeof text,
			 "usage error: %s cannot be used with --mode danger-full-access",
			 option->name);
		cr_assert_eq(line->result, -1, "%s", option->name);
		cr_expect_str_eq(error_text(&line->error), text);
	}
	cr_expect_eq(confining, 15, "%zu", confining);
}

Test(args, probe_stands_alone)
{
	static const struct misuse misuses[] = {
		{ { "--probe", "--" }, "usage error: --probe takes no other arguments" },
		{ { "--probe", "--probe" }, "usage error: --probe takes no other arguments" },
		{ { "--probe", "--", "true" }, "usage error: --probe takes no other arguments" },
		{ { "--ro", "/", "--probe" }, "usage error: --probe takes no other arguments" },
		{ { "--probe", "x" }, "usage error: --probe takes no other arguments" },
	};

	EXPECT_MISUSES(misuses);
	cr_expect_eq(ACCEPT("--probe")->args.action, LLR_ACTION_PROBE);
	cr_expect_eq(ACCEPT("--", "--probe")->args.action, LLR_ACTION_LAUNCH);
	cr_expect_eq(ACCEPT("--ro", "--probe", "--", "x")->args.action, LLR_ACTION_LAUNCH);
}

/* ---- Numbers ---- */

Test(args, ports_are_whole_decimal_numbers_up_to_65535)
{
	static const char *const options[] = { "--bind-tcp", "--connect-tcp", "--bind-udp",
					       "--connect-send-udp" };
	static const char *const bad[] = { "65536",      "1x",   " 1",
					   "1 ",         "",     "-1",
					   "+1",         "0x50", "99999999999999999999",
					   "4294967376", "http", "1,2",
					   "NONE",       "1e3" };
	static const struct {
		const char *text;
		uint32_t port;
	} good[] = { { "0", 0 }, { "1", 1 }, { "443", 443 }, { "65535", 65535 }, { "00080", 80 } };

	for (size_t option = 0; option < COUNT(options); option++) {
		for (size_t i = 0; i < COUNT(bad); i++) {
			char text[96];
			struct misuse misuse = { { options[option], bad[i], "--", "x" }, text };

			snprintf(text, sizeof text, "usage error: %s: invalid value: %s",
				 options[option], bad[i]);
			expect_misuse(&misuse);
		}
		for (size_t i = 0; i < COUNT(good); i++) {
			struct llr_grant grants[MOST];

			cr_assert_eq(
				grants_of(ACCEPT(options[option], good[i].text, "--", "x"), grants),
				1);
			expect_port(grants, good[i].port,
				    llr_option_rights(llr_option_by_name(options[option])));
		}
	}
}

Test(args, descriptors_are_whole_decimal_numbers_from_3_on)
{
	static const char *const bad[] = { "0",
					   "1",
					   "2",
					   "-1",
					   "",
					   "3x",
					   " 3",
					   "2147483648",
					   "4294967299",
					   "21474836470",
					   "18446744073709551619" };

	for (size_t i = 0; i < COUNT(bad); i++) {
		char text[96];
		struct misuse status = { { "--status-fd", bad[i], "--", "x" }, text };
		struct misuse keep = { { "--close-fds", "--keep-fd", bad[i], "--", "x" }, text };

		snprintf(text, sizeof text, "usage error: --status-fd: invalid value: %s", bad[i]);
		expect_misuse(&status);
		snprintf(text, sizeof text, "usage error: --keep-fd: invalid value: %s", bad[i]);
		expect_misuse(&keep);
	}
	cr_expect_eq(ACCEPT("--status-fd", "3", "--", "x")->args.status_fd, 3);
	cr_expect_eq(ACCEPT("--status-fd", "2147483647", "--", "x")->args.status_fd, 2147483647);
	cr_expect_eq(ACCEPT("--", "x")->args.status_fd, -1);
}

/* ---- What is accepted ---- */

Test(args, the_published_line_is_two_grants_and_a_command)
{
	struct llr_grant grants[MOST];
	struct line *line = ACCEPT("--ro", "/", "--rw", "/dev/null", "--", "bash", "-c", "true");

	cr_expect_eq(grants_of(line, grants), 2);
	expect_path(&grants[0], "/", LLR_READ_EXECUTE, 0);
	expect_path(&grants[1], "/dev/null", LLR_FILE_SET, 0);
	cr_expect_eq(line->args.command, 6);
	cr_expect_eq(line->args.script, 0);
	cr_expect(line->args.mode == LLR_MODE_NONE && !line->args.flags && !line->args.governed &&
		  !line->args.required);
}

Test(args, grants_keep_their_order_and_number)
{
	struct llr_grant grants[MOST];
	struct line *line = ACCEPT("--rw", "/b", "--ro", "/a", "--rw", "/b", "--connect-tcp", "1",
				   "--ro-try", "/c", "--", "x");

	cr_expect_eq(grants_of(line, grants), 5);
	expect_path(&grants[0], "/b", LLR_FILE_SET, 0);
	expect_path(&grants[1], "/a", LLR_READ_EXECUTE, 0);
	expect_path(&grants[2], "/b", LLR_FILE_SET, 0);
	expect_port(&grants[3], 1, LLR_CONNECT_TCP);
	expect_path(&grants[4], "/c", LLR_READ_EXECUTE, LLR_GRANT_IF_EXISTS);
}

Test(args, values_that_look_like_options_are_values)
{
	struct llr_grant grants[MOST];
	struct line *line = ACCEPT("--ro", "--rw", "--rw", "--", "--ro", "-c", "--ro", "--help",
				   "--", "--ro");

	cr_expect_eq(grants_of(line, grants), 4);
	expect_path(&grants[0], "--rw", LLR_READ_EXECUTE, 0);
	expect_path(&grants[1], "--", LLR_FILE_SET, 0);
	expect_path(&grants[2], "-c", LLR_READ_EXECUTE, 0);
	expect_path(&grants[3], "--help", LLR_READ_EXECUTE, 0);
	cr_expect_str_eq(line->argv[line->args.command], "--ro");
}

Test(args, what_follows_the_two_dashes_is_the_commands)
{
	struct line *line = ACCEPT("--", "cmd", "--ro", "--mode", "--", "-c");

	cr_expect_str_eq(line->argv[line->args.command], "cmd");
	cr_expect_eq(line->args.mode, LLR_MODE_NONE);
	cr_expect_str_eq(ACCEPT("--", "")->argv[2], "", "an empty command is exec's to refuse");
}

Test(args, the_modes_grant_what_they_are_published_to_grant)
{
	struct llr_grant grants[MOST];

	cr_expect_eq(grants_of(ACCEPT("--mode", "read-only"), grants), 2);
	expect_path(&grants[0], "/", LLR_READ_EXECUTE, 0);
	expect_path(&grants[1], "/dev/null", LLR_FILE_SET, 0);
	cr_expect_eq(grants_of(ACCEPT("--mode", "workspace-write"), grants), 4);
	expect_path(&grants[2], "/tmp", LLR_FILE_SET, 0);
	expect_path(&grants[3], ".", LLR_FILE_SET, LLR_GRANT_DIRECTORY);
	cr_expect_eq(grants_of(ACCEPT("--rw", "/x", "--workspace", "/w s", "--mode",
				      "workspace-write", "--ro", "/y"),
			       grants),
		     6);
	expect_path(&grants[3], "/w s", LLR_FILE_SET, LLR_GRANT_DIRECTORY);
	expect_path(&grants[4], "/x", LLR_FILE_SET, 0);
	expect_path(&grants[5], "/y", LLR_READ_EXECUTE, 0);
}

Test(args, the_workspace_is_accepted_with_every_mode_and_opened_by_one)
{
	struct llr_grant grants[MOST];
	struct line *line = ACCEPT("--mode", "danger-full-access", "--workspace", "/w", "--", "x");

	cr_expect_eq(line->args.mode, LLR_MODE_DANGER_FULL_ACCESS);
	cr_expect_eq(grants_of(ACCEPT("--workspace", "/w", "--mode", "read-only"), grants), 2);
}

Test(args, without_a_command_a_mode_means_bash)
{
	struct line *line = ACCEPT("--mode", "read-only");

	cr_expect(line->args.command == 0 && line->args.script == 0);
	line = ACCEPT("--mode", "read-only", "-c", "echo $0", "name", "--ro");
	cr_expect_eq(line->args.script, 3);
	cr_expect_eq(line->args.command, 0);
	cr_expect_eq(line->args.options_end, 3);
	line = ACCEPT("--mode", "danger-full-access", "-c", "--");
	cr_expect_eq(line->args.script, 3);
}

Test(args, ports_govern_their_right_alone_and_none_grants_nothing)
{
	struct llr_grant grants[MOST];
	struct line *line = ACCEPT("--bind-tcp", "none", "--", "x");

	cr_expect_eq(line->args.governed, LLR_BIND_TCP);
	cr_expect_eq(grants_of(line, grants), 0);
	line = ACCEPT("--connect-tcp", "443", "--connect-tcp", "none", "--connect-tcp", "80", "--",
		      "x");
	cr_expect_eq(line->args.governed, LLR_CONNECT_TCP);
	cr_expect_eq(grants_of(line, grants), 2);
	expect_port(&grants[0], 443, LLR_CONNECT_TCP);
	expect_port(&grants[1], 80, LLR_CONNECT_TCP);
	cr_expect_eq(
		ACCEPT("--bind-udp", "0", "--connect-send-udp", "53", "--", "x")->args.governed,
		LLR_BIND_UDP | LLR_CONNECT_SEND_UDP);
}

Test(args, sockets_are_granted_by_path_or_not_at_all)
{
	struct llr_grant grants[MOST];
	struct line *line = ACCEPT("--resolve-unix", "none", "--", "x");

	cr_expect_eq(line->args.governed, LLR_RESOLVE_UNIX);
	cr_expect_eq(grants_of(line, grants), 0);
	line = ACCEPT("--resolve-unix", "/run/s", "--resolve-unix", "none/", "--", "x");
	cr_expect_eq(grants_of(line, grants), 2);
	expect_path(&grants[0], "/run/s", LLR_RESOLVE_UNIX, 0);
	expect_path(&grants[1], "none/", LLR_RESOLVE_UNIX, 0);
}

Test(args, allow_grants_the_rights_named_before_the_first_colon)
{
	struct llr_grant grants[MOST];
	struct line *line = ACCEPT("--allow", "write-file,truncate:/a:b,c", "--allow",
				   "resolve-unix:none", "--allow", "refer,refer:", "--", "x");

	cr_expect_eq(grants_of(line, grants), 3);
	expect_path(&grants[0], "/a:b,c", LLR_WRITE_FILE | LLR_TRUNCATE, 0);
	expect_path(&grants[1], "none", LLR_RESOLVE_UNIX, 0);
	expect_path(&grants[2], "", LLR_REFER, 0);
	cr_expect_eq(line->args.governed, LLR_RESOLVE_UNIX,
		     "a right of the file set is governed without being named");
}

Test(args, scopes_requirements_and_guards_add_up)
{
	struct line *line = ACCEPT("--scope", "signal", "--scope", "abstract-unix-socket",
				   "--require", "truncate,bind-tcp", "--require", "refer",
				   "--guard", "tty", "--guard", "metadata", "--guard", "tty", "--",
				   "x");

	cr_expect_eq(line->args.governed, LLR_SIGNAL | LLR_ABSTRACT_UNIX_SOCKET);
	cr_expect_eq(line->args.required, LLR_TRUNCATE | LLR_BIND_TCP | LLR_REFER);
	cr_expect_eq(line->args.guards, LLR_GUARD_TTY | LLR_GUARD_METADATA);
	cr_expect_eq(ACCEPT("--scope", "signal,abstract-unix-socket", "--", "x")->args.governed,
		     LLR_SIGNAL | LLR_ABSTRACT_UNIX_SOCKET);
	line = ACCEPT("--require", "full", "--require", "signal", "--", "x");
	cr_expect_eq(line->args.required, LLR_FILE_SET | LLR_SIGNAL);
	cr_expect_eq(ACCEPT("--require", "signal", "--require", "full", "--", "x")->args.required,
		     LLR_FILE_SET | LLR_SIGNAL);
}

Test(args, every_right_that_is_handled_can_be_required_by_name)
{
	const struct llr_right *right;

	for (uint32_t i = 0; (right = llr_right_at(i)) != NULL; i++)
		if (right->traits)
			cr_expect_eq(ACCEPT("--require", right->name, "--", "x")->args.required,
				     right->right, "%s", right->name);
}

Test(args, flags_set_their_own_bit_and_may_be_repeated)
{
	static const struct {
		const char *name;
		uint32_t policy, launch;
	} flags[] = {
		{ "--devices", LLR_POLICY_DEVICES, 0 },
		{ "--stdio", LLR_POLICY_STDIO, 0 },
		{ "--best-effort", LLR_POLICY_BEST_EFFORT, 0 },
		{ "--log-denials", LLR_POLICY_LOG_DENIALS, 0 },
		{ "--close-fds", 0, LLR_LAUNCH_CLOSE_FDS },
		{ "--die-with-parent", 0, LLR_LAUNCH_DIE_WITH_PARENT },
	};

	for (size_t i = 0; i < COUNT(flags); i++) {
		struct line *line = ACCEPT(flags[i].name, flags[i].name, "--", "x");

		cr_expect_eq(line->args.flags, flags[i].policy, "%s", flags[i].name);
		cr_expect_eq(line->args.launch, flags[i].launch, "%s", flags[i].name);
		cr_expect_eq(line->args.governed, 0);
	}
	cr_expect_eq(ACCEPT("--die-with-parent", "--close-fds", "--", "x")->args.launch,
		     LLR_LAUNCH_CLOSE_FDS | LLR_LAUNCH_DIE_WITH_PARENT);
	cr_expect_eq(ACCEPT("--git", "--mode", "workspace-write")->args.launch, LLR_LAUNCH_GIT);
	cr_expect_eq(ACCEPT("--devices", "--stdio", "--", "x")->args.flags,
		     LLR_POLICY_DEVICES | LLR_POLICY_STDIO);
}

Test(args, actions_are_told_from_launches)
{
	cr_expect_eq(ACCEPT("--help")->args.action, LLR_ACTION_HELP);
	cr_expect_eq(ACCEPT("--version")->args.action, LLR_ACTION_VERSION);
	cr_expect_eq(ACCEPT("--ro", "/", "--help", "anything", "after")->args.action,
		     LLR_ACTION_HELP);
	cr_expect_eq(ACCEPT("--dry-run", "--mode", "read-only")->args.action, LLR_ACTION_DRY_RUN);
	cr_expect_eq(ACCEPT("--", "--help")->args.action, LLR_ACTION_LAUNCH);
	cr_expect_eq(PARSE("--nonsense", "--help")->result, -1,
		     "what comes before --help is still read");
}

/* The parser opens nothing: who called it puts the file's options in its place, and asks again. */
Test(args, a_file_of_options_stops_the_parser_where_it_stands)
{
	static const char *const words[] = { "--status-fd", "9",          "--args-file",
					     "file",        "--nonsense", NULL };
	struct line *line = parse(words);

	cr_assert_eq(line->result, -1);
	cr_expect_eq(line->error.code, LLR_E_ARGS_FILE);
	cr_expect_eq(line->error.subject, words[3], "it is found by its address");
	cr_expect(!line->error.field && !line->error.errnum);
	cr_expect_eq(line->args.status_fd, 9, "what stands before it is read");
	cr_expect_eq(line->args.options_end, 0);
	cr_expect_eq(PARSE("--nonsense", "--args-file", "file")->error.code, LLR_E_ARGUMENT_UNKNOWN,
		     "what is wrong before it comes first");
	cr_expect_str_eq(ACCEPT("--ro", "--args-file", "--", "file")->args.argv[2], "--args-file");
}

Test(args, kept_descriptors_come_in_ascending_order)
{
	struct line *line = ACCEPT("--close-fds", "--bind-tcp", "5", "--keep-fd", "9", "--ro",
				   "--keep-fd", "--keep-fd", "4", "--keep-fd", "9", "--", "x",
				   "--keep-fd", "5");
	const char *value = NULL;

	cr_expect_eq(llr_args_kept_fd(&line->args, 3, &value), 4);
	cr_expect_str_eq(value, "4");
	cr_expect_eq(llr_args_kept_fd(&line->args, 4, NULL), 4);
	cr_expect_eq(llr_args_kept_fd(&line->args, 5, NULL), 9);
	cr_expect_eq(llr_args_kept_fd(&line->args, 9, NULL), 9);
	cr_expect_eq(llr_args_kept_fd(&line->args, 10, &value), -1);
	line = ACCEPT("--mode", "read-only", "--close-fds", "--keep-fd", "7");
	cr_expect_eq(llr_args_kept_fd(&line->args, 3, NULL), 7,
		     "the last option, and no command behind it");
}

Test(args, ten_thousand_grants_are_no_limit)
{
	enum { GRANTS = 10000, WORDS_TOTAL = 1 + 2 * GRANTS + 2 };
	static char *argv[WORDS_TOTAL + 1];
	static char program[] = "landlock-run", option[] = "--ro", path[] = "/x", dashes[] = "--";
	struct llr_args args;
	struct llr_error error;
	struct llr_policy policy;
	struct llr_grant grant;
	uint64_t cursor = 0;
	int count = 0;

	argv[0] = program;
	for (int i = 0; i < GRANTS; i++) {
		argv[1 + 2 * i] = option;
		argv[2 + 2 * i] = path;
	}
	argv[WORDS_TOTAL - 2] = dashes;
	argv[WORDS_TOTAL - 1] = path;
	cr_assert_eq(llr_args_parse(&args, WORDS_TOTAL, argv, &error), 0);
	llr_args_policy(&args, &policy);
	while (policy.grant_source(policy.grant_context, &cursor, &grant))
		count++;
	cr_expect_eq(count, GRANTS);
}

/* ---- The table of options ---- */

Test(options, each_name_finds_its_own_row)
{
	const struct llr_option *option;
	size_t rows = 0;

	for (; (option = llr_option_at(rows)) != NULL; rows++) {
		cr_expect_eq(llr_option_by_name(option->name), option, "%s", option->name);
		cr_expect_eq(llr_option_by_word(option->name + 2), option, "%s", option->name);
		cr_expect_null(llr_option_by_word(option->name), "%s", option->name);
	}
	cr_expect_null(llr_option_by_name("----ro"));
	cr_expect_null(llr_option_by_word("r"));
	cr_expect_null(llr_option_by_word(""));
	cr_expect_null(llr_option_by_name("--r"));
	cr_expect_null(llr_option_by_name("ro"));
	cr_expect_null(llr_option_by_name(""));
	cr_expect_leq(rows, 64, "the parser notes each row in a bit of 64");
}

Test(options, every_right_has_an_option_of_its_own_or_is_granted_by_allow)
{
	const struct llr_right *right;

	for (uint32_t i = 0; (right = llr_right_at(i)) != NULL; i++)
		if (right->traits & LLR_TRAIT_PORT) {
			char name[32];

			snprintf(name, sizeof name, "--%s", right->name);
			cr_expect_eq(llr_option_granting(OPTION_PORT, right->right, 0),
				     llr_option_by_name(name), "%s", name);
		}
	cr_expect_eq(llr_option_granting(OPTION_PATH, LLR_FILE_SET, 0), llr_option_by_name("--rw"));
	cr_expect_null(llr_option_granting(OPTION_PATH, LLR_FILE_SET, LLR_GRANT_IF_EXISTS),
		       "a writable path is never skipped");
}

/* Who adds a right to the table learns here that it needs a row in the table of options too. */
Test(options, each_right_that_must_be_named_has_the_option_that_grants_it)
{
	const struct llr_right *right;
	size_t found = 0;

	for (uint32_t i = 0; (right = llr_right_at(i)); i++) {
		enum llr_option_kind kind = right->traits & LLR_TRAIT_PORT ? OPTION_PORT
									   : OPTION_SOCKET;

		if (!(right->traits & LLR_TRAIT_OPT_IN) || right->traits & LLR_TRAIT_SCOPE)
			continue;
		found++;
		cr_expect_not_null(llr_option_granting(kind, right->right, 0),
				   "lib/options.c has no row for %s", right->name);
	}
	cr_expect_gt(found, 0);
}

Test(options, modes_and_guards_are_named_and_numbered_alike)
{
	cr_expect_str_eq(llr_mode_name(LLR_MODE_READ_ONLY), "read-only");
	cr_expect_str_eq(llr_mode_name(LLR_MODE_WORKSPACE_WRITE), "workspace-write");
	cr_expect_str_eq(llr_mode_name(LLR_MODE_DANGER_FULL_ACCESS), "danger-full-access");
	cr_expect_null(llr_mode_name(4));
	cr_expect_str_eq(llr_guard_name(LLR_GUARD_METADATA), "metadata");
	cr_expect_str_eq(llr_guard_name(LLR_GUARD_TTY), "tty");
	cr_expect_null(llr_guard_name(4));
	cr_expect_null(llr_guard_name(0));
}
