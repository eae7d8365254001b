/* simulate_test.c: tests the table of levels and the simulator, and the table on a real kernel.
 * It must never use the launcher: what it tests is what the launcher is tested with. */
#include <fcntl.h>
#include <grp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "acts.h"
#include "calls.h"
#include "level_checks.h"
#include "levels.h"
#include "simulator_checks.h"
#include "suite.h"
#include "table_checks.h"

#define NOBODY 65534

static const char usage[] = "usage: simulate_test --simulator SIMULATE   tests the table, and "
			    "SIMULATE at each ABI; as root\n"
			    "                                            also as another user\n"
			    "       simulate_test --real N|ERRNO         tests that this kernel is "
			    "of ABI N, bit by bit, or\n"
			    "                                            that it answers every "
			    "call with ERRNO; 0: with\n"
			    "                                            ENOSYS or EOPNOTSUPP\n";

/* Tests one kernel, as the user that it is; `real` is the ABI below it. */
static int test_kernel(int abi, int error, int real)
{
	char prefix[32];

	if (abi == 0) {
		suite_prefix("no Landlock: ");
		absence_checks(error);
	} else {
		snprintf(prefix, sizeof(prefix), "abi %d: ", abi);
		suite_prefix(prefix);
		level_checks(abi, real);
	}
	return suite_end();
}

/* Runs the tests of one kernel under the simulator. */
static void relay(const char *simulator, const char *self, const char *user, const char *kernel,
		  int real)
{
	char below[16], prefix[64];
	const char *const argv[] = { simulator,   "--abi", kernel, "--", self,
				     "--claimed", kernel,  below,  NULL };

	snprintf(below, sizeof(below), "%d", real);
	snprintf(prefix, sizeof(prefix), "%s, claimed ", user);
	suite_relay(prefix, (char *const *)argv);
}

/* Tests the simulator as the user that this is. */
static int test_simulator(const char *simulator, const char *self, const char *user)
{
	static const char *const absent[] = { "ENOSYS", "EOPNOTSUPP", "EPERM" };
	long real = create_ruleset(NULL, 0, LEVEL_CREATE_VERSION);
	char prefix[32], kernel[16];

	snprintf(prefix, sizeof(prefix), "%s: ", user);
	suite_prefix(prefix);
	simulator_checks(simulator, self);
	for (size_t i = 0; i < sizeof(absent) / sizeof(absent[0]); i++)
		relay(simulator, self, user, absent[i], 0);
	for (int abi = 1; real > 0 && abi <= LEVEL_NEWEST + 1; abi++) {
		snprintf(kernel, sizeof(kernel), "%d", abi <= LEVEL_NEWEST ? abi : 99);
		relay(simulator, self, user, kernel, (int)real);
	}
	return suite_end();
}

/* Becomes the other user and tests the simulator as that. */
static int test_as_other(const char *simulator, const char *self)
{
	if (setgroups(0, NULL) != 0 || setresgid(NOBODY, NOBODY, NOBODY) != 0 ||
	    setresuid(NOBODY, NOBODY, NOBODY) != 0) {
		perror("simulate_test: cannot become another user");
		return 1;
	}
	return test_simulator(simulator, self, "nobody");
}

/* Copies a program to where another user can run it. Returns 0 or -1. */
static int copy_program(const char *from, const char *to)
{
	int in = open(from, O_RDONLY | O_CLOEXEC);
	int out = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0755);
	char bytes[65536];
	ssize_t got = -1;

	while (in >= 0 && out >= 0 && (got = read(in, bytes, sizeof(bytes))) > 0)
		if (write(out, bytes, (size_t)got) != got)
			break;
	if (in >= 0)
		close(in);
	if (out >= 0 && close(out) != 0)
		return -1;
	return got == 0 ? 0 : -1;
}

/* Relays the tests as another user, from copies: the build may lie where only root may look. */
static void relay_other(const char *simulator, const char *self)
{
	const char *base = getenv("TMPDIR");
	char folder[256], test[300], copy[300];
	const char *const argv[] = { test, "--other", copy, NULL };

	snprintf(folder, sizeof(folder), "%s/simulate.XXXXXX", base == NULL ? "/tmp" : base);
	if (mkdtemp(folder) == NULL || chmod(folder, 0755) != 0)
		perror(folder); /* and the relay fails */
	snprintf(test, sizeof(test), "%s/simulate_test", folder);
	snprintf(copy, sizeof(copy), "%s/simulate", folder);
	if (copy_program(self, test) != 0 || copy_program(simulator, copy) != 0)
		perror(folder);
	suite_relay("", (char *const *)argv);
	unlink(test);
	unlink(copy);
	rmdir(folder);
}

static int test_all(const char *simulator, const char *self)
{
	table_checks();
	if (geteuid() != 0)
		return test_simulator(simulator, self, "user");
	relay_other(simulator, self);
	return test_simulator(simulator, self, "root");
}

int main(int argc, char **argv)
{
	static char self[4096];
	ssize_t length = readlink("/proc/self/exe", self, sizeof(self) - 1);
	int abi, error;

	setvbuf(stdout, NULL, _IOLBF, 0);
	if (argc >= 3 && strcmp(argv[1], "--act") == 0)
		return act(argv + 2);
	if (argc == 3 && strcmp(argv[1], "--real") == 0 && level_parse(argv[2], &abi, &error))
		return test_kernel(abi, strcmp(argv[2], "0") == 0 ? 0 : error, abi);
	if (argc == 4 && strcmp(argv[1], "--claimed") == 0 && level_parse(argv[2], &abi, &error))
		return test_kernel(abi, error, atoi(argv[3]));
	if (argc == 3 && length > 0 && strcmp(argv[1], "--simulator") == 0)
		return test_all(argv[2], self);
	if (argc == 3 && length > 0 && strcmp(argv[1], "--other") == 0)
		return test_as_other(argv[2], self);
	fputs(usage, stderr);
	return 2;
}
