/* conditions.c: launches in conditions that fail by themselves: closed, broken and full
 * descriptors, limits. It must never inject anything: what fails here fails in the kernel. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "claim.h"
#include "fault_tables.h"
#include "pool.h"
#include "recording.h"
#include "scene.h"
#include "trial.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

#define NOTICE "landlock-run: partial enforcement (older Landlock ABI)\n"
#define PREFIX "landlock-run: "

#define RAN (17 << 8)
#define FAILED (125 << 8)

static struct outcome outcome, usual;

/* A launch and the two numbers of the condition that it is in. */
struct condition {
	const struct launch *launch;
	int first, second;
	const char *word;
};

/* ---- Judging ---- */

static void run(const struct trial *trial)
{
	scene_reset();
	trial_run(trial, &outcome);
}

/* The launch as it ends in no condition at all. */
static void run_usual(const struct launch *launch)
{
	struct trial trial;

	launch_trial(launch, (const char *const[]){ NULL }, &trial);
	run(&trial);
	usual = outcome;
}

static void expect_status(int due)
{
	EXPECT(outcome.status == due, "due was wait status 0x%x: %s", (unsigned int)due,
	       outcome_text(&outcome));
}

static void expect_text(const char *what, const char *text, const char *due)
{
	EXPECT(strcmp(text, due) == 0, "due on %s was \"%s\": %s", what, due,
	       outcome_text(&outcome));
}

static void expect_nothing_ran(void)
{
	EXPECT(!scene_has("in/marker") && !scene_has("out/escape"), "the command ran: %s",
	       outcome_text(&outcome));
}

static void expect_confined(const struct launch *launch)
{
	EXPECT(!scene_has("out/escape"), "the command was not confined: %s",
	       outcome_text(&outcome));
	EXPECT((launch->traits & HAS_NO_MARK) != 0 || scene_has("in/marker"),
	       "the command did not run: %s", outcome_text(&outcome));
}

/* One line after the notice, where one is due, that names the reason. */
static void expect_refused(const char *notice, const char *word)
{
	const char *line = outcome.err + strlen(notice);

	expect_status(FAILED);
	expect_nothing_ran();
	EXPECT(strncmp(outcome.err, notice, strlen(notice)) == 0 &&
		       strncmp(line, PREFIX, strlen(PREFIX)) == 0 &&
		       strchr(line, '\n') == outcome.err + outcome.err_length - 1 &&
		       strcmp(line, NOTICE) != 0 && strstr(line, word) != NULL,
	       "due was one line with \"%s\": %s", word, outcome_text(&outcome));
}

/* ---- Closed descriptors, in all combinations ---- */

static const char *const closable[] = {
	"contract",
	"contract with a file",
	"notice",
	"read-only",
	"status",
	"status and notice",
	"close-fds",
	"network",
	"guards",
	"probe",
	"probe of an older kernel",
	"help",
	"version",
	"dry-run",
	"usage error",
	"unusable kernel",
	"missing grant",
	"missing command",
	"missing command and notice",
	"missing command and status",
	"refused wish",
};

/* What the witness says is as usual, but for the descriptors that it sees. */
static void expect_witness(const struct condition *condition)
{
	char due[TRIAL_TEXT] = "", line[256];
	const char *at = usual.out;

	while (*at != '\0') {
		int length = (int)strcspn(at, "\n") + 1, fd;

		snprintf(line, sizeof(line), "%.*s", length, at);
		if (sscanf(line, "fd %d", &fd) != 1 || fd > 2 || (condition->first >> fd & 1) == 0)
			strncat(due, line, sizeof(due) - strlen(due) - 1);
		at += length;
	}
	expect_text("stdout", outcome.out, condition->first & 2 ? "" : due);
}

static void descriptors_are_closed(const void *subject)
{
	const struct condition *condition = subject;
	const struct launch *launch = condition->launch;
	struct trial trial;

	run_usual(launch);
	launch_trial(launch, (const char *const[]){ NULL }, &trial);
	trial.in = condition->first & 1 ? STREAM_CLOSED : STREAM_USUAL;
	trial.out = condition->first & 2 ? STREAM_CLOSED : STREAM_USUAL;
	trial.err = condition->first & 4 ? STREAM_CLOSED : STREAM_USUAL;
	run(&trial);
	if (launch->end == END_RUNS) {
		expect_status(RAN);
		expect_confined(launch);
		expect_witness(condition);
	} else if (launch->end == END_SAYS && (condition->first & 2) != 0) {
		expect_status(FAILED);
		if ((condition->first & 4) == 0)
			expect_refused("", "cannot write");
		return;
	} else {
		expect_status(usual.status);
		expect_nothing_ran();
		if ((condition->first & 2) == 0 && strcmp(launch->name, "dry-run") != 0)
			expect_text("stdout", outcome.out, usual.out);
	}
	expect_text("stderr", outcome.err, condition->first & 4 ? "" : usual.err);
	expect_text("the status descriptor", outcome.report, usual.report);
}

/* ---- Descriptors that do not take what is written ---- */

static const struct {
	enum stream stream;
	const char *name;
} streams[] = {
	{ STREAM_USUAL, "a file" },
	{ STREAM_BROKEN, "a broken pipe" },
	{ STREAM_FULL, "a full device" },
	{ STREAM_STUFFED, "a pipe without room" },
};

static const char *const speaking[] = {
	"contract",
	"notice",
	"probe",
	"probe of an older kernel",
	"help",
	"version",
	"dry-run",
	"usage error",
	"missing command",
	"missing command and notice",
	"unusable kernel",
};

static void output_does_not_take(const void *subject)
{
	const struct condition *condition = subject;
	const struct launch *launch = condition->launch;
	enum stream out = streams[condition->first].stream, err = streams[condition->second].stream;
	struct trial trial;

	run_usual(launch);
	launch_trial(launch, (const char *const[]){ NULL }, &trial);
	trial.out = out;
	trial.err = err;
	run(&trial);
	if (launch->end == END_RUNS) {
		/* The command's own write to a broken pipe ends the command. */
		expect_status(out == STREAM_BROKEN ? SIGPIPE : RAN);
		expect_confined(launch);
	} else if (launch->end == END_SAYS && out != STREAM_USUAL) {
		expect_status(FAILED);
		if (err == STREAM_USUAL)
			expect_refused("", "cannot write");
		return;
	} else {
		expect_status(usual.status);
		expect_nothing_ran();
	}
	if (out == STREAM_USUAL)
		expect_text("stdout", outcome.out, usual.out);
	if (err == STREAM_USUAL)
		expect_text("stderr", outcome.err, usual.err);
}

static const struct {
	enum stream stream;
	const char *name, *word;
} status_streams[] = {
	{ STREAM_CLOSED, "closed", "--status-fd" },
	{ STREAM_BROKEN, "a broken pipe", "status" },
	{ STREAM_FULL, "a full device", "status" },
	{ STREAM_STUFFED, "a pipe without room", "status" },
};

/* A record that cannot be written is a failure, with the notice if it was due before. */
static void status_does_not_take(const void *subject)
{
	const struct condition *condition = subject;
	struct trial trial;
	bool closed = status_streams[condition->first].stream == STREAM_CLOSED;

	launch_trial(condition->launch, (const char *const[]){ NULL }, &trial);
	trial.status = status_streams[condition->first].stream;
	run(&trial);
	expect_refused(condition->launch->traits & HAS_NOTICE && !closed ? NOTICE : "",
		       status_streams[condition->first].word);
}

/* A launch that fails anyway says so on stderr, whatever the status descriptor is. */
static void failure_is_said_without_status(const void *subject)
{
	const struct condition *condition = subject;
	struct trial trial;

	launch_trial(condition->launch, (const char *const[]){ NULL }, &trial);
	trial.status = status_streams[condition->first].stream;
	run(&trial);
	expect_refused("", "");
}

/* ---- Files that may not grow, on which a write is short and then fails ---- */

static void expect_prefix(const char *what, const char *text, const char *whole, size_t length)
{
	char due[TRIAL_TEXT];

	snprintf(due, sizeof(due), "%.*s", (int)length, whole);
	expect_text(what, text, due);
}

static size_t at_most(size_t length, int limit)
{
	return length < (size_t)limit ? length : (size_t)limit;
}

static void files_may_not_grow(const void *subject)
{
	const struct condition *condition = subject;
	const struct launch *launch = condition->launch;
	char limit[32];
	struct trial trial;

	run_usual(launch);
	snprintf(limit, sizeof(limit), "limit:fsize:%d", condition->first);
	launch_trial(launch, (const char *const[]){ scene_witness, limit, "exec", NULL }, &trial);
	/* What the command says has to come through: no limit is on a pipe. */
	trial.out = launch->end == END_RUNS ? STREAM_PIPE : STREAM_USUAL;
	run(&trial);
	if (launch->end == END_RUNS) {
		expect_status(RAN);
		expect_confined(launch);
		expect_text("stdout", outcome.out, usual.out);
		expect_prefix("stderr", outcome.err, usual.err, (size_t)condition->first);
	} else if (launch->end == END_SAYS && usual.out_length > (size_t)condition->first) {
		expect_status(FAILED);
		expect_prefix("stdout", outcome.out, usual.out, (size_t)condition->first);
		EXPECT(outcome.err_length == at_most(outcome.err_length, condition->first) &&
			       strncmp(outcome.err, PREFIX,
				       at_most(strlen(PREFIX), condition->first)) == 0,
		       "due was the beginning of a line: %s", outcome_text(&outcome));
	} else {
		expect_status(usual.status);
		expect_nothing_ran();
		expect_text("stdout", outcome.out, usual.out);
		expect_prefix("stderr", outcome.err, usual.err, (size_t)condition->first);
	}
}

/* The record does not fit: the launch is refused, and that is said as far as it goes. */
static void status_file_may_not_grow(const void *subject)
{
	const struct condition *condition = subject;
	char limit[32];
	struct trial trial;

	run_usual(condition->launch);
	snprintf(limit, sizeof(limit), "limit:fsize:%d", condition->first);
	launch_trial(condition->launch, (const char *const[]){ scene_witness, limit, "exec", NULL },
		     &trial);
	trial.out = STREAM_PIPE;
	trial.err = STREAM_PIPE;
	run(&trial);
	expect_prefix("the status descriptor", outcome.report, usual.report,
		      (size_t)condition->first);
	if (usual.report_length > (size_t)condition->first) {
		expect_refused("", "status");
		return;
	}
	expect_status(RAN);
	expect_confined(condition->launch);
}

/* ---- A disk that is full ---- */

/* A small file system of this process's own, with `room` bytes left in the one file that is not
 * full. */
static void fill_a_disk(int room)
{
	static const char filling[4096];
	struct stat status;
	int fd;

	if (unshare(CLONE_NEWNS) != 0 || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0)
		SKIP("to mount a small file system takes a privilege: %s", strerror(errno));
	if (mkdir("disk", 0755) != 0 && errno != EEXIST)
		FAIL("cannot make a directory: %s", strerror(errno));
	if (mount("none", "disk", "tmpfs", 0, "size=32k,mode=755") != 0)
		SKIP("to mount a small file system takes a privilege: %s", strerror(errno));
	fd = open("disk/last", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
	EXPECT(fd >= 0 && write(fd, filling, sizeof(filling) - (size_t)room) > 0 &&
		       fstat(fd, &status) == 0,
	       "cannot fill the disk: %s", strerror(errno));
	close(fd);
	fd = open("disk/rest", O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
	while (write(fd, filling, sizeof(filling)) > 0)
		;
	EXPECT(errno == ENOSPC, "the disk does not get full: %s", strerror(errno));
	close(fd);
}

static void disk_takes_root(const void *subject)
{
	(void)subject;
	SKIP("to mount a small file system takes root");
}

static void disk_is_full(const void *subject)
{
	const struct condition *condition = subject;
	const struct launch *launch = condition->launch;
	bool says = launch->end == END_SAYS;
	struct trial trial;

	run_usual(launch);
	fill_a_disk(condition->first);
	launch_trial(launch, (const char *const[]){ NULL }, &trial);
	trial.named = "disk/last";
	if (says)
		trial.out = STREAM_NAMED;
	else
		trial.err = STREAM_NAMED;
	run(&trial);
	umount2("disk", MNT_DETACH);
	if (says && usual.out_length > (size_t)condition->first) {
		expect_refused("", "No space left");
		return;
	}
	expect_status(usual.status);
	if (launch->end == END_RUNS)
		expect_confined(launch);
	else
		expect_nothing_ran();
}

/* ---- Limits ---- */

static const struct {
	const char *launch;
	int descriptors; /* that it has open at once, with the three that it was given */
} needs[] = {
	{ "contract", 5 },  { "contract with a file", 5 },
	{ "read-only", 5 }, { "workspace-write", 5 },
	{ "devices", 5 },   { "stdio", 5 },
	{ "network", 5 },   { "guards", 5 },
	{ "bwrap", 5 },     { "ro-try", 5 },
	{ "probe", 4 },     { "danger-full-access", 0 },
	{ "help", 0 },      { "usage error", 0 },
};

static void few_descriptors_are_allowed(const void *subject)
{
	const struct condition *condition = subject;
	const struct launch *launch = condition->launch;
	char limit[32];
	struct trial trial;

	run_usual(launch);
	snprintf(limit, sizeof(limit), "limit:nofile:%d", condition->first);
	launch_trial(launch, (const char *const[]){ scene_witness, limit, "exec", NULL }, &trial);
	run(&trial);
	if (condition->first < condition->second) {
		expect_refused("", "oo many open files");
		return;
	}
	expect_status(usual.status);
	if (launch->end == END_RUNS)
		EXPECT(!scene_has("out/escape") &&
			       ((launch->traits & HAS_NO_MARK) != 0 || scene_has("in/marker")),
		       "%s", outcome_text(&outcome));
	else
		expect_nothing_ran();
}

/* Under strace: whoever dies of a limit dies in the kernel's exec, or is the command. */
static void expect_no_death_of_its_own(void)
{
	char log[65536], *last = NULL;

	if (!WIFSIGNALED(outcome.status))
		return;
	scene_read("log", log, sizeof(log));
	for (char *at = log; (at = strstr(at, "execve(")) != NULL; at++)
		last = at;
	EXPECT(last != NULL, "there is no exec in the log: %s", log);
	*strchrnul(last, '\n') = '\0';
	EXPECT(strncmp(last + strlen("execve(\""), scene_launcher, strlen(scene_launcher)) != 0 ||
		       strstr(last, ") = 0") == NULL,
	       "the launcher died of a signal: %s", last);
}

static void memory_is_short(const void *subject)
{
	const struct condition *condition = subject;
	const struct launch *launch = condition->launch;
	char limit[64];
	struct trial trial;

	run_usual(launch);
	snprintf(limit, sizeof(limit), "limit:%s:%d", condition->word, condition->first * 1024);
	recording_trial(launch,
			(const char *const[]){ "-e", "trace=execve", "-s", "4096", "--",
					       scene_witness, limit, "exec", NULL },
			&trial);
	unlink("log");
	run(&trial);
	EXPECT(!scene_has("out/escape") || (launch->traits & IS_UNCONFINED) != 0,
	       "the command was not confined: %s", outcome_text(&outcome));
	EXPECT(outcome.status == usual.status || outcome.status == FAILED ||
		       WIFSIGNALED(outcome.status),
	       "%s", outcome_text(&outcome));
	expect_no_death_of_its_own();
	if (outcome.status == FAILED && usual.status != FAILED)
		expect_refused("", "");
}

static const int kilobytes[] = {
	0, 4, 32, 64, 100, 128, 160, 200, 256, 400, 700, 1000, 2000, 8000
};

/* How much stack is always enough. */
static void little_stack_is_enough(const void *subject)
{
	const struct condition *condition = subject;
	const struct launch *launch = condition->launch;
	char limit[64];
	struct trial trial;

	run_usual(launch);
	snprintf(limit, sizeof(limit), "limit:stack:%d", condition->first * 1024);
	launch_trial(launch, (const char *const[]){ scene_witness, limit, "exec", NULL }, &trial);
	run(&trial);
	expect_status(usual.status);
	expect_text("stderr", outcome.err, usual.err);
	expect_text("stdout", outcome.out, usual.out);
}

/* ---- The command's signals are as they were ---- */

static const char *const states[] = {
	"state",   "block:13", "block:25", "ignore:13", "ignore:25",
	"pend:13", "pend:25",  "send:13",  "send:25",
};

static const struct {
	enum stream stream;
	const char *name;
} losses[] = {
	{ STREAM_CLOSED, "closed" },
	{ STREAM_BROKEN, "a broken pipe" },
	{ STREAM_FULL, "a full device" },
	{ STREAM_STUFFED, "a pipe without room" },
	{ STREAM_USUAL, "a file that may not grow" },
};

/* Whatever became of the notice, the command finds the signals as with a notice that could be
 * written. */
static void signals_are_as_they_were(const void *subject)
{
	const struct condition *condition = subject;
	const char *state = states[condition->first];
	enum stream loss = losses[condition->second].stream;
	const char *limit = loss == STREAM_USUAL ? "limit:fsize:3" : "limit:fsize:1000000";
	struct trial trial;

	launch_trial(
		condition->launch,
		(const char *const[]){ scene_witness, state, "limit:fsize:1000000", "exec", NULL },
		&trial);
	trial.out = STREAM_PIPE;
	run(&trial);
	expect_status(RAN);
	expect_text("stderr", outcome.err, NOTICE);
	usual = outcome;
	launch_trial(condition->launch,
		     (const char *const[]){ scene_witness, state, limit, "exec", NULL }, &trial);
	trial.out = STREAM_PIPE;
	trial.err = loss;
	run(&trial);
	expect_status(RAN);
	expect_witness(&(struct condition){ .first = loss == STREAM_CLOSED ? 4 : 0 });
}

/* ---- The suite ---- */

static const struct condition *condition(const char *launch, int first, int second,
					 const char *word)
{
	struct condition *made = malloc(sizeof(*made));

	if (made == NULL)
		abort();
	*made = (struct condition){ launch_named(launch), first, second, word };
	return made;
}

static void add_status(const char *name, int stream)
{
	pool_add(status_does_not_take, condition("status", stream, 0, NULL),
		 "status: the descriptor is %s", name);
	pool_add(failure_is_said_without_status,
		 condition("usage error with status", stream, 0, NULL),
		 "usage error with status: the descriptor is %s", name);
	/* There the launcher is patient before it gives up: the two above have shown it. */
	if (status_streams[stream].stream == STREAM_STUFFED)
		return;
	pool_add(status_does_not_take, condition("status and notice", stream, 0, NULL),
		 "status and notice: the descriptor is %s", name);
	pool_add(status_does_not_take, condition("status of danger-full-access", stream, 0, NULL),
		 "status of danger-full-access: the descriptor is %s", name);
	pool_add(failure_is_said_without_status,
		 condition("missing command and status", stream, 0, NULL),
		 "missing command and status: the descriptor is %s", name);
}

static void add_descriptors(void)
{
	for (size_t i = 0; i < COUNT(closable); i++)
		for (int closed = 0; closed < 8; closed++)
			pool_add(descriptors_are_closed, condition(closable[i], closed, 0, NULL),
				 "%s: with%s%s%s closed", closable[i], closed & 1 ? " stdin" : "",
				 closed & 2 ? " stdout" : "",
				 closed & 4 ? " stderr"
				 : closed   ? ""
					    : " nothing");
	for (size_t i = 0; i < COUNT(speaking); i++)
		for (size_t out = 0; out < COUNT(streams); out++)
			for (size_t err = 0; err < COUNT(streams); err++)
				pool_add(output_does_not_take,
					 condition(speaking[i], (int)out, (int)err, NULL),
					 "%s: stdout is %s and stderr %s", speaking[i],
					 streams[out].name, streams[err].name);
	for (size_t i = 0; i < COUNT(status_streams); i++)
		add_status(status_streams[i].name, (int)i);
}

static void add_files(void)
{
	static const char *const texts[] = { "notice",
					     "probe",
					     "probe of an older kernel",
					     "version",
					     "usage error",
					     "unusable kernel",
					     "missing command",
					     "missing command and notice" };
	static const int sizes[] = { 0, 1, 2, 13, 24, 25, 40, 41, 54, 55, 56, 57, 58, 100, 4096 };
	static const char *const on_disk[] = { "probe",       "probe of an older kernel",
					       "help",        "version",
					       "dry-run",     "notice",
					       "usage error", "missing command" };
	static const int rooms[] = { 0, 1, 10, 24, 25, 54, 55 };

	for (size_t k = 0; k < COUNT(sizes); k++) {
		for (size_t i = 0; i < COUNT(texts); i++)
			pool_add(files_may_not_grow, condition(texts[i], sizes[k], 0, NULL),
				 "%s: no file may be larger than %d bytes", texts[i], sizes[k]);
		pool_add(status_file_may_not_grow, condition("status", sizes[k], 0, NULL),
			 "status: no file may be larger than %d bytes", sizes[k]);
	}
	if (geteuid() != 0)
		pool_add(disk_takes_root, NULL, "all that is written to a full disk");
	for (size_t i = 0; i < COUNT(on_disk) && geteuid() == 0; i++)
		for (size_t k = 0; k < COUNT(rooms); k++)
			pool_add(disk_is_full, condition(on_disk[i], rooms[k], 0, NULL),
				 "%s: the disk is full but for %d bytes", on_disk[i], rooms[k]);
}

static void add_limits(void)
{
	static const char *const tight[] = { "contract",    "danger-full-access", "probe",
					     "usage error", "missing command",    "guards",
					     "status" };
	static const char *const limits[] = { "as", "data", "stack" };
	static const char *const small[] = { "contract",
					     "notice",
					     "read-only",
					     "status",
					     "devices",
					     "bwrap",
					     "probe",
					     "help",
					     "version",
					     "usage error",
					     "missing grant",
					     "missing command",
					     "command without a grant" };

	for (size_t i = 0; i < COUNT(needs); i++)
		for (int most = 0; most <= 8; most++)
			pool_add(few_descriptors_are_allowed,
				 condition(needs[i].launch, most, needs[i].descriptors, NULL),
				 "%s: %d descriptors are allowed", needs[i].launch, most);
	for (size_t i = 0; i < COUNT(tight); i++)
		for (size_t k = 0; k < COUNT(limits); k++)
			for (size_t m = k == 2 ? 3 : 0; m < COUNT(kilobytes); m++)
				pool_add(memory_is_short,
					 condition(tight[i], kilobytes[m], 0, limits[k]),
					 "%s: the limit of %s is %d KiB", tight[i], limits[k],
					 kilobytes[m]);
	for (size_t i = 0; i < COUNT(small); i++)
		pool_add(little_stack_is_enough, condition(small[i], 32, 0, NULL),
			 "%s: a stack of 32 KiB is enough", small[i]);
	pool_add(little_stack_is_enough, condition("dry-run", 64, 0, NULL),
		 "dry-run: a stack of 64 KiB is enough");
}

static void add_signals(void)
{
	for (size_t i = 0; i < COUNT(states); i++)
		for (size_t k = 0; k < COUNT(losses); k++)
			pool_add(signals_are_as_they_were,
				 condition("notice", (int)i, (int)k, NULL),
				 "notice: after %s the command's signals are as they were, though "
				 "stderr is %s",
				 states[i], losses[k].name);
}

int main(int argc, char *argv[])
{
	const char *missing = scene_programs(argv[0], getenv("LANDLOCK_RUN"));

	(void)argc;
	if (missing != NULL) {
		fprintf(stderr, "conditions: not there: %s\n", missing);
		return 1;
	}
	if (recording_tools() != NULL)
		return pool_leave("the last exec can be told", "strace is not installed");
	if (claim_real_abi() < 7)
		return pool_leave("all kinds of launch can be had",
				  "that takes a real kernel of ABI 7 or later");
	add_descriptors();
	add_files();
	add_limits();
	add_signals();
	return pool_run(scene_open);
}
