/* trial.c: one tree, one policy, many operations, each in the sandbox, in the twin and in the
 * model. It must never take a disagreement for anything else: what cannot be set up is told as
 * that. */
#include "trial.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "../levels/errnos.h"
#include "draw.h"
#include "sides.h"
#include "undo.h"

#define REDRAWS 20

/* A trial that is going on. */
struct trial {
	struct script *script;
	const struct setting *setting;
	struct tally *tally;
	struct sides sides;
	struct domain domain;
	struct held held[SLOTS];
	struct identity mounted[FURNISHING]; /* in the twin, by the operation that mounts */
	struct snapshot now, after;
	struct random random;
	struct verdict verdict;
};

/* ---- Scripts ---- */

void script_draw(struct script *script, uint64_t seed, const struct setting *setting)
{
	struct random random = { seed };
	const char *paths[FURNISHING];
	unsigned int count = 0;

	memset(script, 0, sizeof *script);
	script->seed = seed;
	script->mounts = random_chance(&random, 30) && setting->root;
	script->disk = random_chance(&random, 20);
	furnishing_draw(&script->furnishing, &random, setting->root, script->mounts);
	for (unsigned int i = 0; i < script->furnishing.count; i++) {
		const struct operation *operation = &script->furnishing.operations[i];

		paths[count++] = operation->kind == KIND_LINK ? operation->b.path
							      : operation->a.path;
	}
	policy_draw(&script->policy, &random, paths, count);
}

void script_tell(const struct script *script)
{
	char text[4096];

	for (unsigned int i = 0; i < script->policy.count; i++) {
		layer_tell(&script->policy.layers[i], text, sizeof text);
		printf("     policy %u: landlock-run %s--\n", i + 1, text);
	}
	for (unsigned int i = 0; i < script->furnishing.count; i++) {
		operation_tell(&script->furnishing.operations[i], text, sizeof text);
		printf("     before: %s\n", text);
	}
	for (unsigned int i = 0; i < script->count; i++) {
		operation_tell(&script->operations[i], text, sizeof text);
		printf("     %3u: %s\n", i + 1, text);
	}
}

/* ---- Setting up ---- */

static bool fail(struct trial *trial, enum outcome outcome, const char *what)
{
	trial->verdict.outcome = outcome;
	snprintf(trial->verdict.text, sizeof trial->verdict.text, "%s", what);
	return false;
}

/* A grant on a path that leads nowhere is refused by the launcher, which is tested elsewhere. */
static void drop_loose_grants(struct trial *trial)
{
	for (unsigned int i = 0; i < trial->script->policy.count; i++) {
		struct layer *layer = &trial->script->policy.layers[i];
		unsigned int kept = 0;

		for (unsigned int j = 0; j < layer->count; j++) {
			struct grant *grant = &layer->grants[j];
			struct object object = look_object(&trial->sides.real, &grant->place, true);

			if (!object.error ||
			    (object.error == ENOENT && grant->option == GRANT_RO_TRY))
				layer->grants[kept++] = *grant;
			object_close(&object);
		}
		layer->count = kept;
	}
}

static void note_mounts(struct trial *trial)
{
	const struct furnishing *furnishing = &trial->script->furnishing;

	for (unsigned int i = 0; i < furnishing->count; i++) {
		struct object object;

		if (furnishing->operations[i].kind != KIND_MOUNT)
			continue;
		object = look_object(&trial->sides.twin, &furnishing->operations[i].b, true);
		trial->mounted[i] = object.node.identity;
		object_close(&object);
	}
}

static bool set_up(struct trial *trial)
{
	struct sides *sides = &trial->sides;
	char text[640], difference[512];
	const char *failure = sides_build(sides, trial->script, trial->setting);

	if (failure == NULL) {
		note_mounts(trial);
		drop_loose_grants(trial);
		if (!policy_resolve(&trial->script->policy, &sides->real, trial->setting->abi,
				    &trial->domain))
			return fail(trial, BROKEN, "a grant leads nowhere");
		failure = sides_start(sides, trial->script, trial->setting);
	}
	if (failure != NULL) {
		snprintf(text, sizeof text, "%s (%s): %.400s", failure, strerror(errno),
			 sides->said);
		return fail(trial, BROKEN, text);
	}
	snapshot_take(&trial->now, &sides->real, false);
	snapshot_take(&trial->after, &sides->twin, false);
	if (snapshots_differ(&trial->now, &trial->after, difference, sizeof difference))
		return fail(trial, BROKEN, "the trees differ before the first operation");
	return true;
}

/* ---- Operations ---- */

static bool disagree(struct trial *trial, const char *format, const char *one, const char *other)
{
	char text[1024];

	snprintf(text, sizeof text, format, one, other);
	return fail(trial, DISAGREED, text);
}

static void on_both(struct trial *trial, const struct operation *operation)
{
	side_perform(&trial->sides.real, operation);
	side_perform(&trial->sides.twin, operation);
}

static bool is_gone(const struct side *side, int slot)
{
	char path[PATH_MAX];
	bool deleted = false;

	look_name(side, slot, path, &deleted);
	return deleted;
}

static void close_on_both(struct trial *trial, int slot)
{
	on_both(trial, &(struct operation){ .kind = KIND_CLOSE, .slot = (int8_t)slot });
	trial->held[slot].used = false;
}

/* Whether the model can still tell what lies where: not when it has been moved out of its mount,
 * and not when it is gone on one side only, because the twin's had to be made anew. Slot -1 is the
 * working directory. */
static bool is_lost(const struct sides *sides, int slot)
{
	const struct place here = { .base = BASE_CWD, .path = "." };
	struct object object = slot >= 0 ? look_slot(&sides->real, slot)
					 : look_object(&sides->real, &here, true);
	bool lost = object.above.severed ||
		    (S_ISDIR(object.node.mode) &&
		     is_gone(&sides->real, slot) != is_gone(&sides->twin, slot));

	object_close(&object);
	return lost;
}

static void let_go(struct trial *trial)
{
	const struct operation leave = { .kind = KIND_CHDIR, .a.base = BASE_TOP };

	if (is_lost(&trial->sides, -1))
		on_both(trial, &leave);
	for (int slot = 0; slot < SLOTS; slot++)
		if (trial->held[slot].used && is_lost(&trial->sides, slot))
			close_on_both(trial, slot);
}

static void count(struct trial *trial, const struct operation *operation,
		  const struct judgement *judgement, int error)
{
	struct tally *tally = trial->tally;
	enum ending ending = !error                                           ? ENDING_DONE
			     : judgement->denial == error && judgement->asked ? ENDING_DENIED
									      : ENDING_FAILED;

	tally->operations++;
	tally->endings[operation->kind][ending]++;
	tally->exdev += ending == ENDING_DENIED && error == EXDEV;
	tally->stays += ending == ENDING_DENIED && judgement->stays;
}

/* Compares the errno and, where there is none, the value. */
static bool compare_replies(struct trial *trial, const struct operation *operation,
			    const struct judgement *judgement, struct reply twin, struct reply real)
{
	int expected = judge_errno(judgement, operation, twin.error);
	char one[64], other[64];

	if (real.error == -1 || twin.error == -1)
		return disagree(trial, "a worker does not answer: %s, %s",
				real.error == -1 ? "confined" : "-",
				twin.error == -1 ? "twin" : "-");
	if (judgement->governed && !judgement->asked && twin.error == 0)
		return disagree(trial,
				"%sthe model says that the file system refuses this, and it "
				"does not%s",
				"", "");
	if (real.error == expected && (expected || real.value == twin.value))
		return true;
	snprintf(one, sizeof one, "%s (%d)", errno_name(expected), expected ? 0 : twin.value);
	snprintf(other, sizeof other, "%s (%d)", errno_name(real.error), real.value);
	return disagree(trial, "expected %s, got %s", one, other);
}

/* A file without a name that has had one cannot be linked again: lets go of it. */
static void let_go_of(struct trial *trial, const struct node *nameless)
{
	for (int slot = 0; slot < SLOTS; slot++) {
		struct object object;

		if (!trial->held[slot].used)
			continue;
		object = look_slot(&trial->sides.twin, slot);
		if (same(&object.node.identity, &nameless->identity))
			close_on_both(trial, slot);
		object_close(&object);
	}
}

/* What the twin has and the confined one must not have. */
static bool put_twin_back(struct trial *trial, const struct operation *operation, struct undo *undo,
			  bool done)
{
	struct operation close_slot = { .kind = KIND_CLOSE, .slot = operation->slot };
	struct node node = undo->object.node;

	if (done && operation->kind == KIND_OPEN && operation->slot >= 0)
		side_perform(&trial->sides.twin, &close_slot);
	if (!undo_finish(undo, operation, done))
		return fail(trial, BROKEN, "the twin cannot be put back");
	if (done && operation->kind == KIND_LINK && node.exists && node.links == 0)
		let_go_of(trial, &node);
	return true;
}

/* The twin's tree is as it was where the operation failed there. */
static bool compare_trees(struct trial *trial, bool changed, bool contents)
{
	char difference[512];

	snapshot_take(&trial->now, &trial->sides.real, contents);
	if (changed)
		snapshot_take(&trial->after, &trial->sides.twin, contents);
	if (!snapshots_differ(&trial->now, &trial->after, difference, sizeof difference))
		return true;
	return disagree(trial, "the tree is not as expected: %s%s", difference, "");
}

static void remember(struct trial *trial, const struct operation *operation,
		     const struct judgement *judgement)
{
	if (operation->slot < 0)
		return;
	if (operation->kind == KIND_CLOSE)
		trial->held[operation->slot].used = false;
	if (operation->kind == KIND_OPEN || operation->kind == KIND_MEMFD ||
	    operation->kind == KIND_PIPE) {
		trial->held[operation->slot] = judgement->held;
		trial->held[operation->slot].used = true;
	}
}

/* Whether a directory could go that is mounted elsewhere: a new one would not be. */
static bool endangers_mount(const struct trial *trial, const struct operation *operation)
{
	const struct side *side = &trial->sides.twin;
	bool rename = operation->kind == KIND_RENAME;
	struct parent parent;
	bool mounted = false;

	if (!trial->script->mounts || (!rename && operation->kind != KIND_RMDIR))
		return false;
	parent = look_parent(side, rename ? &operation->b : &operation->a, false);
	for (unsigned int i = 0; i < trial->script->furnishing.count; i++) {
		const struct operation *mount = &trial->script->furnishing.operations[i];

		if (mount->kind == KIND_MOUNT)
			mounted = mounted || same(&trial->mounted[i], &parent.child.identity);
	}
	parent_close(&parent);
	return mounted;
}

static bool run_operation(struct trial *trial, const struct operation *operation,
			  const struct judgement *judgement)
{
	struct sides *sides = &trial->sides;
	/* Where a break of the model denies what it allows, the twin must be put back as well. */
	bool denies = judgement->asked && judgement->denial;
	bool undoes = denies && !judgement->stays;
	struct reply twin, real;
	struct undo undo;

	if (undoes && endangers_mount(trial, operation))
		return true;
	if (undoes)
		undo_prepare(&undo, &sides->twin, operation);
	twin = side_perform(&sides->twin, operation);
	real = side_perform(&sides->real, operation);
	if (undoes && !put_twin_back(trial, operation, &undo, !twin.error))
		return false;
	if (!compare_replies(trial, operation, judgement, twin, real))
		return false;
	count(trial, operation, judgement, real.error);
	if (denies && judgement->stays && !twin.error && operation->slot >= 0)
		side_perform(&sides->twin,
			     &(struct operation){ .kind = KIND_CLOSE, .slot = operation->slot });
	if (!real.error)
		remember(trial, operation, judgement);
	if (operation->kind == KIND_RMDIR || operation->kind == KIND_RENAME ||
	    operation->kind == KIND_UNLINK)
		let_go(trial);
	return compare_trees(trial, !twin.error, false);
}

/* The next operation: the script's, or one that is drawn and recorded. */
static const struct operation *next(struct trial *trial, unsigned int index, bool draw,
				    const struct world *world, struct judgement *judgement)
{
	struct scenery scenery = { &trial->random, &trial->now, &trial->sides.real, trial->held,
				   trial->setting->create_directory };
	struct operation *operation = &trial->script->operations[index];

	for (int tries = 0; tries < (draw ? REDRAWS : 1); tries++) {
		if (draw)
			operation_draw(&scenery, operation);
		*judgement = judge(world, operation);
		if (!judgement->skip)
			return operation;
		trial->tally->skipped++;
	}
	return NULL;
}

static void run_operations(struct trial *trial, bool draw)
{
	struct script *script = trial->script;
	const struct setting *setting = trial->setting;
	struct world world = { &trial->domain, &trial->sides.real, trial->held,
			       setting->whiteout_is_regular, setting->root_mount };
	unsigned int most = draw ? setting->operations : script->count;

	for (unsigned int i = 0; i < most && !trial->now.overflow; i++) {
		struct judgement judgement;
		const struct operation *operation = next(trial, i, draw, &world, &judgement);

		trial->verdict.at = i;
		if (draw && operation == NULL)
			break;
		if (draw)
			script->count = i + 1;
		if (operation != NULL && !run_operation(trial, operation, &judgement))
			return;
	}
	compare_trees(trial, true, true);
}

struct verdict trial_run(struct script *script, const struct setting *setting, struct tally *tally)
{
	struct trial *trial = calloc(1, sizeof *trial);
	bool draw = script->count == 0;
	struct verdict verdict;

	if (trial == NULL)
		abort();
	trial->script = script;
	trial->setting = setting;
	trial->tally = tally;
	trial->random.state = script->seed ^ UINT64_C(0x6a09e667f3bcc908);
	if (set_up(trial)) {
		tally->trials++;
		tally->layers[script->policy.count - 1]++;
		tally->mounts += script->mounts;
		run_operations(trial, draw);
	}
	sides_remove(&trial->sides);
	verdict = trial->verdict;
	free(trial);
	return verdict;
}
