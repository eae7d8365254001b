# dist.mk: the release. `make dist` writes it, `make test-dist` writes it twice under other conditions and looks inside.
# Nothing here builds what is published: ci/dist/release does, from the source archive alone.

DIST = $(BUILD)/dist
DIST_ARCHES = x86_64 aarch64 riscv64

.PHONY: dist test-dist version
dist:
	@ci/need build dist
	@rm -rf $(DIST)
	@ci/dist/release $(DIST) $(DIST_ARCHES)
	@cd $(DIST) && sha256sum -c --quiet SHA256SUMS && ls -l

test-dist: dist
	@ci/need test-dist
	@$(MAKE) -s all
	@tests/run --closing dist "tests/dist/archives $(BUILD) $(DIST)" "tests/dist/sbom $(DIST)" "tests/dist/reproducible $(DIST)"

# The one place where the version stands is the public header; this is for those who cannot include it.
version:
	@echo $(VERSION)
