/* The ledger: changes of goods and points. */

#include "row.h"

/* A player takes goods from the general supply, which never runs out.
 *
 * Rules: CMP-2
 */
/*@ requires \valid(row) && is_player(row, seat) && are_amounts(goods);
    assigns row->player[seat].goods[0 .. GOODS - 1], row->fault;
    ensures CMP_2_states: row->fault || \forall integer good; is_good(good) ==>
      gained{Pre, Post}(row, seat, good, goods.of[good]);
    ensures (\forall integer good; is_good(good) ==> \old(row->player[seat].goods[good]) + goods.of[good] <= MOST_GOODS)
      ==> row->fault == \old(row->fault);
    ensures is_player(row, seat) && stays_faulty{Pre, Post}(row);
*/
void take(Row *row, int seat, Goods goods, uint32_t clause)
{
    TELL_GOODS(row, GOODS_TAKEN, seat, 0, &goods, clause);
    uint16_t *owned = row->player[seat].goods;
    //@ EACH_GOOD;
    for (int good = 0; good < GOODS; good++) {
        if (owned[good] > MOST_GOODS - goods.of[good]) {
            row->fault = 1;
            return;
        }
        owned[good] = (uint16_t)(owned[good] + goods.of[good]);
    }
}

/* A player returns own goods to the general supply. */
/*@ requires \valid(row) && is_player(row, seat) && owns(row, seat, goods);
    assigns row->player[seat].goods[0 .. GOODS - 1];
    ensures \forall integer good; is_good(good) ==>
      gained{Pre, Post}(row, seat, good, -goods.of[good]);
    ensures is_player(row, seat);
*/
void give_back(Row *row, int seat, Goods goods, uint32_t clause)
{
    TELL_GOODS(row, GOODS_RETURNED, seat, 0, &goods, clause);
    uint16_t *owned = row->player[seat].goods;
    //@ EACH_GOOD;
    for (int good = 0; good < GOODS; good++) {
        owned[good] = (uint16_t)(owned[good] - goods.of[good]);
    }
}

/* A player gives own goods to another player. */
/*@ requires \valid(row) && is_player(row, giver) && is_player(row, taker) && giver != taker;
    requires owns(row, giver, goods);
    assigns row->player[giver].goods[0 .. GOODS - 1], row->player[taker].goods[0 .. GOODS - 1],
      row->fault;
    ensures \forall integer good; is_good(good) ==>
      gained{Pre, Post}(row, giver, good, -goods.of[good]);
    ensures row->fault || \forall integer good; is_good(good) ==>
      gained{Pre, Post}(row, taker, good, goods.of[good]);
    ensures (\forall integer good; is_good(good) ==> \old(row->player[taker].goods[good]) + goods.of[good] <= MOST_GOODS)
      ==> row->fault == \old(row->fault);
    ensures is_player(row, giver) && is_player(row, taker) && stays_faulty{Pre, Post}(row);
*/
void give(Row *row, int giver, int taker, Goods goods, uint32_t clause)
{
    TELL_GOODS(row, GOODS_GIVEN, giver, taker, &goods, clause);
    give_back(row, giver, goods, UNTOLD);
    take(row, taker, goods, UNTOLD);
}

/* A player scores points immediately.
 *
 * Rules: SCO-1
 */
/*@ requires \valid(row) && is_player(row, seat) && 0 <= points <= MOST_SCORE;
    assigns row->player[seat].score, row->fault;
    ensures SCO_1_states: row->fault || scored{Pre, Post}(row, seat, points);
    ensures \old(row->player[seat].score) + points <= MOST_SCORE ==> row->fault == \old(row->fault);
    ensures is_player(row, seat) && stays_faulty{Pre, Post}(row);
*/
void score(Row *row, int seat, int points, uint32_t clause)
{
    Player *player = &row->player[seat];
    unsigned conditions = CONDITIONS(row);
    TELL(row, POINTS_SCORED, seat, points, 0, clause);
    if (player->score > MOST_SCORE - points) {
        row->fault = 1;
        return;
    }
    player->score = (uint16_t)(player->score + points);
    TELL_IF_TRIGGERED(row, conditions);
}
