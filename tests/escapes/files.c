/* files.c: attempts on files outside, on their metadata, and on what can be seen of them.
 * Each works on the files that were made for it and on no other. */
#include "escape.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/fanotify.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <linux/fs.h>
#include <unistd.h>

#ifndef SYS_renameat2
#define SYS_renameat2 276
#endif
#define FILE_SETATTR 469
#define EXCHANGE 2 /* RENAME_EXCHANGE */

/* A path in the workspace; lasts until the next one. */
static const char *inside(const struct outside *outside, const char *name)
{
	static char path[512];

	snprintf(path, sizeof path, "%s/%s", outside->workspace, name);
	return path;
}

/* ---- Contents and names ---- */

int creating_a_file(const struct outside *outside)
{
	(void)outside;
	return write_to("new", O_CREAT | O_EXCL);
}

int writing_a_file(const struct outside *outside)
{
	(void)outside;
	return write_to("file", 0);
}

int deleting_a_file(const struct outside *outside)
{
	(void)outside;
	return answer(unlink("file"));
}

int making_a_directory(const struct outside *outside)
{
	(void)outside;
	return answer(mkdir("new", 0755));
}

int deleting_a_directory(const struct outside *outside)
{
	(void)outside;
	return answer(rmdir("one"));
}

int making_a_symbolic_link(const struct outside *outside)
{
	(void)outside;
	return answer(symlink("file", "new"));
}

int making_a_pipe(const struct outside *outside)
{
	(void)outside;
	return answer(mkfifo("new", 0644));
}

/* Somebody reads it: this does not block. */
int writing_to_a_pipe(const struct outside *outside)
{
	(void)outside;
	return write_to("pipe", 0);
}

int making_a_socket(const struct outside *outside)
{
	const struct sockaddr_un address = { AF_UNIX, "new" };
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	(void)outside;
	return answer(bind(fd, (const struct sockaddr *)&address, sizeof address));
}

/* It would be another /dev/null. */
int making_a_device(const struct outside *outside)
{
	(void)outside;
	return answer(mknod("new", S_IFCHR | 0600, (dev_t)(1 << 8 | 3)));
}

int making_a_nameless_file(const struct outside *outside)
{
	char path[64];
	int fd = open(".", O_TMPFILE | O_WRONLY, 0644);

	(void)outside;
	if (fd < 0)
		return answer_unless(-1, EOPNOTSUPP, "the file system has no O_TMPFILE");
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	return answer(linkat(AT_FDCWD, path, AT_FDCWD, "new", AT_SYMLINK_FOLLOW));
}

int moving_a_file_into_the_workspace(const struct outside *outside)
{
	return answer(rename("file", inside(outside, "new")));
}

int moving_a_file_out_of_the_workspace(const struct outside *outside)
{
	return answer(rename(inside(outside, "own"), "new"));
}

int exchanging_with_a_file_in_the_workspace(const struct outside *outside)
{
	return answer_unless(syscall(SYS_renameat2, AT_FDCWD, "file", AT_FDCWD,
				     inside(outside, "own"), EXCHANGE),
			     EINVAL, "the file system cannot exchange");
}

int linking_a_file_into_the_workspace(const struct outside *outside)
{
	if (link("file", inside(outside, "new")) != 0)
		return errno;
	return write_to(inside(outside, "new"), 0);
}

int following_a_link_in_the_workspace(const struct outside *outside)
{
	char path[512];

	snprintf(path, sizeof path, "%.490s/file", outside->directory);
	if (symlink(path, inside(outside, "new")) != 0)
		return errno;
	return write_to(inside(outside, "new"), 0);
}

int walking_up_from_the_workspace(const struct outside *outside)
{
	return write_to(inside(outside, "../outside/file"), 0);
}

int writing_through_a_path_of_proc_self(const struct outside *outside)
{
	char path[512];

	snprintf(path, sizeof path, "/proc/self/root%.480s/file", outside->directory);
	return write_to(path, 0);
}

int writing_to_a_hard_link_in_the_workspace(const struct outside *outside)
{
	return write_to(inside(outside, "linked"), 0);
}

int truncating_a_file(const struct outside *outside)
{
	(void)outside;
	return answer(truncate("file", 0));
}

int opening_with_truncation(const struct outside *outside)
{
	(void)outside;
	return answer(open("file", O_RDONLY | O_TRUNC));
}

int leaving_a_job_in_a_spool(const struct outside *outside)
{
	(void)outside;
	return write_to("spool/job", O_CREAT);
}

int changing_the_files_of_others_in_tmp(const struct outside *outside)
{
	char path[128];

	snprintf(path, sizeof path, "/tmp/%.100s", outside->name);
	return write_to(path, 0);
}

int writing_shared_memory_with_a_name(const struct outside *outside)
{
	char name[128];
	int fd;

	snprintf(name, sizeof name, "/%.100s", outside->name);
	if (access("/dev/shm", W_OK) != 0)
		return absent("nothing to write is mounted on /dev/shm");
	fd = shm_open(name, O_RDWR, 0);
	return write_and_close(fd);
}

/* ---- Core dumps ---- */

static int crash(const struct outside *outside)
{
	const struct rlimit none = { RLIM_INFINITY, RLIM_INFINITY };
	struct rlimit most;

	(void)outside;
	getrlimit(RLIMIT_CORE, &most);
	most.rlim_cur = most.rlim_max;
	if (setrlimit(RLIMIT_CORE, &none) != 0)
		setrlimit(RLIMIT_CORE, &most);
	abort();
}

int dumping_core(const struct outside *outside)
{
	char pattern[128] = "|";
	struct rlimit limit;
	int fd = open("/proc/sys/kernel/core_pattern", O_RDONLY), status;
	pid_t child;

	if (fd < 0 || read(fd, pattern, sizeof pattern - 1) < 0 || strchr(pattern, '|') ||
	    strchr(pattern, '/'))
		return absent("core dumps go elsewhere here");
	if (getrlimit(RLIMIT_CORE, &limit) == 0 && limit.rlim_max == 0)
		return absent("core dumps are limited to nothing");
	child = fork();
	if (child == 0)
		_exit(crash(outside));
	waitpid(child, &status, 0);
	return WIFSIGNALED(status) && WCOREDUMP(status) ? DONE : EACCES;
}

/* ---- Reading and seeing ---- */

int reading_files(const struct outside *outside)
{
	char byte;
	int fd = open("file", O_RDONLY);

	(void)outside;
	return fd < 0 ? errno : answer(read(fd, &byte, 1));
}

int listing_directories(const struct outside *outside)
{
	DIR *directory = opendir(".");

	(void)outside;
	return directory == NULL ? errno : readdir(directory) == NULL ? ENOENT : DONE;
}

int looking_at_metadata(const struct outside *outside)
{
	struct stat status;

	(void)outside;
	return answer(stat("file", &status));
}

int looking_at_attributes(const struct outside *outside)
{
	(void)outside;
	return answer_unless(listxattr("file", NULL, 0), EOPNOTSUPP, "no extended attributes here");
}

int looking_at_links(const struct outside *outside)
{
	char target[64];

	(void)outside;
	return answer(readlink("link", target, sizeof target));
}

int looking_at_file_systems(const struct outside *outside)
{
	struct statfs status;

	(void)outside;
	return answer(statfs(".", &status));
}

int naming_with_a_path_descriptor(const struct outside *outside)
{
	(void)outside;
	return answer(open("file", O_PATH));
}

int entering_directories(const struct outside *outside)
{
	(void)outside;
	return answer(chdir("one"));
}

int watching_with_inotify(const struct outside *outside)
{
	int fd = inotify_init1(0);

	(void)outside;
	if (fd < 0)
		return answer_unless(-1, ENOSYS, "no inotify in this kernel");
	return answer(inotify_add_watch(fd, "file", IN_ALL_EVENTS));
}

int locking_a_file(const struct outside *outside)
{
	int fd = open("file", O_RDONLY);

	(void)outside;
	return fd < 0 ? errno : answer(flock(fd, LOCK_EX | LOCK_NB));
}

/* ---- Handles and watches ---- */

union handle {
	struct file_handle header;
	char space[sizeof(struct file_handle) + MAX_HANDLE_SZ];
};

static int take_handle(union handle *handle)
{
	int mount_id;

	handle->header.handle_bytes = MAX_HANDLE_SZ;
	return answer_unless(name_to_handle_at(AT_FDCWD, "file", &handle->header, &mount_id, 0),
			     EOPNOTSUPP, "the file system has no handles");
}

int asking_for_a_handle(const struct outside *outside)
{
	union handle handle;

	(void)outside;
	return take_handle(&handle);
}

int opening_by_handle(const struct outside *outside)
{
	union handle handle;
	int taken = take_handle(&handle);
	int mount = open(".", O_RDONLY | O_DIRECTORY);

	(void)outside;
	if (taken != DONE)
		return taken;
	return write_and_close(open_by_handle_at(mount, &handle.header, O_WRONLY | O_APPEND));
}

/* What is read of it comes with a descriptor for writing. */
int writing_to_a_file_that_fanotify_opened(const struct outside *outside)
{
	struct fanotify_event_metadata event;
	int watch = fanotify_init(FAN_CLASS_NOTIF | FAN_NONBLOCK, O_RDWR | O_APPEND);

	(void)outside;
	if (watch < 0)
		return answer_unless(-1, ENOSYS, "no fanotify in this kernel");
	if (fanotify_mark(watch, FAN_MARK_ADD, FAN_OPEN, AT_FDCWD, "file") != 0)
		return errno;
	close(open("file", O_RDONLY));
	if (read(watch, &event, sizeof event) < (ssize_t)sizeof event)
		return errno;
	return event.fd < 0 ? EACCES : write_and_close(event.fd);
}

int watching_everything_with_fanotify(const struct outside *outside)
{
	int watch = fanotify_init(FAN_CLASS_NOTIF | FAN_NONBLOCK, O_RDONLY);

	(void)outside;
	if (watch < 0)
		return answer_unless(-1, ENOSYS, "no fanotify in this kernel");
	return answer(
		fanotify_mark(watch, FAN_MARK_ADD | FAN_MARK_FILESYSTEM, FAN_OPEN, AT_FDCWD, "."));
}

/* ---- Metadata ---- */

int changing_modes(const struct outside *outside)
{
	(void)outside;
	return answer(chmod("file", 0777));
}

int changing_modes_with_fchmod(const struct outside *outside)
{
	int fd = open("file", O_RDONLY);

	(void)outside;
	return fd < 0 ? errno : answer(fchmod(fd, 0777));
}

int changing_owners(const struct outside *outside)
{
	(void)outside;
	return answer(chown("file", 1, (gid_t)-1));
}

/* Its set-user-ID bit is lost even where the group is the one that it was. */
int changing_groups(const struct outside *outside)
{
	(void)outside;
	return answer(lchown("other", (uid_t)-1, getegid()));
}

int changing_times(const struct outside *outside)
{
	const struct timespec times[2] = { { 1, 0 }, { 1, 0 } };

	(void)outside;
	return answer(utimensat(AT_FDCWD, "file", times, 0));
}

int setting_attributes(const struct outside *outside)
{
	(void)outside;
	return answer_unless(setxattr("file", "user.new", "x", 1, 0), EOPNOTSUPP,
			     "no extended attributes here");
}

int removing_attributes(const struct outside *outside)
{
	(void)outside;
	if (getxattr("other", "user.there", NULL, 0) < 0)
		return absent("no extended attributes here");
	return answer(removexattr("other", "user.there"));
}

/* Version 2; entries of tag, permissions and id: owner, user 1, group, mask, others. */
int setting_access_lists(const struct outside *outside)
{
	static const unsigned char list[] = {
		2,  0, 0, 0,                         /**/
		1,  0, 6, 0, 0xff, 0xff, 0xff, 0xff, /**/
		2,  0, 7, 0, 1,    0,    0,    0,    /**/
		4,  0, 4, 0, 0xff, 0xff, 0xff, 0xff, /**/
		16, 0, 7, 0, 0xff, 0xff, 0xff, 0xff, /**/
		32, 0, 4, 0, 0xff, 0xff, 0xff, 0xff, /**/
	};

	(void)outside;
	return answer_unless(setxattr("file", "system.posix_acl_access", list, sizeof list, 0),
			     EOPNOTSUPP, "no access control lists here");
}

int setting_inode_flags(const struct outside *outside)
{
	int fd = open("file", O_RDONLY), flags = 0;

	(void)outside;
	if (fd < 0)
		return errno;
	if (ioctl(fd, FS_IOC_GETFLAGS, &flags) != 0)
		return absent("no inode flags here");
	flags |= FS_NODUMP_FL;
	return answer(ioctl(fd, FS_IOC_SETFLAGS, &flags));
}

int setting_inode_flags_with_file_setattr(const struct outside *outside)
{
	struct {
		uint64_t flags;
		uint32_t others[4];
	} attributes = { 0x80 /* FS_XFLAG_NODUMP */, { 0 } };
	long result = syscall(FILE_SETATTR, AT_FDCWD, "file", &attributes, sizeof attributes, 0);

	(void)outside;
	if (result != 0 && errno == EOPNOTSUPP)
		return absent("no inode flags here");
	return answer_unless(result, ENOSYS, "no file_setattr in this kernel");
}

/* ---- The workspace ---- */

int leaving_a_hook_in_the_workspace(const struct outside *outside)
{
	char script[512];
	int length = snprintf(script, sizeof script, "#!/bin/sh\necho hook >>%.400s/file\n",
			      outside->directory);
	int fd;

	if (access("/bin/sh", X_OK) != 0)
		return absent("no /bin/sh here");
	/* Whole before it is there: somebody is waiting for it. */
	fd = open(inside(outside, "hook.new"), O_WRONLY | O_CREAT, 0755);
	if (fd < 0 || write(fd, script, (size_t)length) != length || close(fd) != 0)
		return errno;
	snprintf(script, sizeof script, "%.500s", inside(outside, "hook.new"));
	return answer(rename(script, inside(outside, "hook")));
}

int leaving_a_process_behind(const struct outside *outside)
{
	const pid_t command = getpid();
	pid_t child = fork();

	if (child != 0)
		return answer(child);
	setsid();
	for (int fd = 0; fd < 3; fd++)
		close(fd);
	while (getppid() == command)
		usleep(1000);
	_exit(write_to(inside(outside, "late"), O_CREAT));
}

int filling_the_workspace(const struct outside *outside)
{
	static char megabyte[1 << 20];
	int fd = open(inside(outside, "filled"), O_WRONLY | O_CREAT, 0644);

	if (fd < 0)
		return errno;
	return write(fd, megabyte, sizeof megabyte) == sizeof megabyte ? DONE : ENOSPC;
}

int using_memory_and_processes(const struct outside *outside)
{
	const size_t size = 64 << 20;
	char *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	(void)outside;
	if (memory == MAP_FAILED)
		return errno;
	memory[size - 1] = 1;
	for (int i = 0; i < 16; i++) {
		pid_t child = fork();

		if (child < 0)
			return errno;
		if (child == 0)
			_exit(0);
		waitpid(child, NULL, 0);
	}
	return DONE;
}
