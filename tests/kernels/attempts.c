/* attempts.c: see attempts.h. Each attempt is one or two system calls, so that its errno is the
 * kernel's answer. It must never report success for what the kernel refused, nor clean up after
 * itself. */
#include "attempts.h"
#include "surroundings.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

static off_t size_of(const struct surroundings *around, const char *name)
{
	char path[PATH_SIZE];
	struct stat status;

	surroundings_path(around, name, path);
	return stat(path, &status) == 0 ? status.st_size : -1;
}

static int open_and_close(const struct surroundings *around, const char *name, int flags)
{
	char path[PATH_SIZE];
	int fd;

	surroundings_path(around, name, path);
	fd = open(path, flags | O_CLOEXEC, 0644);
	return fd < 0 ? -1 : close(fd);
}

static int read_file(const struct surroundings *around)
{
	return open_and_close(around, "read", O_RDONLY);
}

static int create_file(const struct surroundings *around)
{
	return open_and_close(around, "create", O_WRONLY | O_CREAT | O_EXCL);
}

static bool created(const struct surroundings *around)
{
	return size_of(around, "create") >= 0;
}

static int write_file(const struct surroundings *around)
{
	char path[PATH_SIZE];
	ssize_t count;
	int fd;

	surroundings_path(around, "write", path);
	fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
	if (fd < 0)
		return -1;
	count = write(fd, TEXT, sizeof(TEXT) - 1);
	return close(fd) == 0 && count == sizeof(TEXT) - 1 ? 0 : -1;
}

static bool written(const struct surroundings *around)
{
	return size_of(around, "write") == 2 * (sizeof(TEXT) - 1);
}

static int truncate_file(const struct surroundings *around)
{
	char path[PATH_SIZE];

	surroundings_path(around, "truncate", path);
	return truncate(path, 0);
}

static bool truncated(const struct surroundings *around)
{
	return size_of(around, "truncate") == 0;
}

static int delete_file(const struct surroundings *around)
{
	char path[PATH_SIZE];

	surroundings_path(around, "delete", path);
	return unlink(path);
}

static bool deleted(const struct surroundings *around)
{
	return size_of(around, "delete") < 0;
}

static int rename_file(const struct surroundings *around)
{
	char from[PATH_SIZE], to[PATH_SIZE];

	surroundings_path(around, "one/rename", from);
	surroundings_path(around, "two/rename", to);
	return rename(from, to);
}

static bool renamed(const struct surroundings *around)
{
	return size_of(around, "two/rename") >= 0;
}

static int change_mode(const struct surroundings *around)
{
	char path[PATH_SIZE];

	surroundings_path(around, "metadata", path);
	return chmod(path, 0600);
}

static bool mode_changed(const struct surroundings *around)
{
	char path[PATH_SIZE];
	struct stat status;

	surroundings_path(around, "metadata", path);
	return stat(path, &status) == 0 && (status.st_mode & 07777) == 0600;
}

static int device_ioctl(const struct surroundings *around)
{
	int fd = open("/dev/zero", O_RDONLY | O_CLOEXEC), count, answer, error;

	(void)around;
	if (fd < 0)
		return -1;
	answer = ioctl(fd, FIONREAD, &count);
	error = errno;
	close(fd);
	/* The device has no such request: it was asked, and that is the effect. */
	if (answer < 0 && error == ENOTTY)
		return 0;
	errno = error;
	return answer < 0 ? -1 : 0;
}

static int write_inherited(const struct surroundings *around)
{
	(void)around;
	return write(INHERITED_FD, TEXT, sizeof(TEXT) - 1) == sizeof(TEXT) - 1 ? 0 : -1;
}

static bool inherited_written(const struct surroundings *around)
{
	return size_of(around, "inherited") == 2 * (sizeof(TEXT) - 1);
}

static int connect_unix(const struct sockaddr_un *address, size_t size)
{
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	return fd < 0 ? -1 : connect(fd, (const struct sockaddr *)address, (socklen_t)size);
}

static int pathname_socket(const struct surroundings *around)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	char path[PATH_SIZE];

	surroundings_path(around, "socket", path);
	if (strlen(path) >= sizeof(address.sun_path)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	memcpy(address.sun_path, path, strlen(path));
	return connect_unix(&address, sizeof(address));
}

static int abstract_socket(const struct surroundings *around)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	size_t length = strlen(around->abstract);

	memcpy(address.sun_path + 1, around->abstract, length);
	return connect_unix(&address, offsetof(struct sockaddr_un, sun_path) + 1 + length);
}

static struct sockaddr_in local(int port)
{
	struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons((uint16_t)port) };

	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	return address;
}

static int inet_socket(int type)
{
	return socket(AF_INET, type | SOCK_CLOEXEC, 0);
}

static int tcp_connect(const struct surroundings *around)
{
	struct sockaddr_in address = local(around->tcp_port);
	int fd = inet_socket(SOCK_STREAM);

	return fd < 0 ? -1 : connect(fd, (const struct sockaddr *)&address, sizeof(address));
}

static int bind_any(int type)
{
	struct sockaddr_in address = local(0);
	int fd = inet_socket(type);

	return fd < 0 ? -1 : bind(fd, (const struct sockaddr *)&address, sizeof(address));
}

static int tcp_bind(const struct surroundings *around)
{
	(void)around;
	return bind_any(SOCK_STREAM);
}

static int udp_send(const struct surroundings *around)
{
	struct sockaddr_in address = local(around->udp_port);
	int fd = inet_socket(SOCK_DGRAM);

	if (fd < 0)
		return -1;
	return sendto(fd, TEXT, 1, 0, (const struct sockaddr *)&address, sizeof(address)) == 1 ? 0
											       : -1;
}

static int udp_bind(const struct surroundings *around)
{
	(void)around;
	return bind_any(SOCK_DGRAM);
}

static int send_signal(const struct surroundings *around)
{
	return kill(around->target, SIGUSR1);
}

/* The trace ends with this process. */
static int trace_process(const struct surroundings *around)
{
	return ptrace(PTRACE_SEIZE, around->target, NULL, NULL) < 0 ? -1 : 0;
}

static const struct attempt attempts[] = {
	{ "read", read_file, NULL },
	{ "create", create_file, created },
	{ "write", write_file, written },
	{ "truncate", truncate_file, truncated },
	{ "delete", delete_file, deleted },
	{ "rename", rename_file, renamed },
	{ "metadata", change_mode, mode_changed },
	{ "device-ioctl", device_ioctl, NULL },
	{ "inherited-descriptor", write_inherited, inherited_written },
	{ "pathname-socket", pathname_socket, NULL },
	{ "abstract-socket", abstract_socket, NULL },
	{ "tcp-connect", tcp_connect, NULL },
	{ "tcp-bind", tcp_bind, NULL },
	{ "udp-send", udp_send, NULL },
	{ "udp-bind", udp_bind, NULL },
	{ "signal", send_signal, NULL },
	{ "trace", trace_process, NULL },
};

const struct attempt *attempt_at(size_t index)
{
	return index < sizeof(attempts) / sizeof(attempts[0]) ? &attempts[index] : NULL;
}
