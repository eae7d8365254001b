# `make test-consumers`: the published consumer driven with our launcher, in each of the three ways that WIRING.md describes.
# Needs npm and its registry once; what it fetched is kept in .cache.

CONSUMERS = tests/consumers
CONSUMERS_SUITES = "$(CONSUMERS)/test $(BUILD)"
CONSUMERS_PROGRAMS = $(BUILD)/landlock-run $(BUILD)/tests/simulate

.PHONY: test-consumers
test-consumers: $(CONSUMERS_PROGRAMS)
	tests/run --closing consumers $(CONSUMERS_SUITES)
