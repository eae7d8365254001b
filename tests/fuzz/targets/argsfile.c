/* --args-file: input is one byte, how the kernel answers, one byte, how long the file is, its name,
 * ended by a NUL, and what stands in it. The launch is the one of the same words on the command
 * line, told from the file by other rules than the launcher's; or it is refused in the right line.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "claims.h"
#include "fake_sys.h"
#include "launcher.h"

#define FILE_MOST ((size_t)1048576)
#define LINE_MOST ((size_t)8192)
#define PATHS_MOST (4 * FILE_MOST)
#define FD 6

/* memory.h has one name for both. */
#ifdef SYS_mmap2
#define MAP_CALL SYS_mmap2
#else
#define MAP_CALL SYS_mmap
#endif

/* ---- The kernel ---- */

enum answer {
	NO_MEMORY = 1,
	NO_FILE = 2,
	NO_READ = 4,
	TWICE = 8,       /* the file is named again */
	NO_COMMAND = 16, /* none is behind the options */
	PIECES = 0xe0    /* no more is read at once */
};

static struct {
	uint8_t answers;
	const char *name, *bytes;
	size_t size, at; /* what of it was read */
	int open, reads;
	size_t maps;
} world;

/* Made once, for it is large; what was touched of it is zero again after each run. The page behind
 * it cannot be. */
static char *arenas[2];
#define ARENA (16 * FILE_MOST)
#define BEHIND 65536

static void make_arena(size_t which)
{
	char *memory = mmap(NULL, ARENA + BEHIND, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (memory == MAP_FAILED || mprotect(memory + ARENA, BEHIND, PROT_NONE) != 0)
		exit(1);
	arenas[which] = memory;
}

static long read_piece(char *to, size_t room)
{
	size_t piece = world.size - world.at;

	if (world.answers & NO_READ && world.reads++)
		return -EIO;
	if (world.answers & PIECES && piece > (world.answers & PIECES))
		piece = world.answers & PIECES;
	if (piece > room)
		piece = room;
	if (piece)
		memcpy(to, world.bytes + world.at, piece);
	world.at += piece;
	return (long)piece;
}

static long map(size_t size, long protection, long flags)
{
	HOLDS(protection == (PROT_READ | PROT_WRITE));
	HOLDS(flags == (MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE));
	HOLDS(world.maps < 2 && size <= ARENA && size % sizeof(char *) == 0);
	if (world.answers & NO_MEMORY)
		return -ENOMEM;
	if (!arenas[world.maps])
		make_arena(world.maps);
	return sys_pointer(arenas[world.maps++] + ARENA - size);
}

static long kernel(long number, const long arguments[5])
{
	switch (number) {
	case MAP_CALL:
		return map((size_t)arguments[1], arguments[2], arguments[3]);
	case SYS_openat:
		HOLDS(arguments[0] == AT_FDCWD && !strcmp(FAKE_POINTER(arguments[1]), world.name));
		HOLDS(arguments[2] & O_CLOEXEC && !(arguments[2] & (O_ACCMODE | O_NONBLOCK)));
		if (world.answers & NO_FILE || strlen(world.name) >= PATH_MAX)
			return world.answers & NO_FILE ? -ENOENT : -ENAMETOOLONG;
		HOLDS(!world.open++);
		world.at = 0;
		world.reads = 0;
		return FD;
	case SYS_read:
		HOLDS(arguments[0] == FD && world.open);
		return read_piece(FAKE_POINTER(arguments[1]), (size_t)arguments[2]);
	case SYS_close:
		HOLDS(arguments[0] == FD && world.open--);
		return 0;
	default:
		BROKEN("a system call that reading a file has no use for");
	}
}

/* ---- What stands in the file, by the manual ---- */

struct reading {
	const char **words;
	size_t count;
	char *text;    /* where the next value goes */
	size_t paths;  /* bytes of those with the folder before them */
	size_t wrong;  /* the first line that is refused; 0: none */
	int status_fd; /* the first that is named, before such a line; -1: none */
};

static const struct llr_option *option_named(const char *name)
{
	const struct llr_option *option;

	if (!strncmp(name, "--", 2))
		name += 2;
	for (size_t i = 0; (option = llr_option_at(i)) != NULL; i++)
		if (!strcmp(option->name + 2, name))
			return option;
	return NULL;
}

static int may_stand_in_a_file(const struct llr_option *option, const char *value)
{
	const char *words[] = { "x", option->name, value, NULL };
	struct llr_args args;
	struct llr_error error;
	int takes = llr_option_takes_value(option);

	if (option->kind == OPTION_ACTION || option->kind == OPTION_ARGS_FILE || takes != !!*value)
		return 0;
	return !llr_args_parse_policy(&args, 2 + takes, (char *const *)words, &error) ||
	       error.code == LLR_E_OPTION_NEEDS;
}

/* Where in the value a path from the file's folder begins; NULL: nowhere. */
static const char *path_in(const char *name, const char *value)
{
	static const char *const names[] = { "--ro",        "--rw",    "--ro-try",
					     "--workspace", "--allow", "--resolve-unix" };
	const char *path = value;
	int is_path = 0;

	for (size_t i = 0; i < COUNT(names); i++)
		is_path |= !strcmp(names[i], name);
	if (!strcmp(name, "--allow"))
		path = strchr(value, ':') + 1;
	if (!strcmp(name, "--resolve-unix") && !strcmp(value, "none"))
		is_path = 0;
	return is_path && *path && *path != '/' ? path : NULL;
}

static void add_value(struct reading *reading, const char *name, const char *value)
{
	const char *slash = strrchr(world.name, '/'), *path = path_in(name, value);
	size_t folder = path && slash ? (size_t)(slash - world.name) + 1 : 0;
	size_t before = path ? (size_t)(path - value) : 0;
	size_t length = folder + strlen(value) + 1;

	memcpy(reading->text, value, before);
	memcpy(reading->text + before, world.name, folder);
	memcpy(reading->text + before + folder, value + before, length - before - folder);
	reading->words[reading->count++] = reading->text;
	reading->text += length;
	reading->paths += path ? length : 0;
}

/* Whether the line is good. */
static int read_line(struct reading *reading, const char *bytes, size_t length)
{
	static char buffer[LINE_MOST + 1];
	const struct llr_option *option;
	char *line = buffer, *value;

	if (length > LINE_MOST || memchr(bytes, 0, length))
		return 0;
	memcpy(line, bytes, length);
	line[length] = 0;
	line += strspn(line, " \t");
	if (!*line || *line == '#')
		return 1;
	value = line + strcspn(line, " \t");
	if (*value)
		*value++ = 0;
	value += strspn(value, " \t");
	option = option_named(line);
	if (!option || !may_stand_in_a_file(option, value))
		return 0;
	if (option->kind == OPTION_STATUS_FD && reading->status_fd < 0)
		reading->status_fd = atoi(value);
	reading->words[reading->count++] = option->name;
	if (*value)
		add_value(reading, option->name, value);
	return reading->paths <= PATHS_MOST;
}

/* Of each line there are two words at most, and a value with the folder before it. */
static struct reading begin_reading(void)
{
	size_t lines = 1, room;

	for (size_t i = 0; i < world.size; i++)
		lines += world.bytes[i] == '\n';
	room = world.size + lines * (strlen(world.name) + 1);
	if (room > world.size + PATHS_MOST + LINE_MOST + PATH_MAX)
		room = world.size + PATHS_MOST + LINE_MOST + PATH_MAX;
	return (struct reading){
		fuzz_memory(2 * lines * sizeof(char *)), 0, fuzz_memory(room), 0, 0, -1
	};
}

static struct reading read_file(void)
{
	struct reading reading = begin_reading();
	size_t number = 1;

	for (size_t at = 0; at < world.size; number++) {
		const char *line = world.bytes + at;
		const char *end = memchr(line, '\n', world.size - at);
		size_t length = end ? (size_t)(end - line) : world.size - at;

		if (!read_line(&reading, line, length)) {
			reading.wrong = number;
			break;
		}
		at += length + 1;
	}
	return reading;
}

/* ---- What is claimed ---- */

static int same_text(const char *left, const char *right)
{
	return left && right ? !strcmp(left, right) : left == right;
}

static void claim_refused(const struct llr_args *args, const struct llr_error *error,
			  const struct reading *reading)
{
	HOLDS(args->status_fd == reading->status_fd);
	HOLDS(error->code == LLR_E_ARGS_FILE && !error->errnum && error->subject == world.name);
	HOLDS(error->field && *error->field && error->index == reading->wrong);
	claim_reported(error, "usage error: ");
}

static int expected_failure(void)
{
	if (world.answers & NO_MEMORY)
		return ENOMEM;
	if (world.answers & NO_FILE)
		return ENOENT;
	if (strlen(world.name) >= PATH_MAX)
		return ENAMETOOLONG;
	/* Of an empty file the first piece is the end. */
	if (world.answers & NO_READ && world.size)
		return EIO;
	return world.size > FILE_MOST ? EFBIG : 0;
}

/* The same as of these words: accepted, or refused for what they are together. */
static void claim_same(int result, const struct llr_args *args, const struct llr_error *error,
		       const char **words, int count)
{
	struct llr_args other;
	struct llr_error failure = { 0, 0, NULL, NULL, 0 };

	HOLDS(llr_args_parse(&other, count, (char *const *)words, &failure) == result);
	if (result) {
		HOLDS(failure.code == error->code && failure.errnum == error->errnum);
		HOLDS(same_text(failure.subject, error->subject));
		HOLDS(same_text(failure.field, error->field));
		return;
	}
	for (int i = 0; i <= count; i++)
		HOLDS(same_text(args->argv[i], words[i]));
	HOLDS(args->options_end == other.options_end && args->command == other.command);
	HOLDS(args->mode == other.mode && args->launch == other.launch);
	HOLDS(args->flags == other.flags && args->governed == other.governed);
	HOLDS(args->status_fd == other.status_fd && same_text(args->workspace, other.workspace));
}

static void claim_expanded(int result, const struct llr_args *args, const struct llr_error *error)
{
	struct reading reading = read_file();
	size_t times = world.answers & TWICE ? 2 : 1, count = 0;
	const char **words;

	if (reading.wrong) {
		HOLDS(result == -1);
		claim_refused(args, error, &reading);
		return;
	}
	words = fuzz_memory((8 + 2 * reading.count) * sizeof *words);
	words[count++] = "landlock-run";
	words[count++] = "--ro";
	words[count++] = "/before";
	for (; times; times--) {
		memcpy(words + count, reading.words, reading.count * sizeof *words);
		count += reading.count;
	}
	if (!(world.answers & NO_COMMAND)) {
		words[count++] = "--";
		words[count++] = "command";
	}
	words[count] = NULL;
	HOLDS(world.maps == (world.answers & TWICE ? 2 : 1));
	claim_same(result, args, error, words, (int)count);
}

/* ---- The input ---- */

/* A short text makes a long file: it is repeated up to one of the limits, or one byte off. */
static void take_content(struct bytes *bytes)
{
	uint8_t length = take_byte(bytes);
	size_t size;
	char *rest, *content;

	world.name = take_text(bytes);
	if (!world.name)
		world.name = fuzz_copy("");
	rest = take_rest(bytes, &size);
	world.bytes = rest;
	world.size = size;
	if (!size)
		return;
	if (length >= 0xe7 && length <= 0xe9)
		world.size = LINE_MOST + length - 0xe8;
	if (length >= 0xf7 && length <= 0xf9)
		world.size = FILE_MOST + length - 0xf8;
	content = fuzz_memory(world.size);
	for (size_t i = 0; i < world.size; i++)
		content[i] = rest[i % size];
	world.bytes = content;
}

void fuzz_argsfile(struct bytes bytes)
{
	struct llr_args args;
	struct llr_error error = { 0, 0, NULL, NULL, 0 };
	char *argv[12];
	int argc = 0, result;

	memset(&world, 0, sizeof world);
	fake_kernel = kernel;
	world.answers = take_byte(&bytes);
	take_content(&bytes);
	argv[argc++] = fuzz_copy("landlock-run");
	argv[argc++] = fuzz_copy("--ro");
	argv[argc++] = fuzz_copy("/before");
	for (int times = world.answers & TWICE ? 2 : 1; times; times--) {
		argv[argc++] = fuzz_copy("--args-file");
		argv[argc++] = fuzz_copy(world.name);
	}
	world.name = argv[4];
	if (!(world.answers & NO_COMMAND)) {
		argv[argc++] = fuzz_copy("--");
		argv[argc++] = fuzz_copy("command");
	}
	argv[argc] = NULL;
	result = argsfile_parse(&args, argc, argv, 1, &error);
	HOLDS(!world.open);
	if (expected_failure()) {
		HOLDS(result == -1 && error.code == LLR_E_ARGS_FILE && !error.field);
		HOLDS(error.errnum == expected_failure() && error.subject == world.name);
		claim_reported(&error, "usage error: ");
	} else {
		claim_expanded(result, &args, &error);
	}
	for (size_t i = 0; i < world.maps; i++)
		madvise(arenas[i], ARENA, MADV_DONTNEED);
}
