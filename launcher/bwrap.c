/* `landlock-run bwrap`: the front for callers that speak bubblewrap's command line, for just the
 * profile that Landlock can honour. What it cannot honour is refused by name; it never prints
 * anything but a failure, and it asks for everything or nothing. */
#include <errno.h>
#include <fcntl.h>

#include "bwrap.h"
#include "confine.h"
#include "error.h"
#include "inherit.h"
#include "launcher.h"
#include "sys.h"
#include "text.h"

#define BIT(effect) (1U << (effect))
#define WRITES (BIT(GRANT_WRITE) | BIT(GRANT_WRITE_TRY) | BIT(TMPFS))

struct profile {
	char **argv;
	int end;       /* the index of `--` */
	uint32_t seen; /* effects */
	const char *directory;
};

/* The effect of an option, or -1. */
static int effect_of(const char *name)
{
	return llr_word_place(form_names, name, llr_string_length(name));
}

static int refuse(const char *option, const char *reason, struct llr_error *error)
{
	return llr_fail(error, LLR_E_NOT_HONOURED, 0, option, reason);
}

/* Why an option cannot be honoured where it stands, or NULL. */
static const char *objection(int effect, char *const *values, uint32_t seen)
{
	const char *only = llr_word_at(form_only, (size_t)effect);

	if (effect <= WAIVE_TMP && seen & ~(BIT(WAIVE_PIDS) | BIT(WAIVE_TMP)))
		return WORD("waivers come before the profile");
	if (form_values[effect] == 2 && !llr_string_equal(values[0], values[1]))
		return WORD("no file has another name here");
	if (*only && !llr_string_equal(values[0], only))
		return WORD("only its usual place is known");
	if (effect == PRIVATE_PIDS && !(seen & BIT(WAIVE_PIDS)))
		return WORD("no private processes; --share-pids waives them");
	if (effect == TMPFS && !(seen & BIT(WAIVE_TMP)))
		return WORD("no private /tmp; --share-tmp grants the host's instead");
	/* A later mount hides what is beneath it; a later grant takes nothing back. */
	if ((effect == GRANT_READ || effect == GRANT_READ_TRY) && seen & WRITES)
		return WORD("it narrows no bind before it");
	return NULL;
}

static int parse(struct profile *profile, int argc, char **argv, struct llr_error *error)
{
	int i = 2;

	*profile = (struct profile){ argv, 0, 0, NULL };
	while (i < argc && !llr_string_equal(argv[i], "--")) {
		int effect = effect_of(argv[i]);
		const char *reason;

		if (effect < 0)
			return refuse(argv[i], NULL, error);
		if (argc - i <= form_values[effect])
			return llr_fail(error, LLR_E_VALUE_MISSING, 0, WORD("its arguments"),
					argv[i]);
		reason = objection(effect, argv + i + 1, profile->seen);
		if (reason)
			return refuse(argv[i], reason, error);
		profile->seen |= BIT(effect);
		if (effect == DIRECTORY)
			profile->directory = argv[i + 1];
		i += 1 + form_values[effect];
	}
	profile->end = i;
	return i + 1 < argc ? 0 : llr_fail(error, LLR_E_COMMAND_MISSING, 0, NULL, NULL);
}

static int is_missing(const char *path)
{
	return SYS3(faccessat, AT_FDCWD, sys_pointer(path), 0) == -ENOENT;
}

/* The grant of one option; 0 when it has none. */
static int read_grant(int effect, const char *path, struct llr_grant *grant)
{
	*grant = (struct llr_grant){ LLR_GRANT_PATH, 0, LLR_FILE_SET, path, -1, 0 };
	switch (effect) {
	case GRANT_READ_TRY:
		grant->flags = LLR_GRANT_IF_EXISTS;
		grant->rights = LLR_READ_EXECUTE;
		return 1;
	case GRANT_READ:
		grant->rights = LLR_READ_EXECUTE;
		return 1;
	case GRANT_WRITE_TRY:
		return !is_missing(path);
	default:
		return effect == GRANT_WRITE || effect == TMPFS;
	}
}

static int next_grant(const void *context, uint64_t *cursor, struct llr_grant *grant)
{
	const struct profile *profile = context;

	while (2 + *cursor < (uint64_t)profile->end) {
		char *const *at = profile->argv + 2 + *cursor;
		int effect = effect_of(*at);

		*cursor += effect < 0 ? 1U : 1U + form_values[effect];
		if (effect >= 0 && read_grant(effect, at[1], grant))
			return 1;
	}
	return 0;
}

/* setsid without a fork: possible unless this process leads a group; a session of its own without a
 * terminal is what it would have made. */
static int new_session(struct llr_error *error)
{
	long result = SYS0(setsid), tty;

	if (!sys_failed(result))
		return 0;
	tty = SYS4(openat, AT_FDCWD, sys_pointer("/dev/tty"), O_RDWR | O_CLOEXEC | O_NOCTTY, 0);
	if (SYS1(getsid, 0) == SYS0(getpid) && tty == -ENXIO)
		return 0;
	return refuse(WORD("--new-session"), WORD("this process leads a group"), error);
}

static int enter(const struct profile *profile, struct llr_error *error)
{
	long result;

	if (profile->seen & BIT(SESSION) && new_session(error))
		return -1;
	if (profile->seen & BIT(DIE) && llr_die_with_parent(SYS0(getppid), error))
		return -1;
	result = profile->directory ? SYS1(chdir, sys_pointer(profile->directory)) : 0;
	return sys_failed(result) ? llr_fail(error, LLR_E_FILES, result, profile->directory,
					     WORD("the working directory"))
				  : 0;
}

int bwrap_prepare(int argc, char **argv, char ***command, struct llr_error *error)
{
	struct profile profile;
	struct llr_policy policy = LLR_POLICY_INIT;
	struct llr_result result = LLR_RESULT_INIT;

	if (parse(&profile, argc, argv, error))
		return -1;
	policy.required = LLR_FILE_SET | LLR_SIGNAL;
	policy.grant_source = next_grant;
	policy.grant_context = &profile;
	if (profile.seen & BIT(DEVICES))
		policy.flags |= LLR_POLICY_DEVICES;
	/* bubblewrap mounts read-only, where modes and times cannot change either; with a writable
	 * bind they must be free to, there. */
	if (!(profile.seen & WRITES))
		policy.guards |= LLR_GUARD_METADATA;
	if (enter(&profile, error) || llr_confine_before_exec(&policy, &result, error))
		return -1;
	*command = argv + profile.end + 1;
	return 0;
}
