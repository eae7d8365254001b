/* level_checks.c: tests that the kernel under this process answers as its ABI does in the table.
 * They must never need the simulator: they are what proves it, on real kernels. */
#include "level_checks.h"

#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "calls.h"
#include "enforcement_checks.h"
#include "errnos.h"
#include "expect.h"
#include "levels.h"
#include "suite.h"

#define NOBODY 65534
#define ALL_BITS 64

static struct level level;
static int real_abi;
static long page;

/* The two numbers of a test about one bit of one field. */
struct bit {
	enum level_field field;
	unsigned int number;
};

/* What the kernel below lacks, it cannot be asked for, whatever is claimed. */
static bool can_have(int since)
{
	return level.abi >= since && real_abi >= since;
}

static bool has_field(enum level_field field)
{
	return level.size > field * sizeof(uint64_t);
}

static uint64_t mask(unsigned int bit)
{
	return UINT64_C(1) << bit;
}

static long create_with(enum level_field field, uint64_t bits)
{
	uint64_t ruleset[LEVEL_FIELDS] = { 0 };

	ruleset[field] = bits;
	return create_ruleset(ruleset, sizeof(ruleset), 0);
}

static long new_ruleset(enum level_field field, uint64_t bits)
{
	long fd = create_with(field, bits);

	EXPECT(fd >= 0, "cannot make a ruleset: %s", expect_show(fd));
	return fd;
}

static int new_fd(const char *path, int flags)
{
	int fd = open(path, flags | O_CLOEXEC);

	EXPECT(fd >= 0, "cannot open %s: %s", path, strerror(errno));
	return fd;
}

/* A page that cannot be read, behind one that can, which is zero. */
static unsigned char *wall(void)
{
	unsigned char *pages = mmap(NULL, (size_t)page * 2, PROT_READ | PROT_WRITE,
				    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	EXPECT(pages != MAP_FAILED && mprotect(pages + page, (size_t)page, PROT_NONE) == 0,
	       "cannot map pages");
	return pages + page;
}

/* --- the queries --- */

static void version_is_the_abi(const void *unused)
{
	(void)unused;
	EXPECT_IS(create_ruleset(NULL, 0, LEVEL_CREATE_VERSION), level.abi);
	if (sizeof(long) == 8) /* the flags are 32 bits: a kernel does not see the others */
		EXPECT_IS(create_ruleset(NULL, 0, UINT64_C(1) << 32 | LEVEL_CREATE_VERSION),
			  level.abi);
}

static void errata_is_a_mask_or_unknown(const void *unused)
{
	long errata = create_ruleset(NULL, 0, LEVEL_CREATE_ERRATA);

	(void)unused;
	if (errata == -EINVAL && (level.takes[LEVEL_CREATE_FLAGS] & LEVEL_CREATE_ERRATA) == 0)
		return;
	EXPECT(errata >= 0, "%s", expect_show(errata));
}

static void queries_take_no_ruleset(const void *unused)
{
	uint64_t ruleset[LEVEL_FIELDS] = { 1 };

	(void)unused;
	for (uint64_t flags = 1; flags <= 3; flags++) {
		EXPECT_IS(create_ruleset(ruleset, 8, flags), -EINVAL);
		EXPECT_IS(create_ruleset(ruleset, 0, flags), -EINVAL);
		EXPECT_IS(create_ruleset(NULL, 8, flags), -EINVAL);
	}
}

static void other_create_flags_are_refused(const void *unused)
{
	(void)unused;
	EXPECT_IS(create_ruleset(NULL, 0, 3), -EINVAL);
	for (unsigned int bit = 2; bit < 32; bit++) {
		EXPECT_IS(create_ruleset(NULL, 0, mask(bit)), -EINVAL);
		EXPECT_IS(create_ruleset(NULL, 0, mask(bit) | 1), -EINVAL);
	}
}

/* --- the ruleset's struct --- */

static void unreadable_rulesets_fault(const void *unused)
{
	unsigned char *bad = wall();

	(void)unused;
	EXPECT_IS(create_ruleset(NULL, 0, 0), -EFAULT);
	EXPECT_IS(create_ruleset(NULL, 8, 0), -EFAULT);
	EXPECT_IS(create_ruleset(bad, 8, 0), -EFAULT);
	EXPECT_IS(create_ruleset(bad - 7, 8, 0), -EFAULT);
	EXPECT_IS(create_ruleset((void *)16, 8, 0), -EFAULT);
	/* The tail is looked at first: what is before it does not matter. */
	EXPECT_IS(create_ruleset(bad - 64, 72, 0), -EFAULT);
	EXPECT_IS(create_ruleset(bad - level.size, level.size + 1, 0), -EFAULT);
	EXPECT_IS(create_ruleset(bad - level.size, level.size, 0), -ENOMSG);
}

static void sizes_out_of_range_are_refused(const void *unused)
{
	unsigned char *zeros = wall() - page;

	(void)unused;
	zeros[0] = 1;
	for (uint64_t size = 0; size < 8; size++)
		EXPECT_IS(create_ruleset(zeros, size, 0), -EINVAL);
	EXPECT_FD(create_ruleset(zeros, (uint64_t)page, 0));
	EXPECT_IS(create_ruleset(zeros, (uint64_t)page + 1, 0), -E2BIG);
	EXPECT_IS(create_ruleset(zeros, UINT64_C(1) << 31, 0), -E2BIG);
}

static void a_zero_tail_is_taken(const void *unused)
{
	unsigned char bytes[256] = { 1 };

	(void)unused;
	for (uint64_t size = level.size; size <= sizeof(bytes); size++) {
		long fd = create_ruleset(bytes, size, 0);

		EXPECT(fd >= 0, "size %u: %s", (unsigned int)size, expect_show(fd));
		close((int)fd);
	}
}

static void a_tail_with_a_bit_is_too_big(const void *unused)
{
	unsigned char bytes[256] = { 1 };

	(void)unused;
	for (size_t at = level.size; at < sizeof(bytes); at++) {
		long got;

		bytes[at] = 0x80;
		got = create_ruleset(bytes, sizeof(bytes), 0);
		EXPECT(got == -E2BIG, "byte %u: %s", (unsigned int)at, expect_show(got));
		got = create_ruleset(bytes, at + 1, 0);
		EXPECT(got == -E2BIG, "last byte %u: %s", (unsigned int)at, expect_show(got));
		bytes[at] = 0;
	}
	EXPECT_FD(create_ruleset(bytes, sizeof(bytes), 0));
}

/* A tail longer than what is read at once, up to a whole page. */
static void the_last_byte_of_a_page_counts(const void *unused)
{
	unsigned char *zeros = wall() - page;

	(void)unused;
	zeros[0] = 1;
	zeros[page - 1] = 1;
	EXPECT_IS(create_ruleset(zeros, (uint64_t)page, 0), -E2BIG);
}

static void what_a_size_cuts_off_does_not_count(const void *unused)
{
	uint64_t ruleset[LEVEL_FIELDS];

	(void)unused;
	memset(ruleset, 0xff, sizeof(ruleset));
	ruleset[LEVEL_FS] = 1;
	EXPECT_FD(create_ruleset(ruleset, 8, 0));
	if (!can_have(4))
		return;
	ruleset[LEVEL_NET] = UINT64_C(0xffffffffffffff01);
	EXPECT_FD(create_ruleset(ruleset, 9, 0));
	/* What a kernel of a later ABI makes of such a bit nobody knows. */
	if (level.abi <= LEVEL_NEWEST)
		EXPECT_IS(create_ruleset(ruleset, 10, 0), -EINVAL);
}

static void an_empty_ruleset_is_refused(const void *unused)
{
	uint64_t ruleset[LEVEL_FIELDS] = { 0 };

	(void)unused;
	EXPECT_IS(create_ruleset(ruleset, 8, 0), -ENOMSG);
	EXPECT_IS(create_ruleset(ruleset, sizeof(ruleset), 0), -ENOMSG);
}

static void a_right_is_known_from_its_abi_on(const void *subject)
{
	const struct level_right *right = subject;
	long got = create_with(right->field, mask(right->bit));

	if (level.abi >= right->since)
		EXPECT_FD(got);
	else
		EXPECT_IS(got, has_field(right->field) ? -EINVAL : -E2BIG);
}

static void an_unknown_bit_is_refused(const void *subject)
{
	const struct bit *bit = subject;
	long due = has_field(bit->field) ? -EINVAL : -E2BIG;
	uint64_t ruleset[LEVEL_FIELDS] = { 1 };

	EXPECT_IS(create_with(bit->field, mask(bit->number)), due);
	ruleset[bit->field] |= mask(bit->number); /* beside a known one */
	EXPECT_IS(create_ruleset(ruleset, sizeof(ruleset), 0), due);
}

static void all_known_bits_are_taken_at_once(const void *unused)
{
	uint64_t ruleset[LEVEL_FIELDS];

	(void)unused;
	memcpy(ruleset, level_of(level.abi < real_abi ? level.abi : real_abi).known,
	       sizeof(ruleset));
	EXPECT_FD(create_ruleset(ruleset, sizeof(ruleset), 0));
	EXPECT_FD(create_ruleset(ruleset, level.size, 0));
}

static void quiet_bits_repeat_handled_ones(const void *unused)
{
	static const enum level_field pairs[][2] = { { LEVEL_QUIET_FS, LEVEL_FS },
						     { LEVEL_QUIET_NET, LEVEL_NET },
						     { LEVEL_QUIET_SCOPE, LEVEL_SCOPE } };

	(void)unused;
	for (size_t i = 0; i < 3; i++) {
		uint64_t ruleset[LEVEL_FIELDS] = { 0 };

		ruleset[LEVEL_FS] = 4;
		ruleset[pairs[i][1]] |= 1;
		ruleset[pairs[i][0]] = 2;
		EXPECT_IS(create_ruleset(ruleset, sizeof(ruleset), 0), -EINVAL);
		ruleset[pairs[i][0]] = 1;
		if (can_have(10))
			EXPECT_FD(create_ruleset(ruleset, sizeof(ruleset), 0));
	}
}

static void a_ruleset_is_a_private_descriptor(const void *unused)
{
	char path[64], target[64] = "";
	long fd = new_ruleset(LEVEL_FS, 1);

	(void)unused;
	EXPECT_IS(fcntl((int)fd, F_GETFD), FD_CLOEXEC);
	EXPECT_IS(fcntl((int)fd, F_GETFL) & O_ACCMODE, O_RDWR);
	snprintf(path, sizeof(path), "/proc/self/fd/%ld", fd);
	EXPECT(readlink(path, target, sizeof(target) - 1) > 0, "cannot read %s", path);
	EXPECT(strcmp(target, "anon_inode:[landlock-ruleset]") == 0, "it is %s", target);
}

static void no_free_descriptor_is_said(const void *unused)
{
	struct rlimit none = { 0, 0 };

	(void)unused;
	EXPECT(setrlimit(RLIMIT_NOFILE, &none) == 0, "cannot set the limit");
	EXPECT_IS(create_with(LEVEL_FS, 1), -EMFILE);
}

/* --- rules --- */

static void add_rule_flags_come_first(const void *unused)
{
	uint32_t known = level.takes[LEVEL_ADD_FLAGS];

	(void)unused;
	for (unsigned int bit = 0; bit < 32; bit++) {
		uint32_t flag = 1u << bit;

		if (flag & known)
			EXPECT_IS(add_rule(-1, LEVEL_RULE_PATH, NULL, flag), -EBADF);
		else if (level.abi <= LEVEL_NEWEST)
			EXPECT_IS(add_rule(-1, LEVEL_RULE_PATH, NULL, flag), -EINVAL);
	}
	if (known & LEVEL_ADD_QUIET && level.abi <= LEVEL_NEWEST)
		EXPECT_IS(add_rule(-1, LEVEL_RULE_PATH, NULL, LEVEL_ADD_QUIET | 2), -EINVAL);
}

static void a_quiet_rule_needs_quiet_bits(const void *unused)
{
	struct path_rule rule = { .allowed = 4, .parent = new_fd("/", O_PATH) };
	uint64_t ruleset[LEVEL_FIELDS] = { 4, 0, 0, 4 };
	long loud = new_ruleset(LEVEL_FS, 4), fd;

	(void)unused;
	EXPECT_IS(add_rule(loud, LEVEL_RULE_PATH, &rule, LEVEL_ADD_QUIET), -EINVAL);
	EXPECT_IS(add_rule(loud, LEVEL_RULE_PATH, NULL, LEVEL_ADD_QUIET), -EFAULT);
	rule.allowed = 0;
	EXPECT_IS(add_rule(loud, LEVEL_RULE_PATH, &rule, LEVEL_ADD_QUIET), -EINVAL);
	if (!can_have(10))
		return;
	fd = create_ruleset(ruleset, sizeof(ruleset), 0);
	EXPECT_FD(fd);
	EXPECT_IS(add_rule(fd, LEVEL_RULE_PATH, &rule, LEVEL_ADD_QUIET), 0);
	EXPECT_IS(add_rule(fd, LEVEL_RULE_PATH, &rule, 0), -ENOMSG);
}

static void expect_ruleset_errors(uint32_t type)
{
	char path[64];
	int ends[2];

	EXPECT(pipe(ends) == 0, "cannot make a pipe");
	EXPECT_IS(add_rule(-1, type, NULL, 0), -EBADF);
	EXPECT_IS(add_rule(999, type, NULL, 0), -EBADF);
	EXPECT_IS(add_rule(new_fd("/", O_PATH), type, NULL, 0), -EBADF);
	EXPECT_IS(add_rule(new_fd("/", O_RDONLY), type, NULL, 0), -EBADFD);
	EXPECT_IS(add_rule(ends[0], type, NULL, 0), -EBADFD);
	snprintf(path, sizeof(path), "/proc/self/fd/%ld", new_ruleset(LEVEL_FS, 1));
	EXPECT_IS(add_rule(new_fd(path, O_PATH), type, NULL, 0), -EBADF);
}

static void the_ruleset_comes_before_the_rule(const void *unused)
{
	(void)unused;
	for (uint32_t type = 0; type < 6; type++)
		if (type < 5 || level.abi <= LEVEL_NEWEST)
			expect_ruleset_errors(type);
}

static void rule_types_are_known_from_their_abi_on(const void *unused)
{
	static const uint32_t far[] = { 6, 31, 32, 33, 64, 0x80000001, 0xffffffff };
	long ruleset = new_ruleset(LEVEL_FS, 4);
	struct member_rule empty = { 0 }, some = { 1, 1, 0 };

	(void)unused;
	for (uint32_t type = 0; type < 6; type++) {
		bool known = (level.takes[LEVEL_RULE_TYPES] >> type & 1) != 0;

		if (!known && level.abi > LEVEL_NEWEST)
			continue;
		EXPECT_IS(add_rule(ruleset, type, NULL, 0), known ? -EFAULT : -EINVAL);
		EXPECT_IS(add_rule(ruleset, type, &empty, 0), known ? -ENOMSG : -EINVAL);
		/* To execute is not handled here: known or not, it is refused. */
		EXPECT_IS(add_rule(ruleset, type, &some, 0), -EINVAL);
	}
	for (size_t i = 0; i < sizeof(far) / sizeof(far[0]) && level.abi <= LEVEL_NEWEST; i++)
		EXPECT_IS(add_rule(ruleset, far[i], &some, 0), -EINVAL);
}

static void path_rules_must_fit_their_ruleset(const void *unused)
{
	struct path_rule rule = { .allowed = 0, .parent = new_fd("/", O_PATH) };
	unsigned char *bad = wall();
	long ruleset = new_ruleset(LEVEL_FS, 4);

	(void)unused;
	EXPECT_IS(add_rule(ruleset, LEVEL_RULE_PATH, bad - 11, 0), -EFAULT);
	EXPECT_IS(add_rule(ruleset, LEVEL_RULE_PATH, bad - 12, 0), -ENOMSG);
	EXPECT_IS(add_rule(ruleset, LEVEL_RULE_PATH, &rule, 0), -ENOMSG);
	for (unsigned int bit = 0; bit < ALL_BITS; bit++) {
		rule.allowed = mask(bit);
		EXPECT_IS(add_rule(ruleset, LEVEL_RULE_PATH, &rule, 0), bit == 2 ? 0 : -EINVAL);
		rule.allowed |= 4;
		EXPECT_IS(add_rule(ruleset, LEVEL_RULE_PATH, &rule, 0), bit == 2 ? 0 : -EINVAL);
	}
	rule.parent = -1; /* the bits are looked at first */
	EXPECT_IS(add_rule(ruleset, LEVEL_RULE_PATH, &rule, 0), -EINVAL);
}

static void path_rules_need_a_path(const void *unused)
{
	long ruleset = new_ruleset(LEVEL_FS, 4);
	int ends[2] = { -1, -1 }, piped = pipe(ends);
	const struct {
		int fd;
		long due;
	} parents[] = {
		{ -1, -EBADF },
		{ AT_FDCWD, -EBADF },
		{ 999, -EBADF },
		{ (int)ruleset, -EBADFD },
		{ ends[0], -EBADFD },
		{ socket(AF_UNIX, SOCK_STREAM, 0), -EBADFD },
		{ memfd_create("x", 0), -EBADFD },
		{ new_fd("/", O_PATH), 0 },
		{ new_fd("/", O_RDONLY), 0 },
		{ new_fd("/dev/null", O_PATH), 0 },
	};

	(void)unused;
	EXPECT(piped == 0, "cannot make a pipe");
	for (size_t i = 0; i < sizeof(parents) / sizeof(parents[0]); i++) {
		struct path_rule rule = { .allowed = 4, .parent = parents[i].fd };
		long got = add_rule(ruleset, LEVEL_RULE_PATH, &rule, 0);

		EXPECT(got == parents[i].due, "parent %u: %s", (unsigned int)i, expect_show(got));
	}
}

static void a_right_is_granted_where_it_is_valid(const void *subject)
{
	const struct level_right *right = subject;
	struct path_rule rule = { .allowed = mask(right->bit), .parent = new_fd("/", O_PATH) };
	long ruleset = new_ruleset(LEVEL_FS, mask(right->bit));

	EXPECT_IS(add_rule(ruleset, LEVEL_RULE_PATH, &rule, 0), 0);
	rule.parent = new_fd("/proc/self/status", O_PATH);
	EXPECT_IS(add_rule(ruleset, LEVEL_RULE_PATH, &rule, 0), right->on_file ? 0 : -EINVAL);
}

static void port_rules_must_fit_their_ruleset(const void *unused)
{
	struct port_rule rule = { .allowed = 1, .port = 0 };
	unsigned char *bad = wall();
	long ruleset = new_ruleset(LEVEL_NET, 1);

	(void)unused;
	EXPECT_IS(add_rule(ruleset, LEVEL_RULE_PORT, bad - 15, 0), -EFAULT);
	EXPECT_IS(add_rule(ruleset, LEVEL_RULE_PORT, bad - 16, 0), -ENOMSG);
	EXPECT_IS(add_rule(ruleset, LEVEL_RULE_PORT, &rule, 0), 0);
	rule.port = 65535;
	EXPECT_IS(add_rule(ruleset, LEVEL_RULE_PORT, &rule, 0), 0);
	rule.port = 65536;
	EXPECT_IS(add_rule(ruleset, LEVEL_RULE_PORT, &rule, 0), -EINVAL);
	rule.port = 80;
	for (unsigned int bit = 1; bit < ALL_BITS; bit++) {
		rule.allowed = 1 | mask(bit);
		EXPECT_IS(add_rule(ruleset, LEVEL_RULE_PORT, &rule, 0), -EINVAL);
	}
}

/* No kernel of this ABI could be run when this was written: from its source. */
static void member_rules_must_fit_their_ruleset(const void *unused)
{
	(void)unused;
	for (unsigned int i = 0; i < 2; i++) {
		uint32_t type = i == 0 ? LEVEL_RULE_NAMESPACE : LEVEL_RULE_CAPABILITY;
		struct member_rule rule = { .permissions = 1u << i, .allowed = 1 };
		long ruleset = new_ruleset(LEVEL_PERMISSIONS, 1u << i);

		EXPECT_IS(add_rule(ruleset, type, NULL, 0), -EFAULT);
		EXPECT_IS(add_rule(ruleset, type, &rule, 0), 0);
		EXPECT_IS(add_rule(ruleset, type, &rule, LEVEL_ADD_QUIET), -EINVAL);
		rule.permissions = 3;
		EXPECT_IS(add_rule(ruleset, type, &rule, 0), -EINVAL);
		rule.permissions = 0;
		EXPECT_IS(add_rule(ruleset, type, &rule, 0), -ENOMSG);
		rule.permissions = 1u << i;
		rule.allowed = 0;
		EXPECT_IS(add_rule(ruleset, type, &rule, 0), -ENOMSG);
	}
}

/* --- restriction --- */

static void set_no_new_privs(void)
{
	EXPECT(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0, "cannot set no_new_privs");
}

/* Becomes a process that may not restrict itself yet; ends the test where none can be. */
static void drop_privileges(void)
{
	if (prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 0)
		suite_skip("no_new_privs is set from outside");
	if (geteuid() != 0)
		return;
	EXPECT(setgroups(0, NULL) == 0 && setresgid(NOBODY, NOBODY, NOBODY) == 0 &&
		       setresuid(NOBODY, NOBODY, NOBODY) == 0,
	       "cannot become another user");
	/* Else /proc/self is not this user's. */
	EXPECT(prctl(PR_SET_DUMPABLE, 1, 0, 0, 0) == 0, "cannot be dumpable");
}

static void unknown_restrict_flags_are_refused(const void *unused)
{
	long ruleset = new_ruleset(LEVEL_FS, 1);

	(void)unused;
	set_no_new_privs();
	for (unsigned int bit = 0; bit < 32; bit++) {
		uint32_t flag = 1u << bit;

		if (flag & level.takes[LEVEL_RESTRICT_FLAGS])
			continue;
		EXPECT_IS(restrict_self(ruleset, flag), -EINVAL);
		EXPECT_IS(restrict_self(-1, flag), -EINVAL);
		EXPECT_IS(restrict_self(-1, flag | LEVEL_RESTRICT_SUBDOMAINS_OFF), -EINVAL);
	}
}

static void a_restrict_flag_is_taken(const void *subject)
{
	const uint32_t *flag = subject;
	long ruleset = new_ruleset(LEVEL_FS, 1u << 1);

	set_no_new_privs();
	EXPECT_IS(restrict_self(ruleset, *flag), 0);
	EXPECT(open("/dev/null", O_WRONLY) < 0 && errno == EACCES, "nothing is enforced");
}

static void an_unprivileged_process_is_refused(const void *unused)
{
	long ruleset = new_ruleset(LEVEL_FS, 1);
	long unknown = level.flags_before_privilege ? -EINVAL : -EPERM;

	(void)unused;
	drop_privileges();
	EXPECT_IS(restrict_self(ruleset, 0), -EPERM);
	EXPECT_IS(restrict_self(-1, 0), -EPERM);
	for (unsigned int bit = 0; bit < 32; bit++) {
		uint32_t flag = 1u << bit;
		bool known = (flag & level.takes[LEVEL_RESTRICT_FLAGS]) != 0;

		if (!known && level.abi > LEVEL_NEWEST)
			continue;
		if (known && flag == LEVEL_RESTRICT_NO_NEW_PRIVS)
			continue;
		EXPECT_IS(restrict_self(ruleset, flag), known ? -EPERM : unknown);
		EXPECT_IS(restrict_self(-1, flag), known ? -EPERM : unknown);
	}
	set_no_new_privs();
	EXPECT_IS(restrict_self(ruleset, 0), 0);
}

static void a_flag_can_set_no_new_privs(const void *unused)
{
	long ruleset = new_ruleset(LEVEL_FS, 1);

	(void)unused;
	drop_privileges();
	EXPECT_IS(restrict_self(-1, LEVEL_RESTRICT_NO_NEW_PRIVS), -EBADF);
	EXPECT_IS(restrict_self(-1, LEVEL_RESTRICT_NO_NEW_PRIVS | LEVEL_RESTRICT_SUBDOMAINS_OFF),
		  -EBADF);
	EXPECT_IS(prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0), 0);
	if (!can_have(11))
		return;
	EXPECT_IS(restrict_self(ruleset, LEVEL_RESTRICT_NO_NEW_PRIVS), 0);
	EXPECT_IS(prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0), 1);
}

static void restriction_needs_a_ruleset(const void *unused)
{
	uint32_t known = level.takes[LEVEL_RESTRICT_FLAGS];
	int ends[2];

	(void)unused;
	set_no_new_privs();
	EXPECT(pipe(ends) == 0, "cannot make a pipe");
	for (unsigned int bit = 0; bit <= 32; bit++) {
		uint32_t flags = bit < 32 ? 1u << bit & known : 0;

		if (flags != LEVEL_RESTRICT_SUBDOMAINS_OFF)
			EXPECT_IS(restrict_self(-1, flags), -EBADF);
		EXPECT_IS(restrict_self(999, flags), -EBADF);
		EXPECT_IS(restrict_self(new_fd("/", O_PATH), flags), -EBADF);
		EXPECT_IS(restrict_self(new_fd("/", O_RDONLY), flags), -EBADFD);
		EXPECT_IS(restrict_self(ends[1], flags), -EBADFD);
	}
	/* Only -1 stands for no ruleset. */
	if (known & LEVEL_RESTRICT_TSYNC)
		EXPECT_IS(restrict_self(999, LEVEL_RESTRICT_SUBDOMAINS_OFF | LEVEL_RESTRICT_TSYNC),
			  -EBADF);
}

static void subdomains_can_be_muted_alone(const void *unused)
{
	uint32_t off = LEVEL_RESTRICT_SUBDOMAINS_OFF;

	(void)unused;
	set_no_new_privs();
	EXPECT_IS(restrict_self(-1, off), 0);
	EXPECT_IS(restrict_self(-1, off | 1), -EBADF);
	EXPECT_IS(restrict_self(-1, off | 2), -EBADF);
	if (can_have(8))
		EXPECT_IS(restrict_self(-1, off | LEVEL_RESTRICT_TSYNC), 0);
	/* It makes no domain: writing is as free as before. */
	EXPECT(open("/dev/null", O_WRONLY) >= 0, "something is enforced: %s", strerror(errno));
}

static void layers_end_at_the_limit(const void *unused)
{
	/* A limit cannot be claimed: what counts is the kernel below. */
	int limit = level_of(real_abi).layers;
	long ruleset = new_ruleset(LEVEL_FS, 1);

	(void)unused;
	set_no_new_privs();
	for (int i = 0; i < limit; i++)
		EXPECT_IS(restrict_self(ruleset, 0), 0);
	EXPECT_IS(restrict_self(ruleset, 0), -E2BIG);
}

#ifdef __x86_64__
static void by_32_bit_call(void)
{
	long result;

	/* 32-bit code cannot be relied on to be there, but its entry can be called from here. */
	__asm__ volatile("int $0x80"
			 : "=a"(result)
			 : "a"(SYS_landlock_create_ruleset), "b"(0), "c"(0), "d"(1)
			 : "memory", "r8", "r9", "r10", "r11");
	EXPECT_IS((int)result, level.abi);
}

static void out_of_reach(int signal)
{
	(void)signal;
	suite_skip("this kernel has no 32-bit system calls");
}

static void a_32_bit_call_has_the_same_answer(const void *unused)
{
	(void)unused;
	signal(SIGSEGV, out_of_reach);
	by_32_bit_call();
}
#endif

/* --- the lists --- */

static void query_checks(void)
{
	suite_run(version_is_the_abi, NULL, "the version query says %d", level.abi);
	suite_run(errata_is_a_mask_or_unknown, NULL, "the errata query says a mask or is unknown");
	suite_run(queries_take_no_ruleset, NULL, "queries take no ruleset");
	if (level.abi <= LEVEL_NEWEST)
		suite_run(other_create_flags_are_refused, NULL, "other create flags are refused");
#ifdef __x86_64__
	suite_run(a_32_bit_call_has_the_same_answer, NULL, "a 32-bit call has the same answer");
#endif
}

static void bit_checks(void)
{
	const struct level_right *right;

	for (size_t i = 0; (right = level_right(i)) != NULL; i++) {
		bool known = level.abi >= right->since;

		if (!known || can_have(right->since))
			suite_run(a_right_is_known_from_its_abi_on, right, "%s is %s", right->name,
				  known ? "taken" : "refused");
	}
	for (unsigned int i = 0; i < LEVEL_FIELDS * ALL_BITS; i++) {
		struct bit bit = { .field = i / ALL_BITS, .number = i % ALL_BITS };

		if (level.abi <= LEVEL_NEWEST && (level.known[bit.field] & mask(bit.number)) == 0)
			suite_run(an_unknown_bit_is_refused, &bit, "%s bit %u is refused",
				  level_field_name(bit.field), bit.number);
	}
}

static void ruleset_checks(void)
{
	suite_run(unreadable_rulesets_fault, NULL, "unreadable rulesets fault");
	suite_run(sizes_out_of_range_are_refused, NULL, "sizes out of range are refused");
	suite_run(a_zero_tail_is_taken, NULL, "a zero tail is taken");
	if (level.abi <= LEVEL_NEWEST) {
		suite_run(a_tail_with_a_bit_is_too_big, NULL, "a tail with a bit is too big");
		suite_run(the_last_byte_of_a_page_counts, NULL, "the last byte of a page counts");
	}
	suite_run(what_a_size_cuts_off_does_not_count, NULL, "what a size cuts off does not count");
	suite_run(an_empty_ruleset_is_refused, NULL, "an empty ruleset is refused");
	suite_run(all_known_bits_are_taken_at_once, NULL, "all known bits are taken at once");
	if (level.abi >= 10)
		suite_run(quiet_bits_repeat_handled_ones, NULL, "quiet bits repeat handled ones");
	suite_run(a_ruleset_is_a_private_descriptor, NULL, "a ruleset is a private descriptor");
	suite_run(no_free_descriptor_is_said, NULL, "no free descriptor is said");
}

static void rule_checks(void)
{
	const struct level_right *right;

	suite_run(add_rule_flags_come_first, NULL, "add_rule flags come first");
	suite_run(the_ruleset_comes_before_the_rule, NULL, "the ruleset comes before the rule");
	suite_run(rule_types_are_known_from_their_abi_on, NULL,
		  "rule types are known from their abi on");
	suite_run(path_rules_must_fit_their_ruleset, NULL, "path rules must fit their ruleset");
	suite_run(path_rules_need_a_path, NULL, "path rules need a path");
	for (size_t i = 0; (right = level_right(i)) != NULL; i++)
		if (right->field == LEVEL_FS && can_have(right->since))
			suite_run(a_right_is_granted_where_it_is_valid, right, "%s is %s on a file",
				  right->name, right->on_file ? "valid" : "refused");
	if (can_have(4))
		suite_run(port_rules_must_fit_their_ruleset, NULL,
			  "port rules must fit their ruleset");
	if (level.abi >= 10)
		suite_run(a_quiet_rule_needs_quiet_bits, NULL, "a quiet rule needs quiet bits");
	if (can_have(12))
		suite_run(member_rules_must_fit_their_ruleset, NULL,
			  "namespace and capability rules must fit their ruleset");
}

static void restrict_checks(void)
{
	static const uint32_t flags[] = { 0x1, 0x2, 0x3, 0x4, 0x7, 0x8, 0xf, 0x10, 0x1f };

	if (level.abi <= LEVEL_NEWEST)
		suite_run(unknown_restrict_flags_are_refused, NULL,
			  "unknown restrict_self flags are refused");
	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++)
		if ((flags[i] & ~level.takes[LEVEL_RESTRICT_FLAGS]) == 0 &&
		    (flags[i] & ~level_of(real_abi).takes[LEVEL_RESTRICT_FLAGS]) == 0)
			suite_run(a_restrict_flag_is_taken, &flags[i],
				  "restrict_self flags 0x%x are taken", flags[i]);
	suite_run(an_unprivileged_process_is_refused, NULL,
		  "an unprivileged process is refused, %s",
		  level.flags_before_privilege ? "after its flags" : "before its flags");
	if (level.abi >= 11)
		suite_run(a_flag_can_set_no_new_privs, NULL, "a flag can set no_new_privs");
	suite_run(restriction_needs_a_ruleset, NULL, "restriction needs a ruleset");
	if (can_have(7))
		suite_run(subdomains_can_be_muted_alone, NULL, "subdomains can be muted alone");
	suite_run(layers_end_at_the_limit, NULL, "layers end at %d", level_of(real_abi).layers);
}

void level_checks(int abi, int real)
{
	level = level_of(abi);
	real_abi = real;
	page = sysconf(_SC_PAGESIZE);
	query_checks();
	bit_checks();
	ruleset_checks();
	rule_checks();
	restrict_checks();
	enforcement_checks(abi < real ? abi : real);
}

/* --- no Landlock --- */

static void every_call_has_the_same_errno(const void *subject)
{
	const int *due = subject;
	uint64_t ruleset[LEVEL_FIELDS] = { 1 };
	struct path_rule rule = { .allowed = 4, .parent = 0 };

	for (uint64_t flags = 0; flags < 5; flags++) {
		EXPECT_IS(create_ruleset(NULL, 0, flags), -*due);
		EXPECT_IS(create_ruleset(NULL, 8, flags), -*due);
		EXPECT_IS(create_ruleset(ruleset, 8, flags), -*due);
		EXPECT_IS(create_ruleset(ruleset, sizeof(ruleset), flags), -*due);
		EXPECT_IS(create_ruleset(ruleset, UINT64_C(1) << 31, flags), -*due);
		EXPECT_IS(add_rule(-1, (uint32_t)flags, NULL, 0), -*due);
		EXPECT_IS(add_rule(0, (uint32_t)flags, &rule, 0), -*due);
		EXPECT_IS(add_rule(0, LEVEL_RULE_PATH, &rule, (uint32_t)flags), -*due);
		EXPECT_IS(restrict_self(-1, (uint32_t)flags), -*due);
		EXPECT_IS(restrict_self(0, (uint32_t)flags), -*due);
	}
}

static void the_errno_says_that_landlock_is_absent(const void *subject)
{
	const int *due = subject;

	EXPECT(*due == ENOSYS || *due == EOPNOTSUPP, "the version query says %s", errno_name(*due));
}

void absence_checks(int error)
{
	if (error == 0) {
		error = (int)-create_ruleset(NULL, 0, LEVEL_CREATE_VERSION);
		suite_run(the_errno_says_that_landlock_is_absent, &error,
			  "ENOSYS or EOPNOTSUPP says that Landlock is absent");
	}
	suite_run(every_call_has_the_same_errno, &error, "every call is answered %s",
		  errno_name(error));
}
