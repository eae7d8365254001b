/* The lines: one, whole, harmless and short, whatever they are about and wherever they go.
 * No test here may match the words in which an errno is told. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "launch.h"

#define RULE_PATH "cannot open rule path: "

/* ---- What is shown of a subject ---- */

static const struct {
	const char *subject;
	const char *shown;
} maskings[] = {
	{ "a\nb", "a?b" },
	{ "a\nlandlock-run: partial enforcement (older Landlock ABI)",
	  "a?landlock-run: partial enforcement (older Landlock ABI)" },
	{ "\n", "?" },
	{ "\n\n\n", "???" },
	{ "a\rb", "a?b" },
	{ "a\tb", "a?b" },
	{ "\x1b[31mred\x1b[0m", "?[31mred?[0m" },
	{ "\x1b]0;title\x07", "?]0;title?" },
	{ "\x01\x02\x03\x04\x05\x06\x07\x08", "????????" },
	{ "\x0b\x0c\x0e\x0f\x10\x11\x12\x13\x14\x15\x16\x17\x18\x19\x1a\x1c\x1d\x1e\x1f",
	  "???????????????????" },
	{ "del\x7f", "del?" },
	/* C1 codes: U+0085 ends a line, U+009B begins an escape; raw bytes too, which some
	   terminals obey. */
	{ "a\xc2\x85"
	  "b",
	  "a?b" },
	{ "a\xc2\x9b"
	  "31m",
	  "a?31m" },
	{ "a\xc2\x80"
	  "b\xc2\x9f"
	  "c",
	  "a?b?c" },
	{ "a\x85"
	  "b",
	  "a?b" },
	{ "a\x9b"
	  "31m",
	  "a?31m" },
	{ "\x80\x9f", "??" },
	{ "x\xe2\x80\xa8y\xe2\x80\xa9z", "x?y?z" },
	/* A torn character must not hide what follows it. */
	{ "\xe2\n", "\xe2?" },
	{ "\xe2\x80\n", "\xe2??" },
	{ "\xc2\n", "\xc2?" },
	/* What is no control is as it was. */
	{ "name with spaces", "name with spaces" },
	{ "\xc3\xa4\xc3\xb6\xe2\x82\xac\xf0\x9f\x98\x80",
	  "\xc3\xa4\xc3\xb6\xe2\x82\xac\xf0\x9f\x98\x80" },
	{ "\xc2\xa0", "\xc2\xa0" },
	{ "%s%n%d%%", "%s%n%d%%" },
	{ "\"'\\$(id)`", "\"'\\$(id)`" },
	{ "?", "?" },
};

/* Everything that is taken from outside into a line. */
static const struct place {
	const char *before; /* the message up to the subject */
	bool confined;      /* the failure comes after the restriction */
	const char *words[8];
	int at; /* which of the words is the subject */
} places[] = {
	{ RULE_PATH, false, { "--ro", "/", "--ro", "", "--", "true" }, 3 },
	{ RULE_PATH, false, { "--rw", "", "--", "true" }, 1 },
	{ RULE_PATH, false, { "--mode", "workspace-write", "--workspace", "", "--", "true" }, 3 },
	{ "exec failed: ", true, { "--ro", "/", "--", "" }, 3 },
	{ "usage error: unknown argument: ", false, { "" }, 0 },
	{ "usage error: unknown argument: --ro=", false, { "" }, 0 },
	{ "usage error: --mode: invalid value: ", false, { "--mode", "", "--", "true" }, 1 },
};

static const char *const *put_subject(const struct place *place, const char *subject)
{
	const char **words = calloc(COUNT(place->words) + 1, sizeof *words);

	REQUIRE(words != NULL);
	memcpy(words, place->words, sizeof place->words);
	words[place->at] = subject;
	/* One place has something of its own before the subject. */
	if (place->before[strlen(place->before) - 1] == '=')
		words[place->at] = check_format("--ro=%s", subject);
	return joined(LIST(check_launcher()), words);
}

TEST(control_bytes_of_a_subject_are_shown_as_question_marks)
{
	for (size_t i = 0; i < COUNT(places); i++)
		for (size_t k = 0; k < COUNT(maskings); k++) {
			const char *wanted = check_format("%s%s", places[i].before,
							  maskings[k].shown);
			struct run run = { 0 };

			if (check_abi() == 0 && strncmp(places[i].before, "usage", 5) != 0)
				continue;
			if (!check_due())
				continue;
			check_row("%s %s", places[i].before, maskings[k].subject);
			run_launcher(&run, put_subject(&places[i], maskings[k].subject));
			check_fatal(&run, wanted, places[i].confined, __FILE__, __LINE__);
		}
}

TEST(no_byte_of_a_subject_can_begin_a_second_line)
{
	const struct place *place = &places[4];

	for (int byte = 1; byte < 256; byte++) {
		const char *subject = check_format("a%clandlock-run: b", byte);
		struct run run = { 0 };

		if (!check_due())
			continue;
		check_row("byte %d", byte);
		run_launcher(&run, put_subject(place, subject));
		CHECK_FATAL(&run, "usage error: unknown argument: a");
		CHECK_CONTAINS(run.errors.text, "landlock-run: b");
		/* Exactly the control bytes are masked. */
		CHECK_INT(strchr(run.errors.text, '?') != NULL,
			  byte < 0x20 || (byte >= 0x7f && byte <= 0x9f) || byte == '?');
	}
}

TEST(the_name_of_the_file_at_fault_is_masked_too)
{
	struct run run = { 0 };

	NEEDS_LANDLOCK();
	file_write("script",
		   "#!/no\x1b[31m/such\x85"
		   "interpreter\n",
		   0755);
	RUN(&run, "--ro", "/", "--", "./script");
	CHECK_EXEC_FAILED(&run, "exec failed: ./script: ");
	CHECK_CONTAINS(run.errors.text, "/no?[31m/such?interpreter");
}

/* ---- One write, at most 4096 bytes ---- */

/* Starts the launcher with stderr a socket that keeps each write apart, and returns what came in
 * how many writes. */
static const int *packet_ends;

static void use_packets(const struct run *run)
{
	(void)run;
	if (dup2(packet_ends[1], 2) < 0)
		_exit(97);
}

static void run_in_packets(struct run *run, const char *const *argv, char *line, size_t size,
			   int *writes, size_t *length)
{
	int ends[2];
	ssize_t got;

	REQUIRE(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) == 0);
	packet_ends = ends;
	run->prepare = use_packets;
	run_launcher(run, argv);
	close(ends[1]);
	*writes = 0;
	*length = 0;
	while ((got = recv(ends[0], line + *length, size - *length - 1, 0)) > 0) {
		*length += (size_t)got;
		++*writes;
	}
	line[*length] = '\0';
	close(ends[0]);
}

/* A subject of that many bytes, of characters that are that long. */
static char *long_subject(size_t length, const char *character)
{
	char *subject = calloc(1, length + 8);
	size_t step = strlen(character);

	REQUIRE(subject != NULL);
	for (size_t i = 0; i + step <= length; i += step)
		memcpy(subject + i, character, step);
	return subject;
}

static bool is_utf8(const char *text)
{
	for (; *text; text++) {
		int more = (unsigned char)*text >= 0xf0   ? 3
			   : (unsigned char)*text >= 0xe0 ? 2
			   : (unsigned char)*text >= 0xc0 ? 1
							  : 0;

		if (((unsigned char)*text & 0xc0) == 0x80)
			return false;
		for (; more > 0; more--)
			if (((unsigned char)*++text & 0xc0) != 0x80)
				return false;
	}
	return true;
}

static void check_length(const struct place *place, size_t length, const char *character)
{
	char *subject = long_subject(length, character), *line = calloc(1, 300000);
	const char *wanted = check_format(PREFIX "%s", place->before);
	size_t got, notice = place->confined && notice_due() ? strlen(NOTICE "\n") : 0;
	struct run run = { 0 };
	int writes;

	check_row("%zu bytes of %s after %s", length, character, place->before);
	run_in_packets(&run, put_subject(place, subject), line, 300000, &writes, &got);
	CHECK_END(&run, FAILURE);
	CHECK_INT(writes, notice ? 2 : 1);
	CHECK(got - notice <= LINE_MOST);
	CHECK(got > 0 && line[got - 1] == '\n');
	CHECK(strchr(line + notice, '\n') == line + got - 1);
	CHECK_PREFIX(line + notice, wanted);
	CHECK(is_utf8(line));
	/* What can be shown is shown: cut only at the limit. */
	CHECK(length > 3900 || strstr(line, subject) != NULL);
	CHECK(length < LINE_MOST || got - notice > LINE_MOST - 8);
	free(subject);
	free(line);
}

TEST(a_line_is_one_write_of_at_most_4096_bytes_however_long_its_subject)
{
	static const size_t lengths[] = { 100,  3900, 4000, 4020, 4030, 4040,  4050,
					  4060, 4070, 4080, 4090, 4093, 4094,  4095,
					  4096, 4097, 4100, 5000, 8192, 120000 };
	static const char *const characters[] = { "x", "\xc3\xa4", "\xe2\x82\xac",
						  "\xf0\x9f\x98\x80" };

	for (size_t i = 0; i < COUNT(places); i++)
		for (size_t k = 0; k < COUNT(lengths); k++) {
			if (check_abi() == 0 && strncmp(places[i].before, "usage", 5) != 0)
				continue;
			if (!check_due())
				continue;
			check_length(&places[i], lengths[k], characters[k % COUNT(characters)]);
			check_length(&places[i], lengths[k], characters[0]);
		}
}

TEST(the_reason_after_a_subject_that_was_cut_is_still_there)
{
	char *subject = long_subject(100000, "y");
	struct run run = { 0 };

	RUN(&run, check_format("--ro=%s", subject), "--", "true");
	CHECK_FATAL(&run, "usage error: unknown argument: --ro=yyyy");
	CHECK_CONTAINS(run.errors.text, "next argument");
	NEEDS_LANDLOCK();
	RUN(&run, "--ro", subject, "--", "true");
	CHECK_FATAL(&run, RULE_PATH "yyyy");
	/* A reason stands between the last of the subject and the end. */
	CHECK(strrchr(run.errors.text, ':') > strrchr(run.errors.text, 'y') - 40 &&
	      strlen(strrchr(run.errors.text, ':')) > 8);
}

TEST(a_command_whose_name_is_too_long_to_show_still_names_its_beginning)
{
	char *name = long_subject(60000, "z");
	struct run run = { 0 };

	NEEDS_LANDLOCK();
	RUN(&run, "--ro", "/", "--", name);
	CHECK_EXEC_FAILED(&run, "exec failed: zzzzzzzz");
	CHECK(run.errors.length <= LINE_MOST + strlen(NOTICE "\n"));
}

/* ---- Where lines go ---- */

static const struct failure {
	const char *words[8];
	bool kernel; /* needs one that enforces */
} failures[] = {
	{ { NULL }, false },
	{ { "x" }, false },
	{ { "--ro" }, false },
	{ { "--probe", "x" }, false },
	{ { "--mode", "none", "--", "true" }, false },
	{ { "--ro", "missing", "--", "true" }, true },
	{ { "--ro", "/", "--", "./missing" }, true },
	{ { "--ro", "/", "--", "no-such-command" }, true },
	{ { "--ro", "/", "--", "." }, true },
	{ { "--mode", "read-only", "--", "./missing" }, true },
};

static const char *const *words_of(const struct failure *failure)
{
	return joined(LIST(check_launcher()), failure->words);
}

TEST(a_failure_is_125_also_when_it_cannot_be_told)
{
	static const char *const states[] = { "close=2", "broken=2", "full=2", "stuffed=2" };

	for (size_t i = 0; i < COUNT(failures); i++)
		for (size_t k = 0; k < COUNT(states); k++) {
			struct run run = { 0 };

			if (failures[i].kernel && check_abi() == 0)
				continue;
			check_row("%zu, %s", i, states[k]);
			run_command(&run, joined(LIST(SELF("with"), states[k], "--"),
						 words_of(&failures[i])));
			CHECK_END(&run, FAILURE);
			CHECK_STR(run.output.text, "");
		}
}

/* Not the disposition that decides: a parent that ignores SIGPIPE or has it blocked sees the same.
 */
TEST(a_failure_is_125_whatever_the_signal_state)
{
	static const char *const states[] = { "ignore=13", "block=13", "ignore=25", "block=25" };
	static const char *const streams[] = { "broken=2", "broken=1", "close=1" };

	for (size_t i = 0; i < COUNT(failures); i++)
		for (size_t k = 0; k < COUNT(states) * COUNT(streams); k++) {
			struct run run = { 0 };

			if (failures[i].kernel && check_abi() == 0)
				continue;
			if (!check_due())
				continue;
			check_row("%zu, %zu", i, k);
			run_command(&run, joined(LIST(SELF("with"), states[k % COUNT(states)],
						      streams[k / COUNT(states)], "--"),
						 words_of(&failures[i])));
			CHECK_END(&run, FAILURE);
		}
}

/* A file that may not grow any more would be a deadly SIGXFSZ. */
TEST(a_file_size_limit_does_not_end_a_failure_by_a_signal)
{
	struct run run = { 0 };

	RUN_COMMAND(&run, SELF("with"), "file=2", "size=0", "--", check_launcher(), "x");
	CHECK_END(&run, FAILURE);
	CHECK_STR(file_read("stream"), "");
	RUN_COMMAND(&run, SELF("with"), "file=1", "size=0", "--", check_launcher(), "--version");
	CHECK_FATAL(&run, "cannot write ");
	NEEDS_LANDLOCK();
	RUN_COMMAND(&run, SELF("with"), "file=1", "size=0", "--", check_launcher(), "--probe");
	CHECK_FATAL(&run, "cannot write ");
}

TEST(a_failure_reaches_files_and_terminals_as_it_reaches_pipes)
{
	struct run run = { .err = STREAM_FILE };

	RUN(&run, "x");
	CHECK_FATAL(&run, "usage error: unknown argument: x\n");
	file_write("stream", "before\n", 0644);
	RUN_COMMAND(&run, SELF("with"), "file=2", "--", check_launcher(), "x");
	CHECK_STR(file_read("stream"), "before\n" PREFIX "usage error: unknown argument: x\n");
}

/* Only what a command itself wrote is on the streams of a launch that succeeds. */
TEST(a_launch_that_succeeds_says_nothing_of_its_own)
{
	static const struct {
		const char *const words[6];
	} launches[] = {
		{ { "--ro", "/" } },
		{ { "--ro", "/", "--rw", "/dev/null" } },
		{ { "--mode", "read-only" } },
		{ { "--mode", "workspace-write", "--workspace", "." } },
	};

	NEEDS_LANDLOCK();
	for (size_t i = 0; i < COUNT(launches); i++) {
		struct run run = { .input = "all that is on stdin\n" };

		check_row("%zu", i);
		run_launcher(&run, joined(joined(LIST(check_launcher()), launches[i].words),
					  LIST("--", SELF("copy"))));
		CHECK_END(&run, 0);
		CHECK_STR(run.output.text, "all that is on stdin\n");
		CHECK_SAID(&run, "");
	}
}

TEST(the_command_writes_to_the_streams_itself)
{
	struct run run = { 0 };

	NEEDS_LANDLOCK();
	RUN(&run, "--ro", "/", "--", SELF("write_to"), "2", "landlock-run: the command's own\n");
	CHECK_END(&run, 0);
	CHECK_SAID(&run, "landlock-run: the command's own\n");
	CHECK_STR(run.output.text, "ok\n");
}
