/* All Landlock calls are here, and what their errors mean.
 * Nothing here prints, decides what is enough, or touches the contents of a granted file. */
#include <errno.h>
#include <fcntl.h>
#include <sys/prctl.h>

#include "error.h"
#include "rights.h"
#include "ruleset.h"
#include "sys.h"
#include "text.h"
#include "uapi.h"

int32_t llr_kernel_abi(struct llr_error *error)
{
	long abi = SYS3(landlock_create_ruleset, 0, 0, CREATE_RULESET_VERSION);

	if (sys_failed(abi))
		return llr_fail(error, LLR_E_NOT_ENFORCED, abi, NULL, NULL);
	/* No kernel answers so; a filter that fakes success does. */
	if (abi < 1 || abi > INT32_MAX)
		return llr_fail(error, LLR_E_NOT_ENFORCED, ENOSYS, NULL, NULL);
	return (int32_t)abi;
}

int32_t llr_kernel_errata(void)
{
	long errata = SYS3(landlock_create_ruleset, 0, 0, CREATE_RULESET_ERRATA);

	return sys_failed(errata) ? -1 : (int32_t)errata;
}

/* A descriptor, or a negated errno. */
static long create(llr_rights rights)
{
	struct ruleset_attr attr = { rights_fs(rights), rights_net(rights), rights_scope(rights) };
	/* Older kernels refuse a longer structure only when its tail is not zero, but back-ports
	 * have been seen to be pickier. */
	size_t size = attr.scoped               ? sizeof attr
		      : attr.handled_access_net ? 2 * sizeof(uint64_t)
						: sizeof(uint64_t);

	return SYS3(landlock_create_ruleset, sys_pointer(&attr), size, 0);
}

/* EINVAL is how a kernel refuses a right that it does not know, E2BIG a field. */
static int refused(long result)
{
	return result == -EINVAL || result == -E2BIG;
}

/* What is left of `wanted` after asking for each right alone; 0 and *failure set when asking itself
 * failed. */
static llr_rights narrow(llr_rights wanted, long *failure)
{
	llr_rights governed = 0;

	*failure = -EINVAL;
	for (llr_rights left = wanted; left; left &= left - 1) {
		llr_rights one = left & ~(left - 1);
		long fd = create(one);

		if (!sys_failed(fd)) {
			governed |= one;
			SYS1(close, fd);
		} else if (!refused(fd)) {
			*failure = fd;
			return 0;
		}
	}
	return governed;
}

int llr_ruleset_open(struct llr_ruleset *ruleset, llr_rights wanted, struct llr_error *error)
{
	long fd = create(wanted);

	if (refused(fd)) {
		wanted = narrow(wanted, &fd);
		if (wanted)
			fd = create(wanted);
	}
	if (sys_failed(fd))
		return llr_fail(error, LLR_E_RULESET, fd, NULL, WORD("cannot create a ruleset"));
	ruleset->fd = (int)fd;
	ruleset->governed = wanted;
	return 0;
}

/* 0 or a negated errno. */
static long add_path_rule(const struct llr_ruleset *ruleset, int fd, llr_rights rights)
{
	struct path_beneath_attr attr = { rights_fs(rights & ruleset->governed), fd };

	if (!attr.allowed_access)
		return 0;
	return SYS4(landlock_add_rule, ruleset->fd, RULE_PATH_BENEATH, sys_pointer(&attr), 0);
}

/* A pipe, socket or memory file: no path rule can name it and none governs it. */
static long passed_over(long result)
{
	return result == -EBADFD ? 0 : result;
}

/* Grants rights on what a caller's descriptor refers to. EINVAL is how the kernel refuses, on
 * anything else, rights that only a directory can have. */
static long grant_fd(const struct llr_ruleset *ruleset, int fd, llr_rights rights)
{
	long result = add_path_rule(ruleset, fd, rights);

	if (result == -EINVAL)
		result = add_path_rule(ruleset, fd, rights & llr_rights_with(LLR_TRAIT_ON_FILE));
	return passed_over(result);
}

/* O_PATH: we need to name it, not to read it. It neither blocks on a FIFO nor touches a device. */
static long open_to_name(const char *path, int directory)
{
	return SYS4(openat, AT_FDCWD, sys_pointer(path),
		    O_PATH | O_CLOEXEC | (directory ? O_DIRECTORY : 0), 0);
}

/* Rights that only a directory can have are asked of one alone: the open tells which it is, so that
 * a directory costs no call more, and an error of the rule is never taken for "not a directory",
 * which would grant less than was asked and say nothing. */
static int grant_path(const struct llr_ruleset *ruleset, const struct llr_grant *grant,
		      struct llr_error *error)
{
	llr_rights on_file = llr_rights_with(LLR_TRAIT_ON_FILE);
	llr_rights rights = grant->rights;
	int directory = grant->flags & LLR_GRANT_DIRECTORY || rights & ~on_file;
	long fd = open_to_name(grant->path, directory);
	long result;

	if (fd == -ENOTDIR && directory && !(grant->flags & LLR_GRANT_DIRECTORY)) {
		rights &= on_file;
		directory = 0;
		fd = open_to_name(grant->path, directory);
	}
	if (fd == -ENOENT && grant->flags & LLR_GRANT_IF_EXISTS)
		return 0;
	if (sys_failed(fd))
		return llr_fail(error, LLR_E_RULE_PATH, fd, grant->path, NULL);
	result = add_path_rule(ruleset, (int)fd, rights);
	SYS1(close, fd); /* it is close-on-exec besides; a failure leaves nothing to do */
	if (!directory)
		result = passed_over(result);
	if (sys_failed(result))
		return llr_fail(error, LLR_E_RULESET, result, grant->path,
				WORD("cannot add a rule"));
	return 0;
}

static int grant_port(const struct llr_ruleset *ruleset, const struct llr_grant *grant,
		      struct llr_error *error)
{
	struct net_port_attr attr = { rights_net(grant->rights & ruleset->governed), grant->port };
	long result = 0;

	if (attr.allowed_access)
		result = SYS4(landlock_add_rule, ruleset->fd, RULE_NET_PORT, sys_pointer(&attr), 0);
	/* EAFNOSUPPORT: a kernel without TCP/IP, where there is nothing to allow. */
	if (sys_failed(result) && result != -EAFNOSUPPORT)
		return llr_fail(error, LLR_E_RULESET, result, NULL, WORD("cannot add a port rule"));
	return 0;
}

int llr_ruleset_grant(const struct llr_ruleset *ruleset, const struct llr_grant *grant,
		      struct llr_error *error)
{
	long result;

	switch (grant->type) {
	case LLR_GRANT_PATH:
		return grant_path(ruleset, grant, error);
	case LLR_GRANT_PORT:
		return grant_port(ruleset, grant, error);
	default:
		result = grant_fd(ruleset, grant->fd, grant->rights);
		if (sys_failed(result))
			return llr_fail(error, LLR_E_RULESET, result, NULL,
					WORD("cannot add a rule for a descriptor"));
		return 0;
	}
}

int llr_ruleset_restrict(const struct llr_ruleset *ruleset, int log_denials,
			 struct llr_error *error)
{
	long result = SYS5(prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);

	if (sys_failed(result))
		return llr_fail(error, LLR_E_NO_NEW_PRIVS, result, NULL, NULL);
	result = SYS2(landlock_restrict_self, ruleset->fd,
		      log_denials ? RESTRICT_SELF_LOG_NEW_EXEC_ON : 0);
	if (result == -E2BIG)
		return llr_fail(error, LLR_E_LAYERS, result, NULL, NULL);
	if (sys_failed(result))
		return llr_fail(error, LLR_E_RULESET, result, NULL,
				WORD("cannot restrict this process"));
	return 0;
}

void llr_ruleset_close(const struct llr_ruleset *ruleset)
{
	SYS1(close, ruleset->fd);
}
