/* The lines of the contract, byte for byte: the fatal line, the notice, the probe's lines, and the
 * reading of a probe. The sentences that consumers see are written out here as they are published.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "report.h"
#include "unit.h"

#define CODES 64 /* past the last one: an unknown code has to give a line too */
#define CULPRITS 16

/* The fatal line as a string; NULL when there is none. */
static const char *fatal(const struct llr_error *error)
{
	static char line[LLR_LINE_MAX + 1];
	size_t length;

	memset(line, 'x', sizeof line);
	length = llr_format_fatal(error, line, sizeof line);
	line[length] = 0;
	return length ? line : NULL;
}

static struct llr_error error_of(int32_t code, int32_t errnum, const char *subject,
				 const char *field, uint64_t index)
{
	return (struct llr_error){ code, errnum, subject, field, index };
}

static void expect_fatal(struct llr_error error, const char *line)
{
	cr_expect_str_eq(fatal(&error), line);
}

/* ---- The published sentences ---- */

Test(fatal, usage_errors_have_their_published_beginning)
{
	expect_fatal(error_of(LLR_E_COMMAND_MISSING, 0, NULL, NULL, 0),
		     "landlock-run: usage error: missing `-- <argv>...` command\n");
	expect_fatal(error_of(LLR_E_ARGUMENT_UNKNOWN, 0, "X", NULL, 0),
		     "landlock-run: usage error: unknown argument: X\n");
	expect_fatal(error_of(LLR_E_VALUE_MISSING, 0, "a path", "--ro", 0),
		     "landlock-run: usage error: --ro requires a path\n");
	expect_fatal(error_of(LLR_E_PROBE_ALONE, 0, NULL, NULL, 0),
		     "landlock-run: usage error: --probe takes no other arguments\n");
}

Test(fatal, a_file_of_options_is_named_with_the_line_or_with_why_it_cannot_be_read)
{
	expect_fatal(error_of(LLR_E_ARGS_FILE, 0, "a file", "a NUL byte", 12),
		     "landlock-run: usage error: a file:12: a NUL byte\n");
	expect_fatal(
		error_of(LLR_E_ARGS_FILE, ENOENT, "file", NULL, 0),
		"landlock-run: usage error: file: cannot be read: No such file or directory\n");
}

Test(fatal, a_rule_path_that_cannot_be_opened_is_named)
{
	expect_fatal(
		error_of(LLR_E_RULE_PATH, ENOENT, "/no/such dir", NULL, 0),
		"landlock-run: cannot open rule path: /no/such dir: No such file or directory\n");
	expect_fatal(error_of(LLR_E_RULE_PATH, 4095, "/x", NULL, 0),
		     "landlock-run: cannot open rule path: /x: errno 4095\n");
}

Test(fatal, a_kernel_without_landlock_is_told_apart_by_cause_and_remedy)
{
	static const struct {
		int32_t errnum;
		const char *cause, *remedy;
	} causes[] = {
		{ ENOSYS, "not built in", "CONFIG_SECURITY_LANDLOCK" },
		{ EOPNOTSUPP, "disabled at boot", "lsm=" },
		{ EPERM, "blocked by a seccomp profile", "landlock_create_ruleset" },
		{ EACCES, "blocked by a seccomp profile", "landlock_create_ruleset" },
	};

	for (size_t i = 0; i < COUNT(causes); i++) {
		struct llr_error error = error_of(LLR_E_NOT_ENFORCED, causes[i].errnum, NULL, NULL,
						  0);
		const char *line = fatal(&error);

		cr_expect(begins_with(line,
				      "landlock-run: landlock is not enforced by this kernel ("),
			  "%s", line);
		cr_expect(strstr(line, causes[i].cause) && strstr(line, causes[i].remedy), "%s",
			  line);
		cr_expect(ends_with(line, ")\n"), "%s", line);
		cr_expect_not_null(strstr(llr_cause_of(causes[i].errnum)->cause, causes[i].cause));
	}
	cr_expect_null(llr_cause_of(EIO));
	expect_fatal(
		error_of(LLR_E_NOT_ENFORCED, EIO, NULL, NULL, 0),
		"landlock-run: landlock is not enforced by this kernel (Input/output error)\n");
}

Test(fatal, an_ungoverned_right_is_said_with_the_abi_and_linux_that_bring_it)
{
	expect_fatal(error_of(LLR_E_UNGOVERNED, 0, "truncate", NULL, 2),
		     "landlock-run: landlock is not enforced by this kernel (truncate: "
		     "needs ABI 3, Linux 6.2; this kernel reports ABI 2)\n");
	expect_fatal(error_of(LLR_E_UNGOVERNED, 0, "log-denials", NULL, 6),
		     "landlock-run: landlock is not enforced by this kernel "
		     "(log-denials: needs ABI 7, Linux 6.15; this kernel reports ABI 6)\n");
}

Test(fatal, ruleset_errors_have_their_published_beginning)
{
	expect_fatal(error_of(LLR_E_RULESET, ENOMEM, NULL, "cannot create a ruleset", 0),
		     "landlock-run: landlock ruleset error: cannot create a ruleset: Cannot "
		     "allocate memory\n");
	expect_fatal(
		error_of(LLR_E_RULESET, EINVAL, "/p", "cannot add a rule", 0),
		"landlock-run: landlock ruleset error: cannot add a rule: /p: Invalid argument\n");
	expect_fatal(error_of(LLR_E_LAYERS, E2BIG, NULL, NULL, 0),
		     "landlock-run: landlock ruleset error: too many nested Landlock domains "
		     "(limit 16)\n");
	expect_fatal(error_of(LLR_E_NO_NEW_PRIVS, EPERM, NULL, NULL, 0),
		     "landlock-run: landlock ruleset error: cannot set no_new_privs: Operation not "
		     "permitted\n");
}

Test(fatal, a_failed_exec_names_the_command_and_the_culprit)
{
	expect_fatal(error_of(LLR_E_EXEC, ENOENT, "nope", NULL, 0),
		     "landlock-run: exec failed: nope: No such file or directory\n");
	for (uint64_t culprit = 1; culprit < CULPRITS; culprit++) {
		struct llr_error error = error_of(LLR_E_EXEC, EACCES, "tool", "/the/file", culprit);
		const char *line = fatal(&error);

		cr_expect(begins_with(line, "landlock-run: exec failed: tool: Permission denied"),
			  "%s", line);
		cr_expect_eq(!strstr(line, "/the/file"), culprit > LLR_CULPRIT_MODE,
			     "culprit %d: %s", (int)culprit, line);
	}
	expect_fatal(error_of(LLR_E_EXEC, EACCES, "tool", "/bin/int",
			      LLR_CULPRIT_INTERPRETER_NOT_GRANTED),
		     "landlock-run: exec failed: tool: Permission denied (interpreter /bin/int is "
		     "not granted)\n");
}

Test(fatal, no_error_and_an_unknown_code_still_make_a_line)
{
	expect_fatal(error_of(LLR_OK, 0, NULL, NULL, 0), "landlock-run: no error\n");
	expect_fatal(error_of(-5, 0, NULL, NULL, 0), "landlock-run: no error\n");
	expect_fatal(error_of(INT32_MAX, 0, "x", "y", 0), "landlock-run: no error\n");
}

Test(fatal, each_code_has_a_stage_that_fits_a_status_record)
{
	struct llr_status status;

	for (int32_t code = 0; code < CODES; code++) {
		struct llr_error error = error_of(code, 0, NULL, NULL, 0);
		const char *stage = llr_error_stage(&error);

		cr_expect(*stage && strlen(stage) < sizeof status.stage, "code %d: %s", code,
			  stage);
		cr_expect_eq(stage[strspn(stage, "abcdefghijklmnopqrstuvwxyz")], 0, "code %d: %s",
			     code, stage);
	}
}

/* ---- What comes from outside ---- */

Test(fatal, no_subject_makes_a_second_line_or_an_escape)
{
	expect_fatal(error_of(LLR_E_RULE_PATH, ENOENT,
			      "/a\nlandlock-run: forged\r\x1b[31m\xc2\x9b\xe2\x80\xa8z", NULL, 0),
		     "landlock-run: cannot open rule path: /a?landlock-run: forged??[31m??z: No "
		     "such file or directory\n");
	expect_fatal(error_of(LLR_E_RULE_PATH, ENOENT, "/\xc3\xa9\xe2\x82\xac/\xff", NULL, 0),
		     "landlock-run: cannot open rule path: /\xc3\xa9\xe2\x82\xac/\xff: No such "
		     "file or directory\n");
	expect_fatal(error_of(LLR_E_RULE_PATH, ENOENT, "%s%f%e[x]{y}~z~", NULL, 0),
		     "landlock-run: cannot open rule path: %s%f%e[x]{y}~z~: No such file or "
		     "directory\n");
}

/* The whole line is one line: the prefix, no control byte, one newline at the end, no NUL counted.
 */
static void expect_one_line(const char *line, size_t length, const char *what)
{
	cr_assert(length >= sizeof LLR_PREFIX && length <= LLR_LINE_MAX, "%s: %zu bytes", what,
		  length);
	cr_assert(!memcmp(line, LLR_PREFIX, sizeof LLR_PREFIX - 1), "%s", what);
	cr_assert_eq(line[length - 1], '\n', "%s", what);
	for (size_t i = 0; i + 1 < length; i++)
		cr_assert((unsigned char)line[i] >= 0x20 && line[i] != 0x7f, "%s: byte %zu", what,
			  i);
}

static const char *long_string(char fill, size_t length)
{
	static char strings[2][128 * 1024];
	char *string = strings[fill == 'F'];

	memset(string, fill, length);
	string[length] = 0;
	return string;
}

/* How many bytes of the line stand behind the last text from outside in it. */
static size_t end_length(struct llr_error error)
{
	const char *line, *last;

	error.subject = "@"; /* no sentence has one */
	error.field = "@";
	line = fatal(&error);
	last = strrchr(line, '@');
	return strlen(last ? last + 1 : line);
}

static void expect_end_kept(int32_t code, size_t subject, size_t field)
{
	struct llr_error error = error_of(code, ENOENT, long_string('S', subject),
					  long_string('F', field), LLR_CULPRIT_LOADER_MISSING);
	size_t end = end_length(error);
	char line[LLR_LINE_MAX], brief[LLR_LINE_MAX], what[64];
	size_t length = llr_format_fatal(&error, line, sizeof line), brief_length;

	snprintf(what, sizeof what, "code %d, subject %zu, field %zu", code, subject, field);
	expect_one_line(line, length, what);
	error.subject = "@";
	error.field = "@";
	brief_length = llr_format_fatal(&error, brief, sizeof brief);
	cr_assert(length >= end && !memcmp(line + length - end, brief + brief_length - end, end),
		  "%s", what);
	/* What was cut says so, and the line is used up but for what a cut between two characters
	 * leaves. */
	if (brief_length > end && length == LLR_LINE_MAX)
		cr_assert(memmem(line, length, "...", 3), "%s", what);
}

Test(fatal, the_longest_subjects_and_fields_never_cost_the_end_of_the_sentence)
{
	static const size_t lengths[] = { 0, 1, 2000, 4030, 4096, 9000 };

	for (int32_t code = 0; code < CODES; code++) {
		for (size_t s = 0; s < COUNT(lengths); s++)
			for (size_t f = 0; f < COUNT(lengths); f++)
				expect_end_kept(code, lengths[s], lengths[f]);
		expect_end_kept(code, 100000, 100000);
	}
}

Test(fatal, a_path_of_the_longest_length_is_shown_as_far_as_a_line_holds_it)
{
	struct llr_error error = error_of(LLR_E_RULE_PATH, ENOENT, long_string('S', 4095), NULL, 0);
	const char *line = fatal(&error);

	cr_expect_eq(strlen(line), LLR_LINE_MAX);
	cr_expect(ends_with(line, "SSS...: No such file or directory\n"));
	error.subject = long_string('S', 4000);
	cr_expect(ends_with(fatal(&error), "SSS: No such file or directory\n"),
		  "what fits is not cut");
}

Test(fatal, what_one_text_leaves_goes_to_the_other)
{
	struct llr_error error = error_of(LLR_E_EXEC, EACCES, "tool", long_string('F', 3500),
					  LLR_CULPRIT_LOADER_NOT_GRANTED);

	cr_expect(!strstr(fatal(&error), "..."), "a long field beside a short subject");
	error.subject = long_string('S', 3500);
	error.field = "/lib/ld.so";
	cr_expect(!strstr(fatal(&error), "..."), "a long subject beside a short field");
	error.field = long_string('F', 3500);
	cr_expect(strstr(fatal(&error), "SSS...: Permission denied (ELF loader FFF"));
	cr_expect(ends_with(fatal(&error), "FFF... is not granted)\n"));
}

Test(fatal, a_buffer_that_is_too_small_gets_no_line_and_is_not_overrun)
{
	struct llr_error error = error_of(LLR_E_RULE_PATH, ENOENT, "/some/where", NULL, 0);
	size_t whole = strlen(fatal(&error));

	for (size_t size = 0; size <= whole + 1; size++) {
		char *room = malloc(size ? size : 1);
		size_t length;

		cr_assert_not_null(room);
		length = llr_format_fatal(&error, size ? room : NULL, size);
		cr_assert(length <= size, "size %zu", size);
		if (length)
			expect_one_line(room, length, "a small buffer");
		cr_expect_eq(length == whole, size >= whole, "size %zu gives %zu", size, length);
		if (size > whole)
			cr_expect_eq(room[length], 0);
		free(room);
	}
	cr_expect_eq(llr_format_fatal(&error, NULL, 0), 0);
}

Test(fatal, any_error_at_all_makes_one_line_that_fits)
{
	random_begin("fatal");
	for (int round = 0; round < 20000; round++) {
		char subject[301], field[301], line[LLR_LINE_MAX], what[64];
		struct llr_error error =
			error_of((int32_t)random_below(CODES), (int32_t)random_below(200),
				 random_chance(5) ? NULL : subject, random_chance(5) ? NULL : field,
				 random_below(CULPRITS));

		random_string(subject, 300);
		random_string(field, 300);
		snprintf(what, sizeof what, "seed 0x%llx round %d",
			 (unsigned long long)random_seed(), round);
		expect_one_line(line, llr_format_fatal(&error, line, sizeof line), what);
	}
}

/* ---- Texts without prefix ---- */

Test(error_text, it_is_the_line_without_prefix_and_newline)
{
	struct llr_error error = error_of(LLR_E_RULE_PATH, ENOENT, "/x", NULL, 0);
	char text[128];

	cr_expect_eq(llr_error_text(&error, text, sizeof text),
		     strlen("cannot open rule path: /x: No such file or directory"));
	cr_expect_str_eq(text, "cannot open rule path: /x: No such file or directory");
}

Test(error_text, any_size_gives_a_terminated_text_within_it)
{
	struct llr_error error = error_of(LLR_E_EXEC, EACCES, "a-command", "/an/interpreter",
					  LLR_CULPRIT_INTERPRETER_MISSING);
	size_t whole = strlen(error_text(&error));

	for (size_t size = 1; size <= whole + 2; size++) {
		char *buffer = malloc(size);
		size_t length = llr_error_text(&error, buffer, size);

		cr_expect(length < size && strlen(buffer) == length, "size %zu", size);
		cr_expect_eq(length == whole, size > whole, "size %zu", size);
		free(buffer);
	}
	cr_expect_eq(llr_error_text(&error, NULL, 0), 0);
}

/* ---- The notice and the probe ---- */

Test(notice, it_is_exactly_the_published_line)
{
	char line[64];
	static const char published[] = "landlock-run: partial enforcement (older Landlock ABI)\n";

	cr_expect_eq(llr_format_notice(line, sizeof line), sizeof published - 1);
	cr_expect_str_eq(line, published);
	cr_expect_eq(llr_format_notice(line, sizeof published - 1), sizeof published - 1,
		     "its own length is enough");
	cr_expect_eq(llr_format_notice(line, sizeof published - 2), 0);
	cr_expect_eq(llr_format_notice(NULL, 0), 0);
}

Test(probe, its_lines_are_exactly_the_published_ones)
{
	char line[64];

	cr_expect_eq(llr_format_probe(LLR_ENFORCEMENT_FULL, line, sizeof line), 25);
	cr_expect_str_eq(line, "landlock: fully enforced\n");
	cr_expect_eq(llr_format_probe(LLR_ENFORCEMENT_PARTIAL, line, sizeof line), 41);
	cr_expect_str_eq(line, "landlock: partially enforced (older ABI)\n");
	cr_expect_eq(llr_format_probe(LLR_ENFORCEMENT_NONE, line, sizeof line), 0);
	cr_expect_eq(llr_format_probe(3, line, sizeof line), 0);
	cr_expect_eq(llr_format_probe(LLR_ENFORCEMENT_FULL, line, 10), 0);
}

#define EXITED(status) ((status) << 8)

static uint32_t read_probe(int32_t wait_status, const char *output, size_t length)
{
	char *exact = exact_copy(output, length);
	uint32_t enforcement = llr_read_probe(wait_status, exact, length);

	exact_free(exact);
	return enforcement;
}

Test(probe, what_it_writes_is_what_it_reads)
{
	for (uint32_t enforcement = LLR_ENFORCEMENT_PARTIAL; enforcement <= LLR_ENFORCEMENT_FULL;
	     enforcement++) {
		char line[64];
		size_t length = llr_format_probe(enforcement, line, sizeof line);

		cr_expect_eq(read_probe(0, line, length), enforcement);
		cr_expect_eq(read_probe(0, line, length - 1), enforcement, "no final newline");
		line[length - 1] = '\r';
		cr_expect_eq(read_probe(0, line, length), enforcement, "no LF after CR");
		line[length] = '\n';
		cr_expect_eq(read_probe(0, line, length + 1), enforcement, "CR LF");
	}
}

Test(probe, anything_but_one_exact_line_is_unusable)
{
	static const struct {
		const char *output;
		size_t length;
	} others[] = {
#define OTHER(literal) { literal, sizeof(literal) - 1 }
		OTHER(""),
		OTHER("\n"),
		OTHER("\r\n"),
		OTHER("landlock: fully enforce"),
		OTHER("landlock: fully enforced\n\n"),
		OTHER(" landlock: fully enforced"),
		OTHER("landlock: fully enforced "),
		OTHER("Landlock: fully enforced\n"),
		OTHER("landlock: fully enforced\nlandlock: partially enforced (older ABI)\n"),
		OTHER("landlock: fully enforced\0"),
		OTHER("\0landlock: fully enforced"),
		OTHER("landlock: fully enforced\r\r\n"),
		OTHER("landlock: partially enforced\n"),
		OTHER("fully enforced\n"),
		OTHER("\xef\xbb\xbflandlock: fully enforced\n"),
		OTHER("landlock: not enforced\n"),
	};

	for (size_t i = 0; i < COUNT(others); i++)
		cr_expect_eq(read_probe(0, others[i].output, others[i].length),
			     LLR_ENFORCEMENT_NONE, "case %zu: %s", i, others[i].output);
	cr_expect_eq(llr_read_probe(0, NULL, 0), LLR_ENFORCEMENT_NONE);
}

Test(probe, only_exit_status_0_counts)
{
	static const int32_t statuses[] = { EXITED(1), EXITED(125), EXITED(255), 9, 15,
					    0x80 | 11, 0x137f,      0xffff,      -1 };

	for (size_t i = 0; i < COUNT(statuses); i++)
		cr_expect_eq(read_probe(statuses[i], "landlock: fully enforced\n", 25),
			     LLR_ENFORCEMENT_NONE, "status 0x%x", (unsigned int)statuses[i]);
}

/* ---- The words as functions ---- */

Test(words, functions_and_macros_say_the_same_and_it_is_what_is_published)
{
	cr_expect_str_eq(llr_prefix(), "landlock-run: ");
	cr_expect_str_eq(llr_notice(), "landlock-run: partial enforcement (older Landlock ABI)");
	cr_expect_str_eq(llr_probe_full(), "landlock: fully enforced");
	cr_expect_str_eq(llr_probe_partial(), "landlock: partially enforced (older ABI)");
	cr_expect_eq(llr_exit_failure(), 125);
	cr_expect_str_eq(llr_version(), LLR_VERSION);
	cr_expect_str_eq(llr_prefix(), LLR_PREFIX);
	cr_expect_str_eq(llr_notice(), LLR_NOTICE);
	cr_expect_str_eq(llr_probe_full(), LLR_PROBE_FULL);
	cr_expect_str_eq(llr_probe_partial(), LLR_PROBE_PARTIAL);
	cr_expect_eq(LLR_EXIT_FAILURE, 125);
}
