/* fault_tables.h: what is launched, which faults its calls can have, and what has to come of them.
 * It must never say that a launch may end unconfined. */
#ifndef FAULT_TABLES_H
#define FAULT_TABLES_H

#include <stdbool.h>
#include <stddef.h>

enum end {
	END_RUNS,  /* the command runs */
	END_FAILS, /* 125 and one line */
	END_SAYS   /* 0 and a text on stdout */
};

enum trait {
	HAS_NOTICE = 1,
	HAS_STATUS = 2,    /* descriptor 9 is for status records */
	IS_UNCONFINED = 4, /* as it was asked for */
	HAS_NO_MARK = 8,   /* nothing is granted where the witness would leave its mark */
	HOLDS_FD = 16      /* descriptor 9 is inherited */
};

/* All words are separated by one space. */
struct launch {
	const char *name;
	int needs;           /* an ABI of the real kernel */
	const char *kernel;  /* the simulator's options; NULL: the kernel as it is */
	const char *options; /* the launcher's */
	const char *command; /* NULL: the witness */
	const char *words;   /* the command's; "" where there is no command */
	const char *path;    /* PATH; NULL: the suite's own */
	unsigned int traits;
	enum end end;
	const char *calls; /* exactly what it calls; NULL where nobody promises that */
};

/* The launches; NULL past the last. */
const struct launch *launch_at(size_t index);

/* The launch of that name; there is one. */
const struct launch *launch_named(const char *name);

/* The errors that a call can have, separated by spaces: its own and those that any call may have.
 */
const char *errors_of(const char *call);

/* Those that are tried on a call for good, from one occurrence on. */
extern const char errors_for_good[];

/* Those that are tried on calls which another launch has had already with all of theirs. */
extern const char errors_again[];

/* What has to come of a fault. */
enum consequence {
	REFUSED,    /* 125 and one line, and the command has not run */
	SAME,       /* all is as without it */
	LESS,       /* the command runs, with less granted */
	UNGOVERNED, /* the command runs, a right less is governed, and the notice says so */
	OTHERWISE,  /* a text is said, and whole, or it is refused */
	SILENT,     /* as without it, but for the line that could not be written */
	UNSEEN      /* refused, and no line could be written */
};

/* How a fault is: once, or for good from there on. */
enum duration { ONCE, FOR_GOOD };

/* A call of a launch: which of that name it is, from 1, and the line that strace has of it. */
struct call_at {
	char name[32];
	unsigned int nth;
	char line[160];
};

enum consequence consequence_of(const struct launch *launch, const struct call_at *at,
				const char *error, enum duration duration);

#endif
