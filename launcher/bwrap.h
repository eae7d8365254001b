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

static const struct form {
	const char *name;
	uint8_t effect;
	uint8_t values;
	const char *only; /* the one destination that can be honoured, or NULL */
} forms[] = {
	{ "--share-pids", WAIVE_PIDS, 0, NULL }, { "--share-tmp", WAIVE_TMP, 0, NULL },
	{ "--ro-bind", GRANT_READ, 2, NULL },    { "--ro-bind-try", GRANT_READ_TRY, 2, NULL },
	{ "--bind", GRANT_WRITE, 2, NULL },      { "--bind-try", GRANT_WRITE_TRY, 2, NULL },
	{ "--dev", DEVICES, 1, "/dev" },         { "--proc", PROC, 1, "/proc" },
	{ "--tmpfs", TMPFS, 1, "/tmp" },         { "--unshare-pid", PRIVATE_PIDS, 0, NULL },
	{ "--die-with-parent", DIE, 0, NULL },   { "--new-session", SESSION, 0, NULL },
	{ "--chdir", DIRECTORY, 1, NULL },
};

#endif
