/* Starting programs for tests, and files that tests leave for them.
 * The child's descriptors are exactly what the test asked for: everything else here is closed by
 * exec. */
#include "program.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "check.h"

#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif

extern char **environ;

/* ---- Descriptors ---- */

/* Descriptors of our own are kept away from those that tests look at. */
static int high(int fd)
{
	int moved = fcntl(fd, F_DUPFD_CLOEXEC, 200);

	REQUIRE(moved >= 0);
	close(fd);
	return moved;
}

static void make_pipe(int ends[2])
{
	REQUIRE(pipe(ends) == 0);
	ends[0] = high(ends[0]);
	ends[1] = high(ends[1]);
}

static int open_high(const char *path, int flags)
{
	int fd = open(path, flags);

	REQUIRE(fd >= 0);
	return high(fd);
}

static int file_in_memory(const char *text)
{
	int fd = high(memfd_create("stream", 0));
	size_t length = text ? strlen(text) : 0;

	REQUIRE(length == 0 || write(fd, text, length) == (ssize_t)length);
	REQUIRE(lseek(fd, 0, SEEK_SET) == 0);
	return fd;
}

static int broken_pipe(bool for_reading)
{
	int ends[2];

	make_pipe(ends);
	close(ends[for_reading ? 1 : 0]);
	return ends[for_reading ? 0 : 1];
}

/* The descriptor that becomes `number` in the child, -1 for none; *ours is what the parent keeps of
 * it, or -1. */
static int open_stream(const struct run *run, int number, int *ours)
{
	enum stream stream = number == 0 ? run->in : number == 1 ? run->out : run->err;
	int ends[2];

	*ours = -1;
	switch (stream) {
	case STREAM_CLOSED:
		return -1;
	case STREAM_KEPT:
		return number;
	case STREAM_NULL:
		return open_high("/dev/null", number == 0 ? O_RDONLY : O_WRONLY);
	case STREAM_FULL:
		return open_high("/dev/full", O_RDWR);
	case STREAM_BROKEN:
		return broken_pipe(number == 0);
	case STREAM_FILE:
		*ours = file_in_memory(number == 0 ? run->input : NULL);
		return *ours;
	case STREAM_DEFAULT:
		break;
	}
	if (number == 0)
		return run->input ? file_in_memory(run->input) : open_high("/dev/null", O_RDONLY);
	make_pipe(ends);
	*ours = ends[0];
	return ends[1];
}

static void put_stream(int fd, int number)
{
	if (fd < 0)
		close(number);
	else if (fd != number && dup2(fd, number) < 0)
		_exit(99);
}

/* ---- Starting ---- */

static _Noreturn void become(const struct run *run, const char *path, const char *const *argv,
			     const int streams[3], int failure)
{
	static const char *const nothing[] = { NULL };

	for (int number = 0; number < 3; number++)
		put_stream(streams[number], number);
	if (run->cwd == NULL || chdir(run->cwd) == 0) {
		if (run->prepare)
			run->prepare(run);
		errno = 0;
		execve(path, (char **)(run->no_arguments ? nothing : argv),
		       (char **)(run->env ? run->env : (const char *const *)environ));
	}
	if (write(failure, &errno, sizeof errno) < 0)
		_exit(98);
	_exit(99);
}

void run_start(struct run *run, const char *path, const char *const *argv)
{
	int streams[3], ours[3], failure[2], error;

	for (int number = 0; number < 3; number++)
		streams[number] = open_stream(run, number, &ours[number]);
	make_pipe(failure);
	run->pid = fork();
	REQUIRE(run->pid >= 0);
	if (run->pid == 0)
		become(run, path, argv, streams, failure[1]);
	close(failure[1]);
	for (int number = 0; number < 3; number++)
		if (streams[number] > 2 && streams[number] != ours[number])
			close(streams[number]);
	error = 0;
	if (read(failure[0], &error, sizeof error) != 0)
		FAIL("cannot start %s", path);
	errno = error;
	REQUIRE(error == 0);
	close(failure[0]);
	run->pipes[0] = ours[1];
	run->pipes[1] = ours[2];
}

/* ---- Collecting ---- */

static void append(struct captured *captured, const char *bytes, size_t length)
{
	captured->text = realloc(captured->text, captured->length + length + 1);
	REQUIRE(captured->text != NULL);
	memcpy(captured->text + captured->length, bytes, length);
	captured->length += length;
	captured->text[captured->length] = '\0';
}

/* false at the end. */
static bool collect(struct captured *captured, int fd)
{
	char bytes[65536];
	ssize_t length = read(fd, bytes, sizeof bytes);

	if (length > 0)
		append(captured, bytes, (size_t)length);
	return length > 0;
}

struct captured descriptor_read(int fd)
{
	struct captured captured = { NULL, 0 };

	append(&captured, "", 0);
	while (collect(&captured, fd))
		;
	return captured;
}

static long now(void)
{
	struct timespec clock_time;

	clock_gettime(CLOCK_MONOTONIC, &clock_time);
	return clock_time.tv_sec * 1000 + clock_time.tv_nsec / 1000000;
}

/* The time that is left, in milliseconds; ends what has none. */
static int patience(const struct run *run, long end)
{
	long left = end - now();

	if (left > 0)
		return (int)left;
	FAIL("the program was not done in time");
	kill(run->pid, SIGKILL);
	return 1000;
}

static void read_pipes(struct run *run, long end)
{
	struct captured *captured[2] = { &run->output, &run->errors };
	struct pollfd pipes[2] = { { run->pipes[0], POLLIN, 0 }, { run->pipes[1], POLLIN, 0 } };

	while (pipes[0].fd >= 0 || pipes[1].fd >= 0) {
		bool late = now() > end;

		poll(pipes, 2, patience(run, end));
		for (int i = 0; i < 2; i++) {
			bool more = pipes[i].fd >= 0 && !late;

			if (more && pipes[i].revents)
				more = collect(captured[i], pipes[i].fd);
			if (!more)
				pipes[i].fd = -1;
		}
	}
}

static void await(struct run *run, long end)
{
	struct pollfd process = { (int)syscall(SYS_pidfd_open, run->pid, 0), POLLIN, 0 };

	/* A kernel that cannot watch a process is asked every now and then. */
	while (waitpid(run->pid, &run->status, WNOHANG) == 0) {
		int left = patience(run, end);

		poll(&process, 1, process.fd < 0 ? 1 : left);
	}
	if (process.fd >= 0)
		close(process.fd);
}

void run_finish(struct run *run)
{
	struct captured *captured[2] = { &run->output, &run->errors };
	enum stream streams[2] = { run->out, run->err };
	int fds[2] = { run->pipes[0], run->pipes[1] };
	long end = now() + 1000L * (long)(run->seconds ? run->seconds : 60);

	for (int i = 0; i < 2; i++) {
		*captured[i] = (struct captured){ NULL, 0 };
		append(captured[i], "", 0);
		if (streams[i] == STREAM_FILE)
			run->pipes[i] = -1;
	}
	read_pipes(run, end);
	await(run, end);
	for (int i = 0; i < 2; i++) {
		if (streams[i] == STREAM_FILE && lseek(fds[i], 0, SEEK_SET) == 0)
			while (collect(captured[i], fds[i]))
				;
		if (fds[i] >= 0)
			close(fds[i]);
	}
}

void run_program(struct run *run, const char *path, const char *const *argv)
{
	run_start(run, path, argv);
	run_finish(run);
}

void run_launcher(struct run *run, const char *const *argv)
{
	run_program(run, check_launcher(), argv);
}

void run_command(struct run *run, const char *const *argv)
{
	run_program(run, argv[0], argv);
}

const char *simulator(void)
{
	static char path[PATH_MAX + 16];
	char *name;

	/* One that is told its ABI runs in a simulator already, or in a guest: neither can be
	 * simulated. */
	if (getenv("LANDLOCK_RUN_EXPECT_ABI"))
		return NULL;
	snprintf(path, sizeof path, "%s", check_self());
	name = strrchr(path, '/') + 1;
	snprintf(name, sizeof path - (size_t)(name - path), "simulate");
	return access(path, X_OK) == 0 ? path : NULL;
}

int run_end(const struct run *run)
{
	return WIFSIGNALED(run->status) ? -WTERMSIG(run->status) : WEXITSTATUS(run->status);
}

bool check_end(const struct run *run, int expected, const char *file, int line)
{
	if (run_end(run) == expected)
		return true;
	return check_fail(file, line, "ended with %d, not %d; stdout: %.200s; stderr: %.300s",
			  run_end(run), expected, run->output.text, run->errors.text);
}

/* ---- Files ---- */

void file_write(const char *path, const char *text, mode_t mode)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	size_t length = strlen(text);

	if (fd < 0)
		FAIL("cannot create %s", path);
	REQUIRE(fd >= 0 && write(fd, text, length) == (ssize_t)length);
	REQUIRE(fchmod(fd, mode) == 0 && close(fd) == 0);
}

const char *file_read(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	const char *text;

	if (fd < 0)
		return NULL;
	text = descriptor_read(fd).text;
	close(fd);
	return text;
}

bool file_exists(const char *path)
{
	struct stat status;

	return lstat(path, &status) == 0;
}
