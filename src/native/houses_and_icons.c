/* Houses and icons: owners of buildings and their icons; also cards in hands and piles. */

#include "row.h"

/* Return the seat that owns the house on a site, or -1 if the site is free.
 *
 * Rules: BLD-3, BLD-29
 */
/*@ requires readable(row) && 0 <= site < 32;
    assigns \nothing;
    ensures -1 <= \result < row->players;
    ensures BLD_29_serves: \result >= 0 ==> has_house(row, \result, site);
    ensures BLD_3_serves: \result < 0 <==> \forall integer seat; 0 <= seat < row->players ==> !has_house(row, seat, site);
*/
int owner_of(const Row *row, int site)
{
    /*@ loop invariant 0 <= seat <= row->players;
        loop invariant \forall integer each; 0 <= each < seat ==> !has_house(row, each, site);
        loop assigns seat;
        loop variant row->players - seat;
    */
    for (int seat = 0; seat < row->players; seat++) {
        if (is_among(row->player[seat].built, site)) {
            return seat;
        }
    }
    return -1;
}

/* Return the union of two sets of sites; its contract is tested for every pair of bytes
 * (tests/native/sets.c). */
/*@ assigns \nothing;
    ensures \forall integer each; 0 <= each < 64 ==>
      (is_of(\result, each) <==> is_of(all, each) || is_of(more, each));
*/
static inline uint32_t with_all(uint32_t all, uint32_t more)
{
    return all | more;
}

/* Return the sites without a house. */
/*@ requires readable(row) && row->dealt <= MAX_SITES;
    assigns \nothing;
    ensures \forall integer site; 0 <= site < 64 ==>
      (is_of(\result, site) <==> site < row->dealt && is_free(row, site));
*/
uint32_t free_sites(const Row *row)
{
    uint32_t taken = 0;
    /*@ loop invariant 0 <= seat <= row->players;
        loop invariant \forall integer site; 0 <= site < 64 ==> (is_of(taken, site) <==>
          \exists integer each; 0 <= each < seat && has_house(row, each, site));
        loop assigns seat, taken;
        loop variant row->players - seat;
    */
    for (int seat = 0; seat < row->players; seat++) {
        taken = with_all(taken, row->player[seat].built);
    }
    return without(first_sites(row->dealt), taken);
}

/* Count the icons of a good on all buildings of a player; an upgraded building has two.
 *
 * Rules: GRN-5, GRN-6, GRN-7
 */
/*@ requires is_table(table) && readable(row) && is_seat(row, seat) && is_display(table, row);
    requires are_dealt(row, row->player[seat].built) && is_good(good);
    assigns \nothing;
    ensures GRN_5_states: GRN_6_states: \result == icons_of(table, row, seat, good);
    ensures 0 <= \result <= 2 * MAX_SITES + 4;
*/
int icons(const Table *table, const Row *row, int seat, int good)
{
    const Player *player = &row->player[seat];
    int count = 0;
    /*@ loop invariant are_dealt(row, rest) && 0 <= count && count + 2 * count(rest) <= 64;
        loop invariant count + icons_on(table, row, seat, good, rest) == icons_of(table, row, seat, good);
        loop assigns rest, count;
        loop variant rest;
    */
    for (uint32_t rest = player->built; rest; rest = other_sites(rest)) {
        int site = first_site(rest);
        if (table->icon[row->display[site]] == good) {
            count += is_among(player->upgraded, site) ? 2 : 1;
        }
    }
    return count;
}

/* Count the buildings of a player that have a colour; an upgraded one counts once.
 *
 * Rules: BLU-19, YEL-10, YEL-11, YEL-12
 */
/*@ requires is_table(table) && readable(row) && is_seat(row, seat) && is_display(table, row);
    requires are_dealt(row, row->player[seat].built);
    assigns \nothing;
    ensures YEL_12_states: \result == buildings_of(table, row, seat, colour);
    ensures 0 <= \result <= houses(row, seat) <= 32;
*/
int count_of_colour(const Table *table, const Row *row, int seat, int colour)
{
    int count = 0;
    /*@ loop invariant are_dealt(row, rest) && 0 <= count && count + count(rest) <= houses(row, seat);
        loop invariant count + of_colour_on(table, row, colour, rest) ==
          buildings_of(table, row, seat, colour);
        loop assigns rest, count;
        loop variant rest;
    */
    for (uint32_t rest = row->player[seat].built; rest; rest = other_sites(rest)) {
        int design = row->display[first_site(rest)];
        count += COLOUR_OF[table->character[design]] == colour;
    }
    return count;
}

/* Return the points of a player's buildings; an upgraded one counts double.
 *
 * Rules: SCO-5, SCO-6
 */
/*@ requires is_table(table) && readable(row) && is_seat(row, seat) && is_display(table, row);
    requires are_dealt(row, row->player[seat].built) && are_dealt(row, row->player[seat].upgraded);
    assigns \nothing;
    ensures SCO_5_states: SCO_6_states: \result == points_on(table, row, row->player[seat].built) +
      points_on(table, row, row->player[seat].upgraded);
    ensures 0 <= \result <= 64 * UINT8_MAX;
*/
int building_points(const Table *table, const Row *row, int seat)
{
    const Player *player = &row->player[seat];
    int points = 0;
    /*@ loop invariant are_dealt(row, rest) && 0 <= points <= UINT8_MAX * (32 - count(rest));
        loop invariant points + points_on(table, row, rest) == points_on(table, row, player->built);
        loop assigns rest, points;
        loop variant rest;
    */
    for (uint32_t rest = player->built; rest; rest = other_sites(rest)) {
        points += table->points[row->display[first_site(rest)]];
    }
    /*@ loop invariant are_dealt(row, rest) && 0 <= points <= UINT8_MAX * (64 - count(rest));
        loop invariant points + points_on(table, row, rest) ==
          points_on(table, row, player->built) + points_on(table, row, player->upgraded);
        loop assigns rest, points;
        loop variant rest;
    */
    for (uint32_t rest = player->upgraded; rest; rest = other_sites(rest)) {
        points += table->points[row->display[first_site(rest)]];
    }
    return points;
}

/* A player gains a card into the hand, and all players see it. */
/*@ requires \valid(player) && 0 <= character < CHARACTERS;
    requires has_room(player->hand, character) && has_room(player->shown, character);
    assigns player->hand.of[character], player->hand.total, player->shown.of[character],
      player->shown.total;
    ensures holds_more{Pre, Post}(&player->hand, character, 1);
    ensures holds_more{Pre, Post}(&player->shown, character, 1);
*/
void gain(Player *player, int character)
{
    put(&player->hand, character, 1);
    put(&player->shown, character, 1);
}

/* A player loses a card from the hand, and all players see it. */
/*@ requires \valid(player) && 0 <= character < CHARACTERS && is_in(player->hand, character);
    requires player->shown.of[character] <= player->shown.total;
    assigns player->hand.of[character], player->hand.total, player->shown.of[character],
      player->shown.total;
    ensures holds_more{Pre, Post}(&player->hand, character, -1);
    ensures holds_more{Pre, Post}(&player->shown, character,
                                  \at(player->shown.of[character], Pre) > 0 ? -1 : 0);
*/
void lose(Player *player, int character)
{
    put(&player->hand, character, -1);
    if (player->shown.of[character]) {
        put(&player->shown, character, -1);
    }
}

/* The discard pile joins the draw pile.
 *
 * If the draw pile was empty, all players can infer the hand.
 *
 * Rules: FIN-5, FIN-6
 */
/*@ requires \valid(player) && can_join(player);
    assigns player->draw_pile, player->discard_pile, player->shown;
    ensures FIN_5_part: is_joined{Pre, Post}(player);
    ensures FIN_6_part: player->hand == \old(player->hand);
    ensures \old(player->draw_pile.total) == 0 ==> player->shown == player->hand;
    ensures \old(player->draw_pile.total) > 0 ==> player->shown == \old(player->shown);
*/
void join_discard_pile(Player *player)
{
    if (!player->draw_pile.total) {
        player->shown = player->hand;
    }
    Bag *draw = &player->draw_pile, *discard = &player->discard_pile;
    /*@ loop invariant 0 <= kind <= CHARACTERS;
        loop invariant \forall integer each; 0 <= each < kind ==>
          draw->of[each] == \at(player->draw_pile.of[each], Pre) + \at(player->discard_pile.of[each], Pre) &&
          discard->of[each] == 0;
        loop invariant \forall integer each; kind <= each < CHARACTERS ==>
          draw->of[each] == \at(player->draw_pile.of[each], Pre) &&
          discard->of[each] == \at(player->discard_pile.of[each], Pre);
        loop assigns kind, draw->of[0 .. CHARACTERS - 1], discard->of[0 .. CHARACTERS - 1];
        loop variant CHARACTERS - kind;
    */
    for (int kind = 0; kind < CHARACTERS; kind++) {
        draw->of[kind] = (uint8_t)(draw->of[kind] + discard->of[kind]);
        discard->of[kind] = 0;
    }
    draw->total = (uint8_t)(draw->total + discard->total);
    discard->total = 0;
}
