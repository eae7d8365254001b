/* syscalls [-o FILE] -- COMMAND [ARG]...: prints the system calls of a launch, one a line, exactly.
 * Never prints a call of what was launched, nor a name that it is not sure of (then the number). */
#include "trace.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

extern char **environ;

enum { TROUBLE = 99 };

static int trouble(const char *what, const char *subject)
{
	fprintf(stderr, "syscalls: %s%s: %s\n", what, subject, strerror(errno));
	return TROUBLE;
}

static int print(const struct trace *trace, FILE *out)
{
	for (size_t i = 0; i < trace->count; i++) {
		const char *name = trace_name(&trace->calls[i]);

		if (name != NULL)
			fprintf(out, "%s\n", name);
		else
			fprintf(out, "%llu\n", trace->calls[i].number);
	}
	return fflush(out);
}

static int trace_into(FILE *out, char *const argv[])
{
	struct trace trace;
	int result = 0;

	if (trace_run(&trace, argv, environ) != 0)
		result = trouble("cannot trace ", argv[0]);
	else if (print(&trace, out) != 0)
		result = trouble("cannot write the list", "");
	else if (WIFSIGNALED(trace.status))
		result = 128 + WTERMSIG(trace.status);
	else
		result = WEXITSTATUS(trace.status);
	trace_free(&trace);
	return result;
}

int main(int argc, char *argv[])
{
	FILE *out = stdout;
	int next = 1;

	if (next + 1 < argc && strcmp(argv[next], "-o") == 0) {
		out = fopen(argv[next + 1], "we");
		if (out == NULL)
			return trouble("cannot open ", argv[next + 1]);
		next += 2;
	}
	if (next + 1 >= argc || strcmp(argv[next], "--") != 0) {
		fputs("usage: syscalls [-o FILE] -- COMMAND [ARG]...\n"
		      "Prints the calls between COMMAND's start and its exec of something else, "
		      "that exec\n"
		      "included; ends with COMMAND's status, 128 + its signal, or 99 if not "
		      "traced.\n",
		      stderr);
		return TROUBLE;
	}
	return trace_into(out, argv + next + 1);
}
