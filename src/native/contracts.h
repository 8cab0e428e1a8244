/* The words of the contracts.
 *
 * A comment that begins with an at sign is a contract in ACSL.  Compilers skip it; Frama-C proves
 * it for every row (bash spec/prove.sh).  What carries the name of a clause says what the clause says.
 */

#ifndef VALLETTA_CONTRACTS_H
#define VALLETTA_CONTRACTS_H

/* The constants in contracts that state clauses have the numbers of the clauses. */
_Static_assert(INNKEEPER_SPARES == 2 && TAX_COLLECTOR_SPARES == 3 && NUN_TAKES == 3, "BLU-23, BLU-30, BLU-26");
_Static_assert(HOUSES_PER_PLAYER == 8 && TRIGGERING_SCORE == 25 && LAST_SPACE == 25, "FIN-3, FIN-2, FIN-1");
_Static_assert(AREA_LENGTH == 5 && ROW_LENGTH == 5 && CONSTRUCTION_BONUS == 2, "BLD-34, BLD-32");
_Static_assert(GOODS_PER_POINT == 3 && PLAYS_PER_TURN == 3 && HAND_SIZE == 5, "SCO-7, TRN-2, TRN-17");
_Static_assert(ARCHITECT_PRICE == 4 && ARCHITECT_POINTS == 4 && KNIGHT_POINTS == 2, "YEL-1, YEL-15");

/* The adjacency discount: the player's own buildings next to a site. */
#define DISCOUNT(row, seat, site) count(both(NEIGHBOURS[site], row->player[seat].built))

/* The player can pay for a new building on a site, or for upgrading the one there. */
#define CAN_PAY_NEW(table, row, seat, site, less) \
    can_pay_for(row, seat, new_price(table, row, site, GOLD, less, DISCOUNT(row, seat, site)), \
                new_price(table, row, site, WOOD, less, 0), new_price(table, row, site, STONE, less, 0), \
                new_price(table, row, site, BRICK, less, 0))
#define CAN_PAY_UPGRADE(table, row, seat, site, less) \
    can_pay_for(row, seat, 0, new_price(table, row, site, WOOD, less, 0), \
                new_price(table, row, site, STONE, less, 0), new_price(table, row, site, BRICK, less, 0))

/* A loop over the four goods is proved good by good. */
#define EACH_GOOD loop assigns \nothing; loop pragma UNROLL "completely", GOODS + 1

/*@
  predicate is_good(integer good) = 0 <= good < GOODS;

  predicate is_material(integer good) = WOOD <= good < GOODS;

  predicate is_seat(Row *row, integer seat) = 0 <= seat < row->players <= MAX_PLAYERS;

  logic integer clockwise(Row *row, integer seat, integer place) =
    seat + place < row->players ? seat + place : seat + place - row->players;

  // A row may be cut off behind its last player.
  predicate readable(Row *row) =
    \valid_read(&row->players) && \valid_read(&row->active) && \valid_read(&row->phase) &&
    \valid_read(&row->valette) && \valid_read(&row->dealt) && \valid_read(&row->plays) &&
    \valid_read(&row->steps) && \valid_read(&row->fault) && \valid_read(&row->supply) &&
    \valid_read(&row->barrels[0 .. GOODS - 1]) && \valid_read(&row->display[0 .. MAX_SITES - 1]) &&
    \valid_read(&row->played[0 .. MAX_PLAYED - 1]) &&
    \valid_read(&row->agenda[0 .. MAX_STEPS - 1]) &&
    0 < row->players <= MAX_PLAYERS && \valid_read(&row->player[0 .. row->players - 1]);

  // Sets of sites, spaces and kinds of cards: a set is its first and the others.  No proof shows these
  // axioms; tests/native/sets.c holds the compiled functions to them, for every set that a game has.

  axiomatic Sets {
    predicate is_of(integer sites, integer each);

    logic integer first(integer sites);

    logic integer others(integer sites);

    axiom first_is_of:
      \forall integer sites; 0 < sites <= UINT64_MAX ==> 0 <= first(sites) < 64 && is_of(sites, first(sites));

    axiom first_of_sites: \forall integer sites; 0 < sites <= UINT32_MAX ==> first(sites) < 32;

    axiom others_are_fewer: \forall integer sites; 0 < sites <= UINT64_MAX ==> 0 <= others(sites) < sites;

    axiom others_are_of:
      \forall integer sites, each; 0 < sites <= UINT64_MAX && 0 <= each < 64 ==>
        (is_of(others(sites), each) <==> is_of(sites, each) && each != first(sites));

    axiom none_before_first:
      \forall integer sites, each; 0 < sites <= UINT64_MAX && 0 <= each < first(sites) ==> !is_of(sites, each);

    axiom none_is_of: \forall integer each; 0 <= each < 64 ==> !is_of(0, each);

    axiom sites_are_below:
      \forall integer sites, each; 0 <= sites <= UINT32_MAX && 32 <= each < 64 ==> !is_of(sites, each);

    // What two sets have in common.
    logic integer both(integer one, integer other);

    // How many there are.
    logic integer count(integer sites);

    axiom count_of_none: count(0) == 0;

    axiom count_of_some:
      \forall integer sites; 0 < sites <= UINT32_MAX ==> count(sites) == 1 + count(others(sites));

    axiom count_is_small:
      \forall integer sites; 0 <= sites <= UINT32_MAX ==> 0 <= count(sites) <= 32;
  }

  // The display, and the houses on it.

  predicate is_table{L}(Table *table) =
    \valid_read(table) && 0 < table->players <= MAX_PLAYERS &&
    \forall integer design; 0 <= design < table->designs ==>
      table->character[design] < CHARACTERS && table->icon[design] < GOODS;

  predicate is_display{L}(Table *table, Row *row) =
    row->dealt <= MAX_SITES &&
    \forall integer site; 0 <= site < row->dealt ==> row->display[site] < table->designs;

  predicate has_house{L}(Row *row, integer seat, integer site) = is_of(row->player[seat].built, site);

  predicate has_upgrade{L}(Row *row, integer seat, integer site) =
    is_of(row->player[seat].upgraded, site);

  predicate are_dealt{L}(Row *row, integer sites) =
    0 <= sites <= UINT32_MAX &&
    \forall integer site; 0 <= site < 64 && is_of(sites, site) ==> site < row->dealt;

  logic integer houses{L}(Row *row, integer seat) = count(row->player[seat].built);

  // Characters are numbered colour by colour.
  logic integer colour_of(integer character) =
    character <= APPRENTICE ? RED : character == VALETTE ? PURPLE :
    character <= MASON ? GREEN : character <= TAX_COLLECTOR ? BLUE : YELLOW;

  logic integer colour{L}(Table *table, Row *row, integer site) =
    colour_of(table->character[row->display[site]]);

  // Icons, buildings of a colour, and points on sites: of the first, and of the others.

  axiomatic Sums {
    logic integer icons_at{L}(Table *table, Row *row, integer seat, integer site, integer good)
      reads table->icon[0 .. MAX_DESIGNS - 1], row->display[0 .. MAX_SITES - 1],
        row->player[0 .. MAX_PLAYERS - 1].upgraded;

    axiom icons_at_site{L}:
      \forall Table *table, Row *row, integer seat, site, good;
        (table->icon[row->display[site]] != good ==> icons_at(table, row, seat, site, good) == 0) &&
        (table->icon[row->display[site]] == good && !has_upgrade(row, seat, site) ==>
          icons_at(table, row, seat, site, good) == 1) &&
        (table->icon[row->display[site]] == good && has_upgrade(row, seat, site) ==>
          icons_at(table, row, seat, site, good) == 2);

    logic integer icons_on{L}(Table *table, Row *row, integer seat, integer good, integer sites)
      reads table->icon[0 .. MAX_DESIGNS - 1], row->display[0 .. MAX_SITES - 1],
        row->player[0 .. MAX_PLAYERS - 1].upgraded;

    axiom icons_on_none{L}:
      \forall Table *table, Row *row, integer seat, good; icons_on(table, row, seat, good, 0) == 0;

    axiom icons_on_some{L}:
      \forall Table *table, Row *row, integer seat, good, sites; 0 < sites <= UINT32_MAX ==>
        icons_on(table, row, seat, good, sites) ==
          icons_at(table, row, seat, first(sites), good) +
          icons_on(table, row, seat, good, others(sites));

    logic integer of_colour_on{L}(Table *table, Row *row, integer of_colour, integer sites)
      reads table->character[0 .. MAX_DESIGNS - 1], row->display[0 .. MAX_SITES - 1];

    axiom of_colour_on_none{L}:
      \forall Table *table, Row *row, integer of_colour; of_colour_on(table, row, of_colour, 0) == 0;

    axiom of_colour_on_some{L}:
      \forall Table *table, Row *row, integer of_colour, sites; 0 < sites <= UINT32_MAX ==>
        of_colour_on(table, row, of_colour, sites) ==
          (colour(table, row, first(sites)) == of_colour ? 1 : 0) +
          of_colour_on(table, row, of_colour, others(sites));

    logic integer points_on{L}(Table *table, Row *row, integer sites)
      reads table->points[0 .. MAX_DESIGNS - 1], row->display[0 .. MAX_SITES - 1];

    axiom points_on_none{L}: \forall Table *table, Row *row; points_on(table, row, 0) == 0;

    axiom points_on_some{L}:
      \forall Table *table, Row *row, integer sites; 0 < sites <= UINT32_MAX ==>
        points_on(table, row, sites) ==
          table->points[row->display[first(sites)]] + points_on(table, row, others(sites));
  }

  logic integer icons_of{L}(Table *table, Row *row, integer seat, integer good) =
    icons_on(table, row, seat, good, row->player[seat].built);

  logic integer buildings_of{L}(Table *table, Row *row, integer seat, integer of_colour) =
    of_colour_on(table, row, of_colour, row->player[seat].built);

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

  predicate is_builder{L}(Table *table, Row *row, integer seat) =
    is_table(table) && is_display(table, row) && is_player(row, seat) &&
    are_dealt(row, row->player[seat].built) && are_dealt(row, row->player[seat].upgraded);

  // Changes to a player.  A row in which a limit was exceeded has a permanent fault, and no contract
  // says anything else about it.

  predicate stays_faulty{Before, After}(Row *row) =
    \at(row->fault, Before) != 0 ==> \at(row->fault, After) != 0;

  // What a player has is so far from the limits that a step cannot exceed them.
  predicate has_margin{L}(Row *row, integer seat) =
    row->player[seat].score + 1000 <= MOST_SCORE &&
    \forall integer good; is_good(good) ==> has(row, seat, good) + 1000 <= MOST_GOODS;

  predicate have_margins{L}(Row *row) =
    \forall integer seat; 0 <= seat < row->players ==> has_margin(row, seat);

  predicate stays_sound{Before, After}(Row *row) =
    \at(row->fault, Before) == 0 ==> \at(row->fault, After) == 0;

  predicate gained{Before, After}(Row *row, integer seat, integer good, integer count) =
    has{After}(row, seat, good) == has{Before}(row, seat, good) + count;

  predicate scored{Before, After}(Row *row, integer seat, integer points) =
    \at(row->player[seat].score, After) == \at(row->player[seat].score, Before) + points;

  predicate same_goods{Before, After}(Row *row, integer seat) =
    \forall integer good; is_good(good) ==> gained{Before, After}(row, seat, good, 0);

  predicate took_only{Before, After}(Row *row, integer seat, integer good, integer amount) =
    \forall integer each; is_good(each) ==>
      gained{Before, After}(row, seat, each, each == good ? amount : 0);

  // Building.  A price is the cost less a reduction and, of gold, a discount.

  logic integer new_price{L}(Table *table, Row *row, integer site, integer good, Step prompt,
                             integer discount) =
    \max(0, table->cost[row->display[site]][good] - prompt.goods[good] - discount);

  logic integer missing(integer has, integer wanted) = \max(0, wanted - has);

  // Each item that is missing takes three other goods: two more than there are items.
  predicate affords(integer gold, integer wood, integer stone, integer brick,
                    integer of_gold, integer of_wood, integer of_stone, integer of_brick) =
    gold + wood + stone + brick - (of_gold + of_wood + of_stone + of_brick) >=
      (SUBSTITUTES - 1) * (missing(gold, of_gold) + missing(wood, of_wood) + missing(stone, of_stone) +
        missing(brick, of_brick));

  // The most items of a good that can be among those replaced: none is replaced by its own kind.
  logic integer replaceable(integer item, integer paid, integer replaced) =
    \min(item, (SUBSTITUTES * replaced + item - paid) / (SUBSTITUTES + 1));

  // So many items of a price can be replaced in all that these goods pay it.
  predicate can_be_replaced(integer gold, integer wood, integer stone, integer brick, integer of_gold,
                            integer of_wood, integer of_stone, integer of_brick, integer replaced) =
    missing(gold, of_gold) + missing(wood, of_wood) + missing(stone, of_stone) + missing(brick, of_brick) <=
      replaced <= replaceable(of_gold, gold, replaced) + replaceable(of_wood, wood, replaced) +
        replaceable(of_stone, stone, replaced) + replaceable(of_brick, brick, replaced);

  // With each item that is replaced, two goods more are paid than the price has items.
  predicate is_paid_by(integer gold, integer wood, integer stone, integer brick, integer of_gold,
                       integer of_wood, integer of_stone, integer of_brick) =
    \exists integer replaced; 0 <= replaced && (SUBSTITUTES - 1) * replaced ==
      gold + wood + stone + brick - (of_gold + of_wood + of_stone + of_brick) &&
      can_be_replaced(gold, wood, stone, brick, of_gold, of_wood, of_stone, of_brick, replaced);

  // A payment of the price that a prompt asks for, out of what the player owns.
  predicate may_pay{L}(Row *row, Step prompt, integer number, Goods goods) =
    number == PAY && owns(row, prompt.seat, goods) &&
    is_paid_by(goods.of[GOLD], goods.of[WOOD], goods.of[STONE], goods.of[BRICK],
               prompt.goods[GOLD], prompt.goods[WOOD], prompt.goods[STONE], prompt.goods[BRICK]);

  predicate can_pay_for{L}(Row *row, integer seat, integer of_gold, integer of_wood, integer of_stone,
                           integer of_brick) =
    affords(has(row, seat, GOLD), has(row, seat, WOOD), has(row, seat, STONE), has(row, seat, BRICK),
            of_gold, of_wood, of_stone, of_brick);

  predicate is_free{L}(Row *row, integer site) =
    \forall integer seat; 0 <= seat < row->players ==> !has_house(row, seat, site);

  // Where a player may build or upgrade, whatever the reduction and the neighbours of the sites are.

  logic integer site_price{L}(Table *table, Row *row, integer site, integer good, uint8_t *reduction,
                              integer discount) =
    \max(0, table->cost[row->display[site]][good] - reduction[good] - discount);

  predicate may_build_on{L}(Row *row, integer seat, integer site) =
    0 <= site < row->dealt && is_free(row, site) && houses(row, seat) < HOUSES_PER_PLAYER;

  predicate may_turn_over{L}(Row *row, integer seat, integer site) =
    0 <= site < row->dealt && has_house(row, seat, site) && !has_upgrade(row, seat, site);

  predicate may_build{L}(Table *table, Row *row, integer seat, integer site, uint8_t *reduction,
                         uint32_t neighbours[30]) =
    may_build_on(row, seat, site) &&
    can_pay_for(row, seat, site_price(table, row, site, GOLD, reduction,
                                      count(both(neighbours[site], row->player[seat].built))),
                site_price(table, row, site, WOOD, reduction, 0), site_price(table, row, site, STONE, reduction, 0),
                site_price(table, row, site, BRICK, reduction, 0));

  predicate may_upgrade{L}(Table *table, Row *row, integer seat, integer site, uint8_t *reduction) =
    may_turn_over(row, seat, site) &&
    can_pay_for(row, seat, 0, site_price(table, row, site, WOOD, reduction, 0),
                site_price(table, row, site, STONE, reduction, 0), site_price(table, row, site, BRICK, reduction, 0));

  predicate may_choose{L}(Table *table, Row *row, integer seat, integer number, uint8_t *reduction,
                          uint32_t neighbours[30]) =
    may_build(table, row, seat, number - BUILD, reduction, neighbours) ||
    may_upgrade(table, row, seat, number - UPGRADE, reduction);

  // Each file has the neighbours of the sites for itself; they are compared site by site.

  predicate is_site(integer site) =
    site == 0 || site == 1 || site == 2 || site == 3 || site == 4 || site == 5 || site == 6 || site == 7 ||
    site == 8 || site == 9 || site == 10 || site == 11 || site == 12 || site == 13 || site == 14 || site == 15 ||
    site == 16 || site == 17 || site == 18 || site == 19 || site == 20 || site == 21 || site == 22 || site == 23 ||
    site == 24 || site == 25 || site == 26 || site == 27 || site == 28 || site == 29;

  predicate are_same(uint32_t one[30], uint32_t other[30]) =
    one[0] == other[0] && one[1] == other[1] && one[2] == other[2] && one[3] == other[3] &&
    one[4] == other[4] && one[5] == other[5] && one[6] == other[6] && one[7] == other[7] &&
    one[8] == other[8] && one[9] == other[9] && one[10] == other[10] && one[11] == other[11] &&
    one[12] == other[12] && one[13] == other[13] && one[14] == other[14] && one[15] == other[15] &&
    one[16] == other[16] && one[17] == other[17] && one[18] == other[18] && one[19] == other[19] &&
    one[20] == other[20] && one[21] == other[21] && one[22] == other[22] && one[23] == other[23] &&
    one[24] == other[24] && one[25] == other[25] && one[26] == other[26] && one[27] == other[27] &&
    one[28] == other[28] && one[29] == other[29];

  // The same where a prompt asks, which has the reduction; and he may do neither.

  predicate may_build_as_asked{L}(Table *table, Row *row, Step prompt, integer site, uint32_t neighbours[30]) =
    may_build_on(row, prompt.seat, site) &&
    can_pay_for(row, prompt.seat,
                new_price(table, row, site, GOLD, prompt, count(both(neighbours[site], row->player[prompt.seat].built))),
                new_price(table, row, site, WOOD, prompt, 0), new_price(table, row, site, STONE, prompt, 0),
                new_price(table, row, site, BRICK, prompt, 0));

  predicate may_upgrade_as_asked{L}(Table *table, Row *row, Step prompt, integer site) =
    may_turn_over(row, prompt.seat, site) &&
    can_pay_for(row, prompt.seat, 0, new_price(table, row, site, WOOD, prompt, 0),
                new_price(table, row, site, STONE, prompt, 0), new_price(table, row, site, BRICK, prompt, 0));

  predicate may_take_site{L}(Table *table, Row *row, Step prompt, integer number, uint32_t neighbours[30]) =
    number == DECLINE || may_build_as_asked(table, row, prompt, number - BUILD, neighbours) ||
    may_upgrade_as_asked(table, row, prompt, number - UPGRADE);

  // Valette's area: the column of the five spaces, on both sides of the street.
  predicate is_in_area(integer space, integer site) =
    AREA_LENGTH * (site % ROW_LENGTH) < space <= AREA_LENGTH * (site % ROW_LENGTH + 1);

  // The final phase: what triggers it.

  predicate is_met(integer found, integer condition) =
    (condition == LAST_BARREL ? found : condition == SCORE ? found / 2 : found / 4) % 2 == 1;

  predicate is_triggered{L}(Row *row) =
    row->valette == LAST_SPACE || \exists integer seat; 0 <= seat < row->players &&
      (row->player[seat].score >= TRIGGERING_SCORE || houses(row, seat) >= HOUSES_PER_PLAYER);

  // A player's line of the score sheet.
  predicate is_line{L}(Table *table, Row *row, integer seat, Score line) =
    line.track == row->player[seat].score &&
    line.buildings == points_on(table, row, row->player[seat].built) +
      points_on(table, row, row->player[seat].upgraded) &&
    line.goods == in_all(row, seat) / GOODS_PER_POINT && line.houses == houses(row, seat);

  // Results: more points are better, then more houses.

  logic integer result_of(Score line) = line.track + line.buildings + line.goods;

  predicate is_better(Score one, Score other) =
    result_of(one) > result_of(other) ||
    (result_of(one) == result_of(other) && one.houses > other.houses);

  // The agenda.

  predicate has_step{L}(Row *row) = 0 < row->steps <= MAX_STEPS;

  predicate is_done{Before, After}(Row *row) =
    \at(row->steps, After) == \at(row->steps, Before) - 1;

  predicate is_step_for(Step step, integer kind, integer seat, integer value) =
    step.kind == kind && step.seat == seat && step.value == value;

  // A step that needs no goods has none.
  predicate is_question(Step step, integer kind, integer seat, integer value) =
    is_step_for(step, kind, seat, value) && step.goods[GOLD] == 0 && step.goods[WOOD] == 0 &&
    step.goods[STONE] == 0 && step.goods[BRICK] == 0;

  predicate is_still_asked{Before, After}(Row *row, integer place) =
    \at(row->agenda[place].kind, After) == \at(row->agenda[place].kind, Before) &&
    \at(row->agenda[place].seat, After) == \at(row->agenda[place].seat, Before) &&
    \at(row->agenda[place].value, After) == \at(row->agenda[place].value, Before) &&
    \forall integer good; is_good(good) ==>
      \at(row->agenda[place].goods[good], After) == \at(row->agenda[place].goods[good], Before);

  predicate is_asked_first{Before, After}(Row *row, integer kind, integer seat, integer value) =
    \at(row->steps, After) == \at(row->steps, Before) + 1 &&
    is_question(\at(row->agenda[\at(row->steps, Before)], After), kind, seat, value);

  // How many places on clockwise a player sits, and whether he is the next who has a card.
  logic integer places_on(Row *row, integer seat, integer other) =
    other > seat ? other - seat : other - seat + row->players;

  predicate is_next{L}(Row *row, integer seat, integer next) =
    is_seat(row, next) && row->player[next].hand.total > 0 &&
    \forall integer each; 0 <= each < row->players && places_on(row, seat, each) < places_on(row, seat, next) ==>
      row->player[each].hand.total == 0;

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

  logic integer owed{L}(Row *row, integer seat, integer character, integer good) =
    character == INNKEEPER ? (good == GOLD && has(row, seat, GOLD) >= INNKEEPER_SPARES ? 1 : 0) :
    (good != GOLD && has(row, seat, good) >= TAX_COLLECTOR_SPARES ? 1 : 0);

  // What the first opponents clockwise owe in all, those before a place.
  logic integer owed_before{L}(Row *row, integer seat, integer character, integer good, integer place) =
    (place > 1 ? owed(row, clockwise(row, seat, 1), character, good) : 0) +
    (place > 2 ? owed(row, clockwise(row, seat, 2), character, good) : 0) +
    (place > 3 ? owed(row, clockwise(row, seat, 3), character, good) : 0);

  // Of a card that is laid down, what an Apprentice copies: red and green cards.
  logic integer copied(integer character) =
    colour_of(character) == RED || colour_of(character) == GREEN ? character : -1;

  // A discard pile is put to a draw pile.
  predicate is_joined{Before, After}(Player *player) =
    \at(player->draw_pile.total, After) ==
      \at(player->draw_pile.total, Before) + \at(player->discard_pile.total, Before) &&
    \at(player->discard_pile.total, After) == 0 &&
    \forall integer kind; 0 <= kind < CHARACTERS ==>
      \at(player->draw_pile.of[kind], After) ==
        \at(player->draw_pile.of[kind], Before) + \at(player->discard_pile.of[kind], Before) &&
      \at(player->discard_pile.of[kind], After) == 0;

  predicate can_join{L}(Player *player) =
    player->draw_pile.total + player->discard_pile.total <= UINT8_MAX &&
    \forall integer kind; 0 <= kind < CHARACTERS ==>
      player->draw_pile.of[kind] + player->discard_pile.of[kind] <= UINT8_MAX;

  // The card whose effect a card has when it is played after others, or -1.
  logic integer meant{L}(Table *table, uint8_t *played, integer plays, integer character) =
    character != APPRENTICE ? character :
    plays <= 0 ? -1 :
    played[plays - 1] != APPRENTICE ? copied(played[plays - 1]) :
    table->apprentice_is_red ? meant(table, played, plays - 1, APPRENTICE) : -1;

  predicate may_be_declined{L}(Table *table, integer character) =
    character == MERCHANT || character == GRAND_BAILIFF || character == GRAND_MASTER ||
    (table->effects_are_optional && (character <= BRICK_WORKER || BANKER <= character <= MONK ||
      character == CHAMBERLAIN || character == INNKEEPER || character == TAX_COLLECTOR || PHILIP <= character));

  predicate can_pay_bailiff{L}(Row *row, integer seat) = has(row, seat, GOLD) >= 4;

  predicate can_pay_grand_master{L}(Row *row, integer seat) =
    \forall integer good; is_good(good) ==> has(row, seat, good) >= 1;

  // An effect would do something as soon as its card is played.
  predicate does_something{L}(Table *table, Row *row, integer seat, integer character) =
    (character == BANKER ==> icons_of(table, row, seat, GOLD) != 0) &&
    (character == WOODWORKER ==> icons_of(table, row, seat, WOOD) != 0) &&
    (character == CARVER ==> icons_of(table, row, seat, STONE) != 0) &&
    (character == MASON ==> icons_of(table, row, seat, BRICK) != 0) &&
    (character == VALETTE ==> row->valette != LAST_SPACE) &&
    (character == MONK ==> \exists integer place; 0 < place < row->players &&
      in_all(row, clockwise(row, seat, place)) >= MONK_SPARES) &&
    (character == INNKEEPER || character == TAX_COLLECTOR ==> \exists integer place, good; 0 < place < row->players &&
      is_good(good) && owes(row, clockwise(row, seat, place), character, good)) &&
    (character == TRADER ==> \exists integer good; is_material(good) && has(row, seat, good) > 0) &&
    (character == MERCHANT ==> has(row, seat, GOLD) > 0) &&
    (character == ARTISAN ==> row->player[seat].built != 0) &&
    (character == CHAMBERLAIN ==> buildings_of(table, row, seat, GREEN) > 0) &&
    (character == ARCHITECT ==> \exists integer good; is_material(good) && has(row, seat, good) >= ARCHITECT_PRICE) &&
    (character == GRAND_BAILIFF ==> can_pay_bailiff(row, seat)) &&
    (character == GRAND_MASTER ==> can_pay_grand_master(row, seat)) &&
    (character == PHILIP ==> buildings_of(table, row, seat, GREEN) != 0) &&
    (character == CHARLES ==> buildings_of(table, row, seat, BLUE) != 0) &&
    (character == PIUS ==> row->player[seat].upgraded != 0);

  // Cards that let a player build or upgrade.
  predicate is_building(integer character) =
    character == BUILDER || character == BRICKLAYER || character == STONEMASON || character == CARPENTER;

  predicate is_same_stake{Before, After}(Table *table, Row *row, integer seat, integer character) =
    does_something{Before}(table, row, seat, character) <==> does_something{After}(table, row, seat, character);

  // A card may be played without its effect; an Apprentice like what it copies.
  predicate may_be_in_vain{L}(Table *table, Row *row, integer seat, integer character) =
    meant(table, &row->played[0], row->plays, character) >= 0 &&
    may_be_declined(table, meant(table, &row->played[0], row->plays, character)) &&
    does_something(table, row, seat, meant(table, &row->played[0], row->plays, character));

  predicate may_play{L}(Table *table, Row *row, integer seat, integer number) =
    PLAY_CARD <= number < TAKE_GOOD && row->player[seat].hand.of[(number - PLAY_CARD) / 2] > 0 &&
    ((number - PLAY_CARD) % 2 == 0 || may_be_in_vain(table, row, seat, (number - PLAY_CARD) / 2));

  predicate can_play{L}(Table *table, Row *row, integer seat) =
    is_builder(table, row, seat) && are_players(row) && row->plays <= MAX_PLAYED &&
    \forall integer place; 0 <= place < row->plays ==> row->played[place] < CHARACTERS;

  // How often a number is among the first of some: a kind among cards played, a design in the display.
  logic integer times{L}(uint8_t *some, integer first, integer number) =
    first <= 0 ? 0 : times(some, first - 1, number) + (some[first - 1] == number ? 1 : 0);

  // Buildings of a colour among the first of the display, and what may still be dealt.
  logic integer dealt_of{L}(Table *table, Row *row, integer of_colour, integer sites) =
    sites <= 0 ? 0 :
    dealt_of(table, row, of_colour, sites - 1) + (colour(table, row, sites - 1) == of_colour ? 1 : 0);

  logic integer cards_left{L}(Table *table, Row *row, integer design) =
    table->copies[design] - times(&row->display[0], row->dealt, design);

  logic integer quota_left{L}(Table *table, Row *row, integer quota, integer of_colour) =
    quota - dealt_of(table, row, of_colour, row->dealt);

  // Of the first designs, the cards of a colour that have not been dealt.
  logic integer colour_left{L}(Table *table, Row *row, integer of_colour, integer designs) =
    designs <= 0 ? 0 : colour_left(table, row, of_colour, designs - 1) +
    (colour_of(table->character[designs - 1]) == of_colour ? cards_left(table, row, designs - 1) : 0);

  // Chances of deals fit as long as a colour has no more than 255 cards; a card set has 37 in all.
  predicate are_few{L}(Table *table, Row *row) =
    \forall integer of_colour; 0 <= of_colour < COLOURS ==>
      colour_left(table, row, of_colour, table->designs) <= UINT8_MAX;

  logic integer weight(integer cards, integer chance) = cards > 0 ? cards * chance : 0;

  // Of the buildings that may be dealt, each card of a colour is as likely as the others.
  predicate each_card_weighs{L}(Table *table, Row *row, uint16_t *numbers, uint64_t *weights, integer count,
                                integer of_colour, integer chance) =
    \forall integer place; 0 <= place < count &&
      colour_of(table->character[numbers[place] - DEAL_BUILDING]) == of_colour ==>
        weights[place] == weight(cards_left(table, row, numbers[place] - DEAL_BUILDING), chance);

  predicate each_card_is_as_likely{L}(Table *table, Row *row, uint16_t *numbers, uint64_t *weights, integer count,
                                      integer of_colour) =
    \exists integer chance; each_card_weighs(table, row, numbers, weights, count, of_colour, chance);

  predicate can_be_weighed{L}(int *quotas, int *left) =
    \forall integer colour; 0 <= colour < COLOURS ==> quotas[colour] <= UINT8_MAX && left[colour] <= UINT8_MAX;

  // The product of so many numbers up to 255 at most.
  logic integer most_multiple(integer numbers) =
    numbers <= 0 ? 1 : numbers == 1 ? 255 : numbers == 2 ? 65025 : numbers == 3 ? 16581375 :
    numbers == 4 ? 4228250625 : 1078203909375;

  predicate may_dismiss_or_hire{L}(Row *row, integer seat, integer number) =
    number == DECLINE ||
    (DISMISS <= number < HIRE && row->player[seat].hand.of[number - DISMISS] > 0) ||
    (HIRE <= number < DECLINE && row->supply.of[number - HIRE] > 0);

  predicate may_draft(Step prompt, integer number) =
    is_good(number - DRAFT_GOOD) && prompt.goods[number - DRAFT_GOOD] > 0;

  predicate may_be_revealed{L}(Row *row, integer number) =
    is_good(number - REVEAL_BARREL) && row->barrels[number - REVEAL_BARREL] > 0;

  predicate may_be_drawn{L}(Row *row, integer seat, integer number) =
    0 <= number - DRAW_CARD < CHARACTERS && row->player[seat].draw_pile.of[number - DRAW_CARD] > 0;

  // A question is the next to be answered, by the player whom the agenda asks.

  predicate is_asked{L}(Row *row, integer kind) = row->steps > 0 && row->agenda[row->steps - 1].kind == kind;

  logic integer asked{L}(Row *row) = row->agenda[row->steps - 1].seat;

  // Bags of cards.

  logic integer starting(integer kind) =
    kind == SHOPKEEPER || kind == LUMBERJACK || kind == STONE_SCULPTOR || kind == BRICK_WORKER ||
    kind == MAID || kind == BUILDER || kind == APPRENTICE || kind == VALETTE ? 1 : 0;
  predicate has_starting_deck{L}(Player *player) =
    player->draw_pile.total == 8 && \forall integer kind; 0 <= kind < CHARACTERS ==>
      player->draw_pile.of[kind] == starting(kind);
  predicate are_four_builders{L}(Row *row) =
    row->supply.total == 4 && \forall integer kind; 0 <= kind < CHARACTERS ==>
      row->supply.of[kind] == (kind == BUILDER ? 4 : 0);
  predicate is_in(Bag bag, integer character) =
    0 <= character < CHARACTERS && bag.of[character] > 0 && bag.total > 0;

  predicate has_room(Bag bag, integer character) =
    0 <= character < CHARACTERS && bag.of[character] < UINT8_MAX && bag.total < UINT8_MAX;

  // A bag with valid kinds: its unused bytes are zero.
  predicate has_kinds{L}(Bag *bag) =
    \forall integer kind; 0 <= kind < MAX_KINDS ==> bag->of[kind] <= (kind < CHARACTERS ? MOST_CARDS : 0);

  predicate is_unchanged{Before, After}(Bag *bag) =
    \at(bag->total, After) == \at(bag->total, Before) &&
    \forall integer kind; 0 <= kind < CHARACTERS ==> \at(bag->of[kind], After) == \at(bag->of[kind], Before);

  predicate has_same_piles{Before, After}(Player *player) =
    is_unchanged{Before, After}(\at(&player->draw_pile, After)) &&
    is_unchanged{Before, After}(\at(&player->discard_pile, After));

  predicate holds_more{Before, After}(Bag *bag, integer character, integer count) =
    \at(bag->total, After) == \at(bag->total, Before) + count &&
    \at(bag->of[character], After) == \at(bag->of[character], Before) + count &&
    \forall integer other; 0 <= other < CHARACTERS && other != character ==>
      \at(bag->of[other], After) == \at(bag->of[other], Before);

  // Valid tables, and valid rows: the players are those of the table, and the display, the cards played
  // and the agenda show what there is.

  logic integer sites_for(integer players) = players == 2 ? 20 : players == 3 ? 25 : players == 4 ? 30 : 0;

  predicate valid_table{L}(Table *table) = is_table(table) && 0 < sites_for(table->players);

  predicate shows_buildings{L}(Table *table, Row *row) =
    is_display(table, row) &&
    \forall integer site; row->dealt <= site < MAX_SITES ==> row->display[site] == 0;

  predicate fits{L}(Row *row) =
    row->phase < PHASES && row->valette <= LAST_SPACE && row->dealt <= sites_for(row->players) &&
    row->plays <= MAX_PLAYED && row->steps <= MAX_STEPS;

  predicate shows_plays{L}(Row *row) =
    row->plays <= MAX_PLAYED && \forall integer place; 0 <= place < MAX_PLAYED ==>
      (place < row->plays ? row->played[place] < CHARACTERS : row->played[place] == 0);

  predicate is_step{L}(Row *row, Step step) =
    NO_STEP < step.kind < STEPS && step.seat < row->players && step.unused == 0 &&
    (step.kind == PAYMENT_PROMPT ==> step.value < row->dealt) &&
    (step.kind == PLAY_PROMPT || step.kind == TURN ==> step.value > 0) &&
    (step.kind == MONK_PROMPT ==> step.value < row->players && step.value != step.seat) &&
    (step.kind == BONUS_PROMPT ==> is_bonus(step.value));

  predicate is_no_step(Step step) =
    step.kind == 0 && step.seat == 0 && step.value == 0 && step.unused == 0 && step.goods[GOLD] == 0 &&
    step.goods[WOOD] == 0 && step.goods[STONE] == 0 && step.goods[BRICK] == 0;

  predicate has_steps{L}(Row *row) =
    row->steps <= MAX_STEPS && \forall integer place; 0 <= place < MAX_STEPS ==>
      (place < row->steps ? is_step(row, row->agenda[place]) : is_no_step(row->agenda[place]));

  // A prompt follows: of chance for a building while one is missing, and not afterwards.
  predicate asks{L}(Table *table, Row *row, integer kind) =
    kind != TURN && kind != END_TURN && kind != PASS_TURN &&
    (kind == DEAL_PROMPT <==> row->dealt < sites_for(row->players)) &&
    (kind == DEAL_PROMPT ==> table->designs <= DRAW_CARD - DEAL_BUILDING);

  predicate is_asking{L}(Table *table, Row *row) =
    row->steps > 0 ==> asks(table, row, row->agenda[row->steps - 1].kind);

  // The cards: a bag counts its cards, what everybody knows to be in a hand is there, and no card gets
  // lost or added.

  logic integer cards{L}(Bag *bag) =
    bag->of[SHOPKEEPER] + bag->of[LUMBERJACK] + bag->of[STONE_SCULPTOR] + bag->of[BRICK_WORKER] +
    bag->of[MAID] + bag->of[BUILDER] + bag->of[APPRENTICE] + bag->of[VALETTE] + bag->of[BANKER] +
    bag->of[WOODWORKER] + bag->of[CARVER] + bag->of[MASON] + bag->of[MONK] + bag->of[BRICKLAYER] +
    bag->of[TRADER] + bag->of[SEAMSTRESS] + bag->of[MERCHANT] + bag->of[ARTISAN] +
    bag->of[CHAMBERLAIN] + bag->of[STONEMASON] + bag->of[INNKEEPER] + bag->of[NUN] +
    bag->of[CARPENTER] + bag->of[TAX_COLLECTOR] + bag->of[ARCHITECT] + bag->of[GRAND_BAILIFF] +
    bag->of[GRAND_MASTER] + bag->of[PHILIP] + bag->of[CHARLES] + bag->of[PIUS] + bag->of[KNIGHT];

  predicate is_bag{L}(Bag *bag) =
    bag->total == cards(bag) && \forall integer kind; CHARACTERS <= kind < MAX_KINDS ==> bag->of[kind] == 0;

  predicate holds_what_it_shows{L}(Player *player) =
    \forall integer kind; 0 <= kind < CHARACTERS ==> player->shown.of[kind] <= player->hand.of[kind];

  predicate has_bags{L}(Player *player) =
    is_bag(&player->hand) && is_bag(&player->draw_pile) && is_bag(&player->discard_pile) &&
    is_bag(&player->shown) && holds_what_it_shows(player);

  logic integer cards_of{L}(Row *row, integer seat) =
    row->player[seat].hand.total + row->player[seat].draw_pile.total + row->player[seat].discard_pile.total;

  logic integer cards_of_first{L}(Row *row, integer players) =
    (players > 0 ? cards_of(row, 0) : 0) + (players > 1 ? cards_of(row, 1) : 0) +
    (players > 2 ? cards_of(row, 2) : 0) + (players > 3 ? cards_of(row, 3) : 0);

  logic integer all_cards{L}(Row *row) =
    row->supply.total + row->plays + cards_of_first(row, row->players);

  predicate are_cards{L}(Row *row) = is_bag(&row->supply) && all_cards(row) <= MOST_CARDS;

  // Chance draws a number below the sum of some weights.  What it stands for is the first whose weight is
  // not before that number: each has as many numbers as its weight says, behind those of the others.

  logic integer weights_before{L}(uint64_t *weights, integer place) =
    place <= 0 ? 0 : weights_before(weights, place - 1) + weights[place - 1];

  logic integer cards_before{L}(Bag *bag, integer kind) =
    kind <= 0 ? 0 : cards_before(bag, kind - 1) + bag->of[kind - 1];

  // What a player has: houses on sites only, and goods and points below their limits.
  predicate has_holdings{L}(Row *row, integer seat) =
    is_player(row, seat) && row->player[seat].unused == 0 &&
    are_dealt(row, row->player[seat].built) && are_dealt(row, row->player[seat].upgraded);

  predicate is_valid_player{L}(Row *row, integer seat) =
    has_holdings(row, seat) && has_bags(&row->player[seat]);

  predicate are_valid_players{L}(Row *row) =
    \forall integer seat; 0 <= seat < row->players ==> is_valid_player(row, seat);

  // A sound row is valid when a step is complete: it has no fault, and a prompt follows.
  predicate is_sound{L}(Row *row) =
    row->active < row->players <= MAX_PLAYERS && fits(row) && shows_plays(row) && has_steps(row) &&
    are_valid_players(row) && are_cards(row);

  predicate valid_row{L}(Table *table, Row *row) =
    is_sound(row) && row->players == table->players && shows_buildings(table, row) &&
    row->fault == 0 && row->told == 0 && is_asking(table, row);

  // Payments that are laid out: of the first goods, what is paid, what a price wants, and what is missing.

  logic integer paid_of_first{L}(int *paid, integer goods) =
    (goods > GOLD ? paid[GOLD] : 0) + (goods > WOOD ? paid[WOOD] : 0) +
    (goods > STONE ? paid[STONE] : 0) + (goods > BRICK ? paid[BRICK] : 0);

  logic integer items_of_first{L}(uint8_t *price, integer goods) =
    (goods > GOLD ? price[GOLD] : 0) + (goods > WOOD ? price[WOOD] : 0) +
    (goods > STONE ? price[STONE] : 0) + (goods > BRICK ? price[BRICK] : 0);

  logic integer missing_of_first{L}(int *paid, uint8_t *price, integer goods) =
    (goods > GOLD ? missing(paid[GOLD], price[GOLD]) : 0) +
    (goods > WOOD ? missing(paid[WOOD], price[WOOD]) : 0) +
    (goods > STONE ? missing(paid[STONE], price[STONE]) : 0) +
    (goods > BRICK ? missing(paid[BRICK], price[BRICK]) : 0);

  logic integer owned_of_first{L}(uint16_t *owned, integer goods) =
    (goods > GOLD ? owned[GOLD] : 0) + (goods > WOOD ? owned[WOOD] : 0) +
    (goods > STONE ? owned[STONE] : 0) + (goods > BRICK ? owned[BRICK] : 0);

  logic integer lacking_of_first{L}(uint16_t *owned, uint8_t *price, integer goods) =
    (goods > GOLD ? missing(owned[GOLD], price[GOLD]) : 0) +
    (goods > WOOD ? missing(owned[WOOD], price[WOOD]) : 0) +
    (goods > STONE ? missing(owned[STONE], price[STONE]) : 0) +
    (goods > BRICK ? missing(owned[BRICK], price[BRICK]) : 0);

  predicate are_bounds{L}(int *least, int *most, uint16_t *goods) =
    \forall integer good; is_good(good) ==> 0 <= least[good] && most[good] <= goods[good];

  // A payment comes before another, in ascending order of what is paid of the first goods.
  predicate precedes(integer goods, integer gold, integer wood, integer stone, integer brick,
                     integer more_gold, integer more_wood, integer more_stone, integer more_brick) =
    goods > GOLD && (gold < more_gold || (gold == more_gold &&
    goods > WOOD && (wood < more_wood || (wood == more_wood &&
    goods > STONE && (stone < more_stone || (stone == more_stone &&
    goods > BRICK && brick < more_brick))))));

  // A correct payment from some goods that contains all goods of each kind before `begun`.
  predicate is_right{L}(uint8_t *price, uint16_t *goods, integer begun, integer gold, integer wood,
                        integer stone, integer brick) =
    (begun > GOLD ? goods[GOLD] : 0) <= gold <= goods[GOLD] &&
    (begun > WOOD ? goods[WOOD] : 0) <= wood <= goods[WOOD] &&
    (begun > STONE ? goods[STONE] : 0) <= stone <= goods[STONE] && 0 <= brick <= goods[BRICK] &&
    is_paid_by(gold, wood, stone, brick, price[GOLD], price[WOOD], price[STONE], price[BRICK]);

  predicate is_within{L}(int *least, int *most, uint8_t *price, integer replaced, integer most_left, integer gold,
                         integer wood, integer stone, integer brick) =
    least[GOLD] <= gold <= most[GOLD] && least[WOOD] <= wood <= most[WOOD] &&
    least[STONE] <= stone <= most[STONE] && least[BRICK] <= brick <= most[BRICK] &&
    items_of_first(price, GOODS) + (SUBSTITUTES - 1) * replaced - most_left <= gold + wood + stone + brick <=
      items_of_first(price, GOODS) + (SUBSTITUTES - 1) * replaced &&
    missing(gold, price[GOLD]) + missing(wood, price[WOOD]) + missing(stone, price[STONE]) +
      missing(brick, price[BRICK]) <= replaced;
*/

#endif
