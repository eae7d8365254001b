/* --probe: restrict this short-lived process for real, say one line.
 * Never says that something is enforced which this very process did not have the kernel enforce. */
#include <errno.h>

#include "confine.h"
#include "error.h"
#include "output.h"
#include "probe.h"
#include "sys.h"
#include "text.h"

#define STDOUT 1

int probe(struct llr_error *error)
{
	struct llr_policy policy = LLR_POLICY_INIT;
	struct llr_result result = LLR_RESULT_INIT;
	char line[LLR_LINE_MAX];
	long written, closed;

	if (llr_confine_before_exec(&policy, &result, error))
		return -1;
	written = llr_output_last(STDOUT, line,
				  llr_format_probe(result.enforcement, line, sizeof line));
	/* Some file systems say only now that there was no room. Interrupted, it is closed too. */
	closed = written ? 0 : SYS1(close, STDOUT);
	if (sys_failed(closed) && closed != -EINTR)
		written = closed;
	if (sys_failed(written))
		return llr_fail(error, LLR_E_OUTPUT, written, WORD("the probe"), NULL);
	return 0;
}
