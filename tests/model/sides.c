/* sides.c: the two trees of a trial and the process in each: one in a sandbox, one not.
 * It must never leave a process or a mount behind. */
#include "sides.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- Trees ---- */

static int remove_entry(const char *path, const struct stat *status, int type, struct FTW *walk)
{
	(void)status;
	(void)walk;
	if (type == FTW_DP || type == FTW_D || type == FTW_DNR)
		rmdir(path);
	else
		unlink(path);
	return 0;
}

static const char *build_side(struct side *side, const char *base, const char *name,
			      const struct script *script, const char *program)
{
	side->name = name;
	side->worker = -1;
	side->channel = -1;
	snprintf(side->top, sizeof side->top, "%s/%s", base, name);
	if (mkdir(side->top, 0755) != 0)
		return "cannot create a tree";
	if (furnishing_build(&script->furnishing, side->top, program) != NULL)
		return "cannot furnish a tree";
	return side_open(side) ? NULL : "cannot look at a tree";
}

/* A mount that takes all mounts in it along when it goes. */
static bool mount_base(struct sides *sides, const struct script *script)
{
	sides->mounted = script->disk ? mount(sides->base, sides->base, NULL, MS_BIND, NULL) == 0
				      : mount("model", sides->base, "tmpfs", 0, "mode=755") == 0;
	return sides->mounted;
}

const char *sides_build(struct sides *sides, const struct script *script,
			const struct setting *setting)
{
	const char *failure;

	memset(sides, 0, sizeof *sides);
	sides->real.worker = sides->twin.worker = -1;
	sides->real.channel = sides->twin.channel = sides->real.top_fd = sides->twin.top_fd = -1;
	snprintf(sides->base, sizeof sides->base, "%.200s/trial-XXXXXX",
		 script->disk ? setting->slow : setting->fast);
	if (mkdtemp(sides->base) == NULL)
		return "cannot create a directory";
	if ((script->mounts || (setting->root && !script->disk)) && !mount_base(sides, script))
		return "cannot mount";
	failure = build_side(&sides->real, sides->base, "tree1", script, setting->launcher);
	if (failure == NULL)
		failure = build_side(&sides->twin, sides->base, "tree2", script, setting->launcher);
	return failure;
}

/* ---- Workers ---- */

/* Its standard error is `errors`; 1 is the one that leads nowhere. */
static _Noreturn void become(char **argv, int channel, int errors)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (null < 0 || dup2(null, 0) < 0 || dup2(null, 1) < 0 || dup2(errors, 2) < 0)
		_exit(99);
	/* The lowest free numbers are below: nothing stands at the channel's but by chance. */
	if (channel == WORKER_CHANNEL ? fcntl(channel, F_SETFD, 0) < 0
				      : dup2(channel, WORKER_CHANNEL) < 0)
		_exit(99);
	execv(argv[0], argv);
	_exit(99);
}

static pid_t start(struct side *side, char **argv, int errors)
{
	int ends[2];
	struct timeval patience = { .tv_sec = 30 };
	pid_t child;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
		return -1;
	setsockopt(ends[0], SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
	child = fork();
	if (child == 0)
		become(argv, ends[1], errors);
	close(ends[1]);
	side->channel = ends[0];
	return child;
}

/* The first reply: the worker is there, and which process it is. */
static bool await(struct side *side, pid_t child)
{
	struct reply reply;

	if (child < 0 || read(side->channel, &reply, sizeof reply) != sizeof reply)
		return false;
	side->worker = reply.value;
	return true;
}

static const char *start_twin(struct sides *sides, const struct setting *setting)
{
	char *argv[] = { (char *)setting->self, "--helper", "work", sides->twin.top, NULL };

	return await(&sides->twin, start(&sides->twin, argv, 1)) ? NULL
								 : "the twin does not answer";
}

static const char *start_real(struct sides *sides, const struct script *script,
			      const struct setting *setting)
{
	char abi[16];
	const char *const claim[] = { setting->simulator, "--abi", abi, "--", NULL };
	const char *const none[] = { NULL };
	const char *const command[] = { setting->self, "--helper", "work", sides->real.top, NULL };
	struct arguments arguments;
	int errors = memfd_create("errors", MFD_CLOEXEC);
	bool answers;

	snprintf(abi, sizeof abi, "%d", setting->abi);
	policy_arguments(&script->policy, sides->real.top, setting->launcher,
			 setting->simulator ? claim : none, command, &arguments);
	answers = await(&sides->real, start(&sides->real, arguments.words, errors));
	arguments_free(&arguments);
	if (pread(errors, sides->said, sizeof sides->said - 1, 0) < 0)
		*sides->said = '\0';
	close(errors);
	return answers ? NULL : "the launcher did not run the command";
}

const char *sides_start(struct sides *sides, const struct script *script,
			const struct setting *setting)
{
	const char *failure = start_twin(sides, setting);

	return failure ? failure : start_real(sides, script, setting);
}

/* A worker ends when its channel does, and with it what started it. */
static void end_side(struct side *side)
{
	if (side->stuck)
		kill(side->worker, SIGKILL);
	if (side->channel >= 0)
		close(side->channel);
	if (side->top_fd >= 0)
		side_close(side);
}

void sides_remove(struct sides *sides)
{
	end_side(&sides->real);
	end_side(&sides->twin);
	while (waitpid(-1, NULL, 0) > 0)
		;
	if (sides->mounted)
		umount2(sides->base, MNT_DETACH);
	nftw(sides->base, remove_entry, 16, FTW_PHYS | FTW_DEPTH);
}

struct reply side_perform(struct side *side, const struct operation *operation)
{
	struct reply reply;

	if (write(side->channel, operation, sizeof *operation) != sizeof *operation ||
	    read(side->channel, &reply, sizeof reply) != sizeof reply) {
		side->stuck = true;
		return (struct reply){ -1, 0 };
	}
	return reply;
}
