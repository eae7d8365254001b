/* descriptors.c: attempts through what a command inherits, and how it comes to inherit it.
 * The descriptor is always INHERITED, so that none is mistaken for another. */
#include "escape.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <termios.h>
#include <unistd.h>

#include "../check.h"

/* ---- Before the launch ---- */

static int inherit(int fd)
{
	if (fd < 0 || dup2(fd, INHERITED) < 0)
		return errno;
	if (fd != INHERITED)
		close(fd);
	return DONE;
}

int with_file(const struct outside *outside)
{
	(void)outside;
	return inherit(open("file", O_WRONLY | O_APPEND));
}

int with_reader(const struct outside *outside)
{
	(void)outside;
	return inherit(open("file", O_RDONLY));
}

int with_path(const struct outside *outside)
{
	(void)outside;
	return inherit(open("file", O_PATH));
}

int with_directory(const struct outside *outside)
{
	(void)outside;
	return inherit(open(".", O_RDONLY | O_DIRECTORY));
}

/* A descriptor that is connected to a socket in the directory; -1 with errno. */
static int connected(const char *name)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	strcpy(address.sun_path, name);
	return connect(fd, (const struct sockaddr *)&address, sizeof address) == 0 ? fd : -1;
}

int with_stream(const struct outside *outside)
{
	(void)outside;
	return inherit(connected("socket"));
}

int with_passer(const struct outside *outside)
{
	(void)outside;
	return inherit(connected("passer"));
}

int with_output(const struct outside *outside)
{
	int fd = open("file", O_WRONLY | O_APPEND);

	(void)outside;
	return fd < 0 || dup2(fd, STDOUT_FILENO) < 0 ? errno : answer(close(fd));
}

/* As a shell on a terminal starts a program. */
int with_terminal(const struct outside *outside)
{
	int fd;

	if (*outside->terminal == '\0')
		return absent("no pseudo-terminals here");
	setsid();
	fd = open(outside->terminal, O_RDWR | O_NOCTTY);
	if (fd < 0 || ioctl(fd, TIOCSCTTY, 0) != 0 || dup2(fd, STDIN_FILENO) < 0)
		return errno;
	return answer(close(fd));
}

int with_console(const struct outside *outside)
{
	int fd = open("/dev/tty63", O_RDWR | O_NOCTTY);

	(void)outside;
	if (fd < 0 && (errno == ENOENT || errno == ENXIO || errno == ENODEV))
		return absent("no consoles here");
	return inherit(fd);
}

/* ---- Attempts ---- */

int writing_to_an_inherited_file(const struct outside *outside)
{
	(void)outside;
	return answer(write(INHERITED, "x", 1));
}

int asking_a_daemon_by_an_inherited_socket(const struct outside *outside)
{
	(void)outside;
	return answer(write(INHERITED, "x", 1));
}

int writing_beneath_an_inherited_directory(const struct outside *outside)
{
	(void)outside;
	return write_and_close(openat(INHERITED, "file", O_WRONLY | O_APPEND));
}

static int reopen(void)
{
	char path[64];

	snprintf(path, sizeof path, "/proc/self/fd/%d", INHERITED);
	return write_to(path, 0);
}

int reopening_an_inherited_path(const struct outside *outside)
{
	(void)outside;
	return reopen();
}

int reopening_an_inherited_reader(const struct outside *outside)
{
	(void)outside;
	return reopen();
}

int linking_an_inherited_reader_into_the_workspace(const struct outside *outside)
{
	char from[64], to[512];

	snprintf(from, sizeof from, "/proc/self/fd/%d", INHERITED);
	snprintf(to, sizeof to, "%.500s/new", outside->workspace);
	if (linkat(AT_FDCWD, from, AT_FDCWD, to, AT_SYMLINK_FOLLOW) != 0)
		return errno;
	return write_to(to, 0);
}

int writing_to_the_standard_output(const struct outside *outside)
{
	(void)outside;
	return answer(write(STDOUT_FILENO, "x", 1));
}

/* The descriptor that comes by a socket; -1 with errno. */
static int receive(int connection)
{
	char byte, space[CMSG_SPACE(sizeof(int))];
	struct iovec part = { &byte, 1 };
	struct msghdr message = { .msg_iov = &part,
				  .msg_iovlen = 1,
				  .msg_control = space,
				  .msg_controllen = sizeof space };
	int fd = -1;

	if (recvmsg(connection, &message, 0) < 0)
		return -1;
	if (CMSG_FIRSTHDR(&message) != NULL)
		memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof fd);
	errno = ENOMSG;
	return fd;
}

int receiving_a_descriptor_by_an_inherited_socket(const struct outside *outside)
{
	(void)outside;
	return write_and_close(receive(INHERITED));
}

int receiving_a_descriptor_from_a_daemon(const struct outside *outside)
{
	int connection = connected("passer");

	(void)outside;
	return connection < 0 ? errno : write_and_close(receive(connection));
}

/* ---- Terminals ---- */

/* The end of this process empties the terminal: what is typed must have been taken by then. */
int typing_into_the_terminal(const struct outside *outside)
{
	int left = 1;

	(void)outside;
	if (ioctl(STDIN_FILENO, TIOCSTI, "x") != 0)
		return answer_unless(-1, EIO, "this kernel lets nobody type into a terminal");
	for (int i = 0; i < 2000 && left > 0; i++) {
		usleep(1000);
		ioctl(STDIN_FILENO, FIONREAD, &left);
	}
	return DONE;
}

/* It asks which of the keys that shift are held down. */
int pasting_into_the_console(const struct outside *outside)
{
	char request = 6;

	(void)outside;
	return answer(ioctl(INHERITED, TIOCLINUX, &request));
}

static int write_to_terminal(const struct outside *outside)
{
	if (*outside->terminal == '\0')
		return absent("no pseudo-terminals here");
	return write_and_close(open(outside->terminal, O_WRONLY | O_NOCTTY));
}

int writing_to_another_terminal(const struct outside *outside)
{
	return write_to_terminal(outside);
}

int writing_to_another_terminal_with_devices(const struct outside *outside)
{
	return write_to_terminal(outside);
}
