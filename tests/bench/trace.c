/* Counts the system calls of a launch, exactly, with ptrace.
 * Nothing here prints. */
#include "trace.h"

#include <errno.h>
#include <linux/audit.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined __x86_64__
#define NATIVE_ARCH AUDIT_ARCH_X86_64
#elif defined __aarch64__
#define NATIVE_ARCH AUDIT_ARCH_AARCH64
#elif defined __riscv && __riscv_xlen == 64
#define NATIVE_ARCH AUDIT_ARCH_RISCV64
#else
#define NATIVE_ARCH 0 /* no call matches it: numbers are shown, and never a wrong name */
#endif

/* The kernel's stable layout; the C libraries disagree on what they call it. */
struct syscall_info {
	uint8_t op;
	uint8_t pad[3];
	uint32_t arch;
	uint64_t instruction_pointer;
	uint64_t stack_pointer;
	uint64_t number;
	uint64_t args[6];
};

enum { INFO_REQUEST = 0x420e, INFO_ENTRY = 1, STATUS_SYSCALL = SIGTRAP | 0x80 };

static const struct {
	unsigned long long number;
	const char *name;
} names[] = {
#include "syscall-names.inc"
};

const char *trace_name(const struct trace_call *call)
{
	if (call->arch != NATIVE_ARCH)
		return NULL;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (names[i].number == call->number)
			return names[i].name;
	return NULL;
}

void trace_free(struct trace *trace)
{
	free(trace->calls);
	trace->calls = NULL;
}

/* The C libraries also disagree on the type of the request, so past them. */
static long ask(long request, pid_t pid, size_t address, intptr_t data)
{
	return syscall(SYS_ptrace, request, (long)pid, address, data);
}

static int record(struct trace *trace, pid_t pid)
{
	struct syscall_info info;
	struct trace_call *calls;

	if (ask(INFO_REQUEST, pid, sizeof(info), (intptr_t)&info) == -1)
		return errno == ESRCH ? 0 : -1;
	if (info.op != INFO_ENTRY)
		return 0;
	if (trace->count == trace->room) {
		trace->room = trace->room == 0 ? 64 : 2 * trace->room;
		calls = realloc(trace->calls, trace->room * sizeof(*calls));
		if (calls == NULL)
			return -1;
		trace->calls = calls;
	}
	trace->calls[trace->count].arch = info.arch;
	trace->calls[trace->count].number = info.number;
	trace->count++;
	return 0;
}

/* Waits until it is traced, so that the exec is the first thing that is seen of it. */
static void become(const int gate[2], char *const argv[], char *const envp[])
{
	char go;

	close(gate[1]);
	if (read(gate[0], &go, 1) == 1)
		execvpe(argv[0], argv, envp);
	_exit(errno & 0x7f);
}

static pid_t start(char *const argv[], char *const envp[])
{
	long options = PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEEXEC | PTRACE_O_TRACEFORK |
		       PTRACE_O_TRACEVFORK | PTRACE_O_TRACECLONE | PTRACE_O_EXITKILL;
	int gate[2];
	pid_t pid;

	if (pipe(gate) != 0)
		return -1;
	pid = fork();
	if (pid == 0)
		become(gate, argv, envp);
	close(gate[0]);
	if (pid > 0 && ask(PTRACE_SEIZE, pid, 0, options) == 0) {
		if (write(gate[1], "g", 1) == 1) {
			close(gate[1]);
			return pid;
		}
	}
	close(gate[1]);
	if (pid > 0)
		waitpid(pid, NULL, 0);
	return -1;
}

/* A tracee that was killed meanwhile is no error: waitpid tells of its end. */
static int resume(long request, pid_t pid, int signal_number)
{
	if (ask(request, pid, 0, signal_number) == -1)
		return errno == ESRCH ? 0 : -1;
	return 0;
}

static int on_stop(struct trace *trace, pid_t pid, int status, bool *started)
{
	int event = status >> 16;
	int signal_number = WSTOPSIG(status);
	bool ours = event != 0 || signal_number == STATUS_SYSCALL;

	if (event == PTRACE_EVENT_EXEC && *started) {
		trace->launched = true;
		return resume(PTRACE_DETACH, pid, 0);
	}
	if (event == PTRACE_EVENT_EXEC)
		*started = true;
	if (event == PTRACE_EVENT_STOP && signal_number != SIGTRAP)
		return resume(PTRACE_LISTEN, pid, 0);
	if (signal_number == STATUS_SYSCALL && record(trace, pid) != 0)
		return -1;
	return resume(PTRACE_SYSCALL, pid, ours ? 0 : signal_number);
}

int trace_run(struct trace *trace, char *const argv[], char *const envp[])
{
	bool started = false;
	pid_t program;

	memset(trace, 0, sizeof(*trace));
	program = start(argv, envp);
	if (program < 0)
		return -1;
	for (;;) {
		int status;
		pid_t pid = waitpid(-1, &status, __WALL);

		if (pid < 0 && errno == EINTR)
			continue;
		if (pid < 0)
			break;
		if (pid == program && !WIFSTOPPED(status))
			trace->status = status;
		if (WIFSTOPPED(status) && on_stop(trace, pid, status, &started) != 0) {
			kill(program, SIGKILL);
			return -1;
		}
	}
	if (!started)
		errno = WEXITSTATUS(trace->status);
	return started ? 0 : -1;
}
