/* confine DIRECTORY COMMAND [ARG]...: runs a command that may write beneath DIRECTORY alone, says
 * what became of it, and then puts itself under the same rules. Built with: cc confine.c
 * $(pkg-config --cflags --libs landlock-run) */
#include <errno.h>
#include <fcntl.h>
#include <landlock-run.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static int fail(const struct llr_error *error)
{
	char text[LLR_LINE_MAX];

	llr_error_text(error, text, sizeof text);
	fprintf(stderr, "confine: %s\n", text);
	return LLR_EXIT_FAILURE;
}

/* Runs the command with its stderr in a pipe and judges how it ended. */
static int run(const struct llr_policy *policy, char **command)
{
	static const char *const kinds[] = { "the command's own status", "likely denied",
					     "the launcher failed" };
	struct llr_spawn spawn = LLR_SPAWN_INIT;
	struct llr_result result = LLR_RESULT_INIT;
	struct llr_verdict verdict = LLR_VERDICT_INIT;
	struct llr_error error;
	char errors[65536];
	size_t length = 0;
	ssize_t got;
	int ends[2], status;
	int32_t pid;

	if (pipe2(ends, O_CLOEXEC))
		return LLR_EXIT_FAILURE;
	spawn.flags = LLR_SPAWN_SEARCH_PATH;
	spawn.policy = policy;
	spawn.argv = command;
	spawn.envp = environ;
	spawn.stdio[2] = ends[1];
	pid = llr_spawn(&spawn, &result, &error);
	close(ends[1]);
	if (pid < 0)
		return fail(&error);
	while (length < sizeof errors &&
	       (got = read(ends[0], errors + length, sizeof errors - length)) > 0)
		length += (size_t)got;
	waitpid(pid, &status, 0);
	llr_classify(status, errors, length, &verdict);
	printf("enforcement %u, exit status %d: %s\n", result.enforcement, verdict.exit_status,
	       kinds[verdict.kind]);
	if (verdict.evidence)
		printf("evidence: %.*s\n", (int)verdict.evidence_length, verdict.evidence);
	return 0;
}

int main(int argc, char **argv)
{
	struct llr_grant grants[] = {
		{ LLR_GRANT_PATH, 0, LLR_READ_EXECUTE, "/", -1, 0 },
		{ LLR_GRANT_PATH, 0, LLR_FILE_SET, argc > 1 ? argv[1] : ".", -1, 0 },
	};
	struct llr_policy policy = LLR_POLICY_INIT;
	struct llr_result result = LLR_RESULT_INIT;
	struct llr_error error;

	if (argc < 3)
		return LLR_EXIT_FAILURE;
	policy.grants = grants;
	policy.grants_count = 2;
	if (run(&policy, argv + 2))
		return LLR_EXIT_FAILURE;
	if (llr_confine(&policy, &result, &error))
		return fail(&error);
	if (open("outside", O_WRONLY | O_CREAT | O_CLOEXEC, 0644) < 0)
		printf("confined: %s\n", errno == EACCES ? "EACCES" : strerror(errno));
	return 0;
}
