/* What a command inherits from the process that becomes it: its descriptors, and its parent's
 * death. Nothing here is called unless it was asked for. */
#include <signal.h>
#include <sys/prctl.h>

#include "error.h"
#include "inherit.h"
#include "sys.h"
#include "text.h"

/* Linux 5.9 and 5.11; both older than Landlock. */
#ifndef SYS_close_range
#define SYS_close_range 436
#endif
#ifndef CLOSE_RANGE_CLOEXEC
#define CLOSE_RANGE_CLOEXEC (1U << 2)
#endif

int llr_die_with_parent(long parent, struct llr_error *error)
{
	long result = SYS5(prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);

	if (sys_failed(result))
		return llr_fail(error, LLR_E_SIGNAL, result, NULL,
				WORD("ask to die with the parent"));
	/* A parent that died before the kernel had noted our wish sends no signal any more. */
	if (SYS0(getppid) != parent)
		return llr_fail(error, LLR_E_PARENT, 0, NULL, NULL);
	return 0;
}

int llr_close_on_exec(unsigned int first, unsigned int last, struct llr_error *error)
{
	long result = SYS3(close_range, first, last, CLOSE_RANGE_CLOEXEC);

	return sys_failed(result) ? llr_fail(error, LLR_E_FILES, result, NULL, WORD("descriptors"))
				  : 0;
}
