/* operation.h: one thing that a command tries, as plain data: what is drawn, run, judged and told.
 * It must never hold a pointer, for it is sent to other processes as it stands. */
#ifndef OPERATION_H
#define OPERATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SLOTS 6       /* descriptors that outlast the operation that opened them */
#define SLOT_FD 100   /* the first one's number in a worker */
#define PLACE_PATH 60 /* bytes of a path, its end included */

/* Where the path of a place begins. */
enum base {
	BASE_CWD,
	BASE_TOP,     /* the top of the tree, written out as an absolute path */
	BASE_SLOT,    /* a descriptor, as the *at calls take it */
	BASE_PROC,    /* a descriptor, through /proc/self/fd */
	BASE_OUTSIDE, /* the path is absolute and leads out of the tree */
};

struct place {
	uint8_t base;
	uint8_t slot;
	char path[PLACE_PATH];
};

/* What an operation takes besides its places: which members are told about it. */
enum takes {
	TAKES_SLOT = 1,
	TAKES_A = 2,
	TAKES_B = 4,
	TAKES_OPEN_FLAGS = 8,
	TAKES_RENAME_FLAGS = 16,
	TAKES_LENGTH = 32,
	TAKES_TYPE = 64, /* mode is the type of a node */
	TAKES_MODE = 128,
	TAKES_FOLLOW = 256, /* flags tells whether a last symlink is followed */
	/* How dangerous it would be outside of the tree. */
	CHANGES_A = 512,
	CHANGES_B = 1024,
	/* The system call has no *at form. */
	TAKES_PLAIN = 2048,
	TAKES_COMMAND = 4096, /* mode is an ioctl */
};

#define KINDS(ROW) \
	ROW(OPEN, "open", TAKES_SLOT | TAKES_A | TAKES_OPEN_FLAGS | TAKES_MODE) \
	ROW(CLOSE, "close", TAKES_SLOT) \
	ROW(READ, "read", TAKES_SLOT) \
	ROW(WRITE, "write", TAKES_SLOT | TAKES_LENGTH) \
	ROW(FTRUNCATE, "ftruncate", TAKES_SLOT | TAKES_LENGTH) \
	ROW(IOCTL, "ioctl", TAKES_SLOT | TAKES_COMMAND) \
	ROW(MEMFD, "memfd_create", TAKES_SLOT) \
	ROW(PIPE, "pipe", TAKES_SLOT) \
	ROW(EXEC_FD, "execveat", TAKES_SLOT) \
	ROW(FCHDIR, "fchdir", TAKES_SLOT) \
	ROW(LIST, "list", TAKES_A) \
	ROW(EXEC, "execve", TAKES_A | TAKES_PLAIN) \
	ROW(CHDIR, "chdir", TAKES_A | TAKES_PLAIN) \
	ROW(TRUNCATE, "truncate", TAKES_A | TAKES_LENGTH | TAKES_PLAIN | CHANGES_A) \
	ROW(MKDIR, "mkdir", TAKES_A | TAKES_MODE | CHANGES_A) \
	ROW(RMDIR, "rmdir", TAKES_A | CHANGES_A) \
	ROW(UNLINK, "unlink", TAKES_A | CHANGES_A) \
	ROW(MKNOD, "mknod", TAKES_A | TAKES_TYPE | CHANGES_A) \
	ROW(BIND, "bind", TAKES_A | TAKES_PLAIN | CHANGES_A) \
	ROW(SYMLINK, "symlink", TAKES_A | TAKES_B | CHANGES_A) \
	ROW(LINK, "link", TAKES_A | TAKES_B | TAKES_FOLLOW | CHANGES_A | CHANGES_B) \
	ROW(RENAME, "rename", TAKES_A | TAKES_B | TAKES_RENAME_FLAGS | CHANGES_A | CHANGES_B) \
	ROW(STAT, "stat", TAKES_A | TAKES_FOLLOW) \
	ROW(ACCESS, "access", TAKES_A | TAKES_MODE) \
	ROW(READLINK, "readlink", TAKES_A) \
	ROW(STATFS, "statfs", TAKES_A | TAKES_PLAIN) \
	ROW(CHMOD, "chmod", TAKES_A | TAKES_MODE | CHANGES_A) \
	ROW(UTIMES, "utimensat", TAKES_A | TAKES_FOLLOW | CHANGES_A) \
	/* These furnish a tree and are never tried inside. */ \
	ROW(PROGRAM, "put-program", TAKES_A) \
	ROW(SCRIPT, "put-script", TAKES_A | TAKES_B) \
	ROW(MOUNT, "bind-mount", TAKES_A | TAKES_B)

#define KIND_NAME(kind, name, takes) KIND_##kind,
enum kind { KINDS(KIND_NAME) KIND_COUNT };
#undef KIND_NAME

struct operation {
	uint8_t kind;
	int8_t slot; /* of OPEN: -1 closes what it opened at once */
	uint16_t mode;
	uint32_t flags;
	uint64_t resolve; /* of OPEN: not zero goes through openat2 */
	uint32_t length;
	struct place a; /* LINK and RENAME: the old one; SYMLINK and SCRIPT: what is made */
	struct place b; /* LINK and RENAME: the new one; SYMLINK and SCRIPT: where it leads */
};

/* What came of it: an errno, or 0 and a number that says more. */
struct reply {
	int32_t error;
	int32_t value;
};

const char *kind_name(unsigned int kind);
unsigned int kind_takes(unsigned int kind);

/* Writes the operation as a line of text. */
void operation_tell(const struct operation *operation, char *text, size_t size);

#endif
