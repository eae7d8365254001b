/* What became of a finished child: the consumers' rules, on any bytes.
 * The rules stand here a second time, in another form, and both are compared on random text. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "unit.h"

#define EXITED(status) ((int32_t)((status) << 8))
#define FATAL "landlock-run: cannot open rule path: /x: No such file or directory"
#define DENIED "bash: line 1: /x: Permission denied"

/* The verdict on an exact copy; *evidence as a string, "" for none. */
struct judged {
	struct llr_verdict verdict;
	char evidence[512];
};

static struct judged judge(int32_t wait_status, const char *errors, size_t length)
{
	struct judged judged = { LLR_VERDICT_INIT, "" };
	char *exact = exact_copy(errors, length);

	llr_classify(wait_status, exact, length, &judged.verdict);
	if (judged.verdict.evidence) {
		cr_assert(judged.verdict.evidence >= exact &&
				  judged.verdict.evidence + judged.verdict.evidence_length <=
					  exact + length,
			  "the evidence is not in what was given");
		if (judged.verdict.evidence_length < sizeof judged.evidence)
			memcpy(judged.evidence, judged.verdict.evidence,
			       (size_t)judged.verdict.evidence_length);
	}
	exact_free(exact);
	return judged;
}

/* Judges a string literal, NUL bytes inside included. */
#define JUDGE(wait_status, literal) judge(wait_status, literal, sizeof(literal) - 1)

static void expect(struct judged judged, uint32_t kind, const char *evidence)
{
	cr_expect_eq(judged.verdict.kind, kind, "kind %u for \"%s\"", judged.verdict.kind,
		     evidence);
	cr_expect_str_eq(judged.evidence, evidence);
	cr_expect_eq(!judged.verdict.evidence, kind == LLR_VERDICT_COMMAND,
		     "evidence exactly where there is a judgement");
	cr_expect_eq(judged.verdict.reserved, 0);
}

Test(verdict, exit_125_with_a_fatal_line_is_the_launchers_failure)
{
	expect(JUDGE(EXITED(125), FATAL "\n"), LLR_VERDICT_LAUNCHER, FATAL);
	expect(JUDGE(EXITED(125), "warming up\n" FATAL "\nmore\n"), LLR_VERDICT_LAUNCHER, FATAL);
	expect(JUDGE(EXITED(125), "LANDLOCK-RUN: X\n"), LLR_VERDICT_LAUNCHER, "LANDLOCK-RUN: X");
	expect(JUDGE(EXITED(125), "sh: Landlock-Run: x\n"), LLR_VERDICT_LAUNCHER,
	       "sh: Landlock-Run: x");
	expect(JUDGE(EXITED(125), "landlock-run: \n"), LLR_VERDICT_LAUNCHER, "landlock-run: ");
}

Test(verdict, the_first_fatal_line_is_the_evidence)
{
	expect(JUDGE(EXITED(125), "landlock-run: one\nlandlock-run: two\n"), LLR_VERDICT_LAUNCHER,
	       "landlock-run: one");
}

Test(verdict, a_fatal_line_with_any_other_status_is_the_commands)
{
	for (int status = 0; status < 256; status++)
		if (status != 125)
			expect(JUDGE(EXITED(status), "landlock-run: usage error: x\n"),
			       LLR_VERDICT_COMMAND, "");
}

Test(verdict, exit_125_without_a_fatal_line_is_the_commands)
{
	expect(JUDGE(EXITED(125), ""), LLR_VERDICT_COMMAND, "");
	expect(JUDGE(EXITED(125), "landlock-run:\n"), LLR_VERDICT_COMMAND, "");
	expect(JUDGE(EXITED(125), "landlock-run:x\nlandlock-run\n: \n"), LLR_VERDICT_COMMAND, "");
	expect(JUDGE(EXITED(125), "landlock-run:\n fatal\n"), LLR_VERDICT_COMMAND, "");
	expect(JUDGE(EXITED(125), "landlock_run: fatal\n"), LLR_VERDICT_COMMAND, "");
}

Test(verdict, notice_and_exit_125_is_the_childs)
{
	struct judged judged = JUDGE(EXITED(125), LLR_NOTICE "\n");

	expect(judged, LLR_VERDICT_COMMAND, "");
	cr_expect_eq(judged.verdict.partial, 1);
	cr_expect_eq(judged.verdict.exit_status, 125);
}

Test(verdict, the_notice_in_another_case_is_still_the_notice)
{
	struct judged judged = JUDGE(EXITED(125),
				     "LANDLOCK-RUN: PARTIAL ENFORCEMENT (OLDER LANDLOCK ABI)\n");

	expect(judged, LLR_VERDICT_COMMAND, "");
	cr_expect_eq(judged.verdict.partial, 1);
	judged = JUDGE(EXITED(125), "landlock-run: partial enforcement (older landlock abi)\r\n");
	expect(judged, LLR_VERDICT_COMMAND, "");
	cr_expect_eq(judged.verdict.partial, 1);
}

Test(verdict, more_or_less_than_the_notice_is_a_fatal_line)
{
	static const char *const others[] = {
		LLR_NOTICE " ",        " " LLR_NOTICE,
		LLR_NOTICE ".",        "landlock-run: partial enforcement",
		LLR_NOTICE LLR_NOTICE, LLR_NOTICE "\xc2\xa0"
	};

	for (size_t i = 0; i < COUNT(others); i++) {
		struct judged judged = judge(EXITED(125), others[i], strlen(others[i]));

		expect(judged, LLR_VERDICT_LAUNCHER, others[i]);
		cr_expect_eq(judged.verdict.partial, 0, "%s", others[i]);
	}
	expect(JUDGE(EXITED(125), LLR_NOTICE "\r\r\n"), LLR_VERDICT_LAUNCHER, LLR_NOTICE "\r");
}

Test(verdict, the_notice_before_a_fatal_line_hides_nothing)
{
	struct judged judged = JUDGE(EXITED(125), LLR_NOTICE
				     "\nlandlock-run: exec failed: x: No such file or directory\n");

	expect(judged, LLR_VERDICT_LAUNCHER,
	       "landlock-run: exec failed: x: No such file or directory");
	cr_expect_eq(judged.verdict.partial, 1);
}

Test(verdict, partial_is_told_whatever_the_status)
{
	cr_expect_eq(JUDGE(EXITED(0), LLR_NOTICE "\nhello\n").verdict.partial, 1);
	cr_expect_eq(JUDGE(9, "hello\n" LLR_NOTICE).verdict.partial, 1);
	cr_expect_eq(JUDGE(EXITED(1), LLR_NOTICE "\n" DENIED "\n").verdict.partial, 1);
	cr_expect_eq(JUDGE(EXITED(0), "no notice\n").verdict.partial, 0);
}

Test(verdict, a_failure_that_speaks_of_a_denial_is_likely_one)
{
	expect(JUDGE(EXITED(1), DENIED "\n"), LLR_VERDICT_DENIED, DENIED);
	expect(JUDGE(EXITED(255), "x\nPERMISSION DENIED"), LLR_VERDICT_DENIED, "PERMISSION DENIED");
	expect(JUDGE(EXITED(125), "permission denied (1)\npermission denied (2)\n"),
	       LLR_VERDICT_DENIED, "permission denied (1)");
	expect(JUDGE(EXITED(1), "landlock-run: x: Permission denied\n"), LLR_VERDICT_DENIED,
	       "landlock-run: x: Permission denied");
}

Test(verdict, success_and_signals_are_never_denials)
{
	expect(JUDGE(EXITED(0), DENIED "\n" FATAL "\n"), LLR_VERDICT_COMMAND, "");
	for (int signal = 1; signal <= 64; signal++) {
		struct judged judged = JUDGE(signal | (signal % 2 ? 0x80 : 0),
					     DENIED "\n" FATAL "\n");

		expect(judged, LLR_VERDICT_COMMAND, "");
		cr_expect_eq(judged.verdict.signal, signal);
		cr_expect_eq(judged.verdict.exit_status, -1);
	}
}

Test(verdict, other_errors_are_no_denials)
{
	expect(JUDGE(EXITED(1), "x: Operation not permitted\n"), LLR_VERDICT_COMMAND, "");
	expect(JUDGE(EXITED(1), "x: Invalid cross-device link\n"), LLR_VERDICT_COMMAND, "");
	expect(JUDGE(EXITED(1), "permission\ndenied\n"), LLR_VERDICT_COMMAND, "");
	expect(JUDGE(EXITED(1), "permission  denied\npermissiondenied\n"), LLR_VERDICT_COMMAND, "");
	expect(JUDGE(EXITED(1), "permission denie"), LLR_VERDICT_COMMAND, "");
}

Test(verdict, a_launcher_failure_that_is_a_denial_too_is_the_launchers)
{
	expect(JUDGE(EXITED(125),
		     "x: Permission denied\nlandlock-run: exec failed: y: Permission denied\n"),
	       LLR_VERDICT_LAUNCHER, "landlock-run: exec failed: y: Permission denied");
}

Test(verdict, a_status_that_ends_nothing_is_nobodys)
{
	static const int32_t statuses[] = { 0x137f, 0xffff, -1, 0x7f };

	for (size_t i = 0; i < COUNT(statuses); i++) {
		struct judged judged = JUDGE(statuses[i], FATAL "\n" DENIED "\n");

		expect(judged, LLR_VERDICT_COMMAND, "");
		cr_expect(judged.verdict.exit_status == -1 && judged.verdict.signal == 0,
			  "status 0x%x", (unsigned int)statuses[i]);
	}
}

/* ---- Any bytes ---- */

Test(verdict, crlf_and_a_missing_newline_are_no_part_of_the_evidence)
{
	expect(JUDGE(EXITED(125), "a\r\n" FATAL "\r\nb\r\n"), LLR_VERDICT_LAUNCHER, FATAL);
	expect(JUDGE(EXITED(125), FATAL), LLR_VERDICT_LAUNCHER, FATAL);
	expect(JUDGE(EXITED(125), FATAL "\r"), LLR_VERDICT_LAUNCHER, FATAL);
	expect(JUDGE(EXITED(125), LLR_NOTICE), LLR_VERDICT_COMMAND, "");
	expect(JUDGE(EXITED(125), LLR_NOTICE "\r"), LLR_VERDICT_COMMAND, "");
	expect(JUDGE(EXITED(1), "\n\n\r\n" DENIED "\r\n"), LLR_VERDICT_DENIED, DENIED);
}

Test(verdict, a_lone_carriage_return_ends_no_line)
{
	expect(JUDGE(EXITED(125), "progress 1%\rprogress 2%\r" LLR_NOTICE "\n"),
	       LLR_VERDICT_LAUNCHER, "progress 1%\rprogress 2%\r" LLR_NOTICE);
}

Test(verdict, nul_bytes_and_broken_utf8_hide_nothing)
{
	struct judged judged = JUDGE(EXITED(125), "\0\0\xff\xfe\n\x80" FATAL "\xc3\n");

	expect(judged, LLR_VERDICT_LAUNCHER, "\x80" FATAL "\xc3");
	judged = JUDGE(EXITED(1), "a\0permission denied\0b\n");
	cr_expect_eq(judged.verdict.kind, LLR_VERDICT_DENIED);
	cr_expect_eq(judged.verdict.evidence_length, 21);
	cr_expect_arr_eq(judged.evidence, "a\0permission denied\0b", 21);
	expect(JUDGE(EXITED(1), "permission\0denied\n"), LLR_VERDICT_COMMAND, "");
	expect(JUDGE(EXITED(125), "landlock-run\xff: x\n"), LLR_VERDICT_COMMAND, "");
}

Test(verdict, only_ascii_letters_have_two_cases)
{
	/* '@' and '`', '[' and '{' differ by the same bit as a letter's cases do. */
	expect(JUDGE(EXITED(1), "permission\x00"
				"denied\npermission@denied\n"),
	       LLR_VERDICT_COMMAND, "");
	expect(JUDGE(EXITED(125), "landlock\rrun: x\n"), LLR_VERDICT_COMMAND, "");
	expect(JUDGE(EXITED(125), "landlock-run\x1a x\n"), LLR_VERDICT_COMMAND, "");
	expect(JUDGE(EXITED(125), "landlock-run:\0x\n"), LLR_VERDICT_COMMAND, "");
}

Test(verdict, nothing_at_all_is_the_commands_own)
{
	struct llr_verdict verdict;

	memset(&verdict, 0xff, sizeof verdict);
	verdict.size = sizeof verdict;
	llr_classify(EXITED(3), NULL, 0, &verdict);
	cr_expect_eq(verdict.size, sizeof verdict);
	cr_expect(verdict.kind == LLR_VERDICT_COMMAND && verdict.exit_status == 3 &&
		  !verdict.signal && !verdict.partial);
	cr_expect(!verdict.evidence && !verdict.evidence_length && !verdict.reserved,
		  "no member keeps what it was");
}

Test(verdict, megabytes_take_linear_time)
{
	/* Near misses at every place: whatever looks at a byte again and again needs hours. */
	static const char *const pieces[] = { "landlock-run:", "permission denie", "p", "\n",
					      "\r" };
	size_t length = (size_t)1 << 20;
	char *errors = malloc(length + sizeof FATAL);

	cr_assert_not_null(errors);
	alarm(120);
	for (size_t i = 0; i < COUNT(pieces); i++) {
		size_t size = strlen(pieces[i]);
		struct llr_verdict verdict = LLR_VERDICT_INIT;

		for (size_t at = 0; at < length; at++)
			errors[at] = pieces[i][at % size];
		memcpy(errors + length, FATAL, sizeof FATAL);
		llr_classify(EXITED(125), errors, length + sizeof FATAL - 1, &verdict);
		cr_expect_eq(verdict.kind, LLR_VERDICT_LAUNCHER, "piece %zu", i);
		cr_expect_eq(verdict.evidence + verdict.evidence_length,
			     errors + length + sizeof FATAL - 1, "piece %zu", i);
	}
	alarm(0);
	free(errors);
}

/* ---- The rules a second time ---- */

/* Searches a line by lowering a copy of it. */
static int line_holds(const char *line, const char *word)
{
	char lowered[512], wanted[64];
	size_t i;

	for (i = 0; line[i]; i++)
		lowered[i] = (char)tolower((unsigned char)line[i]);
	lowered[i] = 0;
	for (i = 0; word[i]; i++)
		wanted[i] = (char)tolower((unsigned char)word[i]);
	wanted[i] = 0;
	return strstr(lowered, wanted) != NULL;
}

/* The first line (a string) of which the rule holds; an index, or -1. */
static int first_line(char *const lines[], int count, int fatal)
{
	for (int i = 0; i < count; i++) {
		int notice = strcasecmp(lines[i], LLR_NOTICE) == 0;

		if (fatal ? !notice && line_holds(lines[i], LLR_PREFIX)
			  : line_holds(lines[i], "permission denied"))
			return i;
	}
	return -1;
}

/* Splits text without NUL at LF or CR LF, in place; a CR at the very end counts as the line's end.
 */
static int split(char *text, char *lines[], int most)
{
	int count = 0;

	for (char *line = text; line && count < most; count++) {
		char *end = strchr(line, '\n');
		char *stop = end ? end : line + strlen(line);

		if (stop > line && stop[-1] == '\r')
			stop[-1] = 0;
		*stop = 0;
		lines[count] = line;
		line = end ? end + 1 : NULL;
	}
	return count;
}

static size_t random_errors(char *text, size_t most)
{
	static const char *const pieces[] = { "landlock-run: ",
					      LLR_NOTICE,
					      "permission denied",
					      "Permission Denied",
					      "\n",
					      "\n",
					      "\r\n",
					      "\r",
					      "landlock-run:",
					      "LANDLOCK-RUN: ",
					      "x",
					      " ",
					      "\xff",
					      "\xc3\xa9",
					      "permission ",
					      "denied" };
	size_t length = 0;

	for (uint64_t left = random_below(12); left; left--) {
		const char *piece = pieces[random_below(COUNT(pieces))];
		size_t size = strlen(piece);

		if (length + size > most)
			break;
		memcpy(text + length, piece, size);
		length += size;
	}
	text[length] = 0;
	return length;
}

Test(verdict, on_any_text_it_says_what_the_rules_say)
{
	static const int32_t statuses[] = { EXITED(0),   EXITED(1),   EXITED(125),
					    EXITED(125), EXITED(126), 9 };
	int kinds[3] = { 0 };

	random_begin("verdict");
	for (int round = 0; round < 50000; round++) {
		char text[400], copy[400];
		char *lines[64];
		size_t length = random_errors(text, sizeof text - 1);
		int32_t status = statuses[random_below(COUNT(statuses))];
		struct judged judged = judge(status, text, length);
		uint32_t kind = LLR_VERDICT_COMMAND;
		int count, fatal, denied;

		memcpy(copy, text, sizeof copy);
		count = split(copy, lines, COUNT(lines));
		fatal = first_line(lines, count, 1);
		denied = first_line(lines, count, 0);
		if (status == EXITED(125) && fatal >= 0)
			kind = LLR_VERDICT_LAUNCHER;
		else if (status > 255 && denied >= 0)
			kind = LLR_VERDICT_DENIED;
		kinds[kind]++;
		cr_assert_eq(judged.verdict.kind, kind, "seed 0x%llx round %d: %s",
			     (unsigned long long)random_seed(), round, text);
		cr_assert_str_eq(judged.evidence,
				 kind == LLR_VERDICT_LAUNCHER ? lines[fatal]
				 : kind                       ? lines[denied]
							      : "",
				 "seed 0x%llx round %d: %s", (unsigned long long)random_seed(),
				 round, text);
	}
	cr_expect(kinds[0] > 1000 && kinds[1] > 1000 && kinds[2] > 1000, "%d %d %d", kinds[0],
		  kinds[1], kinds[2]);
}
