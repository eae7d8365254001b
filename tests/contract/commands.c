/* Further helpers: commands that say what they were given, that end in a certain way, or that start
 * another in a certain state. They must need nothing of the machine but a mounted /proc. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include "launch.h"

extern char **environ;

/* ---- What a command is given ---- */

/* Prints each argument after its own name, and then the environment, each in brackets on a line. */
HELPER(arguments)
{
	for (int i = 1; i < argc; i++)
		printf("[%s]\n", argv[i]);
	for (char **entry = environ; *entry; entry++)
		printf("{%s}\n", *entry);
	return 0;
}

/* Prints the path that exec was given: which candidate of a search was found. */
HELPER(found)
{
	const char *path;

	memcpy(&path, &(unsigned long){ getauxval(AT_EXECFN) }, sizeof path);
	printf("%s\n", path);
	return 0;
}

/* Prints the lines of /proc/self/status that describe the process's state, one by one. */
static void print_status(void)
{
	static const char *const keys[] = { "SigPnd:", "ShdPnd:", "SigBlk:",  "SigIgn:",
					    "SigCgt:", "Uid:",    "Gid:",     "Groups:",
					    "CapInh:", "CapPrm:", "CapEff:",  "CapBnd:",
					    "CapAmb:", "Umask:",  "Seccomp:", "TracerPid:" };
	FILE *file = fopen("/proc/self/status", "re");
	char line[4096];

	while (file && fgets(line, sizeof line, file))
		for (size_t i = 0; i < COUNT(keys); i++)
			if (strncmp(line, keys[i], strlen(keys[i])) == 0)
				fputs(line, stdout);
	if (file)
		fclose(file);
}

static void print_limits(void)
{
	struct itimerval timer;
	uint64_t limit[2];
	cpu_set_t cpus;
	int signal_at_death = 0;

	/* The C libraries disagree on the type of the resource, so past them. */
	for (int i = 0; i < RLIM_NLIMITS; i++)
		if (syscall(SYS_prlimit64, 0, i, NULL, limit) == 0)
			printf("limit %d: %llu %llu\n", i, (unsigned long long)limit[0],
			       (unsigned long long)limit[1]);
	if (sched_getaffinity(0, sizeof cpus, &cpus) == 0)
		printf("cpus: %d\n", CPU_COUNT(&cpus));
	getitimer(ITIMER_REAL, &timer);
	prctl(PR_GET_PDEATHSIG, &signal_at_death);
	printf("nice: %d scheduler: %d alarm: %d death signal: %d timer slack: %d\n",
	       getpriority(PRIO_PROCESS, 0), sched_getscheduler(0),
	       timer.it_value.tv_sec > 0 || timer.it_value.tv_usec > 0, signal_at_death,
	       prctl(PR_GET_TIMERSLACK, 0, 0, 0, 0));
	printf("subreaper: %d dumpable: %d keep capabilities: %d securebits: %d\n",
	       prctl(PR_GET_CHILD_SUBREAPER, &signal_at_death), prctl(PR_GET_DUMPABLE),
	       prctl(PR_GET_KEEPCAPS), prctl(PR_GET_SECUREBITS));
}

/* Descriptors by number, kind, flags and position; files by identity too. */
static void print_descriptor(int fd)
{
	struct stat status;

	if (fstat(fd, &status) != 0)
		return;
	printf("descriptor %d: kind %o flags %o close-on-exec %d at %lld", fd,
	       (unsigned int)(status.st_mode & S_IFMT), (unsigned int)fcntl(fd, F_GETFL),
	       fcntl(fd, F_GETFD), (long long)lseek(fd, 0, SEEK_CUR));
	if (S_ISREG(status.st_mode) || S_ISDIR(status.st_mode))
		printf(" file %llu %llu", (unsigned long long)status.st_dev,
		       (unsigned long long)status.st_ino);
	printf("\n");
}

static void print_descriptors(void)
{
	DIR *directory = opendir("/proc/self/fd");
	bool open_fds[1024] = { false };
	struct dirent *entry;

	while (directory && (entry = readdir(directory)) != NULL)
		if (atoi(entry->d_name) < (int)COUNT(open_fds) && *entry->d_name != '.')
			open_fds[atoi(entry->d_name)] = atoi(entry->d_name) != dirfd(directory);
	if (directory)
		closedir(directory);
	for (int fd = 0; fd < (int)COUNT(open_fds); fd++)
		if (open_fds[fd])
			print_descriptor(fd);
}

/* Prints all of the state that a command inherits. */
HELPER(state)
{
	char directory[4096];

	print_descriptors();
	printf("directory: %s\n", getcwd(directory, sizeof directory) ? directory : "none");
	printf("group: %d session: %d\n", getpgrp(), getsid(0));
	print_status();
	print_limits();
	for (int i = 1; i < argc; i++)
		printf("[%s]\n", argv[i]);
	for (char **entry = environ; *entry; entry++)
		printf("{%s}\n", *entry);
	return fflush(stdout) == 0 ? 0 : 98;
}

/* Prints one line of /proc/self/status: its number only. */
HELPER(status_line)
{
	FILE *file = fopen("/proc/self/status", "re");
	char line[4096];

	while (file && argc > 1 && fgets(line, sizeof line, file))
		if (strncmp(line, argv[1], strlen(argv[1])) == 0)
			printf("%s",
			       line + strlen(argv[1]) + strspn(line + strlen(argv[1]), ":\t "));
	if (file)
		fclose(file);
	return 0;
}

/* Prints its own process id. */
HELPER(pid)
{
	printf("%d\n", getpid());
	return 0;
}

/* ---- How a command ends ---- */

HELPER(end)
{
	return argc > 1 ? atoi(argv[1]) : 0;
}

HELPER(end_by)
{
	struct rlimit no_core = { 0, 0 };
	sigset_t none;

	sigemptyset(&none);
	setrlimit(RLIMIT_CORE, &no_core);
	sigprocmask(SIG_SETMASK, &none, NULL);
	raise(argc > 1 ? atoi(argv[1]) : 0);
	return 99;
}

/* Says that it is there and waits to be ended. */
HELPER(wait)
{
	if (write(1, "here\n", 5) != 5)
		return 98;
	for (;;)
		pause();
}

/* Copies stdin to stdout. */
HELPER(copy)
{
	char bytes[4096];
	ssize_t length;

	while ((length = read(0, bytes, sizeof bytes)) > 0)
		if (write(1, bytes, (size_t)length) != length)
			return 98;
	return length == 0 ? 0 : 97;
}

/* Writes its second argument to the descriptor that is its first; says what came of it. */
HELPER(write_to)
{
	ssize_t written = argc > 2 ? write(atoi(argv[1]), argv[2], strlen(argv[2])) : -1;

	printf("%s\n", errno_name(written < 0 ? errno : 0));
	return 0;
}

/* ---- In what state a command starts ---- */

static void set_signals(int how, int number)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, number);
	sigprocmask(how, &set, NULL);
}

static void put(int fd, int number)
{
	if (fd < 0 || dup2(fd, number) < 0)
		exit(97);
	if (fd != number)
		close(fd);
}

static void make_broken(int number)
{
	int ends[2];

	if (pipe(ends) != 0)
		exit(97);
	close(ends[0]);
	put(ends[1], number);
}

/* A pipe that nobody empties and that takes no more. */
static void make_stuffed(int number)
{
	int ends[2];

	if (pipe2(ends, O_NONBLOCK) != 0)
		exit(97);
	stuff(ends[1]);
	put(ends[1], number);
	put(ends[0], 99); /* kept open */
}

static void set_limit(int which, const char *value)
{
	uint64_t limit[2] = { strtoul(value, NULL, 10), strtoul(value, NULL, 10) };

	if (syscall(SYS_prlimit64, 0, which, limit, NULL) != 0)
		exit(97);
}

static void apply(const char *key, const char *value)
{
	int number = atoi(value);

	if (strcmp(key, "block") == 0)
		set_signals(SIG_BLOCK, number);
	else if (strcmp(key, "ignore") == 0)
		signal(number, SIG_IGN);
	else if (strcmp(key, "raise") == 0)
		raise(number);
	else if (strcmp(key, "send") == 0)
		kill(getpid(), number);
	else if (strcmp(key, "close") == 0)
		close(number);
	else if (strcmp(key, "broken") == 0)
		make_broken(number);
	else if (strcmp(key, "stuffed") == 0)
		make_stuffed(number);
	else if (strcmp(key, "full") == 0)
		put(open("/dev/full", O_WRONLY), number);
	else if (strcmp(key, "file") == 0)
		put(open("stream", O_RDWR | O_CREAT | O_APPEND, 0644), number);
	else if (strcmp(key, "files") == 0)
		set_limit(RLIMIT_NOFILE, value);
	else if (strcmp(key, "size") == 0)
		set_limit(RLIMIT_FSIZE, value);
	else if (strcmp(key, "data") == 0)
		set_limit(RLIMIT_DATA, value);
	else if (strcmp(key, "umask") == 0)
		umask((mode_t)strtoul(value, NULL, 8));
	else if (strcmp(key, "nice") == 0)
		setpriority(PRIO_PROCESS, 0, number);
	else if (strcmp(key, "alarm") == 0)
		alarm((unsigned int)number);
	else if (strcmp(key, "death") == 0)
		prctl(PR_SET_PDEATHSIG, number);
	else if (strcmp(key, "chdir") != 0 || chdir(value) != 0)
		exit(96);
}

/* with KEY=VALUE... -- PATH [ARG]...: becomes that program in that state. */
HELPER(with)
{
	int i = 1;

	for (; i < argc && strcmp(argv[i], "--") != 0; i++) {
		char *value = strchr(argv[i], '=');

		if (!value)
			return 96;
		*value = '\0';
		apply(argv[i], value + 1);
		*value = '=';
	}
	if (i + 1 >= argc)
		return 96;
	execv(argv[i + 1], argv + i + 1);
	return 95;
}
