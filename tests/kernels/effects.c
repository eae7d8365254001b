/* effects.c: what each mode of the launcher governs on this kernel, found by trying, against what its ABI promises.
 * It must never take a launch's word: an attempt counts as refused only if the call failed and left no trace. */
#include "attempts.h"
#include "surroundings.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define NEVER 1000
#define FAILURE 125
#define NOTICE "landlock-run: partial enforcement (older Landlock ABI)\n"
#define OPTIONS_MAX 24
#define TEXT_MAX 4096

enum kind {
	FILES,    /* a mode alone, tried outside of what it grants */
	ASKED,    /* a mode and everything that can be asked for beside it */
	INSIDE,   /* a mode, tried inside of what it grants */
	UNCONFINED
};

static const struct policy {
	const char *name;
	enum kind kind;
	int full_from;                    /* the ABI from which there is no notice */
	const char *options[OPTIONS_MAX]; /* WORKSPACE stands for the workspace */
} policies[] = {
	{"read-only", FILES, 5, {"--mode", "read-only"}},
	{"read-only-strict", ASKED, 10,
	 {"--mode", "read-only", "--best-effort", "--bind-tcp", "none", "--connect-tcp", "none",
	  "--bind-udp", "none", "--connect-send-udp", "none", "--resolve-unix", "none", "--scope",
	  "abstract-unix-socket", "--scope", "signal", "--guard", "metadata", "--close-fds"}},
	{"workspace-write", FILES, 5, {"--mode", "workspace-write", "--workspace", "WORKSPACE"}},
	{"workspace-write-inside", INSIDE, 5, {"--mode", "workspace-write", "--workspace", "WORKSPACE"}},
	{"danger-full-access", UNCONFINED, 0, {"--mode", "danger-full-access"}},
};

/* The ABI from which an attempt is refused: under a mode alone, and when it is asked for. */
static const struct promise {
	const char *attempt;
	int files;
	int asked;
	bool inside; /* what a workspace is for */
} promises[] = {
	{"read", NEVER, NEVER, true},
	{"create", 1, 1, true},
	{"write", 1, 1, true},
	{"truncate", 3, 3, true},
	{"delete", 1, 1, true},
	{"rename", 1, 1, true},
	{"metadata", NEVER, 1, true},
	{"device-ioctl", 5, 5, false},
	{"inherited-descriptor", NEVER, 1, false},
	{"pathname-socket", NEVER, 9, false},
	{"abstract-socket", NEVER, 6, false},
	{"tcp-connect", NEVER, 4, false},
	{"tcp-bind", NEVER, 4, false},
	{"udp-send", NEVER, 10, false},
	{"udp-bind", NEVER, 10, false},
	{"signal", NEVER, 6, false},
	{"trace", 1, 1, false},
};

struct launch {
	int status;
	char out[TEXT_MAX];
	char err[TEXT_MAX];
};

static int passed, failed;

static void report(bool good, const char *policy, const char *claim, const char *about, int line, const char *what)
{
	if (good) {
		passed++;
		printf("ok %s_%s_%s\n", policy, claim, about);
	} else {
		failed++;
		printf("FAIL %s_%s_%s: %s:%d: %.*s\n", policy, claim, about, __FILE__, line,
		       (int)strcspn(what, "\n"), what);
	}
	fflush(stdout);
}

static void broken(const char *what)
{
	printf("FAIL set_up: %s: %s\neffects: %d passed, %d failed, 0 skipped\n", what, strerror(errno), passed,
	       failed + 1);
	exit(1);
}

/* ---- The confined half ---- */

static int try_all(char **argv)
{
	struct surroundings around = {
		.target = (pid_t)atoi(argv[1]),
		.tcp_port = atoi(argv[2]),
		.udp_port = atoi(argv[3]),
	};
	const struct attempt *attempt;

	snprintf(around.folder, sizeof(around.folder), "%s", argv[0]);
	snprintf(around.abstract, sizeof(around.abstract), "%s", argv[4]);
	for (size_t i = 0; (attempt = attempt_at(i)) != NULL; i++)
		printf("try %s %d\n", attempt->name, attempt->act(&around) == 0 ? 0 : errno);
	return fflush(stdout) == 0 ? 0 : 1;
}

/* ---- A launch ---- */

static void read_all(int fd, char text[TEXT_MAX])
{
	size_t used = 0;
	ssize_t count;

	while (used < TEXT_MAX - 1 && (count = read(fd, text + used, TEXT_MAX - 1 - used)) > 0)
		used += (size_t)count;
	text[used] = '\0';
	close(fd);
}

/* In the child: becomes the launcher. The descriptor to inherit is opened here, so that only the command has it. */
static void become_launcher(const struct policy *policy, const char *workspace, const struct surroundings *around)
{
	const char *launcher = getenv("LANDLOCK_RUN"), *argv[OPTIONS_MAX + 12] = {launcher};
	char self[PATH_SIZE] = "", target[16], tcp[16], udp[16], path[PATH_SIZE];
	size_t count = 1;
	int fd;

	for (size_t i = 0; i < OPTIONS_MAX && policy->options[i] != NULL; i++)
		argv[count++] = strcmp(policy->options[i], "WORKSPACE") == 0 ? workspace : policy->options[i];
	snprintf(target, sizeof(target), "%d", (int)around->target);
	snprintf(tcp, sizeof(tcp), "%d", around->tcp_port);
	snprintf(udp, sizeof(udp), "%d", around->udp_port);
	surroundings_path(around, "inherited", path);
	fd = open(path, O_WRONLY | O_APPEND);
	if (fd < 0 || dup2(fd, INHERITED_FD) < 0 || readlink("/proc/self/exe", self, sizeof(self) - 1) < 0)
		_exit(120);
	argv[count++] = "--";
	argv[count++] = self;
	argv[count++] = "--try";
	argv[count++] = around->folder;
	argv[count++] = target;
	argv[count++] = tcp;
	argv[count++] = udp;
	argv[count++] = around->abstract;
	execv(launcher, (char *const *)argv);
	_exit(121);
}

/* What is written fits into the pipes, so the launch can end before they are read. */
static struct launch run(const struct policy *policy, const char *workspace, const struct surroundings *around)
{
	struct launch launch = {.status = -1};
	int out[2], err[2];
	pid_t pid;

	if (pipe2(out, O_CLOEXEC) < 0 || pipe2(err, O_CLOEXEC) < 0)
		broken("pipe");
	pid = fork();
	if (pid == 0) {
		dup2(out[1], STDOUT_FILENO);
		dup2(err[1], STDERR_FILENO);
		become_launcher(policy, workspace, around);
	}
	close(out[1]);
	close(err[1]);
	if (pid < 0 || waitpid(pid, &launch.status, 0) != pid)
		broken("fork");
	launch.status = WIFEXITED(launch.status) ? WEXITSTATUS(launch.status) : 1000 + WTERMSIG(launch.status);
	read_all(out[0], launch.out);
	read_all(err[0], launch.err);
	return launch;
}

/* ---- What it must have said and done ---- */

/* The errno of an attempt, 0 for success; -1 when the command did not say. */
static int answer(const struct launch *launch, const char *attempt)
{
	char line[64];
	const char *found;

	snprintf(line, sizeof(line), "try %s ", attempt);
	found = strstr(launch->out, line);
	return found == NULL ? -1 : atoi(found + strlen(line));
}

static bool must_refuse(const struct policy *policy, const struct promise *promise, int abi)
{
	switch (policy->kind) {
	case FILES:
		return abi >= promise->files;
	case ASKED:
		return abi >= promise->asked;
	case INSIDE:
		/* Without the right to it, nothing may move between directories. */
		return abi < 2 && strcmp(promise->attempt, "rename") == 0;
	case UNCONFINED:
		break;
	}
	return false;
}

static bool is_refusal(int error)
{
	return error == EACCES || error == EPERM || error == EXDEV || error == EBADF;
}

static void check_attempt(const struct policy *policy, const struct launch *launch, const struct attempt *attempt,
			  const struct surroundings *around, int abi)
{
	const struct promise *promise = promises;
	bool refuse, trace;
	char what[128];
	int error = answer(launch, attempt->name);

	while (strcmp(promise->attempt, attempt->name) != 0)
		promise++;
	if (policy->kind == INSIDE && !promise->inside)
		return;
	refuse = must_refuse(policy, promise, abi);
	trace = attempt->happened == NULL ? error == 0 : attempt->happened(around);
	snprintf(what, sizeof(what), "%s and %s", error < 0 ? "not tried" : error == 0 ? "allowed" : strerror(error),
		 trace ? "done" : "not done");
	report(refuse ? is_refusal(error) && !trace : error == 0 && trace, policy->name, refuse ? "refuses" : "leaves",
	       attempt->name, __LINE__, what);
	if (error == 0 || is_refusal(error))
		printf("effect %s %s %s\n", policy->name, attempt->name, error == 0 ? "allowed" : "refused");
}

/* On a kernel that cannot confine: nothing runs, and one line says why. */
static void check_refused_launch(const struct policy *policy, const struct launch *launch)
{
	const char *newline = strchr(launch->err, '\n');

	report(launch->status == FAILURE && launch->out[0] == '\0', policy->name, "does", "not_run_unconfined", __LINE__,
	       launch->out);
	report(strncmp(launch->err, "landlock-run: landlock is not enforced by this kernel (", 55) == 0 &&
		       newline != NULL && newline[1] == '\0',
	       policy->name, "says", "why", __LINE__, launch->err);
	printf("effect %s launch refused\n", policy->name);
}

static void check_policy(const struct policy *policy, const char *folder, int abi)
{
	char workspace[PATH_SIZE / 4], place[PATH_SIZE / 2];
	struct surroundings around;
	struct launch launch;
	const struct attempt *attempt;
	bool partial = policy->kind != UNCONFINED && abi < policy->full_from;

	snprintf(workspace, sizeof(workspace), "%s/%s", folder, policy->name);
	snprintf(place, sizeof(place), "%s%s", workspace, policy->kind == INSIDE ? "/in" : "-out");
	if (mkdir(workspace, 0755) < 0 || surroundings_make(&around, place) < 0)
		broken(place);
	launch = run(policy, workspace, &around);
	if (abi == 0 && policy->kind != UNCONFINED) {
		check_refused_launch(policy, &launch);
	} else {
		report(launch.status == 0, policy->name, "runs", "the_command", __LINE__, launch.err);
		report(strcmp(launch.err, partial ? NOTICE : "") == 0, policy->name, partial ? "gives" : "needs",
		       partial ? "the_notice" : "no_notice", __LINE__, launch.err);
		printf("effect %s launch %s\n", policy->name,
		       policy->kind == UNCONFINED ? "unconfined" : partial ? "partial" : "full");
		for (size_t i = 0; (attempt = attempt_at(i)) != NULL; i++)
			check_attempt(policy, &launch, attempt, &around, abi);
	}
	surroundings_end(&around);
}

int main(int argc, char **argv)
{
	const char *expected = getenv("LANDLOCK_RUN_EXPECT_ABI");
	char here[PATH_SIZE / 8], folder[PATH_SIZE / 6];

	if (argc == 7 && strcmp(argv[1], "--try") == 0)
		return try_all(argv + 2);
	if (expected == NULL || getenv("LANDLOCK_RUN") == NULL) {
		fputs("effects: LANDLOCK_RUN and LANDLOCK_RUN_EXPECT_ABI must be set\n", stderr);
		return 2;
	}
	if (getcwd(here, sizeof(here)) == NULL)
		broken("the working directory");
	snprintf(folder, sizeof(folder), "%s/effects.%d", here, (int)getpid());
	if (mkdir(folder, 0755) < 0)
		broken(folder);
	for (size_t i = 0; i < sizeof(policies) / sizeof(policies[0]); i++)
		check_policy(&policies[i], folder, atoi(expected));
	printf("effects: %d passed, %d failed, 0 skipped\n", passed, failed);
	return failed == 0 ? 0 : 1;
}
