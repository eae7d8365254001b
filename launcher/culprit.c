/* What kept a command from starting: looked for only after exec failed, with the eyes of the
 * confined process. Opens for reading only what the grants allow; that a file exists is seen
 * without opening it. */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

#include "exec.h"
#include "launcher.h"
#include "sys.h"
#include "text.h"
#include "uapi.h"

#define DEPTH 5 /* the kernel follows no more interpreters than this */

#ifndef AT_EXECVE_CHECK
#define AT_EXECVE_CHECK 0x10000 /* Linux 6.14 */
#endif
#ifndef ST_NOEXEC
#define ST_NOEXEC 8
#endif

/* Which part of the command a file is, and so which two verdicts there are on it. */
struct role {
	enum llr_culprit missing;
	enum llr_culprit not_granted;
};

static const struct role target = { LLR_CULPRIT_TARGET_MISSING, LLR_CULPRIT_TARGET_NOT_GRANTED };
static const struct role interpreter = { LLR_CULPRIT_INTERPRETER_MISSING,
					 LLR_CULPRIT_INTERPRETER_NOT_GRANTED };
static const struct role loader = { LLR_CULPRIT_LOADER_MISSING, LLR_CULPRIT_LOADER_NOT_GRANTED };

/* How a file stands: the verdict, and whether to look further at what it names in turn. */
struct finding {
	enum llr_culprit verdict;
	int fd; /* open for reading when there is no verdict on the file itself; otherwise -1 */
};

static void copy(char *to, size_t size, const char *from)
{
	struct text text = { to, size - 1, 0 };

	llr_text_add(&text, from);
	to[text.length < size - 1 ? text.length : size - 1] = 0;
}

/* Replaces a path by the one that its symlinks lead to, where /proc tells. */
static void resolve(char *path, size_t size)
{
	char resolved[4096];
	long fd = SYS4(openat, AT_FDCWD, sys_pointer(path), O_PATH | O_CLOEXEC, 0);

	if (sys_failed(fd))
		return;
	if (process_fd_path(fd, resolved, sizeof resolved))
		copy(path, size, resolved);
	SYS1(close, fd);
}

/* The end of a symlink that leads to nothing. */
static void follow_dangling(char *path, size_t size)
{
	char where[4096];
	long length = SYS4(readlinkat, AT_FDCWD, sys_pointer(path), sys_pointer(where),
			   sizeof where - 1);

	if (length <= 0)
		return;
	where[length] = 0;
	copy(path, size, where);
}

static int may(const char *path, int how)
{
	return !sys_failed(SYS3(faccessat, AT_FDCWD, sys_pointer(path), how));
}

/* What the file's own attributes say about executing it. */
static enum llr_culprit by_attributes(const char *path)
{
	struct statx status = { 0 };
	struct statfs mount = { 0 };

	if (sys_failed(
		    SYS5(statx, AT_FDCWD, sys_pointer(path), 0, STATX_TYPE, sys_pointer(&status))))
		return LLR_CULPRIT_UNKNOWN;
	if (S_ISDIR(status.stx_mode))
		return LLR_CULPRIT_DIRECTORY;
	if (!may(path, X_OK))
		return LLR_CULPRIT_MODE;
	if (!sys_failed(SYS2(statfs, sys_pointer(path), sys_pointer(&mount))) &&
	    mount.f_flags & ST_NOEXEC)
		return LLR_CULPRIT_NOEXEC_MOUNT;
	return LLR_CULPRIT_UNKNOWN;
}

/* Judges one file. access(2) knows nothing of Landlock: what it allows and open does not is not
 * granted. */
static struct finding examine(struct culprit *culprit, const struct role *role)
{
	struct finding finding = { by_attributes(culprit->path), -1 };
	long fd;

	if (finding.verdict)
		return finding;
	fd = SYS4(openat, AT_FDCWD, sys_pointer(culprit->path), O_RDONLY | O_CLOEXEC | O_NONBLOCK,
		  0);
	if (fd == -ENOENT) {
		follow_dangling(culprit->path, sizeof culprit->path);
		finding.verdict = role->missing;
	} else if (fd == -EACCES && may(culprit->path, R_OK)) {
		resolve(culprit->path, sizeof culprit->path);
		finding.verdict = role->not_granted;
	} else if (!sys_failed(fd)) {
		finding.fd = (int)fd;
	}
	return finding;
}

static int is_blank(char byte)
{
	return byte == ' ' || byte == '\t';
}

/* The interpreter of a `#!` line; 0 when there is none. */
static int read_interpreter(const char *head, size_t length, char *path, size_t size)
{
	size_t i = 2, k = 0;

	if (length < 2 || head[0] != '#' || head[1] != '!')
		return 0;
	while (i < length && is_blank(head[i]))
		i++;
	while (i < length && k < size - 1 && head[i] && head[i] != '\n' && !is_blank(head[i]))
		path[k++] = head[i++];
	path[k] = 0;
	return k > 0;
}

/* Where PT_INTERP is in the file, from one program header of either class. */
static int is_loader_header(const char *header, int wide, uint64_t *offset, uint64_t *length)
{
	const Elf64_Phdr *phdr64 = (const void *)header;
	const Elf32_Phdr *phdr32 = (const void *)header;

	*offset = wide ? phdr64->p_offset : phdr32->p_offset;
	*length = wide ? phdr64->p_filesz : phdr32->p_filesz;
	return (wide ? phdr64->p_type : phdr32->p_type) == PT_INTERP;
}

/* The loader that an ELF file of this byte order names; 0 when it names none. */
static int read_loader(int fd, const Elf64_Ehdr *head, char *path, size_t size)
{
	const Elf32_Ehdr *head32 = (const void *)head;
	int wide = head->e_ident[EI_CLASS] == ELFCLASS64;
	uint64_t offset = wide ? head->e_phoff : head32->e_phoff;
	unsigned int count = wide ? head->e_phnum : head32->e_phnum;
	size_t step = wide ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr);
	Elf64_Phdr header = { 0 };
	uint64_t start, length;

	for (unsigned int i = 0; i < count && i < 64; i++) {
		if (SYS4(pread64, fd, sys_pointer(&header), step, offset + i * step) != (long)step)
			return 0;
		if (!is_loader_header((const char *)&header, wide, &start, &length))
			continue;
		if (length < 2 || length > size ||
		    SYS4(pread64, fd, sys_pointer(path), length, start) != (long)length)
			return 0;
		path[length - 1] = 0;
		return 1;
	}
	return 0;
}

static int is_elf(const unsigned char *head, long length)
{
	return length >= (long)sizeof(Elf32_Ehdr) && head[0] == 0x7f && head[1] == 'E' &&
	       head[2] == 'L' && head[3] == 'F';
}

/* The kernel's own word on executing the open file, from Linux 6.14 on: 0, or a negated errno. */
static long check_execute(int fd)
{
	static char *const none[] = { NULL };

	return SYS5(execveat, fd, sys_pointer(""), sys_pointer(none), sys_pointer(none),
		    AT_EMPTY_PATH | AT_EXECVE_CHECK);
}

/* Judges the file at culprit->path and then, as the kernel does, what it names to run it; the path
 * is replaced on the way. */
static enum llr_culprit judge(struct culprit *culprit, long failure)
{
	const struct role *role = &target;

	for (int depth = 0; depth <= DEPTH; depth++) {
		struct finding finding = examine(culprit, role);
		union {
			Elf64_Ehdr elf;
			char bytes[256];
		} head = { .bytes = { 0 } };
		const struct role *next = NULL;
		long length, check;

		if (finding.verdict || finding.fd < 0)
			return finding.verdict;
		length = SYS4(pread64, finding.fd, sys_pointer(head.bytes), sizeof head.bytes, 0);
		check = check_execute(finding.fd);
		if (check == -EACCES)
			resolve(culprit->path, sizeof culprit->path);
		else if (is_elf((unsigned char *)head.bytes, length))
			next = role != &loader && read_loader(finding.fd, &head.elf, culprit->path,
							      sizeof culprit->path)
				       ? &loader
				       : NULL;
		else if (length > 0 && read_interpreter(head.bytes, (size_t)length, culprit->path,
							sizeof culprit->path))
			next = &interpreter;
		else if (failure == -ENOEXEC)
			finding.verdict = LLR_CULPRIT_FORMAT;
		SYS1(close, finding.fd);
		if (check == -EACCES)
			return role->not_granted;
		if (!next)
			return finding.verdict;
		role = next;
	}
	return LLR_CULPRIT_UNKNOWN;
}

/* Whether anything has that name, a dangling symlink included. */
static int exists(const char *path)
{
	return !sys_failed(SYS4(readlinkat, AT_FDCWD, sys_pointer(path),
				sys_pointer((char[1]){ 0 }), 1)) ||
	       may(path, F_OK);
}

/* The candidate that decided; without one the first that is there. */
static int locate_along_path(struct culprit *culprit, const char *command, char *const *envp,
			     int decided)
{
	struct llr_search search;

	if (!*command || llr_search_begin(&search, command, envp) > sizeof culprit->path)
		return 0;
	for (int candidate = 0; llr_search_next(&search, culprit->path); candidate++)
		if (candidate == decided || (decided < 0 && exists(culprit->path)))
			return 1;
	return 0;
}

/* The file that the failure is about. */
static int locate(struct culprit *culprit, const char *command, char *const *envp, int decided)
{
	if (!llr_holds_slash(command))
		return locate_along_path(culprit, command, envp, decided);
	copy(culprit->path, sizeof culprit->path, command);
	return exists(culprit->path);
}

void culprit_find(struct culprit *culprit, const char *command, char *const *envp, int decided,
		  struct llr_error *error)
{
	long failure = -(long)error->errnum;

	if (failure != -EACCES && failure != -ENOENT && failure != -ENOEXEC)
		return;
	if (!locate(culprit, command, envp, decided))
		return;
	error->index = judge(culprit, failure);
	error->field = error->index ? culprit->path : NULL;
}
