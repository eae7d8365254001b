/* witness.c: see witness.h.
 * It never writes down anything but what came from a command, and ends with the test. */
#include "witness.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <linux/keyctl.h>
#include <time.h>
#include <unistd.h>

#include "../check.h"
#include "outside.h"

#ifndef IPPROTO_UDPLITE
#define IPPROTO_UDPLITE 136
#endif
#ifndef IPPROTO_SCTP
#define IPPROTO_SCTP 132
#endif

/* What can be waited for. */
enum source {
	STREAM,   /* a socket with a path */
	DATAGRAM, /* the same, for datagrams */
	PASSER,   /* one that hands out a descriptor of `file`, for writing */
	ABSTRACT, /* sockets with a name */
	ABSTRACT_DATAGRAM,
	TCP,
	UDP,
	UDPLITE,
	SCTP,
	PIPE,
	MASTER, /* of the terminal */
	SLAVE,
	SOURCES,
};

static struct pollfd sources[SOURCES];
static const struct outside *scene;
static const char *queue_name, *made_queue_name, *hook, *late, *filled;
static int heard = -1;

static void note(const char *what)
{
	if (dprintf(heard, "%s\n", what) < 0)
		_exit(1);
}

/* ---- Sockets ---- */

static int listen_unix(const char *name, size_t length, int type)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	REQUIRE(length < sizeof address.sun_path);
	memcpy(address.sun_path, name, length);
	length += offsetof(struct sockaddr_un, sun_path);
	REQUIRE(fd >= 0 && bind(fd, (struct sockaddr *)&address, (socklen_t)length) == 0);
	REQUIRE(type != SOCK_STREAM || listen(fd, 8) == 0);
	return fd;
}

static int listen_path(const char *name, int type)
{
	const char *path = check_format("%s/%s", scene->directory, name);

	return listen_unix(path, strlen(path), type);
}

/* The name begins with a byte that is no part of it. */
static int listen_abstract(const char *name, int type)
{
	char *copy = check_format("@%s", name);
	size_t length = strlen(copy);

	*copy = '\0';
	return listen_unix(copy, length, type);
}

/* -1 where the kernel has no such protocol. */
static int listen_inet(int type, int protocol, unsigned long *port)
{
	struct sockaddr_in address = { .sin_family = AF_INET,
				       .sin_addr = { htonl(INADDR_LOOPBACK) } };
	socklen_t size = sizeof address;
	int fd = socket(AF_INET, type | SOCK_CLOEXEC | SOCK_NONBLOCK, protocol), on = 5;

	if (fd < 0)
		return -1;
	REQUIRE(bind(fd, (struct sockaddr *)&address, size) == 0);
	REQUIRE(getsockname(fd, (struct sockaddr *)&address, &size) == 0);
	if (protocol == IPPROTO_TCP)
		setsockopt(fd, IPPROTO_TCP, 23 /* TCP_FASTOPEN */, &on, sizeof on);
	REQUIRE(type != SOCK_STREAM || listen(fd, 8) == 0);
	*port = ntohs(address.sin_port);
	return fd;
}

static void open_sources(struct outside *outside)
{
	const char *pipe = check_format("%s/pipe", outside->directory);

	sources[STREAM].fd = listen_path("socket", SOCK_STREAM);
	sources[DATAGRAM].fd = listen_path("datagrams", SOCK_DGRAM);
	sources[PASSER].fd = listen_path("passer", SOCK_STREAM);
	sources[ABSTRACT].fd = listen_abstract(outside->name, SOCK_STREAM);
	sources[ABSTRACT_DATAGRAM].fd = listen_abstract(check_format("%s-datagrams", outside->name),
							SOCK_DGRAM);
	sources[TCP].fd = listen_inet(SOCK_STREAM, IPPROTO_TCP, &outside->tcp);
	sources[UDP].fd = listen_inet(SOCK_DGRAM, IPPROTO_UDP, &outside->udp);
	sources[UDPLITE].fd = listen_inet(SOCK_DGRAM, IPPROTO_UDPLITE, &outside->udplite);
	sources[SCTP].fd = listen_inet(SOCK_STREAM, IPPROTO_SCTP, &outside->sctp);
	/* For writing too: else it would seem to end all the time. */
	sources[PIPE].fd = open(pipe, O_RDWR | O_NONBLOCK | O_CLOEXEC);
	sources[MASTER].fd = outside->master;
	sources[SLAVE].fd = outside->slave;
	for (int i = 0; i < SOURCES; i++)
		sources[i].events = POLLIN;
}

/* ---- What comes ---- */

static void pass_descriptor(int connection)
{
	char byte = 'x', space[CMSG_SPACE(sizeof(int))] = { 0 };
	struct iovec part = { &byte, 1 };
	struct msghdr message = { .msg_iov = &part,
				  .msg_iovlen = 1,
				  .msg_control = space,
				  .msg_controllen = sizeof space };
	struct cmsghdr *header = CMSG_FIRSTHDR(&message);
	const int fd = PROCESS_FD;

	header->cmsg_level = SOL_SOCKET;
	header->cmsg_type = SCM_RIGHTS;
	header->cmsg_len = CMSG_LEN(sizeof fd);
	memcpy(CMSG_DATA(header), &fd, sizeof fd);
	sendmsg(connection, &message, MSG_NOSIGNAL);
}

/* A connection counts when something is said on it: being connected is the caller's doing too. */
static void serve(int source)
{
	static int connections[8];
	static size_t used;
	int connection = accept4(sources[source].fd, NULL, NULL, SOCK_CLOEXEC);
	struct pollfd more = { connection, POLLIN, 0 };
	char byte;

	if (connection < 0)
		return;
	if (source == PASSER) {
		pass_descriptor(connection);
	} else if (poll(&more, 1, 1000) == 1 && read(connection, &byte, 1) == 1) {
		note("connection");
	}
	/* Kept: what was passed must not be lost. */
	if (used < sizeof connections / sizeof connections[0])
		connections[used++] = connection;
}

static void take(int source)
{
	char bytes[64];

	switch (source) {
	case STREAM:
	case PASSER:
	case ABSTRACT:
	case TCP:
	case SCTP:
		serve(source);
		break;
	default:
		if (read(sources[source].fd, bytes, sizeof bytes) > 0)
			note("bytes");
		else if (source == MASTER || source == SLAVE)
			sources[source].fd = -1; /* hung up */
		break;
	}
}

/* ---- What does not come but is changed ---- */

static void look_at_objects(void)
{
	static bool noted[4];
	struct {
		long type;
		char text[8];
	} message;
	volatile char *segment = shmat((int)scene->segment, NULL, 0);

	if (segment != (void *)-1) {
		if (*segment && !noted[0]) {
			noted[0] = true;
			note("segment");
		}
		shmdt((const void *)segment);
	}
	if (semctl((int)scene->semaphore, 0, GETVAL) > 0 && !noted[1]) {
		noted[1] = true;
		note("semaphore");
	}
	if (msgrcv((int)scene->queue, &message, sizeof message.text, 0, IPC_NOWAIT) >= 0)
		note("message");
}

static void look_at_queues(void)
{
	static enum { NOT_SEEN, SEEN, GONE } state;
	mqd_t queue = mq_open(queue_name, O_RDONLY | O_NONBLOCK);
	char byte;

	if (queue >= 0) {
		state = SEEN;
		if (mq_receive(queue, &byte, 1, NULL) >= 0)
			note("queue");
		mq_close(queue);
	} else if (errno == ENOENT && state == SEEN) {
		state = GONE;
		note("queue is gone");
	}
	if (mq_unlink(made_queue_name) == 0)
		note("queue was made");
}

static void look_at_keys(void)
{
	long key = syscall(SYS_keyctl, KEYCTL_SEARCH, KEY_SPEC_USER_KEYRING, "user", scene->name,
			   0);

	if (key < 0)
		return;
	syscall(SYS_keyctl, KEYCTL_UNLINK, key, KEY_SPEC_USER_KEYRING);
	note("key");
}

/* Somebody outside uses what lies in the workspace. */
static void look_at_workspace(void)
{
	static bool used;
	struct stat status;
	pid_t child;

	if (!used && access(hook, X_OK) == 0) {
		used = true;
		child = fork();
		if (child == 0) {
			execl(hook, hook, NULL);
			_exit(1);
		}
		waitpid(child, NULL, 0);
	}
	if (unlink(late) == 0)
		note("late");
	if (stat(filled, &status) == 0 && status.st_size >= 1 << 20 && unlink(filled) == 0)
		note("filled");
}

/* ---- The process ---- */

static volatile sig_atomic_t signalled;

static void on_signal(int number)
{
	(void)number;
	signalled = 1;
}

/* Whether the kernel would now rather, or less gladly, kill this process than at first. */
static bool is_rated_anew(void)
{
	static char known[32];
	char text[32] = "";
	bool changed;
	int fd = open("/proc/self/oom_score_adj", O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return false;
	if (read(fd, text, sizeof text - 1) < 0)
		text[0] = '\0';
	close(fd);
	changed = *known && strcmp(known, text) != 0;
	memcpy(known, text, sizeof known);
	return changed;
}

static void look_around(const char *memory)
{
	static bool changed;
	volatile const char *first = memory;

	if (signalled) {
		signalled = 0;
		note("signal");
	}
	if (!changed && *first != MEMORY[0]) {
		changed = true;
		note("memory");
	}
	if (is_rated_anew())
		note("score");
	look_at_objects();
	look_at_queues();
	look_at_keys();
	look_at_workspace();
}

static void prepare_to_watch(void)
{
	const struct sigaction action = { .sa_handler = on_signal, .sa_flags = SA_RESTART };
	int file;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY);
	signal(SIGPIPE, SIG_IGN);
	sigaction(SIGUSR1, &action, NULL);
	queue_name = check_format("/%s", scene->name);
	made_queue_name = check_format("/%s-made", scene->name);
	hook = check_format("%s/hook", scene->workspace);
	late = check_format("%s/late", scene->workspace);
	filled = check_format("%s/filled", scene->workspace);
	file = open("file", O_WRONLY | O_APPEND | O_CLOEXEC);
	heard = open("heard.new", O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644);
	if (file < 0 || heard < 0 || dup2(file, PROCESS_FD) < 0)
		_exit(1);
}

static _Noreturn void watch(const char *memory)
{
	if (chdir(scene->directory) != 0)
		_exit(1);
	prepare_to_watch();
	/* Known is now how everything is before the launch. */
	look_around(memory);
	if (rename("heard.new", "heard") != 0)
		_exit(1);
	for (;;) {
		/* What comes wakes it; what does not come is looked at every now and then. */
		poll(sources, SOURCES, 10);
		for (int i = 0; i < SOURCES; i++)
			if (sources[i].fd >= 0 && sources[i].revents)
				take(i);
		look_around(memory);
	}
}

void witness_start(struct outside *outside, const char *memory)
{
	const struct timespec moment = { 0, 1000000 };
	const char *ready = check_format("%s/heard", outside->directory);
	pid_t process;

	scene = outside;
	open_sources(outside);
	process = fork();
	REQUIRE(process >= 0);
	if (process == 0)
		watch(memory);
	outside->process = (unsigned long)process;
	for (int i = 0; i < 5000 && access(ready, F_OK) != 0; i++)
		nanosleep(&moment, NULL);
	REQUIRE(access(ready, F_OK) == 0);
	for (int i = 0; i < MASTER; i++)
		if (sources[i].fd >= 0)
			close(sources[i].fd);
}
