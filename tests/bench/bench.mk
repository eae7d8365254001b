# `make bench`: launch times against a floor, and exact system calls. No time passes or fails.
# `make bench-report`: the same at length, written with pictures into docs/benchmarks.md.
BENCH = tests/bench
BENCH_OUT = $(BUILD)/tests/bench
BENCH_HOSTED = $(CC) $(CFLAGS) $(LDFLAGS) -I$(BENCH_OUT)

# No libc and one segment, so that no exec of a program could have less to do.
BENCH_BARE = $(CC) $(filter-out -fsanitize=% -fprofile% -fcoverage% --coverage,$(CFLAGS)) -O2 \
	-ffreestanding -fno-pic -fno-stack-protector -fno-asynchronous-unwind-tables
BENCH_BARE_LINK = -nostdlib -static -s -Wl,--build-id=none -Wl,-z,noseparate-code -Wl,-z,norelro

BENCH_PROGRAMS = $(BENCH_OUT)/floor $(BENCH_OUT)/raw $(BENCH_OUT)/noop $(BENCH_OUT)/bench \
	$(BENCH_OUT)/spawn $(BENCH_OUT)/opens \
	$(BENCH_OUT)/stats-sample $(BUILD)/tests/syscalls
BENCH_SUITES = "$(BENCH)/test $(BUILD) $(LAUNCHER)"

.PHONY: bench bench-report bench-programs bench-test
bench: bench-programs $(LAUNCHER)
	@$(BENCH)/run $(BUILD) $(LAUNCHER)

# Some minutes, ten at most, of a machine that has nothing else to do.
BENCH_DATA = $(BENCH_OUT)/report
bench-report: bench-programs $(LAUNCHER)
	@ci/need bench
	@mkdir -p $(BENCH_DATA)
	BENCH_SECONDS=$${BENCH_SECONDS:-420} BENCH_TURNS=$${BENCH_TURNS:-40} $(BENCH)/run $(BUILD) $(LAUNCHER) $(BENCH_DATA) >$(BENCH_DATA)/tables.md
	$(BENCH)/report $(BENCH_DATA) docs

bench-programs: $(BENCH_PROGRAMS)

bench-test: bench-programs $(LAUNCHER)
	@$(BENCH)/test $(BUILD) $(LAUNCHER)

$(BENCH_OUT)/floor $(BENCH_OUT)/raw $(BENCH_OUT)/noop: $(BENCH_OUT)/%: $(BENCH)/%.c $(BENCH)/bare.h
	@mkdir -p $(@D)
	$(BENCH_BARE) $< -o $@ $(BENCH_BARE_LINK)

# The compiler's own list of numbers, so that there is no second one to keep up to date.
$(BENCH_OUT)/syscall-names.inc: $(BENCH)/bench.mk
	@mkdir -p $(@D)
	echo '#include <sys/syscall.h>' | $(CC) -E -dM - >$@.tmp
	sed -n -e '/__NR_syscalls/d' -e '/__NR_arch_specific/d' \
		-e 's/^#define __NR_\([a-z0-9_]*\) .*/{__NR_\1, "\1"},/p' $@.tmp | LC_ALL=C sort >$@
	rm $@.tmp

$(BUILD)/tests/syscalls: $(BENCH)/syscalls.c $(BENCH)/trace.c $(BENCH)/trace.h \
		$(BENCH_OUT)/syscall-names.inc
	$(BENCH_HOSTED) $(BENCH)/syscalls.c $(BENCH)/trace.c -o $@

$(BENCH_OUT)/bench: $(BENCH)/bench.c $(BENCH)/roster.c $(BENCH)/stats.c $(BENCH)/table.c \
		$(BENCH)/trace.c $(BENCH)/roster.h $(BENCH)/stats.h $(BENCH)/table.h \
		$(BENCH)/trace.h $(BENCH_OUT)/syscall-names.inc
	$(BENCH_HOSTED) $(filter %.c,$^) -o $@

$(BENCH_OUT)/stats-sample: $(BENCH)/stats-sample.c $(BENCH)/stats.c $(BENCH)/stats.h
	@mkdir -p $(@D)
	$(BENCH_HOSTED) $(filter %.c,$^) -o $@

# What is measured of the library: starting a command, and what a command meets inside.
$(BENCH_OUT)/spawn $(BENCH_OUT)/opens: $(BENCH_OUT)/%: $(BENCH)/%.c $(BENCH)/crew.c $(BENCH)/stats.c $(BENCH)/crew.h \
		$(BENCH)/stats.h $(ARCHIVE)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(LDFLAGS) -Ilib $(filter %.c,$^) $(ARCHIVE) -o $@
