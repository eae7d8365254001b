/* The command that is launched: ends at once with 0, so that the launch is all there is to time.
 * Never does anything else. */
#include "bare.h"

BARE_ENTRY;

_Noreturn void bare_main(long *stack)
{
	(void)stack;
	bare_exit(0);
}
