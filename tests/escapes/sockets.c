/* sockets.c: attempts by sockets: to services with a path or a name, and over the network.
 * All of it stays on the loopback interface and among the sockets of the test. */
#include "escape.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/udp.h>
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/vm_sockets.h>
#include <unistd.h>

enum {
	SCTP = 132,
	UDPLITE = 136,
	MPTCP = 262,
	SMC_FAMILY = 43,
	ICMP_ECHO = 8,
	FAST_OPEN = 0x20000000, /* MSG_FASTOPEN */
};

/* ---- Services on this machine ---- */

static int say(int fd)
{
	return fd < 0 ? errno : answer(send(fd, "x", 1, MSG_NOSIGNAL));
}

static int say_to(int type, const struct sockaddr_un *address, size_t size)
{
	int fd = socket(AF_UNIX, type | SOCK_CLOEXEC, 0);

	if (connect(fd, (const struct sockaddr *)address, (socklen_t)size) != 0)
		return errno;
	return say(fd);
}

static int say_to_path(int type, const char *name)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };

	strcpy(address.sun_path, name);
	return say_to(type, &address, sizeof address);
}

static int say_to_name(int type, const char *name, const char *more)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int length = snprintf(address.sun_path + 1, sizeof address.sun_path - 1, "%s%s", name,
			      more);

	return say_to(type, &address, offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)length);
}

int asking_a_daemon_by_a_socket_with_a_path(const struct outside *outside)
{
	(void)outside;
	return say_to_path(SOCK_STREAM, "socket");
}

int sending_to_a_daemon_by_a_socket_with_a_path(const struct outside *outside)
{
	(void)outside;
	return say_to_path(SOCK_DGRAM, "datagrams");
}

int asking_a_daemon_by_an_abstract_socket(const struct outside *outside)
{
	return say_to_name(SOCK_STREAM, outside->name, "");
}

int sending_to_a_daemon_by_an_abstract_socket(const struct outside *outside)
{
	return say_to_name(SOCK_DGRAM, outside->name, "-datagrams");
}

/* ---- TCP and UDP ---- */

static struct sockaddr_in local(unsigned long port)
{
	struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons((uint16_t)port) };

	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	return address;
}

/* Connects and says something. */
static int reach(int family, int type, int protocol, unsigned long port, const char *lacking)
{
	const struct sockaddr_in address = local(port);
	int fd = socket(family, type | SOCK_CLOEXEC, protocol);

	if (fd < 0 && (errno == EPROTONOSUPPORT || errno == EAFNOSUPPORT || errno == ENOPROTOOPT ||
		       errno == ESOCKTNOSUPPORT))
		return absent(lacking);
	if (fd < 0 || connect(fd, (const struct sockaddr *)&address, sizeof address) != 0)
		return errno;
	return say(fd);
}

int connecting_by_tcp(const struct outside *outside)
{
	return reach(AF_INET, SOCK_STREAM, IPPROTO_TCP, outside->tcp, "no TCP in this kernel");
}

/* The IPv4 address as IPv6 writes it. */
int connecting_by_tcp_over_ipv6(const struct outside *outside)
{
	struct sockaddr_in6 address = { .sin6_family = AF_INET6,
					.sin6_port = htons((uint16_t)outside->tcp) };
	int fd = socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd < 0)
		return answer_unless(-1, EAFNOSUPPORT, "no IPv6 in this kernel");
	inet_pton(AF_INET6, "::ffff:127.0.0.1", &address.sin6_addr);
	if (connect(fd, (const struct sockaddr *)&address, sizeof address) != 0)
		return errno;
	return say(fd);
}

int connecting_by_tcp_fast_open(const struct outside *outside)
{
	const struct sockaddr_in address = local(outside->tcp);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	return answer_unless(sendto(fd, "x", 1, FAST_OPEN | MSG_NOSIGNAL,
				    (const struct sockaddr *)&address, sizeof address),
			     EOPNOTSUPP, "TCP Fast Open is switched off here");
}

static int serve(int type)
{
	const struct sockaddr_in address = local(0);
	int fd = socket(AF_INET, type | SOCK_CLOEXEC, 0);

	if (bind(fd, (const struct sockaddr *)&address, sizeof address) != 0)
		return errno;
	return type == SOCK_STREAM ? answer(listen(fd, 1)) : DONE;
}

int serving_by_tcp(const struct outside *outside)
{
	(void)outside;
	return serve(SOCK_STREAM);
}

int serving_by_udp(const struct outside *outside)
{
	(void)outside;
	return serve(SOCK_DGRAM);
}

int serving_by_tcp_without_a_port(const struct outside *outside)
{
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	(void)outside;
	return answer(listen(fd, 1));
}

int sending_by_udp(const struct outside *outside)
{
	const struct sockaddr_in address = local(outside->udp);
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	return answer(sendto(fd, "x", 1, 0, (const struct sockaddr *)&address, sizeof address));
}

int connecting_by_udp(const struct outside *outside)
{
	return reach(AF_INET, SOCK_DGRAM, IPPROTO_UDP, outside->udp, "no UDP in this kernel");
}

/* ---- Other protocols ---- */

int connecting_by_mptcp(const struct outside *outside)
{
	return reach(AF_INET, SOCK_STREAM, MPTCP, outside->tcp, "no Multipath TCP in this kernel");
}

int connecting_by_smc(const struct outside *outside)
{
	return reach(SMC_FAMILY, SOCK_STREAM, 0, outside->tcp, "no SMC in this kernel");
}

int connecting_by_sctp(const struct outside *outside)
{
	return reach(AF_INET, SOCK_STREAM, SCTP, outside->sctp, "no SCTP in this kernel");
}

int sending_by_udplite(const struct outside *outside)
{
	return reach(AF_INET, SOCK_DGRAM, UDPLITE, outside->udplite, "no UDP-Lite in this kernel");
}

int pinging(const struct outside *outside)
{
	const struct sockaddr_in address = local(0);
	const unsigned char request[8] = { ICMP_ECHO };
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, IPPROTO_ICMP);

	(void)outside;
	if (fd < 0)
		return answer_unless(-1, EACCES, "net.ipv4.ping_group_range lets nobody");
	return answer(sendto(fd, request, sizeof request, 0, (const struct sockaddr *)&address,
			     sizeof address));
}

int serving_by_vsock(const struct outside *outside)
{
	const struct sockaddr_vm address = { .svm_family = AF_VSOCK,
					     .svm_cid = VMADDR_CID_ANY,
					     .svm_port = VMADDR_PORT_ANY };
	int fd = socket(AF_VSOCK, SOCK_STREAM | SOCK_CLOEXEC, 0);

	(void)outside;
	if (fd < 0 && (errno == EAFNOSUPPORT || errno == ENODEV))
		return absent("no vsock in this kernel");
	if (bind(fd, (const struct sockaddr *)&address, sizeof address) != 0)
		return errno;
	return answer(listen(fd, 1));
}

/* A datagram with its header, made by hand; without a checksum. */
int sending_by_a_raw_socket(const struct outside *outside)
{
	const struct sockaddr_in address = local(0);
	struct {
		struct udphdr header;
		char byte;
	} datagram = { .header = { .uh_sport = htons(9),
				   .uh_dport = htons((uint16_t)outside->udp),
				   .uh_ulen = htons(sizeof(struct udphdr) + 1) },
		       .byte = 'x' };
	int fd = socket(AF_INET, SOCK_RAW | SOCK_CLOEXEC, IPPROTO_UDP);

	if (fd < 0)
		return errno;
	return answer(sendto(fd, &datagram, sizeof(struct udphdr) + 1, 0,
			     (const struct sockaddr *)&address, sizeof address));
}

int listening_by_a_packet_socket(const struct outside *outside)
{
	struct sockaddr_ll address = { .sll_family = AF_PACKET, .sll_protocol = htons(ETH_P_IP) };
	int fd = socket(AF_PACKET, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	(void)outside;
	if (fd < 0)
		return answer_unless(-1, EAFNOSUPPORT, "no packet sockets in this kernel");
	address.sll_ifindex = (int)if_nametoindex("lo");
	return answer(bind(fd, (const struct sockaddr *)&address, sizeof address));
}

int reading_the_network_by_netlink(const struct outside *outside)
{
	struct {
		struct nlmsghdr header;
		struct rtgenmsg family;
	} request = { { sizeof request, RTM_GETLINK, NLM_F_REQUEST | NLM_F_DUMP, 0, 0 }, { 0 } };
	char replies[8192];
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);

	(void)outside;
	if (fd < 0 || send(fd, &request, sizeof request, 0) < 0)
		return errno;
	return answer(recv(fd, replies, sizeof replies, 0));
}

/* In a network of its own. */
int with_network(const struct outside *outside)
{
	(void)outside;
	return answer_unless(unshare(CLONE_NEWNET), EINVAL, "no network namespaces in this kernel");
}

static int bring_up_loopback(void)
{
	struct ifreq interface = { .ifr_name = "lo", .ifr_flags = IFF_UP };
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	int up = answer(ioctl(fd, SIOCSIFFLAGS, &interface));

	close(fd);
	return up;
}

/* Where root may say so, in a network of its own in which everybody may ping. */
int with_pings(const struct outside *outside)
{
	int entered, fd;

	if (geteuid() != 0)
		return DONE;
	entered = with_network(outside);
	if (entered != DONE)
		return entered;
	fd = open("/proc/sys/net/ipv4/ping_group_range", O_WRONLY | O_CLOEXEC);
	if (fd >= 0 && dprintf(fd, "0 2147483647\n") > 0)
		close(fd);
	return bring_up_loopback();
}

int configuring_the_network(const struct outside *outside)
{
	(void)outside;
	return bring_up_loopback();
}
