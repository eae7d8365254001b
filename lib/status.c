/* The records on a status descriptor: one JSON object a line, written and read.
 * Nothing here touches a descriptor; a stream that is not what it should be is never taken for a
 * good one. */
#include "error.h"
#include "json.h"
#include "report.h"
#include "rights.h"
#include "text.h"

/* The words of both directions. */
#define KEY_VERSION "landlock-run"
#define VERSION 1
#define KEY_EVENT "event"
#define EVENT_CONFINED "confined"
#define EVENT_FAILED "failed"
#define KEY_ENFORCEMENT "enforcement"
#define KEY_ABI "abi"
#define KEY_MODE "mode"
#define KEY_UNGOVERNED "ungoverned"
#define KEY_STAGE "stage"
#define KEY_ERRNO "errno"
#define KEY_SUBJECT "subject"
#define KEY_MESSAGE "message"

/* In the order of enum llr_enforcement. */
static const char enforcements[] = "none\0partial\0full";

const char *llr_enforcement_name(uint32_t enforcement)
{
	return enforcement <= LLR_ENFORCEMENT_FULL ? llr_word_at(enforcements, enforcement) : NULL;
}

/* ---- Writing ---- */

/* A record has two texts from outside at most; what is fixed in it is known when both have no room.
 */
struct room {
	size_t first;
	size_t second;
};

static void add_key(struct text *text, const char *key)
{
	llr_text_add(text, ",\"");
	llr_text_add(text, key);
	llr_text_add(text, "\":");
}

/* `null` for none; within `room`, `...` stands for what was left out. */
static void add_string(struct text *text, const char *key, const char *string, size_t room)
{
	struct text whole = { NULL, 0, 0 };
	size_t length;

	add_key(text, key);
	if (!string) {
		llr_text_add(text, "null");
		return;
	}
	length = llr_string_length(string);
	llr_text_json(&whole, string, length, SIZE_MAX);
	llr_text_byte(text, '"');
	llr_text_json(text, string, length, whole.length <= room ? room : room > 3 ? room - 3 : 0);
	if (whole.length > room && room > 3)
		llr_text_add(text, "...");
	llr_text_byte(text, '"');
}

static void add_event(struct text *text, const char *event)
{
	llr_text_add(text, "{\"" KEY_VERSION "\":");
	llr_text_number(text, VERSION);
	add_string(text, KEY_EVENT, event, SIZE_MAX);
}

static void add_name(struct text *text, const char *name, int *first)
{
	llr_text_add(text, *first ? "\"" : ",\"");
	llr_text_add(text, name);
	llr_text_byte(text, '"');
	*first = 0;
}

static void add_ungoverned(struct text *text, const struct llr_result *result)
{
	llr_rights left = result->ungoverned;
	struct llr_right right;
	int first = 1;

	add_key(text, KEY_UNGOVERNED);
	llr_text_byte(text, '[');
	while (llr_rights_take(&left, &right))
		add_name(text, right.name, &first);
	if (result->unmet & LLR_POLICY_LOG_DENIALS)
		add_name(text, LLR_FEATURE_LOG_DENIALS, &first);
	llr_text_byte(text, ']');
}

static void add_confined(struct text *text, const struct llr_result *result, const char *mode,
			 size_t room)
{
	add_event(text, EVENT_CONFINED);
	add_string(text, KEY_ENFORCEMENT, llr_enforcement_name(result->enforcement), SIZE_MAX);
	add_key(text, KEY_ABI);
	llr_text_number(text, result->abi > 0 ? (uint64_t)result->abi : 0);
	add_string(text, KEY_MODE, mode, room);
	add_ungoverned(text, result);
	llr_text_byte(text, '}');
}

static struct text line_in(char *buffer, size_t size)
{
	return (struct text){ buffer, size < LLR_LINE_MAX ? size : LLR_LINE_MAX, 0 };
}

/* What a line has left beside its fixed part and the newline. */
static size_t left_beside(const struct text *fixed, size_t size)
{
	return size > fixed->length ? size - fixed->length - 1 : 0;
}

size_t llr_format_confined(const struct llr_result *result, const char *mode, char *buffer,
			   size_t size)
{
	struct text text = line_in(buffer, size);
	struct text fixed = { NULL, 0, 0 };

	if (result->enforcement > LLR_ENFORCEMENT_FULL)
		return 0;
	add_confined(&fixed, result, mode, 0);
	add_confined(&text, result, mode, left_beside(&fixed, text.size));
	return llr_text_line(&text);
}

/* The longest text of the error whose JSON has at most `room` bytes: the text itself is cut inside,
 * not at its end. */
static void message_within(const struct llr_error *error, size_t room, char message[LLR_LINE_MAX])
{
	size_t size = room < LLR_LINE_MAX ? room + 1 : LLR_LINE_MAX;

	for (;;) {
		struct text json = { NULL, 0, 0 };
		size_t length = llr_error_text(error, message, size);

		llr_text_json(&json, message, length, SIZE_MAX);
		if (json.length <= room)
			return;
		/* A byte of text makes at most six of JSON. */
		size = length - (json.length - room + 5) / 6 + 1;
	}
}

static void add_failed(struct text *text, const struct llr_error *error, const char *message,
		       const struct room *room)
{
	add_event(text, WORD(EVENT_FAILED));
	add_string(text, WORD(KEY_STAGE), llr_error_stage(error), SIZE_MAX);
	add_string(text, WORD(KEY_ERRNO), error->errnum ? llr_errno_name(error->errnum) : NULL,
		   SIZE_MAX);
	add_string(text, WORD(KEY_SUBJECT), error->subject, room->first);
	add_string(text, WORD(KEY_MESSAGE), message, room->second);
	llr_text_byte(text, '}');
}

size_t llr_format_failed(const struct llr_error *error, char *buffer, size_t size)
{
	struct text text = line_in(buffer, size);
	struct text fixed = { NULL, 0, 0 }, subject = { NULL, 0, 0 };
	struct room room = { 0, 0 };
	char message[LLR_LINE_MAX];
	size_t left;

	add_failed(&fixed, error, "", &room);
	left = left_beside(&fixed, text.size);
	if (error->subject)
		llr_text_json(&subject, error->subject, llr_string_length(error->subject),
			      SIZE_MAX);
	room.first = subject.length < left / 2 ? subject.length : left / 2;
	room.second = left - room.first;
	message_within(error, room.second, message);
	add_failed(&text, error, message, &room);
	return llr_text_line(&text);
}

/* ---- Reading ---- */

/* Both of these take a member that must be there. */
static int text_member(struct json record, const char *key, char *buffer, size_t size)
{
	struct json value;

	return llr_json_member(record, key, &value) && llr_json_string(&value, buffer, size);
}

static int number_member(struct json record, const char *key, int32_t *number)
{
	struct json value;

	return llr_json_member(record, key, &value) && llr_json_number(&value, number);
}

static int read_enforcement(struct json record, uint32_t *enforcement)
{
	char name[16];

	if (!text_member(record, KEY_ENFORCEMENT, name, sizeof name))
		return 0;
	for (*enforcement = 0; llr_enforcement_name(*enforcement); ++*enforcement)
		if (llr_string_equal(name, llr_enforcement_name(*enforcement)))
			return 1;
	return 0;
}

/* Names that are not in the table are of a later version, or no rights (log-denials). */
static int read_ungoverned(struct json record, llr_rights *rights)
{
	struct json list;
	char name[32];

	if (!llr_json_member(record, KEY_UNGOVERNED, &list) || !llr_json_token(&list, '['))
		return 0;
	if (llr_json_token(&list, ']'))
		return 1;
	do {
		if (!llr_json_string(&list, name, sizeof name))
			return 0;
		*rights |= llr_rights_named(name, llr_string_length(name));
	} while (llr_json_token(&list, ','));
	return llr_json_token(&list, ']');
}

/* NULL, or what is wrong. */
static const char *read_confined(struct json record, struct llr_status *status)
{
	if (status->event != LLR_STATUS_NOTHING)
		return "status stream: a second outcome";
	if (!read_enforcement(record, &status->enforcement) ||
	    !number_member(record, KEY_ABI, &status->abi) ||
	    !read_ungoverned(record, &status->ungoverned))
		return "status record: a member of `confined`";
	status->event = LLR_STATUS_CONFINED;
	return NULL;
}

static const char *read_failed(struct json record, struct llr_status *status)
{
	struct json none;

	if (status->event == LLR_STATUS_FAILED)
		return "status stream: a second outcome";
	if (!text_member(record, KEY_STAGE, status->stage, sizeof status->stage) ||
	    !text_member(record, KEY_MESSAGE, status->message, sizeof status->message))
		return "status record: a member of `failed`";
	if (!text_member(record, KEY_ERRNO, status->errno_name, sizeof status->errno_name)) {
		if (!llr_json_member(record, KEY_ERRNO, &none) || !llr_json_null(&none))
			return "status record: a member of `failed`";
		status->errno_name[0] = 0;
	}
	/* Also after `confined`: then it was exec that failed. */
	status->event = LLR_STATUS_FAILED;
	return NULL;
}

static const char *read_record(struct json record, struct llr_status *status)
{
	struct json whole = record;
	int32_t version;
	char event[16];

	if (!llr_json_token(&whole, '{'))
		return "status record: no JSON object";
	whole = record;
	if (!llr_json_skip(&whole) || !llr_json_at_end(&whole))
		return "status record: no JSON object";
	if (!number_member(record, KEY_VERSION, &version) || version != VERSION)
		return "status record: another version";
	if (!text_member(record, KEY_EVENT, event, sizeof event))
		return "status record: no event";
	if (llr_string_equal(event, EVENT_CONFINED))
		return read_confined(record, status);
	if (llr_string_equal(event, EVENT_FAILED))
		return read_failed(record, status);
	return NULL;
}

/* NULL, or what is wrong; *index counts the records. */
static const char *read_stream(struct json stream, struct llr_status *status, uint64_t *index)
{
	while (stream.at < stream.end) {
		struct json record = { stream.at, stream.at };
		const char *fault;

		while (record.end < stream.end && *record.end != '\n')
			record.end++;
		if (record.end == stream.end)
			return "status stream: the last record is cut short";
		fault = read_record(record, status);
		if (fault)
			return fault;
		stream.at = record.end + 1;
		++*index;
	}
	return NULL;
}

int llr_read_status(const char *stream, size_t length, struct llr_status *status,
		    struct llr_error *error)
{
	struct json text = { stream, length ? stream + length : stream };
	struct llr_status found = { .size = sizeof found };
	const char *fault;
	uint64_t index = 0;

	if (!status || status->size < sizeof found)
		return llr_fail(error, LLR_E_INPUT, 0, NULL, "status.size");
	fault = read_stream(text, &found, &index);
	if (fault)
		found = (struct llr_status){ .size = sizeof found, .event = LLR_STATUS_INVALID };
	found.size = status->size;
	*status = found;
	return fault ? llr_fail_at(error, LLR_E_INPUT, NULL, fault, index) : 0;
}
