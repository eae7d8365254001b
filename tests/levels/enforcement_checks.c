/* enforcement_checks.c: tests that what a ruleset handles is enforced, and what it cannot is not.
 * They must never need the simulator: below it, too, the real kernel enforces. */
#include "enforcement_checks.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "calls.h"
#include "expect.h"
#include "levels.h"
#include "suite.h"

/* tree/            the only thing the tests write to
 * |-- from/file
 * |-- to/
 * `-- socket       where a test binds one */
static char tree[200];
static struct level level;

static const char *in_tree(const char *name)
{
	static char paths[4][256];
	static unsigned int turn;
	char *path = paths[turn++ % 4];

	snprintf(path, sizeof(paths[0]), "%s/%s", tree, name);
	return path;
}

static uint64_t right_mask(const char *name)
{
	return UINT64_C(1) << level_right_named(name)->bit;
}

/* Writes the file anew and returns its path. */
static const char *fresh_file(void)
{
	const char *path = in_tree("from/file");
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	EXPECT(fd >= 0 && write(fd, "full", 4) == 4, "cannot write %s: %s", path, strerror(errno));
	close(fd);
	return path;
}

/* Confines this process: `bits` of `field` are handled, and granted beneath the tree when told. */
static void confine(enum level_field field, uint64_t bits, uint64_t granted)
{
	uint64_t ruleset[LEVEL_FIELDS] = { 0 };
	struct path_rule rule = { .allowed = granted, .parent = open(tree, O_PATH | O_CLOEXEC) };
	long fd;

	ruleset[field] = bits;
	fd = create_ruleset(ruleset, sizeof(ruleset), 0);
	EXPECT_FD(fd);
	if (granted != 0)
		EXPECT_IS(add_rule(fd, LEVEL_RULE_PATH, &rule, 0), 0);
	EXPECT(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0, "cannot set no_new_privs");
	EXPECT_IS(restrict_self(fd, 0), 0);
}

/* Returns 0 or the errno, negative, of a call that returns -1 for failure. */
static long outcome(long result)
{
	return result < 0 ? -errno : 0;
}

static void an_ungranted_write_is_denied(const void *unused)
{
	const char *path = fresh_file();

	(void)unused;
	confine(LEVEL_FS, right_mask("write-file") | right_mask("make-reg"), 0);
	EXPECT_IS(outcome(open(path, O_WRONLY | O_CLOEXEC)), -EACCES);
	EXPECT_IS(outcome(open(in_tree("new"), O_WRONLY | O_CREAT | O_CLOEXEC, 0600)), -EACCES);
	EXPECT_IS(outcome(open(path, O_RDONLY | O_CLOEXEC)), 0);
}

static void a_granted_write_is_allowed(const void *unused)
{
	const char *path = fresh_file();

	(void)unused;
	confine(LEVEL_FS, level.known[LEVEL_FS], right_mask("write-file"));
	EXPECT_IS(outcome(open(path, O_WRONLY | O_CLOEXEC)), 0);
	EXPECT_IS(outcome(open(path, O_RDONLY | O_CLOEXEC)), -EACCES);
	EXPECT_IS(outcome(open("/dev/null", O_WRONLY | O_CLOEXEC)), -EACCES);
}

static void renames_across_directories(bool granted, long due)
{
	uint64_t handled = level.known[LEVEL_FS];
	const char *from = fresh_file(), *beside = in_tree("from/beside"), *to = in_tree("to/file");

	confine(LEVEL_FS, handled, granted ? handled : handled & ~right_mask("refer"));
	EXPECT_IS(outcome(rename(from, beside)), 0);
	EXPECT_IS(outcome(rename(beside, from)), 0);
	EXPECT_IS(outcome(link(from, to)), due);
	EXPECT_IS(outcome(rename(from, to)), due);
	if (due == 0)
		EXPECT_IS(outcome(unlink(to)), 0);
}

static void a_granted_rename_works(const void *unused)
{
	(void)unused;
	renames_across_directories(true, 0);
}

static void an_ungranted_rename_is_across_devices(const void *unused)
{
	(void)unused;
	renames_across_directories(false, -EXDEV);
}

/* Nothing is granted, and each right that the level has is handled. */
static void truncation(const void *unused)
{
	const char *path = fresh_file();

	(void)unused;
	confine(LEVEL_FS, level.known[LEVEL_FS] & ~right_mask("read-file"), 0);
	EXPECT_IS(outcome(truncate(path, 1)), level.abi >= 3 ? -EACCES : 0);
	EXPECT_IS(outcome(open(path, O_RDONLY | O_TRUNC | O_CLOEXEC)),
		  level.abi >= 3 ? -EACCES : 0);
}

static void device_ioctls(const void *unused)
{
	int size, device;

	(void)unused;
	confine(LEVEL_FS, level.known[LEVEL_FS] & ~right_mask("read-file"), 0);
	device = open("/dev/zero", O_RDONLY | O_CLOEXEC);
	EXPECT(device >= 0, "cannot open /dev/zero: %s", strerror(errno));
	EXPECT_IS(outcome(ioctl(device, FIONREAD, &size)), level.abi >= 5 ? -EACCES : -ENOTTY);
}

static long bind_any_port(int type)
{
	struct sockaddr_in any = { .sin_family = AF_INET };
	int fd = socket(AF_INET, type | SOCK_CLOEXEC, 0);

	EXPECT(fd >= 0, "cannot make a socket: %s", strerror(errno));
	return outcome(bind(fd, (const struct sockaddr *)&any, sizeof(any)));
}

static void bound_ports(const void *unused)
{
	(void)unused;
	if (level.abi >= 4)
		confine(LEVEL_NET, level.known[LEVEL_NET], 0);
	else
		confine(LEVEL_FS, level.known[LEVEL_FS], 0);
	EXPECT_IS(bind_any_port(SOCK_STREAM), level.abi >= 4 ? -EACCES : 0);
	EXPECT_IS(bind_any_port(SOCK_DGRAM), level.abi >= 10 ? -EACCES : 0);
}

static void signals_outwards(const void *unused)
{
	int ends[2];
	pid_t outside;
	char byte;

	(void)unused;
	EXPECT(pipe2(ends, O_CLOEXEC) == 0, "cannot make a pipe");
	outside = fork();
	EXPECT(outside >= 0, "cannot fork");
	if (outside == 0) {
		/* Ends with the parent, whenever that does: it cannot be signalled from there, and
		 * a death signal comes too late for a parent that is quick. */
		close(ends[1]);
		_exit(read(ends[0], &byte, 1) != 0);
	}
	if (level.abi >= 6)
		confine(LEVEL_SCOPE, right_mask("signal"), 0);
	else
		confine(LEVEL_FS, level.known[LEVEL_FS], 0);
	EXPECT_IS(outcome(kill(outside, 0)), level.abi >= 6 ? -EPERM : 0);
	close(ends[1]);
	EXPECT(waitpid(outside, NULL, 0) == outside, "cannot wait");
}

/* Binds outside, confines itself, and returns how connecting ends. */
static long connect_outwards(const char *path, enum level_field field, uint64_t bits)
{
	struct sockaddr_un name = { .sun_family = AF_UNIX };
	int server = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	int client = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	/* An abstract name begins with a zero byte. */
	size_t from = path[0] == '@' ? 1 : 0;
	socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + strlen(path));

	memcpy(name.sun_path + from, path + from, strlen(path) - from);
	EXPECT(bind(server, (const struct sockaddr *)&name, size) == 0 && listen(server, 1) == 0,
	       "cannot listen at %s: %s", path, strerror(errno));
	confine(field, bits, 0);
	return outcome(connect(client, (const struct sockaddr *)&name, size));
}

static void abstract_sockets(const void *unused)
{
	char name[64];

	(void)unused;
	snprintf(name, sizeof(name), "@landlock-levels-%d", (int)getpid());
	if (level.abi >= 6)
		EXPECT_IS(connect_outwards(name, LEVEL_SCOPE, right_mask("abstract-unix-socket")),
			  -EPERM);
	else
		EXPECT_IS(connect_outwards(name, LEVEL_FS, level.known[LEVEL_FS]), 0);
}

static void path_sockets(const void *unused)
{
	(void)unused;
	EXPECT_IS(connect_outwards(in_tree("socket"), LEVEL_FS, level.known[LEVEL_FS]),
		  level.abi >= 9 ? -EACCES : 0);
}

static void run_all(void)
{
	static const struct {
		void (*test)(const void *unused);
		const char *what;
		int since;
	} governed[] = {
		{ truncation, "truncation", 3 },
		{ bound_ports, "binding a port", 4 },
		{ device_ioctls, "a device ioctl", 5 },
		{ signals_outwards, "a signal outwards", 6 },
		{ abstract_sockets, "an abstract socket", 6 },
		{ path_sockets, "a socket's path", 9 },
	};

	suite_run(an_ungranted_write_is_denied, NULL, "an ungranted write is denied");
	suite_run(a_granted_write_is_allowed, NULL, "a granted write is allowed");
	if (level.abi >= 2)
		suite_run(a_granted_rename_works, NULL,
			  "a granted rename across directories works");
	suite_run(an_ungranted_rename_is_across_devices, NULL,
		  "%s rename across directories is EXDEV", level.abi >= 2 ? "an ungranted" : "any");
	for (size_t i = 0; i < sizeof(governed) / sizeof(governed[0]); i++)
		suite_run(governed[i].test, NULL, "%s is %s", governed[i].what,
			  level.abi >= governed[i].since ? "governed" : "not governed");
}

void enforcement_checks(int abi)
{
	const char *base = getenv("TMPDIR");

	level = level_of(abi);
	snprintf(tree, sizeof(tree), "%s/levels.XXXXXX", base == NULL ? "/tmp" : base);
	if (mkdtemp(tree) == NULL || mkdir(in_tree("from"), 0700) != 0 ||
	    mkdir(in_tree("to"), 0700) != 0)
		perror(tree); /* each test fails on it */
	run_all();
	unlink(in_tree("from/file"));
	unlink(in_tree("from/beside"));
	unlink(in_tree("to/file"));
	unlink(in_tree("socket"));
	rmdir(in_tree("from"));
	rmdir(in_tree("to"));
	rmdir(tree);
}
