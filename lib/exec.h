/* Replacing this process by a command, looked up as execvp does.
 * Async-signal-safe. */
#ifndef LLR_EXEC_H
#define LLR_EXEC_H

#include <stddef.h>

/* Where execvp looks when PATH is not set (glibc's confstr(_CS_PATH)). */
#define LLR_DEFAULT_PATH "/bin:/usr/bin"

/* The value of a variable in an environment, or NULL. */
const char *llr_environment(char *const *envp, const char *name);

/* Whether a command is a path of its own, which no lookup touches. */
int llr_holds_slash(const char *name);

/* Executes argv[0], along envp's PATH when `search` is set and it holds no slash. Returns only on
 * failure, with a negated errno; *decided, when not NULL, is which candidate of the lookup that
 * errno is of, counted from 0, or -1 when it is none's alone. A file without a format that the
 * kernel knows is a failure: it is never handed to a shell. */
long llr_exec(char *const *argv, char *const *envp, int search, int *decided);

/* A walk over the candidates of a lookup, for what must look where llr_exec looked. */
struct llr_search {
	const char *rest; /* of the PATH still to do; NULL at the end */
	const char *name;
};

/* Begins the walk; returns the room that its longest candidate needs, the NUL included: at most
 * PATH_MAX + NAME_MAX + 2 for a name of a file. */
size_t llr_search_begin(struct llr_search *search, const char *name, char *const *envp);
/* Writes the next candidate to path, which has that much room; 0 at the end. */
int llr_search_next(struct llr_search *search, char *path);

#endif
