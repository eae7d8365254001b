/* The classifier of a finished child: input is the wait status, four bytes, and its stderr.
 * Its judgement is what the rules say, looked up line by line. */
#include <ctype.h>
#include <string.h>
#include <sys/wait.h>

#include "claims.h"

#define PREFIX "landlock-run: "
#define NOTICE "landlock-run: partial enforcement (older Landlock ABI)"
#define DENIED "permission denied"

/* In lower case, so that it can be searched as it stands. */
static char *lowered(const char *text, size_t length)
{
	char *copy = fuzz_memory(length);

	for (size_t i = 0; i < length; i++)
		copy[i] = (unsigned char)text[i] < 0x80 ? (char)tolower(text[i]) : text[i];
	return copy;
}

/* The end of the line that begins there: its newline, or the text's end. */
static size_t end_of_line(const char *text, size_t length, size_t at)
{
	const char *newline = at < length ? memchr(text + at, '\n', length - at) : NULL;

	return newline ? (size_t)(newline - text) : length;
}

static size_t without_return(const char *text, size_t at, size_t end)
{
	return end > at && text[end - 1] == '\r' ? end - 1 : end;
}

struct expected {
	size_t fatal, denied; /* where such a line begins; the text's length: nowhere */
	int partial;
};

static struct expected expect(const char *text, size_t length)
{
	struct expected expected = { length, length, 0 };
	const char *low = lowered(text, length), *notice = lowered(NOTICE, strlen(NOTICE));

	for (size_t at = 0, end; at < length; at = end + 1) {
		size_t size;

		end = end_of_line(text, length, at);
		size = without_return(text, at, end) - at;
		if (size == strlen(NOTICE) && !memcmp(low + at, notice, size))
			expected.partial = 1;
		else if (expected.fatal == length && memmem(low + at, size, PREFIX, strlen(PREFIX)))
			expected.fatal = at;
		if (expected.denied == length && memmem(low + at, size, DENIED, strlen(DENIED)))
			expected.denied = at;
	}
	return expected;
}

static void claim_evidence(const struct llr_verdict *verdict, const char *text, size_t length,
			   size_t at)
{
	HOLDS(verdict->evidence == text + at);
	HOLDS(verdict->evidence_length ==
	      without_return(text, at, end_of_line(text, length, at)) - at);
}

void fuzz_verdict(struct bytes bytes)
{
	int32_t status = (int32_t)take_number(&bytes, 4);
	size_t length;
	char *text = take_rest(&bytes, &length);
	struct llr_verdict verdict = LLR_VERDICT_INIT;
	struct expected expected = expect(text, length);
	int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;

	llr_classify(status, text, length, &verdict);
	HOLDS(verdict.size == sizeof verdict && !verdict.reserved);
	HOLDS(verdict.exit_status == code);
	HOLDS(verdict.signal == (WIFSIGNALED(status) ? WTERMSIG(status) : 0));
	HOLDS(verdict.partial == (uint32_t)expected.partial);
	if (verdict.kind == LLR_VERDICT_LAUNCHER) {
		HOLDS(code == 125 && expected.fatal < length);
		claim_evidence(&verdict, text, length, expected.fatal);
	} else if (verdict.kind == LLR_VERDICT_DENIED) {
		HOLDS(code > 0 && (code != 125 || expected.fatal == length));
		HOLDS(expected.denied < length);
		claim_evidence(&verdict, text, length, expected.denied);
	} else {
		HOLDS(verdict.kind == LLR_VERDICT_COMMAND);
		HOLDS(!verdict.evidence && !verdict.evidence_length);
		HOLDS(code <= 0 ||
		      (expected.denied == length && (code != 125 || expected.fatal == length)));
	}
}
