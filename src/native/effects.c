/* Effects of characters in general: when they may be declined, and choices of goods. */

#include "row.h"

/* Return whether the card may be played without its effect, if the effect would change something.
 *
 * Rules: TRN-8, TRN-9, TRN-10, TRN-11, VAL-2
 */
/*@ requires \valid_read(table) && 0 <= character < CHARACTERS;
    assigns \nothing;
    ensures TRN_8_part: TRN_10_serves: TRN_11_serves: table->effects_are_optional ==>
      (\result != 0 <==> DECLINING[character] == AS_PLAYED || DECLINING[character] == AS_PLAYED_IF_OPTIONAL);
    ensures TRN_9_part: !table->effects_are_optional ==> (\result != 0 <==>
      character == MERCHANT || character == GRAND_BAILIFF || character == GRAND_MASTER);
    ensures character == MERCHANT ==> \result != 0;
    ensures character == GRAND_BAILIFF || character == GRAND_MASTER ==> \result != 0;
    ensures VAL_2_states: character == VALETTE ==> \result == 0;
    ensures character <= BRICK_WORKER ==> (\result != 0 <==> table->effects_are_optional);
    ensures BANKER <= character <= MASON ==> (\result != 0 <==> table->effects_are_optional);
    ensures character == MONK || character == INNKEEPER || character == TAX_COLLECTOR ==>
      (\result != 0 <==> table->effects_are_optional);
*/
bool is_declinable_as_played(const Table *table, int character)
{
    return DECLINING[character] == AS_PLAYED
        || (DECLINING[character] == AS_PLAYED_IF_OPTIONAL && table->effects_are_optional);
}

/* Return whether an effect may be declined at the prompt for its choice.
 *
 * Rules: TRN-7, TRN-10
 */
/*@ requires \valid_read(table);
    assigns \nothing;
    ensures TRN_7_part: \result != 0 <==> table->effects_are_optional != 0;
*/
bool check_declining_choice(const Table *table)
{
    return table->effects_are_optional;
}

/* A player declines an offer; its prompt has already been removed from the agenda. */
/*@ assigns \nothing; */
void decline(Row *row, int seat, uint32_t clause)
{
    TELL(row, EFFECT_DECLINED, seat, 0, 0, clause);
}

/* List the four goods, and the choice of none if effects are optional.
 *
 * Rules: RED-6, RED-7, BLU-15, BLU-16, BLU-18, BLU-26, BLU-28
 */
/*@ requires \valid_read(table) && \valid(numbers + (0 .. GOODS));
    assigns numbers[0 .. GOODS];
    ensures 0 <= \result <= GOODS + 1 && is_ascending(numbers, \result);
    ensures RED_6_part: RED_7_states: BLU_16_part: BLU_18_states: BLU_26_part: BLU_28_part: \forall integer number; lists(numbers, \result, number) <==> may_take_one(table, number);
*/
int legal_goods(const Table *table, uint16_t *numbers)
{
    int count = 0;
    //@ EACH_GOOD;
    for (int good = 0; good < GOODS; good++) {
        numbers[count++] = (uint16_t)(TAKE_GOOD + good);
    }
    if (table->effects_are_optional) {
        numbers[count++] = DECLINE;
    }
    return count;
}

/* Return whether a good can be chosen, or the choice declined.
 *
 * Rules: RED-6, RED-7, BLU-16, BLU-18, BLU-26, BLU-28
 */
/*@ requires \valid_read(table) && \valid_read(action);
    assigns \nothing;
    ensures RED_6_part: RED_7_states: BLU_16_part: BLU_18_states: BLU_26_part: BLU_28_part: \result != 0 <==> may_take_one(table, action->number);
*/
bool check_good(const Table *table, const Action *action)
{
    if (action->number == DECLINE) {
        return check_declining_choice(table);
    }
    return action->number >= TAKE_GOOD && action->number < TAKE_GOODS;
}
