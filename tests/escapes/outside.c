/* outside.c: see outside.h.
 * Nothing here is confined, nothing outlives the launch that it was made for, and nothing may need
 * more than an ordinary user has. */
#include "outside.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <mqueue.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <linux/fs.h>
#include <termios.h>
#include <unistd.h>

#include "../check.h"
#include "../program.h"
#include "witness.h"

static char memory[16] = MEMORY;

/* ---- Files ---- */

static void make_files(const struct outside *outside)
{
	static const char *const directories[] = { "one", "two", "spool" };
	static const char *const files[] = { "file", "linked", "account" };

	for (size_t i = 0; i < sizeof directories / sizeof directories[0]; i++)
		REQUIRE(mkdir(check_format("%s/%s", outside->directory, directories[i]), 0755) ==
			0);
	for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
		file_write(check_format("%s/%s", outside->directory, files[i]), CONTENT, 0644);
	/* Set-user-ID, which a change of the group takes away, be it the same group. */
	file_write(check_format("%s/other", outside->directory), CONTENT, 04755);
	file_write(check_format("%s/own", outside->workspace), CONTENT, 0644);
	REQUIRE(link(check_format("%s/linked", outside->directory),
		     check_format("%s/linked", outside->workspace)) == 0);
	REQUIRE(symlink("file", check_format("%s/link", outside->directory)) == 0);
	REQUIRE(mkfifo(check_format("%s/pipe", outside->directory), 0644) == 0);
	/* Where there are no extended attributes, those who set them say so. */
	setxattr(check_format("%s/other", outside->directory), "user.there", "x", 1, 0);
}

/* Two places that are not of this launch alone. */
static const char *in_tmp(const struct outside *outside)
{
	return check_format("/tmp/%s", outside->name);
}

static const char *in_shared_memory(const struct outside *outside)
{
	return check_format("/dev/shm/%s", outside->name);
}

static void make_shared_files(const struct outside *outside)
{
	if (access("/tmp", W_OK) == 0) {
		file_write(in_tmp(outside), CONTENT, 0644);
		check_remove_later(in_tmp(outside));
	}
	if (access("/dev/shm", W_OK) == 0) {
		file_write(in_shared_memory(outside), CONTENT, 0644);
		check_remove_later(in_shared_memory(outside));
	}
}

/* ---- Objects without a path ---- */

static const char *queue_name(const struct outside *outside)
{
	return check_format("/%s", outside->name);
}

static void make_objects(struct outside *outside)
{
	struct mq_attr attributes = { .mq_maxmsg = 1, .mq_msgsize = 1 };
	mqd_t queue = mq_open(queue_name(outside), O_RDWR | O_CREAT | O_EXCL, 0600, &attributes);

	if (queue >= 0)
		mq_close(queue);
	outside->segment = (unsigned long)shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600);
	outside->semaphore = (unsigned long)semget(IPC_PRIVATE, 1, IPC_CREAT | 0600);
	outside->queue = (unsigned long)msgget(IPC_PRIVATE, IPC_CREAT | 0600);
}

static void remove_objects(const struct outside *outside)
{
	mq_unlink(queue_name(outside));
	shmctl((int)outside->segment, IPC_RMID, NULL);
	semctl((int)outside->semaphore, 0, IPC_RMID);
	msgctl((int)outside->queue, IPC_RMID, NULL);
}

static void make_terminal(struct outside *outside)
{
	static char name[64];
	struct termios settings;

	outside->terminal = "";
	outside->slave = -1;
	outside->master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (outside->master < 0 || grantpt(outside->master) != 0 ||
	    unlockpt(outside->master) != 0 || ptsname_r(outside->master, name, sizeof name) != 0)
		return;
	outside->slave = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
	if (outside->slave < 0 || tcgetattr(outside->slave, &settings) != 0)
		return;
	/* A byte that is typed is there at once, and not shown. */
	cfmakeraw(&settings);
	if (tcsetattr(outside->slave, TCSANOW, &settings) == 0)
		outside->terminal = name;
}

/* ---- All of it ---- */

void outside_make(struct outside *outside)
{
	static unsigned int launches;
	const char *base = check_outside_tmp();

	outside->directory = check_format("%s/outside", base);
	outside->workspace = check_format("%s/workspace", base);
	outside->name = check_format("landlock-run-escape-%d-%u", getpid(), launches++);
	REQUIRE(mkdir(outside->directory, 0755) == 0 && mkdir(outside->workspace, 0755) == 0);
	make_files(outside);
	make_shared_files(outside);
	make_objects(outside);
	make_terminal(outside);
	outside->memory = (unsigned long)memory;
	witness_start(outside, memory);
}

void outside_end(struct outside *outside)
{
	kill((pid_t)outside->process, SIGKILL);
	waitpid((pid_t)outside->process, NULL, 0);
	remove_objects(outside);
	close(outside->master);
	close(outside->slave);
}

/* ---- What is to be seen of it ---- */

static uint64_t seen;

static void see(const void *bytes, size_t length)
{
	const unsigned char *byte = bytes;

	for (size_t i = 0; i < length; i++)
		seen = (seen ^ byte[i]) * 1099511628211U;
}

static void see_content(const char *path)
{
	char bytes[4096];
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOATIME), flags = 0;
	ssize_t length;

	if (fd < 0)
		return;
	while ((length = read(fd, bytes, sizeof bytes)) > 0)
		see(bytes, (size_t)length);
	ioctl(fd, FS_IOC_GETFLAGS, &flags);
	see(&flags, sizeof flags);
	close(fd);
}

/* Attributes of security modules come and go by themselves. */
static void see_attributes(const char *path)
{
	char names[1024], value[256];
	ssize_t length = llistxattr(path, names, sizeof names), size;

	for (ssize_t at = 0; at < length; at += (ssize_t)strlen(names + at) + 1) {
		if (strncmp(names + at, "security.", 9) == 0)
			continue;
		see(names + at, strlen(names + at));
		size = lgetxattr(path, names + at, value, sizeof value);
		see(value, size > 0 ? (size_t)size : 0);
	}
}

static int see_entry(const char *path, const struct stat *status, int type, struct FTW *walk)
{
	(void)type;
	(void)walk;
	see(path, strlen(path));
	see(&status->st_mode, sizeof status->st_mode);
	see(&status->st_uid, sizeof status->st_uid);
	see(&status->st_gid, sizeof status->st_gid);
	see(&status->st_nlink, sizeof status->st_nlink);
	see(&status->st_mtim, sizeof status->st_mtim);
	see_attributes(path);
	if (S_ISREG(status->st_mode))
		see_content(path);
	return 0;
}

uint64_t outside_trace(const struct outside *outside)
{
	const char *const paths[] = { outside->directory, in_tmp(outside),
				      in_shared_memory(outside) };

	seen = 14695981039346656037U;
	for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++)
		nftw(paths[i], see_entry, 16, FTW_PHYS);
	return seen;
}

/* ---- Handing it to an attempt ---- */

enum word { DIRECTORY, WORKSPACE, NAME, TERMINAL, NUMBERS };

const char *const *outside_words(const struct outside *outside)
{
	static const char *words[32];
	size_t count = NUMBERS;

	words[DIRECTORY] = outside->directory;
	words[WORKSPACE] = outside->workspace;
	words[NAME] = outside->name;
	words[TERMINAL] = outside->terminal;
#define NUMBER(number) words[count++] = check_format("%lu", outside->number);
	OUTSIDE_NUMBERS(NUMBER)
#undef NUMBER
	words[count] = NULL;
	return words;
}

bool outside_read(struct outside *outside, char **words, int count)
{
	int at = NUMBERS;

	memset(outside, 0, sizeof *outside);
#define NUMBER(number) \
	outside->number = at < count ? strtoul(words[at], NULL, 10) : 0; \
	at++;
	OUTSIDE_NUMBERS(NUMBER)
#undef NUMBER
	if (at != count)
		return false;
	outside->directory = words[DIRECTORY];
	outside->workspace = words[WORKSPACE];
	outside->name = words[NAME];
	outside->terminal = words[TERMINAL];
	return true;
}
