/* The floor of a confined launch: the contract's system calls and nothing between them.
 * Never checks what it is told: --ro DIR, --rw DIR, --rf FILE (read and write), then `--`. */
#include "bare.h"

#include <linux/fcntl.h>
#include <linux/landlock.h>
#include <linux/prctl.h>

#define RIGHTS_READ 0x000dUL /* execute, read-file, read-dir */
#define RIGHTS_FILE 0x0006UL /* write-file, read-file */

BARE_ENTRY;

static unsigned long handled(long abi)
{
	if (abi < 2)
		return 0x1fff;
	if (abi < 3)
		return 0x3fff;
	return abi < 5 ? 0x7fff : 0xffff;
}

static void grant(long ruleset, const char *option, const char *path, unsigned long all)
{
	struct landlock_path_beneath_attr rule = { .allowed_access = all };
	long fd = bare_call(SYS_openat, AT_FDCWD, (long)path, O_PATH | O_CLOEXEC, 0, 0);

	if (fd < 0)
		bare_exit(125);
	if (bare_is(option, '-', '-', 'r', 'o'))
		rule.allowed_access = RIGHTS_READ;
	else if (bare_is(option, '-', '-', 'r', 'f'))
		rule.allowed_access = RIGHTS_FILE;
	rule.parent_fd = (int)fd;
	if (bare_call(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, (long)&rule, 0,
		      0) != 0)
		bare_exit(125);
	bare_call(SYS_close, fd, 0, 0, 0, 0);
}

_Noreturn void bare_main(long *stack)
{
	char **word = bare_argv(stack) + 1;
	long abi = bare_call(SYS_landlock_create_ruleset, 0, 0, LANDLOCK_CREATE_RULESET_VERSION, 0,
			     0);
	unsigned long all = handled(abi);
	long ruleset = bare_call(SYS_landlock_create_ruleset, (long)&all, sizeof(all), 0, 0, 0);

	if (ruleset < 0)
		bare_exit(125);
	for (; *word != 0 && !bare_is(*word, '-', '-', 0, 0); word += 2)
		grant(ruleset, word[0], word[1], all);
	if (*word == 0 || word[1] == 0)
		bare_exit(125);
	word++;
	if (bare_call(SYS_prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
		bare_exit(125);
	if (bare_call(SYS_landlock_restrict_self, ruleset, 0, 0, 0, 0) != 0)
		bare_exit(125);
	bare_call(SYS_execve, (long)*word, (long)word, (long)bare_envp(stack), 0, 0);
	bare_exit(125);
}
