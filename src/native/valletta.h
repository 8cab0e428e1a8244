/* The rules of the board game Valletta, for programs in C11, C++11 and languages that can call C.
 *
 * A game consists of a table, which stays the same during the game, and a position.  Both are plain
 * structs that the caller allocates; two positions are equal if and only if their bytes are equal.
 * The functions allocate no memory and have no state, so several threads can call them at once.
 * They fail only as documented.  Actions are numbers, with the same meaning in every game.
 *
 *     valletta_table table = {.players = 3};  // answers of the rule set: 0 is the default edition
 *     valletta_position position;
 *     valletta_built_in_cards(&table);
 *     const char *problem = valletta_complete(&table);
 *     valletta_begin(&table, &position);
 */

#ifndef VALLETTA_H
#define VALLETTA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "valletta_types.h"

#ifdef __cplusplus
extern "C" {
#endif

#ifndef VALLETTA_API
#define VALLETTA_API __attribute__((visibility("default")))
#endif

/* The version of this interface.  It increases with every incompatible change. */
enum { VALLETTA_VERSION = 1 };

/* The viewer who is not a seat. */
enum { VALLETTA_SPECTATOR = -1 };

/* Values of `valletta_asked` that are not seats: chance must answer, or the game is over. */
enum { VALLETTA_CHANCE = -1, VALLETTA_NOBODY = -2 };

/* An action: its number, and the goods if the number is `VALLETTA_PAY`.  Only `valletta_check`
 * accepts the number `VALLETTA_NUMBERS`, which means to take `goods` that are not a pair. */
typedef struct {
    int number;
    valletta_goods goods;
} valletta_action;

/* The number of an action is the first number of its type plus an offset:
 * - `VALLETTA_PLAY_CARD`: twice the character, plus 1 to play the card without its effect
 * - `VALLETTA_DRAW_CARD`, `VALLETTA_DISMISS`, `VALLETTA_HIRE`: the character
 * - `VALLETTA_BUILD`, `VALLETTA_UPGRADE`: the site
 * - `VALLETTA_DEAL_BUILDING`: the index of the design in the card set
 * - `VALLETTA_TAKE_GOODS`: the index of the pair in this list: two bricks, stone and brick, two
 *   stones, wood and brick, wood and stone, two wood, gold and brick, gold and stone, gold and
 *   wood, two gold
 * - `VALLETTA_DECLINE`, `VALLETTA_PAY`: 0
 * - other types: the good */

/* A player's final score.  The total is the sum of `track`, `buildings` and `goods`; `houses`
 * breaks ties. */
typedef struct {
    int track, buildings, goods, houses;
} valletta_score;

/* A random number generator: returns a number from 0 to limit - 1, or a negative number if it
 * fails. */
typedef int64_t (*valletta_numbers)(void *source, uint64_t limit);

/* A callback for a legal payment; returns whether to continue. */
typedef bool (*valletta_told)(void *source, const int payment[VALLETTA_GOODS]);

/* Return the `VALLETTA_VERSION` with which the library was compiled. */
VALLETTA_API int valletta_version(void);

/* Return the name of a character or a good in JSON documents, or NULL if the number is invalid. */
VALLETTA_API const char *valletta_character_name(int character);
VALLETTA_API const char *valletta_good_name(int good);

/* Set the cards of a table to the built-in card set. */
VALLETTA_API void valletta_built_in_cards(valletta_table *table);

/* Compute the derived members of a table, and validate the table.  Return NULL, or an error
 * message: an answer does not exist, a variant is not for this number of players, or the cards
 * contradict the rulebook.  Do not pass a table with an error to any other function. */
VALLETTA_API const char *valletta_complete(valletta_table *table);

/* Initialize the first position of a game, before anything is dealt. */
VALLETTA_API void valletta_begin(const valletta_table *table, valletta_position *position);

/* Return the number of bytes of a position in use.  To store a position, copy only these bytes. */
VALLETTA_API size_t valletta_size(const valletta_position *position);

/* Return the seat that must answer, `VALLETTA_CHANCE`, or `VALLETTA_NOBODY` if the game is over. */
VALLETTA_API int valletta_asked(const valletta_position *position);

/* Validate a position from an untrusted source: return an error message, or NULL if it is valid.
 * Do not pass an invalid position to any other function.  Positions that the functions create are
 * valid. */
VALLETTA_API const char *valletta_problem(const valletta_table *table,
                                          const valletta_position *position);

/* Write the numbers of the legal actions, including those of chance, in ascending order; return
 * their count.  Payments are not listed: use `valletta_payments`. */
VALLETTA_API int valletta_legal_actions(const valletta_table *table,
                                        const valletta_position *position,
                                        uint16_t numbers[VALLETTA_NUMBERS]);

/* Call a function for each legal payment, fewest gold first; at other prompts for none. */
VALLETTA_API void valletta_payments(const valletta_position *position, valletta_told callback,
                                    void *source);

/* Return whether an action is legal.  Its number must be below `VALLETTA_NUMBERS`. */
VALLETTA_API bool valletta_is_legal(const valletta_table *table, const valletta_position *position,
                                    const valletta_action *action);

/* Return whether an action is legal; if it is not, write the reason to `refusal`. */
VALLETTA_API bool valletta_check(const valletta_table *table, const valletta_position *position,
                                 const valletta_action *action, valletta_refusal *refusal);

/* Apply a legal action.  Return false if a member of the position would overflow; the position is
 * then invalid. */
VALLETTA_API bool valletta_apply(const valletta_table *table, valletta_position *position,
                                 const valletta_action *action);

/* Apply a legal action, and write its events in order.  Return the number of events, or -1 if a
 * member of the position would overflow; the position is then invalid. */
VALLETTA_API int valletta_transition(const valletta_table *table, valletta_position *position,
                                     const valletta_action *action,
                                     valletta_event events[VALLETTA_MOST_EVENTS]);

/* Write the possible outcomes of a chance prompt, with integer weights proportional to their
 * probabilities; return their count. */
VALLETTA_API int valletta_chance(const valletta_table *table, const valletta_position *position,
                                 uint16_t numbers[VALLETTA_NUMBERS],
                                 uint64_t weights[VALLETTA_NUMBERS]);

/* Draw outcomes of chance until a player must answer or the game is over, with one random number
 * for each.  Return false if the generator fails or a prompt has no outcome; the position is then
 * invalid. */
VALLETTA_API bool valletta_resolve_chance(const valletta_table *table, valletta_position *position,
                                          valletta_numbers draw, void *source);

/* Score a position as if the game ended now.  Return the winners as a bit set of seats, and write
 * the number of the clause (SCO) that decided the game to `clause`. */
VALLETTA_API int valletta_outcome(const valletta_table *table, const valletta_position *position,
                                  valletta_score scores[VALLETTA_MAX_PLAYERS], int *clause);

/* Return the total points of a score. */
VALLETTA_API int valletta_total(const valletta_score *score);

/* Remove the information that is hidden from a seat: the cards of each other hand join the draw
 * pile of that player, and the numbers of cards in the hand and in the pile stay known.  The result
 * is not a valid position, but `valletta_legal_actions` and `valletta_payments` return the same
 * actions of this seat. */
VALLETTA_API void valletta_redact(valletta_position *position, int seat);

/* Split the cards that a seat cannot see at random between hands and draw piles.  Return false if
 * the generator fails; the position is then invalid. */
VALLETTA_API bool valletta_determinize(valletta_position *position, int seat,
                                       valletta_numbers draw, void *source);

#ifdef __cplusplus
}
#endif

#endif
