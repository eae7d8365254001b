/* --help and --version, on stdout.
 * The options come from the one table of them. */
#include "launcher.h"
#include "text.h"
#include "words.h"

#define COLUMN 29

static const char head[] WORDS =
	"Usage: landlock-run --mode MODE [OPTION]... [-c SCRIPT [ARG]... | -- COMMAND]\n"
	"       landlock-run [OPTION]... -- COMMAND [ARG]...\n"
	"       landlock-run --probe | probe [--json] [OPTION]...\n"
	"Confines itself with Landlock and becomes COMMAND (with a mode: bash).\n\n"
	"  --mode read-only           read and run everything, write no file\n"
	"  --mode workspace-write     the same, and write files in DIR and /tmp\n"
	"  --mode danger-full-access  no confinement\n";

static const char tail[] WORDS =
	"\nWhat is not granted is denied. 125: the launcher failed, nothing ran. Never\n"
	"governed: metadata (--guard), open descriptors (--close-fds). landlock-run(1)\n";

static void add_option(struct text *text, const struct llr_option *option)
{
	size_t end = text->length + COLUMN;

	llr_text_add(text, WORD("  "));
	llr_text_add(text, option->name);
	if (llr_option_takes_value(option)) {
		llr_text_byte(text, ' ');
		llr_text_add(text, llr_option_usage(option));
	}
	do
		llr_text_byte(text, ' ');
	while (text->length < end);
	llr_text_add(text, llr_option_help(option));
	llr_text_byte(text, '\n');
}

int help_print(struct llr_error *error)
{
	char page[4096];
	struct text text = { page, sizeof page, 0 };
	const struct llr_option *option;

	if (words_unpack(error))
		return -1;
	llr_text_add(&text, WORDS_POINTER(head));
	for (size_t i = 0; (option = llr_option_at(i)); i++)
		if (*llr_option_help(option))
			add_option(&text, option);
	llr_text_add(&text, WORDS_POINTER(tail));
	return report_text(page, text.length < sizeof page ? text.length : sizeof page,
			   WORD("the help"), error);
}

int help_version(struct llr_error *error)
{
	char line[80];
	struct text text = { line, sizeof line, 0 };

	if (words_unpack(error))
		return -1;
	llr_text_add(&text, WORD("landlock-run " LLR_VERSION " (Landlock ABI up to "));
	llr_text_number(&text, (uint64_t)llr_abi_newest());
	llr_text_add(&text, ")\n");
	return report_text(line, text.length, WORD("the version"), error);
}
