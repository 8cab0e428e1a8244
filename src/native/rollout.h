/* A counter-based random number generator, and random games that use it. */

#ifndef VALLETTA_ROLLOUT_H
#define VALLETTA_ROLLOUT_H

#include "row.h"

/* A splitmix64 generator: its key, and the count of numbers drawn. */
typedef struct {
    uint64_t key;
    uint64_t drawn;
} Rng;

/* The number of decisions after which a random game is abandoned.  No game comes close to it. */
enum { MOST_DECISIONS = 1 << 20 };

/* A victory counts as 12 parts, so that two, three or four winners can share it equally. */
enum { PARTS_OF_VICTORY = 12 };

/* Sums over games: for each seat, the parts of victories, the points, and the squares of the
 * points. */
typedef struct {
    uint64_t games, unfinished, decisions;
    uint64_t parts[MAX_PLAYERS], points[MAX_PLAYERS], squares[MAX_PLAYERS];
} Tally;

/* The state of a random game after a decision. */
typedef enum { GOES_ON, IS_OVER, IS_GIVEN_UP } Progress;

Rng generator(uint64_t seed, uint64_t number);
int64_t next_number(void *rng, uint64_t limit);
bool pick_action(const Table *table, const Row *row, Numbers draw, void *source, Action *action);
Progress decide_at_random(const Table *table, Row *row, Rng *rng, int *decisions);
void add_played(Tally *tally, const Table *table, const Row *row, Progress progress, int decisions);
void play_numbered(const Table *table, const Row *start, uint64_t seed, uint64_t number,
                   Tally *tally);
void add_tally(Tally *tally, const Tally *other);

#endif
