/* campaign.c: many trials, on all processors, until the first disagreement.
 * It must never count a trial that did not run. */
#include "campaign.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "shrink.h"

/* ---- The machine ---- */

static void make_directory(char *path, size_t size, const char *base)
{
	snprintf(path, size, "%s/model-XXXXXX", base);
	if (mkdtemp(path) == NULL)
		snprintf(path, size, "%s", base);
}

/* A directory in memory where programs can be run, or NULL. */
static const char *fast_directory(void)
{
	static char path[64];
	struct statvfs status;

	if (statvfs("/dev/shm", &status) != 0 || status.f_flag & (ST_NOEXEC | ST_RDONLY) ||
	    access("/dev/shm", W_OK) != 0)
		return NULL;
	make_directory(path, sizeof path, "/dev/shm");
	return path;
}

static bool refuses_to_create_a_directory(void)
{
	int fd = open("probe", O_RDONLY | O_CREAT | O_DIRECTORY | O_CLOEXEC, 0600);
	bool refuses = fd < 0 && errno == EINVAL;

	if (fd >= 0)
		close(fd);
	unlink("probe");
	return refuses;
}

void setting_find(struct setting *setting, const char *launcher, const char *self)
{
	static char here[PATH_MAX];
	const char *fast = fast_directory();
	long errata = syscall(SYS_landlock_create_ruleset, NULL, 0, 2);

	if (getcwd(here, sizeof here) == NULL)
		abort();
	*setting = (struct setting){ .slow = here, .fast = fast ? fast : here };
	setting->launcher = launcher;
	setting->self = self;
	setting->abi = (int)syscall(SYS_landlock_create_ruleset, NULL, 0, 1);
	setting->root = geteuid() == 0;
	setting->whiteout_is_regular = errata >= 0 && errata & 1 << 3;
	setting->create_directory = refuses_to_create_a_directory();
	setting->root_mount = look_mount("/");
	setting->operations = 100;
}

/* ---- Jobs ---- */

/* What the jobs tell each other: the first disagreement ends all. */
struct board {
	bool ends;
	struct {
		bool done;
		struct tally tally;
		struct verdict verdict;
		struct script script;
	} jobs[];
};

static bool enter_own_mounts(const struct setting *setting)
{
	return !setting->root || (unshare(CLONE_NEWNS) == 0 &&
				  mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0);
}

static void run_job(struct campaign *campaign, struct board *board, unsigned int job)
{
	struct script *script = &board->jobs[job].script;
	struct verdict *verdict = &board->jobs[job].verdict;

	if (!enter_own_mounts(&campaign->setting)) {
		verdict->outcome = BROKEN;
		snprintf(verdict->text, sizeof verdict->text, "no mounts of its own: %s",
			 strerror(errno));
		return;
	}
	campaign->setting.root_mount = look_mount("/");
	for (uint64_t i = job; i < campaign->count && !board->ends; i += campaign->jobs) {
		script_draw(script, campaign->seed + i, &campaign->setting);
		*verdict = trial_run(script, &campaign->setting, &board->jobs[job].tally);
		if (verdict->outcome == AGREED)
			continue;
		board->ends = true;
		if (verdict->outcome == DISAGREED && campaign->shrinks)
			*verdict = shrink(script, &campaign->setting, *verdict);
		return;
	}
}

static void add_up(struct tally *sum, const struct tally *part)
{
	unsigned long *to = (unsigned long *)sum;
	const unsigned long *from = (const unsigned long *)part;

	for (size_t i = 0; i < sizeof *sum / sizeof *to; i++)
		to[i] += from[i];
}

static void collect(struct campaign *campaign, const struct board *board)
{
	for (unsigned int job = 0; job < campaign->jobs; job++) {
		add_up(&campaign->tally, &board->jobs[job].tally);
		if (!board->jobs[job].done && campaign->verdict.outcome == AGREED) {
			campaign->verdict.outcome = BROKEN;
			snprintf(campaign->verdict.text, sizeof campaign->verdict.text,
				 "a job did not reach its end");
		}
		if (board->jobs[job].verdict.outcome != AGREED &&
		    campaign->verdict.outcome == AGREED) {
			campaign->verdict = board->jobs[job].verdict;
			campaign->script = board->jobs[job].script;
		}
	}
}

void campaign_run(struct campaign *campaign)
{
	size_t size = sizeof(struct board) +
		      campaign->jobs * sizeof(((struct board *)NULL)->jobs[0]);
	struct board *board = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
				   -1, 0);

	if (board == MAP_FAILED)
		abort();
	memset(&campaign->tally, 0, sizeof campaign->tally);
	memset(&campaign->verdict, 0, sizeof campaign->verdict);
	fflush(NULL);
	for (unsigned int job = 0; job < campaign->jobs; job++) {
		if (fork() != 0)
			continue;
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		umask(022);
		run_job(campaign, board, job);
		board->jobs[job].done = true;
		_exit(0);
	}
	while (waitpid(-1, NULL, 0) > 0)
		;
	collect(campaign, board);
	munmap(board, size);
}
