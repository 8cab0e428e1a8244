/* The blue cards: goods, cheaper building, and effects on opponents. */

#include "row.h"

/* List the extra goods that may be taken, and the choice of none.
 *
 * Rules: BLU-5, BLU-25, BLU-32
 */
/*@ requires is_bonus(prompt.value) && \valid(numbers + (0 .. GOODS));
    assigns numbers[0 .. GOODS];
    ensures 0 <= \result <= GOODS + 1 && is_ascending(numbers, \result);
    ensures BLU_5_part: BLU_25_part: BLU_32_part: \forall integer number;
      lists(numbers, \result, number) <==> may_take_bonus(prompt.value, number);
*/
int legal_bonuses(Step prompt, uint16_t *numbers)
{
    int count = 0;
    //@ EACH_GOOD;
    for (int good = 0; good < GOODS; good++) {
        if (BONUS_GOODS[prompt.value][good]) {
            numbers[count++] = (uint16_t)(TAKE_GOOD + good);
        }
    }
    numbers[count++] = DECLINE;
    /*@ assert prompt.value == MONK ==> count == GOODS + 1 && numbers[GOODS] == DECLINE &&
          \forall integer good; is_good(good) ==> numbers[good] == TAKE_GOOD + good; */
    //@ assert prompt.value == INNKEEPER ==> count == 2 && numbers[0] == TAKE_GOOD + GOLD && numbers[1] == DECLINE;
    /*@ assert prompt.value == TAX_COLLECTOR ==> count == GOODS && numbers[GOODS - 1] == DECLINE &&
          \forall integer good; is_material(good) ==> numbers[good - 1] == TAKE_GOOD + good; */
    //@ assert lists(numbers, count, DECLINE);
    //@ assert \forall integer place; 0 <= place < count ==> may_take_bonus(prompt.value, numbers[place]);
    /*@ assert \forall integer number; may_take_bonus(prompt.value, number) ==> lists(numbers, count, number); */
    return count;
}

/* Return whether the player may take a good as an extra good.
 *
 * Rules: BLU-5, BLU-25, BLU-31, BLU-32
 */
/*@ requires is_bonus(prompt.value) && \valid_read(action) && 0 <= action->number < NUMBERS;
    assigns \nothing;
    ensures \result != 0 <==> may_take_bonus(prompt.value, action->number);
    ensures BLU_5_part: prompt.value == MONK ==> (\result != 0 <==>
      action->number == DECLINE || is_good(action->number - TAKE_GOOD));
    ensures BLU_25_part: prompt.value == INNKEEPER ==> (\result != 0 <==>
      action->number == DECLINE || action->number == TAKE_GOOD + GOLD);
    ensures BLU_32_part: prompt.value == TAX_COLLECTOR ==> (\result != 0 <==>
      action->number == DECLINE || is_material(action->number - TAKE_GOOD));
*/
bool check_bonus(Step prompt, const Action *action)
{
    int good = action->number - TAKE_GOOD;
    return action->number == DECLINE
        || (good >= 0 && good < GOODS && BONUS_GOODS[prompt.value][good]);
}

/* The player takes an extra good from the general supply, or declines.
 *
 * Rules: BLU-5, BLU-25, BLU-32
 */
/*@ requires \valid(row) && has_step(row) && is_player(row, prompt.seat) && \valid_read(action);
    requires is_bonus(prompt.value) && may_take_bonus(prompt.value, action->number);
    requires \separated(row, action);
    assigns row->steps, row->agenda[row->steps - 1], row->fault,
      row->player[prompt.seat].goods[0 .. GOODS - 1];
    ensures is_done{Pre, Post}(row);
    ensures BLU_5_part: BLU_25_part: BLU_32_part: row->fault || \forall integer each; is_good(each) ==>
      gained{Pre, Post}(row, prompt.seat, each, each == action->number - TAKE_GOOD ? 1 : 0);
    ensures has_margin{Pre}(row, prompt.seat) ==> stays_sound{Pre, Post}(row);
    ensures is_player(row, prompt.seat) && stays_faulty{Pre, Post}(row);
*/
void take_bonus(Row *row, Step prompt, const Action *action)
{
    done(row);
    if (action->number == DECLINE) {
        decline(row, prompt.seat, BONUS_CLAUSES[prompt.value]);
    } else {
        take(row, prompt.seat, one(action->number - TAKE_GOOD), BONUS_CLAUSES[prompt.value]);
    }
}

/* With two players, schedule the prompt for an extra good as the last one of the effect.
 *
 * Rules: BLU-5, BLU-25, BLU-32
 */
/*@ requires \valid(row) && row->steps <= MAX_STEPS && 0 <= seat < MAX_PLAYERS;
    requires is_bonus(character);
    assigns row->steps, row->agenda[\min(row->steps, MAX_STEPS - 1)], row->fault;
    ensures BLU_5_part: BLU_25_part: BLU_32_part: row->fault || row->players != 2 ||
      is_asked_first{Pre, Post}(row, BONUS_PROMPT, seat, character);
    ensures row->players != 2 ==> row->steps == \old(row->steps) && row->fault == \old(row->fault);
    ensures \old(row->steps) < MAX_STEPS ==> row->fault == \old(row->fault);
    ensures row->steps <= MAX_STEPS && stays_faulty{Pre, Post}(row);
*/
static void with_bonus(Row *row, int seat, int character)
{
    if (row->players == 2) {
        do_first(row, step(BONUS_PROMPT, seat, character, &NOTHING));
    }
}

/* Return whether an opponent must give the Monk a good.
 *
 * Rules: BLU-1, BLU-4
 */
/*@ requires readable(row) && is_player(row, seat);
    assigns \nothing;
    ensures BLU_1_part: BLU_4_part: \result != 0 <==> in_all(row, seat) >= MONK_SPARES;
*/
bool has_to_give(const Row *row, int seat)
{
    Goods goods = owned(row, seat);
    return total(&goods) >= MONK_SPARES;
}

/* Return whether any opponent must give the Monk a good.
 *
 * Rules: BLU-1, BLU-33, FIN-14
 */
/*@ requires readable(row) && are_players(row) && is_seat(row, seat);
    assigns \nothing;
    ensures BLU_33_part: FIN_14_serves: \result != 0 <==> \exists integer place; 0 < place < row->players &&
      in_all(row, clockwise(row, seat, place)) >= MONK_SPARES;
*/
bool monk_takes(const Row *row, int seat)
{
    /*@ loop invariant 1 <= place <= \max(1, row->players);
        loop invariant \forall integer each; 1 <= each < place ==>
          in_all(row, clockwise(row, seat, each)) < MONK_SPARES;
        loop assigns place;
        loop variant row->players - place;
    */
    for (int place = 1; place < row->players; place++) {
        if (has_to_give(row, opponent(row, seat, place))) {
            return true;
        }
    }
    return false;
}

/* The Monk lets each opponent, in clockwise order, choose a good to give.
 *
 * Rules: BLU-1, BLU-3, BLU-5, FIN-14
 */
/*@ requires \valid(row) && row->steps <= MAX_STEPS && is_seat(row, seat);
    assigns row->steps, row->agenda[0 .. MAX_STEPS - 1], row->fault;
    ensures BLU_1_part: BLU_3_part: FIN_14_part: row->fault || \forall integer place; 0 < place < row->players ==>
      is_question(row->agenda[row->steps - place], MONK_PROMPT, clockwise{Pre}(row, seat, place), seat);
    ensures BLU_5_part: row->fault || row->players != 2 ||
      is_question(row->agenda[\old(row->steps)], BONUS_PROMPT, seat, MONK);
    ensures row->fault || row->steps == \old(row->steps) + (row->players == 2 ? 2 : row->players - 1);
    ensures \old(row->steps) + row->players <= MAX_STEPS ==> stays_sound{Pre, Post}(row);
    ensures row->steps <= MAX_STEPS && stays_faulty{Pre, Post}(row);
*/
void monk(Row *row, int seat)
{
    with_bonus(row, seat, MONK);
    /*@ loop invariant 0 <= place < row->players && row->players == \at(row->players, Pre);
        loop invariant row->steps <= MAX_STEPS && stays_faulty{LoopEntry, Here}(row);
        loop invariant \at(row->steps, Pre) + row->players <= MAX_STEPS ==> stays_sound{Pre, Here}(row);
        loop invariant row->fault || row->players != 2 || \at(row->steps, Pre) < row->steps;
        loop invariant row->fault || row->steps == \at(row->steps, LoopEntry) + row->players - 1 - place;
        loop invariant row->fault || \forall integer each; place < each < row->players ==>
          is_question(row->agenda[\at(row->steps, LoopEntry) + \at(row->players, Pre) - 1 - each], MONK_PROMPT,
                      clockwise{Pre}(row, seat, each), seat);
        loop invariant row->fault || row->players != 2 ||
          is_question(row->agenda[\at(row->steps, Pre)], BONUS_PROMPT, seat, MONK);
        loop assigns place, row->steps, row->fault, row->agenda[0 .. MAX_STEPS - 1];
        loop variant place;
    */
    for (int place = row->players - 1; place > 0; place--) {
        do_first(row, step(MONK_PROMPT, opponent(row, seat, place), seat, &NOTHING));
        //@ assert row->fault || row->steps == \at(row->steps, LoopCurrent) + 1;
        /*@ assert row->fault || is_question(row->agenda[row->steps - 1], MONK_PROMPT,
                                             clockwise{Pre}(row, seat, place), seat); */
        /*@ assert row->fault || \forall integer each; place < each < row->players ==>
              is_still_asked{LoopCurrent, Here}(
                row, \at(row->steps, LoopEntry) + \at(row->players, Pre) - 1 - each); */
        //@ assert row->fault || row->players != 2 || \at(row->steps, Pre) < \at(row->steps, LoopCurrent);
        //@ assert row->fault || row->players != 2 || is_still_asked{LoopCurrent, Here}(row, \at(row->steps, Pre));
        /*@ assert \forall integer asked, kind, of, value; is_still_asked{LoopCurrent, Here}(row, asked) &&
              is_question(\at(row->agenda[asked], LoopCurrent), kind, of, value) ==>
              is_question(row->agenda[asked], kind, of, value); */
    }
}

/* List the goods of the opponent, who must give one of them.
 *
 * Rules: BLU-1, BLU-2, BLU-34
 */
/*@ requires readable(row) && is_seat(row, prompt.seat);
    requires \valid(numbers + (0 .. GOODS - 1)) && \separated(numbers + (0 .. GOODS - 1), row);
    assigns numbers[0 .. GOODS - 1];
    ensures 0 <= \result <= GOODS && is_ascending(numbers, \result);
    ensures BLU_2_states: BLU_34_states: \forall integer number;
      lists(numbers, \result, number) <==> may_give(row, prompt.seat, number);
*/
int legal_gifts(const Row *row, Step prompt, uint16_t *numbers)
{
    int count = 0;
    //@ EACH_GOOD;
    for (int good = 0; good < GOODS; good++) {
        if (row->player[prompt.seat].goods[good]) {
            numbers[count++] = (uint16_t)(GIVE_GOOD + good);
        }
    }
    return count;
}

/* Return whether an opponent can give a good.
 *
 * Rules: BLU-1, BLU-2
 */
/*@ requires readable(row) && is_seat(row, prompt.seat) && \valid_read(action);
    requires 0 <= action->number < NUMBERS;
    assigns \nothing;
    ensures BLU_2_states: \result != 0 <==> may_give(row, prompt.seat, action->number);
*/
bool check_gift(const Row *row, Step prompt, const Action *action)
{
    int good = action->number - GIVE_GOOD;
    return good >= 0 && good < GOODS && row->player[prompt.seat].goods[good];
}

/* The opponent gives the chosen good to the player of the Monk.
 *
 * Rules: BLU-1, BLU-2
 */
/*@ requires \valid(row) && has_step(row) && \valid_read(action) && \separated(row, action);
    requires is_player(row, prompt.seat) && is_player(row, prompt.value) && prompt.seat != prompt.value;
    requires may_give(row, prompt.seat, action->number);
    assigns row->steps, row->agenda[row->steps - 1], row->fault,
      row->player[prompt.seat].goods[0 .. GOODS - 1], row->player[prompt.value].goods[0 .. GOODS - 1];
    ensures is_done{Pre, Post}(row);
    ensures BLU_1_part: row->fault || \forall integer good; is_good(good) ==>
      gained{Pre, Post}(row, prompt.value, good, good == action->number - GIVE_GOOD ? 1 : 0);
    ensures BLU_1_part: \forall integer good; is_good(good) ==>
      gained{Pre, Post}(row, prompt.seat, good, good == action->number - GIVE_GOOD ? -1 : 0);
    ensures has_margin{Pre}(row, prompt.value) ==> stays_sound{Pre, Post}(row);
    ensures is_player(row, prompt.seat) && is_player(row, prompt.value) && stays_faulty{Pre, Post}(row);
*/
void give_to_monk(Row *row, Step prompt, const Action *action)
{
    done(row);
    give(row, prompt.seat, prompt.value, one(action->number - GIVE_GOOD), CLAUSE(BLU, 1));
}

/* Return whether the player has wood, stone or brick.
 *
 * Rules: BLU-9
 */
/*@ requires readable(row) && is_seat(row, seat);
    assigns \nothing;
    ensures BLU_9_part: \result != 0 <==> \exists integer good; is_material(good) && has(row, seat, good) > 0;
*/
bool can_trade(const Row *row, int seat)
{
    const uint16_t *goods = row->player[seat].goods;
    return goods[WOOD] || goods[STONE] || goods[BRICK];
}

/* List the materials that the player has, and the choice of none.
 *
 * Rules: BLU-7, BLU-8
 */
/*@ requires readable(row) && is_seat(row, prompt.seat);
    requires \valid(numbers + (0 .. GOODS - 1)) && \separated(numbers + (0 .. GOODS - 1), row);
    assigns numbers[0 .. GOODS - 1];
    ensures 0 <= \result <= GOODS && is_ascending(numbers, \result);
    ensures \forall integer number;
      lists(numbers, \result, number) <==> may_trade(row, prompt.seat, number);
*/
int legal_trades(const Row *row, Step prompt, uint16_t *numbers)
{
    int count = 0;
    //@ EACH_GOOD;
    for (int good = WOOD; good < GOODS; good++) {
        if (row->player[prompt.seat].goods[good]) {
            numbers[count++] = (uint16_t)(RETURN_GOOD + good);
        }
    }
    numbers[count++] = DECLINE;
    return count;
}

/* Return whether the player can trade a good.
 *
 * Rules: BLU-7, BLU-8
 */
/*@ requires readable(row) && is_seat(row, prompt.seat) && \valid_read(action);
    requires 0 <= action->number < NUMBERS;
    assigns \nothing;
    ensures BLU_7_part: \result != 0 <==> may_trade(row, prompt.seat, action->number);
*/
bool check_trade(const Row *row, Step prompt, const Action *action)
{
    int good = action->number - RETURN_GOOD;
    return action->number == DECLINE
        || (good >= WOOD && good < GOODS && row->player[prompt.seat].goods[good]);
}

/* The Trader returns one material and takes three gold.
 *
 * Rules: BLU-7, BLU-8
 */
/*@ requires \valid(row) && has_step(row) && is_player(row, prompt.seat) && \valid_read(action);
    requires may_trade(row, prompt.seat, action->number) && \separated(row, action);
    assigns row->steps, row->agenda[row->steps - 1], row->fault,
      row->player[prompt.seat].goods[0 .. GOODS - 1];
    ensures is_done{Pre, Post}(row);
    ensures BLU_7_states: row->fault || action->number == DECLINE || \forall integer good; is_good(good) ==>
      gained{Pre, Post}(row, prompt.seat, good,
                        good == GOLD ? 3 : good == action->number - RETURN_GOOD ? -1 : 0);
    ensures BLU_8_part: action->number == DECLINE ==> same_goods{Pre, Post}(row, prompt.seat);
    ensures has_margin{Pre}(row, prompt.seat) ==> stays_sound{Pre, Post}(row);
    ensures is_player(row, prompt.seat) && stays_faulty{Pre, Post}(row);
*/
void trade(Row *row, Step prompt, const Action *action)
{
    done(row);
    if (action->number == DECLINE) {
        decline(row, prompt.seat, CLAUSE(BLU, 8));
        return;
    }
    Goods taken;
    //@ EACH_GOOD;
    for (int good = 0; good < GOODS; good++) {
        taken.of[good] = TRADER_TAKES[good];
    }
    give_back(row, prompt.seat, one(action->number - RETURN_GOOD), CLAUSE(BLU, 7));
    take(row, prompt.seat, taken, CLAUSE(BLU, 7));
}

/* List every pair of goods, and the choice of none if effects are optional.
 *
 * Rules: BLU-10, BLU-11
 */
/*@ requires \valid_read(table) && \valid(numbers + (0 .. RETURN_GOOD - TAKE_GOODS));
    requires \separated(numbers + (0 .. RETURN_GOOD - TAKE_GOODS), table);
    assigns numbers[0 .. RETURN_GOOD - TAKE_GOODS];
    ensures 0 <= \result <= RETURN_GOOD - TAKE_GOODS + 1 && is_ascending(numbers, \result);
    ensures BLU_10_part: BLU_11_states: \forall integer number;
      lists(numbers, \result, number) <==> may_take_pair(table, number);
*/
int legal_pairs(const Table *table, uint16_t *numbers)
{
    int count = 0;
    //@ loop assigns \nothing; loop pragma UNROLL "completely", RETURN_GOOD - TAKE_GOODS + 1;
    for (int number = TAKE_GOODS; number < RETURN_GOOD; number++) {
        numbers[count++] = (uint16_t)number;
    }
    if (table->effects_are_optional) {
        numbers[count++] = DECLINE;
    }
    return count;
}

/* Return whether the goods are ones that a Seamstress can take.
 *
 * Rules: BLU-10, BLU-11
 */
/*@ requires \valid_read(table) && \valid_read(action);
    assigns \nothing;
    ensures BLU_10_part: BLU_11_states: \result != 0 <==> may_take_pair(table, action->number);
*/
bool check_pair(const Table *table, const Action *action)
{
    if (action->number == DECLINE) {
        return check_declining_choice(table);
    }
    return action->number >= TAKE_GOODS && action->number < RETURN_GOOD;
}

/* The Seamstress takes two goods, equal or different.
 *
 * Rules: BLU-10, BLU-11
 */
/*@ requires \valid(row) && has_step(row) && is_player(row, prompt.seat) && \valid_read(action);
    requires action->number == DECLINE || TAKE_GOODS <= action->number < RETURN_GOOD;
    requires \separated(row, action);
    assigns row->steps, row->agenda[row->steps - 1], row->fault,
      row->player[prompt.seat].goods[0 .. GOODS - 1];
    ensures is_done{Pre, Post}(row);
    ensures BLU_10_part: row->fault || action->number == DECLINE || \forall integer good; is_good(good) ==>
      gained{Pre, Post}(row, prompt.seat, good, PAIRS[action->number - TAKE_GOODS][good]);
    ensures BLU_11_part: action->number == DECLINE ==> same_goods{Pre, Post}(row, prompt.seat);
    ensures has_margin{Pre}(row, prompt.seat) ==> stays_sound{Pre, Post}(row);
    ensures is_player(row, prompt.seat) && stays_faulty{Pre, Post}(row);
*/
void take_pair(Row *row, Step prompt, const Action *action)
{
    done(row);
    if (action->number == DECLINE) {
        decline(row, prompt.seat, CLAUSE(BLU, 11));
        return;
    }
    Goods taken;
    //@ EACH_GOOD;
    for (int good = 0; good < GOODS; good++) {
        taken.of[good] = PAIRS[action->number - TAKE_GOODS][good];
    }
    take(row, prompt.seat, taken, CLAUSE(BLU, 10));
}

/* Return whether the player has a gold for the Merchant.
 *
 * Rules: BLU-13, BLU-14
 */
/*@ requires readable(row) && is_seat(row, seat);
    assigns \nothing;
    ensures BLU_14_part: \result != 0 <==> has(row, seat, GOLD) > 0;
*/
bool can_buy(const Row *row, int seat)
{
    return row->player[seat].goods[GOLD];
}

/* The Merchant returns one gold and takes one wood, one stone and one brick.
 *
 * Rules: BLU-12
 */
/*@ requires \valid(row) && is_player(row, seat) && has(row, seat, GOLD) > 0;
    assigns row->player[seat].goods[0 .. GOODS - 1], row->fault;
    ensures BLU_12_states: row->fault || \forall integer good; is_good(good) ==>
      gained{Pre, Post}(row, seat, good, good == GOLD ? -1 : 1);
    ensures has_margin{Pre}(row, seat) ==> stays_sound{Pre, Post}(row);
    ensures is_player(row, seat) && stays_faulty{Pre, Post}(row);
*/
void merchant(Row *row, int seat)
{
    Goods taken;
    //@ EACH_GOOD;
    for (int good = 0; good < GOODS; good++) {
        taken.of[good] = MERCHANT_WARES[good];
    }
    give_back(row, seat, one(GOLD), CLAUSE(BLU, 12));
    take(row, seat, taken, CLAUSE(BLU, 12));
}

/* Return whether the player has any icon; every building shows one.
 *
 * Rules: BLU-17
 */
/*@ requires readable(row) && is_seat(row, seat);
    assigns \nothing;
    ensures BLU_17_part: \result != 0 <==> row->player[seat].built != 0;
*/
bool has_icons(const Row *row, int seat)
{
    return row->player[seat].built;
}

/* The Artisan takes as many of the chosen good as the player has icons of it.
 *
 * Rules: BLU-15, BLU-16, BLU-18
 */
/*@ requires \valid(row) && has_step(row) && is_builder(table, row, prompt.seat) && \valid_read(action);
    requires action->number == DECLINE || is_good(action->number - TAKE_GOOD);
    requires \separated(row, action, table);
    assigns row->steps, row->agenda[row->steps - 1], row->fault,
      row->player[prompt.seat].goods[0 .. GOODS - 1];
    ensures is_done{Pre, Post}(row);
    ensures BLU_15_states: BLU_16_serves: row->fault || action->number == DECLINE || took_only{Pre, Post}(row,
      prompt.seat, action->number - TAKE_GOOD,
      icons_of{Pre}(table, row, prompt.seat, action->number - TAKE_GOOD));
    ensures BLU_18_part: action->number == DECLINE ==> same_goods{Pre, Post}(row, prompt.seat);
    ensures has_margin{Pre}(row, prompt.seat) ==> stays_sound{Pre, Post}(row);
    ensures is_player(row, prompt.seat) && stays_faulty{Pre, Post}(row);
*/
void craft(const Table *table, Row *row, Step prompt, const Action *action)
{
    if (action->number == DECLINE) {
        done(row);
        decline(row, prompt.seat, CLAUSE(BLU, 18));
        return;
    }
    int good = action->number - TAKE_GOOD, count = icons(table, row, prompt.seat, good);
    done(row);
    take(row, prompt.seat, goods_of(good, count), CLAUSE(BLU, 15));
}

/* Return whether the player has a green building.
 *
 * Rules: BLU-20
 */
/*@ requires readable(row) && is_builder(table, row, seat);
    assigns \nothing;
    ensures BLU_20_part: \result != 0 <==> buildings_of(table, row, seat, GREEN) > 0;
*/
bool has_green(const Table *table, const Row *row, int seat)
{
    return count_of_colour(table, row, seat, GREEN) > 0;
}

/* The Chamberlain takes one gold for each green building.
 *
 * Rules: BLU-19
 */
/*@ requires \valid(row) && is_builder(table, row, seat);
    assigns row->player[seat].goods[0 .. GOODS - 1], row->fault;
    ensures BLU_19_states: row->fault ||
      took_only{Pre, Post}(row, seat, GOLD, buildings_of{Pre}(table, row, seat, GREEN));
    ensures has_margin{Pre}(row, seat) ==> stays_sound{Pre, Post}(row);
    ensures is_player(row, seat) && stays_faulty{Pre, Post}(row);
*/
void chamberlain(const Table *table, Row *row, int seat)
{
    take(row, seat, goods_of(GOLD, count_of_colour(table, row, seat, GREEN)), CLAUSE(BLU, 19));
}

/* Return the goods that an opponent must give the Innkeeper.
 *
 * Rules: BLU-23, BLU-24
 */
/*@ requires readable(row) && is_seat(row, seat);
    assigns \nothing;
    ensures BLU_23_part: BLU_24_states: is_only(\result, GOLD, has(row, seat, GOLD) >= INNKEEPER_SPARES ? 1 : 0);
*/
static Goods due_to_innkeeper(const Row *row, int seat)
{
    return goods_of(GOLD, row->player[seat].goods[GOLD] >= INNKEEPER_SPARES);
}

/* Return the goods that an opponent must give the Tax Collector: one of each material, and no gold.
 *
 * Rules: BLU-30, BLU-31
 */
/*@ requires readable(row) && is_seat(row, seat);
    assigns \nothing;
    ensures BLU_30_part: \forall integer good; is_material(good) ==>
      \result.of[good] == (has(row, seat, good) >= TAX_COLLECTOR_SPARES ? 1 : 0);
    ensures BLU_31_states: \result.of[GOLD] == 0;
*/
static Goods due_to_tax_collector(const Row *row, int seat)
{
    Goods due = NOTHING;
    //@ EACH_GOOD;
    for (int good = WOOD; good < GOODS; good++) {
        due.of[good] = row->player[seat].goods[good] >= TAX_COLLECTOR_SPARES;
    }
    return due;
}

/* Return the goods that an opponent must give to a character. */
/*@ requires readable(row) && is_seat(row, seat) && (character == INNKEEPER || character == TAX_COLLECTOR);
    assigns \nothing;
    ensures \forall integer good; is_good(good) ==>
      \result.of[good] == 0 || \result.of[good] == 1;
    ensures \forall integer good; is_good(good) ==>
      (\result.of[good] == 1 <==> owes(row, seat, character, good));
*/
static Goods due(const Row *row, int seat, int character)
{
    return character == INNKEEPER ? due_to_innkeeper(row, seat) : due_to_tax_collector(row, seat);
}

/* Return whether any opponent must give a good.
 *
 * Rules: BLU-23, BLU-30, BLU-33, FIN-14
 */
/*@ requires readable(row) && are_players(row) && is_seat(row, seat);
    requires character == INNKEEPER || character == TAX_COLLECTOR;
    assigns \nothing;
    ensures BLU_33_part: FIN_14_serves: \result != 0 <==> \exists integer place, good; 0 < place < row->players &&
      is_good(good) && owes(row, clockwise(row, seat, place), character, good);
*/
bool anybody_gives(const Row *row, int seat, int character)
{
    /*@ loop invariant 1 <= place <= \max(1, row->players);
        loop invariant \forall integer each; 1 <= each < place ==>
          \forall integer good; is_good(good) ==>
            !owes(row, clockwise(row, seat, each), character, good);
        loop assigns place;
        loop variant row->players - place;
    */
    for (int place = 1; place < row->players; place++) {
        Goods goods = due(row, opponent(row, seat, place), character);
        if (total(&goods)) {
            return true;
        }
    }
    return false;
}

/* The player takes from each opponent the goods that the opponent must give, without a choice.
 *
 * Rules: BLU-23, BLU-25, BLU-30, BLU-32, BLU-33, FIN-14
 */
/*@ requires \valid(row) && row->steps <= MAX_STEPS && are_players(row) && is_seat(row, seat);
    requires character == INNKEEPER || character == TAX_COLLECTOR;
    assigns row->steps, row->agenda[\min(row->steps, MAX_STEPS - 1)], row->fault,
      row->player[0 .. MAX_PLAYERS - 1];
    ensures BLU_23_states: BLU_30_states: FIN_14_part: \forall integer place, good; 0 < place < row->players && is_good(good) ==>
      gained{Pre, Post}(row, clockwise{Pre}(row, seat, place), good,
                        -owed{Pre}(row, clockwise{Pre}(row, seat, place), character, good));
    ensures BLU_23_states: BLU_30_states: FIN_14_part: row->fault || \forall integer good; is_good(good) ==>
      gained{Pre, Post}(row, seat, good, owed_before{Pre}(row, seat, character, good, row->players));
    ensures BLU_25_part: BLU_32_part: row->fault || row->players != 2 ||
      is_asked_first{Pre, Post}(row, BONUS_PROMPT, seat, character);
    ensures row->players != 2 ==> row->steps == \old(row->steps);
    ensures has_margin{Pre}(row, seat) && \old(row->steps) < MAX_STEPS ==> stays_sound{Pre, Post}(row);
    ensures row->steps <= MAX_STEPS && stays_faulty{Pre, Post}(row);
*/
void levy(Row *row, int seat, int character)
{
    uint32_t clause = character == INNKEEPER ? CLAUSE(BLU, 23) : CLAUSE(BLU, 30);
    /*@ loop invariant 1 <= place <= \max(1, row->players) && row->players == \at(row->players, Pre);
        loop invariant row->steps == \at(row->steps, Pre) && stays_faulty{Pre, Here}(row) && is_player(row, seat);
        loop invariant has_margin{Pre}(row, seat) ==> stays_sound{Pre, Here}(row);
        loop invariant row->fault || \forall integer good; is_good(good) ==>
          gained{Pre, Here}(row, seat, good, owed_before{Pre}(row, seat, character, good, place));
        loop invariant \forall integer each, good; 0 < each < place && is_good(good) ==>
          gained{Pre, Here}(row, clockwise{Pre}(row, seat, each), good,
                            -owed{Pre}(row, clockwise{Pre}(row, seat, each), character, good));
        loop invariant \forall integer each; place <= each < row->players ==>
          same_goods{Pre, Here}(row, clockwise{Pre}(row, seat, each)) &&
          row->player[clockwise{Pre}(row, seat, each)].score ==
            \at(row->player[clockwise{Pre}(row, seat, each)].score, Pre);
        loop assigns place, row->fault, row->player[0 .. MAX_PLAYERS - 1];
        loop variant row->players - place;
    */
    for (int place = 1; place < row->players; place++) {
        int giver = opponent(row, seat, place);
        //@ assert giver == clockwise{Pre}(row, seat, place) && giver != seat;
        //@ assert is_player{Pre}(row, giver);
        //@ assert same_goods{Pre, Here}(row, giver);
        //@ assert \forall integer good; is_good(good) ==> has(row, giver, good) == has{Pre}(row, giver, good);
        //@ assert \forall integer good; is_good(good) ==> has(row, giver, good) <= MOST_GOODS;
        //@ assert is_seat(row, giver) && row->player[giver].score <= MOST_SCORE;
        //@ assert is_player(row, giver);
        /*@ assert \forall integer good; is_good(good) ==>
              owed(row, giver, character, good) == owed{Pre}(row, giver, character, good); */
        give(row, giver, seat, due(row, giver, character), clause);
        /*@ assert \forall integer other; 0 <= other < row->players && other != giver && other != seat ==>
              row->player[other].goods[GOLD] == \at(row->player[other].goods[GOLD], LoopCurrent) &&
              row->player[other].goods[WOOD] == \at(row->player[other].goods[WOOD], LoopCurrent) &&
              row->player[other].goods[STONE] == \at(row->player[other].goods[STONE], LoopCurrent) &&
              row->player[other].goods[BRICK] == \at(row->player[other].goods[BRICK], LoopCurrent); */
        /*@ assert \forall integer good; is_good(good) ==>
              gained{LoopCurrent, Here}(row, giver, good, -owed{Pre}(row, giver, character, good)); */
        /*@ assert row->fault || \forall integer good; is_good(good) ==>
              gained{LoopCurrent, Here}(row, seat, good, owed{Pre}(row, giver, character, good)); */
        /*@ assert \forall integer other; 0 <= other < row->players && other != giver && other != seat ==>
              same_goods{LoopCurrent, Here}(row, other); */
        /*@ assert \forall integer other; 0 <= other < row->players ==>
              row->player[other].score == \at(row->player[other].score, LoopCurrent); */
        /*@ assert \forall integer each; 0 < each < row->players && each != place ==>
              same_goods{LoopCurrent, Here}(row, clockwise{Pre}(row, seat, each)); */
        /*@ assert \forall integer other, good, count; same_goods{LoopCurrent, Here}(row, other) && is_good(good) &&
              gained{Pre, LoopCurrent}(row, other, good, count) ==> gained{Pre, Here}(row, other, good, count); */
        /*@ assert \forall integer good; is_good(good) ==>
              gained{Pre, Here}(row, giver, good, -owed{Pre}(row, giver, character, good)); */
        /*@ assert \forall integer other; same_goods{Pre, LoopCurrent}(row, other) &&
              same_goods{LoopCurrent, Here}(row, other) ==> same_goods{Pre, Here}(row, other); */
        /*@ assert \forall integer good; owed_before{Pre}(row, seat, character, good, place + 1) ==
              owed_before{Pre}(row, seat, character, good, place) + owed{Pre}(row, giver, character, good); */
    }
    with_bonus(row, seat, character);
}

/* The Nun takes three goods of a kind; then every opponent takes one of this kind.
 *
 * Rules: BLU-26, BLU-27, BLU-28, FIN-15
 */
/*@ requires \valid(row) && has_step(row) && are_players(row) && is_seat(row, prompt.seat) && \valid_read(action);
    requires action->number == DECLINE || is_good(action->number - TAKE_GOOD);
    requires \separated(row, action);
    assigns row->steps, row->agenda[row->steps - 1], row->fault, row->player[0 .. MAX_PLAYERS - 1];
    ensures is_done{Pre, Post}(row);
    ensures BLU_26_part: row->fault || action->number == DECLINE ||
      took_only{Pre, Post}(row, prompt.seat, action->number - TAKE_GOOD, NUN_TAKES);
    ensures BLU_27_part: FIN_15_part: row->fault || action->number == DECLINE ||
      \forall integer place; 0 < place < row->players ==>
        took_only{Pre, Post}(row, clockwise{Pre}(row, prompt.seat, place), action->number - TAKE_GOOD, 1);
    ensures BLU_28_part: action->number == DECLINE ==>
      \forall integer seat; 0 <= seat < row->players ==> same_goods{Pre, Post}(row, seat);
    ensures have_margins{Pre}(row) ==> stays_sound{Pre, Post}(row);
    ensures stays_faulty{Pre, Post}(row);
*/
void share_alms(Row *row, Step prompt, const Action *action)
{
    done(row);
    if (action->number == DECLINE) {
        decline(row, prompt.seat, CLAUSE(BLU, 28));
        return;
    }
    int good = action->number - TAKE_GOOD;
    //@ assert is_player{Pre}(row, prompt.seat);
    //@ assert is_player(row, prompt.seat);
    take(row, prompt.seat, goods_of(good, NUN_TAKES), CLAUSE(BLU, 26));
    /*@ loop invariant 1 <= place <= \max(1, row->players) && row->players == \at(row->players, Pre);
        loop invariant row->steps == \at(row->steps, Pre) - 1 && stays_faulty{Pre, Here}(row);
        loop invariant have_margins{Pre}(row) ==> stays_sound{Pre, Here}(row);
        loop invariant row->fault || took_only{Pre, Here}(row, prompt.seat, good, NUN_TAKES);
        loop invariant row->fault || \forall integer each; 0 < each < place ==>
          took_only{Pre, Here}(row, clockwise{Pre}(row, prompt.seat, each), good, 1);
        loop invariant \forall integer each; place <= each < row->players ==>
          same_goods{Pre, Here}(row, clockwise{Pre}(row, prompt.seat, each)) &&
          row->player[clockwise{Pre}(row, prompt.seat, each)].score ==
            \at(row->player[clockwise{Pre}(row, prompt.seat, each)].score, Pre);
        loop assigns place, row->fault, row->player[0 .. MAX_PLAYERS - 1];
        loop variant row->players - place;
    */
    for (int place = 1; place < row->players; place++) {
        //@ assert clockwise(row, prompt.seat, place) == clockwise{Pre}(row, prompt.seat, place);
        //@ assert is_player{Pre}(row, clockwise{Pre}(row, prompt.seat, place));
        //@ assert same_goods{Pre, Here}(row, clockwise{Pre}(row, prompt.seat, place));
        /*@ assert \forall integer each; is_good(each) ==> has(row, clockwise{Pre}(row, prompt.seat, place), each) ==
              has{Pre}(row, clockwise{Pre}(row, prompt.seat, place), each); */
        /*@ assert \forall integer each; is_good(each) ==>
              has(row, clockwise{Pre}(row, prompt.seat, place), each) <= MOST_GOODS; */
        /*@ assert is_seat(row, clockwise{Pre}(row, prompt.seat, place)) &&
              row->player[clockwise{Pre}(row, prompt.seat, place)].score <= MOST_SCORE; */
        //@ assert is_player(row, clockwise{Pre}(row, prompt.seat, place));
        //@ assert have_margins{Pre}(row) ==> has_margin{Pre}(row, clockwise{Pre}(row, prompt.seat, place));
        /*@ assert have_margins{Pre}(row) ==> \forall integer each; is_good(each) ==>
              has{Pre}(row, clockwise{Pre}(row, prompt.seat, place), each) + 1 <= MOST_GOODS; */
        /*@ assert have_margins{Pre}(row) ==> \forall integer each; is_good(each) ==>
              has(row, clockwise{Pre}(row, prompt.seat, place), each) + 1 <= MOST_GOODS; */
        take(row, opponent(row, prompt.seat, place), one(good), CLAUSE(BLU, 27));
        /*@ assert \forall integer seat, each; 0 <= seat < row->players && 0 <= each < GOODS &&
              seat != clockwise{Pre}(row, prompt.seat, place) ==>
              row->player[seat].goods[each] == \at(row->player[seat].goods[each], LoopCurrent); */
        //@ assert have_margins{Pre}(row) ==> row->fault == \at(row->fault, LoopCurrent);
        //@ assert row->fault || took_only{LoopCurrent, Here}(row, clockwise{Pre}(row, prompt.seat, place), good, 1);
        /*@ assert \forall integer seat, each; 0 <= seat < row->players &&
              seat != clockwise{Pre}(row, prompt.seat, place) && is_good(each) ==>
              gained{LoopCurrent, Here}(row, seat, each, 0); */
        /*@ assert \forall integer seat; 0 <= seat < row->players && seat != clockwise{Pre}(row, prompt.seat, place) ==>
              same_goods{LoopCurrent, Here}(row, seat); */
        /*@ assert \forall integer seat; 0 <= seat < row->players ==>
              row->player[seat].score == \at(row->player[seat].score, LoopCurrent); */
        /*@ assert \forall integer each; 0 <= each < row->players && each != place ==>
              same_goods{LoopCurrent, Here}(row, clockwise{Pre}(row, prompt.seat, each)); */
        /*@ assert \forall integer seat, each, count; same_goods{LoopCurrent, Here}(row, seat) && is_good(each) &&
              gained{Pre, LoopCurrent}(row, seat, each, count) ==> gained{Pre, Here}(row, seat, each, count); */
        /*@ assert \forall integer seat, amount; same_goods{LoopCurrent, Here}(row, seat) &&
              took_only{Pre, LoopCurrent}(row, seat, good, amount) ==> took_only{Pre, Here}(row, seat, good, amount); */
        /*@ assert \forall integer seat; same_goods{Pre, LoopCurrent}(row, seat) &&
              same_goods{LoopCurrent, Here}(row, seat) ==> same_goods{Pre, Here}(row, seat); */
        /*@ assert row->fault || \forall integer each; is_good(each) ==>
              gained{Pre, Here}(row, clockwise{Pre}(row, prompt.seat, place), each, each == good ? 1 : 0); */
        //@ assert row->fault || took_only{Pre, Here}(row, clockwise{Pre}(row, prompt.seat, place), good, 1);
    }
}
