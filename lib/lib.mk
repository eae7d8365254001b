# The library in both forms, and what `make install` puts where.
# It links nothing; only what the public header declares leaves the shared object.

VERSION := $(shell sed -n 's/^.define LLR_VERSION "\(.*\)"/\1/p' lib/landlock-run.h)
SONAME = liblandlock-run.so.1
SHARED_NAME = liblandlock-run.so.$(VERSION)

# The launcher needs no reader, no spawn and no rows that callers may keep.
LIBRARY_SOURCES = $(LIB_SOURCES) argv json spawn table verdict
# Freestanding: a compiler may then ask for no more than mem* functions.
LIBRARY_FLAGS = -ffreestanding -fvisibility=hidden $(if $(BARE),,-DLLR_HOSTED)

ARCHIVE_OBJECTS = $(LIBRARY_SOURCES:%=$(BUILD)/archive.o.d/%.o)
SHARED_OBJECTS = $(LIBRARY_SOURCES:%=$(BUILD)/shared.o.d/%.o)

$(BUILD)/archive.o.d/%.o: lib/%.c Makefile lib/lib.mk
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(LIBRARY_FLAGS) -Ilib -MMD -c -o $@ $<

$(BUILD)/shared.o.d/%.o: lib/%.c Makefile lib/lib.mk
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(LIBRARY_FLAGS) -fPIC -Ilib -MMD -c -o $@ $<

$(ARCHIVE): $(ARCHIVE_OBJECTS)
	rm -f $@
	$(AR) rcsD $@ $^

# No start files: nothing runs when it is loaded, and nothing is inside but what stands here.
$(SHARED): $(SHARED_OBJECTS) lib/landlock-run.map
	$(CC) $(CFLAGS) -shared -nostartfiles -Wl,-soname,$(SONAME) -Wl,--version-script=lib/landlock-run.map -Wl,-z,defs -Wl,-z,relro,-z,now \
		-Wl,--build-id=none -o $(BUILD)/$(SHARED_NAME) $(SHARED_OBJECTS)
	ln -sf $(SHARED_NAME) $(BUILD)/$(SONAME)
	ln -sf $(SONAME) $@

-include $(ARCHIVE_OBJECTS:.o=.d) $(SHARED_OBJECTS:.o=.d)

# ---- Installing ----

INSTALL = install
# Beneath PREFIX; a distribution may have one for each architecture.
LIBDIR = lib
AT = $(DESTDIR)$(PREFIX)
INSTALLED = bin/landlock-run include/landlock-run.h \
	$(addprefix $(LIBDIR)/,liblandlock-run.a $(SHARED_NAME) $(SONAME) liblandlock-run.so pkgconfig/landlock-run.pc) \
	share/man/man1/landlock-run.1 share/man/man3/landlock-run.3 share/man/man7/landlock-run-contract.7 \
	$(COMPLETIONS_INSTALLED)

.PHONY: install uninstall
install: $(LAUNCHER) $(ARCHIVE) $(SHARED) install-completions
	$(INSTALL) -d $(addprefix $(AT)/,bin include $(LIBDIR)/pkgconfig share/man/man1 share/man/man3 share/man/man7)
	$(INSTALL) -m 755 $(LAUNCHER) $(AT)/bin/landlock-run
	$(INSTALL) -m 644 lib/landlock-run.h $(AT)/include/landlock-run.h
	$(INSTALL) -m 644 $(ARCHIVE) $(AT)/$(LIBDIR)/liblandlock-run.a
	$(INSTALL) -m 755 $(BUILD)/$(SHARED_NAME) $(AT)/$(LIBDIR)/$(SHARED_NAME)
	ln -sf $(SHARED_NAME) $(AT)/$(LIBDIR)/$(SONAME)
	ln -sf $(SONAME) $(AT)/$(LIBDIR)/liblandlock-run.so
	sed -e 's,@PREFIX@,$(PREFIX),' -e 's,@LIBDIR@,$(LIBDIR),' -e 's,@VERSION@,$(VERSION),' lib/landlock-run.pc.in >$(BUILD)/landlock-run.pc
	$(INSTALL) -m 644 $(BUILD)/landlock-run.pc $(AT)/$(LIBDIR)/pkgconfig/landlock-run.pc
	$(INSTALL) -m 644 launcher/landlock-run.1 $(AT)/share/man/man1/landlock-run.1
	$(INSTALL) -m 644 lib/landlock-run.3 $(AT)/share/man/man3/landlock-run.3
	$(INSTALL) -m 644 launcher/landlock-run-contract.7 $(AT)/share/man/man7/landlock-run-contract.7

uninstall:
	rm -f $(addprefix $(AT)/,$(INSTALLED))
