/* Memory straight from the kernel, for what is too large for a stack that must stay small.
 * A launch without a word to say calls nothing here unless an option asks for it. */
#ifndef MEMORY_H
#define MEMORY_H

#include <sys/mman.h>

#include "sys.h"

/* Where there are two, the older call cannot have six arguments. */
#ifndef SYS_mmap2
#define SYS_mmap2 SYS_mmap
#endif

/* Its address, at or near `at` when that is not 0, or a negated errno. It is all zeros. */
static inline long memory_map(uint64_t at, uint64_t size, int flags)
{
	return SYS6(mmap2, at, size, PROT_READ | PROT_WRITE, flags | MAP_ANONYMOUS, -1, 0);
}

#endif
