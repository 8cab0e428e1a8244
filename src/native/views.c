/* Hidden information of a position: its removal from a row, and its sampling. */

#include "row.h"

/* Split the hidden cards of a player at random: the shown cards stay in the hand, and the others are drawn
 * one by one.
 *
 * Return false if the generator fails. */
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

/* Sample the hidden information of a seat or a spectator, as `determinize` does; return false if that
 * fails. */
bool determinize(Row *row, int viewer, Numbers draw, void *source)
{
    for (int seat = 0; seat < row->players; seat++) {
        if (seat != viewer && !pick_hand(&row->player[seat], draw, source)) {
            return false;
        }
    }
    return true;
}

/* Remove the hidden information of a seat or a spectator: which of the hidden cards are in a hand.
 *
 * They join the cards of the draw pile, while hand and draw pile keep their totals.  The result is not a
 * position, but a row with only the information of a view.  The `legal_actions` of the viewer are the same.
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

/* Return whether the cards of a hand have been removed; for an empty hand, the answer does not matter. */
static bool is_left_out(const Bag *hand)
{
    for (int character = 0; character < CHARACTERS; character++) {
        if (hand->of[character]) {
            return false;
        }
    }
    return hand->total;
}

/* Turn a row without hidden information into a position again, as `determinize` does; return false if that
 * fails. */
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
