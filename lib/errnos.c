/* Names and texts of errno values, without a libc: those that the calls of a launch can return, and
 * the common rest. One row each, the text empty where the name says more to whoever meets it; the
 * numbers are the architecture's own. */
#include <errno.h>
#include <stddef.h>

#include "errnos.h"
#include "landlock-run.h"
#include "text.h"

#define ERRNOS(ROW) \
	ROW(EPERM, "Operation not permitted") \
	ROW(ENOENT, "No such file or directory") \
	ROW(ESRCH, "") \
	ROW(EINTR, "") \
	ROW(EIO, "Input/output error") \
	ROW(ENXIO, "") \
	ROW(E2BIG, "Argument list too long") \
	ROW(ENOEXEC, "Exec format error") \
	ROW(EBADF, "Bad file descriptor") \
	ROW(EAGAIN, "") \
	ROW(ENOMEM, "Cannot allocate memory") \
	ROW(EACCES, "Permission denied") \
	ROW(EFAULT, "") \
	ROW(EBUSY, "") \
	ROW(EEXIST, "") \
	ROW(EXDEV, "") \
	ROW(ENODEV, "") \
	ROW(ENOTDIR, "Not a directory") \
	ROW(EISDIR, "Is a directory") \
	ROW(EINVAL, "Invalid argument") \
	ROW(ENFILE, "Too many open files in system") \
	ROW(EMFILE, "Too many open files") \
	ROW(ENOTTY, "") \
	ROW(ETXTBSY, "Text file busy") \
	ROW(EFBIG, "") \
	ROW(ENOSPC, "No space left on device") \
	ROW(EROFS, "Read-only file system") \
	ROW(EPIPE, "Broken pipe") \
	ROW(ERANGE, "") \
	ROW(ENAMETOOLONG, "File name too long") \
	ROW(ENOSYS, "Function not implemented") \
	ROW(ELOOP, "Too many levels of symbolic links") \
	ROW(ENOMSG, "") \
	ROW(EOVERFLOW, "") \
	ROW(EBADFD, "") \
	ROW(ELIBBAD, "") \
	ROW(EOPNOTSUPP, "Operation not supported") \
	ROW(EAFNOSUPPORT, "") \
	ROW(ENOTCONN, "") \
	ROW(ECONNRESET, "") \
	ROW(ETIMEDOUT, "") \
	ROW(ESTALE, "") \
	ROW(EDQUOT, "") \
	ROW(ECANCELED, "")

/* The numbers, and in the same order name and text of each, one after the other: a table of
 * pointers would be as long as the texts. */
#define NUMBER(number, text) number,
#define WORDS_OF(number, text) #number "\0" text "\0"
static const uint16_t numbers[] WORDS = { ERRNOS(NUMBER) };
static const char words[] WORDS = ERRNOS(WORDS_OF);

/* The name of a number, behind which its text stands; NULL for one that is not in the table. */
static const char *find(int32_t errnum)
{
	for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
		if (WORDS_POINTER(numbers)[i] == errnum)
			return llr_word_at(words, 2 * i);
	return NULL;
}

const char *llr_errno_name(int32_t errnum)
{
	return find(errnum);
}

const char *llr_errno_text(int32_t errnum)
{
	const char *name = find(errnum);
	const char *text = name ? llr_word_at(name, 1) : NULL;

	return text && *text ? text : name;
}
