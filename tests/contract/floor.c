/* What is asked for by name is enforced or refused: floors, the refusal's words, and best effort.
 * The table of rights is spelled once more here, so that a slip in the product's shows. */
#include <string.h>
#include <unistd.h>

#include "launch.h"

#define NOT_ENFORCED "landlock is not enforced by this kernel ("
#define RAN SELF("act"), "create", "ran"

static const struct right {
	const char *name;
	int abi;
	const char *linux_version;
	const char *const words[3]; /* that ask for it by name, beside --require */
} rights[] = {
	{ "execute", 1, "5.13", { NULL } },
	{ "write-file", 1, "5.13", { NULL } },
	{ "read-file", 1, "5.13", { NULL } },
	{ "read-dir", 1, "5.13", { NULL } },
	{ "remove-dir", 1, "5.13", { NULL } },
	{ "remove-file", 1, "5.13", { NULL } },
	{ "make-char", 1, "5.13", { NULL } },
	{ "make-dir", 1, "5.13", { NULL } },
	{ "make-reg", 1, "5.13", { NULL } },
	{ "make-sock", 1, "5.13", { NULL } },
	{ "make-fifo", 1, "5.13", { NULL } },
	{ "make-block", 1, "5.13", { NULL } },
	{ "make-sym", 1, "5.13", { NULL } },
	{ "refer", 2, "5.19", { NULL } },
	{ "truncate", 3, "6.2", { NULL } },
	{ "ioctl-dev", 5, "6.10", { NULL } },
	{ "resolve-unix", 9, "7.1", { "--resolve-unix", "none" } },
	{ "bind-tcp", 4, "6.7", { "--bind-tcp", "none" } },
	{ "connect-tcp", 4, "6.7", { "--connect-tcp", "none" } },
	{ "bind-udp", 10, "7.2", { "--bind-udp", "none" } },
	{ "connect-send-udp", 10, "7.2", { "--connect-send-udp", "none" } },
	{ "abstract-unix-socket", 6, "6.12", { "--scope", "abstract-unix-socket" } },
	{ "signal", 6, "6.12", { "--scope", "signal" } },
};

static const char *refusal_of(const struct right *right, int abi)
{
	return check_format(NOT_ENFORCED
			    "%s: needs ABI %d, Linux %s; this kernel reports ABI %d)\n",
			    right->name, right->abi, right->linux_version, abi);
}

/* On a kernel of that ABI, claimed or the real one: it runs, or is refused in these words. */
static void check_asked(const struct right *right, int claimed, const char *const *words)
{
	int abi = claimed ? claimed : check_abi();
	struct run run = { 0 };

	unlink("ran");
	run_command(&run,
		    claiming(claimed,
			     joined(joined(LIST(check_launcher(), "--ro", "/", "--rw", "."), words),
				    LIST("--", RAN))));
	if (abi >= right->abi) {
		CHECK_END(&run, 0);
		CHECK_STR(run.errors.text, abi < 5 ? NOTICE "\n" : "");
		CHECK(file_exists("ran"));
	} else {
		CHECK_END(&run, FAILURE);
		CHECK_STR(run.errors.text, check_format(PREFIX "%s", refusal_of(right, abi)));
		CHECK(!file_exists("ran"));
	}
}

TEST(a_right_that_is_required_is_governed_or_the_launch_refused)
{
	NEEDS_LANDLOCK();
	for (size_t i = 0; i < COUNT(rights); i++) {
		check_row("%s", rights[i].name);
		check_asked(&rights[i], 0, LIST("--require", rights[i].name));
		if (rights[i].words[0])
			check_asked(&rights[i], 0, rights[i].words);
	}
}

TEST_WITHIN(each_claimed_abi_refuses_the_rights_that_it_lacks, 600)
{
	NEEDS_LANDLOCK();
	if (simulator() == NULL)
		SKIP("needs the simulator");
	for (int abi = 1; abi <= check_abi(); abi++)
		for (size_t i = 13; i < COUNT(rights); i++) {
			check_row("ABI %d, %s", abi, rights[i].name);
			check_asked(&rights[i], abi, LIST("--require", rights[i].name));
			if (rights[i].words[0])
				check_asked(&rights[i], abi, rights[i].words);
		}
}

TEST(full_requires_the_whole_file_set)
{
	NEEDS_LANDLOCK();
	for (int abi = simulator() ? 1 : check_abi(); abi <= check_abi(); abi++) {
		/* The first right of the file set that is not there is named. */
		const char *missing = abi < 2 ? "refer" : abi < 3 ? "truncate" : "ioctl-dev";
		struct run run = { 0 };

		check_row("ABI %d", abi);
		unlink("ran");
		run_command(&run, claiming(simulator() ? abi : 0,
					   LIST(check_launcher(), "--require", "full", "--ro", "/",
						"--rw", ".", "--", RAN)));
		CHECK_END(&run, abi < 5 ? FAILURE : 0);
		CHECK_INT(file_exists("ran"), abi >= 5);
		if (abi < 5)
			CHECK_PREFIX(run.errors.text,
				     check_format(PREFIX NOT_ENFORCED "%s: needs ABI ", missing));
		else
			CHECK_STR(run.errors.text, "");
	}
}

TEST(several_rights_can_be_required_at_once)
{
	struct run run = { 0 };

	NEEDS_ABI(2);
	RUN(&run, "--ro", "/", "--rw", ".", "--require", "refer,execute,make-reg", "--require",
	    "read-file", "--", RAN);
	CHECK_END(&run, 0);
	CHECK(file_exists("ran"));
	if (simulator() == NULL)
		return;
	unlink("ran");
	run_command(&run, claiming(1, LIST(check_launcher(), "--ro", "/", "--rw", ".", "--require",
					   "execute,make-reg,refer", "--", RAN)));
	CHECK_END(&run, FAILURE);
	CHECK_PREFIX(run.errors.text, PREFIX NOT_ENFORCED
		     "refer: needs ABI 2, Linux 5.19; this kernel reports ABI 1)");
	CHECK(!file_exists("ran"));
}

TEST(a_requirement_that_cannot_be_read_is_a_usage_error)
{
	static const char *const values[] = { "",
					      "all",
					      "FULL",
					      "execute,",
					      ",execute",
					      "execute,,refer",
					      "execute refer",
					      "write_file",
					      "full,execute",
					      "write-fil",
					      "write-files",
					      "net",
					      "execute:/" };

	for (size_t i = 0; i < COUNT(values); i++) {
		struct run run = { 0 };

		check_row("%s", values[i]);
		RUN(&run, "--require", values[i], "--ro", "/", "--rw", ".", "--", RAN);
		CHECK_FATAL(&run,
			    check_format("usage error: --require: invalid value: %s\n", values[i]));
		CHECK(!file_exists("ran"));
	}
}

TEST(a_right_that_is_known_and_not_handled_is_refused_by_name)
{
	static const char *const names[] = { "namespace-use", "capability-use" };

	for (size_t i = 0; i < COUNT(names); i++) {
		struct run run = { 0 };

		RUN(&run, "--require", names[i], "--ro", "/", "--rw", ".", "--", RAN);
		CHECK_FATAL(&run, "usage error: --require: ");
		CHECK_CONTAINS(run.errors.text, names[i]);
		CHECK_CONTAINS(run.errors.text, "ABI 12, Linux 7.4");
		CHECK(!file_exists("ran"));
	}
}

/* The refusal of a real kernel that is too old, or of a claimed one. */
static int needs_ungoverned(const struct right **right)
{
	NEEDS_LANDLOCK();
	for (size_t i = 0; i < COUNT(rights); i++)
		if (rights[i].words[0] && check_abi() < rights[i].abi) {
			*right = &rights[i];
			return 0;
		}
	if (simulator() == NULL)
		SKIP("needs a kernel older than ABI 10, or the simulator");
	*right = &rights[COUNT(rights) - 1];
	return 5;
}

TEST(best_effort_turns_a_refusal_into_exactly_one_notice)
{
	const struct right *right;
	const int abi = needs_ungoverned(&right);
	struct run run = { 0 };

	check_row("%s", right->name);
	run_command(&run, claiming(abi, LIST(check_launcher(), "--best-effort", "--ro", "/", "--rw",
					     ".", right->words[0], right->words[1], "--", RAN)));
	CHECK_END(&run, 0);
	CHECK_LINE(run.errors.text, NOTICE);
	CHECK(file_exists("ran"));
}

TEST(best_effort_does_not_weaken_what_is_required)
{
	const struct right *right;
	const int abi = needs_ungoverned(&right);
	struct run run = { 0 };

	run_command(&run, claiming(abi, LIST(check_launcher(), "--best-effort", "--ro", "/", "--rw",
					     ".", "--require", right->name, "--", RAN)));
	CHECK_END(&run, FAILURE);
	CHECK_PREFIX(run.errors.text, PREFIX NOT_ENFORCED);
	CHECK_CONTAINS(run.errors.text, right->name);
	CHECK(!file_exists("ran"));
}

TEST(best_effort_alone_changes_nothing)
{
	struct run run = { 0 };

	NEEDS_LANDLOCK();
	RUN(&run, "--best-effort", "--ro", "/", "--", RAN);
	CHECK_END(&run, 0);
	CHECK_STR(run.output.text, "EACCES\n");
	CHECK_SAID(&run, "");
}

/* Rights that later ABIs add never change the verdict of a launch that did not ask for them. */
TEST(what_nobody_asked_for_is_not_missed)
{
	const struct act acts[] = {
		{ "bind-tcp", "0", NULL, "ok", 0 },
		{ "send-udp", "9", NULL, "ok", 0 },
		{ "bind-udp", "0", NULL, "ok", 0 },
		{ "connect-abstract", "nobody listens", NULL, "ECONNREFUSED", 0 },
		{ "kill", check_format("%d", getpid()), NULL, "ok", 0 },
	};

	NEEDS_LANDLOCK();
	CHECK_ACTS(LIST("--ro", "/", "--"), acts);
}

/* A kernel that lies about its ABI: partial, never a crash. */
TEST(a_kernel_that_refuses_a_right_of_its_abi_is_partial)
{
	static const char *const refused[] = { "ioctl-dev", "truncate", "refer", "make-block" };

	NEEDS_ABI(5);
	if (simulator() == NULL)
		SKIP("needs the simulator");
	for (size_t i = 0; i < COUNT(refused); i++) {
		const char *const *claim = LIST(simulator(), "--abi", "5", "--refuse", refused[i],
						"--");
		struct run run = { 0 };

		check_row("%s", refused[i]);
		run_command(&run, joined(claim, LIST(check_launcher(), "--ro", "/", "--", RAN)));
		CHECK_END(&run, 0);
		CHECK_STR(run.output.text, "EACCES\n");
		CHECK_LINE(run.errors.text, NOTICE);
		run_command(&run, joined(claim, LIST(check_launcher(), "--probe")));
		CHECK_END(&run, 0);
		CHECK_LINE(run.output.text, "landlock: partially enforced (older ABI)");
		run_command(&run, joined(claim, LIST(check_launcher(), "--require", "full", "--ro",
						     "/", "--", RAN)));
		CHECK_END(&run, FAILURE);
		CHECK_PREFIX(run.errors.text, check_format(PREFIX NOT_ENFORCED "%s: ", refused[i]));
		CHECK(!file_exists("ran"));
	}
}
