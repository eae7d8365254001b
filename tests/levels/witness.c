/* witness.c: the command of a launch: it acts, and says what the kernel answered to each act.
 * It must never judge, nor end with 17 without having done all that it was told. */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <termios.h>
#include <unistd.h>

#define WITNESS_STATUS 17

/* Each act gets what stands behind the verb, cut at its colons, and returns 0 or the errno. */
typedef int act(char *first, char *second);

static int result(int value)
{
	return value < 0 ? errno : 0;
}

static int with_open(const char *path, int flags, int (*use)(int fd))
{
	int fd = open(path, flags | O_CLOEXEC | O_NOCTTY, 0644);
	int error = result(fd);

	if (fd < 0)
		return error;
	error = use == NULL ? 0 : use(fd);
	close(fd);
	return error;
}

static int use_write(int fd)
{
	return result((int)write(fd, "x", 1));
}

static int use_terminal(int fd)
{
	struct termios terminal;

	return result(ioctl(fd, TCGETS, &terminal));
}

static int act_make(char *path, char *unused)
{
	(void)unused;
	return result(mknod(path, S_IFREG | 0644, 0));
}

static int act_mkdir(char *path, char *unused)
{
	(void)unused;
	return result(mkdir(path, 0755));
}

static int act_fifo(char *path, char *unused)
{
	(void)unused;
	return result(mknod(path, S_IFIFO | 0644, 0));
}

static int act_symlink(char *path, char *unused)
{
	(void)unused;
	return result(symlink("nowhere", path));
}

static int act_socket(char *path, char *unused)
{
	(void)unused;
	return result(mknod(path, S_IFSOCK | 0644, 0));
}

static int act_remove(char *path, char *unused)
{
	(void)unused;
	return result(remove(path));
}

static int act_move(char *from, char *to)
{
	return result(rename(from, to));
}

static int act_link(char *from, char *to)
{
	return result(link(from, to));
}

static int act_read(char *path, char *unused)
{
	(void)unused;
	return with_open(path, O_RDONLY, NULL);
}

static int act_list(char *path, char *unused)
{
	(void)unused;
	return with_open(path, O_RDONLY | O_DIRECTORY, NULL);
}

static int act_write(char *path, char *unused)
{
	(void)unused;
	return with_open(path, O_WRONLY | O_APPEND, use_write);
}

static int act_empty(char *path, char *unused)
{
	(void)unused;
	return result(truncate(path, 0));
}

static int act_ioctl(char *path, char *unused)
{
	(void)unused;
	return with_open(path, O_RDONLY, use_terminal);
}

static int act_chmod(char *path, char *unused)
{
	(void)unused;
	return result(chmod(path, 0600));
}

static int on_port(int type, const char *port, int (*use)(int, const struct sockaddr *, socklen_t))
{
	struct sockaddr_in address = { .sin_family = AF_INET };
	int fd = socket(AF_INET, type | SOCK_CLOEXEC, 0);
	int error = result(fd);

	if (fd < 0)
		return error;
	address.sin_port = htons((uint16_t)atoi(port));
	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	error = result(use(fd, (const struct sockaddr *)&address, sizeof(address)));
	close(fd);
	return error;
}

static int act_bind_tcp(char *port, char *unused)
{
	(void)unused;
	return on_port(SOCK_STREAM, port, bind);
}

static int act_connect_tcp(char *port, char *unused)
{
	(void)unused;
	return on_port(SOCK_STREAM, port, connect);
}

static int act_bind_udp(char *port, char *unused)
{
	(void)unused;
	return on_port(SOCK_DGRAM, port, bind);
}

static int act_connect_udp(char *port, char *unused)
{
	(void)unused;
	return on_port(SOCK_DGRAM, port, connect);
}

/* A name without a slash is an abstract one. */
static int act_connect_unix(char *name, char *unused)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	size_t abstract = strchr(name, '/') == NULL;
	socklen_t length =
		(socklen_t)(offsetof(struct sockaddr_un, sun_path) + abstract + strlen(name));
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	int error = result(fd);

	(void)unused;
	if (fd < 0)
		return error;
	memcpy(address.sun_path + abstract, name, strlen(name));
	error = result(connect(fd, (const struct sockaddr *)&address, length));
	close(fd);
	return error;
}

static int act_kill(char *process, char *unused)
{
	(void)unused;
	return result(kill(atoi(process), 0));
}

/* ---- What it inherited ---- */

static int act_fds(char *unused, char *unused_too)
{
	(void)unused;
	(void)unused_too;
	for (int fd = 0; fd < 64; fd++)
		if (fcntl(fd, F_GETFD) >= 0)
			dprintf(STDOUT_FILENO, "fd %d\n", fd);
	return 0;
}

/* The lines of /proc/self/status that tell of signals and privileges. */
static int act_state(char *unused, char *unused_too)
{
	static const char *const keys[] = { "SigPnd:", "ShdPnd:", "SigBlk:", "SigIgn:",
					    "NoNewPrivs:" };
	char line[256];
	FILE *file = fopen("/proc/self/status", "re");

	(void)unused;
	(void)unused_too;
	if (file == NULL)
		return errno;
	while (fgets(line, sizeof(line), file) != NULL)
		for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
			if (strncmp(line, keys[i], strlen(keys[i])) == 0)
				dprintf(STDOUT_FILENO, "%s", line);
	fclose(file);
	return 0;
}

/* ---- Conditions for what it execs ---- */

static int act_limit(char *name, char *most)
{
	static const struct {
		const char *name;
		int resource;
	} limits[] = {
		{ "as", RLIMIT_AS },       { "stack", RLIMIT_STACK }, { "nofile", RLIMIT_NOFILE },
		{ "fsize", RLIMIT_FSIZE }, { "data", RLIMIT_DATA },
	};
	rlim_t value = strtoul(most, NULL, 10);

	for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++)
		if (strcmp(limits[i].name, name) == 0)
			return result(setrlimit((__rlimit_resource_t)limits[i].resource,
						&(struct rlimit){ value, value }));
	return EINVAL;
}

static int act_ignore(char *signal_number, char *unused)
{
	(void)unused;
	return signal(atoi(signal_number), SIG_IGN) == SIG_ERR ? errno : 0;
}

static int change_mask(char *signal_number)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, atoi(signal_number));
	return result(sigprocmask(SIG_BLOCK, &set, NULL));
}

static int act_block(char *signal_number, char *unused)
{
	(void)unused;
	return change_mask(signal_number);
}

static int act_pend(char *signal_number, char *unused)
{
	int error = change_mask(signal_number);

	(void)unused;
	return error != 0 ? error : result(raise(atoi(signal_number)));
}

/* Blocked, and pending for the process rather than for this thread. */
static int act_send(char *signal_number, char *unused)
{
	int error = change_mask(signal_number);

	(void)unused;
	return error != 0 ? error : result(kill(getpid(), atoi(signal_number)));
}

/* An open descriptor of that number; not closed by exec. */
static int act_hold(char *number, char *unused)
{
	int fd = open("/dev/null", O_RDWR | O_CLOEXEC);

	(void)unused;
	return fd < 0 ? errno : result(dup2(fd, atoi(number)));
}

static const struct verb {
	const char *name;
	act *act;
	int quiet; /* says nothing when it works */
} verbs[] = {
	{ "make", act_make, 0 },
	{ "mkdir", act_mkdir, 0 },
	{ "fifo", act_fifo, 0 },
	{ "symlink", act_symlink, 0 },
	{ "socket", act_socket, 0 },
	{ "remove", act_remove, 0 },
	{ "move", act_move, 0 },
	{ "link", act_link, 0 },
	{ "read", act_read, 0 },
	{ "list", act_list, 0 },
	{ "write", act_write, 0 },
	{ "empty", act_empty, 0 },
	{ "ioctl", act_ioctl, 0 },
	{ "chmod", act_chmod, 0 },
	{ "bind-tcp", act_bind_tcp, 0 },
	{ "connect-tcp", act_connect_tcp, 0 },
	{ "bind-udp", act_bind_udp, 0 },
	{ "connect-udp", act_connect_udp, 0 },
	{ "connect-unix", act_connect_unix, 0 },
	{ "kill", act_kill, 0 },
	{ "fds", act_fds, 1 },
	{ "state", act_state, 1 },
	{ "limit", act_limit, 1 },
	{ "ignore", act_ignore, 1 },
	{ "block", act_block, 1 },
	{ "pend", act_pend, 1 },
	{ "send", act_send, 1 },
	{ "hold", act_hold, 1 },
};

/* Returns an act's errno, or -1 when there is none of that name. */
static int perform(const char *argument, int *quiet)
{
	char copy[4096];
	char *first, *second;

	snprintf(copy, sizeof(copy), "%s", argument);
	first = strchr(copy, ':');
	if (first != NULL)
		*first++ = '\0';
	second = first == NULL ? NULL : strchr(first, ':');
	if (second != NULL)
		*second++ = '\0';
	for (size_t i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++)
		if (strcmp(verbs[i].name, copy) == 0) {
			*quiet = verbs[i].quiet;
			return verbs[i].act(first, second);
		}
	return -1;
}

/* Verbs that end it. */
static void end(char *const argv[])
{
	if (strcmp(argv[0], "exec") == 0) {
		execv(argv[1], argv + 1);
		_exit(96);
	}
	if (strncmp(argv[0], "exit:", 5) == 0)
		_exit(atoi(argv[0] + 5));
	if (strncmp(argv[0], "die:", 4) == 0) {
		setrlimit(RLIMIT_CORE, &(struct rlimit){ 0, 0 });
		raise(atoi(argv[0] + 4));
	}
}

int main(int argc, char *argv[])
{
	for (int i = 1; i < argc; i++) {
		int quiet = 0, error;

		end(argv + i);
		error = perform(argv[i], &quiet);
		if (error < 0)
			return 95;
		if (error != 0)
			dprintf(STDOUT_FILENO, "%s %s\n", argv[i], strerrorname_np(error));
		else if (!quiet)
			dprintf(STDOUT_FILENO, "%s ok\n", argv[i]);
	}
	return WITNESS_STATUS;
}
