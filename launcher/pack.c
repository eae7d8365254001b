/* Packs the words of a linked launcher: `pack LINKED LAUNCHER`. A program of the build.
 * What it writes has been unpacked again first; a file that is not as expected is refused, never
 * mended. */
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "words.h"

struct file {
	char *bytes;
	size_t size;
};

static void refuse(const char *why)
{
	fprintf(stderr, "pack: %s\n", why);
	exit(1);
}

static void require(int condition, const char *what)
{
	if (!condition)
		refuse(what);
}

/* ---- Packing ---- */

/* The longest copy that can stand for what begins at `at`: its length, or 0. */
static size_t longest_copy(const char *words, size_t at, size_t size, size_t *distance)
{
	size_t longest = 0, most = size - at;

	if (most > WORDS_LENGTH_MOST)
		most = WORDS_LENGTH_MOST;
	for (size_t back = 1; back <= at && back <= WORDS_DISTANCE_MOST; back++) {
		size_t length = 0;

		while (length < most && words[at + length] == words[at + length - back])
			length++;
		if (length > longest) {
			longest = length;
			*distance = back;
		}
	}
	return longest < WORDS_LENGTH_LEAST ? 0 : longest;
}

struct step {
	size_t cost; /* bytes, from here to the end */
	size_t length;
	size_t distance; /* 0: a byte that is itself */
};

/* From the end on: the cheapest way from each place. A copy may be cut short for the next one. */
static void choose(const char *words, size_t size, struct step *steps)
{
	steps[size] = (struct step){ 0, 0, 0 };
	for (size_t at = size; at--;) {
		size_t distance = 0;
		size_t length = longest_copy(words, at, size, &distance);

		steps[at] = (struct step){ steps[at + 1].cost + 1, 1, 0 };
		for (; length >= WORDS_LENGTH_LEAST; length--)
			if (steps[at + length].cost + 2 < steps[at].cost)
				steps[at] = (struct step){ steps[at + length].cost + 2, length,
							   distance };
	}
}

static struct file pack(const char *words, size_t size)
{
	struct step *steps = calloc(size + 1, sizeof *steps);
	struct file packed = { calloc(size + 1, 1), 0 };
	char *unpacked = calloc(size + 1, 1);

	require(steps && packed.bytes && unpacked, "no memory");
	choose(words, size, steps);
	for (size_t at = 0; at < size; at += steps[at].length) {
		const struct step *step = &steps[at];
		unsigned token = 0x8000U | (unsigned)step->distance << 3 |
				 (unsigned)(step->length - WORDS_LENGTH_LEAST);

		require((unsigned char)words[at] < 0x80, "a word is not ASCII");
		if (step->distance)
			packed.bytes[packed.size++] = (char)(token >> 8);
		packed.bytes[packed.size++] = step->distance ? (char)token : words[at];
	}
	words_decode(unpacked, unpacked + size, (const uint8_t *)packed.bytes);
	require(!memcmp(words, unpacked, size), "what was packed does not unpack");
	free(unpacked);
	free(steps);
	return packed;
}

/* ---- The file ---- */

static struct file read_file(const char *path)
{
	FILE *stream = fopen(path, "rb");
	struct file file = { NULL, 0 };
	size_t got;

	require(stream != NULL, "cannot open the linked file");
	do {
		file.bytes = realloc(file.bytes, file.size + (1 << 16));
		require(file.bytes != NULL, "no memory");
		got = fread(file.bytes + file.size, 1, 1 << 16, stream);
		file.size += got;
	} while (got);
	require(!ferror(stream), "cannot read the linked file");
	fclose(stream);
	return file;
}

/* What the linker made is trusted but for one thing: that it is whole. */
static const Elf64_Shdr *find_section(const struct file *file, const char *name)
{
	const Elf64_Ehdr *header = (const Elf64_Ehdr *)(void *)file->bytes;
	const Elf64_Shdr *sections = (const Elf64_Shdr *)(void *)(file->bytes + header->e_shoff);
	const char *names;

	require(header->e_shnum &&
			header->e_shoff + header->e_shnum * sizeof *sections <= file->size,
		"a file without its sections");
	names = file->bytes + sections[header->e_shstrndx].sh_offset;
	for (size_t i = 0; i < header->e_shnum; i++)
		if (!strcmp(names + sections[i].sh_name, name))
			return &sections[i];
	refuse("a section is missing");
	return NULL;
}

/* Leaves the segment of the program, now `size` bytes, and what says that the stack is data. */
static void keep_segments(struct file *file, const Elf64_Shdr *words, size_t old_size, size_t size)
{
	Elf64_Ehdr *header = (Elf64_Ehdr *)(void *)file->bytes;
	Elf64_Phdr *segments = (Elf64_Phdr *)(void *)(file->bytes + header->e_phoff);
	Elf64_Half kept = 0;

	for (size_t i = 0; i < header->e_phnum; i++) {
		Elf64_Phdr segment = segments[i];

		if (segment.p_type == PT_LOAD && segment.p_vaddr != words->sh_addr) {
			require(kept == 0 && segment.p_offset == 0 && segment.p_filesz == old_size,
				"the packed words would not be the program's last bytes");
			segment.p_filesz = segment.p_memsz = size;
		} else if (segment.p_type != PT_GNU_STACK) {
			continue;
		}
		segments[kept++] = segment;
	}
	require(kept == 2, "segments are missing");
	memset(segments + kept, 0, (size_t)(header->e_phnum - kept) * sizeof *segments);
	header->e_phnum = kept;
	header->e_shoff = header->e_shnum = header->e_shstrndx = 0;
}

static void write_file(const char *path, const struct file *program, const struct file *packed)
{
	FILE *stream = fopen(path, "wb");

	require(stream && fwrite(program->bytes, 1, program->size, stream) == program->size &&
			fwrite(packed->bytes, 1, packed->size, stream) == packed->size &&
			!fclose(stream),
		"cannot write the launcher");
}

int main(int argc, char **argv)
{
	struct file program, packed;
	const Elf64_Ehdr *header;
	const Elf64_Shdr *words, *place;

	require(argc == 3, "usage: pack LINKED LAUNCHER");
	program = read_file(argv[1]);
	header = (const Elf64_Ehdr *)(void *)program.bytes;
	require(program.size > sizeof *header && !memcmp(header->e_ident, ELFMAG, SELFMAG) &&
			header->e_ident[EI_CLASS] == ELFCLASS64 &&
			header->e_ident[EI_DATA] == ELFDATA2LSB,
		"not a 64-bit little-endian ELF file");
	words = find_section(&program, "llr_words");
	place = find_section(&program, "llr_packed");
	packed = pack(program.bytes + words->sh_offset, words->sh_size);
	keep_segments(&program, words, place->sh_offset + place->sh_size,
		      place->sh_offset + packed.size);
	program.size = place->sh_offset;
	write_file(argv[2], &program, &packed);
	return 0;
}
