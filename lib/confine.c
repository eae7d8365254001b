/* Confines the calling thread by a policy: check it, ask the kernel, grant, restrict, guard.
 * Nothing here prints; nothing is restricted before everything that can be refused has been. */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/stat.h>

#include "confine.h"
#include "error.h"
#include "guards.h"
#include "rights.h"
#include "ruleset.h"
#include "sys.h"
#include "text.h"
#include "uapi.h"

/* ---- Checking: no kernel call ---- */

#define POLICY_FLAGS \
	(LLR_POLICY_BEST_EFFORT | LLR_POLICY_LOG_DENIALS | LLR_POLICY_DEVICES | LLR_POLICY_STDIO)
#define GRANT_FLAGS (LLR_GRANT_IF_EXISTS | LLR_GRANT_DIRECTORY)

/* The rights that a policy wants governed. */
static llr_rights wanted(const struct llr_policy *policy)
{
	llr_rights opt_in = llr_rights_with(LLR_TRAIT_OPT_IN);

	return LLR_FILE_SET | ((policy->governed | policy->required) & opt_in);
}

/* The next grant that the caller wrote: of the array and then of the source; 0 at the end. */
static int next_written(const struct llr_policy *policy, struct llr_grant_cursor *cursor,
			struct llr_grant *grant)
{
	cursor->index = cursor->next++;
	if (cursor->index < policy->grants_count) {
		*grant = policy->grants[cursor->index];
		return 1;
	}
	return policy->grant_source &&
	       policy->grant_source(policy->grant_context, &cursor->source, grant) > 0;
}

/* NULL, or the member at fault. */
static const char *grant_fault(const struct llr_grant *grant, llr_rights governed)
{
	llr_rights grantable = llr_rights_with(grant->type == LLR_GRANT_PORT ? LLR_TRAIT_PORT
									     : LLR_TRAIT_PATH) &
			       governed;
	llr_rights harmless = LLR_READ_EXECUTE;

	if (grant->type > LLR_GRANT_PORT)
		return "type";
	if (grant->flags & ~(uint32_t)GRANT_FLAGS ||
	    (grant->flags && grant->type != LLR_GRANT_PATH))
		return "flags";
	if (!grant->rights || grant->rights & ~grantable)
		return "rights";
	if (grant->flags & LLR_GRANT_IF_EXISTS && grant->rights & ~harmless)
		return "flags";
	if (grant->type == LLR_GRANT_PATH && !grant->path)
		return "path";
	if (grant->type == LLR_GRANT_FD && grant->fd < 0)
		return "fd";
	if (grant->type == LLR_GRANT_PORT && grant->port > UINT16_MAX)
		return "port";
	return NULL;
}

static const char *policy_fault(const struct llr_policy *policy)
{
	llr_rights opt_in = llr_rights_with(LLR_TRAIT_OPT_IN);

	if (policy->flags & ~(uint32_t)POLICY_FLAGS)
		return "flags";
	if (policy->governed & ~(opt_in | LLR_FILE_SET))
		return "governed";
	if (policy->required & ~(opt_in | LLR_FILE_SET))
		return "required";
	if (policy->grants_count && !policy->grants)
		return "grants";
	if (policy->guards & ~(uint32_t)(LLR_GUARD_METADATA | LLR_GUARD_TTY))
		return "guards";
	return policy->reserved ? "reserved" : NULL;
}

int llr_policy_check(const struct llr_policy *policy, struct llr_error *error)
{
	struct llr_grant_cursor cursor = LLR_GRANT_CURSOR_INIT;
	struct llr_grant grant;
	const char *fault;
	llr_rights governed;

	/* The first version's size is today's: a longer structure comes from a caller whose wishes
	 * this library cannot know. */
	if (!policy || policy->size != sizeof *policy)
		return llr_fail(error, LLR_E_POLICY, 0, NULL, policy ? "size" : "policy");
	fault = policy_fault(policy);
	if (fault)
		return llr_fail(error, LLR_E_POLICY, 0, NULL, fault);
	governed = wanted(policy);
	while (next_written(policy, &cursor, &grant)) {
		fault = grant_fault(&grant, governed);
		if (fault)
			return llr_fail_at(error, LLR_E_GRANT, NULL, fault, cursor.index);
	}
	return 0;
}

/* ---- Asking: what this kernel governs of the policy ---- */

static int ungoverned(const char *name, uint32_t abi, struct llr_error *error)
{
	return llr_fail_at(error, LLR_E_UNGOVERNED, name, NULL, abi);
}

/* What was asked for by name is enforced or refused. */
static int refuse_ungoverned(const struct llr_policy *policy, const struct llr_result *result,
			     struct llr_error *error)
{
	llr_rights missing = result->ungoverned & policy->required;
	struct llr_right right;

	if (!(policy->flags & LLR_POLICY_BEST_EFFORT)) {
		missing |= result->ungoverned & policy->governed;
		if (result->unmet)
			return ungoverned(LLR_FEATURE_LOG_DENIALS, (uint32_t)result->abi, error);
	}
	return llr_rights_take(&missing, &right)
		       ? ungoverned(right.name, (uint32_t)result->abi, error)
		       : 0;
}

/* The flags that this kernel is too old for. */
static uint32_t unmet(const struct llr_policy *policy, int32_t abi)
{
	return abi < LLR_LOG_DENIALS_ABI ? policy->flags & LLR_POLICY_LOG_DENIALS : 0;
}

/* Opens a ruleset for the policy and says what it governs; the ruleset is open only when this
 * succeeds. */
static int open_ruleset(const struct llr_policy *policy, struct llr_ruleset *ruleset,
			struct llr_result *result, struct llr_error *error)
{
	int32_t abi = llr_kernel_abi(error);

	if (abi < 0 || llr_ruleset_open(ruleset, wanted(policy) & llr_rights_of_abi(abi), error))
		return -1;
	result->abi = abi;
	result->governed = ruleset->governed;
	result->ungoverned = wanted(policy) & ~ruleset->governed;
	result->unmet = unmet(policy, abi);
	result->enforcement = result->ungoverned || result->unmet ? LLR_ENFORCEMENT_PARTIAL
								  : LLR_ENFORCEMENT_FULL;
	if (refuse_ungoverned(policy, result, error)) {
		llr_ruleset_close(ruleset);
		return -1;
	}
	return 0;
}

/* A result that claims nothing, unless the caller's is of another version. */
static int result_clear(struct llr_result *result, struct llr_error *error)
{
	if (!result || result->size != sizeof *result)
		return llr_fail(error, LLR_E_POLICY, 0, NULL, "result.size");
	*result = (struct llr_result)LLR_RESULT_INIT;
	return 0;
}

/* A guard that this kernel cannot install is refused while the thread is still free. */
static int check_guards(const struct llr_policy *policy, struct llr_error *error)
{
	int unavailable = policy->guards ? llr_guard_available(policy->guards) : 0;

	return unavailable ? llr_fail(error, LLR_E_GUARD, unavailable, NULL, NULL) : 0;
}

int llr_policy_plan(const struct llr_policy *policy, struct llr_result *result,
		    struct llr_error *error)
{
	struct llr_ruleset ruleset;
	struct llr_result found = LLR_RESULT_INIT;

	if (check_guards(policy, error) || open_ruleset(policy, &ruleset, &found, error))
		return -1;
	llr_ruleset_close(&ruleset);
	*result = found;
	return 0;
}

int llr_plan(const struct llr_policy *policy, struct llr_result *result, struct llr_error *error)
{
	if (result_clear(result, error) || llr_policy_check(policy, error))
		return -1;
	return llr_policy_plan(policy, result, error);
}

/* ---- Granting ---- */

/* Devices that programs write to without changing anything that lasts; behind the last an empty
 * word. */
static const char devices[] = "/dev/null\0/dev/zero\0/dev/full\0/dev/random\0"
			      "/dev/urandom\0/dev/tty\0/dev/ptmx\0/dev/pts\0";

static int next_device(struct llr_grant_cursor *cursor, struct llr_grant *grant)
{
	const char *path = llr_word_at(devices, cursor->device);

	if (!*path)
		return 0;
	cursor->device++;
	*grant = (struct llr_grant){
		LLR_GRANT_PATH, LLR_GRANT_IF_EXISTS, LLR_WRITE_FILE | LLR_IOCTL_DEV, path, -1, 0
	};
	return 1;
}

/* What reopening an open descriptor in its own access mode needs; 0 for a descriptor that is closed
 * or that no grant can help. */
static llr_rights reopen_rights(int fd)
{
	llr_rights rights = 0;
	struct statx status = { 0 };
	long flags = SYS2(fcntl, fd, F_GETFL);
	long access = flags & O_ACCMODE;

	if (sys_failed(flags) || flags & O_PATH)
		return 0;
	/* A directory's grant would reach everything beneath it. */
	if (sys_failed(SYS5(statx, fd, sys_pointer(""), AT_EMPTY_PATH, STATX_TYPE,
			    sys_pointer(&status))) ||
	    S_ISDIR(status.stx_mode))
		return 0;
	if (access == O_RDONLY || access == O_RDWR)
		rights |= LLR_READ_FILE;
	if (access == O_WRONLY || access == O_RDWR)
		rights |= LLR_WRITE_FILE | LLR_TRUNCATE;
	return rights |
	       LLR_IOCTL_DEV; /* the descriptor's own ioctl calls are not governed either */
}

static int next_stdio(struct llr_grant_cursor *cursor, struct llr_grant *grant)
{
	while (cursor->descriptor <= 2) {
		int fd = cursor->descriptor++;

		*grant = (struct llr_grant){ LLR_GRANT_FD, 0, reopen_rights(fd), NULL, fd, 0 };
		if (grant->rights)
			return 1;
	}
	return 0;
}

int llr_policy_next_grant(const struct llr_policy *policy, struct llr_grant_cursor *cursor,
			  struct llr_grant *grant)
{
	return next_written(policy, cursor, grant) ||
	       (policy->flags & LLR_POLICY_DEVICES && next_device(cursor, grant)) ||
	       (policy->flags & LLR_POLICY_STDIO && next_stdio(cursor, grant));
}

static int grant_all(const struct llr_policy *policy, const struct llr_ruleset *ruleset,
		     struct llr_error *error)
{
	struct llr_grant_cursor cursor = LLR_GRANT_CURSOR_INIT;
	struct llr_grant grant;

	while (llr_policy_next_grant(policy, &cursor, &grant))
		if (llr_ruleset_grant(ruleset, &grant, error))
			return -1;
	return 0;
}

/* ---- Restricting ---- */

static int grant_and_restrict(const struct llr_policy *policy, const struct llr_ruleset *ruleset,
			      int log_denials, struct llr_error *error)
{
	long guarded;

	if (grant_all(policy, ruleset, error) || llr_ruleset_restrict(ruleset, log_denials, error))
		return -1;
	guarded = policy->guards ? llr_guard_install(policy->guards) : 0;
	return sys_failed(guarded) ? llr_fail(error, LLR_E_GUARD, guarded, NULL, NULL) : 0;
}

static int confine(const struct llr_policy *policy, int keep_ruleset, struct llr_result *result,
		   struct llr_error *error)
{
	struct llr_result found = LLR_RESULT_INIT;
	struct llr_ruleset ruleset;
	int log_denials, failed;

	if (check_guards(policy, error) || open_ruleset(policy, &ruleset, &found, error))
		return -1;
	log_denials = policy->flags & LLR_POLICY_LOG_DENIALS && !found.unmet;
	failed = grant_and_restrict(policy, &ruleset, log_denials, error);
	if (failed || !keep_ruleset)
		llr_ruleset_close(&ruleset);
	if (!failed)
		*result = found;
	return failed;
}

int llr_confine_before_exec(const struct llr_policy *policy, struct llr_result *result,
			    struct llr_error *error)
{
	return confine(policy, 1, result, error);
}

int llr_confine(const struct llr_policy *policy, struct llr_result *result, struct llr_error *error)
{
	if (result_clear(result, error) || llr_policy_check(policy, error))
		return -1;
	return confine(policy, 0, result, error);
}
