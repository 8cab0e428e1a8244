/* Building and upgrading: where, at what price, and how it is paid. */

#include "row.h"

/* Return a cost less some gold and less a reduction, nothing falling below nothing.
 *
 * Rules: BLD-11, BLD-12, BLD-14
 */
/*@ requires \valid_read(cost + (0 .. GOODS - 1)) && \valid_read(reduction + (0 .. GOODS - 1));
    requires 0 <= gold <= UINT8_MAX;
    assigns \nothing;
    ensures BLD_12: \forall integer good; is_good(good) ==> \result.of[good] ==
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

/* Return what a new building on a site costs a player.
 *
 * Rules: BLD-5, BLD-6, BLD-10, BLD-11, BLD-12, BLD-14
 */
Goods building_price(const Table *table, const Row *row, int seat, int site,
                     const uint8_t reduction[GOODS])
{
    int discount = count_sites(NEIGHBOURS[site] & row->player[seat].built);
    return reduced(table->cost[row->display[site]], discount, reduction);
}

/* Return what upgrading the building on a site costs: no gold, and no discount.
 *
 * Rules: BLD-12, BLD-13, BLD-17, BLD-18
 */
/*@ requires \valid_read(table) && readable(row) && 0 <= site < MAX_SITES;
    requires row->display[site] < MAX_DESIGNS && \valid_read(reduction + (0 .. GOODS - 1));
    assigns \nothing;
    ensures BLD_17: \result.of[GOLD] == 0;
    ensures BLD_12: BLD_17: \forall integer good; is_material(good) ==> \result.of[good] ==
      \max(0, table->cost[row->display[site]][good] - reduction[good]);
*/
Goods upgrade_price(const Table *table, const Row *row, int site, const uint8_t reduction[GOODS])
{
    const uint8_t *cost = table->cost[row->display[site]];
    return reduced(cost, cost[GOLD], reduction);
}

/* Tell whether some payment out of these goods is right for a price.
 *
 * It is cheapest to replace just the items that are missing.
 *
 * Rules: BLD-20, BLD-26
 */
/*@ requires \valid_read(goods + (0 .. GOODS - 1)) && \valid_read(price) && are_amounts(*price);
    assigns \nothing;
    ensures \result != 0 <==>
      goods[GOLD] + goods[WOOD] + goods[STONE] + goods[BRICK] - sum(*price) >=
      (SUBSTITUTES - 1) * (\max(0, price->of[GOLD] - goods[GOLD]) + \max(0, price->of[WOOD] - goods[WOOD]) +
        \max(0, price->of[STONE] - goods[STONE]) + \max(0, price->of[BRICK] - goods[BRICK]));
*/
bool can_pay(const uint16_t goods[GOODS], const Goods *price)
{
    int spare = 0, missing = 0;
    //@ EACH_GOOD;
    for (int good = 0; good < GOODS; good++) {
        int left = goods[good] - price->of[good];
        spare += left;
        missing -= left < 0 ? left : 0;
    }
    return spare >= (SUBSTITUTES - 1) * missing;
}

/* List the sites on which a player can build, then those he can upgrade; at most `most`.
 *
 * Rules: BLD-3, BLD-4, BLD-15, BLD-16, BLD-26, BLD-36, RED-9
 */
int sites_in_reach(const Table *table, const Row *row, int seat, const uint8_t reduction[GOODS],
                   int most, uint16_t *numbers)
{
    const Player *player = &row->player[seat];
    int count = 0;
    if (count_sites(player->built) < HOUSES_PER_PLAYER) {
        for (uint32_t rest = free_sites(row); rest && count < most; rest &= rest - 1) {
            int site = __builtin_ctz(rest);
            Goods price = building_price(table, row, seat, site, reduction);
            if (can_pay(player->goods, &price)) {
                numbers[count++] = (uint16_t)(BUILD + site);
            }
        }
    }
    for (uint32_t rest = player->built & ~player->upgraded; rest && count < most;
         rest &= rest - 1) {
        int site = __builtin_ctz(rest);
        Goods price = upgrade_price(table, row, site, reduction);
        if (can_pay(player->goods, &price)) {
            numbers[count++] = (uint16_t)(UPGRADE + site);
        }
    }
    return count;
}

/* List every site the player can build on or upgrade, and the choice of neither.
 *
 * Rules: BLD-1, BLD-2, BLD-26
 */
int legal_sites(const Table *table, const Row *row, Step prompt, uint16_t *numbers)
{
    int count = sites_in_reach(table, row, prompt.seat, prompt.goods, 2 * MAX_SITES, numbers);
    numbers[count++] = DECLINE;
    return count;
}

/* Tell whether a site may be built on, whatever it costs.
 *
 * Rules: BLD-3, BLD-4
 */
static bool check_new_building(const Row *row, int seat, int site)
{
    return owner_of(row, site) < 0 && count_sites(row->player[seat].built) < HOUSES_PER_PLAYER;
}

/* Tell whether a site may be upgraded, whatever it costs.
 *
 * Rules: BLD-15, BLD-16
 */
static bool check_upgrade(const Row *row, int seat, int site)
{
    return (row->player[seat].built & ~row->player[seat].upgraded) >> site & 1;
}

/* Tell whether a site may be built on, or be upgraded.
 *
 * Rules: BLD-2, BLD-3, BLD-4, BLD-15, BLD-16, BLD-26
 */
bool check_site(const Table *table, const Row *row, Step prompt, const Action *action)
{
    int number = action->number, seat = prompt.seat;
    Goods price;
    if (number >= BUILD && number < BUILD + row->dealt) {
        price = building_price(table, row, seat, number - BUILD, prompt.goods);
        return check_new_building(row, seat, number - BUILD)
            && can_pay(row->player[seat].goods, &price);
    }
    if (number >= UPGRADE && number < UPGRADE + row->dealt) {
        price = upgrade_price(table, row, number - UPGRADE, prompt.goods);
        return check_upgrade(row, seat, number - UPGRADE)
            && can_pay(row->player[seat].goods, &price);
    }
    return number == DECLINE;
}

/* The player chooses a site, which he must then pay for, or neither builds nor upgrades.
 *
 * Rules: BLD-1, BLD-2, BLD-27
 */
void choose_site(const Table *table, Row *row, Step prompt, const Action *action)
{
    done(row);
    if (action->number == DECLINE) {
        decline(row, prompt.seat, CLAUSE(BLD, 2));
        return;
    }
    int site = action->number < UPGRADE ? action->number - BUILD : action->number - UPGRADE;
    Goods price = action->number < UPGRADE
        ? building_price(table, row, prompt.seat, site, prompt.goods)
        : upgrade_price(table, row, site, prompt.goods);
    do_first(row, step(PAYMENT_PROMPT, prompt.seat, site, &price));
}

/* Return the fewest items of a good that may be among those replaced.
 *
 * Rules: BLD-20, BLD-21
 */
static int least_replaced(int item, int paid)
{
    return item > paid ? item - paid : 0;
}

/* Return the most items of a good that may be among those replaced.
 *
 * Rules: BLD-20, BLD-21
 */
static int most_replaced(int item, int paid, int replaced)
{
    unsigned all = (unsigned)(SUBSTITUTES * replaced + item - paid); /* if negative: see `replaces` */
    int most = (int)(all / (SUBSTITUTES + 1));
    return most < item ? most : item;
}

/* Tell whether goods are a right payment if this many items are replaced in all, as the number of
 * goods says.
 *
 * If more is paid of a good than could replace all items of others, so few are left of these that
 * more items are missing than are replaced: then what becomes of a negative bound is irrelevant.
 */
static bool replaces(const int payment[GOODS], const uint8_t price[GOODS], int replaced)
{
    int least = 0, most = 0;
    //@ EACH_GOOD;
    for (int good = 0; good < GOODS; good++) {
        least += least_replaced(price[good], payment[good]);
        most += most_replaced(price[good], payment[good], replaced);
    }
    return least <= replaced && replaced <= most;
}

/* Tell whether goods are a right payment for a price, by arithmetic.
 *
 * Rules: BLD-19, BLD-20, BLD-21, BLD-22, BLD-23, BLD-24
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
static int smaller(int one, int other)
{
    return one < other ? one : other;
}

/* Return the larger number. */
static int larger(int one, int other)
{
    return one > other ? one : other;
}

/* What is known while payments are laid out: bounds for each good, and what is paid so far. */
typedef struct {
    const uint8_t *price;
    int least[GOODS], most[GOODS], paid[GOODS];
    int replaced;  /* at most, in all */
    int most_left; /* of what is paid in all, when the bricks come last */
    Found found;
    void *collection;
} Purse;

/* Tell whether as many items can be replaced as must be, with what is laid out. */
static bool can_replace(const Purse *purse, int replaced)
{
    int most = 0;
    //@ EACH_GOOD;
    for (int good = 0; good < GOODS; good++) {
        most += most_replaced(purse->price[good], purse->paid[good], replaced);
    }
    return replaced <= most;
}

/* Lay out every amount of brick that makes a right payment of what is laid out of the other goods,
 * of which so many items are `missing`; no more than `left`.  Return which good goes on: brick if
 * all has been tried. */
static int lay_out_bricks(Purse *purse, int left, int missing)
{
    const int apart = SUBSTITUTES - 1; /* each further replacement takes this many more */
    int amount = larger(purse->least[BRICK], left - purse->most_left);
    int most = smaller(purse->most[BRICK], left);
    amount += (left - amount) % apart;
    int replaced = purse->replaced - (left - amount) / apart;
    for (; amount <= most; amount += apart, replaced++) {
        purse->paid[BRICK] = amount;
        if (missing + least_replaced(purse->price[BRICK], amount) <= replaced
            && can_replace(purse, replaced)) {
            int next = purse->found(purse->collection, purse->paid);
            if (next < BRICK) {
                return next;
            }
        }
    }
    return BRICK;
}

/* Lay out every amount of a good, and with each every amount of those after it; no more than `left`
 * goods are laid out, and of those before it so many items are `missing`.  Return which good goes
 * on: this one or a later one if all has been tried. */
static int lay_out(Purse *purse, int good, int left, int missing)
{
    if (good == BRICK) {
        return lay_out_bricks(purse, left, missing);
    }
    int most = smaller(purse->most[good], left);
    for (int amount = purse->least[good]; amount <= most; amount++) {
        int still = missing + least_replaced(purse->price[good], amount);
        purse->paid[good] = amount;
        if (still <= purse->replaced) {
            int next = lay_out(purse, good + 1, left - amount, still);
            if (next < good) {
                return next;
            }
        }
    }
    return BRICK;
}

/* Report every right payment for a price out of some goods, fewest gold first.
 *
 * Of the first goods, as many as are `begun`, just what the goods are is paid.  The others run
 * through all amounts that could be paid; the number of items replaced then says how many bricks
 * there are.  The callback says which good goes on.
 *
 * Rules: BLD-19, BLD-20, BLD-21, BLD-22, BLD-23, BLD-24
 */
void payments(const uint8_t price[GOODS], const uint16_t goods[GOODS], int begun, Found found,
              void *collection)
{
    Purse purse = {.price = price, .found = found, .collection = collection};
    int items = 0, spare = 0, missing = 0;
    //@ EACH_GOOD;
    for (int good = 0; good < GOODS; good++) {
        items += price[good];
        spare += goods[good] - price[good];
        missing += least_replaced(price[good], goods[good]);
    }
    if (spare < (SUBSTITUTES - 1) * missing) {
        return;
    }
    int replaced = smaller(items, spare / (SUBSTITUTES - 1));
    //@ EACH_GOOD;
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

/* Payments for a price that replace so many items: how many goods they have in all, and bounds of each. */
typedef struct {
    const uint8_t *price;
    int replaced, all;
    int least[GOODS], most[GOODS];
} Bounds;

/* Fill in the bounds of payments out of some goods that lack no more items; false if there are none.
 *
 * What the items of the others leave to be replaced must be items of the good itself.
 */
static bool bound(Bounds *bounds, const uint16_t goods[GOODS], int items)
{
    int replaced = bounds->replaced, most = 0;
    bounds->all = items + (SUBSTITUTES - 1) * replaced;
    for (int good = 0; good < GOODS; good++) {
        int item = bounds->price[good], others = items - item;
        int more = smaller(SUBSTITUTES * replaced, (SUBSTITUTES + 1) * others - replaced);
        bounds->least[good] = larger(0, item - replaced);
        bounds->most[good] = smaller(goods[good], item + more);
        most += bounds->most[good];
    }
    return bounds->all <= most;
}

/* Count the payments of bounds by the stone, when so many goods are `left` for stone and brick, of
 * which at most `missing` items are replaced while at least `wanted` can be. */
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
    for (; stone <= most; stone++) {
        count += most_replaced(price[STONE], stone, bounds->replaced)
                + most_replaced(price[BRICK], left - stone, bounds->replaced)
            >= wanted;
    }
    return count;
}

/* Count the payments of bounds that have so much gold. */
static int count_woods(const Bounds *bounds, int gold)
{
    const uint8_t *price = bounds->price;
    int left = bounds->all - gold, count = 0;
    int missing = bounds->replaced - least_replaced(price[GOLD], gold);
    int wanted = bounds->replaced - most_replaced(price[GOLD], gold, bounds->replaced);
    int wood = larger(bounds->least[WOOD], left - bounds->most[STONE] - bounds->most[BRICK]);
    int most = smaller(bounds->most[WOOD], left - bounds->least[STONE] - bounds->least[BRICK]);
    for (wood = larger(wood, price[WOOD] - missing); wood <= most; wood++) {
        count += count_stones(bounds, left - wood, missing - least_replaced(price[WOOD], wood),
                              wanted - most_replaced(price[WOOD], wood, bounds->replaced));
    }
    return count;
}

/* Count the right payments for a price out of some goods, as `payments` reports them; and those
 * with each amount of gold.
 */
int64_t count_payments(const uint8_t price[GOODS], const uint16_t goods[GOODS],
                       int by_gold[MOST_GOLD + 1])
{
    Bounds bounds = {.price = price};
    int items = 0, owned = 0;
    int64_t count = 0;
    for (int good = 0; good < GOODS; good++) {
        items += price[good];
        owned += goods[good];
        bounds.replaced += least_replaced(price[good], goods[good]);
    }
    for (int gold = smaller(goods[GOLD], MOST_GOLD); gold >= 0; gold--) {
        by_gold[gold] = 0;
    }
    int most = smaller(items, (owned - items) / (SUBSTITUTES - 1));
    for (; owned >= items && bounds.replaced <= most; bounds.replaced++) {
        for (int gold = bound(&bounds, goods, items) ? bounds.least[GOLD] : MOST_GOLD + 1;
             gold <= bounds.most[GOLD]; gold++) {
            int found = count_woods(&bounds, gold);
            by_gold[gold] += found;
            count += found;
        }
    }
    return count;
}

/* What a payment is picked by: how many come before it, and where it is written. */
typedef struct {
    int64_t before;
    int *payment;
} Pick;

/* Skip payments until the one that is picked. */
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

/* Find the payment with a number, below their count, as `payments` reports them. */
void nth_payment(const uint8_t price[GOODS], const uint16_t goods[GOODS],
                 const int by_gold[MOST_GOLD + 1], int64_t number, int payment[GOODS])
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

/* Tell whether a payment is right and the player has the goods.
 *
 * Rules: BLD-19, BLD-20, BLD-21, BLD-24
 */
bool check_payment(const Row *row, Step prompt, const Action *action)
{
    Goods goods = owned(row, prompt.seat);
    return action->number == PAY && covers(&goods, &action->goods)
        && is_payment(action->goods.of, prompt.goods);
}

/* A house goes on the site, and the character that lay there into the hand.
 *
 * Rules: BLD-28, BLD-29
 */
static void erect(const Table *table, Row *row, int seat, int site)
{
    int character = table->character[row->display[site]];
    unsigned conditions = CONDITIONS(row);
    TELL(row, BUILT, seat, character, site, UNTOLD);
    gain(&row->player[seat], character);
    row->player[seat].built |= UINT32_C(1) << site;
    TELL_IF_TRIGGERED(row, conditions);
}

/* The building is turned over; the house stays, and no character comes with it.
 *
 * Rules: BLD-30, BLD-31, BLD-37
 */
static void upgrade(Row *row, int seat, int site)
{
    TELL(row, UPGRADED, seat, 0, site, UNTOLD);
    row->player[seat].upgraded |= UINT32_C(1) << site;
}

/* Valette awards two points if he stands in the area of the site, on either side.
 *
 * Rules: BLD-32, BLD-33, BLD-34, BLD-35
 */
static void award_construction_bonus(Row *row, int seat, int site)
{
    if (row->valette != TOWER && (row->valette - 1) / AREA_LENGTH == site % ROW_LENGTH) {
        bool is_upgraded = row->player[seat].upgraded >> site & 1;
        score(row, seat, CONSTRUCTION_BONUS, is_upgraded ? CLAUSE(BLD, 33) : CLAUSE(BLD, 32));
    }
}

/* The player pays, and the building is erected or upgraded.
 *
 * Rules: BLD-19, BLD-25
 */
void pay(const Table *table, Row *row, Step prompt, const Action *action)
{
    int seat = prompt.seat, site = prompt.value;
    done(row);
    give_back(row, seat, action->goods, CLAUSE(BLD, 19));
    if (row->player[seat].built >> site & 1) {
        upgrade(row, seat, site);
    } else {
        erect(table, row, seat, site);
    }
    award_construction_bonus(row, seat, site);
}
