/* Makes one call as a 32-bit program: NUMBER SHAPE COMMAND FLAGS; the exit status is its errno.
 * Freestanding: building it must not need a 32-bit libc. */
#include "shape.h"
#include "attempt.h"

long enter_i386(long number, const long arguments[6]);
void start(const long *stack);

__asm__(".globl enter_i386\n"
	"enter_i386:\n"
	"	push %ebx\n"
	"	push %esi\n"
	"	push %edi\n"
	"	push %ebp\n"
	"	mov 20(%esp), %eax\n"
	"	mov 24(%esp), %ebp\n"
	"	mov (%ebp), %ebx\n"
	"	mov 4(%ebp), %ecx\n"
	"	mov 8(%ebp), %edx\n"
	"	mov 12(%ebp), %esi\n"
	"	mov 16(%ebp), %edi\n"
	"	mov 20(%ebp), %ebp\n"
	"	int $0x80\n"
	"	pop %ebp\n"
	"	pop %edi\n"
	"	pop %esi\n"
	"	pop %ebx\n"
	"	ret\n"
	".globl _start\n"
	"_start:\n"
	"	push %esp\n"
	"	call start\n");

static uint32_t number_in(const char *text)
{
	uint32_t number = 0;

	for (; *text; text++)
		number = number * 10 + (uint32_t)(*text - '0');
	return number;
}

/* The stack holds argc, argv and its NULL. */
void start(const long *stack)
{
	const char *const *argv = (const char *const *)(stack + 1);
	long arguments[6] = { 255 };

	if (stack[0] == 5)
		arguments[0] = attempt(enter_i386, (long)number_in(argv[1]),
				       (enum shape)number_in(argv[2]), number_in(argv[3]),
				       number_in(argv[4]));
	enter_i386(1, arguments);
	__builtin_unreachable();
}
