/* What several unit tests share.
 * Nothing here decides whether a test passes. */
#include "unit.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* ---- Random input ---- */

static uint64_t seed, state;

void random_begin(const char *property)
{
	const char *given = getenv("LANDLOCK_RUN_SEED");
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	seed = given ? strtoull(given, NULL, 0)
		     : (uint64_t)now.tv_nsec ^ (uint64_t)now.tv_sec << 20 ^
			       (uint64_t)getpid() << 40;
	state = seed;
	fprintf(stderr, "%s: LANDLOCK_RUN_SEED=0x%" PRIx64 "\n", property, seed);
}

uint64_t random_seed(void)
{
	return seed;
}

/* SplitMix64: any seed will do, also 0. */
static uint64_t next(void)
{
	uint64_t mixed = state += UINT64_C(0x9e3779b97f4a7c15);

	mixed = (mixed ^ mixed >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	mixed = (mixed ^ mixed >> 27) * UINT64_C(0x94d049bb133111eb);
	return mixed ^ mixed >> 31;
}

uint64_t random_below(uint64_t bound)
{
	return next() % bound;
}

int random_chance(uint64_t of)
{
	return random_below(of) == 0;
}

llr_rights random_rights(llr_rights among)
{
	return next() & among;
}

size_t random_bytes(char *bytes, size_t most)
{
	static const char *const pieces[] = {
		"\"",
		"\\",
		"\n",
		"\r\n",
		"\t",
		"\x7f",
		"\xc2\x85",
		"\xe2\x80\xa8",
		"\xc3\xa9",
		"\xe2\x82\xac",
		"\xf0\x9f\x98\x80",
		"\xff",
		"\xc0\xaf",
		"\xed\xa0\x80",
		"\xe2\x82",
		"\x80",
		"\x1b[31m",
		"/",
		"a",
		" ",
		":",
		"none",
	};
	size_t wanted = (size_t)random_below(most + 1);
	size_t length = 0;

	while (length < wanted) {
		const char *piece = pieces[random_below(COUNT(pieces))];
		size_t size = strlen(piece);

		if (random_chance(3) || size > wanted - length) {
			bytes[length++] = (char)random_below(256);
		} else {
			memcpy(bytes + length, piece, size);
			length += size;
		}
	}
	return length;
}

size_t random_string(char *string, size_t most)
{
	size_t length = random_bytes(string, most);

	for (size_t i = 0; i < length; i++)
		if (!string[i])
			string[i] = '0';
	string[length] = 0;
	return length;
}

/* ---- Memory ---- */

char *exact_copy(const void *bytes, size_t length)
{
	/* One byte more in front: a size of zero has to give memory too. */
	char *copy = malloc(length + 1);

	if (!copy)
		abort();
	if (length)
		memcpy(copy + 1, bytes, length);
	return copy + 1;
}

void exact_free(char *copy)
{
	free(copy - 1);
}

/* ---- Errors ---- */

const char *error_text(const struct llr_error *error)
{
	static char text[LLR_LINE_MAX];

	llr_error_text(error, text, sizeof text);
	return text;
}

int ends_with(const char *text, const char *end)
{
	size_t length = strlen(text), wanted = strlen(end);

	return length >= wanted && !memcmp(text + length - wanted, end, wanted);
}

int begins_with(const char *text, const char *begin)
{
	return !strncmp(text, begin, strlen(begin));
}
