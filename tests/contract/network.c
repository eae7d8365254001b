/* Network, sockets and signals: what is mentioned is governed, and that alone.
 * Everything happens on the loopback interface and among this test's own processes. */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "launch.h"

#define GRANT "--ro", "/", "--rw", "."

/* A port of the loopback interface on which somebody listens; an ephemeral one of our own. */
static const char *listening(int type)
{
	struct sockaddr_in address = { .sin_family = AF_INET,
				       .sin_addr = { htonl(INADDR_LOOPBACK) } };
	socklen_t length = sizeof address;
	int fd = socket(AF_INET, type | SOCK_CLOEXEC, 0);

	REQUIRE(fd >= 0 && bind(fd, (struct sockaddr *)&address, sizeof address) == 0);
	REQUIRE(type != SOCK_STREAM || listen(fd, 8) == 0);
	REQUIRE(getsockname(fd, (struct sockaddr *)&address, &length) == 0);
	return check_format("%d", ntohs(address.sin_port));
}

/* A port that nobody has: one that was just given back. */
static const char *unused(int type)
{
	struct sockaddr_in address = { .sin_family = AF_INET,
				       .sin_addr = { htonl(INADDR_LOOPBACK) } };
	socklen_t length = sizeof address;
	int fd = socket(AF_INET, type | SOCK_CLOEXEC, 0);

	REQUIRE(fd >= 0 && bind(fd, (struct sockaddr *)&address, sizeof address) == 0);
	REQUIRE(getsockname(fd, (struct sockaddr *)&address, &length) == 0);
	close(fd);
	return check_format("%d", ntohs(address.sin_port));
}

/* ---- Ports ---- */

TEST(tcp_is_free_until_it_is_mentioned)
{
	const char *port = listening(SOCK_STREAM), *own = unused(SOCK_STREAM);
	const struct act acts[] = {
		{ "connect-tcp", port, NULL, "ok", 0 },
		{ "bind-tcp", own, NULL, "ok", 0 },
	};

	NEEDS_LANDLOCK();
	CHECK_ACTS(LIST(GRANT, "--"), acts);
}

TEST(bind_tcp_none_leaves_connecting_free)
{
	const char *port = listening(SOCK_STREAM), *own = unused(SOCK_STREAM);
	const struct act acts[] = {
		{ "bind-tcp", own, NULL, "EACCES", 0 },
		{ "bind-tcp", "0", NULL, "EACCES", 0 },
		{ "connect-tcp", port, NULL, "ok", 0 },
	};

	NEEDS_ABI(4);
	CHECK_ACTS(LIST(GRANT, "--bind-tcp", "none", "--"), acts);
}

TEST(connect_tcp_leaves_binding_free)
{
	const char *port = listening(SOCK_STREAM), *other = listening(SOCK_STREAM),
		   *own = unused(SOCK_STREAM);
	const struct act allowed[] = {
		{ "connect-tcp", port, NULL, "ok", 0 },
		{ "connect-tcp", other, NULL, "EACCES", 0 },
		{ "bind-tcp", own, NULL, "ok", 0 },
	};
	const struct act none[] = {
		{ "connect-tcp", port, NULL, "EACCES", 0 },
		{ "bind-tcp", own, NULL, "ok", 0 },
	};

	NEEDS_ABI(4);
	CHECK_ACTS(LIST(GRANT, "--connect-tcp", port, "--"), allowed);
	CHECK_ACTS(LIST(GRANT, "--connect-tcp", "none", "--"), none);
	CHECK_ACTS(LIST(GRANT, "--connect-tcp", "443", "--"), none);
}

TEST(ports_add_up_and_none_adds_nothing)
{
	const char *one = listening(SOCK_STREAM), *two = listening(SOCK_STREAM),
		   *three = listening(SOCK_STREAM);
	const struct act acts[] = {
		{ "connect-tcp", one, NULL, "ok", 0 },
		{ "connect-tcp", two, NULL, "ok", 0 },
		{ "connect-tcp", three, NULL, "EACCES", 0 },
	};

	NEEDS_ABI(4);
	CHECK_ACTS(LIST("--connect-tcp", two, GRANT, "--connect-tcp", "none", "--connect-tcp", one,
			"--"),
		   acts);
}

TEST(the_first_and_the_last_port_are_ports)
{
	const char *own = unused(SOCK_STREAM);
	const struct act acts[] = {
		{ "bind-tcp", "0", NULL, "ok", 0 },
		{ "bind-tcp", "65535", NULL, "ok", 0 },
		{ "bind-tcp", own, NULL, "EACCES", 0 },
	};

	NEEDS_ABI(4);
	CHECK_ACTS(LIST(GRANT, "--bind-tcp", "65535", "--bind-tcp", "0", "--"), acts);
}

TEST(udp_is_governed_when_it_is_mentioned)
{
	const char *port = listening(SOCK_DGRAM), *other = listening(SOCK_DGRAM),
		   *own = unused(SOCK_DGRAM);
	const struct act sending[] = {
		{ "send-udp", port, NULL, "ok", 0 },
		{ "send-udp", other, NULL, "EACCES", 0 },
		{ "bind-udp", own, NULL, "ok", 0 },
		{ "bind-tcp", "0", NULL, "ok", 0 },
	};
	const struct act binding[] = {
		{ "bind-udp", own, NULL, "ok", 0 },
		{ "bind-udp", "0", NULL, "EACCES", 0 },
		{ "bind-tcp", "0", NULL, "ok", 0 },
	};

	NEEDS_ABI(10);
	CHECK_ACTS(LIST(GRANT, "--connect-send-udp", port, "--"), sending);
	CHECK_ACTS(LIST(GRANT, "--bind-udp", own, "--"), binding);
}

/* The kernel binds the source port by itself, which is binding too. */
TEST(sending_needs_port_zero_where_binding_is_governed)
{
	const char *port = listening(SOCK_DGRAM);

	NEEDS_ABI(10);
	CHECK_ACT(LIST(GRANT, "--connect-send-udp", port, "--bind-udp", "none", "--"), "send-udp",
		  port, NULL, "EACCES", 0);
	CHECK_ACT(LIST(GRANT, "--connect-send-udp", port, "--bind-udp", "0", "--"), "send-udp",
		  port, NULL, "ok", 0);
}

TEST(a_port_that_is_none_is_a_usage_error)
{
	static const char *const values[] = { "",     "65536",   "-1",
					      "+1",   "80x",     " 80",
					      "80 ",  "0x50",    "99999999999999999999",
					      "NONE", "none,80", "80,81",
					      "http", "8\n0",    "٣" };
	static const char *const options[] = { "--bind-tcp", "--connect-tcp", "--bind-udp",
					       "--connect-send-udp" };

	for (size_t k = 0; k < COUNT(options); k++)
		for (size_t i = 0; i < COUNT(values); i++) {
			struct run run = { 0 };

			if (!check_due())
				continue;
			check_row("%s %s", options[k], values[i]);
			RUN(&run, options[k], values[i], GRANT, "--", SELF("act"), "create", "ran");
			CHECK_FATAL(&run,
				    check_format("usage error: %s: invalid value: ", options[k]));
			CHECK(!file_exists("ran"));
		}
}

/* ---- Unix sockets ---- */

static int listen_on(const char *name, bool abstract)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	size_t start = abstract ? 1 : 0, length = strlen(name);
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	memcpy(address.sun_path + start, name, length);
	length += offsetof(struct sockaddr_un, sun_path) + start;
	REQUIRE(fd >= 0 && bind(fd, (struct sockaddr *)&address, (socklen_t)length) == 0 &&
		listen(fd, 8) == 0);
	return fd;
}

TEST(an_abstract_socket_outside_is_out_of_scope)
{
	const char *name = check_format("landlock-run-contract-%d", getpid());

	NEEDS_LANDLOCK();
	listen_on(name, true);
	CHECK_ACT(LIST(GRANT, "--"), "connect-abstract", name, NULL, "ok", 0);
	NEEDS_ABI(6);
	CHECK_ACT(LIST(GRANT, "--scope", "signal", "--"), "connect-abstract", name, NULL, "ok", 0);
	CHECK_ACT(LIST(GRANT, "--scope", "abstract-unix-socket", "--"), "connect-abstract", name,
		  NULL, "EPERM", 0);
	/* The rule of the file system is another matter. */
	listen_on("socket", false);
	CHECK_ACT(LIST(GRANT, "--scope", "abstract-unix-socket", "--"), "connect", "socket", NULL,
		  "ok", 0);
}

TEST(a_pathname_socket_outside_is_resolved_only_where_granted)
{
	const struct act none[] = { { "connect", "socket", NULL, "EACCES", 0 },
				    { "connect", "d/socket", NULL, "EACCES", 0 } };
	const struct act directory[] = { { "connect", "socket", NULL, "EACCES", 0 },
					 { "connect", "d/socket", NULL, "ok", 0 } };
	const struct act file[] = { { "connect", "socket", NULL, "ok", 0 },
				    { "connect", "d/socket", NULL, "EACCES", 0 } };

	NEEDS_ABI(9);
	REQUIRE(mkdir("d", 0755) == 0);
	listen_on("socket", false);
	listen_on("d/socket", false);
	CHECK_ACTS(LIST(GRANT, "--resolve-unix", "none", "--"), none);
	CHECK_ACTS(LIST(GRANT, "--resolve-unix", "d", "--"), directory);
	CHECK_ACTS(LIST(GRANT, "--resolve-unix", "socket", "--"), file);
	CHECK_ACT(LIST(GRANT, "--"), "connect", "socket", NULL, "ok", 0);
}

TEST(a_scope_that_is_none_is_a_usage_error)
{
	static const char *const values[] = { "",        "signals", "all",     "none",
					      "execute", "signal,", "bind-tcp" };

	for (size_t i = 0; i < COUNT(values); i++) {
		struct run run = { 0 };

		check_row("%s", values[i]);
		RUN(&run, "--scope", values[i], GRANT, "--", SELF("act"), "create", "ran");
		CHECK_FATAL(&run, "usage error: --scope: ");
		CHECK(!file_exists("ran"));
	}
}

/* ---- Signals ---- */

/* Signals a child of its own, and then what its argument names. */
HELPER(kill_child_and)
{
	pid_t child = fork();
	int status;

	if (child == 0)
		for (;;)
			pause();
	if (argc < 2 || kill(child, SIGTERM) != 0 || waitpid(child, &status, 0) != child)
		return 97;
	return kill(atoi(argv[1]), SIGCONT) == 0 ? 1 : errno == EPERM ? 2 : 3;
}

TEST(a_process_outside_is_out_of_scope_for_signals_and_a_child_is_not)
{
	const char *pid;
	pid_t sleeper = fork();
	struct run run = { 0 };

	if (sleeper == 0)
		for (;;)
			pause();
	pid = check_format("%d", sleeper);
	NEEDS_LANDLOCK();
	RUN(&run, GRANT, "--", SELF("kill_child_and"), pid);
	CHECK_END(&run, 1);
	NEEDS_ABI(6);
	RUN(&run, GRANT, "--scope", "signal", "--", SELF("kill_child_and"), pid);
	CHECK_END(&run, 2);
	RUN(&run, GRANT, "--scope", "abstract-unix-socket", "--", SELF("kill_child_and"), pid);
	CHECK_END(&run, 1);
	RUN(&run, GRANT, "--scope", "abstract-unix-socket", "--scope", "signal", "--",
	    SELF("kill_child_and"), pid);
	CHECK_END(&run, 2);
	CHECK_INT(waitpid(sleeper, NULL, WNOHANG), 0);
}
