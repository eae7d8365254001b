/* The floor: a launcher that only execs what stands after `--`, by its path.
 * Never confines anything; the words before `--` give it the same argv as its contenders. */
#include "bare.h"

BARE_ENTRY;

_Noreturn void bare_main(long *stack)
{
	char **word = bare_argv(stack);

	while (*word != 0 && !bare_is(*word, '-', '-', 0, 0))
		word++;
	if (*word != 0)
		word++;
	if (*word != 0)
		bare_call(SYS_execve, (long)*word, (long)word, (long)bare_envp(stack), 0, 0);
	bare_exit(125);
}
