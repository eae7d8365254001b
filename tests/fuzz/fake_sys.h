/* Stands in for lib/sys.h in what is compiled of the launcher for fuzzing: the running target is
 * the kernel. Included before anything else, so that no call gets past it. */
#ifndef LLR_SYS_H
#define LLR_SYS_H

#include <stdint.h>
#include <sys/syscall.h>

static inline int sys_failed(long result)
{
	return (unsigned long)result >= (unsigned long)-4095;
}

static inline long sys_pointer(const void *pointer)
{
	return (long)(uintptr_t)pointer;
}

/* A pointer that went through sys_pointer. */
#define FAKE_POINTER(argument) ((void *)(uintptr_t)(argument))

/* Answers a call by its number. */
extern long (*fake_kernel)(long number, const long arguments[5]);

#define FAKE_CALL(name, ...) fake_kernel(SYS_##name, (const long[5]){ __VA_ARGS__ })
#define SYS0(name) FAKE_CALL(name, 0)
#define SYS1(name, a) FAKE_CALL(name, (long)(a))
#define SYS2(name, a, b) FAKE_CALL(name, (long)(a), (long)(b))
#define SYS3(name, a, b, c) FAKE_CALL(name, (long)(a), (long)(b), (long)(c))
#define SYS4(name, a, b, c, d) FAKE_CALL(name, (long)(a), (long)(b), (long)(c), (long)(d))
#define SYS5(name, a, b, c, d, e) \
	FAKE_CALL(name, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e))
/* The sixth is an offset that nobody gives. */
#define SYS6(name, a, b, c, d, e, f) SYS5(name, a, b, c, d, e)

#endif
