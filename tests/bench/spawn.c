/* spawn LAUNCHER COMMAND: what starting a confined command costs from a small parent and from a
 * large one, as a Markdown table. Two parents measure in turn, so that the machine's moods meet
 * both; no time passes or fails. */
#include <fcntl.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "landlock-run.h"

#define SMALL ((size_t)8 << 20)
#define LARGE ((size_t)4 << 30)
#define EACH 8 /* starts of a way in a turn */

static const char *launcher, *command;

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec * 1e6 + (double)time.tv_nsec / 1e3;
}

/* ---- The ways ---- */

static pid_t by_library(void)
{
	static const struct llr_grant grants[] = {
		{ LLR_GRANT_PATH, 0, LLR_READ_EXECUTE, "/", -1, 0 },
		{ LLR_GRANT_PATH, 0, LLR_FILE_SET, "/dev/null", -1, 0 },
	};
	char *argv[] = { (char *)(uintptr_t)command, NULL };
	struct llr_policy policy = LLR_POLICY_INIT;
	struct llr_spawn spawn = LLR_SPAWN_INIT;

	policy.grants = grants;
	policy.grants_count = 2;
	spawn.policy = &policy;
	spawn.argv = argv;
	return llr_spawn(&spawn, NULL, NULL);
}

static char *const *launch(void)
{
	static char *argv[8];
	const char *words[] = { launcher, "--ro", "/", "--rw", "/dev/null", "--", command };

	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
		argv[i] = (char *)(uintptr_t)words[i];
	return argv;
}

static pid_t by_posix_spawn(void)
{
	static char *const environment[] = { NULL };
	pid_t pid;

	return posix_spawn(&pid, launcher, NULL, NULL, launch(), environment) ? -1 : pid;
}

static pid_t by_fork(void)
{
	static char *const environment[] = { NULL };
	char *const *argv = launch();
	pid_t pid = fork();

	if (!pid) {
		execve(launcher, argv, environment);
		_exit(127);
	}
	return pid;
}

static const struct way {
	const char *name;
	pid_t (*start)(void);
} ways[] = {
	{ "llr_spawn", by_library },
	{ "posix_spawn of the launcher", by_posix_spawn },
	{ "fork and exec of the launcher", by_fork },
};

#define WAYS (sizeof ways / sizeof ways[0])

/* ---- The parents ---- */

/* What is measured of one start, in microseconds: the launcher has still to confine itself when the
 * call returns, and another exec to do. */
enum measure { RETURNED, ENDED, MEASURES };

static void start_once(const struct way *way, double taken[MEASURES])
{
	double begin = now();
	pid_t pid = way->start();
	int status = -1;

	taken[RETURNED] = now() - begin;
	if (pid < 0 || waitpid(pid, &status, 0) != pid || status)
		_exit(1);
	taken[ENDED] = now() - begin;
}

#define QUIT WAYS

/* Sends the times of EACH starts for each byte that it is sent, the number of a way. */
static void serve(size_t resident, int orders, int answers)
{
	unsigned char way;
	char *memory = mmap(NULL, resident, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
			    0);

	if (memory == MAP_FAILED)
		_exit(1);
	memset(memory, 1, resident);
	while (read(orders, &way, 1) == 1 && way < QUIT) {
		double times[EACH][MEASURES];

		/* The first is not counted: what ran in between has emptied the caches. */
		start_once(&ways[way], times[0]);
		for (int i = 0; i < EACH; i++)
			start_once(&ways[way], times[i]);
		if (write(answers, times, sizeof times) != (ssize_t)sizeof times)
			_exit(1);
	}
	_exit(0);
}

struct parent {
	int orders, answers;
	pid_t pid;
};

static struct parent begin(size_t resident)
{
	struct parent parent;
	int orders[2], answers[2];

	if (pipe2(orders, O_CLOEXEC) || pipe2(answers, O_CLOEXEC))
		exit(1);
	parent.pid = fork();
	if (!parent.pid) {
		close(orders[1]);
		serve(resident, orders[0], answers[1]);
	}
	close(orders[0]);
	close(answers[1]);
	parent.orders = orders[1];
	parent.answers = answers[0];
	return parent;
}

static int take_turn(const struct parent *parent, size_t way, double *samples[MEASURES], size_t at)
{
	double times[EACH][MEASURES];
	unsigned char order = (unsigned char)way;

	if (write(parent->orders, &order, 1) != 1 ||
	    read(parent->answers, times, sizeof times) != (ssize_t)sizeof times)
		return -1;
	for (size_t i = 0; i < EACH; i++)
		for (int measure = 0; measure < MEASURES; measure++)
			samples[measure][at * EACH + i] = times[i][measure];
	return 0;
}

/* ---- The table ---- */

static int by_value(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;

	return (a > b) - (a < b);
}

static double median(double *values, size_t count)
{
	qsort(values, count, sizeof *values, by_value);
	return values[count / 2];
}

static void print_table(double *samples[2][WAYS][MEASURES], size_t count)
{
	static const char *const measures[MEASURES] = { "the call returns",
							"the command has ended" };

	printf("\n## Starting a confined command from a program\n\n"
	       "Microseconds, medians of %zu starts each, the two parents in turn.\n\n"
	       "| way | until | from 8 MiB resident | from 4 GiB resident | ratio "
	       "|\n|---|---|--:|--:|--:|\n",
	       count);
	for (size_t way = 0; way < WAYS; way++)
		for (int measure = 0; measure < MEASURES; measure++) {
			double small = median(samples[0][way][measure], count),
			       large = median(samples[1][way][measure], count);

			printf("| %s | %s | %.1f | %.1f | %.2f |\n", ways[way].name,
			       measures[measure], small, large, large / small);
		}
}

static void *room_for(size_t count)
{
	void *room = calloc(count, sizeof(double));

	if (!room)
		exit(1);
	return room;
}

int main(int argc, char **argv)
{
	size_t turns = argc > 3 ? strtoul(argv[3], NULL, 10) : 6;
	struct parent parents[2];
	double *samples[2][WAYS][MEASURES];

	if (argc < 3 || !turns)
		return 2;
	if ((double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE) <
	    1.25 * (double)LARGE) {
		printf("\nStarting a confined command from a program: not measured, the large "
		       "parent needs 5 GiB of memory.\n");
		return 0;
	}
	launcher = argv[1];
	command = argv[2];
	for (int i = 0; i < 2; i++) {
		parents[i] = begin(i ? LARGE : SMALL);
		for (size_t way = 0; way < WAYS; way++)
			for (int measure = 0; measure < MEASURES; measure++)
				samples[i][way][measure] = room_for(turns * EACH);
	}
	/* A way has all its turns before the next: a fork of a large parent slows down whatever
	 * follows it for a while. */
	for (size_t way = 0; way < WAYS; way++)
		for (size_t turn = 0; turn < turns * 2; turn++)
			if (take_turn(&parents[turn % 2], way, samples[turn % 2][way], turn / 2)) {
				fprintf(stderr, "spawn: a parent failed\n");
				return 1;
			}
	print_table(samples, turns * EACH);
	for (int i = 0; i < 2; i++) {
		/* The second parent holds a copy of the first one's pipe: its end of file would not
		 * come. */
		if (write(parents[i].orders, &(unsigned char){ QUIT }, 1) != 1)
			return 1;
		waitpid(parents[i].pid, NULL, 0);
	}
	return 0;
}
