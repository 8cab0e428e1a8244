/* The rules of the board game Valletta for programs in C, and in what can call C.
 *
 * A game is played by a table, which is the same in all of its positions, and a position.  Both are
 * plain blocks of memory that belong to the caller; positions are equal exactly if their bytes are.
 * The functions take no memory, keep nothing between calls and never fail but as they say, so that
 * any number of threads can call them.  Actions are numbers, the same in every game; C11 or C++11.
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

/* The version of this interface: it rises if anything here gets another meaning. */
enum { VALLETTA_VERSION = 1 };

/* Views are those of a seat, or of this. */
enum { VALLETTA_SPECTATOR = -1 };

/* Who is asked, if not a seat. */
enum { VALLETTA_CHANCE = -1, VALLETTA_NOBODY = -2 };

/* An action: its number, and of `VALLETTA_PAY` the goods.  `valletta_check` alone also takes what has
 * no number: `VALLETTA_NUMBERS` is to take another number of goods than a pair. */
typedef struct {
    int number;
    valletta_goods goods;
} valletta_action;

/* A number is the first one of its type, and what is added to it: for `VALLETTA_PLAY_CARD` twice the
 * character, and one more to play it without its effect; for `VALLETTA_DRAW_CARD`, `VALLETTA_DISMISS`
 * and `VALLETTA_HIRE` the character; for `VALLETTA_BUILD` and `VALLETTA_UPGRADE` the site; for
 * `VALLETTA_DEAL_BUILDING` the place of the design in the card set; for `VALLETTA_TAKE_GOODS` the place
 * of the pair among: two bricks, stone and brick, two stones, wood and brick, wood and stone, two
 * wood, gold and brick, gold and stone, gold and wood, two gold; for other types the good. */

/* A player's line of the score sheet.  The first three make the total; houses break a tie. */
typedef struct {
    int track, buildings, goods, houses;
} valletta_score;

/* Takes a number out of a generator: from 0 up to a limit less one; negative if that failed. */
typedef int64_t (*valletta_numbers)(void *source, uint64_t limit);

/* Is told of a payment; returns whether it wants more. */
typedef bool (*valletta_told)(void *source, const int payment[VALLETTA_GOODS]);

/* Return the version that was compiled. */
VALLETTA_API int valletta_version(void);

/* Return the name of a character or a good, as in documents; a null pointer if there is none. */
VALLETTA_API const char *valletta_character_name(int character);
VALLETTA_API const char *valletta_good_name(int good);

/* Fill in the cards that come with the library. */
VALLETTA_API void valletta_built_in_cards(valletta_table *table);

/* Fill in what follows from the players and the answers; return what is wrong with the table, or a
 * null pointer: an answer that does not exist, a variant that is not for so many players, or cards
 * that contradict the rulebook.  No other function takes a table with which something is wrong. */
VALLETTA_API const char *valletta_complete(valletta_table *table);

/* Make the position before anything is dealt. */
VALLETTA_API void valletta_begin(const valletta_table *table, valletta_position *position);

/* Return how many bytes of a position are used: it can be kept without the players who are not there. */
VALLETTA_API size_t valletta_size(const valletta_position *position);

/* Return the seat that is asked; `VALLETTA_CHANCE`, or `VALLETTA_NOBODY` when the game is over. */
VALLETTA_API int valletta_asked(const valletta_position *position);

/* Return what is wrong with a position from outside, or a null pointer.  No other function takes a
 * position with which something is wrong; what they make has no problem. */
VALLETTA_API const char *valletta_problem(const valletta_table *table,
                                          const valletta_position *position);

/* List the numbers of the legal actions, chance's too, ascending; return how many there are.
 * Payments have no list: see `valletta_payments`. */
VALLETTA_API int valletta_legal_actions(const valletta_table *table,
                                        const valletta_position *position,
                                        uint16_t numbers[VALLETTA_NUMBERS]);

/* Tell a function of the legal payments, fewest gold first; of none if none is asked for. */
VALLETTA_API void valletta_payments(const valletta_position *position, valletta_told told,
                                    void *source);

/* Tell whether an action is legal.  Its number is below `VALLETTA_NUMBERS`. */
VALLETTA_API bool valletta_is_legal(const valletta_table *table, const valletta_position *position,
                                    const valletta_action *action);

/* Tell whether an action is legal, as `valletta_is_legal` does; say why if it is not. */
VALLETTA_API bool valletta_check(const valletta_table *table, const valletta_position *position,
                                 const valletta_action *action, valletta_refusal *refusal);

/* Apply a legal action; false if the position cannot hold the result, and then is of no use. */
VALLETTA_API bool valletta_apply(const valletta_table *table, valletta_position *position,
                                 const valletta_action *action);

/* Apply a legal action, and write down what happens, in order; return how many events that are, or -1
 * if the position cannot hold the result, and then is of no use. */
VALLETTA_API int valletta_transition(const valletta_table *table, valletta_position *position,
                                     const valletta_action *action,
                                     valletta_event events[VALLETTA_MOST_EVENTS]);

/* List what chance may answer to its prompt, with whole numbers in proportion to the probabilities. */
VALLETTA_API int valletta_chance(const valletta_table *table, const valletta_position *position,
                                 uint16_t numbers[VALLETTA_NUMBERS],
                                 uint64_t weights[VALLETTA_NUMBERS]);

/* Let chance answer until a player is asked or the game is over, by a number for each answer; false
 * if the generator failed or chance has no answer: then the position is of no use. */
VALLETTA_API bool valletta_resolve_chance(const valletta_table *table, valletta_position *position,
                                          valletta_numbers draw, void *source);

/* Fill in the score sheet as if the game ended now; return the winners, a bit for each seat, and
 * the number of the clause SCO that decided between them. */
VALLETTA_API int valletta_outcome(const valletta_table *table, const valletta_position *position,
                                  valletta_score scores[VALLETTA_MAX_PLAYERS], int *clause);

/* Return the points that count in a player's line of the score sheet. */
VALLETTA_API int valletta_total(const valletta_score *score);

/* Leave out what a seat cannot see: the other hands join the draw piles, and both keep their totals.
 * The result is no position, but `valletta_legal_actions` and `valletta_payments` of the seat are
 * the same. */
VALLETTA_API void valletta_redact(valletta_position *position, int seat);

/* Draw at random what a seat cannot see; false if that fails, and then the position is of no use. */
VALLETTA_API bool valletta_determinize(valletta_position *position, int seat,
                                       valletta_numbers draw, void *source);

#ifdef __cplusplus
}
#endif

#endif
