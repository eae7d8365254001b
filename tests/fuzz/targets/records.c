/* The confined record, alone and before a failed one: input is a result, its mode, and the error.
 * What is written is read as what it was. */
#include <string.h>

#include "claims.h"
#include "reference.h"

static llr_rights known(llr_rights rights)
{
	const struct llr_right *right;
	llr_rights all = 0;

	for (uint32_t i = 0; (right = llr_right_at(i)) != NULL; i++)
		all |= right->right;
	return rights & all;
}

static void claim_read(const struct llr_result *result, const char *line, size_t length)
{
	struct llr_status status = { .size = sizeof status };

	HOLDS(llr_read_status(line, length, &status, NULL) == 0);
	HOLDS(status.event == LLR_STATUS_CONFINED);
	HOLDS(status.enforcement == result->enforcement);
	HOLDS(status.abi == (result->abi > 0 ? result->abi : 0));
	HOLDS(status.ungoverned == known(result->ungoverned));
	HOLDS(!status.stage[0] && !status.errno_name[0] && !status.message[0]);
	/* A part of it is never taken for the whole. */
	for (size_t part = length - 1; part; part -= 1 + part / 32) {
		HOLDS(llr_read_status(line, part, &status, NULL) == -1);
		HOLDS(status.event == LLR_STATUS_INVALID);
	}
}

static size_t claim_confined(const struct llr_result *result, const char *mode, char *line,
			     size_t room)
{
	size_t length = llr_format_confined(result, mode, line, room);
	struct span value;

	HOLDS(length <= room && length <= LLR_LINE_MAX);
	HOLDS(length > 0 || room < LLR_LINE_MAX || result->enforcement > LLR_ENFORCEMENT_FULL);
	if (!length)
		return 0;
	HOLDS(reference_is_line(line, length));
	HOLDS(reference_is_json((struct span){ line, length - 1 }));
	HOLDS(reference_members((struct span){ line, length - 1 }, "mode", &value) == 1);
	HOLDS(*value.at == (mode ? '"' : 'n'));
	claim_read(result, line, length);
	return length;
}

static void claim_stream(const struct llr_result *result, const struct llr_error *error,
			 const char *confined, size_t length)
{
	char stream[3 * LLR_LINE_MAX];
	struct llr_status status = { .size = sizeof status };
	size_t failed;

	memcpy(stream, confined, length);
	failed = llr_format_failed(error, stream + length, LLR_LINE_MAX);
	HOLDS(llr_read_status(stream, length + failed, &status, NULL) == 0);
	HOLDS(status.event == LLR_STATUS_FAILED && status.enforcement == result->enforcement);
	HOLDS(!strcmp(status.stage, llr_error_stage(error)));
	/* Nothing may follow. */
	memcpy(stream + length + failed, confined, length);
	HOLDS(llr_read_status(stream, 2 * length + failed, &status, NULL) == -1);
	HOLDS(status.event == LLR_STATUS_INVALID && !status.enforcement && !status.stage[0]);
}

void fuzz_records(struct bytes bytes)
{
	struct llr_result result = LLR_RESULT_INIT;
	size_t room = (size_t)take_number(&bytes, 2) % (LLR_LINE_MAX + 64), length;
	const char *mode;
	struct llr_error error;
	char line[LLR_LINE_MAX];

	result.enforcement = take_byte(&bytes) % 5;
	result.unmet = take_byte(&bytes);
	result.abi = (int32_t)take_number(&bytes, 4);
	result.ungoverned = take_number(&bytes, 8);
	mode = take_text(&bytes);
	error = take_error(&bytes);
	claim_confined(&result, mode, fuzz_memory(room), room);
	length = claim_confined(&result, mode, line, sizeof line);
	if (length)
		claim_stream(&result, &error, line, length);
}
