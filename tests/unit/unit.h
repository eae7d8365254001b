/* What several unit tests share: random input with a printed seed, memory of an exact size, and an
 * error as its line. Nothing here decides whether a test passes. */
#ifndef UNIT_H
#define UNIT_H

#include <criterion/criterion.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "landlock-run.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* ---- Random input ---- */

/* Begins a property test: the seed is LANDLOCK_RUN_SEED, or a new one, and is said on stderr. */
void random_begin(const char *property);
uint64_t random_seed(void);
/* A number below `bound`. */
uint64_t random_below(uint64_t bound);
/* One in `of`. */
int random_chance(uint64_t of);
llr_rights random_rights(llr_rights among);
/* Fills with bytes, of which some are likely to matter: quotes, line ends, UTF-8 whole and broken.
 * Returns the length. */
size_t random_bytes(char *bytes, size_t most);
/* The same without NUL inside and with one at the end. */
size_t random_string(char *string, size_t most);

/* ---- Memory ---- */

/* A copy that ends where its memory ends, so that a sanitizer sees a read past it. */
char *exact_copy(const void *bytes, size_t length);
void exact_free(char *copy);

/* ---- Errors ---- */

/* The error's text, in static memory. */
const char *error_text(const struct llr_error *error);
/* Whether the text ends with, or begins with, the other. */
int ends_with(const char *text, const char *end);
int begins_with(const char *text, const char *begin);

#endif
