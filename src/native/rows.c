/* The parts of a row: goods, bags, the agenda; and whether a row is valid. */

#include "row.h"

const Goods NOTHING = {{0}};

/* Return a single good. */
/*@ requires is_good(good);
    assigns \nothing;
    ensures is_only(\result, good, 1);
*/
Goods one(int good)
{
    return goods_of(good, 1);
}

/* Return an amount of one good. */
/*@ requires is_good(good);
    assigns \nothing;
    ensures is_only(\result, good, count);
*/
Goods goods_of(int good, int count)
{
    Goods goods = NOTHING;
    goods.of[good] = count;
    return goods;
}

/* Return how many goods there are in all. */
/*@ requires \valid_read(goods) && are_amounts(*goods);
    assigns \nothing;
    ensures \result == sum(*goods);
*/
int total(const Goods *goods)
{
    int sum = 0;
    //@ EACH_GOOD;
    for (int good = 0; good < GOODS; good++) {
        sum += goods->of[good];
    }
    return sum;
}

/* Return a player's goods. */
/*@ requires readable(row) && is_seat(row, seat);
    assigns \nothing;
    ensures \forall integer good; is_good(good) ==> \result.of[good] == has(row, seat, good);
*/
Goods owned(const Row *row, int seat)
{
    Goods goods;
    //@ EACH_GOOD;
    for (int good = 0; good < GOODS; good++) {
        goods.of[good] = row->player[seat].goods[good];
    }
    return goods;
}

/* Tell whether the first goods contain the others. */
/*@ requires \valid_read(goods) && \valid_read(other);
    assigns \nothing;
    ensures \result != 0 <==> \forall integer good; is_good(good) ==> goods->of[good] >= other->of[good];
*/
bool covers(const Goods *goods, const Goods *other)
{
    //@ EACH_GOOD;
    for (int good = 0; good < GOODS; good++) {
        if (goods->of[good] < other->of[good]) {
            return false;
        }
    }
    return true;
}

/* Put cards into a bag, or take them out. */
/*@ requires \valid(bag) && 0 <= character < CHARACTERS;
    requires 0 <= bag->of[character] + count <= UINT8_MAX && 0 <= bag->total + count <= UINT8_MAX;
    requires -UINT8_MAX <= count <= UINT8_MAX;
    assigns bag->of[character], bag->total;
    ensures holds_more{Pre, Post}(bag, character, count);
*/
void put(Bag *bag, int character, int count)
{
    bag->of[character] = (uint8_t)(bag->of[character] + count);
    bag->total = (uint8_t)(bag->total + count);
}

/* Return eight numbers as one, the first of them lowest. */
static uint64_t word(const uint8_t bytes[8])
{
    uint32_t low = bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16
        | (uint32_t)bytes[3] << 24;
    uint32_t high = bytes[4] | (uint32_t)bytes[5] << 8 | (uint32_t)bytes[6] << 16
        | (uint32_t)bytes[7] << 24;
    return low | (uint64_t)high << 32;
}

/* Return which of eight numbers are not zero, with a bit for each.  None is above 128. */
static unsigned not_zero(uint64_t word)
{
    uint64_t low = UINT64_C(0x7F7F7F7F7F7F7F7F);
    uint64_t marks = (word + low) & ~low; /* the highest bit of each number */
    return (unsigned)((marks >> 7) * UINT64_C(0x0102040810204080) >> 56);
}

/* Return the kinds of which a bag has a card. */
Kinds kinds_in(const Bag *bag)
{
    Kinds kinds = 0;
    for (size_t place = 0; place < CHARACTERS; place += 8) { /* whole words: those unused are zero */
        kinds |= (Kinds)not_zero(word(bag->of + place)) << place;
    }
    return kinds;
}

/* Count sites; a player has but a few. */
/*@ assigns \nothing;
    ensures \result == count(sites);
*/
int count_sites(uint32_t sites)
{
    int count = 0;
    /*@ loop invariant 0 <= sites && 0 <= count && count + count(sites) == count(\at(sites, Pre));
        loop assigns sites, count;
        loop variant sites;
    */
    for (; sites; sites = other_sites(sites)) {
        count++;
    }
    return count;
}

/* Return a step of the agenda. */
/*@ requires 0 <= kind < STEPS && 0 <= seat < MAX_PLAYERS && 0 <= value <= UINT8_MAX;
    requires \valid_read(goods);
    requires \forall integer good; is_good(good) ==> 0 <= goods->of[good] <= UINT8_MAX;
    assigns \nothing;
    ensures is_question(\result, kind, seat, value);
    ensures \forall integer good; is_good(good) ==> \result.goods[good] == goods->of[good];
*/
Step step(int kind, int seat, int value, const Goods *goods)
{
    Step made = {(uint8_t)kind, (uint8_t)seat, (uint8_t)value, 0, {0}};
    //@ EACH_GOOD;
    for (int good = 0; good < GOODS; good++) {
        made.goods[good] = (uint8_t)goods->of[good];
    }
    return made;
}

/* Return a step that has nothing but a seat. */
/*@ requires 0 <= kind < STEPS && 0 <= seat < MAX_PLAYERS;
    assigns \nothing;
    ensures is_question(\result, kind, seat, 0);
    ensures \forall integer good; is_good(good) ==> \result.goods[good] == 0;
*/
Step question(int kind, int seat)
{
    return step(kind, seat, 0, &NOTHING);
}

/* Put a step at the front of the agenda. */
/*@ requires \valid(row) && row->steps <= MAX_STEPS;
    assigns row->steps, row->agenda[\min(row->steps, MAX_STEPS - 1)], row->fault;
    ensures row->fault || (row->steps == \old(row->steps) + 1 && row->agenda[\old(row->steps)] == step);
    ensures row->fault || \forall integer good; is_good(good) ==>
      row->agenda[\old(row->steps)].goods[good] == step.goods[good];
    ensures \forall integer place; 0 <= place < \old(row->steps) ==> is_still_asked{Pre, Post}(row, place);
    ensures row->players == \old(row->players);
    ensures row->steps <= MAX_STEPS && stays_faulty{Pre, Post}(row);
*/
void do_first(Row *row, Step step)
{
    if (row->steps == MAX_STEPS) {
        row->fault = 1;
        return;
    }
    row->agenda[row->steps++] = step;
}

/* Take the next step off the agenda, and return it. */
/*@ requires \valid(row) && has_step(row);
    assigns row->steps, row->agenda[row->steps - 1];
    ensures is_done{Pre, Post}(row) && \result == \old(row->agenda[row->steps - 1]);
*/
Step done(Row *row)
{
    Step *next = &row->agenda[--row->steps];
    Step taken = *next;
    *next = (Step){0};
    return taken;
}

/* Return another seat: the first clockwise from a seat for place 1, and so on. */
/*@ requires readable(row) && is_seat(row, seat) && 0 <= place <= row->players;
    assigns \nothing;
    ensures is_seat(row, \result) && \result == clockwise(row, seat, place);
*/
int opponent(const Row *row, int seat, int place)
{
    int other = seat + place;
    return other < row->players ? other : other - row->players;
}

/* Return how many bytes of a row are used. */
size_t row_size(const Row *row)
{
    return offsetof(Row, player) + row->players * sizeof(Player);
}

/* Return what is wrong with a table, or a null pointer. */
const char *problem_of_table(const Table *table)
{
    if (table->players < 1 || table->players > MAX_PLAYERS) {
        return "there are no more than four players";
    }
    for (int design = 0; design < table->designs; design++) {
        if (table->character[design] >= CHARACTERS || table->icon[design] >= GOODS) {
            return "there is no such building";
        }
    }
    return NULL;
}

/* Tell whether all bytes are zero. */
static bool is_unused(const void *bytes, size_t size)
{
    const unsigned char *each = bytes;
    for (size_t place = 0; place < size; place++) {
        if (each[place]) {
            return false;
        }
    }
    return true;
}

/* Tell whether a bag's total is that of its cards, and add it to a sum. */
static bool is_bag(const Bag *bag, int *sum)
{
    int cards = 0;
    for (int character = 0; character < CHARACTERS; character++) {
        cards += bag->of[character];
    }
    *sum += cards;
    return cards == bag->total && is_unused(bag->of + CHARACTERS, MAX_KINDS - CHARACTERS);
}

/* Tell whether a step is one that this game can have. */
static bool is_step(const Row *row, const Step *step)
{
    if (step->kind == NO_STEP || step->kind >= STEPS || step->seat >= row->players
        || step->unused) {
        return false;
    }
    switch (step->kind) {
    case PAYMENT_PROMPT:
        return step->value < row->dealt;
    case PLAY_PROMPT:
    case TURN:
        return step->value;
    case MONK_PROMPT:
        return step->value < row->players;
    case BONUS_PROMPT:
        return step->value < CHARACTERS && !is_unused(BONUS_GOODS[step->value], GOODS);
    default:
        return true;
    }
}

/* Return why a row is unsafe for the functions of the rules, or a null pointer.
 *
 * A row without a problem leads to rows without one, whatever is played, as long as none has a
 * fault; though it may be a position that no game can reach.
 */
const char *problem_of_row(const Table *table, const Row *row)
{
    if (row->players != table->players || row->active >= row->players) {
        return "the players are not those of the table";
    }
    if (row->phase >= PHASES || row->valette > LAST_SPACE || row->fault || row->told) {
        return "the street or the phase is not one of this game";
    }
    if (row->dealt > SITES[row->players] || row->plays > MAX_PLAYED || row->steps > MAX_STEPS) {
        return "the display, the cards played or the agenda do not fit";
    }
    for (int site = 0; site < MAX_SITES; site++) {
        if (row->display[site] && (site >= row->dealt || row->display[site] >= table->designs)) {
            return "the display has a building that is not in the card set";
        }
    }
    if (row->dealt && !table->designs) {
        return "the display has a building that is not in the card set";
    }
    for (int place = 0; place < MAX_PLAYED; place++) {
        if (row->played[place] && (place >= row->plays || row->played[place] >= CHARACTERS)) {
            return "the cards played are none";
        }
    }
    for (int place = 0; place < row->steps; place++) {
        if (!is_step(row, &row->agenda[place])) {
            return "the agenda has a step that is none";
        }
    }
    if (!is_unused(&row->agenda[row->steps], (size_t)(MAX_STEPS - row->steps) * sizeof(Step))) {
        return "the agenda has a step that is none";
    }
    if (row->steps) {
        int next = row->agenda[row->steps - 1].kind;
        if (next == TURN || next == END_TURN || next == PASS_TURN) {
            return "the next step on the agenda asks nobody";
        }
        if ((next == DEAL_PROMPT) != (row->dealt < SITES[row->players])) {
            return "the display is not complete, or more than that";
        }
        if (next == DEAL_PROMPT && table->designs > DRAW_CARD - DEAL_BUILDING) {
            return "more designs are to be dealt than have numbers";
        }
    }
    int cards = row->plays;
    bool are_bags = is_bag(&row->supply, &cards);
    for (int seat = 0; seat < row->players; seat++) {
        const Player *player = &row->player[seat];
        int shown = 0;
        are_bags = is_bag(&player->hand, &cards) && are_bags;
        are_bags = is_bag(&player->draw_pile, &cards) && are_bags;
        are_bags = is_bag(&player->discard_pile, &cards) && are_bags;
        are_bags = is_bag(&player->shown, &shown) && are_bags;
        if ((player->built | player->upgraded) >> row->dealt || player->unused) {
            return "a house stands where there is no site";
        }
        //@ EACH_GOOD;
        for (int good = 0; good < GOODS; good++) {
            if (player->goods[good] > MOST_GOODS) {
                return "a player has too many goods";
            }
        }
        if (player->score > MOST_SCORE) {
            return "a player has too many points";
        }
        are_bags = are_bags && shown <= MOST_CARDS;
    }
    if (!are_bags || cards > MOST_CARDS) {
        return "there are too many cards";
    }
    return NULL;
}
