/* preload.c: a library that, wherever it is loaded, appends to the file `file`.
 * It must never do so anywhere but where its loader was started. */
#include <fcntl.h>
#include <unistd.h>

__attribute__((constructor)) static void loaded(void)
{
	int fd = open("file", O_WRONLY | O_APPEND);

	if (fd >= 0 && write(fd, "x", 1) == 1)
		close(fd);
}
