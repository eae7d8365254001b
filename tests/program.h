/* Runs a program and collects what comes of it: its streams, its end, and what it was started with.
 * Nothing here judges; failing to start what a test named ends that test as failed. */
#ifndef PROGRAM_H
#define PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* What one of the descriptors 0 to 2 is in the program. */
enum stream {
	STREAM_DEFAULT, /* stdin: /dev/null, or the input where there is some; stdout and stderr:
			   captured */
	STREAM_NULL,    /* /dev/null */
	STREAM_CLOSED,
	STREAM_BROKEN, /* a pipe that has lost its other end */
	STREAM_FULL,   /* /dev/full: a disk without room */
	STREAM_KEPT,   /* this process's own */
	STREAM_FILE,   /* captured through a file, not a pipe */
};

struct captured {
	char *text; /* ends with a NUL that is not counted; lasts as long as the test */
	size_t length;
};

struct run {
	/* What to do; zero is a good default for each. */
	const char *input;
	enum stream in, out, err;
	const char *const *env; /* the environment; NULL: this process's */
	const char *cwd;
	void (*prepare)(const struct run *run); /* called in the child just before exec */
	const void *context;                    /* for prepare */
	bool no_arguments;                      /* argc is 0 */
	unsigned int seconds;                   /* SIGKILL after that long; 0: 60 */

	/* What came of it. */
	pid_t pid;
	int status; /* as wait() tells it */
	struct captured output, errors;

	/* While it runs. */
	int pipes[2];
};

/* Runs the program at a path with arguments that end with NULL (its name, argv[0], among them),
 * until it has ended. */
void run_program(struct run *run, const char *path, const char *const *argv);
/* The same in two steps, for what has to happen meanwhile. */
void run_start(struct run *run, const char *path, const char *const *argv);
void run_finish(struct run *run);
/* The exit status, or minus the signal that ended it. */
int run_end(const struct run *run);

/* Runs the launcher with these arguments: RUN(&run, "--ro", "/", "--", "true"). */
#define RUN(run, ...) \
	run_launcher(run, (const char *const[]){ check_launcher(), __VA_ARGS__, NULL })
void run_launcher(struct run *run, const char *const *argv);
/* Runs a command: the path of the program, then its arguments. */
#define RUN_COMMAND(run, ...) run_command(run, (const char *const[]){ __VA_ARGS__, NULL })
void run_command(struct run *run, const char *const *argv);

/* The path of the kernel simulator, or NULL where there is none: it is built beside this program.
 */
const char *simulator(void);

/* Ends as `expected` (an exit status, or minus a signal), or the check fails and shows what it
 * wrote. */
#define CHECK_END(run, expected) check_end(run, expected, __FILE__, __LINE__)
bool check_end(const struct run *run, int expected, const char *file, int line);

/* Files, where a failure ends the test. All paths may be relative. */
void file_write(const char *path, const char *text, mode_t mode); /* creates or replaces it */
const char *file_read(const char *path); /* NULL when it cannot be opened */
bool file_exists(const char *path);      /* also a dangling symlink */
/* Reads all there is; the text lasts as long as the test. */
struct captured descriptor_read(int fd);

#endif
