/* What names the culprit of a failed exec: input is how the kernel answers, the file that could not
 * be run, and the command. Whatever the file holds, the answer is a path of its own memory, the
 * search ends, and every descriptor is closed again. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>

#include "claims.h"
#include "fake_sys.h"
#include "launcher.h"

#define MOST_OPEN 8
#define MOST_CALLS 4096

static struct {
	struct bytes answers; /* a byte for each call that asks about a path */
	const char *file;
	size_t size;
	int open;  /* descriptors, each of which is the file */
	int calls; /* a search that does not end is a failure too */
} world;

static long answer(void)
{
	static const long answers[] = { 0, -ENOENT, -EACCES, -ENOTDIR, -ELOOP, -EMFILE };

	return answers[take_byte(&world.answers) % COUNT(answers)];
}

static long open_file(void)
{
	long result = answer();

	if (result)
		return result;
	HOLDS(world.open < MOST_OPEN);
	return 100 + world.open++;
}

/* A link's target is a part of the file. */
static long read_link(char *buffer, size_t size)
{
	size_t length = world.size < size ? world.size : size;
	long result = answer();

	if (result)
		return result;
	memcpy(buffer, world.file, length);
	return (long)length;
}

static long read_at(char *buffer, size_t size, long offset)
{
	size_t at = (size_t)offset, length;

	if (offset < 0)
		return -EINVAL;
	if (at >= world.size)
		return 0;
	length = world.size - at < size ? world.size - at : size;
	memcpy(buffer, world.file + at, length);
	return (long)length;
}

static long close_file(long fd)
{
	HOLDS(fd >= 100 && fd < 100 + world.open);
	world.open--;
	return 0;
}

static long describe(struct statx *status)
{
	long result = answer();

	memset(status, 0, sizeof *status);
	status->stx_mode = take_byte(&world.answers) % 4 ? S_IFREG | 0755 : S_IFDIR | 0755;
	return result;
}

static long describe_mount(struct statfs *mount)
{
	memset(mount, 0, sizeof *mount);
	mount->f_flags = take_byte(&world.answers) % 8 ? 0 : 8;
	return answer();
}

static long kernel(long number, const long arguments[5])
{
	HOLDS(++world.calls < MOST_CALLS);
	switch (number) {
	case SYS_openat:
		HOLDS((arguments[2] & O_ACCMODE) == O_RDONLY && arguments[2] & O_CLOEXEC);
		return open_file();
	case SYS_close:
		return close_file(arguments[0]);
	case SYS_readlinkat:
		return read_link(FAKE_POINTER(arguments[2]), (size_t)arguments[3]);
	case SYS_pread64:
		return read_at(FAKE_POINTER(arguments[1]), (size_t)arguments[2], arguments[3]);
	case SYS_statx:
		return describe(FAKE_POINTER(arguments[4]));
	case SYS_statfs:
		return describe_mount(FAKE_POINTER(arguments[1]));
	case SYS_faccessat:
	case SYS_execveat:
		return answer();
	default:
		BROKEN("a system call that this search has no use for");
	}
}

void fuzz_culprit(struct bytes bytes)
{
	static const int32_t failures[] = { EACCES, ENOENT, ENOEXEC, ENOMEM };
	struct culprit *culprit = fuzz_memory(sizeof *culprit);
	uint8_t failure = take_byte(&bytes), answers = take_byte(&bytes) % 64;
	struct llr_error error = { LLR_E_EXEC, failures[failure % 4], NULL, NULL, 0 };
	char *path, *envp[2] = { NULL, NULL };
	const char *subject;

	memset(&world, 0, sizeof world);
	memset(culprit, 0x55, sizeof *culprit);
	fake_kernel = kernel;
	world.answers.at = bytes.at;
	world.answers.left = bytes.left < answers ? bytes.left : answers;
	bytes.at += world.answers.left;
	bytes.left -= world.answers.left;
	subject = error.subject = take_string(&bytes);
	path = take_string(&bytes);
	if (!strncmp(path, "PATH=", 5))
		envp[0] = path;
	world.file = take_rest(&bytes, &world.size);
	culprit_find(culprit, error.subject, envp, failure / 4 % 4 - 1, &error);
	HOLDS(world.open == 0);
	HOLDS(error.subject == subject && error.code == LLR_E_EXEC);
	HOLDS(error.errnum == failures[failure % 4]);
	HOLDS(!error.field || error.field == culprit->path);
	HOLDS(!error.field || memchr(culprit->path, 0, sizeof culprit->path));
	claim_reported(&error, "exec failed: ");
}
