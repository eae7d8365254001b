/* Counts the system calls of a launch, exactly, with ptrace.
 * Nothing here prints. */
#ifndef BENCH_TRACE_H
#define BENCH_TRACE_H

#include <stdbool.h>
#include <stddef.h>

struct trace_call {
	unsigned int arch;         /* AUDIT_ARCH_… of the caller */
	unsigned long long number; /* the system call's number there */
};

struct trace {
	struct trace_call *calls; /* in the order in which they were entered */
	size_t count;
	size_t room;
	int status;    /* of the program, as wait() tells it */
	bool launched; /* a second exec succeeded */
};

/*
 * Runs argv[0] (looked up on PATH) and records the calls of the launch: those that the program, and
 * whatever it forks, enters after the exec that started it. A process that execs again has become
 * the command: that exec is the last call recorded of it, and it is traced no longer. Returns when
 * all have ended: 0, or -1 with errno when the program could not be started or traced. The caller
 * has no other children meanwhile, and frees with trace_free() in either case.
 */
int trace_run(struct trace *trace, char *const argv[], char *const envp[]);
void trace_free(struct trace *trace);

/* The call's name, or null for a foreign architecture's or an unknown number. */
const char *trace_name(const struct trace_call *call);

#endif
