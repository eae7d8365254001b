# unit.mk: the Criterion tests of the library's insides, plain and with sanitizers; the same without Criterion, under valgrind and as a 32-bit
# program; and what the archive's objects need. The library's sources are compiled anew for each. `make test-unit` runs all.

UNIT = tests/unit
UNIT_OUT = $(BUILD)/tests
UNIT_LIBRARY = args argv confine errnos error exec guards json options report rights ruleset status table text verdict
UNIT_TESTS = args argv errnos json lines policy rights search status text unit verdict
UNIT_SOURCES = $(UNIT_TESTS:%=$(UNIT)/%.c) $(UNIT_LIBRARY:%=lib/%.c)
UNIT_ALONE_SOURCES = $(UNIT_SOURCES) $(UNIT)/alone/alone.c
UNIT_SANITIZE = -O1 -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all
UNIT_32_CC = i686-linux-gnu-gcc

# Only an x86_64 runs the 32-bit program, and only there the library has no libc in it.
UNIT_32 = $(if $(filter x86_64-%,$(MACHINE)),$(UNIT_OUT)/unit-32)
UNIT_PROGRAMS = $(UNIT_OUT)/unit $(UNIT_OUT)/unit-asan $(UNIT_OUT)/unit-alone $(UNIT_32)
UNIT_SUITES = "$(UNIT)/run $(UNIT_OUT)/unit" "$(UNIT)/run $(UNIT_OUT)/unit-asan" \
	"valgrind --quiet --leak-check=full --error-exitcode=99 $(UNIT_OUT)/unit-alone" $(UNIT_32) \
	"$(UNIT)/symbols $(ARCHIVE) $(if $(BARE),,syscall __errno_location)" $(if $(BARE),"$(UNIT)/words $(LAUNCHER) $(PACK)")

.PHONY: unit-asan unit-programs test-unit
unit-programs: $(UNIT_PROGRAMS) $(ARCHIVE)
unit-asan: $(UNIT_OUT)/unit-asan

test-unit: unit-programs
	tests/run --closing unit $(UNIT_SUITES)

UNIT_OBJECTS = $(UNIT_SOURCES:%.c=$(UNIT_OUT)/unit.d/%.o)
UNIT_ASAN_OBJECTS = $(UNIT_SOURCES:%.c=$(UNIT_OUT)/unit-asan.d/%.o)
UNIT_ALONE_OBJECTS = $(UNIT_ALONE_SOURCES:%.c=$(UNIT_OUT)/unit-alone.d/%.o)
UNIT_32_OBJECTS = $(UNIT_ALONE_SOURCES:%.c=$(UNIT_OUT)/unit-32.d/%.o)

$(UNIT_OBJECTS): $(UNIT_OUT)/unit.d/%.o: %.c $(UNIT)/unit.mk
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -Ilib -MMD -c -o $@ $<

$(UNIT_ASAN_OBJECTS): $(UNIT_OUT)/unit-asan.d/%.o: %.c $(UNIT)/unit.mk
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(UNIT_SANITIZE) -Ilib -MMD -c -o $@ $<

$(UNIT_ALONE_OBJECTS): $(UNIT_OUT)/unit-alone.d/%.o: %.c $(UNIT)/unit.mk
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -I$(UNIT)/alone -Ilib -MMD -c -o $@ $<

$(UNIT_32_OBJECTS): $(UNIT_OUT)/unit-32.d/%.o: %.c $(UNIT)/unit.mk
	@mkdir -p $(@D)
	$(UNIT_32_CC) $(CFLAGS) -I$(UNIT)/alone -Ilib -MMD -c -o $@ $<

$(UNIT_OUT)/unit: $(UNIT_OBJECTS)
	$(CC) $(CFLAGS) -o $@ $^ -lcriterion

$(UNIT_OUT)/unit-asan: $(UNIT_ASAN_OBJECTS)
	$(CC) $(CFLAGS) $(UNIT_SANITIZE) -o $@ $^ -lcriterion

$(UNIT_OUT)/unit-alone: $(UNIT_ALONE_OBJECTS)
	$(CC) $(CFLAGS) -o $@ $^

$(UNIT_OUT)/unit-32: $(UNIT_32_OBJECTS)
	$(UNIT_32_CC) $(CFLAGS) -static -o $@ $^

-include $(UNIT_OBJECTS:.o=.d) $(UNIT_ASAN_OBJECTS:.o=.d) $(UNIT_ALONE_OBJECTS:.o=.d) $(UNIT_32_OBJECTS:.o=.d)
