/* Random numbers from a counter, and random games with these numbers. */

#include "rollout.h"

/* Mix the bits of a number, as splitmix64 does. */
static uint64_t mixed(uint64_t bits)
{
    bits = (bits ^ bits >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    bits = (bits ^ bits >> 27) * UINT64_C(0x94D049BB133111EB);
    return bits ^ bits >> 31;
}

/* Return the generator for the game with a number, from 0, of a seed. */
Rng generator(uint64_t seed, uint64_t number)
{
    return (Rng){mixed(mixed(seed) + number), 0};
}

/* Draw the next random number of a generator, uniformly from 0 to `limit` - 1. */
int64_t next_number(void *rng, uint64_t limit)
{
    Rng *source = rng;
    uint64_t bits;
    do { /* reject the lowest numbers, so that all remainders are equally likely */
        bits = mixed(source->key + ++source->drawn * UINT64_C(0x9E3779B97F4A7C15));
    } while (bits < limit && bits < -limit % limit);
    return (int64_t)(bits % limit);
}

/* Choose one of the payments of a prompt uniformly; return false if there is none. */
static bool pick_payment(const Row *row, Step prompt, Numbers draw, void *source, Action *action)
{
    const uint16_t *goods = row->player[prompt.seat].goods;
    int64_t by_gold[MOST_GOLD + 1];
    int64_t count = count_payments(prompt.goods, goods, by_gold);
    int64_t place = count ? draw(source, (uint64_t)count) : -1;
    if (place < 0) {
        return false;
    }
    action->number = PAY;
    nth_payment(prompt.goods, goods, by_gold, place, action->goods.of);
    return true;
}

/* Choose one of the legal actions of a player uniformly; each payment counts as one action.
 *
 * The generator is called once.  Return false if no action is legal, or if the generator fails. */
bool pick_action(const Table *table, const Row *row, Numbers draw, void *source, Action *action)
{
    uint16_t numbers[NUMBERS];
    Step prompt = row->agenda[row->steps - 1];
    if (prompt.kind == PAYMENT_PROMPT) {
        return pick_payment(row, prompt, draw, source, action);
    }
    int count = legal_actions(table, row, numbers);
    int64_t place = count ? draw(source, (uint64_t)count) : -1;
    if (place < 0) {
        return false;
    }
    *action = (Action){numbers[place], {{0}}};
    return true;
}

/* Play one random decision of a game: chance by its probabilities, then a player by `pick_action`.
 *
 * A game is given up if a row cannot hold it, if no action is legal, or after too many decisions.
 */
Progress decide_at_random(const Table *table, Row *row, Rng *rng, int *decisions)
{
    Action action;
    if (!resolve_chance(table, row, next_number, rng) || row->fault) {
        return IS_GIVEN_UP;
    }
    if (!row->steps) {
        return IS_OVER;
    }
    if (*decisions == MOST_DECISIONS || !pick_action(table, row, next_number, rng, &action)) {
        return IS_GIVEN_UP;
    }
    ++*decisions;
    apply(table, row, &action);
    return GOES_ON;
}

/* Add the result of a game to a tally. */
static void add_game(Tally *tally, const Table *table, const Row *row)
{
    Score scores[MAX_PLAYERS];
    int clause, first, together = 0;
    score_sheet(table, row, scores);
    first = winners(row->players, scores, &clause);
    for (int seat = 0; seat < row->players; seat++) {
        together += first >> seat & 1;
    }
    for (int seat = 0; seat < row->players; seat++) {
        uint64_t points =
            (uint64_t)(scores[seat].track + scores[seat].buildings + scores[seat].goods);
        tally->parts[seat] += first >> seat & 1 ? (uint64_t)(PARTS_OF_VICTORY / together) : 0;
        tally->points[seat] += points;
        tally->squares[seat] += points * points;
    }
}

/* Add a game that is over or given up after some decisions to a tally. */
void add_played(Tally *tally, const Table *table, const Row *row, Progress progress, int decisions)
{
    tally->games++;
    if (progress == IS_OVER) {
        tally->decisions += (uint64_t)decisions;
        add_game(tally, table, row);
    } else {
        tally->unfinished++;
    }
}

/* Play the game with a number of a seed from a position to its end, and add its result to a tally. */
void play_numbered(const Table *table, const Row *start, uint64_t seed, uint64_t number,
                   Tally *tally)
{
    Rng rng = generator(seed, number);
    Row row = *start;
    int decisions = 0;
    Progress progress;
    do {
        progress = decide_at_random(table, &row, &rng, &decisions);
    } while (progress == GOES_ON);
    add_played(tally, table, &row, progress, decisions);
}

/* Add a tally to another. */
void add_tally(Tally *tally, const Tally *other)
{
    tally->games += other->games;
    tally->unfinished += other->unfinished;
    tally->decisions += other->decisions;
    for (int seat = 0; seat < MAX_PLAYERS; seat++) {
        tally->parts[seat] += other->parts[seat];
        tally->points[seat] += other->points[seat];
        tally->squares[seat] += other->squares[seat];
    }
}
