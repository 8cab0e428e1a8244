/* The red cards of the starting decks: characters that take goods, Maid, Builder and Apprentice. */

#include "row.h"

/* The player takes one good of a kind.
 *
 * Rules: RED-1, RED-2, RED-3, RED-4, RED-5
 */
/*@ requires \valid(row) && is_player(row, seat) && is_good(good);
    assigns row->player[seat].goods[0 .. GOODS - 1], row->fault;
    ensures RED_1_part: RED_2_part: RED_3_part: RED_4_part: row->fault || \forall integer each; is_good(each) ==>
      gained{Pre, Post}(row, seat, each, each == good ? 1 : 0);
    ensures has_margin{Pre}(row, seat) ==> stays_sound{Pre, Post}(row);
    ensures is_player(row, seat) && stays_faulty{Pre, Post}(row);
*/
void gatherer(Row *row, int seat, int good, uint32_t clause)
{
    take(row, seat, one(good), clause);
}

/* The Maid takes one good of any kind.
 *
 * Rules: RED-6, RED-7
 */
/*@ requires \valid(row) && has_step(row) && is_player(row, prompt.seat) && \valid_read(action);
    requires action->number == DECLINE || is_good(action->number - TAKE_GOOD);
    assigns row->steps, row->agenda[row->steps - 1], row->fault,
      row->player[prompt.seat].goods[0 .. GOODS - 1];
    ensures is_done{Pre, Post}(row);
    ensures RED_6_states: row->fault || action->number == DECLINE || \forall integer each; is_good(each) ==>
      gained{Pre, Post}(row, prompt.seat, each, each == action->number - TAKE_GOOD ? 1 : 0);
    ensures RED_7_part: action->number == DECLINE ==> same_goods{Pre, Post}(row, prompt.seat);
    ensures has_margin{Pre}(row, prompt.seat) ==> stays_sound{Pre, Post}(row);
    ensures is_player(row, prompt.seat) && stays_faulty{Pre, Post}(row);
*/
void serve(Row *row, Step prompt, const Action *action)
{
    done(row);
    if (action->number == DECLINE) {
        decline(row, prompt.seat, CLAUSE(RED, 7));
    } else {
        take(row, prompt.seat, one(action->number - TAKE_GOOD), CLAUSE(RED, 6));
    }
}

/* Return the card whose effect a card has if it is played after others, or -1 if there is none.
 *
 * Rules: RED-10, RED-11, RED-12, RED-13, RED-14, RED-15
 */
/*@ requires \valid_read(table) && \valid_read(played + (0 .. MAX_PLAYED - 1)) && 0 <= plays <= MAX_PLAYED;
    requires \forall integer place; 0 <= place < plays ==> played[place] < CHARACTERS;
    requires 0 <= character < CHARACTERS;
    assigns \nothing;
    ensures character != APPRENTICE ==> \result == character;
    ensures RED_10_part: RED_12_states: RED_15_part: character == APPRENTICE && plays > 0 && played[plays - 1] != APPRENTICE ==>
      \result == copied(played[plays - 1]);
    ensures RED_11_states: character == APPRENTICE && plays == 0 ==> \result == -1;
    ensures RED_13_states: character == APPRENTICE && table->apprentice_is_red ==>
      \forall integer first; 0 < first <= plays && played[first - 1] != APPRENTICE &&
        (\forall integer place; first <= place < plays ==> played[place] == APPRENTICE) ==>
        \result == copied(played[first - 1]);
    ensures RED_14_states: character == APPRENTICE && !table->apprentice_is_red && plays > 0 &&
      played[plays - 1] == APPRENTICE ==> \result == -1;
    ensures -1 <= \result < CHARACTERS && \result == meant(table, played, plays, character);
*/
int stands_for(const Table *table, const uint8_t *played, int plays, int character)
{
    /*@ loop invariant 0 <= plays <= \at(plays, Pre) && character == \at(character, Pre);
        loop invariant plays < \at(plays, Pre) ==> table->apprentice_is_red;
        loop invariant meant(table, played, plays, character) == meant(table, played, \at(plays, Pre), character);
        loop invariant \forall integer place; plays <= place < \at(plays, Pre) ==>
          played[place] == APPRENTICE;
        loop assigns character, plays;
        loop variant plays;
    */
    while (character == APPRENTICE) {
        if (!plays) {
            return -1;
        }
        character = played[--plays];
        if (character != APPRENTICE) {
            return COPIED_COLOURS[COLOUR_OF[character]] ? character : -1;
        }
        if (!table->apprentice_is_red) {
            return -1;
        }
    }
    return character;
}
