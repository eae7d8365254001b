/* Shared parts of the contract's tests, described in launch.h.
 * Nothing here may excuse a launch that broke the contract. */
#include "launch.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool notice_due(void)
{
	return check_abi() >= 1 && check_abi() < 5;
}

bool check_said(const struct run *run, const char *errors, const char *file, int line)
{
	const char *all = check_format("%s%s", notice_due() ? NOTICE "\n" : "", errors);

	return check_text(run->errors.text, all, CHECK_EQUAL, file, line);
}

/* Whether that is one line, whole, within the limit, that cannot steer a terminal or look like two.
 */
static bool is_one_line(const char *text, size_t length)
{
	if (length == 0 || length > LINE_MOST || strlen(text) != length || text[length - 1] != '\n')
		return false;
	for (size_t i = 0; i + 1 < length; i++)
		if ((unsigned char)text[i] < 0x20 || text[i] == 0x7f)
			return false;
	return true;
}

bool check_fatal(const struct run *run, const char *beginning, bool confined, const char *file,
		 int line)
{
	const char *text = run->errors.text;
	size_t length = run->errors.length;
	const char *wanted = check_format("%s%s", PREFIX, beginning);

	if (!check_end(run, FAILURE, file, line))
		return false;
	if (confined && notice_due()) {
		if (!check_text(text, NOTICE "\n", CHECK_BEGINS, file, line))
			return false;
		text += strlen(NOTICE "\n");
		length -= strlen(NOTICE "\n");
	}
	if (!check_text(text, wanted, CHECK_BEGINS, file, line) ||
	    !check_text(run->output.text, "", CHECK_EQUAL, file, line))
		return false;
	return is_one_line(text, length) ||
	       check_fail(file, line, "not one plain line of at most %d bytes: %.500s", LINE_MOST,
			  text);
}

/* ---- Acts ---- */

static const char *const *list_of_acts(const char *const *arguments, const struct act *acts,
				       size_t count)
{
	const char *const start[] = { check_launcher(), NULL };
	const char *const command[] = { SELF("act"), NULL };
	const char **words = calloc(3 * count + 1, sizeof *words);
	size_t used = 0;

	REQUIRE(words != NULL);
	for (size_t i = 0; i < count; i++) {
		words[used++] = acts[i].name;
		words[used++] = acts[i].path;
		if (acts[i].other)
			words[used++] = acts[i].other;
	}
	return joined(start, joined(arguments, joined(command, words)));
}

bool check_acts(const char *const *arguments, const struct act *acts, size_t count,
		const char *file, int line)
{
	struct run run = { 0 };
	char *next;
	bool right = true;

	run_launcher(&run, list_of_acts(arguments, acts, count));
	if (!check_end(&run, 0, file, line) || !check_said(&run, "", file, line))
		return false;
	next = run.output.text;
	for (size_t i = 0; i < count; i++) {
		const char *result = strsep(&next, "\n");
		const char *wanted = check_abi() >= acts[i].since ? acts[i].result : "ok";

		if (result == NULL || strcmp(result, wanted) != 0)
			right = check_fail(file, line, "%s %s %s: %s, not %s", acts[i].name,
					   acts[i].path, acts[i].other ? acts[i].other : "",
					   result ? result : "nothing", wanted);
	}
	return right;
}

/* ---- Levels ---- */

int needs_partial(void)
{
	NEEDS_LANDLOCK();
	if (notice_due())
		return 0;
	if (simulator() == NULL)
		SKIP("needs a kernel of ABI 1 to 4, or the simulator");
	return 4;
}

const char *emulated(void)
{
	const char *path = getenv("LANDLOCK_RUN_EMULATED");

	return path != NULL && *path ? path : NULL;
}

bool has_guards(void)
{
#if defined __x86_64__ || defined __aarch64__ || (defined __riscv && __riscv_xlen == 64)
	return true;
#else
	return false;
#endif
}

void needs_guards(void)
{
	if (!has_guards())
		SKIP("no filters on this architecture");
}

void needs_bash(void)
{
	const char *path = getenv("PATH") ? getenv("PATH") : "/bin:/usr/bin";

	for (char *rest = check_format("%s", path), *part; (part = strsep(&rest, ":")) != NULL;)
		if (access(check_format("%s/bash", part), X_OK) == 0)
			return;
	SKIP("needs bash on PATH");
}

const char *stray(const char *directory)
{
	const char *path = check_format("%s/landlock-run-contract-%d", directory, getpid());

	check_remove_later(path);
	return path;
}

void stuff(int fd)
{
	static const char bytes[65536];

	/* In large pieces first: a pipe of large pages holds a megabyte. */
	while (write(fd, bytes, sizeof bytes) > 0)
		;
	while (write(fd, bytes, 1) == 1)
		;
}

const char *const *joined(const char *const *first, const char *const *second)
{
	size_t count = 0, more = 0;
	const char **all;

	while (first[count])
		count++;
	while (second[more])
		more++;
	all = calloc(count + more + 1, sizeof *all);
	REQUIRE(all != NULL);
	memcpy(all, first, count * sizeof *all);
	memcpy(all + count, second, more * sizeof *all);
	return all;
}

const char *const *claiming(int abi, const char *const *argv)
{
	return abi ? joined(LIST(simulator(), "--abi", check_format("%d", abi), "--"), argv) : argv;
}

/* ---- Names ---- */

static const struct {
	int number;
	const char *name;
} errnos[] = {
#define NAMED(name) \
	{ \
		name, #name \
	}
	NAMED(EPERM),        NAMED(ENOENT),          NAMED(EINTR),
	NAMED(EIO),          NAMED(ENXIO),           NAMED(E2BIG),
	NAMED(ENOEXEC),      NAMED(EBADF),           NAMED(ECHILD),
	NAMED(EAGAIN),       NAMED(ENOMEM),          NAMED(EACCES),
	NAMED(EFAULT),       NAMED(ENOTBLK),         NAMED(EBUSY),
	NAMED(EEXIST),       NAMED(EXDEV),           NAMED(ENODEV),
	NAMED(ENOTDIR),      NAMED(EISDIR),          NAMED(EINVAL),
	NAMED(ENFILE),       NAMED(EMFILE),          NAMED(ENOTTY),
	NAMED(ETXTBSY),      NAMED(EFBIG),           NAMED(ENOSPC),
	NAMED(ESPIPE),       NAMED(EROFS),           NAMED(EMLINK),
	NAMED(EPIPE),        NAMED(ENOSYS),          NAMED(ENAMETOOLONG),
	NAMED(ELOOP),        NAMED(ENOTEMPTY),       NAMED(ENOTSUP),
	NAMED(EADDRINUSE),   NAMED(ECONNREFUSED),    NAMED(ESRCH),
	NAMED(ENOTCONN),     NAMED(ESTALE),          NAMED(ELIBBAD),
	NAMED(EDOM),         NAMED(EADDRNOTAVAIL),   NAMED(ENETUNREACH),
	NAMED(EAFNOSUPPORT), NAMED(EPROTONOSUPPORT), NAMED(ETIMEDOUT),
#undef NAMED
};

const char *errno_name(int number)
{
	if (number == 0)
		return "ok";
	for (size_t i = 0; i < COUNT(errnos); i++)
		if (errnos[i].number == number)
			return errnos[i].name;
	return check_format("errno %d", number);
}
