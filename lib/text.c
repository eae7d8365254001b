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
	const char *word = WORDS_POINTER(words);

	while (index)
		index -= !*word++;
	return word;
}

int llr_word_place(const char *words, const char *word, size_t length)
{
	for (int place = 0; *words; place++) {
		size_t i = 0;

		while (i < length && *words && *words == word[i]) {
			words++;
			i++;
		}
		if (i == length && !*words)
			return place;
		while (*words++)
			;
	}
	return -1;
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

/* The bytes that a character of this first byte has, by its form alone; 0 for none. */
static size_t form(unsigned char first)
{
	if (first < 0x80)
		return 1;
	if (first < 0xc0)
		return 0;
	return first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf8 ? 4 : 0;
}

/* Over-long forms, surrogates and what lies past U+10FFFF are no characters (Unicode 15, D92). */
size_t llr_utf8_decode(const char *string, size_t length, uint32_t *code)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	const unsigned char *byte = (const unsigned char *)string;
	size_t bytes = length ? form(byte[0]) : 0;
	uint32_t point;

	*code = length ? byte[0] : 0;
	if (!bytes || bytes > length)
		return 0;
	point = *code & (bytes > 1 ? 0x7fU >> bytes : 0x7fU);
	for (size_t i = 1; i < bytes; i++) {
		if ((byte[i] & 0xc0) != 0x80)
			return 0;
		point = point << 6 | (byte[i] & 0x3fU);
	}
	if (point < least[bytes] || point > 0x10ffff || point >> 11 == 0xd800 >> 11)
		return 0;
	*code = point;
	return bytes;
}

size_t llr_utf8_length(const char *string, size_t length)
{
	uint32_t code;

	return llr_utf8_decode(string, length, &code);
}

/* Control characters: C0, DEL, and C1 both as the raw byte and in UTF-8, where U+0085 ends a line
 * and U+009B begins an escape; the two separators U+2028 and U+2029 end a line for some readers. */
static int is_control(uint32_t code)
{
	return code < 0x20 || (code >= 0x7f && code <= 0x9f) || code >> 1 == 0x2028 >> 1;
}

void llr_text_masked(struct text *text, const char *string, size_t budget)
{
	size_t length = llr_string_length(string);
	int cut = length > budget;
	size_t i = 0;

	if (cut)
		budget = budget > 3 ? budget - 3 : 0;
	while (i < length) {
		uint32_t code;
		size_t bytes = llr_utf8_decode(string + i, length - i, &code);
		size_t step = bytes ? bytes : 1;

		if (i + step > budget)
			break;
		if (is_control(code))
			llr_text_byte(text, '?');
		else
			for (size_t k = 0; k < step; k++)
				llr_text_byte(text, string[i + k]);
		i += step;
	}
	if (cut && budget)
		llr_text_add(text, "...");
}

static void json_escape(struct text *text, uint32_t code)
{
	llr_text_add(text, "\\u");
	for (int shift = 12; shift >= 0; shift -= 4)
		llr_text_byte(text, "0123456789abcdef"[code >> shift & 15]);
}

/* One character of a JSON string: its escape, itself, or the replacement character. A reader that
 * splits lines as Unicode does must not see one end inside a string, so the control characters of
 * more than one byte are escaped too. */
static void json_character(struct text *text, const char *string, size_t bytes, uint32_t code)
{
	if (!bytes) {
		json_escape(text, 0xfffd);
	} else if (is_control(code)) {
		json_escape(text, code);
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
		uint32_t code;
		size_t bytes = llr_utf8_decode(string + i, length - i, &code);
		size_t before = text->length;

		json_character(text, string + i, bytes, code);
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
