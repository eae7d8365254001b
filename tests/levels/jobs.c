/* jobs.c: starts programs and takes what they print and how they end.
 * It must never leave one behind: a job that is not collected is killed with its test. */
#include "jobs.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "suite.h"

#define WORDS 32

static const char *dollar_program, *at_program;

void jobs_name(const char *dollar, const char *at)
{
	dollar_program = dollar;
	at_program = at;
}

/* Parts `words`, which it changes, into argv. */
static void part(char *words, const char *argv[WORDS])
{
	size_t count = 0;
	char *rest = words, *word;

	while ((word = strsep(&rest, " ")) != NULL && count < WORDS - 3) {
		if (strcmp(word, "$") == 0) {
			argv[count++] = dollar_program;
		} else if (strcmp(word, "@") == 0) {
			argv[count++] = at_program;
			argv[count++] = "--act";
		} else if (*word != '\0') {
			argv[count++] = word;
		}
	}
	argv[count] = NULL;
}

struct job job_start(const char *words, void (*prepare)(void))
{
	char copy[512];
	const char *argv[WORDS];
	int out[2], err[2];
	struct job job;

	snprintf(copy, sizeof(copy), "%s", words);
	part(copy, argv);
	EXPECT(pipe2(out, O_CLOEXEC) == 0 && pipe2(err, O_CLOEXEC) == 0, "cannot make pipes");
	fflush(stdout);
	job.pid = fork();
	EXPECT(job.pid >= 0, "cannot fork: %s", strerror(errno));
	if (job.pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		dup2(out[1], STDOUT_FILENO);
		dup2(err[1], STDERR_FILENO);
		if (prepare != NULL)
			prepare();
		execv(argv[0], (char *const *)argv);
		dprintf(STDERR_FILENO, "cannot run %s: %s\n", argv[0], strerror(errno));
		_exit(127);
	}
	close(out[1]);
	close(err[1]);
	job.out = out[0];
	job.err = err[0];
	return job;
}

bool job_line(const struct job *job, char *line, size_t size)
{
	size_t length = 0;

	while (length < size - 1 && read(job->out, &line[length], 1) == 1) {
		if (line[length] == '\n') {
			line[length] = '\0';
			return true;
		}
		length++;
	}
	line[length] = '\0';
	return false;
}

/* Reads what is there; returns false at the end of the output. */
static bool take(int fd, char *text, size_t size)
{
	size_t length = strlen(text);
	ssize_t got = read(fd, text + length, size - 1 - length);

	if (got > 0)
		text[length + (size_t)got] = '\0';
	return got > 0;
}

void job_collect(const struct job *job, struct outcome *outcome)
{
	struct pollfd ends[] = { { .fd = job->out, .events = POLLIN },
				 { .fd = job->err, .events = POLLIN } };
	int status;

	memset(outcome, 0, sizeof(*outcome));
	while (ends[0].fd >= 0 || ends[1].fd >= 0) {
		poll(ends, 2, -1);
		if (ends[0].revents != 0 && !take(job->out, outcome->out, sizeof(outcome->out)))
			ends[0].fd = -1;
		if (ends[1].revents != 0 && !take(job->err, outcome->err, sizeof(outcome->err)))
			ends[1].fd = -1;
	}
	close(job->out);
	close(job->err);
	EXPECT(waitpid(job->pid, &status, 0) == job->pid, "cannot wait: %s", strerror(errno));
	outcome->status = WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

void job_run(const char *words, void (*prepare)(void), struct outcome *outcome)
{
	struct job job = job_start(words, prepare);

	job_collect(&job, outcome);
}
