/* Writing a line to a descriptor that may be closed, broken or full, without ever dying of it.
 * SIGPIPE and SIGXFSZ are held back by the mask, not ignored: a disposition would be the command's too. */
#include <errno.h>
#include <signal.h>
#include <stdint.h>

#include "output.h"
#include "sys.h"

/* The kernel's set of 64 signals; libc's sigset_t is longer. Both signals of interest are in its first word everywhere. */
struct signals {
	unsigned long words[64 / (8 * sizeof(unsigned long))];
};

#define BIT(signal) (1UL << ((signal)-1))

static const struct signals deadly = { { BIT(SIGPIPE) | BIT(SIGXFSZ) } };

static long change_mask(int how, const struct signals *mask, struct signals *before)
{
	return SYS4(rt_sigprocmask, how, sys_pointer(mask), sys_pointer(before), sizeof *mask);
}

/* The rest after a short write is tried again; an interruption a few times, so that no fault can hold the launcher for ever. */
static long write_all(int fd, const char *bytes, size_t length)
{
	int interruptions = 8;

	while (length) {
		long written = SYS3(write, fd, sys_pointer(bytes), length);

		if (written == -EINTR && interruptions--)
			continue;
		if (sys_failed(written))
			return written;
		if (!written)
			return -EIO;
		bytes += written;
		length -= (size_t)written;
	}
	return 0;
}

/* Takes back what our own write made pending. */
static long drain(const struct signals *pending_before)
{
	struct signals signals = { { deadly.words[0] & ~pending_before->words[0] } };
	static const int64_t no_time[2] = { 0, 0 };
	long result = 0;

	/* At most one of each can be pending. */
	for (int i = 0; i < 2 && !sys_failed(result); i++)
		result = SYS4(rt_sigtimedwait, sys_pointer(&signals), 0, sys_pointer(no_time), sizeof signals);
	return result == -EAGAIN || !sys_failed(result) ? 0 : result;
}

long llr_output_last(int fd, const char *bytes, size_t length)
{
	change_mask(SIG_BLOCK, &deadly, NULL); /* nothing better to do when it fails */
	return write_all(fd, bytes, length);
}

long llr_output(int fd, const char *bytes, size_t length, int *signal_failed)
{
	struct signals before, pending = { { 0 } };
	long result, state;

	*signal_failed = 1;
	state = change_mask(SIG_BLOCK, &deadly, &before);
	if (sys_failed(state))
		return state;
	state = SYS2(rt_sigpending, sys_pointer(&pending), sizeof pending);
	if (sys_failed(state))
		return state;
	result = write_all(fd, bytes, length);
	if (result == -EPIPE || result == -EFBIG)
		state = drain(&pending);
	if (sys_failed(state))
		return state;
	state = change_mask(SIG_SETMASK, &before, NULL);
	if (sys_failed(state))
		return state;
	*signal_failed = 0;
	return result;
}
