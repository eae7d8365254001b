/* Who takes part: the tables and the contenders in them, read from a file.
 * Nothing here runs or prints. */
#include "roster.h"

#include <stdlib.h>
#include <string.h>

static const char *const roles[] = {
	[ROLE_FLOOR] = "floor", [ROLE_COPY] = "copy",     [ROLE_MUST] = "must",
	[ROLE_MAY] = "may",     [ROLE_ABSENT] = "absent",
};

static void *grow(void *array, size_t count, size_t size)
{
	array = reallocarray(array, count, size);
	if (array == NULL)
		abort();
	return array;
}

/* Cuts the line at its tabs, in place; the list ends with a null. */
static char **cut(char *line, size_t *count)
{
	char **words = NULL;
	char *rest = line;

	*count = 0;
	do {
		words = grow(words, *count + 2, sizeof(*words));
		words[(*count)++] = strsep(&rest, "\t");
	} while (rest != NULL);
	words[*count] = NULL;
	return words;
}

static bool number(const char *word, size_t *value)
{
	char *end;

	*value = strtoul(word, &end, 10);
	return *word >= '0' && *word <= '9' && *end == '\0';
}

static bool add_contender(struct roster *roster, char **words, size_t count)
{
	struct contender new = { .role = ROLE_FLOOR, .table = roster->table_count - 1 };

	if (count < 5 || roster->table_count == 0)
		return false;
	while (strcmp(words[0], roles[new.role]) != 0)
		if (new.role++ == ROLE_ABSENT)
			return false;
	if (!number(words[1], &new.every) || new.every == 0 || !number(words[2], &new.units))
		return false;
	new.name = words[3];
	new.argv = words + 4;
	roster->contenders = grow(roster->contenders, roster->count + 1, sizeof(new));
	roster->contenders[roster->count++] = new;
	return true;
}

static bool add_table(struct roster *roster, char **words, size_t count)
{
	struct table new = { .title = words[1], .unit = count > 2 ? words[2] : NULL };

	if ((count != 2 && count != 4) || (count == 4 && !number(words[3], &new.told)))
		return false;
	roster->tables = grow(roster->tables, roster->table_count + 1, sizeof(new));
	roster->tables[roster->table_count++] = new;
	return true;
}

static bool add_line(struct roster *roster, char *line)
{
	size_t count;
	char **words = cut(line, &count);

	if (strcmp(words[0], "table") == 0)
		return add_table(roster, words, count);
	return add_contender(roster, words, count);
}

size_t roster_read(struct roster *roster, FILE *in)
{
	size_t line_number = 0;

	memset(roster, 0, sizeof(*roster));
	for (;;) {
		char *line = NULL;
		size_t room = 0;
		ssize_t length = getline(&line, &room, in);

		if (length < 0) {
			free(line);
			return ferror(in) ? line_number + 1 : 0;
		}
		line_number++;
		line[strcspn(line, "\n")] = '\0';
		if (!add_line(roster, line))
			return line_number;
	}
}

void roster_reserve(struct roster *roster, size_t rounds)
{
	for (size_t i = 0; i < roster->count; i++) {
		struct contender *contender = &roster->contenders[i];

		contender->nanoseconds = calloc(rounds, sizeof(double));
		contender->faults = calloc(rounds, sizeof(double));
		if (contender->nanoseconds == NULL || contender->faults == NULL)
			abort();
	}
}

const struct contender *roster_floor(const struct roster *roster, const struct contender *of)
{
	for (size_t i = 0; i < roster->count; i++) {
		const struct contender *floor = &roster->contenders[i];

		if (floor->role == ROLE_FLOOR && floor->table == of->table &&
		    floor->units == of->units)
			return floor;
	}
	return NULL;
}
