/* worker.c: the one that does it: system calls for operations, in a sandbox or outside.
 * It must never know which of the two it is in, nor what is expected. */
#include "worker.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#define SPELLED 256 /* bytes of a path as a system call gets it */

struct spelled {
	int at;
	char path[SPELLED];
};

static int slot_fd(int slot)
{
	return SLOT_FD + slot;
}

/* The place as a system call takes it; `plain` where that is a path alone. */
static struct spelled spell(const struct hands *hands, const struct place *place, bool plain)
{
	struct spelled spelled = { AT_FDCWD, "" };
	const char *between = *place->path ? "/" : "";
	int fd = slot_fd(place->slot);

	if (place->base == BASE_TOP)
		snprintf(spelled.path, SPELLED, "%s%s%s", hands->top, between, place->path);
	else if (place->base == BASE_PROC || (place->base == BASE_SLOT && plain))
		snprintf(spelled.path, SPELLED, "/proc/self/fd/%d%s%s", fd, between, place->path);
	else
		snprintf(spelled.path, SPELLED, "%s", place->path);
	if (place->base == BASE_SLOT && !plain)
		spelled.at = fd;
	return spelled;
}

static struct reply result(long value)
{
	if (value < 0)
		return (struct reply){ errno, 0 };
	return (struct reply){ 0, (int32_t)value };
}

static struct reply done(long value)
{
	return result(value < 0 ? value : 0);
}

/* ---- Descriptors ---- */

static bool slot_is_open(int slot)
{
	return fcntl(slot_fd(slot), F_GETFD) >= 0;
}

static struct reply keep(int fd, int slot)
{
	if (fd < 0)
		return done(fd);
	if (slot >= 0 && dup3(fd, slot_fd(slot), O_CLOEXEC) < 0)
		return done(-1);
	close(fd);
	return (struct reply){ 0, 0 };
}

static struct reply do_open(const struct spelled *a, const struct operation *operation)
{
	/* None may wait for another end, or become a controlling terminal. */
	struct open_how how = { .flags = operation->flags | O_CLOEXEC | O_NONBLOCK | O_NOCTTY,
				.mode = operation->mode,
				.resolve = operation->resolve };

	if (operation->slot >= 0 && slot_is_open(operation->slot))
		return (struct reply){ EBUSY, 0 };
	if (!operation->resolve)
		return keep(openat(a->at, a->path, (int)how.flags, operation->mode),
			    operation->slot);
	if (!(how.flags & (O_CREAT | O_TMPFILE)))
		how.mode = 0;
	if (how.flags & O_PATH)
		how.flags &= ~(uint64_t)(O_NONBLOCK | O_NOCTTY);
	return keep((int)syscall(SYS_openat2, a->at, a->path, &how, sizeof how), operation->slot);
}

static struct reply do_pipe(int slot)
{
	int ends[2];

	if (slot_is_open(slot))
		return (struct reply){ EBUSY, 0 };
	if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0)
		return done(-1);
	close(ends[1]);
	return keep(ends[0], slot);
}

static struct reply do_memfd(int slot)
{
	if (slot_is_open(slot))
		return (struct reply){ EBUSY, 0 };
	return keep(memfd_create("model", MFD_CLOEXEC), slot);
}

static struct reply do_ioctl(int fd, unsigned int command)
{
	/* FIONBIO reads whether not to wait: nothing here may wait. */
	char answer[256] = { command == FIONBIO };

	return done(ioctl(fd, command, answer));
}

static struct reply do_descriptor(const struct operation *operation)
{
	static const char bytes[256] = "what the model writes";
	char read_bytes[16];
	int fd = slot_fd(operation->slot);

	switch (operation->kind) {
	case KIND_CLOSE:
		return done(close(fd));
	case KIND_READ:
		return result(read(fd, read_bytes, sizeof read_bytes));
	case KIND_WRITE:
		return result(write(fd, bytes, operation->length % sizeof bytes));
	case KIND_FTRUNCATE:
		return done(ftruncate(fd, operation->length));
	case KIND_IOCTL:
		return do_ioctl(fd, operation->mode);
	case KIND_FCHDIR:
		return done(fchdir(fd));
	case KIND_MEMFD:
		return do_memfd(operation->slot);
	default:
		return do_pipe(operation->slot);
	}
}

/* ---- Programs ---- */

/* What came of an exec: its errno, or how the program ended. */
static struct reply do_exec(int fd, const char *path)
{
	char *argv[] = { "program", "--help", NULL }, *environment[] = { NULL };
	volatile int error = 0;
	int status = 0;
	pid_t child = vfork();

	if (child == 0) {
		syscall(SYS_execveat, fd, path, argv, environment, *path ? 0 : AT_EMPTY_PATH);
		error = errno;
		_exit(0);
	}
	if (child < 0 || waitpid(child, &status, 0) != child)
		return done(-1);
	return (struct reply){ error, error ? 0 : status };
}

static struct reply do_program(const struct hands *hands, const struct spelled *a)
{
	int from = open(hands->program, O_RDONLY | O_CLOEXEC);
	int to = openat(a->at, a->path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0755);
	char bytes[65536];
	ssize_t length = read(from, bytes, sizeof bytes);
	bool whole = true;

	while (length > 0 && whole) {
		whole = write(to, bytes, (size_t)length) == length;
		length = read(from, bytes, sizeof bytes);
	}
	whole = whole && length == 0;
	close(from);
	return done(close(to) == 0 && whole ? 0 : -1);
}

static struct reply do_script(const struct spelled *a, const struct spelled *interpreter)
{
	int fd = openat(a->at, a->path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0755);
	char line[SPELLED + 4];
	int length = snprintf(line, sizeof line, "#!%s\n", interpreter->path);
	ssize_t written = write(fd, line, (size_t)length);

	return done(close(fd) == 0 && written == length ? 0 : -1);
}

/* ---- Names ---- */

static struct reply do_list(const struct spelled *a)
{
	int fd = openat(a->at, a->path, O_RDONLY | O_DIRECTORY | O_NONBLOCK | O_CLOEXEC);
	char entries[8192];
	long length, count = 0;

	if (fd < 0)
		return done(fd);
	while ((length = syscall(SYS_getdents64, fd, entries, sizeof entries)) > 0)
		for (long at = 0; at < length; count++)
			at += *(unsigned short *)(void *)(entries + at + 16);
	close(fd);
	return result(length < 0 ? length : count);
}

static struct reply do_bind(const struct spelled *a)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0), failed, error;

	if (strlen(a->path) >= sizeof address.sun_path)
		return (struct reply){ ENAMETOOLONG, 0 };
	memcpy(address.sun_path, a->path, strlen(a->path) + 1);
	failed = bind(fd, (struct sockaddr *)&address, sizeof address);
	error = errno;
	close(fd);
	return (struct reply){ failed ? error : 0, 0 };
}

static struct reply do_mknod(const struct spelled *a, unsigned int mode)
{
	dev_t device = S_ISCHR(mode)   ? makedev(mode & 1 ? 0 : 1, mode & 1 ? 0 : 3)
		       : S_ISBLK(mode) ? makedev(240, 1)
				       : 0;

	return done(mknodat(a->at, a->path, (mode & S_IFMT) | 0644, device));
}

static struct reply do_mount(const struct spelled *a, const struct spelled *b)
{
	return done(mount(a->path, b->path, NULL, MS_BIND, NULL));
}

static struct reply do_two(const struct operation *operation, const struct spelled *a,
			   const struct spelled *b)
{
	switch (operation->kind) {
	case KIND_SYMLINK:
		return done(symlinkat(b->path, a->at, a->path));
	case KIND_LINK:
		return done(linkat(a->at, a->path, b->at, b->path,
				   operation->flags ? AT_SYMLINK_FOLLOW : 0));
	case KIND_RENAME:
		return done(
			syscall(SYS_renameat2, a->at, a->path, b->at, b->path, operation->flags));
	case KIND_SCRIPT:
		return do_script(a, b);
	default:
		return do_mount(a, b);
	}
}

static struct reply do_look(const struct operation *operation, const struct spelled *a)
{
	int follow = operation->flags ? 0 : AT_SYMLINK_NOFOLLOW;
	struct statfs filesystem;
	struct stat status;
	char text[SPELLED];

	switch (operation->kind) {
	case KIND_STAT:
		return done(fstatat(a->at, a->path, &status, follow));
	case KIND_ACCESS:
		return done(faccessat(a->at, a->path, operation->mode & 7, 0));
	case KIND_READLINK:
		return done(readlinkat(a->at, a->path, text, sizeof text));
	case KIND_STATFS:
		return done(statfs(a->path, &filesystem));
	case KIND_CHMOD:
		return done(fchmodat(a->at, a->path, operation->mode, 0));
	default:
		return done(utimensat(a->at, a->path, NULL, follow));
	}
}

static struct reply do_one(const struct hands *hands, const struct operation *operation,
			   const struct spelled *a)
{
	switch (operation->kind) {
	case KIND_OPEN:
		return do_open(a, operation);
	case KIND_LIST:
		return do_list(a);
	case KIND_EXEC:
		return do_exec(AT_FDCWD, a->path);
	case KIND_CHDIR:
		return done(chdir(a->path));
	case KIND_TRUNCATE:
		return done(truncate(a->path, operation->length));
	case KIND_MKDIR:
		return done(mkdirat(a->at, a->path, operation->mode));
	case KIND_RMDIR:
		return done(unlinkat(a->at, a->path, AT_REMOVEDIR));
	case KIND_UNLINK:
		return done(unlinkat(a->at, a->path, 0));
	case KIND_MKNOD:
		return do_mknod(a, operation->mode);
	case KIND_BIND:
		return do_bind(a);
	case KIND_PROGRAM:
		return do_program(hands, a);
	default:
		return do_look(operation, a);
	}
}

struct reply perform(const struct hands *hands, const struct operation *operation)
{
	unsigned int takes = kind_takes(operation->kind);
	struct spelled a = spell(hands, &operation->a, takes & TAKES_PLAIN);
	struct spelled b = spell(hands, &operation->b, takes & TAKES_PLAIN);

	if (takes & TAKES_B)
		return do_two(operation, &a, &b);
	if (takes & TAKES_A)
		return do_one(hands, operation, &a);
	if (operation->kind == KIND_EXEC_FD)
		return do_exec(slot_fd(operation->slot), "");
	return do_descriptor(operation);
}

int work(int argc, char **argv)
{
	struct hands hands = { argc > 1 ? argv[1] : "", NULL };
	struct reply reply = { 0, getpid() };
	struct operation operation;

	signal(SIGPIPE, SIG_IGN);
	umask(022);
	/* A program that is run must not hold the channel. */
	if (chdir(hands.top) != 0 || fcntl(WORKER_CHANNEL, F_SETFD, FD_CLOEXEC) != 0)
		return 1;
	while (write(WORKER_CHANNEL, &reply, sizeof reply) == sizeof reply &&
	       read(WORKER_CHANNEL, &operation, sizeof operation) == sizeof operation)
		reply = perform(&hands, &operation);
	return 0;
}
