/* surroundings.c: see surroundings.h.
 * It must never make anything that only root could make: the suites also run as an ordinary user.
 */
#include "surroundings.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

void surroundings_path(const struct surroundings *around, const char *name, char path[PATH_SIZE])
{
	snprintf(path, PATH_SIZE, "%s/%s", around->folder, name);
}

static int make_files(const struct surroundings *around)
{
	static const char *const names[] = {
		"read", "write", "truncate", "delete", "one/rename", "metadata", "inherited",
	};
	char path[PATH_SIZE];

	if (mkdir(around->folder, 0755) < 0)
		return -1;
	surroundings_path(around, "one", path);
	if (mkdir(path, 0755) < 0)
		return -1;
	surroundings_path(around, "two", path);
	if (mkdir(path, 0755) < 0)
		return -1;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		int fd;

		surroundings_path(around, names[i], path);
		fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
		if (fd < 0 || write(fd, TEXT, sizeof(TEXT) - 1) != sizeof(TEXT) - 1 ||
		    close(fd) < 0)
			return -1;
	}
	return 0;
}

/* A socket on a loopback port of the kernel's choice. The descriptor, or -1 with errno. */
static int listen_inet(int type, int *port)
{
	struct sockaddr_in address = { .sin_family = AF_INET };
	socklen_t size = sizeof(address);
	int fd = socket(AF_INET, type | SOCK_CLOEXEC, 0);

	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (fd < 0 || bind(fd, (struct sockaddr *)&address, size) < 0 ||
	    getsockname(fd, (struct sockaddr *)&address, &size) < 0)
		return -1;
	*port = ntohs(address.sin_port);
	return type == SOCK_STREAM && listen(fd, 16) < 0 ? -1 : fd;
}

/* A socket under a path, or under an abstract name, which begins with a NUL. */
static int listen_unix(const char *name, size_t length)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd;

	if (length > sizeof(address.sun_path)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	memcpy(address.sun_path, name, length);
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	length += offsetof(struct sockaddr_un, sun_path);
	if (fd < 0 || bind(fd, (struct sockaddr *)&address, (socklen_t)length) < 0)
		return -1;
	return listen(fd, 16) < 0 ? -1 : fd;
}

static int make_sockets(struct surroundings *around)
{
	char path[PATH_SIZE], name[sizeof(around->abstract) + 1] = "";

	surroundings_path(around, "socket", path);
	snprintf(around->abstract, sizeof(around->abstract), "landlock-run-%d", (int)getpid());
	memcpy(name + 1, around->abstract, strlen(around->abstract));
	around->sockets[0] = listen_inet(SOCK_STREAM, &around->tcp_port);
	around->sockets[1] = listen_inet(SOCK_DGRAM, &around->udp_port);
	around->sockets[2] = listen_unix(path, strlen(path));
	around->sockets[3] = listen_unix(name, 1 + strlen(around->abstract));
	for (size_t i = 0; i < 4; i++)
		if (around->sockets[i] < 0)
			return -1;
	return 0;
}

/* A process that the signal does not end and that its user may trace. It runs when this is back. */
static pid_t start_target(void)
{
	int ready[2];
	char byte;
	pid_t pid;

	if (pipe2(ready, O_CLOEXEC) < 0)
		return -1;
	pid = fork();
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY);
		signal(SIGUSR1, SIG_IGN);
		close(ready[0]);
		close(ready[1]);
		for (;;)
			pause();
	}
	close(ready[1]);
	if (pid > 0 && read(ready[0], &byte, 1) != 0)
		pid = -1;
	close(ready[0]);
	return pid;
}

int surroundings_make(struct surroundings *around, const char *folder)
{
	snprintf(around->folder, sizeof(around->folder), "%s", folder);
	if (make_files(around) < 0 || make_sockets(around) < 0)
		return -1;
	around->target = start_target();
	return around->target < 0 ? -1 : 0;
}

void surroundings_end(struct surroundings *around)
{
	kill(around->target, SIGKILL);
	waitpid(around->target, NULL, 0);
	for (size_t i = 0; i < 4; i++)
		close(around->sockets[i]);
}
