/* scene.c: a directory for one process of tests: what a command may change there and what not.
 * It must never touch anything outside that directory. */
#include "scene.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <linux/close_range.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

char scene_launcher[4096], scene_simulate[4096], scene_witness[4096], scene_policy[4096];

static char root[4096];
static pid_t owner;

_Noreturn static void give_up(const char *what, const char *path)
{
	fprintf(stderr, "cannot %s %s: %s\n", what, path, strerror(errno));
	_exit(1);
}

/* Fills `path` with directory/name, resolved. Returns whether that can be executed. */
static bool find(char *path, const char *directory, const char *name)
{
	char joined[4200];

	snprintf(joined, sizeof(joined), "%s/%s", directory, name);
	return realpath(joined, path) != NULL && access(path, X_OK) == 0;
}

const char *scene_programs(const char *self, const char *launcher)
{
	char directory[4096];
	char *slash;

	if (realpath(self, directory) == NULL || (slash = strrchr(directory, '/')) == NULL)
		return self;
	*slash = '\0';
	if (!find(scene_simulate, directory, "simulate"))
		return "the program simulate";
	if (!find(scene_witness, directory, "witness"))
		return "the program witness";
	if (!find(scene_policy, directory, "policy"))
		return "the program policy";
	if (launcher == NULL && !find(scene_launcher, directory, "../landlock-run"))
		return "the launcher";
	if (launcher != NULL && realpath(launcher, scene_launcher) == NULL)
		return launcher;
	return NULL;
}

static int remove_one(const char *path, const struct stat *status, int what, struct FTW *where)
{
	(void)status;
	(void)what;
	(void)where;
	return remove(path);
}

static void remove_tree(const char *path)
{
	nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

void scene_close(void)
{
	if (getpid() != owner || chdir("/") != 0)
		return;
	remove_tree(root);
	owner = 0;
}

/* A directory for it that no mode grants. */
static bool make_root(const char *directory)
{
	char real[4000];

	if (directory == NULL || realpath(directory, real) == NULL)
		return false;
	if (strcmp(real, "/tmp") == 0 || strncmp(real, "/tmp/", 5) == 0)
		return false;
	snprintf(root, sizeof(root), "%s/landlock-run-XXXXXX", real);
	return mkdtemp(root) != NULL;
}

void scene_open(void)
{
	if (!make_root(getenv("TMPDIR")) && !make_root("/var/tmp") && !make_root("/dev/shm") &&
	    !make_root("."))
		give_up("make", "a directory outside /tmp");
	owner = getpid();
	atexit(scene_close);
	/* What the suite was started with is not the launcher's doing. */
	syscall(SYS_close_range, STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC);
	if (chdir(root) != 0)
		give_up("enter", root);
	scene_reset();
}

static void make_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);

	if (fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text))
		give_up("write", path);
	close(fd);
}

void scene_reset(void)
{
	static const char *const directories[] = { "in", "in/a", "in/b", "out", "out/sub" };

	remove_tree("in");
	remove_tree("out");
	for (size_t i = 0; i < sizeof(directories) / sizeof(directories[0]); i++)
		if (mkdir(directories[i], 0755) != 0)
			give_up("make", directories[i]);
	make_file("in/a/file", "granted");
	make_file("out/file", "kept");
}

bool scene_has(const char *path)
{
	struct stat status;

	return lstat(path, &status) == 0;
}

static unsigned long digest;

static int digest_one(const char *path, const struct stat *status, int what, struct FTW *where)
{
	unsigned long hash = 5381;

	(void)what;
	(void)where;
	for (; *path != '\0'; path++)
		hash = hash * 33 + (unsigned char)*path;
	hash = hash * 33 + status->st_mode;
	/* A directory's size is the file system's own affair. */
	if (!S_ISDIR(status->st_mode))
		hash = hash * 33 + (unsigned long)status->st_size;
	/* Added up: the order is the file system's. */
	digest += hash;
	return 0;
}

unsigned long scene_digest(void)
{
	digest = 0;
	nftw("in", digest_one, 16, FTW_PHYS);
	nftw("out", digest_one, 16, FTW_PHYS);
	return digest;
}

size_t scene_read(const char *path, char *text, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	size_t length = 0;
	ssize_t got;

	while (fd >= 0 && length < size - 1 &&
	       (got = read(fd, text + length, size - 1 - length)) > 0)
		length += (size_t)got;
	if (fd >= 0)
		close(fd);
	text[length] = '\0';
	return length;
}
