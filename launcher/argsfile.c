/* --args-file FILE: options kept in a file, one a line, in the place of the words that name it.
 * A line that is not understood refuses them all; of a value nothing but a path is changed. */
#include <errno.h>
#include <fcntl.h>

#include "error.h"
#include "launcher.h"
#include "memory.h"
#include "report.h"
#include "text.h"
#include "words.h"

#define FILE_MOST (1 << 20)
#define LINE_MOST 8192                 /* a path of PATH_MAX bytes, and all rights before it */
#define ARGUMENTS_MOST (FILE_MOST / 2) /* a line of two takes five bytes */

/* Of one file, for as long as this program runs: what is not touched costs nothing. */
struct room {
	char bytes[FILE_MOST + 4096]; /* as they stand in the file; values are used in place */
	char message[LLR_LINE_MAX];
	char paths[4 * FILE_MOST]; /* those before which the file's folder stands */
	char spare[2 * LINE_MOST]; /* one more: the kernel has taken the folder for a path */
	char *argv[];
};

/* The arguments as they come to be. */
struct expansion {
	struct room *room;
	struct llr_args *args;
	char **next; /* where the next argument goes */
	char *path;  /* where the next path does */
	const char *file;
	const char *folder_end; /* behind the last slash of its name */
};

static int is_blank(char byte)
{
	return byte == ' ' || byte == '\t';
}

/* Where the path in a value begins that is taken from the file's folder; NULL when there is none.
 */
static const char *relative_path(const struct llr_option *option, const char *value)
{
	if (option->kind == OPTION_ALLOW)
		while (*value++ != ':')
			;
	if (option->kind > OPTION_SOCKET && option->kind != OPTION_WORKSPACE)
		return NULL;
	if (option->kind == OPTION_SOCKET && llr_string_equal(value, "none"))
		return NULL;
	return *value && *value != '/' ? value : NULL;
}

/* Copies a value with the folder before its path. */
static void add_folder(struct expansion *to, const char *value, const char *path)
{
	do {
		if (value == path)
			for (const char *from = to->file; from < to->folder_end;)
				*to->path++ = *from++;
		*to->path++ = *value;
	} while (*value++);
}

/* Takes the option of a line, which the parser judges as anywhere. NULL, or what is wrong. */
static const char *take_option(struct expansion *to, char *name, char *end, struct llr_error *error)
{
	char *value = name;
	const struct llr_option *option;
	const char *path;
	struct llr_args alone;
	int count;

	while (*value && !is_blank(*value))
		value++;
	while (is_blank(*value))
		*value++ = 0;
	option = llr_option_by_word(name);
	to->next[0] = option ? (char *)option->name : name;
	to->next[1] = value;
	count = 2 + (value < end);
	/* Where its end is known the option is good: what it needs may stand elsewhere. */
	llr_args_parse_policy(&alone, count, to->next - 1, error);
	if (alone.options_end != count || alone.action) {
		if (alone.options_end || error->code == LLR_E_ARGS_FILE)
			return WORD("no option for a file");
		if (words_unpack(error))
			return WORD("no memory to say what is wrong");
		llr_error_text(error, to->room->message, sizeof to->room->message);
		return to->room->message + sizeof LLR_BEGIN_USAGE - 1;
	}
	/* As on the command line: where the file says it, what is wrong behind it is told there. */
	if (to->args->status_fd < 0)
		to->args->status_fd = alone.status_fd;
	path = relative_path(llr_option_by_name(to->next[0]), value);
	if (path) {
		to->next[1] = to->path;
		add_folder(to, value, path);
	}
	to->next += count - 1;
	return to->path > to->room->spare ? WORD("too long") : NULL;
}

static int take_lines(struct expansion *to, long size, struct llr_error *error)
{
	char *line = to->room->bytes, *stop = line + size;
	uint64_t number = 0;

	*stop = '\n';
	for (char *end; line < stop; line = end + 1) {
		const char *reason = NULL;

		for (end = line; *end && *end != '\n'; end++)
			;
		if (!*end)
			reason = WORD("a NUL byte");
		else if (end - line > LINE_MOST)
			reason = WORD("too long");
		*end = 0;
		while (is_blank(*line))
			line++;
		if (!reason && *line && *line != '#')
			reason = take_option(to, line, end, error);
		number++;
		if (reason)
			return llr_fail_at(error, LLR_E_ARGS_FILE, to->file, reason, number);
	}
	return 0;
}

/* The size of what is read to the end, or a negated errno. */
static long read_whole(const char *file, struct room *room)
{
	long size = 0, got,
	     fd = SYS4(openat, AT_FDCWD, sys_pointer(file), O_RDONLY | O_CLOEXEC | O_NOCTTY, 0);

	if (sys_failed(fd))
		return fd;
	do {
		got = SYS3(read, fd, sys_pointer(room->bytes + size), FILE_MOST + 1 - size);
		size += got;
	} while (got > 0);
	SYS1(close, fd);
	return got ? got : size > FILE_MOST ? -EFBIG : size;
}

/* The arguments with what stands in the file, in the place of it; NULL with *error filled. */
static char **expand(struct llr_args *args, int *argc, char **from, struct llr_error *error)
{
	struct expansion to;
	long size = memory_map(0, sizeof *to.room + ((size_t)*argc + ARGUMENTS_MOST) * sizeof *from,
			       MAP_PRIVATE | MAP_NORESERVE);

	to.args = args;
	to.file = to.folder_end = error->subject;
	to.room = (struct room *)(uintptr_t)size;
	if (!sys_failed(size))
		size = read_whole(to.file, to.room);
	if (sys_failed(size)) {
		llr_fail(error, LLR_E_ARGS_FILE, size, to.file, NULL);
		return NULL;
	}
	for (const char *at = to.file; *at;)
		if (*at++ == '/')
			to.folder_end = at;
	to.path = to.room->paths;
	to.next = to.room->argv;
	for (; *from; from++)
		if (from[1] != to.file)
			*to.next++ = *from;
		else if (from++, take_lines(&to, size, error))
			return NULL;
	*to.next = NULL;
	*argc = (int)(to.next - to.room->argv);
	return to.room->argv;
}

int argsfile_parse(struct llr_args *args, int argc, char **argv, int command_needed,
		   struct llr_error *error)
{
	while (command_needed ? llr_args_parse(args, argc, argv, error)
			      : llr_args_parse_policy(args, argc, argv, error))
		if (error->code != LLR_E_ARGS_FILE || !(argv = expand(args, &argc, argv, error)))
			return -1;
	return 0;
}
