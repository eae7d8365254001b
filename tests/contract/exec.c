/* How a command is found: as the libc's execvp() finds it, but for a shell; and what a failure to
 * start it says. The libc itself is the judge wherever it can be asked. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "launch.h"

#define EXEC "exec failed: "
#define FOUND "--helper", "found"

/* ---- The libc as judge ---- */

/* execvp NAME: becomes that, the helper `found` where it is this program; or says why not. */
HELPER(execvp)
{
	if (argc < 2)
		return 96;
	execvp(argv[1],
	       (char *const[]){ argv[1], (char[]){ "--helper" }, (char[]){ "found" }, NULL });
	printf("%s\n", errno_name(errno));
	fflush(stdout);
	return FAILURE;
}

/* The name of the errno that the status record tells; NULL when it has none. */
static const char *errno_told(const char *record)
{
	const char *at = record ? strstr(record, "\"errno\":\"") : NULL;

	return at ? check_format("%.*s\n", (int)strcspn(at + 9, "\""), at + 9) : NULL;
}

static void open_status(const struct run *run)
{
	(void)run;
	if (dup2(open("status", O_WRONLY | O_CREAT | O_TRUNC, 0644), 9) < 0)
		_exit(97);
}

/* execvp hands such a file to a shell, which is what a launcher never does; the others without a
 * format say nothing then. */
#define FORMATLESS "echo handed to a shell\n"

static bool was_shell(const struct captured *output)
{
	return output->length == 0 || strcmp(output->text, "handed to a shell\n") == 0;
}

static bool check_like_execvp(const char *name, const char *const *environment)
{
	struct run libc = { .env = environment },
		   run = { .env = environment, .prepare = open_status };
	const char *wanted;

	RUN_COMMAND(&libc, SELF("execvp"), name);
	RUN(&run, "--status-fd", "9", "--ro", "/", "--", name, FOUND);
	wanted = was_shell(&libc.output) ? "ENOEXEC\n" : libc.output.text;
	if (run_end(&libc) == 0 && wanted == libc.output.text)
		return CHECK_END(&run, 0) & (int)CHECK_STR(run.output.text, wanted) &&
		       CHECK_SAID(&run, "");
	return CHECK_EXEC_FAILED(&run,
				 strlen(name) < 300 ? check_format(EXEC "%s: ", name) : EXEC) &&
	       CHECK_STR(errno_told(file_read("status")), wanted);
}

/* ---- A place with every kind of thing to be found ---- */

/* Each directory holds one kind of thing of the name `prog`. */
static void furnish(void)
{
	static const char *const directories[] = { "ok",     "also",     "plain",  "none",
						   "isdir",  "dangling", "loop",   "formatless",
						   "empty",  "nointerp", "badelf", "closed",
						   "noexec", "deep",     "busy" };

	for (size_t i = 0; i < COUNT(directories); i++)
		REQUIRE(mkdir(directories[i], 0755) == 0);
	REQUIRE(symlink(check_self(), "ok/prog") == 0 && symlink(check_self(), "also/prog") == 0);
	file_write("plain/prog", "plain", 0644);
	REQUIRE(mkdir("isdir/prog", 0755) == 0 && symlink("nowhere", "dangling/prog") == 0);
	REQUIRE(symlink("prog", "loop/prog") == 0 && mkdir("deep/ok", 0755) == 0);
	file_write("formatless/prog", FORMATLESS, 0755);
	file_write("empty/prog", "", 0755);
	file_write("nointerp/prog", "#!/nowhere/interpreter\n", 0755);
	file_write("badelf/prog",
		   "\x7f"
		   "ELF but no more",
		   0755);
	file_write("noexec/prog", "#!/nowhere\n", 0600);
	REQUIRE(symlink(check_self(), "deep/ok/prog") == 0 &&
		symlink(check_self(), "closed/prog") == 0);
	REQUIRE(symlink(check_self(), "prog") == 0);
	file_write("file", "no directory", 0644);
	REQUIRE(chmod("closed", 0) == 0);
	/* Open for writing all the time: most kernels will not execute it. */
	file_write("busy/prog", check_format("#!%s --list\n", check_self()), 0755);
	REQUIRE(open("busy/prog", O_WRONLY | O_CLOEXEC) >= 0);
}

static char *repeated(char byte, size_t count)
{
	char *text = calloc(1, count + 1);

	REQUIRE(text != NULL);
	memset(text, byte, count);
	return text;
}

/* Everything that an element of PATH can be. Not longer than 4095 bytes: glibc passes such an
 * element over, but then looks into the current directory, which is nobody's wish. */
static const char *const *elements(size_t *count)
{
	static const char *all[64];
	size_t used = 0;
	static const char *const plain[] = {
		"",           ".",        "./",   "ok",         "also",    "plain",    "none",
		"isdir",      "dangling", "loop", "formatless", "empty",   "nointerp", "badelf",
		"closed",     "noexec",   "file", "file/x",     "missing", "/nowhere", "deep/ok",
		"deep/../ok", "ok/",      "ok//", " ",          "/",       "busy",
	};

	for (size_t i = 0; i < COUNT(plain); i++)
		all[used++] = plain[i];
	all[used++] = check_format("%s", repeated('e', 255));
	all[used++] = check_format("%s", repeated('e', 256));
	all[used++] = check_format("%s", repeated('e', 4090));
	all[used++] = check_format("%s", repeated('e', 4094));
	all[used++] = check_format("%s", repeated('e', 4095));
	all[used++] = check_format("ok%s", repeated('/', 4000));
	all[used++] = check_format("ok%s", repeated('/', 4087));
	all[used++] = check_format("ok%s", repeated('/', 4093));
	*count = used;
	return all;
}

TEST_WITHIN(each_element_of_path_alone_finds_what_execvp_finds, 600)
{
	size_t count;
	const char *const *all;

	NEEDS_LANDLOCK();
	furnish();
	all = elements(&count);
	for (size_t i = 0; i < count; i++) {
		/* And in front of one that has it, and behind. */
		const char *const paths[] = { all[i],
					      check_format("%s:ok", all[i]),
					      check_format("ok:%s", all[i]),
					      check_format("plain:%s", all[i]),
					      check_format("%s:", all[i]),
					      check_format(":%s", all[i]) };

		for (size_t k = 0; k < COUNT(paths); k++) {
			if (!check_due())
				continue;
			check_row("PATH=%.60s (%zu bytes)", paths[k], strlen(paths[k]));
			check_like_execvp("prog", LIST(check_format("PATH=%s", paths[k])));
		}
	}
}

TEST_WITHIN(random_paths_find_what_execvp_finds, 600)
{
	unsigned int seed = 20261201;
	size_t count;
	const char *const *all;

	NEEDS_LANDLOCK();
	furnish();
	all = elements(&count);
	for (int round = 0; round < 300; round++) {
		int parts = 1 + rand_r(&seed) % 5;
		const char *path = "";

		for (int i = 0; i < parts; i++)
			path = check_format("%s%s%s", path, i ? ":" : "",
					    all[(size_t)rand_r(&seed) % count]);
		check_row("round %d: PATH=%.100s", round, path);
		if (check_due() && !check_like_execvp("prog", LIST(check_format("PATH=%s", path))))
			break;
	}
}

TEST(names_are_taken_as_execvp_takes_them)
{
	const char *const names[] = {
		"prog",
		"./prog",
		"ok/prog",
		"/prog",
		"",
		".",
		"..",
		"/",
		"ok",
		"ok/",
		"prog/",
		"file/prog",
		"./file",
		"missing",
		"ok/missing",
		"isdir/prog",
		"loop/prog",
		"dangling/prog",
		"plain/prog",
		"nointerp/prog",
		"closed/prog",
		"deep/ok/prog",
		"ok/../ok/prog",
		"ok//prog",
		"noexec/prog",
		"badelf/prog",
		"formatless/prog",
		"empty/prog",
		" ",
		"prog ",
		"PROG",
		"-",
		repeated('n', 255),
		repeated('n', 256),
		repeated('n', 4095),
		repeated('n', 4096),
		repeated('n', 60000),
		check_format("./%s", repeated('n', 255)),
		check_format("./%s", repeated('n', 256)),
		check_format("/%s", repeated('/', 4094)),
		check_format("/%s", repeated('/', 4095)),
	};
	static const char *const paths[] = { "PATH=ok", "PATH=", "PATH=closed:ok",
					     "PATH=none:plain", "NOPATH=ok" };

	NEEDS_LANDLOCK();
	furnish();
	for (size_t i = 0; i < COUNT(names); i++)
		for (size_t k = 0; k < COUNT(paths); k++) {
			if (!check_due())
				continue;
			check_row("%.60s (%zu bytes) with %s", names[i], strlen(names[i]),
				  paths[k]);
			check_like_execvp(names[i], LIST(paths[k]));
		}
}

TEST(path_is_the_environments_first_of_that_name)
{
	const char *const *const environments[] = {
		LIST("PATH=ok", "PATH=none"),
		LIST("PATH=none", "PATH=ok"),
		LIST("XPATH=ok"),
		LIST("PATHX=ok"),
		LIST("PATH"),
		LIST("PATH", "PATH=ok"),
		LIST("path=ok"),
		LIST("A=1", "PATH=ok", "B=2"),
		LIST("=PATH=ok"),
		LIST(" PATH=ok"),
		LIST("PATH==ok"),
		LIST("PATH=ok=x:ok"),
	};

	NEEDS_LANDLOCK();
	furnish();
	for (size_t i = 0; i < COUNT(environments); i++) {
		check_row("%s", environments[i][0]);
		check_like_execvp("prog", environments[i]);
	}
}

/* ---- To the letter, where the libc is not asked ---- */

static void check_found(const char *environment, const char *name, const char *path)
{
	struct run run = { .env = environment ? LIST(environment) : LIST(NULL) };

	check_row("%.80s, %s", environment, name);
	RUN(&run, "--ro", "/", "--", name, FOUND);
	CHECK_END(&run, 0);
	CHECK_LINE(run.output.text, path);
	CHECK_SAID(&run, "");
}

static void check_not_found(const char *environment, const char *name, const char *number)
{
	struct run run = { .env = environment ? LIST(environment) : LIST(NULL),
			   .prepare = open_status };

	check_row("%.80s, %s", environment, name);
	RUN(&run, "--status-fd", "9", "--ro", "/", "--", name, FOUND);
	CHECK_EXEC_FAILED(&run, check_format(EXEC "%s: ", name));
	CHECK_LINE(errno_told(file_read("status")), number);
}

TEST(an_empty_element_of_path_is_the_current_directory)
{
	NEEDS_LANDLOCK();
	furnish();
	check_found("PATH=", "prog", "prog");
	check_found("PATH=:", "prog", "prog");
	check_found("PATH=:none", "prog", "prog");
	check_found("PATH=none:", "prog", "prog");
	check_found("PATH=none::ok", "prog", "prog");
	check_found("PATH=ok:", "prog", "ok/prog");
}

TEST(without_path_the_default_is_searched_and_not_the_current_directory)
{
	const char *shell = access("/bin/sh", X_OK) == 0 ? "/bin/sh" : "/usr/bin/sh";
	struct run run = { .env = LIST(NULL), .in = STREAM_NULL };

	NEEDS_LANDLOCK();
	furnish();
	check_not_found(NULL, "prog", "ENOENT");
	if (access(shell, X_OK) != 0)
		SKIP("there is no sh in /bin or /usr/bin");
	RUN(&run, "--ro", "/", "--", "sh", "-c", "exit 9");
	CHECK_END(&run, 9);
}

TEST(a_name_with_a_slash_is_not_looked_up)
{
	NEEDS_LANDLOCK();
	furnish();
	check_found("PATH=none", "./prog", "./prog");
	check_found("PATH=ok", "deep/ok/prog", "deep/ok/prog");
	check_not_found("PATH=deep", "./ok/missing", "ENOENT");
	check_not_found("PATH=deep:.", "ok2/prog", "ENOENT");
}

TEST(a_refusal_is_remembered_while_the_search_goes_on)
{
	NEEDS_LANDLOCK();
	furnish();
	check_found("PATH=plain:ok", "prog", "ok/prog");
	check_not_found("PATH=plain:none", "prog", "EACCES");
	check_not_found("PATH=none:plain:missing:file", "prog", "EACCES");
	check_not_found("PATH=isdir:none", "prog", "EACCES");
	check_not_found("PATH=none:missing", "prog", "ENOENT");
	check_not_found("PATH=file", "prog", "ENOTDIR");
}

TEST(elements_that_are_not_there_or_too_long_are_passed_over)
{
	NEEDS_LANDLOCK();
	furnish();
	check_found("PATH=missing:/nowhere:file:file/x:dangling:nointerp:also", "prog",
		    "also/prog");
	check_found(check_format("PATH=%s:ok", repeated('e', 4096)), "prog", "ok/prog");
	check_found(check_format("PATH=%s:ok", repeated('e', 100000)), "prog", "ok/prog");
	check_found(check_format("PATH=%s:%s:ok", repeated('e', 5000), repeated('f', 4096)), "prog",
		    "ok/prog");
	check_found(check_format("PATH=%s:also:%s", repeated('/', 4097), repeated('e', 4096)),
		    "prog", "also/prog");
	check_not_found(check_format("PATH=%s", repeated('e', 4096)), "prog", "ENOENT");
	check_not_found(check_format("PATH=%s:none", repeated('e', 4096)), "prog", "ENOENT");
	check_not_found(check_format("PATH=none:%s", repeated('e', 4097)), "prog", "ENOENT");
}

TEST(a_name_that_is_too_long_for_a_file_is_not_searched)
{
	NEEDS_LANDLOCK();
	furnish();
	check_not_found("PATH=ok", repeated('n', 255), "ENOENT");
	check_not_found("PATH=ok", repeated('n', 256), "ENAMETOOLONG");
	/* glibc means to do the same, and looks for a part of the name. */
	check_not_found("PATH=/nowhere:missing", repeated('n', 256), "ENAMETOOLONG");
	check_not_found("PATH=file", repeated('n', 3000), "ENAMETOOLONG");
}

/* execvp stops there; a directory further on does not heal it. */
TEST(a_file_that_is_no_program_ends_the_search)
{
	NEEDS_LANDLOCK();
	furnish();
	check_not_found("PATH=formatless:ok", "prog", "ENOEXEC");
	check_not_found("PATH=empty:ok", "prog", "ENOEXEC");
	check_not_found("PATH=loop:ok", "prog", "ELOOP");
}

TEST(a_file_without_a_format_is_never_handed_to_a_shell)
{
	static const char *const contents[] = { "echo ran >ran\n",
						":\n",
						"",
						"\n",
						"# comment\necho ran >ran\n",
						" #!/bin/sh\necho ran >ran\n",
						"\xef\xbb\xbf#!/bin/sh\necho ran >ran\n" };

	NEEDS_LANDLOCK();
	for (size_t i = 0; i < COUNT(contents); i++) {
		static const char *const names[] = { "./command", "command" };

		file_write("command", contents[i], 0755);
		for (size_t k = 0; k < COUNT(names); k++) {
			struct run run = { .env = LIST("PATH=.:/bin:/usr/bin") };

			check_row("%s: %s", names[k], contents[i]);
			RUN(&run, "--rw", "/", "--", names[k]);
			CHECK_EXEC_FAILED(&run, check_format(EXEC "%s: ", names[k]));
			CHECK(!file_exists("ran"));
		}
	}
}

TEST(scripts_run_by_their_interpreters)
{
	struct run run = { 0 };

	NEEDS_LANDLOCK();
	/* The kernel makes one argument of what follows the interpreter, so it is not one of the
	 * helpers. */
	file_write("script", check_format("#!%s --list\n", check_self()), 0755);
	RUN(&run, "--ro", "/", "--", "./script");
	CHECK_END(&run, 0);
	CHECK_HAS_LINE(run.output.text, "scripts_run_by_their_interpreters");
}

/* The lookup is the confined process's: what it may not execute is passed over, as for anyone. */
TEST(a_directory_that_is_not_granted_is_passed_over)
{
	struct run run = { .env = LIST("PATH=ok:also") };

	NEEDS_LANDLOCK();
	for (int i = 0; i < 2; i++) {
		const char *directory = i ? "also" : "ok";

		REQUIRE(mkdir(directory, 0755) == 0);
		file_write(check_format("%s/prog", directory),
			   check_format("#!%s --list\n", check_self()), 0755);
	}
	RUN(&run, "--ro", "also", "--ro", check_self(), "--", "prog");
	CHECK_END(&run, 0);
	RUN(&run, "--ro", check_self(), "--", "prog");
	CHECK_EXEC_FAILED(&run, EXEC "prog: ");
}

TEST(the_commands_first_argument_is_its_name_as_written)
{
	struct run run = { .env = LIST("PATH=.") };

	NEEDS_LANDLOCK();
	REQUIRE(symlink(check_self(), "named") == 0);
	RUN(&run, "--ro", "/", "--", "named", "--helper", "name");
	CHECK_LINE(run.output.text, "named");
	RUN(&run, "--ro", "/", "--", "./named", "--helper", "name");
	CHECK_LINE(run.output.text, "./named");
}

/* The name that this process was started by. */
HELPER(name)
{
	char command_line[256] = "";
	int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);

	if (fd < 0 || read(fd, command_line, sizeof command_line - 1) < 1)
		return 97;
	close(fd);
	printf("%s\n", command_line);
	return 0;
}

/* ---- What a failure says ---- */

TEST(a_failure_to_start_names_the_command)
{
	static const char *const names[] = {
		"./missing",        "missing", "./plain/prog", "./isdir",       "/",           ".",
		"name with spaces", "",        "./loop/prog",  "./badelf/prog", "./empty/prog"
	};

	NEEDS_LANDLOCK();
	furnish();
	for (size_t i = 0; i < COUNT(names); i++) {
		struct run run = { 0 };

		check_row("%s", names[i]);
		RUN(&run, "--ro", "/", "--", names[i]);
		CHECK_EXEC_FAILED(&run, check_format(EXEC "%s: ", names[i]));
	}
}

/* Of several candidates it is the one that decided. */
TEST(the_file_that_is_named_is_the_one_that_the_reason_is_about)
{
	static const struct {
		const char *path, *culprit, *how;
	} rows[] = {
		{ "PATH=plain:empty", "empty/prog", "no executable format" },
		{ "PATH=plain:formatless:ok", "formatless/prog", "no executable format" },
		{ "PATH=dangling:formatless", "formatless/prog", "no executable format" },
		{ "PATH=nointerp:plain", "plain/prog", "mode" },
		{ "PATH=dangling:plain", "plain/prog", "mode" },
		{ "PATH=dangling:isdir", "isdir/prog", "directory" },
		{ "PATH=none:nointerp", "/nowhere/interpreter", "missing" },
		{ "PATH=none:plain:none", "plain/prog", "mode" },
	};

	NEEDS_LANDLOCK();
	furnish();
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct run run = { .env = LIST(rows[i].path) };

		check_row("%s", rows[i].path);
		RUN(&run, "--ro", "/", "--", "prog");
		CHECK_EXEC_FAILED(&run, EXEC "prog: ");
		CHECK_CONTAINS(run.errors.text, rows[i].culprit);
		CHECK_CONTAINS(run.errors.text, rows[i].how);
	}
}

static void check_culprit(const char *const *grants, const char *command, const char *file,
			  const char *how)
{
	struct run run = { 0 };

	check_row("%s", command);
	run_launcher(&run, joined(LIST(check_launcher()), joined(grants, LIST("--", command))));
	CHECK_EXEC_FAILED(&run, check_format(EXEC "%s: ", command));
	CHECK_CONTAINS(run.errors.text, file);
	CHECK_CONTAINS(run.errors.text, how);
}

TEST(a_command_that_is_not_granted_is_said_to_be_so)
{
	NEEDS_LANDLOCK();
	REQUIRE(mkdir("d", 0755) == 0);
	check_culprit(LIST("--ro", "d"), check_self(), check_self(), "not granted");
}

TEST(a_shim_whose_target_is_not_granted_or_missing_names_the_target)
{
	NEEDS_LANDLOCK();
	REQUIRE(mkdir("d", 0755) == 0);
	REQUIRE(symlink(check_self(), "d/shim") == 0 && symlink("nowhere", "d/dangling") == 0);
	check_culprit(LIST("--ro", "d"), "d/shim", check_self(), "not granted");
	check_culprit(LIST("--ro", "d"), "d/dangling", "d/dangling", "missing");
}

TEST(a_script_whose_interpreter_is_missing_or_not_granted_names_it)
{
	NEEDS_LANDLOCK();
	REQUIRE(mkdir("d", 0755) == 0);
	file_write("d/missing", "#!/nowhere/interpreter -x\n", 0755);
	file_write("d/denied", check_format("#! %s --list\n", check_self()), 0755);
	check_culprit(LIST("--ro", "d"), "d/missing", "/nowhere/interpreter", "missing");
	check_culprit(LIST("--ro", "/"), "d/missing", "/nowhere/interpreter", "missing");
	check_culprit(LIST("--ro", "d"), "d/denied", check_self(), "not granted");
}

/* The loader's name of an ELF file, replaced in a copy of some dynamic program. */
static bool copy_with_loader(const char *from, const char *to, const char *loader)
{
	int fd = open(from, O_RDONLY | O_CLOEXEC), copy;
	struct captured program;
	char *name;

	if (fd < 0)
		return false;
	program = descriptor_read(fd);
	close(fd);
	name = memmem(program.text, program.length < 4096 ? program.length : 4096, "/lib", 4);
	if (name == NULL || strlen(name) < strlen(loader))
		return false;
	memset(name, 0, strlen(name));
	strcpy(name, loader);
	copy = open(to, O_WRONLY | O_CREAT | O_CLOEXEC, 0755);
	REQUIRE(copy >= 0 && write(copy, program.text, program.length) == (ssize_t)program.length);
	close(copy);
	return true;
}

TEST(a_program_whose_loader_is_missing_or_not_granted_names_it)
{
	NEEDS_LANDLOCK();
	REQUIRE(mkdir("d", 0755) == 0);
	file_write("loader", "", 0755);
	if (!copy_with_loader("/bin/sh", "d/missing", "/nowhere/ld") ||
	    !copy_with_loader("/bin/sh", "d/denied", "loader"))
		SKIP("there is no dynamically linked sh");
	check_culprit(LIST("--ro", "d"), "d/missing", "/nowhere/ld", "missing");
	check_culprit(LIST("--ro", "/"), "d/missing", "/nowhere/ld", "missing");
	check_culprit(LIST("--ro", "d"), "d/denied", "loader", "not granted");
}

TEST(a_directory_as_a_command_and_a_mode_that_forbids_are_told_apart)
{
	NEEDS_LANDLOCK();
	REQUIRE(mkdir("d", 0755) == 0);
	file_write("plain", "text", 0644);
	check_culprit(LIST("--ro", "/"), "./d", "./d", "directory");
	check_culprit(LIST("--ro", "/"), "./plain", "./plain", "mode");
}

/* With nothing that the launcher may still read, it says what it can and no more. */
TEST(a_failure_to_start_is_told_also_where_nothing_may_be_read)
{
	struct run run = { 0 };

	NEEDS_LANDLOCK();
	RUN(&run, "--", "missing-command");
	CHECK_EXEC_FAILED(&run, EXEC "missing-command: ");
	RUN(&run, "--", "./missing/command");
	CHECK_EXEC_FAILED(&run, EXEC "./missing/command: ");
}

TEST(a_name_that_is_too_much_for_the_kernel_is_a_failure)
{
	struct run run = { 0 };

	NEEDS_LANDLOCK();
	/* A name as long as an argument may be is none that any file can have. */
	RUN(&run, "--ro", "/", "--", check_format("./%s", repeated('x', 100000)));
	CHECK_EXEC_FAILED(&run, EXEC "./xxxx");
}
