/* claims.c: the launcher and the library on every kernel that can be claimed.
 * It must never expect what the product itself says: what is due comes from the table of levels. */
#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "claim.h"
#include "pool.h"
#include "scene.h"
#include "trial.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

#define NOTICE "landlock-run: partial enforcement (older Landlock ABI)\n"
#define UNUSABLE "landlock-run: landlock is not enforced by this kernel ("

#define RAN (17 << 8)
#define REFUSED (125 << 8)
#define SIMULATOR_FAILED (99 << 8)

/* A claim and the row of a table that is tried on it. */
struct subject {
	const struct claim *claim;
	const void *row;
};

static struct outcome outcome;

/* What a worker offers outside the confinement. */
static char abstract_name[64];

/* ---- Running ---- */

static void begin(const struct claim *claim, struct trial *trial)
{
	const char *arguments[16];

	memset(trial, 0, sizeof(*trial));
	claim_arguments(claim, scene_simulate, arguments);
	trial_add(trial, arguments);
}

static void finish(const struct trial *trial)
{
	scene_reset();
	trial_run(trial, &outcome);
	if (outcome.status == SIMULATOR_FAILED)
		FAIL("the simulator gave up: %s", outcome.err);
}

/* Runs the launcher with these arguments, up to a NULL. */
static void launch(const struct claim *claim, enum stream status, const char *const *arguments)
{
	struct trial trial;

	begin(claim, &trial);
	trial.status = status;
	trial_add_one(&trial, scene_launcher);
	trial_add(&trial, arguments);
	finish(&trial);
}

#define LAUNCH(claim, ...) launch(claim, STREAM_USUAL, (const char *const[]){ __VA_ARGS__, NULL })

/* ---- Judging ---- */

static void expect_status(int due)
{
	EXPECT(outcome.status == due, "due was wait status 0x%x: %s", (unsigned int)due,
	       outcome_text(&outcome));
}

static void expect_out(const char *due)
{
	EXPECT(strcmp(outcome.out, due) == 0, "due on stdout was \"%s\": %s", due,
	       outcome_text(&outcome));
}

static void expect_err(const char *due)
{
	EXPECT(strcmp(outcome.err, due) == 0, "due on stderr was \"%s\": %s", due,
	       outcome_text(&outcome));
}

/* One line, after the notice where that is due, which begins so and holds the word. */
static void expect_fatal(const char *notice, const char *start, const char *word)
{
	const char *line = outcome.err + strlen(notice);

	expect_status(REFUSED);
	expect_out("");
	EXPECT(strncmp(outcome.err, notice, strlen(notice)) == 0 &&
		       strncmp(line, start, strlen(start)) == 0 && strstr(line, word) != NULL &&
		       strchr(line, '\n') == outcome.err + outcome.err_length - 1,
	       "due on stderr was \"%s%s...%s...\": %s", notice, start, word,
	       outcome_text(&outcome));
}

static const char *notice_due(const struct claim *claim, uint64_t wanted)
{
	return claim_partial(claim, wanted) ? NOTICE : "";
}

/* The first right of a set that the claim governs and the real kernel lacks, so that nothing here
 * can enforce it; NULL when there is none. */
static const struct level_right *lacking(const struct claim *claim, uint64_t wanted)
{
	const struct level_right *right;

	for (size_t i = 0; (right = level_right(i)) != NULL; i++)
		if (wanted & claim_bit(right) && claim_governs(claim, right) &&
		    right->since > claim_real_abi() && right->field != LEVEL_PERMISSIONS)
			return right;
	return NULL;
}

static uint64_t bit_of(const char *name)
{
	const struct level_right *right = level_right_named(name);

	if (right == NULL)
		abort();
	return claim_bit(right);
}

/* ---- The contract's words ---- */

static void probe_says_what_is_enforced(const void *subject)
{
	const struct claim *claim = subject;

	LAUNCH(claim, "--probe");
	if (claim->errnum != 0) {
		expect_fatal("", UNUSABLE, claim->remedy);
		return;
	}
	expect_status(0);
	expect_err("");
	expect_out(claim_partial(claim, 0) ? "landlock: partially enforced (older ABI)\n"
					   : "landlock: fully enforced\n");
}

static void launch_says_just_the_notice(const void *subject)
{
	const struct claim *claim = subject;

	LAUNCH(claim, "--ro", "/", "--rw", "in", "--", scene_witness, "make:in/new",
	       "make:out/new");
	if (claim->errnum != 0) {
		expect_fatal("", UNUSABLE, claim->remedy);
		EXPECT(!scene_has("in/new"), "the command ran: %s", outcome_text(&outcome));
		return;
	}
	expect_status(RAN);
	expect_err(notice_due(claim, 0));
	expect_out("make:in/new ok\nmake:out/new EACCES\n");
	EXPECT(scene_has("in/new") && !scene_has("out/new"), "on disk it is otherwise");
}

static void notice_comes_before_a_failed_exec(const void *subject)
{
	const struct claim *claim = subject;

	if (claim->errnum != 0)
		SKIP("no launch gets as far on this kernel");
	LAUNCH(claim, "--ro", "/", "--", "in/absent");
	expect_fatal(notice_due(claim, 0), "landlock-run: exec failed: ", "in/absent");
}

static void without_a_grant_nothing_runs(const void *subject)
{
	const struct claim *claim = subject;

	LAUNCH(claim, "--", scene_witness, "make:in/new");
	if (claim->errnum != 0)
		expect_fatal("", UNUSABLE, claim->remedy);
	else
		expect_fatal(notice_due(claim, 0), "landlock-run: exec failed: ", scene_witness);
	EXPECT(!scene_has("in/new"), "the command ran");
}

static void missing_grant_is_named_first(const void *subject)
{
	const struct claim *claim = subject;

	LAUNCH(claim, "--ro", "/", "--rw", "in/absent", "--", scene_witness);
	if (claim->errnum != 0)
		expect_fatal("", UNUSABLE, claim->remedy);
	else
		expect_fatal("", "landlock-run: cannot open rule path: in/absent: ", "");
}

static void usage_error_needs_no_kernel(const void *subject)
{
	LAUNCH(subject, "--ro", "/", "--bogus", "--", scene_witness);
	expect_fatal("", "landlock-run: usage error: unknown argument: --bogus", "");
}

static void version_needs_no_kernel(const void *subject)
{
	LAUNCH(subject, "--version");
	expect_status(0);
	expect_err("");
	EXPECT(strncmp(outcome.out, "landlock-run ", 13) == 0, "%s", outcome_text(&outcome));
}

static void danger_needs_no_kernel(const void *subject)
{
	LAUNCH(subject, "--mode", "danger-full-access", "--", scene_witness, "make:out/new");
	expect_status(RAN);
	expect_err("");
	expect_out("make:out/new ok\n");
	EXPECT(scene_has("out/new"), "on disk it is otherwise");
}

/* At ABI 1 with EXDEV, upon which mv copies. */
static void mv_across_directories_works(const void *subject)
{
	const struct claim *claim = subject;

	if (claim->errnum != 0)
		SKIP("no launch gets as far on this kernel");
	LAUNCH(claim, "--ro", "/", "--rw", "in", "--", "mv", "in/a/file", "in/b/file");
	expect_status(0);
	expect_err(notice_due(claim, 0));
	EXPECT(!scene_has("in/a/file") && scene_has("in/b/file"), "on disk it is otherwise");
}

static void dry_run_says_the_same(const void *subject)
{
	const struct claim *claim = subject;
	char due[64];

	LAUNCH(claim, "--ro", "/", "--dry-run", "--", scene_witness, "make:in/new");
	expect_status(0);
	expect_err("");
	snprintf(due, sizeof(due), "\"enforcement\":\"%s\",\"abi\":%d,",
		 claim->errnum != 0        ? "none"
		 : claim_partial(claim, 0) ? "partial"
					   : "full",
		 claim_abi(claim));
	EXPECT(strstr(outcome.out, due) != NULL, "due was %s: %s", due, outcome_text(&outcome));
	EXPECT(strstr(outcome.out, claim->errnum != 0 ? "\"run\":false" : "\"run\":true") != NULL,
	       "%s", outcome_text(&outcome));
	EXPECT(claim->remedy == NULL || strstr(outcome.out, claim->remedy) != NULL, "%s",
	       outcome_text(&outcome));
	EXPECT(!scene_has("in/new"), "the command ran");
}

/* ---- The status of the command ---- */

static const int exits[] = { 0, 1, 2, 124, 125, 126, 127, 255 };

static void exit_status_is_the_commands(const void *data)
{
	const struct subject *subject = data;
	char verb[16];
	int status = *(const int *)subject->row;

	snprintf(verb, sizeof(verb), "exit:%d", status);
	LAUNCH(subject->claim, "--ro", "/", "--", scene_witness, verb);
	expect_status(status << 8);
	expect_out("");
	expect_err(notice_due(subject->claim, 0));
}

static const int deaths[] = { 1, 6, 9, 11, 13, 15 };

static void death_is_the_commands(const void *data)
{
	const struct subject *subject = data;
	char verb[16];
	int death = *(const int *)subject->row;

	snprintf(verb, sizeof(verb), "die:%d", death);
	LAUNCH(subject->claim, "--ro", "/", "--", scene_witness, verb);
	EXPECT(WIFSIGNALED(outcome.status) && WTERMSIG(outcome.status) == death, "%s",
	       outcome_text(&outcome));
	expect_err(notice_due(subject->claim, 0));
}

/* ---- What is denied and what is granted ---- */

static const char *const contract[] = { "--ro", "/", "--rw", "in", NULL };
static const char *const nothing_to_write[] = { "--ro", "/", "--rw", "/dev/null", NULL };
static const char *const read_only[] = { "--mode", "read-only", NULL };
static const char *const workspace[] = { "--mode", "workspace-write", "--workspace", "in", NULL };

static const struct act {
	const char *const *options;
	const char *words; /* the witness's */
	const char *right; /* that governs it; NULL: it is granted */
	const char *governed;
	const char *ungoverned;
} acts[] = {
	{ contract, "write:out/file", "write-file", "EACCES", "ok" },
	{ contract, "empty:out/file", "truncate", "EACCES", "ok" },
	{ contract, "make:out/new", "make-reg", "EACCES", "ok" },
	{ contract, "mkdir:out/new", "make-dir", "EACCES", "ok" },
	{ contract, "fifo:out/new", "make-fifo", "EACCES", "ok" },
	{ contract, "socket:out/new", "make-sock", "EACCES", "ok" },
	{ contract, "symlink:out/new", "make-sym", "EACCES", "ok" },
	{ contract, "remove:out/file", "remove-file", "EACCES", "ok" },
	{ contract, "remove:out/sub", "remove-dir", "EACCES", "ok" },
	{ contract, "move:out/file:out/new", "remove-file", "EACCES", "ok" },
	{ contract, "link:in/a/file:in/b/file", "refer", "ok", "EXDEV" },
	{ contract, "move:in/a/file:in/b/file", "refer", "ok", "EXDEV" },
	{ contract, "move:in/a:in/b/a", "refer", "ok", "EXDEV" },
	{ contract, "ioctl:/dev/zero", "ioctl-dev", "EACCES", "ENOTTY" },
	{ contract, "write:in/a/file", NULL, "ok", NULL },
	{ contract, "empty:in/a/file", NULL, "ok", NULL },
	{ contract, "make:in/new", NULL, "ok", NULL },
	{ contract, "mkdir:in/new", NULL, "ok", NULL },
	{ contract, "fifo:in/new", NULL, "ok", NULL },
	{ contract, "socket:in/new", NULL, "ok", NULL },
	{ contract, "symlink:in/new", NULL, "ok", NULL },
	{ contract, "remove:in/a/file", NULL, "ok", NULL },
	{ contract, "remove:in/b", NULL, "ok", NULL },
	{ contract, "move:in/a/file:in/a/new", NULL, "ok", NULL },
	{ contract, "read:out/file", NULL, "ok", NULL },
	{ contract, "list:out", NULL, "ok", NULL },
	{ nothing_to_write, "ioctl:/dev/null", NULL, "ENOTTY", NULL },
	{ nothing_to_write, "write:/dev/null", NULL, "ok", NULL },
	{ nothing_to_write, "write:in/a/file", "write-file", "EACCES", "ok" },
	{ read_only, "write:/dev/null", NULL, "ok", NULL },
	{ read_only, "write:in/a/file", "write-file", "EACCES", "ok" },
	{ read_only, "empty:in/a/file", "truncate", "EACCES", "ok" },
	{ read_only, "make:in/new", "make-reg", "EACCES", "ok" },
	{ read_only, "read:out/file", NULL, "ok", NULL },
	{ workspace, "make:in/new", NULL, "ok", NULL },
	{ workspace, "empty:in/a/file", NULL, "ok", NULL },
	{ workspace, "empty:out/file", "truncate", "EACCES", "ok" },
	{ workspace, "make:out/new", "make-reg", "EACCES", "ok" },
	{ workspace, "move:in/a/file:in/b/file", "refer", "ok", "EXDEV" },
};

/* Whether an act that worked shows on disk. */
static bool leaves_a_trace(const char *words)
{
	static const char *const without[] = { "read:", "list:", "ioctl:", "write:/dev/" };

	for (size_t i = 0; i < COUNT(without); i++)
		if (strncmp(words, without[i], strlen(without[i])) == 0)
			return false;
	return true;
}

static void act_is_as_the_abi_has_it(const void *data)
{
	const struct subject *subject = data;
	const struct act *act = subject->row;
	bool governed = act->right == NULL ||
			claim_governs(subject->claim, level_right_named(act->right));
	const char *result = governed ? act->governed : act->ungoverned;
	unsigned long before;
	struct trial trial;
	char due[256];

	begin(subject->claim, &trial);
	trial_add_one(&trial, scene_launcher);
	trial_add(&trial, act->options);
	trial_add(&trial, (const char *const[]){ "--", scene_witness, act->words, NULL });
	scene_reset();
	before = scene_digest();
	finish(&trial);
	expect_status(RAN);
	expect_err(notice_due(subject->claim, 0));
	snprintf(due, sizeof(due), "%s %s\n", act->words, result);
	expect_out(due);
	EXPECT((scene_digest() != before) ==
		       (strcmp(result, "ok") == 0 && leaves_a_trace(act->words)),
	       "on disk it is otherwise than the command said");
}

static void tmp_is_writable_in_workspace_write(const void *subject)
{
	const struct claim *claim = subject;
	char make[64], remove_again[64];

	snprintf(make, sizeof(make), "make:/tmp/landlock-run-%d", getpid());
	snprintf(remove_again, sizeof(remove_again), "remove:/tmp/landlock-run-%d", getpid());
	LAUNCH(claim, "--mode", "workspace-write", "--workspace", "in", "--", scene_witness, make,
	       remove_again);
	if (claim->errnum != 0) {
		expect_fatal("", UNUSABLE, claim->remedy);
		return;
	}
	expect_status(RAN);
	expect_err(notice_due(claim, 0));
	EXPECT(strstr(outcome.out, "EACCES") == NULL, "%s", outcome_text(&outcome));
}

static void mode_runs_bash(const void *subject)
{
	const struct claim *claim = subject;

	LAUNCH(claim, "--mode", "read-only", "-c", "echo $0 $1; (: >in/new) 2>/dev/null; exit 7",
	       "zero", "one");
	if (claim->errnum != 0) {
		expect_fatal("", UNUSABLE, claim->remedy);
		return;
	}
	expect_status(7 << 8);
	expect_err(notice_due(claim, 0));
	expect_out("zero one\n");
	EXPECT(!scene_has("in/new"), "on disk it is otherwise");
}

/* ---- What is asked for by name ---- */

static const struct wish {
	const char *option[2];
	const char *right;
	const char *words; /* of the witness; %ABSTRACT and %OUTSIDER stand for what is outside */
	const char *governed; /* what comes of it */
	const char *ungoverned;
} wishes[] = {
	{ { "--bind-tcp", "none" }, "bind-tcp", "bind-tcp:0", "EACCES", "ok" },
	{ { "--bind-tcp", "0" }, "bind-tcp", "bind-tcp:0", "ok", "ok" },
	{ { "--bind-tcp", "none" }, "bind-tcp", "connect-tcp:1", "ECONNREFUSED", "ECONNREFUSED" },
	{ { "--connect-tcp", "none" }, "connect-tcp", "connect-tcp:1", "EACCES", "ECONNREFUSED" },
	{ { "--connect-tcp", "1" },
	  "connect-tcp",
	  "connect-tcp:1",
	  "ECONNREFUSED",
	  "ECONNREFUSED" },
	{ { "--connect-tcp", "2" }, "connect-tcp", "connect-tcp:1", "EACCES", "ECONNREFUSED" },
	{ { "--connect-tcp", "none" }, "connect-tcp", "bind-tcp:0", "ok", "ok" },
	{ { "--bind-udp", "none" }, "bind-udp", "bind-udp:0", "EACCES", "ok" },
	{ { "--connect-send-udp", "none" }, "connect-send-udp", "connect-udp:1", "EACCES", "ok" },
	{ { "--scope", "signal" }, "signal", "kill:%OUTSIDER", "EPERM", "ok" },
	{ { "--scope", "abstract-unix-socket" },
	  "abstract-unix-socket",
	  "connect-unix:%ABSTRACT",
	  "EPERM",
	  "ok" },
	{ { "--scope", "signal" }, "signal", "connect-unix:%ABSTRACT", "ok", "ok" },
	{ { "--scope", "abstract-unix-socket" },
	  "abstract-unix-socket",
	  "kill:%OUTSIDER",
	  "ok",
	  "ok" },
	{ { "--resolve-unix", "none" }, "resolve-unix", "connect-unix:./socket", "EACCES", "ok" },
	{ { "--resolve-unix", "socket" }, "resolve-unix", "connect-unix:./socket", "ok", "ok" },
};

/* Puts what this worker offers in the place of its stand-in. */
static const char *offered(const char *words)
{
	static char text[128];
	const char *stand_in = strchr(words, '%');
	int head = stand_in == NULL ? (int)strlen(words) : (int)(stand_in - words);

	if (stand_in == NULL)
		return words;
	if (strcmp(stand_in, "%OUTSIDER") == 0)
		snprintf(text, sizeof(text), "%.*s%d", head, words, getpid());
	else
		snprintf(text, sizeof(text), "%.*s%s", head, words, abstract_name);
	return text;
}

/* The refusal of what is named and not governed, whole. */
static const char *refusal(const struct claim *claim, const char *name, int needs)
{
	static char line[256];

	snprintf(line, sizeof(line), UNUSABLE "%s: needs %s; this kernel reports ABI %d)\n", name,
		 claim_needs(needs), claim_abi(claim));
	return line;
}

static void expect_refusal(const struct claim *claim, const char *name, int needs)
{
	expect_status(REFUSED);
	expect_out("");
	expect_err(refusal(claim, name, needs));
	EXPECT(!scene_has("in/new"), "the command ran");
}

static void run_wish(const struct claim *claim, const struct wish *wish, const char *effort)
{
	struct trial trial;

	begin(claim, &trial);
	trial_add(&trial, (const char *const[]){ scene_launcher, "--ro", "/", "--rw", "in",
						 wish->option[0], wish->option[1], NULL });
	if (effort != NULL)
		trial_add_one(&trial, effort);
	trial_add(&trial, (const char *const[]){ "--", scene_witness, "make:in/new",
						 offered(wish->words), NULL });
	finish(&trial);
}

static void expect_wish(const struct claim *claim, const struct wish *wish)
{
	const struct level_right *right = level_right_named(wish->right);
	char due[256];

	expect_status(RAN);
	expect_err(notice_due(claim, claim_bit(right)));
	snprintf(due, sizeof(due), "make:in/new ok\n%s %s\n", offered(wish->words),
		 claim_governs(claim, right) ? wish->governed : wish->ungoverned);
	expect_out(due);
}

static void named_is_enforced_or_refused(const void *data)
{
	const struct subject *subject = data;
	const struct wish *wish = subject->row;
	const struct level_right *right = level_right_named(wish->right);

	run_wish(subject->claim, wish, NULL);
	if (claim_governs(subject->claim, right))
		expect_wish(subject->claim, wish);
	else
		expect_refusal(subject->claim, right->name, right->since);
}

static void best_effort_makes_the_refusal_a_notice(const void *data)
{
	const struct subject *subject = data;
	const struct wish *wish = subject->row;

	run_wish(subject->claim, wish, "--best-effort");
	expect_wish(subject->claim, wish);
}

static void log_denials_is_done_or_refused(const void *subject)
{
	const struct claim *claim = subject;

	LAUNCH(claim, "--ro", "/", "--rw", "in", "--log-denials", "--", scene_witness,
	       "make:in/new");
	if (claim_abi(claim) < 7) {
		expect_refusal(claim, "log-denials", 7);
		return;
	}
	expect_status(RAN);
	expect_err(notice_due(claim, 0));
}

static void log_denials_with_best_effort_is_a_notice(const void *subject)
{
	const struct claim *claim = subject;

	LAUNCH(claim, "--ro", "/", "--rw", "in", "--log-denials", "--best-effort", "--",
	       scene_witness, "make:in/new");
	expect_status(RAN);
	expect_err(claim_abi(claim) < 7 ? NOTICE : notice_due(claim, 0));
	expect_out("make:in/new ok\n");
}

/* Requiring a right that no version handles yet is a usage error, everywhere. */
static void required_is_governed_or_refused(const void *data)
{
	const struct subject *subject = data;
	const struct level_right *right = subject->row;

	LAUNCH(subject->claim, "--ro", "/", "--rw", "in", "--require", right->name, "--",
	       scene_witness, "make:in/new");
	if (right->field == LEVEL_PERMISSIONS) {
		expect_fatal("", "landlock-run: usage error: ", right->name);
	} else if (claim_governs(subject->claim, right)) {
		expect_status(RAN);
		expect_err(notice_due(subject->claim, claim_bit(right)));
	} else {
		expect_refusal(subject->claim, right->name, right->since);
	}
}

static void require_full_names_the_first_that_is_missing(const void *subject)
{
	const struct claim *claim = subject;
	const char *missing = claim_first(claim_file_set() & ~claim_governed(claim));

	LAUNCH(claim, "--ro", "/", "--rw", "in", "--require", "full", "--", scene_witness,
	       "make:in/new");
	if (missing != NULL) {
		expect_refusal(claim, missing, level_right_named(missing)->since);
		return;
	}
	expect_status(RAN);
	expect_err("");
}

/* A floor is no wish: --best-effort does not lower it. */
static void best_effort_does_not_lower_the_floor(const void *subject)
{
	const struct claim *claim = subject;
	const char *missing = claim_first(claim_file_set() & ~claim_governed(claim));

	LAUNCH(claim, "--ro", "/", "--rw", "in", "--best-effort", "--require", "full", "--",
	       scene_witness, "make:in/new");
	if (missing != NULL)
		expect_refusal(claim, missing, level_right_named(missing)->since);
	else
		expect_status(RAN);
}

/* ---- The status records ---- */

/* The record of a confined launch, whole. */
static const char *confined_record(const struct claim *claim, const char *mode, uint64_t wanted)
{
	static char record[2048];
	uint64_t missing = (wanted | claim_file_set()) & ~claim_governed(claim);
	const struct level_right *right;
	const char *comma = "";
	int length = snprintf(record, sizeof(record),
			      "{\"landlock-run\":1,\"event\":\"confined\",\"enforcement\":\"%s\","
			      "\"abi\":%d,"
			      "\"mode\":%s,\"ungoverned\":[",
			      missing != 0 ? "partial" : "full", claim_abi(claim), mode);

	for (size_t i = 0; (right = level_right(i)) != NULL; i++)
		if (missing & claim_bit(right)) {
			length += snprintf(record + length, sizeof(record) - (size_t)length,
					   "%s\"%s\"", comma, right->name);
			comma = ",";
		}
	snprintf(record + length, sizeof(record) - (size_t)length, "]}\n");
	return record;
}

static void expect_report(const char *due)
{
	EXPECT(strcmp(outcome.report, due) == 0, "due as status was \"%s\": %s", due,
	       outcome_text(&outcome));
}

/* One line, and no other, that has these words. */
static void expect_failed_record(const char *stage, const char *error, const char *word)
{
	char due[128];

	snprintf(due, sizeof(due),
		 "{\"landlock-run\":1,\"event\":\"failed\",\"stage\":\"%s\",\"errno\":%s,", stage,
		 error);
	EXPECT(strncmp(outcome.report, due, strlen(due)) == 0 &&
		       strstr(outcome.report, word) != NULL &&
		       strchr(outcome.report, '\n') == outcome.report + outcome.report_length - 1,
	       "due as status was \"%s...%s...\": %s", due, word, outcome_text(&outcome));
}

static void status_says_what_is_enforced(const void *subject)
{
	const struct claim *claim = subject;
	char error[32];

	launch(claim, STREAM_FILE,
	       (const char *const[]){ "--status-fd", "9", "--ro", "/", "--", scene_witness, "fds",
				      NULL });
	if (claim->errnum != 0) {
		expect_fatal("", UNUSABLE, claim->remedy);
		snprintf(error, sizeof(error), "\"%s\"", claim->error);
		expect_failed_record("kernel", error, claim->remedy);
		return;
	}
	expect_status(RAN);
	expect_err(notice_due(claim, 0));
	expect_out("fd 0\nfd 1\nfd 2\n");
	expect_report(confined_record(claim, "null", 0));
}

static void status_names_the_mode(const void *subject)
{
	const struct claim *claim = subject;

	launch(claim, STREAM_FILE,
	       (const char *const[]){ "--status-fd", "9", "--mode", "read-only", "--",
				      scene_witness, NULL });
	if (claim->errnum != 0) {
		expect_fatal("", UNUSABLE, claim->remedy);
		return;
	}
	expect_status(RAN);
	expect_report(confined_record(claim, "\"read-only\"", 0));
}

static void status_says_what_was_refused(const void *data)
{
	const struct subject *subject = data;
	const struct wish *wish = subject->row;
	const struct level_right *right = level_right_named(wish->right);

	launch(subject->claim, STREAM_FILE,
	       (const char *const[]){ "--status-fd", "9", "--ro", "/", wish->option[0],
				      wish->option[1], "--", scene_witness, NULL });
	if (claim_governs(subject->claim, right))
		expect_report(confined_record(subject->claim, "null", claim_bit(right)));
	else
		expect_failed_record("kernel", "null", right->name);
}

static void status_says_what_best_effort_left_out(const void *data)
{
	const struct subject *subject = data;
	const struct wish *wish = subject->row;

	launch(subject->claim, STREAM_FILE,
	       (const char *const[]){ "--status-fd", "9", "--ro", "/", wish->option[0],
				      wish->option[1], "--best-effort", "--", scene_witness,
				      NULL });
	expect_status(RAN);
	expect_report(confined_record(subject->claim, "null", bit_of(wish->right)));
}

/* ---- The library ---- */

#define NAMES 4

static const struct policy {
	const char *name;
	const char *governed[NAMES];
	const char *required[NAMES];
	bool best_effort, log_denials;
} policies[] = {
	{ "that names nothing", { NULL }, { NULL }, false, false },
	{ "of best effort that names nothing", { NULL }, { NULL }, true, false },
	{ "that names TCP", { "bind-tcp", "connect-tcp" }, { NULL }, false, false },
	{ "of best effort that names TCP", { "bind-tcp", "connect-tcp" }, { NULL }, true, false },
	{ "that names UDP", { "bind-udp", "connect-send-udp" }, { NULL }, false, false },
	{ "of best effort that names UDP",
	  { "bind-udp", "connect-send-udp" },
	  { NULL },
	  true,
	  false },
	{ "that names both scopes", { "signal", "abstract-unix-socket" }, { NULL }, false, false },
	{ "of best effort that names both scopes",
	  { "signal", "abstract-unix-socket" },
	  { NULL },
	  true,
	  false },
	{ "that names resolve-unix", { "resolve-unix" }, { NULL }, false, false },
	{ "of best effort that names resolve-unix", { "resolve-unix" }, { NULL }, true, false },
	{ "that names each kind", { "bind-tcp", "signal" }, { NULL }, false, false },
	{ "of best effort that names each kind", { "bind-tcp", "signal" }, { NULL }, true, false },
	{ "that requires all files", { NULL }, { "full" }, false, false },
	{ "of best effort that requires all files", { NULL }, { "full" }, true, false },
	{ "that requires truncate", { NULL }, { "truncate" }, false, false },
	{ "that requires a scope", { NULL }, { "signal" }, false, false },
	{ "of best effort that requires a scope", { NULL }, { "signal" }, true, false },
	{ "that names TCP and requires a scope", { "connect-tcp" }, { "signal" }, false, false },
	{ "of best effort that names TCP and requires a scope",
	  { "connect-tcp" },
	  { "signal" },
	  true,
	  false },
	{ "that logs", { NULL }, { NULL }, false, true },
	{ "of best effort that logs", { NULL }, { NULL }, true, true },
	{ "of best effort that logs and names TCP", { "bind-tcp" }, { NULL }, true, true },
};

static uint64_t set_of(const char *const names[NAMES])
{
	uint64_t set = 0;

	for (size_t i = 0; i < NAMES && names[i] != NULL; i++)
		set |= strcmp(names[i], "full") == 0 ? claim_file_set() : bit_of(names[i]);
	return set;
}

/* The library's codes, as the public header numbers them. */
#define E_NOT_ENFORCED 20
#define E_UNGOVERNED 22

/* What the library has to answer, for the plan and for the act alike. */
static const char *answer_due(const struct claim *claim, const struct policy *policy)
{
	static char text[256];
	uint64_t named = set_of(policy->governed), required = set_of(policy->required);
	uint64_t wanted = claim_file_set() | named | required;
	uint64_t missing = wanted & ~claim_governed(claim);
	uint64_t refused = missing & (policy->best_effort ? required : named | required);
	bool unlogged = policy->log_denials && claim_abi(claim) < 7;

	if (claim->errnum != 0)
		snprintf(text, sizeof(text), "error code=%d errnum=%d subject=- index=0",
			 E_NOT_ENFORCED, claim->errnum);
	else if (refused != 0 || (unlogged && !policy->best_effort))
		snprintf(text, sizeof(text), "error code=%d errnum=0 subject=%s index=%d",
			 E_UNGOVERNED,
			 unlogged && !policy->best_effort ? "log-denials" : claim_first(refused),
			 claim_abi(claim));
	else
		snprintf(text, sizeof(text),
			 "ok enforcement=%d abi=%d unmet=%d governed=%llx ungoverned=%llx",
			 missing != 0 || unlogged ? 1 : 2, claim_abi(claim), unlogged ? 2 : 0,
			 (unsigned long long)(wanted & ~missing), (unsigned long long)missing);
	return text;
}

static void add_names(struct trial *trial, const char *key, const char *const names[NAMES],
		      char texts[NAMES][64])
{
	for (size_t i = 0; i < NAMES && names[i] != NULL; i++) {
		snprintf(texts[i], 64, "%s=%s", key, names[i]);
		trial_add_one(trial, texts[i]);
	}
}

static void library_answers_by_the_table(const void *data)
{
	const struct subject *subject = data;
	const struct policy *policy = subject->row;
	const char *answer = answer_due(subject->claim, policy);
	bool confined = strncmp(answer, "ok", 2) == 0;
	char texts[2][NAMES][64], due[1024];
	struct trial trial;

	begin(subject->claim, &trial);
	trial_add_one(&trial, scene_policy);
	add_names(&trial, "governed", policy->governed, texts[0]);
	add_names(&trial, "required", policy->required, texts[1]);
	if (policy->best_effort)
		trial_add_one(&trial, "best-effort");
	if (policy->log_denials)
		trial_add_one(&trial, "log-denials");
	finish(&trial);
	snprintf(due, sizeof(due),
		 "plan %s\nconfine %s\nmake in/marker ok\nmake out/escape %s\nnext descriptor 3\n",
		 answer, answer, confined ? "EACCES" : "ok");
	expect_status(RAN);
	expect_err("");
	expect_out(due);
	EXPECT(scene_has("out/escape") != confined, "on disk it is otherwise");
}

/* ---- The suite ---- */

/* All tests about a right that only a newer real kernel can enforce, in one skip. */
static void right_is_beyond_this_kernel(const void *data)
{
	const struct subject *subject = data;
	const struct level_right *right = subject->row;

	SKIP("that takes a real kernel of ABI %d, this one has %d", right->since, claim_real_abi());
}

/* What is tried on every claim. */
static const struct {
	const char *name;
	void (*run)(const void *subject);
} checks[] = {
	{ "the probe says what is enforced", probe_says_what_is_enforced },
	{ "a launch says nothing but the notice that is due", launch_says_just_the_notice },
	{ "without a grant nothing runs", without_a_grant_nothing_runs },
	{ "a grant that is missing is named", missing_grant_is_named_first },
	{ "a usage error needs no kernel", usage_error_needs_no_kernel },
	{ "the version needs no kernel", version_needs_no_kernel },
	{ "danger-full-access needs no kernel", danger_needs_no_kernel },
	{ "a dry run says the same as a launch", dry_run_says_the_same },
	{ "/tmp can be written to in workspace-write", tmp_is_writable_in_workspace_write },
	{ "a mode runs bash", mode_runs_bash },
	{ "the status record says what is enforced", status_says_what_is_enforced },
	{ "the status record names the mode", status_names_the_mode },
};

/* And on those that enforce anything. */
static const struct {
	const char *name;
	void (*run)(const void *subject);
} enforcing_checks[] = {
	{ "the notice comes before a failed exec", notice_comes_before_a_failed_exec },
	{ "mv across directories works", mv_across_directories_works },
	{ "--log-denials is done or refused", log_denials_is_done_or_refused },
	{ "--log-denials --best-effort is done or a notice",
	  log_denials_with_best_effort_is_a_notice },
	{ "--require full names the first right that is missing",
	  require_full_names_the_first_that_is_missing },
	{ "--best-effort does not lower the floor", best_effort_does_not_lower_the_floor },
};

static const void *pair(const struct claim *claim, const void *row)
{
	struct subject *subject = malloc(sizeof(*subject));

	if (subject == NULL)
		abort();
	*subject = (struct subject){ claim, row };
	return subject;
}

static void add_wishes(const struct claim *claim)
{
	for (size_t i = 0; i < COUNT(wishes); i++) {
		const struct wish *wish = &wishes[i];
		const void *subject = pair(claim, wish);
		char title[160];

		if (lacking(claim, bit_of(wish->right)) != NULL)
			continue;
		snprintf(title, sizeof(title), "%s: %s %s", claim->name, wish->option[0],
			 wish->option[1]);
		pool_add(named_is_enforced_or_refused, subject, "%s is enforced on %s, or refused",
			 title, wish->words);
		pool_add(best_effort_makes_the_refusal_a_notice, subject,
			 "%s --best-effort is enforced on %s, or a notice", title, wish->words);
		pool_add(status_says_what_was_refused, subject, "%s is in the status record (%s)",
			 title, wish->words);
		pool_add(status_says_what_best_effort_left_out, subject,
			 "%s --best-effort is in the status record (%s)", title, wish->words);
	}
}

static void add_enforcing(const struct claim *claim)
{
	const struct level_right *right;

	for (size_t i = 0; i < COUNT(enforcing_checks); i++)
		pool_add(enforcing_checks[i].run, claim, "%s: %s", claim->name,
			 enforcing_checks[i].name);
	for (size_t i = 0; i < COUNT(exits); i++)
		pool_add(exit_status_is_the_commands, pair(claim, &exits[i]),
			 "%s: exit status %d is the command's", claim->name, exits[i]);
	for (size_t i = 0; i < COUNT(deaths); i++)
		pool_add(death_is_the_commands, pair(claim, &deaths[i]),
			 "%s: signal %d is the command's", claim->name, deaths[i]);
	for (size_t i = 0; i < COUNT(acts); i++)
		pool_add(act_is_as_the_abi_has_it, pair(claim, &acts[i]),
			 "%s: %s under %s %s is as the ABI has it", claim->name, acts[i].words,
			 acts[i].options[0], acts[i].options[acts[i].options[2] == NULL ? 1 : 3]);
	for (size_t i = 0; (right = level_right(i)) != NULL; i++)
		if (lacking(claim, claim_bit(right)) == NULL)
			pool_add(required_is_governed_or_refused, pair(claim, right),
				 "%s: --require %s runs governed, or is refused", claim->name,
				 right->name);
		else
			pool_add(right_is_beyond_this_kernel, pair(claim, right),
				 "%s: what names %s", claim->name, right->name);
	add_wishes(claim);
}

static void add_claim(const struct claim *claim)
{
	for (size_t i = 0; i < COUNT(checks); i++)
		pool_add(checks[i].run, claim, "%s: %s", claim->name, checks[i].name);
	for (size_t i = 0; i < COUNT(policies); i++)
		if (lacking(claim, set_of(policies[i].governed) | set_of(policies[i].required)) ==
		    NULL)
			pool_add(library_answers_by_the_table, pair(claim, &policies[i]),
				 "%s: the library answers a policy %s by the table", claim->name,
				 policies[i].name);
	if (claim->errnum == 0)
		add_enforcing(claim);
}

static void listen_at(const char *name)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	size_t abstract = strchr(name, '/') == NULL;
	socklen_t length =
		(socklen_t)(offsetof(struct sockaddr_un, sun_path) + abstract + strlen(name));
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	memcpy(address.sun_path + abstract, name, strlen(name));
	if (fd < 0 || bind(fd, (const struct sockaddr *)&address, length) != 0 ||
	    listen(fd, 4096) != 0) {
		perror("claims: cannot listen");
		_exit(1);
	}
}

static void prepare(void)
{
	scene_open();
	snprintf(abstract_name, sizeof(abstract_name), "landlock-run-claims-%d", getpid());
	listen_at(abstract_name);
	listen_at("./socket");
}

int main(int argc, char *argv[])
{
	const char *missing = scene_programs(argv[0], getenv("LANDLOCK_RUN"));

	(void)argc;
	if (missing != NULL) {
		fprintf(stderr, "claims: not there: %s\n", missing);
		return 1;
	}
	if (claim_real_abi() < 7)
		return pool_leave("kernels can be claimed",
				  "that takes a real kernel of ABI 7 or later");
	for (size_t i = 0; claim_at(i) != NULL; i++)
		add_claim(claim_at(i));
	return pool_run(prepare);
}
