/* launches.h: how the launch of a row may differ from the others: its grants, and what happens
 * outside just before it. Nothing here launches. */
#ifndef LAUNCHES_H
#define LAUNCHES_H

/* Grants that take the place of the mode's: words as on a command line, in which SELF stands for
 * the program that tries, and WORKSPACE for the directory that a mode may write to. */
#define GRANTS_MODE "--mode workspace-write --workspace WORKSPACE"
#define GRANTS_NOTHING "--ro SELF"
#define GRANTS_READING "--allow read-file,read-dir:/ --ro SELF"
#define GRANTS_LIBRARIES \
	GRANTS_READING " --ro-try /lib --ro-try /lib64 --ro-try /lib32 --ro-try /usr/lib" \
		       " --ro-try /usr/lib64"
#define GRANTS_PROGRAMS GRANTS_LIBRARIES " --ro-try /bin --ro-try /usr/bin"

/* The descriptor that a command inherits where one is prepared for it. */
#define INHERITED 9

#define PREPARATIONS(PREPARATION) \
	PREPARATION(with_file) \
	PREPARATION(with_reader) \
	PREPARATION(with_path) \
	PREPARATION(with_directory) \
	PREPARATION(with_stream) \
	PREPARATION(with_passer) \
	PREPARATION(with_output) \
	PREPARATION(with_ring) \
	PREPARATION(with_terminal) \
	PREPARATION(with_console) \
	PREPARATION(with_program) \
	PREPARATION(with_set_user_id) \
	PREPARATION(with_code) \
	PREPARATION(with_script) \
	PREPARATION(with_preload) \
	PREPARATION(with_mounts) \
	PREPARATION(with_host_name) \
	PREPARATION(with_network) \
	PREPARATION(with_pings) \
	PREPARATION(with_btrfs)

#endif
