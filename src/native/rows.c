/* The parts of a row: goods, bags and the agenda; and the validation of rows. */

#include "row.h"

const Goods NOTHING = {{0}};

/* Return goods with one good of a kind. */
/*@ requires is_good(good);
    assigns \nothing;
    ensures is_only(\result, good, 1);
*/
Goods one(int good)
{
    return goods_of(good, 1);
}

/* Return goods with an amount of one kind. */
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

/* Return the total number of goods. */
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

/* Return the goods of a player. */
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

/* Return whether goods contain the other goods. */
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

/* Put cards into a bag, or take cards out of it. */
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

/* Return eight bytes as one number, the first byte lowest. */
static uint64_t word(const uint8_t bytes[8])
{
    uint32_t low = bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16
        | (uint32_t)bytes[3] << 24;
    uint32_t high = bytes[4] | (uint32_t)bytes[5] << 8 | (uint32_t)bytes[6] << 16
        | (uint32_t)bytes[7] << 24;
    return low | (uint64_t)high << 32;
}

/* Return a bit for each of eight bytes that is not zero; no byte is above 128. */
static unsigned not_zero(uint64_t word)
{
    uint64_t low = UINT64_C(0x7F7F7F7F7F7F7F7F);
    uint64_t marks = (word + low) & ~low; /* the highest bit of each byte */
    return (unsigned)((marks >> 7) * UINT64_C(0x0102040810204080) >> 56);
}

/* Return the kinds of cards in a bag. */
Kinds kinds_in(const Bag *bag)
{
    Kinds kinds = 0;
    for (size_t place = 0; place < CHARACTERS; place += 8) { /* whole words: unused bytes are zero */
        kinds |= (Kinds)not_zero(word(bag->of + place)) << place;
    }
    return kinds;
}

/* Count sites; a player has only a few. */
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
    ensures is_step_for(\result, kind, seat, value);
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

/* Return a step that has a seat and no other values. */
/*@ requires 0 <= kind < STEPS && 0 <= seat < MAX_PLAYERS;
    assigns \nothing;
    ensures is_question(\result, kind, seat, 0);
*/
Step question(int kind, int seat)
{
    return step(kind, seat, 0, &NOTHING);
}

/* Put a step at the beginning of the agenda. */
/*@ requires \valid(row) && row->steps <= MAX_STEPS;
    assigns row->steps, row->agenda[\min(row->steps, MAX_STEPS - 1)], row->fault;
    ensures row->fault || (row->steps == \old(row->steps) + 1 && row->agenda[\old(row->steps)] == step);
    ensures row->fault || \forall integer good; is_good(good) ==>
      row->agenda[\old(row->steps)].goods[good] == step.goods[good];
    ensures \forall integer place; 0 <= place < \old(row->steps) ==> is_still_asked{Pre, Post}(row, place);
    ensures row->players == \old(row->players);
    ensures \old(row->steps) < MAX_STEPS ==> row->fault == \old(row->fault);
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

/* Remove the next step from the agenda, and return it. */
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

/* Return another seat: the next one in clockwise order for place 1, and so on. */
/*@ requires readable(row) && is_seat(row, seat) && 0 <= place <= row->players;
    assigns \nothing;
    ensures is_seat(row, \result) && \result == clockwise(row, seat, place);
*/
int opponent(const Row *row, int seat, int place)
{
    int other = seat + place;
    return other < row->players ? other : other - row->players;
}

/* Count the cards that are not on the display. */
/*@ requires readable(row);
    assigns \nothing;
    ensures \result == all_cards(row);
*/
int cards_in(const Row *row)
{
    int cards = row->supply.total + row->plays;
    /*@ loop invariant 0 <= seat <= row->players;
        loop invariant cards == row->supply.total + row->plays + cards_of_first(row, seat);
        loop assigns seat, cards;
        loop variant row->players - seat;
    */
    for (int seat = 0; seat < row->players; seat++) {
        const Player *player = &row->player[seat];
        cards += player->hand.total + player->draw_pile.total + player->discard_pile.total;
    }
    return cards;
}

/* Return the number of bytes of a row that are used. */
size_t row_size(const Row *row)
{
    return offsetof(Row, player) + row->players * sizeof(Player);
}

/* Return the problem of a table, or a null pointer. */
/*@ requires \valid_read(table);
    assigns \nothing;
    ensures \result == \null <==> valid_table(table);
*/
const char *problem_of_table(const Table *table)
{
    if (table->players > MAX_PLAYERS || !SITES[table->players]) {
        return "there are two to four players";
    }
    /*@ loop invariant 0 <= design <= table->designs;
        loop invariant \forall integer each; 0 <= each < design ==>
          table->character[each] < CHARACTERS && table->icon[each] < GOODS;
        loop assigns design;
        loop variant table->designs - design;
    */
    for (int design = 0; design < table->designs; design++) {
        if (table->character[design] >= CHARACTERS || table->icon[design] >= GOODS) {
            return "there is no such building";
        }
    }
    return NULL;
}

/* Return whether each dealt site has a building of the card set, and every other site is empty. */
/*@ requires is_table(table) && \valid_read(row) && row->dealt <= MAX_SITES;
    assigns \nothing;
    ensures \result != 0 <==> shows_buildings(table, row);
*/
static bool shows_buildings(const Table *table, const Row *row)
{
    /*@ loop invariant 0 <= site <= MAX_SITES;
        loop invariant \forall integer each; 0 <= each < site ==>
          (each < row->dealt ? row->display[each] < table->designs : row->display[each] == 0);
        loop assigns site;
        loop variant MAX_SITES - site;
    */
    for (int site = 0; site < MAX_SITES; site++) {
        if (site < row->dealt ? row->display[site] >= table->designs : row->display[site]) {
            return false;
        }
    }
    return true;
}

/* Return whether each used space for played cards has a card, and every other space is empty. */
/*@ requires \valid_read(row) && row->plays <= MAX_PLAYED;
    assigns \nothing;
    ensures \result != 0 <==> shows_plays(row);
*/
static bool shows_plays(const Row *row)
{
    /*@ loop invariant 0 <= place <= MAX_PLAYED;
        loop invariant \forall integer each; 0 <= each < place ==>
          (each < row->plays ? row->played[each] < CHARACTERS : row->played[each] == 0);
        loop assigns place;
        loop variant MAX_PLAYED - place;
    */
    for (int place = 0; place < MAX_PLAYED; place++) {
        if (place < row->plays ? row->played[place] >= CHARACTERS : row->played[place]) {
            return false;
        }
    }
    return true;
}

/* Return whether a card grants an extra good. */
/*@ requires 0 <= character < CHARACTERS;
    assigns \nothing;
    ensures \result != 0 <==> is_bonus(character);
*/
static bool grants_a_good(int character)
{
    //@ EACH_GOOD;
    for (int good = 0; good < GOODS; good++) {
        if (BONUS_GOODS[character][good]) {
            return true;
        }
    }
    return false;
}

/* Return whether this game can have a step. */
/*@ requires \valid_read(row) && \valid_read(step);
    assigns \nothing;
    ensures \result != 0 <==> is_step(row, *step);
*/
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
        return step->value < row->players && step->value != step->seat;
    case BONUS_PROMPT:
        return step->value < CHARACTERS && grants_a_good(step->value);
    default:
        return true;
    }
}

/* Return whether a step is empty. */
/*@ requires \valid_read(step);
    assigns \nothing;
    ensures \result != 0 <==> is_no_step(*step);
*/
static bool is_no_step(const Step *step)
{
    //@ EACH_GOOD;
    for (int good = 0; good < GOODS; good++) {
        if (step->goods[good]) {
            return false;
        }
    }
    return !step->kind && !step->seat && !step->value && !step->unused;
}

/* Return whether the agenda has valid steps, and only empty ones after them. */
/*@ requires \valid_read(row) && row->steps <= MAX_STEPS;
    assigns \nothing;
    ensures \result != 0 <==> has_steps(row);
*/
static bool has_steps(const Row *row)
{
    /*@ loop invariant 0 <= place <= MAX_STEPS;
        loop invariant \forall integer each; 0 <= each < place ==>
          (each < row->steps ? is_step(row, row->agenda[each]) : is_no_step(row->agenda[each]));
        loop assigns place;
        loop variant MAX_STEPS - place;
    */
    for (int place = 0; place < MAX_STEPS; place++) {
        const Step *step = &row->agenda[place];
        if (!(place < row->steps ? is_step(row, step) : is_no_step(step))) {
            return false;
        }
    }
    return true;
}

/* Return the problem of the next step on the agenda, or a null pointer. */
/*@ requires is_table(table) && \valid_read(row) && row->players <= MAX_PLAYERS && row->steps <= MAX_STEPS;
    assigns \nothing;
    ensures \result == \null <==> is_asking(table, row);
*/
static const char *problem_of_prompt(const Table *table, const Row *row)
{
    if (!row->steps) {
        return NULL;
    }
    int next = row->agenda[row->steps - 1].kind;
    if (next == TURN || next == END_TURN || next == PASS_TURN) {
        return "the next step on the agenda has no prompt";
    }
    if ((next == DEAL_PROMPT) != (row->dealt < SITES[row->players])) {
        return "the display is not complete, or more than that";
    }
    if (next == DEAL_PROMPT && table->designs > DRAW_CARD - DEAL_BUILDING) {
        return "more designs are to be dealt than have numbers";
    }
    return NULL;
}

/* Return whether the total of a bag is the number of its cards. */
/*@ requires \valid_read(bag);
    assigns \nothing;
    ensures \result != 0 <==> is_bag(bag);
*/
static bool is_bag(const Bag *bag)
{
    int cards = 0;
    //@ loop assigns \nothing; loop pragma UNROLL "completely", CHARACTERS + 1;
    for (int character = 0; character < CHARACTERS; character++) {
        cards += bag->of[character];
    }
    /*@ loop invariant CHARACTERS <= kind <= MAX_KINDS;
        loop invariant \forall integer each; CHARACTERS <= each < kind ==> bag->of[each] == 0;
        loop assigns kind;
        loop variant MAX_KINDS - kind;
    */
    for (int kind = CHARACTERS; kind < MAX_KINDS; kind++) {
        if (bag->of[kind]) {
            return false;
        }
    }
    return cards == bag->total;
}

/* Return whether the cards of a hand that all players have seen are in the hand. */
/*@ requires \valid_read(player);
    assigns \nothing;
    ensures \result != 0 <==> holds_what_it_shows(player);
*/
static bool holds_what_it_shows(const Player *player)
{
    /*@ loop invariant 0 <= character <= CHARACTERS;
        loop invariant \forall integer each; 0 <= each < character ==>
          player->shown.of[each] <= player->hand.of[each];
        loop assigns character;
        loop variant CHARACTERS - character;
    */
    for (int character = 0; character < CHARACTERS; character++) {
        if (player->shown.of[character] > player->hand.of[character]) {
            return false;
        }
    }
    return true;
}

/* Return whether the totals of a player's bags are right, and the shown cards are in the hand. */
/*@ requires \valid_read(player);
    assigns \nothing;
    ensures \result != 0 <==> has_bags(player);
*/
static bool has_bags(const Player *player)
{
    return is_bag(&player->hand) && is_bag(&player->draw_pile) && is_bag(&player->discard_pile)
        && is_bag(&player->shown) && holds_what_it_shows(player);
}

/* Return whether all sites of a set have been dealt. */
/*@ requires \valid_read(&row->dealt) && row->dealt <= MAX_SITES;
    assigns \nothing;
    ensures \result != 0 <==> are_dealt(row, sites);
*/
static bool have_been_dealt(const Row *row, uint32_t sites)
{
    return !without(sites, first_sites(row->dealt));
}

/* Return whether a player has at most the goods that a row can hold. */
/*@ requires readable(row) && is_seat(row, seat);
    assigns \nothing;
    ensures \result != 0 <==> \forall integer good; is_good(good) ==> has(row, seat, good) <= MOST_GOODS;
*/
static bool can_hold_goods(const Row *row, int seat)
{
    //@ EACH_GOOD;
    for (int good = 0; good < GOODS; good++) {
        if (row->player[seat].goods[good] > MOST_GOODS) {
            return false;
        }
    }
    return true;
}

/* Return the problem of a player's part of a row, or a null pointer. */
/*@ requires readable(row) && is_seat(row, seat) && row->dealt <= MAX_SITES;
    assigns \nothing;
    ensures \result == \null <==> is_valid_player(row, seat);
*/
static const char *problem_of_player(const Row *row, int seat)
{
    const Player *player = &row->player[seat];
    if (!have_been_dealt(row, player->built) || !have_been_dealt(row, player->upgraded) || player->unused) {
        return "a house stands where there is no site";
    }
    if (!can_hold_goods(row, seat)) {
        return "a player has too many goods";
    }
    if (player->score > MOST_SCORE) {
        return "a player has too many points";
    }
    return has_bags(player) ? NULL : "the cards are not those that are counted or shown";
}

/* Return the problem of the players' parts of a row, or a null pointer. */
/*@ requires readable(row) && row->dealt <= MAX_SITES;
    assigns \nothing;
    ensures \result == \null <==> are_valid_players(row);
*/
static const char *problem_of_players(const Row *row)
{
    /*@ loop invariant 0 <= seat <= row->players;
        loop invariant \forall integer each; 0 <= each < seat ==> is_valid_player(row, each);
        loop assigns seat;
        loop variant row->players - seat;
    */
    for (int seat = 0; seat < row->players; seat++) {
        const char *problem = problem_of_player(row, seat);
        if (problem) {
            return problem;
        }
    }
    return NULL;
}

/* Return whether Valette, phase, display, played cards and agenda are valid for this game. */
/*@ requires \valid_read(row) && 0 < row->players <= MAX_PLAYERS;
    assigns \nothing;
    ensures \result != 0 <==> fits(row);
*/
static bool fits(const Row *row)
{
    return row->phase < PHASES && row->valette <= LAST_SPACE && row->dealt <= SITES[row->players]
        && row->plays <= MAX_PLAYED && row->steps <= MAX_STEPS;
}

/* Return the reason why the functions of the rules cannot use a row safely, or a null pointer.
 *
 * From a row without a problem, any actions lead to rows without a problem, as long as none has a fault.
 * The row may still be a position that no game can reach.
 */
/*@ requires is_table(table) && \valid_read(row);
    assigns \nothing;
    ensures \result == \null <==> valid_row(table, row);
*/
const char *problem_of_row(const Table *table, const Row *row)
{
    if (row->players != table->players || row->active >= row->players) {
        return "the players are not those of the table";
    }
    if (!fits(row) || row->fault || row->told) {
        return "the phase, the street, the cards played or the agenda do not fit";
    }
    if (!shows_buildings(table, row)) {
        return "the display has a building that is not in the card set";
    }
    if (!shows_plays(row)) {
        return "the cards played are none";
    }
    if (!has_steps(row)) {
        return "the agenda has a step that is none";
    }
    if (!is_bag(&row->supply) || cards_in(row) > MOST_CARDS) {
        return "there are too many cards";
    }
    const char *problem = problem_of_prompt(table, row);
    return problem ? problem : problem_of_players(row);
}
