/* Writes the tables of options for the completions of the shells, a row a line: the launcher's own
 * with `generate options`, those of `landlock-run bwrap` with `generate bwrap`.
 * Runs where the launcher is built, with that machine's libc; it knows no option of its own. */
#include <stdio.h>
#include <string.h>

#include "bwrap.h"
#include "options.h"
#include "rights.h"
#include "text.h"

/* What completes an option's value. */
static const char *values_of(const struct llr_option *option)
{
	switch ((enum llr_option_kind)option->kind) {
	case OPTION_PATH:
	case OPTION_ARGS_FILE:
		return "file";
	case OPTION_WORKSPACE:
		return "directory";
	case OPTION_ALLOW:
		return "words-for-file"; /* some words, commas between them, a colon, a file */
	case OPTION_SOCKET:
		return "word-or-file";
	case OPTION_REQUIRE:
		return "word-or-words"; /* the first, or some of the others, commas between them */
	case OPTION_PORT:
	case OPTION_SCOPE:
	case OPTION_GUARD:
	case OPTION_MODE:
		return "word";
	case OPTION_STATUS_FD:
	case OPTION_KEEP_FD:
		return "number";
	case OPTION_ACTION:
		return "action"; /* none, and nothing for `landlock-run probe` */
	case OPTION_POLICY:
	case OPTION_LAUNCH:
		return "-";
	}
	return "file";
}

/* ---- Words, with a space before each but the first ---- */

static void add_word(const char *word, int *any)
{
	printf("%s%s", *any ? " " : "", word);
	*any = 1;
}

static void add_rights(llr_rights rights, int *any)
{
	const struct llr_right *right;

	for (uint32_t i = 0; (right = llr_right_at(i)); i++)
		if (rights & right->right)
			add_word(right->name, any);
}

/* The words that the value can be or consist of; `-` for none. */
static void print_words(const struct llr_option *option)
{
	int any = 0;

	switch (option->kind) {
	case OPTION_MODE:
		for (uint32_t mode = 1; llr_mode_name(mode); mode++)
			add_word(llr_mode_name(mode), &any);
		break;
	case OPTION_GUARD:
		for (uint32_t guard = 1; llr_guard_name(guard); guard <<= 1)
			add_word(llr_guard_name(guard), &any);
		break;
	case OPTION_SCOPE:
		add_rights(llr_rights_with(LLR_TRAIT_SCOPE), &any);
		break;
	case OPTION_ALLOW:
		add_rights(llr_rights_with(LLR_TRAIT_PATH), &any);
		break;
	case OPTION_REQUIRE:
		add_word("full", &any);
		add_rights(LLR_FILE_SET | llr_rights_with(LLR_TRAIT_OPT_IN), &any);
		break;
	case OPTION_PORT:
	case OPTION_SOCKET:
		add_word("none", &any);
		break;
	default:
		add_word("-", &any);
	}
}

/* ---- Help, inside '...' of a shell ---- */

static const char *help_of(const struct llr_option *option)
{
	if (*llr_option_help(option))
		return llr_option_help(option);
	if (option->kind == OPTION_MODE)
		return "what COMMAND may do";
	return option->flag == LLR_ACTION_HELP ? "print a summary" : "print the version";
}

static const char *help_of_form(enum effect effect)
{
	switch (effect) {
	case WAIVE_PIDS:
		return "waive private processes";
	case WAIVE_TMP:
		return "waive a private /tmp";
	case GRANT_READ:
		return "read and execute beneath PATH, twice the same";
	case GRANT_WRITE:
		return "everything beneath PATH, twice the same";
	case GRANT_READ_TRY:
		return "like --ro-bind, if PATH exists";
	case GRANT_WRITE_TRY:
		return "like --bind, if PATH exists";
	case DEVICES:
		return "write to null, zero, tty, pts... in /dev";
	case PROC:
		return "the one of the host";
	case TMPFS:
		return "the /tmp of the host, after --share-tmp";
	case PRIVATE_PIDS:
		return "accepted after --share-pids";
	case DIE:
		return "SIGKILL COMMAND when the parent dies";
	case SESSION:
		return "a session of its own";
	case DIRECTORY:
		return "the working directory";
	}
	return "";
}

static void print_quoted(const char *text)
{
	for (; *text; text++)
		printf(*text == '\'' ? "'\\''" : "%c", *text);
}

/* ---- Rows, tabs between the columns; no column is empty ---- */

static const char *repeat_of(const struct llr_option *option)
{
	if (option->kind == OPTION_ACTION && option->flag == LLR_ACTION_PROBE)
		return "alone";
	return option->traits & OPTION_ONCE || !llr_option_takes_value(option) ? "once" : "again";
}

/* NAME USAGE VALUES once|again|alone WORDS HELP */
static void print_options(void)
{
	const struct llr_option *option;

	for (size_t i = 0; (option = llr_option_at(i)); i++) {
		printf("%s\t%s\t%s\t%s\t", option->name,
		       llr_option_takes_value(option) ? llr_option_usage(option) : "-",
		       values_of(option), repeat_of(option));
		print_words(option);
		printf("\t");
		print_quoted(help_of(option));
		printf("\n");
	}
}

static const char *values_of_form(enum effect effect)
{
	if (*llr_word_at(form_only, effect))
		return "word";
	if (effect == DIRECTORY)
		return "directory";
	return form_values[effect] == 2 ? "file-twice" : "-";
}

/* The same columns. */
static void print_forms(void)
{
	for (enum effect effect = WAIVE_PIDS; effect <= DIRECTORY; effect++) {
		const char *only = llr_word_at(form_only, effect);

		printf("%s\t%s\t%s\t%s\t%s\t", llr_word_at(form_names, effect),
		       form_values[effect] ? "PATH" : "-", values_of_form(effect),
		       form_values[effect] == 2 ? "again" : "once", *only ? only : "-");
		print_quoted(help_of_form(effect));
		printf("\n");
	}
}

int main(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], "options"))
		print_options();
	else if (argc == 2 && !strcmp(argv[1], "bwrap"))
		print_forms();
	else
		return 2;
	return fflush(stdout) || ferror(stdout);
}
