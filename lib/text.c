/* A line built in the caller's buffer, with what comes from outside made harmless.
 * Never writes past the buffer, never allocates. */
#include "text.h"

size_t llr_string_length(const char *string)
{
	size_t length = 0;

	while (string[length])
		length++;
	return length;
}

const char *llr_word_at(const char *words, size_t index)
{
	while (index)
		index -= !*words++;
	return words;
}

int llr_string_equal(const char *left, const char *right)
{
	while (*left && *left == *right) {
		left++;
		right++;
	}
	return *left == *right;
}

void llr_text_byte(struct text *text, char byte)
{
	if (text->length < text->size)
		text->bytes[text->length] = byte;
	text->length++;
}

void llr_text_add(struct text *text, const char *string)
{
	while (*string)
		llr_text_byte(text, *string++);
}

void llr_text_number(struct text *text, uint64_t number)
{
	char digits[20];
	size_t count = 0;

	do {
		digits[count++] = (char)('0' + number % 10);
		number /= 10;
	} while (number);
	while (count)
		llr_text_byte(text, digits[--count]);
}

/* The bytes that a character of this first byte has, by its form alone. */
static size_t form(unsigned char first)
{
	if (first < 0x80)
		return 1;
	if (first >= 0xc2 && first <= 0xdf)
		return 2;
	if (first >= 0xe0 && first <= 0xef)
		return 3;
	return first >= 0xf0 && first <= 0xf4 ? 4 : 0;
}

/* Over-long forms, surrogates and what lies past U+10FFFF show in the second byte (Unicode 15,
 * table 3-7). */
static int second_byte_fits(unsigned char first, unsigned char second)
{
	unsigned char low = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
	unsigned char high = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;

	return second >= low && second <= high;
}

size_t llr_utf8_length(const char *string, size_t length)
{
	const unsigned char *byte = (const unsigned char *)string;
	size_t bytes = length ? form(byte[0]) : 0;

	if (bytes > length || (bytes > 1 && !second_byte_fits(byte[0], byte[1])))
		return 0;
	for (size_t i = 2; i < bytes; i++)
		if ((byte[i] & 0xc0) != 0x80)
			return 0;
	return bytes;
}

/* Control characters: C0, DEL, and C1 both as the raw byte and in UTF-8, where U+0085 ends a line
 * and U+009B begins an escape; the two separators U+2028 and U+2029 end a line for some readers. */
static int is_control(const unsigned char *byte, size_t bytes)
{
	if (bytes <= 1)
		return byte[0] < 0x20 || (byte[0] >= 0x7f && byte[0] <= 0x9f);
	if (bytes == 2)
		return byte[0] == 0xc2 && byte[1] <= 0x9f;
	return bytes == 3 && byte[0] == 0xe2 && byte[1] == 0x80 &&
	       (byte[2] == 0xa8 || byte[2] == 0xa9);
}

void llr_text_masked(struct text *text, const char *string, size_t budget)
{
	size_t length = llr_string_length(string);
	int cut = length > budget;
	size_t i = 0;

	if (cut)
		budget = budget > 3 ? budget - 3 : 0;
	while (i < length) {
		size_t bytes = llr_utf8_length(string + i, length - i);
		size_t step = bytes ? bytes : 1;

		if (i + step > budget)
			break;
		if (is_control((const unsigned char *)string + i, bytes))
			llr_text_byte(text, '?');
		else
			for (size_t k = 0; k < step; k++)
				llr_text_byte(text, string[i + k]);
		i += step;
	}
	if (cut && budget)
		llr_text_add(text, "...");
}

/* The code point of a valid character of at most three bytes. */
static unsigned int code_point(const unsigned char *byte, size_t bytes)
{
	if (bytes == 1)
		return byte[0];
	if (bytes == 2)
		return (byte[0] & 0x1fU) << 6 | (byte[1] & 0x3fU);
	return (byte[0] & 0xfU) << 12 | (byte[1] & 0x3fU) << 6 | (byte[2] & 0x3fU);
}

static void json_escape(struct text *text, unsigned int code)
{
	llr_text_add(text, "\\u");
	for (int shift = 12; shift >= 0; shift -= 4)
		llr_text_byte(text, "0123456789abcdef"[code >> shift & 15]);
}

/* One character of a JSON string: its escape, itself, or the replacement character. A reader that
 * splits lines as Unicode does must not see one end inside a string, so the control characters of
 * more than one byte are escaped too. */
static void json_character(struct text *text, const char *string, size_t bytes)
{
	const unsigned char *byte = (const unsigned char *)string;

	if (!bytes) {
		json_escape(text, 0xfffd);
	} else if (is_control(byte, bytes)) {
		json_escape(text, code_point(byte, bytes));
	} else {
		if (*string == '"' || *string == '\\')
			llr_text_byte(text, '\\');
		for (size_t k = 0; k < bytes; k++)
			llr_text_byte(text, string[k]);
	}
}

void llr_text_json(struct text *text, const char *string, size_t length, size_t budget)
{
	size_t start = text->length;

	for (size_t i = 0; i < length;) {
		size_t bytes = llr_utf8_length(string + i, length - i);
		size_t before = text->length;

		json_character(text, string + i, bytes);
		if (text->length - start > budget) {
			text->length = before;
			return;
		}
		i += bytes ? bytes : 1;
	}
}

size_t llr_text_line(struct text *text)
{
	llr_text_byte(text, '\n');
	if (text->length > text->size)
		return 0;
	if (text->length < text->size)
		text->bytes[text->length] = 0;
	return text->length;
}
