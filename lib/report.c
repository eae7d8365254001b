/* The lines of the contract: the fatal line, the notice and the probe's lines, written and read.
 * Each sentence is spelled once, here. Nothing here writes to a descriptor. */
#include <errno.h>

#include "errnos.h"
#include "report.h"
#include "rights.h"
#include "text.h"

/* One code, one stage, one sentence. In a sentence: %s the subject, %f the field, %e the errno in
 * words, %i the index, %c cause and remedy, %a what the right needs, %w the culprit in words, %u %l
 * %k the beginnings below; [...] only with a subject, {...} only with a field, ~...~ only with an
 * errno. */
#define MESSAGES(ROW) \
	ROW(LLR_OK, NONE, "no error") \
	ROW(LLR_E_COMMAND_MISSING, USAGE, "%umissing `-- <argv>...` command") \
	ROW(LLR_E_ARGUMENT_UNKNOWN, USAGE, "%uunknown argument: %s{ (did you mean %f?)}") \
	ROW(LLR_E_VALUE_MISSING, USAGE, "%u%f requires %s") \
	ROW(LLR_E_VALUE_ATTACHED, USAGE, \
	    "%uunknown argument: %s (the value is the next argument: %f VALUE)") \
	ROW(LLR_E_VALUE_INVALID, USAGE, "%u%f: invalid value: %s~: %e~") \
	ROW(LLR_E_OPTION_REPEATED, USAGE, "%u%f given more than once") \
	ROW(LLR_E_OPTION_NEEDS, USAGE, "%u%f needs %s") \
	ROW(LLR_E_OPTION_UNCONFINED, USAGE, "%u%f cannot be used with --mode danger-full-access") \
	ROW(LLR_E_PROBE_ALONE, USAGE, "%u--probe takes no other arguments") \
	ROW(LLR_E_RIGHT_UNSUPPORTED, USAGE, \
	    "%u%f: %s is known by name but not handled by this version (it came with %a)") \
	ROW(LLR_E_ARGS_FILE, USAGE, "%u%s{:%i: %f}~: cannot be read: %e~") \
	ROW(LLR_E_POLICY, POLICY, "policy error: invalid %f") \
	ROW(LLR_E_GRANT, POLICY, "policy error: grant %i: invalid %f") \
	ROW(LLR_E_NOT_HONOURED, USAGE, "%ubwrap %s cannot be honoured{ (%f)}") \
	ROW(LLR_E_BUFFER, BUFFER, "buffer too small: %f needs %i") \
	ROW(LLR_E_INPUT, INPUT, "invalid input: %f") \
	ROW(LLR_E_NOT_ENFORCED, KERNEL, "%k (%c)") \
	ROW(LLR_E_UNGOVERNED, KERNEL, "%k (%s: needs %a; this kernel reports ABI %i)") \
	ROW(LLR_E_RULE_PATH, RULE, "cannot open rule path: %s: %e") \
	ROW(LLR_E_GIT, RULE, "--git: %s/.git %f~: %e~") \
	ROW(LLR_E_RULESET, RULESET, "%l%f[: %s]: %e") \
	ROW(LLR_E_LAYERS, RESTRICT, "%ltoo many nested Landlock domains (limit 16)") \
	ROW(LLR_E_NO_NEW_PRIVS, RESTRICT, "%lcannot set no_new_privs: %e") \
	ROW(LLR_E_GUARD, GUARD, "guard error: cannot install the seccomp filter: %e") \
	ROW(LLR_E_EXEC, EXEC, "exec failed: %s: %e%w") \
	ROW(LLR_E_FILES, FILES, "cannot set up %f[: %s]: %e") \
	ROW(LLR_E_SPAWN, SPAWN, "cannot start a process{: ended by %f %i}~: %e~") \
	ROW(LLR_E_OUTPUT, OUTPUT, "cannot write %s: %e") \
	ROW(LLR_E_PARENT, PARENT, "the parent process died during the launch") \
	ROW(LLR_E_SIGNAL, SIGNAL, "cannot %f: %e") \
	ROW(LLR_E_TRIAL, TRIAL, "policy does not hold: %f: %s")

#define BEGIN_RULESET "landlock ruleset error: "
#define BEGIN_KERNEL "landlock is not enforced by this kernel"

#define STAGES(ROW) \
	ROW(NONE, "none") \
	ROW(USAGE, "usage") \
	ROW(POLICY, "policy") \
	ROW(BUFFER, "buffer") \
	ROW(INPUT, "input") \
	ROW(KERNEL, "kernel") \
	ROW(RULE, "rule") \
	ROW(RULESET, "ruleset") \
	ROW(RESTRICT, "restrict") \
	ROW(GUARD, "guard") \
	ROW(EXEC, "exec") \
	ROW(FILES, "files") \
	ROW(SPAWN, "spawn") \
	ROW(OUTPUT, "output") \
	ROW(PARENT, "parent") \
	ROW(SIGNAL, "signal") \
	ROW(TRIAL, "trial")

/* Words stand one after the other: a table of pointers would be half as long as they are. */
#define STAGE(stage, word) STAGE_##stage,
#define STAGE_WORD(stage, word) word "\0"
#define CODE(code, stage, sentence) { code, STAGE_##stage },
#define SENTENCE(code, stage, sentence) sentence "\0"

enum { STAGES(STAGE) };
static const char stages[] WORDS = STAGES(STAGE_WORD);
static const struct {
	uint8_t code;
	uint8_t stage;
} messages[] WORDS = { MESSAGES(CODE) };
static const char sentences[] WORDS = MESSAGES(SENTENCE);

/* In the order of enum llr_culprit. */
#define CULPRITS (LLR_CULPRIT_MODE + 1)
static const char culprits[] WORDS = "\0"
				     " (target %f is missing)\0"
				     " (target %f is not granted)\0"
				     " (interpreter %f is missing)\0"
				     " (interpreter %f is not granted)\0"
				     " (ELF loader %f is missing)\0"
				     " (ELF loader %f is not granted)\0"
				     " (%f is on a file system mounted noexec)\0"
				     " (%f is a directory)\0"
				     " (%f has no executable format and no #! line)\0"
				     " (the mode of %f forbids it)\0";

static const struct llr_cause causes[] WORDS = {
	{ ENOSYS, "not built in, or hidden from this process",
	  "use Linux 5.13 or later with CONFIG_SECURITY_LANDLOCK=y, outside gVisor and with a "
	  "seccomp profile that knows Landlock" },
	{ EOPNOTSUPP, "disabled at boot",
	  "add landlock to the lsm= boot parameter or to CONFIG_LSM" },
	{ EPERM, "blocked by a seccomp profile",
	  "allow landlock_create_ruleset, landlock_add_rule and landlock_restrict_self in the "
	  "container's profile" },
};

const struct llr_cause *llr_cause_of(int32_t errnum)
{
	const struct llr_cause *cause = WORDS_POINTER(causes);

	for (size_t i = 0; i < sizeof causes / sizeof causes[0]; i++, cause++)
		if (cause->errnum == (errnum == EACCES ? EPERM : errnum))
			return cause;
	return NULL;
}

static size_t message_of(const struct llr_error *error)
{
	for (size_t i = 1; i < sizeof messages / sizeof messages[0]; i++)
		if (WORDS_POINTER(messages)[i].code == error->code)
			return i;
	return 0;
}

const char *llr_error_stage(const struct llr_error *error)
{
	return llr_word_at(stages, WORDS_POINTER(messages)[message_of(error)].stage);
}

/* ---- Filling in a sentence ---- */

struct filling {
	const struct llr_error *error;
	size_t subject_budget;
	size_t field_budget;
};

static void add_errno(struct text *text, int32_t errnum)
{
	const char *words = llr_errno_text(errnum);

	if (words) {
		llr_text_add(text, words);
	} else {
		llr_text_add(text, WORD("errno "));
		llr_text_number(text, (uint64_t)(uint32_t)errnum);
	}
}

static void add_cause(struct text *text, int32_t errnum)
{
	const struct llr_cause *cause = llr_cause_of(errnum);

	if (!cause) {
		add_errno(text, errnum);
		return;
	}
	llr_text_add(text, cause->cause);
	llr_text_add(text, WORD(": "));
	llr_text_add(text, cause->remedy);
}

void llr_text_origin(struct text *text, const struct llr_right *right, const char *open,
		     const char *close)
{
	llr_text_add(text, WORD("ABI "));
	llr_text_number(text, right->abi);
	llr_text_add(text, open);
	llr_text_add(text, WORD("Linux "));
	llr_text_number(text, right->linux_major);
	llr_text_byte(text, '.');
	llr_text_number(text, right->linux_minor);
	llr_text_add(text, close);
}

/* "ABI 6, Linux 6.12" of the right that is the subject. */
static void add_origin(struct text *text, const char *name)
{
	struct llr_right right;

	if (name && llr_feature_by_name(name, &right))
		llr_text_origin(text, &right, WORD(", "), "");
}

static void fill(struct text *text, const char *sentence, const struct filling *filling);

static void fill_token(struct text *text, char token, const struct filling *filling)
{
	const struct llr_error *error = filling->error;

	switch (token) {
	case 's':
		llr_text_masked(text, error->subject ? error->subject : "",
				filling->subject_budget);
		break;
	case 'f':
		llr_text_masked(text, error->field ? error->field : "", filling->field_budget);
		break;
	case 'e':
		add_errno(text, error->errnum);
		break;
	case 'i':
		llr_text_number(text, error->index);
		break;
	case 'c':
		add_cause(text, error->errnum);
		break;
	case 'a':
		add_origin(text, error->subject);
		break;
	case 'w':
		if (error->index < CULPRITS)
			fill(text, llr_word_at(culprits, (size_t)error->index), filling);
		break;
	case 'u':
		llr_text_add(text, WORD(LLR_BEGIN_USAGE));
		break;
	case 'l':
		llr_text_add(text, WORD(BEGIN_RULESET));
		break;
	case 'k':
		llr_text_add(text, WORD(BEGIN_KERNEL));
		break;
	}
}

/* The end of a part that is left out, or NULL when the part stays. */
static const char *part_left_out(const char *at, const struct llr_error *error)
{
	char close = *at == '[' ? ']' : *at == '{' ? '}' : '~';

	if ((close == ']' && error->subject) || (close == '}' && error->field) ||
	    (close == '~' && error->errnum))
		return NULL;
	do
		at++;
	while (*at != close);
	return at;
}

static int is_bracket(char byte)
{
	return byte == '[' || byte == ']' || byte == '{' || byte == '}' || byte == '~';
}

static void fill(struct text *text, const char *sentence, const struct filling *filling)
{
	for (const char *at = sentence; *at; at++) {
		const char *end = NULL;

		if (*at == '%')
			fill_token(text, *++at, filling);
		else if (!is_bracket(*at))
			llr_text_byte(text, *at);
		else if (*at != ']' && *at != '}')
			end = part_left_out(at, filling->error);
		if (end)
			at = end;
	}
}

/* Fills the sentence into at most `room` bytes: what comes from outside is cut, never the end of
 * the sentence. What does not fit is cut to about the same length, and what a shorter one leaves
 * goes to the longer. */
static void fill_within(struct text *text, const struct llr_error *error, size_t room)
{
	const char *sentence = llr_word_at(sentences, message_of(error));
	struct filling filling = { error, SIZE_MAX, SIZE_MAX };
	struct text whole = { NULL, 0, 0 }, fixed = { NULL, 0, 0 };
	size_t subject = error->subject ? llr_string_length(error->subject) : 0;

	fill(&whole, sentence, &filling);
	if (whole.length > room) {
		filling.subject_budget = filling.field_budget = 0;
		fill(&fixed, sentence, &filling);
		room = room > fixed.length ? room - fixed.length : 0;
		filling.field_budget = room - llr_smaller(subject, room / 2);
		filling.subject_budget =
			room - llr_smaller(error->field ? llr_string_length(error->field) : 0,
					   filling.field_budget);
	}
	fill(text, sentence, &filling);
}

size_t llr_error_text(const struct llr_error *error, char *buffer, size_t size)
{
	struct text text = { buffer, size ? size - 1 : 0, 0 };

	fill_within(&text, error, text.size);
	if (text.length > text.size)
		text.length = text.size;
	if (size)
		buffer[text.length] = 0;
	return text.length;
}

/* ---- Lines ---- */

size_t llr_format_fatal(const struct llr_error *error, char *buffer, size_t size)
{
	struct text text = { buffer, size < LLR_LINE_MAX ? size : LLR_LINE_MAX, 0 };
	size_t fixed = sizeof LLR_PREFIX; /* the newline takes the place of the NUL */

	llr_text_add(&text, WORD(LLR_PREFIX));
	fill_within(&text, error, text.size > fixed ? text.size - fixed : 0);
	return llr_text_line(&text);
}

static size_t format_line(const char *line, char *buffer, size_t size)
{
	struct text text = { buffer, size, 0 };

	llr_text_add(&text, line);
	return llr_text_line(&text);
}

size_t llr_format_notice(char *buffer, size_t size)
{
	return format_line(LLR_NOTICE, buffer, size);
}

size_t llr_format_probe(uint32_t enforcement, char *buffer, size_t size)
{
	if (enforcement == LLR_ENFORCEMENT_FULL)
		return format_line(LLR_PROBE_FULL, buffer, size);
	return enforcement == LLR_ENFORCEMENT_PARTIAL ? format_line(LLR_PROBE_PARTIAL, buffer, size)
						      : 0;
}

/* Whether the output is exactly that one line; CR LF and a missing newline allowed. */
static int is_line(const char *line, const char *output, size_t length)
{
	size_t wanted = llr_string_length(line);

	if (length && output[length - 1] == '\n')
		length--;
	if (length && output[length - 1] == '\r')
		length--;
	if (length != wanted)
		return 0;
	for (size_t i = 0; i < length; i++)
		if (output[i] != line[i])
			return 0;
	return 1;
}

uint32_t llr_read_probe(int32_t wait_status, const char *output, size_t length)
{
	if (wait_status != 0)
		return LLR_ENFORCEMENT_NONE;
	if (is_line(LLR_PROBE_FULL, output, length))
		return LLR_ENFORCEMENT_FULL;
	return is_line(LLR_PROBE_PARTIAL, output, length) ? LLR_ENFORCEMENT_PARTIAL
							  : LLR_ENFORCEMENT_NONE;
}

/* ---- The words, for callers that cannot read macros ---- */

const char *llr_version(void)
{
	return LLR_VERSION;
}

const char *llr_prefix(void)
{
	return LLR_PREFIX;
}

const char *llr_notice(void)
{
	return LLR_NOTICE;
}

const char *llr_probe_full(void)
{
	return LLR_PROBE_FULL;
}

const char *llr_probe_partial(void)
{
	return LLR_PROBE_PARTIAL;
}

int32_t llr_exit_failure(void)
{
	return LLR_EXIT_FAILURE;
}
