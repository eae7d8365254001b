/* campaign.h: many trials, on all processors, until the first disagreement.
 * It must never count a trial that did not run. */
#ifndef CAMPAIGN_H
#define CAMPAIGN_H

#include "trial.h"

struct campaign {
	/* What to do. */
	uint64_t seed, count; /* trials with the seeds from the first one on */
	struct setting setting;
	unsigned int jobs;
	bool shrinks;

	/* What came of it. */
	struct tally tally;
	struct verdict verdict; /* the first that is not AGREED */
	struct script script;   /* that it is about */
};

/* A setting for this machine, with trees beneath the working directory and, where that is faster
 * and programs can run there, in memory. Both directories are to be removed afterwards. */
void setting_find(struct setting *setting, const char *launcher, const char *self);

/* Runs in processes of its own; as root in mounts of their own. */
void campaign_run(struct campaign *campaign);

#endif
