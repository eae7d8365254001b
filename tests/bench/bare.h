/* Entry point and raw system calls for the programs that the bench times, without a libc.
 * Never used by the launcher: the floor must not share code with what is measured against it. */
#ifndef BENCH_BARE_H
#define BENCH_BARE_H

#include <sys/syscall.h>

#if defined __x86_64__

#define BARE_ENTRY \
	__asm__(".text\n.globl _start\n.type _start, @function\n_start:\n" \
		"\txorl %ebp, %ebp\n\tmovq %rsp, %rdi\n\tandq $-16, %rsp\n\tcall " \
		"bare_main\n\thlt\n")

static inline long bare_call(long number, long a, long b, long c, long d, long e)
{
	long result;
	register long r10 __asm__("r10") = d;
	register long r8 __asm__("r8") = e;

	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8)
			 : "rcx", "r11", "memory");
	return result;
}

#elif defined __aarch64__

#define BARE_ENTRY \
	__asm__(".text\n.globl _start\n.type _start, %function\n_start:\n" \
		"\tmov x29, #0\n\tmov x30, #0\n\tmov x0, sp\n\tand sp, x0, #-16\n\tb bare_main\n")

static inline long bare_call(long number, long a, long b, long c, long d, long e)
{
	register long x8 __asm__("x8") = number;
	register long x0 __asm__("x0") = a;
	register long x1 __asm__("x1") = b;
	register long x2 __asm__("x2") = c;
	register long x3 __asm__("x3") = d;
	register long x4 __asm__("x4") = e;

	__asm__ volatile("svc #0"
			 : "+r"(x0)
			 : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4)
			 : "memory");
	return x0;
}

#elif defined __riscv && __riscv_xlen == 64

#define BARE_ENTRY \
	__asm__(".text\n.globl _start\n.type _start, @function\n_start:\n" \
		"\t.option push\n\t.option norelax\n\tla gp, __global_pointer$\n\t.option pop\n" \
		"\tmv a0, sp\n\tandi sp, sp, -16\n\ttail bare_main\n")

static inline long bare_call(long number, long a, long b, long c, long d, long e)
{
	register long a7 __asm__("a7") = number;
	register long a0 __asm__("a0") = a;
	register long a1 __asm__("a1") = b;
	register long a2 __asm__("a2") = c;
	register long a3 __asm__("a3") = d;
	register long a4 __asm__("a4") = e;

	__asm__ volatile("ecall"
			 : "+r"(a0)
			 : "r"(a7), "r"(a1), "r"(a2), "r"(a3), "r"(a4)
			 : "memory");
	return a0;
}

#else
#error "the bench has no entry point for this architecture: add one here"
#endif

/* Runs on the stack that the kernel made: stack[0] is argc, then argv, a null, the environment. */
_Noreturn void bare_main(long *stack);

static inline char **bare_argv(long *stack)
{
	return (char **)(stack + 1);
}

static inline char **bare_envp(long *stack)
{
	return bare_argv(stack) + stack[0] + 1;
}

static inline int bare_is(const char *word, char a, char b, char c, char d)
{
	return word[0] == a && word[1] == b && word[2] == c && (c == 0 || word[3] == d);
}

_Noreturn static inline void bare_exit(int status)
{
	for (;;)
		bare_call(SYS_exit_group, status, 0, 0, 0, 0);
}

#endif
