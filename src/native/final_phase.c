/* The final phase: how it is triggered, how it begins, how the game ends.
 *
 * Rules: FIN-8, FIN-18, FIN-19
 */

#include "row.h"

/* Tell whether a condition for the final phase is fulfilled.
 *
 * Rules: FIN-1, FIN-2, FIN-3
 */
bool end_conditions(const Row *row)
{
    if (row->valette == LAST_SPACE) {
        return true;
    }
    for (int seat = 0; seat < row->players; seat++) {
        const Player *player = &row->player[seat];
        if (player->score >= TRIGGERING_SCORE || count_sites(player->built) >= HOUSES_PER_PLAYER) {
            return true;
        }
    }
    return false;
}

/* The final phase begins: everybody's discard pile joins the draw pile; hands stay.
 *
 * Rules: FIN-4, FIN-5, FIN-6
 */
static void begin(Row *row)
{
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
}
