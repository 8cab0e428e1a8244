/* The yellow cards: points during the game. */

#include "row.h"

/* Tell whether the player has four of a material.
 *
 * Rules: YEL-5
 */
bool can_pay_architect(const Row *row, int seat)
{
    for (int good = WOOD; good < GOODS; good++) {
        if (row->player[seat].goods[good] >= ARCHITECT_PRICE) {
            return true;
        }
    }
    return false;
}

/* List the materials of which the player has four; he may decline where effects are optional.
 *
 * Rules: YEL-2, YEL-3, YEL-4
 */
int legal_plans(const Table *table, const Row *row, Step prompt, uint16_t *numbers)
{
    int count = 0;
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

/* Tell whether the Architect can return a good, or be declined.
 *
 * Rules: YEL-1, YEL-2, YEL-3, YEL-4
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

/* The Architect returns four of a material and scores.
 *
 * Rules: YEL-1, YEL-4
 */
void plan(Row *row, Step prompt, const Action *action)
{
    done(row);
    if (action->number != DECLINE) {
        give_back(row, prompt.seat, goods_of(action->number - RETURN_GOOD, ARCHITECT_PRICE));
        score(row, prompt.seat, ARCHITECT_POINTS);
    }
}

/* Tell whether the player has the goods that are to be paid for points.
 *
 * Rules: YEL-6, YEL-7, YEL-9
 */
bool can_sell(const Row *row, int seat, const uint8_t price[GOODS])
{
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
void sale(Row *row, int seat, const uint8_t price[GOODS], int points)
{
    Goods paid;
    for (int good = 0; good < GOODS; good++) {
        paid.of[good] = price[good];
    }
    give_back(row, seat, paid);
    score(row, seat, points);
}

/* The player scores a point for each building of a colour.
 *
 * Rules: YEL-10, YEL-11, YEL-12, YEL-14
 */
void admirer(const Table *table, Row *row, int seat, int colour)
{
    score(row, seat, count_of_colour(table, row, seat, colour));
}

/* Tell whether the player has an upgraded building.
 *
 * Rules: YEL-14
 */
bool has_upgraded(const Row *row, int seat)
{
    return row->player[seat].upgraded;
}

/* Pius V scores a point for each upgraded building, of whatever colour.
 *
 * Rules: YEL-13
 */
void pius(Row *row, int seat)
{
    score(row, seat, count_sites(row->player[seat].upgraded));
}

/* The Knight scores two points.
 *
 * Rules: YEL-15
 */
void knight(Row *row, int seat)
{
    score(row, seat, KNIGHT_POINTS);
}
