/* tree.c: what is in a tree: drawn, built, and read back to be compared.
 * It must never be told what an operation did: it reads the disk. */
#include "tree.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

/* ---- Drawing and building ---- */

#define DIRECTORIES 12
#define FILES 24

/* What has been drawn so far. */
struct draft {
	struct furnishing *furnishing;
	struct random *random;
	char directories[DIRECTORIES][PLACE_PATH];
	unsigned int directory_count;
	char files[FILES][PLACE_PATH];
	unsigned int file_count;
	char programs[FILES][PLACE_PATH]; /* and scripts */
	unsigned int program_count;
	char names[FURNISHING][PLACE_PATH]; /* all that are taken */
	unsigned int name_count;
};

static bool is_taken(const struct draft *draft, const char *path)
{
	for (unsigned int i = 0; i < draft->name_count; i++)
		if (strcmp(draft->names[i], path) == 0)
			return true;
	return false;
}

/* A new operation on a new name; NULL when none was found. */
static struct operation *draft_one(struct draft *draft, enum kind kind)
{
	struct operation *operation = &draft->furnishing->operations[draft->furnishing->count];
	unsigned int which = random_below(draft->random, draft->directory_count);
	const char *directory = draft->directories[which];
	char path[PLACE_PATH + 4];

	snprintf(path, sizeof path, "%s%s%c", directory, *directory ? "/" : "",
		 'a' + (char)random_below(draft->random, 6));
	if (draft->furnishing->count == FURNISHING || strlen(path) > 8 || is_taken(draft, path))
		return NULL;
	memset(operation, 0, sizeof *operation);
	operation->kind = (uint8_t)kind;
	operation->slot = -1;
	operation->a.base = operation->b.base = BASE_TOP;
	memcpy(operation->a.path, path, strlen(path) + 1);
	memcpy(draft->names[draft->name_count++], path, strlen(path) + 1);
	draft->furnishing->count++;
	return operation;
}

static const char *some_name(struct draft *draft)
{
	return draft->names[random_below(draft->random, draft->name_count)];
}

static void draft_directory(struct draft *draft)
{
	struct operation *operation = draft_one(draft, KIND_MKDIR);

	if (operation == NULL)
		return;
	operation->mode = 0755;
	if (draft->directory_count < DIRECTORIES)
		strcpy(draft->directories[draft->directory_count++], operation->a.path);
}

static void draft_file(struct draft *draft)
{
	struct operation *operation = draft_one(draft, KIND_OPEN);

	if (operation == NULL)
		return;
	operation->flags = O_WRONLY | O_CREAT | O_EXCL;
	operation->mode = random_chance(draft->random, 30) ? 0755 : 0644;
	if (draft->file_count < FILES)
		strcpy(draft->files[draft->file_count++], operation->a.path);
}

static void draft_symlink(struct draft *draft)
{
	static const char *const loose[] = { "a", "b/c", "../a", "..", ".", "missing", "f/", "e" };
	struct operation *operation = draft_one(draft, KIND_SYMLINK);

	if (operation == NULL)
		return;
	if (random_chance(draft->random, 55)) {
		strcpy(operation->b.path, some_name(draft));
		return;
	}
	operation->b.base = BASE_CWD;
	strcpy(operation->b.path, loose[random_below(draft->random, 8)]);
}

static void draft_node(struct draft *draft, bool root)
{
	static const uint32_t types[] = { S_IFIFO, S_IFSOCK, S_IFREG, S_IFIFO, S_IFCHR, S_IFBLK };
	struct operation *operation = draft_one(draft, KIND_MKNOD);

	if (operation != NULL)
		operation->mode = (uint16_t)types[random_below(draft->random, root ? 6 : 4)];
}

/* A program or, where there is one already, mostly a script for it. */
static void draft_program(struct draft *draft)
{
	bool script = draft->program_count > 0 && random_chance(draft->random, 65);
	struct operation *operation = draft_one(draft, script ? KIND_SCRIPT : KIND_PROGRAM);

	if (operation == NULL)
		return;
	if (script && random_chance(draft->random, 80))
		strcpy(operation->b.path,
		       draft->programs[random_below(draft->random, draft->program_count)]);
	else if (script)
		strcpy(operation->b.path, some_name(draft));
	if (draft->program_count < FILES)
		strcpy(draft->programs[draft->program_count++], operation->a.path);
}

static void draft_other(struct draft *draft, bool root)
{
	struct operation *operation;

	switch (random_below(draft->random, 6)) {
	case 0:
	case 1:
		draft_program(draft);
		break;
	case 2:
		operation = draft->file_count > 0 ? draft_one(draft, KIND_LINK) : NULL;
		if (operation != NULL)
			operation->b = operation->a;
		if (operation != NULL)
			strcpy(operation->a.path,
			       draft->files[random_below(draft->random, draft->file_count)]);
		break;
	case 3:
		draft_node(draft, root);
		break;
	default:
		draft_symlink(draft);
	}
}

/* A directory that shows what another one holds. */
static void draft_mount(struct draft *draft)
{
	struct operation *operation = draft_one(draft, KIND_MKDIR);
	char place[PLACE_PATH];

	if (operation == NULL || draft->furnishing->count == FURNISHING)
		return;
	operation->mode = 0755;
	strcpy(place, operation->a.path);
	operation = &draft->furnishing->operations[draft->furnishing->count++];
	memset(operation, 0, sizeof *operation);
	operation->kind = KIND_MOUNT;
	operation->slot = -1;
	operation->a.base = operation->b.base = BASE_TOP;
	strcpy(operation->a.path,
	       draft->directories[1 + random_below(draft->random, draft->directory_count - 1)]);
	strcpy(operation->b.path, place);
}

void furnishing_draw(struct furnishing *furnishing, struct random *random, bool root, bool mounts)
{
	struct draft *draft = calloc(1, sizeof *draft);

	if (draft == NULL)
		abort();
	furnishing->count = 0;
	draft->furnishing = furnishing;
	draft->random = random;
	draft->directory_count = 1; /* the top */
	for (unsigned int i = 0; i < 3 + random_below(random, 6); i++)
		draft_directory(draft);
	for (unsigned int i = 0; i < 3 + random_below(random, 6); i++)
		draft_file(draft);
	for (unsigned int i = 0; i < 4 + random_below(random, 8); i++)
		draft_other(draft, root);
	for (unsigned int i = 0; mounts && draft->directory_count > 1 && i < 2; i++)
		draft_mount(draft);
	free(draft);
}

const struct operation *furnishing_build(const struct furnishing *furnishing, const char *top,
					 const char *program)
{
	const struct hands hands = { top, program };

	for (unsigned int i = 0; i < furnishing->count; i++)
		if (perform(&hands, &furnishing->operations[i]).error)
			return &furnishing->operations[i];
	return NULL;
}

/* ---- Reading back ---- */

struct reading {
	struct snapshot *snapshot;
	const struct side *side;
	bool contents;
	uint64_t mount;
};

static uint64_t sum_content(int directory, const char *name)
{
	char bytes[4096];
	uint64_t sum = 0;
	int fd = openat(directory, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	ssize_t length = fd < 0 ? 0 : read(fd, bytes, sizeof bytes);

	/* A script names its interpreter by the tree's own name, which differs in a digit. */
	for (ssize_t i = 0; i < length; i++)
		sum = sum * 31 + (unsigned char)(bytes[i] == '2' ? '1' : bytes[i]);
	if (fd >= 0)
		close(fd);
	return sum;
}

static void read_symlink(const struct reading *reading, int directory, const char *name,
			 struct entry *entry)
{
	char text[PATH_MAX];
	ssize_t length = readlinkat(directory, name, text, sizeof text - 1);
	size_t top = strlen(reading->side->top);
	bool absolute;

	text[length > 0 ? length : 0] = '\0';
	absolute = strncmp(text, reading->side->top, top) == 0;
	snprintf(entry->link, sizeof entry->link, "%s%.50s", absolute ? "@" : "",
		 text + (absolute ? top : 0));
}

static uint32_t first_same(const struct snapshot *snapshot, uint64_t inode)
{
	uint32_t i = 0;

	while (i < snapshot->count && snapshot->inodes[i] != inode)
		i++;
	return i;
}

/* Returns whether it is a directory to be entered. */
static bool read_entry(const struct reading *reading, int directory, const char *path,
		       const char *name)
{
	struct snapshot *snapshot = reading->snapshot;
	struct entry *entry = &snapshot->entries[snapshot->count];
	struct statx status;
	bool directory_itself;

	if (statx(directory, name, AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT,
		  STATX_BASIC_STATS | STATX_MNT_ID, &status) != 0)
		return false;
	directory_itself = S_ISDIR(status.stx_mode);
	memset(entry, 0, sizeof *entry);
	snprintf(entry->path, sizeof entry->path, "%s%s%s", path, *path ? "/" : "", name);
	entry->mode = status.stx_mode;
	if (status.stx_mnt_id != reading->mount) {
		entry->links = 9999; /* a mount: what is there is seen elsewhere */
		snapshot->inodes[snapshot->count++] = 0;
		return false;
	}
	if (!directory_itself) {
		entry->links = status.stx_nlink;
		entry->size = S_ISREG(status.stx_mode) ? status.stx_size : 0;
		entry->device = makedev(status.stx_rdev_major, status.stx_rdev_minor);
	}
	if (S_ISLNK(status.stx_mode))
		read_symlink(reading, directory, name, entry);
	if (reading->contents && S_ISREG(status.stx_mode))
		entry->content = sum_content(directory, name);
	entry->same = first_same(snapshot, status.stx_ino);
	snapshot->inodes[snapshot->count++] = status.stx_ino;
	return directory_itself;
}

static int by_name(const void *one, const void *other)
{
	return strcmp(one, other);
}

/* The names in a directory, sorted; takes the descriptor. */
static unsigned int read_names(int fd, char names[ENTRIES][PLACE_PATH])
{
	DIR *directory = fdopendir(fd);
	struct dirent *entry;
	unsigned int count = 0;

	while (directory != NULL && count < ENTRIES && (entry = readdir(directory)) != NULL)
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
			snprintf(names[count++], PLACE_PATH, "%.*s", PLACE_PATH - 1, entry->d_name);
	if (directory != NULL)
		closedir(directory);
	qsort(names, count, PLACE_PATH, by_name);
	return count;
}

static void read_directory(const struct reading *reading, int parent, const char *name,
			   const char *path)
{
	char names[ENTRIES][PLACE_PATH];
	int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	unsigned int count;
	char below[PLACE_PATH];

	if (fd < 0)
		return;
	count = read_names(fcntl(fd, F_DUPFD_CLOEXEC, 0), names);
	for (unsigned int i = 0; i < count; i++) {
		if (reading->snapshot->count == ENTRIES || strlen(path) + strlen(names[i]) > 40) {
			reading->snapshot->overflow = true;
			break;
		}
		if (!read_entry(reading, fd, path, names[i]))
			continue;
		snprintf(below, sizeof below, "%s%s%.10s", path, *path ? "/" : "", names[i]);
		read_directory(reading, fd, names[i], below);
	}
	close(fd);
}

void snapshot_take(struct snapshot *snapshot, const struct side *side, bool contents)
{
	struct reading reading = { snapshot, side, contents, look_mount(side->top) };

	snapshot->count = 0;
	snapshot->overflow = false;
	read_directory(&reading, AT_FDCWD, side->top, "");
}

static void tell_entry(const struct entry *entry, char *text, size_t size)
{
	snprintf(text, size, "%s (mode %o, %u links, %llu bytes, device %llx, same as %u%s%s)",
		 entry->path, entry->mode, entry->links, (unsigned long long)entry->size,
		 (unsigned long long)entry->device, entry->same, *entry->link ? ", to " : "",
		 entry->link);
}

bool snapshots_differ(const struct snapshot *one, const struct snapshot *other, char *text,
		      size_t size)
{
	char first[256] = "nothing", second[256] = "nothing";
	unsigned int i = 0;

	while (i < one->count && i < other->count &&
	       memcmp(&one->entries[i], &other->entries[i], sizeof one->entries[i]) == 0)
		i++;
	if (i == one->count && i == other->count)
		return false;
	if (i < one->count)
		tell_entry(&one->entries[i], first, sizeof first);
	if (i < other->count)
		tell_entry(&other->entries[i], second, sizeof second);
	snprintf(text, size, "%s instead of %s", first, second);
	return true;
}
