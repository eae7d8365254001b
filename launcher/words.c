/* Unpacks the launcher's words, for who is about to print some.
 * Nothing here is called by a launch that succeeds. */
#include "words.h"

#ifdef LLR_PACKED

#include <errno.h>

#include "error.h"
#include "memory.h"
#include "sys.h"
#include "text.h"

/* Linux 4.17, older than Landlock; where it is not known the address is a wish that comes true. */
#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

/* Where words are once they are unpacked, as the linker sees it. */
extern char __start_llr_words[], __stop_llr_words[];

/* Has to be the last bytes of the program: launcher/pack.c puts the packed words in the place of
 * this one. */
__attribute__((section("llr_packed"), used)) static const uint8_t packed[1] = { 0 };

int words_unpack(struct llr_error *error)
{
	long at = memory_map((uint64_t)sys_pointer(__start_llr_words),
			     (uint64_t)(__stop_llr_words - __start_llr_words),
			     MAP_PRIVATE | MAP_FIXED_NOREPLACE);
	const uint8_t *from = packed;

	/* Or the compiler would know that there is one byte. */
	__asm__("" : "+r"(from));
	if (at == sys_pointer(__start_llr_words)) {
		words_decode(__start_llr_words, __stop_llr_words, from);
	} else if (sys_failed(at) && at != -EEXIST) {
		return llr_fail(error, LLR_E_FILES, at, NULL, WORD("words"));
	}
	return 0;
}

#endif
