/* The walk along PATH: the candidates, in order, that execvp would try.
 * Nothing is executed here. */
#include <string.h>

#include "exec.h"
#include "unit.h"

/* The candidates for a name, joined by spaces. PATH is the value, or NULL for an environment
 * without it. */
static const char *candidates(const char *name, const char *path_value)
{
	static char joined[8 * 4400];
	static char variable[8 * 4400];
	char *with[] = { variable, NULL }, *without[] = { NULL };
	char path[4400];
	struct llr_search search;
	size_t room;

	snprintf(variable, sizeof variable, "PATH=%s", path_value ? path_value : "");
	room = llr_search_begin(&search, name, path_value ? with : without);
	cr_assert_leq(room, sizeof path);
	*joined = 0;
	for (;;) {
		memset(path, 'x', sizeof path);
		if (!llr_search_next(&search, path))
			break;
		cr_assert_lt(strlen(path), room, "a candidate needs more room than was asked for");
		if (*joined)
			strcat(joined, " ");
		strcat(joined, path);
	}
	cr_assert(!llr_search_next(&search, path), "the end stays the end");
	return joined;
}

Test(search, elements_are_tried_in_order)
{
	cr_expect_str_eq(candidates("ls", "/usr/bin:/bin"), "/usr/bin/ls /bin/ls");
	cr_expect_str_eq(candidates("ls", "/usr/bin"), "/usr/bin/ls");
	cr_expect_str_eq(candidates("ls", "bin:.:../x/"), "bin/ls ./ls ../x//ls");
	cr_expect_str_eq(candidates("ls", "/a:/a"), "/a/ls /a/ls");
}

Test(search, an_empty_element_is_the_current_directory)
{
	cr_expect_str_eq(candidates("ls", ""), "ls");
	cr_expect_str_eq(candidates("ls", ":"), "ls ls");
	cr_expect_str_eq(candidates("ls", ":/bin"), "ls /bin/ls");
	cr_expect_str_eq(candidates("ls", "/bin:"), "/bin/ls ls");
	cr_expect_str_eq(candidates("ls", "/a::/b"), "/a/ls ls /b/ls");
}

Test(search, without_path_the_default_is_searched)
{
	cr_expect_str_eq(candidates("ls", NULL), "/bin/ls /usr/bin/ls");
}

/* A PATH of one element of that length between two short ones. */
static const char *long_path(size_t length)
{
	static char path[5000];

	memset(path, 0, sizeof path);
	strcpy(path, "/a:");
	memset(path + 3, 'd', length);
	strcat(path, ":/b");
	return path;
}

Test(search, an_element_that_no_path_can_have_is_passed_over)
{
	cr_expect_str_eq(candidates("ls", long_path(4096)), "/a/ls /b/ls");
	cr_expect_str_eq(candidates("ls", long_path(4800)), "/a/ls /b/ls");
	cr_expect_eq(strlen(candidates("ls", long_path(4095))), strlen("/a/ls  /b/ls") + 4095 + 3,
		     "the longest that one can have is tried");
}

Test(search, the_longest_name_behind_the_longest_element_fits)
{
	char name[256];

	memset(name, 'n', 255);
	name[255] = 0;
	cr_expect_eq(strlen(candidates(name, long_path(4095))),
		     3 + 255 + 1 + 4095 + 1 + 255 + 1 + 3 + 255);
}

Test(search, the_first_variable_of_exactly_that_name_counts)
{
	char other[] = "XPATH=/x", longer[] = "PATHS=/y", bare[] = "PATH", first[] = "PATH=/1",
	     second[] = "PATH=/2", empty[] = "PATH=";
	char *environment[] = { other, longer, bare, first, second, NULL };
	char *only_empty[] = { empty, first, NULL };
	char *none[] = { other, NULL };

	cr_expect_str_eq(llr_environment(environment, "PATH"), "/1");
	cr_expect_str_eq(llr_environment(only_empty, "PATH"), "");
	cr_expect_null(llr_environment(none, "PATH"));
	cr_expect_null(llr_environment(NULL, "PATH"));
}
