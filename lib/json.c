/* Reading JSON text that holds known members, by a cursor in the caller's memory.
 * Never allocates, never reads past the end; what is not JSON is refused, not guessed at. */
#include "json.h"
#include "text.h"

#define DEPTH 32 /* how far a value may nest; bounds the stack */
#define REPLACEMENT 0xfffd

/* The next byte after white space, or -1 at the end. */
static int next(struct json *json)
{
	while (json->at < json->end &&
	       (*json->at == ' ' || *json->at == '\t' || *json->at == '\n' || *json->at == '\r'))
		json->at++;
	return json->at < json->end ? (unsigned char)*json->at : -1;
}

int llr_json_at_end(struct json *json)
{
	return next(json) < 0;
}

int llr_json_token(struct json *json, char token)
{
	if (next(json) != token)
		return 0;
	json->at++;
	return 1;
}

static int word(struct json *json, const char *expected)
{
	next(json);
	while (*expected) {
		if (json->at == json->end || *json->at != *expected)
			return 0;
		json->at++;
		expected++;
	}
	return 1;
}

int llr_json_null(struct json *json)
{
	return word(json, "null");
}

/* ---- Numbers ---- */

/* How many digits there are; taken. */
static size_t digits(struct json *json)
{
	const char *start = json->at;

	while (json->at < json->end && *json->at >= '0' && *json->at <= '9')
		json->at++;
	return (size_t)(json->at - start);
}

/* Takes the byte if it is one of the two. */
static int either(struct json *json, char one, char other)
{
	if (json->at == json->end || (*json->at != one && *json->at != other))
		return 0;
	json->at++;
	return 1;
}

static int skip_number(struct json *json)
{
	const char *start;
	size_t count;

	either(json, '-', '-');
	start = json->at;
	count = digits(json);
	if (!count || (*start == '0' && count > 1))
		return 0;
	if (either(json, '.', '.') && !digits(json))
		return 0;
	if (!either(json, 'e', 'E'))
		return 1;
	either(json, '+', '-');
	return digits(json) > 0;
}

int llr_json_number(struct json *json, int32_t *number)
{
	const char *digit;
	int64_t value = 0;

	next(json);
	digit = json->at;
	if (!skip_number(json))
		return 0;
	for (; digit < json->at; digit++) {
		if (*digit < '0' || *digit > '9')
			return 0;
		value = value * 10 + (*digit - '0');
		if (value > INT32_MAX)
			return 0;
	}
	*number = (int32_t)value;
	return 1;
}

/* ---- Strings ---- */

/* A decoded string in the caller's buffer. */
struct decoded {
	char *bytes;
	size_t size; /* without the NUL */
	size_t length;
	int full;
};

static void add(struct decoded *decoded, const char *character, size_t bytes)
{
	/* Once one did not fit, a shorter one after it must not. */
	decoded->full |= decoded->length + bytes > decoded->size;
	for (size_t i = 0; i < bytes && !decoded->full; i++)
		decoded->bytes[decoded->length++] = character[i];
}

static void add_code_point(struct decoded *decoded, uint32_t code)
{
	char bytes[4];
	size_t count = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
	static const unsigned char first[] = { 0, 0x00, 0xc0, 0xe0, 0xf0 };

	for (size_t i = count; --i; code >>= 6)
		bytes[i] = (char)(0x80 | (code & 0x3f));
	bytes[0] = (char)(first[count] | code);
	add(decoded, bytes, count);
}

/* Four hexadecimal digits; -1 when they are not there. */
static int32_t hex4(struct json *json)
{
	int32_t value = 0;

	for (int i = 0; i < 4; i++, json->at++) {
		char digit = json->at < json->end ? *json->at : 0;

		if (digit >= '0' && digit <= '9')
			value = value << 4 | (digit - '0');
		else if ((digit | 0x20) >= 'a' && (digit | 0x20) <= 'f')
			value = value << 4 | ((digit | 0x20) - 'a' + 10);
		else
			return -1;
	}
	return value;
}

static int is_surrogate(int32_t unit, int32_t first)
{
	return unit >= first && unit < first + 0x400;
}

/* What follows `\u`: one UTF-16 unit, or the two of a pair. */
static int unicode(struct json *json, struct decoded *decoded)
{
	int32_t high = hex4(json);
	struct json ahead = *json;

	if (high < 0)
		return 0;
	if (is_surrogate(high, 0xd800) && either(&ahead, '\\', '\\') && either(&ahead, 'u', 'u')) {
		int32_t low = hex4(&ahead);

		if (is_surrogate(low, 0xdc00)) {
			*json = ahead;
			add_code_point(decoded, (uint32_t)(0x10000 + (high - 0xd800) * 0x400 +
							   (low - 0xdc00)));
			return 1;
		}
	}
	add_code_point(decoded,
		       !high || (high >= 0xd800 && high <= 0xdfff) ? REPLACEMENT : (uint32_t)high);
	return 1;
}

static int escape(struct json *json, struct decoded *decoded)
{
	static const char letters[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
	char letter;

	if (json->at == json->end)
		return 0;
	letter = *json->at++;
	if (letter == 'u')
		return unicode(json, decoded);
	for (size_t i = 0; letters[i]; i++)
		if (letters[i] == letter) {
			add(decoded, &meanings[i], 1);
			return 1;
		}
	return 0;
}

int llr_json_string(struct json *json, char *buffer, size_t size)
{
	struct decoded decoded = { buffer, size ? size - 1 : 0, 0, 0 };

	if (!llr_json_token(json, '"'))
		return 0;
	while (json->at < json->end && *json->at != '"') {
		size_t bytes = llr_utf8_length(json->at, (size_t)(json->end - json->at));

		if (!bytes || (unsigned char)*json->at < 0x20)
			return 0;
		json->at += bytes;
		if (json->at[-1] != '\\')
			add(&decoded, json->at - bytes, bytes);
		else if (!escape(json, &decoded))
			return 0;
	}
	if (size)
		buffer[decoded.length] = 0;
	return either(json, '"', '"');
}

/* ---- Values ---- */

static int skip_value(struct json *json, int depth);

/* The inside of an array or object, and its closing bracket. */
static int skip_elements(struct json *json, char close, int depth)
{
	if (llr_json_token(json, close))
		return 1;
	do {
		if (close == '}' && !(llr_json_string(json, NULL, 0) && llr_json_token(json, ':')))
			return 0;
		if (!skip_value(json, depth))
			return 0;
	} while (llr_json_token(json, ','));
	return llr_json_token(json, close);
}

static int skip_value(struct json *json, int depth)
{
	switch (next(json)) {
	case '{':
	case '[':
		return depth < DEPTH &&
		       skip_elements(json, *json->at++ == '{' ? '}' : ']', depth + 1);
	case '"':
		return llr_json_string(json, NULL, 0);
	case 't':
		return word(json, "true");
	case 'f':
		return word(json, "false");
	case 'n':
		return word(json, "null");
	default:
		return skip_number(json);
	}
}

int llr_json_skip(struct json *json)
{
	return skip_value(json, 0);
}

int llr_json_member(struct json object, const char *name, struct json *value)
{
	char key[32]; /* a longer key is cut, and then as long as no name asked for */
	int found = 0;

	if (!llr_json_token(&object, '{') || llr_json_token(&object, '}'))
		return 0;
	do {
		if (!llr_json_string(&object, key, sizeof key) || !llr_json_token(&object, ':'))
			return 0;
		if (llr_string_equal(key, name)) {
			found++;
			*value = object;
		}
		if (!llr_json_skip(&object))
			return 0;
	} while (llr_json_token(&object, ','));
	return found == 1;
}
