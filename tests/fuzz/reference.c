/* What a target compares with: UTF-8, JSON and lines as their standards say.
 * It must share no code with what it judges. */
#include "reference.h"

#include <string.h>

#include "fuzz.h"

#define DEEPEST 32

/* ---- UTF-8 ---- */

/* By value instead of by the form of the bytes: decode, then see whether it is the shortest way. */
size_t reference_character(const char *at, size_t left, uint32_t *code)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	const uint8_t *byte = (const uint8_t *)at;
	size_t size = !left              ? 0
		      : *byte < 0x80     ? 1
		      : *byte >> 5 == 6  ? 2
		      : *byte >> 4 == 14 ? 3
		      : *byte >> 3 == 30 ? 4
					 : 0;

	if (!size || size > left)
		return 0;
	*code = size == 1 ? *byte : *byte & (0x7fU >> size);
	for (size_t i = 1; i < size; i++) {
		if (byte[i] >> 6 != 2)
			return 0;
		*code = *code << 6 | (byte[i] & 0x3f);
	}
	if (*code < least[size] || *code > 0x10ffff || (*code >= 0xd800 && *code < 0xe000))
		return 0;
	return size;
}

int reference_is_control(uint32_t code)
{
	return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x2028 || code == 0x2029;
}

int reference_is_line(const char *line, size_t length)
{
	if (!length || line[length - 1] != '\n')
		return 0;
	for (size_t i = 0; i < length - 1;) {
		uint32_t code;
		size_t size = reference_character(line + i, length - 1 - i, &code);

		if (!size)
			code = (uint8_t)line[i]; /* what reads bytes as Latin-1 sees a C1 control */
		if (reference_is_control(code))
			return 0;
		i += size ? size : 1;
	}
	return 1;
}

/* ---- JSON ---- */

/* Whoever reads: a cursor, and what to look for among the members of the outermost object. */
struct reader {
	const char *at;
	const char *end;
	const char *name;
	size_t found;
	struct span value;
};

static int peek(const struct reader *reader)
{
	return reader->at < reader->end ? (uint8_t)*reader->at : -1;
}

static void skip_space(struct reader *reader)
{
	while (peek(reader) >= 0 && strchr(" \t\r\n", peek(reader)) && peek(reader))
		reader->at++;
}

static int read_digits(struct reader *reader)
{
	const char *start = reader->at;

	while (peek(reader) >= '0' && peek(reader) <= '9')
		reader->at++;
	return reader->at > start;
}

static int read_number(struct reader *reader)
{
	const char *start;

	reader->at += peek(reader) == '-';
	start = reader->at;
	if (!read_digits(reader) || (*start == '0' && reader->at - start > 1))
		return 0;
	if (peek(reader) == '.') {
		reader->at++;
		if (!read_digits(reader))
			return 0;
	}
	if (peek(reader) != 'e' && peek(reader) != 'E')
		return 1;
	reader->at++;
	reader->at += peek(reader) == '+' || peek(reader) == '-';
	return read_digits(reader);
}

static int is_hex(int byte)
{
	return byte > 0 && strchr("0123456789abcdefABCDEF", byte) != NULL;
}

static int read_escape(struct reader *reader)
{
	int letter = peek(reader);

	reader->at++;
	if (letter != 'u')
		return letter > 0 && strchr("\"\\/bfnrt", letter) != NULL;
	for (int i = 0; i < 4; i++, reader->at++)
		if (!is_hex(peek(reader)))
			return 0;
	return 1;
}

static int read_string(struct reader *reader)
{
	if (peek(reader) != '"')
		return 0;
	for (reader->at++; peek(reader) != '"';) {
		uint32_t code;
		size_t size = reference_character(reader->at, (size_t)(reader->end - reader->at),
						  &code);

		if (!size || code < 0x20)
			return 0;
		reader->at += size;
		if (code == '\\' && (peek(reader) < 0 || !read_escape(reader)))
			return 0;
	}
	reader->at++;
	return 1;
}

static int read_word(struct reader *reader, const char *word)
{
	size_t length = strlen(word);

	if ((size_t)(reader->end - reader->at) < length || memcmp(reader->at, word, length) != 0)
		return 0;
	reader->at += length;
	return 1;
}

static int read_value(struct reader *reader, int depth);

static int read_member(struct reader *reader, int depth)
{
	const char *key = reader->at, *value;
	size_t length;

	if (!read_string(reader))
		return 0;
	length = (size_t)(reader->at - key);
	skip_space(reader);
	if (!read_word(reader, ":"))
		return 0;
	skip_space(reader);
	value = reader->at;
	if (!read_value(reader, depth))
		return 0;
	if (depth == 1 && reader->name &&
	    reference_is_string((struct span){ key, length }, reader->name)) {
		reader->found++;
		reader->value = (struct span){ value, (size_t)(reader->at - value) };
	}
	return 1;
}

static int read_inside(struct reader *reader, int depth, int is_object)
{
	const char *close = is_object ? "}" : "]";

	if (depth > DEEPEST)
		return 0;
	reader->at++;
	skip_space(reader);
	if (read_word(reader, close))
		return 1;
	for (;;) {
		skip_space(reader);
		if (!(is_object ? read_member(reader, depth) : read_value(reader, depth)))
			return 0;
		skip_space(reader);
		if (!read_word(reader, ","))
			return read_word(reader, close);
	}
}

static int read_value(struct reader *reader, int depth)
{
	switch (peek(reader)) {
	case '{':
	case '[':
		return read_inside(reader, depth + 1, peek(reader) == '{');
	case '"':
		return read_string(reader);
	case 't':
		return read_word(reader, "true");
	case 'f':
		return read_word(reader, "false");
	case 'n':
		return read_word(reader, "null");
	default:
		return read_number(reader);
	}
}

static int read_whole(struct reader *reader)
{
	skip_space(reader);
	if (!read_value(reader, 0))
		return 0;
	skip_space(reader);
	return reader->at == reader->end;
}

int reference_is_json(struct span text)
{
	struct reader reader = { text.at, text.at + text.length, NULL, 0, { NULL, 0 } };

	return read_whole(&reader);
}

size_t reference_members(struct span object, const char *name, struct span *value)
{
	struct reader reader = { object.at, object.at + object.length, name, 0, { NULL, 0 } };

	read_whole(&reader);
	*value = reader.value;
	return reader.found;
}

int reference_element(struct span array, size_t *at, struct span *element)
{
	struct reader reader = { array.at + *at, array.at + array.length, NULL, 0, { NULL, 0 } };

	reader.at++; /* the bracket, or the comma behind the element before */
	skip_space(&reader);
	if (peek(&reader) == ']' || peek(&reader) < 0)
		return 0;
	element->at = reader.at;
	read_value(&reader, 1);
	element->length = (size_t)(reader.at - element->at);
	skip_space(&reader);
	*at = (size_t)(reader.at - array.at);
	return 1;
}

/* ---- The content of strings ---- */

static size_t put_character(uint32_t code, char *to)
{
	if (code < 0x80) {
		to[0] = (char)code;
		return 1;
	}
	if (code < 0x800) {
		to[0] = (char)(0xc0 | code >> 6);
		to[1] = (char)(0x80 | (code & 0x3f));
		return 2;
	}
	if (code < 0x10000) {
		to[0] = (char)(0xe0 | code >> 12);
		to[1] = (char)(0x80 | (code >> 6 & 0x3f));
		to[2] = (char)(0x80 | (code & 0x3f));
		return 3;
	}
	to[0] = (char)(0xf0 | code >> 18);
	to[1] = (char)(0x80 | (code >> 12 & 0x3f));
	to[2] = (char)(0x80 | (code >> 6 & 0x3f));
	to[3] = (char)(0x80 | (code & 0x3f));
	return 4;
}

static uint32_t unit_at(const char *digits)
{
	uint32_t unit = 0;

	for (int i = 0; i < 4; i++) {
		char digit = digits[i];

		unit = unit * 16 + (uint32_t)(digit <= '9' ? digit - '0' : (digit | 32) - 'a' + 10);
	}
	return unit;
}

/* The code point of the escape behind a backslash; *size is how long it is. */
static uint32_t escaped(const char *at, const char *end, size_t *size)
{
	static const char letters[] = "bfnrt", meanings[] = "\b\f\n\r\t";
	const char *letter = strchr(letters, *at);
	uint32_t high, low;

	*size = 1;
	if (*at != 'u')
		return letter ? (uint32_t)meanings[letter - letters] : (uint32_t)*at;
	*size = 5;
	high = unit_at(at + 1);
	if (high < 0xd800 || high > 0xdfff)
		return high ? high : 0xfffd;
	if (high < 0xdc00 && end - at > 11 && at[5] == '\\' && at[6] == 'u') {
		low = unit_at(at + 7);
		if (low >= 0xdc00 && low <= 0xdfff) {
			*size = 11;
			return 0x10000 + ((high & 0x3ff) << 10 | (low & 0x3ff));
		}
	}
	return 0xfffd;
}

size_t reference_string(struct span string, char *content)
{
	const char *at = string.at + 1, *end = string.at + string.length - 1;
	size_t length = 0;

	while (at < end) {
		size_t size;

		if (*at == '\\') {
			uint32_t code = escaped(at + 1, end + 1, &size);

			length += put_character(code, content + length);
			at += 1 + size;
		} else {
			content[length++] = *at++;
		}
	}
	return length;
}

int reference_is_string(struct span value, const char *content)
{
	char *found;
	size_t length;

	if (!value.length || *value.at != '"')
		return 0;
	found = fuzz_memory(value.length);
	length = reference_string(value, found);
	return length == strlen(content) && !memcmp(found, content, length);
}
