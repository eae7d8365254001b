/* Status records: their exact form, what is read from a stream, and what is never taken for an
 * outcome. A consumer decides by them whether a command ran: everything unclear has to be invalid.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "text.h"
#include "unit.h"

#define CONFINED \
	"{\"landlock-run\":1,\"event\":\"confined\",\"enforcement\":\"full\",\"abi\":7,\"mode\":" \
	"null,\"ungoverned\":[]}\n"
#define FAILED \
	"{\"landlock-run\":1,\"event\":\"failed\",\"stage\":\"exec\",\"errno\":\"ENOENT\"," \
	"\"subject\":\"x\",\"message\":\"m\"}\n"

static struct llr_result result_of(uint32_t enforcement, int32_t abi, llr_rights ungoverned,
				   uint32_t unmet)
{
	struct llr_result result = LLR_RESULT_INIT;

	result.enforcement = enforcement;
	result.abi = abi;
	result.ungoverned = ungoverned;
	result.unmet = unmet;
	return result;
}

static const char *confined(const struct llr_result *result, const char *mode)
{
	static char line[LLR_LINE_MAX + 1];

	line[llr_format_confined(result, mode, line, sizeof line)] = 0;
	return line;
}

static const char *failed(const struct llr_error *error)
{
	static char line[LLR_LINE_MAX + 1];

	line[llr_format_failed(error, line, sizeof line)] = 0;
	return line;
}

/* ---- Writing ---- */

Test(status, a_confined_launch_is_recorded_as_published)
{
	struct llr_result result = result_of(LLR_ENFORCEMENT_FULL, 7, 0, 0);

	cr_expect_str_eq(
		confined(&result, "read-only"),
		"{\"landlock-run\":1,\"event\":\"confined\",\"enforcement\":\"full\",\"abi\":7,"
		"\"mode\":\"read-only\",\"ungoverned\":[]}\n");
	cr_expect_str_eq(confined(&result, NULL), CONFINED);
}

Test(status, what_is_not_governed_is_named_in_the_tables_order)
{
	struct llr_result result = result_of(LLR_ENFORCEMENT_PARTIAL, 4,
					     LLR_BIND_UDP | LLR_IOCTL_DEV, LLR_POLICY_LOG_DENIALS);

	cr_expect_str_eq(
		confined(&result, "workspace-write"),
		"{\"landlock-run\":1,\"event\":\"confined\",\"enforcement\":\"partial\",\"abi\":4,"
		"\"mode\":\"workspace-write\",\"ungoverned\":[\"ioctl-dev\",\"bind-udp\","
		"\"log-denials\"]}\n");
	result = result_of(LLR_ENFORCEMENT_PARTIAL, 6, 0, LLR_POLICY_LOG_DENIALS);
	cr_expect(strstr(confined(&result, NULL), "\"ungoverned\":[\"log-denials\"]}"));
}

Test(status, an_unconfined_launch_says_none)
{
	struct llr_result result = LLR_RESULT_INIT;

	cr_expect_str_eq(
		confined(&result, "danger-full-access"),
		"{\"landlock-run\":1,\"event\":\"confined\",\"enforcement\":\"none\",\"abi\":0,"
		"\"mode\":\"danger-full-access\",\"ungoverned\":[]}\n");
	result.enforcement = 3;
	cr_expect_str_eq(confined(&result, NULL), "",
			 "an enforcement that does not exist makes no record");
}

Test(status, a_failure_is_recorded_as_published)
{
	struct llr_error error = { LLR_E_EXEC, ENOENT, "no\"pe", NULL, 0 };

	cr_expect_str_eq(failed(&error),
			 "{\"landlock-run\":1,\"event\":\"failed\",\"stage\":\"exec\",\"errno\":"
			 "\"ENOENT\",\"subject\":\"no\\\"pe\","
			 "\"message\":\"exec failed: no\\\"pe: No such file or directory\"}\n");
	error = (struct llr_error){ LLR_E_COMMAND_MISSING, 0, NULL, NULL, 0 };
	cr_expect_str_eq(failed(&error),
			 "{\"landlock-run\":1,\"event\":\"failed\",\"stage\":\"usage\",\"errno\":"
			 "null,\"subject\":null,"
			 "\"message\":\"usage error: missing `-- <argv>...` command\"}\n");
	error = (struct llr_error){ LLR_E_RULE_PATH, 4000, "/p\n\xff", NULL, 0 };
	cr_expect_str_eq(failed(&error),
			 "{\"landlock-run\":1,\"event\":\"failed\",\"stage\":\"rule\",\"errno\":"
			 "null,\"subject\":\"/p\\u000a\\ufffd\","
			 "\"message\":\"cannot open rule path: /p?\\ufffd: errno 4000\"}\n");
}

/* One JSON object on one line of valid UTF-8. */
static void expect_record(const char *line, size_t length, const char *what)
{
	struct json json = { line, line + length - 1 };

	cr_assert(length > 1 && length <= LLR_LINE_MAX, "%s: %zu bytes", what, length);
	cr_assert_eq(line[length - 1], '\n', "%s", what);
	cr_assert(line[0] == '{' && llr_json_skip(&json) && json.at == json.end, "%s: %.*s", what,
		  (int)length, line);
	for (size_t i = 0; i + 1 < length; i++)
		cr_assert((unsigned char)line[i] >= 0x20 && line[i] != 0x7f, "%s: byte %zu", what,
			  i);
}

static const char *repeated(const char *piece, size_t times)
{
	static char strings[2][64 * 1024];
	static int which;
	char *string = strings[which ^= 1];
	size_t size = strlen(piece);

	for (size_t i = 0; i < times; i++)
		memcpy(string + i * size, piece, size);
	string[times * size] = 0;
	return string;
}

Test(status, the_longest_subjects_fit_a_line_and_keep_the_end_of_the_message)
{
	static const char *const pieces[] = { "S",           "\"",           "\xff",
					      "\x01",        "\xe2\x80\xa8", "\xf0\x9f\x98\x80",
					      "\\\xc3\xa9\n" };
	static const size_t times[] = { 1, 500, 650, 1990, 2000, 4000, 9000 };

	for (size_t p = 0; p < COUNT(pieces); p++)
		for (size_t t = 0; t < COUNT(times); t++) {
			struct llr_error error = { LLR_E_EXEC, EACCES,
						   repeated(pieces[p], times[t]),
						   repeated("/f", times[t] / 2),
						   LLR_CULPRIT_LOADER_NOT_GRANTED };
			char line[LLR_LINE_MAX], what[48];
			size_t length = llr_format_failed(&error, line, sizeof line);

			snprintf(what, sizeof what, "piece %zu times %zu", p, times[t]);
			expect_record(line, length, what);
			cr_assert(memmem(line, length, " is not granted)\"}\n", 19), "%s: %.*s",
				  what, 200, line + (length > 200 ? length - 200 : 0));
		}
}

Test(status, a_long_subject_shares_the_line_with_the_message_and_says_that_it_was_cut)
{
	struct llr_error error = { LLR_E_RULE_PATH, ENOENT, repeated("S", 4095), NULL, 0 };
	const char *line = failed(&error);

	cr_expect_geq(strlen(line), LLR_LINE_MAX - 4, "the line is used: %zu", strlen(line));
	cr_expect(strstr(line, "SSS...\",\"message\":\"cannot open rule path: SSS"), "%s", line);
	cr_expect(ends_with(line, "SSS...: No such file or directory\"}\n"));
	error.subject = repeated("S", 1500);
	line = failed(&error);
	cr_expect(!strstr(line, "..."), "what fits is whole");
}

Test(status, any_mode_makes_a_record)
{
	struct llr_result result = result_of(LLR_ENFORCEMENT_PARTIAL, INT32_MAX, ~(llr_rights)0,
					     ~0U);
	char line[LLR_LINE_MAX];

	expect_record(line, llr_format_confined(&result, repeated("\xff", 9000), line, sizeof line),
		      "9000 bytes");
	expect_record(line, llr_format_confined(&result, repeated("m\"", 3000), line, sizeof line),
		      "3000 quotes");
	result.abi = INT32_MIN;
	expect_record(line, llr_format_confined(&result, "", line, sizeof line), "no ABI");
	cr_expect_not_null(memmem(line, sizeof line, "\"abi\":0,", 8));
}

Test(status, small_buffers_get_a_record_or_nothing_and_are_never_overrun)
{
	struct llr_result result = result_of(LLR_ENFORCEMENT_PARTIAL, 4, LLR_IOCTL_DEV, 0);
	struct llr_error error = { LLR_E_EXEC, ENOENT, "com\"mand", NULL, 0 };
	size_t whole = strlen(confined(&result, "a-mode")), whole_failed = strlen(failed(&error)),
	       records = 0;

	for (size_t size = 0; size <= whole_failed + 1; size++) {
		char *buffer = malloc(size ? size : 1);
		size_t length;

		cr_assert_not_null(buffer);
		length = llr_format_confined(&result, "a-mode", buffer, size);
		cr_expect_eq(length == whole, size >= whole, "size %zu gives %zu", size, length);
		if (length)
			expect_record(buffer, length, "confined");
		length = llr_format_failed(&error, buffer, size);
		cr_expect_eq(length == whole_failed, size >= whole_failed, "size %zu gives %zu",
			     size, length);
		if (length)
			expect_record(buffer, length, "failed");
		records += length > 0;
		free(buffer);
	}
	cr_expect_gt(records, 10, "a cut record is better than none");
	cr_expect_eq(llr_format_confined(&result, NULL, NULL, 0), 0);
	cr_expect_eq(llr_format_failed(&error, NULL, 0), 0);
}

/* ---- Reading ---- */

struct reading {
	int result;
	struct llr_status status;
	struct llr_error error;
};

static struct reading read_bytes(const char *stream, size_t length)
{
	struct reading reading;
	char *exact = exact_copy(stream, length);

	memset(&reading, 0xee, sizeof reading);
	reading.status.size = sizeof reading.status;
	reading.result = llr_read_status(exact, length, &reading.status, &reading.error);
	exact_free(exact);
	return reading;
}

static struct reading read_string(const char *stream)
{
	return read_bytes(stream, strlen(stream));
}

static void expect_invalid(const char *stream)
{
	struct reading reading = read_string(stream);
	static const struct llr_status nothing;

	cr_expect_eq(reading.result, -1, "%s", stream);
	cr_expect_eq(reading.status.event, LLR_STATUS_INVALID, "%s", stream);
	cr_expect_eq(reading.error.code, LLR_E_INPUT, "%s", stream);
	cr_expect(begins_with(error_text(&reading.error), "invalid input: status "), "%s",
		  error_text(&reading.error));
	cr_expect(!reading.status.enforcement && !reading.status.abi && !reading.status.ungoverned,
		  "%s", stream);
	cr_expect_arr_eq(reading.status.message, nothing.message, sizeof nothing.message, "%s",
			 stream);
}

Test(status, an_empty_stream_is_nothing)
{
	struct reading reading = read_string("");

	cr_expect(reading.result == 0 && reading.status.event == LLR_STATUS_NOTHING);
	cr_expect_eq(reading.status.size, sizeof reading.status);
	cr_expect_eq(llr_read_status(NULL, 0, &reading.status, NULL), 0);
}

Test(status, what_is_written_is_read)
{
	struct llr_result result = result_of(LLR_ENFORCEMENT_PARTIAL, 4, LLR_IOCTL_DEV | LLR_SIGNAL,
					     LLR_POLICY_LOG_DENIALS);
	struct llr_error error = { LLR_E_RULE_PATH, ENOENT, "/no \"such\"\n\xc3\xa9", NULL, 0 };
	struct reading reading = read_string(confined(&result, "read-only"));

	cr_expect(reading.result == 0 && reading.status.event == LLR_STATUS_CONFINED);
	cr_expect(reading.status.enforcement == LLR_ENFORCEMENT_PARTIAL && reading.status.abi == 4);
	cr_expect_eq(reading.status.ungoverned, LLR_IOCTL_DEV | LLR_SIGNAL);
	cr_expect(!*reading.status.stage && !*reading.status.errno_name &&
		  !*reading.status.message);
	reading = read_string(failed(&error));
	cr_expect(reading.result == 0 && reading.status.event == LLR_STATUS_FAILED);
	cr_expect_str_eq(reading.status.stage, "rule");
	cr_expect_str_eq(reading.status.errno_name, "ENOENT");
	cr_expect_str_eq(reading.status.message,
			 "cannot open rule path: /no \"such\"?\xc3\xa9: No such file or directory");
	cr_expect(!reading.status.enforcement && !reading.status.abi && !reading.status.ungoverned);
}

Test(status, failed_after_confined_is_a_failed_exec)
{
	struct reading reading = read_string(CONFINED FAILED);

	cr_expect(reading.result == 0 && reading.status.event == LLR_STATUS_FAILED);
	cr_expect(reading.status.enforcement == LLR_ENFORCEMENT_FULL && reading.status.abi == 7,
		  "what was enforced is still told");
	cr_expect_str_eq(reading.status.stage, "exec");
	cr_expect_str_eq(reading.status.message, "m");
}

Test(status, a_failure_without_errno_has_an_empty_name)
{
	struct reading reading = read_string("{\"landlock-run\":1,\"event\":\"failed\",\"stage\":"
					     "\"usage\",\"errno\":null,\"subject\":null,"
					     "\"message\":\"usage error: x\"}\n");

	cr_expect(reading.result == 0 && reading.status.event == LLR_STATUS_FAILED);
	cr_expect_str_eq(reading.status.errno_name, "");
}

Test(status, any_order_unknown_members_and_white_space_are_accepted)
{
	struct reading reading = read_string(
		" { \"later\" : { \"event\" : [ \"failed\" , { } ] } , \"ungoverned\" : [ "
		"\"refer\", \"new-right\" ] ,\t"
		"\"abi\" : 13 , \"event\" : \"confined\" , \"enforcement\" : \"none\" , "
		"\"landlock-run\" : 1 } \r\n");

	cr_expect(reading.result == 0 && reading.status.event == LLR_STATUS_CONFINED, "%s",
		  error_text(&reading.error));
	cr_expect(reading.status.enforcement == LLR_ENFORCEMENT_NONE && reading.status.abi == 13);
	cr_expect_eq(reading.status.ungoverned, LLR_REFER,
		     "rights of a later version are left out");
	reading = read_string("{\"landlock-run\":1,\"event\":\"\\u0063onfined\",\"enforcement\":"
			      "\"full\",\"abi\":7,\"ungoverned\":[]}\n");
	cr_expect_eq(reading.status.event, LLR_STATUS_CONFINED, "an escaped word is the same word");
}

Test(status, later_events_are_passed_over)
{
	static const char later[] =
		"{\"landlock-run\":1,\"event\":\"exited\",\"stage\":[1],\"abi\":\"x\"}\n";
	struct reading reading = read_string(later);
	char stream[1024];

	cr_expect(reading.result == 0 && reading.status.event == LLR_STATUS_NOTHING);
	snprintf(stream, sizeof stream, "%s%s%s%s%s", later, CONFINED, later, FAILED, later);
	reading = read_string(stream);
	cr_expect(reading.result == 0 && reading.status.event == LLR_STATUS_FAILED);
}

Test(status, another_version_is_invalid)
{
	expect_invalid("{\"landlock-run\":2,\"event\":\"confined\",\"enforcement\":\"full\","
		       "\"abi\":7,\"ungoverned\":[]}\n");
	expect_invalid("{\"landlock-run\":0,\"event\":\"x\"}\n");
	expect_invalid("{\"landlock-run\":\"1\",\"event\":\"x\"}\n");
	expect_invalid("{\"landlock-run\":1.0,\"event\":\"x\"}\n");
	expect_invalid("{\"landlock-run\":1e0,\"event\":\"x\"}\n");
	expect_invalid("{\"landlock-run\":true,\"event\":\"x\"}\n");
	expect_invalid("{\"landlock-run\":null,\"event\":\"x\"}\n");
	expect_invalid("{\"landlock-run\":[1],\"event\":\"x\"}\n");
	expect_invalid("{\"event\":\"x\"}\n");
	expect_invalid("{\"x\":{\"landlock-run\":1},\"event\":\"x\"}\n");
	expect_invalid("{\"landlock-run\":1,\"landlock-run\":1,\"event\":\"x\"}\n");
	expect_invalid("{\"Landlock-Run\":1,\"event\":\"x\"}\n");
}

Test(status, a_record_without_one_event_is_invalid)
{
	expect_invalid("{\"landlock-run\":1}\n");
	expect_invalid("{\"landlock-run\":1,\"event\":null}\n");
	expect_invalid("{\"landlock-run\":1,\"event\":1}\n");
	expect_invalid("{\"landlock-run\":1,\"event\":\"confined\",\"event\":\"failed\"}\n");
}

Test(status, outcomes_come_once_and_in_order)
{
	expect_invalid(CONFINED CONFINED);
	expect_invalid(FAILED FAILED);
	expect_invalid(FAILED CONFINED);
	expect_invalid(CONFINED FAILED FAILED);
	expect_invalid(CONFINED FAILED CONFINED);
}

Test(status, a_confined_record_needs_its_members)
{
	static const char *const members[] = { "\"enforcement\":\"full\"", "\"abi\":7",
					       "\"ungoverned\":[]" };
	static const char *const wrong[][8] = {
		{ "", "\"enforcement\":\"Full\"", "\"enforcement\":null", "\"enforcement\":2",
		  "\"enforcement\":\"\"", "\"enforcement\":\"full \"",
		  "\"enforcement\":\"full\\u0000\"",
		  "\"enforcement\":\"full\",\"enforcement\":\"full\"" },
		{ "", "\"abi\":\"7\"", "\"abi\":null", "\"abi\":-1", "\"abi\":7.0",
		  "\"abi\":2147483648", "\"abi\":[7]", "\"abi\":7,\"abi\":7" },
		{ "", "\"ungoverned\":null", "\"ungoverned\":\"refer\"", "\"ungoverned\":[1]",
		  "\"ungoverned\":[null]", "\"ungoverned\":{}", "\"ungoverned\":[[\"refer\"]]",
		  "\"ungoverned\":[],\"ungoverned\":[]" },
	};

	for (size_t m = 0; m < COUNT(members); m++)
		for (size_t w = 0; w < COUNT(wrong[m]); w++) {
			char stream[512] = "{\"landlock-run\":1,\"event\":\"confined\"";

			for (size_t i = 0; i < COUNT(members); i++) {
				const char *text = i == m ? wrong[m][w] : members[i];

				if (*text)
					strcat(stream, ",");
				strcat(stream, text);
			}
			strcat(stream, "}\n");
			expect_invalid(stream);
		}
}

Test(status, a_failed_record_needs_its_members)
{
	static const char *const broken[] = {
		"\"errno\":\"EIO\",\"message\":\"m\"",
		"\"stage\":\"exec\",\"message\":\"m\"",
		"\"stage\":\"exec\",\"errno\":\"EIO\"",
		"\"stage\":null,\"errno\":null,\"message\":\"m\"",
		"\"stage\":\"exec\",\"errno\":5,\"message\":\"m\"",
		"\"stage\":\"exec\",\"errno\":null,\"message\":null",
		"\"stage\":\"exec\",\"errno\":null,\"errno\":null,\"message\":\"m\"",
		"\"stage\":\"exec\",\"errno\":nullx,\"message\":\"m\"",
		"\"stage\":\"a\",\"stage\":\"b\",\"errno\":null,\"message\":\"m\"",
	};

	for (size_t i = 0; i < COUNT(broken); i++) {
		char stream[256];

		snprintf(stream, sizeof stream, "{\"landlock-run\":1,\"event\":\"failed\",%s}\n",
			 broken[i]);
		expect_invalid(stream);
	}
}

Test(status, what_is_no_record_is_invalid)
{
	static const char *const streams[] = {
		"\n",
		" ",
		"x",
		"x\n",
		"null\n",
		"[]\n",
		"1\n",
		"{}\n",
		"{\n",
		"\xef\xbb\xbf" CONFINED,
		CONFINED "\n",
		"\n" CONFINED,
		CONFINED "x",
		CONFINED "garbage\n",
		"garbage\n" CONFINED,
		CONFINED " ",
		CONFINED "{",
		"landlock-run: usage error: x\n",
		CONFINED "\r\n",
	};

	for (size_t i = 0; i < COUNT(streams); i++)
		expect_invalid(streams[i]);
	cr_expect_eq(read_bytes(CONFINED "\0", sizeof CONFINED).result, -1, "a NUL behind it");
	cr_expect_eq(read_bytes("\0" CONFINED, sizeof CONFINED).result, -1, "a NUL before it");
	expect_invalid("{\"landlock-run\":1,\"event\":\"confined\",\"enforcement\":\"full\","
		       "\"abi\":7,\"ungoverned\":[]} {}\n");
	expect_invalid(
		"{\"landlock-run\":1,\"event\":\"x\"}{\"landlock-run\":1,\"event\":\"y\"}\n");
	expect_invalid("{\"landlock-run\":1,\n\"event\":\"x\"}\n");
}

Test(status, the_error_says_which_record_is_at_fault)
{
	cr_expect_eq(read_string("x\n").error.index, 0);
	cr_expect_eq(read_string(CONFINED "x\n").error.index, 1);
	cr_expect_eq(read_string(CONFINED FAILED "x").error.index, 2);
}

Test(status, a_stream_cut_anywhere_but_between_records_is_invalid)
{
	static const char stream[] = CONFINED FAILED;

	for (size_t length = 0; length < sizeof stream; length++) {
		struct reading reading = read_bytes(stream, length);
		uint32_t event = length == 0                     ? LLR_STATUS_NOTHING
				 : length == sizeof CONFINED - 1 ? LLR_STATUS_CONFINED
				 : length == sizeof stream - 1   ? LLR_STATUS_FAILED
								 : LLR_STATUS_INVALID;

		cr_expect_eq(reading.status.event, event, "cut at %zu", length);
		cr_expect_eq(reading.result, event == LLR_STATUS_INVALID ? -1 : 0, "cut at %zu",
			     length);
	}
}

Test(status, long_texts_are_cut_at_a_character)
{
	char stream[4096];
	struct reading reading;

	snprintf(stream, sizeof stream,
		 "{\"landlock-run\":1,\"event\":\"failed\",\"stage\":\"a-very-long-stage-name\","
		 "\"errno\":\"EVERYTHINGWENTWRONG\","
		 "\"message\":\"%s\"}\n",
		 repeated("\xe2\x82\xac", 200));
	reading = read_string(stream);
	cr_expect_eq(reading.status.event, LLR_STATUS_FAILED);
	cr_expect_str_eq(reading.status.stage, "a-very-long-sta");
	cr_expect_str_eq(reading.status.errno_name, "EVERYTHINGWENTW");
	cr_expect_eq(strlen(reading.status.message), 255, "85 characters of 3 bytes");
	cr_expect_eq(llr_utf8_length(reading.status.message + 252, 3), 3);
}

Test(status, a_structure_of_another_version_is_refused)
{
	struct llr_status status = { .size = 8, .event = 77 };
	struct llr_error error;

	cr_expect_eq(llr_read_status(CONFINED, sizeof CONFINED - 1, &status, &error), -1);
	cr_expect(error.code == LLR_E_INPUT && status.event == 77 && status.size == 8,
		  "nothing is written to it");
	cr_expect_eq(llr_read_status(CONFINED, sizeof CONFINED - 1, NULL, &error), -1);
	cr_expect_eq(llr_read_status("x", 1, NULL, NULL), -1);
	status.size = sizeof status + 64;
	cr_expect_eq(llr_read_status(CONFINED, sizeof CONFINED - 1, &status, NULL), 0);
	cr_expect_eq(status.size, sizeof status + 64);
}

Test(status, any_failure_written_is_read_back)
{
	random_begin("status");
	for (int round = 0; round < 5000; round++) {
		char subject[101], field[101], line[LLR_LINE_MAX], text[LLR_LINE_MAX], what[64];
		struct llr_error error = { (int32_t)random_below(48), (int32_t)random_below(140),
					   random_chance(5) ? NULL : subject,
					   random_chance(5) ? NULL : field, random_below(12) };
		struct reading reading;
		size_t length, same = 0;

		random_string(subject, 100);
		random_string(field, 100);
		snprintf(what, sizeof what, "seed 0x%llx round %d",
			 (unsigned long long)random_seed(), round);
		length = llr_format_failed(&error, line, sizeof line);
		expect_record(line, length, what);
		reading = read_bytes(line, length);
		cr_assert(reading.result == 0 && reading.status.event == LLR_STATUS_FAILED, "%s",
			  what);
		cr_assert_str_eq(reading.status.stage, llr_error_stage(&error), "%s", what);
		cr_assert_str_eq(reading.status.errno_name,
				 error.errnum && llr_errno_name(error.errnum)
					 ? llr_errno_name(error.errnum)
					 : "",
				 "%s", what);
		/* The message is the text, up to the first byte that was no UTF-8 and to the
		 * structure's room. */
		llr_error_text(&error, text, sizeof text);
		for (size_t step = 1; step && text[same] && same < 250; same += step) {
			step = llr_utf8_length(text + same, strlen(text + same));
			cr_assert(!memcmp(text + same, reading.status.message + same, step),
				  "%s: %s", what, reading.status.message);
		}
	}
}

Test(status, one_changed_byte_never_makes_another_outcome_out_of_a_failure)
{
	static const char failure[] = CONFINED FAILED;
	int confined_alone = 0;

	random_begin("status mutation");
	for (int round = 0; round < 50000; round++) {
		char stream[sizeof failure];
		size_t at = (size_t)random_below(sizeof failure - 1);
		struct reading reading;

		memcpy(stream, failure, sizeof failure);
		stream[at] = (char)random_below(256);
		reading = read_bytes(stream, sizeof failure - 1);
		/* Another word for the event is a later event; nothing else may turn the failure
		 * into a run. */
		if (reading.status.event == LLR_STATUS_CONFINED) {
			confined_alone++;
			cr_assert(at > sizeof CONFINED &&
					  strstr(stream + sizeof CONFINED - 1, "\"event\":\"") &&
					  !strstr(stream + sizeof CONFINED - 1,
						  "\"event\":\"failed\""),
				  "seed 0x%llx round %d: byte %zu",
				  (unsigned long long)random_seed(), round, at);
		}
	}
	cr_expect_gt(confined_alone, 0);
}
