/* The red cards of the starting decks: gatherers, Maid, Builder and Apprentice. */

#include "row.h"

/* The player takes one good of a kind.
 *
 * Rules: RED-1, RED-2, RED-3, RED-4, RED-5
 */
void gatherer(Row *row, int seat, int good)
{
    take(row, seat, one(good));
}

/* The Maid takes one good of any kind.
 *
 * Rules: RED-6, RED-7
 */
void serve(Row *row, Step prompt, const Action *action)
{
    done(row);
    if (action->number != DECLINE) {
        take(row, prompt.seat, one(action->number - TAKE_GOOD));
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
