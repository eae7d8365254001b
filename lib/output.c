/* Writing a line to a descriptor that may be closed, broken or full, without ever dying of it.
 * SIGPIPE and SIGXFSZ are held back by the mask, not ignored: a disposition would be the command's
 * too. */
#include <errno.h>
#include <signal.h>
#include <stdint.h>

#include "output.h"
#include "sys.h"

/* The kernel's set of 64 signals; libc's sigset_t is longer. Both signals of interest are in its
 * first word everywhere. */
struct signals {
	unsigned long words[64 / (8 * sizeof(unsigned long))];
};

#define BIT(signal) (1UL << ((signal)-1))

static const struct signals deadly = { { BIT(SIGPIPE) | BIT(SIGXFSZ) } };

static long change_mask(int how, const struct signals *mask, struct signals *before)
{
	return SYS4(rt_sigprocmask, how, sys_pointer(mask), sys_pointer(before), sizeof *mask);
}

/* The rest after a short write is tried again; an interruption a few times, so that no fault can
 * hold the launcher for ever. */
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

/* Takes back the signal that our own write made pending for this thread. One that was pending
 * before may have been the thread's, and ours merged with it, or the process's, and ours came
 * beside it; the kernel hands out the thread's first. So take one, and where none is left, put it
 * back. */
static long take_back(int signal, int was_pending)
{
	static const int64_t no_time[2] = { 0, 0 };
	const struct signals one = { { BIT(signal) } };
	struct signals left = { { 0 } };
	uint64_t information[16] = { 0 }; /* a siginfo_t, 128 bytes everywhere */
	long thread, result = SYS4(rt_sigtimedwait, sys_pointer(&one), sys_pointer(information),
				   sys_pointer(no_time), sizeof one);

	if (result == -EAGAIN)
		return 0; /* a full file without a limit makes no signal */
	if (sys_failed(result) || !was_pending)
		return result;
	result = SYS2(rt_sigpending, sys_pointer(&left), sizeof left);
	if (sys_failed(result) || left.words[0] & BIT(signal))
		return result;
	thread = SYS0(gettid);
	return SYS4(rt_tgsigqueueinfo, SYS0(getpid), thread, signal, sys_pointer(information));
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
	if (result == -EPIPE)
		state = take_back(SIGPIPE, (pending.words[0] & BIT(SIGPIPE)) != 0);
	if (result == -EFBIG)
		state = take_back(SIGXFSZ, (pending.words[0] & BIT(SIGXFSZ)) != 0);
	if (sys_failed(state))
		return state;
	state = change_mask(SIG_SETMASK, &before, NULL);
	if (sys_failed(state))
		return state;
	*signal_failed = 0;
	return result;
}
