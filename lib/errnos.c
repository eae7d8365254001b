/* Names and texts of errno values, without a libc: those that the calls of a launch can return, and the common rest.
 * One row each; the numbers are the architecture's own. */
#include <errno.h>
#include <stddef.h>

#include "errnos.h"
#include "landlock-run.h"

#define ROW(number, text) { number, #number, text }

static const struct {
	int32_t number;
	const char *name;
	const char *text;
} errnos[] = {
	ROW(EPERM, "Operation not permitted"),
	ROW(ENOENT, "No such file or directory"),
	ROW(ESRCH, "No such process"),
	ROW(EINTR, "Interrupted system call"),
	ROW(EIO, "Input/output error"),
	ROW(ENXIO, "No such device or address"),
	ROW(E2BIG, "Argument list too long"),
	ROW(ENOEXEC, "Exec format error"),
	ROW(EBADF, "Bad file descriptor"),
	ROW(EAGAIN, "Resource temporarily unavailable"),
	ROW(ENOMEM, "Cannot allocate memory"),
	ROW(EACCES, "Permission denied"),
	ROW(EFAULT, "Bad address"),
	ROW(EBUSY, "Device or resource busy"),
	ROW(EEXIST, "File exists"),
	ROW(EXDEV, "Invalid cross-device link"),
	ROW(ENODEV, "No such device"),
	ROW(ENOTDIR, "Not a directory"),
	ROW(EISDIR, "Is a directory"),
	ROW(EINVAL, "Invalid argument"),
	ROW(ENFILE, "Too many open files in system"),
	ROW(EMFILE, "Too many open files"),
	ROW(ENOTTY, "Inappropriate ioctl for device"),
	ROW(ETXTBSY, "Text file busy"),
	ROW(EFBIG, "File too large"),
	ROW(ENOSPC, "No space left on device"),
	ROW(EROFS, "Read-only file system"),
	ROW(EPIPE, "Broken pipe"),
	ROW(ERANGE, "Numerical result out of range"),
	ROW(ENAMETOOLONG, "File name too long"),
	ROW(ENOSYS, "Function not implemented"),
	ROW(ELOOP, "Too many levels of symbolic links"),
	ROW(ENOMSG, "No message of desired type"),
	ROW(EOVERFLOW, "Value too large for defined data type"),
	ROW(EBADFD, "File descriptor in bad state"),
	ROW(ELIBBAD, "Accessing a corrupted shared library"),
	ROW(EOPNOTSUPP, "Operation not supported"),
	ROW(EAFNOSUPPORT, "Address family not supported by protocol"),
	ROW(ENOTCONN, "Transport endpoint is not connected"),
	ROW(ECONNRESET, "Connection reset by peer"),
	ROW(ETIMEDOUT, "Connection timed out"),
	ROW(ESTALE, "Stale file handle"),
	ROW(EDQUOT, "Disk quota exceeded"),
	ROW(ECANCELED, "Operation canceled"),
};

#define ROWS (sizeof errnos / sizeof errnos[0])

const char *llr_errno_name(int32_t errnum)
{
	for (size_t i = 0; i < ROWS; i++)
		if (errnos[i].number == errnum)
			return errnos[i].name;
	return NULL;
}

const char *llr_errno_text(int32_t errnum)
{
	for (size_t i = 0; i < ROWS; i++)
		if (errnos[i].number == errnum)
			return errnos[i].text;
	return NULL;
}
