# The library as third parties use it: in-process, installed, and from other languages.

LIBRARY = $(BUILD)/tests/library
LIBRARY_TEST_SOURCES = tests/check.c tests/program.c tests/library/spawn.c

$(LIBRARY): $(LIBRARY_TEST_SOURCES) $(ARCHIVE) tests/check.h tests/program.h
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -Ilib -static -o $@ $(LIBRARY_TEST_SOURCES) $(ARCHIVE) -pthread

.PHONY: test-library
test-library: $(LIBRARY) all
	tests/run --closing library both:$(LIBRARY) "tests/library/third-parties $(BUILD)"
