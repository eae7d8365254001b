/* The JSON reader: input is the size of a buffer, one byte, and a text.
 * It takes just what the standard calls JSON, and reads the same from it. */
#include "json.h"

#include <string.h>

#include "fuzz.h"
#include "reference.h"

static void claim_members(struct span text)
{
	static const char *const names[] = { "", "a", "event", "abi", "\xc3\xa9" };

	for (size_t i = 0; i < COUNT(names); i++) {
		struct json object = { text.at, text.at + text.length }, value = { NULL, NULL };
		struct span expected;
		int found = llr_json_member(object, names[i], &value);

		HOLDS(found == (reference_members(text, names[i], &expected) == 1));
		if (!found)
			continue;
		while (value.at < expected.at && strchr(" \t\r\n", *value.at))
			value.at++;
		HOLDS(value.at == expected.at);
		HOLDS(llr_json_skip(&value) && value.at == expected.at + expected.length);
	}
}

/* A whole character at the end of what fits, and no more was left out than had to be. */
static void claim_string(struct span text, size_t size)
{
	struct json json = { text.at, text.at + text.length };
	char *content = fuzz_memory(text.length), *read = fuzz_memory(size);
	size_t length = reference_string(text, content), fits = 0;
	uint32_t code;

	HOLDS(llr_json_string(&json, read, size) && json.at == json.end);
	if (!size)
		return;
	while (fits < length) {
		size_t bytes = reference_character(content + fits, length - fits, &code);

		if (fits + bytes > size - 1)
			break;
		fits += bytes;
	}
	HOLDS(strlen(read) == fits && !memcmp(read, content, fits));
}

static void claim_number(struct span text)
{
	struct json json = { text.at, text.at + text.length };
	int32_t number = -1;
	int64_t expected = 0;
	int whole = 1;

	for (size_t i = 0; i < text.length && whole; i++) {
		whole = text.at[i] >= '0' && text.at[i] <= '9' && expected <= INT32_MAX;
		expected = expected * 10 + (text.at[i] - '0');
	}
	whole = whole && expected <= INT32_MAX;
	HOLDS(llr_json_number(&json, &number) == whole);
	HOLDS(!whole || number == expected);
}

/* The text without white space around it. */
static struct span trimmed(struct span text)
{
	while (text.length && strchr(" \t\r\n", *text.at)) {
		text.at++;
		text.length--;
	}
	while (text.length && strchr(" \t\r\n", text.at[text.length - 1]))
		text.length--;
	return text;
}

void fuzz_json(struct bytes bytes)
{
	size_t size = take_byte(&bytes);
	struct span text;
	struct json json, value;
	int valid;

	text.at = take_rest(&bytes, &text.length);
	json = (struct json){ text.at, text.at + text.length };
	value = json;
	valid = reference_is_json(text);
	HOLDS((llr_json_skip(&value) && llr_json_at_end(&value)) == valid);
	if (!valid) {
		/* Whatever it is, nothing past its end is read. */
		llr_json_member(json, "a", &value);
		llr_json_string(&json, fuzz_memory(size), size);
		return;
	}
	text = trimmed(text);
	if (*text.at == '{')
		claim_members(text);
	else if (*text.at == '"')
		claim_string(text, size);
	else if (*text.at == '-' || (*text.at >= '0' && *text.at <= '9'))
		claim_number(text);
	HOLDS(llr_json_null(&(struct json){ text.at, text.at + text.length }) == (*text.at == 'n'));
}
