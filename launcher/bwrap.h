/* The table of bubblewrap's options that `landlock-run bwrap` reads.
 * Whether one can be honoured where it stands is bwrap.c's to say. */
#ifndef LAUNCHER_BWRAP_H
#define LAUNCHER_BWRAP_H

#include <stddef.h>
#include <stdint.h>

/* Its effect, the option, how many values it has (SOURCE DESTINATION, DESTINATION, PATH), and the
 * one destination that can be honoured; empty: any. */
#define FORMS(ROW) \
	ROW(WAIVE_PIDS, "--share-pids", 0, "") \
	ROW(WAIVE_TMP, "--share-tmp", 0, "") \
	ROW(GRANT_READ, "--ro-bind", 2, "") \
	ROW(GRANT_READ_TRY, "--ro-bind-try", 2, "") \
	ROW(GRANT_WRITE, "--bind", 2, "") \
	ROW(GRANT_WRITE_TRY, "--bind-try", 2, "") \
	ROW(DEVICES, "--dev", 1, "/dev") \
	ROW(PROC, "--proc", 1, "/proc") \
	ROW(TMPFS, "--tmpfs", 1, "/tmp") \
	ROW(PRIVATE_PIDS, "--unshare-pid", 0, "") \
	ROW(DIE, "--die-with-parent", 0, "") \
	ROW(SESSION, "--new-session", 0, "") \
	ROW(DIRECTORY, "--chdir", 1, "")

#define FORM_EFFECT(effect, name, values, only) effect,
#define FORM_NAME(effect, name, values, only) name "\0"
#define FORM_VALUES(effect, name, values, only) values,
#define FORM_ONLY(effect, name, values, only) only "\0"

enum effect { FORMS(FORM_EFFECT) };

/* By effect, the texts for llr_word_at: rows of one width would be twice as long. */
static const char form_names[] = FORMS(FORM_NAME);
static const char form_only[] = FORMS(FORM_ONLY);
static const uint8_t form_values[] = { FORMS(FORM_VALUES) };

#endif
