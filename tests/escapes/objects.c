/* objects.c: attempts on objects of the kernel that have no path.
 * Only on those that the test has made, or that it takes away. */
#include "escape.h"

#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <stdio.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/syscall.h>
#include <linux/keyctl.h>
#include <unistd.h>

static const char *const no_ipc = "no System V IPC in this kernel";
static const char *const no_queues = "no POSIX message queues in this kernel";

int writing_system_v_shared_memory(const struct outside *outside)
{
	char *segment = shmat((int)outside->segment, NULL, 0);

	if (segment == (void *)-1)
		return answer_unless(-1, ENOSYS, no_ipc);
	*segment = 'x';
	return answer(shmdt(segment));
}

int changing_system_v_semaphores(const struct outside *outside)
{
	struct sembuf more = { 0, 1, IPC_NOWAIT };

	return answer_unless(semop((int)outside->semaphore, &more, 1), ENOSYS, no_ipc);
}

int sending_to_a_system_v_queue(const struct outside *outside)
{
	const struct {
		long type;
		char text[1];
	} message = { 1, "x" };

	return answer_unless(msgsnd((int)outside->queue, &message, 1, IPC_NOWAIT), ENOSYS, no_ipc);
}

/* The name of the queue outside, with more behind it; lasts until the next one. */
static const char *queue(const struct outside *outside, const char *more)
{
	static char name[128];

	snprintf(name, sizeof name, "/%.100s%s", outside->name, more);
	return name;
}

int sending_to_a_message_queue(const struct outside *outside)
{
	mqd_t opened = mq_open(queue(outside, ""), O_WRONLY | O_NONBLOCK);

	if (opened < 0)
		return answer_unless(-1, ENOSYS, no_queues);
	return answer(mq_send(opened, "x", 1, 0));
}

/* Made it is, also where it cannot be opened: what counts is that somebody outside finds it. */
int creating_a_message_queue(const struct outside *outside)
{
	struct mq_attr attributes = { .mq_maxmsg = 1, .mq_msgsize = 1 };
	mqd_t made = mq_open(queue(outside, "-made"), O_RDWR | O_CREAT | O_EXCL, 0600, &attributes);

	return made < 0 && errno != EACCES ? answer_unless(-1, ENOSYS, no_queues) : DONE;
}

int deleting_a_message_queue(const struct outside *outside)
{
	return answer_unless(mq_unlink(queue(outside, "")), ENOSYS, no_queues);
}

int adding_a_key(const struct outside *outside)
{
	return answer_unless(
		syscall(SYS_add_key, "user", outside->name, "x", 1, KEY_SPEC_USER_KEYRING), ENOSYS,
		"no keys in this kernel");
}

/* Of its own memory, and only while it runs outside the kernel. */
int handling_page_faults(const struct outside *outside)
{
	const int user_mode_only = 1;

	(void)outside;
	return answer_unless(syscall(SYS_userfaultfd, user_mode_only), ENOSYS,
			     "no userfaultfd in this kernel");
}
