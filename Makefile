# landlock-run: builds with a C compiler and make alone. `make demo` first, `make test` second.
# HOSTED=1 builds against the libc instead of on raw system calls; ARCH=aarch64|riscv64|i386|armhf builds with a cross compiler.

BUILD = build
PREFIX = /usr/local
DESTDIR =

ARCH =
ifneq ($(ARCH),)
TRIPLET := $(or $(shell awk '$$1 == "$(ARCH)" { print $$2 }' ci/packages/architectures),$(ARCH)-linux-gnu)
CC = $(TRIPLET)-gcc
AR = $(TRIPLET)-ar
STRIP = $(TRIPLET)-strip
else
CC = cc
STRIP = strip
endif
# Builds what runs during the build.
HOSTCC = $(if $(ARCH),cc,$(CC))

WARNINGS = -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Wundef -Wvla
CFLAGS = -O2 -g
override CFLAGS += -std=c11 -D_GNU_SOURCE $(WARNINGS)
# Where the tree lies, and by which name it was entered, must not be in what is built.
override CFLAGS += -ffile-prefix-map='$(CURDIR)=.'
export PWD := $(CURDIR)
INCLUDES = -Ilib -Ilauncher -Iprobe

# Which machine the compiler builds for decides whether there is an entry point of our own.
MACHINE := $(shell $(CC) -dumpmachine)
BARE := $(if $(HOSTED),,$(filter x86_64-% aarch64-% riscv64-%,$(filter-out %x32,$(MACHINE))))

LIB_SOURCES = args confine errnos error exec guards inherit options output report rights ruleset status text
LAUNCHER_SOURCES = $(addprefix launcher/,main.c argsfile.c git.c process.c report.c help.c page.c plan.c culprit.c bwrap.c words.c start.c) $(addprefix probe/,probe.c survey.c trial.c) \
	$(LIB_SOURCES:%=lib/%.c)

# gcc 11 and older do not know -Oz.
GCC := $(if $(findstring clang,$(shell $(CC) --version)),,gcc)
SMALL := $(shell $(CC) -Oz -E -x c /dev/null >/dev/null 2>&1 && echo -Oz || echo -Os)
# What the launcher does not use is left out, and no object but its own is linked. No address in it is ever compared.
BARE_FLAGS = $(SMALL) -ffreestanding -fno-stack-protector -fno-asynchronous-unwind-tables -fno-unwind-tables -fno-pic -fno-pie \
	-fvisibility=hidden -ffunction-sections -fdata-sections -fcf-protection=none -fomit-frame-pointer \
	-fno-stack-clash-protection -fno-jump-tables -fmerge-all-constants
# What clang does not know. Seen as a whole the code is a tenth less; the passes left out make it longer, not faster, and so do copies of a
# block that a jump ends.
BARE_FLAGS += $(if $(GCC),-flto=1 -fno-expensive-optimizations -fno-tree-tail-merge -fno-move-loop-invariants -fno-tree-loop-im \
	--param=max-grow-copy-bb-insns=0 $(if $(filter x86_64-%,$(MACHINE)),-malign-data=abi))
BARE_LINK = -static -nostdlib -nostartfiles -Wl,--gc-sections -Wl,--build-id=none -Wl,-z,noseparate-code -Wl,-z,norelro
# What is printed is packed: see launcher/words.h.
WORDS_PACKED = -DLLR_PACKED -Wl,--section-start=llr_words=0x440000
BARE_LINK += $(WORDS_PACKED)
BARE_FLAGS += $(filter -D%,$(WORDS_PACKED))
# Small data of its own would be a segment, and a page, of its own.
BARE_FLAGS += $(if $(filter riscv64-%,$(MACHINE)),-msmall-data-limit=0)
# An address that is made twice is shorter there than one that is kept.
BARE_FLAGS += $(if $(GCC),$(if $(filter riscv64-%,$(MACHINE)),--param=gcse-unrestricted-cost=0))
BARE_FLAGS += $(if $(filter x86_64-%,$(MACHINE)),-mgeneral-regs-only)
# All of it is within the reach of one instruction.
BARE_FLAGS += $(if $(filter aarch64-%,$(MACHINE)),-mcmodel=tiny)
HOSTED_FLAGS = -Os -DLLR_HOSTED -fvisibility=hidden -ffunction-sections -fdata-sections
HOSTED_LINK = -static -Wl,--gc-sections -Wl,--build-id=none

LAUNCHER = $(BUILD)/landlock-run
ARCHIVE = $(BUILD)/liblandlock-run.a
SHARED = $(BUILD)/liblandlock-run.so

.PHONY: all demo test test-hosted lint clean
all: $(LAUNCHER) $(ARCHIVE) $(SHARED)

$(BUILD)/%/:
	mkdir -p $@

# ---- The launcher ----

LAUNCHER_OBJECTS = $(LAUNCHER_SOURCES:%.c=$(BUILD)/launcher.o.d/%.o)
$(BUILD)/launcher.o.d/%.o: %.c Makefile
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(if $(BARE),$(BARE_FLAGS),$(HOSTED_FLAGS)) $(INCLUDES) -MMD -c -o $@ $<

PACK = $(BUILD)/pack
$(PACK): launcher/pack.c launcher/words.h
	@mkdir -p $(@D)
	$(HOSTCC) -O2 -std=c11 $(WARNINGS) -Ilauncher -o $@ $<

$(LAUNCHER): $(LAUNCHER_OBJECTS) $(if $(BARE),$(PACK))
	$(CC) $(if $(BARE),$(CFLAGS) $(BARE_FLAGS) $(BARE_LINK),$(HOSTED_LINK)) -o $@.unstripped $(LAUNCHER_OBJECTS)
	$(if $(BARE),$(PACK) $@.unstripped $@ && chmod +x $@,$(STRIP) -s -R .comment -o $@ $@.unstripped)

-include $(LAUNCHER_OBJECTS:.o=.d)

demo:
	@ci/need build
	@$(MAKE) -s $(LAUNCHER)
	@launcher/demo $(LAUNCHER)

# ---- What else there is, each beside what it builds ----

include lib/lib.mk
include tests/unit/unit.mk tests/contract/contract.mk tests/library/library.mk tests/guards/guards.mk
include tests/levels/levels.mk tests/levels/faults.mk tests/bench/bench.mk
include tests/consumers/consumers.mk launcher/completions/completions.mk
include ci/packages/packages.mk
include tests/fuzz/fuzz.mk tests/coverage/coverage.mk tests/sanitized/sanitized.mk tests/documents/documents.mk
include tests/escapes/escapes.mk tests/model/model.mk tests/survey/survey.mk
include ci/kernels/kernels.mk
include ci/dist/dist.mk

# ---- Tests of this machine's kernel ----

# What a suite is: see tests/run. Each fragment says what it builds; this is the order in which they are run.
SUITES = $(UNIT_SUITES) $(FUZZ_SUITES) "both:$(BUILD)/tests/contract" "both:$(LIBRARY)" "tests/library/third-parties $(BUILD)" $(GUARDS_SUITES) \
	"$(SIMULATE_TEST) --simulator $(SIMULATE)" $(LEVEL_SUITES) $(MODEL_SUITES) $(ESCAPES_SUITES) $(COMPLETIONS_SUITES) \
	$(DOCUMENTS_SUITES) $(SURVEY_SUITES) "both:$(ROWS)" "tests/kernels/harness" $(BENCH_SUITES)
TEST_PROGRAMS = $(UNIT_PROGRAMS) $(FUZZ_PROGRAMS) $(BUILD)/tests/contract $(LIBRARY) $(GUARDS_PROGRAMS) $(SIMULATE) $(SIMULATE_TEST) $(LEVEL_PROGRAMS) $(ESCAPES_PROGRAMS) $(MODEL) $(ROWS) \
	$(BENCH_PROGRAMS)

test:
	@ci/need build test
	@$(MAKE) -s all
	@$(MAKE) -s test-programs
	@BUILD=$(BUILD) tests/run $(SUITES)

.PHONY: test-programs
test-programs: $(TEST_PROGRAMS)

# The same contract against the build on a libc.
test-hosted: $(BUILD)/tests/contract $(SIMULATE)
	@$(MAKE) -s HOSTED=1 BUILD=$(BUILD)/hosted $(BUILD)/hosted/landlock-run
	@LANDLOCK_RUN_HOSTED=1 LANDLOCK_RUN=$(abspath $(BUILD))/hosted/landlock-run tests/run --closing hosted $(BUILD)/tests/contract

lint:
	@ci/need lint
	ci/lint

clean:
	rm -rf $(BUILD)
