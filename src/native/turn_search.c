/* The search for the lines of a turn, as in `valletta_rules.bots.turns`. */

#include "search.h"

#include <stdlib.h>
#include <string.h>

/* The places of positions in a turn: within a card, between cards, or after the turn. */
enum { WITHIN_A_CARD, BETWEEN_CARDS, ENDED };

enum { FIRST_ROOM = 256, NODES_A_PAUSE = 1024 };

/* A node with its value. */
typedef struct {
    double worth;
    int32_t node;
} Ranked;

/* Return the seat that must decide, or a code for chance or for no seat. */
int seat_to_answer(const Row *row)
{
    if (!row->steps) {
        return NOBODY;
    }
    Step prompt = row->agenda[row->steps - 1];
    return prompt.kind <= BARREL_PROMPT ? CHANCE : prompt.seat;
}

/* Count the goods above a level. */
static int above(const Goods *goods, int level)
{
    int sum = 0;
    for (int good = 0; good < GOODS; good++) {
        sum += goods->of[good] > level ? goods->of[good] - level : 0;
    }
    return sum;
}

/* Return a payment with the fewest goods for a price that can be paid, as `cheapest_payment` does. */
static Goods cheapest_payment(const uint8_t price[GOODS], const uint16_t goods[GOODS])
{
    Goods payment, left;
    int owed = 0, level = 0;
    for (int good = 0; good < GOODS; good++) {
        int own = price[good] < goods[good] ? price[good] : goods[good];
        owed += SUBSTITUTES * (price[good] - own);
        payment.of[good] = own;
        left.of[good] = goods[good] - own;
        level = left.of[good] > level ? left.of[good] : level;
    }
    while (level && above(&left, level - 1) <= owed) {
        level--;
    }
    owed -= above(&left, level);
    for (int good = 0; good < GOODS; good++) {
        payment.of[good] += left.of[good] > level ? left.of[good] - level : 0;
        if (owed && left.of[good] >= level) {
            payment.of[good]++;
            owed--;
        }
    }
    return payment;
}

/* List the actions to search: all legal ones, but only the cheapest payment. */
int options(const Table *table, const Row *row, uint16_t numbers[NUMBERS], Goods *payment)
{
    Step prompt = row->agenda[row->steps - 1];
    *payment = NOTHING;
    if (prompt.kind != PAYMENT_PROMPT) {
        return legal_actions(table, row, numbers);
    }
    *payment = cheapest_payment(prompt.goods, row->player[prompt.seat].goods);
    numbers[0] = PAY;
    return 1;
}

/* Return the most likely barrel. */
static Action likeliest_barrel(const Table *table, const Row *row)
{
    uint16_t numbers[NUMBERS];
    uint64_t weights[NUMBERS];
    int count = chance_weights(table, row, numbers, weights), best = 0;
    for (int place = 1; place < count; place++) {
        best = weights[place] > weights[best] ? place : best;
    }
    return (Action){numbers[best], {{0}}};
}

/* Return the gift of the good that a seat has most of. */
static Action most_plentiful(const Row *row, int seat)
{
    const uint16_t *goods = row->player[seat].goods;
    int best = GOLD;
    for (int good = WOOD; good < GOODS; good++) {
        best = goods[good] > goods[best] ? good : best;
    }
    return (Action){GIVE_GOOD + best, {{0}}};
}

/* Continue to the next position in which the seat must decide, with the assumptions of the search.
 *
 * Return false if a row cannot hold it. */
static bool foresee(const Table *table, Row *row, int seat)
{
    while (row->steps) {
        Step prompt = row->agenda[row->steps - 1];
        Action action;
        if (prompt.kind == BARREL_PROMPT) {
            action = likeliest_barrel(table, row);
        } else if (prompt.kind == MONK_PROMPT && prompt.seat != seat) {
            action = most_plentiful(row, prompt.seat);
        } else {
            return true;
        }
        if (!apply(table, row, &action)) {
            return false;
        }
    }
    return true;
}

/* Return the hash slot of a position; the hash uses the parts that mostly differ within a turn. */
static int32_t *slot_of(const Lines *lines, const Row *row)
{
    uint64_t key = hash(&row->player[lines->seat], sizeof(Player));
    if (row->steps) {
        key ^= hash(&row->agenda[row->steps - 1], sizeof(Step));
    }
    return &lines->slots[key & (uint64_t)(lines->room - 1)];
}

/* Store the number of a node in its slot. */
static void file(Lines *lines, int32_t number, int32_t *slot)
{
    lines->nodes[number].next = *slot;
    *slot = number;
}

/* Allocate space for more nodes; return false if memory is exhausted. */
static bool make_room(Lines *lines)
{
    int32_t room = lines->room ? 2 * lines->room : FIRST_ROOM;
    if (room > INT32_MAX / 4) {
        return false;
    }
    Node *nodes = lines->resize(lines->nodes, (size_t)room * sizeof *nodes);
    lines->nodes = nodes ? nodes : lines->nodes;
    int32_t *listed = lines->resize(lines->listed, (size_t)room * sizeof *listed);
    lines->listed = listed ? listed : lines->listed;
    int32_t *slots = lines->resize(lines->slots, (size_t)room * sizeof *slots);
    lines->slots = slots ? slots : lines->slots;
    if (!nodes || !listed || !slots) {
        return false;
    }
    lines->room = room;
    memset(slots, -1, (size_t)room * sizeof *slots);
    for (int32_t number = 0; number < lines->count; number++) {
        file(lines, number, slot_of(lines, &nodes[number].row));
    }
    return true;
}

/* Add the node after the last one if its position is new; return whether it is. */
static bool is_new(Lines *lines)
{
    Node *node = &lines->nodes[lines->count];
    size_t size = row_size(&node->row);
    int32_t *slot = slot_of(lines, &node->row);
    for (int32_t other = *slot; other >= 0; other = lines->nodes[other].next) {
        if (!memcmp(&lines->nodes[other].row, &node->row, size)) {
            return false;
        }
    }
    file(lines, lines->count++, slot);
    return true;
}

/* Try an action in the position of a node; a new node has the number `count` - 1. */
static Ending try_action(Lines *lines, int32_t parent, Action action, bool *is_added)
{
    if (lines->count == lines->room && !make_room(lines)) {
        return NO_MEMORY;
    }
    Node *node = &lines->nodes[lines->count];
    const Row *before = &lines->nodes[parent].row;
    memcpy(&node->row, before, row_size(before));
    node->action = action;
    node->parent = parent;
    if (!apply(lines->valuer.table, &node->row, &action)
        || !foresee(lines->valuer.table, &node->row, lines->seat)) {
        return NO_ROOM;
    }
    bool goes_on = seat_to_answer(&node->row) == lines->seat;
    node->place = !goes_on ? ENDED
        : node->row.agenda[node->row.steps - 1].kind == PLAY_PROMPT ? BETWEEN_CARDS
                                                                    : WITHIN_A_CARD;
    *is_added = is_new(lines);
    return FOUND;
}

/* Continue from the listed nodes until the next card must be played, or the turn is over. */
static Ending play_a_card(Lines *lines)
{
    while (lines->listed_count) {
        uint16_t numbers[NUMBERS];
        Action action;
        int32_t parent = lines->listed[--lines->listed_count];
        int count = options(lines->valuer.table, &lines->nodes[parent].row, numbers, &action.goods);
        for (int place = 0; place < count; place++) {
            bool is_added;
            action.number = numbers[place];
            Ending ending = try_action(lines, parent, action, &is_added);
            if (ending != FOUND) {
                return ending;
            }
            if (!is_added) {
                continue;
            }
            if (lines->nodes[lines->count - 1].place == WITHIN_A_CARD) {
                lines->listed[lines->listed_count++] = lines->count - 1;
            }
            if (lines->count % NODES_A_PAUSE == 0 && !lines->pause(lines->source)) {
                return STOPPED;
            }
        }
    }
    return FOUND;
}

/* Compare nodes by value, the best one first; equal ones stay in the order in which they were found. */
static int compare(const void *one, const void *other)
{
    const Ranked *mine = one, *theirs = other;
    if (mine->worth != theirs->worth) {
        return mine->worth > theirs->worth ? -1 : 1;
    }
    return mine->node < theirs->node ? -1 : 1;
}

/* List the nodes from a number on that are at a given place of the turn. */
static void list(Lines *lines, int32_t first, int place)
{
    lines->listed_count = 0;
    for (int32_t number = first; number < lines->count; number++) {
        if (lines->nodes[number].place == place) {
            lines->listed[lines->listed_count++] = number;
        }
    }
}

/* Compute the values of the listed nodes, and sort them. */
static Ending rank(Lines *lines)
{
    Ranked *ranked = lines->resize(NULL, (size_t)(lines->listed_count + 1) * sizeof *ranked);
    if (!ranked) {
        return NO_MEMORY;
    }
    for (int32_t each = 0; each < lines->listed_count; each++) {
        Node *node = &lines->nodes[lines->listed[each]];
        node->worth = expected_lead(&lines->valuer, &node->row, lines->seat);
        ranked[each] = (Ranked){node->worth, lines->listed[each]};
    }
    qsort(ranked, (size_t)lines->listed_count, sizeof *ranked, compare);
    for (int32_t each = 0; each < lines->listed_count; each++) {
        lines->listed[each] = ranked[each].node;
    }
    lines->resize(ranked, 0);
    return FOUND;
}

/* Search for the lines to all ends of a turn, from a position in which the seat must decide.
 *
 * Afterwards, the last nodes of `listed_count` lines are listed, the best one first.  The memory is kept
 * for the next search of the game, and the caller must free it even after a failure. */
Ending find_lines(Lines *lines, const Row *row)
{
    if (!lines->valuer.cache) {
        lines->valuer.cache = lines->resize(NULL, PLACES * sizeof *lines->valuer.cache);
        if (!lines->valuer.cache) {
            return NO_MEMORY;
        }
        memset(lines->valuer.cache, 0, PLACES * sizeof *lines->valuer.cache);
    }
    lines->count = lines->listed_count = 0;
    if (lines->room) {
        memset(lines->slots, -1, (size_t)lines->room * sizeof *lines->slots);
    } else if (!make_room(lines)) {
        return NO_MEMORY;
    }
    memcpy(&lines->nodes[0].row, row, row_size(row));
    lines->nodes[0].parent = -1;
    lines->nodes[0].place = WITHIN_A_CARD;
    is_new(lines);
    list(lines, 0, WITHIN_A_CARD);
    while (lines->listed_count) {
        int32_t first = lines->count;
        Ending ending = play_a_card(lines);
        if (ending != FOUND) {
            return ending;
        }
        list(lines, first, BETWEEN_CARDS);
        if (lines->listed_count > lines->beam) {
            if ((ending = rank(lines)) != FOUND) {
                return ending;
            }
            lines->listed_count = lines->beam;
        }
    }
    list(lines, 0, ENDED);
    return rank(lines);
}

/* Free the memory of a search. */
void free_lines(Lines *lines)
{
    lines->resize(lines->valuer.cache, 0);
    lines->resize(lines->nodes, 0);
    lines->resize(lines->slots, 0);
    lines->resize(lines->listed, 0);
}
