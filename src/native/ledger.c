/* The ledger: goods and points changing hands. */

#include "row.h"

/* A player takes goods from the general supply, which never runs out.
 *
 * Rules: CMP-2
 */
void take(Row *row, int seat, Goods goods)
{
    uint16_t *owned = row->player[seat].goods;
    for (int good = 0; good < GOODS; good++) {
        if (owned[good] > MOST_GOODS - goods.of[good]) {
            row->fault = 1;
            return;
        }
        owned[good] = (uint16_t)(owned[good] + goods.of[good]);
    }
}

/* A player returns goods, which he owns, to the general supply. */
void give_back(Row *row, int seat, Goods goods)
{
    uint16_t *owned = row->player[seat].goods;
    for (int good = 0; good < GOODS; good++) {
        owned[good] = (uint16_t)(owned[good] - goods.of[good]);
    }
}

/* A player gives goods, which he owns, to another. */
void give(Row *row, int giver, int taker, Goods goods)
{
    give_back(row, giver, goods);
    take(row, taker, goods);
}

/* A player scores points, at once.
 *
 * Rules: SCO-1
 */
void score(Row *row, int seat, int points)
{
    Player *player = &row->player[seat];
    if (player->score > MOST_SCORE - points) {
        row->fault = 1;
        return;
    }
    player->score = (uint16_t)(player->score + points);
}
