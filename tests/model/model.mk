# model.mk: what a confined command can do against a model of the rules, in one static program.
# `make model` runs the suite, `make model SEED=N COUNT=N [ABI=N]` as many trials as one likes.

MODEL = $(BUILD)/tests/model
MODEL_SUITES = "both:$(MODEL)"
MODEL_SOURCES = tests/check.c tests/levels/levels.c tests/levels/errnos.c $(addprefix tests/model/,model.c campaign.c \
	trial.c shrink.c sides.c undo.c draw.c tree.c judge.c policy.c look.c worker.c operation.c)
MODEL_HEADERS = tests/check.h tests/levels/levels.h tests/levels/errnos.h $(addprefix tests/model/,campaign.h trial.h shrink.h \
	sides.h undo.h draw.h tree.h judge.h policy.h look.h worker.h operation.h random.h)

MODEL_TRIALS = --helper trials --tally --seed $(or $(SEED),1) --count $(or $(COUNT),1000) $(if $(ABI),--abi $(ABI))

.PHONY: model
model: $(MODEL) $(SIMULATE) $(LAUNCHER)
	LANDLOCK_RUN=$(abspath $(LAUNCHER)) $(MODEL) $(if $(SEED)$(COUNT),$(MODEL_TRIALS))

$(MODEL): $(MODEL_SOURCES) $(MODEL_HEADERS)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -static -o $@ $(MODEL_SOURCES)
