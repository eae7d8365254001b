/* surroundings.h: what lies outside a confined command: files, a process, sockets that listen.
 * Nothing here is confined, and nothing here outlives the program that made it but the files. */
#ifndef SURROUNDINGS_H
#define SURROUNDINGS_H

#include <stddef.h>
#include <sys/types.h>

/* What each file holds at first. */
#define TEXT "text"
#define PATH_SIZE 512
/* A descriptor that the command inherits, open for appending to the file `inherited`. */
#define INHERITED_FD 9

struct surroundings {
	char folder[PATH_SIZE / 2]; /* absolute */
	pid_t target;               /* a process of the same user */
	int tcp_port;
	int udp_port;
	char abstract[64]; /* name of an abstract socket, without its leading NUL */
	int sockets[4];
};

/* Makes everything in a new folder of that absolute path. 0, or -1 with errno. */
int surroundings_make(struct surroundings *around, const char *folder);
/* Ends the process and closes the sockets; the files stay. */
void surroundings_end(struct surroundings *around);

/* The path of a file in the folder. */
void surroundings_path(const struct surroundings *around, const char *name, char path[PATH_SIZE]);

#endif
