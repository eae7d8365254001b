/* errnos.c: errno values by name, for command lines and messages.
 * It must never depend on the libc's texts, which differ between the libcs. */
#include "errnos.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define ROW(error) { error, #error }

static const struct row {
	int error;
	const char *name;
} rows[] = {
	ROW(E2BIG), ROW(EACCES), ROW(EAFNOSUPPORT), ROW(EAGAIN), ROW(EBADF), ROW(EBADFD), ROW(EBUSY),
	ROW(EEXIST), ROW(EFAULT), ROW(EINTR), ROW(EINVAL), ROW(EIO), ROW(EISDIR), ROW(ELOOP),
	ROW(EMFILE), ROW(ENAMETOOLONG), ROW(ENFILE), ROW(ENODEV), ROW(ENOENT), ROW(ENOEXEC),
	ROW(ENOMEM), ROW(ENOMSG), ROW(ENOSPC), ROW(ENOSYS), ROW(ENOTDIR), ROW(ENOTTY), ROW(ENXIO),
	ROW(EOPNOTSUPP), ROW(EPERM), ROW(EROFS), ROW(ESRCH), ROW(ETXTBSY), ROW(EXDEV),
};

int errno_named(const char *name)
{
	for (size_t i = 0; i < COUNT(rows); i++)
		if (strcmp(rows[i].name, name) == 0)
			return rows[i].error;
	return 0;
}

const char *errno_name(int error)
{
	if (error == 0)
		return "success";
	for (size_t i = 0; i < COUNT(rows); i++)
		if (rows[i].error == error)
			return rows[i].name;
	return "another errno";
}
