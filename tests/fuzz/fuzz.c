/* The table of targets, and the input and memory that they share.
 * Nothing here knows what a target claims. */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROW(name) { #name, fuzz_##name },
static const struct fuzz_target targets[] = { FUZZ_TARGETS(ROW) };

/* What the run has of memory. */
struct block {
	struct block *next;
	void *memory;
};

static struct block *blocks;
static const char *running = "none";

const struct fuzz_target *fuzz_target_at(size_t index)
{
	return index < COUNT(targets) ? &targets[index] : NULL;
}

const struct fuzz_target *fuzz_target_named(const char *name)
{
	for (size_t i = 0; i < COUNT(targets); i++)
		if (!strcmp(targets[i].name, name))
			return &targets[i];
	return NULL;
}

void fuzz_broken(const char *file, int line, const char *claim)
{
	fprintf(stderr, "%s: %s:%d: does not hold: %s\n", running, file, line, claim);
	abort();
}

void fuzz_run(const struct fuzz_target *target, const uint8_t *bytes, size_t size)
{
	running = target->name;
	target->run((struct bytes){ bytes, size });
	while (blocks) {
		struct block *next = blocks->next;

		free(blocks->memory);
		free(blocks);
		blocks = next;
	}
}

/* ---- Memory ---- */

void *fuzz_memory(size_t size)
{
	struct block *block = malloc(sizeof *block);
	/* Of just that size, so that a sanitizer sees what is past it. */
	void *memory = malloc(size);

	if (!block || (!memory && size))
		exit(1);
	*block = (struct block){ blocks, memory };
	blocks = block;
	return memory;
}

static char *copy_of(const void *bytes, size_t length)
{
	char *copy = fuzz_memory(length + 1);

	if (length)
		memcpy(copy, bytes, length);
	copy[length] = 0;
	return copy;
}

char *fuzz_copy(const char *string)
{
	return copy_of(string, strlen(string));
}

/* ---- Input ---- */

uint8_t take_byte(struct bytes *bytes)
{
	if (!bytes->left)
		return 0;
	bytes->left--;
	return *bytes->at++;
}

uint64_t take_number(struct bytes *bytes, size_t count)
{
	uint64_t number = 0;

	for (size_t i = 0; i < count; i++)
		number |= (uint64_t)take_byte(bytes) << 8 * i;
	return number;
}

char *take_string(struct bytes *bytes)
{
	size_t length = 0;
	char *copy;

	while (length < bytes->left && bytes->at[length])
		length++;
	copy = copy_of(bytes->at, length);
	length += length < bytes->left;
	bytes->at += length;
	bytes->left -= length;
	return copy;
}

char *take_text(struct bytes *bytes)
{
	size_t times = 1, length;
	char *string, *repeated;

	if (bytes->left && *bytes->at == 0xff) {
		take_byte(bytes);
		return NULL;
	}
	if (bytes->left && *bytes->at == 0xfe) {
		take_byte(bytes);
		times = take_byte(bytes);
	}
	string = take_string(bytes);
	length = strlen(string);
	repeated = fuzz_memory(times * length + 1);
	for (size_t i = 0; i < times; i++)
		memcpy(repeated + i * length, string, length);
	repeated[times * length] = 0;
	return repeated;
}

char *take_rest(struct bytes *bytes, size_t *length)
{
	char *copy = fuzz_memory(bytes->left);

	*length = bytes->left;
	if (bytes->left)
		memcpy(copy, bytes->at, bytes->left);
	bytes->left = 0;
	return copy;
}

int take_argv(struct bytes *bytes, const char *first, const char *second, char ***argv)
{
	size_t count = 1 + (second != NULL), room = count + 1 + (bytes->left > 0);

	for (size_t i = 0; i + 1 < bytes->left; i++)
		room += !bytes->at[i];
	*argv = fuzz_memory(room * sizeof **argv);
	(*argv)[0] = fuzz_copy(first);
	if (second)
		(*argv)[1] = fuzz_copy(second);
	while (bytes->left)
		(*argv)[count++] = take_string(bytes);
	(*argv)[count] = NULL;
	return (int)count;
}

struct llr_error take_error(struct bytes *bytes)
{
	static const int32_t errnums[] = { 0, 1, 2, 7, 8, 13, 22, 38, 95, 133, 134, -1 };
	struct llr_error error = { 0, 0, NULL, NULL, 0 };
	uint8_t errnum;

	error.code = take_byte(bytes);
	errnum = take_byte(bytes);
	error.errnum = errnum < COUNT(errnums) ? errnums[errnum] : errnum;
	error.index = take_byte(bytes);
	if (error.index == 0xff)
		error.index = take_number(bytes, 8);
	error.subject = take_text(bytes);
	error.field = take_text(bytes);
	return error;
}
