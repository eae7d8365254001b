/* The entry points that libFuzzer and AFL++ call. The program's own name says which target it is:
 * one program serves all, under as many names. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static const struct fuzz_target *target;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	const char *slash = strrchr((*argv)[0], '/');
	const char *name = slash ? slash + 1 : (*argv)[0];

	(void)argc;
	target = fuzz_target_named(name);
	if (!target) {
		fprintf(stderr, "%s is no target\n", name);
		exit(2);
	}
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	fuzz_run(target, bytes, size);
	return 0;
}
