/* A game by action numbers: legal masks and steps. */

#include "game.h"

#include <string.h>

/* The possible next parts of a payment after the given ones. */
typedef struct {
    int parts;
    int count;
    uint16_t *numbers;
} Begun;

/* List the next part of a payment; payments that differ only in later parts are skipped. */
static int list_part(void *collection, const int paid[GOODS])
{
    Begun *begun = collection;
    for (int good = 0; good < GOODS; good++) {
        if (paid[good] > MOST_PAID) {
            return BRICK;
        }
    }
    begun->numbers[begun->count++] = (uint16_t)(PAY + paid[begun->parts]);
    return begun->parts;
}

/* List the legal numbers in ascending order, after some parts of a payment; return their count. */
int list_legal(const Table *table, const Row *row, int parts, const int paid[GOODS],
               uint16_t numbers[NUMBERS])
{
    if (!row->steps || row->agenda[row->steps - 1].kind != PAYMENT_PROMPT) {
        return legal_actions(table, row, numbers);
    }
    Step prompt = row->agenda[row->steps - 1];
    uint16_t goods[GOODS]; /* exactly the given amount of a good whose part has been given */
    for (int good = 0; good < GOODS; good++) {
        goods[good] = good < parts ? (uint16_t)paid[good] : row->player[prompt.seat].goods[good];
    }
    Begun begun = {parts, 0, numbers};
    payments(prompt.goods, goods, parts, list_part, &begun);
    return begun.count;
}

/* Set the byte of each listed number in a mask. */
void mark(const uint16_t *numbers, int count, uint8_t mask[NUMBERS])
{
    memset(mask, 0, NUMBERS);
    for (int place = 0; place < count; place++) {
        mask[numbers[place]] = 1;
    }
}

/* List the legal numbers of a game; return false if there are none although the game is not over. */
static bool list_next(const Course *course, Game *game)
{
    uint16_t numbers[NUMBERS];
    int count = list_legal(&course->table, &game->row, game->parts, game->paid, numbers);
    game->legal_count = (uint16_t)count;
    memcpy(game->legal, numbers, (size_t)count * sizeof *numbers);
    return count || !game->row.steps;
}

/* Resolve chance, if the batch does so, and list the legal numbers.
 *
 * Return false if the game cannot continue: it stops, and accepts no further number. */
static bool settle(const Course *course, Game *game)
{
    Row *row = &game->row;
    if (!course->chance_is_outside
        && !resolve_chance(&course->table, row, next_number, &game->chance)) {
        row->fault = 1;
    }
    if (row->fault || !list_next(course, game)) {
        row->fault = 1;
        game->legal_count = 0;
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

/* Begin the game with its seed and its number; return whether it can continue. */
static bool begin_game(const Course *course, Game *game)
{
    game->row = course->start;
    game->chance = generator(game->seed, game->number);
    game->parts = 0;
    return settle(course, game);
}

/* Begin the first game of a seed; return whether it can continue. */
bool reset_game(const Course *course, Game *game)
{
    uint64_t seed = game->seed;
    memset(game, 0, sizeof *game);
    game->seed = seed;
    if (!begin_game(course, game)) {
        return false;
    }
    if (!game->row.steps) { /* the game was over except for chance */
        finish(course, game);
    }
    return true;
}

/* Return whether a game accepts its given action. */
bool accepts(const Game *game)
{
    if (!game->row.steps || game->row.fault) {
        return game->answer == NO_ANSWER;
    }
    for (int place = 0; place < game->legal_count; place++) {
        if (game->legal[place] == game->answer) {
            return true;
        }
    }
    return false;
}

/* Apply an accepted action; return whether the game can continue.
 *
 * A game that is then over begins again if restarts are enabled, and its last row is stored.
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
            return list_next(course, game);
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

/* Choose one of the legal numbers uniformly; return `NO_ANSWER` if there is none.
 *
 * The choice depends on the seed, the place of the game and its count of answers.  Games are numbered from
 * 0 upwards, so that no game with this seed draws from the same generator.
 */
int64_t pick_answer(const Game *game, uint64_t seed, uint64_t place)
{
    Rng rng = generator(seed, ~place);
    if (!game->legal_count) {
        return NO_ANSWER;
    }
    rng.drawn = game->answers;
    return game->legal[next_number(&rng, game->legal_count)];
}

/* Return the seat that must decide, or a code for chance or for no seat. */
int to_play(const Game *game)
{
    return game->row.fault ? NOBODY_PLAYS : valletta_asked(&game->row);
}

/* Return the reward of a seat: 1 for the winner of a finished game, divided among several winners. */
float reward(const Game *game, int seat)
{
    return game->winners >> seat & 1 ? 1.0F / (float)__builtin_popcount(game->winners) : 0.0F;
}

/* Return the number of bytes of a result that a game can return. */
size_t result_size(int kind, int players)
{
    size_t view_size = columns(players) * sizeof(int16_t), seats = (size_t)players;
    const size_t sizes[] = {NUMBERS, 1, 1, seats * sizeof(float), seats * sizeof(int), view_size,
                            seats * view_size, sizeof(int64_t)};
    return sizes[kind];
}

/* Write a result of a game, except masks and views; the address may be unaligned.
 *
 * A sample depends on the seed and on the place of the game. */
void write_result(const Game *game, int players, int kind, uint64_t seed, uint64_t place,
                  void *into)
{
    int8_t seat;
    float rewards[MAX_PLAYERS];
    int64_t number;
    switch (kind) {
    case TO_PLAY:
        seat = (int8_t)to_play(game);
        memcpy(into, &seat, 1);
        break;
    case DONE:
        memcpy(into, &game->over, 1);
        break;
    case REWARDS:
        for (int each = 0; each < players; each++) {
            rewards[each] = reward(game, each);
        }
        memcpy(into, rewards, (size_t)players * sizeof *rewards);
        break;
    case SCORES:
        memcpy(into, game->points, (size_t)players * sizeof *game->points);
        break;
    default: /* SAMPLE */
        number = pick_answer(game, seed, place);
        memcpy(into, &number, sizeof number);
        break;
    }
}

/* Write the view of a seat or a spectator, as `encode` does; only the payer's view has the parts of a
 * payment.
 *
 * The view of a stopped game consists of zeros. */
void observe(const Course *course, const Described *described, const Game *game, int viewer,
             const Row *before, int last_viewer, int16_t *into)
{
    if (!game->row.players || game->row.fault) {
        memset(into, 0, columns(course->table.players) * sizeof *into);
        return;
    }
    int parts = game->parts && viewer == to_play(game) ? game->parts : 0;
    encode(&course->table, described, &game->row, viewer, parts, game->paid, before,
           last_viewer, into);
}

/* Return the viewer of a game that is shown to the seat that must decide: a spectator if there is no such
 * seat. */
int viewer_of(const Game *game)
{
    int seat = to_play(game);
    return seat < 0 ? SPECTATOR : seat;
}

/* Return whether the answer of a game is a part of a payment other than the last: the row then does not
 * change. */
static bool answers_in_part(const Game *game)
{
    return game->row.steps && game->row.agenda[game->row.steps - 1].kind == PAYMENT_PROMPT
        && game->parts + 1 < GOODS;
}

/* Apply an accepted action as `continue_game` does, and update the previous view and mask of the seat that
 * must decide. */
bool continue_and_update(const Course *course, const Described *described, Game *game, Row *last,
                         int16_t *view, uint8_t mask[NUMBERS])
{
    Row before;
    uint64_t number = game->number;
    int last_viewer = viewer_of(game);
    bool is_part = answers_in_part(game);
    if (!is_part) {
        memcpy(&before, &game->row, offsetof(Row, player) + game->row.players * sizeof(Player));
    }
    for (int place = 0; place < game->legal_count; place++) {
        mask[game->legal[place]] = 0;
    }
    bool goes_on = continue_game(course, game, last);
    if (is_part) {
        encode_partial_payment(game->parts, game->paid, view);
    } else {
        observe(course, described, game, viewer_of(game), game->number == number ? &before : NULL,
                last_viewer, view);
    }
    for (int place = 0; place < game->legal_count; place++) {
        mask[game->legal[place]] = 1;
    }
    return goes_on;
}
