/* recording.c: the system calls of a launch, one by one, and how it ended without a fault.
 * It must never hold a call of what was launched. */
#include "recording.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "scene.h"

static char strace[4096];

const char *recording_tools(void)
{
	const char *path = getenv("PATH");

	while (path != NULL && *path != '\0') {
		int length = (int)strcspn(path, ":");

		snprintf(strace, sizeof(strace), "%.*s/strace", length, path);
		if (access(strace, X_OK) == 0)
			return NULL;
		path += length + (path[length] == ':');
	}
	return "strace";
}

/* Adds words that are separated by spaces; they stay until the process ends. */
static void add_words(struct trial *trial, const char *words)
{
	char *copy = words == NULL ? NULL : strdup(words);

	for (char *word = copy; word != NULL && *word != '\0';) {
		char *space = strchr(word, ' ');

		if (space != NULL)
			*space = '\0';
		trial_add_one(trial, word);
		word = space == NULL ? NULL : space + 1;
	}
}

void launch_trial(const struct launch *launch, const char *const *wrapper, struct trial *trial)
{
	memset(trial, 0, sizeof(*trial));
	if (launch->kernel != NULL) {
		trial_add_one(trial, scene_simulate);
		add_words(trial, launch->kernel);
		trial_add_one(trial, "--");
	}
	trial_add(trial, wrapper);
	trial_add_one(trial, scene_launcher);
	add_words(trial, launch->options);
	if (launch->command == NULL)
		trial_add(trial, (const char *const[]){ "--", scene_witness, NULL });
	else if (*launch->command != '\0')
		trial_add(trial, (const char *const[]){ "--", launch->command, NULL });
	add_words(trial, launch->words);
	trial->path = launch->path;
	if (launch->traits & (HAS_STATUS | HOLDS_FD))
		trial->status = STREAM_FILE;
}

void recording_trial(const struct launch *launch, const char *const *options, struct trial *trial)
{
	const char *wrapper[16] = { strace, "-qq", "-o", "log" };
	size_t count = 4;

	while (*options != NULL)
		wrapper[count++] = *options++;
	wrapper[count] = NULL;
	launch_trial(launch, wrapper, trial);
}

static void note_write(struct recording *recording, struct call *call)
{
	static const char notice[] = "write(2, \"landlock-run: partial";
	size_t at = recording->count;

	if (sscanf(call->at.line, "write(%d,", &call->fd) != 1)
		call->fd = -1;
	for (size_t i = 0; i < at; i++)
		if (recording->calls[i].fd == call->fd)
			call->offset += recording->calls[i].length;
	if (strncmp(call->at.line, notice, strlen(notice)) == 0)
		recording->notice = at;
	if (strstr(call->at.line, "\\\"event\\\":\\\"confined") != NULL)
		recording->confined = at;
}

/* The number before the closing bracket of a call. */
static size_t last_argument(const char *line)
{
	const char *end = strstr(line, ") ");
	const char *comma;

	for (const char *next; end != NULL && (next = strstr(end + 1, ") ")) != NULL;)
		end = next;
	for (comma = end; comma != NULL && comma > line && *comma != ' ';)
		comma--;
	return comma == NULL ? 0 : strtoul(comma, NULL, 10);
}

/* Takes one line of the log. Returns whether the launch goes on after it. */
static int take_line(struct recording *recording, const char *line)
{
	struct call *call = &recording->calls[recording->count];
	size_t name = strcspn(line, "(");

	if (line[name] != '(' || name >= sizeof(call->at.name) ||
	    recording->count == RECORDING_CALLS - 1)
		return strncmp(line, "---", 3) == 0;
	*call = (struct call){ .fd = -1, .at.nth = 1 };
	memcpy(call->at.name, line, name);
	snprintf(call->at.line, sizeof(call->at.line), "%.*s", (int)sizeof(call->at.line) - 1,
		 line);
	for (size_t i = 0; i < recording->count; i++)
		call->at.nth += strcmp(recording->calls[i].at.name, call->at.name) == 0;
	if (strcmp(call->at.name, "write") == 0) {
		call->length = last_argument(line);
		note_write(recording, call);
	}
	recording->count++;
	return strcmp(call->at.name, "exit_group") != 0 &&
	       (strcmp(call->at.name, "execve") != 0 || strstr(line, ") = 0") == NULL);
}

const char *recording_make(const struct launch *launch, struct recording *recording)
{
	char line[4096];
	struct trial trial;
	int goes_on = 1;
	FILE *log;

	*recording = (struct recording){ .launch = launch,
					 .notice = RECORDING_CALLS,
					 .confined = RECORDING_CALLS };
	scene_reset();
	recording_trial(launch, (const char *const[]){ "-s", "64", NULL }, &trial);
	trial_run(&trial, &recording->outcome);
	log = fopen("log", "re");
	/* The first is strace's own exec of the launcher. */
	if (log == NULL || fgets(line, sizeof(line), log) == NULL ||
	    strncmp(line, "execve(", 7) != 0) {
		if (log != NULL)
			fclose(log);
		return "strace left no log";
	}
	while (goes_on && fgets(line, sizeof(line), log) != NULL)
		goes_on = take_line(recording, line);
	fclose(log);
	return goes_on ? "the log ends before the launch does" : NULL;
}
