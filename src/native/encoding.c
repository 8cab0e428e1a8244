/* Views as arrays, with the columns that src/valletta_rules/numeric/encoding.py names.
 *
 * Public information is encoded completely.  Hand and draw pile are encoded as one bag, except in their
 * owner's view.
 */

#include "row.h"

#include <string.h>

/* Return the number of columns for a number of players. */
size_t columns(int players)
{
    return ONCE + (size_t)players * EACH_PLAYER + (size_t)SITES[players] * EACH_SITE
        + MAX_STEPS * EACH_STEP;
}

/* Return the place of a seat, which counts from 1 at the seat `first`. */
static int16_t place_of(const Row *row, int first, int seat)
{
    return (int16_t)(1 + seat - first + (seat < first ? row->players : 0));
}

/* Return the seat at a place, which counts from 0 at the seat `first`. */
static int seat_at(const Row *row, int first, int place)
{
    return first + place - (first + place < row->players ? 0 : row->players);
}

/* Return an amount, capped at the largest encoded number. */
static int16_t capped(int amount)
{
    return (int16_t)(amount < MOST_NUMBER ? amount : MOST_NUMBER);
}

/* Write small numbers, and return the address after them.
 *
 * The numbers do not overlap the array, so that the compiler can vectorise the loop. */
static inline int16_t *write(int16_t *restrict into, const uint8_t *restrict numbers, int count)
{
    for (int place = 0; place < count; place++) {
        into[place] = numbers[place];
    }
    return into + count;
}

/* Write the counts of a bag, and zeros after them, which the next column overwrites. */
static inline int16_t *write_bag(int16_t *restrict into, const Bag *restrict bag)
{
    write(into, bag->of, MAX_KINDS);
    return into + CHARACTERS;
}

static int16_t *write_zeros(int16_t *into, int count)
{
    memset(into, 0, (size_t)count * sizeof *into);
    return into + count;
}

/* Describe the buildings of a table: for each one, the columns of a site with this building and without an
 * owner. */
void describe(const Table *table, Described *described)
{
    for (int design = 0; design < table->designs; design++) {
        int16_t *into = described->site[design];
        *into++ = (int16_t)(1 + design);
        *into++ = (int16_t)(1 + table->character[design]);
        into = write(into, table->cost[design], GOODS);
        *into++ = (int16_t)(1 + table->icon[design]);
        *into++ = table->points[design];
        write_zeros(into, 2);
    }
}

/* Write the parts of a payment that have been given into a view. */
void encode_partial_payment(int parts, const int paid[GOODS], int16_t *into)
{
    into += ONCE - PARTS - 1;
    *into++ = (int16_t)parts;
    for (int part = 0; part < PARTS; part++) {
        *into++ = (int16_t)(part < parts ? paid[part] : 0);
    }
}

_Static_assert((int)CHARACTERS + MAX_PLAYED <= (int)MAX_KINDS,
               "the zeros after a hand are those of cards not played");

/* Write the columns that occur once, except those of a payment; the columns of the rule set only if they
 * are new. */
static void write_common(const Table *table, const Row *row, int viewer, bool is_new, int16_t *into)
{
    *into++ = (int16_t)(viewer + 1);
    *into++ = row->phase;
    *into++ = place_of(row, viewer == SPECTATOR ? 0 : viewer, row->active);
    *into++ = row->valette;
    into = is_new ? write(into, table->answers, ANSWERS) : into + ANSWERS;
    into = write(into, row->barrels, GOODS);
    into = write_bag(into, &row->supply);
    if (viewer == SPECTATOR) {
        write_zeros(into, MAX_KINDS);
    } else {
        write_bag(into, &row->player[viewer].hand);
    }
    into += CHARACTERS;
    for (int play = 0; play < row->plays; play++) {
        *into++ = (int16_t)(1 + row->played[play]);
    }
}

/* The columns for all kinds of cards are written in two overlapping parts, both of whole words. */
enum { WIDE = 24, WIDE_REST = 8 };
_Static_assert((int)WIDE < (int)CHARACTERS && (int)CHARACTERS <= WIDE + WIDE_REST,
               "all kinds are written");

static void write_player(const Player *player, int16_t *restrict into)
{
    for (int good = 0; good < GOODS; good++) {
        *into++ = capped(player->goods[good]);
    }
    *into++ = capped(player->score);
    *into++ = player->hand.total;
    for (int kind = 0; kind < MAX_KINDS; kind++) {
        into[kind] = (int16_t)(player->hand.of[kind] + player->draw_pile.of[kind]);
    }
    into = write_bag(into + CHARACTERS, &player->shown);
    write(into, player->discard_pile.of, WIDE); /* no zeros are left to overwrite */
    into += CHARACTERS - WIDE_REST;
    write(into, player->discard_pile.of + CHARACTERS - WIDE_REST, WIDE_REST);
}

/* Write the sites, each with its building; owners and upgrades are written afterwards. */
static void write_sites(const Described *described, const Row *row, int16_t *restrict into)
{
    for (int site = 0; site < row->dealt; site++, into += EACH_SITE) {
        memcpy(into, described->site[row->display[site]], sizeof *described->site);
    }
    write_zeros(into, (SITES[row->players] - row->dealt) * EACH_SITE);
}

/* Write the owners of buildings, and which buildings are upgraded, into the columns of the sites. */
static void write_owners(const Row *row, int first, int16_t *sites)
{
    for (int place = 0; place < row->players; place++) {
        const Player *player = &row->player[seat_at(row, first, place)];
        for (uint32_t rest = player->built; rest; rest = other_sites(rest)) {
            int site = first_site(rest);
            int16_t *owner = sites + (site + 1) * EACH_SITE - 2;
            owner[0] = (int16_t)(1 + place);
            owner[1] = (int16_t)(is_among(player->upgraded, site));
        }
    }
}

static int16_t *write_step(const Row *row, int first, const Step *step, int16_t *into)
{
    int16_t value = step->value;
    switch (step->kind) {
    case MONK_PROMPT:
        value = place_of(row, first, value);
        break;
    case PAYMENT_PROMPT:
    case BONUS_PROMPT:
        value++;
        break;
    default:
        break;
    }
    *into++ = step->kind;
    *into++ = step->kind == DEAL_PROMPT ? 0 : place_of(row, first, step->seat);
    *into++ = value;
    return write(into, step->goods, GOODS);
}

/* Write the view of a seat or a spectator: one number for each column.
 *
 * The seat has given `parts` parts of a payment, with the amounts in `paid`.  If `before` is not null, the
 * columns contain the view that `last_viewer` had of that earlier row of the same game, and only the
 * changed columns of players and sites are written.
 */
void encode(const Table *table, const Described *described, const Row *row, int viewer, int parts,
            const int paid[GOODS], const Row *before, int last_viewer, int16_t *into)
{
    int seat = viewer == SPECTATOR ? 0 : viewer, first = seat;
    bool is_new = !before || last_viewer != viewer, owners_change = is_new;
    write_common(table, row, viewer, !before, into);
    encode_partial_payment(parts, paid, into);
    into += ONCE;
    for (int place = 0; place < row->players; place++, into += EACH_PLAYER) {
        const Player *now = &row->player[seat];
        if (is_new || memcmp(now, &before->player[seat], sizeof *now)) {
            write_player(now, into);
            owners_change = owners_change || now->built != before->player[seat].built
                || now->upgraded != before->player[seat].upgraded;
        }
        seat = seat + 1 < row->players ? seat + 1 : 0;
    }
    if (!before || row->dealt != before->dealt) {
        write_sites(described, row, into);
        owners_change = true;
    }
    if (owners_change) {
        write_owners(row, first, into);
    }
    into += SITES[row->players] * EACH_SITE;
    for (int step = row->steps - 1; step >= 0; step--) {
        into = write_step(row, first, &row->agenda[step], into);
    }
    int written = before ? before->steps : MAX_STEPS;
    if (written > row->steps) {
        write_zeros(into, (written - row->steps) * EACH_STEP);
    }
}
