/* table_checks.h: tests the table of levels against what the kernel's documentation says.
 * They must never use the rows of that table: they are its second, independent spelling. */
#ifndef TABLE_CHECKS_H
#define TABLE_CHECKS_H

void table_checks(void);

#endif
