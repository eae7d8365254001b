/* recording.h: the system calls of a launch, one by one, and how it ended without a fault.
 * It must never hold a call of what was launched. */
#ifndef RECORDING_H
#define RECORDING_H

#include <stddef.h>

#include "fault_tables.h"
#include "trial.h"

#define RECORDING_CALLS 160

struct call {
	struct call_at at;
	int fd;        /* of a write, else -1 */
	size_t offset; /* of what it writes, in all that is written there */
	size_t length; /* of what it writes, or room for what it reads */
};

struct recording {
	const struct launch *launch;
	struct call calls[RECORDING_CALLS];
	size_t count;
	struct outcome outcome;
	/* The calls that write these lines; RECORDING_CALLS when nothing does. */
	size_t notice, confined;
};

/* Finds strace. Returns NULL, or what is missing. */
const char *recording_tools(void);

/* Fills a trial of the launch. What stands in `wrapper`, up to a NULL, runs the launcher. */
void launch_trial(const struct launch *launch, const char *const *wrapper, struct trial *trial);

/* The same under strace. Each of `options` is one of strace's, up to a NULL. */
void recording_trial(const struct launch *launch, const char *const *options, struct trial *trial);

/* Records a launch in the scene. Returns NULL, or why it cannot be. */
const char *recording_make(const struct launch *launch, struct recording *recording);

#endif
