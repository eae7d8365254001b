/* --args-file: options in a file are judged by the plan that they make, beside the one of the same
 * words on the command line; what must be refused, by file and line. A refusal must come before
 * anything ran. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "launch.h"

#define RAN SELF("act"), "create", "ran"
#define MIB (1 << 20)

static void write_bytes(const char *path, const char *bytes, size_t length)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);

	REQUIRE(fd >= 0 && write(fd, bytes, length) == (ssize_t)length && close(fd) == 0);
}

/* That many of one character. */
static char *repeated(char character, size_t count)
{
	char *text = malloc(count + 1);

	REQUIRE(text != NULL);
	memset(text, character, count);
	text[count] = 0;
	return text;
}

/* The plan of a launch with these words, up to and with the command; "" for a failure. */
static const char *plan_of(const char *const *words)
{
	struct run run = { 0 };

	run_launcher(&run, joined(LIST(check_launcher(), "--dry-run"), words));
	CHECK_END(&run, 0);
	CHECK_STR(run.errors.text, "");
	return run.output.text;
}

/* What stands in the file makes the same launch as these words in its place. */
static void check_same(const char *file, const char *text, const char *const *words)
{
	const char *const *command = LIST("--", "command", "--args-file");

	file_write(file, text, 0644);
	CHECK_STR(plan_of(joined(LIST("--args-file", file), command)),
		  plan_of(joined(words, command)));
}

struct same {
	const char *text;
	const char *const *words;
};

static void check_all_same(const char *file, const struct same *rows, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		check_row("%zu: %s", i, rows[i].text);
		check_same(file, rows[i].text, rows[i].words);
	}
	check_row(NULL);
}

static void check_refused(const char *const *words, const char *message)
{
	struct run run = { 0 };

	run_launcher(&run,
		     joined(joined(LIST(check_launcher(), "--rw", "."), words), LIST("--", RAN)));
	CHECK_FATAL(&run, check_format("usage error: %s", message));
	CHECK(!file_exists("ran"));
}

/* ---- What a line is ---- */

TEST(an_option_in_a_file_is_what_it_is_on_the_command_line)
{
	const struct same rows[] = {
		{ "ro /\n", LIST("--ro", "/") },
		{ "--ro /\n", LIST("--ro", "/") },
		{ "mode read-only\n", LIST("--mode", "read-only") },
		{ "mode danger-full-access\n", LIST("--mode", "danger-full-access") },
		{ "mode workspace-write\nworkspace /usr\n",
		  LIST("--mode", "workspace-write", "--workspace", "/usr") },
		{ "ro-try /missing\n", LIST("--ro-try", "/missing") },
		{ "allow read-file,execute:/usr\n", LIST("--allow", "read-file,execute:/usr") },
		{ "devices\nstdio\nbest-effort\n", LIST("--devices", "--stdio", "--best-effort") },
		{ "bind-tcp none\nconnect-tcp 443\n--bind-udp 53\nconnect-send-udp none\n",
		  LIST("--bind-tcp", "none", "--connect-tcp", "443", "--bind-udp", "53",
		       "--connect-send-udp", "none") },
		{ "scope signal\nguard tty\n--guard metadata\nrequire full\nlog-denials\n",
		  LIST("--scope", "signal", "--guard", "tty", "--guard", "metadata", "--require",
		       "full", "--log-denials") },
		{ "resolve-unix /run\n--resolve-unix none\n",
		  LIST("--resolve-unix", "/run", "--resolve-unix", "none") },
		{ "close-fds\nkeep-fd 9\ndie-with-parent\n",
		  LIST("--close-fds", "--keep-fd", "9", "--die-with-parent") },
	};

	check_all_same("policy", rows, COUNT(rows));
}

TEST(blanks_before_a_name_and_before_a_value_empty_lines_and_comments_do_not_count)
{
	const struct same rows[] = {
		{ "", LIST(NULL) },
		{ "\n", LIST(NULL) },
		{ " \t \n\n", LIST(NULL) },
		{ "# ro /usr\n", LIST(NULL) },
		{ "# ro /usr", LIST(NULL) },
		{ " \t# ro /usr\n#\n##\n", LIST(NULL) },
		{ "ro /", LIST("--ro", "/") },
		{ "ro /\n\n\n", LIST("--ro", "/") },
		{ "\n\n# what it reads\n\nro /\n# and writes\n\trw /usr\n",
		  LIST("--ro", "/", "--rw", "/usr") },
		{ " \t ro \t \t /\n", LIST("--ro", "/") },
		{ "\t--ro\t/", LIST("--ro", "/") },
		{ "devices \t \n  stdio", LIST("--devices", "--stdio") },
	};

	check_all_same("policy", rows, COUNT(rows));
}

TEST(a_value_is_everything_to_the_end_of_the_line_as_it_stands)
{
	const struct same rows[] = {
		{ "ro /a b\n", LIST("--ro", "/a b") },
		{ "ro /a  \n", LIST("--ro", "/a  ") },
		{ "ro /a \t", LIST("--ro", "/a \t") },
		{ "ro /a\r\n", LIST("--ro", "/a\r") },
		{ "ro /a # no comment\n", LIST("--ro", "/a # no comment") },
		{
			"ro '/a'\n",
			LIST("--ro", "/'/a'"),
		},
		{ "ro /\"a\" $HOME `b` \\c ~\n", LIST("--ro", "/\"a\" $HOME `b` \\c ~") },
		{ "ro /--rw /b\n", LIST("--ro", "/--rw /b") },
		{ "ro /\xc3\xa4\xff\n", LIST("--ro", "/\xc3\xa4\xff") },
		{ "allow read-file:/a:b \n", LIST("--allow", "read-file:/a:b ") },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		check_row("%zu: %s", i, rows[i].text);
		if (strchr(rows[i].text, '\'') != NULL)
			/* The quote begins a relative path. */
			check_same("policy", rows[i].text, LIST("--ro", "'/a'"));
		else
			check_same("policy", rows[i].text, rows[i].words);
	}
}

/* ---- Where a path begins ---- */

TEST(a_relative_path_is_taken_from_the_folder_of_the_file)
{
	const struct same rows[] = {
		{ "ro sub\n", LIST("--ro", "folder/sub") },
		{ "rw .\n", LIST("--rw", "folder/.") },
		{ "ro-try ../x y \n", LIST("--ro-try", "folder/../x y ") },
		{ "allow write-file:sub\n", LIST("--allow", "write-file:folder/sub") },
		{ "allow write-file:a:/b\n", LIST("--allow", "write-file:folder/a:/b") },
		{ "resolve-unix socket\n", LIST("--resolve-unix", "folder/socket") },
		{ "resolve-unix none \n", LIST("--resolve-unix", "folder/none ") },
		{ "mode workspace-write\nworkspace .\n",
		  LIST("--mode", "workspace-write", "--workspace", "folder/.") },
		/* No shell: this is a name like any other. */
		{ "ro ~/x\n", LIST("--ro", "folder/~/x") },
		{ "ro a\nro /\nro b\n", LIST("--ro", "folder/a", "--ro", "/", "--ro", "folder/b") },
	};

	REQUIRE(mkdir("folder", 0755) == 0);
	check_all_same("folder/policy", rows, COUNT(rows));
}

TEST(what_is_no_relative_path_is_left_as_it_is)
{
	const struct same rows[] = {
		{ "ro /usr\n", LIST("--ro", "/usr") },
		{ "rw //usr\n", LIST("--rw", "//usr") },
		{ "allow read-file:/usr\n", LIST("--allow", "read-file:/usr") },
		/* An empty one must not become the folder. */
		{ "allow read-file:\n", LIST("--allow", "read-file:") },
		{ "resolve-unix none\n", LIST("--resolve-unix", "none") },
		{ "mode read-only\nworkspace /\n",
		  LIST("--mode", "read-only", "--workspace", "/") },
		{ "bind-tcp 80\nscope signal\nguard tty\nrequire refer\n",
		  LIST("--bind-tcp", "80", "--scope", "signal", "--guard", "tty", "--require",
		       "refer") },
	};

	REQUIRE(mkdir("folder", 0755) == 0);
	check_all_same("folder/policy", rows, COUNT(rows));
}

TEST(the_folder_is_what_stands_before_the_last_slash_of_the_name)
{
	const char *there = check_format("%s", check_outside_tmp());

	REQUIRE(mkdir("a", 0755) == 0 && mkdir("a/b", 0755) == 0);
	check_same("policy", "ro x\n", LIST("--ro", "x"));
	check_same("./policy", "ro x\n", LIST("--ro", "./x"));
	check_same("a/b/policy", "ro x\n", LIST("--ro", "a/b/x"));
	check_same("a//b/../policy", "ro x\n", LIST("--ro", "a//b/../x"));
	check_same(check_format("%s/policy", there), "ro x\n",
		   LIST("--ro", check_format("%s/x", there)));
	/* The name that was given, not what a link leads to. */
	REQUIRE(symlink("b/policy", "a/link") == 0);
	check_same("a/link", "ro x\n", LIST("--ro", "a/x"));
}

TEST(a_policy_in_a_repository_confines_a_command_anywhere)
{
	const char *there = check_format("%s", check_outside_tmp());
	const char *const *words;
	struct act acts[4] = { { "create", NULL, NULL, "ok", 0 },
			       { "create", NULL, NULL, "EACCES", 0 },
			       { "read", "/proc/self/status", NULL, "ok", 0 },
			       { "create", "new", NULL, "EACCES", 0 } };

	NEEDS_LANDLOCK();
	REQUIRE(mkdir(check_format("%s/out", there), 0755) == 0);
	file_write(check_format("%s/policy", there), "# what a build may change\nro /\nrw out\n",
		   0644);
	words = LIST("--args-file", check_format("%s/policy", there), "--");
	acts[0].path = check_format("%s/out/new", there);
	acts[1].path = check_format("%s/new", there);
	CHECK_ACTS(words, acts);
	CHECK(file_exists(acts[0].path) && !file_exists(acts[1].path) && !file_exists("new"));
}

/* ---- Where it stands ---- */

TEST(files_stand_anywhere_among_the_options_and_more_than_once)
{
	file_write("a", "ro /a\nrw /b\n", 0644);
	file_write("b", "ro /c\n", 0644);
	file_write("empty", "", 0644);
	CHECK_STR(plan_of(LIST("--ro", "/1", "--args-file", "a", "--rw", "/2", "--args-file", "b",
			       "--args-file", "empty", "--args-file", "a", "--ro", "/3", "--",
			       "command", "argument")),
		  plan_of(LIST("--ro", "/1", "--ro", "/a", "--rw", "/b", "--rw", "/2", "--ro", "/c",
			       "--ro", "/a", "--rw", "/b", "--ro", "/3", "--", "command",
			       "argument")));
	file_write("mode", "mode read-only\n", 0644);
	CHECK_STR(plan_of(LIST("--args-file", "mode")), plan_of(LIST("--mode", "read-only")));
	CHECK_STR(plan_of(LIST("--args-file", "mode", "-c", "echo \"$1\"", "--args-file")),
		  plan_of(LIST("--mode", "read-only", "-c", "echo \"$1\"", "--args-file")));
	/* --dry-run may stand behind it too. */
	struct run run = { 0 };

	RUN(&run, "--args-file", "mode", "--dry-run");
	CHECK_END(&run, 0);
	CHECK_STR(run.output.text, plan_of(LIST("--mode", "read-only")));
}

TEST(the_command_starts_as_without_a_file)
{
	static const char *const texts[] = { "mode read-only\n", "mode read-only\ndevices\n",
					     "ro /" };
	struct run run = { .env = LIST(NULL) }, other = { 0 };

	NEEDS_LANDLOCK();
	for (size_t i = 0; i < COUNT(texts); i++) {
		check_row("%s", texts[i]);
		file_write("policy", texts[i], 0644);
		RUN(&run, "--args-file", "policy", "--", SELF("arguments"), "--", "--args-file", "",
		    "x");
		CHECK_END(&run, 0);
		CHECK_STR(run.output.text, "[--]\n[--args-file]\n[]\n[x]\n");
		CHECK_SAID(&run, "");
	}
	/* The file is closed again. */
	RUN(&run, "--args-file", "policy", "--", SELF("open_descriptors"));
	RUN(&other, "--ro", "/", "--", SELF("open_descriptors"));
	CHECK_STR(run.output.text, other.output.text);
}

TEST(the_shell_starts_as_without_a_file)
{
	static const char *const texts[] = { "mode read-only\n", "mode read-only\ndevices\n",
					     "# x\ndevices\n\nmode read-only" };

	NEEDS_LANDLOCK();
	needs_bash();
	for (size_t i = 0; i < COUNT(texts); i++) {
		struct run run = { .input = "echo $0 $#\n" };

		check_row("%s", texts[i]);
		file_write("policy", texts[i], 0644);
		RUN(&run, "--args-file", "policy");
		CHECK_END(&run, 0);
		CHECK_STR(run.output.text, "bash 0\n");
		CHECK_SAID(&run, "");
		RUN(&run, "--args-file", "policy", "-c", "echo \"$0 $1\"", "a", "b");
		CHECK_END(&run, 0);
		CHECK_STR(run.output.text, "a b\n");
	}
}

TEST(the_option_is_not_seen_in_values_and_behind_the_options)
{
	struct run run = { 0 };

	file_write("policy", "bogus\n", 0644);
	CHECK_CONTAINS(plan_of(LIST("--ro-try", "--args-file", "--", "command")),
		       "\"path\":\"--args-file\"");
	CHECK_CONTAINS(plan_of(LIST("--mode", "read-only", "-c", "--args-file", "policy")),
		       "\"--args-file\",\"policy\"");
	CHECK_CONTAINS(plan_of(LIST("--", "command", "--args-file", "policy")),
		       "\"command\",\"--args-file\",\"policy\"");
	/* It is the value of the first, and then a word too many. */
	RUN(&run, "--args-file", "--args-file", "policy", "--", RAN);
	CHECK_FATAL(&run, "usage error: --args-file: cannot be read: ");
	RUN(&run, "--args-file");
	CHECK_FATAL(&run, "usage error: --args-file requires a file\n");
	RUN(&run, "--ro", "/", "--args-file");
	CHECK_FATAL(&run, "usage error: --args-file requires a file\n");
	RUN(&run, "bwrap", "--args-file", "policy", "--", RAN);
	CHECK_FATAL(&run, "usage error: bwrap --args-file cannot be honoured");
	CHECK(!file_exists("ran"));
}

TEST(options_of_a_file_and_of_the_command_line_are_judged_together)
{
	const struct {
		const char *text;
		const char *const *words;
		const char *message;
	} rows[] = {
		{ "mode read-only\n", LIST("--mode", "read-only"), "--mode given more than once" },
		{ "mode read-only\nmode read-only\n", LIST(NULL), "--mode given more than once" },
		{ "status-fd 9\n", LIST("--status-fd", "8"), "--status-fd given more than once" },
		{ "mode danger-full-access\n", LIST("--rw", "/"),
		  "--rw cannot be used with --mode danger-full-access" },
		{ "workspace .\n", LIST("--rw", "/"), "--workspace needs --mode" },
		{ "keep-fd 9\n", LIST("--rw", "/"), "--keep-fd needs --close-fds" },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		check_row("%s", rows[i].text);
		file_write("policy", rows[i].text, 0644);
		check_refused(joined(LIST("--args-file", "policy"), rows[i].words),
			      check_format("%s\n", rows[i].message));
		check_refused(joined(rows[i].words, LIST("--args-file", "policy")),
			      check_format("%s\n", rows[i].message));
	}
	/* What an option of a line needs may stand elsewhere. */
	file_write("policy", "workspace .\nkeep-fd 9\n", 0644);
	CHECK_STR(plan_of(LIST("--mode", "read-only", "--args-file", "policy", "--close-fds")),
		  plan_of(LIST("--mode", "read-only", "--workspace", ".", "--keep-fd", "9",
			       "--close-fds")));
}

TEST(the_probe_tries_the_policy_of_a_file)
{
	struct run run = { 0 }, other = { 0 };

	NEEDS_LANDLOCK();
	file_write("policy", "mode read-only\n", 0644);
	RUN(&other, "probe", "--mode", "read-only", "--", SELF("end"));
	RUN(&run, "probe", "--args-file", "policy", "--", SELF("end"));
	CHECK_END(&run, 0);
	CHECK_STR(run.output.text, other.output.text);
	CHECK_CONTAINS(run.output.text, "executable\n");
	RUN(&other, "probe", "--json", "--rw", ".", "--mode", "read-only");
	RUN(&run, "probe", "--json", "--rw", ".", "--args-file", "policy");
	CHECK_END(&run, 0);
	CHECK_STR(run.output.text, other.output.text);
	file_write("policy", "ro /\n\nrw missing\n", 0644);
	RUN(&run, "probe", "--args-file", "policy");
	CHECK_END(&run, FAILURE);
	CHECK_CONTAINS(run.errors.text, "cannot open rule path: missing: ");
	file_write("policy", "\nbogus\n", 0644);
	RUN(&run, "probe", "--args-file", "policy");
	CHECK_FATAL(&run, "usage error: policy:2: unknown argument: bogus\n");
	RUN(&run, "probe", "--json", "--args-file", "missing");
	CHECK_FATAL(&run, "usage error: missing: cannot be read: ");
}

/* ---- What is refused ---- */

TEST(a_line_that_is_not_understood_is_refused_by_file_and_number)
{
	const struct {
		const char *text;
		const char *message;
	} rows[] = {
		{ "ro\n", "1: --ro requires a path\n" },
		{ "ro  \t\n", "1: --ro requires a path\n" },
		{ "ro", "1: --ro requires a path\n" },
		{ "# x\n\nmode\n", "3: --mode requires a mode\n" },
		{ "ro /\ndevices x\n", "2: unknown argument: x\n" },
		{ "devices --\n", "1: no option for a file\n" },
		{ "devices -c\n", "1: no option for a file\n" },
		{ "devices\r\n", "1: unknown argument: devices?\n" },
		{ "ro /\n\n\nbogus\n", "4: unknown argument: bogus\n" },
		{ "bogus value", "1: unknown argument: bogus\n" },
		{ "--r0 /\n", "1: unknown argument: --r0 (did you mean --ro?)\n" },
		{ "-ro /\n", "1: unknown argument: -ro" },
		{ "----ro /\n", "1: unknown argument: ----ro" },
		{ "RO /\n", "1: unknown argument: RO\n" },
		{ "ro=/\n", "1: unknown argument: ro=/\n" },
		{ "--ro=/\n", "1: unknown argument: --ro=/ (" },
		{ "/usr\n", "1: unknown argument: /usr\n" },
		{ "\x1b[31m\n", "1: unknown argument: ?[31m\n" },
		{ "mode readonly\n", "1: --mode: invalid value: readonly\n" },
		{ "mode read-only \n", "1: --mode: invalid value: read-only \n" },
		{ "mode read-only\r\n", "1: --mode: invalid value: read-only?\n" },
		{ "allow /usr\n", "1: --allow: invalid value: /usr\n" },
		{ "ro /\nallow read:x\n", "2: --allow: invalid value: read:x\n" },
		{ "bind-tcp http\n", "1: --bind-tcp: invalid value: http\n" },
		{ "keep-fd 2\n", "1: --keep-fd: invalid value: 2\n" },
		{ "args-file policy\n", "1: no option for a file\n" },
		{ "ro /\n  --args-file /missing\n", "2: no option for a file\n" },
		{ "args-file\n", "1: --args-file requires a file\n" },
		{ "probe\n", "1: --probe takes no other arguments\n" },
		{ "--dry-run\n", "1: no option for a file\n" },
		{ "help\n", "1: no option for a file\n" },
		{ "\n--version\n", "2: no option for a file\n" },
		{ "--\n", "1: no option for a file\n" },
		{ "-- true\n", "1: no option for a file\n" },
		{ "-c\n", "1: no option for a file\n" },
		{ "-c true\n", "1: no option for a file\n" },
		/* The first of several. */
		{ "ro /\nbogus\nro\n", "2: unknown argument: bogus\n" },
	};

	REQUIRE(mkdir("folder", 0755) == 0);
	for (size_t i = 0; i < COUNT(rows); i++) {
		check_row("%zu: %s", i, rows[i].text);
		file_write("folder/policy", rows[i].text, 0644);
		check_refused(LIST("--args-file", "folder/policy"),
			      check_format("folder/policy:%s", rows[i].message));
	}
}

TEST(a_nul_byte_anywhere_is_refused_by_file_and_number)
{
	static const struct {
		const char bytes[16];
		size_t length;
		int line;
	} rows[] = {
		{ "\0", 1, 1 },
		{ "ro /\0\n", 6, 1 },
		{ "ro /\n\0", 6, 2 },
		{ "ro /a\0b\n", 8, 1 },
		{ "# x\0\nro /\n", 9, 1 },
		{ "\n\n\0\n", 4, 3 },
		{ "ro /\n#\nr\0o", 10, 3 },
		{ "devices\0\n", 9, 1 },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		check_row("%zu", i);
		write_bytes("policy", rows[i].bytes, rows[i].length);
		check_refused(LIST("--args-file", "policy"),
			      check_format("policy:%d: a NUL byte\n", rows[i].line));
	}
}

TEST(a_line_of_8192_bytes_is_taken_and_one_more_is_refused)
{
	const char *fits = check_format("ro-try /%s", repeated('x', 8192 - 8));
	const char *comment = check_format("#%s", repeated('x', 8192 - 1));

	check_same("policy", check_format("%s\n", fits), LIST("--ro-try", fits + 7));
	check_same("policy", fits, LIST("--ro-try", fits + 7));
	check_same("policy", check_format("%s\nro /\n", comment), LIST("--ro", "/"));
	file_write("policy", check_format("ro /\n%sx\n", fits), 0644);
	check_refused(LIST("--args-file", "policy"), "policy:2: too long\n");
	file_write("policy", check_format("%sx", fits), 0644);
	check_refused(LIST("--args-file", "policy"), "policy:1: too long\n");
	file_write("policy", check_format("ro /\n\n%sx\n", comment), 0644);
	check_refused(LIST("--args-file", "policy"), "policy:3: too long\n");
	/* However long: the error stays one line. */
	file_write("policy", repeated(' ', 100000), 0644);
	check_refused(LIST("--args-file", "policy"), "policy:1: too long\n");
}

TEST(a_file_that_cannot_be_read_is_refused_with_the_reason)
{
	REQUIRE(mkdir("folder", 0755) == 0 && symlink("loop", "loop") == 0);
	file_write("file", "", 0644);
	check_refused(LIST("--args-file", "missing"),
		      "missing: cannot be read: No such file or directory\n");
	check_refused(LIST("--args-file", ""), ": cannot be read: No such file or directory\n");
	check_refused(LIST("--args-file", "file/x"), "file/x: cannot be read: Not a directory\n");
	check_refused(LIST("--args-file", "folder"), "folder: cannot be read: Is a directory\n");
	check_refused(LIST("--args-file", "loop"), "loop: cannot be read: Too many levels");
	check_refused(LIST("--args-file", "a\nb"), "a?b: cannot be read: ");
	check_refused(LIST("--args-file", repeated('x', 5000)), "xxxx");
	if (geteuid() != 0) {
		file_write("closed", "ro /\n", 0);
		check_refused(LIST("--args-file", "closed"),
			      "closed: cannot be read: Permission denied\n");
	}
}

TEST(a_file_of_one_mib_is_taken_and_one_byte_more_is_refused)
{
	char *bytes = repeated('\n', MIB + 1);

	memcpy(bytes + MIB - 5, "ro /\n", 5);
	write_bytes("policy", bytes, MIB);
	CHECK_STR(plan_of(LIST("--args-file", "policy", "--", "command")),
		  plan_of(LIST("--ro", "/", "--", "command")));
	write_bytes("policy", bytes, MIB + 1);
	check_refused(LIST("--args-file", "policy"), "policy: cannot be read: EFBIG\n");
	/* One without an end. */
	check_refused(LIST("--args-file", "/dev/zero"), "/dev/zero: cannot be read: EFBIG\n");
	/* One without a byte. */
	CHECK_STR(plan_of(LIST("--args-file", "/dev/null", "--", "command")),
		  plan_of(LIST("--", "command")));
}

/* The shortest lines there are, as many as fit, and what they come to. */
TEST(a_file_full_of_options_overruns_nothing)
{
	char *bytes = repeated('\n', MIB);
	const char *folder = repeated('f', 40);
	const char *file = check_format("%s/policy", folder);

	for (size_t i = 0; i + 5 <= MIB; i += 5)
		memcpy(bytes + i, "ro x\n", 5);
	write_bytes("policy", bytes, MIB);
	check_refused(LIST("--mode", "danger-full-access", "--args-file", "policy"),
		      "--rw cannot be used with --mode danger-full-access\n");
	/* And once more than any memory for one has room. */
	check_refused(LIST("--args-file", "policy", "--args-file", "policy", "bogus"),
		      "unknown argument: bogus\n");
	/* With the folder before them the paths are longer than there is room for. */
	REQUIRE(mkdir(folder, 0755) == 0 && rename("policy", file) == 0);
	check_refused(LIST("--args-file", file), check_format("%s:", file));
	for (size_t i = 0; i + 6 <= MIB; i += 6)
		memcpy(bytes + i, "stdio\n", 6);
	write_bytes("policy", bytes, MIB - MIB % 6);
	check_refused(LIST("--args-file", "policy", "bogus"), "unknown argument: bogus\n");
}

TEST(many_files_are_taken_one_after_the_other)
{
	const char **words = calloc(2 * 300 + 1, sizeof *words),
		   **same = calloc(2 * 300 + 1, sizeof *same);

	REQUIRE(words != NULL && same != NULL);
	for (int i = 0; i < 300; i++) {
		words[2 * i] = "--args-file";
		words[2 * i + 1] = check_format("%d", i);
		file_write(words[2 * i + 1], check_format("ro %d\n", i), 0644);
		same[2 * i] = "--ro";
		same[2 * i + 1] = words[2 * i + 1];
	}
	CHECK_STR(plan_of(joined(words, LIST("--", "command"))),
		  plan_of(joined(same, LIST("--", "command"))));
}

/* ---- What can be read ---- */

/* What is written by pieces into the pipe that becomes descriptor 9. */
static int pipe_ends[2];

static void give_pipe(const struct run *run)
{
	(void)run;
	if (dup2(pipe_ends[0], 9) < 0)
		_exit(97);
}

TEST(a_pipe_is_read_to_its_end)
{
	static const char *const pieces[] = { "ro", " /us", "r\n", "rw /b\n# ", "x\n" };
	struct run run = { .prepare = give_pipe };
	pid_t writer;

	REQUIRE(pipe2(pipe_ends, O_CLOEXEC) == 0);
	writer = fork();
	if (writer == 0) {
		for (size_t i = 0; i < COUNT(pieces); i++) {
			usleep(20000);
			if (write(pipe_ends[1], pieces[i], strlen(pieces[i])) < 0)
				_exit(97);
		}
		_exit(0);
	}
	REQUIRE(writer > 0);
	close(pipe_ends[1]);
	RUN(&run, "--dry-run", "--args-file", "/proc/self/fd/9", "--", "command");
	CHECK_END(&run, 0);
	CHECK_STR(run.output.text, plan_of(LIST("--ro", "/usr", "--rw", "/b", "--", "command")));
	REQUIRE(waitpid(writer, NULL, 0) == writer);
	close(pipe_ends[0]);
}

TEST(stdin_is_read_when_it_is_named_alone)
{
	struct run run = { .input = "ro /\n" };

	RUN(&run, "--dry-run", "--args-file", "/dev/stdin", "--", "command");
	CHECK_END(&run, 0);
	CHECK_STR(run.output.text, plan_of(LIST("--ro", "/", "--", "command")));
}
