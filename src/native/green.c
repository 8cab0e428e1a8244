/* The green cards: goods for the icons on a player's buildings. */

#include "row.h"

/* The player takes as many goods of a kind as there are icons of it.
 *
 * Rules: GRN-1, GRN-2, GRN-3, GRN-4, GRN-8, GRN-9
 */
/*@ requires \valid(row) && is_builder(table, row, seat) && is_good(good);
    assigns row->player[seat].goods[0 .. GOODS - 1], row->fault;
    ensures GRN_1_part: GRN_2_part: GRN_3_part: GRN_4_part: row->fault ||
      took_only{Pre, Post}(row, seat, good, icons_of{Pre}(table, row, seat, good));
    ensures GRN_8_states: row->fault || icons_of{Pre}(table, row, seat, good) != 0 || same_goods{Pre, Post}(row, seat);
    ensures has_margin{Pre}(row, seat) ==> stays_sound{Pre, Post}(row);
    ensures is_player(row, seat) && stays_faulty{Pre, Post}(row);
*/
void collector(const Table *table, Row *row, int seat, int good, uint32_t clause)
{
    take(row, seat, goods_of(good, icons(table, row, seat, good)), clause);
}
