# levels.mk: the kernel simulator and its test. Static: both also run in a guest that has no libc.

LEVELS = tests/levels
SIMULATE = $(BUILD)/tests/simulate
SIMULATE_SOURCES = $(LEVELS)/simulate.c $(LEVELS)/command.c $(LEVELS)/kernel.c $(LEVELS)/task.c \
	$(LEVELS)/filter.c $(LEVELS)/levels.c $(LEVELS)/errnos.c
SIMULATE_HEADERS = $(LEVELS)/command.h $(LEVELS)/kernel.h $(LEVELS)/task.h $(LEVELS)/filter.h \
	$(LEVELS)/levels.h $(LEVELS)/errnos.h

$(SIMULATE): $(SIMULATE_SOURCES) $(SIMULATE_HEADERS)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -static -o $@ $(SIMULATE_SOURCES) -lseccomp
