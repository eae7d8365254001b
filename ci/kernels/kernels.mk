# The real kernels: what goes into a guest, and the run over the matrix beside this file.
# No rule here may put into a guest a program that was built for another architecture.
# Included last: it takes the sources of the suites from the fragments that own them.

# What each guest runs, as root and as an ordinary user. The words of a command are joined by
# commas; @ABI@ is the ABI that the guest should have, 0 for a kernel without Landlock.
# Not here is what no kernel decides: guards' filters are interpreted by their test, not by a kernel.
# `one:` stands before what is long: one of the two users has it, root on x86_64 and the ordinary user on the other
# architectures, so that each ABI has it as both.
# The whole matrix is to be run often, so what costs as much again as all of this stands apart:
# `make test-kernels GUEST_SUITES="escapes model,nobody_has_tried"`.
GUEST_SUITES ?= effects rows guards-install one:guards-refusals simulate_test,--real,@ABI@ contract
GUEST_ONE = $(if $(filter x86_64,$(1)),root,user)

# The table of rights against a kernel.
ROWS = $(BUILD)/tests/rows
ROWS_SOURCES = tests/kernels/rows.c tests/check.c tests/program.c $(LEVELS_SHARED) lib/rights.c lib/table.c lib/text.c
ROWS_HEADERS = tests/check.h tests/program.h tests/levels/calls.h tests/levels/levels.h tests/levels/errnos.h lib/rights.h lib/landlock-run.h

# The programs of a guest, each with its sources. All are linked statically: a guest has no libc.
GUEST_PROGRAMS := level effects rows guards-install guards-refusals simulate_test escapes contract model
GUEST_SOURCES_level = tests/kernels/level.c
GUEST_SOURCES_effects = $(addprefix tests/kernels/,effects.c attempts.c surroundings.c)
GUEST_HEADERS_effects = tests/kernels/attempts.h tests/kernels/surroundings.h
GUEST_SOURCES_rows = $(ROWS_SOURCES)
GUEST_HEADERS_rows = $(ROWS_HEADERS)
GUEST_SOURCES_guards-install = $(INSTALL_SOURCES)
GUEST_HEADERS_guards-install = $(GUARDS_TEST_HEADERS)
GUEST_SOURCES_guards-refusals = $(REFUSALS_SOURCES)
GUEST_HEADERS_guards-refusals = $(GUARDS_TEST_HEADERS)
GUEST_SOURCES_escapes = $(ESCAPES_SOURCES)
GUEST_HEADERS_escapes = $(ESCAPES_HEADERS)
GUEST_SOURCES_contract = $(CONTRACT_SOURCES)
GUEST_HEADERS_contract = tests/check.h tests/program.h tests/contract/launch.h
GUEST_SOURCES_model = $(MODEL_SOURCES)
GUEST_HEADERS_model = $(MODEL_HEADERS)
GUEST_SOURCES_simulate_test = $(SIMULATE_TEST_SOURCES)
GUEST_HEADERS_simulate_test = $(SIMULATE_TEST_HEADERS)

GUEST_ARCHES := x86_64 aarch64 riscv64
GUEST_NATIVE := $(shell uname -m)
GUEST_FILES = $(foreach arch,$(GUEST_ARCHES),\
	$(foreach file,landlock-run suites $(GUEST_PROGRAMS),$(BUILD)/guest-$(arch)/$(file))) \
	$(BUILD)/guest-x86_64/guards-refusals32

# Packages are kept here between runs, also when the build is cleaned.
LANDLOCK_RUN_CACHE ?= .cache/kernels

# Which guests: `make test-kernels KERNELS='aarch64-*'`.
KERNELS ?= *

# $(1) architecture, $(2) its compiler, $(3) program
define guest_program
$(BUILD)/guest-$(1)/$(3): $(GUEST_SOURCES_$(3)) $(GUEST_HEADERS_$(3))
	@mkdir -p $$(@D)
	$(2) $(CFLAGS) -static -pthread -o $$@ $(GUEST_SOURCES_$(3))
endef

# The launcher of another architecture is built by this Makefile in a tree of its own.
define guest_launcher
.PHONY: guest-launcher-$(1)
guest-launcher-$(1):
	+@$$(MAKE) -s $(if $(filter $(GUEST_NATIVE),$(1)),,ARCH=$(1)) BUILD=$(call guest_build,$(1)) $(call guest_build,$(1))/landlock-run

$(BUILD)/guest-$(1)/landlock-run: guest-launcher-$(1)
	@mkdir -p $$(@D)
	cp $(call guest_build,$(1))/landlock-run $$@

.PHONY: $(BUILD)/guest-$(1)/suites
$(BUILD)/guest-$(1)/suites:
	@mkdir -p $$(@D)
	@printf '%s\n' $(GUEST_SUITES) | tr , ' ' | sed 's/^one:/$(call GUEST_ONE,$(1)):/' >$$@
endef

guest_build = $(if $(filter $(GUEST_NATIVE),$(1)),$(BUILD),$(BUILD)/$(1))
guest_cc = $(if $(filter $(GUEST_NATIVE),$(1)),$(CC),$(1)-linux-gnu-gcc)
$(foreach arch,$(GUEST_ARCHES),$(eval $(call guest_launcher,$(arch))))
$(foreach arch,$(GUEST_ARCHES),$(foreach program,$(GUEST_PROGRAMS),\
	$(eval $(call guest_program,$(arch),$(call guest_cc,$(arch)),$(program)))))

# The program of the other word size that guards-refusals looks for beside itself.
$(BUILD)/guest-x86_64/guards-refusals32: $(GUARDS)/attempt32.c $(GUARDS)/attempt.h $(GUARDS)/shape.h
	@mkdir -p $(@D)
	$(call guest_cc,x86_64) $(CFLAGS) $(ATTEMPT32_FLAGS) -o $@ $<

# The same on this machine's kernel.
$(ROWS): $(ROWS_SOURCES) $(ROWS_HEADERS)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -static -o $@ $(ROWS_SOURCES)

# What fetches, boots and judges, on a small archive and an emulator of its own: no kernel, no network.
.PHONY: test-kernels-harness
test-kernels-harness:
	tests/kernels/harness

# The support matrix, from the last whole run.
.PHONY: kernels-support
kernels-support:
	ci/kernels/report $(BUILD)/kernels tests/kernels/SUPPORT.md

.PHONY: test-kernels
test-kernels: $(GUEST_FILES)
	@ci/kernels/run $(BUILD) $(LANDLOCK_RUN_CACHE) '$(KERNELS)'
