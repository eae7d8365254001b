/* undo.c: puts the twin back after an operation that the sandbox has to deny.
 * It must never touch the confined tree. */
#include "undo.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define KEPT ".kept" /* no operation uses that name */
#define EXCHANGE 2u
#define CONTENT_MOST ((size_t)1 << 20)

/* Opens a file again, whatever its mode. */
static int open_again(const struct object *object, int flags)
{
	char link[64];
	int fd;

	snprintf(link, sizeof link, "/proc/self/fd/%d", object->fd);
	fd = open(link, flags | O_CLOEXEC);
	if (fd < 0 && errno == EACCES && chmod(link, 0600) == 0) {
		fd = open(link, flags | O_CLOEXEC);
		chmod(link, object->node.mode & 07777);
	}
	return fd;
}

static void keep_content(struct undo *undo)
{
	ssize_t length;
	int fd;

	if (undo->object.error || !S_ISREG(undo->object.node.mode))
		return;
	fd = open_again(&undo->object, O_RDONLY);
	undo->content = malloc(CONTENT_MOST);
	if (fd < 0 || undo->content == NULL)
		abort();
	length = read(fd, undo->content, CONTENT_MOST);
	undo->length = length > 0 ? (size_t)length : 0;
	close(fd);
}

static bool put_content(const struct undo *undo)
{
	int fd;
	bool whole;

	if (undo->content == NULL)
		return true;
	fd = open_again(&undo->object, O_WRONLY);
	whole = fd >= 0 && ftruncate(fd, 0) == 0 &&
		pwrite(fd, undo->content, undo->length, 0) == (ssize_t)undo->length;
	if (fd >= 0)
		close(fd);
	return whole;
}

/* Gives what is not a directory a second name. */
static bool keep(const struct parent *parent)
{
	return !parent->error && parent->child.exists && !S_ISDIR(parent->child.mode) &&
	       linkat(parent->fd, parent->name, parent->fd, KEPT, 0) == 0;
}

void undo_prepare(struct undo *undo, const struct side *twin, const struct operation *operation)
{
	memset(undo, 0, sizeof *undo);
	undo->a.fd = undo->b.fd = undo->object.fd = -1;
	switch (operation->kind) {
	case KIND_OPEN:
		if (operation->flags & O_CREAT)
			undo->a = look_parent(twin, &operation->a, true);
		if (operation->flags & O_TRUNC) {
			undo->object = look_object(twin, &operation->a, true);
			keep_content(undo);
		}
		break;
	case KIND_TRUNCATE:
		undo->object = look_object(twin, &operation->a, true);
		keep_content(undo);
		break;
	case KIND_FTRUNCATE:
		undo->object = look_slot(twin, operation->slot);
		keep_content(undo);
		break;
	case KIND_LINK:
	case KIND_RENAME:
		undo->a = look_parent(twin, &operation->a, false);
		undo->b = look_parent(twin, &operation->b, false);
		undo->keeps_b = operation->kind == KIND_RENAME && keep(&undo->b);
		if (operation->kind == KIND_LINK)
			undo->object = look_object(twin, &operation->a, operation->flags);
		break;
	case KIND_LIST:
	case KIND_EXEC:
	case KIND_EXEC_FD:
	case KIND_IOCTL:
	case KIND_STAT:
		break;
	default:
		undo->a = look_parent(twin, &operation->a, false);
		undo->keeps_a = operation->kind == KIND_UNLINK && keep(&undo->a);
	}
}

static bool remove_child(const struct parent *parent, bool directory)
{
	return unlinkat(parent->fd, parent->name, directory ? AT_REMOVEDIR : 0) == 0;
}

static bool make_directory(const struct parent *parent)
{
	return mkdirat(parent->fd, parent->name, parent->child.mode & 07777) == 0 &&
	       fchmodat(parent->fd, parent->name, parent->child.mode & 07777, 0) == 0;
}

static bool put_kept(const struct parent *parent)
{
	return renameat(parent->fd, KEPT, parent->fd, parent->name) == 0;
}

static bool move_back(struct undo *undo, const struct operation *operation)
{
	const struct parent *a = &undo->a, *b = &undo->b;

	/* Two names of one file: nothing was renamed. */
	if (b->child.exists && same(&a->child.identity, &b->child.identity))
		return true;
	if (operation->flags & EXCHANGE)
		return syscall(SYS_renameat2, b->fd, b->name, a->fd, a->name, EXCHANGE) == 0;
	if (renameat(b->fd, b->name, a->fd, a->name) != 0)
		return false;
	if (undo->keeps_b) {
		undo->keeps_b = false;
		return put_kept(b);
	}
	return !b->child.exists || make_directory(b);
}

static bool revert(struct undo *undo, const struct operation *operation)
{
	switch (operation->kind) {
	case KIND_OPEN:
		if (operation->flags & O_CREAT && undo->a.ordinary && !undo->a.child.exists)
			return remove_child(&undo->a, false);
		return put_content(undo);
	case KIND_TRUNCATE:
	case KIND_FTRUNCATE:
		return put_content(undo);
	case KIND_MKDIR:
		return remove_child(&undo->a, true);
	case KIND_MKNOD:
	case KIND_BIND:
	case KIND_SYMLINK:
		return remove_child(&undo->a, false);
	case KIND_LINK:
		return remove_child(&undo->b, false);
	case KIND_UNLINK:
		undo->keeps_a = false;
		return put_kept(&undo->a);
	case KIND_RMDIR:
		return make_directory(&undo->a);
	case KIND_RENAME:
		return move_back(undo, operation);
	default:
		return true;
	}
}

bool undo_finish(struct undo *undo, const struct operation *operation, bool done)
{
	bool reverted = !done || revert(undo, operation);

	if (undo->keeps_a)
		unlinkat(undo->a.fd, KEPT, 0);
	if (undo->keeps_b)
		unlinkat(undo->b.fd, KEPT, 0);
	free(undo->content);
	parent_close(&undo->a);
	parent_close(&undo->b);
	object_close(&undo->object);
	return reverted;
}
