/* scene.h: a directory for one process of tests: what a command may change there and what not.
 * It must never touch anything outside that directory. */
#ifndef SCENE_H
#define SCENE_H

#include <stdbool.h>
#include <stddef.h>

/* The programs, as absolute paths; filled by scene_programs. */
extern char scene_launcher[4096], scene_simulate[4096], scene_witness[4096], scene_policy[4096];

/* Finds the programs beside the suite's own, whose argv[0] is given; `launcher` may name another,
 * or be NULL. Returns NULL, or what is missing. */
const char *scene_programs(const char *self, const char *launcher);

/* Makes the scene and enters it; it is removed when the process ends. Outside /tmp, which a mode
 * grants.
 *
 *   in/  in/a/  in/b/  in/a/file       what is granted
 *   out/  out/file  out/sub/           what is not; out/file holds "kept"
 *   stdout  stderr  status  log        what a run left */
void scene_open(void);

/* Removes it before the process ends. */
void scene_close(void);

/* Puts it all back. */
void scene_reset(void);

bool scene_has(const char *path);

/* A number for all that is in in/ and out/: names, types and sizes. */
unsigned long scene_digest(void);

/* Reads a file whole, at most size - 1 bytes, and ends it with a NUL. Returns the length; 0 when
 * there is none. */
size_t scene_read(const char *path, char *text, size_t size);

#endif
