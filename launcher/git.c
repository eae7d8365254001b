/* --git: what git needs of a linked worktree's repository, which lies outside the workspace.
 * What the workspace says is never believed: a confined command may have written it. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>

#include "error.h"
#include "launcher.h"
#include "sys.h"
#include "text.h"
#include "uapi.h"

#define PREFIX "gitdir:"
#define SUFFIX "/.git"
#define TEXT_MOST (sizeof PREFIX + PATH_MAX) /* a path cut here is one that the kernel refuses */

/* Linux 5.6, older than Landlock. */
#ifndef SYS_openat2
#define SYS_openat2 437
#endif
#define RESOLVE_NO_SYMLINKS 4

struct open_how {
	uint64_t flags, mode, resolve;
};

/* The descriptors stay open until exec closes them: this process ends or becomes the command. */
static long open_directory(long from, const char *path, int flags)
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

static long identify(long from, const char *name, struct statx *status)
{
	return SYS5(statx, from, sys_pointer(name), AT_EMPTY_PATH | AT_SYMLINK_NOFOLLOW, STATX_INO,
		    sys_pointer(status));
}

/* 0: they are the same directory; 1: they are two; a negated errno: nobody knows. */
static long differ(long from, const char *name, long directory)
{
	struct statx left = { 0 }, right = { 0 };
	long failure = identify(from, name, &left);

	if (!failure)
		failure = identify(directory, "", &right);
	if (failure)
		return failure;
	return left.stx_ino != right.stx_ino || left.stx_dev_major != right.stx_dev_major ||
	       left.stx_dev_minor != right.stx_dev_minor;
}

/* The repository of which the directory is a worktree's entry, or a negated errno. An entry that
 * is, or lies directly in, the workspace is none: whoever writes there could make its repository
 * any that the workspace lies in. */
static long find_common(long workspace, long entry)
{
	long entries = open_directory(entry, "..", 0);
	long common = open_directory(entries, "..", 0);

	if (differ(common, "worktrees", entries) == 0 && differ(workspace, "", entries) > 0 &&
	    differ(workspace, "", entry) > 0 && is_repository(common))
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
	return differ(workspace, "", open_without_symlinks(entry, text)) == 0;
}

int git_find(struct llr_args *args, char *path, size_t size, struct llr_error *error)
{
	char text[TEXT_MOST + 1];
	long workspace, entry, common, result;

	if (!(args->launch & LLR_LAUNCH_GIT))
		return 0;
	workspace = open_directory(AT_FDCWD, args->workspace, 0);
	if (sys_failed(workspace))
		return llr_fail(error, LLR_E_RULE_PATH, workspace, args->workspace, NULL);
	result = open_directory(workspace, ".git", O_NOFOLLOW);
	if (!sys_failed(result) && is_repository(result))
		return 0; /* all of it lies in the workspace */
	result = sys_failed(result) ? read_text(workspace, ".git", text) : 0;
	if (result < (long)sizeof PREFIX || text[sizeof PREFIX - 1] != ' ')
		return llr_fail(error, LLR_E_GIT, result < 0 ? result : 0, args->workspace,
				"is no repository");
	text[sizeof PREFIX - 1] = 0;
	entry = llr_string_equal(text, PREFIX)
			? open_directory(workspace, text + sizeof PREFIX, 0)
			: -ENOENT;
	common = find_common(workspace, entry);
	if (sys_failed(common))
		return llr_fail(error, LLR_E_GIT, sys_failed(entry) ? entry : 0, args->workspace,
				"leads to no linked worktree's entry");
	if (!points_back(entry, workspace, text))
		return llr_fail(error, LLR_E_GIT, 0, args->workspace,
				"leads to the entry of another worktree");
	args->common_fd = (int)common;
	if (path && process_fd_path(args->common_fd, path, size))
		args->common = path;
	return 0;
}
