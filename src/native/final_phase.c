/* The final phase: its conditions, its beginning, and the end of the game.
 *
 * Rules: FIN-8, FIN-18, FIN-19
 */

#include "row.h"

/* Return the fulfilled conditions for the final phase, with a bit for each.
 *
 * Rules: FIN-1, FIN-2, FIN-3
 */
/*@ requires readable(row);
    assigns \nothing;
    ensures FIN_1_states: is_met(\result, LAST_BARREL) <==> row->valette == LAST_SPACE;
    ensures FIN_2_states: is_met(\result, SCORE) <==> \exists integer seat; 0 <= seat < row->players &&
      row->player[seat].score >= TRIGGERING_SCORE;
    ensures FIN_3_states: is_met(\result, HOUSES) <==> \exists integer seat; 0 <= seat < row->players &&
      houses(row, seat) >= HOUSES_PER_PLAYER;
    ensures \result < 8;
*/
unsigned end_conditions(const Row *row)
{
    unsigned has_points = 0, has_built_all = 0;
    /*@ loop invariant 0 <= seat <= row->players && has_points <= 1 && has_built_all <= 1;
        loop invariant has_points == 1 <==> \exists integer each; 0 <= each < seat &&
          row->player[each].score >= TRIGGERING_SCORE;
        loop invariant has_built_all == 1 <==> \exists integer each; 0 <= each < seat &&
          houses(row, each) >= HOUSES_PER_PLAYER;
        loop assigns seat, has_points, has_built_all;
        loop variant row->players - seat;
    */
    for (int seat = 0; seat < row->players; seat++) {
        const Player *player = &row->player[seat];
        has_points = player->score >= TRIGGERING_SCORE ? 1 : has_points;
        has_built_all = count_sites(player->built) >= HOUSES_PER_PLAYER ? 1 : has_built_all;
    }
    return (row->valette == LAST_SPACE ? 1u << LAST_BARREL : 0) + has_points * (1u << SCORE)
        + has_built_all * (1u << HOUSES);
}

/* The final phase begins: every discard pile joins its draw pile, and hands stay.
 *
 * Rules: FIN-4, FIN-5, FIN-6
 */
/*@ requires \valid(row) && 0 < row->players <= MAX_PLAYERS;
    requires \forall integer seat; 0 <= seat < row->players ==> can_join(&row->player[seat]);
    assigns row->phase, row->player[0 .. MAX_PLAYERS - 1].draw_pile, row->player[0 .. MAX_PLAYERS - 1].discard_pile,
      row->player[0 .. MAX_PLAYERS - 1].shown;
    ensures FIN_4_part: row->phase == FINAL;
    ensures FIN_5_states: \forall integer seat; 0 <= seat < row->players ==> is_joined{Pre, Post}(&row->player[seat]);
    ensures FIN_6_states: \forall integer seat; 0 <= seat < row->players ==>
      row->player[seat].hand == \old(row->player[seat].hand);
    ensures row->players == \old(row->players) && row->steps == \old(row->steps) && row->fault == \old(row->fault);
*/
static void begin(Row *row)
{
    TELL(row, FINAL_PHASE_BEGAN, 0, 0, 0, UNTOLD);
    row->phase = FINAL;
    /*@ loop invariant 0 <= seat <= row->players && row->players == \at(row->players, Pre);
        loop invariant row->steps == \at(row->steps, Pre) && row->fault == \at(row->fault, Pre);
        loop invariant row->phase == FINAL;
        loop invariant \forall integer each, kind; 0 <= each < row->players && 0 <= kind < CHARACTERS ==>
          row->player[each].draw_pile.of[kind] == \at(row->player[each].draw_pile.of[kind], Pre) +
            (each < seat ? \at(row->player[each].discard_pile.of[kind], Pre) : 0);
        loop invariant \forall integer each, kind; 0 <= each < row->players && 0 <= kind < CHARACTERS ==>
          row->player[each].discard_pile.of[kind] ==
            (each < seat ? 0 : \at(row->player[each].discard_pile.of[kind], Pre));
        loop invariant \forall integer each; 0 <= each < row->players ==>
          row->player[each].draw_pile.total == \at(row->player[each].draw_pile.total, Pre) +
            (each < seat ? \at(row->player[each].discard_pile.total, Pre) : 0) &&
          row->player[each].discard_pile.total ==
            (each < seat ? 0 : \at(row->player[each].discard_pile.total, Pre));
        loop invariant \forall integer each; 0 <= each < row->players ==>
          row->player[each].hand == \at(row->player[each].hand, Pre);
        loop assigns seat, row->player[0 .. MAX_PLAYERS - 1].draw_pile,
          row->player[0 .. MAX_PLAYERS - 1].discard_pile, row->player[0 .. MAX_PLAYERS - 1].shown;
        loop variant row->players - seat;
    */
    for (int seat = 0; seat < row->players; seat++) {
        //@ assert can_join{Pre}(&row->player[seat]);
        //@ assert can_join(&row->player[seat]);
        join_discard_pile(&row->player[seat]);
        /*@ assert \forall integer each; 0 <= each < row->players && each != seat ==>
              row->player[each].hand == \at(row->player[each].hand, LoopCurrent); */
        //@ assert row->player[seat].hand == \at(row->player[seat].hand, LoopCurrent);
        /*@ assert \forall integer each; 0 <= each < row->players ==>
              row->player[each].hand == \at(row->player[each].hand, LoopCurrent); */
        /*@ assert \forall integer other; 0 <= other < row->players && other != seat ==>
              row->player[other].draw_pile.total == \at(row->player[other].draw_pile.total, LoopCurrent); */
        /*@ assert \forall integer other; 0 <= other < row->players && other != seat ==>
              row->player[other].discard_pile.total == \at(row->player[other].discard_pile.total, LoopCurrent); */
        /*@ assert \forall integer other, kind; 0 <= other < row->players && other != seat && 0 <= kind < CHARACTERS ==>
              row->player[other].draw_pile.of[kind] == \at(row->player[other].draw_pile.of[kind], LoopCurrent); */
        /*@ assert \forall integer other, kind; 0 <= other < row->players && other != seat && 0 <= kind < CHARACTERS ==>
              row->player[other].discard_pile.of[kind] == \at(row->player[other].discard_pile.of[kind], LoopCurrent); */
    }
    //@ assert \forall integer seat; 0 <= seat < row->players ==> is_joined{Pre, Here}(&row->player[seat]);
}

/* After a turn of the main phase and its refill, the final phase begins if it has been triggered.
 *
 * Rules: FIN-4
 */
/*@ requires \valid(row) && 0 < row->players <= MAX_PLAYERS;
    requires \forall integer seat; 0 <= seat < row->players ==> can_join(&row->player[seat]);
    assigns row->phase, row->player[0 .. MAX_PLAYERS - 1].draw_pile, row->player[0 .. MAX_PLAYERS - 1].discard_pile,
      row->player[0 .. MAX_PLAYERS - 1].shown;
    ensures FIN_4_part: \old(row->phase) == MAIN && is_triggered{Pre}(row) ==> row->phase == FINAL &&
      \forall integer seat; 0 <= seat < row->players ==> is_joined{Pre, Post}(&row->player[seat]);
    ensures FIN_4_part: \old(row->phase) != MAIN || !is_triggered{Pre}(row) ==> row->phase == \old(row->phase) &&
      \forall integer seat; 0 <= seat < row->players ==> has_same_piles{Pre, Post}(&row->player[seat]);
    ensures \forall integer seat; 0 <= seat < row->players ==>
      row->player[seat].hand == \old(row->player[seat].hand);
    ensures row->players == \old(row->players) && row->steps == \old(row->steps) && row->fault == \old(row->fault);
*/
void begin_if_triggered(Row *row)
{
    if (row->phase == MAIN && end_conditions(row)) {
        begin(row);
    }
}

/* The game ends: no player has a card left to play, and missing turns are not made up for.
 *
 * Rules: FIN-16, FIN-17
 */
/*@ requires \valid(row);
    assigns row->phase;
    ensures FIN_16_part: row->phase == OVER;
*/
void end(Row *row)
{
    row->phase = OVER;
    TELL(row, GAME_ENDED, 0, 0, 0, UNTOLD);
}
