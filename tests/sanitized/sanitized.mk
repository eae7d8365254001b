# sanitized.mk: the suites that run the product, on programs that end when it does what C does not define, or uses what it has not set. More
# of it stands elsewhere: the unit tests under ASan, UBSan and valgrind (tests/unit), the fuzz targets under ASan, UBSan and MSan (tests/fuzz).
#
# The launcher is the bare one: a trap in place of each report needs no runtime, so that it makes the calls of any other.

SANITIZED_OUT = $(BUILD)/sanitized
SANITIZED_CC = clang
SANITIZED_BASE = -O1 -fno-omit-frame-pointer -fno-sanitize-recover=all
SANITIZED_asan = -fsanitize=address,undefined
SANITIZED_msan = -fsanitize=memory -fsanitize-memory-track-origins
SANITIZED_LAUNCHER_FLAGS = -O1 -fsanitize=undefined,bounds,implicit-integer-truncation -fsanitize-trap=all
SANITIZED_LAUNCHER_FLAGS += -ffreestanding -fno-stack-protector -fno-pic -fno-pie -fcf-protection=none -ffunction-sections -fno-asynchronous-unwind-tables

SANITIZED_LIBRARY = $(LIBRARY_SOURCES:%=lib/%.c)
SANITIZED_SUITES = $(SANITIZED_OUT)/unit-msan $(SANITIZED_OUT)/library-asan $(SANITIZED_OUT)/library-msan
SANITIZED_PROGRAMS = $(SANITIZED_OUT)/landlock-run $(SANITIZED_SUITES)

$(SANITIZED_OUT)/landlock-run: $(LAUNCHER_SOURCES) $(LAUNCHER) tests/sanitized/sanitized.mk
	@mkdir -p $(@D)
	$(SANITIZED_CC) $(CFLAGS) $(SANITIZED_LAUNCHER_FLAGS) $(INCLUDES) $(WORDS_PACKED) -static -nostdlib -nostartfiles \
		-Wl,--gc-sections -Wl,-z,noseparate-code -Wl,--build-id=none -o $@.unstripped $(LAUNCHER_SOURCES)
	$(PACK) $@.unstripped $@ && chmod +x $@

$(SANITIZED_OUT)/unit-msan: $(UNIT_ALONE_SOURCES) $(ARCHIVE) tests/sanitized/sanitized.mk
	@mkdir -p $(@D)
	$(SANITIZED_CC) $(CFLAGS) $(SANITIZED_BASE) $(SANITIZED_msan) -I$(UNIT)/alone -Ilib -o $@ $(UNIT_ALONE_SOURCES)

$(SANITIZED_OUT)/library-asan $(SANITIZED_OUT)/library-msan: $(SANITIZED_OUT)/library-%: $(LIBRARY_TEST_SOURCES) $(SANITIZED_LIBRARY) $(ARCHIVE) \
		tests/sanitized/sanitized.mk
	@mkdir -p $(@D)
	$(SANITIZED_CC) $(CFLAGS) $(SANITIZED_BASE) $(SANITIZED_$*) -Ilib -o $@ $(LIBRARY_TEST_SOURCES) $(SANITIZED_LIBRARY) -pthread

.PHONY: test-sanitized
test-sanitized:
	@ci/need build test
	@$(MAKE) -s $(SANITIZED_PROGRAMS) $(BUILD)/tests/contract $(LEVEL_PROGRAMS)
	@LANDLOCK_RUN_HOSTED=1 LANDLOCK_RUN=$(abspath $(SANITIZED_OUT))/landlock-run tests/run --closing sanitized $(SANITIZED_SUITES) \
		$(BUILD)/tests/contract $(BUILD)/tests/faults $(BUILD)/tests/conditions
