/* policy.c: what launches grant, and what of it holds on which inode.
 * It must never ask the launcher: it is what the launcher is compared with. */
#include "policy.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "../levels/levels.h"

#define ROW(right, name, bit, on_file) { name, on_file },
static const struct {
	const char *name;
	bool on_file;
} table[RIGHT_COUNT] = { RIGHTS(ROW) };
#undef ROW

#define READING (RIGHT_EXECUTE | RIGHT_READ_FILE | RIGHT_READ_DIR)

const char *right_name(unsigned int bit)
{
	return table[bit].name;
}

rights rights_on_file(void)
{
	rights all = 0;

	for (unsigned int bit = 0; bit < RIGHT_COUNT; bit++)
		if (table[bit].on_file)
			all |= 1u << bit;
	return all;
}

rights rights_governed(int abi)
{
	return (rights)(level_of(abi).known[LEVEL_FS] & RIGHTS_ALL);
}

rights grant_rights(const struct grant *grant)
{
	switch (grant->option) {
	case GRANT_RO:
	case GRANT_RO_TRY:
		return READING;
	case GRANT_RW:
		return RIGHTS_ALL;
	default:
		return grant->rights;
	}
}

/* ---- Drawing ---- */

static rights some_rights(struct random *random)
{
	rights chosen = (enum right)random_next(random) & RIGHTS_ALL;
	unsigned int bit;

	switch (random_below(random, 6)) {
	case 0: /* a single one */
		return 1u << random_below(random, RIGHT_COUNT);
	case 1: /* few */
		chosen &= (enum right)random_next(random);
		break;
	case 2: /* what a change of a tree needs, or most of it */
		chosen |= RIGHT_REFER | RIGHT_MAKE_REG | RIGHT_REMOVE_FILE | RIGHT_MAKE_DIR;
		break;
	case 3: /* all but one, and that one of a file's as often as not */
		bit = random_below(random, RIGHT_COUNT);
		while (random_chance(random, 50) && !table[bit].on_file)
			bit = random_below(random, RIGHT_COUNT);
		return RIGHTS_ALL & ~(1u << bit);
	case 4: /* all but some */
		chosen = RIGHTS_ALL & ~(chosen & (enum right)random_next(random) &
					(enum right)random_next(random));
		break;
	default:
		break;
	}
	return chosen ? chosen : RIGHT_READ_FILE;
}

static void outside_place(struct place *place, struct random *random)
{
	static const char *const paths[] = { "/", "/", "/dev", "/dev/null", "/dev/zero", "/proc" };

	place->base = BASE_OUTSIDE;
	snprintf(place->path, sizeof place->path, "%s",
		 paths[random_below(random, sizeof paths / sizeof paths[0])]);
}

static void draw_grant(struct grant *grant, struct random *random, const char *const *paths,
		       unsigned int count)
{
	static const enum grant_option options[] = { GRANT_RO,    GRANT_RW,    GRANT_RO_TRY,
						     GRANT_ALLOW, GRANT_ALLOW, GRANT_ALLOW,
						     GRANT_ALLOW, GRANT_ALLOW, GRANT_ALLOW };

	*grant = (struct grant){ .option = options[random_below(random, 9)] };
	grant->rights = some_rights(random);
	grant->place.base = BASE_TOP;
	if (random_chance(random, 25))
		return; /* the top itself */
	if (random_chance(random, 12))
		outside_place(&grant->place, random);
	else if (count > 0)
		snprintf(grant->place.path, sizeof grant->place.path, "%s",
			 paths[random_below(random, count)]);
	if (grant->option == GRANT_RO_TRY && random_chance(random, 30))
		snprintf(grant->place.path, sizeof grant->place.path, "/missing");
}

void policy_draw(struct policy *policy, struct random *random, const char *const *paths,
		 unsigned int count)
{
	unsigned int die = random_below(random, 10);

	memset(policy, 0, sizeof *policy);
	policy->count = die < 6 ? 1 : die < 9 ? 2 : 3;
	for (unsigned int i = 0; i < policy->count; i++) {
		struct layer *layer = &policy->layers[i];

		layer->count = random_below(random, GRANTS + 1);
		for (unsigned int j = 0; j < layer->count; j++)
			draw_grant(&layer->grants[j], random, paths, count);
		/* Layers that leave nothing would teach nothing. */
		if (layer->count == 0 || (policy->count > 1 && random_chance(random, 50))) {
			layer->count = layer->count ? layer->count : 1;
			layer->grants[0] = (struct grant){ .option = GRANT_ALLOW,
							   .rights = some_rights(random) |
								     some_rights(random),
							   .place.base = BASE_TOP };
		}
	}
}

/* ---- Resolving ---- */

bool policy_resolve(const struct policy *policy, const struct side *side, int abi,
		    struct domain *domain)
{
	memset(domain, 0, sizeof *domain);
	domain->count = policy->count;
	domain->handled = rights_governed(abi);
	for (unsigned int i = 0; i < policy->count; i++) {
		const struct layer *layer = &policy->layers[i];

		for (unsigned int j = 0; j < layer->count; j++) {
			const struct grant *grant = &layer->grants[j];
			struct object object = look_object(side, &grant->place, true);
			struct rule *rule = &domain->layers[i].rules[domain->layers[i].count];

			if (object.error && grant->option != GRANT_RO_TRY)
				return false;
			if (object.error)
				continue;
			rule->identity = object.node.identity;
			rule->rights = grant_rights(grant) & domain->handled;
			if (!S_ISDIR(object.node.mode))
				rule->rights &= rights_on_file();
			domain->layers[i].count++;
			object_close(&object);
		}
	}
	return true;
}

/* ---- Telling ---- */

static const char *const option_names[GRANT_OPTIONS] = {
	[GRANT_RO] = "--ro",
	[GRANT_RW] = "--rw",
	[GRANT_RO_TRY] = "--ro-try",
	[GRANT_ALLOW] = "--allow",
};

/* The value of the grant's option. */
static void grant_value(const struct grant *grant, const char *top, char *text, size_t size)
{
	size_t used = 0;

	for (unsigned int bit = 0; grant->option == GRANT_ALLOW && bit < RIGHT_COUNT; bit++)
		if (grant->rights & 1u << bit)
			used += (size_t)snprintf(text + used, size - used, "%s%s", used ? "," : "",
						 table[bit].name);
	if (grant->place.base == BASE_TOP)
		snprintf(text + used, size - used, "%s%s%s%s", used ? ":" : "", top,
			 *grant->place.path ? "/" : "", grant->place.path);
	else
		snprintf(text + used, size - used, "%s%s", used ? ":" : "", grant->place.path);
}

void layer_tell(const struct layer *layer, char *text, size_t size)
{
	char value[PATH_MAX];
	size_t used = 0;

	*text = '\0';
	for (unsigned int i = 0; i < layer->count && used < size; i++) {
		grant_value(&layer->grants[i], "@", value, sizeof value);
		used += (size_t)snprintf(text + used, size - used, "%s %s ",
					 option_names[layer->grants[i].option], value);
	}
}

static void add(struct arguments *arguments, const char *word)
{
	const unsigned int most = sizeof arguments->words / sizeof arguments->words[0];

	if (arguments->count + 1 >= most)
		abort();
	arguments->words[arguments->count] = word ? strdup(word) : NULL;
	if (word && arguments->words[arguments->count] == NULL)
		abort();
	arguments->count += word != NULL;
}

static void add_all(struct arguments *arguments, const char *const *words)
{
	while (*words != NULL)
		add(arguments, *words++);
}

static void add_program(struct arguments *arguments, const char *path)
{
	char value[PATH_MAX + 32];

	snprintf(value, sizeof value, "execute,read-file:%s", path);
	add(arguments, "--allow");
	add(arguments, value);
}

void policy_arguments(const struct policy *policy, const char *top, const char *launcher,
		      const char *const *prefix, const char *const *command,
		      struct arguments *arguments)
{
	char value[2 * PATH_MAX];

	arguments->count = 0;
	add_all(arguments, prefix);
	for (unsigned int i = 0; i < policy->count; i++) {
		add(arguments, launcher);
		add_program(arguments, command[0]);
		if (i + 1 < policy->count)
			add_program(arguments, launcher);
		for (unsigned int j = 0; j < policy->layers[i].count; j++) {
			const struct grant *grant = &policy->layers[i].grants[j];

			grant_value(grant, top, value, sizeof value);
			add(arguments, option_names[grant->option]);
			add(arguments, value);
		}
		add(arguments, "--");
	}
	add_all(arguments, command);
	add(arguments, NULL);
}

void arguments_free(struct arguments *arguments)
{
	while (arguments->count > 0)
		free(arguments->words[--arguments->count]);
}
