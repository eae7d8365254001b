# faults.mk: the launcher and the library on kernels that claim another ABI, under injected faults, and in
# conditions that fail by themselves. Each suite finds the programs beside its own; LANDLOCK_RUN names another launcher.

FAULTS = tests/levels
LEVEL_SUITES = both:$(BUILD)/tests/claims $(BUILD)/tests/faults both:$(BUILD)/tests/conditions
LEVEL_PROGRAMS = $(BUILD)/tests/claims $(BUILD)/tests/faults $(BUILD)/tests/conditions $(BUILD)/tests/witness $(BUILD)/tests/policy $(SIMULATE)
FAULTS_SHARED = $(FAULTS)/pool.c $(FAULTS)/scene.c $(FAULTS)/trial.c
FAULTS_HEADERS = $(FAULTS)/pool.h $(FAULTS)/scene.h $(FAULTS)/trial.h

.PHONY: test-levels level-programs
test-levels: level-programs $(LAUNCHER)
	tests/run --closing levels $(LEVEL_SUITES)

level-programs: $(LEVEL_PROGRAMS)

$(BUILD)/tests/claims: $(FAULTS)/claims.c $(FAULTS)/claim.c $(FAULTS)/claim.h $(FAULTS_SHARED) $(FAULTS_HEADERS) \
		$(FAULTS)/levels.c $(FAULTS)/levels.h $(FAULTS)/errnos.c $(FAULTS)/errnos.h
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -static -o $@ $(filter %.c,$^)

$(BUILD)/tests/witness: $(FAULTS)/witness.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -static -o $@ $<

$(BUILD)/tests/policy: $(FAULTS)/policy.c $(ARCHIVE) lib/landlock-run.h
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(INCLUDES) -static -o $@ $< $(ARCHIVE)

$(BUILD)/tests/faults $(BUILD)/tests/conditions: $(BUILD)/tests/%: $(FAULTS)/%.c $(FAULTS)/fault_tables.c $(FAULTS)/fault_tables.h \
		$(FAULTS)/recording.c $(FAULTS)/recording.h $(FAULTS)/claim.c $(FAULTS)/claim.h \
		$(FAULTS_SHARED) $(FAULTS_HEADERS) $(FAULTS)/levels.c $(FAULTS)/levels.h \
		$(FAULTS)/errnos.c $(FAULTS)/errnos.h
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -static -o $@ $(filter %.c,$^)
