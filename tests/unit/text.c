/* Text built in a buffer: nothing past its end, nothing from outside that acts, always UTF-8 where
 * JSON needs it. The sets of characters are written out from Unicode's tables, not taken from the
 * code under test. */
#include "text.h"

#include <string.h>

#include "unit.h"

/* What llr_text_masked makes of a string. */
static const char *masked(const char *string, size_t budget)
{
	static char buffer[256];
	struct text text = { buffer, sizeof buffer - 1, 0 };

	llr_text_masked(&text, string, budget);
	buffer[text.length] = 0;
	return buffer;
}

static const char *json(const char *bytes, size_t length, size_t budget)
{
	static char buffer[256];
	struct text text = { buffer, sizeof buffer - 1, 0 };
	char *exact = exact_copy(bytes, length);

	llr_text_json(&text, exact, length, budget);
	exact_free(exact);
	buffer[text.length] = 0;
	return buffer;
}

Test(text, adding_past_the_end_counts_on_and_writes_nothing)
{
	char buffer[8] = "xxxxxxx";
	struct text text = { buffer, 4, 0 };

	llr_text_add(&text, "abcdef");
	llr_text_number(&text, 12345);
	llr_text_byte(&text, '!');
	cr_expect_eq(text.length, 12);
	cr_expect_arr_eq(buffer, "abcdxxx", 8);
}

Test(text, measuring_needs_no_buffer)
{
	struct text text = { NULL, 0, 0 };

	llr_text_add(&text, "abc");
	llr_text_masked(&text, "a\nb", SIZE_MAX);
	llr_text_json(&text, "\"", 1, SIZE_MAX);
	cr_expect_eq(text.length, 8);
	cr_expect_eq(llr_text_line(&text), 0);
}

Test(text, numbers_are_decimal_up_to_the_largest)
{
	char buffer[32] = { 0 };
	struct text text = { buffer, sizeof buffer, 0 };

	llr_text_number(&text, 0);
	llr_text_byte(&text, ' ');
	llr_text_number(&text, UINT64_MAX);
	cr_expect_str_eq(buffer, "0 18446744073709551615");
}

Test(text, a_line_that_just_fits_has_no_nul_and_one_byte_less_is_no_line)
{
	char buffer[5] = "xxxx";
	struct text text = { buffer, 4, 0 };

	llr_text_add(&text, "abc");
	cr_expect_eq(llr_text_line(&text), 4);
	cr_expect_arr_eq(buffer, "abc\n", 5);
	text = (struct text){ buffer, 3, 0 };
	llr_text_add(&text, "abc");
	cr_expect_eq(llr_text_line(&text), 0);
}

/* ---- UTF-8 ---- */

/* The encoding of every code point, by Unicode's definition. */
static size_t encode(uint32_t code, char bytes[4])
{
	if (code < 0x80) {
		bytes[0] = (char)code;
		return 1;
	}
	if (code < 0x800) {
		bytes[0] = (char)(0xc0 | code >> 6);
		bytes[1] = (char)(0x80 | (code & 0x3f));
		return 2;
	}
	if (code < 0x10000) {
		bytes[0] = (char)(0xe0 | code >> 12);
		bytes[1] = (char)(0x80 | (code >> 6 & 0x3f));
		bytes[2] = (char)(0x80 | (code & 0x3f));
		return 3;
	}
	bytes[0] = (char)(0xf0 | code >> 18);
	bytes[1] = (char)(0x80 | (code >> 12 & 0x3f));
	bytes[2] = (char)(0x80 | (code >> 6 & 0x3f));
	bytes[3] = (char)(0x80 | (code & 0x3f));
	return 4;
}

Test(utf8, every_code_point_but_surrogates_has_its_length)
{
	for (uint32_t code = 0; code < 0x120000; code++) {
		char bytes[4];
		size_t length = encode(code, bytes);
		size_t expected = (code >= 0xd800 && code <= 0xdfff) || code > 0x10ffff ? 0
											: length;

		if (llr_utf8_length(bytes, length) != expected)
			cr_assert(0, "U+%04X", code);
		if (expected > 1 && llr_utf8_length(bytes, length - 1) != 0)
			cr_assert(0, "U+%04X cut short", code);
	}
}

Test(utf8, no_two_bytes_make_a_character_but_the_1920_of_the_standard)
{
	size_t valid = 0;

	for (unsigned int first = 0x80; first < 0x100; first++)
		for (unsigned int second = 0; second < 0x100; second++) {
			char bytes[2] = { (char)first, (char)second };

			valid += llr_utf8_length(bytes, 2) == 2;
		}
	cr_expect_eq(valid, 0x800 - 0x80);
}

Test(utf8, no_three_bytes_make_a_character_but_those_of_the_standard)
{
	size_t valid = 0;

	for (unsigned int first = 0x80; first < 0x100; first++)
		for (unsigned int pair = 0; pair < 0x10000; pair++) {
			char bytes[3] = { (char)first, (char)(pair >> 8), (char)pair };

			valid += llr_utf8_length(bytes, 3) == 3;
		}
	cr_expect_eq(valid,
		     0x10000 - 0x800 - 0x800); /* less the shorter forms and the surrogates */
}

Test(utf8, overlong_forms_stray_bytes_and_nothing_are_no_characters)
{
	static const char *const broken[] = { "\x80",
					      "\xbf",
					      "\xc0\x80",
					      "\xc1\xbf",
					      "\xe0\x9f\xbf",
					      "\xf0\x8f\xbf\xbf",
					      "\xf5\x80\x80\x80",
					      "\xfe",
					      "\xff",
					      "\xc3(",
					      "\xe2\x82(",
					      "\xf0\x9f\x98(",
					      "\xf4\x90\x80\x80" };

	for (size_t i = 0; i < COUNT(broken); i++)
		cr_expect_eq(llr_utf8_length(broken[i], strlen(broken[i])), 0, "case %zu", i);
	cr_expect_eq(llr_utf8_length(NULL, 0), 0);
}

/* ---- Masking ---- */

Test(masking, every_control_character_becomes_a_question_mark_and_nothing_else_does)
{
	for (uint32_t code = 1; code < 0x3000; code++) {
		char bytes[5] = { 0 };
		int control = code < 0x20 || (code >= 0x7f && code <= 0x9f) || code == 0x2028 ||
			      code == 0x2029;

		encode(code, bytes);
		if (strcmp(masked(bytes, 64), control ? "?" : bytes) != 0)
			cr_assert(0, "U+%04X gives \"%s\"", code, masked(bytes, 64));
	}
}

Test(masking, raw_c1_bytes_are_masked_and_other_invalid_bytes_stay)
{
	cr_expect_str_eq(masked("a\x80\x85\x9b\x9f"
				"b",
				64),
			 "a????b");
	cr_expect_str_eq(masked("a\xff\xe9\xa0"
				"b",
				64),
			 "a\xff\xe9\xa0"
			 "b");
	cr_expect_str_eq(masked("\xe2\x80", 64), "\xe2?", "the broken half of a separator");
}

Test(masking, what_is_cut_ends_in_dots_within_the_budget_and_at_a_character)
{
	cr_expect_str_eq(masked("abcdefgh", 8), "abcdefgh");
	cr_expect_str_eq(masked("abcdefgh", 7), "abcd...");
	cr_expect_str_eq(masked("ab\xe2\x82\xac"
				"cd",
				6),
			 "ab...");
	cr_expect_str_eq(masked("ab\xe2\x82\xac"
				"cdef",
				8),
			 "ab\xe2\x82\xac...");
	cr_expect_str_eq(masked("abcdefgh", 4), "a...");
	cr_expect_str_eq(masked("abcdefgh", 3), "", "dots alone say nothing");
	cr_expect_str_eq(masked("abcdefgh", 0), "");
	cr_expect_str_eq(masked("", 0), "");
}

Test(masking, no_string_makes_a_line_or_goes_over_its_budget)
{
	random_begin("masking");
	for (int round = 0; round < 20000; round++) {
		char string[101], buffer[128];
		struct text text = { buffer, sizeof buffer, 0 };
		size_t budget = (size_t)random_below(120);

		random_string(string, 100);
		llr_text_masked(&text, string, budget);
		if (text.length > budget)
			cr_assert(0, "seed 0x%lx round %d: %zu bytes of %zu",
				  (unsigned long)random_seed(), round, text.length, budget);
		for (size_t i = 0; i < text.length; i++)
			if ((unsigned char)buffer[i] < 0x20 || buffer[i] == 0x7f)
				cr_assert(0, "seed 0x%lx round %d: a control byte",
					  (unsigned long)random_seed(), round);
	}
}

/* ---- JSON strings ---- */

Test(json_text, quotes_and_backslashes_are_escaped_and_the_rest_stays)
{
	cr_expect_str_eq(json("a\"b\\c/d\xc3\xa9\xf0\x9f\x98\x80", 13, 64),
			 "a\\\"b\\\\c/d\xc3\xa9\xf0\x9f\x98\x80");
}

Test(json_text, every_control_character_is_an_escape)
{
	for (uint32_t code = 0; code < 0x3000; code++) {
		char bytes[5] = { 0 }, expected[8];
		size_t length = encode(code, bytes);

		if (code < 0x20 || (code >= 0x7f && code <= 0x9f) || code == 0x2028 ||
		    code == 0x2029)
			snprintf(expected, sizeof expected, "\\u%04x", code);
		else
			snprintf(expected, sizeof expected, "%s%s",
				 code == '"' || code == '\\' ? "\\" : "", bytes);
		if (strcmp(json(bytes, length, 64), expected) != 0)
			cr_assert(0, "U+%04X gives %s", code, json(bytes, length, 64));
	}
}

Test(json_text, each_byte_that_is_no_utf8_becomes_the_replacement_character)
{
	cr_expect_str_eq(json("\xff", 1, 64), "\\ufffd");
	cr_expect_str_eq(json("a\xe2\x82"
			      "b",
			      4, 64),
			 "a\\ufffd\\ufffdb");
	cr_expect_str_eq(json("\xed\xa0\x80", 3, 64), "\\ufffd\\ufffd\\ufffd");
	cr_expect_str_eq(json("\xe2\x82\xac", 2, 64), "\\ufffd\\ufffd", "cut by its length");
}

Test(json_text, a_budget_never_cuts_an_escape_or_a_character)
{
	cr_expect_str_eq(json("a\"", 2, 2), "a");
	cr_expect_str_eq(json("a\"", 2, 3), "a\\\"");
	cr_expect_str_eq(json("\n", 1, 5), "");
	cr_expect_str_eq(json("\n", 1, 6), "\\u000a");
	cr_expect_str_eq(json("\xe2\x82\xac", 3, 2), "");
	cr_expect_str_eq(json("abc", 3, 0), "");
	cr_expect_str_eq(json("abc", 3, SIZE_MAX), "abc");
}

Test(json_text, any_bytes_give_printable_utf8_on_one_line)
{
	random_begin("json_text");
	for (int round = 0; round < 20000; round++) {
		char bytes[100], buffer[640];
		struct text text = { buffer, sizeof buffer, 0 };

		llr_text_json(&text, bytes, random_bytes(bytes, sizeof bytes), SIZE_MAX);
		cr_assert_leq(text.length, sizeof buffer, "a byte makes six at most");
		for (size_t i = 0, step; i < text.length; i += step) {
			step = llr_utf8_length(buffer + i, text.length - i);
			if (!step || (unsigned char)buffer[i] < 0x20)
				cr_assert(0, "seed 0x%lx round %d: byte %zu",
					  (unsigned long)random_seed(), round, i);
		}
	}
}

Test(strings, equality_and_length_are_of_the_whole_string)
{
	cr_expect_eq(llr_string_length(""), 0);
	cr_expect_eq(llr_string_length("abc"), 3);
	cr_expect(llr_string_equal("abc", "abc") && llr_string_equal("", ""));
	cr_expect(!llr_string_equal("abc", "ab") && !llr_string_equal("ab", "abc") &&
		  !llr_string_equal("", "a"));
}
