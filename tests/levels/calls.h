/* calls.h: the Landlock system calls, raw, with their errno as a negative result.
 * It must never use the product's code: it is for what the product is checked against. */
#ifndef CALLS_H
#define CALLS_H

#include <errno.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The rule structs, as the kernel has them. */
struct path_rule {
	uint64_t allowed;
	int32_t parent;
} __attribute__((packed));

struct port_rule {
	uint64_t allowed;
	uint64_t port;
};

/* For namespaces and for capabilities. */
struct member_rule {
	uint64_t permissions;
	uint64_t allowed;
	uint64_t quiet;
};

static inline long create_ruleset(const void *ruleset, uint64_t size, uint64_t flags)
{
	long result = syscall(SYS_landlock_create_ruleset, ruleset, size, flags);

	return result < 0 ? -errno : result;
}

static inline long add_rule(long ruleset, uint32_t type, const void *rule, uint32_t flags)
{
	long result = syscall(SYS_landlock_add_rule, ruleset, type, rule, flags);

	return result < 0 ? -errno : result;
}

static inline long restrict_self(long ruleset, uint32_t flags)
{
	long result = syscall(SYS_landlock_restrict_self, ruleset, flags);

	return result < 0 ? -errno : result;
}

#endif
