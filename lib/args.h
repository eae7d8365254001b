/* The launcher's command line as data, read and written.
 * argv itself is the list of grants: nothing is copied, so there is no limit to their number.
 * Nothing here asks the kernel. */
#ifndef LLR_ARGS_H
#define LLR_ARGS_H

#include "landlock-run.h"
#include "options.h"

enum llr_mode {
	LLR_MODE_NONE = 0,
	LLR_MODE_READ_ONLY = 1,
	LLR_MODE_WORKSPACE_WRITE = 2,
	LLR_MODE_DANGER_FULL_ACCESS = 3
};

struct llr_args {
	char *const *argv;        /* borrowed */
	int options_end;          /* the index of `--` or `-c`, or one past the last option */
	int command;              /* the index of the command; 0: bash */
	int script;               /* the index of `-c`; 0 when it is not there */
	int status_fd;            /* -1 when none was given */
	const char *status_value; /* the same as it was written */
	uint32_t action;          /* enum llr_action */
	uint32_t mode;            /* enum llr_mode */
	uint32_t launch;          /* enum llr_launch_flag, or-ed */
	uint32_t flags;           /* of the policy */
	uint32_t guards;
	llr_rights governed;
	llr_rights required;
	const char *workspace;
	int common_fd;      /* of the repository that --git grants; -1 until it has been found, or
			       when it lies in the workspace */
	const char *common; /* its path, for who is told of it; NULL when that is not known */
};

/* Reads a command line; argc may be 0. Fails with a usage error; with LLR_E_ARGS_FILE when it comes
 * to --args-file, whose options have to be put in its place: the subject is that word of argv. */
int llr_args_parse(struct llr_args *args, int argc, char *const *argv, struct llr_error *error);
/* The same where a policy alone is enough: the command may be missing. */
int llr_args_parse_policy(struct llr_args *args, int argc, char *const *argv,
			  struct llr_error *error);
/* The policy that the arguments describe. It refers to *args and to argv. Not for
 * danger-full-access. */
void llr_args_policy(const struct llr_args *args, struct llr_policy *policy);
/* The smallest descriptor named by --keep-fd that is at least `from`, or -1; *value, when not NULL,
 * is how it was written. */
int llr_args_kept_fd(const struct llr_args *args, int from, const char **value);

#endif
