# What completes the launcher's command line in bash, zsh and fish: templates, into which the tables of options are put when
# the launcher is built. `make test-completions` completes in the real shells.

COMPLETIONS = launcher/completions
COMPLETIONS_OUT = $(BUILD)/completions
COMPLETIONS_FILES = $(addprefix $(COMPLETIONS_OUT)/,landlock-run.bash landlock-run.zsh landlock-run.fish)
COMPLETIONS_SUITES = "tests/completions/test $(BUILD)"
COMPLETIONS_SOURCES = $(COMPLETIONS)/generate.c lib/options.c lib/rights.c lib/table.c lib/text.c

# Where the shells look for them.
COMPLETIONS_INSTALLED = share/bash-completion/completions/landlock-run share/zsh/site-functions/_landlock-run \
	share/fish/vendor_completions.d/landlock-run.fish

.PHONY: install-completions test-completions
install-completions: $(COMPLETIONS_FILES)
	$(INSTALL) -d $(addprefix $(AT)/,$(dir $(COMPLETIONS_INSTALLED)))
	$(INSTALL) -m 644 $(COMPLETIONS_OUT)/landlock-run.bash $(AT)/share/bash-completion/completions/landlock-run
	$(INSTALL) -m 644 $(COMPLETIONS_OUT)/landlock-run.zsh $(AT)/share/zsh/site-functions/_landlock-run
	$(INSTALL) -m 644 $(COMPLETIONS_OUT)/landlock-run.fish $(AT)/share/fish/vendor_completions.d/landlock-run.fish

test-completions: $(LAUNCHER) $(COMPLETIONS_FILES)
	tests/run --closing completions $(COMPLETIONS_SUITES)

# It runs here, whatever the launcher is built for.
$(COMPLETIONS_OUT)/generate: $(COMPLETIONS_SOURCES) launcher/bwrap.h lib/options.h lib/rights.h lib/text.h lib/landlock-run.h
	@mkdir -p $(@D)
	cc $(CFLAGS) $(INCLUDES) -o $@ $(COMPLETIONS_SOURCES)

$(COMPLETIONS_OUT)/options $(COMPLETIONS_OUT)/bwrap: $(COMPLETIONS_OUT)/generate
	$< $(@F) >$@.part
	mv $@.part $@

$(COMPLETIONS_FILES): $(COMPLETIONS_OUT)/%: $(COMPLETIONS)/% $(COMPLETIONS_OUT)/options $(COMPLETIONS_OUT)/bwrap
	sed -e '/^@OPTIONS@$$/{' -e 'r $(COMPLETIONS_OUT)/options' -e 'd' -e '}' \
		-e '/^@BWRAP@$$/{' -e 'r $(COMPLETIONS_OUT)/bwrap' -e 'd' -e '}' $< >$@

all: $(COMPLETIONS_FILES)
