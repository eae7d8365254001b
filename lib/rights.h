/* The table of rights: one row per right that a Landlock ABI up to 12 has, and the sets derived
 * from it. Nothing here asks the kernel; a right that is not in this table is never handled. */
#ifndef LLR_RIGHTS_H
#define LLR_RIGHTS_H

#include "landlock-run.h"

#define LLR_FILE_RIGHT (LLR_TRAIT_FILE_SET | LLR_TRAIT_PATH | LLR_TRAIT_ON_FILE)
#define LLR_DIRECTORY_RIGHT (LLR_TRAIT_FILE_SET | LLR_TRAIT_PATH)
#define LLR_SOCKET_RIGHT (LLR_TRAIT_OPT_IN | LLR_TRAIT_PATH | LLR_TRAIT_ON_FILE)
#define LLR_PORT_RIGHT (LLR_TRAIT_OPT_IN | LLR_TRAIT_PORT)
#define LLR_SCOPE_RIGHT (LLR_TRAIT_OPT_IN | LLR_TRAIT_SCOPE)

/* Right, name, ABI, Linux major and minor, traits. A macro, so that every set of rights below is a
 * constant of the compiler's: a launch asks for some of them for each grant. The last two are
 * denied over all their members once handled: known by name until somebody needs them. */
#define LLR_RIGHTS_TABLE(ROW) \
	ROW(LLR_EXECUTE, "execute", 1, 5, 13, LLR_FILE_RIGHT | LLR_TRAIT_READ) \
	ROW(LLR_WRITE_FILE, "write-file", 1, 5, 13, LLR_FILE_RIGHT) \
	ROW(LLR_READ_FILE, "read-file", 1, 5, 13, LLR_FILE_RIGHT | LLR_TRAIT_READ) \
	ROW(LLR_READ_DIR, "read-dir", 1, 5, 13, LLR_DIRECTORY_RIGHT | LLR_TRAIT_READ) \
	ROW(LLR_REMOVE_DIR, "remove-dir", 1, 5, 13, LLR_DIRECTORY_RIGHT) \
	ROW(LLR_REMOVE_FILE, "remove-file", 1, 5, 13, LLR_DIRECTORY_RIGHT) \
	ROW(LLR_MAKE_CHAR, "make-char", 1, 5, 13, LLR_DIRECTORY_RIGHT) \
	ROW(LLR_MAKE_DIR, "make-dir", 1, 5, 13, LLR_DIRECTORY_RIGHT) \
	ROW(LLR_MAKE_REG, "make-reg", 1, 5, 13, LLR_DIRECTORY_RIGHT) \
	ROW(LLR_MAKE_SOCK, "make-sock", 1, 5, 13, LLR_DIRECTORY_RIGHT) \
	ROW(LLR_MAKE_FIFO, "make-fifo", 1, 5, 13, LLR_DIRECTORY_RIGHT) \
	ROW(LLR_MAKE_BLOCK, "make-block", 1, 5, 13, LLR_DIRECTORY_RIGHT) \
	ROW(LLR_MAKE_SYM, "make-sym", 1, 5, 13, LLR_DIRECTORY_RIGHT) \
	ROW(LLR_REFER, "refer", 2, 5, 19, LLR_DIRECTORY_RIGHT) \
	ROW(LLR_TRUNCATE, "truncate", 3, 6, 2, LLR_FILE_RIGHT) \
	ROW(LLR_IOCTL_DEV, "ioctl-dev", 5, 6, 10, LLR_FILE_RIGHT) \
	ROW(LLR_RESOLVE_UNIX, "resolve-unix", 9, 7, 1, LLR_SOCKET_RIGHT) \
	ROW(LLR_BIND_TCP, "bind-tcp", 4, 6, 7, LLR_PORT_RIGHT) \
	ROW(LLR_CONNECT_TCP, "connect-tcp", 4, 6, 7, LLR_PORT_RIGHT) \
	ROW(LLR_BIND_UDP, "bind-udp", 10, 7, 2, LLR_PORT_RIGHT) \
	ROW(LLR_CONNECT_SEND_UDP, "connect-send-udp", 10, 7, 2, LLR_PORT_RIGHT) \
	ROW(LLR_ABSTRACT_UNIX_SOCKET, "abstract-unix-socket", 6, 6, 12, LLR_SCOPE_RIGHT) \
	ROW(LLR_SIGNAL, "signal", 6, 6, 12, LLR_SCOPE_RIGHT) \
	ROW(LLR_NAMESPACE_USE, "namespace-use", 12, 7, 4, 0) \
	ROW(LLR_CAPABILITY_USE, "capability-use", 12, 7, 4, 0)

#define LLR_FEATURE_LOG_DENIALS "log-denials"
#define LLR_LOG_DENIALS_ABI 7

/* The fields of the kernel's ruleset inside a set of rights. */
static inline uint64_t rights_fs(llr_rights rights)
{
	return rights & UINT32_MAX;
}

static inline uint64_t rights_net(llr_rights rights)
{
	return rights >> 32 & UINT16_MAX;
}

static inline uint64_t rights_scope(llr_rights rights)
{
	return rights >> 48 & UINT8_MAX;
}

/* The rights that have every one of the traits: a constant where the traits are. */
static inline llr_rights llr_rights_with(uint32_t wanted)
{
#define ROW(right, name, abi, major, minor, traits) | (((traits)&wanted) == wanted ? (right) : 0)
	return 0 LLR_RIGHTS_TABLE(ROW);
#undef ROW
}

/* The place in the table of the right of that name, from 0; -1 when there is none. */
int llr_right_place(const char *name, size_t length);
/* The right itself; 0 when there is none. */
llr_rights llr_rights_named(const char *name, size_t length);
/* Fills the row of what is no right but comes with an ABI all the same (log-denials), or of the
 * right of that name; 0 for neither. */
int llr_feature_by_name(const char *name, struct llr_right *feature);
/* Takes the first right in the table's order out of the set and fills its row; 0 when no right is
 * left. */
int llr_rights_take(llr_rights *rights, struct llr_right *first);

#endif
