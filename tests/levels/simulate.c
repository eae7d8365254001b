/* simulate.c: runs a command on a kernel that claims another Landlock ABI than it has.
 * It must never be wrong in silence: what it cannot answer as that ABI would ends it with 99. */
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "command.h"
#include "errnos.h"
#include "kernel.h"
#include "levels.h"

static const char usage[] =
"usage: simulate [OPTION]... [--] COMMAND [ARG]...\n"
"Runs COMMAND, and all that it starts, on a kernel that differs from this one in Landlock.\n"
"\n"
"  --abi N               claim ABI N: refuse what N does not know as a kernel of that ABI does;\n"
"                        above 12, what is not known here is no answer (status 99)\n"
"  --abi ERRNO           answer every Landlock call with ERRNO: ENOSYS (not built in; also 0),\n"
"                        EOPNOTSUPP (disabled at boot), EPERM (blocked by a filter)\n"
"  --errata none|VALUE   the errata query: EINVAL, or this bit mask. Default: none below ABI 7,\n"
"                        from there this kernel's\n"
"  --refuse RIGHT        claim the ABI and yet refuse this right (EINVAL); repeatable\n"
"  --fail CALL=ERRNO[@N] fail each CALL, or the Nth of all processes together; repeatable.\n"
"                        CALL: version errata create-ruleset add-rule restrict-self\n"
"\n"
"Ends when the last process that COMMAND started has ended, as COMMAND did: with its status, or\n"
"by its signal. Status 99 and a line on stderr: the simulator failed, or a call needed more than\n"
"this kernel has; all those processes were killed then.\n"
"\n"
"A signal told to it goes on to COMMAND; after HUP, INT, QUIT or TERM nothing is left behind.\n"
"What cannot be claimed: more layers than this kernel stacks (ABI 1 has 64); the order of errors\n"
"of a rename across directories at ABI 1 (EACCES may come before EXDEV). Without CAP_SYS_ADMIN,\n"
"COMMAND starts with no_new_privs. It also starts with SIGKILL as its parent-death signal.\n";

/* Each reads an option's value into the kernel and returns whether it could. */
static bool set_abi(struct kernel *kernel, const char *value)
{
	int abi, error;

	if (!level_parse(value, &abi, &error))
		return false;
	kernel_claim(kernel, abi, error);
	return true;
}

static bool set_errata(struct kernel *kernel, const char *value)
{
	char *end;

	if (strcmp(value, "none") == 0) {
		kernel->errata = -EINVAL;
		return true;
	}
	if (*value < '0' || *value > '9')
		return false;
	kernel->errata = strtol(value, &end, 0);
	return *end == '\0' && kernel->errata <= 0x7fffffff;
}

static bool set_refusal(struct kernel *kernel, const char *value)
{
	const struct level_right *right = level_right_named(value);

	if (right == NULL)
		return false;
	kernel->refused[right->field] |= UINT64_C(1) << right->bit;
	return true;
}

/* CALL=ERRNO[@N] */
static bool set_fault(struct kernel *kernel, const char *value)
{
	char call[32], error[32], nth[16] = "";
	struct fault *fault = &kernel->faults[kernel->fault_count];
	char *end = nth;
	int length = 0;

	if (kernel->fault_count == KERNEL_FAULTS ||
	    sscanf(value, "%31[a-z-]=%31[A-Z0-9]%n", call, error, &length) != 2)
		return false;
	*fault = (struct fault){ .call = kernel_call_named(call), .error = errno_named(error) };
	if (value[length] == '@') {
		snprintf(nth, sizeof(nth), "%s", value + length + 1);
		fault->nth = (unsigned int)strtoul(nth, &end, 10);
		if (*nth < '0' || *nth > '9' || fault->nth == 0)
			return false;
	} else if (value[length] != '\0') {
		return false;
	}
	kernel->fault_count++;
	return *end == '\0' && fault->call != KERNEL_CALLS && fault->error != 0;
}

static const struct option {
	const char *name;
	bool (*set)(struct kernel *kernel, const char *value);
} options[] = {
	{ "--abi", set_abi },
	{ "--errata", set_errata },
	{ "--refuse", set_refusal },
	{ "--fail", set_fault },
};

_Noreturn static void refuse(const char *what, const char *subject)
{
	fprintf(stderr, "simulate: usage error: %s: %s\n", what, subject);
	exit(SIMULATE_FAILED);
}

static const struct option *option_named(const char *name)
{
	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++)
		if (strcmp(options[i].name, name) == 0)
			return &options[i];
	return NULL;
}

/* Returns where the command begins. */
static char **parse(struct kernel *kernel, char **argv)
{
	while (*argv != NULL && **argv == '-' && strcmp(*argv, "--") != 0) {
		const struct option *option = option_named(*argv);

		if (strcmp(*argv, "--help") == 0) {
			fputs(usage, stdout);
			exit(fflush(stdout) == 0 ? 0 : SIMULATE_FAILED);
		}
		if (option == NULL)
			refuse("unknown option", *argv);
		if (argv[1] == NULL)
			refuse("a value is missing", *argv);
		if (!option->set(kernel, argv[1]))
			refuse(option->name, argv[1]);
		argv += 2;
	}
	if (*argv != NULL && strcmp(*argv, "--") == 0)
		argv++;
	if (*argv == NULL)
		refuse("missing", "COMMAND");
	return argv;
}

/* Ends as the command did. */
_Noreturn static void end_as(int status)
{
	struct rlimit no_core = { 0, 0 };
	sigset_t signal_set;

	if (!WIFSIGNALED(status))
		exit(WEXITSTATUS(status));
	/* The command's own core, if any, is the one to look at. */
	setrlimit(RLIMIT_CORE, &no_core);
	signal(WTERMSIG(status), SIG_DFL);
	sigemptyset(&signal_set);
	sigaddset(&signal_set, WTERMSIG(status));
	sigprocmask(SIG_UNBLOCK, &signal_set, NULL);
	raise(WTERMSIG(status));
	/* An init process is spared by its own signals. */
	exit(128 + WTERMSIG(status));
}

int main(int argc, char **argv)
{
	struct kernel kernel;
	int status;

	(void)argc;
	kernel_init(&kernel);
	argv = parse(&kernel, argv + 1);
	status = command_run(&kernel, argv);
	if (status < 0)
		return SIMULATE_FAILED;
	end_as(status);
}
