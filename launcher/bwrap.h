/* The table of bubblewrap's options that `landlock-run bwrap` reads.
 * Whether one can be honoured where it stands is bwrap.c's to say. */
#ifndef LAUNCHER_BWRAP_H
#define LAUNCHER_BWRAP_H

#include <stddef.h>
#include <stdint.h>

enum effect {
	WAIVE_PIDS,
	WAIVE_TMP,
	GRANT_READ, /* SOURCE DESTINATION */
	GRANT_READ_TRY,
	GRANT_WRITE,
	GRANT_WRITE_TRY,
	DEVICES, /* DESTINATION */
	PROC,
	TMPFS,
	PRIVATE_PIDS,
	DIE,
	SESSION,
	DIRECTORY /* PATH */
};

/* The texts stand in the rows: pointers to them would take as much room again. */
static const struct form {
	char name[18];
	char only[6]; /* the one destination that can be honoured; empty: any */
	uint8_t effect;
	uint8_t values;
} forms[] = {
	{ "--share-pids", "", WAIVE_PIDS, 0 }, { "--share-tmp", "", WAIVE_TMP, 0 },
	{ "--ro-bind", "", GRANT_READ, 2 },    { "--ro-bind-try", "", GRANT_READ_TRY, 2 },
	{ "--bind", "", GRANT_WRITE, 2 },      { "--bind-try", "", GRANT_WRITE_TRY, 2 },
	{ "--dev", "/dev", DEVICES, 1 },       { "--proc", "/proc", PROC, 1 },
	{ "--tmpfs", "/tmp", TMPFS, 1 },       { "--unshare-pid", "", PRIVATE_PIDS, 0 },
	{ "--die-with-parent", "", DIE, 0 },   { "--new-session", "", SESSION, 0 },
	{ "--chdir", "", DIRECTORY, 1 },
};

#endif
