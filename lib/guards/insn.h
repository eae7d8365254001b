/* The kernel's struct sock_filter and sock_fprog, so that building needs no kernel headers.
 * Nothing may be added: the committed filters are arrays of it, and the kernel reads the bytes. */
#ifndef LLR_GUARDS_INSN_H
#define LLR_GUARDS_INSN_H

#include <stdint.h>

struct llr_bpf_insn {
	uint16_t code;
	uint8_t jt; /* how many instructions to skip when the test holds */
	uint8_t jf; /* and when it does not */
	uint32_t k;
};

/* What seccomp(2) is given. */
struct llr_bpf_program {
	uint16_t length; /* in instructions */
	const struct llr_bpf_insn *insns;
};

#endif
