/* Judges a finished child of the launcher by its wait status and its stderr.
 * Text alone decides here, so it can be forged; nothing in it is ever changed, decoded or copied.
 */
#include "landlock-run.h"

#define DENIAL "permission denied"

/* ---- Lines ---- */

/* Bytes that need not be text. */
struct span {
	const char *bytes;
	size_t length;
};

/* Only ASCII letters have two cases here: the words looked for have no others. */
static char lower(char byte)
{
	return byte >= 'A' && byte <= 'Z' ? (char)(byte | 0x20) : byte;
}

/* The text is at least as long as the word. */
static int begins(struct span text, struct span word)
{
	for (size_t i = 0; i < word.length; i++)
		if (lower(text.bytes[i]) != lower(word.bytes[i]))
			return 0;
	return 1;
}

static int holds(struct span text, struct span word)
{
	for (; text.length >= word.length; text.bytes++, text.length--)
		if (begins(text, word))
			return 1;
	return 0;
}

/* Takes the next line off the text, without its end: LF, CR LF, or what there is when the text
 * stops inside either. */
static struct span take_line(struct span *text)
{
	struct span line = { text->bytes, 0 };

	while (line.length < text->length && line.bytes[line.length] != '\n')
		line.length++;
	text->bytes += line.length;
	text->length -= line.length;
	if (text->length) {
		text->bytes++;
		text->length--;
	}
	if (line.length && line.bytes[line.length - 1] == '\r')
		line.length--;
	return line;
}

/* ---- The rules ---- */

#define SPAN(literal) ((struct span){ literal, sizeof(literal) - 1 })

/* What the lines say, whatever the exit status. */
struct findings {
	struct span fatal; /* the first line with the prefix that is not the notice; no bytes: there
			      is none */
	struct span denial;
	uint32_t partial;
};

static void look_at(struct span line, struct findings *findings)
{
	if (!findings->denial.bytes && holds(line, SPAN(DENIAL)))
		findings->denial = line;
	if (line.length == SPAN(LLR_NOTICE).length && begins(line, SPAN(LLR_NOTICE)))
		findings->partial = 1;
	else if (!findings->fatal.bytes && holds(line, SPAN(LLR_PREFIX)))
		findings->fatal = line;
}

static void decide(struct llr_verdict *verdict, uint32_t kind, struct span evidence)
{
	verdict->kind = kind;
	verdict->evidence = evidence.bytes;
	verdict->evidence_length = evidence.length;
}

void llr_classify(int32_t wait_status, const char *errors, size_t length,
		  struct llr_verdict *verdict)
{
	struct span text = { errors, length };
	struct findings findings = { { NULL, 0 }, { NULL, 0 }, 0 };
	int ending = wait_status & 0x7f; /* 0: it exited; 0x7f: it has not ended; else the signal */

	while (text.length)
		look_at(take_line(&text), &findings);
	verdict->exit_status = ending ? -1 : wait_status >> 8 & 0xff;
	verdict->signal = ending == 0x7f ? 0 : ending;
	verdict->partial = findings.partial;
	verdict->reserved = 0;
	decide(verdict, LLR_VERDICT_COMMAND, (struct span){ NULL, 0 });
	if (verdict->exit_status == LLR_EXIT_FAILURE && findings.fatal.bytes)
		decide(verdict, LLR_VERDICT_LAUNCHER, findings.fatal);
	else if (verdict->exit_status > 0 && findings.denial.bytes)
		decide(verdict, LLR_VERDICT_DENIED, findings.denial);
}
