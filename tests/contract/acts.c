/* The helper `act`: does what it is told and says, a line each, what came of it: the subjects of
 * the policies under test. It must never try to undo or repair: the next act sees what this one
 * left. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "launch.h"

/* The kernel's; not every libc comes with its headers. */
#ifndef RNDGETENTCNT
#define RNDGETENTCNT _IOR('R', 0x00, int)
#endif

/* Each returns 0 or -1 and errno. */

static int use(const char *path, int flags, int (*with)(int fd))
{
	int fd = open(path, flags | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0644);
	int result, error;

	if (fd < 0)
		return -1;
	result = with ? with(fd) : 0;
	error = errno;
	close(fd);
	errno = error;
	return result;
}

static int read_byte(int fd)
{
	char byte;

	return read(fd, &byte, 1) < 0 ? -1 : 0;
}

static int write_byte(int fd)
{
	return write(fd, "x", 1) == 1 ? 0 : -1;
}

static int empty_file(int fd)
{
	return ftruncate(fd, 0);
}

/* A call on the device that any user may make. */
static int entropy(int fd)
{
	int bits;

	return (int)syscall(SYS_ioctl, fd, RNDGETENTCNT,
			    &bits); /* the C libraries disagree on its type */
}

static int act_read(const char *path, const char *other)
{
	(void)other;
	return use(path, O_RDONLY, read_byte);
}

static int act_open(const char *path, const char *other)
{
	(void)other;
	return use(path, O_RDONLY, NULL);
}

static int act_write(const char *path, const char *other)
{
	(void)other;
	return use(path, O_WRONLY | O_APPEND, write_byte);
}

static int act_create(const char *path, const char *other)
{
	(void)other;
	return use(path, O_WRONLY | O_CREAT | O_EXCL, write_byte);
}

static int act_empty(const char *path, const char *other)
{
	(void)other;
	return use(path, O_WRONLY | O_TRUNC, NULL);
}

static int act_truncate(const char *path, const char *other)
{
	(void)other;
	return truncate(path, 0);
}

static int act_ftruncate(const char *path, const char *other)
{
	(void)other;
	return use(path, O_WRONLY, empty_file);
}

static int act_list(const char *path, const char *other)
{
	DIR *directory = opendir(path);

	(void)other;
	if (directory == NULL)
		return -1;
	closedir(directory);
	return 0;
}

static int act_mkdir(const char *path, const char *other)
{
	(void)other;
	return mkdir(path, 0755);
}

static int act_rmdir(const char *path, const char *other)
{
	(void)other;
	return rmdir(path);
}

static int act_unlink(const char *path, const char *other)
{
	(void)other;
	return unlink(path);
}

static int act_symlink(const char *path, const char *other)
{
	(void)other;
	return symlink("target", path);
}

static int act_mkfifo(const char *path, const char *other)
{
	(void)other;
	return mkfifo(path, 0644);
}

static int act_mkchar(const char *path, const char *other)
{
	(void)other;
	return mknod(path, S_IFCHR | 0644, makedev(1, 3));
}

static int act_mkblock(const char *path, const char *other)
{
	(void)other;
	return mknod(path, S_IFBLK | 0644, makedev(7, 200));
}

static int socket_call(const char *path, int (*call)(int, const struct sockaddr *, socklen_t))
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	int result, error;

	snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
	result = call(fd, (struct sockaddr *)&address, sizeof address);
	error = errno;
	close(fd);
	errno = error;
	return result;
}

static int act_mksock(const char *path, const char *other)
{
	(void)other;
	return socket_call(path, bind);
}

static int act_connect(const char *path, const char *other)
{
	(void)other;
	return socket_call(path, connect);
}

/* Unix sockets whose name is no path. */
static int act_connect_abstract(const char *name, const char *other)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), result, error;

	(void)other;
	strncpy(address.sun_path + 1, name, sizeof address.sun_path - 2);
	result = connect(fd, (struct sockaddr *)&address,
			 (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + strlen(name)));
	error = errno;
	close(fd);
	errno = error;
	return result;
}

/* On the loopback interface; the path is a port. */
static int port_call(int type, const char *port,
		     int (*call)(int, const struct sockaddr *, socklen_t))
{
	struct sockaddr_in address = { .sin_family = AF_INET,
				       .sin_port = htons((uint16_t)atoi(port)),
				       .sin_addr = { htonl(INADDR_LOOPBACK) } };
	int fd = socket(AF_INET, type | SOCK_CLOEXEC, 0), result, error;

	result = call(fd, (struct sockaddr *)&address, sizeof address);
	error = errno;
	close(fd);
	errno = error;
	return result;
}

static int send_one(int fd, const struct sockaddr *address, socklen_t length)
{
	return sendto(fd, "x", 1, 0, address, length) == 1 ? 0 : -1;
}

static int act_bind_tcp(const char *port, const char *other)
{
	(void)other;
	return port_call(SOCK_STREAM, port, bind);
}

static int act_connect_tcp(const char *port, const char *other)
{
	(void)other;
	return port_call(SOCK_STREAM, port, connect);
}

static int act_bind_udp(const char *port, const char *other)
{
	(void)other;
	return port_call(SOCK_DGRAM, port, bind);
}

static int act_send_udp(const char *port, const char *other)
{
	(void)other;
	return port_call(SOCK_DGRAM, port, send_one);
}

static int act_rename(const char *path, const char *other)
{
	return rename(path, other);
}

static int act_link(const char *path, const char *other)
{
	return link(path, other);
}

static int act_ioctl(const char *path, const char *other)
{
	(void)other;
	return use(path, O_RDONLY, entropy);
}

static int act_stat(const char *path, const char *other)
{
	struct stat status;

	(void)other;
	return stat(path, &status);
}

static int act_chdir(const char *path, const char *other)
{
	(void)other;
	return chdir(path);
}

static int act_chmod(const char *path, const char *other)
{
	(void)other;
	return chmod(path, 0777);
}

static int act_chown(const char *path, const char *other)
{
	(void)other;
	return chown(path, geteuid(), getegid());
}

static int act_touch(const char *path, const char *other)
{
	(void)other;
	return utimensat(AT_FDCWD, path, NULL, 0);
}

static int act_setxattr(const char *path, const char *other)
{
	(void)other;
	return setxattr(path, "user.test", "1", 1, 0);
}

static int act_kill(const char *pid, const char *other)
{
	(void)other;
	return kill(atoi(pid), SIGCONT);
}

/* Executes it as a copy of the launcher that says its version; only whether that started counts. */
static int act_execute(const char *path, const char *other)
{
	int failure[2], error = 0;
	pid_t child;

	(void)other;
	if (pipe2(failure, O_CLOEXEC) != 0)
		return -1;
	child = fork();
	if (child == 0) {
		close(1);
		close(2);
		execl(path, path, "--version", (char *)NULL);
		_exit(write(failure[1], &errno, sizeof errno) > 0);
	}
	close(failure[1]);
	if (read(failure[0], &error, sizeof error) < 0)
		error = errno;
	close(failure[0]);
	waitpid(child, NULL, 0);
	errno = error;
	return error ? -1 : 0;
}

static const struct {
	const char *name;
	int (*act)(const char *path, const char *other);
	int paths;
} acts[] = {
	{ "read", act_read, 1 },
	{ "open", act_open, 1 },
	{ "write", act_write, 1 },
	{ "create", act_create, 1 },
	{ "empty", act_empty, 1 },
	{ "truncate", act_truncate, 1 },
	{ "ftruncate", act_ftruncate, 1 },
	{ "list", act_list, 1 },
	{ "mkdir", act_mkdir, 1 },
	{ "rmdir", act_rmdir, 1 },
	{ "unlink", act_unlink, 1 },
	{ "symlink", act_symlink, 1 },
	{ "mkfifo", act_mkfifo, 1 },
	{ "mkchar", act_mkchar, 1 },
	{ "mkblock", act_mkblock, 1 },
	{ "mksock", act_mksock, 1 },
	{ "connect", act_connect, 1 },
	{ "rename", act_rename, 2 },
	{ "link", act_link, 2 },
	{ "ioctl", act_ioctl, 1 },
	{ "stat", act_stat, 1 },
	{ "chdir", act_chdir, 1 },
	{ "chmod", act_chmod, 1 },
	{ "chown", act_chown, 1 },
	{ "touch", act_touch, 1 },
	{ "setxattr", act_setxattr, 1 },
	{ "bind-tcp", act_bind_tcp, 1 },
	{ "connect-tcp", act_connect_tcp, 1 },
	{ "bind-udp", act_bind_udp, 1 },
	{ "send-udp", act_send_udp, 1 },
	{ "connect-abstract", act_connect_abstract, 1 },
	{ "kill", act_kill, 1 },
	{ "execute", act_execute, 1 },
};

/* act NAME PATH [PATH] NAME PATH … */
HELPER(act)
{
	for (int i = 1; i < argc;) {
		size_t found = 0;
		int result;

		while (found < COUNT(acts) && strcmp(acts[found].name, argv[i]) != 0)
			found++;
		if (found == COUNT(acts) || i + acts[found].paths >= argc) {
			printf("no such act: %s\n", argv[i]);
			return 99;
		}
		result = acts[found].act(argv[i + 1], argv[i + acts[found].paths]);
		printf("%s\n", errno_name(result == 0 ? 0 : errno));
		i += 1 + acts[found].paths;
	}
	return fflush(stdout) == 0 ? 0 : 98;
}
