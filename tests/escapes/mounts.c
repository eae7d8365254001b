/* mounts.c: attempts on mounts, on the root directory and on namespaces.
 * As root they are made in a mount namespace of their own: the host's mounts are never touched. */
#include "escape.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The same numbers on every architecture here; some headers lack them. */
enum {
	OPEN_TREE = 428,
	MOVE_MOUNT = 429,
	FSOPEN = 430,
	FSCONFIG = 431,
	FSMOUNT = 432,
	FSPICK = 433,
	MOUNT_SETATTR = 442,
};

enum {
	CREATE = 6,      /* FSCONFIG_CMD_CREATE */
	RECONFIGURE = 7, /* FSCONFIG_CMD_RECONFIGURE */
	CLONE = 1,       /* OPEN_TREE_CLONE */
	FROM_EMPTY = 4,  /* MOVE_MOUNT_F_EMPTY_PATH */
	READ_ONLY = 1,   /* MOUNT_ATTR_RDONLY */
};

static const char *const lacking = "no mount calls on descriptors in this kernel";

/* A mount of its own at `one`, in a namespace that shares nothing back. */
int with_mounts(const struct outside *outside)
{
	(void)outside;
	if (unshare(CLONE_NEWNS) != 0 || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0)
		return errno;
	return answer(mount("one", "one", "tmpfs", 0, "size=64k"));
}

int with_host_name(const struct outside *outside)
{
	(void)outside;
	return answer(unshare(CLONE_NEWUTS));
}

/* ---- The old calls ---- */

int mounting(const struct outside *outside)
{
	(void)outside;
	return answer(mount("two", "two", "tmpfs", 0, "size=64k"));
}

int binding(const struct outside *outside)
{
	return answer(mount(outside->workspace, "two", NULL, MS_BIND, NULL));
}

int remounting(const struct outside *outside)
{
	(void)outside;
	return answer(mount(NULL, "one", NULL, MS_REMOUNT | MS_RDONLY, NULL));
}

int unmounting(const struct outside *outside)
{
	(void)outside;
	return answer(umount2("one", MNT_DETACH));
}

int pivoting_the_root(const struct outside *outside)
{
	(void)outside;
	if (chdir("one") != 0)
		return errno;
	return answer_unless(syscall(SYS_pivot_root, ".", "."), EINVAL,
			     "the root is the first one, which stays");
}

int writing_after_chroot(const struct outside *outside)
{
	return chroot(outside->directory) != 0 ? errno : write_to("/file", 0);
}

/* ---- The new calls ---- */

/* A file system that is attached nowhere; -1 with errno. */
static int detached(void)
{
	int context = (int)syscall(FSOPEN, "tmpfs", 0);

	if (context < 0 || syscall(FSCONFIG, context, CREATE, NULL, NULL, 0) != 0)
		return -1;
	return (int)syscall(FSMOUNT, context, 0, 0);
}

int moving_a_new_mount(const struct outside *outside)
{
	int made = detached();

	(void)outside;
	if (made < 0)
		return answer_unless(-1, ENOSYS, lacking);
	return answer(syscall(MOVE_MOUNT, made, "", AT_FDCWD, "two", FROM_EMPTY));
}

int writing_on_a_detached_mount(const struct outside *outside)
{
	int made = detached();

	(void)outside;
	if (made < 0)
		return answer_unless(-1, ENOSYS, lacking);
	return write_and_close(openat(made, "file", O_WRONLY | O_CREAT, 0644));
}

int writing_through_a_cloned_mount(const struct outside *outside)
{
	int made = (int)syscall(OPEN_TREE, AT_FDCWD, outside->directory, CLONE);

	if (made < 0)
		return answer_unless(-1, ENOSYS, lacking);
	return write_and_close(openat(made, "file", O_WRONLY | O_APPEND));
}

int reconfiguring_a_mount(const struct outside *outside)
{
	int context = (int)syscall(FSPICK, AT_FDCWD, "one", 0);

	(void)outside;
	if (context < 0)
		return answer_unless(-1, ENOSYS, lacking);
	return answer(syscall(FSCONFIG, context, RECONFIGURE, NULL, NULL, 0));
}

int freezing_a_mount(const struct outside *outside)
{
	const uint64_t attributes[4] = { READ_ONLY };

	(void)outside;
	return answer_unless(
		syscall(MOUNT_SETATTR, AT_FDCWD, "one", 0, attributes, sizeof attributes), ENOSYS,
		"no mount_setattr in this kernel");
}

/* ---- Namespaces ---- */

static int enter_user_namespace(int others)
{
	if (unshare(CLONE_NEWUSER | others) == 0)
		return DONE;
	/* These are how systems keep them from ordinary users. */
	if (errno == EPERM || errno == EACCES || errno == ENOSPC || errno == EINVAL ||
	    errno == ENOSYS)
		return absent("user namespaces are not to be had here");
	return errno;
}

int making_a_user_namespace(const struct outside *outside)
{
	int entered = enter_user_namespace(CLONE_NEWUTS);

	(void)outside;
	return entered != DONE ? entered : answer(sethostname("inside", 6));
}

int mounting_in_a_user_namespace(const struct outside *outside)
{
	int entered = enter_user_namespace(CLONE_NEWNS);

	(void)outside;
	return entered != DONE ? entered : answer(mount("two", "two", "tmpfs", 0, "size=64k"));
}

int writing_as_root_of_a_user_namespace(const struct outside *outside)
{
	int entered = enter_user_namespace(0);

	(void)outside;
	return entered != DONE ? entered : write_to("file", 0);
}

int changing_the_host_name(const struct outside *outside)
{
	(void)outside;
	return answer(sethostname("escape", 6));
}
