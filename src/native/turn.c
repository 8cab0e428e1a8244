/* A turn: three cards are played and discarded, and the hand is refilled. */

#include "row.h"

#include <string.h>

/* A turn begins: it consists of playing cards, and then ends.
 *
 * Rules: TRN-1, TRN-2
 */
/*@ requires \valid(row) && row->steps <= MAX_STEPS && turn.seat < MAX_PLAYERS;
    assigns row->active, row->phase, row->steps, row->agenda[0 .. MAX_STEPS - 1], row->fault;
    ensures row->active == turn.seat;
    ensures \old(row->phase) == SETUP ==> row->phase == MAIN;
    ensures \old(row->phase) != SETUP ==> row->phase == \old(row->phase);
    ensures row->fault || row->steps == \old(row->steps) + 2;
    ensures \old(row->steps) <= MAX_STEPS - 2 ==> stays_sound{Pre, Post}(row);
    ensures TRN_1_part: TRN_2_part: row->fault ||
      is_question(row->agenda[row->steps - 1], PLAY_PROMPT, turn.seat, turn.value);
    ensures TRN_1_part: row->fault || is_question(row->agenda[\old(row->steps)], END_TURN, turn.seat, 0);
    ensures row->steps <= MAX_STEPS && stays_faulty{Pre, Post}(row);
*/
void begin_turn(Row *row, Step turn)
{
    TELL(row, TURN_BEGAN, turn.seat, turn.value, 0, UNTOLD);
    row->active = turn.seat;
    if (row->phase == SETUP) {
        row->phase = MAIN;
    }
    do_first(row, question(END_TURN, turn.seat));
    do_first(row, step(PLAY_PROMPT, turn.seat, turn.value, &NOTHING));
}

/* List playing each kind of card in hand, and playing it without effect if permitted.
 *
 * Rules: TRN-2, TRN-3, TRN-4, TRN-8, TRN-9
 */
/*@ requires readable(row) && can_play(table, row, prompt.seat) && has_kinds(&row->player[prompt.seat].hand);
    requires \valid(numbers + (0 .. TAKE_GOOD - PLAY_CARD - 1));
    requires \base_addr(numbers) != \base_addr(row) && \base_addr(numbers) != \base_addr(table);
    assigns numbers[0 .. TAKE_GOOD - PLAY_CARD - 1];
    ensures 0 <= \result <= TAKE_GOOD - PLAY_CARD && is_ascending(numbers, \result);
    ensures TRN_3_states: TRN_8_part: \forall integer number;
      lists(numbers, \result, number) <==> may_play{Pre}(table, row, prompt.seat, number);
*/
int legal_plays(const Table *table, const Row *row, Step prompt, uint16_t *numbers)
{
    int count = 0;
    /*@ loop invariant 0 <= rest && 0 <= count <= TAKE_GOOD - PLAY_CARD;
        loop invariant \forall integer kind; 0 <= kind < 64 && is_of(rest, kind) ==>
          kind < CHARACTERS && row->player[prompt.seat].hand.of[kind] > 0 && count <= 2 * kind;
        loop invariant \forall integer place; 0 <= place < count ==>
          may_play{Pre}(table, row, prompt.seat, numbers[place]);
        loop invariant \forall integer place, kind; 0 <= place < count && is_of(rest, kind) && 0 <= kind < 64 ==>
          numbers[place] < PLAY_CARD + 2 * kind;
        loop invariant is_ascending(numbers, count);
        loop invariant \forall integer kind; 0 <= kind < CHARACTERS && row->player[prompt.seat].hand.of[kind] > 0 ==>
          is_of(rest, kind) || lists(numbers, count, PLAY_CARD + 2 * kind);
        loop invariant \forall integer kind; 0 <= kind < CHARACTERS && row->player[prompt.seat].hand.of[kind] > 0 &&
          may_be_in_vain{Pre}(table, row, prompt.seat, kind) ==>
          is_of(rest, kind) || lists(numbers, count, PLAY_CARD + 2 * kind + 1);
        loop assigns rest, count, numbers[0 .. TAKE_GOOD - PLAY_CARD - 1];
        loop variant rest;
    */
    for (Kinds rest = kinds_in(&row->player[prompt.seat].hand); rest; rest = other_kinds(rest)) {
        int character = first_kind(rest);
        numbers[count++] = (uint16_t)(PLAY_CARD + 2 * character);
        /*@ assert numbers[count - 1] == PLAY_CARD + 2 * character && \forall integer place;
              0 <= place < count - 1 ==> numbers[place] < PLAY_CARD + 2 * character; */
        /*@ assert \forall integer seat, good; 0 <= seat < row->players && is_good(good) ==>
              has(row, seat, good) == has{Pre}(row, seat, good); */
        //@ assert \forall integer seat; 0 <= seat < row->players ==> scored{Pre, Here}(row, seat, 0);
        //@ assert \forall integer seat; 0 <= seat < row->players && is_player{Pre}(row, seat) ==> is_player(row, seat);
        //@ assert are_players(row);
        //@ assert \forall integer seat; 0 <= seat < row->players ==> in_all(row, seat) == in_all{Pre}(row, seat);
        /*@ assert \forall integer place, good; 0 < place < row->players && is_good(good) ==>
              has(row, clockwise(row, prompt.seat, place), good) ==
                has{Pre}(row, clockwise(row, prompt.seat, place), good); */
        /*@ assert \forall integer place, good; 0 < place < row->players && is_good(good) ==>
              (owes(row, clockwise(row, prompt.seat, place), INNKEEPER, good) <==>
               owes{Pre}(row, clockwise(row, prompt.seat, place), INNKEEPER, good)); */
        /*@ assert \forall integer place, good; 0 < place < row->players && is_good(good) ==>
              (owes(row, clockwise(row, prompt.seat, place), TAX_COLLECTOR, good) <==>
               owes{Pre}(row, clockwise(row, prompt.seat, place), TAX_COLLECTOR, good)); */
        //@ assert is_same_stake{Pre, Here}(table, row, prompt.seat, MONK);
        //@ assert is_same_stake{Pre, Here}(table, row, prompt.seat, INNKEEPER);
        //@ assert is_same_stake{Pre, Here}(table, row, prompt.seat, TAX_COLLECTOR);
        //@ assert \forall integer good; is_good(good) ==> has(row, prompt.seat, good) == has{Pre}(row, prompt.seat, good);
        //@ assert is_same_stake{Pre, Here}(table, row, prompt.seat, TRADER);
        //@ assert is_same_stake{Pre, Here}(table, row, prompt.seat, MERCHANT);
        //@ assert is_same_stake{Pre, Here}(table, row, prompt.seat, ARCHITECT);
        //@ assert is_same_stake{Pre, Here}(table, row, prompt.seat, GRAND_BAILIFF);
        //@ assert is_same_stake{Pre, Here}(table, row, prompt.seat, GRAND_MASTER);
        /*@ assert \forall integer each; 0 <= each <= VALETTE || BANKER <= each <= MASON || each == ARTISAN ||
              each == CHAMBERLAIN || PHILIP <= each < CHARACTERS ==>
                is_same_stake{Pre, Here}(table, row, prompt.seat, each); */
        //@ assert \forall integer each; 0 <= each < CHARACTERS ==> is_same_stake{Pre, Here}(table, row, prompt.seat, each);
        /*@ assert may_be_in_vain(table, row, prompt.seat, character) <==>
              may_be_in_vain{Pre}(table, row, prompt.seat, character); */
        //@ assert may_play{Pre}(table, row, prompt.seat, numbers[count - 1]) && is_ascending(numbers, count);
        /*@ assert lists(numbers, count, PLAY_CARD + 2 * character) && \forall integer number;
              lists{LoopCurrent}(numbers, count - 1, number) ==> lists(numbers, count, number); */
        if (may_play_in_vain(table, row, prompt.seat, character)) {
            //@ assert may_be_in_vain{Pre}(table, row, prompt.seat, character);
            //@ assert may_play{Pre}(table, row, prompt.seat, PLAY_CARD + 2 * character + 1);
            numbers[count++] = (uint16_t)(PLAY_CARD + 2 * character + 1);
            //@ assert numbers[count - 2] == PLAY_CARD + 2 * character && numbers[count - 1] == PLAY_CARD + 2 * character + 1;
            //@ assert \forall integer place; 0 <= place < count - 2 ==> numbers[place] == \at(numbers[place], LoopCurrent);
            //@ assert \forall integer place; 0 <= place < count - 2 ==> numbers[place] < PLAY_CARD + 2 * character;
            //@ assert is_ascending(numbers, count);
            //@ assert may_play{Pre}(table, row, prompt.seat, numbers[count - 1]);
            //@ assert lists(numbers, count, PLAY_CARD + 2 * character + 1);
        }
        //@ assert numbers[\at(count, LoopCurrent)] == PLAY_CARD + 2 * character && is_ascending(numbers, count);
        //@ assert \forall integer place; 0 <= place < count ==> may_play{Pre}(table, row, prompt.seat, numbers[place]);
        //@ assert numbers[count - 1] <= PLAY_CARD + 2 * character + 1;
        //@ assert \forall integer kind; 0 <= kind < 64 && is_of(rest, kind) ==> character <= kind;
        /*@ assert \forall integer number; lists{LoopCurrent}(numbers, \at(count, LoopCurrent), number) ==>
              lists(numbers, count, number); */
        /*@ assert may_be_in_vain{Pre}(table, row, prompt.seat, character) ==>
              lists(numbers, count, PLAY_CARD + 2 * character + 1); */
    }
    return count;
}

/* Return whether a card may be played without its effect; an Apprentice is treated like the card it copies.
 *
 * Rules: TRN-8, TRN-9, TRN-11, TRN-12, RED-5, RED-17, GRN-9
 */
/*@ requires readable(row) && can_play(table, row, seat) && 0 <= character < CHARACTERS;
    assigns \nothing;
    ensures RED_17_states: \result != 0 <==> may_be_in_vain(table, row, seat, character);
    ensures RED_5_states: character <= BRICK_WORKER ==> (\result != 0 <==> table->effects_are_optional);
    ensures GRN_9_states: BANKER <= character <= MASON ==> (\result != 0 <==>
      table->effects_are_optional && does_something(table, row, seat, character));
    ensures character == MERCHANT ==> (\result != 0 <==> has(row, seat, GOLD) > 0);
    ensures character == CHAMBERLAIN ==> (\result != 0 <==>
      table->effects_are_optional && buildings_of(table, row, seat, GREEN) > 0);
    ensures character == GRAND_BAILIFF ==> (\result != 0 <==> can_pay_bailiff(row, seat));
    ensures character == GRAND_MASTER ==> (\result != 0 <==> can_pay_grand_master(row, seat));
    ensures character == KNIGHT ==> (\result != 0 <==> table->effects_are_optional);
    ensures character == VALETTE ==> \result == 0;
*/
bool may_play_in_vain(const Table *table, const Row *row, int seat, int character)
{
    int copied = stands_for(table, row->played, row->plays, character);
    return copied >= 0 && is_declinable_as_played(table, copied)
        && stake(table, row, seat, copied);
}

/* Return whether a card may be played, with or without its effect.
 *
 * Rules: TRN-3, TRN-7, TRN-8, TRN-10, TRN-14, RED-17, VAL-2
 */
/*@ requires readable(row) && can_play(table, row, prompt.seat);
    requires \valid_read(action) && 0 <= action->number < NUMBERS;
    assigns \nothing;
    ensures TRN_3_states: TRN_8_part: TRN_14_serves: \result != 0 <==> may_play(table, row, prompt.seat, action->number);
*/
bool check_play(const Table *table, const Row *row, Step prompt, const Action *action)
{
    if (action->number < PLAY_CARD || action->number >= TAKE_GOOD) {
        return false;
    }
    int character = (action->number - PLAY_CARD) / 2;
    bool use_effect = (action->number - PLAY_CARD) % 2 == 0;
    return row->player[prompt.seat].hand.of[character]
        && (use_effect || may_play_in_vain(table, row, prompt.seat, character));
}

/* A card is placed on the next space of the player's board.
 *
 * Rules: TRN-2, TRN-25
 */
/*@ requires \valid(row) && has_step(row) && is_seat(row, prompt.seat) && row->plays <= MAX_PLAYED;
    requires 0 <= character < CHARACTERS && is_in(row->player[prompt.seat].hand, character);
    requires row->player[prompt.seat].shown.of[character] <= row->player[prompt.seat].shown.total;
    assigns row->steps, row->agenda[0 .. MAX_STEPS - 1], row->fault, row->plays, row->played[0 .. MAX_PLAYED - 1],
      row->player[prompt.seat].hand, row->player[prompt.seat].shown;
    ensures TRN_2_part: row->fault || prompt.value <= 1 || (row->steps == \old(row->steps) &&
      is_question(row->agenda[row->steps - 1], PLAY_PROMPT, prompt.seat, prompt.value - 1));
    ensures TRN_2_part: prompt.value <= 1 ==> is_done{Pre, Post}(row);
    ensures TRN_2_part: holds_more{Pre, Post}(&row->player[prompt.seat].hand, character, -1);
    ensures holds_more{Pre, Post}(&row->player[prompt.seat].shown, character,
      \old(row->player[prompt.seat].shown.of[character]) > 0 ? -1 : 0);
    ensures \old(row->plays) < MAX_PLAYED ==> row->fault == \old(row->fault);
    ensures row->steps <= MAX_STEPS && stays_faulty{Pre, Post}(row);
*/
static void put_down(Row *row, Step prompt, int character)
{
    TELL(row, CARD_PLAYED, prompt.seat, character, 0, UNTOLD);
    done(row);
    if (prompt.value > 1) {
        do_first(row, step(PLAY_PROMPT, prompt.seat, prompt.value - 1, &NOTHING));
    }
    //@ assert holds_more{Pre, Here}(&row->player[prompt.seat].hand, character, 0);
    //@ assert holds_more{Pre, Here}(&row->player[prompt.seat].shown, character, 0);
    lose(&row->player[prompt.seat], character);
    //@ assert holds_more{Pre, Here}(&row->player[prompt.seat].hand, character, -1);
    /*@ assert holds_more{Pre, Here}(&row->player[prompt.seat].shown, character,
          \at(row->player[prompt.seat].shown.of[character], Pre) > 0 ? -1 : 0); */
    if (row->plays == MAX_PLAYED) {
        row->fault = 1;
        return;
    }
    row->played[row->plays++] = (uint8_t)character;
}

/* A card goes from the hand to the player's board, and its effect is executed.
 *
 * Rules: TRN-2, TRN-5, TRN-7, TRN-13, TRN-14, TRN-15, RED-16
 */
void play(const Table *table, Row *row, Step prompt, const Action *action)
{
    int character = (action->number - PLAY_CARD) / 2;
    bool use_effect = (action->number - PLAY_CARD) % 2 == 0;
    int copied = stands_for(table, row->played, row->plays, character);
    put_down(row, prompt, character);
    if (copied < 0) {
        TELL(row, EFFECT_FIZZLED, prompt.seat, character, 0, UNTOLD);
        return;
    }
    if (!use_effect) {
        decline(row, prompt.seat,
                copied == character ? PERMISSIONS[character] : CLAUSE(RED, 17));
        return;
    }
    if (copied != character) {
        TELL(row, CARD_COPIED, prompt.seat, copied, 0, UNTOLD);
    }
    if (can_do_something(table, row, prompt.seat, copied)) {
        carry_out(table, row, prompt.seat, copied);
    } else {
        TELL(row, EFFECT_FIZZLED, prompt.seat, character, 0, UNTOLD);
    }
}

/* Return whether the player has a card to play: with an empty hand, a turn ends before its last play.
 *
 * Rules: TRN-4, TRN-6
 */
/*@ requires readable(row) && is_seat(row, prompt.seat);
    assigns \nothing;
    ensures TRN_4_part: TRN_6_part: \result != 0 <==> row->player[prompt.seat].hand.total > 0;
*/
bool has_a_card(const Row *row, Step prompt)
{
    return row->player[prompt.seat].hand.total;
}

/* The played cards are discarded, and then the hand must be refilled.
 *
 * Rules: TRN-1, TRN-16
 */
void end_turn(Row *row, Step ending)
{
    TELL(row, PLAYED_CARDS_DISCARDED, ending.seat, 0, 0, UNTOLD);
    for (int place = 0; place < row->plays; place++) {
        put(&row->player[ending.seat].discard_pile, row->played[place], 1);
    }
    memset(row->played, 0, sizeof row->played);
    row->plays = 0;
    do_first(row, question(PASS_TURN, ending.seat));
    do_first(row, question(DRAW_PROMPT, ending.seat));
    reshuffle_if_wanted(row, ending.seat);
}

/* The discard pile becomes the draw pile if a card must be drawn and the draw pile is empty.
 *
 * Rules: TRN-19, TRN-20, FIN-9
 */
/*@ requires \valid(row) && is_seat(row, seat) && can_join(&row->player[seat]);
    assigns row->player[seat].draw_pile, row->player[seat].discard_pile, row->player[seat].shown;
    ensures TRN_19_states: row->player[seat].hand.total < HAND_SIZE && \old(row->player[seat].draw_pile.total) == 0 &&
      \old(row->player[seat].discard_pile.total) > 0 && row->phase != FINAL ==>
      is_joined{Pre, Post}(&row->player[seat]);
    ensures TRN_20_states: row->player[seat].hand.total >= HAND_SIZE ==>
      is_unchanged{Pre, Post}(&row->player[seat].draw_pile) &&
      is_unchanged{Pre, Post}(&row->player[seat].discard_pile);
    ensures FIN_9_states: row->phase == FINAL ==> is_unchanged{Pre, Post}(&row->player[seat].draw_pile) &&
      is_unchanged{Pre, Post}(&row->player[seat].discard_pile);
    ensures \old(row->player[seat].draw_pile.total) > 0 ==>
      is_unchanged{Pre, Post}(&row->player[seat].draw_pile) &&
      is_unchanged{Pre, Post}(&row->player[seat].discard_pile);
    ensures row->player[seat].shown == (row->player[seat].hand.total < HAND_SIZE &&
      \old(row->player[seat].draw_pile.total) == 0 && \old(row->player[seat].discard_pile.total) > 0 &&
      row->phase != FINAL ? row->player[seat].hand : \old(row->player[seat].shown));
*/
void reshuffle_if_wanted(Row *row, int seat)
{
    Player *player = &row->player[seat];
    if (!player->draw_pile.total && player->hand.total < HAND_SIZE && player->discard_pile.total
        && row->phase != FINAL) {
        TELL(row, RESHUFFLED, seat, 0, 0, UNTOLD);
        join_discard_pile(player);
    }
}

/* Return whether a player draws: the hand is not full, and a card is left.
 *
 * Rules: TRN-17, TRN-21, TRN-22, FIN-10
 */
/*@ requires readable(row) && is_seat(row, prompt.seat);
    assigns \nothing;
    ensures TRN_17_part: TRN_21_part: TRN_22_part: FIN_10_part: \result != 0 <==> row->player[prompt.seat].hand.total < HAND_SIZE &&
      row->player[prompt.seat].draw_pile.total > 0;
*/
bool draws_a_card(const Row *row, Step prompt)
{
    const Player *player = &row->player[prompt.seat];
    return player->hand.total < HAND_SIZE && player->draw_pile.total;
}

/* List the kinds of cards that may be drawn, and the number of cards of each in the pile.
 *
 * Rules: TRN-17, TRN-18, SET-15
 */
/*@ requires readable(row) && is_seat(row, prompt.seat);
    requires \valid(numbers + (0 .. CHARACTERS - 1)) && \valid(weights + (0 .. CHARACTERS - 1));
    requires \separated(numbers + (0 .. CHARACTERS - 1), weights + (0 .. CHARACTERS - 1), row);
    requires \forall integer kind; 0 <= kind < CHARACTERS ==>
      row->player[prompt.seat].draw_pile.of[kind] <= MOST_CARDS;
    requires \forall integer kind; CHARACTERS <= kind < MAX_KINDS ==>
      row->player[prompt.seat].draw_pile.of[kind] == 0;
    assigns numbers[0 .. CHARACTERS - 1], weights[0 .. CHARACTERS - 1];
    ensures 0 <= \result <= CHARACTERS && is_ascending(numbers, \result);
    ensures TRN_18_states: SET_15_part: \forall integer place; 0 <= place < \result ==>
      0 <= numbers[place] - DRAW_CARD < CHARACTERS &&
      weights[place] == row->player[prompt.seat].draw_pile.of[numbers[place] - DRAW_CARD] && weights[place] > 0;
    ensures TRN_18_states: SET_15_part: \forall integer number;
      lists(numbers, \result, number) <==> may_be_drawn(row, prompt.seat, number);
*/
int draw_weights(const Row *row, Step prompt, uint16_t *numbers, uint64_t *weights)
{
    const Bag *pile = &row->player[prompt.seat].draw_pile;
    int count = 0;
    /*@ loop invariant 0 <= rest && 0 <= count <= CHARACTERS;
        loop invariant \forall integer kind; 0 <= kind < 64 && is_of(rest, kind) ==>
          kind < CHARACTERS && pile->of[kind] > 0 && count <= kind;
        loop invariant \forall integer place; 0 <= place < count ==>
          0 <= numbers[place] - DRAW_CARD < CHARACTERS &&
          weights[place] == pile->of[numbers[place] - DRAW_CARD] && weights[place] > 0;
        loop invariant \forall integer place, kind; 0 <= place < count && is_of(rest, kind) && 0 <= kind < 64 ==>
          numbers[place] - DRAW_CARD < kind;
        loop invariant is_ascending(numbers, count);
        loop invariant \forall integer kind; 0 <= kind < CHARACTERS && pile->of[kind] > 0 ==>
          is_of(rest, kind) || lists(numbers, count, DRAW_CARD + kind);
        loop assigns rest, count, numbers[0 .. CHARACTERS - 1], weights[0 .. CHARACTERS - 1];
        loop variant rest;
    */
    for (Kinds rest = kinds_in(pile); rest; rest = other_kinds(rest)) {
        int character = first_kind(rest);
        weights[count] = pile->of[character];
        numbers[count++] = (uint16_t)(DRAW_CARD + character);
    }
    return count;
}

/* Return whether a card can be drawn.
 *
 * Rules: TRN-17
 */
/*@ requires readable(row) && is_seat(row, prompt.seat) && \valid_read(action);
    requires 0 <= action->number < NUMBERS;
    assigns \nothing;
    ensures TRN_17_serves: \result != 0 <==> 0 <= action->number - DRAW_CARD < CHARACTERS &&
      row->player[prompt.seat].draw_pile.of[action->number - DRAW_CARD] > 0;
*/
bool check_draw(const Row *row, Step prompt, const Action *action)
{
    int character = action->number - DRAW_CARD;
    return character >= 0 && character < CHARACTERS
        && row->player[prompt.seat].draw_pile.of[character];
}

/* A card goes from the draw pile to the hand; the prompt remains until the hand is full.
 *
 * Rules: TRN-17, TRN-19, SET-15
 */
/*@ requires \valid(row) && is_seat(row, prompt.seat) && \valid_read(action) && \separated(row, action);
    requires is_in(row->player[prompt.seat].draw_pile, action->number - DRAW_CARD);
    requires has_room(row->player[prompt.seat].hand, action->number - DRAW_CARD);
    requires can_join(&row->player[prompt.seat]);
    assigns row->player[prompt.seat].hand, row->player[prompt.seat].draw_pile,
      row->player[prompt.seat].discard_pile, row->player[prompt.seat].shown;
    ensures TRN_17_part: holds_more{Pre, Post}(&row->player[prompt.seat].hand, action->number - DRAW_CARD, 1);
    ensures TRN_17_part: \old(row->player[prompt.seat].draw_pile.total) > 1 || row->phase == FINAL ==>
      holds_more{Pre, Post}(&row->player[prompt.seat].draw_pile, action->number - DRAW_CARD, -1) &&
      is_unchanged{Pre, Post}(&row->player[prompt.seat].discard_pile);
    ensures TRN_19_part: \old(row->player[prompt.seat].draw_pile.total) == 1 && row->phase != FINAL &&
      row->player[prompt.seat].hand.total < HAND_SIZE && \old(row->player[prompt.seat].discard_pile.total) > 0 ==>
      row->player[prompt.seat].draw_pile.total == \old(row->player[prompt.seat].discard_pile.total);
    ensures row->player[prompt.seat].shown == (row->player[prompt.seat].hand.total < HAND_SIZE &&
      \old(row->player[prompt.seat].draw_pile.total) == 1 &&
      \old(row->player[prompt.seat].discard_pile.total) > 0 && row->phase != FINAL ?
        row->player[prompt.seat].hand : \old(row->player[prompt.seat].shown));
*/
void draw(Row *row, Step prompt, const Action *action)
{
    Player *player = &row->player[prompt.seat];
    TELL(row, CARD_DRAWN, prompt.seat, action->number - DRAW_CARD, 0, UNTOLD);
    put(&player->hand, action->number - DRAW_CARD, 1);
    put(&player->draw_pile, action->number - DRAW_CARD, -1);
    reshuffle_if_wanted(row, prompt.seat);
}

/* Return the number of cards to draw until the hand is full or the draw pile is empty.
 *
 * Rules: TRN-17
 */
/*@ requires readable(row) && is_seat(row, prompt.seat);
    assigns \nothing;
    ensures TRN_17_part: \result == \min(HAND_SIZE - row->player[prompt.seat].hand.total,
                                    row->player[prompt.seat].draw_pile.total);
*/
int cards_wanted(const Row *row, Step prompt)
{
    const Player *player = &row->player[prompt.seat];
    int room = HAND_SIZE - player->hand.total;
    return room < player->draw_pile.total ? room : player->draw_pile.total;
}

/* The turn passes clockwise to the next player who has a card, if there is one.
 *
 * Rules: TRN-23, TRN-24, FIN-4, FIN-7, FIN-11, FIN-12, FIN-13, FIN-16
 */
/*@ requires \valid(row) && is_seat(row, passing.seat) && row->steps <= MAX_STEPS;
    requires \forall integer seat; 0 <= seat < row->players ==> can_join(&row->player[seat]);
    assigns row->active, row->phase, row->steps, row->agenda[0 .. MAX_STEPS - 1], row->fault,
      row->player[0 .. MAX_PLAYERS - 1].draw_pile, row->player[0 .. MAX_PLAYERS - 1].discard_pile,
      row->player[0 .. MAX_PLAYERS - 1].shown;
    ensures stays_sound{Pre, Post}(row);
    ensures TRN_23_part: FIN_11_states: FIN_12_states: FIN_13_states: \forall integer seat; \old(row->steps) == 0 &&
      is_next{Pre}(row, passing.seat, seat) ==> row->active == seat;
    ensures TRN_23_part: \old(row->steps) == 0 && row->phase != OVER ==> row->fault ||
      is_question(row->agenda[row->steps - 1], PLAY_PROMPT, row->active, PLAYS_PER_TURN);
    ensures FIN_7_states: \old(row->steps) == 0 && \old(row->phase) == MAIN && is_triggered{Pre}(row) &&
      \old(row->player[clockwise(row, passing.seat, 1)].hand.total) > 0 ==>
        row->phase == FINAL && row->active == clockwise(row, passing.seat, 1);
    ensures TRN_24_part: \old(row->steps) == 0 && row->phase == MAIN ==> row->player[row->active].hand.total > 0;
    ensures FIN_16_states: \old(row->steps) == 0 && \old(row->phase) != OVER ==>
      (row->phase == OVER <==> \forall integer seat; 0 <= seat < row->players ==>
        \old(row->player[seat].hand.total) == 0);
*/
void pass_turn(Row *row, Step passing)
{
    /*@ assert row->player[clockwise(row, passing.seat, 1)].hand.total > 0 ==>
          is_next(row, passing.seat, clockwise(row, passing.seat, 1)); */
    begin_if_triggered(row);
    /*@ assert \forall integer seat; 0 <= seat < row->players ==>
          row->player[seat].hand.total == \at(row->player[seat].hand.total, Pre); */
    if (!row->player[passing.seat].hand.total) {
        TELL(row, PLAYER_DROPPED_OUT, passing.seat, 0, 0, UNTOLD);
    }
    if (row->steps) {
        return;
    }
    /*@ loop invariant 0 < place <= row->players + 1;
        loop invariant \forall integer each; 0 <= each < row->players &&
          places_on(row, passing.seat, each) < place ==> \at(row->player[each].hand.total, Pre) == 0;
        loop assigns place;
        loop variant row->players - place;
    */
    for (int place = 1; place <= row->players; place++) {
        int seat = opponent(row, passing.seat, place);
        //@ assert places_on(row, passing.seat, seat) == place;
        /*@ assert \forall integer each; is_next{Pre}(row, passing.seat, each) ==>
              places_on(row, passing.seat, each) >= place; */
        if (row->player[seat].hand.total) {
            //@ assert \forall integer each; is_next{Pre}(row, passing.seat, each) ==> each == seat;
            //@ assert row->steps == 0 && row->fault == \at(row->fault, Pre);
            begin_turn(row, step(TURN, seat, PLAYS_PER_TURN, &NOTHING));
            //@ assert stays_sound{Pre, Here}(row);
            //@ assert row->active == seat;
            //@ assert row->player[seat].hand.total > 0;
            //@ assert \forall integer each; row->active == each ==> \at(row->player[each].hand.total, Pre) > 0;
            return;
        }
    }
    /*@ assert \forall integer each; 0 <= each < row->players ==> \at(row->player[each].hand.total, Pre) == 0; */
    end(row);
}
