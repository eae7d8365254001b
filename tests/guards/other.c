/* guards.c as it is built on an architecture without filters, under names of its own.
 * Tests the refusal where no such machine is at hand; never linked into anything but a test. */
#define LLR_WITHOUT_GUARDS
#define llr_guard_available other_guard_available
#define llr_guard_install other_guard_install
#include "../../lib/guards.c"
