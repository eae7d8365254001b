/* ring.c: attempts by io_uring, and by the system calls of another architecture: ways into the
 * kernel that go past a look at system calls. */
#include "escape.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <linux/io_uring.h>
#include <unistd.h>

/* What a 32-bit call points at must lie low: the program is linked so. */
static char file_name[] = "file";
static char new_name[] = "new";
static char one_byte[] = "x";
static char attribute_name[] = "user.new";

static const char *const lacking = "io_uring is not to be had here";

/* ---- A ring ---- */

static int set_up(struct io_uring_params *parameters)
{
	memset(parameters, 0, sizeof *parameters);
	return (int)syscall(SYS_io_uring_setup, 2, parameters);
}

/* Makes one call by the ring and waits for it: its result, or -1 with errno. */
static int enter(int ring, const struct io_uring_params *parameters,
		 const struct io_uring_sqe *call)
{
	const int access = PROT_READ | PROT_WRITE, sharing = MAP_SHARED | MAP_POPULATE;
	size_t entries = parameters->sq_entries * sizeof(struct io_uring_sqe);
	size_t size = parameters->cq_off.cqes +
		      parameters->cq_entries * sizeof(struct io_uring_cqe) +
		      parameters->sq_entries * sizeof(unsigned int);
	struct io_uring_sqe *calls = mmap(NULL, entries, access, sharing, ring,
					  (off_t)IORING_OFF_SQES);
	char *rings = mmap(NULL, size, access, sharing, ring, (off_t)IORING_OFF_SQ_RING);
	struct io_uring_cqe *done;
	unsigned int *tail, mask;

	if (calls == MAP_FAILED || rings == MAP_FAILED)
		return -1;
	tail = (unsigned int *)(void *)(rings + parameters->sq_off.tail);
	mask = *(unsigned int *)(void *)(rings + parameters->sq_off.ring_mask);
	calls[0] = *call;
	((unsigned int *)(void *)(rings + parameters->sq_off.array))[*tail & mask] = 0;
	__atomic_store_n(tail, *tail + 1, __ATOMIC_RELEASE);
	if (syscall(SYS_io_uring_enter, ring, 1, 1, IORING_ENTER_GETEVENTS, NULL, 0) < 0)
		return -1;
	done = (struct io_uring_cqe *)(void *)(rings + parameters->cq_off.cqes);
	errno = done->res < 0 ? -done->res : 0;
	return done->res < 0 ? -1 : done->res;
}

static struct io_uring_sqe opening(void)
{
	struct io_uring_sqe call = { .opcode = IORING_OP_OPENAT, .fd = AT_FDCWD, .len = 0644 };

	call.addr = (unsigned long)new_name;
	call.open_flags = O_WRONLY | O_CREAT;
	return call;
}

static int no_ring(void)
{
	return errno == ENOSYS || errno == EPERM ? absent(lacking) : errno;
}

int writing_with_io_uring(const struct outside *outside)
{
	struct io_uring_params parameters;
	const struct io_uring_sqe call = opening();
	int ring = set_up(&parameters);

	(void)outside;
	return ring < 0 ? no_ring() : answer(enter(ring, &parameters, &call));
}

int setting_attributes_with_io_uring(const struct outside *outside)
{
	struct io_uring_sqe call = { .opcode = IORING_OP_SETXATTR, .len = 1 };
	struct io_uring_params parameters;
	int ring = set_up(&parameters);

	(void)outside;
	if (ring < 0)
		return no_ring();
	call.addr = (unsigned long)attribute_name;
	call.addr2 = (unsigned long)one_byte;
	call.addr3 = (unsigned long)file_name;
	if (enter(ring, &parameters, &call) >= 0)
		return DONE;
	if (errno == EOPNOTSUPP || errno == EINVAL)
		return absent("no extended attributes by io_uring here");
	return errno;
}

/* Connects by the ring; what is said then is said by an ordinary call. */
int connecting_by_tcp_with_io_uring(const struct outside *outside)
{
	const struct sockaddr_in address = {
		.sin_family = AF_INET,
		.sin_port = htons((uint16_t)outside->tcp),
		.sin_addr = { htonl(INADDR_LOOPBACK) },
	};
	struct io_uring_sqe call = { .opcode = IORING_OP_CONNECT, .off = sizeof address };
	struct io_uring_params parameters;
	int ring = set_up(&parameters);

	if (ring < 0)
		return no_ring();
	call.fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	call.addr = (unsigned long)&address;
	if (enter(ring, &parameters, &call) < 0)
		return errno;
	return answer(send(call.fd, one_byte, 1, MSG_NOSIGNAL));
}

/* ---- A ring that was made before ---- */

/* The parameters lie in memory that exec takes away; they are the same for each ring of the size.
 */
int with_ring(const struct outside *outside)
{
	struct io_uring_params parameters;
	int ring = set_up(&parameters);

	(void)outside;
	if (ring < 0)
		return no_ring();
	if (syscall(SYS_io_uring_register, ring, IORING_REGISTER_PERSONALITY, NULL, 0) != 1)
		return absent("io_uring takes no credentials here");
	return answer(dup2(ring, INHERITED));
}

int using_an_inherited_io_uring(const struct outside *outside)
{
	struct io_uring_params parameters;
	struct io_uring_sqe call = opening();
	int like = set_up(&parameters);

	(void)outside;
	if (like < 0)
		return no_ring();
	call.personality = 1;
	if (enter(INHERITED, &parameters, &call) < 0)
		return errno;
	return DONE;
}

/* ---- Other architectures ---- */

#ifdef __x86_64__
enum { I386_WRITE = 4, I386_OPEN = 5, I386_CHMOD = 15 };

static long i386(long number, long first, long second, long third)
{
	long result;

	__asm__ volatile("int $0x80"
			 : "=a"(result)
			 : "a"(number), "b"(first), "c"(second), "d"(third)
			 : "memory", "r8", "r9", "r10", "r11");
	return (int)result;
}

static int i386_answer(long result)
{
	return result == -ENOSYS ? absent("no 32-bit calls in this kernel")
	       : result < 0      ? (int)-result
				 : DONE;
}

int writing_with_a_32_bit_call(const struct outside *outside)
{
	long fd = i386(I386_OPEN, (long)file_name, O_WRONLY | O_APPEND, 0);

	(void)outside;
	return i386_answer(fd < 0 ? fd : i386(I386_WRITE, fd, (long)one_byte, 1));
}

int changing_modes_with_a_32_bit_call(const struct outside *outside)
{
	(void)outside;
	return i386_answer(i386(I386_CHMOD, (long)file_name, 0777, 0));
}

int writing_with_an_x32_call(const struct outside *outside)
{
	const long x32 = 0x40000000;
	long fd = syscall(x32 | SYS_open, file_name, O_WRONLY | O_APPEND);

	(void)outside;
	if (fd < 0)
		return answer_unless(-1, ENOSYS, "no x32 calls in this kernel");
	return answer(syscall(x32 | SYS_write, fd, one_byte, 1));
}
#else
static int no_other(const char *which)
{
	(void)file_name;
	return absent(which);
}

int writing_with_a_32_bit_call(const struct outside *outside)
{
	(void)outside;
	return no_other("the test knows no 32-bit calls of this architecture");
}

int changing_modes_with_a_32_bit_call(const struct outside *outside)
{
	(void)outside;
	return no_other("the test knows no 32-bit calls of this architecture");
}

int writing_with_an_x32_call(const struct outside *outside)
{
	(void)outside;
	return no_other("this architecture has no such calls");
}
#endif
