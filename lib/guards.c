/* Installs the guards' seccomp filters on the calling thread; what cannot be installed is an error.
 * Fails closed, and never decides which call a filter refuses: that is generate.c's. */
#include <errno.h>
#include <stddef.h>
#include <stdint.h>

#include "guards.h"
#include "guards/insn.h"
#include "landlock-run.h"
#include "sys.h"

/* The filters read a system call's arguments as little-endian pairs; LLR_WITHOUT_GUARDS builds what
 * any other architecture gets. */
#if defined LLR_WITHOUT_GUARDS || __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#define WITHOUT_FILTERS
#elif defined __x86_64__
#include "guards/guards_x86_64.h"
#define FILTER(guard) guard##_x86_64
#elif defined __aarch64__
#include "guards/guards_aarch64.h"
#define FILTER(guard) guard##_aarch64
#elif defined __riscv && __riscv_xlen == 64
#include "guards/guards_riscv64.h"
#define FILTER(guard) guard##_riscv64
#else
#define WITHOUT_FILTERS
#endif

#define SECCOMP_SET_MODE_FILTER 1
#define SECCOMP_GET_ACTION_AVAIL 2
/* Before Linux 5.16 a filter without this flag also slows the command down by a speculation barrier
 * that nobody asked for. */
#define SECCOMP_FILTER_FLAG_SPEC_ALLOW (1U << 2)
#define SECCOMP_RET_ERRNO 0x00050000U

#define KNOWN ((uint32_t)(LLR_GUARD_METADATA | LLR_GUARD_TTY))

#ifdef WITHOUT_FILTERS

static int available(void)
{
	return -ENOSYS;
}

#define INSTALL(guard) (-ENOSYS)

#else

static int available(void)
{
	uint32_t action = SECCOMP_RET_ERRNO;

	return (int)SYS3(seccomp, SECCOMP_GET_ACTION_AVAIL, 0, sys_pointer(&action));
}

static int install(const struct llr_bpf_insn *insns, size_t count)
{
	struct llr_bpf_program program = { (uint16_t)count, insns };

	return (int)SYS3(seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_SPEC_ALLOW,
			 sys_pointer(&program));
}

#define INSTALL(guard) install(FILTER(guard), sizeof FILTER(guard) / sizeof *FILTER(guard))

#endif

int llr_guard_available(uint32_t guards)
{
	if (guards & ~KNOWN)
		return -EINVAL;
	return guards ? available() : 0;
}

int llr_guard_install(uint32_t guards)
{
	int result = 0;

	if (guards & ~KNOWN)
		return -EINVAL;
	if (guards & LLR_GUARD_METADATA)
		result = INSTALL(guard_metadata);
	if (!result && guards & LLR_GUARD_TTY)
		result = INSTALL(guard_tty);
	return result;
}
