/* claim.c: the kernels that are claimed in turn, and what has to follow from each.
 * It must never ask the product: what follows is derived from the table of levels. */
#include "claim.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

#define CONFIG "CONFIG_SECURITY_LANDLOCK"
#define BOOT "lsm="
#define PROFILE "profile"

static const struct claim claims[] = {
	{ "as it is", -1, NULL, 0, { NULL }, NULL },
	{ "abi 1", 1, NULL, 0, { NULL }, NULL },
	{ "abi 2", 2, NULL, 0, { NULL }, NULL },
	{ "abi 3", 3, NULL, 0, { NULL }, NULL },
	{ "abi 4", 4, NULL, 0, { NULL }, NULL },
	{ "abi 5", 5, NULL, 0, { NULL }, NULL },
	{ "abi 6", 6, NULL, 0, { NULL }, NULL },
	{ "abi 7", 7, NULL, 0, { NULL }, NULL },
	{ "abi 8", 8, NULL, 0, { NULL }, NULL },
	{ "abi 9", 9, NULL, 0, { NULL }, NULL },
	{ "abi 10", 10, NULL, 0, { NULL }, NULL },
	{ "abi 11", 11, NULL, 0, { NULL }, NULL },
	{ "abi 12", 12, NULL, 0, { NULL }, NULL },
	{ "abi 99", 99, NULL, 0, { NULL }, NULL },
	{ "not built in", 0, "ENOSYS", ENOSYS, { NULL }, CONFIG },
	{ "disabled at boot", 0, "EOPNOTSUPP", EOPNOTSUPP, { NULL }, BOOT },
	{ "blocked with EPERM", 0, "EPERM", EPERM, { NULL }, PROFILE },
	{ "blocked with EACCES", 0, "EACCES", EACCES, { NULL }, PROFILE },
	/* RHEL 9 since 5.14.0-603.el9. */
	{ "abi 6 that refuses signal", 6, NULL, 0, { "signal" }, NULL },
	{ "abi 7 that refuses signal", 7, NULL, 0, { "signal" }, NULL },
	{ "abi 7 that refuses both scopes",
	  7,
	  NULL,
	  0,
	  { "signal", "abstract-unix-socket" },
	  NULL },
	{ "abi 7 that refuses ioctl-dev", 7, NULL, 0, { "ioctl-dev" }, NULL },
	{ "abi 7 that refuses truncate", 7, NULL, 0, { "truncate" }, NULL },
	{ "abi 7 that refuses refer", 7, NULL, 0, { "refer" }, NULL },
	{ "abi 7 that refuses bind-tcp", 7, NULL, 0, { "bind-tcp" }, NULL },
	{ "abi 7 that refuses TCP", 7, NULL, 0, { "bind-tcp", "connect-tcp" }, NULL },
	{ "abi 7 that refuses execute", 7, NULL, 0, { "execute" }, NULL },
	{ "abi 7 that refuses three", 7, NULL, 0, { "refer", "truncate", "ioctl-dev" }, NULL },
	{ "abi 5 that refuses connect-tcp", 5, NULL, 0, { "connect-tcp" }, NULL },
	{ "abi 5 that refuses make-sym and signal", 5, NULL, 0, { "make-sym", "signal" }, NULL },
	{ "abi 3 that refuses truncate", 3, NULL, 0, { "truncate" }, NULL },
	{ "abi 1 that refuses make-block", 1, NULL, 0, { "make-block" }, NULL },
};

/* The first Linux with each ABI, from the kernel's documentation. */
static const char *const linux_of[] = {
	NULL,   "5.13", "5.19", "6.2", "6.7", "6.10", "6.12",
	"6.15", "7.0",  "7.1",  "7.2", "7.3", "7.4",
};

const struct claim *claim_at(size_t index)
{
	return index < COUNT(claims) ? &claims[index] : NULL;
}

int claim_real_abi(void)
{
	long abi = syscall(SYS_landlock_create_ruleset, NULL, 0, LEVEL_CREATE_VERSION);

	return abi < 0 ? 0 : (int)abi;
}

void claim_arguments(const struct claim *claim, const char *simulate, const char *arguments[16])
{
	static char number[16];
	int count = 0;

	arguments[0] = NULL;
	if (claim->abi < 0)
		return;
	snprintf(number, sizeof(number), "%d", claim->abi);
	arguments[count++] = simulate;
	arguments[count++] = "--abi";
	arguments[count++] = claim->error != NULL ? claim->error : number;
	for (size_t i = 0; i < CLAIM_RIGHTS && claim->refuses[i] != NULL; i++) {
		arguments[count++] = "--refuse";
		arguments[count++] = claim->refuses[i];
	}
	arguments[count++] = "--";
	arguments[count] = NULL;
}

int claim_abi(const struct claim *claim)
{
	return claim->abi < 0 ? claim_real_abi() : claim->abi;
}

bool claim_governs(const struct claim *claim, const struct level_right *right)
{
	for (size_t i = 0; i < CLAIM_RIGHTS && claim->refuses[i] != NULL; i++)
		if (strcmp(claim->refuses[i], right->name) == 0)
			return false;
	return claim_abi(claim) >= right->since;
}

uint64_t claim_bit(const struct level_right *right)
{
	static const unsigned int first_bit[LEVEL_FIELDS] = {
		[LEVEL_FS] = 0,
		[LEVEL_NET] = 32,
		[LEVEL_SCOPE] = 48,
		[LEVEL_PERMISSIONS] = 56,
	};

	return UINT64_C(1) << (first_bit[right->field] + right->bit);
}

uint64_t claim_governed(const struct claim *claim)
{
	const struct level_right *right;
	uint64_t governed = 0;

	for (size_t i = 0; (right = level_right(i)) != NULL; i++)
		if (claim_governs(claim, right))
			governed |= claim_bit(right);
	return governed;
}

uint64_t claim_file_set(void)
{
	return 0xffff;
}

bool claim_partial(const struct claim *claim, uint64_t wanted)
{
	return ((wanted | claim_file_set()) & ~claim_governed(claim)) != 0;
}

const char *claim_first(uint64_t rights)
{
	const struct level_right *right;

	for (size_t i = 0; (right = level_right(i)) != NULL; i++)
		if (rights & claim_bit(right))
			return right->name;
	return NULL;
}

const char *claim_needs(int abi)
{
	static char text[32];

	snprintf(text, sizeof(text), "ABI %d, Linux %s", abi, linux_of[abi]);
	return text;
}
