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

#define STDOUT 1
#define STDERR 2
#define STATUS_PATIENCE_SECONDS 10

void report_fatal(const struct llr_error *error)
{
	char line[LLR_LINE_MAX];

	llr_output_last(STDERR, line,
			llr_format_fatal(error, line, sizeof line)); /* nowhere left to say it */
}

int report_partial(struct llr_error *error)
{
	char line[sizeof LLR_NOTICE + 1];
	size_t length = llr_format_notice(line, sizeof line);
	int signal_failed;
	long result = llr_output(STDERR, line, length, &signal_failed);

	/* A notice that cannot be written changes nothing; a signal state that cannot be restored
	 * would be the command's. */
	return signal_failed ? llr_fail(error, LLR_E_SIGNAL, result, NULL, "hold back SIGPIPE") : 0;
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
		       ? llr_fail(error, LLR_E_OUTPUT, written, "the status record", NULL)
		       : 0;
}

void report_failed(const struct llr_args *args, const struct llr_error *failure)
{
	char line[LLR_LINE_MAX];

	if (args->status_fd < 0 || sys_failed(await_room(args->status_fd)))
		return;
	llr_output_last(
		args->status_fd, line,
		llr_format_failed(failure, line, sizeof line)); /* the fatal line still says it */
}

int report_text(const char *bytes, size_t length, const char *what, struct llr_error *error)
{
	long written = llr_output_last(STDOUT, bytes, length);

	return sys_failed(written) ? llr_fail(error, LLR_E_OUTPUT, written, what, NULL) : 0;
}
