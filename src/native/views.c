/* What a viewer cannot see of a position: left out of a row, and sampled. */

#include "row.h"

/* Split the hidden cards of a player at random: the hand keeps the cards shown, and the others are
 * drawn one by one.  False if a generator fails. */
static bool pick_hand(Player *player, Numbers draw, void *source)
{
    Bag hand = player->shown, rest = {{0}, 0};
    for (int character = 0; character < CHARACTERS; character++) {
        int hidden = player->hand.of[character] + player->draw_pile.of[character];
        put(&rest, character, hidden - player->shown.of[character]);
    }
    while (hand.total < player->hand.total) {
        int64_t number = draw(source, rest.total);
        int character = 0;
        if (number < 0) {
            return false;
        }
        while (number >= rest.of[character]) {
            number -= rest.of[character++];
        }
        put(&rest, character, -1);
        put(&hand, character, 1);
    }
    player->hand = hand;
    player->draw_pile = rest;
    return true;
}

/* Sample what a seat, or a spectator, cannot see, as `determinize` does; false if that fails. */
bool determinize(Row *row, int viewer, Numbers draw, void *source)
{
    for (int seat = 0; seat < row->players; seat++) {
        if (seat != viewer && !pick_hand(&row->player[seat], draw, source)) {
            return false;
        }
    }
    return true;
}

/* Leave out what a seat, or a spectator, cannot see: which cards of the hidden ones are in a hand.
 *
 * They join those of the draw pile, while hand and draw pile keep their totals.  The result is no
 * position, but a row that tells no more than a view; `legal_actions` of the viewer are the same.
 */
void redact(Row *row, int viewer)
{
    for (int seat = 0; seat < row->players; seat++) {
        Player *player = &row->player[seat];
        for (int character = 0; seat != viewer && character < CHARACTERS; character++) {
            player->draw_pile.of[character] += player->hand.of[character];
            player->hand.of[character] = 0;
        }
    }
}

/* Tell whether the cards of a hand have been left out; of an empty one it makes no difference. */
static bool is_left_out(const Bag *hand)
{
    for (int character = 0; character < CHARACTERS; character++) {
        if (hand->of[character]) {
            return false;
        }
    }
    return hand->total;
}

/* Make a row that was redacted a position again, as `determinize` does; false if that fails. */
bool determinize_redacted(Row *row, Numbers draw, void *source)
{
    for (int seat = 0; seat < row->players; seat++) {
        Player *player = &row->player[seat];
        if (is_left_out(&player->hand) && !pick_hand(player, draw, source)) {
            return false;
        }
    }
    return true;
}
