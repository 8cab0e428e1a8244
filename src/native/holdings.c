/* Holdings: who owns a building, what buildings show, and the cards in hand and piles. */

#include "row.h"

#include <string.h>

/* Return the seat whose house stands on a site, or -1 if it is free.
 *
 * Rules: BLD-3, BLD-29
 */
int owner_of(const Row *row, int site)
{
    for (int seat = 0; seat < row->players; seat++) {
        if (row->player[seat].built >> site & 1) {
            return seat;
        }
    }
    return -1;
}

/* Return the sites on which nobody has a house.
 */
uint32_t free_sites(const Row *row)
{
    uint32_t taken = 0;
    for (int seat = 0; seat < row->players; seat++) {
        taken |= row->player[seat].built;
    }
    return ~taken & ((UINT32_C(1) << row->dealt) - 1);
}

/* Count the icons of a good on all of a player's buildings, an upgraded one showing two.
 *
 * Rules: GRN-5, GRN-6, GRN-7
 */
int icons(const Table *table, const Row *row, int seat, int good)
{
    const Player *player = &row->player[seat];
    int count = 0;
    for (uint32_t rest = player->built; rest; rest &= rest - 1) {
        int site = __builtin_ctz(rest);
        if (table->icon[row->display[site]] == good) {
            count += player->upgraded >> site & 1 ? 2 : 1;
        }
    }
    return count;
}

/* Count a player's buildings of a colour; an upgraded one counts once.
 *
 * Rules: BLU-19, YEL-10, YEL-11, YEL-12
 */
int count_of_colour(const Table *table, const Row *row, int seat, int colour)
{
    int count = 0;
    for (uint32_t rest = row->player[seat].built; rest; rest &= rest - 1) {
        int design = row->display[__builtin_ctz(rest)];
        count += COLOUR_OF[table->character[design]] == colour;
    }
    return count;
}

/* Return the points of a player's buildings, an upgraded one counting double.
 *
 * Rules: SCO-5, SCO-6
 */
int building_points(const Table *table, const Row *row, int seat)
{
    const Player *player = &row->player[seat];
    int points = 0;
    for (uint32_t rest = player->built; rest; rest &= rest - 1) {
        points += table->points[row->display[__builtin_ctz(rest)]];
    }
    for (uint32_t rest = player->upgraded; rest; rest &= rest - 1) {
        points += table->points[row->display[__builtin_ctz(rest)]];
    }
    return points;
}

/* A player gains a card into the hand in full view. */
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

/* A player loses a card from the hand in full view. */
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

/* The discard pile is put to the draw pile.  If that was empty, everybody knows the hand. */
void join_discard_pile(Player *player)
{
    if (!player->draw_pile.total) {
        player->shown = player->hand;
    }
    for (Kinds rest = kinds_in(&player->discard_pile); rest; rest &= rest - 1) {
        int character = first_kind(rest);
        put(&player->draw_pile, character, player->discard_pile.of[character]);
    }
    memset(&player->discard_pile, 0, sizeof player->discard_pile);
}
