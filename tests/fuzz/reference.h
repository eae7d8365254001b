/* What a target compares with: UTF-8, JSON and lines as their standards say, written without a look
 * at the product's own readers. Slow and plain; it must share no code with what it judges. */
#ifndef REFERENCE_H
#define REFERENCE_H

#include <stddef.h>
#include <stdint.h>

/* ---- UTF-8 ---- */

/* The code point at the front and how many bytes it has; 0 bytes when there is no valid one. */
size_t reference_character(const char *at, size_t left, uint32_t *code);
/* A control character, or one that ends a line for some reader. */
int reference_is_control(uint32_t code);
/* That many bytes are one line: its newline last, and nothing in it that could end it or steer a
 * terminal, as a byte or as a character. */
int reference_is_line(const char *line, size_t length);

/* ---- JSON (RFC 8259), arrays and objects in each other up to 32 deep ---- */

struct span {
	const char *at;
	size_t length;
};

/* The bytes are one value with white space around it. */
int reference_is_json(struct span text);
/* How many members of a valid object have that name; *value is the last one's, without white
 * space around it. */
size_t reference_members(struct span object, const char *name, struct span *value);
/* The next element of a valid array behind *at, which is its beginning at first; 0 at the end. */
int reference_element(struct span array, size_t *at, struct span *element);
/* A valid string's content: a NUL, half a surrogate pair: U+FFFD. Returns its length; there is room
 * for it wherever there is room for the text. */
size_t reference_string(struct span string, char *content);
/* Whether a value is a string of that content. */
int reference_is_string(struct span value, const char *content);

#endif
