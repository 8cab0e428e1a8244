/* A game played by action numbers: a row, a partial payment, and the numbers drawn for it. */

#ifndef VALLETTA_GAME_H
#define VALLETTA_GAME_H

#include "rollout.h"

enum { NO_ANSWER = -1, CHANCE_PLAYS = -1, NOBODY_PLAYS = -2, MOST_PAID = DISMISS - PAY - 1 };

/* `number` counts the games begun from this seed before, and `answers` what was answered in all of
 * them; `chance` draws for this one; `paid` are the parts of a payment so far; `answer` is the next
 * action; `mask` has a byte for each number, 1 if it is legal, up to whole words.  The result of a
 * finished game stays until the next action. */
enum { WORDS_OF_MASK = (NUMBERS + 7) / 8 };
typedef struct {
    Row row;
    uint64_t seed;
    uint64_t number;
    uint64_t answers;
    Rng chance;
    int64_t answer;
    int paid[GOODS];
    int parts;
    int points[MAX_PLAYERS];
    uint8_t winners;
    bool over;
    uint8_t mask[8 * WORDS_OF_MASK];
} Game;

/* Settings shared by all games of a batch. */
typedef struct {
    Table table;
    Row start;
    bool chance_is_outside;
    bool restarts;
} Course;

bool mark_legal(const Table *table, const Row *row, int parts, const int paid[GOODS],
                uint8_t mask[NUMBERS]);
bool reset_game(const Course *course, Game *game);
bool accepts(const Game *game);
bool continue_game(const Course *course, Game *game, Row *last);
int64_t pick_answer(const Game *game, uint64_t seed, uint64_t place);
int to_play(const Game *game);

#endif
