/* A trial: a throw-away child that really confines itself and then tries what it may do.
 * Nothing of the host is changed, and the child leaves nothing behind. */
#ifndef TRIAL_H
#define TRIAL_H

#include "confine.h"
#include "launcher.h"

enum attempt {
	ATTEMPT_READ,         /* an odd one writes: what a grant lets be read opens for reading */
	ATTEMPT_WRITE,        /* what a grant lets be written opens for writing */
	ATTEMPT_READ_OUTSIDE, /* what no grant reaches does not */
	ATTEMPT_WRITE_OUTSIDE,
	ATTEMPT_NONE /* no more */
};

/* An attempt has worked (0), failed (a negated errno), or there is nothing to open: a port, a
 * device, a right that opens nothing. This is no errno and no descriptor. */
#define NOTHING_TO_OPEN (-5000)

struct trial {
	/* What to try, and as what to end. */
	const struct llr_policy *policy;
	char *const *command; /* NULL: none */
	char *const *envp;
	/* What came of it. */
	enum trial_state {
		TRIAL_STARTED,
		TRIAL_REFUSED, /* *error: the policy was not put into force, or the child killed */
		TRIAL_CONFINED,
		TRIAL_NOT_EXECUTED, /* *error: the command could not be executed */
		TRIAL_EXECUTED,     /* it could: it was stopped before its first instruction */
		TRIAL_UNTRACED      /* there is no way here to stop it */
	} state;
	struct llr_result result;
	struct llr_error error;
	struct culprit culprit; /* what *error may point to */
	uint64_t size;
	int16_t outcomes[]; /* in the order of trial_next */
};

/* A walk over what is tried. */
struct trial_cursor {
	struct llr_grant_cursor grants;
	struct llr_grant grant; /* the one that an attempt is about */
	enum attempt next;
	uint64_t index; /* of the outcome */
};
#define TRIAL_CURSOR_INIT \
	{ \
		LLR_GRANT_CURSOR_INIT, { 0, 0, 0, NULL, 0, 0 }, ATTEMPT_READ, (uint64_t)-1 \
	}

/* The next attempt; what it is about is in the cursor. */
enum attempt trial_next(const struct llr_policy *policy, struct trial_cursor *cursor);
/* Tries it in this process. */
long trial_attempt(enum attempt attempt, const struct llr_grant *grant);
/* Whether a grant of the policy that has the right is for just that path. */
int trial_grants(const struct llr_policy *policy, const char *path, llr_rights right);

/* Runs one; NULL with *error filled when there was no room or no process for it. */
struct trial *trial_run(const struct llr_policy *policy, char *const *command, char *const *envp,
			struct llr_error *error);
void trial_end(struct trial *trial);

#endif
