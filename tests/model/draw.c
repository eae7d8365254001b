/* draw.c: operations at random, most of them about what is there.
 * It must never know the policy, nor what comes of an operation. */
#include "draw.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define CROWDED 40 /* entries from which more is removed than made */

static bool chance(const struct scenery *scenery, unsigned int percent)
{
	return random_chance(scenery->random, percent);
}

static unsigned int below(const struct scenery *scenery, size_t count)
{
	return random_below(scenery->random, (unsigned int)count);
}

/* ---- Paths ---- */

enum wanted { WANT_ANY, WANT_DIRECTORY, WANT_FILE, WANT_PROGRAM, WANT_LINK, WANT_NEW };

static bool is_wanted(const struct entry *entry, enum wanted wanted)
{
	switch (wanted) {
	case WANT_DIRECTORY:
		return S_ISDIR(entry->mode) || S_ISLNK(entry->mode);
	case WANT_FILE:
		return !S_ISDIR(entry->mode);
	case WANT_PROGRAM:
		return S_ISREG(entry->mode) && entry->mode & 0100;
	case WANT_LINK:
		return S_ISLNK(entry->mode);
	default:
		return true;
	}
}

static bool is_there(const struct snapshot *snapshot, const char *path)
{
	for (unsigned int i = 0; i < snapshot->count; i++)
		if (strcmp(snapshot->entries[i].path, path) == 0)
			return true;
	return false;
}

/* A path from the top to something of that kind; to the top where there is nothing. */
static void pick_entry(const struct scenery *scenery, enum wanted wanted, char path[PLACE_PATH])
{
	const struct snapshot *snapshot = scenery->snapshot;

	*path = '\0';
	for (int tries = 0; tries < 12 && snapshot->count > 0 && !*path; tries++) {
		const struct entry *entry = &snapshot->entries[below(scenery, snapshot->count)];

		if (is_wanted(entry, wanted))
			strcpy(path, entry->path);
	}
}

static void pick(const struct scenery *scenery, enum wanted wanted, char path[PLACE_PATH])
{
	char directory[PLACE_PATH] = "";
	int tries = 0;

	if (wanted != WANT_NEW) {
		pick_entry(scenery, wanted, path);
		return;
	}
	if (!chance(scenery, 15))
		pick_entry(scenery, WANT_DIRECTORY, directory);
	/* Mostly, but not always, a name that is not taken. */
	do {
		snprintf(path, PLACE_PATH, "%.50s%s%c", directory, *directory ? "/" : "",
			 'a' + (char)below(scenery, 6));
	} while (++tries < 5 && is_there(scenery->snapshot, path));
}

/* Rewrites a path from the top as one from a directory that is `from` the top. */
static bool make_relative(const char *from, const char *path, char relative[PLACE_PATH])
{
	size_t common = strlen(from);
	char up[PLACE_PATH] = "";

	if (common == 0) {
		strcpy(relative, path);
		return true;
	}
	if (strncmp(path, from, common) == 0 && path[common] == '/') {
		strcpy(relative, path + common + 1);
		return true;
	}
	for (const char *at = from; at != NULL; at = strchr(at + 1, '/'))
		if (strlen(up) < 12)
			strcat(up, "../");
	return snprintf(relative, PLACE_PATH, "%s%s", up, path) < PLACE_PATH;
}

/* Where a worker's directory is from the top, when it is there. */
static bool directory_from_top(const struct scenery *scenery, int slot, char path[PLACE_PATH])
{
	char name[PATH_MAX];
	size_t top = strlen(scenery->side->top);
	bool deleted;

	if (!look_name(scenery->side, slot, name, &deleted) || deleted ||
	    strncmp(name, scenery->side->top, top) != 0 || strlen(name) >= top + PLACE_PATH)
		return false;
	strcpy(path, name + top + (name[top] == '/'));
	return true;
}

enum use { USE_ANY, USE_WRITES, USE_DEVICE, USE_PROGRAM };

static bool is_of_use(const struct held *held, enum use use)
{
	switch (use) {
	case USE_WRITES:
		return held->used && held->writes;
	case USE_DEVICE:
		return held->used && held->device;
	case USE_PROGRAM:
		return held->used && held->program && !held->writes;
	default:
		return held->used;
	}
}

/* A slot that is in use, and of that where there is such a one. */
static int some_slot(const struct scenery *scenery, enum use use)
{
	unsigned int first = below(scenery, SLOTS);

	for (unsigned int i = 0; i < SLOTS; i++)
		if (is_of_use(&scenery->held[(first + i) % SLOTS], use))
			return (int)((first + i) % SLOTS);
	return use != USE_ANY ? some_slot(scenery, USE_ANY) : (int)first;
}

/* The same place, spelled less well. */
static void decorate(const struct scenery *scenery, char path[PLACE_PATH])
{
	size_t length = strlen(path);
	char *slash = strchr(path, '/');
	char spelled[PLACE_PATH];

	if (length == 0 || length > PLACE_PATH - 12)
		return;
	switch (below(scenery, 40)) {
	case 0:
		strcpy(path + length, "/");
		break;
	case 1:
		strcpy(path + length, "/.");
		break;
	case 2:
		strcpy(path + length, "/..");
		break;
	case 3:
		snprintf(spelled, sizeof spelled, "./%.50s", path);
		strcpy(path, spelled);
		break;
	case 4:
		if (slash == NULL)
			break;
		snprintf(spelled, sizeof spelled, "%.*s//..//%.*s%.40s", (int)(slash - path), path,
			 (int)(slash - path), path, slash);
		strcpy(path, spelled);
		break;
	case 5:
		snprintf(path + length, PLACE_PATH - length, "/%c", 'a' + (char)below(scenery, 6));
		break;
	default:
		break;
	}
}

/* Places the path from the top in one of the ways that lead there. */
static void draw_place(const struct scenery *scenery, struct place *place, enum wanted wanted)
{
	unsigned int die = below(scenery, 100);
	int slot = some_slot(scenery, USE_ANY);
	char path[PLACE_PATH], from[PLACE_PATH];

	memset(place, 0, sizeof *place);
	pick(scenery, wanted, path);
	place->base = BASE_TOP;
	strcpy(place->path, path);
	if (die < 45 && directory_from_top(scenery, -1, from) &&
	    make_relative(from, path, place->path)) {
		place->base = BASE_CWD;
	} else if (die >= 45 && die < 60 && directory_from_top(scenery, slot, from) &&
		   make_relative(from, path, place->path)) {
		place->base = chance(scenery, 60) ? BASE_SLOT : BASE_PROC;
		place->slot = (uint8_t)slot;
	}
	decorate(scenery, place->path);
	if (place->base == BASE_CWD && !*place->path)
		strcpy(place->path, chance(scenery, 90) ? "." : "");
}

static void draw_held_place(const struct scenery *scenery, struct place *place)
{
	memset(place, 0, sizeof *place);
	place->base = BASE_PROC;
	place->slot = (uint8_t)some_slot(scenery, USE_ANY);
}

static void draw_outside(const struct scenery *scenery, struct place *place)
{
	static const char *const paths[] = { "/dev/null", "/dev/zero", "/", "/dev/null", "/tmp" };

	memset(place, 0, sizeof *place);
	place->base = BASE_OUTSIDE;
	strcpy(place->path, paths[below(scenery, COUNT(paths))]);
}

/* ---- Operations ---- */

static int8_t free_slot(const struct scenery *scenery)
{
	for (int8_t slot = 0; slot < SLOTS; slot++)
		if (!scenery->held[slot].used)
			return slot;
	return -1;
}

static enum wanted wanted_to_open(const struct scenery *scenery, uint32_t flags)
{
	bool creates = flags & O_CREAT && !(flags & O_PATH);

	if (chance(scenery, 15))
		return WANT_ANY;
	if (creates && chance(scenery, flags & O_EXCL ? 90 : 50))
		return WANT_NEW;
	if (flags & O_DIRECTORY)
		return WANT_DIRECTORY;
	return flags & (O_ACCMODE | O_TRUNC | O_CREAT) ? WANT_FILE : WANT_ANY;
}

/* To be executed by its descriptor. */
static void draw_open_program(const struct scenery *scenery, struct operation *operation)
{
	operation->flags = chance(scenery, 50) ? O_PATH : O_RDONLY;
	operation->slot = free_slot(scenery);
	draw_place(scenery, &operation->a, WANT_PROGRAM);
}

static void draw_open(const struct scenery *scenery, struct operation *operation)
{
	static const uint32_t flags[] = { O_CREAT, O_EXCL,      O_TRUNC,    O_APPEND,
					  O_PATH,  O_DIRECTORY, O_NOFOLLOW, O_TMPFILE };
	static const unsigned int often[] = { 40, 12, 25, 10, 7, 7, 8, 5 };
	static const uint64_t resolve[] = { RESOLVE_NO_SYMLINKS, RESOLVE_BENEATH, RESOLVE_NO_XDEV,
					    RESOLVE_NO_MAGICLINKS };
	bool wild = chance(scenery, 10);

	if (chance(scenery, 5)) {
		draw_open_program(scenery, operation);
		return;
	}
	operation->flags = below(scenery, 10) < 9 ? below(scenery, 3) : O_ACCMODE;
	for (size_t i = 0; i < COUNT(flags); i++)
		if (chance(scenery, wild ? 50 : often[i]))
			operation->flags |= flags[i];
	/* Old kernels make a file of it and then fail, which no twin can be put right after. */
	if (operation->flags & O_CREAT && !scenery->create_directory)
		operation->flags &= ~(uint32_t)O_DIRECTORY;
	if ((operation->flags & O_TMPFILE) == O_TMPFILE && !wild) {
		operation->flags &= ~(uint32_t)(O_CREAT | O_PATH);
		operation->flags |= chance(scenery, 90) ? O_WRONLY : 0;
	}
	operation->mode = chance(scenery, 30) ? 0755 : 0644;
	operation->slot = chance(scenery, 70) ? free_slot(scenery) : -1;
	if (chance(scenery, 10))
		operation->resolve = resolve[below(scenery, COUNT(resolve))];
	if (chance(scenery, 12)) {
		draw_held_place(scenery, &operation->a);
	} else if (chance(scenery, 8)) {
		draw_outside(scenery, &operation->a);
		/* For commands on a device that may be neither read nor written. */
		operation->flags |= chance(scenery, 40) ? O_ACCMODE : 0;
	} else {
		draw_place(scenery, &operation->a, wanted_to_open(scenery, operation->flags));
	}
}

static void draw_slot(const struct scenery *scenery, struct operation *operation)
{
	static const uint16_t commands[] = { 0x5401 /* TCGETS */, FIONREAD, FIONBIO, FIOASYNC };

	static const enum use uses[KIND_COUNT] = { [KIND_FTRUNCATE] = USE_WRITES,
						   [KIND_WRITE] = USE_WRITES,
						   [KIND_IOCTL] = USE_DEVICE,
						   [KIND_EXEC_FD] = USE_PROGRAM };

	operation->slot = (int8_t)some_slot(scenery, uses[operation->kind]);
	operation->length = below(scenery, 40);
	operation->mode = commands[below(scenery, COUNT(commands))];
	if (operation->kind == KIND_MEMFD || operation->kind == KIND_PIPE)
		operation->slot = free_slot(scenery);
	if (operation->slot < 0)
		operation->kind = KIND_CLOSE;
	if (operation->slot < 0)
		operation->slot = (int8_t)below(scenery, SLOTS);
}

/* What an open descriptor of a file is called now, so that it is moved while it is open. */
static bool draw_held_name(const struct scenery *scenery, struct place *place)
{
	memset(place, 0, sizeof *place);
	place->base = BASE_TOP;
	return directory_from_top(scenery, some_slot(scenery, USE_WRITES), place->path) &&
	       *place->path;
}

static void draw_rename(const struct scenery *scenery, struct operation *operation)
{
	static const uint32_t flags[] = { 0, 0, 0, 0, 0, 1, 2, 2, 2, 3 };
	enum wanted wanted = chance(scenery, 35) ? WANT_DIRECTORY : WANT_FILE;

	operation->flags = flags[below(scenery, COUNT(flags))];
	if (!chance(scenery, 20) || !draw_held_name(scenery, &operation->a))
		draw_place(scenery, &operation->a, wanted);
	if (chance(scenery, 15))
		wanted = WANT_ANY;
	if (operation->flags < 2 && chance(scenery, 65))
		wanted = WANT_NEW;
	draw_place(scenery, &operation->b, wanted);
}

static void draw_link(const struct scenery *scenery, struct operation *operation)
{
	operation->flags = chance(scenery, 30);
	draw_place(scenery, &operation->a, chance(scenery, 85) ? WANT_FILE : WANT_ANY);
	if (chance(scenery, 15)) {
		operation->flags = chance(scenery, 90);
		draw_held_place(scenery, &operation->a);
	}
	draw_place(scenery, &operation->b, chance(scenery, 90) ? WANT_NEW : WANT_ANY);
}

static void draw_symlink(const struct scenery *scenery, struct operation *operation)
{
	static const char *const loose[] = { "a", "b/c", "../b", "..", ".", "missing", "c/" };

	draw_place(scenery, &operation->a, chance(scenery, 85) ? WANT_NEW : WANT_ANY);
	operation->b.base = chance(scenery, 50) ? BASE_TOP : BASE_CWD;
	if (operation->b.base == BASE_TOP)
		pick(scenery, WANT_ANY, operation->b.path);
	else
		strcpy(operation->b.path, loose[below(scenery, COUNT(loose))]);
}

static void draw_mknod(const struct scenery *scenery, struct operation *operation)
{
	static const uint16_t types[] = { S_IFREG, S_IFIFO, S_IFSOCK,   S_IFCHR,
					  S_IFBLK, S_IFIFO, S_IFCHR | 1 };

	operation->mode = types[below(scenery, COUNT(types))];
	draw_place(scenery, &operation->a, chance(scenery, 85) ? WANT_NEW : WANT_ANY);
}

static void draw_chmod(const struct scenery *scenery, struct operation *operation)
{
	static const uint16_t modes[] = { 0755, 0644, 0755, 0444, 0000 };

	/* A directory keeps its owner's bits: who looks must get everywhere. */
	draw_place(scenery, &operation->a, WANT_FILE);
	operation->mode = modes[below(scenery, COUNT(modes))];
}

static void draw_named(const struct scenery *scenery, struct operation *operation)
{
	static const uint8_t wanted[KIND_COUNT] = {
		[KIND_LIST] = WANT_DIRECTORY,  [KIND_CHDIR] = WANT_DIRECTORY,
		[KIND_RMDIR] = WANT_DIRECTORY, [KIND_MKDIR] = WANT_NEW,
		[KIND_BIND] = WANT_NEW,        [KIND_UNLINK] = WANT_FILE,
		[KIND_EXEC] = WANT_PROGRAM,    [KIND_TRUNCATE] = WANT_FILE,
		[KIND_READLINK] = WANT_LINK,
	};

	operation->length = below(scenery, 40);
	operation->flags = chance(scenery, 50);
	operation->mode = operation->kind == KIND_ACCESS ? (uint16_t)below(scenery, 8) : 0755;
	draw_place(scenery, &operation->a,
		   chance(scenery, 88) ? wanted[operation->kind] : WANT_ANY);
	if (operation->kind == KIND_TRUNCATE && chance(scenery, 10))
		draw_held_place(scenery, &operation->a);
	/* Back, so that no descriptor of a directory that is gone is used for long. */
	if (operation->kind == KIND_CHDIR && chance(scenery, 30))
		operation->a = (struct place){ .base = BASE_TOP };
}

/* How often each is drawn, and how. */
static const struct drawing {
	uint8_t kind;
	unsigned int weight;
	void (*draw)(const struct scenery *scenery, struct operation *operation);
} drawings[] = {
	{ KIND_OPEN, 260, draw_open },     { KIND_CLOSE, 60, draw_slot },
	{ KIND_READ, 15, draw_slot },      { KIND_WRITE, 25, draw_slot },
	{ KIND_FTRUNCATE, 40, draw_slot }, { KIND_IOCTL, 30, draw_slot },
	{ KIND_MEMFD, 6, draw_slot },      { KIND_PIPE, 6, draw_slot },
	{ KIND_EXEC_FD, 12, draw_slot },   { KIND_FCHDIR, 8, draw_slot },
	{ KIND_LIST, 30, draw_named },     { KIND_EXEC, 40, draw_named },
	{ KIND_CHDIR, 25, draw_named },    { KIND_TRUNCATE, 40, draw_named },
	{ KIND_MKDIR, 45, draw_named },    { KIND_RMDIR, 40, draw_named },
	{ KIND_UNLINK, 60, draw_named },   { KIND_MKNOD, 40, draw_mknod },
	{ KIND_BIND, 15, draw_named },     { KIND_SYMLINK, 35, draw_symlink },
	{ KIND_LINK, 80, draw_link },      { KIND_RENAME, 170, draw_rename },
	{ KIND_STAT, 12, draw_named },     { KIND_ACCESS, 10, draw_named },
	{ KIND_READLINK, 8, draw_named },  { KIND_STATFS, 5, draw_named },
	{ KIND_CHMOD, 15, draw_chmod },    { KIND_UTIMES, 8, draw_named },
};

static const struct drawing *choose(const struct scenery *scenery)
{
	unsigned int total = 0, die;
	size_t i = 0;

	if (scenery->snapshot->count > CROWDED && chance(scenery, 30))
		return &drawings[chance(scenery, 50) ? 15 : 16];
	for (size_t j = 0; j < COUNT(drawings); j++)
		total += drawings[j].weight;
	die = below(scenery, total);
	while (die >= drawings[i].weight)
		die -= drawings[i++].weight;
	return &drawings[i];
}

void operation_draw(const struct scenery *scenery, struct operation *operation)
{
	const struct drawing *drawing = choose(scenery);

	memset(operation, 0, sizeof *operation);
	operation->kind = drawing->kind;
	operation->slot = -1;
	drawing->draw(scenery, operation);
}
