/* attempts.c: what all attempts answer with.
 * Nothing here knows which attempt it serves. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "escape.h"

int absent(const char *why)
{
	return dprintf(STDERR_FILENO, "absent: %s\n", why) > 0 ? ABSENT : EIO;
}

int answer(long result)
{
	return result < 0 ? errno : DONE;
}

int answer_unless(long result, int missing, const char *why)
{
	return result < 0 && errno == missing ? absent(why) : answer(result);
}

int in_child(attempt_function *part, const struct outside *outside)
{
	int status;
	pid_t child = fork();

	if (child == 0)
		_exit(part(outside));
	if (child < 0 || waitpid(child, &status, 0) != child)
		return errno;
	return WIFEXITED(status) ? WEXITSTATUS(status) : ENOMSG;
}

int write_and_close(int fd)
{
	int written;

	if (fd < 0)
		return errno;
	written = answer(write(fd, "x", 1));
	return close(fd) == 0 || written != DONE ? written : errno;
}

int write_to(const char *path, int flags)
{
	return write_and_close(open(path, O_WRONLY | O_APPEND | O_CLOEXEC | flags, 0644));
}
