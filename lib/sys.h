/* Raw system calls: the one place that knows how an architecture enters the kernel.
 * Nothing here knows Landlock, touches errno on success, or needs a libc on the architectures named
 * below. */
#ifndef LLR_SYS_H
#define LLR_SYS_H

#include <stdint.h>
#include <sys/syscall.h>

/* A result in [-4095, -1] is a negated errno (the kernel's convention), anything else is the call's
 * value. */
static inline int sys_failed(long result)
{
	return (unsigned long)result >= (unsigned long)-4095;
}

/* Pointers travel to the kernel as numbers. */
static inline long sys_pointer(const void *pointer)
{
	return (long)(uintptr_t)pointer;
}

/* Per architecture: the instruction, the registers of the number, the arguments and the result, and
 * what is lost. */
#if !defined LLR_HOSTED && defined __x86_64__ && !defined __ILP32__
#define SYS_ENTER "syscall"
#define SYS_NUMBER "rax"
#define SYS_A "rdi"
#define SYS_B "rsi"
#define SYS_C "rdx"
#define SYS_D "r10"
#define SYS_E "r8"
#define SYS_F "r9"
#define SYS_RESULT r_number
#define SYS_CLOBBERS "rcx", "r11", "memory"
#elif !defined LLR_HOSTED && defined __aarch64__ && defined __LP64__
#define SYS_ENTER "svc #0"
#define SYS_NUMBER "x8"
#define SYS_A "x0"
#define SYS_B "x1"
#define SYS_C "x2"
#define SYS_D "x3"
#define SYS_E "x4"
#define SYS_F "x5"
#define SYS_RESULT r_a
#define SYS_CLOBBERS "memory"
#elif !defined LLR_HOSTED && defined __riscv && __riscv_xlen == 64
#define SYS_ENTER "ecall"
#define SYS_NUMBER "a7"
#define SYS_A "a0"
#define SYS_B "a1"
#define SYS_C "a2"
#define SYS_D "a3"
#define SYS_E "a4"
#define SYS_F "a5"
#define SYS_RESULT r_a
#define SYS_CLOBBERS "memory"
#endif

/* One function for each number of arguments: a register that a call does not read need not be set.
 */
#ifdef SYS_ENTER

static inline long sys_call0(long number)
{
	register long r_number __asm__(SYS_NUMBER) = number;
	register long r_a __asm__(SYS_A) = 0;

	__asm__ volatile(SYS_ENTER : "+r"(r_number), "+r"(r_a) : : SYS_CLOBBERS);
	return SYS_RESULT;
}

static inline long sys_call1(long number, long a)
{
	register long r_number __asm__(SYS_NUMBER) = number;
	register long r_a __asm__(SYS_A) = a;

	__asm__ volatile(SYS_ENTER : "+r"(r_number), "+r"(r_a) : : SYS_CLOBBERS);
	return SYS_RESULT;
}

static inline long sys_call2(long number, long a, long b)
{
	register long r_number __asm__(SYS_NUMBER) = number;
	register long r_a __asm__(SYS_A) = a;
	register long r_b __asm__(SYS_B) = b;

	__asm__ volatile(SYS_ENTER : "+r"(r_number), "+r"(r_a) : "r"(r_b) : SYS_CLOBBERS);
	return SYS_RESULT;
}

static inline long sys_call3(long number, long a, long b, long c)
{
	register long r_number __asm__(SYS_NUMBER) = number;
	register long r_a __asm__(SYS_A) = a;
	register long r_b __asm__(SYS_B) = b;
	register long r_c __asm__(SYS_C) = c;

	__asm__ volatile(SYS_ENTER : "+r"(r_number), "+r"(r_a) : "r"(r_b), "r"(r_c) : SYS_CLOBBERS);
	return SYS_RESULT;
}

static inline long sys_call4(long number, long a, long b, long c, long d)
{
	register long r_number __asm__(SYS_NUMBER) = number;
	register long r_a __asm__(SYS_A) = a;
	register long r_b __asm__(SYS_B) = b;
	register long r_c __asm__(SYS_C) = c;
	register long r_d __asm__(SYS_D) = d;

	__asm__ volatile(SYS_ENTER
			 : "+r"(r_number), "+r"(r_a)
			 : "r"(r_b), "r"(r_c), "r"(r_d)
			 : SYS_CLOBBERS);
	return SYS_RESULT;
}

static inline long sys_call5(long number, long a, long b, long c, long d, long e)
{
	register long r_number __asm__(SYS_NUMBER) = number;
	register long r_a __asm__(SYS_A) = a;
	register long r_b __asm__(SYS_B) = b;
	register long r_c __asm__(SYS_C) = c;
	register long r_d __asm__(SYS_D) = d;
	register long r_e __asm__(SYS_E) = e;

	__asm__ volatile(SYS_ENTER
			 : "+r"(r_number), "+r"(r_a)
			 : "r"(r_b), "r"(r_c), "r"(r_d), "r"(r_e)
			 : SYS_CLOBBERS);
	return SYS_RESULT;
}

static inline long sys_call6(long number, long a, long b, long c, long d, long e, long f)
{
	register long r_number __asm__(SYS_NUMBER) = number;
	register long r_a __asm__(SYS_A) = a;
	register long r_b __asm__(SYS_B) = b;
	register long r_c __asm__(SYS_C) = c;
	register long r_d __asm__(SYS_D) = d;
	register long r_e __asm__(SYS_E) = e;
	register long r_f __asm__(SYS_F) = f;

	__asm__ volatile(SYS_ENTER
			 : "+r"(r_number), "+r"(r_a)
			 : "r"(r_b), "r"(r_c), "r"(r_d), "r"(r_e), "r"(r_f)
			 : SYS_CLOBBERS);
	return SYS_RESULT;
}

#else

#include <errno.h>

/* POSIX hides it where only C11 is asked for. */
extern long syscall(long number, ...);

static inline long sys_call6(long number, long a, long b, long c, long d, long e, long f)
{
	int before = errno;
	long result = syscall(number, a, b, c, d, e, f);

	if (result == -1)
		result = -errno;
	errno = before;
	return result;
}

#define sys_call0(number) sys_call6(number, 0, 0, 0, 0, 0, 0)
#define sys_call1(number, a) sys_call6(number, a, 0, 0, 0, 0, 0)
#define sys_call2(number, a, b) sys_call6(number, a, b, 0, 0, 0, 0)
#define sys_call3(number, a, b, c) sys_call6(number, a, b, c, 0, 0, 0)
#define sys_call4(number, a, b, c, d) sys_call6(number, a, b, c, d, 0, 0)
#define sys_call5(number, a, b, c, d, e) sys_call6(number, a, b, c, d, e, 0)

#endif

#define SYS0(name) sys_call0(SYS_##name)
#define SYS1(name, a) sys_call1(SYS_##name, (long)(a))
#define SYS2(name, a, b) sys_call2(SYS_##name, (long)(a), (long)(b))
#define SYS3(name, a, b, c) sys_call3(SYS_##name, (long)(a), (long)(b), (long)(c))
#define SYS4(name, a, b, c, d) sys_call4(SYS_##name, (long)(a), (long)(b), (long)(c), (long)(d))
#define SYS5(name, a, b, c, d, e) \
	sys_call5(SYS_##name, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e))
#define SYS6(name, a, b, c, d, e, f) \
	sys_call6(SYS_##name, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f))

#endif
