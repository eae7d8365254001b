/* landlock-run: parse, confine, say so where it must be said, become the command.
 * Every failure before exec is one line on stderr and exit status 125; nothing is left behind. */
#include "confine.h"
#include "error.h"
#include "exec.h"
#include "inherit.h"
#include "launcher.h"
#include "probe.h"
#include "sys.h"
#include "text.h"
#include "words.h"

#define NO_STATUS (-1) /* of bwrap and of the probe, which have no --status-fd */

static int confine(struct llr_args *args, struct llr_result *result, struct llr_error *error)
{
	struct llr_policy policy;

	if (args->mode == LLR_MODE_DANGER_FULL_ACCESS)
		return 0;
	if (git_find(args, NULL, 0, error))
		return -1;
	llr_args_policy(args, &policy);
	if (llr_confine_before_exec(&policy, result, error))
		return -1;
	return result->enforcement == LLR_ENFORCEMENT_PARTIAL ? report_partial(error) : 0;
}

/* The command's argument vector. bash takes the slot of the argument before `-c`, or of the last
 * option: a mode was given, so both are there, and the policy, whose grants stand in argv, is in
 * force by now. */
static char **command_of(const struct llr_args *args)
{
	char **argv = (char **)args->argv;
	int at = args->script ? args->script - 1 : args->options_end - 1;

	if (args->command)
		return argv + args->command;
	argv[at] = (char *)"bash";
	return argv + at;
}

/* Everything between the parsed arguments and exec. Nothing is restricted before all that can be
 * refused without it has been. */
static int prepare(struct llr_args *args, struct llr_error *error)
{
	struct llr_result result = LLR_RESULT_INIT;

	if (process_check_fds(args, error))
		return -1;
	if (args->launch & LLR_LAUNCH_DIE_WITH_PARENT && llr_die_with_parent(SYS0(getppid), error))
		return -1;
	if (confine(args, &result, error))
		return -1;
	if (args->launch & LLR_LAUNCH_CLOSE_FDS && process_close_fds(args, error))
		return -1;
	return report_confined(args, &result, error);
}

static int die(int status_fd, const struct llr_error *error)
{
	report_failure(status_fd, error);
	return LLR_EXIT_FAILURE;
}

/* Apart from its callers, whose stack must stay small: each page of it that a launch touches costs
 * a fault. */
__attribute__((noinline)) static int die_of_exec(int status_fd, const char *command,
						 char *const *envp, long result, int decided)
{
	struct llr_error error;
	struct culprit culprit;

	llr_fail(&error, LLR_E_EXEC, result, command, NULL);
	culprit_find(&culprit, command, envp, decided, &error);
	return die(status_fd, &error);
}

static int become(int status_fd, char **command, char **envp)
{
	int decided;
	long result = llr_exec(command, envp, 1, &decided);

	return die_of_exec(status_fd, command[0], envp, result, decided);
}

static int run(struct llr_args *args, char **envp)
{
	struct llr_error error;

	if (prepare(args, &error))
		return die(args->status_fd, &error);
	return become(args->status_fd, command_of(args), envp);
}

/* The front for callers that speak bubblewrap's command line. */
static int run_bwrap(int argc, char **argv, char **envp)
{
	struct llr_error error;
	char **command;

	if (bwrap_prepare(argc, argv, &command, &error))
		return die(NO_STATUS, &error);
	return become(NO_STATUS, command, envp);
}

/* What the kernel enforces, at length. */
static int run_probe(int argc, char **argv, char **envp)
{
	struct llr_error error;

	return words_unpack(&error) || probe_at_length(argc, argv, envp, &error)
		       ? die(NO_STATUS, &error)
		       : 0;
}

int launch(int argc, char **argv, char **envp)
{
	struct llr_args args;
	struct llr_error error;
	int failed;

	if (argc > 1 && llr_string_equal(argv[1], "bwrap"))
		return run_bwrap(argc, argv, envp);
	if (argc > 1 && llr_string_equal(argv[1], "probe"))
		return run_probe(argc, argv, envp);
	if (argsfile_parse(&args, argc, argv, 1, &error))
		return die(args.status_fd, &error);
	switch (args.action) {
	case LLR_ACTION_PROBE:
		failed = probe(&error);
		break;
	case LLR_ACTION_HELP:
		failed = help_print(&error);
		break;
	case LLR_ACTION_VERSION:
		failed = help_version(&error);
		break;
	case LLR_ACTION_DRY_RUN:
		failed = plan_print(&args, &error);
		break;
	default:
		return run(&args, envp);
	}
	return failed ? die(args.status_fd, &error) : 0;
}
