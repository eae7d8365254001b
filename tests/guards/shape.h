/* The shapes of the refused calls: what the table of calls names and the attempt fills in.
 * Needs no libc; knows no call by name or number. */
#ifndef SHAPE_H
#define SHAPE_H

/* How a call's arguments are laid out; those of ioctl come last. */
enum shape {
	PATH_MODE,
	FD_MODE,
	AT_MODE,
	PATH_OWNER,
	FD_OWNER,
	AT_OWNER,
	PATH_TIMES,
	AT_TIMES,
	PATH_SET,
	FD_SET,
	AT_SET,
	PATH_REMOVE,
	FD_REMOVE,
	AT_REMOVE,
	AT_ATTR,
	RING_SETUP,
	RING_USE,
	IOCTL_FLAGS,
	IOCTL_XATTR,
	IOCTL_VALUE,
	IOCTL_STRUCT
};

#endif
