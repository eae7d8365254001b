/* Descriptors: which of those that the options speak of reach the command, and what one refers to.
 * Nothing here is called unless an option asks for it. */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

#include "error.h"
#include "inherit.h"
#include "launcher.h"
#include "sys.h"
#include "text.h"
#include "uapi.h"

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
	return sys_failed(flags) ? unusable(WORD("--status-fd"), args->status_value, flags, error)
				 : 0;
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
			return unusable(WORD("--keep-fd"), value, result, error);
	}
	return 0;
}

static long identify(long from, const char *name, struct statx *status)
{
	return SYS5(statx, from, sys_pointer(name), AT_EMPTY_PATH, STATX_INO, sys_pointer(status));
}

long process_differ(long from, const char *name, long other_from, const char *other)
{
	struct statx one = { 0 }, two = { 0 };
	long failure = identify(from, name, &one);

	if (!failure)
		failure = identify(other_from, other, &two);
	if (failure)
		return failure;
	return one.stx_ino != two.stx_ino || one.stx_dev_major != two.stx_dev_major ||
	       one.stx_dev_minor != two.stx_dev_minor;
}

int process_fd_path(long fd, char *path, size_t size)
{
	char link[40];
	struct text name = { link, sizeof link, 0 };
	long length;

	llr_text_add(&name, "/proc/self/fd/");
	llr_text_number(&name, (uint64_t)fd);
	llr_text_byte(&name, 0);
	length = SYS4(readlinkat, AT_FDCWD, sys_pointer(link), sys_pointer(path), size - 1);
	if (length <= 0 || path[0] != '/')
		return 0;
	path[length] = 0;
	return 1;
}

int process_close_fds(const struct llr_args *args, struct llr_error *error)
{
	int from = 3;

	for (;;) {
		int kept = llr_args_kept_fd(args, from, NULL);
		unsigned int last = kept < 0 ? ~0U : (unsigned int)kept - 1;

		if (kept != from && llr_close_on_exec((unsigned int)from, last, error))
			return -1;
		if (kept < 0)
			return 0;
		from = kept + 1;
	}
}
