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

/* A victory is shared by up to four: twelve parts can be divided among them. */
enum { PARTS_OF_VICTORY = 12 };

/* The results of some games, added up: for each seat its parts of victories, points, and squares of
 * points. */
typedef struct {
    uint64_t games, unfinished, decisions;
    uint64_t parts[MAX_PLAYERS], points[MAX_PLAYERS], squares[MAX_PLAYERS];
} Tally;

/* What a game at random comes to by a decision. */
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
