/* Setup: dealing the display, the starting decks, the extra goods, and the first turns. */

#include "row.h"

/* Give a player the starting cards and one good of each kind, without houses and points.
 *
 * Rules: SET-13, SET-14, SET-18, SET-19, SET-20
 */
/*@ requires \valid(player);
    assigns player->draw_pile, player->built, player->upgraded, player->score, player->goods[0 .. GOODS - 1];
    ensures SET_14_part: has_starting_deck(player);
    ensures SET_13_part: SET_18_part: player->built == 0 && player->upgraded == 0;
    ensures SET_19_part: player->score == 0;
    ensures SET_20_part: \forall integer good; is_good(good) ==> player->goods[good] == 1;
*/
static void equip(Player *player)
{
    Bag *deck = &player->draw_pile;
    deck->total = 0;
    /*@ loop invariant 0 <= kind <= CHARACTERS && deck->total == \min(kind, 8);
        loop invariant \forall integer each; 0 <= each < kind ==> deck->of[each] == starting(each);
        loop assigns kind, deck->total, deck->of[0 .. CHARACTERS - 1];
        loop variant CHARACTERS - kind;
    */
    for (int kind = 0; kind < CHARACTERS; kind++) {
        deck->of[kind] = STARTING_DECK[kind];
        deck->total = (uint8_t)(deck->total + STARTING_DECK[kind]);
    }
    player->built = player->upgraded = 0;
    player->score = 0;
    //@ EACH_GOOD;
    for (int good = 0; good < GOODS; good++) {
        player->goods[good] = 1;
    }
}

/* Set up the common parts: Valette, the barrels and the character supply; no building yet.
 *
 * Rules: SET-5, SET-16, SET-21
 */
/*@ requires \valid_read(table) && \valid(row) && \separated(row, table);
    assigns row->phase, row->valette, row->dealt, row->barrels[0 .. GOODS - 1], row->supply;
    ensures row->phase == SETUP && row->dealt == 0 && \forall integer good; is_good(good) ==> row->barrels[good] == table->barrels[good];
    ensures SET_16_part: are_four_builders(row);
    ensures SET_21_part: row->valette == TOWER;
*/
static void open_street(const Table *table, Row *row)
{
    Bag *supply = &row->supply;
    row->phase = SETUP;
    row->valette = TOWER;
    row->dealt = 0;
    //@ EACH_GOOD;
    for (int good = 0; good < GOODS; good++) {
        row->barrels[good] = table->barrels[good];
    }
    supply->total = 0;
    /*@ loop invariant 0 <= kind <= CHARACTERS && supply->total == (kind <= BUILDER ? 0 : 4);
        loop invariant \forall integer each; 0 <= each < kind ==> supply->of[each] == (each == BUILDER ? 4 : 0);
        loop assigns kind, supply->total, supply->of[0 .. CHARACTERS - 1];
        loop variant CHARACTERS - kind;
    */
    for (int kind = 0; kind < CHARACTERS; kind++) {
        supply->of[kind] = GENERAL_SUPPLY[kind];
        supply->total = (uint8_t)(supply->total + GENERAL_SUPPLY[kind]);
    }
}

/* Create the position before the first building is dealt, with the whole setup on the agenda.
 *
 * Rules: SET-5, SET-13, SET-14, SET-16, SET-18, SET-19, SET-20, SET-21, SET-22, SET-25, SET-26, SET-32
 */
void lay_table(const Table *table, Row *row)
{
    const Goods one_of_each = {{1, 1, 1, 1}};
    *row = (Row){.players = table->players};
    open_street(table, row);
    first_turns(table, row);
    if (!table->answers[START_PLAYER_VARIANT]) {
        do_first(row, step(DRAFT_PROMPT, row->players - 1, 0, &one_of_each));
    }
    for (int seat = row->players - 1; seat >= 0; seat--) {
        equip(&row->player[seat]);
        do_first(row, question(DRAW_PROMPT, seat));
    }
    do_first(row, question(DEAL_PROMPT, 0));
}

/* Schedule the first turns: that of the start player, or two staggered ones.
 *
 * Rules: SET-2, SET-27, SET-28, SET-30
 */
/*@ requires \valid_read(table) && \valid(row) && \separated(row, table) && row->steps <= MAX_STEPS - 2;
    assigns row->steps, row->agenda[0 .. MAX_STEPS - 1], row->fault;
    ensures SET_2_part: SET_30_states: row->fault || (row->steps > \old(row->steps) &&
      row->agenda[row->steps - 1].kind == TURN && row->agenda[row->steps - 1].seat == 0);
    ensures SET_27_states: SET_28_states: row->fault ||
      (table->answers[START_PLAYER_VARIANT] || table->answers[OPENING] == DRAFT_AND_STAGGERED ==>
        row->steps == \old(row->steps) + 2 && is_question(row->agenda[row->steps - 1], TURN, 0, 1) &&
        is_question(row->agenda[row->steps - 2], TURN, 1, 2));
    ensures row->fault || table->answers[START_PLAYER_VARIANT] ||
      table->answers[OPENING] == DRAFT_AND_STAGGERED ||
      is_question(row->agenda[row->steps - 1], TURN, 0, PLAYS_PER_TURN);
    ensures stays_sound{Pre, Post}(row);
    ensures row->steps <= MAX_STEPS && stays_faulty{Pre, Post}(row);
*/
void first_turns(const Table *table, Row *row)
{
    bool staggered = table->answers[START_PLAYER_VARIANT]
        || table->answers[OPENING] == DRAFT_AND_STAGGERED;
    if (!staggered) {
        do_first(row, step(TURN, 0, PLAYS_PER_TURN, &NOTHING));
        return;
    }
    /*@ loop assigns \nothing;
        loop pragma UNROLL "completely", 3;
    */
    for (int seat = (int)(sizeof STAGGERED_PLAYS) - 1; seat >= 0; seat--) {
        do_first(row, step(TURN, seat, STAGGERED_PLAYS[seat], &NOTHING));
    }
}

/* Return whether a site of the display has no building yet.
 *
 * Rules: SET-8, SET-12
 */
/*@ requires readable(row);
    assigns \nothing;
    ensures SET_12_serves: \result != 0 <==> row->dealt < SITES[row->players];
*/
bool lacks_a_building(const Row *row)
{
    return row->dealt < SITES[row->players];
}

/* Compute the number of buildings of each colour that remain to be dealt.
 *
 * Rules: SET-8
 */
/*@ requires is_table(table) && readable(row) && is_display(table, row);
    requires \valid(left + (0 .. COLOURS - 1)) && \separated(left + (0 .. COLOURS - 1), table, row);
    assigns left[0 .. COLOURS - 1];
    ensures SET_8_part: \forall integer colour; 0 <= colour < COLOURS ==>
      left[colour] == quota_left(table, row, QUOTAS[row->players][colour], colour);
    ensures \forall integer colour; 0 <= colour < COLOURS ==> -MAX_SITES <= left[colour] <= UINT8_MAX;
*/
void left_of_quotas(const Table *table, const Row *row, int left[COLOURS])
{
    /*@ loop invariant 0 <= colour <= COLOURS;
        loop invariant \forall integer each; 0 <= each < colour ==> left[each] == QUOTAS[row->players][each];
        loop assigns colour, left[0 .. COLOURS - 1];
        loop variant COLOURS - colour;
    */
    for (int colour = 0; colour < COLOURS; colour++) {
        left[colour] = QUOTAS[row->players][colour];
    }
    /*@ loop invariant 0 <= site <= row->dealt;
        loop invariant \forall integer colour; 0 <= colour < COLOURS ==> -site <= left[colour] <= UINT8_MAX &&
          left[colour] == QUOTAS[row->players][colour] - dealt_of(table, row, colour, site);
        loop assigns site, left[0 .. COLOURS - 1];
        loop variant row->dealt - site;
    */
    for (int site = 0; site < row->dealt; site++) {
        left[COLOUR_OF[table->character[row->display[site]]]]--;
    }
}

/* Compute the number of cards of each building that have not been dealt.
 *
 * Rules: SET-8
 */
/*@ requires is_table(table) && readable(row) && is_display(table, row);
    requires \valid(left + (0 .. MAX_DESIGNS - 1)) && \separated(left + (0 .. MAX_DESIGNS - 1), table, row);
    assigns left[0 .. MAX_DESIGNS - 1];
    ensures SET_8_serves: \forall integer design; 0 <= design < table->designs ==>
      left[design] == cards_left(table, row, design) && -MAX_SITES <= left[design] <= UINT8_MAX;
*/
static void left_of_cards(const Table *table, const Row *row, int left[MAX_DESIGNS])
{
    /*@ loop invariant 0 <= design <= table->designs;
        loop invariant \forall integer each; 0 <= each < design ==> left[each] == table->copies[each];
        loop assigns design, left[0 .. MAX_DESIGNS - 1];
        loop variant table->designs - design;
    */
    for (int design = 0; design < table->designs; design++) {
        left[design] = table->copies[design];
    }
    /*@ loop invariant 0 <= site <= row->dealt;
        loop invariant \forall integer design; 0 <= design < table->designs ==> -site <= left[design] <= UINT8_MAX &&
          left[design] == table->copies[design] - times(&row->display[0], site, design);
        loop assigns site, left[0 .. MAX_DESIGNS - 1];
        loop variant row->dealt - site;
    */
    for (int site = 0; site < row->dealt; site++) {
        left[row->display[site]]--;
    }
}

/* Return the least common multiple of two numbers. */
/*@ requires 0 < other;
    assigns \nothing;
    ensures 0 < one && one * other <= UINT64_MAX ==>
      one <= \result <= one * other && other <= \result && \result % other == 0;
*/
static uint64_t common_multiple(uint64_t one, uint64_t other)
{
    uint64_t times = 1;
    //@ assert (other * one) % other == 0;
    /*@ loop invariant 1 <= times <= other;
        loop assigns times;
        loop variant other - times;
    */
    while (times < other && one * times % other) {
        times++;
    }
    //@ assert 0 < one ==> one <= one * times <= one * other;
    //@ assert 0 < one && one * other <= UINT64_MAX ==> (one * times) % other == 0;
    return one * times;
}

/* Compute the weight of each card of a colour in dealing the next building.
 *
 * Rules: SET-10
 */
/*@ requires \valid_read(quotas + (0 .. COLOURS - 1)) && \valid_read(left + (0 .. COLOURS - 1));
    requires \valid(chances + (0 .. COLOURS - 1));
    requires \separated(chances + (0 .. COLOURS - 1), quotas + (0 .. COLOURS - 1), left + (0 .. COLOURS - 1));
    assigns chances[0 .. COLOURS - 1];
    ensures can_be_weighed(quotas, left) ==> \forall integer colour; 0 <= colour < COLOURS ==>
      chances[colour] <= UINT8_MAX * most_multiple(COLOURS) &&
      (quotas[colour] > 0 && left[colour] > 0 ==> chances[colour] > 0);
*/
static void weigh_colours(const int quotas[COLOURS], const int left[COLOURS], uint64_t chances[COLOURS])
{
    uint64_t every = 1;
    /*@ loop invariant 0 <= colour <= COLOURS;
        loop invariant can_be_weighed(quotas, left) ==> 0 < every <= most_multiple(colour);
        loop invariant can_be_weighed(quotas, left) ==> \forall integer each; 0 <= each < colour &&
          quotas[each] > 0 && left[each] > 0 ==> left[each] <= every;
        loop assigns colour, every;
        loop variant COLOURS - colour;
    */
    for (int colour = 0; colour < COLOURS; colour++) {
        //@ assert most_multiple(colour + 1) == most_multiple(colour) * 255;
        //@ assert most_multiple(colour + 1) <= most_multiple(COLOURS);
        if (quotas[colour] > 0 && left[colour] > 0) {
            //@ assert can_be_weighed(quotas, left) ==> every * left[colour] <= every * 255;
            //@ assert can_be_weighed(quotas, left) ==> every * left[colour] <= most_multiple(colour + 1);
            every = common_multiple(every, (uint64_t)left[colour]);
        }
    }
    /*@ loop invariant 0 <= colour <= COLOURS;
        loop invariant can_be_weighed(quotas, left) ==> \forall integer each; 0 <= each < colour ==>
          chances[each] <= UINT8_MAX * most_multiple(COLOURS) &&
          (quotas[each] > 0 && left[each] > 0 ==> chances[each] > 0);
        loop assigns colour, chances[0 .. COLOURS - 1];
        loop variant COLOURS - colour;
    */
    for (int colour = 0; colour < COLOURS; colour++) {
        chances[colour] = 0;
        if (quotas[colour] > 0 && left[colour] > 0) {
            uint64_t times = every / (uint64_t)left[colour];
            //@ assert can_be_weighed(quotas, left) ==> 0 < times <= every;
            int quota = quotas[colour];
            //@ assert can_be_weighed(quotas, left) ==> quota * times <= 255 * times;
            //@ assert times <= quota * times;
            chances[colour] = (uint64_t)quota * times;
        }
    }
}

/* Return the total weight of cards that have the same weight. */
/*@ assigns \nothing;
    ensures 0 < cards <= UINT8_MAX && chance <= UINT8_MAX * most_multiple(COLOURS) ==>
      \result == weight(cards, chance) && (0 < chance ==> 0 < \result);
*/
static uint64_t weight_of(int cards, uint64_t chance)
{
    //@ assert 255 * (UINT8_MAX * most_multiple(COLOURS)) <= UINT64_MAX;
    //@ assert 0 < cards <= UINT8_MAX ==> cards * chance <= 255 * chance;
    //@ assert 0 < cards ==> chance <= cards * chance;
    return (uint64_t)cards * chance;
}

/* List the buildings that may be dealt next, with whole numbers in proportion to their probabilities.
 *
 * Rules: SET-8, SET-9, SET-10
 */
/*@ requires is_table(table) && readable(row) && is_display(table, row);
    requires \valid(numbers + (0 .. MAX_DESIGNS - 1)) && \valid(weights + (0 .. MAX_DESIGNS - 1));
    requires \separated(numbers + (0 .. MAX_DESIGNS - 1), weights + (0 .. MAX_DESIGNS - 1), table, row);
    assigns numbers[0 .. MAX_DESIGNS - 1], weights[0 .. MAX_DESIGNS - 1];
    ensures 0 <= \result <= table->designs && is_ascending(numbers, \result);
    ensures SET_9_states: are_few(table, row) ==>
      each_card_is_as_likely(table, row, numbers, weights, \result, RED) &&
      each_card_is_as_likely(table, row, numbers, weights, \result, PURPLE) &&
      each_card_is_as_likely(table, row, numbers, weights, \result, GREEN) &&
      each_card_is_as_likely(table, row, numbers, weights, \result, BLUE) &&
      each_card_is_as_likely(table, row, numbers, weights, \result, YELLOW);
    ensures SET_9_states: are_few(table, row) ==> \forall integer place; 0 <= place < \result &&
      colour_left(table, row, colour_of(table->character[numbers[place] - DEAL_BUILDING]), table->designs) > 0 ==>
        weights[place] > 0;
    ensures SET_8_part: \forall integer number;
      lists(numbers, \result, number) <==> 0 <= number - DEAL_BUILDING < table->designs &&
      cards_left(table, row, number - DEAL_BUILDING) > 0 &&
      quota_left(table, row, QUOTAS[row->players][colour_of(table->character[number - DEAL_BUILDING])],
                 colour_of(table->character[number - DEAL_BUILDING])) > 0;
*/
int deal_weights(const Table *table, const Row *row, uint16_t *numbers, uint64_t *weights)
{
    int cards[MAX_DESIGNS], quotas[COLOURS], of_colour[COLOURS] = {0};
    uint64_t chances[COLOURS]; /* the weight of each card of a colour */
    int count = 0;
    left_of_cards(table, row, cards);
    left_of_quotas(table, row, quotas);
    /*@ loop invariant 0 <= design <= table->designs;
        loop invariant \forall integer colour; 0 <= colour < COLOURS ==>
          -MAX_SITES * design <= of_colour[colour] <= UINT8_MAX * design &&
          of_colour[colour] == colour_left(table, row, colour, design);
        loop assigns design, of_colour[0 .. COLOURS - 1];
        loop variant table->designs - design;
    */
    for (int design = 0; design < table->designs; design++) {
        of_colour[COLOUR_OF[table->character[design]]] += cards[design];
    }
    weigh_colours(quotas, of_colour, chances);
    //@ assert are_few(table, row) ==> can_be_weighed(&quotas[0], &of_colour[0]);
    /*@ loop invariant 0 <= count <= design <= table->designs;
        loop invariant \forall integer place; 0 <= place < count ==>
          numbers[place] - DEAL_BUILDING < design && cards[numbers[place] - DEAL_BUILDING] > 0 &&
          quotas[colour_of(table->character[numbers[place] - DEAL_BUILDING])] > 0;
        loop invariant are_few(table, row) ==> \forall integer place; 0 <= place < count ==>
          weights[place] == weight(cards_left(table, row, numbers[place] - DEAL_BUILDING),
            chances[colour_of(table->character[numbers[place] - DEAL_BUILDING])]);
        loop invariant are_few(table, row) ==> \forall integer place; 0 <= place < count &&
          of_colour[colour_of(table->character[numbers[place] - DEAL_BUILDING])] > 0 ==> weights[place] > 0;
        loop invariant is_ascending(numbers, count);
        loop invariant \forall integer each; 0 <= each < design && cards[each] > 0 &&
          quotas[colour_of(table->character[each])] > 0 ==> lists(numbers, count, DEAL_BUILDING + each);
        loop assigns design, count, numbers[0 .. MAX_DESIGNS - 1], weights[0 .. MAX_DESIGNS - 1];
        loop variant table->designs - design;
    */
    for (int design = 0; design < table->designs; design++) {
        int colour = COLOUR_OF[table->character[design]];
        if (cards[design] > 0 && quotas[colour] > 0) {
            //@ assert colour == colour_of(table->character[design]);
            //@ assert cards[design] == cards_left(table, row, design);
            //@ assert are_few(table, row) ==> chances[colour] <= UINT8_MAX * most_multiple(COLOURS);
            weights[count] = weight_of(cards[design], chances[colour]);
            //@ assert are_few(table, row) ==> weights[count] == weight(cards_left(table, row, design), chances[colour]);
            //@ assert are_few(table, row) && of_colour[colour] > 0 ==> weights[count] > 0;
            numbers[count] = (uint16_t)(DEAL_BUILDING + design);
            /*@ assert \forall integer place; 0 <= place < count ==>
                  weights[place] == \at(weights[place], LoopCurrent) &&
                  numbers[place] == \at(numbers[place], LoopCurrent); */
            //@ assert numbers[count] - DEAL_BUILDING == design;
            count++;
        }
    }
    //@ assert are_few(table, row) ==> each_card_weighs(table, row, numbers, weights, count, RED, chances[RED]);
    //@ assert are_few(table, row) ==> each_card_weighs(table, row, numbers, weights, count, PURPLE, chances[PURPLE]);
    //@ assert are_few(table, row) ==> each_card_weighs(table, row, numbers, weights, count, GREEN, chances[GREEN]);
    //@ assert are_few(table, row) ==> each_card_weighs(table, row, numbers, weights, count, BLUE, chances[BLUE]);
    //@ assert are_few(table, row) ==> each_card_weighs(table, row, numbers, weights, count, YELLOW, chances[YELLOW]);
    return count;
}

/* Return whether a building can be dealt.
 *
 * Rules: SET-8, SET-9
 */
/*@ requires is_table(table) && readable(row) && is_display(table, row);
    requires \separated(row, table) && \valid_read(action) && 0 <= action->number < NUMBERS;
    assigns \nothing;
    ensures SET_8_part: SET_9_serves: \result != 0 <==> action->number - DEAL_BUILDING < table->designs &&
      cards_left(table, row, action->number - DEAL_BUILDING) > 0 &&
      quota_left(table, row, QUOTAS[row->players][colour_of(table->character[action->number - DEAL_BUILDING])],
                 colour_of(table->character[action->number - DEAL_BUILDING])) > 0;
*/
bool check_deal(const Table *table, const Row *row, const Action *action)
{
    int cards[MAX_DESIGNS], quotas[COLOURS], design = action->number - DEAL_BUILDING;
    if (design >= table->designs) {
        return false;
    }
    left_of_cards(table, row, cards);
    left_of_quotas(table, row, quotas);
    return cards[design] > 0 && quotas[COLOUR_OF[table->character[design]]] > 0;
}

/* A building is placed on the next site; the prompt remains until the display is complete.
 *
 * Rules: SET-10, SET-11, SET-13, SET-17, CMP-15
 */
/*@ requires \valid(row) && row->dealt < MAX_SITES && \valid_read(action) && \separated(row, action);
    requires 0 <= action->number - DEAL_BUILDING <= UINT8_MAX;
    assigns row->dealt, row->display[row->dealt];
    ensures SET_11_states: row->dealt == \old(row->dealt) + 1 &&
      row->display[\old(row->dealt)] == action->number - DEAL_BUILDING;
*/
void deal(Row *row, const Action *action)
{
    TELL(row, BUILDING_DEALT, 0, action->number - DEAL_BUILDING, row->dealt, UNTOLD);
    row->display[row->dealt++] = (uint8_t)(action->number - DEAL_BUILDING);
}

/* List the goods that remain in the set that the players draft.
 *
 * Rules: SET-22
 */
/*@ requires \valid(numbers + (0 .. GOODS - 1));
    assigns numbers[0 .. GOODS - 1];
    ensures 0 <= \result <= GOODS && is_ascending(numbers, \result);
    ensures SET_22_part: \forall integer number; lists(numbers, \result, number) <==> may_draft(prompt, number);
*/
int legal_drafts(Step prompt, uint16_t *numbers)
{
    int count = 0;
    //@ EACH_GOOD;
    for (int good = 0; good < GOODS; good++) {
        if (prompt.goods[good]) {
            numbers[count++] = (uint16_t)(DRAFT_GOOD + good);
        }
    }
    return count;
}

/* Return whether the player can draft a good.
 *
 * Rules: SET-22
 */
/*@ requires \valid_read(action) && 0 <= action->number < NUMBERS;
    assigns \nothing;
    ensures SET_22_part: \result != 0 <==> may_draft(prompt, action->number);
*/
bool check_draft(Step prompt, const Action *action)
{
    int good = action->number - DRAFT_GOOD;
    return good >= 0 && good < GOODS && prompt.goods[good];
}

/* A player drafts a good and passes the rest on counter-clockwise, up to seat 0.
 *
 * Rules: SET-22, SET-23, SET-24
 */
/*@ requires \valid(row) && has_step(row) && is_player(row, prompt.seat) && \valid_read(action);
    requires may_draft(prompt, action->number) && \separated(row, action);
    assigns row->steps, row->agenda[row->steps - 1], row->fault,
      row->player[prompt.seat].goods[0 .. GOODS - 1];
    ensures SET_22_part: row->fault || \forall integer good; is_good(good) ==>
      gained{Pre, Post}(row, prompt.seat, good, good == action->number - DRAFT_GOOD ? 1 : 0);
    ensures SET_23_part: row->fault || prompt.seat == 0 ||
      is_step_for(row->agenda[row->steps - 1], prompt.kind, prompt.seat - 1, prompt.value);
    ensures SET_22_part: row->fault || prompt.seat == 0 || \forall integer good; is_good(good) ==>
      row->agenda[row->steps - 1].goods[good] == prompt.goods[good] - (good == action->number - DRAFT_GOOD ? 1 : 0);
    ensures SET_24_states: prompt.seat == 0 ==> is_done{Pre, Post}(row);
    ensures has_margin{Pre}(row, prompt.seat) ==> stays_sound{Pre, Post}(row);
    ensures is_player(row, prompt.seat) && stays_faulty{Pre, Post}(row);
*/
void draft(Row *row, Step prompt, const Action *action)
{
    int good = action->number - DRAFT_GOOD;
    TELL(row, GOOD_DRAFTED, prompt.seat, good, 0, UNTOLD);
    done(row);
    take(row, prompt.seat, one(good), UNTOLD);
    if (prompt.seat > 0) {
        prompt.seat--;
        prompt.goods[good]--;
        do_first(row, prompt);
    }
}
