/* The final phase: how it is triggered, how it begins, how the game ends.
 *
 * Rules: FIN-8, FIN-18, FIN-19
 */

#include "row.h"

/* Return the conditions for the final phase that are fulfilled, with a bit for each.
 *
 * Rules: FIN-1, FIN-2, FIN-3
 */
/*@ requires readable(row);
    assigns \nothing;
    ensures FIN_1: is_met(\result, LAST_BARREL) <==> row->valette == LAST_SPACE;
    ensures FIN_2: is_met(\result, SCORE) <==> \exists integer seat; 0 <= seat < row->players &&
      row->player[seat].score >= TRIGGERING_SCORE;
    ensures FIN_3: is_met(\result, HOUSES) <==> \exists integer seat; 0 <= seat < row->players &&
      houses(row, seat) >= HOUSES_PER_PLAYER;
    ensures \result < 8;
*/
unsigned end_conditions(const Row *row)
{
    unsigned has_points = 0, has_built_all = 0;
    /*@ loop invariant 0 <= seat <= row->players && has_points <= 1 && has_built_all <= 1;
        loop invariant has_points == 1 <==> \exists integer each; 0 <= each < seat &&
          row->player[each].score >= TRIGGERING_SCORE;
        loop invariant has_built_all == 1 <==> \exists integer each; 0 <= each < seat &&
          houses(row, each) >= HOUSES_PER_PLAYER;
        loop assigns seat, has_points, has_built_all;
        loop variant row->players - seat;
    */
    for (int seat = 0; seat < row->players; seat++) {
        const Player *player = &row->player[seat];
        has_points = player->score >= TRIGGERING_SCORE ? 1 : has_points;
        has_built_all = count_sites(player->built) >= HOUSES_PER_PLAYER ? 1 : has_built_all;
    }
    return (row->valette == LAST_SPACE ? 1u << LAST_BARREL : 0) + has_points * (1u << SCORE)
        + has_built_all * (1u << HOUSES);
}

/* The final phase begins: everybody's discard pile joins the draw pile; hands stay.
 *
 * Rules: FIN-4, FIN-5, FIN-6
 */
static void begin(Row *row)
{
    TELL(row, FINAL_PHASE_BEGAN, 0, 0, 0, UNTOLD);
    for (int seat = 0; seat < row->players; seat++) {
        join_discard_pile(&row->player[seat]);
    }
    row->phase = FINAL;
}

/* After a turn of the main phase, refill included, the final phase begins if triggered.
 *
 * Rules: FIN-4
 */
void begin_if_triggered(Row *row)
{
    if (row->phase == MAIN && end_conditions(row)) {
        begin(row);
    }
}

/* The game ends: nobody has a card left to play, and no turns are made up for.
 *
 * Rules: FIN-16, FIN-17
 */
/*@ requires \valid(row);
    assigns row->phase;
    ensures FIN_16: row->phase == OVER;
*/
void end(Row *row)
{
    row->phase = OVER;
    TELL(row, GAME_ENDED, 0, 0, 0, UNTOLD);
}
