/* The final phase: how it is triggered, how it begins, how the game ends.
 *
 * Rules: FIN-8, FIN-18, FIN-19
 */

#include "row.h"

/* Return the conditions for the final phase that are fulfilled, with a bit for each.
 *
 * Rules: FIN-1, FIN-2, FIN-3
 */
unsigned end_conditions(const Row *row)
{
    unsigned found = (unsigned)(row->valette == LAST_SPACE) << LAST_BARREL;
    for (int seat = 0; seat < row->players; seat++) {
        const Player *player = &row->player[seat];
        bool has_points = player->score >= TRIGGERING_SCORE;
        bool has_built_all = count_sites(player->built) >= HOUSES_PER_PLAYER;
        found |= (unsigned)has_points << SCORE | (unsigned)has_built_all << HOUSES;
    }
    return found;
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
    ensures row->phase == OVER;
*/
void end(Row *row)
{
    row->phase = OVER;
    TELL(row, GAME_ENDED, 0, 0, 0, UNTOLD);
}
