# levels.mk: the kernel simulator and its test. Static: both also run in a guest that has no libc.
# `make simulate-test` tests the simulator; the test alone, on a real kernel: simulate_test --real N.

LEVELS = tests/levels
SIMULATE = $(BUILD)/tests/simulate
SIMULATE_TEST = $(BUILD)/tests/simulate_test

LEVELS_SHARED = $(LEVELS)/levels.c $(LEVELS)/errnos.c
SIMULATE_SOURCES = $(LEVELS)/simulate.c $(LEVELS)/command.c $(LEVELS)/kernel.c $(LEVELS)/task.c \
	$(LEVELS)/filter.c $(LEVELS_SHARED)
SIMULATE_HEADERS = $(LEVELS)/command.h $(LEVELS)/kernel.h $(LEVELS)/task.h $(LEVELS)/filter.h \
	$(LEVELS)/levels.h $(LEVELS)/errnos.h
SIMULATE_TEST_SOURCES = $(LEVELS)/simulate_test.c $(LEVELS)/simulator_checks.c \
	$(LEVELS)/level_checks.c $(LEVELS)/enforcement_checks.c $(LEVELS)/table_checks.c \
	$(LEVELS)/acts.c $(LEVELS)/jobs.c $(LEVELS)/suite.c $(LEVELS_SHARED)
SIMULATE_TEST_HEADERS = $(LEVELS)/simulator_checks.h $(LEVELS)/level_checks.h \
	$(LEVELS)/enforcement_checks.h $(LEVELS)/table_checks.h $(LEVELS)/acts.h $(LEVELS)/jobs.h \
	$(LEVELS)/suite.h $(LEVELS)/calls.h $(LEVELS)/expect.h $(LEVELS)/levels.h $(LEVELS)/errnos.h

.PHONY: simulate-test
simulate-test: $(SIMULATE) $(SIMULATE_TEST)
	$(abspath $(SIMULATE_TEST)) --simulator $(abspath $(SIMULATE))

$(SIMULATE): $(SIMULATE_SOURCES) $(SIMULATE_HEADERS)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -static -o $@ $(SIMULATE_SOURCES) -lseccomp

# No libseccomp here: this one is also built for machines that the simulator is not built for.
$(SIMULATE_TEST): $(SIMULATE_TEST_SOURCES) $(SIMULATE_TEST_HEADERS)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -static -pthread -o $@ $(SIMULATE_TEST_SOURCES)
