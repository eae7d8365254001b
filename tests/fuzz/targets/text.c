/* What makes text from outside harmless: input is the room, the budget, a byte each, and the text.
 * Masked or as JSON it keeps what it may and no more, and never half a character. */
#include "text.h"

#include <string.h>

#include "claims.h"
#include "json.h"
#include "reference.h"

/* The text as a string of JSON has to give it back: U+FFFD for each byte that is no text. */
static size_t replaced(const char *text, size_t length, char *to)
{
	size_t made = 0;

	for (size_t i = 0; i < length;) {
		uint32_t code;
		size_t bytes = reference_character(text + i, length - i, &code);

		const char *kept = bytes && code ? text + i : "\xef\xbf\xbd";
		size_t size = bytes && code ? bytes : 3;

		for (size_t k = 0; k < size; k++)
			to[made++] = kept[k];
		i += bytes ? bytes : 1;
	}
	return made;
}

/* A number of its own beside the buffer's size counts on. */
static void claim_counting(const struct text *text, const char *whole)
{
	size_t written = text->length < text->size ? text->length : text->size;

	HOLDS(!written || !memcmp(text->bytes, whole, written));
}

static void claim_json(const char *string, size_t length, size_t room, size_t budget)
{
	char *whole = fuzz_memory(6 * length + 3), *given = fuzz_memory(3 * length + 1);
	char *back = fuzz_memory(3 * length + 1);
	struct text all = { whole, 6 * length + 3, 0 }, some = { fuzz_memory(room), room, 0 };
	struct json json;
	size_t expected = replaced(string, length, given);

	llr_text_byte(&all, '"');
	llr_text_json(&all, string, length, SIZE_MAX);
	llr_text_byte(&all, '"');
	HOLDS(all.length <= all.size && reference_is_json((struct span){ whole, all.length }));
	json = (struct json){ whole, whole + all.length };
	HOLDS(llr_json_string(&json, back, 3 * length + 1));
	HOLDS(strlen(back) == expected && !memcmp(back, given, expected));
	/* The beginning of it, as far as the budget goes. */
	llr_text_json(&some, string, length, budget);
	HOLDS(some.length <= budget && some.length + 2 <= all.length);
	claim_counting(&some, whole + 1);
	HOLDS(some.length + 2 == all.length || some.length + 6 > budget ||
	      budget >= all.length - 2);
	whole[some.length + 1] = '"';
	HOLDS(reference_is_json((struct span){ whole, some.length + 2 }));
}

/* Byte for byte the text, or `?` for a control character. */
static size_t claim_masking(const char *string, const char *masked, size_t length)
{
	size_t i = 0, at = 0, left = strlen(string);

	while (at < length) {
		uint32_t code;
		size_t bytes = reference_character(string + i, left - i, &code);

		if (reference_is_control(bytes ? code : (uint8_t)string[i])) {
			HOLDS(masked[at++] == '?');
		} else {
			HOLDS(length - at >= (bytes ? bytes : 1));
			HOLDS(!memcmp(masked + at, string + i, bytes ? bytes : 1));
			at += bytes ? bytes : 1;
		}
		i += bytes ? bytes : 1;
	}
	return i;
}

static void claim_masked(const char *string, size_t room, size_t budget)
{
	size_t length = strlen(string), kept;
	char *whole = fuzz_memory(length + 4);
	struct text all = { whole, length + 4, 0 }, some = { fuzz_memory(room), room, 0 };

	llr_text_masked(&all, string, budget);
	HOLDS(all.length <= budget);
	kept = all.length;
	if (length > budget && budget > 3) {
		HOLDS(all.length >= 3 && !memcmp(whole + all.length - 3, "...", 3));
		kept -= 3;
	}
	/* No room to say that something was left out. */
	HOLDS(length <= budget || budget > 3 || !kept);
	if (length <= budget)
		HOLDS(claim_masking(string, whole, kept) == length);
	else
		claim_masking(string, whole, kept);
	llr_text_masked(&some, string, budget);
	HOLDS(some.length == all.length);
	claim_counting(&some, whole);
	llr_text_byte(&all, '\n');
	HOLDS(reference_is_line(whole, all.length));
}

static void claim_characters(const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		uint32_t code;

		HOLDS(llr_utf8_length(text + i, length - i) ==
		      reference_character(text + i, length - i, &code));
	}
}

void fuzz_text(struct bytes bytes)
{
	size_t room = take_byte(&bytes), budget = take_byte(&bytes), length;
	struct bytes again = bytes;
	char *text = take_rest(&bytes, &length), *string = take_string(&again);
	const char *const other = fuzz_copy(string);

	claim_characters(text, length);
	claim_json(text, length, room, budget);
	claim_masked(string, room, budget);
	HOLDS(llr_string_length(string) == strlen(string));
	HOLDS(llr_string_equal(string, other));
}
