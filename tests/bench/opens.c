/* opens [-t TURNS] [-d DATA] FOLDER: what opening a file costs inside the sandbox, by the depth of
 * its path, as Markdown. Makes what it opens in FOLDER. No time passes or fails. */
#include "crew.h"
#include "stats.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "landlock-run.h"

enum {
	EACH = 4,     /* values in a turn */
	OPENS = 64,   /* of which each is the mean of so many */
	DEEPEST = 64, /* directories above the file, counted from what is granted */
};

static const unsigned depths[] = { 1, 2, 4, 8, 16, 32, 64 };

#define DEPTHS (sizeof depths / sizeof depths[0])

/* "d/d/…/f": so many directories, then the file. */
static void path_of(char *path, unsigned depth)
{
	for (unsigned i = 0; i < depth; i++, path += 2)
		memcpy(path, "d/", 2);
	memcpy(path, "f", 2);
}

static int make_files(void)
{
	char path[2 * DEEPEST + 2];

	for (unsigned depth = 1; depth <= DEEPEST; depth++) {
		int fd;

		path_of(path, depth);
		path[2 * depth - 1] = '\0';
		if (mkdir(path, 0755) != 0 && errno != EEXIST)
			return -1;
		path_of(path, depth);
		fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
		if (fd < 0)
			return -1;
		close(fd);
	}
	return 0;
}

/* ---- The sandboxes ---- */

static const struct sandbox {
	const char *name;
	int layers;
	int near; /* the file's own directory is granted too */
} sandboxes[] = {
	{ "not confined", 0, 0 },
	{ "1 layer, granted at the top", 1, 0 },
	{ "1 layer, granted beside the file too", 1, 1 },
	{ "4 layers, granted at the top", 4, 0 },
	{ "16 layers, granted at the top", 16, 0 },
};

#define SANDBOXES (sizeof sandboxes / sizeof sandboxes[0])

/* A file's own directory, for each depth that is measured; the top comes first. */
static char granted[DEPTHS + 1][2 * DEEPEST + 2];

static void confine(const void *context)
{
	const struct sandbox *sandbox = context;
	struct llr_grant grants[DEPTHS + 1];
	struct llr_policy policy = LLR_POLICY_INIT;
	struct llr_result result = LLR_RESULT_INIT;

	for (size_t i = 0; i <= DEPTHS; i++)
		grants[i] =
			(struct llr_grant){ LLR_GRANT_PATH, 0, LLR_FILE_SET, granted[i], -1, 0 };
	policy.grants = grants;
	policy.grants_count = sandbox->near ? DEPTHS + 1 : 1;
	for (int layer = 0; layer < sandbox->layers; layer++)
		if (llr_confine(&policy, &result, NULL))
			_exit(1);
}

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static double open_some(const char *path)
{
	double begin = now();

	for (int i = 0; i < OPENS; i++) {
		int fd = open(path, O_RDONLY | O_CLOEXEC);

		if (fd < 0)
			_exit(1);
		close(fd);
	}
	return (now() - begin) / OPENS;
}

/* The first is not counted: what ran in between has emptied the caches. */
static void open_each(const void *context, unsigned order, double *values)
{
	char path[2 * DEEPEST + 2];

	(void)context;
	path_of(path, depths[order]);
	open_some(path);
	for (int i = 0; i < EACH; i++)
		values[i] = open_some(path);
}

/* ---- The table ---- */

static void print_row(const struct sandbox *sandbox, double *values[DEPTHS], size_t count,
		      FILE *data)
{
	printf("| %s |", sandbox->name);
	for (size_t depth = 0; depth < DEPTHS; depth++) {
		double median;

		stats_sort(values[depth], count);
		median = stats_quantile(values[depth], count, 0.5);
		printf(" %.0f |", median);
		if (data != NULL)
			fprintf(data, "%s\t%u\t%.1f\n", sandbox->name, depths[depth], median);
	}
	putchar('\n');
}

static void print_head(size_t count)
{
	printf("\n## Opening a file inside\n\n"
	       "Nanoseconds for open and close, medians of %zu times %d opens each, the sandboxes "
	       "in turn. The depth is "
	       "of directories between the file and the top.\n\n| depth |",
	       count, OPENS);
	for (size_t depth = 0; depth < DEPTHS; depth++)
		printf(" %u |", depths[depth]);
	printf("\n|---|");
	for (size_t depth = 0; depth < DEPTHS; depth++)
		printf("--:|");
	putchar('\n');
}

static int measure(const struct crew_worker *crew, double *values[SANDBOXES][DEPTHS], size_t turns)
{
	for (size_t turn = 0; turn < turns; turn++)
		for (unsigned depth = 0; depth < DEPTHS; depth++)
			for (size_t i = 0; i < SANDBOXES; i++)
				if (crew_turn(&crew[i], depth, values[i][depth] + turn * EACH))
					return -1;
	return 0;
}

static int begin(struct crew_worker *crew, double *values[SANDBOXES][DEPTHS], size_t turns)
{
	for (size_t i = 0; i < SANDBOXES; i++) {
		struct crew_job job = { confine, open_each, &sandboxes[i], EACH };

		if (crew_begin(&crew[i], &job))
			return -1;
		for (size_t depth = 0; depth < DEPTHS; depth++)
			if ((values[i][depth] = calloc(turns * EACH, sizeof(double))) == NULL)
				return -1;
	}
	return 0;
}

static int prepare(const char *folder)
{
	memcpy(granted[0], ".", 2);
	for (size_t i = 0; i < DEPTHS; i++) {
		path_of(granted[i + 1], depths[i]);
		granted[i + 1][2 * depths[i] - 1] = '\0';
	}
	return chdir(folder) || make_files();
}

int main(int argc, char **argv)
{
	struct crew_worker crew[SANDBOXES];
	double *values[SANDBOXES][DEPTHS];
	size_t turns = 100;
	FILE *data = NULL;
	int option, failed = 0;

	while ((option = getopt(argc, argv, "t:d:")) != -1) {
		if (option == 't')
			turns = strtoul(optarg, NULL, 10);
		else if (option != 'd' || !(data = fopen(optarg, "we")))
			turns = 0;
	}
	if (!turns || optind != argc - 1) {
		fputs("usage: opens [-t TURNS] [-d DATA] FOLDER\n", stderr);
		return 2;
	}
	signal(SIGPIPE, SIG_IGN);
	if (prepare(argv[optind])) {
		fprintf(stderr, "opens: cannot make files in %s: %s\n", argv[optind],
			strerror(errno));
		return 1;
	}
	if (begin(crew, values, turns) || measure(crew, values, turns)) {
		fputs("opens: a sandbox failed\n", stderr);
		return 1;
	}
	print_head(turns * EACH);
	for (size_t i = 0; i < SANDBOXES; i++) {
		print_row(&sandboxes[i], values[i], turns * EACH, data);
		failed |= crew_end(&crew[i]);
	}
	return failed || fflush(stdout) || (data && fclose(data));
}
