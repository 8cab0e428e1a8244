/* The yellow cards: points during the game. */

#include "row.h"

/* Return whether the player has four of a material.
 *
 * Rules: YEL-5
 */
/*@ requires readable(row) && is_seat(row, seat);
    assigns \nothing;
    ensures YEL_5_part: \result != 0 <==>
      \exists integer good; is_material(good) && has(row, seat, good) >= ARCHITECT_PRICE;
*/
bool can_pay_architect(const Row *row, int seat)
{
    //@ EACH_GOOD;
    for (int good = WOOD; good < GOODS; good++) {
        if (row->player[seat].goods[good] >= ARCHITECT_PRICE) {
            return true;
        }
    }
    return false;
}

/* List the materials that the player has four of, and the choice of none if effects are optional.
 *
 * Rules: YEL-2, YEL-3, YEL-4
 */
/*@ requires \valid_read(table) && readable(row) && is_seat(row, prompt.seat);
    requires \valid(numbers + (0 .. GOODS - 1)) && \separated(numbers + (0 .. GOODS - 1), table, row);
    assigns numbers[0 .. GOODS - 1];
    ensures 0 <= \result <= GOODS && is_ascending(numbers, \result);
    ensures YEL_2_states: \forall integer number;
      lists(numbers, \result, number) <==> may_plan(table, row, prompt.seat, number);
    ensures YEL_3_states: YEL_4_states: lists(numbers, \result, DECLINE) <==> table->effects_are_optional;
*/
int legal_plans(const Table *table, const Row *row, Step prompt, uint16_t *numbers)
{
    int count = 0;
    //@ EACH_GOOD;
    for (int good = WOOD; good < GOODS; good++) {
        if (row->player[prompt.seat].goods[good] >= ARCHITECT_PRICE) {
            numbers[count++] = (uint16_t)(RETURN_GOOD + good);
        }
    }
    if (table->effects_are_optional) {
        numbers[count++] = DECLINE;
    }
    return count;
}

/* Return whether the player can return a good with the Architect, or decline.
 *
 * Rules: YEL-1, YEL-2, YEL-3, YEL-4
 */
/*@ requires \valid_read(table) && readable(row) && is_seat(row, prompt.seat) && \valid_read(action);
    requires 0 <= action->number < NUMBERS;
    assigns \nothing;
    ensures \result != 0 <==> may_plan(table, row, prompt.seat, action->number);
    ensures YEL_2_part: action->number == RETURN_GOOD + GOLD ==> \result == 0;
    ensures YEL_3_states: YEL_4_states: action->number == DECLINE ==>
      (\result != 0 <==> table->effects_are_optional);
*/
bool check_plan(const Table *table, const Row *row, Step prompt, const Action *action)
{
    int good = action->number - RETURN_GOOD;
    if (action->number == DECLINE) {
        return check_declining_choice(table);
    }
    return good >= WOOD && good < GOODS
        && row->player[prompt.seat].goods[good] >= ARCHITECT_PRICE;
}

/* With the Architect, the player returns four of a material and scores points.
 *
 * Rules: YEL-1, YEL-4
 */
/*@ requires \valid(row) && has_step(row) && is_player(row, prompt.seat) && \valid_read(action);
    requires action->number == DECLINE || (is_material(action->number - RETURN_GOOD) &&
      has(row, prompt.seat, action->number - RETURN_GOOD) >= ARCHITECT_PRICE);
    requires \separated(row, action);
    assigns row->steps, row->agenda[row->steps - 1], row->fault, row->player[prompt.seat].score,
      row->player[prompt.seat].goods[0 .. GOODS - 1];
    ensures is_done{Pre, Post}(row);
    ensures YEL_1_states: action->number != DECLINE ==> \forall integer good; is_good(good) ==>
      gained{Pre, Post}(row, prompt.seat, good,
                        good == action->number - RETURN_GOOD ? -ARCHITECT_PRICE : 0);
    ensures YEL_1_states: row->fault || action->number == DECLINE ||
      scored{Pre, Post}(row, prompt.seat, ARCHITECT_POINTS);
    ensures YEL_4_part: action->number == DECLINE ==>
      same_goods{Pre, Post}(row, prompt.seat) && scored{Pre, Post}(row, prompt.seat, 0);
    ensures has_margin{Pre}(row, prompt.seat) ==> stays_sound{Pre, Post}(row);
    ensures is_player(row, prompt.seat) && stays_faulty{Pre, Post}(row);
*/
void plan(Row *row, Step prompt, const Action *action)
{
    done(row);
    if (action->number == DECLINE) {
        decline(row, prompt.seat, CLAUSE(YEL, 4));
        return;
    }
    Goods price = goods_of(action->number - RETURN_GOOD, ARCHITECT_PRICE);
    give_back(row, prompt.seat, price, CLAUSE(YEL, 1));
    score(row, prompt.seat, ARCHITECT_POINTS, CLAUSE(YEL, 1));
}

/* Return whether the player has the goods that must be paid for points.
 *
 * Rules: YEL-6, YEL-7, YEL-9
 */
/*@ requires readable(row) && is_seat(row, seat) && \valid_read(price + (0 .. GOODS - 1));
    assigns \nothing;
    ensures YEL_9_part: \result != 0 <==>
      \forall integer good; is_good(good) ==> has(row, seat, good) >= price[good];
*/
bool can_sell(const Row *row, int seat, const uint8_t price[GOODS])
{
    //@ EACH_GOOD;
    for (int good = 0; good < GOODS; good++) {
        if (row->player[seat].goods[good] < price[good]) {
            return false;
        }
    }
    return true;
}

/* The player pays certain goods for points.
 *
 * Rules: YEL-6, YEL-7, YEL-8, YEL-9
 */
/*@ requires \valid(row) && is_player(row, seat) && \valid_read(price + (0 .. GOODS - 1));
    requires \separated(row, price + (0 .. GOODS - 1)) && 0 <= points <= MOST_SCORE;
    requires \forall integer good; is_good(good) ==> has(row, seat, good) >= price[good];
    assigns row->player[seat].goods[0 .. GOODS - 1], row->player[seat].score, row->fault;
    ensures YEL_6_part: YEL_7_part: \forall integer good; is_good(good) ==>
      gained{Pre, Post}(row, seat, good, -price[good]);
    ensures YEL_6_part: YEL_7_part: row->fault || scored{Pre, Post}(row, seat, points);
    ensures \old(row->player[seat].score) + points <= MOST_SCORE ==> row->fault == \old(row->fault);
    ensures is_player(row, seat) && stays_faulty{Pre, Post}(row);
*/
void sale(Row *row, int seat, const uint8_t price[GOODS], int points, uint32_t clause)
{
    Goods paid;
    //@ EACH_GOOD;
    for (int good = 0; good < GOODS; good++) {
        paid.of[good] = price[good];
    }
    give_back(row, seat, paid, clause);
    score(row, seat, points, clause);
}

/* The player scores a point for each building of a colour.
 *
 * Rules: YEL-10, YEL-11, YEL-12, YEL-14
 */
/*@ requires \valid(row) && is_builder(table, row, seat);
    assigns row->player[seat].score, row->fault;
    ensures YEL_10_part: YEL_11_part: row->fault ||
      scored{Pre, Post}(row, seat, buildings_of{Pre}(table, row, seat, colour));
    ensures YEL_14_part: row->fault || buildings_of{Pre}(table, row, seat, colour) != 0 ||
      scored{Pre, Post}(row, seat, 0);
    ensures has_margin{Pre}(row, seat) ==> stays_sound{Pre, Post}(row);
    ensures is_player(row, seat) && stays_faulty{Pre, Post}(row);
*/
void admirer(const Table *table, Row *row, int seat, int colour, uint32_t clause)
{
    score(row, seat, count_of_colour(table, row, seat, colour), clause);
}

/* Return whether the player has an upgraded building.
 *
 * Rules: YEL-14
 */
/*@ requires readable(row) && is_seat(row, seat);
    assigns \nothing;
    ensures YEL_14_part: \result != 0 <==> row->player[seat].upgraded != 0;
*/
bool has_upgraded(const Row *row, int seat)
{
    return row->player[seat].upgraded;
}

/* Pius V scores a point for each upgraded building of any colour.
 *
 * Rules: YEL-13
 */
/*@ requires \valid(row) && is_player(row, seat) && 0 <= count(row->player[seat].upgraded) <= 32;
    assigns row->player[seat].score, row->fault;
    ensures YEL_13_states: row->fault || scored{Pre, Post}(row, seat, \old(count(row->player[seat].upgraded)));
    ensures has_margin{Pre}(row, seat) ==> stays_sound{Pre, Post}(row);
    ensures is_player(row, seat) && stays_faulty{Pre, Post}(row);
*/
void pius(Row *row, int seat)
{
    score(row, seat, count_sites(row->player[seat].upgraded), CLAUSE(YEL, 13));
}

/* The Knight scores two points.
 *
 * Rules: YEL-15
 */
/*@ requires \valid(row) && is_player(row, seat);
    assigns row->player[seat].score, row->fault;
    ensures YEL_15_states: row->fault || scored{Pre, Post}(row, seat, KNIGHT_POINTS);
    ensures has_margin{Pre}(row, seat) ==> stays_sound{Pre, Post}(row);
    ensures is_player(row, seat) && stays_faulty{Pre, Post}(row);
*/
void knight(Row *row, int seat)
{
    score(row, seat, KNIGHT_POINTS, CLAUSE(YEL, 15));
}
