/* A game by action numbers: legal masks and steps. */

#include "game.h"

#include <string.h>

/* The mask of a payment of which some parts have been given. */
typedef struct {
    int parts;
    uint8_t *mask;
} Begun;

/* Mark the next part of a payment; payments that differ only in later parts are skipped. */
static int mark_part(void *collection, const int paid[GOODS])
{
    const Begun *begun = collection;
    for (int good = 0; good < GOODS; good++) {
        if (paid[good] > MOST_PAID) {
            return BRICK;
        }
    }
    begun->mask[PAY + paid[begun->parts]] = 1;
    return begun->parts;
}

/* Mark the legal numbers, after some parts of a payment; false if there is none though the game is
 * not over. */
bool mark_legal(const Table *table, const Row *row, int parts, const int paid[GOODS],
                uint8_t mask[NUMBERS])
{
    memset(mask, 0, NUMBERS);
    if (!row->steps) {
        return true;
    }
    Step prompt = row->agenda[row->steps - 1];
    if (prompt.kind == PAYMENT_PROMPT) {
        uint16_t goods[GOODS]; /* of a good already given, exactly that amount */
        for (int good = 0; good < GOODS; good++) {
            goods[good] =
                good < parts ? (uint16_t)paid[good] : row->player[prompt.seat].goods[good];
        }
        Begun begun = {parts, mask};
        payments(prompt.goods, goods, parts, mark_part, &begun);
        return memchr(mask, 1, NUMBERS);
    }
    uint16_t numbers[NUMBERS];
    int count = legal_actions(table, row, numbers);
    for (int place = 0; place < count; place++) {
        mask[numbers[place]] = 1;
    }
    return count;
}

/* Mark what is legal in a game; false if it is not over and nothing is. */
static bool mark_next(const Course *course, Game *game)
{
    return mark_legal(&course->table, &game->row, game->parts, game->paid, game->mask);
}

/* Resolve chance, if it is inside, and mark what is legal then; false if the game cannot go on: it
 * stops, and accepts nothing more. */
static bool settle(const Course *course, Game *game)
{
    Row *row = &game->row;
    if (!course->chance_is_outside
        && !resolve_chance(&course->table, row, next_number, &game->chance)) {
        row->fault = 1;
    }
    if (row->fault || !mark_next(course, game)) {
        row->fault = 1;
        memset(game->mask, 0, sizeof game->mask);
    }
    return !row->fault;
}

/* Record the result of a game. */
static void finish(const Course *course, Game *game)
{
    Score scores[MAX_PLAYERS];
    int clause;
    score_sheet(&course->table, &game->row, scores);
    game->winners = winners(game->row.players, scores, &clause);
    for (int seat = 0; seat < game->row.players; seat++) {
        game->points[seat] = scores[seat].track + scores[seat].buildings + scores[seat].goods;
    }
    game->over = true;
}

/* Begin the game given by the seed and the number of games; tell whether it can go on. */
static bool begin_game(const Course *course, Game *game)
{
    game->row = course->start;
    game->chance = generator(game->seed, game->number);
    game->parts = 0;
    return settle(course, game);
}

/* Begin the first game of a seed; tell whether it can go on. */
bool reset_game(const Course *course, Game *game)
{
    uint64_t seed = game->seed;
    memset(game, 0, sizeof *game);
    game->seed = seed;
    if (!begin_game(course, game)) {
        return false;
    }
    if (!game->row.steps) { /* only chance was still to be resolved */
        finish(course, game);
    }
    return true;
}

/* Tell whether a game accepts the action it was given. */
bool accepts(const Game *game)
{
    if (!game->row.steps || game->row.fault) {
        return game->answer == NO_ANSWER;
    }
    return game->answer >= 0 && game->answer < NUMBERS && game->mask[game->answer];
}

/* Apply an accepted action; tell whether the game can go on.
 *
 * A game that is then over begins anew, if restarts are on, and keeps its last row.
 */
bool continue_game(const Course *course, Game *game, Row *last)
{
    Action action = {(int)game->answer, {{0}}};
    if (game->answer == NO_ANSWER) {
        return true;
    }
    game->answers++;
    memset(game->points, 0, sizeof game->points);
    game->winners = 0;
    game->over = false;
    if (game->row.agenda[game->row.steps - 1].kind == PAYMENT_PROMPT) {
        game->paid[game->parts++] = action.number - PAY;
        if (game->parts < GOODS) {
            return mark_next(course, game);
        }
        action.number = PAY;
        memcpy(action.goods.of, game->paid, sizeof game->paid);
        game->parts = 0;
    }
    apply(&course->table, &game->row, &action);
    if (!settle(course, game)) {
        return false;
    }
    if (game->row.steps) {
        return true;
    }
    finish(course, game);
    if (!course->restarts) {
        return true;
    }
    *last = game->row;
    game->number++;
    return begin_game(course, game);
}

/* Return how many numbers are legal among the eight of a word. */
static int legal_in_word(const uint8_t *word)
{
    uint64_t bytes;
    memcpy(&bytes, word, sizeof bytes);
    return (int)(bytes * UINT64_C(0x0101010101010101) >> 56);
}

/* Pick one of the legal numbers, all of them equally likely; `NO_ANSWER` if there is none.
 *
 * What is picked depends on the seed, the place and the count of answers: games have numbers from 0
 * up, so that no game of a seed draws from the same generator.
 */
int64_t pick_answer(const Game *game, uint64_t seed, uint64_t place)
{
    Rng rng = generator(seed, ~place);
    int count = 0, number = 0;
    for (int word = 0; word < WORDS_OF_MASK; word++) {
        count += legal_in_word(game->mask + 8 * word);
    }
    if (!count) {
        return NO_ANSWER;
    }
    rng.drawn = game->answers;
    int left = (int)next_number(&rng, (uint64_t)count);
    while (left >= legal_in_word(game->mask + number)) {
        left -= legal_in_word(game->mask + number);
        number += 8;
    }
    while (left || !game->mask[number]) {
        left -= game->mask[number++];
    }
    return number;
}

/* Return who is to play: a seat, chance or nobody. */
int to_play(const Game *game)
{
    if (!game->row.steps || game->row.fault) {
        return NOBODY_PLAYS;
    }
    Step prompt = game->row.agenda[game->row.steps - 1];
    return prompt.kind <= BARREL_PROMPT ? CHANCE_PLAYS : prompt.seat;
}
