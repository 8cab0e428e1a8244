/* Building and upgrading: sites, prices and payments. */

#include "row.h"

/* Return a cost minus some gold and a reduction; no amount becomes negative.
 *
 * Rules: BLD-11, BLD-12, BLD-14
 */
/*@ requires \valid_read(cost + (0 .. GOODS - 1)) && \valid_read(reduction + (0 .. GOODS - 1));
    requires 0 <= gold <= UINT8_MAX;
    assigns \nothing;
    ensures BLD_12_part: \forall integer good; is_good(good) ==> \result.of[good] ==
      \max(0, cost[good] - reduction[good] - (good == GOLD ? gold : 0));
*/
static Goods reduced(const uint8_t cost[GOODS], int gold, const uint8_t reduction[GOODS])
{
    Goods price;
    //@ EACH_GOOD;
    for (int good = 0; good < GOODS; good++) {
        int left = cost[good] - reduction[good] - (good == GOLD ? gold : 0);
        price.of[good] = left > 0 ? left : 0;
    }
    return price;
}

/* Return the price of a new building on a site for a player.
 *
 * Rules: BLD-5, BLD-6, BLD-10, BLD-11, BLD-12, BLD-14
 */
/*@ requires \valid_read(table) && readable(row) && is_seat(row, seat) && 0 <= site < MAX_SITES;
    requires row->display[site] < MAX_DESIGNS && \valid_read(reduction + (0 .. GOODS - 1));
    assigns \nothing;
    ensures BLD_5_states: \forall integer good; is_material(good) ==> \result.of[good] ==
      \max(0, table->cost[row->display[site]][good] - reduction[good]);
    ensures BLD_6_states: BLD_10_states: BLD_11_states: BLD_14_part: \result.of[GOLD] ==
      \max(0, table->cost[row->display[site]][GOLD] - reduction[GOLD] - DISCOUNT(row, seat, site));
    ensures \forall integer good; is_good(good) ==> 0 <= \result.of[good] <= UINT8_MAX;
*/
Goods building_price(const Table *table, const Row *row, int seat, int site,
                     const uint8_t reduction[GOODS])
{
    int discount = count_sites(in_both(NEIGHBOURS[site], row->player[seat].built));
    return reduced(table->cost[row->display[site]], discount, reduction);
}

/* Return the price of upgrading the building on a site: no gold, and no discount.
 *
 * Rules: BLD-12, BLD-13, BLD-17, BLD-18
 */
/*@ requires \valid_read(table) && readable(row) && 0 <= site < MAX_SITES;
    requires row->display[site] < MAX_DESIGNS && \valid_read(reduction + (0 .. GOODS - 1));
    assigns \nothing;
    ensures BLD_17_states: BLD_18_states: \result.of[GOLD] == 0;
    ensures BLD_12_part: BLD_13_states: BLD_17_states: BLD_18_states: \forall integer good; is_material(good) ==> \result.of[good] ==
      \max(0, table->cost[row->display[site]][good] - reduction[good]);
    ensures \forall integer good; is_good(good) ==> 0 <= \result.of[good] <= UINT8_MAX;
*/
Goods upgrade_price(const Table *table, const Row *row, int site, const uint8_t reduction[GOODS])
{
    const uint8_t *cost = table->cost[row->display[site]];
    return reduced(cost, cost[GOLD], reduction);
}

/* Return whether some payment from these goods is right for a price.
 *
 * It is cheapest to replace only the missing items.
 *
 * Rules: BLD-20, BLD-26
 */
/*@ requires \valid_read(goods + (0 .. GOODS - 1)) && \valid_read(price) && are_amounts(*price);
    assigns \nothing;
    ensures BLD_20_part: BLD_26_part: \result != 0 <==>
      affords(goods[GOLD], goods[WOOD], goods[STONE], goods[BRICK],
              price->of[GOLD], price->of[WOOD], price->of[STONE], price->of[BRICK]);
*/
bool can_pay(const uint16_t goods[GOODS], const Goods *price)
{
    int spare = 0, missing = 0;
    //@ assert sum(*price) <= GOODS * MOST_GOODS;
    //@ EACH_GOOD;
    for (int good = 0; good < GOODS; good++) {
        int left = goods[good] - price->of[good];
        spare += left;
        missing -= left < 0 ? left : 0;
    }
    return spare >= (SUBSTITUTES - 1) * missing;
}

/* List the sites on which a player can build, then those the player can upgrade; at most `most`.
 *
 * Rules: BLD-3, BLD-4, BLD-15, BLD-16, BLD-26, BLD-36, RED-9
 */
/*@ requires readable(row) && is_builder(table, row, seat) && \valid_read(reduction + (0 .. GOODS - 1));
    requires 0 < most <= 2 * MAX_SITES && \valid(numbers + (0 .. most - 1));
    requires \base_addr(numbers) != \base_addr(row) && \base_addr(numbers) != \base_addr(table);
    requires \base_addr(numbers) != \base_addr(reduction);
    assigns numbers[0 .. most - 1];
    ensures 0 <= \result <= most && is_ascending(numbers, \result);
    ensures BLD_3_part: BLD_4_part: BLD_15_part: BLD_16_part: BLD_26_states: \forall integer place; 0 <= place < \result ==>
      may_choose{Pre}(table, row, seat, numbers[place], reduction, NEIGHBOURS);
    ensures BLD_26_states: \result < most || most == 2 * MAX_SITES ==> \forall integer number;
      may_choose{Pre}(table, row, seat, number, reduction, NEIGHBOURS) ==> lists(numbers, \result, number);
*/
int sites_in_reach(const Table *table, const Row *row, int seat, const uint8_t reduction[GOODS],
                   int most, uint16_t *numbers)
{
    const Player *player = &row->player[seat];
    int count = 0;
    if (count_sites(player->built) < HOUSES_PER_PLAYER) {
        /*@ loop invariant 0 <= rest <= UINT32_MAX && 0 <= count <= most && count <= row->dealt;
            loop invariant \forall integer site; 0 <= site < 64 && is_of(rest, site) ==>
              count <= site < row->dealt && is_free(row, site);
            loop invariant \forall integer place; 0 <= place < count ==>
              may_choose{Pre}(table, row, seat, numbers[place], reduction, NEIGHBOURS);
            loop invariant \forall integer place, site; 0 <= place < count && 0 <= site < 64 &&
              is_of(rest, site) ==> numbers[place] < BUILD + site;
            loop invariant \forall integer place; 0 <= place < count ==> numbers[place] < UPGRADE;
            loop invariant is_ascending(numbers, count);
            loop invariant \forall integer number; number < UPGRADE &&
              may_choose{Pre}(table, row, seat, number, reduction, NEIGHBOURS) ==>
                is_of(rest, number - BUILD) || lists(numbers, count, number);
            loop assigns rest, count, numbers[0 .. most - 1];
            loop variant rest;
        */
        for (uint32_t rest = free_sites(row); rest && count < most; rest = other_sites(rest)) {
            int site = first_site(rest);
            Goods price = building_price(table, row, seat, site, reduction);
            if (can_pay(player->goods, &price)) {
                //@ assert may_choose{Pre}(table, row, seat, BUILD + site, reduction, NEIGHBOURS);
                numbers[count++] = (uint16_t)(BUILD + site);
                /*@ assert \forall integer number; lists{LoopCurrent}(numbers, count - 1, number) ==>
                      lists(numbers, count, number); */
                //@ assert lists(numbers, count, BUILD + site);
            }
            /*@ assert may_choose{Pre}(table, row, seat, BUILD + site, reduction, NEIGHBOURS) ==>
                  lists(numbers, count, BUILD + site); */
        }
    }
    /*@ loop invariant 0 <= rest <= UINT32_MAX && 0 <= count <= most && count <= MAX_SITES + row->dealt;
        loop invariant \forall integer site; 0 <= site < 64 && is_of(rest, site) ==>
          count <= MAX_SITES + site && site < row->dealt && has_house(row, seat, site) &&
          !has_upgrade(row, seat, site);
        loop invariant \forall integer place; 0 <= place < count ==>
          may_choose{Pre}(table, row, seat, numbers[place], reduction, NEIGHBOURS);
        loop invariant \forall integer place, site; 0 <= place < count && 0 <= site < 64 &&
          is_of(rest, site) ==> numbers[place] < UPGRADE + site;
        loop invariant is_ascending(numbers, count);
        loop invariant count < most || most == 2 * MAX_SITES ==> \forall integer number;
          may_choose{Pre}(table, row, seat, number, reduction, NEIGHBOURS) ==>
            (number >= UPGRADE && is_of(rest, number - UPGRADE)) || lists(numbers, count, number);
        loop assigns rest, count, numbers[0 .. most - 1];
        loop variant rest;
    */
    for (uint32_t rest = without(player->built, player->upgraded); rest && count < most;
         rest = other_sites(rest)) {
        int site = first_site(rest);
        Goods price = upgrade_price(table, row, site, reduction);
        if (can_pay(player->goods, &price)) {
            //@ assert may_choose{Pre}(table, row, seat, UPGRADE + site, reduction, NEIGHBOURS);
            numbers[count++] = (uint16_t)(UPGRADE + site);
            //@ assert is_ascending(numbers, count);
            /*@ assert \forall integer number; lists{LoopCurrent}(numbers, count - 1, number) ==>
                  lists(numbers, count, number); */
            //@ assert lists(numbers, count, UPGRADE + site);
        }
        //@ assert !may_build{Pre}(table, row, seat, UPGRADE - BUILD + site, reduction, NEIGHBOURS);
        /*@ assert may_upgrade{Pre}(table, row, seat, site, reduction) ==>
              lists(numbers, count, UPGRADE + site); */
        /*@ assert may_choose{Pre}(table, row, seat, UPGRADE + site, reduction, NEIGHBOURS) ==>
              lists(numbers, count, UPGRADE + site); */
    }
    return count;
}

/* List every site that the player can build on or upgrade, and the choice of neither.
 *
 * Rules: BLD-1, BLD-2, BLD-26
 */
/*@ requires readable(row) && is_builder(table, row, prompt.seat);
    requires \valid(numbers + (0 .. 2 * MAX_SITES));
    requires \base_addr(numbers) != \base_addr(row) && \base_addr(numbers) != \base_addr(table);
    assigns numbers[0 .. 2 * MAX_SITES];
    ensures 0 < \result <= 2 * MAX_SITES + 1 && is_ascending(numbers, \result);
    ensures BLD_1_serves: BLD_2_states: BLD_26_states: \forall integer number;
      lists(numbers, \result, number) <==> may_take_site{Pre}(table, row, prompt, number, NEIGHBOURS);
*/
int legal_sites(const Table *table, const Row *row, Step prompt, uint16_t *numbers)
{
    //@ assert \forall integer good; is_good(good) ==> prompt.goods[good] == (&prompt.goods[0])[good];
    /*@ assert \forall integer site, good, discount; 0 <= site < row->dealt && is_good(good) ==>
          site_price(table, row, site, good, &prompt.goods[0], discount) ==
            new_price(table, row, site, good, prompt, discount); */
    /*@ assert \forall integer site; may_build(table, row, prompt.seat, site, &prompt.goods[0], NEIGHBOURS) <==>
          may_build_as_asked(table, row, prompt, site, NEIGHBOURS); */
    /*@ assert \forall integer site; may_upgrade(table, row, prompt.seat, site, &prompt.goods[0]) <==>
          may_upgrade_as_asked(table, row, prompt, site); */
    /*@ assert \forall integer number; may_take_site(table, row, prompt, number, NEIGHBOURS) <==> number == DECLINE ||
          may_choose(table, row, prompt.seat, number, &prompt.goods[0], NEIGHBOURS); */
    int count = sites_in_reach(table, row, prompt.seat, prompt.goods, 2 * MAX_SITES, numbers);
    //@ ghost Before: ;
    /*@ assert \forall integer place; 0 <= place < count ==>
          may_take_site{Pre}(table, row, \at(prompt, Pre), numbers[place], NEIGHBOURS) && numbers[place] < DECLINE; */
    numbers[count++] = DECLINE;
    //@ assert lists(numbers, count, DECLINE);
    //@ assert \forall integer number; lists{Before}(numbers, count - 1, number) ==> lists(numbers, count, number);
    /*@ assert \forall integer place; 0 <= place < count ==>
          may_take_site{Pre}(table, row, \at(prompt, Pre), numbers[place], NEIGHBOURS); */
    /*@ assert \forall integer number; may_take_site{Pre}(table, row, \at(prompt, Pre), number, NEIGHBOURS) ==>
          lists(numbers, count, number); */
    return count;
}

/* Return whether a player may build on a site, regardless of the price.
 *
 * Rules: BLD-3, BLD-4
 */
/*@ requires readable(row) && is_seat(row, seat) && 0 <= site < MAX_SITES;
    assigns \nothing;
    ensures BLD_3_states: BLD_4_states: \result != 0 <==> is_free(row, site) && houses(row, seat) < HOUSES_PER_PLAYER;
*/
static bool check_new_building(const Row *row, int seat, int site)
{
    return owner_of(row, site) < 0 && count_sites(row->player[seat].built) < HOUSES_PER_PLAYER;
}

/* Return whether a player may upgrade a site, regardless of the price.
 *
 * Rules: BLD-15, BLD-16
 */
/*@ requires readable(row) && is_seat(row, seat) && 0 <= site < MAX_SITES;
    assigns \nothing;
    ensures BLD_15_states: BLD_16_states: \result != 0 <==> has_house(row, seat, site) && !has_upgrade(row, seat, site);
*/
static bool check_upgrade(const Row *row, int seat, int site)
{
    return is_among(without(row->player[seat].built, row->player[seat].upgraded), site);
}

/* Return whether the player may build on a site or upgrade it, and can pay.
 *
 * Rules: BLD-2, BLD-3, BLD-4, BLD-15, BLD-16, BLD-26
 */
/*@ requires is_table(table) && readable(row) && is_display(table, row) && is_seat(row, prompt.seat);
    requires \valid_read(action) && 0 <= action->number < NUMBERS;
    assigns \nothing;
    ensures BLD_3_states: BLD_4_states: BLD_26_states: BUILD <= action->number < BUILD + row->dealt ==>
      (\result != 0 <==> is_free(row, action->number - BUILD) &&
        houses(row, prompt.seat) < HOUSES_PER_PLAYER &&
        CAN_PAY_NEW(table, row, prompt.seat, action->number - BUILD, prompt));
    ensures BLD_15_states: BLD_16_states: BLD_26_states: UPGRADE <= action->number < UPGRADE + row->dealt ==>
      (\result != 0 <==> has_house(row, prompt.seat, action->number - UPGRADE) &&
        !has_upgrade(row, prompt.seat, action->number - UPGRADE) &&
        CAN_PAY_UPGRADE(table, row, prompt.seat, action->number - UPGRADE, prompt));
    ensures BLD_2_states: action->number == DECLINE ==> \result != 0;
    ensures \result != 0 <==> may_take_site(table, row, prompt, action->number, NEIGHBOURS);
*/
bool check_site(const Table *table, const Row *row, Step prompt, const Action *action)
{
    int number = action->number, seat = prompt.seat;
    Goods price;
    if (number >= BUILD && number < BUILD + row->dealt) {
        /*@ assert may_take_site(table, row, prompt, number, NEIGHBOURS) <==>
              may_build_as_asked(table, row, prompt, number - BUILD, NEIGHBOURS); */
        price = building_price(table, row, seat, number - BUILD, prompt.goods);
        return check_new_building(row, seat, number - BUILD)
            && can_pay(row->player[seat].goods, &price);
    }
    if (number >= UPGRADE && number < UPGRADE + row->dealt) {
        /*@ assert may_take_site(table, row, prompt, number, NEIGHBOURS) <==>
              may_upgrade_as_asked(table, row, prompt, number - UPGRADE); */
        price = upgrade_price(table, row, number - UPGRADE, prompt.goods);
        return check_upgrade(row, seat, number - UPGRADE)
            && can_pay(row->player[seat].goods, &price);
    }
    //@ assert may_take_site(table, row, prompt, number, NEIGHBOURS) <==> number == DECLINE;
    return number == DECLINE;
}

/* Return the price of the site that the player chooses.
 *
 * Rules: BLD-5, BLD-6, BLD-11, BLD-12, BLD-13, BLD-14, BLD-17, BLD-18
 */
/*@ requires \valid_read(table) && readable(row) && is_display(table, row) && is_seat(row, prompt.seat);
    requires BUILD <= number < BUILD + row->dealt || UPGRADE <= number < UPGRADE + row->dealt;
    assigns \nothing;
    ensures BLD_5_states: BLD_12_part: number < UPGRADE ==> \forall integer good; is_material(good) ==>
      \result.of[good] == new_price(table, row, number - BUILD, good, prompt, 0);
    ensures BLD_6_states: BLD_11_states: BLD_14_part: number < UPGRADE ==> \result.of[GOLD] == new_price(table, row,
      number - BUILD, GOLD, prompt, DISCOUNT(row, prompt.seat, number - BUILD));
    ensures BLD_17_states: BLD_18_states: number >= UPGRADE ==> \result.of[GOLD] == 0;
    ensures BLD_13_states: number >= UPGRADE ==> \forall integer good; is_material(good) ==>
      \result.of[good] == new_price(table, row, number - UPGRADE, good, prompt, 0);
    ensures \forall integer good; is_good(good) ==> 0 <= \result.of[good] <= UINT8_MAX;
*/
static Goods price_of(const Table *table, const Row *row, Step prompt, int number)
{
    return number < UPGRADE
        ? building_price(table, row, prompt.seat, number - BUILD, prompt.goods)
        : upgrade_price(table, row, number - UPGRADE, prompt.goods);
}

/* The player chooses a site, and must then pay for it; or the player neither builds nor upgrades.
 *
 * Rules: BLD-1, BLD-2, BLD-27
 */
/*@ requires \valid_read(table) && \valid(row) && is_display(table, row) && has_step(row);
    requires is_seat(row, prompt.seat) && \valid_read(action) && \separated(row, action, table);
    requires action->number == DECLINE || BUILD <= action->number < BUILD + row->dealt ||
      UPGRADE <= action->number < UPGRADE + row->dealt;
    assigns row->steps, row->agenda[0 .. MAX_STEPS - 1], row->fault;
    ensures BLD_2_part: action->number == DECLINE ==> is_done{Pre, Post}(row);
    ensures BLD_1_states: BLD_27_states: row->fault || action->number == DECLINE || (row->steps == \old(row->steps) &&
      is_step_for(row->agenda[row->steps - 1], PAYMENT_PROMPT, prompt.seat,
        action->number - (action->number < UPGRADE ? BUILD : UPGRADE)));
    ensures BLD_27_states: row->fault || action->number >= UPGRADE || \forall integer good; is_good(good) ==>
      row->agenda[row->steps - 1].goods[good] == new_price{Pre}(table, row, action->number - BUILD, good, prompt,
        good == GOLD ? DISCOUNT(row, prompt.seat, action->number - BUILD) : 0);
    ensures BLD_27_states: row->fault || action->number == DECLINE || action->number < UPGRADE ||
      \forall integer good; is_good(good) ==> row->agenda[row->steps - 1].goods[good] ==
        (good == GOLD ? 0 : new_price{Pre}(table, row, action->number - UPGRADE, good, prompt, 0));
    ensures stays_sound{Pre, Post}(row);
*/
void choose_site(const Table *table, Row *row, Step prompt, const Action *action)
{
    int number = action->number;
    if (number == DECLINE) {
        done(row);
        decline(row, prompt.seat, CLAUSE(BLD, 2));
        return;
    }
    Goods price = price_of(table, row, prompt, number);
    done(row);
    do_first(row, step(PAYMENT_PROMPT, prompt.seat, number - (number < UPGRADE ? BUILD : UPGRADE), &price));
}

/* Return the minimum number of items of a good that can be among the replaced ones.
 *
 * Rules: BLD-20, BLD-21
 */
/*@ requires 0 <= item <= UINT8_MAX && 0 <= paid <= UINT16_MAX;
    assigns \nothing;
    ensures BLD_20_serves: \result == missing(paid, item);
*/
static int least_replaced(int item, int paid)
{
    return item > paid ? item - paid : 0;
}

/* Return the maximum number of items of a good that can be among the replaced ones.
 *
 * Rules: BLD-20, BLD-21
 */
/*@ requires 0 <= item <= UINT8_MAX && 0 <= paid <= UINT16_MAX && 0 <= replaced <= 2 * UINT16_MAX;
    assigns \nothing;
    ensures BLD_20_serves: paid <= SUBSTITUTES * replaced + item ==>
      \result == \min(item, (SUBSTITUTES * replaced + item - paid) / (SUBSTITUTES + 1));
    ensures 0 <= \result <= item;
*/
static int most_replaced(int item, int paid, int replaced)
{
    unsigned all = (unsigned)(SUBSTITUTES * replaced + item - paid); /* may be negative: see `replaces` */
    int most = (int)(all / (SUBSTITUTES + 1));
    return most < item ? most : item;
}

/* Return whether goods are a right payment in which `replaced` items are replaced; their total determines
 * this number.
 *
 * If the payment has more of a good than could replace all items of other goods, it has so few of these
 * that more items are missing than are replaced.  A negative bound is then irrelevant.
 */
/*@ requires \valid_read(payment + (0 .. GOODS - 1)) && \valid_read(price + (0 .. GOODS - 1));
    requires \forall integer good; is_good(good) ==> 0 <= payment[good] <= UINT16_MAX;
    requires 0 <= replaced <= 2 * UINT16_MAX && (SUBSTITUTES - 1) * replaced ==
      payment[GOLD] + payment[WOOD] + payment[STONE] + payment[BRICK] -
      (price[GOLD] + price[WOOD] + price[STONE] + price[BRICK]);
    assigns \nothing;
    ensures \result != 0 <==> can_be_replaced(payment[GOLD], payment[WOOD], payment[STONE], payment[BRICK],
      price[GOLD], price[WOOD], price[STONE], price[BRICK], replaced);
*/
static bool replaces(const int payment[GOODS], const uint8_t price[GOODS], int replaced)
{
    int least = 0, most = 0;
    //@ EACH_GOOD;
    for (int good = 0; good < GOODS; good++) {
        least += least_replaced(price[good], payment[good]);
        most += most_replaced(price[good], payment[good], replaced);
    }
    //@ assert least <= replaced ==> payment[GOLD] <= SUBSTITUTES * replaced + price[GOLD];
    //@ assert least <= replaced ==> payment[WOOD] <= SUBSTITUTES * replaced + price[WOOD];
    //@ assert least <= replaced ==> payment[STONE] <= SUBSTITUTES * replaced + price[STONE];
    //@ assert least <= replaced ==> payment[BRICK] <= SUBSTITUTES * replaced + price[BRICK];
    return least <= replaced && replaced <= most;
}

/* Return whether goods are a right payment for a price, by arithmetic.
 *
 * Rules: BLD-19, BLD-20, BLD-21, BLD-22, BLD-23, BLD-24
 */
/*@ requires \valid_read(payment + (0 .. GOODS - 1)) && \valid_read(price + (0 .. GOODS - 1));
    requires \forall integer good; is_good(good) ==> 0 <= payment[good] <= UINT16_MAX;
    assigns \nothing;
    ensures BLD_20_part: \result != 0 ==> affords(payment[GOLD], payment[WOOD], payment[STONE], payment[BRICK],
                                             price[GOLD], price[WOOD], price[STONE], price[BRICK]);
    ensures BLD_20_part: BLD_21_serves: BLD_22_part: BLD_23_part: BLD_24_part: \result != 0 <==> is_paid_by(
      payment[GOLD], payment[WOOD], payment[STONE], payment[BRICK],
      price[GOLD], price[WOOD], price[STONE], price[BRICK]);
*/
bool is_payment(const int payment[GOODS], const uint8_t price[GOODS])
{
    int more = 0;
    //@ EACH_GOOD;
    for (int good = 0; good < GOODS; good++) {
        more += payment[good] - price[good];
    }
    if (more < 0 || more % (SUBSTITUTES - 1)) {
        return false;
    }
    return replaces(payment, price, more / (SUBSTITUTES - 1));
}

/* Return the smaller number. */
/*@ assigns \nothing;
    ensures \result == \min(one, other);
*/
static int smaller(int one, int other)
{
    return one < other ? one : other;
}

/* Return the larger number. */
/*@ assigns \nothing;
    ensures \result == \max(one, other);
*/
static int larger(int one, int other)
{
    return one > other ? one : other;
}

/* The callback for payments: any function that accepts the right payments from some goods in ascending
 * order, without a gap.
 *
 * The last reported payment and the returned good determine the payments that are skipped. */
/*@ ghost
  const uint8_t *told_price;
  const uint16_t *told_goods;
  int told_begun, told_gold, told_wood, told_stone, told_brick, going_on;
*/
/*@ // A right payment, which is to be reported.
    predicate is_due{L}(integer gold, integer wood, integer stone, integer brick) =
      is_right(told_price, told_goods, told_begun, gold, wood, stone, brick);

    // So many items are missing in a payment.
    logic integer lacking{L}(integer gold, integer wood, integer stone, integer brick) =
      missing(gold, told_price[GOLD]) + missing(wood, told_price[WOOD]) + missing(stone, told_price[STONE]) +
      missing(brick, told_price[BRICK]);

    // The bounds of what is paid of a good, if of so many items at most these are replaced.
    logic integer least_of{L}(integer good, integer replaced) =
      good < told_begun ? told_goods[good] : \max(0, told_price[good] - replaced);
    logic integer most_of{L}(integer good, integer items, integer replaced) =
      \min(told_goods[good], told_price[good] + SUBSTITUTES * \min(replaced, items - told_price[good]));

    // A payment is ahead if it was neither passed to the callback nor skipped by its result.
    predicate is_ahead{L}(integer gold, integer wood, integer stone, integer brick) =
      precedes(going_on + 1, told_gold, told_wood, told_stone, told_brick, gold, wood, stone, brick);

    // A payment comes before what is paid of the goods before one, and so much of that.
    predicate is_before{L}(integer gold, integer wood, integer stone, integer brick, int *paid, integer good,
                           integer amount) =
      precedes(good + 1, gold, wood, stone, brick, good == GOLD ? amount : paid[GOLD],
               good == WOOD ? amount : paid[WOOD], good == STONE ? amount : paid[STONE], amount);

    // A payment comes after what is paid of the first goods.
    predicate is_after{L}(integer gold, integer wood, integer stone, integer brick, int *paid,
                          integer goods) =
      precedes(goods, paid[GOLD], paid[WOOD], paid[STONE], paid[BRICK], gold, wood, stone, brick);

    // A payment has just what is paid of the first goods.
    predicate starts_with{L}(integer gold, integer wood, integer stone, int *paid, integer goods) =
      (goods > GOLD ==> gold == paid[GOLD]) && (goods > WOOD ==> wood == paid[WOOD]) &&
      (goods > STONE ==> stone == paid[STONE]);

    // Every earlier payment was passed to the callback or skipped; the others are ahead.
    predicate settled_before{L}(int *paid, integer good, integer amount) =
      \forall integer gold, wood, stone, brick; is_due(gold, wood, stone, brick) &&
        is_before(gold, wood, stone, brick, paid, good, amount) ==> !is_ahead(gold, wood, stone, brick);
    predicate ahead_from{L}(int *paid, integer good, integer amount) =
      \forall integer gold, wood, stone, brick; 0 <= gold && 0 <= wood && 0 <= stone && 0 <= brick &&
        !is_before(gold, wood, stone, brick, paid, good, amount) ==> is_ahead(gold, wood, stone, brick);

    // Every payment up to these was passed to the callback or skipped; the others are ahead.
    predicate settled_up_to{L}(int *paid, integer goods) =
      \forall integer gold, wood, stone, brick; is_due(gold, wood, stone, brick) &&
        !is_after(gold, wood, stone, brick, paid, goods) ==> !is_ahead(gold, wood, stone, brick);
    predicate ahead_after{L}(int *paid, integer goods) =
      \forall integer gold, wood, stone, brick; 0 <= gold && 0 <= wood && 0 <= stone && 0 <= brick &&
        is_after(gold, wood, stone, brick, paid, goods) ==> is_ahead(gold, wood, stone, brick);
*/
/*@ ghost
  /@ requires \valid_read(payment + (0 .. GOODS - 1));
     requires owned_goods: \forall integer good; is_good(good) ==> 0 <= payment[good] <= told_goods[good];
     requires right: is_paid_by(payment[GOLD], payment[WOOD], payment[STONE], payment[BRICK],
       told_price[GOLD], told_price[WOOD], told_price[STONE], told_price[BRICK]);
     requires once: is_ahead(payment[GOLD], payment[WOOD], payment[STONE], payment[BRICK]);
     requires all: settled_before(payment, BRICK, payment[BRICK]);
     assigns told_gold, told_wood, told_stone, told_brick, going_on;
     ensures -1 <= \result <= BRICK && going_on == \result;
     ensures told_gold == payment[GOLD] && told_wood == payment[WOOD] && told_stone == payment[STONE] &&
       told_brick == payment[BRICK];
  @/
  int any_found(void *collection, const int payment[GOODS]);
*/

/* The state of the enumeration of payments: bounds for each good, and the amounts paid so far. */
typedef struct {
    const uint8_t *price;
    int least[GOODS], most[GOODS], paid[GOODS];
    int replaced;  /* the maximum number of replaced items in total */
    int most_left; /* the part of the maximum total that may remain unpaid after the bricks */
    Found found;
    void *collection;
} Purse;

/*@ // The bounds are those of payments to be reported, and leave out none.
    predicate is_bound{L}(Purse *purse) = purse->price == told_price &&
      are_bounds(&purse->least[0], &purse->most[0], told_goods) &&
      0 <= purse->most_left <= (SUBSTITUTES - 1) * purse->replaced && purse->replaced <= GOODS * UINT8_MAX &&
      \forall integer gold, wood, stone, brick; is_due(gold, wood, stone, brick) ==>
        is_within(&purse->least[0], &purse->most[0], purse->price, purse->replaced, purse->most_left,
                  gold, wood, stone, brick);
*/

/* Return whether the amounts paid so far allow the necessary number of replaced items. */
/*@ requires \valid_read(purse) && \valid_read(purse->price + (0 .. GOODS - 1));
    requires \forall integer good; is_good(good) ==> 0 <= purse->paid[good] <= UINT16_MAX;
    requires 0 <= replaced <= 2 * UINT16_MAX;
    requires missing_of_first(&purse->paid[0], purse->price, GOODS) <= replaced;
    requires (SUBSTITUTES - 1) * replaced ==
      paid_of_first(&purse->paid[0], GOODS) - items_of_first(purse->price, GOODS);
    assigns \nothing;
    ensures \result != 0 <==> can_be_replaced(purse->paid[GOLD], purse->paid[WOOD], purse->paid[STONE],
      purse->paid[BRICK], purse->price[GOLD], purse->price[WOOD], purse->price[STONE],
      purse->price[BRICK], replaced);
*/
static bool can_replace(const Purse *purse, int replaced)
{
    int most = 0;
    //@ EACH_GOOD;
    for (int good = 0; good < GOODS; good++) {
        most += most_replaced(purse->price[good], purse->paid[good], replaced);
    }
    //@ assert purse->paid[GOLD] <= SUBSTITUTES * replaced + purse->price[GOLD];
    //@ assert purse->paid[WOOD] <= SUBSTITUTES * replaced + purse->price[WOOD];
    //@ assert purse->paid[STONE] <= SUBSTITUTES * replaced + purse->price[STONE];
    //@ assert purse->paid[BRICK] <= SUBSTITUTES * replaced + purse->price[BRICK];
    return replaced <= most;
}

/* Try every amount of brick that completes a right payment, up to `left`; so far, `missing` items are
 * missing.
 *
 * Return the good whose amount changes next: brick if all amounts have been tried. */
/*@ requires \valid(purse) && \valid_read(purse->price + (0 .. GOODS - 1)) && purse->found == &any_found;
    requires \valid_read(told_goods + (0 .. GOODS - 1)) && is_bound(purse);
    requires \forall integer good; GOLD <= good < BRICK ==> 0 <= purse->paid[good] <= told_goods[good];
    requires 0 <= left && left + paid_of_first(&purse->paid[0], BRICK) ==
      items_of_first(purse->price, GOODS) + (SUBSTITUTES - 1) * purse->replaced;
    requires missing == missing_of_first(&purse->paid[0], purse->price, BRICK);
    requires settled_before(&purse->paid[0], BRICK, 0) && ahead_from(&purse->paid[0], BRICK, 0);
    assigns purse->paid[BRICK], told_gold, told_wood, told_stone, told_brick, going_on;
    ensures -1 <= \result <= BRICK;
    ensures settled_up_to(&purse->paid[0], \min(\result + 1, BRICK));
    ensures ahead_after(&purse->paid[0], \min(\result + 1, BRICK));
*/
static int lay_out_bricks(Purse *purse, int left, int missing)
{
    const int apart = SUBSTITUTES - 1; /* each further replaced item needs this many more goods */
    int amount = larger(purse->least[BRICK], left - purse->most_left);
    int most = smaller(purse->most[BRICK], left);
    amount += (left - amount) % apart;
    int replaced = purse->replaced - (left - amount) / apart;
    /*@ assert \forall integer gold, wood, stone, brick; is_due(gold, wood, stone, brick) &&
          starts_with(gold, wood, stone, &purse->paid[0], BRICK) ==> amount <= brick; */
    /*@ loop invariant 0 <= amount && 0 <= replaced;
        loop invariant apart * (purse->replaced - replaced) == left - amount;
        loop invariant settled_before(&purse->paid[0], BRICK, amount);
        loop invariant ahead_from(&purse->paid[0], BRICK, amount);
        loop assigns amount, replaced, purse->paid[BRICK];
        loop assigns told_gold, told_wood, told_stone, told_brick, going_on;
        loop variant most - amount;
    */
    for (; amount <= most; amount += apart, replaced++) {
        purse->paid[BRICK] = amount;
        /*@ assert \forall integer gold, wood, stone, brick; is_due(gold, wood, stone, brick) &&
              starts_with(gold, wood, stone, &purse->paid[0], BRICK) ==> brick != amount + 1; */
        /*@ assert is_due(purse->paid[GOLD], purse->paid[WOOD], purse->paid[STONE], amount) ==>
              missing + missing(amount, purse->price[BRICK]) <= replaced; */
        //@ calls any_found;
        if (missing + least_replaced(purse->price[BRICK], amount) <= replaced
            && can_replace(purse, replaced)) {
            int next = purse->found(purse->collection, purse->paid);
            if (next < BRICK) {
                return next;
            }
            //@ assert settled_up_to(&purse->paid[0], GOODS);
        }
        //@ assert settled_up_to(&purse->paid[0], GOODS);
    }
    return BRICK;
}

/* Try every amount of a good, and for each one every amount of the following goods.
 *
 * At most `left` goods remain to be paid, and `missing` items of the preceding goods are missing.  Return
 * the good whose amount changes next: this one or a later one if all amounts have been tried. */
/*@ requires \valid(purse) && \valid_read(purse->price + (0 .. GOODS - 1)) && purse->found == &any_found;
    requires \valid_read(told_goods + (0 .. GOODS - 1)) && is_bound(purse) && is_good(good);
    requires \forall integer each; GOLD <= each < good ==> 0 <= purse->paid[each] <= told_goods[each];
    requires 0 <= left && left + paid_of_first(&purse->paid[0], good) ==
      items_of_first(purse->price, GOODS) + (SUBSTITUTES - 1) * purse->replaced;
    requires missing == missing_of_first(&purse->paid[0], purse->price, good);
    requires settled_before(&purse->paid[0], good, 0) && ahead_from(&purse->paid[0], good, 0);
    decreases GOODS - good;
    assigns purse->paid[good .. BRICK], told_gold, told_wood, told_stone, told_brick, going_on;
    ensures -1 <= \result <= BRICK;
    ensures settled_up_to(&purse->paid[0], \min(\result + 1, good));
    ensures ahead_after(&purse->paid[0], \min(\result + 1, good));
*/
static int lay_out(Purse *purse, int good, int left, int missing)
{
    if (good == BRICK) {
        return lay_out_bricks(purse, left, missing);
    }
    int most = smaller(purse->most[good], left);
    /*@ loop invariant 0 <= amount;
        loop invariant settled_before(&purse->paid[0], good, amount);
        loop invariant ahead_from(&purse->paid[0], good, amount);
        loop assigns amount, purse->paid[good .. BRICK];
        loop assigns told_gold, told_wood, told_stone, told_brick, going_on;
        loop variant most - amount;
    */
    for (int amount = purse->least[good]; amount <= most; amount++) {
        int still = missing + least_replaced(purse->price[good], amount);
        purse->paid[good] = amount;
        /*@ assert \forall integer gold, wood, stone, brick; is_due(gold, wood, stone, brick) &&
              starts_with(gold, wood, stone, &purse->paid[0], good + 1) ==> still <= purse->replaced; */
        //@ assert ahead_after(&purse->paid[0], good + 1);
        if (still <= purse->replaced) {
            int next = lay_out(purse, good + 1, left - amount, still);
            if (next < good) {
                return next;
            }
            //@ assert settled_up_to(&purse->paid[0], good + 1);
        }
        //@ assert settled_up_to(&purse->paid[0], good + 1);
        //@ assert ahead_after(&purse->paid[0], good + 1);
    }
    //@ assert settled_up_to(&purse->paid[0], good);
    return BRICK;
}

/* Report every right payment for a price from some goods to a callback, those with the fewest gold first.
 *
 * Of the first `begun` goods, exactly the given amounts are paid.  The loops try all possible amounts of
 * the other goods, and the number of replaced items then determines the amount of brick.  The callback
 * returns the good whose amount changes next.
 *
 * Rules: BLD-19, BLD-20, BLD-21, BLD-22, BLD-23, BLD-24
 */
/*@ requires \valid_read(price + (0 .. GOODS - 1)) && \valid_read(goods + (0 .. GOODS - 1));
    requires 0 <= begun < GOODS && found == &any_found;
    assigns told_price, told_goods, told_begun, told_gold, told_wood, told_stone, told_brick, going_on;
    ensures BLD_19_serves: BLD_20_serves: BLD_21_serves: BLD_22_serves: BLD_23_serves: BLD_24_serves: \forall integer gold, wood, stone, brick;
      is_right(price, goods, begun, gold, wood, stone, brick) ==> !is_ahead(gold, wood, stone, brick);
*/
void payments(const uint8_t price[GOODS], const uint16_t goods[GOODS], int begun, Found found,
              void *collection)
{
    Purse purse = {.price = price, .found = found, .collection = collection};
    //@ ghost told_price = price;
    //@ ghost told_goods = goods;
    //@ ghost told_begun = begun;
    //@ ghost told_gold = -1;
    //@ ghost going_on = BRICK;
    int items = 0, spare = 0, missing = 0;
    /*@ loop invariant 0 <= good <= GOODS && items == items_of_first(price, good);
        loop invariant 0 <= missing <= items <= good * UINT8_MAX;
        loop invariant spare == owned_of_first(goods, good) - items;
        loop invariant missing == lacking_of_first(goods, price, good);
        loop assigns good, items, spare, missing;
        loop variant GOODS - good;
    */
    for (int good = 0; good < GOODS; good++) {
        items += price[good];
        spare += goods[good] - price[good];
        missing += least_replaced(price[good], goods[good]);
    }
    /*@ assert \forall integer gold, wood, stone, brick; is_due(gold, wood, stone, brick) ==>
          (SUBSTITUTES - 1) * lacking(gold, wood, stone, brick) <=
            gold + wood + stone + brick - items <= spare; */
    /*@ assert \forall integer gold, wood, stone, brick; is_due(gold, wood, stone, brick) ==>
          missing <= lacking(gold, wood, stone, brick); */
    if (spare < (SUBSTITUTES - 1) * missing) {
        return;
    }
    int replaced = smaller(items, spare / (SUBSTITUTES - 1));
    /*@ assert \forall integer gold, wood, stone, brick; is_due(gold, wood, stone, brick) ==>
          items + (SUBSTITUTES - 1) * missing <= gold + wood + stone + brick <=
            items + (SUBSTITUTES - 1) * replaced; */
    /*@ assert \forall integer gold, wood, stone, brick; is_due(gold, wood, stone, brick) ==>
          lacking(gold, wood, stone, brick) <= replaced; */
    /*@ assert \forall integer gold, wood, stone, brick; is_due(gold, wood, stone, brick) ==>
          least_of(GOLD, replaced) <= gold <= most_of(GOLD, items, replaced); */
    /*@ assert \forall integer gold, wood, stone, brick; is_due(gold, wood, stone, brick) ==>
          least_of(WOOD, replaced) <= wood <= most_of(WOOD, items, replaced); */
    /*@ assert \forall integer gold, wood, stone, brick; is_due(gold, wood, stone, brick) ==>
          least_of(STONE, replaced) <= stone <= most_of(STONE, items, replaced); */
    /*@ assert \forall integer gold, wood, stone, brick; is_due(gold, wood, stone, brick) ==>
          least_of(BRICK, replaced) <= brick <= most_of(BRICK, items, replaced); */
    /*@ loop invariant 0 <= good <= GOODS && \forall integer each; 0 <= each < good ==>
          purse.least[each] == least_of(each, replaced) && purse.most[each] == most_of(each, items, replaced);
        loop assigns good, purse.least[0 .. GOODS - 1], purse.most[0 .. GOODS - 1];
        loop variant GOODS - good;
    */
    for (int good = 0; good < GOODS; good++) {
        purse.least[good] = good < begun ? goods[good] : larger(0, price[good] - replaced);
        purse.most[good] =
            smaller(goods[good],
                    price[good] + SUBSTITUTES * smaller(replaced, items - price[good]));
    }
    purse.replaced = replaced;
    purse.most_left = (SUBSTITUTES - 1) * (replaced - missing);
    lay_out(&purse, GOLD, items + (SUBSTITUTES - 1) * replaced, 0);
}

/* The payments for a price that replace a given number of items: their total, and bounds for each good. */
typedef struct {
    const uint8_t *price;
    int replaced, all;
    int least[GOODS], most[GOODS];
} Bounds;

/*@ // So many goods a payment has at most, and so many payments there are at most with an amount of gold that
    // replace so many items.
    logic integer most_paid = SUBSTITUTES * GOODS * UINT8_MAX;
    logic integer most_counted = (most_paid + 1) * (most_paid + 1);

    // Payments that replace so many items have no less and no more of a good.
    logic integer least_if{L}(uint8_t *price, integer good, integer replaced) = \max(0, price[good] - replaced);
    logic integer most_if{L}(uint16_t *owned, uint8_t *price, integer good, integer items, integer replaced) =
      \min(owned[good], price[good] + \min(SUBSTITUTES * replaced,
                                          (SUBSTITUTES + 1) * (items - price[good]) - replaced));

    // Bounds of payments that replace at most as many items as a price can have.
    predicate is_bounded{L}(Bounds *bounds) =
      \valid_read(bounds) && \valid_read(bounds->price + (0 .. GOODS - 1)) &&
      0 <= bounds->replaced <= GOODS * UINT8_MAX && 0 <= bounds->all <= most_paid &&
      \forall integer good; is_good(good) ==>
        0 <= bounds->least[good] <= UINT8_MAX && 0 <= bounds->most[good] <= MOST_GOLD;
*/

/* Compute the bounds of payments that lack no more than the given number of items; return false if there
 * are none.
 *
 * The items that replacing items of other goods leaves over must be items of the good itself.
 */
/*@ requires \valid(bounds) && \valid_read(bounds->price + (0 .. GOODS - 1));
    requires \valid_read(goods + (0 .. GOODS - 1));
    requires \separated(bounds, bounds->price + (0 .. GOODS - 1), goods + (0 .. GOODS - 1));
    requires items == items_of_first(bounds->price, GOODS) && 0 <= bounds->replaced <= items;
    assigns bounds->all, bounds->least[0 .. GOODS - 1], bounds->most[0 .. GOODS - 1];
    ensures is_bounded(bounds) && bounds->all == items + (SUBSTITUTES - 1) * bounds->replaced;
    ensures \forall integer good; is_good(good) ==>
      bounds->least[good] == least_if(bounds->price, good, bounds->replaced) &&
      bounds->most[good] == most_if(goods, bounds->price, good, items, bounds->replaced);
    ensures \result != 0 <==> bounds->all <= paid_of_first(&bounds->most[0], GOODS);
*/
static bool bound(Bounds *bounds, const uint16_t goods[GOODS], int items)
{
    int replaced = bounds->replaced, most = 0;
    bounds->all = items + (SUBSTITUTES - 1) * replaced;
    /*@ loop invariant 0 <= good <= GOODS && most == paid_of_first(&bounds->most[0], good);
        loop invariant \forall integer each; 0 <= each < good ==>
          bounds->least[each] == least_if(bounds->price, each, replaced) &&
          bounds->most[each] == most_if(goods, bounds->price, each, items, replaced) &&
          0 <= bounds->most[each] <= MOST_GOLD;
        loop assigns good, most, bounds->least[0 .. GOODS - 1], bounds->most[0 .. GOODS - 1];
        loop variant GOODS - good;
    */
    for (int good = 0; good < GOODS; good++) {
        int item = bounds->price[good], others = items - item;
        int more = smaller(SUBSTITUTES * replaced, (SUBSTITUTES + 1) * others - replaced);
        bounds->least[good] = larger(0, item - replaced);
        bounds->most[good] = smaller(goods[good], item + more);
        //@ assert 0 <= bounds->most[good] <= MOST_GOLD;
        //@ assert bounds->least[good] == least_if(bounds->price, good, replaced);
        //@ assert bounds->most[good] == most_if(goods, bounds->price, good, items, replaced);
        most += bounds->most[good];
    }
    return bounds->all <= most;
}

/* Count the payments within bounds by their amount of stone, with `left` goods for stone and brick.
 *
 * At most `missing` of their items are replaced, and at least `wanted` can be. */
/*@ requires is_bounded(bounds) && -most_paid <= left <= most_paid;
    requires -most_paid <= missing <= most_paid && -most_paid <= wanted <= most_paid;
    assigns \nothing;
    ensures 0 <= \result <= most_paid + 1;
*/
static int count_stones(const Bounds *bounds, int left, int missing, int wanted)
{
    const uint8_t *price = bounds->price;
    int stone = larger(bounds->least[STONE], left - bounds->most[BRICK]);
    int most = smaller(bounds->most[STONE], left - bounds->least[BRICK]), count = 0;
    stone = larger(stone, price[STONE] - missing);
    most = smaller(most, left - price[BRICK] + missing);
    if (price[STONE] + price[BRICK] - left > missing || stone > most) {
        return 0;
    }
    if (wanted <= 0) {
        return most - stone + 1;
    }
    /*@ loop invariant 0 <= count <= stone <= most + 1;
        loop assigns stone, count;
        loop variant most - stone;
    */
    for (; stone <= most; stone++) {
        count += most_replaced(price[STONE], stone, bounds->replaced)
                + most_replaced(price[BRICK], left - stone, bounds->replaced)
            >= wanted;
    }
    return count;
}

/* Count the payments within bounds that have a given amount of gold. */
/*@ requires is_bounded(bounds) && 0 <= gold <= MOST_GOLD;
    assigns \nothing;
    ensures 0 <= \result <= most_counted;
*/
static int count_woods(const Bounds *bounds, int gold)
{
    const uint8_t *price = bounds->price;
    int left = bounds->all - gold, count = 0;
    int missing = bounds->replaced - least_replaced(price[GOLD], gold);
    int wanted = bounds->replaced - most_replaced(price[GOLD], gold, bounds->replaced);
    int wood = larger(bounds->least[WOOD], left - bounds->most[STONE] - bounds->most[BRICK]);
    int most = smaller(bounds->most[WOOD], left - bounds->least[STONE] - bounds->least[BRICK]);
    /*@ loop invariant 0 <= wood && 0 <= count <= (most_paid + 1) * wood;
        loop invariant count == 0 || wood <= most + 1;
        loop assigns wood, count;
        loop variant most - wood;
    */
    for (wood = larger(wood, price[WOOD] - missing); wood <= most; wood++) {
        count += count_stones(bounds, left - wood, missing - least_replaced(price[WOOD], wood),
                              wanted - most_replaced(price[WOOD], wood, bounds->replaced));
    }
    return count;
}

/* Count the right payments for a price from some goods, as `payments` reports them, in total and by amount
 * of gold.
 */
/*@ requires \valid_read(price + (0 .. GOODS - 1)) && \valid_read(goods + (0 .. GOODS - 1));
    requires \valid(by_gold + (0 .. MOST_GOLD));
    requires \separated(by_gold + (0 .. MOST_GOLD), price + (0 .. GOODS - 1), goods + (0 .. GOODS - 1));
    assigns by_gold[0 .. MOST_GOLD];
    ensures 0 <= \result;
    ensures \forall integer gold; 0 <= gold <= goods[GOLD] && gold <= MOST_GOLD ==> 0 <= by_gold[gold];
*/
int64_t count_payments(const uint8_t price[GOODS], const uint16_t goods[GOODS],
                       int64_t by_gold[MOST_GOLD + 1])
{
    Bounds bounds = {.price = price};
    int items = 0, owned = 0;
    int64_t count = 0;
    /*@ loop invariant 0 <= good <= GOODS && items == items_of_first(price, good);
        loop invariant owned == owned_of_first(goods, good);
        loop invariant bounds.replaced == lacking_of_first(goods, price, good);
        loop assigns good, items, owned, bounds.replaced;
        loop variant GOODS - good;
    */
    for (int good = 0; good < GOODS; good++) {
        items += price[good];
        owned += goods[good];
        bounds.replaced += least_replaced(price[good], goods[good]);
    }
    /*@ loop invariant -1 <= gold <= goods[GOLD] && gold <= MOST_GOLD;
        loop invariant \forall integer each; gold < each <= goods[GOLD] && each <= MOST_GOLD ==> by_gold[each] == 0;
        loop assigns gold, by_gold[0 .. MOST_GOLD];
        loop variant gold;
    */
    for (int gold = smaller(goods[GOLD], MOST_GOLD); gold >= 0; gold--) {
        by_gold[gold] = 0;
    }
    int most = smaller(items, (owned - items) / (SUBSTITUTES - 1));
    /*@ loop invariant 0 <= bounds.replaced && bounds.price == price;
        loop invariant 0 <= count <= most_counted * (MOST_GOLD + 1) * bounds.replaced;
        loop invariant \forall integer gold; 0 <= gold <= goods[GOLD] && gold <= MOST_GOLD ==>
          0 <= by_gold[gold] <= most_counted * bounds.replaced;
        loop assigns bounds, count, by_gold[0 .. MOST_GOLD];
        loop variant most - bounds.replaced;
    */
    for (; owned >= items && bounds.replaced <= most; bounds.replaced++) {
        /*@ loop invariant 0 <= gold <= MOST_GOLD + 1;
            loop invariant 0 <= count <= most_counted * ((MOST_GOLD + 1) * bounds.replaced + gold);
            loop invariant \forall integer each; 0 <= each <= goods[GOLD] && each <= MOST_GOLD ==>
              0 <= by_gold[each] <= most_counted * (bounds.replaced + (each < gold ? 1 : 0));
            loop assigns gold, count, by_gold[0 .. MOST_GOLD];
            loop variant bounds.most[GOLD] - gold;
        */
        for (int gold = bound(&bounds, goods, items) ? bounds.least[GOLD] : MOST_GOLD + 1;
             gold <= bounds.most[GOLD]; gold++) {
            int found = count_woods(&bounds, gold);
            by_gold[gold] += found;
            count += found;
        }
    }
    return count;
}

/* The state of picking a payment: the number of payments before it, and its destination. */
typedef struct {
    int64_t before;
    int *payment;
} Pick;

/* Skip payments up to the picked one. */
static int pick(void *collection, const int payment[GOODS])
{
    Pick *pick = collection;
    if (pick->before--) {
        return BRICK;
    }
    for (int good = 0; good < GOODS; good++) {
        pick->payment[good] = payment[good];
    }
    return -1;
}

/* Write the payment with an index in the order of `payments`; the index is below their count. */
void nth_payment(const uint8_t price[GOODS], const uint16_t goods[GOODS],
                 const int64_t by_gold[MOST_GOLD + 1], int64_t number, int payment[GOODS])
{
    Pick picked = {number, payment};
    uint16_t left[GOODS];
    for (int good = 0; good < GOODS; good++) {
        left[good] = goods[good];
    }
    for (left[GOLD] = 0; picked.before >= by_gold[left[GOLD]]; left[GOLD]++) {
        picked.before -= by_gold[left[GOLD]];
    }
    payments(price, left, 1, pick, &picked);
}

/* Return whether a payment is right and the player has the goods.
 *
 * Rules: BLD-19, BLD-20, BLD-21, BLD-24
 */
/*@ requires readable(row) && is_seat(row, prompt.seat) && \valid_read(action);
    requires \forall integer good; is_good(good) ==> 0 <= action->goods.of[good];
    assigns \nothing;
    ensures BLD_19_states: \result != 0 ==> action->number == PAY && owns(row, prompt.seat, action->goods);
    ensures BLD_19_states: BLD_20_part: BLD_21_serves: BLD_24_part: \result != 0 <==> may_pay(row, prompt, action->number, action->goods);
*/
bool check_payment(const Row *row, Step prompt, const Action *action)
{
    Goods goods = owned(row, prompt.seat);
    return action->number == PAY && covers(&goods, &action->goods)
        && is_payment(action->goods.of, prompt.goods);
}

/* A house is placed on the site, and the character there goes into the hand.
 *
 * Rules: BLD-28, BLD-29
 */
/*@ requires is_table(table) && \valid(row) && is_seat(row, seat) && is_display(table, row);
    requires 0 <= site < row->dealt && \separated(row, table);
    requires has_room(row->player[seat].hand, table->character[row->display[site]]);
    requires has_room(row->player[seat].shown, table->character[row->display[site]]);
    assigns row->player[seat].built, row->player[seat].hand, row->player[seat].shown, row->fault;
    ensures BLD_28_states: row->fault || holds_more{Pre, Post}(&row->player[seat].hand,
      \at(table->character[row->display[site]], Pre), 1);
    ensures row->fault || holds_more{Pre, Post}(&row->player[seat].shown,
      \at(table->character[row->display[site]], Pre), 1);
    ensures BLD_29_states: row->fault || (has_house(row, seat, site) &&
      \forall integer each; 0 <= each < 64 && each != site ==>
        (has_house(row, seat, each) <==> has_house{Pre}(row, seat, each)));
    ensures \old(all_cards(row)) < MOST_CARDS ==> row->fault == \old(row->fault);
    ensures is_seat(row, seat) && stays_faulty{Pre, Post}(row);
*/
static void erect(const Table *table, Row *row, int seat, int site)
{
    int character = table->character[row->display[site]];
    unsigned conditions = CONDITIONS(row);
    if (cards_in(row) >= MOST_CARDS) {
        row->fault = 1;
        return;
    }
    TELL(row, BUILT, seat, character, site, UNTOLD);
    gain(&row->player[seat], character);
    row->player[seat].built = with_site(row->player[seat].built, site);
    TELL_IF_TRIGGERED(row, conditions);
}

/* The building is turned over; the house stays, and no character is gained.
 *
 * Rules: BLD-30, BLD-31, BLD-37
 */
/*@ requires \valid(row) && is_seat(row, seat) && 0 <= site < MAX_SITES;
    assigns row->player[seat].upgraded;
    ensures BLD_37_states: has_upgrade(row, seat, site) && \forall integer each; 0 <= each < 64 && each != site ==>
      (has_upgrade(row, seat, each) <==> has_upgrade{Pre}(row, seat, each));
    ensures BLD_30_states: row->player[seat].built == \old(row->player[seat].built);
    ensures BLD_31_states: row->player[seat].hand == \old(row->player[seat].hand);
*/
static void upgrade(Row *row, int seat, int site)
{
    TELL(row, UPGRADED, seat, 0, site, UNTOLD);
    row->player[seat].upgraded = with_site(row->player[seat].upgraded, site);
}

/* Valette awards two points if he is in the area of the site, on either side of the street.
 *
 * Rules: BLD-32, BLD-33, BLD-34, BLD-35
 */
/*@ requires \valid(row) && is_player(row, seat) && 0 <= site < MAX_SITES && row->valette <= LAST_SPACE;
    assigns row->player[seat].score, row->fault;
    ensures BLD_32_part: BLD_33_part: BLD_34_states: row->fault || !is_in_area(row->valette, site) ||
      scored{Pre, Post}(row, seat, CONSTRUCTION_BONUS);
    ensures !is_in_area(row->valette, site) ==> scored{Pre, Post}(row, seat, 0);
    ensures BLD_35_states: row->valette == TOWER ==> scored{Pre, Post}(row, seat, 0);
    ensures \old(row->player[seat].score) + CONSTRUCTION_BONUS <= MOST_SCORE ==> row->fault == \old(row->fault);
    ensures is_player(row, seat) && stays_faulty{Pre, Post}(row);
*/
static void award_construction_bonus(Row *row, int seat, int site)
{
    if (row->valette != TOWER && (row->valette - 1) / AREA_LENGTH == site % ROW_LENGTH) {
        bool is_upgraded = is_among(row->player[seat].upgraded, site);
        score(row, seat, CONSTRUCTION_BONUS, is_upgraded ? CLAUSE(BLD, 33) : CLAUSE(BLD, 32));
    }
}

/* The player pays, and the building is erected or upgraded.
 *
 * Rules: BLD-19, BLD-25
 */
/*@ requires is_table(table) && \valid(row) && is_display(table, row) && has_step(row);
    requires is_player(row, prompt.seat) && prompt.value < row->dealt && row->valette <= LAST_SPACE;
    requires \valid_read(action) && \separated(row, action, table) && owns(row, prompt.seat, action->goods);
    requires has_room(row->player[prompt.seat].hand, table->character[row->display[prompt.value]]);
    requires has_room(row->player[prompt.seat].shown, table->character[row->display[prompt.value]]);
    assigns row->steps, row->agenda[row->steps - 1], row->fault, row->player[prompt.seat];
    ensures is_done{Pre, Post}(row);
    ensures BLD_19_part: BLD_25_serves: \forall integer good; is_good(good) ==>
      gained{Pre, Post}(row, prompt.seat, good, -action->goods.of[good]);
    ensures !has_house{Pre}(row, prompt.seat, prompt.value) ==> row->fault ||
      holds_more{Pre, Post}(&row->player[prompt.seat].hand,
        \at(table->character[row->display[prompt.value]], Pre), 1);
    ensures !has_house{Pre}(row, prompt.seat, prompt.value) ==> row->fault ||
      holds_more{Pre, Post}(&row->player[prompt.seat].shown,
        \at(table->character[row->display[prompt.value]], Pre), 1);
    ensures row->fault || has_house(row, prompt.seat, prompt.value);
    ensures has_house{Pre}(row, prompt.seat, prompt.value) ==>
      has_upgrade(row, prompt.seat, prompt.value);
    ensures has_house{Pre}(row, prompt.seat, prompt.value) ==>
      row->player[prompt.seat].built == \old(row->player[prompt.seat].built) &&
      row->player[prompt.seat].hand == \old(row->player[prompt.seat].hand) &&
      row->player[prompt.seat].shown == \old(row->player[prompt.seat].shown);
    ensures !has_house{Pre}(row, prompt.seat, prompt.value) ==> row->fault ||
      !is_in_area(row->valette, prompt.value) || scored{Pre, Post}(row, prompt.seat, CONSTRUCTION_BONUS);
    ensures has_house{Pre}(row, prompt.seat, prompt.value) ==> row->fault ||
      !is_in_area(row->valette, prompt.value) || scored{Pre, Post}(row, prompt.seat, CONSTRUCTION_BONUS);
    ensures row->valette == TOWER ==> scored{Pre, Post}(row, prompt.seat, 0);
    ensures \old(row->player[prompt.seat].score) + CONSTRUCTION_BONUS <= MOST_SCORE &&
      (has_house{Pre}(row, prompt.seat, prompt.value) || \old(all_cards(row)) < MOST_CARDS) ==>
        row->fault == \old(row->fault);
    ensures stays_faulty{Pre, Post}(row);
*/
void pay(const Table *table, Row *row, Step prompt, const Action *action)
{
    int seat = prompt.seat, site = prompt.value;
    done(row);
    //@ assert row->players == \at(row->players, Pre) && row->valette == \at(row->valette, Pre);
    //@ assert is_table(table);
    //@ assert is_display(table, row);
    give_back(row, seat, action->goods, CLAUSE(BLD, 19));
    //@ assert row->steps == \at(row->steps, Pre) - 1 && is_player(row, seat);
    //@ assert all_cards(row) == all_cards{Pre}(row);
    if (is_among(row->player[seat].built, site)) {
        upgrade(row, seat, site);
        //@ assert row->player[seat].hand == \at(row->player[prompt.seat].hand, Pre);
        //@ assert row->player[seat].shown == \at(row->player[prompt.seat].shown, Pre);
    } else {
        erect(table, row, seat, site);
        /*@ assert row->fault || holds_more{Pre, Here}(&row->player[prompt.seat].hand,
              \at(table->character[row->display[prompt.value]], Pre), 1); */
        /*@ assert row->fault || holds_more{Pre, Here}(&row->player[prompt.seat].shown,
              \at(table->character[row->display[prompt.value]], Pre), 1); */
    }
    //@ assert row->steps == \at(row->steps, Pre) - 1;
    //@ assert row->valette == \at(row->valette, Pre);
    /*@ assert \forall integer good; is_good(good) ==> has(row, seat, good) ==
          \at(row->player[prompt.seat].goods[good], Pre) - action->goods.of[good]; */
    //@ assert is_player(row, seat);
    //@ assert row->fault || has_house(row, seat, site);
    award_construction_bonus(row, seat, site);
}
