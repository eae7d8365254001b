/* judge.h: the model: what Landlock has to say about an operation, by the rules of its
 * documentation. It must never ask a confined process, nor learn from what came of an operation. */
#ifndef JUDGE_H
#define JUDGE_H

#include "policy.h"

/* The rules that the model consists of, besides one per right. Each can be broken, to see that the
 * test would notice. */
#define RULES(ROW) \
	ROW(ANCESTORS, "a grant covers what lies beneath") \
	ROW(OWN, "a grant on a file covers the file") \
	ROW(UNION, "grants in several places add up") \
	ROW(LAYERS, "each layer has to grant it") \
	ROW(READING_TO_EXECUTE, "what is executed is read as well") \
	ROW(INTERPRETER, "an interpreter is executed too") \
	ROW(NO_ACCESS, "access mode 3 needs nothing") \
	ROW(PATH_ONLY, "O_PATH needs nothing") \
	ROW(LOOKING, "looking at metadata needs nothing") \
	ROW(NAMELESS, "what lies in no directory is not governed") \
	ROW(TMPFILE, "an O_TMPFILE needs no right to make") \
	ROW(CREATED_STAYS, "a file stays that was created and could not be opened") \
	ROW(CREATED_IS_EMPTY, "O_TRUNC on a file that it creates needs no truncate") \
	ROW(ONLY_FILES_TRUNCATED, "O_TRUNC on what is no regular file needs no truncate") \
	ROW(RIGHT_AT_OPEN, "a descriptor is truncated by the right that was there at its open") \
	ROW(FREE_COMMANDS, "some device commands need nothing") \
	ROW(ONLY_DEVICES, "commands on what is no device need nothing") \
	ROW(OVERWRITTEN, "what a rename replaces is removed") \
	ROW(EXCHANGED, "an exchange is two renames") \
	ROW(SAME_DIRECTORY, "within a directory no refer is needed") \
	ROW(REFER_FROM, "refer is needed where it comes from") \
	ROW(REFER_TO, "refer is needed where it goes") \
	ROW(GAIN, "what is moved may not gain rights") \
	ROW(GAIN_OWN, "what is granted on the moved thing is no gain") \
	ROW(GAIN_FILE, "a file cannot gain a directory's rights") \
	ROW(GAIN_BOTH, "neither side of an exchange may gain") \
	ROW(ROOT_LATE, "a grant on the root of another mount is no part of that comparison") \
	ROW(EACCES_FIRST, "a missing right to make or remove is told before refer") \
	ROW(LOOKUP_FIRST, "a lookup that fails is told before a denial") \
	ROW(DENIAL_FIRST, "a denial is told before what the file system says")

#define RULE_NAME(rule, claim) RULE_##rule,
enum rule_number { RULES(RULE_NAME) RULE_COUNT };
#undef RULE_NAME

/* Rules first, then a rule for each right: it is needed. NULL past the last one. */
const char *rule_claim(unsigned int rule);
/* Breaks a rule from now on; RULE_NONE mends all. */
#define RULE_NONE (~0u)
void rule_break(unsigned int rule);

/* What is remembered of an open descriptor. */
struct held {
	bool used;
	bool device;
	bool writes, program;
	bool may_truncate, may_ioctl;
};

/* What the model knows besides the operation. */
struct world {
	const struct domain *domain;
	const struct side *side; /* the confined one, as it is before the operation */
	const struct held *held;
	bool whiteout_is_regular; /* erratum 4 is fixed */
	uint64_t root_mount;
};

struct judgement {
	bool skip;        /* it would leave the tree, or its rules are not told here */
	bool governed;    /* it is an operation that Landlock can deny */
	bool asked;       /* the kernel gets to where Landlock is asked */
	int denial;       /* the errno that it is denied with then, or 0 */
	bool stays;       /* what it does is done in spite of the denial */
	struct held held; /* of a descriptor that it opens */
};

struct judgement judge(const struct world *world, const struct operation *operation);

/* The errno that has to come of it where the same operation gave `outcome` without a sandbox. */
int judge_errno(const struct judgement *judgement, const struct operation *operation, int outcome);

#endif
