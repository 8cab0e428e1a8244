/* A game played by action numbers: a row, a partial payment, and the numbers drawn for it. */

#ifndef VALLETTA_GAME_H
#define VALLETTA_GAME_H

#include "rollout.h"

/* The maximum number of legal action numbers: all kinds in hand and supply, all sites, or all parts
 * of a payment. */
enum { MOST_LEGAL = 2 * MAX_KINDS + 1 };
_Static_assert(MOST_LEGAL > 2 * MAX_SITES && MOST_LEGAL >= DISMISS - PAY
                   && MOST_LEGAL >= DRAW_CARD - DEAL_BUILDING,
               "the array is long enough for all legal numbers");

enum { NO_ANSWER = -1, CHANCE_PLAYS = -1, NOBODY_PLAYS = -2, MOST_PAID = DISMISS - PAY - 1 };

/* The results that can be read from a game.  `OBSERVATION` is the view of the seat that must
 * decide; `OBSERVATIONS` are the views of all seats. */
enum { MASK, TO_PLAY, DONE, REWARDS, SCORES, OBSERVATION, OBSERVATIONS, SAMPLE };

/* A game.  `number` counts the earlier games with this seed, and `answers` the answers in all games
 * with this seed; `chance` is the generator of this game; `paid` contains the parts of a payment so
 * far; `answer` is the next action number; `legal` contains the legal action numbers in ascending
 * order.  The result of a finished game stays until the next action. */
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
    uint16_t legal_count;
    uint16_t legal[MOST_LEGAL];
} Game;

/* Settings shared by all games of a batch. */
typedef struct {
    Table table;
    Row start;
    bool chance_is_outside;
    bool restarts;
} Course;

int list_legal(const Table *table, const Row *row, int parts, const int paid[GOODS],
               uint16_t numbers[NUMBERS]);
void mark(const uint16_t *numbers, int count, uint8_t mask[NUMBERS]);
bool reset_game(const Course *course, Game *game);
bool accepts(const Game *game);
bool continue_game(const Course *course, Game *game, Row *last);
int64_t pick_answer(const Game *game, uint64_t seed, uint64_t place);
int to_play(const Game *game);
int viewer_of(const Game *game);
float reward(const Game *game, int seat);
size_t result_size(int kind, int players);
void write_result(const Game *game, int players, int kind, uint64_t seed, uint64_t place,
                  void *into);
void observe(const Course *course, const Described *described, const Game *game, int viewer,
             const Row *before, int last_viewer, int16_t *into);
bool continue_and_update(const Course *course, const Described *described, Game *game, Row *last,
                         int16_t *view, uint8_t mask[NUMBERS]);

#endif
