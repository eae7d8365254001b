/* What the command inherits: its descriptors, and its parent's death.
 * Nothing here is called unless an option asks for it. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>

#include "error.h"
#include "launcher.h"
#include "sys.h"

/* Linux 5.9 and 5.11; both older than Landlock. */
#ifndef SYS_close_range
#define SYS_close_range 436
#endif
#ifndef CLOSE_RANGE_CLOEXEC
#define CLOSE_RANGE_CLOEXEC (1U << 2)
#endif

static int unusable(const char *option, const char *value, long result, struct llr_error *error)
{
	return llr_fail(error, LLR_E_VALUE_INVALID, result, value, option);
}

static int check_status_fd(const struct llr_args *args, struct llr_error *error)
{
	long flags = SYS2(fcntl, args->status_fd, F_GETFL);

	if (!sys_failed(flags) && ((flags & O_ACCMODE) == O_RDONLY || flags & O_PATH))
		flags = -EBADF;
	/* Exec closes it, so that the command cannot write to it. */
	if (!sys_failed(flags))
		flags = SYS3(fcntl, args->status_fd, F_SETFD, FD_CLOEXEC);
	return sys_failed(flags) ? unusable("--status-fd", args->status_value, flags, error) : 0;
}

int process_check_fds(const struct llr_args *args, struct llr_error *error)
{
	const char *value;

	if (args->status_fd >= 0 && check_status_fd(args, error))
		return -1;
	if (!(args->launch & LLR_LAUNCH_CLOSE_FDS))
		return 0;
	for (int fd = 0; (fd = llr_args_kept_fd(args, fd, &value)) >= 0; fd++) {
		/* The command must not be able to write what the launcher reports. */
		long result = fd == args->status_fd ? -EINVAL : SYS2(fcntl, fd, F_GETFD);

		if (sys_failed(result))
			return unusable("--keep-fd", value, result, error);
	}
	return 0;
}

int process_die_with_parent(struct llr_error *error)
{
	long parent = SYS0(getppid);
	long result = SYS5(prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);

	if (sys_failed(result))
		return llr_fail(error, LLR_E_SIGNAL, result, NULL, "ask to die with the parent");
	/* A parent that died before the kernel had noted our wish sends no signal any more. */
	if (SYS0(getppid) != parent)
		return llr_fail(error, LLR_E_PARENT, 0, NULL, NULL);
	return 0;
}

int process_close_fds(const struct llr_args *args, struct llr_error *error)
{
	int from = 3;

	for (;;) {
		int kept = llr_args_kept_fd(args, from, NULL);
		unsigned int last = kept < 0 ? ~0U : (unsigned int)kept - 1;
		long result = 0;

		/* Closed by exec, not now: a failed exec must still be reported. */
		if (kept != from)
			result = SYS3(close_range, from, last, CLOSE_RANGE_CLOEXEC);
		if (sys_failed(result))
			return llr_fail(error, LLR_E_FILES, result, NULL, "descriptors");
		if (kept < 0)
			return 0;
		from = kept + 1;
	}
}
