# escapes.mk: known ways out of the confinement, each tried, and the section of the manual that the
# same table makes. `make test-escapes` tries them here; `make manual` writes the section anew.

ESCAPES = $(BUILD)/tests/escapes
ESCAPES_PRELOAD = $(BUILD)/tests/escapes-preload.so
ESCAPES_MANUAL = $(BUILD)/tests/escapes-manual
ESCAPES_SOURCES = tests/check.c tests/program.c $(addprefix tests/escapes/,escapes.c outside.c witness.c \
	attempts.c processes.c files.c mounts.c programs.c descriptors.c ring.c sockets.c objects.c privileges.c)
ESCAPES_HEADERS = tests/check.h tests/program.h $(addprefix tests/escapes/,escape.h table.h outside.h witness.h)

ESCAPES_PROGRAMS = $(ESCAPES) $(ESCAPES_PRELOAD) $(ESCAPES_MANUAL)
ESCAPES_SUITES = both:$(ESCAPES) 'tests/escapes/section $(ESCAPES_MANUAL) launcher/landlock-run.1'

.PHONY: test-escapes manual
test-escapes: $(ESCAPES_PROGRAMS) $(SIMULATE) $(LAUNCHER)
	BUILD=$(BUILD) tests/run --closing escapes $(ESCAPES_SUITES)

manual: $(ESCAPES_MANUAL)
	tests/escapes/section --write $(ESCAPES_MANUAL) launcher/landlock-run.1

# At low addresses, as -static has them: it makes calls that take 32-bit pointers.
$(ESCAPES): $(ESCAPES_SOURCES) $(ESCAPES_HEADERS)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -static -o $@ $(ESCAPES_SOURCES)

$(ESCAPES_PRELOAD): tests/escapes/preload.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -shared -fPIC -o $@ $<

# It runs here, whatever the tests are built for.
RIGHTS_TABLE = lib/rights.c lib/table.c lib/text.c
$(ESCAPES_MANUAL): tests/escapes/manual.c tests/escapes/table.h $(RIGHTS_TABLE) lib/rights.h lib/landlock-run.h
	@mkdir -p $(@D)
	cc $(CFLAGS) -Ilib -o $@ tests/escapes/manual.c $(RIGHTS_TABLE)
