/* outside.h: what lies outside a confined command: files, a process that notices what reaches it,
 * sockets, objects of the kernel. All of it is made for one launch and gone after it. */
#ifndef OUTSIDE_H
#define OUTSIDE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* What the file `file` holds at first. */
#define CONTENT "content"
/* What the process outside holds in its memory, and a descriptor of its own: `file`, for writing.
 */
#define MEMORY "memory"
#define PROCESS_FD 150

/* Numbers that an attempt needs, handed to it as words. */
#define OUTSIDE_NUMBERS(NUMBER) \
	NUMBER(process) \
	NUMBER(memory) \
	NUMBER(tcp) \
	NUMBER(udp) \
	NUMBER(udplite) \
	NUMBER(sctp) \
	NUMBER(segment) \
	NUMBER(semaphore) \
	NUMBER(queue)

struct outside {
	const char *directory; /* absolute, where an attempt starts; nothing in it may be written */
	const char *workspace; /* absolute, beside it: what the modes grant */
	const char *name;      /* of this launch alone: sockets, keys, queues, shared memory */
	const char *terminal;  /* of a pseudo-terminal, or "" */
#define NUMBER(number) unsigned long number;
	OUTSIDE_NUMBERS(NUMBER)
#undef NUMBER
	/* The other end of the terminal, and this end; not for an attempt. */
	int master, slave;
};

/* Makes it all in a new directory. A failure ends the test. */
void outside_make(struct outside *outside);
void outside_end(struct outside *outside);

/* What is to be seen of it all: two that differ tell that something happened. */
uint64_t outside_trace(const struct outside *outside);

/* The words for an attempt, NULL at the end; and back. */
const char *const *outside_words(const struct outside *outside);
bool outside_read(struct outside *outside, char **words, int count);

#endif
