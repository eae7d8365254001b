/* Runs all architectures' committed filters in an interpreter, over every number and every token.
 * Installs none of them, so it says the same on any machine. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "../check.h"
#include "../../lib/guards/insn.h"
#include "../../lib/guards/guards_aarch64.h"
#include "../../lib/guards/guards_riscv64.h"
#include "../../lib/guards/guards_x86_64.h"
#include "shape.h"
#include "calls.h"

#define ALLOW 0x7fff0000U
#define ERRNO 0x00050000U
#define KILL_PROCESS 0x80000000U

#define NUMBERS 1024U /* well past the newest call of any architecture */
#define BROKEN 0xbadU /* what the interpreter answers when the filter is none */

/* struct seccomp_data as the filters see it */
struct data {
	uint32_t number;
	uint32_t token;
	uint64_t pointer;
	uint64_t arguments[6];
};

struct filter {
	const char *name;
	uint32_t guard;
	enum arch ways[3];
	size_t ways_count;
	struct llr_bpf_program program;
};

#define OF(insns) \
	{ \
		LENGTH(insns), insns \
	}

static const struct filter filters[] = {
	{ "metadata on x86_64", METADATA, { X86_64, X32, I386 }, 3, OF(guard_metadata_x86_64) },
	{ "tty on x86_64", TTY, { X86_64, X32, I386 }, 3, OF(guard_tty_x86_64) },
	{ "metadata on aarch64", METADATA, { AARCH64, ARM, 0 }, 2, OF(guard_metadata_aarch64) },
	{ "tty on aarch64", TTY, { AARCH64, ARM, 0 }, 2, OF(guard_tty_aarch64) },
	{ "metadata on riscv64", METADATA, { RISCV64, 0, 0 }, 1, OF(guard_metadata_riscv64) },
	{ "tty on riscv64", TTY, { RISCV64, 0, 0 }, 1, OF(guard_tty_riscv64) },
};

/* Tokens of other architectures, and some of none. */
static const uint32_t foreign[] = {
	0,          0xffffffff, 0x28,       0x16,       0x2,        0x8,        0x14,
	0x2b,       0x40000008, 0x4000003e, 0x400000b7, 0x400000f3, 0x80000003, 0x8000003e,
	0x80000015, 0x80000016, 0x8000002b, 0x800000b7, 0x80000008, 0xc0000003, 0xc0000015,
	0xc0000028, 0xc0000008, 0xc0000102, 0x40000102, 0xc000003f, 0x0000003e,
};

/* ---- The interpreter: the four operations that the filters use ---- */

static uint32_t load(const struct data *data, uint32_t offset)
{
	uint32_t word;

	memcpy(&word, (const unsigned char *)data + offset, sizeof word);
	return word;
}

/* *looked: the verdict depends on an argument, so the kernel cannot remember it for the number. */
static uint32_t execute(const struct llr_bpf_program *program, const struct data *data,
			bool *looked)
{
	uint32_t accumulator = 0;

	for (uint32_t at = 0; at < program->length; at++) {
		const struct llr_bpf_insn *insn = &program->insns[at];

		switch (insn->code) {
		case 0x20:
			if (insn->k % 4 || insn->k > sizeof *data - 4)
				return BROKEN;
			*looked = *looked || insn->k >= offsetof(struct data, arguments);
			accumulator = load(data, insn->k);
			break;
		case 0x54:
			accumulator &= insn->k;
			break;
		case 0x15:
			at += accumulator == insn->k ? insn->jt : insn->jf;
			break;
		case 0x06:
			return insn->k;
		default:
			return BROKEN;
		}
	}
	return BROKEN;
}

/* ---- What is right ---- */

static uint32_t refusal(const struct filter *filter, const struct way *way, enum arch arch,
			uint32_t number, uint64_t argument)
{
	for (size_t i = 0; i < LENGTH(calls); i++)
		if (filter->guard == METADATA && calls[i].numbers[arch] >= 0 &&
		    number == ((uint32_t)calls[i].numbers[arch] | way->bit))
			return ERRNO | (uint32_t)calls[i].answer;
	for (size_t i = 0; i < LENGTH(commands); i++)
		if (filter->guard == commands[i].guard &&
		    number == ((uint32_t)way->ioctl | way->bit) &&
		    (uint32_t)argument == commands[i].number)
			return ERRNO | (uint32_t)commands[i].answer;
	return ALLOW;
}

static uint32_t expected(const struct filter *filter, const struct data *data)
{
	uint32_t verdict = KILL_PROCESS;

	for (size_t i = 0; i < filter->ways_count; i++) {
		const struct way *way = &ways[filter->ways[i]];

		if (data->token != way->token)
			continue;
		verdict = refusal(filter, way, filter->ways[i], data->number, data->arguments[1]);
		if (verdict != ALLOW)
			return verdict;
	}
	return verdict;
}

static void compare(const struct filter *filter, uint32_t token, uint32_t number, uint64_t argument)
{
	static int shown;
	struct data data = {
		number, token, 0x7fffdeadbeef, { 3, argument, 5, 0x5412, 0x40086602, argument }
	};
	bool looked = false;
	uint32_t verdict = execute(&filter->program, &data, &looked);

	/* A broken filter fails a hundred thousand times. */
	if (verdict != expected(filter, &data) && shown++ < 20)
		FAIL("%s: token %#x, number %#x, second argument %#llx: %#x instead of %#x",
		     filter->name, token, number, (unsigned long long)argument, verdict,
		     expected(filter, &data));
}

static void each(void (*check)(const struct filter *filter, const struct way *way))
{
	for (size_t i = 0; i < LENGTH(filters); i++)
		for (size_t j = 0; j < filters[i].ways_count; j++)
			check(&filters[i], &ways[filters[i].ways[j]]);
}

/* ---- Tests ---- */

static void check_numbers(const struct filter *filter, const struct way *way)
{
	/* No bit, x32's, one that means nothing beside each, then the negative numbers. */
	static const uint32_t bits[] = {
		0, 0x40000000, 0x20000000, 0x60000000, 0x80000000, 0xc0000000, 0xfffffc00,
	};

	for (size_t i = 0; i < LENGTH(bits); i++)
		for (uint32_t number = 0; number < NUMBERS; number++) {
			compare(filter, way->token, number | bits[i], 0);
			compare(filter, way->token, number | bits[i], UINT64_MAX);
			for (size_t j = 0; j < LENGTH(commands); j++)
				compare(filter, way->token, number | bits[i], commands[j].number);
		}
}

TEST(every_number_gets_the_verdict_of_the_table)
{
	each(check_numbers);
}

static void check_commands(const struct filter *filter, const struct way *way)
{
	static const uint64_t highs[] = { 0, 1, 0x80000000, 0xdeadbeef, 0xffffffff };
	uint32_t number = (uint32_t)way->ioctl | way->bit;

	for (size_t i = 0; i < LENGTH(highs); i++) {
		for (uint64_t low = 0; low < 0x10000; low++)
			compare(filter, way->token, number, highs[i] << 32 | low);
		for (size_t j = 0; j < LENGTH(commands); j++)
			for (uint32_t bit = 0; bit < 32; bit++)
				compare(filter, way->token, number,
					highs[i] << 32 | (commands[j].number ^ 1U << bit));
		for (size_t j = 0; j < LENGTH(commands); j++)
			compare(filter, way->token, number, highs[i] << 32 | commands[j].number);
	}
}

TEST(a_command_is_refused_whatever_its_high_bits)
{
	each(check_commands);
}

TEST(an_uncovered_architecture_is_killed)
{
	for (size_t i = 0; i < LENGTH(filters); i++) {
		for (size_t j = 0; j < LENGTH(foreign); j++)
			for (uint32_t number = 0; number < NUMBERS; number++)
				compare(&filters[i], foreign[j], number, commands[0].number);
		for (size_t j = 0; j < ARCHES; j++)
			for (uint32_t number = 0; number < NUMBERS; number++)
				compare(&filters[i], ways[j].token, number, commands[0].number);
	}
}

static void check_laziness(const struct filter *filter, const struct way *way)
{
	for (uint32_t number = 0; number < NUMBERS; number++) {
		struct data data = { number | way->bit, way->token, 0, { 0 } };
		bool looked = false;

		if (number == (uint32_t)way->ioctl)
			continue;
		execute(&filter->program, &data, &looked);
		if (looked)
			FAIL("%s: %s call %u looks at an argument", filter->name, way->name,
			     number);
	}
}

TEST(only_ioctl_costs_a_look_at_arguments)
{
	each(check_laziness);
}

static void check_shape(const struct llr_bpf_program *program)
{
	for (size_t i = 0; i < program->length; i++) {
		const struct llr_bpf_insn *insn = &program->insns[i];
		size_t left = program->length - 1 - i;

		CHECK(insn->code == 0x20 || insn->code == 0x54 || insn->code == 0x15 ||
		      insn->code == 0x06);
		CHECK(insn->code != 0x20 || (insn->k % 4 == 0 && insn->k < sizeof(struct data)));
		CHECK(insn->code != 0x15 || (insn->jt < left && insn->jf < left));
	}
	CHECK_INT(program->insns[program->length - 1].code, 0x06);
}

TEST(the_kernel_would_accept_each_filter)
{
	_Static_assert(sizeof(struct llr_bpf_insn) == 8, "struct sock_filter is eight bytes");
	_Static_assert(sizeof(struct data) == 64, "struct seccomp_data is sixty-four bytes");
	for (size_t i = 0; i < LENGTH(filters); i++) {
		check_row("%s", filters[i].name);
		check_shape(&filters[i].program);
	}
}

TEST(the_filters_of_an_architecture_fit_in_one_kib)
{
	for (size_t i = 0; i < LENGTH(filters); i += 2) {
		check_row("%s and %s", filters[i].name, filters[i + 1].name);
		CHECK(filters[i].program.length + filters[i + 1].program.length <= 1024 / 8);
	}
}

/* For comparison with the kernel's headers. */
HELPER(table)
{
	for (size_t i = 0; i < ARCHES; i++) {
		printf("%s ioctl %d\n", ways[i].name, ways[i].ioctl);
		for (size_t j = 0; j < LENGTH(calls); j++)
			if (calls[j].numbers[i] >= 0)
				printf("%s %s %d\n", ways[i].name, calls[j].name,
				       calls[j].numbers[i]);
	}
	for (size_t i = 0; i < LENGTH(commands); i++)
		printf("command %s %u\n", commands[i].name, commands[i].number);
	return 0;
}
