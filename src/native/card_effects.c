/* The effects of the characters, selected by the card. */

#include "row.h"

_Static_assert(CHARACTERS == 31, "every character has its effect here");

/* Return whether an effect could change anything or require a decision.
 *
 * Rules: TRN-13, TRN-14, VAL-17
 */
/*@ requires readable(row) && is_builder(table, row, seat) && are_players(row);
    requires 0 <= character < CHARACTERS;
    assigns \nothing;
    ensures TRN_14_part: is_building(character) ==> (\result != 0 <==> \exists integer number;
      may_choose{Pre}(table, row, seat, number, &REDUCTIONS[character][0], NEIGHBOURS));
    ensures TRN_14_part: VAL_17_part: character == VALETTE ==> (\result != 0 <==> row->valette != LAST_SPACE ||
      row->player[seat].hand.total > 0 || row->supply.total > 0);
    ensures TRN_14_part: is_bonus(character) ==>
      (\result != 0 <==> row->players == 2 || does_something(table, row, seat, character));
    ensures TRN_14_part: !is_building(character) && character != VALETTE && !is_bonus(character) ==>
      (\result != 0 <==> does_something(table, row, seat, character));
*/
bool can_do_something(const Table *table, const Row *row, int seat, int character)
{
    uint16_t first;
    //@ assert \forall integer site; 0 <= site < MAX_SITES ==> is_site(site);
    /*@ assert \forall uint32_t one[30], other[30], integer site; are_same(one, other) && is_site(site) ==>
          one[site] == other[site]; */
    /*@ assert \forall uint32_t other[30];
          (\forall integer site; 0 <= site < MAX_SITES ==> other[site] == NEIGHBOURS[site]) ==> \forall integer number;
            may_choose(table, row, seat, number, &REDUCTIONS[character][0], other) <==>
            may_choose(table, row, seat, number, &REDUCTIONS[character][0], NEIGHBOURS); */
    /*@ assert \forall uint32_t other[30], integer number; are_same(other, NEIGHBOURS) ==>
          (may_choose(table, row, seat, number, &REDUCTIONS[character][0], other) <==>
           may_choose(table, row, seat, number, &REDUCTIONS[character][0], NEIGHBOURS)); */
    switch (character) {
    case BUILDER:
    case BRICKLAYER:
    case STONEMASON:
    case CARPENTER:
        return sites_in_reach(table, row, seat, REDUCTIONS[character], 1, &first);
    case VALETTE:
        return advances(row) || can_dismiss_or_hire(row, seat);
    case MONK:
    case INNKEEPER:
    case TAX_COLLECTOR:
        return row->players == 2 || stake(table, row, seat, character);
    default:
        //@ assert !is_building(character);
        return stake(table, row, seat, character);
    }
}

/* Return whether an effect would change anything immediately after its card is played.
 *
 * Rules: TRN-11, TRN-12
 */
/*@ requires readable(row) && is_builder(table, row, seat) && are_players(row);
    requires 0 <= character < CHARACTERS;
    assigns \nothing;
    ensures TRN_11_serves: TRN_12_serves: \result != 0 <==> does_something(table, row, seat, character);
*/
bool stake(const Table *table, const Row *row, int seat, int character)
{
    switch (character) {
    case BANKER:
        return icons(table, row, seat, GOLD);
    case WOODWORKER:
        return icons(table, row, seat, WOOD);
    case CARVER:
        return icons(table, row, seat, STONE);
    case MASON:
        return icons(table, row, seat, BRICK);
    case VALETTE:
        return advances(row);
    case MONK:
        return monk_takes(row, seat);
    case INNKEEPER:
    case TAX_COLLECTOR:
        return anybody_gives(row, seat, character);
    case TRADER:
        return can_trade(row, seat);
    case MERCHANT:
        return can_buy(row, seat);
    case ARTISAN:
        return has_icons(row, seat);
    case CHAMBERLAIN:
        return has_green(table, row, seat);
    case ARCHITECT:
        return can_pay_architect(row, seat);
    case GRAND_BAILIFF:
        return can_sell(row, seat, BAILIFF_PRICE);
    case GRAND_MASTER:
        return can_sell(row, seat, GRAND_MASTER_PRICE);
    case PHILIP:
        return count_of_colour(table, row, seat, GREEN);
    case CHARLES:
        return count_of_colour(table, row, seat, BLUE);
    case PIUS:
        return has_upgraded(row, seat);
    default: /* gatherers, Maid, Seamstress, Nun and Knight always have an effect */
        return true;
    }
}

/* Execute an effect that can change something.
 *
 * Rules: TRN-13
 */
void carry_out(const Table *table, Row *row, int seat, int character)
{
    switch (character) {
    case SHOPKEEPER:
    case LUMBERJACK:
    case STONE_SCULPTOR:
    case BRICK_WORKER:
        gatherer(row, seat, character - SHOPKEEPER, CLAUSE(RED, 1) + (uint32_t)(character - SHOPKEEPER));
        break;
    case MAID:
        do_first(row, question(MAID_PROMPT, seat));
        break;
    case BUILDER:
    case BRICKLAYER:
    case STONEMASON:
    case CARPENTER: {
        Goods reduction;
        for (int good = 0; good < GOODS; good++) {
            reduction.of[good] = REDUCTIONS[character][good];
        }
        do_first(row, step(SITE_PROMPT, seat, 0, &reduction));
        break;
    }
    case VALETTE:
        advance(table, row, seat);
        break;
    case BANKER:
    case WOODWORKER:
    case CARVER:
    case MASON:
        collector(table, row, seat, character - BANKER, CLAUSE(GRN, 1) + (uint32_t)(character - BANKER));
        break;
    case MONK:
        monk(row, seat);
        break;
    case TRADER:
        do_first(row, question(TRADER_PROMPT, seat));
        break;
    case SEAMSTRESS:
        do_first(row, question(SEAMSTRESS_PROMPT, seat));
        break;
    case MERCHANT:
        merchant(row, seat);
        break;
    case ARTISAN:
        do_first(row, question(ARTISAN_PROMPT, seat));
        break;
    case CHAMBERLAIN:
        chamberlain(table, row, seat);
        break;
    case INNKEEPER:
    case TAX_COLLECTOR:
        levy(row, seat, character);
        break;
    case NUN:
        do_first(row, question(NUN_PROMPT, seat));
        break;
    case ARCHITECT:
        do_first(row, question(ARCHITECT_PROMPT, seat));
        break;
    case GRAND_BAILIFF:
        sale(row, seat, BAILIFF_PRICE, BAILIFF_POINTS, CLAUSE(YEL, 6));
        break;
    case GRAND_MASTER:
        sale(row, seat, GRAND_MASTER_PRICE, GRAND_MASTER_POINTS, CLAUSE(YEL, 7));
        break;
    case PHILIP:
        admirer(table, row, seat, GREEN, CLAUSE(YEL, 10));
        break;
    case CHARLES:
        admirer(table, row, seat, BLUE, CLAUSE(YEL, 11));
        break;
    case PIUS:
        pius(row, seat);
        break;
    case KNIGHT:
        knight(row, seat);
        break;
    }
}
