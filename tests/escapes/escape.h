/* escape.h: what a row of the table of escapes holds, and what an attempt may answer.
 * Nothing here runs an attempt or knows what the launcher does. */
#ifndef ESCAPE_H
#define ESCAPE_H

#include <stdbool.h>

#include "launches.h"
#include "outside.h"

/* An attempt's answer: 0, it was done; an errno, it was not; or the thing is not there to be tried,
 * for which absent() says why. */
#define DONE 0
#define ABSENT 200
typedef int attempt_function(const struct outside *outside);

int absent(const char *why);
/* The answer that a system call's result stands for. */
int answer(long result);
/* The same, where such an errno says that this kernel or machine has no such thing. */
int answer_unless(long result, int missing, const char *why);
/* Runs a part of an attempt in a child and waits for it: its answer. */
int in_child(attempt_function *part, const struct outside *outside);
/* Opens the path, writes one byte, closes. */
int write_to(const char *path, int flags);
/* Writes one byte to the descriptor and closes it; what opening it came to, if it is none. */
int write_and_close(int fd);

enum verdict {
	VERDICT_CLOSED, /* whatever the options, from an ABI on */
	VERDICT_OPTION, /* by an option, from an ABI on */
	VERDICT_OPEN,   /* whatever the options, at every ABI that is known */
};

/* For whom a row says something. */
enum who {
	ANYONE,
	PRIVILEGED, /* root; an ordinary user is refused by the kernel, confined or not */
	AS_ROOT,    /* root; another row says it for an ordinary user */
	AS_USER,    /* an ordinary user; another row says it for root */
};

struct escape {
	const char *name;
	attempt_function *attempt;
	enum verdict verdict;
	int since; /* the ABI from which it is closed */
	enum who who;
	const char *option; /* which closes it */
	/* What happens outside just before the launch, in the process that becomes the launcher. */
	attempt_function *prepare;
	const char *grants; /* NULL: GRANTS_MODE */
	const char *closed; /* the grants that close it; NULL: `grants`, and the option */
	/* The ABI from which the verdict is certain; before it fixes that no ABI tells decide. */
	int certain;
	bool trace;  /* done, it leaves a trace outside */
	bool silent; /* what the kernel refuses is only seen by the lack of a trace */
	bool hidden; /* what closes it makes it seem to be absent */
};

/* Every attempt of the table is a function of the row's name. */
#define TOPIC(id, text)
#define ROW(name) int name(const struct outside *outside);
#define CLOSED(name, ...) ROW(name)
#define OPTION(name, ...) ROW(name)
#define OPEN(name, ...) ROW(name)
#include "table.h"
#undef TOPIC
#undef ROW
#undef CLOSED
#undef OPTION
#undef OPEN

#define PREPARATION(name) int name(const struct outside *outside);
PREPARATIONS(PREPARATION)
#undef PREPARATION

#endif
