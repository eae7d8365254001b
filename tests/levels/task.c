/* task.c: what the simulated kernel must know about the process that called it.
 * It must never change that process. */
#include "task.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

ssize_t task_read(pid_t task, uint64_t address, void *buffer, size_t size)
{
	struct iovec here = { .iov_base = buffer, .iov_len = size };
	struct iovec there = { .iov_base = (void *)(uintptr_t)address, .iov_len = size };
	ssize_t got = process_vm_readv(task, &here, 1, &there, 1, 0);

	if (got >= 0)
		return got;
	return errno == EFAULT ? 0 : TASK_OPAQUE;
}

/* Reads a file of /proc/TASK whole, as a string. Returns 0, or the errno. */
static int read_proc(pid_t task, const char *name, char *text, size_t size)
{
	char path[64];
	ssize_t got;
	int fd, error;

	snprintf(path, sizeof(path), "/proc/%d/%s", (int)task, name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return errno;
	got = read(fd, text, size - 1);
	error = errno;
	close(fd);
	if (got < 0)
		return error;
	text[got] = '\0';
	return 0;
}

/* Finds the line that starts with `key` and reads the number after it. */
static bool number_after(const char *text, const char *key, int base, unsigned long long *number)
{
	const char *at = strstr(text, key);

	if (at == NULL)
		return false;
	*number = strtoull(at + strlen(key), NULL, base);
	return true;
}

int task_ruleset_error(pid_t task, int fd)
{
	char path[64], target[64], info[512];
	unsigned long long flags;
	ssize_t length;

	if (fd < 0)
		return EBADF;
	snprintf(path, sizeof(path), "/proc/%d/fd/%d", (int)task, fd);
	length = readlink(path, target, sizeof(target) - 1);
	if (length < 0) {
		/* Without /proc, every descriptor would look closed. */
		if (errno == ENOENT && access("/proc/self/fd", F_OK) == 0)
			return EBADF;
		return TASK_OPAQUE;
	}
	target[length] = '\0';
	snprintf(path, sizeof(path), "fdinfo/%d", fd);
	if (read_proc(task, path, info, sizeof(info)) != 0 ||
	    !number_after(info, "flags:", 8, &flags))
		return TASK_OPAQUE;
	if (flags & O_PATH)
		return EBADF;
	return strcmp(target, "anon_inode:[landlock-ruleset]") == 0 ? 0 : EBADFD;
}

int task_may_restrict(pid_t task)
{
	char status[4096];
	unsigned long long capabilities, no_new_privs;

	if (read_proc(task, "status", status, sizeof(status)) != 0 ||
	    !number_after(status, "\nCapEff:", 16, &capabilities) ||
	    !number_after(status, "\nNoNewPrivs:", 10, &no_new_privs))
		return TASK_OPAQUE;
	return no_new_privs != 0 || (capabilities >> CAP_SYS_ADMIN & 1) != 0;
}
