/* The parts of the launcher as they call each other.
 * Only this program's; what others may use is in lib/landlock-run.h. */
#ifndef LAUNCHER_H
#define LAUNCHER_H

#include "args.h"

#define PATH_ROOM 4096 /* of the kernel, the NUL included */

/* The whole program: its exit status, when it does not become the command. */
int launch(int argc, char **argv, char **envp);

/* ---- process.c: the descriptors that the options speak of. Each returns 0, or -1 with *error
 * filled ---- */

/* Checks --status-fd and --keep-fd and makes exec close the former. */
int process_check_fds(const struct llr_args *args, struct llr_error *error);
/* Makes exec close all descriptors from 3 on but the kept ones. */
int process_close_fds(const struct llr_args *args, struct llr_error *error);

/* 0: the two names are of the same file; 1: of two; a negated errno: nobody knows. A name "" is the
 * descriptor's own. */
long process_differ(long from, const char *name, long other_from, const char *other);
/* Writes the path of what a descriptor refers to, where /proc tells; 0, and nothing written, where
 * it does not. */
int process_fd_path(long fd, char *path, size_t size);

/* ---- report.c: what is written where ---- */

/* The notice of partial enforcement. */
int report_partial(struct llr_error *error);
/* The record of a launch that goes on, on the status descriptor if there is one. */
int report_confined(const struct llr_args *args, const struct llr_result *result,
		    struct llr_error *error);
/* A failure: its record on the status descriptor, unless that is -1, and its one line on stderr. */
void report_failure(int status_fd, const struct llr_error *failure);
/* A text on stdout, for a process that ends then; what names it in an error. */
int report_text(const char *bytes, size_t length, const char *what, struct llr_error *error);

/* ---- the rest ---- */

/* help.c: --help and --version on stdout. */
int help_print(struct llr_error *error);
int help_version(struct llr_error *error);
/* plan.c: --dry-run on stdout. */
int plan_print(struct llr_args *args, struct llr_error *error);

/* git.c: what --git, if it was given, grants: in args. Its path goes to `path`, unless that is
 * NULL.
 */
int git_find(struct llr_args *args, char *path, size_t size, struct llr_error *error);

/* argsfile.c: llr_args_parse, or llr_args_parse_policy, with what stands in the files of
 * --args-file in its place. What *args refers to may then be changed. */
int argsfile_parse(struct llr_args *args, int argc, char **argv, int command_needed,
		   struct llr_error *error);

/* bwrap.c: everything before exec for `landlock-run bwrap …`; *command is what to become. */
int bwrap_prepare(int argc, char **argv, char ***command, struct llr_error *error);

/* culprit.c: adds to a failed exec's error what kept the command from starting. The error's field
 * points into *culprit. */
struct culprit {
	char path[4096 + 256]; /* what a lookup can come to */
};

/* decided is llr_exec's. */
void culprit_find(struct culprit *culprit, const char *command, char *const *envp, int decided,
		  struct llr_error *error);

#endif
