/* Generates the guards' filters for one architecture with libseccomp, printed as a C header.
 * For development: nothing of it or of libseccomp may reach the library or the launcher. */
#include <errno.h>
#include <seccomp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "insn.h"

#define LENGTH(array) (sizeof(array) / sizeof *(array))
#define INSNS_MAX 512
#define OP_JEQ 0x15 /* BPF_JMP | BPF_JEQ | BPF_K */
#define X32_BIT 0x40000000U

/* What refuses a call. EACCES for metadata because harnesses take that text, not EPERM's, for a
 * denial; ENOSYS for io_uring because programs then fall back to plain system calls; EPERM for tty
 * because the kernel itself answers so. */
struct call {
	const char *name;
	int answer;
	const char *stand_in; /* what libseccomp is told instead, or NULL: replace_stand_ins */
	uint32_t number;      /* with a stand-in: the real number, the same on every architecture */
};

static const struct call metadata_calls[] = {
	{ "chmod", EACCES, NULL, 0 },
	{ "fchmod", EACCES, NULL, 0 },
	{ "fchmodat", EACCES, NULL, 0 },
	{ "fchmodat2", EACCES, "open_tree", 452 },
	{ "chown", EACCES, NULL, 0 },
	{ "fchown", EACCES, NULL, 0 },
	{ "lchown", EACCES, NULL, 0 },
	{ "fchownat", EACCES, NULL, 0 },
	{ "chown32", EACCES, NULL, 0 },
	{ "fchown32", EACCES, NULL, 0 },
	{ "lchown32", EACCES, NULL, 0 },
	{ "utime", EACCES, NULL, 0 },
	{ "utimes", EACCES, NULL, 0 },
	{ "futimesat", EACCES, NULL, 0 },
	{ "utimensat", EACCES, NULL, 0 },
	{ "utimensat_time64", EACCES, NULL, 0 },
	{ "setxattr", EACCES, NULL, 0 },
	{ "lsetxattr", EACCES, NULL, 0 },
	{ "fsetxattr", EACCES, NULL, 0 },
	{ "setxattrat", EACCES, "move_mount", 463 },
	{ "removexattr", EACCES, NULL, 0 },
	{ "lremovexattr", EACCES, NULL, 0 },
	{ "fremovexattr", EACCES, NULL, 0 },
	{ "removexattrat", EACCES, "fsopen", 466 },
	{ "file_setattr", EACCES, "fsconfig", 469 },
	/* A ring can set extended attributes, an inherited one too: so no entering either. */
	{ "io_uring_setup", ENOSYS, NULL, 0 },
	{ "io_uring_enter", ENOSYS, NULL, 0 },
	{ "io_uring_register", ENOSYS, NULL, 0 },
};

struct command {
	const char *name;
	int answer;
	uint32_t number;
};

/* Those that change an inode's flags or version and work on a descriptor opened for reading. The
 * 32-bit spellings are refused to 64-bit programs too, where they mean nothing. */
static const struct command metadata_commands[] = {
	{ "FS_IOC_SETFLAGS", EACCES, 0x40086602 },
	{ "FS_IOC32_SETFLAGS", EACCES, 0x40046602 },
	{ "FS_IOC_FSSETXATTR", EACCES, 0x401c5820 },
	{ "FS_IOC_SETVERSION", EACCES, 0x40087602 },
	{ "FS_IOC32_SETVERSION", EACCES, 0x40047602 },
	{ "EXT4_IOC_SETVERSION", EACCES, 0x40086604 },
	{ "EXT4_IOC32_SETVERSION", EACCES, 0x40046604 },
	{ "FS_IOC_ENABLE_VERITY", EACCES, 0x40806685 },
	{ "FS_IOC_SET_ENCRYPTION_POLICY", EACCES, 0x800c6613 },
	{ "FAT_IOCTL_SET_ATTRIBUTES", EACCES, 0x40047211 },
	{ "BTRFS_IOC_SUBVOL_SETFLAGS", EACCES, 0x4008941a },
};

/* io_uring has no operation that reaches a terminal's ioctl, so tty leaves it alone. */
static const struct command tty_commands[] = {
	{ "TIOCSTI", EPERM, 0x5412 },
	{ "TIOCLINUX", EPERM, 0x541c },
};

struct guard {
	const char *name;
	const char *summary;
	const struct call *calls;
	size_t calls_count;
	const struct command *commands;
	size_t commands_count;
};

static const struct guard guards[] = {
	{ "metadata", "chmod, chown, utime, xattr and inode-flag calls: EACCES; io_uring: ENOSYS",
	  metadata_calls, LENGTH(metadata_calls), metadata_commands, LENGTH(metadata_commands) },
	{ "tty", "TIOCSTI and TIOCLINUX: EPERM", NULL, 0, tty_commands, LENGTH(tty_commands) },
};

/* Every way into a kernel of that architecture must be here: what is not is killed. */
struct architecture {
	const char *name;
	const char *covers;
	uint32_t tokens[3];
	size_t tokens_count;
};

static const struct architecture architectures[] = {
	{ "x86_64", "x86_64, x32 and i386 calls",
	  { SCMP_ARCH_X86_64, SCMP_ARCH_X32, SCMP_ARCH_X86 }, 3 },
	{ "aarch64", "aarch64 and 32-bit arm calls", { SCMP_ARCH_AARCH64, SCMP_ARCH_ARM }, 2 },
	{ "riscv64", "riscv64 calls", { SCMP_ARCH_RISCV64 }, 1 },
};

_Noreturn static void die(const char *what, const char *subject, int error)
{
	fprintf(stderr, "generate: %s: %s: %s\n", what, subject,
		strerror(error < 0 ? -error : error));
	exit(1);
}

static void check(int result, const char *what, const char *subject)
{
	if (result < 0)
		die(what, subject, result);
}

static int number_of(const char *name)
{
	int number = seccomp_syscall_resolve_name(name);

	if (number == __NR_SCMP_ERROR)
		die("call unknown to libseccomp", name, EINVAL);
	return number;
}

static void add_rules(scmp_filter_ctx context, const struct guard *guard)
{
	for (size_t i = 0; i < guard->calls_count; i++) {
		const struct call *call = &guard->calls[i];
		int number = number_of(call->stand_in ? call->stand_in : call->name);

		check(seccomp_rule_add(context, SCMP_ACT_ERRNO((uint32_t)call->answer), number, 0),
		      "rule", call->name);
	}
	for (size_t i = 0; i < guard->commands_count; i++) {
		const struct command *command = &guard->commands[i];

		/* The kernel takes a command's low 32 bits and ignores the others; a plain
		 * comparison would not. */
		check(seccomp_rule_add(context, SCMP_ACT_ERRNO((uint32_t)command->answer),
				       SCMP_SYS(ioctl), 1,
				       SCMP_A1(SCMP_CMP_MASKED_EQ, UINT32_MAX, command->number)),
		      "rule", command->name);
	}
}

static size_t export_filter(scmp_filter_ctx context, struct llr_bpf_insn *insns)
{
	int file = memfd_create("filter", MFD_CLOEXEC);
	ssize_t size;

	if (file < 0)
		die("cannot create", "memory file", errno);
	check(seccomp_export_bpf(context, file), "cannot export", "filter");
	size = pread(file, insns, INSNS_MAX * sizeof *insns, 0);
	close(file);
	if (size <= 0 || (size_t)size % sizeof *insns || (size_t)size == INSNS_MAX * sizeof *insns)
		die("filter of a wrong size", "export", ERANGE);
	return (size_t)size / sizeof *insns;
}

static void replace(struct llr_bpf_insn *insns, size_t count, const struct call *call,
		    uint32_t stand_in, size_t expected)
{
	size_t replaced = 0;

	for (size_t i = 0; i < count; i++) {
		uint32_t number = insns[i].k & ~X32_BIT;

		if (number == call->number)
			die("number used already", call->name, EEXIST);
		if (number != stand_in)
			continue;
		if (insns[i].code != OP_JEQ)
			die("stand-in is not tested for equality", call->stand_in, EINVAL);
		insns[i].k += call->number - stand_in;
		replaced++;
	}
	if (replaced != expected)
		die("stand-in not found once an architecture", call->stand_in, EINVAL);
}

/* libseccomp 2.5.4 cannot add a call that it does not know by name to a foreign architecture's
 * filter, so each of those newer calls is given to it as a call that it does know, and the number
 * is put right in the finished program. That is sound because the program tests for equality alone,
 * and each stand-in is tested exactly once an architecture: both checked here. Stand-ins, like the
 * calls that they stand for, are of an age (424 and up) at which all architectures share one
 * number. */
static void replace_stand_ins(const struct architecture *architecture, const struct guard *guard,
			      struct llr_bpf_insn *insns, size_t count)
{
	for (size_t i = 0; i < guard->calls_count; i++) {
		const struct call *call = &guard->calls[i];

		if (call->stand_in)
			replace(insns, count, call, (uint32_t)number_of(call->stand_in),
				architecture->tokens_count);
	}
}

static size_t build(const struct architecture *architecture, const struct guard *guard,
		    struct llr_bpf_insn *insns)
{
	scmp_filter_ctx context = seccomp_init(SCMP_ACT_ALLOW);
	size_t count;

	if (!context)
		die("cannot start", guard->name, ENOMEM);
	/* An unknown way into the kernel cannot be judged call by call, and refusing all calls
	 * makes a program spin in exit. */
	check(seccomp_attr_set(context, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS),
	      "attribute", "bad architecture");
	/* Not the binary tree: stand-ins need equality tests alone. */
	check(seccomp_attr_set(context, SCMP_FLTATR_CTL_OPTIMIZE, 1), "attribute", "optimize");
	check(seccomp_arch_remove(context, SCMP_ARCH_NATIVE), "architecture", "native");
	for (size_t i = 0; i < architecture->tokens_count; i++)
		check(seccomp_arch_add(context, architecture->tokens[i]), "architecture",
		      architecture->name);
	add_rules(context, guard);
	count = export_filter(context, insns);
	seccomp_release(context);
	replace_stand_ins(architecture, guard, insns, count);
	return count;
}

static void print(const struct architecture *architecture, const struct guard *guard)
{
	struct llr_bpf_insn insns[INSNS_MAX];
	size_t count = build(architecture, guard, insns);

	printf("\n/* %s (%zu bytes) */\n", guard->summary, count * sizeof *insns);
	printf("static const struct llr_bpf_insn guard_%s_%s[] = {", guard->name,
	       architecture->name);
	for (size_t i = 0; i < count; i++)
		printf("%s{ 0x%02x, %u, %u, 0x%x },", i % 3 ? " " : "\n\t", insns[i].code,
		       insns[i].jt, insns[i].jf, insns[i].k);
	printf("\n};\n");
}

static int print_header(const struct architecture *architecture)
{
	const struct scmp_version *version = seccomp_version();

	printf("/* Made by lib/guards/generate.c with libseccomp %u.%u.%u: filters for %s.\n"
	       " * Never edited by hand: change that, then `make guards-regenerate`. */\n",
	       version->major, version->minor, version->micro, architecture->covers);
	for (size_t i = 0; i < LENGTH(guards); i++)
		print(architecture, &guards[i]);
	if (fflush(stdout) || ferror(stdout))
		die("cannot write", "stdout", errno);
	return 0;
}

int main(int argc, char **argv)
{
	/* The actions that libseccomp offers otherwise depend on the kernel that it runs on. */
	check(seccomp_api_set(3), "libseccomp", "API level 3");
	for (size_t i = 0; argc == 2 && i < LENGTH(architectures); i++)
		if (!strcmp(argv[1], architectures[i].name))
			return print_header(&architectures[i]);
	fprintf(stderr, "usage: generate x86_64|aarch64|riscv64\n");
	return 2;
}
