/* programs.c: attempts to run code that no grant lets run, or to run it with more than its caller
 * has. What is run says what it is, and does no more than append a byte to a file of the test's. */
#include "escape.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../check.h"

/* What code that was to be run ends with. */
#define RAN 42
#define NOBODY 65534

extern char **environ;

HELPER(ran)
{
	return RAN;
}

/* Whose rights a program has when it has been started: its own user's, or other ones. */
HELPER(other_user)
{
	return geteuid() != getuid() ? RAN : 1;
}

HELPER(append)
{
	return write_to("file", 0);
}

static char *const ran_words[] = { "program", "--helper", "ran", NULL };

/* What came of a child that execs and, if that fails, exits with the errno. */
static int outcome(pid_t child)
{
	int status;

	if (child < 0 || waitpid(child, &status, 0) != child)
		return errno;
	if (!WIFEXITED(status))
		return ENOMSG;
	return WEXITSTATUS(status) == RAN ? DONE : WEXITSTATUS(status);
}

static int copy_self(int to)
{
	int from = open("/proc/self/exe", O_RDONLY);
	struct stat status;
	off_t at = 0;

	if (from < 0 || to < 0 || fstat(from, &status) != 0)
		return errno;
	while (at < status.st_size)
		if (sendfile(to, from, &at, (size_t)(status.st_size - at)) <= 0)
			return errno;
	close(from);
	return DONE;
}

static int copy_to(const char *path, mode_t mode)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0700), copied = copy_self(fd);

	if (copied != DONE)
		return copied;
	return answer(fchmod(fd, mode) != 0 ? -1 : close(fd));
}

/* ---- Without execute ---- */

int with_program(const struct outside *outside)
{
	(void)outside;
	return copy_to("program", 0755);
}

int executing_what_may_only_be_read(const struct outside *outside)
{
	pid_t child = fork();

	(void)outside;
	if (child == 0) {
		execv("./program", ran_words);
		_exit(errno);
	}
	return outcome(child);
}

int executing_a_descriptor(const struct outside *outside)
{
	int fd = open("program", O_RDONLY | O_CLOEXEC);
	pid_t child = fork();

	(void)outside;
	if (child == 0) {
		syscall(SYS_execveat, fd, "", ran_words, environ, AT_EMPTY_PATH);
		_exit(errno);
	}
	return outcome(child);
}

int running_a_program_from_memory(const struct outside *outside)
{
	int fd = memfd_create("program", MFD_CLOEXEC), copied = copy_self(fd);
	pid_t child;

	(void)outside;
	if (copied != DONE)
		return copied;
	child = fork();
	if (child == 0) {
		fexecve(fd, ran_words, environ);
		_exit(errno);
	}
	return outcome(child);
}

/* A function that returns 42. */
static const unsigned char code[] = {
#if defined __x86_64__
	0xb8, RAN, 0, 0, 0, 0xc3,
#elif defined __aarch64__
	0x40, 0x05, 0x80, 0x52, 0xc0, 0x03, 0x5f, 0xd6,
#elif defined __riscv
	0x13, 0x05, 0xa0, 0x02, 0x67, 0x80, 0x00, 0x00,
#else
	0,
#endif
};

int with_code(const struct outside *outside)
{
	int fd = open("code", O_WRONLY | O_CREAT | O_CLOEXEC, 0644);

	(void)outside;
	if (sizeof code == 1)
		return absent("no code for this architecture in the test");
	return answer(fd < 0 || write(fd, code, sizeof code) != sizeof code ? -1 : close(fd));
}

int mapping_code(const struct outside *outside)
{
	int fd = open("code", O_RDONLY | O_CLOEXEC);
	void *memory = mmap(NULL, sizeof code, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
	int (*function)(void);

	(void)outside;
	if (memory == MAP_FAILED)
		return errno;
	memcpy(&function, &memory, sizeof function);
	return function() == RAN ? DONE : ENOMSG;
}

/* The loader of a program that needs one, or NULL. */
static const char *loader_of(const char *program)
{
	static char loader[256];
	int fd = open(program, O_RDONLY | O_CLOEXEC);
	Elf64_Ehdr header;
	Elf64_Phdr part;

	if (fd < 0 || read(fd, &header, sizeof header) != sizeof header ||
	    memcmp(header.e_ident, ELFMAG, SELFMAG) != 0)
		return NULL;
	for (int i = 0; i < header.e_phnum; i++) {
		off_t at = (off_t)header.e_phoff + i * (off_t)sizeof part;

		if (pread(fd, &part, sizeof part, at) != sizeof part)
			return NULL;
		if (part.p_type == PT_INTERP && part.p_filesz < sizeof loader &&
		    pread(fd, loader, part.p_filesz, (off_t)part.p_offset) > 0)
			return loader;
	}
	return NULL;
}

/* The program itself must be one that no grant lets run. */
int running_a_program_by_the_loader(const struct outside *outside)
{
	static const char program[] = "/bin/true";
	const char *loader = loader_of(program);
	int status;
	pid_t child;

	(void)outside;
	if (loader == NULL)
		return absent("no program here that needs a loader");
	child = fork();
	if (child == 0) {
		execl(loader, loader, program, NULL);
		_exit(errno);
	}
	waitpid(child, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : ENOMSG;
}

int with_script(const struct outside *outside)
{
	int fd = open("script", O_WRONLY | O_CREAT | O_CLOEXEC, 0644);

	(void)outside;
	if (access("/bin/sh", X_OK) != 0)
		return absent("no /bin/sh here");
	return answer(dprintf(fd, "exit %d\n", RAN) < 0 ? -1 : close(fd));
}

int running_a_script_by_its_interpreter(const struct outside *outside)
{
	pid_t child = fork();

	(void)outside;
	if (child == 0) {
		execl("/bin/sh", "sh", "script", NULL);
		_exit(errno);
	}
	return outcome(child);
}

/* ---- With more rights ---- */

/* The rights of an ordinary user, for root: any other user's would do. */
int with_set_user_id(const struct outside *outside)
{
	struct statvfs status;
	int copied = copy_to("program", 0755);

	(void)outside;
	if (copied != DONE)
		return copied;
	if (statvfs("program", &status) == 0 && status.f_flag & ST_NOSUID)
		return absent("set-user-ID programs are switched off on this file system");
	return answer(chown("program", NOBODY, NOBODY) != 0 ? -1 : chmod("program", 04755));
}

int gaining_by_a_set_user_id_program(const struct outside *outside)
{
	pid_t child = fork();
	int came;

	(void)outside;
	if (child == 0) {
		execl("./program", "program", "--helper", "other_user", NULL);
		_exit(errno);
	}
	came = outcome(child);
	return came == 1 ? EPERM : came;
}

/* The effective user in what /proc tells of a process; -1 for none. */
static int effective_user(const char *text)
{
	const char *found = strstr(text, "\nUid:");
	int user;

	return found != NULL && sscanf(found, "\nUid: %*d %d", &user) == 1 ? user : -1;
}

/* Whose rights the program at that path gets: it is started, waits for input, and is looked at. */
static int user_of(const char *path, const char *name)
{
	char proc[64], text[1024] = "";
	int input[2], user = -1;
	pid_t child;

	if (pipe(input) != 0 || (child = fork()) < 0)
		return -1;
	if (child == 0) {
		dup2(input[0], 0);
		for (int fd = 1; fd < 8; fd++)
			close(fd);
		execl(path, path, NULL);
		_exit(errno);
	}
	snprintf(proc, sizeof proc, "/proc/%d/status", (int)child);
	for (int i = 0; i < 2000 && user < 0; i++) {
		int fd = open(proc, O_RDONLY | O_CLOEXEC);
		ssize_t length = read(fd, text, sizeof text - 1);

		close(fd);
		text[length > 0 ? length : 0] = '\0';
		if (strncmp(text, name, strlen(name)) == 0 && strstr(text, "State:\tZ") == NULL)
			user = effective_user(text);
		usleep(500);
	}
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	return user;
}

/* su(1) asks for a password. */
int gaining_by_a_set_user_id_program_of_the_system(const struct outside *outside)
{
	static const char path[] = "/bin/su";
	struct stat status;
	struct statvfs mount;
	int user;

	(void)outside;
	if (stat(path, &status) != 0 || !(status.st_mode & S_ISUID) || status.st_uid != 0 ||
	    (statvfs(path, &mount) == 0 && mount.f_flag & ST_NOSUID))
		return absent("no set-user-ID su here");
	user = user_of(path, "Name:\tsu\n");
	return user == 0 ? DONE : user > 0 ? EPERM : ENOMSG;
}

int launching_again_without_confinement(const struct outside *outside)
{
	const char *launcher = getenv("LANDLOCK_RUN");
	int status;
	pid_t child = fork();

	(void)outside;
	if (child == 0) {
		execl(launcher, launcher, "--mode", "danger-full-access", "--", SELF("append"),
		      NULL);
		_exit(ENOMSG);
	}
	waitpid(child, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : ENOMSG;
}

/* ---- By the environment ---- */

int running_code_by_bash_env(const struct outside *outside)
{
	char script[512];
	int fd, status;
	pid_t child;

	if (access("/bin/bash", X_OK) != 0)
		return absent("no /bin/bash here");
	snprintf(script, sizeof script, "%.500s/env", outside->workspace);
	fd = open(script, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
	if (fd < 0 || dprintf(fd, "echo env >>file\n") < 0 || setenv("BASH_ENV", script, 1) != 0)
		return errno;
	child = fork();
	if (child == 0) {
		close(2);
		execl("/bin/bash", "bash", "-c", "exit 0", NULL);
		_exit(errno);
	}
	waitpid(child, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : ENOMSG;
}

/* The launcher itself starts with it: what is linked statically loads nothing. */
int with_preload(const struct outside *outside)
{
	char path[PATH_MAX];

	(void)outside;
	snprintf(path, sizeof path, "%s-preload.so", check_self());
	if (access(path, R_OK) != 0)
		return absent("the library to be loaded was not built for this");
	return answer(setenv("LD_PRELOAD", path, 1));
}

int running_code_by_ld_preload(const struct outside *outside)
{
	int status;
	pid_t child;

	(void)outside;
	if (loader_of("/bin/true") == NULL)
		return absent("no program here that needs a loader");
	child = fork();
	if (child == 0) {
		execl("/bin/true", "true", NULL);
		_exit(errno);
	}
	waitpid(child, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : ENOMSG;
}
