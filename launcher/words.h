/* The launcher's words (lib/text.h), a fifth of its bytes and unread by a launch that succeeds, are
 * packed in its file. Beyond these few lines nothing knows how; what a launch does is never packed.
 */
#ifndef LAUNCHER_WORDS_H
#define LAUNCHER_WORDS_H

#include <stddef.h>
#include <stdint.h>

struct llr_error;

/* Makes words readable: 0, or -1 with *error filled, and only the kernel knows what it lacks. It
 * may be called again. */
#ifdef LLR_PACKED
int words_unpack(struct llr_error *error);
#else
static inline int words_unpack(struct llr_error *error)
{
	(void)error;
	return 0;
}
#endif

/* A byte below 0x80 is itself: words are ASCII. Any other and the next are a copy of what stands
 * `distance` bytes before: 1, 12 bits of distance, 3 bits of length. */
#define WORDS_DISTANCE_MOST 4095
#define WORDS_LENGTH_LEAST 3
#define WORDS_LENGTH_MOST (WORDS_LENGTH_LEAST + 7)

static inline void words_decode(char *to, const char *end, const uint8_t *from)
{
	while (to < end) {
		unsigned token = *from++;
		const char *copied;

		if (token < 0x80) {
			*to++ = (char)token;
			continue;
		}
		token = token << 8 | *from++;
		copied = to - (token >> 3 & WORDS_DISTANCE_MOST);
		for (size_t length = (token & 7) + WORDS_LENGTH_LEAST; length; length--)
			*to++ = *copied++;
	}
}

#endif
