/* Rollouts of plans for some turns, as in `valletta_rules.bots.rollouts`. */

#include "search.h"

/* Return whether the hands of a position can be the ones that are hidden from a seat in another position. */
bool can_graft(const Row *row, const Row *world, int seat)
{
    for (int other = 0; other < row->players; other++) {
        const Player *player = &row->player[other], *drawn = &world->player[other];
        if (other == seat) {
            continue;
        }
        for (int card = 0; card < CHARACTERS; card++) {
            if (drawn->hand.of[card] > player->hand.of[card] + player->draw_pile.of[card]) {
                return false;
            }
        }
        if (drawn->hand.total != player->hand.total) {
            return false;
        }
    }
    return true;
}

/* Replace the hands that are hidden from a seat with those of another position. */
static void graft(Row *row, const Row *world, int seat)
{
    for (int other = 0; other < row->players; other++) {
        Player *player = &row->player[other];
        for (int card = 0; other != seat && card < CHARACTERS; card++) {
            int count = world->player[other].hand.of[card];
            player->draw_pile.of[card] += player->hand.of[card] - count;
            player->hand.of[card] = (uint8_t)count;
        }
    }
}

/* Play the best line of the player who must decide, and resolve chance. */
static Ending play_a_turn(Lines *lines, Row *row, Mersenne *luck)
{
    lines->seat = seat_to_answer(row);
    Ending ending = find_lines(lines, row);
    if (ending != FOUND) {
        return ending;
    }
    memcpy(row, &lines->nodes[lines->listed[0]].row, row_size(row));
    bool fits = resolve_chance(lines->valuer.table, row, draw_below, luck) && !row->fault;
    return fits ? FOUND : NO_ROOM;
}

/* Return the lead of a seat at the end of the game. */
static double final_lead(const Table *table, const Row *row, int seat)
{
    Score scores[MAX_PLAYERS];
    int points[MAX_PLAYERS], best = -1;
    score_sheet(table, row, scores);
    for (int each = 0; each < row->players; each++) {
        points[each] = scores[each].track + scores[each].buildings + scores[each].goods;
        best = each != seat && points[each] > best ? points[each] : best;
    }
    return points[seat] - best;
}

/* Continue from the end of a plan in a world, and store the lead. */
Ending try_plan(const Plans *plans, int number)
{
    Lines lines = plans->lines;
    int world = number % plans->worlds, seat = lines.seat;
    Mersenne luck = plans->luck[world];
    Row row = plans->end[number / plans->worlds];
    Ending ending = FOUND;
    graft(&row, &plans->world[world], seat);
    if (!resolve_chance(lines.valuer.table, &row, draw_below, &luck) || row.fault) {
        return NO_ROOM;
    }
    for (int turn = 0; ending == FOUND && row.steps && turn < plans->turns;) {
        turn += seat_to_answer(&row) == seat;
        ending = play_a_turn(&lines, &row, &luck);
    }
    if (ending == FOUND) {
        plans->lead[number] = row.steps ? expected_lead(&lines.valuer, &row, seat)
                                        : final_lead(lines.valuer.table, &row, seat);
    }
    free_lines(&lines);
    return ending;
}
