/* trial.h: one tree, one policy, many operations, each in the sandbox, in the twin and in the
 * model. It must never take a disagreement for anything else: what cannot be set up is told as
 * that. */
#ifndef TRIAL_H
#define TRIAL_H

#include "judge.h"
#include "tree.h"

#define OPERATIONS 128 /* of one trial, at most */

/* Everything that a trial depends on: the same script gives the same trial. */
struct script {
	uint64_t seed;
	bool mounts; /* only as root */
	bool disk;   /* in the directory for slow files */
	struct furnishing furnishing;
	struct policy policy;
	unsigned int count; /* operations; when 0 they are drawn, and recorded */
	struct operation operations[OPERATIONS];
};

/* Where and on what trials run. */
struct setting {
	const char *fast, *slow;     /* directories */
	const char *launcher, *self; /* programs */
	const char *simulator;       /* NULL: the kernel as it is */
	int abi;                     /* that is claimed then, or that the kernel has */
	bool root;
	bool whiteout_is_regular, create_directory;
	uint64_t root_mount;
	unsigned int operations; /* drawn for a trial */
};

/* How often a kind of operation came out how. */
enum ending { ENDING_DONE, ENDING_DENIED, ENDING_FAILED, ENDINGS };

struct tally {
	unsigned long operations, trials, skipped;
	unsigned long endings[KIND_COUNT][ENDINGS];
	unsigned long exdev, stays, layers[LAYERS], mounts;
};

enum outcome { AGREED, DISAGREED, BROKEN };

struct verdict {
	enum outcome outcome;
	unsigned int at; /* the operation that the model and the kernel disagree about */
	char text[1024];
};

/* Draws a trial's script, but for its operations. */
void script_draw(struct script *script, uint64_t seed, const struct setting *setting);

/* Runs it; records the operations where there were none. */
struct verdict trial_run(struct script *script, const struct setting *setting, struct tally *tally);

/* Prints the script as text that can be read. */
void script_tell(const struct script *script);

#endif
