/* --git: what git needs of a linked worktree's repository, which lies outside the workspace.
 * What the workspace says is never believed: a confined command may have written it. */
#include <errno.h>
#include <fcntl.h>

#include "error.h"
#include "launcher.h"
#include "sys.h"
#include "text.h"

#define PREFIX "gitdir:"
#define SUFFIX "/.git"
#define TEXT_MOST (sizeof PREFIX + PATH_ROOM) /* a path cut here is one that the kernel refuses */

/* Linux 5.6, older than Landlock. */
#ifndef SYS_openat2
#define SYS_openat2 437
#endif
#define RESOLVE_NO_SYMLINKS 4

struct open_how {
	uint64_t flags, mode, resolve;
};

/* The descriptors stay open until exec closes them: this process ends or becomes the command.
 * Out of line: that is shorter. */
__attribute__((noinline)) static long open_directory(long from, const char *path, int flags)
{
	return SYS4(openat, from, sys_pointer(path), O_PATH | O_DIRECTORY | O_CLOEXEC | flags, 0);
}

/* A symlink on the way may be one that a confined command put there. */
static long open_without_symlinks(long from, const char *path)
{
	struct open_how how = { O_PATH | O_DIRECTORY | O_CLOEXEC, 0, RESOLVE_NO_SYMLINKS };

	return SYS4(openat2, from, sys_pointer(path), sys_pointer(&how), sizeof how);
}

static int is_repository(long directory)
{
	static const char needed[] = "HEAD\0objects\0refs\0";

	for (size_t i = 0; i < 3; i++)
		if (SYS3(faccessat, directory, sys_pointer(llr_word_at(needed, i)), 0))
			return 0;
	return 1;
}

/* What a small file holds, without the end of its line: the length, or a negated errno. Waits for
 * nothing. */
static long read_text(long from, const char *name, char *text)
{
	long file = SYS4(openat, from, sys_pointer(name),
			 O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, 0);
	long length = sys_failed(file) ? file : SYS3(read, file, sys_pointer(text), TEXT_MOST);

	while (length > 0 && (text[length - 1] == '\n' || text[length - 1] == '\r'))
		length--;
	if (length >= 0)
		text[length] = 0;
	return length;
}

/* The repository of which the directory is a worktree's entry, or a negated errno. An entry that
 * is, or lies directly in, the workspace is none: whoever writes there could make its repository
 * any that the workspace lies in. */
static long find_common(long workspace, long entry)
{
	long entries = open_directory(entry, "..", 0);
	long common = open_directory(entries, "..", 0);

	if (process_differ(common, "worktrees", entries, "") == 0 &&
	    process_differ(workspace, "", entries, "") > 0 &&
	    process_differ(workspace, "", entry, "") > 0 && is_repository(common))
		return common;
	return -ENOENT;
}

/* Whether the entry says that its worktree is the workspace: its directory, since another name of
 * its `.git` can be made anywhere. */
static int points_back(long entry, long workspace, char *text)
{
	long end = read_text(entry, "gitdir", text) - (long)(sizeof SUFFIX - 1);

	if (end <= 0 || !llr_string_equal(text + end, SUFFIX))
		return 0;
	text[end] = 0;
	return process_differ(workspace, "", open_without_symlinks(entry, text), "") == 0;
}

/* Where the text of a `.git` file leads; NULL when it is none. */
static const char *target_of(char *text, long length)
{
	if (length < (long)sizeof PREFIX || text[sizeof PREFIX - 1] != ' ')
		return NULL;
	text[sizeof PREFIX - 1] = 0;
	return llr_string_equal(text, PREFIX) ? text + sizeof PREFIX : NULL;
}

/* Fills in args->common_fd, unless all of the repository lies in the workspace. NULL, or what is
 * wrong with the workspace's `.git`; *failure is then the system's part in it, or 0. */
static const char *find(struct llr_args *args, long workspace, long *failure)
{
	char text[TEXT_MOST + 1] = "";
	long inside = open_directory(workspace, ".git", O_NOFOLLOW);
	long length = inside == -ENOTDIR   ? read_text(workspace, ".git", text)
		      : sys_failed(inside) ? inside
					   : 0;
	const char *target = target_of(text, length);
	long entry, common;

	if (!sys_failed(inside) && is_repository(inside))
		return NULL;
	*failure = length;
	if (!target)
		return WORD("is no repository");
	*failure = entry = open_directory(workspace, target, 0);
	common = find_common(workspace, entry);
	if (sys_failed(entry) || sys_failed(common))
		return WORD("is no linked worktree's");
	if (!points_back(entry, workspace, text))
		return WORD("is another worktree's");
	args->common_fd = (int)common;
	return NULL;
}

int git_find(struct llr_args *args, char *path, size_t size, struct llr_error *error)
{
	long workspace, failure;
	const char *fault;

	if (!(args->launch & LLR_LAUNCH_GIT))
		return 0;
	workspace = open_directory(AT_FDCWD, args->workspace, 0);
	if (sys_failed(workspace))
		return llr_fail(error, LLR_E_RULE_PATH, workspace, args->workspace, NULL);
	fault = find(args, workspace, &failure);
	if (fault)
		return llr_fail(error, LLR_E_GIT, sys_failed(failure) ? failure : 0,
				args->workspace, fault);
	if (path && args->common_fd >= 0 && process_fd_path(args->common_fd, path, size))
		args->common = path;
	return 0;
}
