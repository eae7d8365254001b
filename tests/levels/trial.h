/* trial.h: runs a command under given conditions and gathers what came of it.
 * It must never judge. */
#ifndef TRIAL_H
#define TRIAL_H

#include <stdbool.h>
#include <stddef.h>

/* What a descriptor of the command is. */
enum stream {
	/* stdin: /dev/null; stdout and stderr: a file; the status descriptor: not there */
	STREAM_USUAL,
	STREAM_FILE, /* a new file of that name in the scene */
	STREAM_CLOSED,
	STREAM_BROKEN,  /* a pipe that nobody reads */
	STREAM_FULL,    /* /dev/full */
	STREAM_STUFFED, /* a pipe without room that does not wait */
	STREAM_PIPE,    /* read when it has ended */
	STREAM_NAMED    /* the file `named`, opened for appending */
};

#define TRIAL_ARGS 96

/* The number that the status descriptor has in the command. */
#define TRIAL_STATUS_FD 9

struct trial {
	const char *argv[TRIAL_ARGS];
	size_t argc;
	enum stream in, out, err, status;
	const char *named;
	const char *path; /* PATH of the command; NULL: the suite's own */
};

#define TRIAL_TEXT 16384

struct outcome {
	int status; /* of the wait, or -1: it did not end in time */
	char out[TRIAL_TEXT], err[TRIAL_TEXT], report[TRIAL_TEXT];
	size_t out_length, err_length, report_length;
};

/* Adds arguments: up to a NULL. */
void trial_add(struct trial *trial, const char *const *arguments);
void trial_add_one(struct trial *trial, const char *argument);

/* Runs it in the scene, in a session of its own; what does not end in time is killed whole. */
void trial_run(const struct trial *trial, struct outcome *outcome);

/* What a test's message says of an outcome; in static memory. */
const char *outcome_text(const struct outcome *outcome);

#endif
