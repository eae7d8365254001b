/* A program that uses the library where nothing can be enforced: what needs no kernel works, what
 * needs one fails closed. It must not need a file of its own at run time, nor be started again: an
 * emulator may be what runs it. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <landlock-run.h>

#define CHECK(what) \
	do { \
		if (!(what)) { \
			printf("%s:%d: %s\n", __FILE__, __LINE__, #what); \
			failures++; \
		} \
	} while (0)

static int failures;

static void check_words(void)
{
	struct llr_verdict verdict = LLR_VERDICT_INIT;
	struct llr_status status = { 0 };
	static const char notice[] = LLR_NOTICE "\nPermission denied\n", fatal[] = LLR_PREFIX "x\n";
	static const char stream[] = "{\"landlock-run\":1,\"event\":\"confined\",\"enforcement\":"
				     "\"full\",\"abi\":7,\"mode\":null,\"ungoverned\":[]}\n";

	CHECK(strcmp(llr_version(), LLR_VERSION) == 0);
	CHECK(llr_rights_of_abi(5) == LLR_FILE_SET + LLR_BIND_TCP + LLR_CONNECT_TCP);
	llr_classify(LLR_EXIT_FAILURE << 8, fatal, sizeof fatal - 1, &verdict);
	CHECK(verdict.kind == LLR_VERDICT_LAUNCHER && verdict.exit_status == LLR_EXIT_FAILURE);
	llr_classify(1 << 8, notice, sizeof notice - 1, &verdict);
	CHECK(verdict.kind == LLR_VERDICT_DENIED && verdict.partial &&
	      verdict.evidence == strchr(notice, 'P'));
	status.size = sizeof status;
	CHECK(llr_read_status(stream, sizeof stream - 1, &status, NULL) == 0);
	CHECK(status.event == LLR_STATUS_CONFINED && status.enforcement == LLR_ENFORCEMENT_FULL &&
	      status.abi == 7);
}

static void check_confine(const struct llr_policy *policy)
{
	struct llr_result result = LLR_RESULT_INIT;
	struct llr_error error = { 0 };
	char line[LLR_LINE_MAX];

	CHECK(llr_kernel_abi(&error) == -1 && error.code == LLR_E_NOT_ENFORCED &&
	      error.errnum == ENOSYS);
	CHECK(llr_plan(policy, &result, &error) == -1 && error.code == LLR_E_NOT_ENFORCED);
	CHECK(llr_confine(policy, &result, &error) == -1 && error.code == LLR_E_NOT_ENFORCED);
	CHECK(result.enforcement == LLR_ENFORCEMENT_NONE);
	CHECK(llr_format_fatal(&error, line, sizeof line) > 0);
	CHECK(strncmp(line, LLR_PREFIX "landlock is not enforced by this kernel (", 55) == 0);
}

/* Starts what the machine runs, emulated or not. */
static void check_spawn(const struct llr_policy *policy)
{
	char *command[] = { (char *)"/bin/sh", (char *)"-c", (char *)"exit 7", NULL };
	struct llr_spawn spawn = LLR_SPAWN_INIT;
	struct llr_error error = { 0 };
	int status = 0;
	int32_t pid;

	spawn.argv = command;
	pid = llr_spawn(&spawn, NULL, &error);
	CHECK(pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status) &&
	      WEXITSTATUS(status) == 7);
	spawn.policy = policy;
	/* No process is left, but where an emulator turns vfork into fork: there it is one that
	 * failed. */
	pid = llr_spawn(&spawn, NULL, &error);
	if (pid < 0)
		CHECK(error.code == LLR_E_NOT_ENFORCED && waitpid(-1, &status, __WALL) == -1 &&
		      errno == ECHILD);
	else
		CHECK(waitpid(pid, &status, 0) == pid && WIFEXITED(status) &&
		      WEXITSTATUS(status) == LLR_EXIT_FAILURE);
}

int main(void)
{
	struct llr_grant grant = { LLR_GRANT_PATH, 0, LLR_READ_EXECUTE, "/", -1, 0 };
	struct llr_policy policy = LLR_POLICY_INIT;

	policy.grants = &grant;
	policy.grants_count = 1;
	check_words();
	check_confine(&policy);
	check_spawn(&policy);
	return failures > 0;
}
