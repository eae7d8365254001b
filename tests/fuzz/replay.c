/* Runs the targets over the committed inputs and ends as every suite here does: no fuzzer is
 * needed. A target is one test, in a process of its own; one without inputs has failed.
 *
 *   replay CORPUS [TARGET]... */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fuzz.h"

#define MOST_BYTES 65536

/* What a child says before it runs each input: all that is left of it after a crash. */
struct progress {
	char file[512];
	size_t length; /* of the input, which may be a part of the file */
	size_t inputs;
};

static struct progress *progress;

/* The whole input, then each beginning of it: where the text ends is where mistakes are. */
static void run_all(const struct fuzz_target *target, const uint8_t *bytes, size_t size)
{
	for (size_t length = size;; length--) {
		uint8_t *copy = malloc(length);

		if (!copy && length)
			exit(1);
		if (length)
			memcpy(copy, bytes, length);
		progress->length = length;
		progress->inputs++;
		fuzz_run(target, copy, length);
		free(copy);
		/* Of a long one only some. */
		if (size > 512 && length > 512)
			length -= length % 97;
		if (!length)
			return;
	}
}

static int is_input(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

/* In the child: ends it. */
static void replay(const struct fuzz_target *target, const char *corpus)
{
	static uint8_t bytes[MOST_BYTES];
	char directory[256];
	struct dirent **entries;
	int count;

	snprintf(directory, sizeof directory, "%s/%s", corpus, target->name);
	count = scandir(directory, &entries, is_input, alphasort);
	for (int i = 0; i < count; i++) {
		FILE *file;
		size_t size;

		snprintf(progress->file, sizeof progress->file, "%s/%s", directory,
			 entries[i]->d_name);
		file = fopen(progress->file, "re");
		if (!file)
			exit(1);
		size = fread(bytes, 1, sizeof bytes, file);
		fclose(file);
		run_all(target, bytes, size);
		free(entries[i]);
	}
	if (count >= 0)
		free(entries);
	exit(count < 1);
}

/* Returns whether the target's claims held. */
static int try_target(const struct fuzz_target *target, const char *corpus)
{
	int status = 0;
	pid_t child;

	*progress = (struct progress){ "", 0, 0 };
	fflush(stdout);
	child = fork();
	if (child == 0)
		replay(target, corpus);
	if (child < 0 || waitpid(child, &status, 0) != child || status) {
		printf("FAIL %s: %s: its first %zu bytes: status 0x%x\n", target->name,
		       *progress->file ? progress->file : "no input", progress->length,
		       (unsigned int)status);
		return 0;
	}
	printf("ok %s_holds_for_all_%zu_inputs\n", target->name, progress->inputs);
	return 1;
}

static int is_wanted(const char *name, char **names)
{
	if (!*names)
		return 1;
	while (*names && strcmp(*names, name) != 0)
		names++;
	return *names != NULL;
}

int main(int argc, char **argv)
{
	const struct fuzz_target *target;
	const char *slash = strrchr(argv[0], '/');
	int passed = 0, failed = 0;

	if (argc < 2) {
		fprintf(stderr, "usage: replay CORPUS [TARGET]...\n");
		return 2;
	}
	progress = mmap(NULL, sizeof *progress, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
			-1, 0);
	if (progress == MAP_FAILED)
		return 1;
	for (size_t i = 0; (target = fuzz_target_at(i)) != NULL; i++) {
		int held = !is_wanted(target->name, argv + 2) || try_target(target, argv[1]);

		passed += held && is_wanted(target->name, argv + 2);
		failed += !held;
	}
	printf("%s: %d passed, %d failed, 0 skipped\n", slash ? slash + 1 : "replay", passed,
	       failed);
	return failed > 0 || passed == 0;
}
