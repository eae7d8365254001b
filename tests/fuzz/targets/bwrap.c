/* `landlock-run bwrap`: input is one byte, what the kernel answers, and the arguments behind
 * `bwrap`, each ended by a NUL. What is accepted is what bubblewrap would have done, as far as can
 * be, and nothing of it is done before all of it is accepted. */
#include <errno.h>
#include <string.h>

#include "claims.h"
#include "confine.h"
#include "fake_sys.h"
#include "inherit.h"
#include "launcher.h"

long (*fake_kernel)(long number, const long arguments[5]);

#define MOST_GRANTS 64

/* How the kernel is, and what came of the launch. */
static struct {
	uint8_t answers;
	int confined;
	int entered; /* a call that changes something was made */
	struct llr_policy policy;
	struct llr_grant grants[MOST_GRANTS];
	size_t count;
} world;

enum answer { NO_SESSION = 1, NO_TERMINAL = 2, NO_DIRECTORY = 4, NO_PATH = 8, NO_LANDLOCK = 16 };

static long kernel(long number, const long arguments[5])
{
	(void)arguments;
	switch (number) {
	case SYS_setsid:
		world.entered = 1;
		return world.answers & NO_SESSION ? -EPERM : 7;
	case SYS_openat:
		return world.answers & NO_TERMINAL ? -ENXIO : 5;
	case SYS_chdir:
		world.entered = 1;
		return world.answers & NO_DIRECTORY ? -ENOENT : 0;
	case SYS_faccessat:
		return world.answers & NO_PATH ? -ENOENT : 0;
	case SYS_getsid:
	case SYS_getpid:
	case SYS_getppid:
		return 7;
	default:
		BROKEN("a system call that this front has no use for");
	}
}

/* In place of the library's, which bwrap.c is compiled to call by these names. */
int fake_die_with_parent(long parent, struct llr_error *error);
int fake_confine_before_exec(const struct llr_policy *policy, struct llr_result *result,
			     struct llr_error *error);

int fake_die_with_parent(long parent, struct llr_error *error)
{
	(void)parent;
	(void)error;
	world.entered = 1;
	return 0;
}

int fake_confine_before_exec(const struct llr_policy *policy, struct llr_result *result,
			     struct llr_error *error)
{
	uint64_t cursor = 0;

	world.confined++;
	world.policy = *policy;
	HOLDS(result->size == sizeof *result);
	HOLDS(llr_policy_check(policy, error) == 0);
	while (world.count < MOST_GRANTS &&
	       policy->grant_source(policy->grant_context, &cursor, &world.grants[world.count]))
		world.count++;
	if (!(world.answers & NO_LANDLOCK))
		return 0;
	*error = (struct llr_error){ LLR_E_NOT_ENFORCED, ENOSYS, NULL, NULL, 0 };
	return -1;
}

/* ---- What bubblewrap's words mean ---- */

/* What the words before `--` come to. */
struct profile {
	int end;
	int refused; /* there is a word that cannot be honoured where it stands */
	int writes;
	int waived_pids, waived_tmp;
	int devices;
	const char *directory;
	size_t granted;
};

static int is(const char *word, const char *other)
{
	return !strcmp(word, other);
}

static int has_grant(const struct profile *profile, const char *path, llr_rights rights,
		     uint32_t flags)
{
	const struct llr_grant *grant = &world.grants[profile->granted];

	return !world.confined || profile->granted >= MOST_GRANTS ||
	       (profile->granted < world.count && grant->type == LLR_GRANT_PATH &&
		is(grant->path, path) && grant->rights == rights && grant->flags == flags);
}

/* A bind of either kind, which has two values; returns whether it can be honoured. */
static int take_bind(struct profile *profile, const char *word, char **values)
{
	int reads = !strncmp(word, "--ro", 4), tries = strstr(word, "-try") != NULL;

	if (!is(values[0], values[1]) || (reads && profile->writes))
		return 0;
	profile->writes |= !reads;
	if (!reads && tries && world.answers & NO_PATH)
		return 1;
	HOLDS(has_grant(profile, values[0], reads ? LLR_READ_EXECUTE : LLR_FILE_SET,
			reads && tries ? LLR_GRANT_IF_EXISTS : 0));
	profile->granted++;
	return 1;
}

/* A word with one value or none; returns whether it can be honoured, *taken of the values. */
static int take_word(struct profile *profile, const char *word, const char *value, int *taken)
{
	*taken = 0;
	if (is(word, "--unshare-pid"))
		return profile->waived_pids;
	if (is(word, "--die-with-parent") || is(word, "--new-session"))
		return 1;
	*taken = 1;
	if (!value)
		return 0;
	if (is(word, "--dev")) {
		profile->devices = 1;
		return is(value, "/dev");
	}
	if (is(word, "--proc"))
		return is(value, "/proc");
	if (is(word, "--chdir")) {
		profile->directory = value;
		return 1;
	}
	if (!is(word, "--tmpfs") || !is(value, "/tmp") || !profile->waived_tmp)
		return 0;
	profile->writes = 1;
	HOLDS(has_grant(profile, "/tmp", LLR_FILE_SET, 0));
	profile->granted++;
	return 1;
}

static int is_bind(const char *word)
{
	return is(word, "--ro-bind") || is(word, "--ro-bind-try") || is(word, "--bind") ||
	       is(word, "--bind-try");
}

static struct profile read_profile(int argc, char **argv)
{
	struct profile profile = { 2, 0, 0, 0, 0, 0, NULL, 0 };
	int *i = &profile.end, taken;

	for (; *i < argc; ++*i) {
		if (is(argv[*i], "--share-pids"))
			profile.waived_pids = 1;
		else if (is(argv[*i], "--share-tmp"))
			profile.waived_tmp = 1;
		else
			break;
	}
	while (*i < argc && !is(argv[*i], "--")) {
		char **values = argv + *i + 1;

		taken = 2;
		if (is_bind(argv[*i])) {
			if (argc - *i <= 2 || !take_bind(&profile, argv[*i], values))
				profile.refused = 1;
		} else if (!take_word(&profile, argv[*i], *values, &taken)) {
			profile.refused = 1;
		}
		if (profile.refused)
			return profile;
		*i += 1 + taken;
	}
	profile.refused = *i + 1 >= argc;
	return profile;
}

static void claim_accepted(const struct profile *profile, char **argv, char **command)
{
	HOLDS(!profile->refused && world.confined == 1);
	HOLDS(command == argv + profile->end + 1 && *command);
	HOLDS(!profile->directory || !(world.answers & NO_DIRECTORY));
}

static void claim_confined(const struct profile *profile)
{
	const struct llr_policy *policy = &world.policy;

	HOLDS(!profile->refused);
	HOLDS(policy->required == (LLR_FILE_SET | LLR_SIGNAL) && !policy->governed);
	HOLDS(policy->flags == (profile->devices ? LLR_POLICY_DEVICES : 0));
	HOLDS(policy->guards == (profile->writes ? 0 : LLR_GUARD_METADATA));
	HOLDS(profile->granted == world.count || world.count == MOST_GRANTS);
}

void fuzz_bwrap(struct bytes bytes)
{
	struct llr_error error = { 0, 0, NULL, NULL, 0 };
	struct profile profile;
	char **argv, **command = NULL;
	int argc, failed;

	memset(&world, 0, sizeof world);
	fake_kernel = kernel;
	world.answers = take_byte(&bytes);
	argc = take_argv(&bytes, "landlock-run", "bwrap", &argv);
	failed = bwrap_prepare(argc, argv, &command, &error);
	profile = read_profile(argc, argv);
	if (world.confined)
		claim_confined(&profile);
	if (!failed) {
		claim_accepted(&profile, argv, command);
	} else if (profile.refused) {
		HOLDS(!world.entered && !world.confined);
		claim_reported(&error, "usage error: ");
	} else {
		/* It was the kernel. */
		HOLDS(world.answers);
		claim_lines(&error, LLR_LINE_MAX);
	}
}
