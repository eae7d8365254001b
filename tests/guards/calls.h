/* What the guards must refuse, as the kernel's own headers number it. After shape.h.
 * Nothing here comes from libseccomp or the generator, or no test of what they made could fail. */
#ifndef CALLS_H
#define CALLS_H

#include <errno.h>
#include <stdint.h>

#define LENGTH(array) (sizeof(array) / sizeof *(array))

#define METADATA 1U
#define TTY 2U
#define GUARDS (METADATA | TTY)

enum arch { X86_64, I386, X32, AARCH64, ARM, RISCV64, ARCHES };

/* The ways into a kernel that must be covered. x32 has a bit in the number, not a token. */
struct way {
	const char *name;
	uint32_t token;
	uint32_t bit;
	int ioctl;
};

static const struct way ways[ARCHES] = {
	[X86_64] = { "x86_64", 0xc000003e, 0, 16 },
	[I386] = { "i386", 0x40000003, 0, 54 },
	[X32] = { "x32", 0xc000003e, 0x40000000, 514 },
	[AARCH64] = { "aarch64", 0xc00000b7, 0, 29 },
	[ARM] = { "arm", 0x40000028, 0, 54 },
	[RISCV64] = { "riscv64", 0xc00000f3, 0, 29 },
};

/* What the kernel answers the owner of the file (root too) without a guard. */
enum unguarded {
	WORKS,  /* success and a change on disk, on every kernel with Landlock */
	DEPENDS /* on kernel and file system: success and a change, or an error not the guard's */
};

struct call {
	const char *name;
	int answer;
	enum shape shape;
	enum unguarded unguarded;
	int numbers[ARCHES]; /* without the x32 bit; -1: no such call there */
};

/*                                                         x86_64 i386 x32 aarch64 arm riscv64 */
static const struct call calls[] = {
	{ "chmod", EACCES, PATH_MODE, WORKS,              {  90,  15,  90,  -1,  15,  -1 } },
	{ "fchmod", EACCES, FD_MODE, WORKS,               {  91,  94,  91,  52,  94,  52 } },
	{ "fchmodat", EACCES, AT_MODE, WORKS,             { 268, 306, 268,  53, 333,  53 } },
	{ "fchmodat2", EACCES, AT_MODE, DEPENDS,          { 452, 452, 452, 452, 452, 452 } },
	{ "chown", EACCES, PATH_OWNER, WORKS,             {  92, 182,  92,  -1, 182,  -1 } },
	{ "fchown", EACCES, FD_OWNER, WORKS,              {  93,  95,  93,  55,  95,  55 } },
	{ "lchown", EACCES, PATH_OWNER, WORKS,            {  94,  16,  94,  -1,  16,  -1 } },
	{ "fchownat", EACCES, AT_OWNER, WORKS,            { 260, 298, 260,  54, 325,  54 } },
	{ "chown32", EACCES, PATH_OWNER, WORKS,           {  -1, 212,  -1,  -1, 212,  -1 } },
	{ "fchown32", EACCES, FD_OWNER, WORKS,            {  -1, 207,  -1,  -1, 207,  -1 } },
	{ "lchown32", EACCES, PATH_OWNER, WORKS,          {  -1, 198,  -1,  -1, 198,  -1 } },
	{ "utime", EACCES, PATH_TIMES, WORKS,             { 132,  30, 132,  -1,  -1,  -1 } },
	{ "utimes", EACCES, PATH_TIMES, WORKS,            { 235, 271, 235,  -1, 269,  -1 } },
	{ "futimesat", EACCES, AT_TIMES, WORKS,           { 261, 299, 261,  -1, 326,  -1 } },
	{ "utimensat", EACCES, AT_TIMES, WORKS,           { 280, 320, 280,  88, 348,  88 } },
	{ "utimensat_time64", EACCES, AT_TIMES, WORKS,    {  -1, 412,  -1,  -1, 412,  -1 } },
	{ "setxattr", EACCES, PATH_SET, DEPENDS,          { 188, 226, 188,   5, 226,   5 } },
	{ "lsetxattr", EACCES, PATH_SET, DEPENDS,         { 189, 227, 189,   6, 227,   6 } },
	{ "fsetxattr", EACCES, FD_SET, DEPENDS,           { 190, 228, 190,   7, 228,   7 } },
	{ "setxattrat", EACCES, AT_SET, DEPENDS,          { 463, 463, 463, 463, 463, 463 } },
	{ "removexattr", EACCES, PATH_REMOVE, DEPENDS,    { 197, 235, 197,  14, 235,  14 } },
	{ "lremovexattr", EACCES, PATH_REMOVE, DEPENDS,   { 198, 236, 198,  15, 236,  15 } },
	{ "fremovexattr", EACCES, FD_REMOVE, DEPENDS,     { 199, 237, 199,  16, 237,  16 } },
	{ "removexattrat", EACCES, AT_REMOVE, DEPENDS,    { 466, 466, 466, 466, 466, 466 } },
	{ "file_setattr", EACCES, AT_ATTR, DEPENDS,       { 469, 469, 469, 469, 469, 469 } },
	{ "io_uring_setup", ENOSYS, RING_SETUP, DEPENDS,  { 425, 425, 425, 425, 425, 425 } },
	{ "io_uring_enter", ENOSYS, RING_USE, DEPENDS,    { 426, 426, 426, 426, 426, 426 } },
	{ "io_uring_register", ENOSYS, RING_USE, DEPENDS, { 427, 427, 427, 427, 427, 427 } },
};

struct command {
	const char *name;
	uint32_t guard;
	int answer;
	enum shape shape;
	uint32_t number;
};

/* One number on all these architectures. All depend on the file system or the kind of terminal. */
static const struct command commands[] = {
	{ "FS_IOC_SETFLAGS", METADATA, EACCES, IOCTL_FLAGS, 0x40086602 },
	{ "FS_IOC32_SETFLAGS", METADATA, EACCES, IOCTL_FLAGS, 0x40046602 },
	{ "FS_IOC_FSSETXATTR", METADATA, EACCES, IOCTL_XATTR, 0x401c5820 },
	{ "FS_IOC_SETVERSION", METADATA, EACCES, IOCTL_VALUE, 0x40087602 },
	{ "FS_IOC32_SETVERSION", METADATA, EACCES, IOCTL_VALUE, 0x40047602 },
	{ "EXT4_IOC_SETVERSION", METADATA, EACCES, IOCTL_VALUE, 0x40086604 },
	{ "EXT4_IOC32_SETVERSION", METADATA, EACCES, IOCTL_VALUE, 0x40046604 },
	{ "FS_IOC_ENABLE_VERITY", METADATA, EACCES, IOCTL_STRUCT, 0x40806685 },
	{ "FS_IOC_SET_ENCRYPTION_POLICY", METADATA, EACCES, IOCTL_STRUCT, 0x800c6613 },
	{ "FAT_IOCTL_SET_ATTRIBUTES", METADATA, EACCES, IOCTL_VALUE, 0x40047211 },
	{ "BTRFS_IOC_SUBVOL_SETFLAGS", METADATA, EACCES, IOCTL_VALUE, 0x4008941a },
	{ "TIOCSTI", TTY, EPERM, IOCTL_VALUE, 0x5412 },
	{ "TIOCLINUX", TTY, EPERM, IOCTL_VALUE, 0x541c },
};

#endif
