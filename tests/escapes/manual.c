/* manual.c: prints the manual's section on what is not protected, in mdoc, from the table.
 * It says nothing that no row says, and writes no ABI or version of Linux of its own. */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "launches.h"
#include "rights.h"

#define LINE_MOST 88

#define PREPARATION(name) name,
enum preparation { PREPARATIONS(PREPARATION) };
#undef PREPARATION

enum verdict { VERDICT_CLOSED, VERDICT_OPTION, VERDICT_OPEN };
enum who { ANYONE, PRIVILEGED, AS_ROOT, AS_USER };

/* A row of the table, with what is not told of it: how it is tried. */
struct row {
	enum verdict verdict;
	unsigned int since;
	enum who who;
	const char *heading; /* the option, or the topic's text */
	const char *words;
	unsigned int certain;
	enum preparation prepare;
	const char *grants, *closed;
	bool trace, silent, hidden;
};

#define CLOSED(...)
#define OPTION(...)
#define OPEN(...)

#define TOPIC(id, text) TOPIC_##id,
enum topic {
#include "table.h"
	TOPICS
};
#undef TOPIC

#define TOPIC(id, text) [TOPIC_##id] = (text),
static const char *const topics[] = {
#include "table.h"
};
#undef TOPIC

#undef CLOSED
#undef OPTION
#undef OPEN

static const struct {
	enum topic topic;
	struct row row;
} table[] = {
#define TOPIC(...)
#define CLOSED(name, level, whom, topic, text, ...) \
	{ TOPIC_##topic, \
	  { .verdict = VERDICT_CLOSED, \
	    .since = level, \
	    .who = whom, \
	    .words = text, \
	    __VA_ARGS__ } },
#define OPTION(name, level, whom, option, text, ...) \
	{ TOPICS, \
	  { .verdict = VERDICT_OPTION, \
	    .since = level, \
	    .who = whom, \
	    .heading = option, \
	    .words = text, \
	    __VA_ARGS__ } },
#define OPEN(name, whom, topic, text, ...) \
	{ TOPIC_##topic, { .verdict = VERDICT_OPEN, .who = whom, .words = text, __VA_ARGS__ } },
#include "table.h"
};

#define ROWS (sizeof table / sizeof table[0])

static struct row rows[ROWS];

/* ---- Marked-up text ---- */

static char line[LINE_MOST + 256];

static void end_line(void)
{
	if (*line)
		puts(line);
	*line = '\0';
}

/* A word of running text; what would be read as a command is not. */
static void add_plain(const char *word)
{
	size_t used = strlen(line);

	if (used + 1 + strlen(word) > LINE_MOST) {
		end_line();
		used = 0;
	}
	snprintf(line + used, sizeof line - used, "%s%s%s", used ? " " : "",
		 !used && (*word == '.' || *word == '\'') ? "\\&" : "", word);
}

/* A line of its own: the macro, its words, and the punctuation that stands behind them. */
static void add_macro(const char *macro, const char *words, const char *punctuation)
{
	end_line();
	printf(".%s %s", macro, words);
	for (; *punctuation; punctuation++)
		printf(" %c", *punctuation);
	putchar('\n');
}

/* kill(2) as "kill 2"; false for any other word. */
static bool add_reference(char *word, const char *punctuation)
{
	char *open = strchr(word, '('), words[64];
	size_t length = strlen(word);

	if (open == NULL || open == word || word + length != open + 3 || !isdigit(open[1]) ||
	    open[2] != ')')
		return false;
	snprintf(words, sizeof words, "%.*s %c", (int)(open - word), word, open[1]);
	add_macro("Xr", words, punctuation);
	return true;
}

static void add_word(char *word)
{
	static const char marks[] = ",;:.";
	size_t length = strlen(word), bare = length;
	char punctuation[8];

	while (bare > 0 && strchr(marks, word[bare - 1]) != NULL && length - bare < 4)
		bare--;
	if (bare == 0) {
		add_plain(word);
		return;
	}
	snprintf(punctuation, sizeof punctuation, "%s", word + bare);
	word[bare] = '\0';
	if (strncmp(word, "--", 2) == 0)
		add_macro("Fl", word + 1, punctuation);
	else if (*word == '/' && bare > 1)
		add_macro("Pa", word, punctuation);
	else if (!add_reference(word, punctuation)) {
		memcpy(word + bare, punctuation, strlen(punctuation));
		add_plain(word);
	}
}

static void add_text(const char *text)
{
	char *copy = strdup(text), *rest = copy;

	if (copy == NULL)
		exit(1);
	for (char *word; (word = strsep(&rest, " ")) != NULL;)
		add_word(word);
	free(copy);
}

/* ---- Rows ---- */

static bool is_roots(const struct row *row)
{
	return row->who == PRIVILEGED || row->who == AS_ROOT;
}

/* "ABI 6, Linux 6.12" */
static const char *level(unsigned int abi)
{
	static char text[64];
	const struct llr_right *right;

	for (uint32_t i = 0; (right = llr_right_at(i)) != NULL; i++)
		if (right->abi == abi) {
			snprintf(text, sizeof text, "ABI %u, Linux %u.%u", abi, right->linux_major,
				 right->linux_minor);
			return text;
		}
	fprintf(stderr, "escapes: no right tells which Linux has ABI %u\n", abi);
	exit(1);
}

typedef bool belongs(const struct row *row);

/* All that the rows with the first one's heading say, in their order, as one sentence. */
static void say(const struct row *first, belongs *belong)
{
	static char text[8192];
	size_t used = 0;

	*text = '\0';
	for (size_t i = 0; i < ROWS; i++) {
		const struct row *row = &rows[i];
		bool option = row->verdict == VERDICT_OPTION;
		bool unsure = option && row->certain > row->since;

		if (!belong(row) || strcmp(row->heading, first->heading) != 0)
			continue;
		used += (size_t)snprintf(text + used, sizeof text - used, "%s%s%s",
					 used == 0 || strchr(" ,", *row->words) ? "" : "; ",
					 row->words, option && is_roots(row) ? " (root)" : "");
		if (unsure)
			used += (size_t)snprintf(text + used, sizeof text - used,
						 " (for certain from %s)", level(row->certain));
		if (used + 256 > sizeof text)
			exit(1);
	}
	snprintf(text + used, sizeof text - used, ".");
	add_text(text);
	end_line();
}

/* Whether no row before it has its heading. */
static bool is_first(const struct row *row, belongs *belong)
{
	for (const struct row *other = rows; other < row; other++)
		if (belong(other) && strcmp(other->heading, row->heading) == 0)
			return false;
	return belong(row);
}

/* ---- The section ---- */

static bool by_option(const struct row *row)
{
	return row->verdict == VERDICT_OPTION;
}

static bool open_to_anyone(const struct row *row)
{
	return row->verdict == VERDICT_OPEN && !is_roots(row);
}

static bool open_to_root(const struct row *row)
{
	return row->verdict == VERDICT_OPEN && is_roots(row);
}

static unsigned int level_told;

static bool closed_at_level(const struct row *row)
{
	return row->verdict == VERDICT_CLOSED && row->since == level_told;
}

static bool closed_by_all(const struct row *row)
{
	return row->verdict == VERDICT_CLOSED && row->since == 1;
}

/* "--guard metadata" as `.It Fl -guard Cm metadata`. */
static void head_option(const struct row *row)
{
	char *copy = strdup(row->heading), *rest = copy;

	if (copy == NULL)
		exit(1);
	printf(".It");
	for (char *word; (word = strsep(&rest, " ")) != NULL;)
		printf(strncmp(word, "--", 2) == 0 ? " Fl %s" : " Cm %s",
		       word + (strncmp(word, "--", 2) == 0));
	if (row->since > 1)
		printf(" Pq %s", level(row->since));
	putchar('\n');
	free(copy);
}

static void head_topic(const struct row *row)
{
	printf(".It Sy %s\n", row->heading);
}

/* A list with an entry for each heading. */
static void list(belongs *belong, void (*head)(const struct row *row))
{
	puts(".Bl -tag -width Ds");
	for (size_t i = 0; i < ROWS; i++)
		if (is_first(&rows[i], belong)) {
			head(&rows[i]);
			say(&rows[i], belong);
		}
	puts(".El");
}

static void tell_options(void)
{
	puts(".Ss Open unless an option closes it");
	for (size_t i = 0; i < ROWS; i++)
		for (size_t j = 0; j < i; j++)
			if (by_option(&rows[i]) && by_option(&rows[j]) &&
			    rows[i].since != rows[j].since &&
			    strcmp(rows[i].heading, rows[j].heading) == 0) {
				fprintf(stderr, "escapes: %s: from two ABIs\n", rows[i].heading);
				exit(1);
			}
	puts("The option that closes it is named, and the ABI that it needs when that is not the "
	     "first.");
	list(by_option, head_option);
}

static void tell_old_kernels(void)
{
	puts(".Ss Open on older kernels\n"
	     "A launch prints the notice there.\n"
	     "On ABI 1, renames across directories are refused everywhere.\n"
	     ".Bl -tag -width Ds");
	for (level_told = 2; level_told <= (unsigned int)llr_abi_newest(); level_told++)
		for (size_t i = 0; i < ROWS; i++)
			if (is_first(&rows[i], closed_at_level)) {
				printf(".It Before %s\n", level(level_told));
				say(&rows[i], closed_at_level);
			}
	puts(".El");
}

static void tell_open(void)
{
	puts(".Ss Open whatever the options");
	list(open_to_anyone, head_topic);
	puts(".Ss Open to root\n"
	     "Landlock takes no privileges away: as root, more is open.");
	list(open_to_root, head_topic);
}

int main(void)
{
	for (size_t i = 0; i < ROWS; i++) {
		rows[i] = table[i].row;
		if (rows[i].heading == NULL)
			rows[i].heading = topics[table[i].topic];
	}
	printf("The tests know %zu ways out of such a confinement and try each of them: "
	       "unconfined, where it\n"
	       "must succeed, and confined, with and without the options named here.\n",
	       ROWS);
	tell_options();
	tell_open();
	tell_old_kernels();
	puts(".Ss Tried and closed\n"
	     "Outside the grants, whatever the options, on every kernel that confines at all:");
	list(closed_by_all, head_topic);
	return fflush(stdout) == 0 ? 0 : 1;
}
