/* The entry point, without a libc: the kernel's initial stack in, an exit status out.
 * Built on x86_64, aarch64 and riscv64; elsewhere, and with HOSTED=1, the libc's entry point calls
 * main. */
#include <stddef.h>

#include "launcher.h"
#include "sys.h"

#ifdef LLR_HOSTED

int main(int argc, char **argv, char **envp)
{
	return launch(argc, argv, envp);
}

#else

/* The stack pointer at entry goes to start_on: argc, argv, NULL, envp, NULL. */
#if defined __x86_64__
__asm__(".text\n.globl _start\n_start:\n\txor %ebp, %ebp\n\tmov %rsp, %rdi\n\tand $-16, "
	"%rsp\n\tcall start_on\n");
#elif defined __aarch64__
__asm__(".text\n.globl _start\n_start:\n\tmov x29, #0\n\tmov x30, #0\n\tmov x0, sp\n\tbl "
	"start_on\n");
#elif defined __riscv
__asm__(".text\n.globl _start\n_start:\n\t.option push\n\t.option norelax\n\tlla gp, "
	"__global_pointer$\n\t.option pop\n"
	"\tmv a0, sp\n\tandi sp, sp, -16\n\tcall start_on\n");
#endif

__attribute__((noreturn, used)) void start_on(long *stack);

__attribute__((noreturn, used)) void start_on(long *stack)
{
	int argc = (int)stack[0];
	char **argv = (char **)(stack + 1);
	int status = launch(argc, argv, argv + argc + 1);

	for (;;)
		SYS1(exit_group, status);
}

/* The compiler may call these for a copy or a fill even where there is no libc. */
void *memcpy(void *restrict to, const void *restrict from, size_t size);
void *memset(void *to, int byte, size_t size);

__attribute__((used)) void *memcpy(void *restrict to, const void *restrict from, size_t size)
{
	char *restrict target = to;
	const char *restrict source = from;

	while (size--)
		*target++ = *source++;
	return to;
}

__attribute__((used)) void *memset(void *to, int byte, size_t size)
{
	char *target = to;

	while (size--)
		*target++ = (char)byte;
	return to;
}

#endif
