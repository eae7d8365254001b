/* Makes one call by number, on the file "f" or on descriptor 3, and says what came back.
 * Needs no libc, so that a 32-bit program needs none; judges nothing. After shape.h. */
#ifndef ATTEMPT_H
#define ATTEMPT_H

#include <stdint.h>

#define ATTEMPT_FD 3

/* A way into the kernel: takes the number and six arguments, returns what the kernel does. */
typedef long (*enter_function)(long number, const long arguments[6]);

/* All statically allocated, and the programs are linked at low addresses: a 32-bit call takes
 * 32-bit pointers. */
static char attempt_path[] = "f";
static char attempt_new[] = "user.new";
static char attempt_there[] = "user.there";
static char attempt_byte[] = "x";
static uint64_t attempt_zeros[32];
static uint32_t attempt_flags; /* for FS_IOC_SETFLAGS */
static uint32_t attempt_value = 'x';
static struct {
	uint32_t xflags, others[6];
} attempt_xattr = { 0x80, { 0 } };
static struct {
	uint64_t xflags;
	uint32_t others[4];
} attempt_attr = { 0x80, { 0 } };
static struct {
	uint64_t value;
	uint32_t size, flags;
} attempt_new_args = { 0, 1, 0 };

#define CWD (-100)
#define AT(pointer) ((long)(uintptr_t)(pointer))
/* All zeros: the epoch in each of the layouts of a time, whatever the width. */
#define EPOCH AT(attempt_zeros)
#define OWNER 1

/* The arguments of each shape, but for an ioctl's command. */
static const long attempt_table[][6] = {
	[PATH_MODE] = { AT(attempt_path), 0707 },
	[FD_MODE] = { ATTEMPT_FD, 0707 },
	[AT_MODE] = { CWD, AT(attempt_path), 0707 },
	[PATH_OWNER] = { AT(attempt_path), OWNER, OWNER },
	[FD_OWNER] = { ATTEMPT_FD, OWNER, OWNER },
	[AT_OWNER] = { CWD, AT(attempt_path), OWNER, OWNER },
	[PATH_TIMES] = { AT(attempt_path), EPOCH },
	[AT_TIMES] = { CWD, AT(attempt_path), EPOCH },
	[PATH_SET] = { AT(attempt_path), AT(attempt_new), AT(attempt_byte), 1 },
	[FD_SET] = { ATTEMPT_FD, AT(attempt_new), AT(attempt_byte), 1 },
	[AT_SET] = { CWD, AT(attempt_path), 0, AT(attempt_new), AT(&attempt_new_args),
		     sizeof attempt_new_args },
	[PATH_REMOVE] = { AT(attempt_path), AT(attempt_there) },
	[FD_REMOVE] = { ATTEMPT_FD, AT(attempt_there) },
	[AT_REMOVE] = { CWD, AT(attempt_path), 0, AT(attempt_there) },
	[AT_ATTR] = { CWD, AT(attempt_path), AT(&attempt_attr), sizeof attempt_attr },
	[RING_SETUP] = { 4, AT(attempt_zeros) },
	[RING_USE] = { -1 },
	[IOCTL_FLAGS] = { ATTEMPT_FD, 0, AT(&attempt_flags) },
	[IOCTL_XATTR] = { ATTEMPT_FD, 0, AT(&attempt_xattr) },
	[IOCTL_VALUE] = { ATTEMPT_FD, 0, AT(&attempt_value) },
	[IOCTL_STRUCT] = { ATTEMPT_FD, 0, AT(attempt_zeros) },
};

/* 0, or the errno: fit for an exit status. */
static int attempt(enter_function enter, long number, enum shape shape, uint64_t command,
		   uint32_t flags)
{
	long arguments[6], result;

	for (int i = 0; i < 6; i++)
		arguments[i] = attempt_table[shape][i];
	if (shape >= IOCTL_FLAGS)
		arguments[1] = (long)command;
	attempt_flags = flags;
	attempt_new_args.value = (uintptr_t)attempt_byte;
	result = enter(number, arguments);
	return result < 0 ? (int)-result : 0;
}

#endif
