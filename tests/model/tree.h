/* tree.h: what is in a tree: drawn, built, and read back to be compared.
 * It must never be told what an operation did: it reads the disk. */
#ifndef TREE_H
#define TREE_H

#include "look.h"
#include "random.h"
#include "worker.h"

#define ENTRIES 128   /* in a tree that is read */
#define FURNISHING 64 /* operations that furnish one */

struct entry {
	char path[PLACE_PATH]; /* from the top */
	char link[PLACE_PATH]; /* of a symlink; the top is written @ */
	uint32_t mode;
	uint32_t links; /* of what is no directory */
	uint32_t same;  /* the number of the first entry that is the same inode */
	uint64_t size;
	uint64_t device;
	uint64_t content; /* a sum, where it was asked for */
};

struct snapshot {
	unsigned int count;
	bool overflow; /* there is more than fits */
	struct entry entries[ENTRIES];
	uint64_t inodes[ENTRIES];
};

struct furnishing {
	unsigned int count;
	struct operation operations[FURNISHING];
};

/* Draws the operations that furnish a tree. As root there are devices and mounts too. */
void furnishing_draw(struct furnishing *furnishing, struct random *random, bool root, bool mounts);

/* Carries them out beneath the top; returns NULL, or the one that failed. */
const struct operation *furnishing_build(const struct furnishing *furnishing, const char *top,
					 const char *program);

/* Reads the tree; what is mounted in it is named and not entered. */
void snapshot_take(struct snapshot *snapshot, const struct side *side, bool contents);

/* Returns whether they differ, and writes the first difference. */
bool snapshots_differ(const struct snapshot *one, const struct snapshot *other, char *text,
		      size_t size);

#endif
