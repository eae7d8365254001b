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

static void append(struct file *file, const void *bytes, size_t size)
{
	file->bytes = realloc(file->bytes, file->size + size);
	require(file->bytes != NULL, "no memory");
	memcpy(file->bytes + file->size, bytes, size);
	file->size += size;
}

static struct file read_file(const char *path)
{
	FILE *stream = fopen(path, "rb");
	struct file file = { NULL, 0 };
	char block[4096];
	size_t got;

	require(stream != NULL, "cannot open the linked file");
	while ((got = fread(block, 1, sizeof block, stream)))
		append(&file, block, got);
	require(!ferror(stream), "cannot read the linked file");
	fclose(stream);
	return file;
}

static void write_file(const char *path, const struct file *file)
{
	FILE *stream = fopen(path, "wb");

	require(stream && fwrite(file->bytes, 1, file->size, stream) == file->size &&
			!fclose(stream),
		"cannot write the launcher");
}

static Elf64_Ehdr *header_of(const struct file *file)
{
	return (Elf64_Ehdr *)(void *)file->bytes;
}

static const Elf64_Shdr *sections_of(const struct file *file)
{
	return (const Elf64_Shdr *)(void *)(file->bytes + header_of(file)->e_shoff);
}

static const char *name_of(const struct file *file, const Elf64_Shdr *section)
{
	const Elf64_Shdr *names = sections_of(file) + header_of(file)->e_shstrndx;

	return file->bytes + names->sh_offset + section->sh_name;
}

/* What the linker made is trusted but for one thing: that it is whole. */
static void check(const struct file *file)
{
	const Elf64_Ehdr *header = header_of(file);

	require(file->size > sizeof *header && !memcmp(header->e_ident, ELFMAG, SELFMAG) &&
			header->e_ident[EI_CLASS] == ELFCLASS64 &&
			header->e_ident[EI_DATA] == ELFDATA2LSB,
		"not a 64-bit little-endian ELF file");
	require(header->e_shoff + header->e_shnum * sizeof(Elf64_Shdr) <= file->size,
		"a file without its sections");
}

static const Elf64_Shdr *find_section(const struct file *file, const char *name)
{
	for (size_t i = 0; i < header_of(file)->e_shnum; i++)
		if (!strcmp(name_of(file, sections_of(file) + i), name))
			return sections_of(file) + i;
	refuse("a section is missing");
	return NULL;
}

/* Leaves the segment of the program, now `size` bytes, and what says that the stack is data. */
static void keep_segments(struct file *file, const Elf64_Shdr *words, size_t old_size, size_t size)
{
	Elf64_Ehdr *header = header_of(file);
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
}

/* Adds a table of the sections that are in the program, for whoever looks at it with the usual
 * tools. The packed words belong to the last one. */
static void add_sections(struct file *program, const struct file *linked, const Elf64_Shdr *words,
			 const Elf64_Shdr *place)
{
	struct file headers = { NULL, 0 }, names = { NULL, 0 };
	Elf64_Shdr section = { .sh_type = SHT_NULL };
	Elf64_Ehdr *header;

	append(&headers, &section, sizeof section);
	append(&names, "", 1);
	for (size_t i = 0; i < header_of(linked)->e_shnum; i++) {
		const Elf64_Shdr *old = sections_of(linked) + i;

		if (!(old->sh_flags & SHF_ALLOC) || old == words || old == place)
			continue;
		section = *old;
		section.sh_name = (Elf64_Word)names.size;
		if (old->sh_offset + old->sh_size == place->sh_offset)
			section.sh_size = program->size - old->sh_offset;
		append(&headers, &section, sizeof section);
		append(&names, name_of(linked, old), strlen(name_of(linked, old)) + 1);
	}
	section = (Elf64_Shdr){ .sh_name = (Elf64_Word)names.size,
				.sh_type = SHT_STRTAB,
				.sh_offset = program->size,
				.sh_addralign = 1 };
	append(&names, ".shstrtab", sizeof ".shstrtab");
	section.sh_size = names.size;
	append(&headers, &section, sizeof section);
	append(program, names.bytes, names.size);
	append(program, "\0\0\0\0\0\0\0", -program->size % sizeof(Elf64_Xword));
	header = header_of(program);
	header->e_shoff = program->size;
	header->e_shnum = (Elf64_Half)(headers.size / sizeof section);
	header->e_shstrndx = (Elf64_Half)(header->e_shnum - 1);
	append(program, headers.bytes, headers.size);
	free(headers.bytes);
	free(names.bytes);
}

int main(int argc, char **argv)
{
	struct file linked, program = { NULL, 0 }, packed;
	const Elf64_Shdr *words, *place;

	require(argc == 3, "usage: pack LINKED LAUNCHER");
	linked = read_file(argv[1]);
	check(&linked);
	words = find_section(&linked, "llr_words");
	place = find_section(&linked, "llr_packed");
	packed = pack(linked.bytes + words->sh_offset, words->sh_size);
	append(&program, linked.bytes, place->sh_offset);
	append(&program, packed.bytes, packed.size);
	keep_segments(&program, words, place->sh_offset + place->sh_size, program.size);
	add_sections(&program, &linked, words, place);
	write_file(argv[2], &program);
	free(linked.bytes);
	free(packed.bytes);
	free(program.bytes);
	return 0;
}
