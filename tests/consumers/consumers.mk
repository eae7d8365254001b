# `make test-consumers`: the published consumer driven with our launcher, in each of the three ways that WIRING.md describes, and the
# document of differences compared with a fresh run. `make differences` writes it anew. npm is asked once; .cache keeps what it fetched.

CONSUMERS = tests/consumers
CONSUMERS_SUITES = "$(CONSUMERS)/test $(BUILD)" "$(CONSUMERS)/differences --check $(BUILD) $(CONSUMERS)/DIFFERENCES.md"
CONSUMERS_PROGRAMS = $(BUILD)/landlock-run $(BUILD)/tests/simulate $(BUILD)/tests/contract

.PHONY: test-consumers differences
test-consumers: $(CONSUMERS_PROGRAMS)
	tests/run --closing consumers $(CONSUMERS_SUITES)

differences: $(CONSUMERS_PROGRAMS)
	$(CONSUMERS)/differences $(BUILD) $(CONSUMERS)/DIFFERENCES.md
