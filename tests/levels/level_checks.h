/* level_checks.h: tests that the kernel under this process answers as its ABI does in the table.
 * They must never need the simulator: they are what proves it, on real kernels. */
#ifndef LEVEL_CHECKS_H
#define LEVEL_CHECKS_H

/* Tests a kernel of ABI `abi`. When it is only claimed, `real` is the ABI of the kernel below, and
 * what needs more than that is left to the caller; else it is the same as `abi`. */
void level_checks(int abi, int real);

/* Tests a kernel that answers every Landlock call with this errno; with 0, one that answers ENOSYS
 * or EOPNOTSUPP, the same to each. */
void absence_checks(int error);

#endif
