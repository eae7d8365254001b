/* Raw system calls: the one place that knows how an architecture enters the kernel.
 * Nothing here knows Landlock, touches errno on success, or needs a libc on the architectures named below. */
#ifndef LLR_SYS_H
#define LLR_SYS_H

#include <stdint.h>
#include <sys/syscall.h>

/* A result in [-4095, -1] is a negated errno (the kernel's convention), anything else is the call's value. */
static inline int sys_failed(long result)
{
	return (unsigned long)result >= (unsigned long)-4095;
}

/* Pointers travel to the kernel as numbers. */
static inline long sys_pointer(const void *pointer)
{
	return (long)(uintptr_t)pointer;
}

#if !defined LLR_HOSTED && defined __x86_64__ && !defined __ILP32__

static inline long sys_call(long number, long a, long b, long c, long d, long e, long f)
{
	register long r10 __asm__("r10") = d;
	register long r8 __asm__("r8") = e;
	register long r9 __asm__("r9") = f;
	long result;

	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
			 : "rcx", "r11", "memory");
	return result;
}

#elif !defined LLR_HOSTED && defined __aarch64__ && defined __LP64__

static inline long sys_call(long number, long a, long b, long c, long d, long e, long f)
{
	register long x8 __asm__("x8") = number;
	register long x0 __asm__("x0") = a;
	register long x1 __asm__("x1") = b;
	register long x2 __asm__("x2") = c;
	register long x3 __asm__("x3") = d;
	register long x4 __asm__("x4") = e;
	register long x5 __asm__("x5") = f;

	__asm__ volatile("svc #0"
			 : "+r"(x0)
			 : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
			 : "memory");
	return x0;
}

#elif !defined LLR_HOSTED && defined __riscv && __riscv_xlen == 64

static inline long sys_call(long number, long a, long b, long c, long d, long e, long f)
{
	register long a7 __asm__("a7") = number;
	register long a0 __asm__("a0") = a;
	register long a1 __asm__("a1") = b;
	register long a2 __asm__("a2") = c;
	register long a3 __asm__("a3") = d;
	register long a4 __asm__("a4") = e;
	register long a5 __asm__("a5") = f;

	__asm__ volatile("ecall"
			 : "+r"(a0)
			 : "r"(a7), "r"(a1), "r"(a2), "r"(a3), "r"(a4), "r"(a5)
			 : "memory");
	return a0;
}

#else

#include <errno.h>

/* POSIX hides it where only C11 is asked for. */
extern long syscall(long number, ...);

static inline long sys_call(long number, long a, long b, long c, long d, long e, long f)
{
	int before = errno;
	long result = syscall(number, a, b, c, d, e, f);

	if (result == -1)
		result = -errno;
	errno = before;
	return result;
}

#endif

/* A trailing zero costs a register move; five names for the same thing would cost a reader more. */
#define SYS0(name) sys_call(SYS_##name, 0, 0, 0, 0, 0, 0)
#define SYS1(name, a) sys_call(SYS_##name, (long)(a), 0, 0, 0, 0, 0)
#define SYS2(name, a, b) sys_call(SYS_##name, (long)(a), (long)(b), 0, 0, 0, 0)
#define SYS3(name, a, b, c) sys_call(SYS_##name, (long)(a), (long)(b), (long)(c), 0, 0, 0)
#define SYS4(name, a, b, c, d) sys_call(SYS_##name, (long)(a), (long)(b), (long)(c), (long)(d), 0, 0)
#define SYS5(name, a, b, c, d, e) \
	sys_call(SYS_##name, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), 0)

#endif
