/* kernel.c: the kernel that the simulator claims to be, and what it answers to each Landlock call.
 * It must never let a call through that the real kernel would answer otherwise. */
#include "kernel.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "errnos.h"
#include "task.h"

/* x32 calls carry this bit over the number that they share with x86_64. */
#define X32_BIT 0x40000000

static const char *const call_names[KERNEL_CALLS] = {
	[CALL_VERSION] = "version",
	[CALL_ERRATA] = "errata",
	[CALL_CREATE_RULESET] = "create-ruleset",
	[CALL_ADD_RULE] = "add-rule",
	[CALL_RESTRICT_SELF] = "restrict-self",
};

/* The rule structs: allowed_access is first in every one. */
static const size_t rule_sizes[] = {
	[LEVEL_RULE_PATH] = 12,
	[LEVEL_RULE_PORT] = 16,
	[LEVEL_RULE_NAMESPACE] = 24,
	[LEVEL_RULE_CAPABILITY] = 24,
};

static const struct answer real_answer = { .what = ANSWER_REAL };

static struct answer error_answer(int error)
{
	return (struct answer){ .what = ANSWER_ERROR, .error = error };
}

static struct answer no_answer(const char *why)
{
	return (struct answer){ .what = ANSWER_NONE, .why = why };
}

static struct answer opaque_answer(void)
{
	return no_answer("the calling process cannot be looked into");
}

/* Above LEVEL_NEWEST nobody knows what else a level takes, but for the level that really runs. */
static struct answer unknown_answer(const struct kernel *kernel, int error)
{
	if (kernel->level.abi <= LEVEL_NEWEST)
		return error_answer(error);
	if (kernel->level.abi == kernel->real.abi)
		return real_answer;
	return no_answer("nobody knows what the claimed ABI makes of this");
}

static long real_query(uint32_t flags)
{
	long result = syscall(SYS_landlock_create_ruleset, NULL, 0, flags);

	return result < 0 ? -errno : result;
}

void kernel_init(struct kernel *kernel)
{
	long abi = real_query(LEVEL_CREATE_VERSION);

	memset(kernel, 0, sizeof(*kernel));
	kernel->real = level_of(abi < 0 ? 0 : (int)abi);
	kernel->errata = KERNEL_ERRATA_DEFAULT;
	kernel_claim(kernel, kernel->real.abi, abi < 0 ? (int)-abi : 0);
}

void kernel_claim(struct kernel *kernel, int abi, int error)
{
	kernel->error = error;
	kernel->level = level_of(abi);
}

static struct answer errata_answer(const struct kernel *kernel)
{
	long errata = kernel->errata;

	if (errata == KERNEL_ERRATA_DEFAULT) {
		if ((kernel->level.takes[LEVEL_CREATE_FLAGS] & LEVEL_CREATE_ERRATA) == 0)
			return error_answer(EINVAL);
		errata = real_query(LEVEL_CREATE_ERRATA);
		/* A kernel without the query has none of the fixes to tell of. */
		return (struct answer){ .what = ANSWER_VALUE, .value = errata < 0 ? 0 : errata };
	}
	if (errata < 0)
		return error_answer((int)-errata);
	return (struct answer){ .what = ANSWER_VALUE, .value = errata };
}

enum kernel_call kernel_call_named(const char *name)
{
	enum kernel_call call = 0;

	while (call < KERNEL_CALLS && strcmp(call_names[call], name) != 0)
		call++;
	return call;
}

static enum kernel_call call_of(const struct seccomp_data *data)
{
	switch (data->nr & ~X32_BIT) {
	case SYS_landlock_add_rule:
		return CALL_ADD_RULE;
	case SYS_landlock_restrict_self:
		return CALL_RESTRICT_SELF;
	default:
		break;
	}
	switch ((uint32_t)data->args[2]) {
	case LEVEL_CREATE_VERSION:
		return CALL_VERSION;
	case LEVEL_CREATE_ERRATA:
		return CALL_ERRATA;
	default:
		return CALL_CREATE_RULESET;
	}
}

/* Returns the errno of a fault that is due on this call, or 0. */
static int fault_due(struct kernel *kernel, enum kernel_call call)
{
	unsigned int nth = ++kernel->seen[call];

	for (unsigned int i = 0; i < kernel->fault_count; i++) {
		const struct fault *fault = &kernel->faults[i];

		if (fault->call == call && (fault->nth == 0 || fault->nth == nth))
			return fault->error;
	}
	return 0;
}

static struct answer query_answer(const struct kernel *kernel, const struct seccomp_data *data)
{
	uint32_t flags = (uint32_t)data->args[2];

	if (data->args[0] != 0 || data->args[1] != 0)
		return error_answer(EINVAL);
	if (flags == LEVEL_CREATE_VERSION)
		return (struct answer){ .what = ANSWER_VALUE, .value = kernel->level.abi };
	if (flags == LEVEL_CREATE_ERRATA)
		return errata_answer(kernel);
	return unknown_answer(kernel, EINVAL);
}

/* Looks at the bytes behind the claimed kernel's struct, which it takes only when they are zero.
 * Returns 0, E2BIG, EFAULT or TASK_OPAQUE. */
static int tail_error(pid_t task, uint64_t tail, size_t size)
{
	unsigned char bytes[4096];

	while (size > 0) {
		size_t part = size < sizeof(bytes) ? size : sizeof(bytes);
		ssize_t got = task_read(task, tail, bytes, part);

		if (got < 0)
			return TASK_OPAQUE;
		for (ssize_t i = 0; i < got; i++)
			if (bytes[i] != 0)
				return E2BIG;
		if ((size_t)got < part)
			return EFAULT;
		tail += part;
		size -= part;
	}
	return 0;
}

/* Copies a ruleset as the claimed kernel would. Returns 0, an errno or TASK_OPAQUE; *unknown says
 * that it is for a field that the level does not know. */
static int copy_ruleset(const struct kernel *kernel, const struct seccomp_notif *request,
			uint64_t ruleset[LEVEL_FIELDS], bool *unknown)
{
	pid_t task = (pid_t)request->pid;
	uint64_t from = request->data.args[0], size = request->data.args[1];
	size_t head = kernel->level.size;
	ssize_t got;
	int error;

	if (from == 0)
		return EFAULT;
	if (size < sizeof(ruleset[0]))
		return EINVAL;
	if (size > (uint64_t)sysconf(_SC_PAGESIZE))
		return E2BIG;
	if (size > head) {
		error = tail_error(task, from + head, size - head);
		*unknown = error == E2BIG;
		if (error != 0)
			return error;
	} else {
		head = size;
	}
	got = task_read(task, from, ruleset, head);
	if (got < 0)
		return TASK_OPAQUE;
	return (size_t)got == head ? 0 : EFAULT;
}

/* Returns the errno of the claimed kernel for what is in a ruleset, or 0; *unknown says that it is
 * for a bit that the level does not know. */
static int ruleset_error(const struct kernel *kernel, const uint64_t ruleset[LEVEL_FIELDS],
			 bool *unknown)
{
	static const enum level_field quiet[][2] = {
		{ LEVEL_QUIET_FS, LEVEL_FS },
		{ LEVEL_QUIET_NET, LEVEL_NET },
		{ LEVEL_QUIET_SCOPE, LEVEL_SCOPE },
	};

	for (size_t i = 0; i < LEVEL_FIELDS; i++)
		if (ruleset[i] & kernel->refused[i])
			return EINVAL;
	for (size_t i = 0; i < sizeof(quiet) / sizeof(quiet[0]); i++)
		if (ruleset[quiet[i][0]] & ~ruleset[quiet[i][1]])
			return EINVAL;
	for (size_t i = 0; i < LEVEL_FIELDS; i++)
		if (ruleset[i] & ~kernel->level.known[i]) {
			*unknown = true;
			return EINVAL;
		}
	if (ruleset[LEVEL_FS] == 0 && ruleset[LEVEL_NET] == 0 && ruleset[LEVEL_SCOPE] == 0 &&
	    ruleset[LEVEL_PERMISSIONS] == 0)
		return ENOMSG;
	return 0;
}

/* Makes the ruleset here, to learn whether the real kernel can: its number alone proves nothing. */
static struct answer try_ruleset(const struct kernel *kernel, const uint64_t ruleset[LEVEL_FIELDS])
{
	static char why[512];
	int fd = (int)syscall(SYS_landlock_create_ruleset, ruleset,
			      LEVEL_FIELDS * sizeof(ruleset[0]), 0);
	int length;

	if (fd >= 0) {
		close(fd);
		return real_answer;
	}
	length = snprintf(why, sizeof(why),
			  "ABI %d takes this ruleset, this kernel says %s:", kernel->level.abi,
			  errno_name(errno));
	for (size_t i = 0; i < LEVEL_FIELDS; i++)
		if (ruleset[i] != 0 && (size_t)length < sizeof(why))
			length += snprintf(why + length, sizeof(why) - (size_t)length, " %s=0x%llx",
					   level_field_name((enum level_field)i),
					   (unsigned long long)ruleset[i]);
	return no_answer(why);
}

static struct answer create_ruleset(const struct kernel *kernel,
				    const struct seccomp_notif *request)
{
	uint64_t ruleset[LEVEL_FIELDS] = { 0 };
	bool unknown = false;
	int error;

	if ((uint32_t)request->data.args[2] != 0)
		return query_answer(kernel, &request->data);
	error = copy_ruleset(kernel, request, ruleset, &unknown);
	if (error == TASK_OPAQUE)
		return opaque_answer();
	if (error == 0)
		error = ruleset_error(kernel, ruleset, &unknown);
	if (unknown)
		return unknown_answer(kernel, error);
	return error != 0 ? error_answer(error) : try_ruleset(kernel, ruleset);
}

/* The errno for a rule of a type or with a flag that the claimed kernel knows and the real one does
 * not. No ruleset here can have what such a rule is about, so it can only fail. */
static struct answer newer_rule(const struct seccomp_notif *request, uint32_t type, uint32_t flags)
{
	uint64_t rule[3] = { 0 };
	ssize_t got = task_read((pid_t)request->pid, request->data.args[2], rule, rule_sizes[type]);

	if (got < 0)
		return opaque_answer();
	if (type == LEVEL_RULE_PATH || type == LEVEL_RULE_PORT) {
		if ((size_t)got < rule_sizes[type])
			return error_answer(EFAULT);
		return error_answer(flags == 0 && rule[0] == 0 ? ENOMSG : EINVAL);
	}
	if (flags != 0)
		return error_answer(EINVAL);
	if ((size_t)got < rule_sizes[type])
		return error_answer(EFAULT);
	return error_answer(rule[0] == 0 || (rule[1] == 0 && rule[2] == 0) ? ENOMSG : EINVAL);
}

static struct answer add_rule(const struct kernel *kernel, const struct seccomp_notif *request)
{
	uint32_t type = (uint32_t)request->data.args[1], flags = (uint32_t)request->data.args[3];
	const uint32_t *claimed = kernel->level.takes, *real = kernel->real.takes;
	uint32_t type_bit = type < 32 ? 1u << type : 0;
	int error;

	if (flags & ~claimed[LEVEL_ADD_FLAGS])
		return unknown_answer(kernel, EINVAL);
	if ((claimed[LEVEL_RULE_TYPES] & real[LEVEL_RULE_TYPES] & type_bit) != 0 &&
	    (flags & ~real[LEVEL_ADD_FLAGS]) == 0)
		return real_answer;
	error = task_ruleset_error((pid_t)request->pid, (int)request->data.args[0]);
	if (error == TASK_OPAQUE)
		return opaque_answer();
	if (error != 0)
		return error_answer(error);
	if ((claimed[LEVEL_RULE_TYPES] & type_bit) == 0)
		return unknown_answer(kernel, EINVAL);
	return newer_rule(request, type, flags);
}

/* Returns the errno of the two checks whose order depends on the ABI, 0 or TASK_OPAQUE. */
static int restrict_error(const struct kernel *kernel, pid_t task, uint32_t flags, bool *unknown)
{
	int may = 1;

	*unknown = (flags & ~kernel->level.takes[LEVEL_RESTRICT_FLAGS]) != 0;
	if (*unknown && kernel->level.flags_before_privilege)
		return EINVAL;
	if ((flags & LEVEL_RESTRICT_NO_NEW_PRIVS) == 0 || !kernel->level.flags_before_privilege)
		may = task_may_restrict(task);
	if (may != 1) {
		*unknown = false;
		return may == 0 ? EPERM : TASK_OPAQUE;
	}
	return *unknown ? EINVAL : 0;
}

static struct answer restrict_self(const struct kernel *kernel, const struct seccomp_notif *request)
{
	pid_t task = (pid_t)request->pid;
	int fd = (int)request->data.args[0];
	uint32_t flags = (uint32_t)request->data.args[1];
	bool unknown;
	int error;

	if (flags == 0 && kernel->real.abi > 0)
		return real_answer;
	error = restrict_error(kernel, task, flags, &unknown);
	if (error == TASK_OPAQUE)
		return opaque_answer();
	if (unknown)
		return unknown_answer(kernel, error);
	if (error != 0)
		return error_answer(error);
	if (kernel->real.abi > 0 && (flags & ~kernel->real.takes[LEVEL_RESTRICT_FLAGS]) == 0)
		return real_answer;
	/* Only to mute domains made later, and only so, may the ruleset be missing. */
	if (fd != -1 || (flags & ~LEVEL_RESTRICT_TSYNC) != LEVEL_RESTRICT_SUBDOMAINS_OFF) {
		error = task_ruleset_error(task, fd);
		if (error == TASK_OPAQUE)
			return opaque_answer();
		if (error != 0)
			return error_answer(error);
	}
	return no_answer("restrict_self has flags that this kernel lacks");
}

struct answer kernel_answer(struct kernel *kernel, const struct seccomp_notif *request,
			    bool (*still_valid)(uint64_t id))
{
	enum kernel_call call = call_of(&request->data);
	struct answer answer;
	int error = fault_due(kernel, call);

	if (error == 0)
		error = kernel->error;
	if (error != 0)
		return error_answer(error);
	if (call == CALL_ADD_RULE)
		answer = add_rule(kernel, request);
	else if (call == CALL_RESTRICT_SELF)
		answer = restrict_self(kernel, request);
	else
		answer = create_ruleset(kernel, request);
	/* A process that died while it was read proves nothing: its number may be another's. */
	if (!still_valid(request->id))
		answer.what = ANSWER_GONE;
	return answer;
}
