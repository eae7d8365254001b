/* The parts of the launcher as they call each other.
 * Only this program's; what others may use is in lib/landlock-run.h. */
#ifndef LAUNCHER_H
#define LAUNCHER_H

#include "args.h"

/* The whole program: its exit status, when it does not become the command. */
int launch(int argc, char **argv, char **envp);

#endif
