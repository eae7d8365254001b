/* look.c: what the paths of a worker lead to, looked up from outside of its sandbox.
 * It must never open anything but to name it (O_PATH), nor change anything. */
#include "look.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define NAME_FLAGS (O_PATH | O_CLOEXEC)
#define FOLLOWED 40 /* symlinks, as the kernel does */
#define DELETED " (deleted)"

bool same(const struct identity *one, const struct identity *other)
{
	return one->device == other->device && one->inode == other->inode;
}

static struct node node_at(int fd, const char *name)
{
	struct node node = { .exists = false };
	struct statx status;

	if (statx(fd, name, AT_EMPTY_PATH | AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT,
		  STATX_BASIC_STATS | STATX_MNT_ID, &status) != 0)
		return node;
	node.exists = true;
	node.identity.device = makedev(status.stx_dev_major, status.stx_dev_minor);
	node.identity.inode = status.stx_ino;
	node.mode = status.stx_mode;
	node.device = makedev(status.stx_rdev_major, status.stx_rdev_minor);
	node.mount = status.stx_mnt_id;
	node.mount_root = status.stx_attributes & STATX_ATTR_MOUNT_ROOT;
	node.links = status.stx_nlink;
	return node;
}

/* ---- Going up ---- */

static void append(struct chain *chain, const struct chain *rest)
{
	for (unsigned int i = 0; i < rest->count; i++) {
		if (chain->count == CHAIN) {
			chain->severed = true;
			return;
		}
		chain->at[chain->count++] = rest->at[i];
	}
}

/* From the directory upwards; closes the descriptor. */
static struct chain climb(const struct side *side, int fd)
{
	struct chain chain = { .count = 0 };
	uint64_t mount = 0, first = 0;

	while (fd >= 0 && chain.count < CHAIN) {
		struct node node = node_at(fd, "");
		int up;

		/* The root is above itself; a directory may also be mounted in itself. */
		if (chain.count > 0 && same(&chain.at[chain.count - 1], &node.identity) &&
		    node.mount == mount) {
			close(fd);
			return chain;
		}
		mount = node.mount;
		first = chain.count == 0 ? mount : first;
		chain.within += mount == first && chain.within == chain.count;
		chain.at[chain.count++] = node.identity;
		if (side->outer.count > 0 && same(&node.identity, &side->identity)) {
			chain.inside = true;
			append(&chain, &side->outer);
			close(fd);
			return chain;
		}
		up = openat(fd, "..", NAME_FLAGS | O_DIRECTORY);
		close(fd);
		fd = up;
	}
	if (fd >= 0)
		close(fd);
	chain.severed = true;
	return chain;
}

bool side_open(struct side *side)
{
	struct node node;

	side->outer.count = 0;
	side->top_fd = open(side->top, NAME_FLAGS | O_DIRECTORY);
	if (side->top_fd < 0)
		return false;
	node = node_at(side->top_fd, "");
	side->identity = node.identity;
	side->outer = climb(side, openat(side->top_fd, "..", NAME_FLAGS | O_DIRECTORY));
	return node.exists && !side->outer.severed;
}

void side_close(struct side *side)
{
	close(side->top_fd);
}

uint64_t look_mount(const char *path)
{
	return node_at(AT_FDCWD, path).mount;
}

/* ---- Where paths begin ---- */

static int open_worker(const struct side *side, int slot)
{
	char path[64];

	if (slot < 0)
		snprintf(path, sizeof path, "/proc/%d/cwd", (int)side->worker);
	else
		snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)side->worker, SLOT_FD + slot);
	return open(path, NAME_FLAGS);
}

/* A descriptor for what the path of a place is relative to. */
static int open_base(const struct side *side, const struct place *place)
{
	switch (place->base) {
	case BASE_TOP:
		return fcntl(side->top_fd, F_DUPFD_CLOEXEC, 0);
	case BASE_CWD:
		return open_worker(side, -1);
	case BASE_OUTSIDE:
		return open("/", NAME_FLAGS | O_DIRECTORY);
	default:
		return open_worker(side, place->slot);
	}
}

/* Where the path is nothing, the place is what it begins with. */
static bool is_base_itself(const struct place *place)
{
	return !*place->path && (place->base == BASE_TOP || place->base == BASE_PROC);
}

bool look_name(const struct side *side, int slot, char path[PATH_MAX], bool *deleted)
{
	char link[64];
	ssize_t length;
	size_t tail = strlen(DELETED);

	if (slot < 0)
		snprintf(link, sizeof link, "/proc/%d/cwd", (int)side->worker);
	else
		snprintf(link, sizeof link, "/proc/%d/fd/%d", (int)side->worker, SLOT_FD + slot);
	length = readlink(link, path, PATH_MAX - 1);
	if (length < 0)
		return false;
	path[length] = '\0';
	if (deleted != NULL)
		*deleted = false;
	if ((size_t)length > tail && strcmp(path + length - tail, DELETED) == 0) {
		path[(size_t)length - tail] = '\0';
		if (deleted != NULL)
			*deleted = true;
	}
	return true;
}

/* ---- Objects ---- */

/* The directory that a file lies in, or lay in when it was deleted: its path is all that tells. */
static void find_above(const struct side *side, struct object *object)
{
	char link[64], path[PATH_MAX];
	ssize_t length;
	char *slash;
	int directory;
	bool moved;

	snprintf(link, sizeof link, "/proc/self/fd/%d", object->fd);
	length = readlink(link, path, sizeof path - 1);
	path[length > 0 ? length : 0] = '\0';
	object->nameless = *path != '/' || strncmp(path, "/memfd:", 7) == 0;
	if (object->nameless)
		return;
	slash = strrchr(path, '/');
	slash[slash == path] = '\0';
	directory = open(path, NAME_FLAGS | O_DIRECTORY);
	/* What was moved out of its mount is called something that may be there and is elsewhere.
	 */
	moved = directory >= 0 && node_at(directory, "").mount != object->node.mount;
	object->above = climb(side, directory);
	object->above.severed = object->above.severed || moved;
}

/* Takes the descriptor. */
static struct object object_of(const struct side *side, int fd)
{
	struct object object = { .fd = fd };

	if (fd < 0) {
		object.error = errno;
		return object;
	}
	object.node = node_at(fd, "");
	if (S_ISDIR(object.node.mode))
		object.above = climb(side, openat(fd, "..", NAME_FLAGS | O_DIRECTORY));
	else
		find_above(side, &object);
	/* The top of the tree is in the tree. */
	if (same(&object.node.identity, &side->identity))
		object.above.inside = true;
	return object;
}

struct object look_object(const struct side *side, const struct place *place, bool follow)
{
	int base, fd, error;
	const char *path = place->path;

	if (place->base == BASE_PROC && !*path && !follow)
		return (struct object){ .fd = -1, .error = ELOOP };
	base = open_base(side, place);
	if (base < 0 || is_base_itself(place))
		return object_of(side, base);
	while (place->base == BASE_OUTSIDE && *path == '/' && path[1])
		path++;
	if (place->base == BASE_OUTSIDE && *path == '/')
		path = ".";
	fd = openat(base, path, NAME_FLAGS | (follow ? 0 : O_NOFOLLOW));
	error = errno;
	close(base);
	errno = error;
	return object_of(side, fd);
}

struct object look_slot(const struct side *side, int slot)
{
	return object_of(side, open_worker(side, slot));
}

struct object look_path(const struct side *side, const char *path)
{
	return object_of(side, open(path, NAME_FLAGS));
}

void object_close(const struct object *object)
{
	if (object->fd >= 0)
		close(object->fd);
}

/* ---- Parents ---- */

/* Cuts the path in the directory's and the name; false when there is no room. */
static bool split(const char *path, char directory[PATH_MAX], struct parent *parent)
{
	size_t end = strlen(path), begin;

	while (end > 0 && path[end - 1] == '/')
		end--;
	parent->slashed = path[end] == '/';
	begin = end;
	while (begin > 0 && path[begin - 1] != '/')
		begin--;
	if (end - begin >= sizeof parent->name || begin >= PATH_MAX)
		return false;
	memcpy(parent->name, path + begin, end - begin);
	parent->name[end - begin] = '\0';
	memcpy(directory, path, begin);
	directory[begin] = '\0';
	if (begin == 0)
		memcpy(directory, ".", 2);
	parent->ordinary = *parent->name && strcmp(parent->name, ".") != 0 &&
			   strcmp(parent->name, "..") != 0;
	return true;
}

/* The parent of a path that is relative to a descriptor; closes that. */
static struct parent parent_at(const struct side *side, int base, const char *path)
{
	struct parent parent = { .fd = -1 };
	char directory[PATH_MAX];
	struct node node;

	if (base < 0 || !*path || !split(path, directory, &parent)) {
		parent.error = base < 0 ? EBADF : ENOENT;
		if (base >= 0)
			close(base);
		return parent;
	}
	parent.fd = openat(base, directory, NAME_FLAGS | O_DIRECTORY);
	parent.error = parent.fd < 0 ? errno : 0;
	close(base);
	if (parent.error)
		return parent;
	node = node_at(parent.fd, "");
	parent.mount = node.mount;
	parent.dead = node.links == 0;
	parent.chain = climb(side, fcntl(parent.fd, F_DUPFD_CLOEXEC, 0));
	if (parent.ordinary)
		parent.child = node_at(parent.fd, parent.name);
	parent.mounted = parent.child.exists && parent.child.mount != parent.mount;
	return parent;
}

struct parent look_parent(const struct side *side, const struct place *place, bool follow)
{
	struct parent parent;
	char text[PATH_MAX];

	/* The top lies in no tree of ours, and no entry in /proc does. */
	if (is_base_itself(place) || place->base == BASE_OUTSIDE)
		return (struct parent){ .fd = -1, .error = EXDEV, .chain.severed = true };
	parent = parent_at(side, open_base(side, place), place->path);
	for (int i = 0; follow && i < FOLLOWED && S_ISLNK(parent.child.mode); i++) {
		ssize_t length = readlinkat(parent.fd, parent.name, text, sizeof text - 1);

		if (length <= 0)
			break;
		text[length] = '\0';
		parent = parent_at(side, parent.fd, text);
	}
	return parent;
}

void parent_close(const struct parent *parent)
{
	if (parent->fd >= 0)
		close(parent->fd);
}
