/* The JSON cursor: what it takes, what it refuses, and that it never leaves its text.
 * The cases follow the grammar of RFC 8259, production by production. */
#include "json.h"

#include <string.h>

#include "text.h"
#include "unit.h"

/* A cursor over an exact copy; to be freed by json_close. */
static struct json json_open(const char *bytes, size_t length)
{
	char *exact = exact_copy(bytes, length);

	return (struct json){ exact, exact + length };
}

/* Whether the bytes are one JSON value and nothing else. */
static int is_json(const char *bytes, size_t length)
{
	char *exact = exact_copy(bytes, length);
	struct json json = { exact, exact + length };
	int result = llr_json_skip(&json) && llr_json_at_end(&json);

	exact_free(exact);
	return result;
}

/* The string decoded into `size` bytes; NULL when it is refused. */
static const char *string_in(const char *source, size_t size)
{
	static char buffer[128];
	struct json json = json_open(source, strlen(source));
	char *exact = (char *)(uintptr_t)json.at;
	int result;

	memset(buffer, 'x', sizeof buffer);
	result = llr_json_string(&json, buffer, size) && llr_json_at_end(&json);
	cr_assert_eq(buffer[size], 'x', "written past the size");
	exact_free(exact);
	return result ? buffer : NULL;
}

static const char *string(const char *source)
{
	return string_in(source, 100);
}

Test(json, every_form_of_the_grammar_is_taken)
{
	static const char *const good[] = {
		"0",
		"-0",
		"1",
		"-12",
		"1.5",
		"0.05",
		"1e5",
		"1E+5",
		"-1.25e-07",
		"true",
		"false",
		"null",
		"\"\"",
		"\"a\"",
		"[]",
		"[ ]",
		"[1]",
		"[1,2, 3]",
		"{}",
		"{ }",
		"{\"a\":1}",
		" { \"a\" : [ { } , [ ] ] , \"b\" : null } ",
		"\t\r\n1\n",
		"[true,false,null,\"x\",-1e9]",
		"\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\"",
		"\"\x7f\xc2\x80\xf4\x8f\xbf\xbf\"",
		"\"\\ud83d\\ude00\"",
		"\"\\ud800\"",
		"{\"\":0}",
		"{\"a\":1,\"a\":2}",
	};

	for (size_t i = 0; i < COUNT(good); i++)
		cr_expect(is_json(good[i], strlen(good[i])), "%s", good[i]);
}

Test(json, whatever_is_not_in_the_grammar_is_refused)
{
	static const char *const bad[] = {
		"",
		" ",
		"-",
		"+1",
		"01",
		"-01",
		"1.",
		".5",
		"1.e5",
		"1e",
		"1e+",
		"0x10",
		"1 2",
		"1,",
		"NaN",
		"Infinity",
		"tru",
		"truex",
		"True",
		"nul",
		"nulll",
		"\"",
		"\"a",
		"a",
		"'a'",
		"\"\\\"",
		"\"\\x\"",
		"\"\\u12\"",
		"\"\\u12g4\"",
		"\"\\U0041\"",
		"\"\\",
		"\"\\u",
		"\"\n\"",
		"\"\t\"",
		"\"\x01\"",
		"\"\x80\"",
		"\"\xc0\x80\"",
		"\"\xed\xa0\x80\"",
		"\"\xff\"",
		"\"\xe2\x82\"",
		"[",
		"[1",
		"[1,",
		"[1,]",
		"[,1]",
		"[1 2]",
		"]",
		"{",
		"{\"a\"",
		"{\"a\":",
		"{\"a\":1",
		"{\"a\":1,",
		"{\"a\":1,}",
		"{,}",
		"{1:2}",
		"{a:1}",
		"{\"a\" 1}",
		"{\"a\":1 \"b\":2}",
		"}",
		"[}",
		"{]",
		"{\"a\":1]",
		"[1}",
		"{}{}",
		"[][]",
		"/**/1",
		"1//",
		"\xef\xbb\xbf 1",
		"\"a\"b",
		"[\"\\ud83d\\u\"]",
		"-a",
		"--1",
	};

	for (size_t i = 0; i < COUNT(bad); i++)
		cr_expect(!is_json(bad[i], strlen(bad[i])), "%s", bad[i]);
	cr_expect(!is_json("1\0", 2), "NUL is no white space");
	cr_expect(!is_json("\"a\0b\"", 5), "NUL must be escaped");
}

Test(json, strings_are_decoded_whole)
{
	cr_expect_str_eq(string("\"plain\""), "plain");
	cr_expect_str_eq(string(" \"\""), "");
	cr_expect_str_eq(string("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\""), "\"\\/\b\f\n\r\t");
	cr_expect_str_eq(string("\"\\u0041\\u00e9\\u20AC\\u20ac\""),
			 "A\xc3\xa9\xe2\x82\xac\xe2\x82\xac");
	cr_expect_str_eq(string("\"\\u007f\\u0080\\u07ff\\u0800\\uffff\""),
			 "\x7f\xc2\x80\xdf\xbf\xe0\xa0\x80\xef\xbf\xbf");
	cr_expect_str_eq(string("\"\\ud83d\\ude00\\uD800\\uDC00\\udbff\\udfff\""),
			 "\xf0\x9f\x98\x80\xf0\x90\x80\x80\xf4\x8f\xbf\xbf");
	cr_expect_str_eq(string("\"\xc3\xa9\xf0\x9f\x98\x80\""), "\xc3\xa9\xf0\x9f\x98\x80");
	cr_expect_null(string("5"));
	cr_expect_null(string("\"a"));
}

Test(json, half_a_pair_and_nul_become_the_replacement_character)
{
#define REPLACED "\xef\xbf\xbd"
	cr_expect_str_eq(string("\"a\\u0000b\""), "a" REPLACED "b");
	cr_expect_str_eq(string("\"\\ud800\""), REPLACED);
	cr_expect_str_eq(string("\"\\udc00\\ud800\""), REPLACED REPLACED);
	cr_expect_str_eq(string("\"\\udfff\\ud7ff\\ue000\""), REPLACED "\xed\x9f\xbf\xee\x80\x80");
	cr_expect_str_eq(string("\"\\ud800\\ue000\""), REPLACED "\xee\x80\x80");
	cr_expect_str_eq(string("\"\\ud800\\udbff\\udfff\""), REPLACED "\xf4\x8f\xbf\xbf");
	cr_expect_str_eq(string("\"\\ud800x\""), REPLACED "x");
	cr_expect_str_eq(string("\"\\ud800\\n\""), REPLACED "\n");
	cr_expect_str_eq(string("\"\\ud800\\u0041\""), REPLACED "A");
	cr_expect_str_eq(string("\"\\ud83d\\ud83d\\ude00\""), REPLACED "\xf0\x9f\x98\x80");
	cr_expect_null(string("\"\\ud800\\u00\""));
}

Test(json, a_small_buffer_gets_whole_characters_and_a_nul)
{
	cr_expect_str_eq(string_in("\"abc\"", 4), "abc");
	cr_expect_str_eq(string_in("\"abc\"", 3), "ab");
	cr_expect_str_eq(string_in("\"abc\"", 1), "");
	cr_expect_str_eq(string_in("\"a\xe2\x82\xac"
				   "b\"",
				   4),
			 "a");
	cr_expect_str_eq(string_in("\"a\xe2\x82\xac"
				   "b\"",
				   5),
			 "a\xe2\x82\xac");
	cr_expect_str_eq(string_in("\"a\\u20acb\"", 4), "a",
			 "what comes behind the cut is left out, though it would fit");
	cr_expect_null(string_in("\"abc\\x\"", 2), "what is cut off is still read");
}

Test(json, a_string_can_be_taken_without_a_buffer)
{
	struct json json = { "\"abc\" 1", NULL };

	json.end = json.at + 7;
	cr_expect(llr_json_string(&json, NULL, 0));
	cr_expect_str_eq(json.at, " 1");
}

/* -1 when it is refused. */
static int64_t number(const char *source)
{
	struct json json = json_open(source, strlen(source));
	char *exact = (char *)(uintptr_t)json.at;
	int32_t value = -7;
	int result = llr_json_number(&json, &value) && llr_json_at_end(&json);

	exact_free(exact);
	return result ? value : -1;
}

Test(json, only_whole_numbers_in_range_are_numbers_here)
{
	static const char *const bad[] = {
		"-1",    "-0",   "1.0", "1e0", "01", "2147483648", "9999999999999999999999",
		"\"1\"", "true", "",    "x"
	};

	cr_expect_eq(number("0"), 0);
	cr_expect_eq(number(" 7 "), 7);
	cr_expect_eq(number("1234567890"), 1234567890);
	cr_expect_eq(number("2147483647"), INT32_MAX);
	for (size_t i = 0; i < COUNT(bad); i++)
		cr_expect_eq(number(bad[i]), -1, "%s", bad[i]);
}

Test(json, depth_is_bounded_and_what_no_record_reaches)
{
	char text[400000];

	for (size_t depth = 1; depth <= 40; depth++) {
		memset(text, '[', depth);
		memset(text + depth, ']', depth);
		cr_expect_eq(is_json(text, 2 * depth), depth <= 32, "depth %zu", depth);
	}
	memset(text, '[', sizeof text);
	cr_expect(!is_json(text, sizeof text), "the stack holds");
	for (size_t i = 0; i + 5 <= sizeof text; i += 5)
		memcpy(text + i, "{\"a\":", 5);
	cr_expect(!is_json(text, sizeof text));
}

static int member(const char *source, const char *name, int32_t *number_found)
{
	struct json object = json_open(source, strlen(source)), value;
	char *exact = (char *)(uintptr_t)object.at;
	int result = llr_json_member(object, name, &value) && llr_json_number(&value, number_found);

	exact_free(exact);
	return result;
}

Test(json, a_member_is_found_anywhere_and_only_once)
{
	int32_t value = 0;

	cr_expect(member("{\"a\":1}", "a", &value) && value == 1);
	cr_expect(
		member(" { \"x\" : {\"a\":[2]} , \"b\":\"a\", \"a\" : 3 , \"c\":4}", "a", &value) &&
		value == 3);
	cr_expect(member("{\"\\u0061\":5}", "a", &value) && value == 5,
		  "an escaped name is the same name");
	cr_expect(!member("{\"a\":1,\"a\":1}", "a", &value), "twice is ambiguous");
	cr_expect(!member("{\"a\":1,\"\\u0061\":1}", "a", &value));
	cr_expect(!member("{}", "a", &value));
	cr_expect(!member("{\"b\":{\"a\":1}}", "a", &value), "not in another object");
	cr_expect(!member("[\"a\",1]", "a", &value));
	cr_expect(!member("{\"a\\u0000\":1}", "a", &value), "a NUL ends no name");
	cr_expect(!member("{\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\":1}",
			  "aaaaaaaaaaa", &value),
		  "a long name is another");
}

Test(json, what_is_written_is_read_back)
{
	random_begin("json");
	for (int round = 0; round < 20000; round++) {
		char source[41], buffer[300], decoded[200], again[300];
		struct text text = { buffer, sizeof buffer, 0 }, twice = { again, sizeof again, 0 };
		struct json json = { buffer, NULL };

		llr_text_byte(&text, '"');
		llr_text_json(&text, source, random_string(source, 40), SIZE_MAX);
		llr_text_byte(&text, '"');
		json.end = buffer + text.length;
		cr_assert(llr_json_string(&json, decoded, sizeof decoded) && json.at == json.end,
			  "seed 0x%llx round %d", (unsigned long long)random_seed(), round);
		/* Bytes that were no UTF-8 are lost; from then on nothing is. */
		llr_text_byte(&twice, '"');
		llr_text_json(&twice, decoded, strlen(decoded), SIZE_MAX);
		llr_text_byte(&twice, '"');
		json = (struct json){ again, again + twice.length };
		cr_assert(llr_json_string(&json, source, 1) && llr_json_at_end(&json));
		for (size_t i = 0, step; i < strlen(decoded); i += step) {
			step = llr_utf8_length(decoded + i, strlen(decoded) - i);
			cr_assert(step, "seed 0x%llx round %d: decoded to broken UTF-8",
				  (unsigned long long)random_seed(), round);
		}
	}
}

Test(json, no_bytes_lead_the_cursor_out_of_its_text)
{
	static const char alphabet[] = "{}[]\",:\\u0d8 1-.etrfn\n\xff\xc3\xa9";

	random_begin("json cursor");
	for (int round = 0; round < 100000; round++) {
		char bytes[24], decoded[8];
		size_t length = (size_t)random_below(sizeof bytes);
		struct json value;

		for (size_t i = 0; i < length; i++)
			bytes[i] = alphabet[random_below(sizeof alphabet - 1)];
		is_json(bytes, length);
		if (length) {
			char *exact = exact_copy(bytes, length);
			struct json json = { exact, exact + length };

			llr_json_member(json, "u0", &value);
			llr_json_string(&json, decoded, sizeof decoded);
			cr_assert(json.at >= exact && json.at <= exact + length,
				  "seed 0x%llx round %d", (unsigned long long)random_seed(), round);
			exact_free(exact);
		}
	}
}
