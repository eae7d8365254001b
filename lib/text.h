/* A line built in the caller's buffer, with what comes from outside made harmless.
 * Never writes past the buffer, never allocates; the length counts on past the end so that one can
 * ask first how much is needed. */
#ifndef LLR_TEXT_H
#define LLR_TEXT_H

#include <stddef.h>
#include <stdint.h>

struct text {
	char *bytes;
	size_t size;
	size_t length; /* wanted; more than size when it did not fit */
};

/* Adds as it stands. */
void llr_text_add(struct text *text, const char *string);
void llr_text_byte(struct text *text, char byte);
void llr_text_number(struct text *text, uint64_t number);
/* Adds at most `budget` bytes of a string from outside: control characters become `?`, a character
 * is never cut in two, and `...` stands for what was left out. */
void llr_text_masked(struct text *text, const char *string, size_t budget);
/* Adds the inside of a JSON string, at most `budget` bytes and never half a character: any input
 * gives valid UTF-8 on one line; a byte that is none becomes U+FFFD. */
void llr_text_json(struct text *text, const char *string, size_t length, size_t budget);
/* Ends a line, with a NUL behind it where there is room: its length, newline included, or 0 when it
 * did not fit. */
size_t llr_text_line(struct text *text);
/* How many bytes the UTF-8 character at `string` has (1 to 4), and which it is; 0 when there is no
 * valid one, and *code is its first byte, or 0 where length is 0. Reads no further than `length`.
 */
size_t llr_utf8_decode(const char *string, size_t length, uint32_t *code);
/* The same without the character. */
size_t llr_utf8_length(const char *string, size_t length);

static inline size_t llr_smaller(size_t left, size_t right)
{
	return left < right ? left : right;
}

/* Words: what is printed, and read for nothing else. The launcher's are packed in its file
 * (launcher/words.h), so nothing may read them before they are unpacked; to point at them is free.
 * The compiler is not told what it points at, or it would read early what it takes for a constant.
 */
#ifdef LLR_PACKED
#define WORDS __attribute__((section("llr_words")))
#define WORDS_POINTER(words) \
	(__extension__({ \
		__typeof__(&(words)[0]) pointer_ = (words); \
		__asm__("" : "+r"(pointer_)); \
		pointer_; \
	}))
#define WORD(string) \
	(__extension__({ \
		static const char word_[] WORDS __attribute__((aligned(1))) = string; \
		WORDS_POINTER(word_); \
	}))
#else
#define WORDS
#define WORDS_POINTER(words) (words)
#define WORD(string) (string)
#endif

/* The word of that place, from 0, in words that stand one after the other, each with its NUL. */
const char *llr_word_at(const char *words, size_t index);
/* The place of the word that is those `length` bytes, in words of which an empty one is the last;
 * -1 when it is not there. */
int llr_word_place(const char *words, const char *word, size_t length);
size_t llr_string_length(const char *string);
int llr_string_equal(const char *left, const char *right);

#endif
