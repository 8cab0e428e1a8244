/* Numbers from a counter, and games played by them at random. */

#ifndef VALLETTA_ROLLOUT_H
#define VALLETTA_ROLLOUT_H

#include "row.h"

/* A generator: splitmix64 from a key, of which so many numbers have been drawn. */
typedef struct {
    uint64_t key;
    uint64_t drawn;
} Rng;

/* A game at random that has made this many decisions is given up: none comes near. */
enum { MOST_DECISIONS = 1 << 20 };

Rng generator(uint64_t seed, uint64_t number);
int64_t next_number(void *rng, uint64_t limit);
bool pick_action(const Table *table, const Row *row, Numbers draw, void *source, Action *action);
bool play_out(const Table *table, Row *row, Rng *rng, int *decisions);

#endif
