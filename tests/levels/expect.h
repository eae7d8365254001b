/* expect.h: compares the result of a call with the one due, errno or not.
 * It must never call anything twice. */
#ifndef EXPECT_H
#define EXPECT_H

#include <stdio.h>

#include "errnos.h"
#include "suite.h"

/* Returns the errno's name for a negative result, else the number; in static memory. */
static inline const char *expect_show(long result)
{
	static char numbers[2][24];
	static int turn;

	if (result < 0)
		return errno_name((int)-result);
	turn = !turn;
	snprintf(numbers[turn], sizeof(numbers[turn]), "%ld", result);
	return numbers[turn];
}

#define EXPECT_IS(call, due) \
	do { \
		long got_ = (call), due_ = (due); \
		EXPECT(got_ == due_, "%s is %s, not %s", #call, expect_show(got_), \
		       expect_show(due_)); \
	} while (0)

#define EXPECT_FD(call) \
	do { \
		long got_ = (call); \
		EXPECT(got_ >= 0, "%s is %s", #call, expect_show(got_)); \
	} while (0)

#endif
