/* A page for stdout, of any length: written out whenever the next piece might not fit.
 * Nothing from outside can break its form. */
#include "page.h"
#include "launcher.h"
#include "rights.h"

#define PIECE 26000 /* the longest piece: a path of PATH_MAX bytes, each of which may take six */
#define LINE 78     /* of text; only a word of its own may be longer */
/* The columns of a row of text: as wide as the longest name, and as "ABI 10 (Linux 7.2)". */
#define SECOND 29
#define THIRD 49

/* How many brackets are open, and so which: the page is an object, and arrays and objects take
 * turns. */
enum { OUTSIDE, WHOLE, ROWS, ROW, LIST };

__attribute__((noinline)) struct page *page_begin(struct page *page, const char *what, int json,
						  struct llr_error *error)
{
	page->text = (struct text){ page->bytes, sizeof page->bytes, 0 };
	page->what = what;
	page->error = error;
	page->json = (uint8_t)json;
	page->failed = 0;
	page->fresh = 1;
	page->depth = OUTSIDE;
	return page;
}

static void flush(struct page *page)
{
	if (!page->failed)
		page->failed = report_text(page->bytes, page->text.length, page->what,
					   page->error) != 0;
	page->text.length = page->row = 0;
}

int page_end(struct page *page)
{
	if (page->json)
		llr_text_byte(&page->text, '\n');
	flush(page);
	return page->failed ? -1 : 0;
}

static void fill_to(struct page *page, size_t column)
{
	while (page->text.length - page->row < column)
		llr_text_byte(&page->text, ' ');
}

static void begin_line(struct page *page, size_t indent)
{
	page->row = page->text.length;
	fill_to(page, indent);
}

/* The name of a line, and the space behind it. */
static void add_heading(struct page *page, const char *name)
{
	llr_text_add(&page->text, name);
	fill_to(page, page->depth == WHOLE ? 13 : 14);
}

static void begin_text(struct page *page, const char *name, size_t length)
{
	if (page->depth == WHOLE) {
		begin_line(page, 0);
		add_heading(page, name);
	} else if (page->depth == ROW && !page->fresh) {
		size_t at = page->text.length - page->row;

		fill_to(page, at < SECOND ? SECOND : at + 2 < THIRD ? THIRD : at + 2);
	} else if (page->depth == LIST && !page->fresh) {
		llr_text_byte(&page->text, ',');
		if (page->text.length - page->row + length < LINE) {
			llr_text_byte(&page->text, ' ');
		} else {
			llr_text_byte(&page->text, '\n');
			begin_line(page, 14);
		}
	}
	page->fresh = 0;
}

/* What stands before a value of that length. */
static void begin_value(struct page *page, const char *name, size_t length)
{
	if (page->text.length + PIECE > sizeof page->bytes)
		flush(page);
	if (!page->json) {
		begin_text(page, name, length);
		return;
	}
	if (!page->fresh)
		llr_text_byte(&page->text, ',');
	page->fresh = 0;
	if (!name)
		return;
	llr_text_byte(&page->text, '"');
	llr_text_add(&page->text, name);
	llr_text_add(&page->text, WORD("\":"));
}

static void end_value(struct page *page)
{
	if (!page->json && page->depth == WHOLE)
		llr_text_byte(&page->text, '\n');
}

void page_open(struct page *page, const char *name)
{
	if (page->json) {
		begin_value(page, name, 0);
		llr_text_byte(&page->text, page->depth & 1 ? '[' : '{');
	} else if (page->depth == WHOLE) {
		llr_text_add(&page->text, name);
		llr_text_byte(&page->text, '\n');
	} else if (page->depth == ROWS) {
		begin_line(page, 2);
	} else if (page->depth == ROW) {
		llr_text_byte(&page->text, '\n');
		begin_line(page, 4);
		add_heading(page, name);
	}
	page->depth++;
	page->fresh = 1;
}

void page_close(struct page *page)
{
	if (page->json)
		llr_text_byte(&page->text, page->depth & 1 ? '}' : ']');
	else if (page->depth == ROW)
		llr_text_byte(&page->text, '\n');
	else if (page->depth == LIST && page->fresh)
		llr_text_add(&page->text, WORD("nothing"));
	page->depth--;
	page->fresh = 0;
}

static void add_word(struct page *page, const char *name, const char *word)
{
	begin_value(page, name, 0);
	llr_text_add(&page->text, word);
	end_value(page);
}

void page_null(struct page *page, const char *name)
{
	if (page->json)
		add_word(page, name, WORD("null"));
}

void page_truth(struct page *page, const char *name, int truth)
{
	if (page->json || page->depth == WHOLE) {
		add_word(page, name, truth ? WORD("true") : WORD("false"));
		return;
	}
	begin_value(page, name, 0);
	llr_text_add(&page->text, truth ? "" : WORD("not "));
	llr_text_add(&page->text, name);
}

void page_string(struct page *page, const char *name, const char *string)
{
	if (!string) {
		page_null(page, name);
		return;
	}
	begin_value(page, name, llr_string_length(string));
	if (page->json) {
		llr_text_byte(&page->text, '"');
		llr_text_json(&page->text, string, llr_string_length(string), PIECE - 100);
		llr_text_byte(&page->text, '"');
	} else {
		llr_text_masked(&page->text, string, PIECE - 100);
	}
	end_value(page);
}

void page_number(struct page *page, const char *name, uint64_t number)
{
	if (!page->json && page->depth == ROW)
		return;
	begin_value(page, name, 0);
	llr_text_number(&page->text, number);
	end_value(page);
}

void page_rights(struct page *page, const char *name, llr_rights rights)
{
	struct llr_right right;

	page_open(page, name);
	while (llr_rights_take(&rights, &right))
		page_string(page, NULL, right.name);
	page_close(page);
}
