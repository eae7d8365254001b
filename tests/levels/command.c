/* command.c: the command whose Landlock calls are answered, from its start to its last process.
 * It must never outlive the simulator's end, nor see a descriptor of the simulator. */
#include "command.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "filter.h"

/* What the command must get as the simulator got it. */
static sigset_t callers_mask;
static struct sigaction callers_sigchld;

static pid_t command;
static bool command_ended;
static int command_status;
static int listener; /* -1 after its last process has ended */
static int signals;
static bool stopping; /* the simulator was told to end */

static int fail(const char *what)
{
	dprintf(STDERR_FILENO, "simulate: %s: %s\n", what, strerror(errno));
	return -1;
}

/* Moves a descriptor off 0 to 2, where a caller that closed those would have its own meant. */
static int lift(int fd)
{
	int lifted;

	if (fd < 0 || fd > STDERR_FILENO)
		return fd;
	lifted = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	close(fd);
	return lifted;
}

static int send_fd(int socket, int fd)
{
	union {
		char room[CMSG_SPACE(sizeof(int))];
		struct cmsghdr header;
	} control = { .room = { 0 } };
	char byte = 0;
	struct iovec data = { .iov_base = &byte, .iov_len = 1 };
	struct msghdr message = { .msg_iov = &data,
				  .msg_iovlen = 1,
				  .msg_control = &control,
				  .msg_controllen = sizeof(control) };

	control.header.cmsg_level = SOL_SOCKET;
	control.header.cmsg_type = SCM_RIGHTS;
	control.header.cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(&control.header), &fd, sizeof(fd));
	return sendmsg(socket, &message, 0) == 1 ? 0 : -1;
}

/* Returns the descriptor that comes, or -1 when the other end is closed without one. */
static int receive_fd(int socket)
{
	union {
		char room[CMSG_SPACE(sizeof(int))];
		struct cmsghdr header;
	} control = { .room = { 0 } };
	char byte;
	struct iovec data = { .iov_base = &byte, .iov_len = 1 };
	struct msghdr message = { .msg_iov = &data,
				  .msg_iovlen = 1,
				  .msg_control = &control,
				  .msg_controllen = sizeof(control) };
	int fd;

	if (recvmsg(socket, &message, MSG_CMSG_CLOEXEC) != 1 ||
	    message.msg_controllen < sizeof(struct cmsghdr))
		return -1;
	memcpy(&fd, CMSG_DATA(&control.header), sizeof(fd));
	return fd;
}

/* The child's half: becomes the command. */
_Noreturn static void become(pid_t simulator, const struct sock_fprog *program, int socket,
			     char *const argv[])
{
	int fd;

	/* A simulator that is killed leaves nobody to answer: the command goes with it. */
	if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != simulator)
		_exit(SIMULATE_FAILED);
	sigaction(SIGCHLD, &callers_sigchld, NULL);
	fd = filter_install(program);
	if (fd < 0) {
		fail(errno == EBUSY ? "cannot run inside another simulator"
				    : "cannot install the filter");
		_exit(SIMULATE_FAILED);
	}
	if (send_fd(socket, fd) != 0) {
		fail("cannot pass the listener on");
		_exit(SIMULATE_FAILED);
	}
	sigprocmask(SIG_SETMASK, &callers_mask, NULL);
	execvp(argv[0], argv);
	dprintf(STDERR_FILENO, "simulate: cannot run %s: %s\n", argv[0], strerror(errno));
	_exit(SIMULATE_FAILED);
}

/* Blocks what is to be passed on, and what would end the simulator. A fault of its own may, and a
 * terminal may stop it together with the command. */
static void take_signals(void)
{
	static const int left_alone[] = { SIGILL, SIGTRAP, SIGABRT, SIGBUS,  SIGFPE, SIGSEGV,
					  SIGSYS, SIGTSTP, SIGTTIN, SIGTTOU, SIGCONT };
	struct sigaction by_default = { .sa_handler = SIG_DFL };
	sigset_t taken;

	sigfillset(&taken);
	for (size_t i = 0; i < sizeof(left_alone) / sizeof(left_alone[0]); i++)
		sigdelset(&taken, left_alone[i]);
	sigprocmask(SIG_BLOCK, &taken, &callers_mask);
	/* Ignored, it would make the kernel forget how the command ended. */
	sigaction(SIGCHLD, &by_default, &callers_sigchld);
	signals = lift(signalfd(-1, &taken, SFD_CLOEXEC | SFD_NONBLOCK));
}

/* Starts the command and gets its listener. */
static int start(char *const argv[])
{
	pid_t simulator = getpid();
	struct sock_fprog program;
	int sockets[2];

	if (filter_build(&program) != 0)
		return fail("cannot build the filter");
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0)
		return fail("cannot make a socket pair");
	sockets[0] = lift(sockets[0]);
	sockets[1] = lift(sockets[1]);
	take_signals();
	if (sockets[0] < 0 || sockets[1] < 0 || signals < 0)
		return fail("cannot make descriptors");
	/* Orphans of the command come here, so that they can be found and ended. */
	prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
	command = fork();
	if (command < 0)
		return fail("cannot fork");
	if (command == 0)
		become(simulator, &program, sockets[1], argv);
	close(sockets[1]);
	listener = lift(receive_fd(sockets[0]));
	close(sockets[0]);
	return listener < 0 ? -1 : 0; /* the child has said why */
}

/* Closes all but stderr and what the simulator needs: a pipe that the command closes must be seen
 * closed by its reader. */
static void close_callers(void)
{
	unsigned int low = (unsigned int)(listener < signals ? listener : signals);
	unsigned int high = (unsigned int)(listener < signals ? signals : listener);

	syscall(SYS_close_range, 0, STDERR_FILENO - 1, 0);
	if (low > STDERR_FILENO + 1)
		syscall(SYS_close_range, STDERR_FILENO + 1, low - 1, 0);
	if (high > low + 1)
		syscall(SYS_close_range, low + 1, high - 1, 0);
	syscall(SYS_close_range, high + 1, ~0u, 0);
}

static void note_end(pid_t child, int status)
{
	if (child != command)
		return;
	command_ended = true;
	command_status = status;
}

/* Kills every child. Returns how many, or -1 when they cannot be listed. */
static int kill_children(void)
{
	DIR *proc = opendir("/proc");
	struct dirent *entry;
	int killed = 0;

	if (proc == NULL)
		return -1;
	while ((entry = readdir(proc)) != NULL) {
		char path[300], stat[512] = "";
		const char *after_name;
		pid_t child = (pid_t)atoi(entry->d_name), parent = 0;
		FILE *file;

		if (child <= 0)
			continue;
		snprintf(path, sizeof(path), "/proc/%s/stat", entry->d_name);
		file = fopen(path, "re");
		if (file == NULL)
			continue;
		if (fgets(stat, sizeof(stat), file) != NULL &&
		    (after_name = strrchr(stat, ')')) != NULL &&
		    sscanf(after_name, ") %*c %d", &parent) == 1 && parent == getpid() &&
		    kill(child, SIGKILL) == 0)
			killed++;
		fclose(file);
	}
	closedir(proc);
	return killed;
}

/* Ends all that the command started: each one killed hands its children to the simulator. */
static void kill_all(void)
{
	for (;;) {
		int killed = kill_children(), status;
		pid_t child;

		if (killed < 0 && !command_ended)
			kill(command, SIGKILL);
		child = waitpid(-1, &status, killed == 0 ? WNOHANG : 0);
		if (child > 0)
			note_end(child, status);
		if (child < 0 || (killed < 0 && command_ended))
			return;
	}
}

/* Reads one signal and acts on it. Returns false when there was none. */
static bool take_signal(void)
{
	struct signalfd_siginfo info;
	int signal, status;
	pid_t child;

	if (read(signals, &info, sizeof(info)) != (ssize_t)sizeof(info))
		return false;
	signal = (int)info.ssi_signo;
	if (signal == SIGCHLD) {
		while ((child = waitpid(-1, &status, WNOHANG)) > 0)
			note_end(child, status);
		return true;
	}
	/* A terminal's signals reach the command without help; a broken pipe was the simulator's.
	 */
	if (info.ssi_code == SI_KERNEL || signal == SIGPIPE)
		return true;
	if (signal == SIGHUP || signal == SIGINT || signal == SIGQUIT || signal == SIGTERM)
		stopping = true;
	if (!command_ended)
		kill(command, signal);
	return true;
}

static bool still_valid(uint64_t id)
{
	return ioctl(listener, SECCOMP_IOCTL_NOTIF_ID_VALID, &id) == 0;
}

/* Takes one call and answers it. Returns -1 when it has no right answer. */
static int take_call(struct kernel *kernel)
{
	/* A newer kernel may write longer ones. */
	static union {
		struct seccomp_notif call;
		char room[512];
	} request;
	static union {
		struct seccomp_notif_resp answer;
		char room[512];
	} response;
	struct answer answer;

	memset(&request, 0, sizeof(request));
	memset(&response, 0, sizeof(response));
	if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &request.call) != 0)
		return errno == ENOENT || errno == EINTR ? 0 : fail("cannot take a call");
	answer = kernel_answer(kernel, &request.call, still_valid);
	response.answer.id = request.call.id;
	switch (answer.what) {
	case ANSWER_REAL:
		response.answer.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
		break;
	case ANSWER_ERROR:
		response.answer.error = -answer.error;
		break;
	case ANSWER_VALUE:
		response.answer.val = answer.value;
		break;
	case ANSWER_GONE:
		return 0;
	case ANSWER_NONE:
		dprintf(STDERR_FILENO, "simulate: no right answer on this kernel: %s\n",
			answer.why);
		return -1;
	}
	if (ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &response.answer) != 0 && errno != ENOENT)
		return fail("cannot answer a call");
	return 0;
}

/* Waits for a call or a signal and acts on it. */
static int step(struct kernel *kernel)
{
	struct pollfd events[] = {
		{ .fd = signals, .events = POLLIN },
		{ .fd = listener, .events = POLLIN },
	};

	if (poll(events, 2, -1) < 0)
		return errno == EINTR ? 0 : fail("cannot wait");
	while (take_signal())
		;
	if (events[1].revents & POLLIN)
		return take_call(kernel);
	if (events[1].revents != 0)
		listener = -1;
	return 0;
}

int command_run(struct kernel *kernel, char *const argv[])
{
	bool failed = start(argv) != 0;

	if (!failed)
		close_callers();
	while (!failed && (listener >= 0 || !command_ended)) {
		failed = step(kernel) != 0;
		if (stopping && command_ended)
			break;
	}
	if (failed || listener >= 0)
		kill_all();
	return failed ? -1 : command_status;
}
