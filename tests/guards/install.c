/* Tests what installing a guard promises: what it asks, answers, leaves alone, and cannot stop.
 * Which calls a guard refuses is not looked at here: that is refusals.c's business. */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/io_uring.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "../check.h"
#include "../../lib/guards.h"
#include "../../lib/guards/insn.h"
#include "../../lib/landlock-run.h"

#define BOTH (LLR_GUARD_METADATA | LLR_GUARD_TTY)
#define NOBODY 65534

/* guards.c as any other architecture gets it: see other.c. */
int other_guard_available(uint32_t guards);
int other_guard_install(uint32_t guards);

/* Each test is in a process of its own: a filter cannot be taken off again. */

static void without_new_privileges(void)
{
	REQUIRE(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
}

/* How many filters are in force, by /proc; -1 where the kernel does not say (before Linux 5.9). */
static int filters_in_force(void)
{
	static const char field[] = "Seccomp_filters:";
	char status[4096], *found;
	int file = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
	ssize_t size = read(file, status, sizeof status - 1);

	close(file);
	status[size > 0 ? size : 0] = '\0';
	found = strstr(status, field);
	return found ? atoi(found + sizeof field - 1) : -1;
}

/* Makes seccomp(2) itself fail with that errno from now on. */
static void without_seccomp(unsigned error)
{
	const struct llr_bpf_insn insns[] = {
		{ 0x20, 0, 0, 0 },
		{ 0x15, 0, 1, SYS_seccomp },
		{ 0x06, 0, 0, 0x00050000 | error },
		{ 0x06, 0, 0, 0x7fff0000 },
	};
	const struct llr_bpf_program program = { sizeof insns / sizeof *insns, insns };

	without_new_privileges();
	REQUIRE(syscall(SYS_seccomp, 1, 0, &program) == 0);
}

/* ---- Asking and answering ---- */

TEST(no_guard_asks_the_kernel_nothing)
{
	without_seccomp(EPERM);
	CHECK_INT(llr_guard_install(0), 0);
	CHECK_INT(llr_guard_available(0), 0);
	CHECK_INT(llr_guard_install(LLR_GUARD_TTY), -EPERM);
}

TEST(each_guard_is_one_filter_and_guards_nest)
{
	if (filters_in_force() < 0)
		SKIP("this kernel does not count filters");
	without_new_privileges();
	CHECK_INT(filters_in_force(), 0);
	CHECK_INT(llr_guard_install(LLR_GUARD_METADATA), 0);
	CHECK_INT(filters_in_force(), 1);
	CHECK_INT(llr_guard_install(LLR_GUARD_TTY), 0);
	CHECK_INT(filters_in_force(), 2);
	CHECK_INT(llr_guard_install(BOTH), 0);
	CHECK_INT(filters_in_force(), 4);
}

TEST(an_unknown_guard_is_refused_and_installs_nothing)
{
	without_new_privileges();
	CHECK_INT(llr_guard_install(4), -EINVAL);
	CHECK_INT(llr_guard_install(BOTH | 0x80000000), -EINVAL);
	CHECK_INT(llr_guard_available(BOTH | 4), -EINVAL);
	CHECK_INT(prctl(PR_GET_SECCOMP), 0);
}

TEST(without_no_new_privs_the_answer_is_eacces)
{
	if (!getuid())
		REQUIRE(!setgroups(0, NULL) && !setresgid(NOBODY, NOBODY, NOBODY) &&
			!setresuid(NOBODY, NOBODY, NOBODY));
	if (prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0))
		SKIP("no_new_privs is set already");
	CHECK_INT(llr_guard_install(BOTH), -EACCES);
	CHECK_INT(prctl(PR_GET_SECCOMP), 0);
	CHECK_INT(prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0), 0);
}

TEST(a_kernel_without_seccomp_is_said_to_be_one)
{
	CHECK_INT(llr_guard_available(BOTH), 0);
	without_seccomp(ENOSYS);
	CHECK_INT(llr_guard_available(BOTH), -ENOSYS);
	CHECK_INT(llr_guard_install(BOTH), -ENOSYS);
}

TEST(asking_whether_a_guard_is_available_restricts_nothing)
{
	int before = prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0);

	CHECK_INT(llr_guard_available(BOTH), 0);
	CHECK_INT(prctl(PR_GET_SECCOMP), 0);
	CHECK_INT(prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0), before);
}

TEST(errno_is_left_alone)
{
	without_new_privileges();
	errno = 77;
	CHECK_INT(llr_guard_available(BOTH), 0);
	CHECK_INT(llr_guard_install(4), -EINVAL);
	CHECK_INT(llr_guard_install(BOTH), 0);
	CHECK_INT(errno, 77);
}

TEST(an_architecture_without_filters_is_refused)
{
	CHECK_INT(other_guard_install(LLR_GUARD_METADATA), -ENOSYS);
	CHECK_INT(other_guard_install(LLR_GUARD_TTY), -ENOSYS);
	CHECK_INT(other_guard_install(BOTH), -ENOSYS);
	CHECK_INT(other_guard_available(BOTH), -ENOSYS);
	CHECK_INT(other_guard_install(0), 0);
	CHECK_INT(other_guard_available(0), 0);
	CHECK_INT(other_guard_install(4), -EINVAL);
}

/* ---- What a guard leaves alone ---- */

TEST(other_calls_and_commands_work)
{
	int file = open("f", O_RDWR | O_CREAT, 0600), number = 0;
	struct stat info;
	char byte;

	umask(022);
	without_new_privileges();
	REQUIRE(file >= 0 && llr_guard_install(BOTH) == 0);
	CHECK(write(file, "x", 1) == 1 && pread(file, &byte, 1, 0) == 1 && byte == 'x');
	CHECK(!ftruncate(file, 0) && !fstat(file, &info) && !access("f", R_OK | W_OK));
	CHECK(fgetxattr(file, "user.none", &byte, 1) == -1 && errno != EACCES);
	CHECK(flistxattr(file, NULL, 0) >= 0 || errno != EACCES);
	CHECK(!ioctl(file, FIONREAD, &number) && !ioctl(file, FIONBIO, &number));
	CHECK(ioctl(file, TCGETS, &info) == -1 && errno == ENOTTY);
	/* FS_IOC_GETFLAGS and FS_IOC_FSGETXATTR: reading flags is no change. */
	CHECK(!ioctl(file, 0x80086601, &number) || errno != EACCES);
	CHECK(!ioctl(file, 0x801c581f, &info) || errno != EACCES);
	CHECK(!unlink("f") && !mkdir("d", 0711) && !stat("d", &info) &&
	      (info.st_mode & 0777) == 0711 && !rmdir("d"));
}

/* ---- An inherited ring ---- */

struct ring {
	int fd;
	struct io_uring_params params;
	unsigned char *submission, *completion;
	struct io_uring_sqe *entries;
	uint32_t used; /* of the two entries */
};

static bool ring_make(struct ring *ring, uint32_t flags)
{
	size_t submission, completion;

	memset(ring, 0, sizeof *ring);
	ring->params.flags = flags;
	ring->params.sq_thread_idle = 10000;
	ring->fd = (int)syscall(SYS_io_uring_setup, 2, &ring->params);
	if (ring->fd < 0)
		return false;
	submission = ring->params.sq_off.array + ring->params.sq_entries * sizeof(uint32_t);
	completion = ring->params.cq_off.cqes +
		     ring->params.cq_entries * sizeof(struct io_uring_cqe);
	ring->submission = mmap(NULL, submission, PROT_READ | PROT_WRITE, MAP_SHARED, ring->fd,
				IORING_OFF_SQ_RING);
	ring->completion = mmap(NULL, completion, PROT_READ | PROT_WRITE, MAP_SHARED, ring->fd,
				IORING_OFF_CQ_RING);
	ring->entries = mmap(NULL, 2 * sizeof *ring->entries, PROT_READ | PROT_WRITE, MAP_SHARED,
			     ring->fd, IORING_OFF_SQES);
	return ring->submission != MAP_FAILED && ring->completion != MAP_FAILED &&
	       ring->entries != MAP_FAILED;
}

/* Waits for the kernel's own thread to take up all entries, if the ring has one. */
static bool ring_was_polled(const struct ring *ring)
{
	const uint32_t *tail =
		(const uint32_t *)(const void *)(ring->completion + ring->params.cq_off.tail);

	for (int i = 0; i < 5000; i++) {
		if (__atomic_load_n(tail, __ATOMIC_ACQUIRE) == ring->used)
			return true;
		usleep(1000);
	}
	return false;
}

/* The next of the ring's two entries, zero but for its operation. */
static struct io_uring_sqe *ring_entry(struct ring *ring, uint8_t operation)
{
	struct io_uring_sqe *entry = &ring->entries[ring->used];

	memcpy(ring->submission + ring->params.sq_off.array + ring->used * sizeof ring->used,
	       &ring->used, sizeof ring->used);
	memset(entry, 0, sizeof *entry);
	entry->opcode = operation;
	return entry;
}

static void ring_publish(struct ring *ring)
{
	__atomic_store_n((uint32_t *)(void *)(ring->submission + ring->params.sq_off.tail),
			 ++ring->used, __ATOMIC_RELEASE);
}

static long ring_enter(const struct ring *ring, uint32_t flags)
{
	return syscall(SYS_io_uring_enter, ring->fd, 1, 1, flags, NULL, 0);
}

/* IORING_OP_FSETXATTR; 0, or the errno of entering the ring or of the operation. */
static int ring_set_attribute(struct ring *ring, int file)
{
	struct io_uring_sqe *entry = ring_entry(ring, IORING_OP_FSETXATTR);
	struct io_uring_cqe cqe;

	entry->fd = file;
	entry->addr = (uintptr_t) "user.ring";
	entry->addr2 = (uintptr_t) "x";
	entry->len = 1;
	ring_publish(ring);
	if (ring->params.flags & IORING_SETUP_SQPOLL) {
		if (!ring_was_polled(ring))
			return ETIME;
	} else if (ring_enter(ring, IORING_ENTER_GETEVENTS) < 0) {
		return errno;
	}
	memcpy(&cqe, ring->completion + ring->params.cq_off.cqes + (ring->used - 1) * sizeof cqe,
	       sizeof cqe);
	return -cqe.res;
}

/* An idle ring's thread sleeps until the ring is entered; one that has just worked stays awake. */
static bool ring_awaken(struct ring *ring)
{
	ring_entry(ring, IORING_OP_NOP);
	ring_publish(ring);
	return ring_enter(ring, IORING_ENTER_SQ_WAKEUP | IORING_ENTER_GETEVENTS) >= 0;
}

/* Skips where there are no rings, or nothing that a ring could set. */
static int open_ring_and_file(struct ring *ring, uint32_t flags)
{
	int file = open("f", O_RDWR | O_CREAT, 0600);

	REQUIRE(file >= 0);
	if (!ring_make(ring, flags))
		SKIP("no io_uring here");
	if (fsetxattr(file, "user.there", "x", 1, 0))
		SKIP("no extended attributes here");
	return file;
}

TEST(an_inherited_ring_sets_an_attribute_without_the_guard)
{
	struct ring ring;
	int file = open_ring_and_file(&ring, 0), result = ring_set_attribute(&ring, file);
	char byte;

	if (result == EINVAL)
		SKIP("this kernel's rings cannot set attributes (Linux 5.19 brought it)");
	CHECK_INT(result, 0);
	CHECK_INT(fgetxattr(file, "user.ring", &byte, 1), 1);
}

TEST(an_inherited_ring_sets_no_attribute_under_the_guard)
{
	struct ring ring;
	int file = open_ring_and_file(&ring, 0);
	char byte;

	without_new_privileges();
	REQUIRE(llr_guard_install(LLR_GUARD_METADATA) == 0);
	CHECK_INT(ring_set_attribute(&ring, file), ENOSYS);
	CHECK_INT(fgetxattr(file, "user.ring", &byte, 1), -1);
}

/* A limit: the kernel's own thread makes no system call that a filter could refuse. */
TEST(an_inherited_ring_that_the_kernel_polls_is_beyond_the_guard)
{
	struct ring ring;
	int file = open_ring_and_file(&ring, IORING_SETUP_SQPOLL), result;
	char byte;

	REQUIRE(ring_awaken(&ring));
	without_new_privileges();
	REQUIRE(llr_guard_install(LLR_GUARD_METADATA) == 0);
	result = ring_set_attribute(&ring, file);
	if (result == EINVAL)
		SKIP("this kernel's rings cannot set attributes (Linux 5.19 brought it)");
	CHECK_INT(result, 0);
	CHECK_INT(fgetxattr(file, "user.ring", &byte, 1), 1);
}
