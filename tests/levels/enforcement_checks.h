/* enforcement_checks.h: tests that what a ruleset handles is enforced, and what it cannot is not.
 * They must never need the simulator: below it, too, the real kernel enforces. */
#ifndef ENFORCEMENT_CHECKS_H
#define ENFORCEMENT_CHECKS_H

/* Tests what ABI `abi` governs; the kernel below may be a newer one. */
void enforcement_checks(int abi);

#endif
