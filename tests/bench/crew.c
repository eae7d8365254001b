/* Workers that measure in turns, so that the machine's moods meet each of them alike.
 * Nothing here knows what is measured, and nothing here prints. */
#include "crew.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* An order of its own: the workers hold copies of each other's pipes, so no end of file would come.
 */
static const unsigned char go_home = CREW_ORDERS;

_Noreturn static void serve(const struct crew_job *job, int orders, int answers)
{
	size_t size = job->values * sizeof(double);
	double *values = calloc(job->values, sizeof(double));
	unsigned char order;

	if (values == NULL)
		_exit(1);
	if (job->prepare != NULL)
		job->prepare(job->context);
	while (read(orders, &order, 1) == 1 && order != go_home) {
		job->work(job->context, order, values);
		if (write(answers, values, size) != (ssize_t)size)
			_exit(1);
	}
	_exit(0);
}

int crew_begin(struct crew_worker *worker, const struct crew_job *job)
{
	int orders[2];
	int answers[2];

	if (pipe2(orders, O_CLOEXEC) != 0 || pipe2(answers, O_CLOEXEC) != 0)
		return -1;
	worker->pid = fork();
	if (worker->pid == 0) {
		close(orders[1]);
		serve(job, orders[0], answers[1]);
	}
	close(orders[0]);
	close(answers[1]);
	worker->orders = orders[1];
	worker->answers = answers[0];
	worker->values = job->values;
	return worker->pid < 0 ? -1 : 0;
}

int crew_turn(const struct crew_worker *worker, unsigned order, double *values)
{
	size_t size = worker->values * sizeof(double);
	size_t have = 0;
	unsigned char byte = (unsigned char)order;

	if (write(worker->orders, &byte, 1) != 1)
		return -1;
	while (have < size) {
		ssize_t got = read(worker->answers, (char *)values + have, size - have);

		if (got <= 0)
			return -1;
		have += (size_t)got;
	}
	return 0;
}

int crew_end(const struct crew_worker *worker)
{
	int status = -1;

	if (write(worker->orders, &go_home, 1) != 1)
		return -1;
	close(worker->orders);
	close(worker->answers);
	return waitpid(worker->pid, &status, 0) == worker->pid && status == 0 ? 0 : -1;
}
