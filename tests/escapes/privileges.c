/* privileges.c: attempts that need privileges, on devices, settings and the kernel itself.
 * None may change anything on the machine: each stops at an argument that cannot be right, once the
 * kernel has let it through, or opens what it then leaves alone. */
#include "escape.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/quota.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/swap.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <linux/bpf.h>
#include <linux/fs.h>
#include <linux/loop.h>
#include <unistd.h>

#ifndef SYS_quotactl_fd
#define SYS_quotactl_fd 443
#endif

/* A call that was let through ends with that errno; a kernel without it says ENOSYS. */
static int let_through(long result, int at_last, const char *lacking)
{
	if (result < 0 && errno == at_last)
		return DONE;
	return answer_unless(result, ENOSYS, lacking);
}

/* ---- Devices ---- */

static int open_only(const char *path, int flags)
{
	int fd = open(path, flags | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);

	if (fd < 0 && errno == EROFS)
		return absent("it is mounted read-only");
	return fd < 0 ? errno : answer(close(fd));
}

int writing_to_a_device(const struct outside *outside)
{
	(void)outside;
	return open_only("/dev/zero", O_WRONLY);
}

int writing_to_the_memory_device(const struct outside *outside)
{
	(void)outside;
	return access("/dev/mem", F_OK) != 0 ? absent("no /dev/mem here")
					     : open_only("/dev/mem", O_RDWR);
}

/* A disk, one with nothing in it if possible; NULL where there is none. */
static const char *disk(void)
{
	static const char *const names[] = {
		"/dev/ram0", "/dev/loop0", "/dev/zram0",   "/dev/vda",
		"/dev/sda",  "/dev/xvda",  "/dev/nvme0n1", "/dev/mmcblk0",
	};

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		if (access(names[i], F_OK) == 0)
			return names[i];
	return NULL;
}

int writing_to_a_disk(const struct outside *outside)
{
	const char *path = disk();

	(void)outside;
	return path == NULL ? absent("no disks here") : open_only(path, O_WRONLY);
}

int reading_a_disk(const struct outside *outside)
{
	const char *path = disk();

	(void)outside;
	return path == NULL ? absent("no disks here") : open_only(path, O_RDONLY);
}

/* No device has such a request for /dev/zero: it says so itself. */
int controlling_a_device(const struct outside *outside)
{
	int fd = open("/dev/zero", O_RDONLY), count;

	(void)outside;
	return fd < 0 ? errno : let_through(ioctl(fd, FIONREAD, &count), ENOTTY, "");
}

/* To take away a loop device that there is not. */
int controlling_loop_devices(const struct outside *outside)
{
	const int none = 1 << 19;
	int fd = open("/dev/loop-control", O_RDONLY);

	(void)outside;
	if (fd < 0)
		return answer_unless(-1, ENOENT, "no loop devices here");
	return let_through(ioctl(fd, LOOP_CTL_REMOVE, none), ENODEV, "");
}

/* Another /dev/zero, which may be written to though the first may not. */
int making_a_device_in_the_workspace(const struct outside *outside)
{
	struct statvfs status;
	char path[512];

	snprintf(path, sizeof path, "%.500s/zero", outside->workspace);
	if (statvfs(outside->workspace, &status) == 0 && status.f_flag & ST_NODEV)
		return absent("devices are switched off on this file system");
	if (mknod(path, S_IFCHR | 0600, (dev_t)(1 << 8 | 5)) != 0)
		return errno;
	return open_only(path, O_WRONLY);
}

/* ---- Settings ---- */

int writing_to_proc_sys(const struct outside *outside)
{
	(void)outside;
	return open_only("/proc/sys/kernel/core_pattern", O_WRONLY);
}

int writing_to_sys(const struct outside *outside)
{
	static const char *const files[] = {
		"/sys/kernel/mm/transparent_hugepage/enabled",
		"/sys/kernel/uevent_seqnum",
		"/sys/power/state",
		"/sys/devices/system/cpu/online",
		"/sys/module/kernel/parameters/consoleblank",
	};
	struct stat status;

	(void)outside;
	for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
		if (stat(files[i], &status) == 0 && status.st_mode & S_IWUSR)
			return open_only(files[i], O_WRONLY);
	return absent("nothing to write in /sys is known here");
}

int writing_to_a_cgroup(const struct outside *outside)
{
	static const char *const places[] = { "/sys/fs/cgroup", "/sys/fs/cgroup/unified",
					      "/sys/fs/cgroup/pids", "/sys/fs/cgroup/systemd" };
	char path[128];

	(void)outside;
	for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
		snprintf(path, sizeof path, "%s/cgroup.procs", places[i]);
		if (access(path, F_OK) == 0)
			return open_only(path, O_WRONLY);
	}
	return absent("no control groups are mounted here");
}

/* The file does not say that it is for swapping. */
int swapping_to_a_file(const struct outside *outside)
{
	(void)outside;
	return let_through(swapon("file", 0), EINVAL, "no swapping in this kernel");
}

static int account(const struct outside *outside)
{
	(void)outside;
	return answer_unless(acct("account"), ENOSYS, "no accounting in this kernel");
}

/* In a process namespace of its own, of which alone the ends of processes are written down. */
int accounting_to_a_file(const struct outside *outside)
{
	if (unshare(CLONE_NEWPID) != 0)
		return errno;
	return in_child(account, outside);
}

/* ---- The kernel ---- */

int loading_bpf(const struct outside *outside)
{
	union bpf_attr attributes = {
		.map_type = BPF_MAP_TYPE_LRU_HASH, .key_size = 4, .value_size = 4, .max_entries = 1
	};

	(void)outside;
	return answer_unless(syscall(SYS_bpf, BPF_MAP_CREATE, &attributes, sizeof attributes),
			     ENOSYS, "no bpf in this kernel");
}

int loading_a_module(const struct outside *outside)
{
	(void)outside;
	return let_through(syscall(SYS_init_module, "", 0UL, ""), ENOEXEC,
			   "no modules in this kernel");
}

int unloading_a_module(const struct outside *outside)
{
	(void)outside;
	return let_through(syscall(SYS_delete_module, "no_such_module", 0U), ENOENT,
			   "no modules in this kernel");
}

/* With flags that there are not. */
int loading_another_kernel(const struct outside *outside)
{
	(void)outside;
	return let_through(syscall(SYS_kexec_load, 0UL, 1UL, NULL, 0xff00UL), EINVAL,
			   "no kexec in this kernel");
}

/* Without the numbers that make it happen. */
int rebooting(const struct outside *outside)
{
	(void)outside;
	return let_through(syscall(SYS_reboot, 0, 0, 0, NULL), EINVAL, "no reboot in this kernel");
}

int using_ports_of_the_machine(const struct outside *outside)
{
	(void)outside;
#if defined __x86_64__ || defined __i386__
	return answer_unless(syscall(SYS_ioperm, 0x80UL, 1UL, 1), ENOSYS,
			     "no ports in this kernel");
#else
	return absent("this architecture has no ports");
#endif
}

/* Neither a time nor a zone is given. */
int changing_the_clock(const struct outside *outside)
{
	(void)outside;
	return answer(syscall(SYS_settimeofday, NULL, NULL));
}

int asking_for_quotas(const struct outside *outside)
{
	struct dqblk quota;
	int fd = open(".", O_RDONLY | O_DIRECTORY);
	long result = syscall(SYS_quotactl_fd, fd, QCMD(Q_GETQUOTA, USRQUOTA), 1, &quota);

	(void)outside;
	if (result < 0 && (errno == EINVAL || errno == EOPNOTSUPP))
		return absent("the file system has no quotas");
	return let_through(result, ESRCH, "no quotas in this kernel, or on this file system");
}

/* ---- A file system of our own ---- */

static int run_quietly(const char *const *words)
{
	int status;
	pid_t child = fork();

	if (child == 0) {
		int null = open("/dev/null", O_WRONLY);

		dup2(null, STDOUT_FILENO);
		dup2(null, STDERR_FILENO);
		execvp(words[0], (char *const *)words);
		_exit(127);
	}
	waitpid(child, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : ENOMSG;
}

/* Ties a free loop device to the file until nothing uses it any more; its path, or NULL. */
static const char *loop_device(const char *file)
{
	static char path[64];
	struct loop_info64 settings = { .lo_flags = LO_FLAGS_AUTOCLEAR };
	int control = open("/dev/loop-control", O_RDWR | O_CLOEXEC), device;
	int image = open(file, O_RDWR | O_CLOEXEC);
	int number = ioctl(control, LOOP_CTL_GET_FREE);

	snprintf(path, sizeof path, "/dev/loop%d", number);
	device = open(path, O_RDWR | O_CLOEXEC);
	if (number < 0 || image < 0 || ioctl(device, LOOP_SET_FD, image) != 0)
		return NULL;
	/* Open until the launch: it is mounted by then. */
	return ioctl(device, LOOP_SET_STATUS64, &settings) == 0 ? path : NULL;
}

/* Btrfs at `one`, in a mount namespace that ends with the launch, and with it the device. */
int with_btrfs(const struct outside *outside)
{
	static const char *const make[] = { "mkfs.btrfs", "-q", "-M", "image", NULL };
	const off_t size = 64 << 20;
	const char *device;
	int image, made;

	(void)outside;
	if (geteuid() != 0)
		return absent("only root can mount a Btrfs to try it on");
	image = open("image", O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	if (unshare(CLONE_NEWNS) != 0 || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
	    image < 0 || ftruncate(image, size) != 0)
		return errno;
	made = run_quietly(make);
	if (made == 127)
		return absent("needs mkfs.btrfs");
	device = made == 0 ? loop_device("image") : NULL;
	if (device == NULL)
		return absent("no Btrfs, or no loop device for it, can be made here");
	return answer_unless(mount(device, "one", "btrfs", 0, NULL), ENODEV,
			     "no Btrfs in this kernel");
}

/* BTRFS_IOC_SUBVOL_CREATE, whose header is not everywhere. */
int making_a_btrfs_subvolume(const struct outside *outside)
{
	struct {
		int64_t fd;
		char name[4088];
	} arguments = { 0, "subvolume" };
	struct stat status;
	int fd = open("one", O_RDONLY | O_DIRECTORY);

	(void)outside;
	if (fd < 0 || ioctl(fd, _IOW(0x94, 14, arguments), &arguments) != 0)
		return errno;
	return answer(stat("one/subvolume", &status));
}

int freezing_a_file_system(const struct outside *outside)
{
	int fd = open("one", O_RDONLY | O_DIRECTORY);

	(void)outside;
	if (fd < 0 || ioctl(fd, FIFREEZE, 0) != 0)
		return errno;
	return answer(ioctl(fd, FITHAW, 0));
}
