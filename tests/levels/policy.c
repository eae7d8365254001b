/* policy.c: asks the library for what the command line names, and says what came back.
 * It must never know what should come back. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "landlock-run.h"

#define ABSENT UINT64_MAX

/* Reads RIGHT or `full`; ABSENT when there is no such right. */
static llr_rights rights_named(const char *name)
{
	const struct llr_right *right = llr_right_by_name(name, strlen(name));

	if (strcmp(name, "full") == 0)
		return LLR_FILE_SET;
	return right == NULL ? ABSENT : right->right;
}

static int read_argument(const char *argument, struct llr_policy *policy)
{
	const char *value = strchr(argument, '=');
	llr_rights rights = value == NULL ? 0 : rights_named(value + 1);

	if (strcmp(argument, "best-effort") == 0)
		policy->flags |= LLR_POLICY_BEST_EFFORT;
	else if (strcmp(argument, "log-denials") == 0)
		policy->flags |= LLR_POLICY_LOG_DENIALS;
	else if (value != NULL && rights != ABSENT && strncmp(argument, "governed=", 9) == 0)
		policy->governed |= rights;
	else if (value != NULL && rights != ABSENT && strncmp(argument, "required=", 9) == 0)
		policy->required |= rights;
	else
		return -1;
	return 0;
}

static void say_result(const char *what, int failed, const struct llr_result *result,
		       const struct llr_error *error)
{
	if (failed)
		printf("%s error code=%d errnum=%d subject=%s index=%" PRIu64 "\n", what,
		       error->code, error->errnum, error->subject == NULL ? "-" : error->subject,
		       error->index);
	else
		printf("%s ok enforcement=%u abi=%d unmet=%u governed=%" PRIx64
		       " ungoverned=%" PRIx64 "\n",
		       what, result->enforcement, result->abi, result->unmet, result->governed,
		       result->ungoverned);
	fflush(stdout);
}

static void say_make(const char *path)
{
	int made = mknod(path, S_IFREG | 0644, 0);

	printf("make %s %s\n", path, made == 0 ? "ok" : strerrorname_np(errno));
}

int main(int argc, char *argv[])
{
	static const struct llr_grant grants[] = {
		{ LLR_GRANT_PATH, 0, LLR_READ_EXECUTE, "/", -1, 0 },
		{ LLR_GRANT_PATH, LLR_GRANT_DIRECTORY, LLR_FILE_SET, "in", -1, 0 },
	};
	struct llr_policy policy = LLR_POLICY_INIT;
	struct llr_result result = LLR_RESULT_INIT;
	struct llr_error error = { 0 };
	int failed;

	for (int i = 1; i < argc; i++)
		if (read_argument(argv[i], &policy) != 0)
			return 95;
	policy.grants = grants;
	policy.grants_count = sizeof(grants) / sizeof(grants[0]);
	failed = llr_plan(&policy, &result, &error);
	say_result("plan", failed, &result, &error);
	failed = llr_confine(&policy, &result, &error);
	say_result("confine", failed, &result, &error);
	say_make("in/marker");
	say_make("out/escape");
	/* Nothing of the library's is left open. */
	printf("next descriptor %d\n", open("/", O_PATH | O_CLOEXEC));
	return fflush(stdout) == 0 ? 17 : 94;
}
