/* Grants: what each lets a command do, and that everything else is denied, by effects on disk.
 * No test here may look at the launcher's words for what the disk can tell. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "launch.h"

#define RULE_PATH "cannot open rule path: "

/* A directory with one of everything that an act can be about. */
static void furnish(const char *directory)
{
	static const char *const files[] = { "file", "a/file", "b/other", "victim", "link-source" };

	REQUIRE(mkdir(directory, 0755) == 0 && mkdir(check_format("%s/a", directory), 0755) == 0);
	REQUIRE(mkdir(check_format("%s/b", directory), 0755) == 0);
	REQUIRE(mkdir(check_format("%s/empty", directory), 0755) == 0);
	for (size_t i = 0; i < COUNT(files); i++)
		file_write(check_format("%s/%s", directory, files[i]), "content", 0644);
}

/* The launcher itself is a program that needs nothing. */
static void put_program(const char *path)
{
	int fd = open(check_launcher(), O_RDONLY | O_CLOEXEC);
	struct captured program = descriptor_read(fd);
	int copy = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0755);

	REQUIRE(fd >= 0 && copy >= 0);
	REQUIRE(write(copy, program.text, program.length) == (ssize_t)program.length);
	close(copy);
	close(fd);
}

/* ---- The two options ---- */

TEST(ro_lets_read_list_and_execute)
{
	static const struct act acts[] = {
		{ "read", "d/file", NULL, "ok", 0 },
		{ "read", "d/a/file", NULL, "ok", 0 },
		{ "list", "d", NULL, "ok", 0 },
		{ "list", "d/a", NULL, "ok", 0 },
		{ "execute", "d/program", NULL, "ok", 0 },
		{ "stat", "d/file", NULL, "ok", 0 },
		{ "chdir", "d/a", NULL, "ok", 0 },
	};

	NEEDS_LANDLOCK();
	furnish("d");
	put_program("d/program");
	CHECK_ACTS(LIST("--ro", "d", "--ro", check_self(), "--"), acts);
}

/* Truncation by path came with ABI 3: before, nothing can deny it. */
TEST(ro_denies_every_kind_of_change)
{
	static const struct act acts[] = {
		{ "write", "d/file", NULL, "EACCES", 0 },
		{ "empty", "d/file", NULL, "EACCES", 0 },
		{ "create", "d/new", NULL, "EACCES", 0 },
		{ "mkdir", "d/new", NULL, "EACCES", 0 },
		{ "rmdir", "d/empty", NULL, "EACCES", 0 },
		{ "unlink", "d/victim", NULL, "EACCES", 0 },
		{ "symlink", "d/new", NULL, "EACCES", 0 },
		{ "mkfifo", "d/new", NULL, "EACCES", 0 },
		{ "mksock", "d/new", NULL, "EACCES", 0 },
		{ "rename", "d/victim", "d/new", "EACCES", 0 },
		{ "rename", "d/a/file", "d/b/new", "EACCES", 0 },
		{ "link", "d/link-source", "d/new", "EACCES", 0 },
		{ "link", "d/a/file", "d/b/new", "EACCES", 0 },
		{ "truncate", "d/file", NULL, "EACCES", 3 },
	};

	NEEDS_LANDLOCK();
	furnish("d");
	CHECK_ACTS(LIST("--ro", "/", "--rw", "/dev/null", "--"), acts);
	CHECK(!file_exists("d/new") && !file_exists("d/b/new"));
	CHECK(file_exists("d/empty") && file_exists("d/victim") && file_exists("d/a/file"));
	CHECK_STR(file_read("d/file"), check_abi() >= 3 ? "content" : "");
}

TEST(rw_lets_change_everything)
{
	static const struct act acts[] = {
		{ "read", "d/file", NULL, "ok", 0 },
		{ "list", "d", NULL, "ok", 0 },
		{ "execute", "d/program", NULL, "ok", 0 },
		{ "write", "d/file", NULL, "ok", 0 },
		{ "create", "d/new", NULL, "ok", 0 },
		{ "mkdir", "d/directory", NULL, "ok", 0 },
		{ "rmdir", "d/empty", NULL, "ok", 0 },
		{ "unlink", "d/victim", NULL, "ok", 0 },
		{ "symlink", "d/symlink", NULL, "ok", 0 },
		{ "mkfifo", "d/fifo", NULL, "ok", 0 },
		{ "mksock", "d/socket", NULL, "ok", 0 },
		{ "rename", "d/new", "d/newer", "ok", 0 },
		{ "link", "d/link-source", "d/link", "ok", 0 },
		{ "truncate", "d/link-source", NULL, "ok", 0 },
		{ "empty", "d/b/other", NULL, "ok", 0 },
	};

	NEEDS_LANDLOCK();
	furnish("d");
	put_program("d/program");
	CHECK_ACTS(LIST("--rw", "d", "--ro", check_self(), "--"), acts);
	CHECK_STR(file_read("d/file"), "contentx");
	CHECK_STR(file_read("d/newer"), "x");
	CHECK_STR(file_read("d/link"), "");
	CHECK_STR(file_read("d/b/other"), "");
	CHECK(file_exists("d/directory") && file_exists("d/symlink") && file_exists("d/fifo") &&
	      file_exists("d/socket"));
	CHECK(!file_exists("d/empty") && !file_exists("d/victim") && !file_exists("d/new"));
}

TEST(devices_are_made_where_rw_is_granted_and_nowhere_else)
{
	NEEDS_LANDLOCK();
	if (geteuid() != 0)
		SKIP("needs root");
	furnish("d");
	if (mknod("probe", S_IFBLK | 0600, 7 << 8) != 0)
		SKIP("devices cannot be made here at all");
	CHECK_ACT(LIST("--rw", "d", "--ro", check_self(), "--"), "mkchar", "d/c", NULL, "ok", 0);
	CHECK_ACT(LIST("--rw", "d", "--ro", check_self(), "--"), "mkblock", "d/b/b", NULL, "ok", 0);
	CHECK(file_exists("d/c") && file_exists("d/b/b"));
	CHECK_ACT(LIST("--ro", "/", "--"), "mkchar", "d/c2", NULL, "EACCES", 0);
	CHECK_ACT(LIST("--ro", "/", "--"), "mkblock", "d/b2", NULL, "EACCES", 0);
	CHECK(!file_exists("d/c2") && !file_exists("d/b2"));
}

/* From ABI 2; an older kernel denies it always, with EXDEV. */
TEST(files_move_and_are_linked_across_directories_of_a_rw_grant)
{
	static const struct act acts[] = {
		{ "rename", "d/a/file", "d/b/file", "ok", 0 },
		{ "link", "d/b/file", "d/a/link", "ok", 0 },
		{ "rename", "d/a", "d/b/a", "ok", 0 },
	};

	NEEDS_ABI(2);
	furnish("d");
	CHECK_ACTS(LIST("--ro", "/", "--rw", "d", "--"), acts);
	CHECK_STR(file_read("d/b/file"), "content");
	CHECK_STR(file_read("d/b/a/link"), "content");
}

TEST(nothing_moves_into_or_out_of_a_rw_grant)
{
	struct run run = { 0 };

	NEEDS_LANDLOCK();
	furnish("in");
	furnish("out");
	RUN(&run, "--ro", "/", "--rw", "in", "--", SELF("act"), "rename", "in/file", "out/moved",
	    "rename", "out/file", "in/moved", "link", "out/file", "in/linked", "link", "in/file",
	    "out/linked");
	CHECK_END(&run, 0);
	CHECK_LACKS(run.output.text, "ok");
	CHECK(!file_exists("out/moved") && !file_exists("in/moved") && !file_exists("in/linked") &&
	      !file_exists("out/linked"));
	CHECK_STR(file_read("in/file"), "content");
	CHECK_STR(file_read("out/file"), "content");
}

TEST(what_is_not_granted_is_denied)
{
	static const struct act acts[] = {
		{ "read", "d/a/file", NULL, "ok", 0 },
		{ "list", "d/a", NULL, "ok", 0 },
		{ "read", "d/file", NULL, "EACCES", 0 },
		{ "list", "d", NULL, "EACCES", 0 },
		{ "list", ".", NULL, "EACCES", 0 },
		{ "list", "/", NULL, "EACCES", 0 },
		{ "read", "d/b/other", NULL, "EACCES", 0 },
		{ "write", "d/file", NULL, "EACCES", 0 },
		{ "read", "/proc/self/status", NULL, "EACCES", 0 },
		{ "read", "/dev/null", NULL, "EACCES", 0 },
		{ "execute", "d/program", NULL, "EACCES", 0 },
		{ "create", "new", NULL, "EACCES", 0 },
		{ "read", "d/a/../file", NULL, "EACCES", 0 },
		/* Which Landlock has no right for. */
		{ "stat", "d/file", NULL, "ok", 0 },
		{ "chdir", "d/b", NULL, "ok", 0 },
	};

	NEEDS_LANDLOCK();
	furnish("d");
	put_program("d/program");
	CHECK_ACTS(LIST("--ro", "d/a", "--ro", check_self(), "--"), acts);
}

TEST(a_launch_without_any_grant_cannot_even_start_its_command)
{
	struct run run = { 0 };

	NEEDS_LANDLOCK();
	RUN(&run, "--", SELF("act"), "create", "ran");
	CHECK_EXEC_FAILED(&run, check_format("exec failed: %s: ", check_self()));
	CHECK(!file_exists("ran"));
}

TEST(overlapping_grants_add_up)
{
	const struct {
		const char *file, *inner; /* whether they can be written */
		const char *const *arguments;
	} rows[] = {
		{ "EACCES", "ok", LIST("--ro", "d", "--rw", "d/a") },
		{ "EACCES", "ok", LIST("--rw", "d/a", "--ro", "d") },
		{ "ok", "ok", LIST("--ro", "d", "--rw", "d") },
		{ "ok", "ok", LIST("--rw", "d", "--ro", "d") },
		{ "ok", "ok", LIST("--rw", "d", "--ro", "d/a") },
		{ "ok", "ok", LIST("--ro", "d/a", "--rw", "d") },
		{ "ok", "EACCES", LIST("--ro", "d", "--rw", "d/file") },
		{ "ok", "EACCES", LIST("--rw", "d/file", "--ro", "d", "--ro", "d/file") },
	};

	NEEDS_LANDLOCK();
	furnish("d");
	for (size_t i = 0; i < COUNT(rows); i++) {
		const struct act acts[] = {
			{ "write", "d/file", NULL, rows[i].file, 0 },
			{ "write", "d/a/file", NULL, rows[i].inner, 0 },
			{ "read", "d/file", NULL, "ok", 0 },
			{ "read", "d/a/file", NULL, "ok", 0 },
		};

		check_row("%zu", i);
		CHECK_ACTS(joined(rows[i].arguments, LIST("--ro", check_self(), "--")), acts);
	}
}

/* ---- How a path is written ---- */

TEST(a_path_may_be_written_in_any_way)
{
	const char *here = getcwd(NULL, 0);
	const char *const spellings[] = {
		"d",
		"./d",
		"d/",
		"d//",
		"d/.",
		"d/a/..",
		".//d",
		"link",
		"link/",
		"link-to-link",
		check_format("%s/d", here),
		check_format("/%s/d", here),
		check_format("/proc/self/cwd/d"),
		"name with spaces",
		"\xc3\xa4\xe2\x82\xac",
		"new\nline",
		"\x1b[31m",
		"--",
		"--ro",
		"-",
		"name=with",
		"a:b,c",
		"\xff\xfe",
	};

	NEEDS_LANDLOCK();
	furnish("d");
	REQUIRE(symlink("d", "link") == 0 && symlink("link", "link-to-link") == 0);
	for (size_t i = 0; i < COUNT(spellings); i++) {
		const struct act acts[] = {
			{ "write", "d/file", NULL, "ok", 0 },
			{ "create", "outside", NULL, "EACCES", 0 },
		};

		if (!file_exists(spellings[i]))
			REQUIRE(symlink("d", spellings[i]) == 0);
		check_row("%s", spellings[i]);
		CHECK_ACTS(LIST("--rw", spellings[i], "--ro", check_self(), "--"), acts);
		CHECK(!file_exists("outside"));
	}
}

TEST(a_symlink_grants_what_it_leads_to_and_not_where_it_lies)
{
	static const struct act acts[] = {
		{ "write", "real/file", NULL, "ok", 0 },
		{ "write", "links/to-real/file", NULL, "ok", 0 },
		{ "create", "links/new", NULL, "EACCES", 0 },
		{ "list", "links", NULL, "EACCES", 0 },
		{ "unlink", "links/to-real", NULL, "EACCES", 0 },
	};

	NEEDS_LANDLOCK();
	furnish("real");
	REQUIRE(mkdir("links", 0755) == 0 && symlink("../real", "links/to-real") == 0);
	CHECK_ACTS(LIST("--rw", "links/to-real", "--ro", check_self(), "--"), acts);
	CHECK(!file_exists("links/new") && file_exists("links/to-real"));
}

TEST(a_symlink_to_a_file_grants_that_file)
{
	static const struct act acts[] = {
		{ "write", "d/file", NULL, "ok", 0 },
		{ "write", "to-file", NULL, "ok", 0 },
		{ "write", "d/a/file", NULL, "EACCES", 0 },
	};

	NEEDS_LANDLOCK();
	furnish("d");
	REQUIRE(symlink("d/file", "to-file") == 0);
	CHECK_ACTS(LIST("--rw", "to-file", "--ro", check_self(), "--"), acts);
}

TEST(a_relative_path_counts_from_the_launchers_directory_and_dot_is_it)
{
	struct run run = { .cwd = "d/a" };

	NEEDS_LANDLOCK();
	furnish("d");
	RUN(&run, "--rw", ".", "--ro", "../file", "--ro", check_self(), "--", SELF("act"), "write",
	    "file", "read", "../file", "write", "../file", "create", "new", "create", "../new");
	CHECK_END(&run, 0);
	CHECK_STR(run.output.text, "ok\nok\nEACCES\nok\nEACCES\n");
	CHECK(file_exists("d/a/new") && !file_exists("d/new"));
}

TEST(a_grant_stays_with_the_object_when_names_change)
{
	static const struct act acts[] = {
		{ "rename", "d/a", "d/moved", "ok", 0 },
		{ "write", "d/moved/file", NULL, "ok", 0 },
		{ "mkdir", "d/a", NULL, "ok", 0 },
		{ "create", "d/a/new", NULL, "ok", 0 },
	};

	NEEDS_LANDLOCK();
	furnish("d");
	CHECK_ACTS(LIST("--rw", "d", "--rw", "d/a", "--ro", check_self(), "--"), acts);
}

/* ---- Grants on what is no directory ---- */

TEST(a_grant_on_a_file_is_about_that_file_alone)
{
	static const struct act acts[] = {
		{ "read", "d/file", NULL, "ok", 0 },
		{ "write", "d/file", NULL, "ok", 0 },
		{ "truncate", "d/file", NULL, "ok", 0 },
		{ "empty", "d/file", NULL, "ok", 0 },
		{ "unlink", "d/file", NULL, "EACCES", 0 },
		{ "read", "d/victim", NULL, "EACCES", 0 },
		{ "write", "d/victim", NULL, "EACCES", 0 },
		{ "create", "d/new", NULL, "EACCES", 0 },
		{ "list", "d", NULL, "EACCES", 0 },
	};

	NEEDS_LANDLOCK();
	furnish("d");
	CHECK_ACTS(LIST("--rw", "d/file", "--ro", check_self(), "--"), acts);
	CHECK_STR(file_read("d/file"), "");
	CHECK(!file_exists("d/new"));
}

TEST(a_read_grant_on_a_file_lets_read_and_execute_it)
{
	static const struct act acts[] = {
		{ "read", "d/file", NULL, "ok", 0 },
		{ "write", "d/file", NULL, "EACCES", 0 },
		{ "execute", "d/program", NULL, "ok", 0 },
		{ "read", "d/program", NULL, "ok", 0 },
		{ "read", "d/victim", NULL, "EACCES", 0 },
		{ "truncate", "d/file", NULL, "EACCES", 3 },
		{ "execute", "d/a/program", NULL, "EACCES", 0 },
	};

	NEEDS_LANDLOCK();
	furnish("d");
	put_program("d/program");
	put_program("d/a/program");
	CHECK_ACTS(LIST("--ro", "d/file", "--ro", "d/program", "--ro", check_self(), "--"), acts);
}

/* Nobody writes to the one and nobody answers at the other: opening them would hang or fail. */
TEST_WITHIN(a_fifo_or_a_socket_as_a_grant_neither_hangs_nor_fails, 30)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX, .sun_path = "socket" };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	static const struct act acts[] = {
		{ "open", "fifo", NULL, "ok", 0 },
		{ "open", "other-fifo", NULL, "EACCES", 0 },
		{ "unlink", "fifo", NULL, "EACCES", 0 },
	};

	NEEDS_LANDLOCK();
	REQUIRE(mkfifo("fifo", 0644) == 0 && mkfifo("other-fifo", 0644) == 0);
	REQUIRE(bind(fd, (struct sockaddr *)&address, sizeof address) == 0);
	CHECK_ACTS(LIST("--ro", "fifo", "--ro", "socket", "--ro", check_self(), "--"), acts);
	CHECK_ACTS(LIST("--rw", "fifo", "--rw", "socket", "--ro", check_self(), "--"), acts);
	REQUIRE(symlink("fifo", "to-fifo") == 0 && symlink("socket", "to-socket") == 0);
	CHECK_ACTS(LIST("--rw", "to-fifo", "--rw", "to-socket", "--ro", check_self(), "--"), acts);
	CHECK(file_exists("fifo"));
}

TEST(a_rw_grant_on_dev_null_works_and_is_about_it_alone)
{
	static const struct act acts[] = {
		{ "write", "/dev/null", NULL, "ok", 0 },
		{ "empty", "/dev/null", NULL, "ok", 0 },
		{ "read", "/dev/null", NULL, "ok", 0 },
		{ "write", "/dev/zero", NULL, "EACCES", 0 },
		{ "write", "/dev/full", NULL, "EACCES", 0 },
	};

	NEEDS_LANDLOCK();
	CHECK_ACTS(LIST("--ro", "/", "--rw", "/dev/null", "--"), acts);
}

/* Without a controlling terminal /dev/tty cannot be opened, and no medium may be in a drive: a
 * grant only names a device. */
TEST(a_grant_on_a_device_does_not_open_it)
{
	NEEDS_LANDLOCK();
	if (!file_exists("/dev/tty"))
		SKIP("there is no /dev/tty");
	REQUIRE(open("/dev/tty", O_RDWR | O_CLOEXEC) < 0 && errno == ENXIO);
	CHECK_ACT(LIST("--ro", "/", "--rw", "/dev/tty", "--"), "write", "/dev/tty", NULL, "ENXIO",
		  0);
}

/* Device ioctl calls came under control with ABI 5. */
TEST(rw_on_a_device_lets_control_it_and_ro_does_not)
{
	NEEDS_LANDLOCK();
	CHECK_ACT(LIST("--ro", "/", "--"), "ioctl", "/dev/urandom", NULL, "EACCES", 5);
	CHECK_ACT(LIST("--ro", "/", "--rw", "/dev/urandom", "--"), "ioctl", "/dev/urandom", NULL,
		  "ok", 0);
	CHECK_ACT(LIST("--ro", "/", "--rw", "/dev", "--"), "ioctl", "/dev/urandom", NULL, "ok", 0);
	CHECK_ACT(LIST("--ro", "/", "--rw", "/dev/null", "--"), "ioctl", "/dev/urandom", NULL,
		  "EACCES", 5);
}

TEST(files_of_proc_can_be_granted)
{
	static const struct act acts[] = {
		{ "read", "/proc/uptime", NULL, "ok", 0 },
		{ "read", "/proc/version", NULL, "EACCES", 0 },
		{ "write", "/proc/uptime", NULL, "EACCES", 0 },
		{ "read", "/proc/self/status", NULL, "ok", 0 },
	};

	NEEDS_LANDLOCK();
	CHECK_ACTS(LIST("--ro", "/proc/uptime", "--ro", "/proc/self", "--ro", check_self(), "--"),
		   acts);
}

/* Descriptors that no path leads to; /proc names them, and a grant on them neither fails nor means
 * anything. */
static void open_special(const struct run *run)
{
	int ends[2], file = open("deleted", O_RDWR | O_CREAT, 0644);

	(void)run;
	unlink("deleted");
	if (file < 0 || dup2(file, 20) < 0 || pipe(ends) != 0 || dup2(ends[0], 21) < 0 ||
	    dup2(ends[1], 22) < 0 || socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0 ||
	    dup2(ends[0], 23) < 0 || dup2(memfd_create("memory", 0), 24) < 0)
		_exit(97);
}

TEST(what_only_proc_can_name_can_be_granted)
{
	static const char *const paths[] = { "/proc/self/fd/20", "/proc/self/fd/21",
					     "/proc/self/fd/22", "/proc/self/fd/23",
					     "/proc/self/fd/24", "/proc/self/fd/0",
					     "/proc/self/fd/1",  "/dev/stderr",
					     "/dev/fd/1" };
	static const char *const options[] = { "--ro", "--rw" };

	NEEDS_LANDLOCK();
	for (size_t i = 0; i < COUNT(paths); i++)
		for (size_t k = 0; k < COUNT(options); k++) {
			struct run run = { .prepare = open_special };

			check_row("%s %s", options[k], paths[i]);
			RUN(&run, options[k], paths[i], "--ro", check_self(), "--", SELF("end"),
			    "5");
			CHECK_END(&run, 5);
			CHECK_SAID(&run, "");
		}
}

TEST(a_file_that_nobody_may_open_can_still_be_granted)
{
	NEEDS_LANDLOCK();
	file_write("locked", "content", 0);
	REQUIRE(mkdir("closed", 0) == 0);
	CHECK_ACT(LIST("--rw", "locked", "--rw", "closed", "--ro", check_self(), "--"), "stat",
		  "locked", NULL, "ok", 0);
}

/* ---- Paths that cannot be granted ---- */

TEST(a_path_that_cannot_be_opened_is_named_and_the_command_does_not_run)
{
	const char *const paths[] = {
		"missing",
		"./missing/x",
		"/nonexistent/directory",
		"file/below",
		"file/",
		"dangling",
		"loop",
		"dangling/x",
		"",
		"missing with spaces",
		check_format("/%0300d", 1),
		check_format("d/%0256d", 1),
	};
	static const char *const options[] = { "--ro", "--rw" };

	NEEDS_LANDLOCK();
	file_write("file", "", 0644);
	REQUIRE(mkdir("d", 0755) == 0 && symlink("missing", "dangling") == 0 &&
		symlink("loop", "loop") == 0);
	for (size_t i = 0; i < COUNT(paths); i++)
		for (size_t k = 0; k < COUNT(options); k++) {
			struct run run = { 0 };

			check_row("%s %s", options[k], paths[i]);
			RUN(&run, "--ro", "/", "--rw", ".", options[k], paths[i], "--", SELF("act"),
			    "create", "ran");
			CHECK_FATAL(&run, check_format(RULE_PATH "%s: ", paths[i]));
			CHECK(!file_exists("ran") && !file_exists("missing"));
		}
}

TEST(the_first_path_that_cannot_be_opened_is_the_one_named)
{
	struct run run = { 0 };

	NEEDS_LANDLOCK();
	RUN(&run, "--ro", "/", "--rw", "first", "--ro", "second", "--", SELF("end"));
	CHECK_FATAL(&run, RULE_PATH "first: ");
}

TEST(a_parent_is_never_granted_instead_of_a_missing_path)
{
	struct run run = { 0 };

	NEEDS_LANDLOCK();
	REQUIRE(mkdir("d", 0755) == 0);
	RUN(&run, "--ro", "/", "--rw", "d/missing", "--", SELF("act"), "create", "d/missing");
	CHECK_FATAL(&run, RULE_PATH "d/missing: ");
	CHECK(!file_exists("d/missing"));
}

TEST(a_directory_that_may_not_be_searched_on_the_way_is_an_error)
{
	struct run run = { 0 };

	NEEDS_LANDLOCK();
	if (geteuid() == 0)
		SKIP("root may search any directory");
	REQUIRE(mkdir("d", 0755) == 0 && mkdir("d/e", 0755) == 0 && chmod("d", 0) == 0);
	RUN(&run, "--ro", "d/e", "--", SELF("end"));
	CHECK_FATAL(&run, RULE_PATH "d/e: ");
}

TEST(the_kernels_limits_of_paths_are_the_only_ones)
{
	/* 4095 bytes are a path; one more is none. */
	char longest[4097];
	struct run run = { 0 };

	NEEDS_LANDLOCK();
	REQUIRE(mkdir("d", 0755) == 0);
	for (size_t i = 0; i + 1 < sizeof longest; i++)
		longest[i] = i % 2 ? '/' : '.';
	longest[4095] = '\0';
	RUN(&run, "--rw", longest, "--ro", check_self(), "--", SELF("act"), "create", "d/new");
	CHECK_END(&run, 0);
	CHECK_STR(run.output.text, "ok\n");
	longest[4095] = '/';
	longest[4096] = '\0';
	RUN(&run, "--rw", longest, "--ro", check_self(), "--", SELF("act"), "create", "ran");
	CHECK_FATAL(&run, RULE_PATH "./././");
	CHECK(!file_exists("ran"));
}

/* ---- Many ---- */

static void allow_five_files(const struct run *run)
{
	struct rlimit limit = { 5, 5 };

	(void)run;
	if (setrlimit(RLIMIT_NOFILE, &limit) != 0)
		_exit(97);
}

/* Some in every spelling of a grant: the last is as good as the first. */
TEST_WITHIN(ten_thousand_grants_need_no_more_descriptors_than_one, 600)
{
	static const int counts[] = { 1, 100, 10000 };

	NEEDS_LANDLOCK();
	for (int i = 0; i < 64; i++)
		REQUIRE(mkdir(check_format("%d", i), 0755) == 0);
	for (size_t k = 0; k < COUNT(counts); k++) {
		const char **grants = calloc(2 * (size_t)counts[k] + 1, sizeof *grants);
		struct run run = { .prepare = allow_five_files, .seconds = 300 };

		for (int i = 0; i < counts[k]; i++) {
			grants[2 * i] = i % 3 ? "--ro" : "--rw";
			grants[2 * i + 1] = check_format("%d", i % 63);
		}
		check_row("%d grants", counts[k]);
		run_launcher(&run,
			     joined(LIST(check_launcher()),
				    joined(joined(grants, LIST("--rw", "63", "--ro", check_self())),
					   LIST("--", SELF("act"), "create", "63/new", "unlink",
						"63/new", "create", "outside"))));
		CHECK_END(&run, 0);
		CHECK_STR(run.output.text, "ok\nok\nEACCES\n");
		CHECK_SAID(&run, "");
	}
}

TEST(a_full_table_of_descriptors_is_a_failure_with_a_reason)
{
	struct run run = { 0 };

	NEEDS_LANDLOCK();
	RUN_COMMAND(&run, SELF("with"), "files=3", "--", check_launcher(), "--ro", "/", "--",
		    SELF("end"));
	CHECK_FATAL(&run, "landlock ruleset error: ");
	RUN_COMMAND(&run, SELF("with"), "files=4", "--", check_launcher(), "--ro", "/", "--",
		    SELF("end"));
	CHECK_FATAL(&run, RULE_PATH "/: ");
}

/* ---- Nesting ---- */

static const char *const *nested(int layers, const char *const *command)
{
	for (int i = 0; i < layers; i++)
		command = joined(
			LIST(check_launcher(), "--ro", "/", "--rw", "/dev/null", "--rw", ".", "--"),
			command);
	return command;
}

TEST(sixteen_launches_nest_and_the_seventeenth_says_why_not)
{
	struct run run = { 0 };

	NEEDS_ABI(2); /* older kernels allow 64 */
	run_launcher(&run,
		     nested(16, LIST(SELF("act"), "create", "sixteen", "create", "/nowhere")));
	CHECK_END(&run, 0);
	CHECK_STR(run.output.text, "ok\nEACCES\n");
	CHECK(file_exists("sixteen"));
	run_launcher(&run, nested(17, LIST(SELF("act"), "create", "seventeen")));
	CHECK_INT(run_end(&run), FAILURE);
	CHECK_HAS_LINE(run.errors.text, PREFIX
		       "landlock ruleset error: too many nested Landlock domains (limit 16)");
	CHECK(!file_exists("seventeen"));
}

TEST(an_inner_launch_can_only_narrow)
{
	struct run run = { 0 };

	NEEDS_LANDLOCK();
	furnish("d");
	RUN(&run, "--ro", "/", "--rw", "d/a", "--", check_launcher(), "--rw", "/", "--",
	    SELF("act"), "create", "d/a/new", "create", "d/b/new");
	CHECK_END(&run, 0);
	CHECK_STR(run.output.text, "ok\nEACCES\n");
	RUN(&run, "--rw", "/", "--", check_launcher(), "--ro", "/", "--rw", "d/b", "--",
	    SELF("act"), "create", "d/a/newer", "create", "d/b/newer");
	CHECK_END(&run, 0);
	CHECK_STR(run.output.text, "EACCES\nok\n");
}

/* ---- Who is confined ---- */

TEST(children_of_the_command_are_confined_and_its_caller_is_not)
{
	struct run run = { 0 };

	NEEDS_LANDLOCK();
	RUN(&run, "--ro", "/", "--", SELF("with"), "umask=0", "--", SELF("act"), "create", "new");
	CHECK_END(&run, 0);
	CHECK_STR(run.output.text, "EACCES\n");
	file_write("new", "", 0644);
	CHECK(file_exists("new"));
}

TEST(no_new_privs_is_set_for_the_command)
{
	struct run run = { 0 };

	NEEDS_LANDLOCK();
	RUN(&run, "--ro", "/", "--", SELF("status_line"), "NoNewPrivs");
	CHECK_STR(run.output.text, "1\n");
}
