/* Prints what this kernel answers about Landlock: its ABI, or the errno, and its errata.
 * It must never use the product's code: it is what the product is checked against. */
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

/* The same on every architecture here; older headers lack the name. */
#define CREATE_RULESET 444
#define VERSION (1U << 0)
#define ERRATA (1U << 1)

static void say(unsigned int query, const char *format)
{
	long answer = syscall(CREATE_RULESET, NULL, 0, query);

	if (answer >= 0)
		printf(format, answer);
	else if (errno == ENOSYS)
		printf("ENOSYS");
	else if (errno == EOPNOTSUPP)
		printf("EOPNOTSUPP");
	else
		printf("errno-%d", errno);
}

int main(void)
{
	say(VERSION, "%ld");
	putchar(' ');
	say(ERRATA, "0x%lx");
	putchar('\n');
	return fflush(stdout) == 0 ? 0 : 1;
}
