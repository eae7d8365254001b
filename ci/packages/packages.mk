# packages.mk: other architectures, and what this is installed from: Debian packages, npm packages, a container image.
# `make test-arch` tests each architecture; `make packages` leaves the packages in BUILD/packages, `make test-packages` installs them;
# `make test-jobs` runs the examples for CI jobs. How an architecture is built stands in the Makefile, which ones there are in the table
# beside this file.

PACKAGES = ci/packages
ARCHITECTURES := $(shell awk '/^[^\#]/ { print $$1 }' $(PACKAGES)/architectures)
PACKAGED := $(shell awk '/^[^\#]/ && $$3 == "bare" { print $$1 }' $(PACKAGES)/architectures)

# This machine's is what is built in any case; each other one is in a tree of its own.
arch_words = $(if $(filter $(shell uname -m),$(1)),BUILD=$(BUILD),ARCH=$(1) BUILD=$(BUILD)/$(1))

.PHONY: architectures test-arch
architectures:
	+@$(foreach arch,$(ARCHITECTURES),$(MAKE) -s $(call arch_words,$(arch)) all &&) :

# An x86_64 machine runs the tests of i386 too; the simulator is the machine's own for both.
test-arch:
	@ci/need build test architectures
	@$(MAKE) -s -j2 architectures CFLAGS='-O2 -g -Werror'
	@$(MAKE) -s $(CONTRACT) $(SIMULATE)
	@$(MAKE) -s ARCH=i386 BUILD=$(BUILD)/i386 $(BUILD)/i386/tests/contract $(BUILD)/i386/tests/library
	@cp $(SIMULATE) $(BUILD)/i386/tests/
	$(PACKAGES)/test-architectures $(BUILD)

# ---- Packages: of the architectures that need no libc, each as its own kind of archive ----

OUT = $(BUILD)/packages
PACKAGE_SUITES = "$(PACKAGES)/debian/test $(BUILD) $(OUT)" "$(PACKAGES)/npm/test $(BUILD) $(OUT)" "$(PACKAGES)/container/test $(BUILD) $(OUT)"
package_build = $(if $(filter $(shell uname -m),$(1)),$(BUILD),$(BUILD)/$(1))

.PHONY: packages test-packages
packages:
	@ci/need build architectures packages
	@rm -rf $(OUT)
	+@$(foreach arch,$(PACKAGED),$(MAKE) -s $(call arch_words,$(arch)) all &&) :
	@$(foreach arch,$(PACKAGED),$(PACKAGES)/debian/build $(arch) $(call package_build,$(arch)) $(OUT) && \
		$(PACKAGES)/npm/build $(arch) $(call package_build,$(arch)) $(OUT) &&) :
	@$(PACKAGES)/container/build $(OUT) $(foreach arch,$(PACKAGED),$(arch)=$(call package_build,$(arch)))
	@ls -l $(OUT)

test-packages: packages
	@$(MAKE) -s $(SIMULATE)
	@BUILD=$(BUILD) tests/run --closing packages $(PACKAGE_SUITES)

# ---- CI jobs: action.yml, and the examples of docs/ci-jobs.md ----

.PHONY: test-jobs
test-jobs:
	@ci/need build packages
	@$(MAKE) -s all $(SIMULATE)
	@BUILD=$(BUILD) tests/run --closing jobs "$(PACKAGES)/jobs/test $(BUILD)"
