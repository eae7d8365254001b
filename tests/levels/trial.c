/* trial.c: runs a command under given conditions and gathers what came of it.
 * It must never judge. */
#include "trial.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "scene.h"

#define SECONDS 30

/* The descriptors of a trial, in one order everywhere. */
enum { IN, OUT, ERR, REPORT, ENDS };

static const char *const files[ENDS] = { "/dev/null", "stdout", "stderr", "status" };

struct ends {
	int fds[ENDS];    /* -1: closed in the command */
	int unread[ENDS]; /* kept open here as long as it runs */
};

void trial_add_one(struct trial *trial, const char *argument)
{
	if (trial->argc + 1 >= TRIAL_ARGS)
		abort();
	trial->argv[trial->argc++] = argument;
	trial->argv[trial->argc] = NULL;
}

void trial_add(struct trial *trial, const char *const *arguments)
{
	while (*arguments != NULL)
		trial_add_one(trial, *arguments++);
}

/* Above what the command has, so that none is put in another's place before its turn. */
static int lift(int fd)
{
	int lifted = fcntl(fd, F_DUPFD_CLOEXEC, 32);

	if (fd < 0 || lifted < 0) {
		perror("trial: cannot make a descriptor");
		_exit(1);
	}
	close(fd);
	return lifted;
}

static int open_file(const char *path, int flags)
{
	return lift(open(path, flags | O_CLOEXEC, 0644));
}

static int open_pipe(enum stream stream, int *unread)
{
	static const char filling[4096];
	int ends[2];

	*unread = -1;
	if (pipe2(ends, O_CLOEXEC | (stream == STREAM_STUFFED ? O_NONBLOCK : 0)) != 0)
		return lift(-1);
	if (stream == STREAM_BROKEN) {
		close(ends[0]);
		return lift(ends[1]);
	}
	while (stream == STREAM_STUFFED && write(ends[1], filling, sizeof(filling)) > 0)
		;
	*unread = lift(ends[0]);
	return lift(ends[1]);
}

static void open_end(struct ends *ends, int end, enum stream stream, const char *named)
{
	int flags = end == IN ? O_RDONLY : O_WRONLY | O_CREAT | O_TRUNC;

	ends->unread[end] = ends->fds[end] = -1;
	if (end != IN)
		unlink(files[end]);
	switch (stream) {
	case STREAM_USUAL:
		if (end != REPORT)
			ends->fds[end] = open_file(files[end], flags);
		break;
	case STREAM_FILE:
		ends->fds[end] = open_file(files[end], flags);
		break;
	case STREAM_CLOSED:
		break;
	case STREAM_FULL:
		ends->fds[end] = open_file("/dev/full", O_WRONLY);
		break;
	case STREAM_NAMED:
		ends->fds[end] = open_file(named, O_WRONLY | O_APPEND);
		break;
	case STREAM_BROKEN:
	case STREAM_STUFFED:
	case STREAM_PIPE:
		ends->fds[end] = open_pipe(stream, &ends->unread[end]);
		break;
	}
}

_Noreturn static void become(const struct trial *trial, const struct ends *ends)
{
	static const int numbers[ENDS] = { 0, 1, 2, TRIAL_STATUS_FD };
	sigset_t none;

	sigemptyset(&none);
	setsid();
	/* Whatever the suite was started with. */
	signal(SIGPIPE, SIG_DFL);
	signal(SIGXFSZ, SIG_DFL);
	sigprocmask(SIG_SETMASK, &none, NULL);
	if (trial->path != NULL)
		setenv("PATH", trial->path, 1);
	for (int i = 0; i < ENDS; i++) {
		if (ends->fds[i] < 0)
			close(numbers[i]);
		else if (dup2(ends->fds[i], numbers[i]) < 0)
			_exit(98);
	}
	execv(trial->argv[0], (char *const *)trial->argv);
	_exit(97);
}

/* Waits for the child, but not for ever. */
static int await(pid_t child)
{
	int fd = (int)syscall(SYS_pidfd_open, child, 0);
	struct pollfd ended = { .fd = fd, .events = POLLIN };
	int status, ready;

	do
		ready = poll(&ended, 1, SECONDS * 1000);
	while (ready < 0 && errno == EINTR);
	if (ready == 0)
		kill(-child, SIGKILL);
	if (fd >= 0)
		close(fd);
	if (waitpid(child, &status, 0) != child)
		return -1;
	return ready == 1 ? status : -1;
}

/* What came through a pipe, or is in the file; all writers are gone by now, or out of the question.
 */
static size_t gather(enum stream stream, int unread, const char *file, char *text)
{
	ssize_t got;

	if (stream != STREAM_PIPE)
		return scene_read(file, text, TRIAL_TEXT);
	fcntl(unread, F_SETFL, O_NONBLOCK);
	got = read(unread, text, TRIAL_TEXT - 1);
	text[got < 0 ? 0 : got] = '\0';
	return got < 0 ? 0 : (size_t)got;
}

void trial_run(const struct trial *trial, struct outcome *outcome)
{
	const enum stream streams[ENDS] = { trial->in, trial->out, trial->err, trial->status };
	char *texts[ENDS] = { NULL, outcome->out, outcome->err, outcome->report };
	size_t *lengths[ENDS] = { NULL, &outcome->out_length, &outcome->err_length,
				  &outcome->report_length };
	struct ends ends;
	pid_t child;

	for (int i = 0; i < ENDS; i++)
		open_end(&ends, i, streams[i], trial->named);
	child = fork();
	if (child == 0)
		become(trial, &ends);
	outcome->status = child < 0 ? -1 : await(child);
	for (int i = 0; i < ENDS; i++) {
		if (ends.fds[i] >= 0)
			close(ends.fds[i]);
		if (i != IN)
			*lengths[i] = gather(streams[i], ends.unread[i], files[i], texts[i]);
		if (ends.unread[i] >= 0)
			close(ends.unread[i]);
	}
}

const char *outcome_text(const struct outcome *outcome)
{
	static char text[2048];

	snprintf(text, sizeof(text),
		 "wait status 0x%x, stdout \"%.600s\", stderr \"%.600s\", status \"%.600s\"",
		 (unsigned int)outcome->status, outcome->out, outcome->err, outcome->report);
	return text;
}
