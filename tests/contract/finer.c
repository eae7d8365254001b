/* Finer grants: single rights, paths that may be missing, devices, the streams, and the guards.
 * As with the coarse ones, the disk is the judge. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "launch.h"

#define RAN SELF("act"), "create", "ran"

static void furnish(void)
{
	REQUIRE(mkdir("d", 0755) == 0 && mkdir("d/sub", 0755) == 0 && mkdir("d/empty", 0755) == 0);
	file_write("d/file", "content", 0644);
	file_write("d/victim", "content", 0644);
	file_write("d/sub/file", "content", 0644);
}

/* ---- --allow ---- */

/* What each right alone lets do beneath d; everything else in the list stays denied. */
TEST(each_right_alone_allows_its_own_act_and_no_other)
{
	static const struct {
		const char *right;
		struct act act;
		int abi;
	} rows[] = {
		{ "read-file", { "read", "d/file", NULL, "EACCES", 0 }, 1 },
		{ "write-file", { "write", "d/file", NULL, "EACCES", 0 }, 1 },
		{ "read-dir", { "list", "d", NULL, "EACCES", 0 }, 1 },
		{ "make-dir", { "mkdir", "d/new-dir", NULL, "EACCES", 0 }, 1 },
		{ "make-sym", { "symlink", "d/new-sym", NULL, "EACCES", 0 }, 1 },
		{ "make-fifo", { "mkfifo", "d/new-fifo", NULL, "EACCES", 0 }, 1 },
		{ "make-sock", { "mksock", "d/new-sock", NULL, "EACCES", 0 }, 1 },
		{ "remove-dir", { "rmdir", "d/empty", NULL, "EACCES", 0 }, 1 },
		{ "remove-file", { "unlink", "d/victim", NULL, "EACCES", 0 }, 1 },
		{ "truncate", { "truncate", "d/sub/file", NULL, "EACCES", 3 }, 3 },
	};

	NEEDS_LANDLOCK();
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct act acts[COUNT(rows)];

		if (check_abi() < rows[i].abi)
			continue;
		REQUIRE(mkdir("place", 0755) == 0 && chdir("place") == 0);
		furnish();
		for (size_t k = 0; k < COUNT(rows); k++) {
			acts[k] = rows[k].act;
			if (k == i)
				acts[k].result = "ok";
		}
		check_row("%s", rows[i].right);
		CHECK_ACTS(LIST("--allow", check_format("%s:d", rows[i].right), "--ro",
				check_self(), "--"),
			   acts);
		REQUIRE(chdir("..") == 0 && rename("place", check_format("place-%zu", i)) == 0);
	}
}

TEST(several_rights_are_allowed_at_once_and_grants_add_up)
{
	const struct act acts[] = {
		{ "read", "d/file", NULL, "ok", 0 },
		{ "list", "d", NULL, "ok", 0 },
		{ "mkdir", "d/new", NULL, "ok", 0 },
		{ "write", "d/file", NULL, "EACCES", 0 },
		{ "unlink", "d/file", NULL, "EACCES", 0 },
		{ "mkfifo", "d/sub/fifo", NULL, "ok", 0 },
		{ "mkfifo", "d/fifo", NULL, "EACCES", 0 },
	};

	NEEDS_LANDLOCK();
	furnish();
	CHECK_ACTS(LIST("--allow", "read-file,read-dir:d", "--allow", "make-dir:d", "--allow",
			"make-fifo:d/sub", "--ro", check_self(), "--"),
		   acts);
}

/* The first colon ends the rights; the path may hold more, and commas. */
TEST(a_path_behind_rights_is_taken_as_it_is)
{
	static const char *const names[] = { "a:b", ":", "a,b:c,d", "with space", "-", "=", "d:" };

	NEEDS_LANDLOCK();
	for (size_t i = 0; i < COUNT(names); i++) {
		const struct act act = { "create", check_format("%s/new", names[i]), NULL, "ok",
					 0 };

		REQUIRE(mkdir(names[i], 0755) == 0);
		check_row("%s", names[i]);
		check_acts(LIST("--allow", check_format("make-reg,write-file:%s", names[i]), "--ro",
				check_self(), "--"),
			   &act, 1, __FILE__, __LINE__);
	}
}

TEST(what_allow_cannot_read_is_a_usage_error)
{
	static const char *const values[] = { "",
					      ":",
					      "/",
					      "read-file",
					      "read-file,:/",
					      ",read-file:/",
					      "read:/",
					      "all:/",
					      "read-file;/",
					      "READ-FILE:/",
					      "bind-tcp:/",
					      "signal:/",
					      "full:/",
					      "read-file,bind-tcp:/",
					      "read-file =/",
					      "execute,,read-file:/" };

	for (size_t i = 0; i < COUNT(values); i++) {
		struct run run = { 0 };

		check_row("%s", values[i]);
		RUN(&run, "--allow", values[i], "--ro", "/", "--rw", ".", "--", RAN);
		CHECK_FATAL(&run,
			    check_format("usage error: --allow: invalid value: %s", values[i]));
		CHECK(!file_exists("ran"));
	}
}

TEST(a_missing_path_behind_rights_is_an_error)
{
	static const char *const values[] = { "read-file:missing", "write-file:missing",
					      "read-file:" };

	NEEDS_LANDLOCK();
	for (size_t i = 0; i < COUNT(values); i++) {
		struct run run = { 0 };

		check_row("%s", values[i]);
		RUN(&run, "--allow", values[i], "--ro", "/", "--rw", ".", "--", RAN);
		CHECK_FATAL(&run, check_format("cannot open rule path: %s: ",
					       strchr(values[i], ':') + 1));
		CHECK(!file_exists("ran"));
	}
}

/* ---- --ro-try ---- */

TEST(ro_try_passes_over_what_does_not_exist_and_nothing_else)
{
	static const char *const missing[] = { "missing", "missing/below", "/proc/none/x",
					       "dangling" };
	static const char *const broken[] = { "loop", "loop/x" };

	NEEDS_LANDLOCK();
	REQUIRE(symlink("nowhere", "dangling") == 0 && symlink("loop", "loop") == 0);
	for (size_t i = 0; i < COUNT(missing); i++) {
		struct run run = { 0 };

		check_row("%s", missing[i]);
		RUN(&run, "--ro-try", missing[i], "--ro", check_self(), "--", SELF("act"), "list",
		    ".");
		CHECK_END(&run, 0);
		CHECK_STR(run.output.text, "EACCES\n");
		CHECK_SAID(&run, "");
	}
	for (size_t i = 0; i < COUNT(broken); i++) {
		struct run run = { 0 };

		check_row("%s", broken[i]);
		RUN(&run, "--ro-try", broken[i], "--ro", "/", "--rw", ".", "--", RAN);
		CHECK_FATAL(&run, check_format("cannot open rule path: %s: ", broken[i]));
		CHECK(!file_exists("ran"));
	}
}

TEST(ro_try_grants_what_exists_and_no_writing)
{
	static const struct act acts[] = {
		{ "read", "d/file", NULL, "ok", 0 },
		{ "list", "d", NULL, "ok", 0 },
		{ "write", "d/file", NULL, "EACCES", 0 },
		{ "create", "d/new", NULL, "EACCES", 0 },
	};

	NEEDS_LANDLOCK();
	furnish();
	CHECK_ACTS(LIST("--ro-try", "missing", "--ro-try", "d", "--ro", check_self(), "--"), acts);
}

/* ---- Devices and streams ---- */

TEST(devices_opens_those_that_last_nothing)
{
	static const char *const devices[] = { "/dev/null", "/dev/zero", "/dev/full", "/dev/random",
					       "/dev/urandom" };
	const char *new = stray("/dev");

	NEEDS_LANDLOCK();
	for (size_t i = 0; i < COUNT(devices); i++) {
		const struct act with[] = {
			{ "write", devices[i], NULL,
			  strcmp(devices[i], "/dev/full") == 0 ? "ENOSPC" : "ok", 0 },
		};
		const struct act without[] = { { "write", devices[i], NULL, "EACCES", 0 } };

		if (access(devices[i], W_OK) != 0)
			continue;
		check_row("%s", devices[i]);
		CHECK_ACTS(LIST("--ro", "/", "--devices", "--"), with);
		CHECK_ACTS(LIST("--ro", "/", "--"), without);
	}
	CHECK_ACT(LIST("--ro", "/", "--devices", "--"), "ioctl", "/dev/urandom", NULL, "ok", 0);
	CHECK_ACT(LIST("--ro", "/", "--devices", "--"), "create", new, NULL, "EACCES", 0);
	CHECK(!file_exists(new));
}

TEST(devices_opens_nothing_else_beneath_dev)
{
	const char *file = stray("/dev/shm");
	const struct act acts[] = {
		{ "read", file, NULL, "ok", 0 },
		{ "write", file, NULL, "EACCES", 0 },
	};

	NEEDS_LANDLOCK();
	if (access("/dev/shm", W_OK) != 0)
		SKIP("there is no /dev/shm that can be written");
	file_write(file, "content", 0644);
	CHECK_ACTS(LIST("--ro", "/", "--devices", "--"), acts);
	CHECK_STR(file_read(file), "content");
}

/* Opens a pseudo-terminal, both sides, as script and sshd do. */
HELPER(open_terminal)
{
	int leader = posix_openpt(O_RDWR | O_NOCTTY), follower;

	if (leader < 0 || grantpt(leader) != 0 || unlockpt(leader) != 0)
		return 1;
	follower = open(ptsname(leader), O_RDWR | O_NOCTTY);
	return follower < 0 ? 2 : isatty(follower) ? 0 : 3;
}

TEST(devices_lets_open_a_pseudo_terminal)
{
	struct run run = { 0 };

	RUN_COMMAND(&run, SELF("open_terminal"));
	if (run_end(&run) != 0)
		SKIP("there is no pseudo-terminal");
	NEEDS_LANDLOCK();
	RUN(&run, "--mode", "workspace-write", "--devices", "--", SELF("open_terminal"));
	CHECK_END(&run, 0);
	RUN(&run, "--mode", "workspace-write", "--", SELF("open_terminal"));
	CHECK(run_end(&run) != 0);
}

static void streams_are_files(const struct run *run)
{
	(void)run;
	if (dup2(open("in", O_RDONLY), 0) < 0 || dup2(open("out", O_WRONLY | O_APPEND), 1) < 0 ||
	    dup2(open("err", O_RDWR | O_APPEND), 2) < 0)
		_exit(97);
}

/* Reopens a descriptor by its name in /proc in each access mode; its exit status has a bit for each
 * that worked. */
HELPER(reopen)
{
	const char *path = check_format("/proc/self/fd/%s", argc > 1 ? argv[1] : "");
	static const int flags[] = { O_RDONLY, O_WRONLY, O_RDWR };
	int opened = 0;

	for (int i = 0; i < 3; i++) {
		int fd = open(path, flags[i]);

		opened |= (fd >= 0) << i;
		close(fd);
	}
	return opened;
}

TEST(stdio_lets_each_stream_be_reopened_as_it_is_and_no_wider)
{
	static const int wanted[] = { 1, 2, 7 };

	NEEDS_LANDLOCK();
	for (int fd = 0; fd < 3; fd++) {
		struct run run = { .prepare = streams_are_files };
		const char *number = check_format("%d", fd);

		check_row("descriptor %d", fd);
		file_write("in", "", 0666);
		file_write("out", "", 0666);
		file_write("err", "", 0666);
		RUN(&run, "--stdio", "--ro", "/proc", "--ro", check_self(), "--", SELF("reopen"),
		    number);
		CHECK_END(&run, wanted[fd]);
		RUN(&run, "--ro", "/proc", "--ro", check_self(), "--", SELF("reopen"), number);
		CHECK_END(&run, 0);
	}
}

static void streams_are_a_directory(const struct run *run)
{
	(void)run;
	if (dup2(open("d", O_RDONLY), 0) < 0 || close(2) != 0)
		_exit(97);
}

TEST(stdio_grants_no_directory_and_minds_no_closed_stream)
{
	struct run run = { .prepare = streams_are_a_directory };

	NEEDS_LANDLOCK();
	furnish();
	RUN(&run, "--stdio", "--ro", check_self(), "--", SELF("act"), "read", "d/file", "list",
	    "d");
	CHECK_END(&run, 0);
	CHECK_STR(run.output.text, "EACCES\nEACCES\n");
}

/* ---- Guards ---- */

TEST(without_the_guard_metadata_of_ones_own_files_is_free)
{
	static const struct act acts[] = {
		{ "chmod", "d/file", NULL, "ok", 0 },
		{ "chown", "d/file", NULL, "ok", 0 },
		{ "touch", "d/file", NULL, "ok", 0 },
	};

	NEEDS_LANDLOCK();
	furnish();
	CHECK_ACTS(LIST("--mode", "read-only", "--"), acts);
}

TEST(the_metadata_guard_refuses_as_a_denial)
{
	static const struct act acts[] = {
		{ "chmod", "d/file", NULL, "EACCES", 0 },
		{ "chown", "d/file", NULL, "EACCES", 0 },
		{ "touch", "d/file", NULL, "EACCES", 0 },
		{ "setxattr", "d/file", NULL, "EACCES", 0 },
		{ "read", "d/file", NULL, "ok", 0 },
		{ "stat", "d/file", NULL, "ok", 0 },
		{ "create", "d/new", NULL, "ok", 0 },
	};
	struct stat before, after;

	NEEDS_LANDLOCK();
	needs_guards();
	furnish();
	REQUIRE(stat("d/file", &before) == 0);
	CHECK_ACTS(LIST("--ro", "/", "--rw", ".", "--guard", "metadata", "--"), acts);
	REQUIRE(stat("d/file", &after) == 0);
	CHECK(before.st_mode == after.st_mode && before.st_ctime == after.st_ctime &&
	      before.st_mtime == after.st_mtime);
}

/* Types into the terminal that is stdin; the errno's name. */
HELPER(type_into_terminal)
{
	return ioctl(0, TIOCSTI, "x") == 0 ? 0
	       : errno == EPERM            ? 1
	       : errno == ENOTTY           ? 2
	       : errno == EIO              ? 3
					   : 4;
}

TEST(the_tty_guard_refuses_typing_into_a_terminal)
{
	struct run run = { 0 };

	NEEDS_LANDLOCK();
	needs_guards();
	/* stdin is no terminal: the guard answers before the kernel could say so. */
	RUN(&run, "--ro", "/", "--", SELF("type_into_terminal"));
	CHECK_END(&run, 2);
	RUN(&run, "--ro", "/", "--guard", "metadata", "--", SELF("type_into_terminal"));
	CHECK_END(&run, 2);
	RUN(&run, "--ro", "/", "--guard", "tty", "--", SELF("type_into_terminal"));
	CHECK_END(&run, 1);
	RUN(&run, "--ro", "/", "--guard", "metadata", "--guard", "tty", "--",
	    SELF("type_into_terminal"));
	CHECK_END(&run, 1);
}

TEST(a_guard_is_there_or_refused)
{
	static const char *const guards[] = { "metadata", "tty" };

	NEEDS_LANDLOCK();
	for (size_t i = 0; i < COUNT(guards); i++) {
		struct run run = { 0 };

		check_row("%s", guards[i]);
		RUN(&run, "--ro", "/", "--rw", ".", "--guard", guards[i], "--", RAN);
		if (has_guards())
			CHECK_END(&run, 0);
		else
			CHECK_FATAL(&run, "guard error: ");
		CHECK(file_exists("ran") == has_guards());
		unlink("ran");
	}
}

TEST(a_guard_that_is_none_is_a_usage_error)
{
	static const char *const values[] = {
		"", "all", "metadata,tty", "Metadata", "none", "tty "
	};

	for (size_t i = 0; i < COUNT(values); i++) {
		struct run run = { 0 };

		check_row("%s", values[i]);
		RUN(&run, "--guard", values[i], "--ro", "/", "--rw", ".", "--", RAN);
		CHECK_FATAL(&run,
			    check_format("usage error: --guard: invalid value: %s\n", values[i]));
		CHECK(!file_exists("ran"));
	}
}
