/* filter.c: the seccomp filter that hands the Landlock calls of a process to a listener.
 * It must never touch another system call. */
#include "filter.h"

#include <errno.h>
#include <linux/seccomp.h>
#include <seccomp.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV
#define SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV (1UL << 5)
#endif

/* The other ways into the kernel that this machine has: a call must not slip past by one. */
static const uint32_t other_arches[] = {
#if defined(__x86_64__)
	SCMP_ARCH_X86, SCMP_ARCH_X32,
#elif defined(__aarch64__)
	SCMP_ARCH_ARM,
#endif
	0
};

static const int calls[] = {
	SYS_landlock_create_ruleset,
	SYS_landlock_add_rule,
	SYS_landlock_restrict_self,
};

/* Adds the arches and rules. Returns 0 or -errno. */
static int describe(scmp_filter_ctx filter)
{
	int error = 0;

	for (size_t i = 0; other_arches[i] != 0 && error == 0; i++)
		error = seccomp_arch_add(filter, other_arches[i]);
	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]) && error == 0; i++)
		error = seccomp_rule_add(filter, SCMP_ACT_NOTIFY, calls[i], 0);
	return error;
}

int filter_build(struct sock_fprog *program)
{
	static struct sock_filter code[256];
	scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
	/* Through a file: the library loads a filter only with flags of its own choice. */
	int file = memfd_create("filter", MFD_CLOEXEC);
	int error = filter == NULL ? -ENOMEM : file < 0 ? -errno : describe(filter);
	ssize_t size = 0;

	if (error == 0)
		error = seccomp_export_bpf(filter, file);
	if (error == 0)
		size = pread(file, code, sizeof(code), 0);
	if (error == 0 && (size <= 0 || (size_t)size == sizeof(code)))
		error = -EFBIG;
	program->filter = code;
	program->len = (unsigned short)((size_t)size / sizeof(code[0]));
	if (file >= 0)
		close(file);
	seccomp_release(filter);
	errno = -error;
	return error == 0 ? 0 : -1;
}

int filter_install(const struct sock_fprog *program)
{
	/* The real kernel knows no EINTR here. Linux 5.19 has the flag that keeps signals out once
	 * a call is being answered; one in the moment before restarts the call, or is seen when its
	 * handler was installed without SA_RESTART. */
	unsigned long flags = SECCOMP_FILTER_FLAG_NEW_LISTENER |
			      SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV;
	long listener = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, program);

	if (listener < 0 && errno == EACCES) {
		if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
			return -1;
		listener = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, program);
	}
	if (listener < 0 && errno == EINVAL) {
		flags &= ~SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV;
		listener = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, program);
	}
	return (int)listener;
}
