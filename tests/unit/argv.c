/* The command line written for a policy, and read again by the launcher's own parser: both ways
 * come to the same. What it cannot say it must refuse, and where there is no room it must write
 * nothing. */
#include <stdlib.h>
#include <string.h>

#include "args.h"
#include "rights.h"
#include "unit.h"

#define MOST_GRANTS 24
#define MOST_ARGUMENTS 512
#define MOST_TEXT 16384

static const char *const command_true[] = { "true", NULL };

/* What a build gave. */
struct built {
	int32_t count; /* or -1 */
	const char *argv[MOST_ARGUMENTS];
	char text[MOST_TEXT];
	struct llr_error error;
};

static void build_into(struct built *built, const struct llr_policy *policy,
		       const char *const *command)
{
	memset(built, 0, sizeof *built);
	built->count = llr_build_argv(policy, "/opt/landlock-run", command, built->argv,
				      COUNT(built->argv), built->text, sizeof built->text,
				      &built->error);
}

/* Builds what must be buildable. */
static struct built *build(const struct llr_policy *policy)
{
	static struct built built;

	build_into(&built, policy, command_true);
	cr_assert_geq(built.count, 0, "refused: %s", error_text(&built.error));
	return &built;
}

/* The options of a built line, joined by spaces. */
static const char *options_of(const struct built *built)
{
	static char joined[MOST_TEXT];

	*joined = 0;
	for (int32_t i = 1; i < built->count && strcmp(built->argv[i], "--") != 0; i++) {
		if (i > 1)
			strcat(joined, " ");
		strcat(joined, built->argv[i]);
	}
	return joined;
}

static struct llr_policy policy_of(const struct llr_grant *grants, size_t count)
{
	struct llr_policy policy = LLR_POLICY_INIT;

	policy.grants = grants;
	policy.grants_count = count;
	return policy;
}

static struct llr_grant path_grant(const char *path, llr_rights rights, uint32_t flags)
{
	return (struct llr_grant){ LLR_GRANT_PATH, flags, rights, path, -1, 0 };
}

static struct llr_grant port_grant(uint32_t port, llr_rights rights)
{
	return (struct llr_grant){ LLR_GRANT_PORT, 0, rights, NULL, -1, port };
}

/* ---- What is said how ---- */

Test(argv, the_simplest_policy_is_the_published_contract)
{
	struct llr_grant grants[] = { path_grant("/", LLR_READ_EXECUTE, 0),
				      path_grant("/dev/null", LLR_FILE_SET, 0) };
	struct llr_policy policy = policy_of(grants, 2);
	static const char *const command[] = { "bash", "-c", "echo \"$@\"", "--", "", NULL };
	static const char *const expected[] = { "/opt/landlock-run", "--ro", "/",    "--rw",
						"/dev/null",         "--",   "bash", "-c",
						"echo \"$@\"",       "--",   "" };
	static struct built built;

	build_into(&built, &policy, command);
	cr_assert_eq(built.count, (int32_t)COUNT(expected));
	for (size_t i = 0; i < COUNT(expected); i++)
		cr_expect_str_eq(built.argv[i], expected[i]);
	cr_expect_null(built.argv[COUNT(expected)]);
	cr_expect_eq(built.argv[2], grants[0].path, "the caller's strings are not copied");
}

Test(argv, an_empty_policy_is_a_line_without_options)
{
	struct llr_policy policy = LLR_POLICY_INIT;

	cr_expect_str_eq(options_of(build(&policy)), "");
	cr_expect_eq(build(&policy)->count, 3);
}

Test(argv, each_kind_of_grant_has_its_option)
{
	struct llr_grant grants[] = {
		path_grant("/a", LLR_READ_EXECUTE, LLR_GRANT_IF_EXISTS),
		path_grant("/b", LLR_WRITE_FILE | LLR_TRUNCATE, 0),
		path_grant("/run/s", LLR_RESOLVE_UNIX, 0),
		path_grant("/c:d", LLR_READ_DIR, 0),
		path_grant("/e", LLR_FILE_SET | LLR_RESOLVE_UNIX, 0),
		port_grant(443, LLR_CONNECT_TCP),
		port_grant(0, LLR_BIND_UDP),
	};
	struct llr_policy policy = policy_of(grants, COUNT(grants));

	policy.governed = LLR_RESOLVE_UNIX | LLR_CONNECT_TCP | LLR_BIND_UDP;
	cr_expect_str_eq(options_of(build(&policy)),
			 "--ro-try /a --allow write-file,truncate:/b --resolve-unix /run/s --allow "
			 "read-dir:/c:d --allow execute,write-file,"
			 "read-file,read-dir,remove-dir,remove-file,make-char,make-dir,make-reg,"
			 "make-sock,make-fifo,make-block,make-sym,refer,truncate,"
			 "ioctl-dev,resolve-unix:/e --connect-tcp 443 --bind-udp 0");
}

Test(argv, a_socket_named_none_is_not_taken_for_no_socket)
{
	struct llr_grant grant = path_grant("none", LLR_RESOLVE_UNIX, 0);
	struct llr_policy policy = policy_of(&grant, 1);

	policy.governed = LLR_RESOLVE_UNIX;
	cr_expect_str_eq(options_of(build(&policy)), "--allow resolve-unix:none");
}

Test(argv, rights_governed_without_a_grant_are_said)
{
	struct llr_policy policy = LLR_POLICY_INIT;

	policy.governed = llr_rights_with(LLR_TRAIT_OPT_IN);
	cr_expect_str_eq(options_of(build(&policy)),
			 "--resolve-unix none --bind-tcp none --connect-tcp none --bind-udp none "
			 "--connect-send-udp none --scope abstract-unix-socket --scope signal");
}

Test(argv, flags_guards_and_requirements_are_said)
{
	struct llr_policy policy = LLR_POLICY_INIT;

	policy.flags = LLR_POLICY_BEST_EFFORT | LLR_POLICY_LOG_DENIALS | LLR_POLICY_DEVICES |
		       LLR_POLICY_STDIO;
	policy.guards = LLR_GUARD_METADATA | LLR_GUARD_TTY;
	policy.required = LLR_TRUNCATE | LLR_REFER;
	cr_expect_str_eq(options_of(build(&policy)),
			 "--require refer,truncate --guard metadata --guard tty --best-effort "
			 "--log-denials --devices --stdio");
	policy = (struct llr_policy)LLR_POLICY_INIT;
	policy.required = LLR_FILE_SET | LLR_SIGNAL;
	cr_expect_str_eq(options_of(build(&policy)), "--require full --require signal");
}

Test(argv, naming_a_right_of_the_file_set_asks_for_the_refusal_that_best_effort_waives)
{
	struct llr_policy policy = LLR_POLICY_INIT;

	policy.governed = LLR_TRUNCATE;
	cr_expect_str_eq(options_of(build(&policy)), "--require truncate");
	policy.flags = LLR_POLICY_BEST_EFFORT;
	cr_expect_str_eq(options_of(build(&policy)), "--best-effort");
}

Test(argv, a_port_with_several_rights_is_an_option_for_each)
{
	struct llr_grant grant = port_grant(53, LLR_BIND_TCP | LLR_CONNECT_SEND_UDP);
	struct llr_policy policy = policy_of(&grant, 1);

	policy.required = LLR_BIND_TCP | LLR_CONNECT_SEND_UDP;
	cr_expect_str_eq(options_of(build(&policy)),
			 "--bind-tcp 53 --connect-send-udp 53 --require bind-tcp,connect-send-udp");
}

/* ---- What cannot be said ---- */

static void expect_refused(const struct llr_policy *policy, int32_t code, const char *field,
			   uint64_t index)
{
	static struct built built;

	build_into(&built, policy, command_true);
	cr_assert_eq(built.count, -1, "accepted: %s", options_of(&built));
	cr_expect_eq(built.error.code, code, "%s", error_text(&built.error));
	cr_expect_str_eq(built.error.field, field);
	cr_expect_eq(built.error.index, index);
}

Test(argv, grants_that_no_option_says_are_refused_by_member_and_index)
{
	struct llr_grant grants[] = { path_grant("/", LLR_READ_EXECUTE, 0),
				      path_grant("/x", LLR_FILE_SET, LLR_GRANT_DIRECTORY) };
	struct llr_policy policy = policy_of(grants, 2);

	expect_refused(&policy, LLR_E_GRANT, "flags", 1);
	grants[1] = path_grant("/x", LLR_READ_EXECUTE, LLR_GRANT_DIRECTORY | LLR_GRANT_IF_EXISTS);
	expect_refused(&policy, LLR_E_GRANT, "flags", 1);
	grants[1] = path_grant("/x", LLR_READ_FILE, LLR_GRANT_IF_EXISTS);
	expect_refused(&policy, LLR_E_GRANT, "flags", 1);
	grants[1] = (struct llr_grant){ LLR_GRANT_FD, 0, LLR_READ_FILE, NULL, 5, 0 };
	expect_refused(&policy, LLR_E_GRANT, "type", 1);
}

Test(argv, policies_that_could_not_be_enforced_are_refused_like_everywhere)
{
	struct llr_grant grant = port_grant(80, LLR_CONNECT_TCP);
	struct llr_policy policy = policy_of(&grant, 1);

	expect_refused(&policy, LLR_E_GRANT, "rights", 0);
	policy.governed = LLR_CONNECT_TCP;
	grant.port = 65536;
	expect_refused(&policy, LLR_E_GRANT, "port", 0);
	grant = path_grant(NULL, LLR_READ_FILE, 0);
	expect_refused(&policy, LLR_E_GRANT, "path", 0);
	policy = (struct llr_policy)LLR_POLICY_INIT;
	policy.size--;
	expect_refused(&policy, LLR_E_POLICY, "size", 0);
	policy = (struct llr_policy)LLR_POLICY_INIT;
	policy.governed = LLR_NAMESPACE_USE;
	expect_refused(&policy, LLR_E_POLICY, "governed", 0);
	expect_refused(NULL, LLR_E_POLICY, "policy", 0);
}

Test(argv, a_launcher_and_a_command_have_to_be_there)
{
	struct llr_policy policy = LLR_POLICY_INIT;
	static const char *const none[] = { NULL };
	const char *argv[8];
	struct llr_error error;

	cr_expect_eq(llr_build_argv(&policy, NULL, command_true, argv, 8, NULL, 0, &error), -1);
	cr_expect(error.code == LLR_E_POLICY && !strcmp(error.field, "launcher"));
	cr_expect_eq(llr_build_argv(&policy, "l", none, argv, 8, NULL, 0, &error), -1);
	cr_expect(error.code == LLR_E_POLICY && !strcmp(error.field, "command"));
	cr_expect_eq(llr_build_argv(&policy, "l", NULL, argv, 8, NULL, 0, &error), -1);
	cr_expect_eq(llr_build_argv(&policy, "l", none, argv, 8, NULL, 0, NULL), -1,
		     "an error need not be asked for");
}

/* ---- Room ---- */

Test(argv, too_little_room_is_told_exactly_and_nothing_is_overrun)
{
	struct llr_grant grants[] = { path_grant("/x", LLR_TRUNCATE, 0),
				      port_grant(65535, LLR_BIND_TCP),
				      path_grant("/", LLR_READ_EXECUTE, 0) };
	struct llr_policy policy = policy_of(grants, COUNT(grants));
	uint64_t pointers;
	size_t bytes;
	struct llr_error error;

	policy.governed = LLR_BIND_TCP;
	pointers = (uint64_t)build(&policy)->count + 1;
	bytes = sizeof "truncate:/x" + sizeof "65535";
	for (uint64_t count = 0; count <= pointers; count++)
		for (size_t size = 0; size <= bytes; size++) {
			const char **argv = malloc((size_t)(count ? count : 1) * sizeof *argv);
			char *text = malloc(size ? size : 1);
			int32_t result = llr_build_argv(&policy, "l", command_true,
							count ? argv : NULL, count,
							size ? text : NULL, size, &error);

			if (count == pointers && size == bytes) {
				cr_expect_eq(result, (int32_t)pointers - 1);
				cr_expect_str_eq(argv[2], "truncate:/x");
				cr_expect_str_eq(argv[4], "65535");
				cr_expect_null(argv[count - 1]);
			} else {
				cr_expect_eq(result, -1);
				cr_expect_eq(error.code, LLR_E_BUFFER);
				cr_expect_str_eq(error.field, count < pointers ? "argv" : "text");
				cr_expect_eq(error.index, count < pointers ? pointers : bytes, "%s",
					     error_text(&error));
			}
			free(argv);
			free(text);
		}
}

Test(argv, a_policy_without_values_of_its_own_needs_no_text)
{
	struct llr_grant grant = path_grant("/", LLR_READ_EXECUTE, 0);
	struct llr_policy policy = policy_of(&grant, 1);
	const char *argv[6];

	cr_expect_eq(llr_build_argv(&policy, "l", command_true, argv, 6, NULL, 0, NULL), 5);
}

/* ---- Round trips ---- */

/* A policy in the one form that equivalent policies have. */
struct normal {
	struct llr_grant grants[MOST_GRANTS * 5];
	size_t count;
	llr_rights governed, required;
	uint32_t flags, guards;
};

static void add_normal(struct normal *normal, struct llr_grant grant)
{
	/* A port's rights one by one: they add up. */
	if (grant.type == LLR_GRANT_PORT)
		for (llr_rights left = grant.rights; left; left &= left - 1) {
			grant.rights = left & ~(left - 1);
			normal->grants[normal->count++] = grant;
		}
	else
		normal->grants[normal->count++] = grant;
}

static void normalise(struct normal *normal, const struct llr_policy *policy)
{
	llr_rights opt_in = llr_rights_with(LLR_TRAIT_OPT_IN);
	struct llr_grant grant;
	uint64_t cursor = 0;

	normal->count = 0;
	for (uint64_t i = 0; i < policy->grants_count; i++)
		add_normal(normal, policy->grants[i]);
	while (policy->grant_source && policy->grant_source(policy->grant_context, &cursor, &grant))
		add_normal(normal, grant);
	/* What is required is governed; what is named of the file set is refused like what is
	 * required, unless best effort waives it. */
	normal->governed = (policy->governed | policy->required) & opt_in;
	normal->required = policy->required;
	if (!(policy->flags & LLR_POLICY_BEST_EFFORT))
		normal->required |= policy->governed & LLR_FILE_SET;
	normal->flags = policy->flags;
	normal->guards = policy->guards;
}

static void expect_same(const struct normal *left, const struct normal *right, const char *what)
{
	cr_assert_eq(left->count, right->count, "%s: %zu and %zu grants", what, left->count,
		     right->count);
	for (size_t i = 0; i < left->count; i++) {
		const struct llr_grant *one = &left->grants[i], *other = &right->grants[i];

		cr_assert(one->type == other->type && one->flags == other->flags &&
				  one->rights == other->rights,
			  "%s: grant %zu", what, i);
		if (one->type == LLR_GRANT_PORT)
			cr_assert_eq(one->port, other->port, "%s: grant %zu", what, i);
		else
			cr_assert_str_eq(one->path, other->path, "%s: grant %zu", what, i);
	}
	cr_assert_eq(left->governed, right->governed, "%s: governed", what);
	cr_assert_eq(left->required, right->required, "%s: required", what);
	cr_assert_eq(left->flags, right->flags, "%s: flags", what);
	cr_assert_eq(left->guards, right->guards, "%s: guards", what);
}

/* Reads a built line as the launcher does. */
static void read_line(const struct built *built, struct llr_args *args, struct llr_policy *policy,
		      const char *what)
{
	static char *argv[MOST_ARGUMENTS];
	struct llr_error error;

	for (int32_t i = 0; i <= built->count; i++)
		argv[i] = (char *)(uintptr_t)built->argv[i];
	cr_assert_eq(llr_args_parse(args, built->count, argv, &error), 0, "%s: %s", what,
		     error_text(&error));
	cr_assert(args->action == LLR_ACTION_LAUNCH && args->mode == LLR_MODE_NONE &&
			  !args->launch && args->status_fd == -1,
		  "%s", what);
	llr_args_policy(args, policy);
}

static const char *random_path(char room[40])
{
	static const char *const paths[] = {
		"/", "none", "full",       "--",          "--rw",      "-c", "",
		".", "/a:b", "execute:/x", "/with space", "/\xc3\xa9", "0"
	};

	if (!random_chance(3))
		return paths[random_below(COUNT(paths))];
	random_string(room, 39);
	return room;
}

static struct llr_grant random_grant(llr_rights governed, char room[40])
{
	static const llr_rights usual[] = { LLR_READ_EXECUTE, LLR_FILE_SET, LLR_READ_FILE,
					    LLR_FILE_SET & ~LLR_EXECUTE };
	llr_rights rights = random_rights(governed & llr_rights_with(LLR_TRAIT_PORT));

	if (rights && random_chance(3))
		return port_grant(random_chance(4) ? 65535 : (uint32_t)random_below(65536), rights);
	if (random_chance(5))
		return path_grant(random_path(room), LLR_READ_EXECUTE, LLR_GRANT_IF_EXISTS);
	if (governed & LLR_RESOLVE_UNIX && random_chance(4))
		return path_grant(random_path(room), LLR_RESOLVE_UNIX, 0);
	rights = random_chance(2) ? usual[random_below(COUNT(usual))]
				  : random_rights((governed | LLR_FILE_SET) &
						  llr_rights_with(LLR_TRAIT_PATH));
	return path_grant(random_path(room), rights ? rights : LLR_EXECUTE, 0);
}

/* A source over the second part of an array. */
struct rest {
	const struct llr_grant *grants;
	uint64_t count;
};

static int next_of_rest(const void *context, uint64_t *cursor, struct llr_grant *grant)
{
	const struct rest *rest = context;

	if (*cursor == rest->count)
		return 0;
	*grant = rest->grants[(*cursor)++];
	return 1;
}

struct random_policy {
	struct llr_policy policy;
	struct llr_grant grants[MOST_GRANTS];
	char rooms[MOST_GRANTS][40];
	struct rest rest;
};

static void randomise(struct random_policy *random)
{
	llr_rights handled = LLR_FILE_SET | llr_rights_with(LLR_TRAIT_OPT_IN);
	uint64_t count = random_below(MOST_GRANTS), split = random_below(count + 1);
	llr_rights governed;

	random->policy = (struct llr_policy)LLR_POLICY_INIT;
	random->policy.governed = random_chance(3) ? 0 : random_rights(random_rights(handled));
	random->policy.required = random_chance(2)   ? 0
				  : random_chance(3) ? LLR_FILE_SET
						     : random_rights(random_rights(handled));
	random->policy.flags = (uint32_t)random_below(16);
	random->policy.guards = (uint32_t)random_below(4);
	governed = (random->policy.governed | random->policy.required) &
		   llr_rights_with(LLR_TRAIT_OPT_IN);
	for (uint64_t i = 0; i < count; i++)
		random->grants[i] = random_grant(governed, random->rooms[i]);
	random->policy.grants = random->grants;
	random->policy.grants_count = split;
	random->rest = (struct rest){ random->grants + split, count - split };
	random->policy.grant_source = next_of_rest;
	random->policy.grant_context = &random->rest;
}

Test(argv, a_policy_written_and_read_is_the_same_policy)
{
	static struct random_policy random;
	static struct built built, again;
	static struct normal before, after;
	static const char *const command[] = { "--", "-c", "--help", "", NULL };

	random_begin("policy to argv to policy");
	for (int round = 0; round < 5000; round++) {
		struct llr_args args;
		struct llr_policy policy;
		char what[64];

		snprintf(what, sizeof what, "seed 0x%llx round %d",
			 (unsigned long long)random_seed(), round);
		randomise(&random);
		build_into(&built, &random.policy, command);
		cr_assert_geq(built.count, 0, "%s: %s", what, error_text(&built.error));
		read_line(&built, &args, &policy, what);
		normalise(&before, &random.policy);
		normalise(&after, &policy);
		expect_same(&before, &after, what);
		cr_assert(args.command == built.count - 4 && built.argv[args.command] == command[0],
			  "%s: the command", what);
		/* Written once more it is the same line, word by word. */
		build_into(&again, &policy, command);
		cr_assert_eq(again.count, built.count, "%s: %s", what, options_of(&again));
		for (int32_t i = 0; i < built.count; i++)
			cr_assert_str_eq(again.argv[i], built.argv[i], "%s", what);
	}
}

/* One option that a policy has, with a value; how many words. */
static int random_option(const char *words[2], char room[200])
{
	static const char *const lists[] = {
		"execute", "refer,truncate", "bind-tcp,execute,bind-tcp",
		"signal",  "resolve-unix",   "full"
	};
	static const char *const allowed[] = { "execute:/", "write-file,truncate:none",
					       "resolve-unix:none",
					       "refer:", "read-dir,resolve-unix:a:b" };
	static const char *const scopes[] = { "signal", "abstract-unix-socket",
					      "signal,abstract-unix-socket" };
	static const char *const guards[] = { "metadata", "tty" };
	static const char *const ports[] = { "none", "0", "00443", "65535" };
	const struct llr_option *option;

	do
		option = llr_option_at((size_t)random_below(40));
	while (!option || (option->kind > OPTION_GUARD && option->kind != OPTION_POLICY));
	words[0] = option->name;
	words[1] = option->kind == OPTION_REQUIRE ? lists[random_below(COUNT(lists))]
		   : option->kind == OPTION_ALLOW ? allowed[random_below(COUNT(allowed))]
		   : option->kind == OPTION_SCOPE ? scopes[random_below(COUNT(scopes))]
		   : option->kind == OPTION_GUARD ? guards[random_below(COUNT(guards))]
		   : option->kind == OPTION_PORT  ? ports[random_below(COUNT(ports))]
						  : random_path(room);
	return llr_option_takes_value(option) ? 2 : 1;
}

Test(argv, a_line_read_and_written_is_the_same_policy)
{
	static struct built line, built;
	static struct normal before, after;
	static char rooms[MOST_GRANTS][200];

	random_begin("argv to policy to argv");
	for (int round = 0; round < 5000; round++) {
		struct llr_args args, args_again;
		struct llr_policy policy, policy_again;
		char what[64];

		snprintf(what, sizeof what, "seed 0x%llx round %d",
			 (unsigned long long)random_seed(), round);
		line.count = 0;
		line.argv[line.count++] = "landlock-run";
		for (uint64_t i = random_below(MOST_GRANTS); i--;)
			line.count += random_option(line.argv + line.count, rooms[i]);
		line.argv[line.count++] = "--";
		line.argv[line.count++] = "true";
		line.argv[line.count] = NULL;
		read_line(&line, &args, &policy, what);
		normalise(&before, &policy);
		build_into(&built, &policy, command_true);
		cr_assert_geq(built.count, 0, "%s: %s from %s", what, error_text(&built.error),
			      options_of(&line));
		read_line(&built, &args_again, &policy_again, what);
		normalise(&after, &policy_again);
		expect_same(&before, &after, what);
	}
}
