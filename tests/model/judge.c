/* judge.c: the model: what Landlock has to say about an operation, by the rules of its
 * documentation. It must never ask a confined process, nor learn from what came of an operation.
 *
 * What the file system would say by itself is not modelled but asked of a twin: an unconfined
 * process in an identical tree. The model decides two things: whether the kernel gets as far as
 * asking Landlock (from what the paths lead to), and what Landlock answers (from the grants). So a
 * mistake about a file system shows as a disagreement, and cannot make the model agree with a wrong
 * answer: what has to be denied is never taken from anything that Landlock has decided. */
#include "judge.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#define EXCHANGE 2u
#define NOREPLACE 1u
#define INTERPRETERS 5 /* in each other, at most */

/* ---- Rules ---- */

static unsigned int broken = RULE_NONE;

static bool holds(unsigned int rule)
{
	return rule != broken;
}

void rule_break(unsigned int rule)
{
	broken = rule;
}

const char *rule_claim(unsigned int rule)
{
#define ROW(rule, claim) claim,
	static const char *const claims[] = { RULES(ROW) };
#undef ROW
	static char text[64];

	if (rule < RULE_COUNT)
		return claims[rule];
	if (rule >= RULE_COUNT + RIGHT_COUNT)
		return NULL;
	snprintf(text, sizeof text, "%s is needed", right_name(rule - RULE_COUNT));
	return text;
}

/* ---- Rights ---- */

/* What one layer grants on an inode. */
static rights granted_on(const struct domain *domain, unsigned int layer,
			 const struct identity *identity)
{
	rights granted = 0;

	for (unsigned int i = 0; i < domain->layers[layer].count; i++)
		if (same(&domain->layers[layer].rules[i].identity, identity))
			granted |= domain->layers[layer].rules[i].rights;
	return granted;
}

/* What it grants in a directory that `count` inodes of the chain are above, and on `own`, which
 * lies there and may be NULL. */
static rights granted(const struct domain *domain, unsigned int layer, const struct identity *own,
		      const struct chain *chain, unsigned int count)
{
	rights all = 0;

	if (own != NULL && holds(RULE_OWN))
		all = granted_on(domain, layer, own);
	if (!holds(RULE_ANCESTORS) && count > 1)
		count = 1;
	for (unsigned int i = 0; i < count; i++) {
		if (all && !holds(RULE_UNION))
			break;
		all |= granted_on(domain, layer, &chain->at[i]);
	}
	return all;
}

/* The rights of the request that some layer governs and does not grant. */
static rights missing(const struct world *world, const struct identity *own,
		      const struct chain *chain, rights request)
{
	const struct domain *domain = world->domain;
	unsigned int first = holds(RULE_LAYERS) ? 0 : domain->count - 1;
	rights denied = 0;

	for (unsigned int bit = 0; bit < RIGHT_COUNT; bit++)
		if (!holds(RULE_COUNT + bit))
			request &= ~(1u << bit);
	for (unsigned int i = first; i < domain->count; i++)
		denied |= request & ~granted(domain, i, own, chain, chain->count);
	/* To refer is denied also by a kernel that cannot be asked to govern it. */
	return denied & (domain->handled | RIGHT_REFER);
}

static int denial(const struct world *world, const struct identity *own, const struct chain *chain,
		  rights request)
{
	return missing(world, own, chain, request) ? EACCES : 0;
}

static rights right_to_make(const struct world *world, uint32_t mode, uint64_t device)
{
	switch (mode & S_IFMT) {
	case S_IFDIR:
		return RIGHT_MAKE_DIR;
	case S_IFLNK:
		return RIGHT_MAKE_SYM;
	case S_IFCHR:
		return device == 0 && world->whiteout_is_regular ? RIGHT_MAKE_REG : RIGHT_MAKE_CHAR;
	case S_IFBLK:
		return RIGHT_MAKE_BLOCK;
	case S_IFIFO:
		return RIGHT_MAKE_FIFO;
	case S_IFSOCK:
		return RIGHT_MAKE_SOCK;
	default:
		return RIGHT_MAKE_REG;
	}
}

static rights right_to_remove(const struct node *node)
{
	if (!node->exists)
		return 0;
	return S_ISDIR(node->mode) ? RIGHT_REMOVE_DIR : RIGHT_REMOVE_FILE;
}

static rights rights_to_open(uint32_t flags, bool directory)
{
	rights request = 0;

	if ((flags & O_ACCMODE) == O_RDONLY || (flags & O_ACCMODE) == O_RDWR)
		request |= directory ? RIGHT_READ_DIR : RIGHT_READ_FILE;
	if ((flags & O_ACCMODE) == O_WRONLY || (flags & O_ACCMODE) == O_RDWR)
		request |= RIGHT_WRITE_FILE;
	if ((flags & O_ACCMODE) == O_ACCMODE && !holds(RULE_NO_ACCESS))
		request |= RIGHT_READ_FILE;
	return request;
}

/* ---- Opening ---- */

static struct judgement asks(int denial)
{
	return (struct judgement){ .governed = true, .asked = true, .denial = denial };
}

static struct judgement is_not_asked(void)
{
	return (struct judgement){ .governed = true };
}

static struct judgement skips(void)
{
	return (struct judgement){ .skip = true };
}

/* What a descriptor on that may be used for once it is open. */
static struct held hold(const struct world *world, const struct identity *own,
			const struct chain *chain, uint32_t mode)
{
	struct held held = { .used = true, .device = S_ISCHR(mode) || S_ISBLK(mode) };

	held.may_truncate = !missing(world, own, chain, RIGHT_TRUNCATE);
	held.may_ioctl = !missing(world, own, chain, RIGHT_IOCTL_DEV);
	return held;
}

static struct judgement judge_open_existing(const struct world *world, uint32_t flags,
					    const struct object *object)
{
	const struct identity *own = &object->node.identity;
	uint32_t mode = object->node.mode;
	rights request = rights_to_open(flags, S_ISDIR(mode));
	struct judgement judgement;

	if (object->nameless && holds(RULE_NAMELESS)) {
		judgement = asks(0);
		judgement.held =
			(struct held){ .used = true, .may_truncate = true, .may_ioctl = true };
		return judgement;
	}
	if (S_ISLNK(mode))
		return is_not_asked();
	if (flags & O_TRUNC && (S_ISREG(mode) || !holds(RULE_ONLY_FILES_TRUNCATED)))
		request |= RIGHT_TRUNCATE;
	judgement = asks(denial(world, own, &object->above, request));
	judgement.held = hold(world, own, &object->above, mode);
	return judgement;
}

static struct judgement judge_create(const struct world *world, const struct operation *operation)
{
	struct parent parent = look_parent(world->side, &operation->a, true);
	rights request = rights_to_open(operation->flags, false);
	struct judgement judgement = is_not_asked();

	if (!parent.error && !parent.chain.inside) {
		judgement = skips();
	} else if (!parent.error && parent.ordinary && !parent.slashed && !parent.child.exists) {
		judgement = asks(denial(world, NULL, &parent.chain, RIGHT_MAKE_REG));
		if (operation->flags & O_TRUNC && !holds(RULE_CREATED_IS_EMPTY))
			request |= RIGHT_TRUNCATE;
		if (!judgement.denial) {
			judgement.denial = denial(world, NULL, &parent.chain, request);
			judgement.stays = holds(RULE_CREATED_STAYS);
		}
		judgement.held = hold(world, NULL, &parent.chain, S_IFREG);
	}
	parent_close(&parent);
	return judgement;
}

/* The chain from the object itself. */
static struct chain chain_of(const struct object *object)
{
	struct chain chain = { .count = 1, .at = { object->node.identity } };

	for (unsigned int i = 0; i < object->above.count && chain.count < CHAIN; i++)
		chain.at[chain.count++] = object->above.at[i];
	return chain;
}

/* A file in the directory, that has no name there. */
static struct judgement judge_tmpfile(const struct world *world, uint32_t flags,
				      const struct object *object)
{
	rights request = rights_to_open(flags, false);
	struct chain chain = chain_of(object);
	struct judgement judgement;

	if (!S_ISDIR(object->node.mode))
		return is_not_asked();
	if (!holds(RULE_TMPFILE))
		request |= RIGHT_MAKE_REG;
	judgement = asks(denial(world, NULL, &chain, request));
	judgement.held = hold(world, NULL, &chain, S_IFREG);
	return judgement;
}

/* What may be opened outside of the tree: nothing that could be changed there. */
static bool is_harmless(const struct object *object, uint32_t flags)
{
	return object->error || object->above.inside || object->nameless ||
	       S_ISCHR(object->node.mode) ||
	       (S_ISDIR(object->node.mode) && (flags & O_TMPFILE) != O_TMPFILE);
}

static struct judgement judge_open(const struct world *world, const struct operation *operation)
{
	uint32_t flags = operation->flags;
	struct object object;
	bool exclusive;
	struct judgement judgement;

	if (operation->slot >= 0 && world->held[operation->slot].used)
		return skips();
	if (flags & O_PATH)
		flags &= (uint32_t)(O_PATH | O_DIRECTORY | O_NOFOLLOW);
	exclusive = (flags & (O_CREAT | O_EXCL)) == (O_CREAT | O_EXCL);
	object = look_object(world->side, &operation->a, !(flags & O_NOFOLLOW) && !exclusive);
	if (object.above.severed || (!is_harmless(&object, flags)))
		judgement = skips();
	else if (flags & O_PATH && holds(RULE_PATH_ONLY))
		judgement = (struct judgement){ .governed = false };
	else if (object.error == ENOENT && flags & O_CREAT)
		judgement = judge_create(world, operation);
	else if (object.error || exclusive)
		judgement = is_not_asked();
	else if ((flags & O_TMPFILE) == O_TMPFILE)
		judgement = judge_tmpfile(world, flags, &object);
	else
		judgement = judge_open_existing(world, flags, &object);
	judgement.held.program = S_ISREG(object.node.mode) && object.node.mode & 0100;
	judgement.held.writes = !(flags & O_PATH) &&
				(rights_to_open(flags, false) & RIGHT_WRITE_FILE);
	object_close(&object);
	return judgement;
}

static struct judgement judge_list(const struct world *world, const struct operation *operation)
{
	struct object object = look_object(world->side, &operation->a, true);
	struct judgement judgement = is_not_asked();

	if (object.above.severed)
		judgement = skips();
	else if (!object.error && S_ISDIR(object.node.mode))
		judgement = judge_open_existing(world, O_RDONLY, &object);
	object_close(&object);
	return judgement;
}

/* ---- Executing ---- */

/* Reads where a script's first line leads; false when it is no script. */
static bool read_interpreter(const struct object *object, char path[PATH_MAX])
{
	char link[64], line[PATH_MAX];
	ssize_t length;
	int fd;

	snprintf(link, sizeof link, "/proc/self/fd/%d", object->fd);
	fd = open(link, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	length = read(fd, line, sizeof line - 1);
	close(fd);
	line[length > 0 ? length : 0] = '\0';
	line[strcspn(line, "\n")] = '\0';
	if (strncmp(line, "#!/", 3) != 0)
		return false;
	strcpy(path, line + 2);
	return true;
}

static int deny_execution(const struct world *world, const struct object *object)
{
	rights request = RIGHT_EXECUTE;

	if (holds(RULE_READING_TO_EXECUTE))
		request |= RIGHT_READ_FILE;
	if (object->nameless)
		return 0;
	return denial(world, &object->node.identity, &object->above, request);
}

/* The kernel executes nothing that is open for writing, and says so before it goes on from a script
 * to its interpreter. */
static bool is_written(const struct world *world, const struct object *object)
{
	bool written = false;

	for (int slot = 0; slot < SLOTS && !written; slot++) {
		struct object held;

		if (!world->held[slot].writes || !world->held[slot].used)
			continue;
		held = look_slot(world->side, slot);
		written = same(&held.node.identity, &object->node.identity);
		object_close(&held);
	}
	return written;
}

/* The denial of a program or of what interprets it. */
static int deny_program(const struct world *world, const struct object *program)
{
	struct object object = *program;
	char path[PATH_MAX];
	int error = 0;

	for (int i = 0; i <= INTERPRETERS && !object.error; i++) {
		bool more;

		error = deny_execution(world, &object);
		more = !error && holds(RULE_INTERPRETER) && S_ISREG(object.node.mode) &&
		       object.node.mode & 0100 && !is_written(world, &object) &&
		       read_interpreter(&object, path);
		if (i > 0)
			object_close(&object);
		if (!more)
			return error;
		object = look_path(world->side, path);
	}
	if (!object.error)
		object_close(&object);
	return error;
}

static struct judgement judge_exec(const struct world *world, const struct operation *operation)
{
	bool by_fd = operation->kind == KIND_EXEC_FD;
	struct object object = by_fd ? look_slot(world->side, operation->slot)
				     : look_object(world->side, &operation->a, true);
	struct judgement judgement = is_not_asked();

	if (object.above.severed || (!object.error && !object.above.inside && !object.nameless))
		judgement = skips();
	/* A script behind a descriptor that exec closes has no name to give its interpreter. */
	else if (!object.error && S_ISREG(object.node.mode))
		judgement = asks(by_fd ? deny_execution(world, &object)
				       : deny_program(world, &object));
	object_close(&object);
	return judgement;
}

/* ---- Changing a file ---- */

static struct judgement judge_truncate(const struct world *world, const struct operation *operation)
{
	struct object object = look_object(world->side, &operation->a, true);
	struct judgement judgement = is_not_asked();

	if (object.above.severed || (!object.error && !object.above.inside && !object.nameless))
		judgement = skips();
	else if (!object.error && object.nameless && holds(RULE_NAMELESS))
		judgement = asks(0);
	else if (!object.error && S_ISREG(object.node.mode))
		judgement =
			asks(denial(world, &object.node.identity, &object.above, RIGHT_TRUNCATE));
	object_close(&object);
	return judgement;
}

static struct judgement judge_ftruncate(const struct world *world,
					const struct operation *operation)
{
	const struct held *held = &world->held[operation->slot];
	struct judgement judgement = asks(held->may_truncate ? 0 : EACCES);

	if (held->used && !holds(RULE_RIGHT_AT_OPEN)) {
		struct object object = look_slot(world->side, operation->slot);

		if (!object.error && !object.nameless)
			judgement.denial = denial(world, &object.node.identity, &object.above,
						  RIGHT_TRUNCATE);
		object_close(&object);
	}
	return judgement;
}

static struct judgement judge_ioctl(const struct world *world, const struct operation *operation)
{
	const struct held *held = &world->held[operation->slot];
	bool is_free = operation->mode == FIONBIO || operation->mode == FIOASYNC;
	bool device = held->device || !holds(RULE_ONLY_DEVICES);

	if (!held->used || !device || (is_free && holds(RULE_FREE_COMMANDS)))
		return asks(0);
	return asks(held->may_ioctl ? 0 : EACCES);
}

/* ---- Changing a directory ---- */

static struct judgement judge_make(const struct world *world, const struct operation *operation)
{
	struct parent parent = look_parent(world->side, &operation->a, false);
	bool directory = operation->kind == KIND_MKDIR;
	uint32_t type = directory                         ? S_IFDIR
			: operation->kind == KIND_SYMLINK ? S_IFLNK
			: operation->kind == KIND_BIND    ? S_IFSOCK
							  : operation->mode;
	struct judgement judgement = is_not_asked();

	if (parent.chain.severed || (!parent.error && !parent.chain.inside))
		judgement = skips();
	else if (!parent.error && parent.ordinary && !parent.dead && !parent.child.exists &&
		 (directory || !parent.slashed))
		judgement = asks(denial(world, NULL, &parent.chain,
					right_to_make(world, type, !(operation->mode & 1))));
	parent_close(&parent);
	return judgement;
}

static struct judgement judge_remove(const struct world *world, const struct operation *operation)
{
	struct parent parent = look_parent(world->side, &operation->a, false);
	bool directory = operation->kind == KIND_RMDIR;
	struct judgement judgement = is_not_asked();

	if (parent.chain.severed || (!parent.error && !parent.chain.inside))
		judgement = skips();
	else if (!parent.error && parent.ordinary && parent.child.exists &&
		 (directory || !parent.slashed))
		judgement = asks(denial(world, NULL, &parent.chain,
					directory ? RIGHT_REMOVE_DIR : RIGHT_REMOVE_FILE));
	parent_close(&parent);
	return judgement;
}

/* ---- Moving and linking ---- */

/* Something that is to be under the directory `to` as well as, or instead of, under `from`. */
struct move {
	const struct node *node;
	const struct identity *own; /* NULL when no grant can be on it */
	const struct chain *from, *to;
	bool whole; /* the mount that both are in is the root's */
};

/* How much of a chain counts in a comparison: the kernel has not looked at the root yet when it
 * compares for the last time, unless the root is in the same mount. */
static unsigned int compared(const struct move *move, const struct chain *chain)
{
	bool late = chain->count > 0 && !move->whole && holds(RULE_ROOT_LATE);

	return late ? chain->count - 1 : chain->count;
}

static bool gains(const struct world *world, const struct move *move)
{
	const struct domain *domain = world->domain;
	const struct identity *own = holds(RULE_GAIN_OWN) ? move->own : NULL;
	rights compare = RIGHTS_ALL & (domain->handled | RIGHT_REFER);

	if (!S_ISDIR(move->node->mode) && holds(RULE_GAIN_FILE))
		compare &= rights_on_file();
	for (unsigned int i = 0; i < domain->count && holds(RULE_GAIN); i++) {
		rights had = granted(domain, i, own, move->from, compared(move, move->from));
		rights has = granted(domain, i, NULL, move->to, compared(move, move->to));

		if (has & ~had & compare)
			return true;
	}
	return false;
}

/* What a rename or link needs on either side of it, and the moves that it makes. */
struct transfer {
	rights from, to; /* what is needed in the two directories */
	bool stays;      /* they are one */
	struct move there, back;
	bool exchange;
};

static int deny_transfer(const struct world *world, const struct transfer *transfer)
{
	const struct chain *from = transfer->there.from, *to = transfer->there.to;
	rights refer_from = holds(RULE_REFER_FROM) ? RIGHT_REFER : 0;
	rights refer_to = holds(RULE_REFER_TO) ? RIGHT_REFER : 0;
	rights lacks = missing(world, NULL, from, transfer->from) |
		       missing(world, NULL, to, transfer->to);
	bool refers;

	if (transfer->stays && holds(RULE_SAME_DIRECTORY))
		return lacks ? EACCES : 0;
	/* Where everything is granted on both sides there is nothing to compare. */
	if (!missing(world, NULL, from, RIGHTS_ALL) && !missing(world, NULL, to, RIGHTS_ALL))
		return 0;
	refers = !missing(world, NULL, from, refer_from) && !missing(world, NULL, to, refer_to) &&
		 !gains(world, &transfer->there) &&
		 (!transfer->exchange || !holds(RULE_GAIN_BOTH) || !gains(world, &transfer->back));
	if (lacks && (refers || holds(RULE_EACCES_FIRST)))
		return EACCES;
	return refers ? 0 : EXDEV;
}

/* As the kernel looks for it: not beyond a mount, where the same directory may come once more. */
static bool is_above(const struct node *node, const struct chain *chain)
{
	if (!node->exists || !S_ISDIR(node->mode))
		return false;
	for (unsigned int i = 0; i < chain->within; i++)
		if (same(&chain->at[i], &node->identity))
			return true;
	return false;
}

/* Whether the kernel's own checks let a rename get to where Landlock is asked. */
static bool rename_is_asked(const struct parent *from, const struct parent *to, uint32_t flags)
{
	bool exchange = flags & EXCHANGE;

	if (from->mount != to->mount || !from->ordinary || !to->ordinary || flags > EXCHANGE)
		return false;
	if (!from->child.exists || to->dead || (flags & NOREPLACE && to->child.exists) ||
	    (exchange && !to->child.exists))
		return false;
	if (exchange && !S_ISDIR(to->child.mode) && to->slashed)
		return false;
	if (!S_ISDIR(from->child.mode) && (from->slashed || (!exchange && to->slashed)))
		return false;
	/* What is mounted is above nothing: what it is mounted on is renamed. */
	return (from->mounted || !is_above(&from->child, &to->chain)) &&
	       (to->mounted || !is_above(&to->child, &from->chain));
}

static int deny_rename(const struct world *world, const struct parent *from,
		       const struct parent *to, bool exchange)
{
	bool whole = from->mount == world->root_mount;
	struct transfer transfer = {
		.from = right_to_remove(&from->child),
		.to = right_to_make(world, from->child.mode, from->child.device),
		.stays = same(&from->chain.at[0], &to->chain.at[0]),
		.there = { &from->child, from->mounted ? NULL : &from->child.identity, &from->chain,
			   &to->chain, whole },
		.back = { &to->child, to->mounted ? NULL : &to->child.identity, &to->chain,
			  &from->chain, whole },
		.exchange = exchange,
	};

	if (holds(RULE_OVERWRITTEN))
		transfer.to |= right_to_remove(&to->child);
	if (exchange && holds(RULE_EXCHANGED))
		transfer.from |= right_to_make(world, to->child.mode, to->child.device);
	return deny_transfer(world, &transfer);
}

static struct judgement judge_rename(const struct world *world, const struct operation *operation)
{
	struct parent from = look_parent(world->side, &operation->a, false);
	struct parent to = look_parent(world->side, &operation->b, false);
	struct judgement judgement = is_not_asked();

	if (from.chain.severed || to.chain.severed || (!from.error && !from.chain.inside) ||
	    (!to.error && !to.chain.inside))
		judgement = skips();
	else if (!from.error && !to.error && rename_is_asked(&from, &to, operation->flags))
		judgement = asks(deny_rename(world, &from, &to, operation->flags & EXCHANGE));
	parent_close(&from);
	parent_close(&to);
	return judgement;
}

static int deny_link(const struct world *world, const struct object *old, const struct parent *to)
{
	/* What is mounted has no parent in its mount: it stands for that itself. */
	struct chain from = old->node.mount_root ? chain_of(old) : old->above;
	struct transfer transfer = {
		.to = right_to_make(world, old->node.mode, old->node.device),
		.stays = !old->node.mount_root && same(&from.at[0], &to->chain.at[0]),
		.there = { &old->node, &old->node.identity, &from, &to->chain,
			   to->mount == world->root_mount },
	};

	return deny_transfer(world, &transfer);
}

static struct judgement judge_link(const struct world *world, const struct operation *operation)
{
	struct object old = look_object(world->side, &operation->a, operation->flags);
	struct parent to = look_parent(world->side, &operation->b, false);
	struct judgement judgement = is_not_asked();

	if (old.above.severed || to.chain.severed || (!to.error && !to.chain.inside) ||
	    (!old.error && !old.above.inside && !old.nameless))
		judgement = skips();
	else if (!old.error && !to.error && to.ordinary && !to.slashed && !to.dead &&
		 !to.child.exists && old.node.mount == to.mount)
		judgement = asks(deny_link(world, &old, &to));
	object_close(&old);
	parent_close(&to);
	return judgement;
}

/* ---- What is never governed ---- */

static struct judgement judge_look(const struct world *world, const struct operation *operation)
{
	struct judgement judgement = { .governed = false };
	unsigned int takes = kind_takes(operation->kind);
	struct object object;

	if (operation->kind != KIND_CHDIR && !(takes & CHANGES_A) && holds(RULE_LOOKING))
		return judgement;
	/* No process is to leave the tree, and nothing outside is to change. */
	object = look_object(world->side, &operation->a, true);
	if (object.above.severed || (!object.error && !object.above.inside))
		judgement = skips();
	/* Nor may a directory be closed to who compares the trees. */
	else if (operation->kind == KIND_CHMOD && S_ISDIR(object.node.mode) &&
		 (operation->mode & 0700) != 0700)
		judgement = skips();
	else if (!object.error && operation->kind == KIND_STAT && !holds(RULE_LOOKING))
		judgement = asks(denial(world, &object.node.identity, &object.above,
					RIGHT_READ_FILE | RIGHT_READ_DIR));
	object_close(&object);
	return judgement;
}

static struct judgement judge_fchdir(const struct world *world, const struct operation *operation)
{
	struct object object = look_slot(world->side, operation->slot);
	struct judgement judgement = { .governed = false };

	if (object.above.severed || (!object.error && !object.above.inside))
		judgement = skips();
	object_close(&object);
	return judgement;
}

static struct judgement judge_nameless(const struct world *world, const struct operation *operation)
{
	if (world->held[operation->slot].used)
		return skips();
	return (struct judgement){
		.held = { .used = true, .may_truncate = true, .may_ioctl = true }
	};
}

struct judgement judge(const struct world *world, const struct operation *operation)
{
	switch (operation->kind) {
	case KIND_OPEN:
		return judge_open(world, operation);
	case KIND_LIST:
		return judge_list(world, operation);
	case KIND_EXEC:
	case KIND_EXEC_FD:
		return judge_exec(world, operation);
	case KIND_TRUNCATE:
		return judge_truncate(world, operation);
	case KIND_FTRUNCATE:
		return judge_ftruncate(world, operation);
	case KIND_IOCTL:
		return judge_ioctl(world, operation);
	case KIND_MKDIR:
	case KIND_MKNOD:
	case KIND_BIND:
	case KIND_SYMLINK:
		return judge_make(world, operation);
	case KIND_RMDIR:
	case KIND_UNLINK:
		return judge_remove(world, operation);
	case KIND_RENAME:
		return judge_rename(world, operation);
	case KIND_LINK:
		return judge_link(world, operation);
	case KIND_FCHDIR:
		return judge_fchdir(world, operation);
	case KIND_MEMFD:
	case KIND_PIPE:
		return judge_nameless(world, operation);
	case KIND_CLOSE:
	case KIND_READ:
	case KIND_WRITE:
		return (struct judgement){ .governed = false };
	default:
		return judge_look(world, operation);
	}
}

/* Whether the kernel says so before it asks Landlock, in calls where the paths alone do not tell.
 */
static bool comes_first(const struct operation *operation, int outcome)
{
	switch (operation->kind) {
	case KIND_OPEN:
		/* What is behind the inode is opened last. */
		return outcome != ENXIO && outcome != ENODEV && outcome != EBUSY;
	case KIND_FTRUNCATE:
		return true;
	case KIND_IOCTL:
		return outcome == EBADF;
	case KIND_BIND:
		return outcome == ENAMETOOLONG; /* an address has less room than a path */
	default:
		return false;
	}
}

int judge_errno(const struct judgement *judgement, const struct operation *operation, int outcome)
{
	if (!judgement->asked && judgement->governed && outcome && !holds(RULE_LOOKUP_FIRST))
		return EACCES;
	if (!judgement->asked || !judgement->denial)
		return outcome;
	if (outcome && (comes_first(operation, outcome) || !holds(RULE_DENIAL_FIRST)))
		return outcome;
	return judgement->denial;
}
