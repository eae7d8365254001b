/* faults.c: every system call of every kind of launch fails in turn, with each error it can have.
 * It must never count a fault that was not injected. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "claim.h"
#include "fault_tables.h"
#include "pool.h"
#include "recording.h"
#include "scene.h"
#include "trial.h"

#define NOTICE "landlock-run: partial enforcement (older Landlock ABI)\n"
#define PREFIX "landlock-run: "
#define LINE_MOST 4096

#define RAN (17 << 8)
#define FAILED (125 << 8)

struct fault {
	const struct recording *recording;
	size_t at;         /* which call */
	char inject[48];   /* what strace makes of it: "error=EIO", "retval=3" */
	const char *error; /* or NULL */
	size_t taken;      /* of a short write: how much of it was written */
	enum duration duration;
};

static struct outcome outcome;

static const struct call *call_of(const struct fault *fault)
{
	return &fault->recording->calls[fault->at];
}

/* ---- How it ended ---- */

static const char *notice_before(const struct recording *recording, size_t at)
{
	return recording->notice < at ? NOTICE : "";
}

/* Exactly one line of a failure after the notice, if that is due. */
static void expect_one_line(const char *notice)
{
	const char *line = outcome.err + strlen(notice);

	EXPECT(strncmp(outcome.err, notice, strlen(notice)) == 0 &&
		       strncmp(line, PREFIX, strlen(PREFIX)) == 0 &&
		       strchr(line, '\n') == outcome.err + outcome.err_length - 1 &&
		       strcmp(line, NOTICE) != 0 && strlen(line) <= LINE_MOST,
	       "due was one line of a failure%s: %s", *notice == '\0' ? "" : " after the notice",
	       outcome_text(&outcome));
}

static void expect_nothing_ran(void)
{
	EXPECT(!scene_has("in/marker") && !scene_has("out/escape"), "the command ran: %s",
	       outcome_text(&outcome));
}

/* The status stream tells of the failure, and last; nothing is due when the fault hit its writing.
 */
static void expect_failure_reported(const struct fault *fault)
{
	static const char failed[] = "{\"landlock-run\":1,\"event\":\"failed\",";
	const char *name = call_of(fault)->at.name;
	const char *last = outcome.report;

	if (strcmp(name, "ppoll") == 0 || strcmp(name, "write") == 0)
		return;
	for (const char *end = strchr(last, '\n'); end != NULL && end[1] != '\0';
	     end = strchr(last, '\n'))
		last = end + 1;
	EXPECT(strncmp(last, failed, strlen(failed)) == 0 && strchr(last, '\n') != NULL,
	       "due was a record of the failure: %s", outcome_text(&outcome));
}

static void expect_refused(const struct fault *fault)
{
	EXPECT(outcome.status == FAILED, "due was a refusal: %s", outcome_text(&outcome));
	expect_nothing_ran();
	if (fault->recording->launch->end != END_SAYS)
		EXPECT(outcome.out_length == 0, "something is on stdout: %s",
		       outcome_text(&outcome));
	if (fault->recording->launch->traits & HAS_STATUS)
		expect_failure_reported(fault);
}

/* What is on disk after the command ran. */
static void expect_confined(const struct launch *launch)
{
	EXPECT(!scene_has("out/escape"), "the command was not confined: %s",
	       outcome_text(&outcome));
	if (!(launch->traits & HAS_NO_MARK))
		EXPECT(scene_has("in/marker"), "the command could not do what was granted: %s",
		       outcome_text(&outcome));
}

static void expect_text(const char *what, const char *text, const char *due)
{
	EXPECT(strcmp(text, due) == 0, "due on %s was \"%s\": %s", what, due,
	       outcome_text(&outcome));
}

/* As the recording ended; `quiet` is a descriptor where nothing has to be as it was. */
static void expect_same(const struct fault *fault, int quiet)
{
	const struct recording *recording = fault->recording;

	EXPECT(outcome.status == recording->outcome.status, "due was wait status 0x%x: %s",
	       (unsigned int)recording->outcome.status, outcome_text(&outcome));
	if (recording->launch->end == END_RUNS)
		expect_confined(recording->launch);
	else
		expect_nothing_ran();
	/* A fault for good is one of the command's calls too, and one of the later writes. */
	if (fault->duration == FOR_GOOD)
		return;
	if (quiet != 1)
		expect_text("stdout", outcome.out, recording->outcome.out);
	if (quiet != 2)
		expect_text("stderr", outcome.err, recording->outcome.err);
	if (quiet != TRIAL_STATUS_FD)
		expect_text("the status descriptor", outcome.report, recording->outcome.report);
}

/* The command ran with less granted, and said so. */
static void expect_less(const struct fault *fault)
{
	EXPECT(outcome.status == RAN && !scene_has("out/escape"), "due was a confined run: %s",
	       outcome_text(&outcome));
	expect_text("stderr", outcome.err, fault->recording->outcome.err);
}

static void expect_ungoverned(const struct fault *fault)
{
	EXPECT(outcome.status == RAN, "due was a run: %s", outcome_text(&outcome));
	(void)fault;
	expect_text("stderr", outcome.err, NOTICE);
}

/* Another text than without the fault, but a whole one; or a refusal. */
static void expect_otherwise(const struct fault *fault)
{
	static const char start[] = "{\"landlock-run\":1,", end[] = "}\n";

	if (outcome.status == FAILED) {
		expect_refused(fault);
		expect_one_line("");
		return;
	}
	EXPECT(outcome.status == 0 && outcome.err_length == 0 &&
		       outcome.out_length > strlen(start) &&
		       strncmp(outcome.out, start, strlen(start)) == 0 &&
		       strcmp(outcome.out + outcome.out_length - strlen(end), end) == 0,
	       "due was one whole object: %s", outcome_text(&outcome));
	expect_nothing_ran();
}

/* The text where a write went wrong: without its first bytes, which the fault took for written; or,
 * when none after it went right, only what came before it. */
static void expect_without(const struct fault *fault, size_t taken, const char *what,
			   const char *text, const char *whole)
{
	const struct call *call = call_of(fault);
	char due[TRIAL_TEXT];

	snprintf(due, sizeof(due), "%.*s%s", (int)call->offset, whole,
		 fault->duration == FOR_GOOD ? "" : whole + call->offset + taken);
	expect_text(what, text, due);
}

static void expect_stream_without(const struct fault *fault, size_t taken)
{
	const struct outcome *whole = &fault->recording->outcome;
	int fd = call_of(fault)->fd;

	if (fd == 1)
		expect_without(fault, taken, "stdout", outcome.out, whole->out);
	else if (fd == 2)
		expect_without(fault, taken, "stderr", outcome.err, whole->err);
	else
		expect_without(fault, taken, "the status descriptor", outcome.report,
			       whole->report);
}

static void expect_consequence(const struct fault *fault, enum consequence consequence)
{
	switch (consequence) {
	case REFUSED:
		expect_refused(fault);
		expect_one_line(notice_before(fault->recording, fault->at));
		break;
	case UNSEEN:
		expect_refused(fault);
		expect_text("stderr", outcome.err, notice_before(fault->recording, fault->at));
		break;
	case SAME:
		expect_same(fault, -1);
		break;
	case SILENT:
		expect_same(fault, call_of(fault)->fd);
		expect_stream_without(fault, call_of(fault)->length);
		break;
	case LESS:
		expect_less(fault);
		break;
	case UNGOVERNED:
		expect_ungoverned(fault);
		break;
	case OTHERWISE:
		expect_otherwise(fault);
		break;
	}
}

/* ---- Faults ---- */

static void inject(const struct fault *fault)
{
	const struct call *call = call_of(fault);
	char trace[64], option[160], log[65536];
	struct trial trial;

	snprintf(trace, sizeof(trace), "trace=%s", call->at.name);
	snprintf(option, sizeof(option), "inject=%s:%s:when=%u%s", call->at.name, fault->inject,
		 call->at.nth, fault->duration == FOR_GOOD ? "+" : "");
	recording_trial(fault->recording->launch,
			(const char *const[]){ "-e", trace, "-e", option, NULL }, &trial);
	scene_reset();
	unlink("log");
	trial_run(&trial, &outcome);
	scene_read("log", log, sizeof(log));
	EXPECT(strstr(log, "(INJECTED)") != NULL, "nothing was injected: %s",
	       outcome_text(&outcome));
}

static void call_fails(const void *subject)
{
	const struct fault *fault = subject;
	const struct call *call = call_of(fault);

	inject(fault);
	expect_consequence(fault, consequence_of(fault->recording->launch, &call->at, fault->error,
						 fault->duration));
}

static void write_is_short(const void *subject)
{
	const struct fault *fault = subject;

	inject(fault);
	if (fault->taken == 0) {
		/* A write that takes nothing is one that failed. */
		expect_consequence(fault, consequence_of(fault->recording->launch,
							 &call_of(fault)->at, "EIO", ONCE));
		return;
	}
	expect_same(fault, call_of(fault)->fd);
	expect_stream_without(fault, fault->taken);
}

/* What is read is looked at to explain a failure, or has a byte in it then that no file of options
 * may have. */
static void read_is_short(const void *subject)
{
	const struct fault *fault = subject;

	inject(fault);
	expect_refused(fault);
	expect_one_line(notice_before(fault->recording, fault->at));
}

static void parent_is_another(const void *subject)
{
	const struct fault *fault = subject;

	inject(fault);
	expect_refused(fault);
	expect_one_line("");
}

static void abi_is_nonsense(const void *subject)
{
	const struct fault *fault = subject;

	inject(fault);
	expect_refused(fault);
	expect_one_line("");
}

/* ---- Without a fault ---- */

static void ends_as_asked(const void *subject)
{
	const struct recording *recording = subject;
	const struct launch *launch = recording->launch;
	struct trial trial;

	recording_trial(launch, (const char *const[]){ "-e", "trace=none", NULL }, &trial);
	scene_reset();
	trial_run(&trial, &outcome);
	expect_text("stdout", outcome.out, recording->outcome.out);
	expect_text("stderr", outcome.err, recording->outcome.err);
	expect_text("the status descriptor", outcome.report, recording->outcome.report);
	if (launch->end == END_RUNS) {
		EXPECT(outcome.status == RAN, "%s", outcome_text(&outcome));
		expect_confined(launch);
		expect_text("stderr", outcome.err, launch->traits & HAS_NOTICE ? NOTICE : "");
	} else if (launch->end == END_SAYS) {
		EXPECT(outcome.status == 0 && outcome.out_length > 0 && outcome.err_length == 0,
		       "%s", outcome_text(&outcome));
		expect_nothing_ran();
	} else {
		EXPECT(outcome.status == FAILED && outcome.out_length == 0, "%s",
		       outcome_text(&outcome));
		expect_one_line(launch->traits & HAS_NOTICE ? NOTICE : "");
		expect_nothing_ran();
	}
}

static void calls_exactly_these(const void *subject)
{
	const struct recording *recording = subject;
	char calls[RECORDING_CALLS * 32] = "";
	size_t length = 0;

	for (size_t i = 0; i < recording->count; i++)
		length += (size_t)snprintf(calls + length, sizeof(calls) - length, "%s%s",
					   i == 0 ? "" : " ", recording->calls[i].at.name);
	EXPECT(strcmp(calls, recording->launch->calls) == 0, "due was \"%s\", recorded was \"%s\"",
	       recording->launch->calls, calls);
}

static void call_is_in_the_table(const void *subject)
{
	const struct recording *recording = subject;

	for (size_t i = 0; i < recording->count; i++)
		EXPECT(errors_of(recording->calls[i].at.name) != NULL,
		       "no errors are listed for %s", recording->calls[i].at.name);
}

static void is_beyond_this_kernel(const void *subject)
{
	const struct launch *launch = subject;

	SKIP("that takes a real kernel of ABI %d, this one has %d", launch->needs,
	     claim_real_abi());
}

/* ---- The suite ---- */

static void add_fault(void (*run)(const void *subject), const struct recording *recording,
		      size_t at, const char *kind, const char *value, enum duration duration)
{
	const struct call *call = &recording->calls[at];
	struct fault *fault = malloc(sizeof(*fault));

	if (fault == NULL)
		abort();
	*fault = (struct fault){ .recording = recording, .at = at, .duration = duration };
	snprintf(fault->inject, sizeof(fault->inject), "%s=%s", kind, value);
	if (strcmp(kind, "error") == 0)
		fault->error = strdup(value);
	else
		fault->taken = strtoul(value, NULL, 10);
	pool_add(run, fault, "%s: %s number %u %s %s%s", recording->launch->name, call->at.name,
		 call->at.nth, fault->error != NULL ? "fails with" : "returns", value,
		 duration == FOR_GOOD ? ", and all after it" : "");
}

/* Adds one for each of the words that are separated by spaces. */
static void add_errors(const struct recording *recording, size_t at, const char *words,
		       enum duration duration)
{
	char list[1024];

	snprintf(list, sizeof(list), "%s", words == NULL ? "EIO" : words);
	for (char *word = strtok(list, " "); word != NULL; word = strtok(NULL, " "))
		add_fault(call_fails, recording, at, "error", word, duration);
}

static void add_value(void (*run)(const void *subject), const struct recording *recording,
		      size_t at, size_t value, enum duration duration)
{
	char digits[24];

	snprintf(digits, sizeof(digits), "%zu", value);
	add_fault(run, recording, at, "retval", digits, duration);
}

/* All lengths of a line, a choice of those of a page; and one byte after the other. */
static void add_short_writes(const struct recording *recording, size_t at, bool again)
{
	size_t length = recording->calls[at].length;
	size_t step = again ? length : length <= 160 ? 1 : length / 32;

	for (size_t taken = 0; taken < length; taken += step)
		add_value(write_is_short, recording, at, taken, ONCE);
	if (step > 1)
		add_value(write_is_short, recording, at, length - 1, ONCE);
	add_value(write_is_short, recording, at, 1, FOR_GOOD);
}

static void add_values(const struct recording *recording, size_t at, bool again)
{
	static const size_t lengths[] = { 0, 1, 2, 3, 4, 18, 51, 52, 63, 64, 255 };
	const struct call *call = &recording->calls[at];

	if (strcmp(call->at.name, "write") == 0)
		add_short_writes(recording, at, again);
	for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++)
		if (strcmp(call->at.name, "pread64") == 0 ||
		    strcmp(call->at.name, "readlinkat") == 0 ||
		    (strcmp(call->at.name, "read") == 0 && lengths[i] != 0))
			add_value(read_is_short, recording, at, lengths[i], ONCE);
	if (strcmp(call->at.name, "getppid") == 0)
		add_value(parent_is_another, recording, at, 2147483647, ONCE);
	if (strcmp(call->at.name, "landlock_create_ruleset") == 0 && call->at.nth == 1 &&
	    recording->launch->end != END_SAYS)
		add_value(abi_is_nonsense, recording, at, 0, ONCE);
}

/* As much of a line tells a call from another. */
#define TELLING 48

static const struct recording *recordings[96];
static size_t recorded;

/* `--all`: each call of each launch with all of its errors, also where another launch had them. */
static bool all;

/* Whether an earlier launch has had this very call with all of its errors. */
static bool is_again(const struct call *call)
{
	for (size_t i = 0; i < recorded && !all; i++)
		for (size_t k = 0; k < recordings[i]->count; k++)
			if (strncmp(recordings[i]->calls[k].at.line, call->at.line, TELLING) == 0)
				return true;
	return false;
}

static void add_recording(const struct recording *recording)
{
	pool_add(ends_as_asked, recording, "%s: ends as asked without a fault",
		 recording->launch->name);
	if (recording->launch->calls != NULL)
		pool_add(calls_exactly_these, recording, "%s: calls exactly what is due",
			 recording->launch->name);
	pool_add(call_is_in_the_table, recording, "%s: each call's errors are known",
		 recording->launch->name);
	for (size_t at = 0; at < recording->count; at++) {
		const struct call *call = &recording->calls[at];
		bool again = is_again(call);

		add_errors(recording, at, again ? errors_again : errors_of(call->at.name), ONCE);
		if (!again && strcmp(call->at.name, "exit_group") != 0)
			add_errors(recording, at, errors_for_good, FOR_GOOD);
		add_values(recording, at, again);
	}
	if (recorded == sizeof(recordings) / sizeof(recordings[0]))
		abort();
	recordings[recorded++] = recording;
}

static int record_all(void)
{
	const struct launch *launch;
	int real = claim_real_abi();

	for (size_t i = 0; (launch = launch_at(i)) != NULL; i++) {
		struct recording *recording = malloc(sizeof(*recording));
		const char *trouble;

		if (recording == NULL)
			abort();
		if (launch->needs > real) {
			pool_add(is_beyond_this_kernel, launch, "%s: under all faults",
				 launch->name);
			continue;
		}
		trouble = recording_make(launch, recording);
		if (trouble != NULL) {
			fprintf(stderr, "faults: %s: %s: %s\n", launch->name, trouble,
				outcome_text(&recording->outcome));
			return -1;
		}
		add_recording(recording);
	}
	return 0;
}

static void make_file(const char *path, const char *bytes, size_t length, mode_t mode)
{
	FILE *file = fopen(path, "we");

	if (file == NULL || fwrite(bytes, 1, length, file) != length || fclose(file) != 0 ||
	    chmod(path, mode) != 0) {
		perror(path);
		_exit(1);
	}
}

/* The witness, but for a loader that is not there: its first program header becomes PT_INTERP. */
static void make_unloaded(const char *path)
{
	static char bytes[4 << 20];
	static const char loader[] = "/absent/loader";
	size_t length = scene_read(scene_witness, bytes, sizeof(bytes));
	uint64_t headers, at = length, size = sizeof(loader);

	memcpy(&headers, bytes + 32, sizeof(headers));
	memcpy(bytes + headers, &(uint32_t){ 3 }, sizeof(uint32_t));
	memcpy(bytes + headers + 8, &at, sizeof(at));
	memcpy(bytes + headers + 32, &size, sizeof(size));
	memcpy(bytes + length, loader, sizeof(loader));
	make_file(path, bytes, length + sizeof(loader), 0755);
}

/* A linked worktree, git/linked, of a repository, git/common, as git lays them out. */
static void make_worktree(void)
{
	static const char *const directories[] = { "git",
						   "git/linked",
						   "git/common",
						   "git/common/objects",
						   "git/common/refs",
						   "git/common/worktrees",
						   "git/common/worktrees/linked" };
	static const char forth[] = "gitdir: ../common/worktrees/linked\n";
	static const char back[] = "../../../linked/.git\n";

	for (size_t i = 0; i < sizeof(directories) / sizeof(directories[0]); i++)
		if (mkdir(directories[i], 0755) != 0) {
			perror(directories[i]);
			_exit(1);
		}
	make_file("git/common/HEAD", "", 0, 0644);
	make_file("git/linked/.git", forth, strlen(forth), 0644);
	make_file("git/common/worktrees/linked/gitdir", back, strlen(back), 0644);
}

static void prepare(void)
{
	static const char script[] = "#!/absent/interpreter\n", nested[] = "#!bin/script\n";

	scene_open();
	if (mkdir("bin", 0755) != 0 || mkdir("bin/denied", 0755) != 0 ||
	    mkdir("bin/right", 0755) != 0 || symlink(scene_witness, "bin/right/witness") != 0) {
		perror("bin");
		_exit(1);
	}
	make_file("bin/denied/witness", script, strlen(script), 0644);
	make_file("bin/script", script, strlen(script), 0755);
	make_file("bin/nested", nested, strlen(nested), 0755);
	make_file("bin/formless", "nothing\n", 8, 0755);
	make_unloaded("bin/unloaded");
	make_worktree();
	make_file("policy", "# a policy\nro /\nrw in\n", 22, 0644);
	make_file("wrong", "ro /\nbogus\n", 11, 0644);
}

int main(int argc, char *argv[])
{
	const char *missing = scene_programs(argv[0], getenv("LANDLOCK_RUN"));

	all = argc > 1 && strcmp(argv[1], "--all") == 0;
	if (missing != NULL) {
		fprintf(stderr, "faults: not there: %s\n", missing);
		return 1;
	}
	if (recording_tools() != NULL)
		return pool_leave("faults can be injected", "strace is not installed");
	if (claim_real_abi() == 0)
		return pool_leave("faults can be injected", "that takes a kernel with Landlock");
	prepare();
	if (record_all() != 0)
		return 1;
	scene_close();
	return pool_run(prepare);
}
