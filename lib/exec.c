/* Replacing this process by a command, looked up as execvp does (POSIX, and glibc where POSIX
 * leaves it open). Never runs a shell on a file that the kernel cannot execute. */
#include <errno.h>
#include <limits.h>

#include "exec.h"
#include "sys.h"
#include "text.h"

#ifndef PATH_MAX
#define PATH_MAX 4096
#endif
#ifndef NAME_MAX
#define NAME_MAX 255
#endif

const char *llr_environment(char *const *envp, const char *name)
{
	for (; envp && *envp; envp++) {
		const char *entry = *envp;
		size_t i = 0;

		while (name[i] && entry[i] == name[i])
			i++;
		if (!name[i] && entry[i] == '=')
			return entry + i + 1;
	}
	return NULL;
}

/* Takes the next element off the rest; its length. */
static size_t take_element(struct llr_search *search, const char **element)
{
	size_t length = 0;

	*element = search->rest;
	while (search->rest[length] && search->rest[length] != ':')
		length++;
	search->rest = search->rest[length] ? search->rest + length + 1 : NULL;
	return length;
}

size_t llr_search_begin(struct llr_search *search, const char *name, char *const *envp)
{
	const char *path = llr_environment(envp, "PATH");
	const char *element;
	size_t longest = 0;

	search->name = name;
	search->rest = path ? path : LLR_DEFAULT_PATH;
	while (search->rest) {
		size_t length = take_element(search, &element);

		if (length < PATH_MAX && length > longest)
			longest = length;
	}
	search->rest = path ? path : LLR_DEFAULT_PATH;
	return longest + 1 + llr_string_length(name) + 1;
}

int llr_search_next(struct llr_search *search, char *path)
{
	const char *element;

	while (search->rest) {
		size_t length = take_element(search, &element);

		/* No path can be that long: execvp passes such an element over. */
		if (length >= PATH_MAX)
			continue;
		for (size_t i = 0; i < length; i++)
			*path++ = element[i];
		/* An empty element is the current directory. */
		if (length)
			*path++ = '/';
		for (const char *name = search->name; *name; name++)
			*path++ = *name;
		*path = 0;
		return 1;
	}
	return 0;
}

int llr_holds_slash(const char *name)
{
	while (*name && *name != '/')
		name++;
	return *name == '/';
}

/* Whether the search goes on: the element or the file in it is not there, or may not be used. */
static int is_elsewhere(long result)
{
	return result == -EACCES || result == -ENOENT || result == -ENOTDIR || result == -ESTALE ||
	       result == -ENODEV || result == -ETIMEDOUT;
}

static long exec_along_path(struct llr_search *search, char *path, char *const *argv,
			    char *const *envp, int *decided)
{
	int denied = -1;
	long result = -ENOENT;

	for (int candidate = 0; llr_search_next(search, path); candidate++) {
		result = SYS3(execve, sys_pointer(path), sys_pointer(argv), sys_pointer(envp));
		if (!is_elsewhere(result)) {
			*decided = candidate;
			return result;
		}
		if (result == -EACCES && denied < 0)
			denied = candidate;
	}
	*decided = denied;
	return denied < 0 ? result : -EACCES;
}

long llr_exec(char *const *argv, char *const *envp, int search_path, int *decided)
{
	const char *name = argv[0];
	struct llr_search search;
	int ignored;

	if (!decided)
		decided = &ignored;
	*decided = -1;
	if (!*name)
		return -ENOENT;
	if (!search_path || llr_holds_slash(name))
		return SYS3(execve, sys_pointer(name), sys_pointer(argv), sys_pointer(envp));
	if (llr_string_length(name) > NAME_MAX)
		return -ENAMETOOLONG;
	/* At most PATH_MAX + NAME_MAX bytes, and mostly a few: a buffer for the worst case would
	 * cost each launch a page fault. */
	return exec_along_path(&search, __builtin_alloca(llr_search_begin(&search, name, envp)),
			       argv, envp, decided);
}
