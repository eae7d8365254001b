/* look.h: what the paths of a worker lead to, looked up from outside of its sandbox.
 * It must never open anything but to name it (O_PATH), nor change anything. */
#ifndef LOOK_H
#define LOOK_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "operation.h"

#define CHAIN 48 /* directories above each other, at most */

/* An inode. */
struct identity {
	uint64_t device;
	uint64_t inode;
};

/* Directories from one upwards to the root, across mounts as `..` goes. */
struct chain {
	unsigned int count;
	unsigned int within; /* so many are in the mount of the first */
	struct identity at[CHAIN];
	bool inside;  /* it goes through the top of the tree */
	bool severed; /* it ends before the root: moved out of what is mounted, or too deep */
};

struct node {
	bool exists;
	struct identity identity;
	uint32_t mode;
	uint64_t device; /* of a device node */
	uint64_t mount;  /* where it was found */
	bool mount_root; /* and it is what is mounted there */
	uint32_t links;
};

/* One of the two trees and the process that works in it. */
struct side {
	const char *name;
	char top[PATH_MAX];
	int top_fd;
	struct identity identity; /* of the top */
	struct chain outer;       /* above the top */
	pid_t worker;
	int channel;
	bool stuck; /* the worker has not answered */
};

/* What a path leads to, its last symlink followed or not. */
struct object {
	int error; /* an errno when it leads to nothing */
	int fd;
	struct node node;
	struct chain above; /* from the directory that it lies in */
	bool nameless;      /* it lies in none: a pipe, a file in memory */
};

/* The directory that the last part of a path is looked up in, and what has that name there. */
struct parent {
	int error;
	int fd;
	uint64_t mount;
	struct chain chain; /* the directory and what is above it */
	char name[PLACE_PATH];
	bool ordinary; /* the last part is a name: not empty, `.` or `..` */
	bool slashed;  /* slashes come behind it */
	bool dead;     /* the directory is removed: nothing is found there */
	struct node child;
	bool mounted; /* something is mounted there, and `child` is that */
};

/* Sets a side up for the tree at its top; returns false when that cannot be looked at. */
bool side_open(struct side *side);
void side_close(struct side *side);

bool same(const struct identity *one, const struct identity *other);

/* Both must be closed. */
struct object look_object(const struct side *side, const struct place *place, bool follow);
struct object look_slot(const struct side *side, int slot);
struct object look_path(const struct side *side, const char *path); /* absolute */
void object_close(const struct object *object);

/* Must be closed too. With `follow`, goes through symlinks to where a file would be created. */
struct parent look_parent(const struct side *side, const struct place *place, bool follow);
void parent_close(const struct parent *parent);

/* The path of a worker's descriptor or, below 0, of its working directory, as the kernel tells it:
 * absolute, without its " (deleted)". Returns whether it can be told; *deleted may be NULL. */
bool look_name(const struct side *side, int slot, char path[PATH_MAX], bool *deleted);

/* The mount that a path is in; 0 when it cannot be told. */
uint64_t look_mount(const char *path);

#endif
