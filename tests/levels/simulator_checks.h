/* simulator_checks.h: tests of the simulator as a program: its options, faults, ends and processes.
 * They must never run where the kernel is not the real one. */
#ifndef SIMULATOR_CHECKS_H
#define SIMULATOR_CHECKS_H

/* `self` is this test program, which is also the command that the simulator runs. */
void simulator_checks(const char *simulator, const char *self);

#endif
