/* bench [-r ROUNDS] [-s SECONDS] [-c CPU] [-d DATA] ROSTER: times launches side by side, prints
 * Markdown. Never judges a time: it ends with 0 when everything that must be measured was. */
#include "roster.h"
#include "table.h"
#include "trace.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* One environment for all, and the same on every machine: exec copies it, so its size costs. */
static char *const environment[] = {
	"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
	"HOME=/",
	"LANG=C",
	NULL,
};

enum { WARM_UP = 20 };

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

/* vfork, since what a fork or a library's spawn takes would be added to both sides of a ratio. */
static bool launch(const struct contender *contender, double *nanoseconds, double *faults)
{
	struct rusage usage;
	int status;
	double start = now();
	pid_t pid = vfork(); /* NOLINT(clang-analyzer-security.insecureAPI.vfork) */

	if (pid == 0) {
		execve(contender->argv[0], contender->argv, environment);
		_exit(127);
	}
	if (pid < 0 || wait4(pid, &status, 0, &usage) != pid)
		return false;
	*nanoseconds = now() - start;
	*faults = (double)usage.ru_minflt;
	return status == 0;
}

/* What was written to the file, in one line; the file starts anew. */
static const char *what_was_said(int file)
{
	char said[200];
	ssize_t length = pread(file, said, sizeof(said) - 1, 0);

	if (ftruncate(file, 0) != 0 || lseek(file, 0, SEEK_SET) != 0)
		abort();
	while (length > 0 && said[length - 1] == '\n')
		length--;
	if (length <= 0)
		return "nothing";
	said[length] = '\0';
	for (char *end = strchr(said, '\n'); end != NULL; end = strchr(end, '\n'))
		*end = ' ';
	return strdup(said);
}

/* The first run of each is traced, and heard: what it says is why it cannot be measured. A
 * set-user-ID program may refuse to work under a tracer, and is measured without a list of its
 * calls. */
static bool try_one(struct contender *contender, int ears)
{
	struct trace trace;
	double ignored;

	contender->measured = trace_run(&trace, contender->argv, environment) == 0 &&
			      trace.status == 0;
	contender->launches = trace.launched && contender->measured;
	contender->calls = trace.count;
	trace_free(&trace);
	contender->measured = contender->measured || launch(contender, &ignored, &ignored);
	contender->why = what_was_said(ears);
	return contender->measured || contender->role == ROLE_MAY;
}

/* What contenders say goes into a file, at their trial; and nowhere, without a call in the timed
 * child, afterwards. */
struct speech {
	int file;
	int out;
	int err;
};

static void hear(struct speech *speech, int file)
{
	speech->file = file;
	speech->out = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
	speech->err = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
	if (file < 0 || speech->out < 0 || speech->err < 0 || dup2(file, STDOUT_FILENO) < 0 ||
	    dup2(file, STDERR_FILENO) < 0)
		abort();
}

static void speak(const struct speech *speech)
{
	dup2(speech->out, STDOUT_FILENO);
	dup2(speech->err, STDERR_FILENO);
	close(speech->out);
	close(speech->err);
	close(speech->file);
}

static bool try_all(struct roster *roster)
{
	struct speech speech;
	bool good = true;

	hear(&speech, memfd_create("speech", MFD_CLOEXEC));
	for (size_t i = 0; i < roster->count; i++)
		if (roster->contenders[i].role != ROLE_ABSENT)
			good = try_one(&roster->contenders[i], speech.file) && good;
	speak(&speech);
	return good;
}

static size_t random_below(size_t bound)
{
	static uint64_t state = 0x9e3779b97f4a7c15U;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (size_t)(state % bound);
}

static size_t gather(struct roster *roster, size_t table, size_t round, struct contender **list)
{
	size_t count = 0;

	for (size_t i = 0; i < roster->count; i++) {
		struct contender *contender = &roster->contenders[i];

		if (contender->table == table && contender->measured &&
		    round % contender->every == 0)
			list[count++] = contender;
	}
	return count;
}

static void run_round(struct contender **list, size_t count, size_t round)
{
	for (size_t left = count; left > 0; left--) {
		size_t pick = random_below(left);
		struct contender *contender = list[pick];
		double nanoseconds;
		double faults;

		list[pick] = list[left - 1];
		if (launch(contender, &nanoseconds, &faults)) {
			contender->nanoseconds[round] = nanoseconds;
			contender->faults[round] = faults;
		} else {
			contender->failures++;
		}
	}
}

static void forget(struct roster *roster, size_t table, size_t rounds)
{
	for (size_t i = 0; i < roster->count; i++) {
		struct contender *contender = &roster->contenders[i];

		if (contender->table != table)
			continue;
		memset(contender->nanoseconds, 0, rounds * sizeof(double));
		memset(contender->faults, 0, rounds * sizeof(double));
	}
}

/* So many rounds, or as many as fit into the time; no seconds: all. */
static void run_table(struct roster *roster, size_t table, size_t rounds, double seconds)
{
	struct contender **list = calloc(roster->count, sizeof(struct contender *));
	double end = now() + seconds * 1e9;
	size_t round = 0;

	if (list == NULL)
		abort();
	for (; round < WARM_UP && round < rounds; round++)
		run_round(list, gather(roster, table, round, list), round);
	forget(roster, table, round);
	for (round = 0; round < rounds && (round == 0 || seconds <= 0 || now() < end); round++)
		run_round(list, gather(roster, table, round, list), round);
	roster->tables[table].rounds = round;
	free(list);
}

/* Last to first: what the others do not need of the time is left to the first, which needs it. */
static void run_all(struct roster *roster, size_t rounds, double seconds)
{
	double end = now() + seconds * 1e9;
	struct speech speech;

	hear(&speech, open("/dev/null", O_RDWR | O_CLOEXEC));
	for (size_t left = roster->table_count; left > 0; left--) {
		double share = (end - now()) / 1e9 / (double)left;

		/* Time that is used up must not read as no limit. */
		run_table(roster, left - 1, rounds, seconds > 0 && share < 0.1 ? 0.1 : share);
	}
	speak(&speech);
}

static int pin(int cpu)
{
	cpu_set_t set;

	if (sched_getaffinity(0, sizeof(set), &set) != 0)
		return -1;
	for (int i = CPU_SETSIZE - 1; cpu < 0 && i >= 0; i--)
		if (CPU_ISSET((size_t)i, &set))
			cpu = i;
	CPU_ZERO(&set);
	CPU_SET((size_t)cpu, &set);
	return sched_setaffinity(0, sizeof(set), &set) == 0 ? cpu : -1;
}

static void print_machine(int cpu)
{
	char model[128] = "unknown processor";
	char line[256];
	char date[16];
	struct utsname name;
	double load = 0;
	time_t today = time(NULL);
	FILE *info = fopen("/proc/cpuinfo", "re");

	while (info != NULL && fgets(line, sizeof(line), info) != NULL)
		if (sscanf(line, "model name : %127[^\n]", model) == 1)
			break;
	if (info != NULL)
		fclose(info);
	uname(&name);
	getloadavg(&load, 1);
	strftime(date, sizeof(date), "%Y-%m-%d", gmtime(&today));
	printf("%s, Linux %s %s, %s, CPU %d of %ld, load %.2f at the start.\n", date, name.release,
	       name.machine, model, cpu, sysconf(_SC_NPROCESSORS_ONLN), load);
}

static bool all_measured(const struct roster *roster)
{
	for (size_t i = 0; i < roster->count; i++) {
		const struct contender *contender = &roster->contenders[i];

		if (contender->role < ROLE_MAY && (!contender->measured || contender->failures > 0))
			return false;
	}
	return true;
}

static int trouble(const char *what, const char *subject)
{
	fprintf(stderr, "bench: %s%s: %s\n", what, subject, strerror(errno));
	return 1;
}

/* What was measured, for a program to read. */
static int write_data(const struct roster *roster, const char *path)
{
	FILE *out = fopen(path, "we");

	if (out == NULL)
		return -1;
	table_print_data(roster, out);
	return fclose(out);
}

static int run_roster(const char *path, size_t rounds, double seconds, int cpu, const char *data)
{
	struct roster roster;
	size_t bad_line;
	FILE *in = fopen(path, "re");

	if (in == NULL)
		return trouble("cannot open ", path);
	bad_line = roster_read(&roster, in);
	fclose(in);
	if (bad_line != 0) {
		fprintf(stderr, "bench: %s: line %zu is no table and no contender\n", path,
			bad_line);
		return 1;
	}
	cpu = pin(cpu);
	if (cpu < 0)
		return trouble("cannot pin to one CPU", "");
	roster_reserve(&roster, rounds);
	print_machine(cpu);
	fflush(stdout);
	if (!try_all(&roster))
		fputs("bench: what must be measured cannot be; the rest follows\n", stderr);
	run_all(&roster, rounds, seconds);
	for (size_t table = 0; table < roster.table_count; table++)
		table_print(&roster, table, stdout);
	if (ferror(stdout) || fflush(stdout) != 0)
		return trouble("cannot write the tables", "");
	if (data != NULL && write_data(&roster, data) != 0)
		return trouble("cannot write ", data);
	return all_measured(&roster) ? 0 : 1;
}

int main(int argc, char *argv[])
{
	size_t rounds = 1000;
	double seconds = 0;
	const char *data = NULL;
	int cpu = -1;
	int option;

	while ((option = getopt(argc, argv, "r:s:c:d:")) != -1) {
		if (option == 'r')
			rounds = strtoul(optarg, NULL, 10);
		else if (option == 's')
			seconds = strtod(optarg, NULL);
		else if (option == 'c')
			cpu = (int)strtol(optarg, NULL, 10);
		else if (option == 'd')
			data = optarg;
		else
			rounds = 0;
	}
	if (rounds == 0 || optind != argc - 1) {
		fputs("usage: bench [-r ROUNDS] [-s SECONDS] [-c CPU] [-d DATA] ROSTER\n", stderr);
		return 1;
	}
	return run_roster(argv[optind], rounds, seconds, cpu, data);
}
