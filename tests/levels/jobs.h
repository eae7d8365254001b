/* jobs.h: starts programs and takes what they print and how they end.
 * It must never leave one behind: a job that is not collected is killed with its test. */
#ifndef JOBS_H
#define JOBS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct job {
	pid_t pid;
	int out, err; /* to be read from */
};

struct outcome {
	int status; /* the exit status, or minus the signal */
	char out[4096], err[4096];
};

/* What stands for "$" and for "@" in the words of a job: a program, and a program with --act. */
void jobs_name(const char *dollar, const char *at);

/* Starts the program with these words, parted by single blanks; `prepare`, unless NULL, runs in the
 * new process first. */
struct job job_start(const char *words, void (*prepare)(void));

/* Reads a line of a job's stdout, without its end. False at the end of the output. */
bool job_line(const struct job *job, char *line, size_t size);

/* Waits for a job and everything that holds its output. */
void job_collect(const struct job *job, struct outcome *outcome);

/* All of it at once. */
void job_run(const char *words, void (*prepare)(void), struct outcome *outcome);

#endif
