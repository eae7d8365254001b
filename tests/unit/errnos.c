/* Names and texts of errno values, against those of the libc that the tests run on.
 * The texts are only looked at for their form: their wording is nobody's contract. */
#include <errno.h>
#include <string.h>

#include "errnos.h"
#include "unit.h"

#define ERRNO_MOST 4095 /* the kernel's own limit */

Test(errnos, a_name_is_the_constants_and_no_number_has_anothers)
{
	for (int32_t number = -1; number <= ERRNO_MOST; number++) {
		const char *name = llr_errno_name(number);

		if (name)
			cr_expect_str_eq(name, strerrorname_np(number), "errno %d", number);
	}
}

Test(errnos, whatever_the_calls_of_a_launch_return_has_a_name)
{
	static const int32_t due[] = {
		ENOSYS,    EOPNOTSUPP,   EPERM,   EACCES, EINVAL,  E2BIG,        ENOMSG, EFAULT,
		EMFILE,    ENFILE,       ENOMEM,  EBADF,  EBADFD,  EAFNOSUPPORT, ENOENT, ENOTDIR,
		ELOOP,     ENAMETOOLONG, EIO,     ENXIO,  ENODEV,  EOVERFLOW,    EINTR,  ESTALE,
		ETIMEDOUT, ENOEXEC,      ETXTBSY, EISDIR, ELIBBAD, EAGAIN,       ESRCH,  EPIPE,
		ENOSPC,    EFBIG,        EDQUOT,  EROFS,  EBUSY,
	};

	for (size_t i = 0; i < COUNT(due); i++)
		cr_expect_not_null(llr_errno_name(due[i]), "%s", strerrorname_np(due[i]));
}

Test(errnos, each_name_has_a_text_of_one_plain_line)
{
	for (int32_t number = -1; number <= ERRNO_MOST; number++) {
		const char *text = llr_errno_text(number);

		cr_expect_eq(!text, !llr_errno_name(number), "errno %d has both or neither",
			     number);
		for (const char *at = text ? text : ""; *at; at++)
			cr_expect(*at >= ' ' && *at < 0x7f, "errno %d: byte %d", number, *at);
		cr_expect(!text || (*text && !ends_with(text, ".")), "errno %d", number);
	}
}

Test(errnos, numbers_that_are_no_errors_have_neither)
{
	static const int32_t none[] = { 0, -ENOENT, INT32_MAX, INT32_MIN, ERRNO_MOST };

	for (size_t i = 0; i < COUNT(none); i++)
		cr_expect(!llr_errno_name(none[i]) && !llr_errno_text(none[i]), "%d", none[i]);
}
