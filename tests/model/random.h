/* random.h: numbers that are the same wherever their seed is.
 * It must never depend on the machine, the libc or the clock. */
#ifndef RANDOM_H
#define RANDOM_H

#include <stdbool.h>
#include <stdint.h>

struct random {
	uint64_t state;
};

static inline uint64_t random_next(struct random *random)
{
	uint64_t mixed = random->state += UINT64_C(0x9e3779b97f4a7c15);

	mixed = (mixed ^ (mixed >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	mixed = (mixed ^ (mixed >> 27)) * UINT64_C(0x94d049bb133111eb);
	return mixed ^ (mixed >> 31);
}

/* One of 0 to count - 1; 0 of none. */
static inline unsigned int random_below(struct random *random, unsigned int count)
{
	uint64_t number = random_next(random);

	return count == 0 ? 0 : (unsigned int)(number % count);
}

/* True in so many of a hundred cases. */
static inline bool random_chance(struct random *random, unsigned int percent)
{
	return random_below(random, 100) < percent;
}

#endif
