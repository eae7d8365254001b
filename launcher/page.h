/* A page for stdout, of any length: JSON, or aligned text for people, from the same calls.
 * Nothing from outside can break its form. */
#ifndef LAUNCHER_PAGE_H
#define LAUNCHER_PAGE_H

#include "landlock-run.h"
#include "text.h"

struct page {
	struct text text;
	const char *what; /* names the page in an error */
	struct llr_error *error;
	size_t row; /* where the line began whose columns are counted */
	uint8_t json;
	uint8_t failed;
	uint8_t fresh;     /* nothing stands yet behind the bracket */
	uint8_t depth;     /* brackets that are open */
	char bytes[32768]; /* of the text; last, so that the rest is near */
};

/* Returns the page. Out of line, or its address, far up the stack, would be made for each call. */
struct page *page_begin(struct page *page, const char *what, int json, struct llr_error *error);
/* Writes out the rest; 0, or -1 with *error filled when some of the page could not be written. */
int page_end(struct page *page);

/* What stands on a page is one object of values and of arrays of objects, which may have arrays of
 * strings. In text a value of the object is a line, an object of an array is a line of columns
 * without its numbers, and an array of strings is a line below that. A name is a constant; NULL in
 * an array. */
void page_open(struct page *page, const char *name);
void page_close(struct page *page);
void page_string(struct page *page, const char *name, const char *string); /* NULL: null */
void page_number(struct page *page, const char *name, uint64_t number);
void page_truth(struct page *page, const char *name, int truth);
void page_null(struct page *page, const char *name);
void page_rights(struct page *page, const char *name, llr_rights rights);

#endif
