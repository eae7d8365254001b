# guards.mk: the filters, made and tested. `make guards-regenerate` writes the committed ones anew;
# `make test-guards` runs the suites, of which the programs also fit a guest. Needs libseccomp.

GUARDS = tests/guards
GUARDS_BUILD = $(BUILD)/tests/guards
GUARDS_ARCHES = x86_64 aarch64 riscv64
GUARDS_HEADERS = $(GUARDS_ARCHES:%=lib/guards/guards_%.h) lib/guards/insn.h lib/guards.h \
	lib/landlock-run.h lib/sys.h tests/check.h

# What each needs, also for whoever builds them for a guest; no flags of their own are needed then.
FILTERS_SOURCES = $(GUARDS)/filters.c tests/check.c
INSTALL_SOURCES = $(GUARDS)/install.c $(GUARDS)/other.c lib/guards.c tests/check.c
REFUSALS_SOURCES = $(GUARDS)/refusals.c lib/guards.c tests/check.c
ATTEMPT32_FLAGS = -m32 -Os -ffreestanding -fno-pic -fno-stack-protector -fcf-protection=none -nostdlib -static
GUARDS_TEST_HEADERS = $(GUARDS)/attempt.h $(GUARDS)/calls.h $(GUARDS)/shape.h $(GUARDS_HEADERS)

GUARDS_PROGRAMS = $(GUARDS_BUILD)/filters $(GUARDS_BUILD)/install $(GUARDS_BUILD)/refusals \
	$(GUARDS_BUILD)/generate $(if $(filter x86_64-%,$(MACHINE)),$(GUARDS_BUILD)/refusals32)
GUARDS_SUITES = $(GUARDS_BUILD)/filters both:$(GUARDS_BUILD)/install both:$(GUARDS_BUILD)/refusals \
	'$(GUARDS)/regenerate $(GUARDS_BUILD)/generate lib/guards' \
	'$(GUARDS)/numbers $(GUARDS_BUILD)/filters' 'both:$(GUARDS)/programs $(LAUNCHER)'

.PHONY: test-guards guards-regenerate
test-guards: $(GUARDS_PROGRAMS) $(LAUNCHER)
	BUILD=$(BUILD) tests/run --closing guards $(GUARDS_SUITES)

# Written beside, moved when whole: a generator that fails must not leave half a filter.
guards-regenerate: $(GUARDS_BUILD)/generate
	for arch in $(GUARDS_ARCHES); do \
		$< $$arch >$(GUARDS_BUILD)/$$arch.h && \
		mv $(GUARDS_BUILD)/$$arch.h lib/guards/guards_$$arch.h || exit; done

# It runs here, whatever the tests are built for.
$(GUARDS_BUILD)/generate: lib/guards/generate.c lib/guards/insn.h
	@mkdir -p $(@D)
	cc $(CFLAGS) -o $@ $< -lseccomp

$(GUARDS_BUILD)/filters: $(FILTERS_SOURCES) $(GUARDS_TEST_HEADERS)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -static -o $@ $(FILTERS_SOURCES)

$(GUARDS_BUILD)/install: $(INSTALL_SOURCES) $(GUARDS_TEST_HEADERS)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -static -o $@ $(INSTALL_SOURCES)

# At low addresses, as -static has them: it makes calls that take 32-bit pointers.
$(GUARDS_BUILD)/refusals: $(REFUSALS_SOURCES) $(GUARDS_TEST_HEADERS)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -static -o $@ $(REFUSALS_SOURCES)

# Beside refusals, which looks for it there. Needs no 32-bit libc.
$(GUARDS_BUILD)/refusals32: $(GUARDS)/attempt32.c $(GUARDS)/attempt.h $(GUARDS)/shape.h
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(ATTEMPT32_FLAGS) -o $@ $<
