# coverage.mk: which lines of the launcher and of the library the suites run. `make coverage` prints a table per file and fails below
# COVERAGE_LEAST per cent of either.
#
# The launcher is the bare one: instrumented by clang, without its runtime, its counters in shared memory (counters.h), so that it makes no
# other system calls than three at its start, and counts on when it is confined.

COVERAGE = tests/coverage
COVERAGE_LEAST = 95
COVERAGE_OUT = $(BUILD)/coverage
COVERAGE_KEY := $(shell printf '%s' '$(abspath $(BUILD))' | cksum | awk '{ print $$1 % 1000000 * 2 + 1000 }')

COVERAGE_CC = clang
COVERAGE_FLAGS = -O1 -fprofile-instr-generate -fcoverage-mapping
COVERAGE_BARE = -ffreestanding -fno-stack-protector -fno-pic -fno-pie -fcf-protection=none -ffunction-sections
COVERAGE_LINK = -Wl,-T,$(COVERAGE)/counters.ld -Wl,-z,noseparate-code

COVERAGE_LAUNCHER = $(LAUNCHER_SOURCES:%.c=$(COVERAGE_OUT)/launcher.o.d/%.o)
COVERAGE_LIBRARY = $(LIBRARY_SOURCES:%=$(COVERAGE_OUT)/library.o.d/lib/%.o)
# The tests themselves are not looked at.
COVERAGE_UNIT = $(UNIT_ALONE_SOURCES:%.c=$(COVERAGE_OUT)/tests.o.d/%.o)
COVERAGE_TESTS = $(filter-out $(COVERAGE_OUT)/tests.o.d/lib/%,$(COVERAGE_UNIT))

$(COVERAGE_LAUNCHER): $(COVERAGE_OUT)/launcher.o.d/%.o: %.c $(COVERAGE)/coverage.mk
	@mkdir -p $(@D)
	$(COVERAGE_CC) $(CFLAGS) $(COVERAGE_FLAGS) $(COVERAGE_BARE) $(INCLUDES) -MMD -c -o $@ $<

$(COVERAGE_LIBRARY): $(COVERAGE_OUT)/library.o.d/%.o: %.c $(COVERAGE)/coverage.mk
	@mkdir -p $(@D)
	$(COVERAGE_CC) $(CFLAGS) $(COVERAGE_FLAGS) -ffreestanding -Ilib -MMD -c -o $@ $<

$(COVERAGE_TESTS): $(COVERAGE_OUT)/tests.o.d/%.o: %.c $(COVERAGE)/coverage.mk
	@mkdir -p $(@D)
	$(COVERAGE_CC) $(CFLAGS) -I$(UNIT)/alone -Ilib -MMD -c -o $@ $<

# The key of each of the two sets.
COVERAGE_OWN = $(foreach what,counters save,$(COVERAGE_OUT)/launcher-$(what).o $(COVERAGE_OUT)/library-$(what).o)
COVERAGE_DEFINES_launcher = -DCOUNTERS_KEY=$(COVERAGE_KEY) -DCOUNTERS_WRAP
COVERAGE_DEFINES_library = -DCOUNTERS_KEY=$(COVERAGE_KEY)+1
$(COVERAGE_OWN): $(COVERAGE)/counters.h $(COVERAGE)/counters.c $(COVERAGE)/save.c $(COVERAGE)/coverage.mk
	@mkdir -p $(@D)
	$(COVERAGE_CC) $(CFLAGS) -fno-stack-protector $(COVERAGE_DEFINES_$(word 1,$(subst -, ,$(@F)))) -Ilib -c -o $@ \
		$(COVERAGE)/$(word 2,$(subst -, ,$(basename $(@F)))).c

# ---- What counts ----

$(COVERAGE_OUT)/landlock-run: $(COVERAGE_LAUNCHER) $(COVERAGE_OUT)/launcher-counters.o $(COVERAGE)/counters.ld
	$(COVERAGE_CC) -static -nostdlib -nostartfiles -Wl,--gc-sections -Wl,--wrap=launch \
		$(COVERAGE_LINK) -o $@ $(COVERAGE_LAUNCHER) $(COVERAGE_OUT)/launcher-counters.o

COVERAGE_COUNTING = $(COVERAGE_LIBRARY) $(COVERAGE_OUT)/library-counters.o

$(COVERAGE_OUT)/tests/unit-alone: $(COVERAGE_TESTS) $(COVERAGE_COUNTING) $(COVERAGE)/counters.ld
	@mkdir -p $(@D)
	$(COVERAGE_CC) $(COVERAGE_LINK) -o $@ $(filter %.o,$^)

$(COVERAGE_OUT)/tests/library: $(LIBRARY_TEST_SOURCES) $(COVERAGE_COUNTING) $(COVERAGE)/counters.ld
	@mkdir -p $(@D)
	$(COVERAGE_CC) $(CFLAGS) -Ilib -static $(COVERAGE_LINK) -o $@ $(filter %.c %.o,$^) -pthread

$(COVERAGE_OUT)/tests/policy: $(FAULTS)/policy.c $(COVERAGE_COUNTING) $(COVERAGE)/counters.ld
	@mkdir -p $(@D)
	$(COVERAGE_CC) $(CFLAGS) $(INCLUDES) -static $(COVERAGE_LINK) -o $@ $(filter %.c %.o,$^)

$(COVERAGE_OUT)/tests/guards-install: $(filter-out lib/%,$(INSTALL_SOURCES)) $(COVERAGE_COUNTING) $(COVERAGE)/counters.ld
	@mkdir -p $(@D)
	$(COVERAGE_CC) $(CFLAGS) -Ilib -static $(COVERAGE_LINK) -o $@ $(filter %.c %.o,$^) -pthread

# ---- What saves ----

# Both have an entry point; the libc's is linked first. What the launcher leaves out is in here, and what that calls is not.
$(COVERAGE_OUT)/launcher-profile: $(COVERAGE_LAUNCHER) $(COVERAGE_OUT)/launcher-save.o $(COVERAGE)/counters.ld
	$(COVERAGE_CC) $(COVERAGE_FLAGS) -static -Wl,-z,muldefs -Wl,--unresolved-symbols=ignore-all $(COVERAGE_LINK) -o $@ $(COVERAGE_LAUNCHER) $(COVERAGE_OUT)/launcher-save.o

$(COVERAGE_OUT)/library-profile: $(COVERAGE_LIBRARY) $(COVERAGE_OUT)/library-save.o $(COVERAGE)/counters.ld
	$(COVERAGE_CC) $(COVERAGE_FLAGS) $(COVERAGE_LINK) -o $@ $(COVERAGE_LIBRARY) $(COVERAGE_OUT)/library-save.o

COVERAGE_PROGRAMS = $(COVERAGE_OUT)/landlock-run $(addprefix $(COVERAGE_OUT)/tests/,unit-alone library policy guards-install) \
	$(COVERAGE_OUT)/launcher-profile $(COVERAGE_OUT)/library-profile
# These come as they are: nothing of the product is in them.
COVERAGE_OTHERS = $(addprefix $(BUILD)/tests/,contract simulate claims faults conditions witness)

.PHONY: coverage
coverage:
	@ci/need build test coverage
	@$(MAKE) -s $(COVERAGE_PROGRAMS) $(COVERAGE_OTHERS)
	@cp -a $(COVERAGE_OTHERS) $(COVERAGE_OUT)/tests/
	@$(COVERAGE)/run $(COVERAGE_OUT) $(COVERAGE_LEAST)

-include $(COVERAGE_LAUNCHER:.o=.d) $(COVERAGE_LIBRARY:.o=.d) $(COVERAGE_TESTS:.o=.d)
