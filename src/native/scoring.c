/* Scoring: the final scoring and the winner. */

#include "row.h"

/* Return one point for every three goods of any kinds, rounded down.
 *
 * Rules: SCO-7
 */
/*@ requires \valid_read(goods + (0 .. GOODS - 1));
    assigns \nothing;
    ensures SCO_7_states: \result == (goods[GOLD] + goods[WOOD] + goods[STONE] + goods[BRICK]) / GOODS_PER_POINT;
*/
int goods_points(const uint16_t goods[GOODS])
{
    int sum = 0;
    //@ EACH_GOOD;
    for (int good = 0; good < GOODS; good++) {
        sum += goods[good];
    }
    return sum / GOODS_PER_POINT;
}

/* Return the line of a player on the score sheet.
 *
 * Rules: SCO-8
 */
/*@ requires is_builder(table, row, seat) && readable(row);
    assigns \nothing;
    ensures SCO_8_part: \result.track == row->player[seat].score &&
      \result.buildings == points_on(table, row, row->player[seat].built) +
        points_on(table, row, row->player[seat].upgraded) &&
      \result.goods == in_all(row, seat) / GOODS_PER_POINT && \result.houses == houses(row, seat);
*/
static Score line_of(const Table *table, const Row *row, int seat)
{
    const Player *player = &row->player[seat];
    return (Score){player->score, building_points(table, row, seat), goods_points(player->goods),
                   count_sites(player->built)};
}

/* Write the line of each player on the score sheet, as if the game ended in this position.
 *
 * Rules: SCO-8
 */
/*@ requires readable(row) && \valid(scores + (0 .. row->players - 1));
    requires \separated(scores + (0 .. row->players - 1), row, table);
    requires \forall integer seat; 0 <= seat < row->players ==> is_builder(table, row, seat);
    assigns scores[0 .. row->players - 1];
    ensures SCO_8_part: \forall integer seat; 0 <= seat < row->players ==> is_line(table, row, seat, scores[seat]);
*/
void score_sheet(const Table *table, const Row *row, Score scores[MAX_PLAYERS])
{
    //@ loop assigns \nothing; loop pragma UNROLL "completely", MAX_PLAYERS + 1;
    for (int seat = 0; seat < row->players; seat++) {
        scores[seat] = line_of(table, row, seat);
        //@ assert is_line(table, row, seat, scores[seat]);
        //@ assert seat > 0 ==> is_line(table, row, 0, scores[0]);
        //@ assert seat > 1 ==> is_line(table, row, 1, scores[1]);
        //@ assert seat > 2 ==> is_line(table, row, 2, scores[2]);
    }
}

/* Compute the winners: most points, then most houses, then all players who are still tied.
 *
 * Return a bit for each winning seat, and write the number of the clause that decides.
 *
 * Rules: SCO-9, SCO-10, SCO-11
 */
/*@ requires 0 < players <= MAX_PLAYERS && \valid_read(scores + (0 .. players - 1)) && \valid(decided_by);
    requires \separated(scores + (0 .. players - 1), decided_by);
    requires \forall integer seat; 0 <= seat < players ==> 0 <= result_of(scores[seat]) <= INT32_MAX &&
      0 <= scores[seat].track && 0 <= scores[seat].buildings && 0 <= scores[seat].goods && 0 <= scores[seat].houses;
    assigns *decided_by;
    ensures SCO_9_states: SCO_10_states: SCO_11_states: \forall integer seat; 0 <= seat < players ==>
      (is_of(\result, seat) <==> \forall integer other; 0 <= other < players ==>
        !is_better(scores[other], scores[seat]));
    ensures SCO_9_states: *decided_by == 9 ==> \forall integer seat, other; 0 <= seat < players && 0 <= other < players &&
      is_of(\result, seat) && other != seat ==> result_of(scores[other]) < result_of(scores[seat]);
    ensures SCO_9_states: \forall integer seat; 0 <= seat < players && (\forall integer other;
      0 <= other < players && other != seat ==> result_of(scores[other]) < result_of(scores[seat])) ==> *decided_by == 9;
    ensures SCO_10_states: *decided_by == 10 ==> \forall integer seat, other; 0 <= seat < players && 0 <= other < players &&
      is_of(\result, seat) && other != seat ==> is_better(scores[seat], scores[other]);
    ensures SCO_10_states: SCO_11_states: \forall integer seat; 0 <= seat < players && (\forall integer other;
      0 <= other < players && other != seat ==> is_better(scores[seat], scores[other])) ==> *decided_by < 11;
    ensures SCO_11_states: 9 <= *decided_by <= 11;
*/
uint8_t winners(int players, const Score scores[MAX_PLAYERS], int *decided_by)
{
    int most_points = -1, most_houses = -1, leaders = 0, tied = 0;
    uint8_t seats = 0;
    //@ ghost int best = 0;
    /*@ loop invariant 0 <= seat <= players && 0 <= leaders <= seat && 0 <= tied <= seat;
        loop invariant seat == 0 ==> most_points == -1 && most_houses == -1;
        loop invariant \forall integer each; 0 <= each < seat ==>
          result_of(scores[each]) < most_points ||
          (result_of(scores[each]) == most_points && scores[each].houses <= most_houses);
        loop invariant seat > 0 ==> leaders > 0 && tied > 0;
        loop invariant seat > 0 ==> 0 <= best < seat && result_of(scores[best]) == most_points &&
          scores[best].houses == most_houses;
        loop invariant leaders < 2 <==> \forall integer other; 0 <= other < seat && other != best ==>
          result_of(scores[other]) < most_points;
        loop invariant tied < 2 <==> \forall integer other; 0 <= other < seat && other != best ==>
          result_of(scores[other]) < most_points || scores[other].houses < most_houses;
        loop invariant \forall integer each; 0 <= each < 64 ==> (is_of(seats, each) <==> each < seat &&
          result_of(scores[each]) == most_points && scores[each].houses == most_houses);
        loop assigns seat, most_points, most_houses, leaders, tied, seats, best;
        loop variant players - seat;
    */
    for (int seat = 0; seat < players; seat++) {
        const Score *line = &scores[seat];
        int points = line->track + line->buildings + line->goods;
        if (points > most_points) {
            most_points = points;
            most_houses = -1;
            leaders = 0;
        }
        if (points < most_points) {
            continue;
        }
        leaders++;
        if (line->houses > most_houses) {
            most_houses = line->houses;
            //@ ghost best = seat;
            seats = 0;
            tied = 0;
        }
        if (line->houses == most_houses) {
            seats = (uint8_t)with_site(seats, seat);
            tied++;
        }
    }
    //@ assert 0 <= best < players && leaders > 0 && tied > 0;
    /*@ assert leaders == 1 ==> \forall integer other; 0 <= other < players && other != best ==>
          result_of(scores[other]) < result_of(scores[best]); */
    /*@ assert leaders > 1 ==> \exists integer other; 0 <= other < players && other != best &&
          result_of(scores[other]) == result_of(scores[best]); */
    /*@ assert tied == 1 ==> \forall integer other; 0 <= other < players && other != best ==>
          is_better(scores[best], scores[other]); */
    /*@ assert tied > 1 ==> \exists integer other; 0 <= other < players && other != best &&
          result_of(scores[other]) == result_of(scores[best]) && scores[other].houses == scores[best].houses; */
    *decided_by = leaders == 1 ? 9 : tied == 1 ? 10 : 11;
    return seats;
}
