/* The kernel's Landlock interface, up to ABI 12, as this project uses it, and what else a libc's
 * headers may lack. Carried here because distribution headers lag (Debian 12's stop at ABI 2);
 * never included by the public header. */
#ifndef LLR_UAPI_H
#define LLR_UAPI_H

#include <stdint.h>
#include <sys/stat.h>
#include <sys/syscall.h>

/* One number on every architecture but alpha; musl 1.2.3 and older headers lack the names. */
#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#define SYS_landlock_add_rule 445
#define SYS_landlock_restrict_self 446
#endif

#define CREATE_RULESET_VERSION (1U << 0)
#define CREATE_RULESET_ERRATA (1U << 1)

#define RULE_PATH_BENEATH 1
#define RULE_NET_PORT 2

#define RESTRICT_SELF_LOG_NEW_EXEC_ON (1U << 1)

/* Only as much of it is passed as the last field in use needs: ABI 1 knows 8 bytes, ABI 4 16, ABI
 * 6 24. */
struct ruleset_attr {
	uint64_t handled_access_fs;
	uint64_t handled_access_net;
	uint64_t scoped;
};

struct path_beneath_attr {
	uint64_t allowed_access;
	int32_t parent_fd;
} __attribute__((packed));

struct net_port_attr {
	uint64_t allowed_access;
	uint64_t port;
};

/* musl has it from 1.2.5 on. */
#ifndef STATX_TYPE
#define STATX_TYPE 1U
#define STATX_INO 0x100U
struct statx {
	uint32_t stx_mask;
	uint32_t unused_blksize;
	uint64_t unused_attributes;
	uint32_t unused_ids[3];
	uint16_t stx_mode;
	uint16_t unused_gap;
	uint64_t stx_ino;
	uint64_t unused_sizes[3];
	uint64_t unused_times[8];
	uint32_t stx_rdev_major;
	uint32_t stx_rdev_minor;
	uint32_t stx_dev_major;
	uint32_t stx_dev_minor;
	uint64_t unused_rest[14];
};
#endif

#endif
