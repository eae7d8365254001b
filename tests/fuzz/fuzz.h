/* What a fuzz target is: a function of some bytes in which a part of the product is used, and what
 * must hold then. The same bytes give the same run: no target touches a file, a descriptor or the
 * clock. */
#ifndef FUZZ_H
#define FUZZ_H

#include <stddef.h>
#include <stdint.h>

#include "landlock-run.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* Ends the process when a property does not hold, as a crash would. */
#define HOLDS(claim) ((claim) ? (void)0 : fuzz_broken(__FILE__, __LINE__, #claim))
/* The same where it is clear by where this stands. */
#define BROKEN(words) fuzz_broken(__FILE__, __LINE__, words)
_Noreturn void fuzz_broken(const char *file, int line, const char *claim);

/* ---- Input ---- */

/* The bytes that are left. Each of these takes some off the front; at the end all is zero. */
struct bytes {
	const uint8_t *at;
	size_t left;
};

uint8_t take_byte(struct bytes *bytes);
/* A number of that many bytes, the lowest first. */
uint64_t take_number(struct bytes *bytes, size_t count);
/* Up to the next NUL, which is taken too, or to the end. */
char *take_string(struct bytes *bytes);
/* The same, or NULL where a byte 0xff comes first. Where 0xfe does, the byte behind it says how
 * many times the string stands: a long one need not be a long input. */
char *take_text(struct bytes *bytes);
/* All the rest, without a NUL behind it. */
char *take_rest(struct bytes *bytes, size_t *length);
/* All the rest as an argument vector behind the names given; the number of arguments. */
int take_argv(struct bytes *bytes, const char *first, const char *second, char ***argv);
/* Any error that a function of the library could report, and some that none does. */
struct llr_error take_error(struct bytes *bytes);

/* Memory of just that size, until the run ends. */
void *fuzz_memory(size_t size);
char *fuzz_copy(const char *string);

/* ---- Targets ---- */

/* One row per target: each is targets/NAME.c, corpus/NAME/ and a word of FUZZ_TARGETS in fuzz.mk.
 */
#define FUZZ_TARGETS(ROW) \
	ROW(args) \
	ROW(argsfile) \
	ROW(argv) \
	ROW(bwrap) \
	ROW(culprit) \
	ROW(json) \
	ROW(lines) \
	ROW(plan) \
	ROW(probe) \
	ROW(records) \
	ROW(status) \
	ROW(text) \
	ROW(verdict)

#define FUZZ_DECLARE(name) void fuzz_##name(struct bytes bytes);
FUZZ_TARGETS(FUZZ_DECLARE)
#undef FUZZ_DECLARE

struct fuzz_target {
	const char *name;
	void (*run)(struct bytes bytes);
};

/* NULL when there is none of that name, or at that place. */
const struct fuzz_target *fuzz_target_named(const char *name);
const struct fuzz_target *fuzz_target_at(size_t index);
void fuzz_run(const struct fuzz_target *target, const uint8_t *bytes, size_t size);

#endif
