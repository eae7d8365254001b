/* landlock-run: parse, confine, say so where it must be said, become the command.
 * Every failure before exec is one line on stderr and exit status 125; nothing is left behind. */
#include "confine.h"
#include "exec.h"
#include "launcher.h"
#include "output.h"
#include "probe.h"
#include "error.h"

#define STDERR 2

/* The one place that says that the launcher failed. */
static int die(const struct llr_error *error)
{
	char line[LLR_LINE_MAX];
	size_t length = llr_format_fatal(error, line, sizeof line);

	llr_output_last(STDERR, line, length); /* nowhere left to say it */
	return LLR_EXIT_FAILURE;
}

/* A notice that cannot be written changes nothing; a signal state that cannot be restored would be the command's. */
static int say_partial(struct llr_error *error)
{
	char line[sizeof LLR_NOTICE + 1];
	size_t length = llr_format_notice(line, sizeof line);
	int signal_failed;
	long result = llr_output(STDERR, line, length, &signal_failed);

	return signal_failed ? llr_fail(error, LLR_E_SIGNAL, result, NULL, "hold back SIGPIPE") : 0;
}

static int confine(const struct llr_args *args, struct llr_error *error)
{
	struct llr_policy policy;
	struct llr_result result = LLR_RESULT_INIT;

	if (args->mode == LLR_MODE_DANGER_FULL_ACCESS)
		return 0;
	llr_args_policy(args, &policy);
	if (llr_confine_before_exec(&policy, &result, error))
		return -1;
	return result.enforcement == LLR_ENFORCEMENT_PARTIAL ? say_partial(error) : 0;
}

/* The command's argument vector. bash takes the slot of the argument before `-c`, or of the last one: a mode was given, so both are there. */
static char **command_of(const struct llr_args *args, char **argv)
{
	static char bash[] = "bash";
	int at = args->script ? args->script - 1 : args->options_end - 1;

	if (args->command)
		return argv + args->command;
	argv[at] = bash;
	return argv + at;
}

static int become(const struct llr_args *args, char **argv, char **envp, struct llr_error *error)
{
	char **command = command_of(args, argv);
	long result = llr_exec(command, envp, 1);

	return llr_fail(error, LLR_E_EXEC, result, command[0], NULL);
}

int launch(int argc, char **argv, char **envp)
{
	struct llr_args args;
	struct llr_error error;

	if (llr_args_parse(&args, argc, argv, &error))
		return die(&error);
	if (args.action == LLR_ACTION_PROBE)
		return probe(&error) ? die(&error) : 0;
	if (!confine(&args, &error))
		become(&args, argv, envp, &error);
	return die(&error);
}
