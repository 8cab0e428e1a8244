/* Jean Parisot de Valette: moving along the street, then dismissing or hiring a character. */

#include "row.h"

/* Return the spaces that have a barrel at the start, with a bit for each.
 *
 * Rules: SET-3, SET-4, SET-6
 */
/*@ requires \valid_read(table);
    assigns \nothing;
    ensures SET_3_part: SET_4_states: \forall integer space; 0 <= space < 64 && !table->answers[FEWER_BARRELS] ==>
      (is_of(\result, space) <==> 1 <= space <= LAST_SPACE &&
        (table->answers[BARREL_LAYOUT] != BY_PLAYERS || (table->players == 2 ==> space % 2 == 1) &&
          (table->players == 3 ==> space % 3 != 0)));
    ensures SET_6_part: \forall integer space; 0 <= space < 64 && table->answers[FEWER_BARRELS] ==>
      (is_of(\result, space) <==> 1 <= space <= LAST_SPACE && space % 2 == 1);
*/
uint32_t barrel_spaces(const Table *table)
{
    bool by_players = table->answers[BARREL_LAYOUT] == BY_PLAYERS;
    bool are_odd = table->answers[FEWER_BARRELS] || (by_players && table->players == 2);
    uint32_t spaces = 0;
    /*@ loop invariant 1 <= space <= LAST_SPACE + 1;
        loop invariant \forall integer each; 0 <= each < 64 ==> (is_of(spaces, each) <==>
          1 <= each < space && (are_odd ? each % 2 == 1 :
            !by_players || table->players != 3 || each % 3 != 0));
        loop assigns space, spaces;
        loop variant LAST_SPACE + 1 - space;
    */
    for (int space = 1; space <= LAST_SPACE; space++) {
        if (are_odd ? space % 2 : !by_players || table->players != 3 || space % 3) {
            spaces = with_site(spaces, space);
        }
    }
    return spaces;
}

/* Return the space of Valette after the next step; on the last space he stays.
 *
 * Rules: VAL-1, VAL-3, VAL-7
 */
/*@ requires \valid_read(table) && readable(row) && row->valette <= LAST_SPACE;
    requires is_of(table->barrel_spaces, LAST_SPACE);
    assigns \nothing;
    ensures VAL_7_states: row->valette == LAST_SPACE ==> \result == LAST_SPACE;
    ensures VAL_1_part: row->valette < LAST_SPACE && !table->fewer_barrels ==> \result == row->valette + 1;
    ensures VAL_3_states: row->valette < LAST_SPACE && table->fewer_barrels ==>
      row->valette < \result <= LAST_SPACE && is_of(table->barrel_spaces, \result) &&
      \forall integer space; row->valette < space < \result ==> !is_of(table->barrel_spaces, space);
    ensures row->valette <= \result <= LAST_SPACE;
*/
int next_space(const Table *table, const Row *row)
{
    if (row->valette == LAST_SPACE) {
        return LAST_SPACE;
    }
    int space = row->valette + 1;
    if (table->fewer_barrels) {
        /*@ loop invariant row->valette < space <= LAST_SPACE;
            loop invariant \forall integer each; row->valette < each < space ==>
              !is_of(table->barrel_spaces, each);
            loop assigns space;
            loop variant LAST_SPACE - space;
        */
        while (!is_among(table->barrel_spaces, space)) {
            space++;
        }
    }
    return space;
}

/* Valette moves, and a barrel that he reaches is revealed; then the player may dismiss or hire a character.
 *
 * Rules: VAL-1, VAL-2, VAL-3, VAL-4, VAL-6, VAL-8, VAL-15, VAL-16, VAL-17
 */
/*@ requires \valid_read(table) && \valid(row) && \separated(row, table) && is_seat(row, seat);
    requires row->steps <= MAX_STEPS && row->valette <= LAST_SPACE && is_of(table->barrel_spaces, LAST_SPACE);
    assigns row->steps, row->agenda[0 .. MAX_STEPS - 1], row->fault, row->valette;
    ensures VAL_1_states: \old(row->valette) < LAST_SPACE && !\old(table->fewer_barrels) ==>
      row->valette == \old(row->valette) + 1;
    ensures VAL_3_part: \old(row->valette) < LAST_SPACE && \old(table->fewer_barrels) ==>
      \old(row->valette) < row->valette && is_of(\old(table->barrel_spaces), row->valette);
    ensures VAL_4_part: row->fault || row->valette == \old(row->valette) ||
      !is_of(\old(table->barrel_spaces), row->valette) ||
      (row->steps == \old(row->steps) + 2 && is_question(row->agenda[row->steps - 1], BARREL_PROMPT, seat, 0));
    ensures VAL_6_states: row->fault || is_of(\old(table->barrel_spaces), row->valette) ||
      row->steps == \old(row->steps) + 1;
    ensures VAL_8_part: row->fault || is_question(row->agenda[\old(row->steps)], VALETTE_PROMPT, seat, 0);
    ensures VAL_16_states: \old(row->valette) == LAST_SPACE ==> row->valette == LAST_SPACE &&
      (row->fault || is_asked_first{Pre, Post}(row, VALETTE_PROMPT, seat, 0));
    ensures \old(row->steps) <= MAX_STEPS - 2 ==> stays_sound{Pre, Post}(row);
    ensures row->steps <= MAX_STEPS && row->valette <= LAST_SPACE && stays_faulty{Pre, Post}(row);
*/
void advance(const Table *table, Row *row, int seat)
{
    int space = next_space(table, row);
    unsigned conditions = CONDITIONS(row);
    do_first(row, question(VALETTE_PROMPT, seat));
    //@ assert row->fault || is_question(row->agenda[\at(row->steps, Pre)], VALETTE_PROMPT, seat, 0);
    if (space != row->valette) {
        TELL(row, VALETTE_MOVED, 0, space, 0, table->fewer_barrels ? CLAUSE(VAL, 3) : CLAUSE(VAL, 1));
        if (is_among(table->barrel_spaces, space)) {
            do_first(row, question(BARREL_PROMPT, seat));
        }
    }
    //@ assert row->fault || is_question(row->agenda[\at(row->steps, Pre)], VALETTE_PROMPT, seat, 0);
    row->valette = (uint8_t)space;
    TELL_IF_TRIGGERED(row, conditions);
}

/* Return whether, when the choice is due, there still is a card to dismiss or to hire.
 *
 * Rules: VAL-14
 */
/*@ requires readable(row) && is_seat(row, prompt.seat);
    assigns \nothing;
    ensures VAL_14_part: \result != 0 <==>
      row->player[prompt.seat].hand.total > 0 || row->supply.total > 0;
*/
bool has_a_choice(const Row *row, Step prompt)
{
    return can_dismiss_or_hire(row, prompt.seat);
}

/* Return whether there is a card to dismiss or to hire.
 *
 * Rules: VAL-14
 */
/*@ requires readable(row) && is_seat(row, seat);
    assigns \nothing;
    ensures VAL_14_part: \result != 0 <==> row->player[seat].hand.total > 0 || row->supply.total > 0;
*/
bool can_dismiss_or_hire(const Row *row, int seat)
{
    return row->player[seat].hand.total || row->supply.total;
}

/* Return whether Valette can still advance.
 *
 * Rules: VAL-2, VAL-7
 */
/*@ requires readable(row);
    assigns \nothing;
    ensures VAL_7_part: \result != 0 <==> row->valette != LAST_SPACE;
*/
bool advances(const Row *row)
{
    return row->valette != LAST_SPACE;
}

/* List the goods that the barrel may show, and the number of barrels that show each.
 *
 * Rules: SET-5, SET-6, SET-31, VAL-4
 */
/*@ requires readable(row) && \valid(numbers + (0 .. GOODS - 1)) && \valid(weights + (0 .. GOODS - 1));
    requires \separated(numbers + (0 .. GOODS - 1), weights + (0 .. GOODS - 1), row);
    assigns numbers[0 .. GOODS - 1], weights[0 .. GOODS - 1];
    ensures 0 <= \result <= GOODS && is_ascending(numbers, \result);
    ensures VAL_4_serves: \forall integer number;
      lists(numbers, \result, number) <==> may_be_revealed(row, number);
    ensures SET_31_states: \forall integer place; 0 <= place < \result ==>
      weights[place] == row->barrels[numbers[place] - REVEAL_BARREL];
*/
int barrel_weights(const Row *row, uint16_t *numbers, uint64_t *weights)
{
    int count = 0;
    //@ EACH_GOOD;
    for (int good = 0; good < GOODS; good++) {
        if (row->barrels[good]) {
            weights[count] = row->barrels[good];
            numbers[count++] = (uint16_t)(REVEAL_BARREL + good);
        }
    }
    return count;
}

/* Return whether the barrel can show a good.
 *
 * Rules: VAL-4, VAL-5, VAL-15
 */
/*@ requires readable(row) && \valid_read(action) && 0 <= action->number < NUMBERS;
    assigns \nothing;
    ensures VAL_5_serves: \result != 0 <==> may_be_revealed(row, action->number);
    ensures VAL_15_states: action->number == DECLINE ==> \result == 0;
*/
bool check_barrel(const Row *row, const Action *action)
{
    int good = action->number - REVEAL_BARREL;
    return good >= 0 && good < GOODS && row->barrels[good];
}

/* The barrel is removed from the game, and the player takes the good that it shows.
 *
 * Rules: VAL-4, VAL-5
 */
/*@ requires \valid(row) && has_step(row) && is_player(row, prompt.seat) && \valid_read(action);
    requires may_be_revealed(row, action->number) && \separated(row, action);
    assigns row->barrels[action->number - REVEAL_BARREL], row->steps, row->agenda[row->steps - 1],
      row->player[prompt.seat].goods[0 .. GOODS - 1], row->fault;
    ensures is_done{Pre, Post}(row);
    ensures VAL_5_states: row->barrels[action->number - REVEAL_BARREL] ==
      \old(row->barrels[action->number - REVEAL_BARREL]) - 1;
    ensures VAL_4_part: row->fault || \forall integer good; is_good(good) ==>
      gained{Pre, Post}(row, prompt.seat, good, good == action->number - REVEAL_BARREL ? 1 : 0);
    ensures has_margin{Pre}(row, prompt.seat) ==> stays_sound{Pre, Post}(row);
    ensures is_player(row, prompt.seat) && stays_faulty{Pre, Post}(row);
*/
void reveal_barrel(Row *row, Step prompt, const Action *action)
{
    int good = action->number - REVEAL_BARREL;
    TELL(row, BARREL_REVEALED, 0, good, 0, UNTOLD);
    row->barrels[good]--;
    done(row);
    take(row, prompt.seat, one(good), CLAUSE(VAL, 4));
}

/* List every card that can be dismissed or hired, and the choice of neither.
 *
 * Rules: VAL-8, VAL-9, VAL-10, VAL-12, VAL-13
 */
/*@ requires readable(row) && is_seat(row, prompt.seat);
    requires has_kinds(&row->player[prompt.seat].hand) && has_kinds(&row->supply);
    requires \valid(numbers + (0 .. NUMBERS - DISMISS - 1));
    requires \separated(numbers + (0 .. NUMBERS - DISMISS - 1), row);
    assigns numbers[0 .. NUMBERS - DISMISS - 1];
    ensures 0 <= \result <= NUMBERS - DISMISS && is_ascending(numbers, \result);
    ensures VAL_9_states: VAL_10_part: VAL_12_part: VAL_13_states: \forall integer number;
      lists(numbers, \result, number) <==> may_dismiss_or_hire(row, prompt.seat, number);
*/
int legal_staff(const Row *row, Step prompt, uint16_t *numbers)
{
    int count = 0;
    /*@ loop invariant 0 <= rest && 0 <= count <= CHARACTERS;
        loop invariant \forall integer kind; 0 <= kind < 64 && is_of(rest, kind) ==>
          kind < CHARACTERS && row->player[prompt.seat].hand.of[kind] > 0 && count <= kind;
        loop invariant \forall integer place; 0 <= place < count ==>
          may_dismiss_or_hire(row, prompt.seat, numbers[place]) && numbers[place] < HIRE;
        loop invariant \forall integer place, kind; 0 <= place < count && is_of(rest, kind) && 0 <= kind < 64 ==>
          numbers[place] < DISMISS + kind;
        loop invariant is_ascending(numbers, count);
        loop invariant \forall integer kind; 0 <= kind < CHARACTERS && row->player[prompt.seat].hand.of[kind] > 0 ==>
          is_of(rest, kind) || lists(numbers, count, DISMISS + kind);
        loop assigns rest, count, numbers[0 .. NUMBERS - DISMISS - 1];
        loop variant rest;
    */
    for (Kinds rest = kinds_in(&row->player[prompt.seat].hand); rest; rest = other_kinds(rest)) {
        numbers[count++] = (uint16_t)(DISMISS + first_kind(rest));
    }
    /*@ loop invariant 0 <= rest && 0 <= count <= 2 * CHARACTERS;
        loop invariant \forall integer kind; 0 <= kind < 64 && is_of(rest, kind) ==>
          kind < CHARACTERS && row->supply.of[kind] > 0 && count <= CHARACTERS + kind;
        loop invariant \forall integer place; 0 <= place < count ==>
          may_dismiss_or_hire(row, prompt.seat, numbers[place]) && numbers[place] < DECLINE;
        loop invariant \forall integer place, kind; 0 <= place < count && is_of(rest, kind) && 0 <= kind < 64 ==>
          numbers[place] < HIRE + kind;
        loop invariant is_ascending(numbers, count);
        loop invariant \forall integer kind; 0 <= kind < CHARACTERS && row->supply.of[kind] > 0 ==>
          is_of(rest, kind) || lists(numbers, count, HIRE + kind);
        loop invariant \forall integer kind; 0 <= kind < CHARACTERS && row->player[prompt.seat].hand.of[kind] > 0 ==>
          lists(numbers, count, DISMISS + kind);
        loop assigns rest, count, numbers[0 .. NUMBERS - DISMISS - 1];
        loop variant rest;
    */
    for (Kinds rest = kinds_in(&row->supply); rest; rest = other_kinds(rest)) {
        numbers[count++] = (uint16_t)(HIRE + first_kind(rest));
    }
    numbers[count++] = DECLINE;
    //@ assert lists(numbers, count, DECLINE);
    /*@ assert \forall integer number;
          may_dismiss_or_hire(row, prompt.seat, number) ==> lists(numbers, count, number);
    */
    return count;
}

/* Return whether a card can be dismissed or hired.
 *
 * Rules: VAL-8, VAL-9, VAL-10, VAL-12, VAL-13
 */
/*@ requires readable(row) && is_seat(row, prompt.seat) && \valid_read(action);
    requires 0 <= action->number < NUMBERS;
    assigns \nothing;
    ensures VAL_10_part: DISMISS <= action->number < HIRE ==>
      (\result != 0 <==> row->player[prompt.seat].hand.of[action->number - DISMISS] > 0);
    ensures VAL_12_part: VAL_13_states: HIRE <= action->number < DECLINE ==>
      (\result != 0 <==> row->supply.of[action->number - HIRE] > 0);
    ensures VAL_9_states: action->number == DECLINE ==> \result != 0;
    ensures action->number < DISMISS ==> \result == 0;
*/
bool check_staff(const Row *row, Step prompt, const Action *action)
{
    int number = action->number;
    if (number >= DISMISS && number < HIRE) {
        return row->player[prompt.seat].hand.of[number - DISMISS];
    }
    if (number >= HIRE && number < DECLINE) {
        return row->supply.of[number - HIRE];
    }
    return number == DECLINE;
}

/* A card goes from the hand to the general supply, or from the supply to the hand.
 *
 * Rules: VAL-8, VAL-9, VAL-10, VAL-11, VAL-12, VAL-13, VAL-18
 */
/*@ requires \valid(row) && has_step(row) && is_seat(row, prompt.seat) && \valid_read(action);
    requires \separated(row, action) && DISMISS <= action->number <= DECLINE;
    requires action->number < HIRE ==> is_in(row->player[prompt.seat].hand, action->number - DISMISS) &&
      has_room(row->supply, action->number - DISMISS);
    requires HIRE <= action->number < DECLINE ==> is_in(row->supply, action->number - HIRE) &&
      has_room(row->player[prompt.seat].hand, action->number - HIRE) &&
      has_room(row->player[prompt.seat].shown, action->number - HIRE);
    requires \forall integer kind; 0 <= kind < CHARACTERS ==>
      row->player[prompt.seat].shown.of[kind] <= row->player[prompt.seat].shown.total;
    assigns row->steps, row->agenda[row->steps - 1], row->supply, row->player[prompt.seat].hand,
      row->player[prompt.seat].shown;
    ensures VAL_8_part: is_done{Pre, Post}(row);
    ensures VAL_10_states: VAL_11_part: VAL_18_part: DISMISS <= action->number < HIRE ==>
      holds_more{Pre, Post}(&row->player[prompt.seat].hand, action->number - DISMISS, -1) &&
      holds_more{Pre, Post}(&row->supply, action->number - DISMISS, 1);
    ensures VAL_12_states: HIRE <= action->number < DECLINE ==>
      holds_more{Pre, Post}(&row->player[prompt.seat].hand, action->number - HIRE, 1);
    ensures VAL_12_states: HIRE <= action->number < DECLINE ==>
      holds_more{Pre, Post}(&row->supply, action->number - HIRE, -1);
    ensures DISMISS <= action->number < HIRE ==>
      holds_more{Pre, Post}(&row->player[prompt.seat].shown, action->number - DISMISS,
        \old(row->player[prompt.seat].shown.of[action->number - DISMISS]) > 0 ? -1 : 0);
    ensures HIRE <= action->number < DECLINE ==>
      holds_more{Pre, Post}(&row->player[prompt.seat].shown, action->number - HIRE, 1);
    ensures VAL_9_part: action->number == DECLINE ==>
      row->supply == \old(row->supply) && row->player[prompt.seat].hand == \old(row->player[prompt.seat].hand) &&
      row->player[prompt.seat].shown == \old(row->player[prompt.seat].shown);
*/
void dismiss_or_hire(Row *row, Step prompt, const Action *action)
{
    int number = action->number;
    done(row);
    if (number == DECLINE) {
        decline(row, prompt.seat, CLAUSE(VAL, 9));
        return;
    }
    if (number < HIRE) {
        TELL(row, DISMISSED, prompt.seat, number - DISMISS, 0, UNTOLD);
        lose(&row->player[prompt.seat], number - DISMISS);
        //@ assert row->supply == \at(row->supply, Pre);
        put(&row->supply, number - DISMISS, 1);
    } else {
        TELL(row, HIRED, prompt.seat, number - HIRE, 0, UNTOLD);
        gain(&row->player[prompt.seat], number - HIRE);
        put(&row->supply, number - HIRE, -1);
    }
}
