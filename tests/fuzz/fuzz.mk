# fuzz.mk: the targets of tests/fuzz/targets, built four ways from the same sources: replayed over the committed corpus with
# sanitizers (`make test`), and driven by libFuzzer (`make fuzz`) or AFL++ (`make fuzz-afl`). See tests/fuzz/README.md.

FUZZ = tests/fuzz
FUZZ_OUT = $(BUILD)/tests/fuzz.d
FUZZ_TARGETS = args argsfile argv bwrap culprit json lines plan probe records status text verdict
FUZZ_LIBRARY = args argv confine errnos error exec guards inherit json options report rights ruleset status table text verdict
FUZZ_LAUNCHER = argsfile bwrap culprit page plan process

FUZZ_SOURCES = $(FUZZ)/fuzz.c $(FUZZ)/reference.c $(FUZZ)/targets/claims.c $(FUZZ_TARGETS:%=$(FUZZ)/targets/%.c) \
	$(FUZZ_LIBRARY:%=lib/%.c) $(FUZZ_LAUNCHER:%=launcher/%.c)
FUZZ_INCLUDES = -Ilib -Ilauncher -I$(FUZZ)
# In what is the launcher's the running target is the kernel, and answers for what else would ask it.
FUZZ_FAKED = -include $(FUZZ)/fake_sys.h -Dllr_confine_before_exec=fake_confine_before_exec -Dllr_die_with_parent=fake_die_with_parent \
	-Dllr_policy_plan=fake_plan -Dreport_text=fake_report_text -Dgit_find=fake_git_find

# One row per way: its name, its compiler, its flags, and what runs the targets.
FUZZ_SANITIZE = -O1 -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all
FUZZ_WAYS = replay replay-msan libfuzzer afl
FUZZ_CC_replay = $(CC)
FUZZ_FLAGS_replay = $(FUZZ_SANITIZE)
FUZZ_CC_replay-msan = clang
FUZZ_FLAGS_replay-msan = -O1 -fno-omit-frame-pointer -fsanitize=memory -fsanitize-memory-track-origins -fno-sanitize-recover=all
FUZZ_CC_libfuzzer = clang
FUZZ_FLAGS_libfuzzer = $(FUZZ_SANITIZE) -O2 -fsanitize=fuzzer-no-link
FUZZ_LINK_libfuzzer = -fsanitize=fuzzer
FUZZ_CC_afl = AFL_QUIET=1 afl-clang-fast
FUZZ_FLAGS_afl = $(FUZZ_SANITIZE)
FUZZ_LINK_afl = -fsanitize=fuzzer
FUZZ_MAIN_replay = $(FUZZ)/replay.c
FUZZ_MAIN_replay-msan = $(FUZZ)/replay.c
FUZZ_MAIN_libfuzzer = $(FUZZ)/engine.c
FUZZ_MAIN_afl = $(FUZZ)/engine.c

fuzz_objects = $(patsubst %.c,$(FUZZ_OUT)/$(1)/%.o,$(FUZZ_SOURCES) $(FUZZ_MAIN_$(1)))

define FUZZ_WAY
$(call fuzz_objects,$(1)): $(FUZZ_OUT)/$(1)/%.o: %.c $(FUZZ)/fuzz.mk
	@mkdir -p $$(@D)
	$(FUZZ_CC_$(1)) $$(CFLAGS) $(FUZZ_FLAGS_$(1)) $$(FUZZ_INCLUDES) $$(if $$(filter launcher/%,$$<),$$(FUZZ_FAKED)) -MMD -c -o $$@ $$<

$(BUILD)/tests/fuzz-$(1): $(call fuzz_objects,$(1))
	$(FUZZ_CC_$(1)) $(FUZZ_FLAGS_$(1)) $(FUZZ_LINK_$(1)) -o $$@ $$^

-include $(patsubst %.o,%.d,$(call fuzz_objects,$(1)))
endef
$(foreach way,$(FUZZ_WAYS),$(eval $(call FUZZ_WAY,$(way))))

FUZZ_PROGRAMS = $(BUILD)/tests/fuzz-replay $(BUILD)/tests/fuzz-replay-msan
FUZZ_SUITES = $(FUZZ_PROGRAMS:%="% $(FUZZ)/corpus")

# How long the fuzzers look, all targets together.
FUZZ_SECONDS = 90

.PHONY: fuzz fuzz-afl fuzz-minimise
fuzz:
	@ci/need build fuzz
	@$(MAKE) -s $(FUZZ_PROGRAMS) $(BUILD)/tests/fuzz-libfuzzer
	@tests/run --closing fuzz "$(FUZZ)/mutants $(BUILD)" "$(FUZZ)/run libfuzzer $(BUILD) $(FUZZ_SECONDS) $(FUZZ_TARGETS)"

fuzz-afl:
	@ci/need build fuzz afl
	@$(MAKE) -s $(BUILD)/tests/fuzz-afl
	@tests/run --closing fuzz-afl "$(FUZZ)/run afl $(BUILD) $(FUZZ_SECONDS) $(FUZZ_TARGETS)"

fuzz-minimise:
	@$(MAKE) -s $(BUILD)/tests/fuzz-libfuzzer
	@$(FUZZ)/run minimise $(BUILD) 0 $(FUZZ_TARGETS)

# One of the programs with another file in place of one of its sources: see tests/fuzz/mutants.
.PHONY: fuzz-mutant
FUZZ_MUTANT_WAY = replay
fuzz-mutant:
	$(FUZZ_CC_$(FUZZ_MUTANT_WAY)) $(CFLAGS) $(FUZZ_FLAGS_$(FUZZ_MUTANT_WAY)) -w $(FUZZ_INCLUDES) \
		$(if $(filter launcher/%,$(FUZZ_MUTANT)),$(FUZZ_FAKED)) -c -o $(FUZZ_MUTANT_AS).o $(FUZZ_MUTANT_AS).c
	$(FUZZ_CC_$(FUZZ_MUTANT_WAY)) $(FUZZ_FLAGS_$(FUZZ_MUTANT_WAY)) $(FUZZ_LINK_$(FUZZ_MUTANT_WAY)) -o $(FUZZ_MUTANT_AS) $(FUZZ_MUTANT_AS).o \
		$(filter-out %/$(FUZZ_MUTANT:.c=.o),$(call fuzz_objects,$(FUZZ_MUTANT_WAY)))
