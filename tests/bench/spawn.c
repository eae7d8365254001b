/* spawn [-t TURNS] [-d DATA] LAUNCHER COMMAND: what starting a confined command costs from a small
 * parent and from large ones, as Markdown. No time passes or fails. */
#include "crew.h"
#include "stats.h"

#include <fcntl.h>
#include <signal.h>
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

enum { EACH = 8 /* starts of a way in a turn */ };

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

static const char *const measures[MEASURES] = { "the call returns", "the command has ended" };

/* What they hold, in MiB. */
static const size_t sizes[] = { 8, 64, 512, 4096 };

#define SIZES (sizeof sizes / sizeof sizes[0])

/* A page of its own for each address, as a program that has written to its memory has. */
static void hold(const void *context)
{
	const size_t *mebibytes = context;
	size_t size = *mebibytes << 20;
	char *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		_exit(1);
	madvise(memory, size, MADV_NOHUGEPAGE);
	memset(memory, 1, size);
}

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

/* The first is not counted: what ran in between has emptied the caches. */
static void start_each(const void *context, unsigned order, double *values)
{
	(void)context;
	start_once(&ways[order], values);
	for (size_t i = 0; i < EACH; i++)
		start_once(&ways[order], values + i * MEASURES);
}

/* How many of the parents fit into the memory beside each other, the smallest first. */
static size_t parents_that_fit(void)
{
	char line[128];
	size_t available = 0, needed = 0, count = 0;
	FILE *info = fopen("/proc/meminfo", "re");

	while (info && fgets(line, sizeof line, info) &&
	       sscanf(line, "MemAvailable: %zu kB", &available) != 1)
		;
	if (info)
		fclose(info);
	while (count < SIZES && (needed += sizes[count] * 1024) * 5 / 4 < available)
		count++;
	return count;
}

/* ---- The table ---- */

struct sample {
	double *values[SIZES][WAYS][MEASURES];
	size_t count, parents;
};

static void print_table(struct sample *sample, FILE *data)
{
	printf("\n## Starting a confined command from a program\n\n"
	       "Microseconds, medians of %zu starts each, the parents in turn; what a parent holds "
	       "is "
	       "resident.\n\n| way | until |",
	       sample->count);
	for (size_t size = 0; size < sample->parents; size++)
		printf(" from %zu MiB |", sizes[size]);
	printf("\n|---|---|");
	for (size_t size = 0; size < sample->parents; size++)
		printf("--:|");
	for (size_t way = 0; way < WAYS; way++)
		for (int measure = 0; measure < MEASURES; measure++) {
			printf("\n| %s | %s |", ways[way].name, measures[measure]);
			for (size_t size = 0; size < sample->parents; size++) {
				double *values = sample->values[size][way][measure], median;

				stats_sort(values, sample->count);
				median = stats_quantile(values, sample->count, 0.5);
				printf(" %.1f |", median);
				if (data)
					fprintf(data, "%s\t%s\t%zu\t%.2f\n", ways[way].name,
						measures[measure], sizes[size], median);
			}
		}
	putchar('\n');
	for (size_t size = sample->parents; size < SIZES; size++)
		printf("\nNot measured: a parent of %zu MiB: there is not enough memory.\n",
		       sizes[size]);
}

static int measure_all(struct sample *sample, const struct crew_worker *parents, size_t turns)
{
	double values[EACH * MEASURES];

	/* A way has all its turns before the next: a fork of a large parent slows down whatever
	 * follows it for a while. */
	for (unsigned way = 0; way < WAYS; way++)
		for (size_t turn = 0; turn < turns; turn++)
			for (size_t parent = 0; parent < sample->parents; parent++) {
				if (crew_turn(&parents[parent], way, values))
					return -1;
				for (size_t i = 0; i < EACH * MEASURES; i++)
					sample->values[parent][way][i % MEASURES]
						      [turn * EACH + i / MEASURES] = values[i];
			}
	return 0;
}

static int begin_all(struct sample *sample, struct crew_worker *parents, size_t turns)
{
	sample->count = turns * EACH;
	for (size_t size = 0; size < sample->parents; size++) {
		struct crew_job job = { hold, start_each, &sizes[size], EACH * MEASURES };

		if (crew_begin(&parents[size], &job))
			return -1;
		for (size_t way = 0; way < WAYS; way++)
			for (int measure = 0; measure < MEASURES; measure++) {
				double *room = calloc(sample->count, sizeof *room);

				if (!room)
					return -1;
				sample->values[size][way][measure] = room;
			}
	}
	return 0;
}

int main(int argc, char **argv)
{
	struct crew_worker parents[SIZES];
	struct sample sample = { .parents = parents_that_fit() };
	size_t turns = 6;
	FILE *data = NULL;
	int option, failed = 0;

	while ((option = getopt(argc, argv, "t:d:")) != -1) {
		if (option == 't')
			turns = strtoul(optarg, NULL, 10);
		else if (option != 'd' || !(data = fopen(optarg, "we")))
			turns = 0;
	}
	if (!turns || optind != argc - 2) {
		fputs("usage: spawn [-t TURNS] [-d DATA] LAUNCHER COMMAND\n", stderr);
		return 2;
	}
	launcher = argv[optind];
	command = argv[optind + 1];
	signal(SIGPIPE, SIG_IGN);
	if (begin_all(&sample, parents, turns) || measure_all(&sample, parents, turns)) {
		fputs("spawn: a parent failed\n", stderr);
		return 1;
	}
	print_table(&sample, data);
	for (size_t parent = 0; parent < sample.parents; parent++)
		failed |= crew_end(&parents[parent]);
	return failed || fflush(stdout) || (data && fclose(data));
}
