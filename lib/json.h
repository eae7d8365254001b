/* Reading JSON text that holds known members: a cursor that takes strings and numbers, and skips
 * the rest. Never allocates, never reads past the end; what is not JSON (RFC 8259) is refused, not
 * guessed at. */
#ifndef LLR_JSON_H
#define LLR_JSON_H

#include <stddef.h>
#include <stdint.h>

struct json {
	const char *at; /* what comes next */
	const char *end;
};

/* Each takes what is next, after white space, and returns 1; 0 when something else is there: then
 * the cursor may be anywhere. */

/* One structural character. */
int llr_json_token(struct json *json, char token);
/* `null`. */
int llr_json_null(struct json *json);
/* A string, decoded into size bytes with a NUL, cut where a character would not fit; a NUL inside
 * it and half a surrogate pair become U+FFFD. buffer may be NULL when size is 0. */
int llr_json_string(struct json *json, char *buffer, size_t size);
/* A whole number from 0 to INT32_MAX, written with digits alone. */
int llr_json_number(struct json *json, int32_t *number);
/* A value of any type. Arrays and objects in each other are refused beyond a depth that no record
 * comes near. */
int llr_json_skip(struct json *json);

/* Whether nothing but white space is left. */
int llr_json_at_end(struct json *json);
/* Sets *value to the value of a valid object's member of that name: 1, or 0 when it is missing or
 * there twice. Takes nothing. */
int llr_json_member(struct json object, const char *name, struct json *value);

#endif
