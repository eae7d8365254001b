# contract.mk: tests of the real binary by their effects, one static program that also runs in a guest.
# `make contract` runs it here; LANDLOCK_RUN names another binary to be tested.

CONTRACT = $(BUILD)/tests/contract
CONTRACT_SOURCES = tests/check.c tests/program.c $(addprefix tests/contract/,launch.c acts.c argsfile.c commands.c \
	usage.c grants.c lines.c bwrap.c inherit.c exec.c modes.c probe.c survey.c binary.c \
	floor.c network.c finer.c channels.c scenarios.c git.c)

.PHONY: contract
contract: $(CONTRACT) $(LAUNCHER)
	LANDLOCK_RUN=$(abspath $(LAUNCHER)) $(CONTRACT)

$(CONTRACT): $(CONTRACT_SOURCES) tests/check.h tests/program.h tests/contract/launch.h
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -static -o $@ $(CONTRACT_SOURCES)
