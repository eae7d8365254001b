/* policy.h: what launches grant, and what of it holds on which inode.
 * It must never ask the launcher: it is what the launcher is compared with. */
#ifndef POLICY_H
#define POLICY_H

#include <limits.h>

#include "look.h"
#include "random.h"

#define LAYERS 3 /* launchers in each other, at most */
#define GRANTS 8 /* of one layer, at most */

#define RIGHTS(ROW) \
	ROW(EXECUTE, "execute", 0, true) \
	ROW(WRITE_FILE, "write-file", 1, true) \
	ROW(READ_FILE, "read-file", 2, true) \
	ROW(READ_DIR, "read-dir", 3, false) \
	ROW(REMOVE_DIR, "remove-dir", 4, false) \
	ROW(REMOVE_FILE, "remove-file", 5, false) \
	ROW(MAKE_CHAR, "make-char", 6, false) \
	ROW(MAKE_DIR, "make-dir", 7, false) \
	ROW(MAKE_REG, "make-reg", 8, false) \
	ROW(MAKE_SOCK, "make-sock", 9, false) \
	ROW(MAKE_FIFO, "make-fifo", 10, false) \
	ROW(MAKE_BLOCK, "make-block", 11, false) \
	ROW(MAKE_SYM, "make-sym", 12, false) \
	ROW(REFER, "refer", 13, false) \
	ROW(TRUNCATE, "truncate", 14, true) \
	ROW(IOCTL_DEV, "ioctl-dev", 15, true)

#define RIGHT_BIT(right, name, bit, on_file) RIGHT_##right = 1u << (bit),
enum right { RIGHTS(RIGHT_BIT) RIGHTS_ALL = 0xffffu };
#undef RIGHT_BIT
#define RIGHT_COUNT 16

typedef uint32_t rights;

/* How a grant is written. */
enum grant_option { GRANT_RO, GRANT_RW, GRANT_RO_TRY, GRANT_ALLOW, GRANT_OPTIONS };

struct grant {
	enum grant_option option;
	rights rights;      /* of GRANT_ALLOW */
	struct place place; /* BASE_TOP or BASE_OUTSIDE; followed when it is a symlink */
};

struct layer {
	unsigned int count;
	struct grant grants[GRANTS];
};

struct policy {
	unsigned int count;
	struct layer layers[LAYERS]; /* the outermost launcher first */
};

/* What a policy comes to on a tree: rights on inodes. */
struct rule {
	struct identity identity;
	rights rights;
};

struct domain {
	unsigned int count;
	rights handled; /* by each layer; the same kernel governs the same for all */
	struct {
		unsigned int count;
		struct rule rules[GRANTS];
	} layers[LAYERS];
};

const char *right_name(unsigned int bit);
rights rights_on_file(void);
/* What a kernel of that ABI governs of the file set. */
rights rights_governed(int abi);
/* What a grant gives on a directory. */
rights grant_rights(const struct grant *grant);

/* Draws a policy for paths beneath the top of a tree, of which there are some. */
void policy_draw(struct policy *policy, struct random *random, const char *const *paths,
		 unsigned int count);

/* Finds what the grants lead to. Returns false when one leads nowhere that has to lead somewhere.
 */
bool policy_resolve(const struct policy *policy, const struct side *side, int abi,
		    struct domain *domain);

/* The arguments that run a command confined so, up to a NULL, in memory of the arguments' own;
 * `prefix` and `command` end with a NULL each. The command's program is granted in each layer. */
struct arguments {
	unsigned int count;
	char *words[256];
};
void policy_arguments(const struct policy *policy, const char *top, const char *launcher,
		      const char *const *prefix, const char *const *command,
		      struct arguments *arguments);
void arguments_free(struct arguments *arguments);

/* Writes the grants of a layer as a command line's words, paths beneath the top as @. */
void layer_tell(const struct layer *layer, char *text, size_t size);

#endif
