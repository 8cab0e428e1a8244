/* The red cards of the starting decks: gatherers, Maid, Builder and Apprentice. */

#include "row.h"

/* The player takes one good of a kind.
 *
 * Rules: RED-1, RED-2, RED-3, RED-4, RED-5
 */
/*@ requires \valid(row) && is_player(row, seat) && is_good(good);
    assigns row->player[seat].goods[0 .. GOODS - 1], row->fault;
    ensures RED_1: RED_2: RED_3: RED_4: row->fault || \forall integer each; is_good(each) ==>
      gained{Pre, Post}(row, seat, each, each == good ? 1 : 0);
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
    ensures RED_6: row->fault || action->number == DECLINE || \forall integer each; is_good(each) ==>
      gained{Pre, Post}(row, prompt.seat, each, each == action->number - TAKE_GOOD ? 1 : 0);
    ensures RED_7: action->number == DECLINE ==> same_goods{Pre, Post}(row, prompt.seat);
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

/* Return the card whose effect a card has when it is played after others, or -1 if none.
 *
 * Rules: RED-10, RED-11, RED-12, RED-13, RED-14, RED-15
 */
int stands_for(const Table *table, const uint8_t *played, int plays, int character)
{
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
