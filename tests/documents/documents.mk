# documents.mk: what is written is held against what is there. `make test-documents` runs the examples of all pages and manuals,
# and compares links, options and tables; `make documents` renews what can be renewed.

DOCUMENTS = tests/documents
# The pages with examples, and those with tables.
DOCUMENTS_EXAMPLES = README.md launcher/landlock-run.1 launcher/landlock-run-contract.7 \
	docs/harnesses.md docs/ci-jobs.md docs/containers.md docs/auditing.md docs/architecture.md
DOCUMENTS_TABLES = docs/auditing.md docs/containers.md
DOCUMENTS_SUITES = "$(DOCUMENTS)/examples $(BUILD) $(DOCUMENTS_EXAMPLES)" "$(DOCUMENTS)/lines README.md" \
	"$(DOCUMENTS)/references $(BUILD)" "$(DOCUMENTS)/tables $(BUILD) $(DOCUMENTS_TABLES)" \
	"$(DOCUMENTS)/pictures $(BUILD)"

.PHONY: documents test-documents
documents: all $(SIMULATE)
	$(DOCUMENTS)/lines --write README.md
	$(DOCUMENTS)/tables --write $(BUILD) $(DOCUMENTS_TABLES)
	$(DOCUMENTS)/pictures --write $(BUILD)

test-documents: all $(SIMULATE)
	tests/run --closing documents $(DOCUMENTS_SUITES)
