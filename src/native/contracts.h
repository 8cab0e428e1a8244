/* The words of the contracts.
 *
 * A comment that begins with an at sign is a contract in ACSL.  Compilers skip it; Frama-C proves
 * it for every row (bash spec/prove.sh).  What carries the name of a clause says what the clause says.
 */

#ifndef VALLETTA_CONTRACTS_H
#define VALLETTA_CONTRACTS_H

/* A loop over the four goods is proved good by good. */
#define EACH_GOOD loop assigns \nothing; loop pragma UNROLL "completely", GOODS + 1

/*@
  predicate is_good(integer good) = 0 <= good < GOODS;

  predicate is_material(integer good) = WOOD <= good < GOODS;

  predicate is_seat(Row *row, integer seat) = 0 <= seat < row->players <= MAX_PLAYERS;

  logic integer clockwise(Row *row, integer seat, integer place) = (seat + place) % row->players;

  // A row may be cut off behind its last player.
  predicate readable(Row *row) =
    \valid_read(&row->players) && \valid_read(&row->active) && \valid_read(&row->phase) &&
    \valid_read(&row->valette) && \valid_read(&row->dealt) && \valid_read(&row->plays) &&
    \valid_read(&row->steps) && \valid_read(&row->fault) && \valid_read(&row->supply) &&
    \valid_read(&row->barrels[0 .. GOODS - 1]) && \valid_read(&row->display[0 .. MAX_SITES - 1]) &&
    \valid_read(&row->played[0 .. MAX_PLAYED - 1]) &&
    \valid_read(&row->agenda[0 .. MAX_STEPS - 1]) &&
    0 < row->players <= MAX_PLAYERS && \valid_read(&row->player[0 .. row->players - 1]);

  // Goods.

  logic integer has{L}(Row *row, integer seat, integer good) = row->player[seat].goods[good];

  logic integer in_all{L}(Row *row, integer seat) =
    has(row, seat, GOLD) + has(row, seat, WOOD) + has(row, seat, STONE) + has(row, seat, BRICK);

  logic integer sum(Goods goods) = goods.of[GOLD] + goods.of[WOOD] + goods.of[STONE] + goods.of[BRICK];

  predicate are_amounts(Goods goods) =
    \forall integer good; is_good(good) ==> 0 <= goods.of[good] <= MOST_GOODS;

  predicate is_only(Goods goods, integer good, integer count) =
    \forall integer each; is_good(each) ==> goods.of[each] == (each == good ? count : 0);

  predicate owns{L}(Row *row, integer seat, Goods goods) =
    \forall integer good; is_good(good) ==> 0 <= goods.of[good] <= has(row, seat, good);

  // Players, who have no more than a row can hold.

  predicate is_player{L}(Row *row, integer seat) =
    is_seat(row, seat) && row->player[seat].score <= MOST_SCORE &&
    \forall integer good; is_good(good) ==> has(row, seat, good) <= MOST_GOODS;

  predicate are_players{L}(Row *row) =
    0 < row->players <= MAX_PLAYERS &&
    \forall integer seat; 0 <= seat < row->players ==> is_player(row, seat);

  // What happened to a player.  A row in which a limit was exceeded has a fault, which stays, and
  // nothing else is said of it.

  predicate stays_faulty{Before, After}(Row *row) =
    \at(row->fault, Before) != 0 ==> \at(row->fault, After) != 0;

  predicate gained{Before, After}(Row *row, integer seat, integer good, integer count) =
    has{After}(row, seat, good) == has{Before}(row, seat, good) + count;

  predicate scored{Before, After}(Row *row, integer seat, integer points) =
    \at(row->player[seat].score, After) == \at(row->player[seat].score, Before) + points;

  predicate same_goods{Before, After}(Row *row, integer seat) =
    \forall integer good; is_good(good) ==> gained{Before, After}(row, seat, good, 0);

  // The agenda.

  predicate has_step{L}(Row *row) = 0 < row->steps <= MAX_STEPS;

  predicate is_done{Before, After}(Row *row) =
    \at(row->steps, After) == \at(row->steps, Before) - 1;

  predicate is_question(Step step, integer kind, integer seat, integer value) =
    step.kind == kind && step.seat == seat && step.value == value;

  predicate is_asked_first{Before, After}(Row *row, integer kind, integer seat, integer value) =
    \at(row->steps, After) == \at(row->steps, Before) + 1 &&
    is_question(\at(row->agenda[\at(row->steps, Before)], After), kind, seat, value);

  // Lists of numbers of actions.

  predicate lists{L}(uint16_t *numbers, integer count, integer number) =
    \exists integer place; 0 <= place < count && numbers[place] == number;

  predicate is_ascending{L}(uint16_t *numbers, integer count) =
    \forall integer one, other; 0 <= one < other < count ==> numbers[one] < numbers[other];

  // What may be answered.

  predicate may_take_one{L}(Table *table, integer number) =
    is_good(number - TAKE_GOOD) || (number == DECLINE && table->effects_are_optional);

  predicate may_plan{L}(Table *table, Row *row, integer seat, integer number) =
    (number == DECLINE && table->effects_are_optional) ||
    (is_material(number - RETURN_GOOD) && has(row, seat, number - RETURN_GOOD) >= ARCHITECT_PRICE);

  predicate is_bonus(integer character) =
    character == MONK || character == INNKEEPER || character == TAX_COLLECTOR;

  predicate may_take_bonus(integer character, integer number) =
    number == DECLINE ||
    (character == MONK && is_good(number - TAKE_GOOD)) ||
    (character == INNKEEPER && number == TAKE_GOOD + GOLD) ||
    (character == TAX_COLLECTOR && is_material(number - TAKE_GOOD));

  predicate may_give{L}(Row *row, integer seat, integer number) =
    is_good(number - GIVE_GOOD) && has(row, seat, number - GIVE_GOOD) > 0;

  predicate may_trade{L}(Row *row, integer seat, integer number) =
    number == DECLINE ||
    (is_material(number - RETURN_GOOD) && has(row, seat, number - RETURN_GOOD) > 0);

  predicate may_take_pair{L}(Table *table, integer number) =
    TAKE_GOODS <= number < RETURN_GOOD || (number == DECLINE && table->effects_are_optional);

  // What a player owes to the Innkeeper and to the Tax Collector.
  predicate owes{L}(Row *row, integer seat, integer character, integer good) =
    (character == INNKEEPER && good == GOLD && has(row, seat, GOLD) >= INNKEEPER_SPARES) ||
    (character == TAX_COLLECTOR && is_material(good) &&
     has(row, seat, good) >= TAX_COLLECTOR_SPARES);

  predicate may_draft(Step prompt, integer number) =
    is_good(number - DRAFT_GOOD) && prompt.goods[number - DRAFT_GOOD] > 0;

  predicate may_be_revealed{L}(Row *row, integer number) =
    is_good(number - REVEAL_BARREL) && row->barrels[number - REVEAL_BARREL] > 0;

  // Bags of cards.

  predicate is_in(Bag bag, integer character) =
    0 <= character < CHARACTERS && bag.of[character] > 0 && bag.total > 0;

  predicate has_room(Bag bag, integer character) =
    0 <= character < CHARACTERS && bag.of[character] < UINT8_MAX && bag.total < UINT8_MAX;

  predicate holds_more{Before, After}(Bag *bag, integer character, integer count) =
    \at(bag->total, After) == \at(bag->total, Before) + count &&
    \at(bag->of[character], After) == \at(bag->of[character], Before) + count &&
    \forall integer other; 0 <= other < CHARACTERS && other != character ==>
      \at(bag->of[other], After) == \at(bag->of[other], Before);
*/

#endif
