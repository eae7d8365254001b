/* kernel.h: the kernel that the simulator claims to be, and what it answers to each Landlock call.
 * It must never let a call through that the real kernel would answer otherwise. */
#ifndef KERNEL_H
#define KERNEL_H

#include <linux/seccomp.h>
#include <stdbool.h>
#include <stdint.h>

#include "levels.h"

/* What a fault can be put on: the two queries of create_ruleset, and the three calls. */
enum kernel_call {
	CALL_VERSION,
	CALL_ERRATA,
	CALL_CREATE_RULESET,
	CALL_ADD_RULE,
	CALL_RESTRICT_SELF,
	KERNEL_CALLS
};

#define KERNEL_FAULTS 16

/* EINVAL for an ABI without the query, else what the real kernel says. */
#define KERNEL_ERRATA_DEFAULT (-65536L)

struct kernel {
	int error; /* what it says to every call, or 0 */
	struct level level;
	struct level real;
	uint64_t refused[LEVEL_FIELDS];
	long errata; /* the answer, -errno, or KERNEL_ERRATA_DEFAULT */
	struct fault {
		enum kernel_call call;
		int error;
		unsigned int nth; /* 0: always */
	} faults[KERNEL_FAULTS];
	unsigned int fault_count;
	unsigned int seen[KERNEL_CALLS];
};

/* What to do with a call. */
struct answer {
	enum {
		ANSWER_REAL,  /* the real kernel's answer is right: go on */
		ANSWER_ERROR, /* fail with `error` */
		ANSWER_VALUE, /* succeed with `value` */
		ANSWER_GONE,  /* nobody waits for it any more */
		ANSWER_NONE   /* there is no right answer here: `why` */
	} what;
	int error;
	long value;
	const char *why;
};

/* Fills `real` from the running kernel, and claims the same. */
void kernel_init(struct kernel *kernel);

/* Claims an ABI, or an errno for every call; exactly one of the two is not 0. */
void kernel_claim(struct kernel *kernel, int abi, int error);

/* Returns the call of that name ("add-rule"), or KERNEL_CALLS. */
enum kernel_call kernel_call_named(const char *name);

/* Returns the answer to a call. `still_valid` says whether the caller still waits: what was read
 * from a process counts only then. */
struct answer kernel_answer(struct kernel *kernel, const struct seccomp_notif *request,
			    bool (*still_valid)(uint64_t id));

#endif
