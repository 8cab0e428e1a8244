/* Scoring: the final scoring and the winner. */

#include "row.h"

/* Return one point for every three goods, in any mix and rounded down.
 *
 * Rules: SCO-7
 */
/*@ requires \valid_read(goods + (0 .. GOODS - 1));
    assigns \nothing;
    ensures SCO_7: \result == (goods[GOLD] + goods[WOOD] + goods[STONE] + goods[BRICK]) / GOODS_PER_POINT;
*/
int goods_points(const uint16_t goods[GOODS])
{
    int sum = 0;
    //@ EACH_GOOD;
    for (int good = 0; good < GOODS; good++) {
        sum += goods[good];
    }
    return sum / GOODS_PER_POINT;
}

/* Fill in each player's line of the score sheet, as if the game ended in this position.
 *
 * Rules: SCO-8
 */
void score_sheet(const Table *table, const Row *row, Score scores[MAX_PLAYERS])
{
    for (int seat = 0; seat < row->players; seat++) {
        const Player *player = &row->player[seat];
        scores[seat].track = player->score;
        scores[seat].buildings = building_points(table, row, seat);
        scores[seat].goods = goods_points(player->goods);
        scores[seat].houses = count_sites(player->built);
    }
}

/* Find who wins: the most points, then the most houses, then all who are still tied.
 *
 * Returns a bit for each seat that wins, and the number of the clause that decided.
 *
 * Rules: SCO-9, SCO-10, SCO-11
 */
uint8_t winners(int players, const Score scores[MAX_PLAYERS], int *decided_by)
{
    int most_points = -1, most_houses = -1, leaders = 0, tied = 0;
    uint8_t seats = 0;
    for (int seat = 0; seat < players; seat++) {
        const Score *line = &scores[seat];
        int points = line->track + line->buildings + line->goods;
        if (points > most_points) {
            most_points = points;
            most_houses = -1;
            leaders = 0;
        }
        if (points < most_points) {
            continue;
        }
        leaders++;
        if (line->houses > most_houses) {
            most_houses = line->houses;
            seats = 0;
            tied = 0;
        }
        if (line->houses == most_houses) {
            seats = (uint8_t)(seats | 1 << seat);
            tied++;
        }
    }
    *decided_by = leaders == 1 ? 9 : tied == 1 ? 10 : 11;
    return seats;
}
