/* What the launcher writes: the fatal line, the notice, the status records, and texts on stdout.
 * The lines themselves are the library's; nothing here can end the launcher by a signal or hold it
 * for ever. */
#include <errno.h>
#include <poll.h>
#include <stdint.h>

#include "error.h"
#include "launcher.h"
#include "output.h"
#include "sys.h"
#include "text.h"
#include "words.h"

#define STDOUT 1
#define STDERR 2
#define STATUS_PATIENCE_SECONDS 10

int report_partial(struct llr_error *error)
{
	char line[sizeof LLR_NOTICE + 1];
	size_t length = llr_format_notice(line, sizeof line);
	int signal_failed;
	long result = llr_output(STDERR, line, length, &signal_failed);

	/* A notice that cannot be written changes nothing; a signal state that cannot be restored
	 * would be the command's. */
	return signal_failed
		       ? llr_fail(error, LLR_E_SIGNAL, result, NULL, WORD("hold back SIGPIPE"))
		       : 0;
}

/* Waits until the descriptor takes a record: a reader that never reads must not hold the launch for
 * ever. A pipe that can be written takes PIPE_BUF bytes, and a record is no longer than that. */
static long await_room(int fd)
{
	struct pollfd room = { fd, POLLOUT, 0 };
	const struct {
		int64_t seconds, nanoseconds;
	} patience = { STATUS_PATIENCE_SECONDS, 0 };
#ifdef SYS_ppoll_time64
	long ready = SYS5(ppoll_time64, sys_pointer(&room), 1, sys_pointer(&patience), 0, 0);
#else
	long ready = SYS5(ppoll, sys_pointer(&room), 1, sys_pointer(&patience), 0, 0);
#endif

	return ready == 0 ? -ETIMEDOUT : ready;
}

int report_confined(const struct llr_args *args, const struct llr_result *result,
		    struct llr_error *error)
{
	char line[LLR_LINE_MAX];
	int signal_failed;
	long written;

	if (args->status_fd < 0)
		return 0;
	written = await_room(args->status_fd);
	if (!sys_failed(written))
		written = llr_output(
			args->status_fd, line,
			llr_format_confined(result, args->mode ? llr_mode_name(args->mode) : NULL,
					    line, sizeof line),
			&signal_failed);
	return sys_failed(written)
		       ? llr_fail(error, LLR_E_OUTPUT, written, WORD("the status record"), NULL)
		       : 0;
}

/* Before the process ends: what cannot be said on one of the two is still said on the other. */
static void say(int status_fd, const char *record, size_t record_length, const char *line,
		size_t line_length)
{
	if (status_fd >= 0 && !sys_failed(await_room(status_fd)))
		llr_output_last(status_fd, record, record_length);
	llr_output_last(STDERR, line, line_length);
}

/* What is left to say where there is no memory for any other word. */
#define SPEECHLESS "no memory to say why"

void report_failure(int status_fd, const struct llr_error *failure)
{
	static const char speechless_record[] =
		"{\"landlock-run\":1,\"event\":\"failed\",\"stage\":\"output\",\"errno\":null,"
		"\"subject\":null,\"message\":\"" SPEECHLESS "\"}\n";
	static const char speechless_line[] = LLR_PREFIX SPEECHLESS "\n";
	char record[LLR_LINE_MAX], line[LLR_LINE_MAX];
	struct llr_error unpacking;

	if (words_unpack(&unpacking))
		say(status_fd, speechless_record, sizeof speechless_record - 1, speechless_line,
		    sizeof speechless_line - 1);
	else
		say(status_fd, record, llr_format_failed(failure, record, sizeof record), line,
		    llr_format_fatal(failure, line, sizeof line));
}

int report_text(const char *bytes, size_t length, const char *what, struct llr_error *error)
{
	long written = llr_output_last(STDOUT, bytes, length);

	return sys_failed(written) ? llr_fail(error, LLR_E_OUTPUT, written, what, NULL) : 0;
}
