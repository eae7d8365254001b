/* --git: what it grants of a linked worktree's repository, and what it refuses to follow.
 * Repositories are made by hand as git lays them out; git itself commits where it is installed. */
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "launch.h"

#define GIT(workspace) "--mode", "workspace-write", "--git", "--workspace", workspace
#define NO_REPOSITORY "is no repository"
#define NO_WORKTREE "is no linked worktree's"
#define ANOTHERS "is another worktree's"

/* there/
 *   repository/.git/{HEAD,objects/,refs/,worktrees/linked/gitdir}
 *   repository/file
 *   linked/.git               names the entry, and the entry names it */
static const char *there;

static const char *at(const char *name)
{
	return check_format("%s/%s", there, name);
}

static void make_directory(const char *name)
{
	REQUIRE(mkdir(at(name), 0755) == 0);
}

static void make_repository(const char *name)
{
	make_directory(name);
	file_write(at(check_format("%s/HEAD", name)), "ref: refs/heads/main\n", 0644);
	make_directory(check_format("%s/objects", name));
	make_directory(check_format("%s/refs", name));
	make_directory(check_format("%s/worktrees", name));
}

static void point(const char *worktree, const char *entry)
{
	file_write(at(check_format("%s/.git", worktree)), check_format("gitdir: %s\n", entry),
		   0644);
}

static void point_back(const char *entry, const char *worktree)
{
	file_write(at(check_format("%s/gitdir", entry)), check_format("%s/.git\n", worktree), 0644);
}

static void make_scene(void)
{
	there = realpath(check_outside_tmp(), NULL);
	REQUIRE(there != NULL);
	make_directory("repository");
	file_write(at("repository/file"), "content", 0644);
	make_repository("repository/.git");
	make_directory("repository/.git/worktrees/linked");
	make_directory("linked");
	point("linked", at("repository/.git/worktrees/linked"));
	point_back("repository/.git/worktrees/linked", at("linked"));
}

/* The launch is refused for this reason, before anything ran. */
static void check_refused(const char *workspace, const char *reason)
{
	struct run run = { 0 };

	RUN(&run, GIT(workspace), "--", SELF("act"), "create", at("ran"));
	CHECK_FATAL(&run, check_format("--git: %s/.git %s", workspace, reason));
	CHECK(!file_exists(at("ran")));
	unlink(at("ran"));
}

static void check_granted(const char *workspace, const char *repository)
{
	const char *new = at(check_format("%s/new", repository));

	CHECK_ACT(LIST(GIT(workspace), "--"), "create", new, NULL, "ok", 0);
	CHECK(file_exists(new));
	unlink(new);
}

/* ---- What is granted ---- */

TEST(git_grants_a_linked_worktree_the_common_directory_and_nothing_else)
{
	make_scene();
	NEEDS_ABI(2);
	const struct act acts[] = {
		{ "create", at("linked/new"), NULL, "ok", 0 },
		{ "create", at("repository/.git/new"), NULL, "ok", 0 },
		{ "create", at("repository/.git/worktrees/linked/index"), NULL, "ok", 0 },
		{ "mkdir", at("repository/.git/objects/aa"), NULL, "ok", 0 },
		{ "rename", at("repository/.git/new"), at("repository/.git/refs/moved"), "ok", 0 },
		{ "unlink", at("repository/.git/refs/moved"), NULL, "ok", 0 },
		{ "write", at("repository/.git/HEAD"), NULL, "ok", 0 },
		{ "write", at("repository/file"), NULL, "EACCES", 0 },
		{ "create", at("repository/new"), NULL, "EACCES", 0 },
		{ "create", at("new"), NULL, "EACCES", 0 },
	};

	CHECK_ACTS(LIST(GIT(at("linked")), "--"), acts);
	CHECK_STR(file_read(at("repository/file")), "content");
}

TEST(without_git_the_common_directory_stays_closed)
{
	make_scene();
	NEEDS_LANDLOCK();
	CHECK_ACT(LIST("--mode", "workspace-write", "--workspace", at("linked"), "--"), "create",
		  at("repository/.git/new"), NULL, "EACCES", 0);
	CHECK(!file_exists(at("repository/.git/new")));
}

TEST(git_in_a_repository_of_its_own_grants_nothing_more)
{
	make_scene();
	NEEDS_LANDLOCK();
	const struct act acts[] = {
		{ "create", at("repository/.git/new"), NULL, "ok", 0 },
		{ "create", at("linked/new"), NULL, "EACCES", 0 },
		{ "create", at("new"), NULL, "EACCES", 0 },
	};

	CHECK_ACTS(LIST(GIT(at("repository")), "--"), acts);
	CHECK(!file_exists(at("new")) && !file_exists(at("linked/new")));
}

TEST(git_follows_relative_paths_on_both_sides_from_anywhere)
{
	make_scene();
	NEEDS_LANDLOCK();
	point("linked", "../repository/.git/worktrees/linked");
	check_granted(at("linked"), "repository/.git");
	point_back("repository/.git/worktrees/linked", "../../../../linked");
	check_granted(at("linked"), "repository/.git");
	/* The workspace itself may be reached in any way, and be the current directory. */
	REQUIRE(symlink("linked", at("link")) == 0);
	check_granted(at("link"), "repository/.git");
	REQUIRE(chdir(at("linked")) == 0);
	CHECK_ACT(LIST("--mode", "workspace-write", "--git", "--"), "create",
		  at("repository/.git/new"), NULL, "ok", 0);
}

TEST(git_takes_a_line_that_ends_as_on_other_systems_or_not_at_all)
{
	make_scene();
	NEEDS_LANDLOCK();
	file_write(at("linked/.git"), "gitdir: ../repository/.git/worktrees/linked\r\n", 0644);
	file_write(at("repository/.git/worktrees/linked/gitdir"), "../../../../linked/.git", 0644);
	check_granted(at("linked"), "repository/.git");
}

TEST(git_finds_the_worktrees_of_a_bare_repository)
{
	make_scene();
	NEEDS_LANDLOCK();
	make_repository("bare");
	make_directory("bare/worktrees/linked");
	point("linked", at("bare/worktrees/linked"));
	point_back("bare/worktrees/linked", at("linked"));
	check_granted(at("linked"), "bare");
}

/* ---- What is refused ---- */

TEST(git_refuses_a_workspace_that_is_no_repository)
{
	make_scene();
	make_directory("plain");
	check_refused(at("plain"), NO_REPOSITORY ": ");
	make_directory("plain/.git");
	check_refused(at("plain"), NO_REPOSITORY);
	file_write(at("plain/.git/HEAD"), "ref: refs/heads/main\n", 0644);
	make_directory("plain/.git/objects");
	check_refused(at("plain"), NO_REPOSITORY);
	/* A bare one has its files at the top. */
	check_refused(at("repository/.git"), NO_REPOSITORY ": ");
}

TEST(git_refuses_a_workspace_that_cannot_be_opened)
{
	struct run run = { 0 };

	make_scene();
	RUN(&run, GIT(at("missing")), "--", SELF("act"), "create", "ran");
	CHECK_FATAL(&run, check_format("cannot open rule path: %s: ", at("missing")));
	CHECK(!file_exists("ran"));
}

TEST(git_refuses_what_is_neither_a_directory_nor_a_file)
{
	const char *name;

	make_scene();
	name = at("linked/.git");
	unlink(name);
	REQUIRE(symlink("../repository/.git", name) == 0);
	check_refused(at("linked"), NO_REPOSITORY ": ");
	unlink(name);
	/* Nobody writes to it, and nobody waits. */
	REQUIRE(mkfifo(name, 0644) == 0);
	check_refused(at("linked"), NO_REPOSITORY);
	unlink(name);
	REQUIRE(symlink("/dev/null", name) == 0);
	check_refused(at("linked"), NO_REPOSITORY ": ");
}

TEST(git_refuses_a_git_file_that_names_nothing)
{
	static const char *const texts[] = { "",           "gitdir:",   "gitdir: ", "gitdir: \n",
					     "gitdir:\t/", "Gitdir: /", "gitdir /", "/" };
	/* Of what leads to an entry. */
	static const char *const beginnings[] = { "gitdir:",  "gitdir:\t", "Gitdir: ",
						  "gitdir; ", "gitdirs:",  "" };

	make_scene();
	for (size_t i = 0; i < COUNT(texts); i++) {
		check_row("%zu", i);
		file_write(at("linked/.git"), texts[i], 0644);
		check_refused(at("linked"), "is no ");
	}
	for (size_t i = 0; i < COUNT(beginnings); i++) {
		check_row("%s", beginnings[i]);
		file_write(
			at("linked/.git"),
			check_format("%s%s", beginnings[i], at("repository/.git/worktrees/linked")),
			0644);
		check_refused(at("linked"), NO_REPOSITORY);
	}
}

TEST(git_refuses_a_path_that_is_too_long)
{
	char path[3 * PATH_MAX];

	make_scene();
	memset(path, '/', sizeof path - 1);
	path[sizeof path - 1] = 0;
	point("linked", path);
	check_refused(at("linked"), NO_WORKTREE ": ");
	/* What lies behind the length that a path can have is not cut off. */
	memcpy(path, at("repository"), strlen(there) + strlen("/repository"));
	strcpy(path + sizeof path - sizeof "/.git/worktrees/linked", "/.git/worktrees/linked");
	point("linked", path);
	check_refused(at("linked"), NO_WORKTREE ": ");
}

TEST(git_refuses_a_git_file_that_cannot_be_read)
{
	make_scene();
	if (geteuid() == 0)
		SKIP("root reads everything");
	REQUIRE(chmod(at("linked/.git"), 0) == 0);
	check_refused(at("linked"), NO_REPOSITORY ": ");
}

TEST(git_refuses_what_is_no_entry_of_a_repository)
{
	make_scene();
	/* --separate-git-dir, and a submodule. */
	make_repository("separate");
	point("linked", at("separate"));
	check_refused(at("linked"), NO_WORKTREE);
	make_directory("repository/.git/modules");
	make_repository("repository/.git/modules/sub");
	point("linked", at("repository/.git/modules/sub"));
	check_refused(at("linked"), NO_WORKTREE);
	/* Missing; not beneath `worktrees`. */
	point("linked", at("missing"));
	check_refused(at("linked"), NO_WORKTREE ": ");
	make_directory("repository/.git/others");
	make_directory("repository/.git/others/linked");
	point_back("repository/.git/others/linked", at("linked"));
	point("linked", at("repository/.git/others/linked"));
	check_refused(at("linked"), NO_WORKTREE);
}

TEST(git_refuses_an_entry_beneath_what_is_no_repository)
{
	make_scene();
	make_directory("worktrees");
	make_directory("worktrees/linked");
	point_back("worktrees/linked", at("linked"));
	point("linked", at("worktrees/linked"));
	check_refused(at("linked"), NO_WORKTREE);
}

TEST(git_refuses_the_entry_of_another_worktree)
{
	const char *entry = "repository/.git/worktrees/linked";

	make_scene();
	NEEDS_LANDLOCK(); /* an emulator may not know the call that looks back */
	make_directory("forged");
	point("forged", at(entry));
	check_refused(at("forged"), ANOTHERS);
	/* The worktree that the entry names is gone, and its place can be taken: by a second name
	 * of the forged file, by the workspace's under another name, and by one on the way there.
	 */
	unlink(at("linked/.git"));
	REQUIRE(link(at("forged/.git"), at("linked/.git")) == 0);
	check_refused(at("forged"), ANOTHERS);
	unlink(at("linked/.git"));
	REQUIRE(rmdir(at("linked")) == 0);
	REQUIRE(symlink("forged", at("linked")) == 0);
	check_refused(at("forged"), ANOTHERS);
	point_back(entry, at("way/forged"));
	REQUIRE(symlink(".", at("way")) == 0);
	check_refused(at("forged"), ANOTHERS);
	point_back(entry, "../../../../way/forged");
	check_refused(at("forged"), ANOTHERS);
	/* All that they lacked. */
	point_back(entry, "../../../../forged");
	check_granted(at("forged"), "repository/.git");
}

TEST(git_refuses_an_entry_that_does_not_point_back)
{
	static const char *const texts[] = { "", "\n", "/.git\n", ".git\n", "/\n" };
	const char *name;

	make_scene();
	name = at("repository/.git/worktrees/linked/gitdir");
	for (size_t i = 0; i < COUNT(texts); i++) {
		check_row("%zu", i);
		file_write(name, texts[i], 0644);
		check_refused(at("linked"), ANOTHERS);
	}
	/* The directory is the workspace's, the file is not. */
	file_write(name, at("linked/gits\n"), 0644);
	check_refused(at("linked"), ANOTHERS);
	unlink(name);
	check_refused(at("linked"), ANOTHERS);
	REQUIRE(mkfifo(name, 0644) == 0);
	check_refused(at("linked"), ANOTHERS);
}

/* Whoever may write to a workspace among a repository's entries may make entries. */
TEST(git_refuses_a_workspace_that_is_an_entry_or_holds_it)
{
	make_scene();
	make_directory("repository/.git/worktrees/forged");
	point_back("repository/.git/worktrees/forged", at("repository/.git/worktrees/forged"));
	point("repository/.git/worktrees/forged", ".");
	check_refused(at("repository/.git/worktrees/forged"), NO_WORKTREE);
	point_back("repository/.git/worktrees/forged", at("repository/.git/worktrees"));
	point("repository/.git/worktrees", "forged");
	check_refused(at("repository/.git/worktrees"), NO_WORKTREE);
}

TEST(git_needs_workspace_write)
{
	static const char *const modes[] = { "read-only", "danger-full-access" };
	struct run run = { 0 };
	const char *wanted = "usage error: --git needs --mode workspace-write";

	for (size_t i = 0; i < COUNT(modes); i++) {
		RUN(&run, "--git", "--mode", modes[i], "--", SELF("end"), "0");
		CHECK_FATAL(&run, wanted);
	}
	RUN(&run, "--git", "--ro", "/", "--", SELF("end"), "0");
	CHECK_FATAL(&run, wanted);
}

/* ---- What else sees it ---- */

TEST(the_plan_and_the_probe_name_what_git_grants)
{
	struct run run = { 0 };
	const char *common;

	make_scene();
	NEEDS_LANDLOCK();
	common = at("repository/.git");
	RUN(&run, "--dry-run", GIT(at("linked")), "--", "true");
	CHECK_END(&run, 0);
	CHECK_CONTAINS(run.output.text,
		       check_format("{\"type\":\"descriptor\",\"path\":\"%s\"", common));
	CHECK_CONTAINS(run.output.text, "\"run\":true");
	RUN(&run, "probe", GIT(at("linked")));
	CHECK_END(&run, 0);
	CHECK_CONTAINS(run.output.text, check_format("%s  as granted", common));
	unlink(at("linked/.git"));
	RUN(&run, "--dry-run", GIT(at("linked")), "--", "true");
	CHECK_END(&run, 0);
	CHECK_CONTAINS(run.output.text, "\"run\":false,\"message\":\"--git: ");
	RUN(&run, "probe", GIT(at("linked")));
	CHECK_FATAL(&run, "--git: ");
}

HELPER(descriptors)
{
	for (int fd = 3; fd < 64; fd++)
		if (fcntl(fd, F_GETFD) != -1)
			dprintf(STDOUT_FILENO, "%d\n", fd);
	return 0;
}

static void open_nine(const struct run *run)
{
	(void)run;
	dup2(STDOUT_FILENO, 9);
}

TEST(what_git_opens_does_not_reach_the_command_nor_pass_for_what_the_caller_opened)
{
	struct run plain = { 0 }, run = { .prepare = open_nine };

	make_scene();
	NEEDS_LANDLOCK();
	RUN(&plain, "--mode", "workspace-write", "--", SELF("descriptors"));
	CHECK_END(&plain, 0);
	RUN(&run, GIT(at("linked")), "--close-fds", "--keep-fd", "9", "--", SELF("descriptors"));
	CHECK_STR(run.output.text, "9\n");
	run.prepare = NULL;
	RUN(&run, GIT(at("linked")), "--", SELF("descriptors"));
	CHECK_STR(run.output.text, plain.output.text);
	for (int fd = 3; fd < 12; fd++) {
		const char *number = check_format("%d", fd);

		if (fcntl(fd, F_GETFD) != -1)
			continue;
		check_row("%d", fd);
		RUN(&run, GIT(at("linked")), "--close-fds", "--keep-fd", number, "--", SELF("end"),
		    "0");
		CHECK_FATAL(&run, "usage error: --keep-fd: invalid value: ");
		RUN(&run, GIT(at("linked")), "--status-fd", number, "--", SELF("end"), "0");
		CHECK_FATAL(&run, "usage error: --status-fd: invalid value: ");
	}
}

TEST(git_works_where_the_standard_descriptors_are_closed)
{
	struct run run = { .in = STREAM_CLOSED, .out = STREAM_CLOSED, .err = STREAM_CLOSED };

	make_scene();
	NEEDS_LANDLOCK();
	RUN(&run, GIT(at("linked")), "--stdio", "--", SELF("act"), "create",
	    at("repository/.git/new"), "create", at("repository/new"));
	CHECK(file_exists(at("repository/.git/new")));
	CHECK(!file_exists(at("repository/new")));
}

/* ---- With git itself ---- */

static void git(const char *directory, const char *const *arguments)
{
	struct run run = { .cwd = directory };

	run_command(&run, joined(LIST("/usr/bin/git", "-c", "user.name=n", "-c", "user.email=e@e"),
				 arguments));
	CHECK_END(&run, 0);
}

TEST(git_commits_in_a_linked_worktree_with_the_option_alone)
{
	const char *linked;
	struct run run = { 0 };

	if (access("/usr/bin/git", X_OK) != 0)
		SKIP("git is not installed");
	there = realpath(check_outside_tmp(), NULL);
	NEEDS_ABI(2);
	linked = at("linked");
	git(there, LIST("init", "-q", "main"));
	git(at("main"), LIST("commit", "-q", "--allow-empty", "-m", "first"));
	git(at("main"), LIST("worktree", "add", "-q", linked));
#define COMMIT \
	"/usr/bin/git", "-C", linked, "-c", "user.name=n", "-c", "user.email=e@e", "commit", "-q", \
		"--allow-empty", "-m", "x"
	RUN(&run, "--mode", "workspace-write", "--workspace", linked, "--", COMMIT);
	CHECK_END(&run, 128);
	RUN(&run, GIT(linked), "--", COMMIT);
	CHECK_END(&run, 0);
	linked = at("main");
	RUN(&run, GIT(linked), "--", COMMIT);
	CHECK_END(&run, 0);
}
