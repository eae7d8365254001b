/* operation.c: operations in words.
 * It must never change what it tells, nor ask whether it makes sense. */
#include "operation.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

#define ROW(kind, name, takes) { name, takes },
static const struct {
	const char *name;
	unsigned int takes;
} kinds[] = { KINDS(ROW) };
#undef ROW

const char *kind_name(unsigned int kind)
{
	return kind < KIND_COUNT ? kinds[kind].name : "?";
}

unsigned int kind_takes(unsigned int kind)
{
	return kind < KIND_COUNT ? kinds[kind].takes : 0;
}

struct text {
	char *at;
	size_t left;
	bool several;
};

__attribute__((format(printf, 2, 3))) static void say(struct text *text, const char *format, ...)
{
	va_list arguments;
	int length;

	va_start(arguments, format);
	length = vsnprintf(text->at, text->left, format, arguments);
	va_end(arguments);
	if (length < 0 || (size_t)length >= text->left)
		length = (int)text->left - 1;
	text->at += length;
	text->left -= (size_t)length;
}

static void next(struct text *text)
{
	say(text, text->several ? ", " : "");
	text->several = true;
}

static void say_place(struct text *text, const struct place *place)
{
	next(text);
	switch (place->base) {
	case BASE_CWD:
	case BASE_OUTSIDE:
		say(text, "\"%s\"", place->path);
		break;
	case BASE_TOP:
		say(text, "\"@/%s\"", place->path);
		break;
	case BASE_SLOT:
		say(text, "slot %d \"%s\"", place->slot, place->path);
		break;
	default:
		say(text, "\"/proc/self/fd/{slot %d}%s%s\"", place->slot, *place->path ? "/" : "",
		    place->path);
	}
}

struct word {
	uint64_t bits;
	const char *name;
};

static const struct word open_words[] = {
	{ O_PATH, "O_PATH" },     { O_TMPFILE, "O_TMPFILE" },   { O_DIRECTORY, "O_DIRECTORY" },
	{ O_CREAT, "O_CREAT" },   { O_EXCL, "O_EXCL" },         { O_TRUNC, "O_TRUNC" },
	{ O_APPEND, "O_APPEND" }, { O_NOFOLLOW, "O_NOFOLLOW" },
};

static const struct word resolve_words[] = {
	{ RESOLVE_NO_XDEV, "RESOLVE_NO_XDEV" },
	{ RESOLVE_NO_MAGICLINKS, "RESOLVE_NO_MAGICLINKS" },
	{ RESOLVE_NO_SYMLINKS, "RESOLVE_NO_SYMLINKS" },
	{ RESOLVE_BENEATH, "RESOLVE_BENEATH" },
};

static const struct word rename_words[] = {
	{ 1, "RENAME_NOREPLACE" },
	{ 2, "RENAME_EXCHANGE" },
};

static void say_words(struct text *text, uint64_t bits, const struct word *words, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if ((bits & words[i].bits) != words[i].bits)
			continue;
		say(text, "|%s", words[i].name);
		bits &= ~words[i].bits;
	}
	if (bits)
		say(text, "|%#llo", (unsigned long long)bits);
}

static void say_open_flags(struct text *text, const struct operation *operation)
{
	static const char *const modes[] = { "O_RDONLY", "O_WRONLY", "O_RDWR", "3" };

	next(text);
	say(text, "%s", modes[operation->flags & O_ACCMODE]);
	say_words(text, operation->flags & ~(uint64_t)O_ACCMODE, open_words, COUNT(open_words));
	say_words(text, operation->resolve, resolve_words, COUNT(resolve_words));
}

static const char *type_name(unsigned int mode)
{
	switch (mode & S_IFMT) {
	case S_IFREG:
		return "regular";
	case S_IFCHR:
		return mode & 1 ? "whiteout" : "character device";
	case S_IFBLK:
		return "block device";
	case S_IFIFO:
		return "fifo";
	case S_IFSOCK:
		return "socket";
	default:
		return "?";
	}
}

void operation_tell(const struct operation *operation, char *buffer, size_t size)
{
	struct text text = { buffer, size, false };
	unsigned int takes = kind_takes(operation->kind);

	say(&text, "%s(", kind_name(operation->kind));
	if (takes & TAKES_A)
		say_place(&text, &operation->a);
	if (takes & TAKES_B)
		say_place(&text, &operation->b);
	if (takes & TAKES_OPEN_FLAGS)
		say_open_flags(&text, operation);
	if (takes & TAKES_SLOT && operation->slot >= 0) {
		next(&text);
		say(&text, "slot %d", operation->slot);
	}
	if (takes & TAKES_RENAME_FLAGS && operation->flags) {
		next(&text);
		say(&text, "0");
		say_words(&text, operation->flags, rename_words, COUNT(rename_words));
	}
	if (takes & TAKES_FOLLOW)
		say(&text, operation->flags ? ", follow" : ", no follow");
	if (takes & TAKES_LENGTH)
		say(&text, ", %u", operation->length);
	if (takes & TAKES_COMMAND)
		say(&text, ", %#x", operation->mode);
	if (takes & TAKES_TYPE)
		say(&text, ", %s", type_name(operation->mode));
	else if (takes & TAKES_MODE)
		say(&text, ", %#o", operation->mode);
	say(&text, ")");
}
