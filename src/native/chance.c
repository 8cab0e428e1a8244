/* Chance: outcomes drawn from a generator. */

#include "row.h"

/* Draw a number for the sum of some weights; negative if there are none or the generator failed. */
static int64_t ticket(uint64_t sum, Numbers number, void *source)
{
    int64_t drawn = sum ? number(source, sum) : -1;
    return drawn >= 0 && (uint64_t)drawn < sum ? drawn : -1;
}

/* Draw a card by a number, as `draw_weights` lists them; false if that failed. */
static bool draw_once(Row *row, Step prompt, Numbers number, void *source)
{
    const Bag *pile = &row->player[prompt.seat].draw_pile;
    int64_t left = ticket(pile->total, number, source);
    Kinds rest = left < 0 ? 0 : kinds_in(pile);
    if (!rest) {
        return false;
    }
    for (; left >= pile->of[first_kind(rest)]; rest = other_kinds(rest)) {
        left -= pile->of[first_kind(rest)];
    }
    draw(row, prompt, &(Action){DRAW_CARD + first_kind(rest), {{0}}});
    return true;
}

/* Resolve another chance prompt by a number drawn; false if that failed. */
static bool resolve_once(const Table *table, Row *row, Numbers number, void *source)
{
    uint16_t numbers[NUMBERS];
    uint64_t weights[NUMBERS], sum = 0;
    int count = chance_weights(table, row, numbers, weights), each = 0;
    for (int place = 0; place < count; place++) {
        sum += weights[place];
    }
    int64_t drawn = ticket(sum, number, source);
    if (drawn < 0) {
        return false;
    }
    uint64_t left = (uint64_t)drawn;
    while (left >= weights[each]) {
        left -= weights[each++];
    }
    Action action = {numbers[each], {{0}}};
    Step prompt = row->agenda[row->steps - 1];
    if (prompt.kind == DEAL_PROMPT) {
        deal(row, &action);
    } else { /* BARREL_PROMPT */
        reveal_barrel(row, prompt, &action);
    }
    return true;
}

/* Resolve chance prompts from a generator until a player is asked or the game is over.
 *
 * Takes one number for each prompt.  Returns false if the generator failed.
 */
bool resolve_chance(const Table *table, Row *row, Numbers number, void *source)
{
    while (row->steps && !row->fault) {
        Step prompt = row->agenda[row->steps - 1];
        int times = 1;
        switch (prompt.kind) {
        case DEAL_PROMPT:
            times = SITES[row->players] - row->dealt;
            break;
        case DRAW_PROMPT:
            times = cards_wanted(row, prompt);
            break;
        case BARREL_PROMPT:
            break;
        default:
            return true;
        }
        for (int time = 0; time < times; time++) {
            if (!(prompt.kind == DRAW_PROMPT ? draw_once(row, prompt, number, source)
                                             : resolve_once(table, row, number, source))) {
                return false;
            }
        }
        run(row);
    }
    return true;
}
