/* The reader of a status stream: input is the stream.
 * It says what the records say, and that it is invalid wherever they are not what they must be. */
#include <string.h>

#include "claims.h"
#include "reference.h"

/* What the stream says, read with the reference. */
struct expected {
	uint32_t event;
	uint32_t enforcement;
	int32_t abi;
	llr_rights ungoverned;
};

static const char *const enforcements[] = { "none", "partial", "full" };

/* A whole number written with digits alone, or -1. */
static int64_t whole_number(struct span value)
{
	int64_t number = 0;

	for (size_t i = 0; i < value.length; i++) {
		if (value.at[i] < '0' || value.at[i] > '9')
			return -1;
		number = number * 10 + (value.at[i] - '0');
		if (number > INT32_MAX)
			return -1;
	}
	return value.length ? number : -1;
}

static int64_t number_of(struct span record, const char *name)
{
	struct span value;

	return reference_members(record, name, &value) == 1 ? whole_number(value) : -1;
}

static int says(struct span record, const char *name, const char *content)
{
	struct span value;

	return reference_members(record, name, &value) == 1 && reference_is_string(value, content);
}

static int has_string(struct span record, const char *name)
{
	struct span value;

	return reference_members(record, name, &value) == 1 && *value.at == '"';
}

/* The rights that are named; 0 when it is no list of names. */
static int rights_of(struct span record, llr_rights *rights)
{
	const struct llr_right *right;
	struct span list, name;
	size_t at = 0;

	if (reference_members(record, "ungoverned", &list) != 1 || *list.at != '[')
		return 0;
	while (reference_element(list, &at, &name)) {
		if (*name.at != '"')
			return 0;
		for (uint32_t i = 0; (right = llr_right_at(i)) != NULL; i++)
			if (reference_is_string(name, right->name))
				*rights |= right->right;
	}
	return 1;
}

static int take_confined(struct span record, struct expected *expected)
{
	int64_t abi = number_of(record, "abi");

	if (expected->event != LLR_STATUS_NOTHING || abi < 0 ||
	    !rights_of(record, &expected->ungoverned))
		return 0;
	expected->event = LLR_STATUS_CONFINED;
	expected->abi = (int32_t)abi;
	for (expected->enforcement = 0; expected->enforcement < 3; expected->enforcement++)
		if (says(record, "enforcement", enforcements[expected->enforcement]))
			return 1;
	return 0;
}

static int take_failed(struct span record, struct expected *expected)
{
	struct span value;

	if (expected->event == LLR_STATUS_FAILED || !has_string(record, "stage") ||
	    !has_string(record, "message"))
		return 0;
	expected->event = LLR_STATUS_FAILED;
	return has_string(record, "errno") || (reference_members(record, "errno", &value) == 1 &&
					       value.length == 4 && !memcmp(value.at, "null", 4));
}

static int take_record(struct span record, struct expected *expected)
{
	size_t space = 0;

	while (space < record.length && strchr(" \t\r", record.at[space]) && record.at[space])
		space++;
	if (space == record.length || record.at[space] != '{' || !reference_is_json(record) ||
	    number_of(record, "landlock-run") != 1 || !has_string(record, "event"))
		return 0;
	if (says(record, "event", "confined"))
		return take_confined(record, expected);
	return !says(record, "event", "failed") || take_failed(record, expected);
}

/* How many records are good before the first that is not; -1: all are. */
static int64_t expect(const char *stream, size_t length, struct expected *expected)
{
	int64_t index = 0;

	for (size_t at = 0; at < length; index++) {
		const char *end = memchr(stream + at, '\n', length - at);
		struct span record = { stream + at, end ? (size_t)(end - stream) - at : 0 };

		if (!end || !take_record(record, expected))
			return index;
		at += record.length + 1;
	}
	return -1;
}

/* Whole characters, and an end within the member. */
static void claim_text(const char *text, size_t size)
{
	size_t length = strnlen(text, size);

	HOLDS(length < size);
	for (size_t i = 0; i < length;) {
		uint32_t code;
		size_t bytes = reference_character(text + i, length - i, &code);

		HOLDS(bytes > 0);
		i += bytes;
	}
}

void fuzz_status(struct bytes bytes)
{
	size_t length;
	char *stream = take_rest(&bytes, &length);
	struct llr_status status = { .size = sizeof status };
	struct llr_error error = { 0, 0, NULL, NULL, 0 };
	struct expected expected = { LLR_STATUS_NOTHING, 0, 0, 0 };
	int64_t fault = expect(stream, length, &expected);
	int result = llr_read_status(stream, length, &status, &error);

	HOLDS(status.size == sizeof status);
	claim_text(status.stage, sizeof status.stage);
	claim_text(status.errno_name, sizeof status.errno_name);
	claim_text(status.message, sizeof status.message);
	if (fault >= 0) {
		HOLDS(result == -1 && status.event == LLR_STATUS_INVALID);
		HOLDS(error.code == LLR_E_INPUT && error.index == (uint64_t)fault);
		HOLDS(!status.enforcement && !status.abi && !status.ungoverned);
		claim_lines(&error, LLR_LINE_MAX);
		return;
	}
	HOLDS(result == 0 && status.event == expected.event);
	HOLDS(status.enforcement == expected.enforcement && status.abi == expected.abi);
	HOLDS(status.ungoverned == expected.ungoverned);
}
