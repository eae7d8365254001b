# survey.mk: what `landlock-run probe --json` prints is held against its schema, and against its text. `make test-survey` runs it.

SURVEY_SUITES = "/usr/bin/python3 tests/survey/schema.py $(BUILD)"

.PHONY: test-survey
test-survey: $(LAUNCHER) $(SIMULATE)
	tests/run --closing survey $(SURVEY_SUITES)
