/* The lines of the contract: the fatal line, the notice and the probe's lines, written and read.
 * Each sentence is spelled once, here. Nothing here writes to a descriptor. */
#include <errno.h>

#include "errnos.h"
#include "report.h"
#include "rights.h"
#include "text.h"

/* One code, one stage, one sentence. In a sentence: %s the subject, %f the field, %e the errno in
 * words, %i the index, %c cause and remedy, %a what the right needs, %w the culprit in words; [...]
 * only with a subject, {...} only with a field, ~...~ only with an errno. */
static const struct {
	enum llr_code code;
	const char *stage;
	const char *sentence;
} messages[] = {
	{ LLR_OK, "none", "no error" },
	{ LLR_E_COMMAND_MISSING, "usage", "usage error: missing `-- <argv>...` command" },
	{ LLR_E_ARGUMENT_UNKNOWN, "usage",
	  "usage error: unknown argument: %s{ (did you mean %f?)}" },
	{ LLR_E_VALUE_MISSING, "usage", "usage error: %f requires %s" },
	{ LLR_E_VALUE_ATTACHED, "usage",
	  "usage error: unknown argument: %s (the value is the next argument: %f VALUE)" },
	{ LLR_E_VALUE_INVALID, "usage", "usage error: %f: invalid value: %s~: %e~" },
	{ LLR_E_OPTION_REPEATED, "usage", "usage error: %f given more than once" },
	{ LLR_E_OPTION_NEEDS, "usage", "usage error: %f needs %s" },
	{ LLR_E_OPTION_UNCONFINED, "usage",
	  "usage error: %f cannot be used with --mode danger-full-access" },
	{ LLR_E_PROBE_ALONE, "usage", "usage error: --probe takes no other arguments" },
	{ LLR_E_RIGHT_UNSUPPORTED, "usage",
	  "usage error: %f: %s is known by name but not handled by this version (it came with "
	  "%a)" },
	{ LLR_E_POLICY, "policy", "policy error: invalid %f" },
	{ LLR_E_GRANT, "policy", "policy error: grant %i: invalid %f" },
	{ LLR_E_NOT_HONOURED, "usage", "usage error: bwrap %s cannot be honoured{ (%f)}" },
	{ LLR_E_BUFFER, "buffer", "buffer too small: %f needs %i" },
	{ LLR_E_INPUT, "input", "invalid input: %f" },
	{ LLR_E_NOT_ENFORCED, "kernel", "landlock is not enforced by this kernel (%c)" },
	{ LLR_E_UNGOVERNED, "kernel",
	  "landlock is not enforced by this kernel (%s: needs %a; this kernel reports ABI %i)" },
	{ LLR_E_RULE_PATH, "rule", "cannot open rule path: %s: %e" },
	{ LLR_E_RULESET, "ruleset", "landlock ruleset error: %f[: %s]: %e" },
	{ LLR_E_LAYERS, "restrict",
	  "landlock ruleset error: too many nested Landlock domains (limit 16)" },
	{ LLR_E_NO_NEW_PRIVS, "restrict", "landlock ruleset error: cannot set no_new_privs: %e" },
	{ LLR_E_GUARD, "guard", "guard error: cannot install the seccomp filter: %e" },
	{ LLR_E_EXEC, "exec", "exec failed: %s: %e%w" },
	{ LLR_E_FILES, "files", "cannot set up %f[: %s]: %e" },
	{ LLR_E_SPAWN, "spawn", "cannot start a process{: ended by %f %i}~: %e~" },
	{ LLR_E_OUTPUT, "output", "cannot write %s: %e" },
	{ LLR_E_PARENT, "parent", "the parent process died during the launch" },
	{ LLR_E_SIGNAL, "signal", "cannot %f: %e" },
};

static const char *const culprits[] = {
	[LLR_CULPRIT_UNKNOWN] = "",
	[LLR_CULPRIT_TARGET_MISSING] = " (target %f is missing)",
	[LLR_CULPRIT_TARGET_NOT_GRANTED] = " (target %f is not granted)",
	[LLR_CULPRIT_INTERPRETER_MISSING] = " (interpreter %f is missing)",
	[LLR_CULPRIT_INTERPRETER_NOT_GRANTED] = " (interpreter %f is not granted)",
	[LLR_CULPRIT_LOADER_MISSING] = " (ELF loader %f is missing)",
	[LLR_CULPRIT_LOADER_NOT_GRANTED] = " (ELF loader %f is not granted)",
	[LLR_CULPRIT_NOEXEC_MOUNT] = " (%f is on a file system mounted noexec)",
	[LLR_CULPRIT_DIRECTORY] = " (%f is a directory)",
	[LLR_CULPRIT_FORMAT] = " (%f has no executable format and no #! line)",
	[LLR_CULPRIT_MODE] = " (the mode of %f forbids it)",
};

static const struct llr_cause causes[] = {
	{ ENOSYS, "not built in, or hidden from this process",
	  "use Linux 5.13 or later with CONFIG_SECURITY_LANDLOCK=y, outside gVisor and with a "
	  "seccomp profile that knows Landlock" },
	{ EOPNOTSUPP, "disabled at boot",
	  "add landlock to the lsm= boot parameter or to CONFIG_LSM" },
	{ EPERM, "blocked by a seccomp profile",
	  "allow landlock_create_ruleset, landlock_add_rule and landlock_restrict_self in the "
	  "container's profile" },
	{ EACCES, "blocked by a seccomp profile",
	  "allow landlock_create_ruleset, landlock_add_rule and landlock_restrict_self in the "
	  "container's profile" },
};

const struct llr_cause *llr_cause_of(int32_t errnum)
{
	for (size_t i = 0; i < sizeof causes / sizeof causes[0]; i++)
		if (causes[i].errnum == errnum)
			return &causes[i];
	return NULL;
}

static size_t message_of(const struct llr_error *error)
{
	for (size_t i = 1; i < sizeof messages / sizeof messages[0]; i++)
		if (messages[i].code == (enum llr_code)error->code)
			return i;
	return 0;
}

const char *llr_error_stage(const struct llr_error *error)
{
	return messages[message_of(error)].stage;
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
		llr_text_add(text, "errno ");
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
	llr_text_add(text, ": ");
	llr_text_add(text, cause->remedy);
}

/* "ABI 6, Linux 6.12" of the right that is the subject. */
static void add_origin(struct text *text, const char *name)
{
	const struct llr_right *right = name ? llr_feature_by_name(name) : NULL;

	if (!right)
		return;
	llr_text_add(text, "ABI ");
	llr_text_number(text, right->abi);
	llr_text_add(text, ", Linux ");
	llr_text_number(text, right->linux_major);
	llr_text_byte(text, '.');
	llr_text_number(text, right->linux_minor);
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
		if (error->index < sizeof culprits / sizeof culprits[0])
			fill(text, culprits[error->index], filling);
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
	const char *sentence = messages[message_of(error)].sentence;
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

	llr_text_add(&text, LLR_PREFIX);
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
