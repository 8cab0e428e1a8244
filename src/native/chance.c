/* Chance: outcomes drawn from a generator. */

#include "row.h"

/* Resolve one chance prompt by a number drawn; false if that failed. */
static bool resolve_once(const Table *table, Row *row, Numbers number, void *source)
{
    uint16_t numbers[NUMBERS];
    uint64_t weights[NUMBERS], sum = 0;
    int count = chance_weights(table, row, numbers, weights), each = 0;
    for (int place = 0; place < count; place++) {
        sum += weights[place];
    }
    if (!sum) {
        return false;
    }
    int64_t drawn = number(source, sum);
    if (drawn < 0 || (uint64_t)drawn >= sum) {
        return false;
    }
    uint64_t ticket = (uint64_t)drawn;
    while (ticket >= weights[each]) {
        ticket -= weights[each++];
    }
    Action action = {numbers[each], {{0}}};
    switch (row->agenda[row->steps - 1].kind) {
    case DEAL_PROMPT:
        deal(row, &action);
        break;
    case DRAW_PROMPT:
        draw(row, row->agenda[row->steps - 1], &action);
        break;
    default: /* BARREL_PROMPT */
        reveal_barrel(row, row->agenda[row->steps - 1], &action);
        break;
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
            if (!resolve_once(table, row, number, source)) {
                return false;
            }
        }
        run(row);
    }
    return true;
}
