/* A tree of information sets, as `valletta_rules.bots.ismcts` grows it. */

#include "search.h"

#include <math.h>
#include <string.h>

enum { FIRST_ROOM = 256, SIMULATIONS_A_PAUSE = 64 };

/* Resize an array of a number of items of some size; false if there is no memory. */
static bool resize(const Tree *tree, void *array, int32_t count, size_t size)
{
    void *block;
    memcpy(&block, array, sizeof block);
    block = tree->resize(block, (size_t)count * size);
    if (block) {
        memcpy(array, &block, sizeof block);
    }
    return block;
}

/* Put an information set into its slot. */
static void file(Tree *tree, int32_t number)
{
    uint64_t key = hash(&tree->sets[number].key, sizeof(Key));
    int32_t *slot = &tree->slots[key & (uint64_t)(tree->set_room - 1)];
    tree->sets[number].next = *slot;
    *slot = number;
}

/* Make room for another information set and another edge; false if there is no memory. */
static bool make_room(Tree *tree)
{
    if (tree->edge_count == tree->edge_room) {
        int32_t room = tree->edge_room ? 2 * tree->edge_room : FIRST_ROOM;
        if (!resize(tree, &tree->edges, room, sizeof *tree->edges)) {
            return false;
        }
        tree->edge_room = room;
    }
    if (tree->set_count < tree->set_room) {
        return true;
    }
    int32_t room = tree->set_room ? 2 * tree->set_room : FIRST_ROOM;
    if (!resize(tree, &tree->sets, room, sizeof *tree->sets)
        || !resize(tree, &tree->slots, room, sizeof *tree->slots)) {
        return false;
    }
    tree->set_room = room;
    memset(tree->slots, -1, (size_t)room * sizeof *tree->slots);
    for (int32_t number = 1; number < tree->set_count; number++) {
        file(tree, number);
    }
    return true;
}

/* Return what tells the observer's question apart.  The order in which cards were played is left
 * out. */
static Key key_of(const Row *row, int observer)
{
    Key key;
    memset(&key, 0, sizeof key);
    key.prompt = row->agenda[row->steps - 1];
    key.valette = row->valette;
    for (int play = 0; play < row->plays; play++) {
        key.played[row->played[play]]++;
    }
    for (int seat = 0; seat < row->players; seat++) {
        const Player *player = &row->player[seat];
        key.sites[seat][0] = player->built;
        key.sites[seat][1] = player->upgraded;
        key.score[seat] = player->score;
        memcpy(key.goods[seat], player->goods, sizeof key.goods[seat]);
        for (int card = 0; card < CHARACTERS; card++) {
            key.deck[seat][card] = (uint8_t)(player->hand.of[card] + player->draw_pile.of[card]
                                             + player->discard_pile.of[card]);
        }
    }
    if (key.prompt.seat == observer) {
        const Player *player = &row->player[observer];
        for (int card = 0; card < CHARACTERS; card++) {
            key.hand[card] = player->hand.of[card];
            key.left[card] = (uint8_t)(player->hand.of[card] + player->draw_pile.of[card]);
        }
    }
    return key;
}

/* Return the number of the information set of a position, which is new if it has no edge. */
static int32_t set_of(Tree *tree, const Row *row)
{
    InformationSet *set = &tree->sets[tree->set_count];
    set->key = key_of(row, tree->observer);
    uint64_t slot = hash(&set->key, sizeof set->key) & (uint64_t)(tree->set_room - 1);
    for (int32_t other = tree->slots[slot]; other >= 0; other = tree->sets[other].next) {
        if (!memcmp(&tree->sets[other].key, &set->key, sizeof set->key)) {
            return other;
        }
    }
    set->first = set->last = -1;
    file(tree, tree->set_count);
    return tree->set_count++;
}

/* Add an edge for an action to an information set, and return its number. */
static int32_t add_edge(Tree *tree, int32_t number, uint16_t action)
{
    InformationSet *set = &tree->sets[number];
    int32_t *place = set->first < 0 ? &set->first : &tree->edges[set->last].next;
    *place = set->last = tree->edge_count;
    tree->edges[tree->edge_count] = (Edge){0, 0, 0, -1, action};
    return tree->edge_count++;
}

/* Return the best of some edges by the UCT formula. */
static int32_t most_promising(const Tree *tree, const int32_t *edges, int count)
{
    double visits = 0, most = 0;
    int best = 0;
    for (int place = 0; place < count; place++) {
        visits += tree->edges[edges[place]].visits;
    }
    double spread = tree->uct_c * sqrt(log(visits));
    for (int place = 0; place < count; place++) {
        const Edge *edge = &tree->edges[edges[place]];
        double promise = edge->total / edge->visits + spread / sqrt(edge->visits);
        if (!place || promise > most) {
            most = promise;
            best = place;
        }
    }
    return edges[best];
}

/* Choose an action that is new to an information set, or the best; return its edge. */
static int32_t choose(Tree *tree, int32_t set, const Row *row)
{
    uint16_t numbers[NUMBERS], untried[NUMBERS];
    int32_t edge_of[NUMBERS], edges[NUMBERS];
    int count = legal_actions(tree->valuer.table, row, numbers), left = 0;
    for (int place = 0; place < count; place++) {
        edge_of[numbers[place]] = -1;
    }
    for (int32_t edge = tree->sets[set].first; edge >= 0; edge = tree->edges[edge].next) {
        edge_of[tree->edges[edge].number] = edge;
    }
    for (int place = 0; place < count; place++) {
        edges[place] = edge_of[numbers[place]];
        if (edges[place] < 0) {
            untried[left++] = numbers[place];
        }
    }
    if (!left) {
        return most_promising(tree, edges, count);
    }
    return add_edge(tree, set, untried[draw_below(tree->generator, (uint64_t)left)]);
}

/* Apply an action, resolve chance, and make the payments that are due; false if a row cannot hold
 * the result. */
static bool go_on(Tree *tree, Row *row, Action action)
{
    uint16_t numbers[NUMBERS];
    do {
        if (!apply(tree->valuer.table, row, &action)
            || !resolve_chance(tree->valuer.table, row, draw_below, tree->generator) || row->fault) {
            return false;
        }
        if (!row->steps || row->agenda[row->steps - 1].kind != PAYMENT_PROMPT) {
            return true;
        }
        options(tree->valuer.table, row, numbers, &action.goods);
        action.number = numbers[0];
    } while (true);
}

/* Add the result of a simulation to its edges. */
static void back_up(Tree *tree, const Row *row, int length)
{
    double points[MAX_PLAYERS], first, second;
    expected_points(&tree->valuer, row, tree->observer, points);
    first = points[0] > points[1] ? points[0] : points[1];
    second = points[0] > points[1] ? points[1] : points[0];
    for (int seat = 2; seat < row->players; seat++) {
        if (points[seat] > first) {
            second = first;
            first = points[seat];
        } else if (points[seat] > second) {
            second = points[seat];
        }
    }
    for (int place = 0; place < length; place++) {
        Edge *edge = &tree->edges[tree->way[2 * place]];
        double mine = points[tree->way[2 * place + 1]];
        double lead = mine - (mine == first ? second : first);
        edge->visits++;
        edge->leads += lead;
        edge->total += tanh(lead / tree->scale);
    }
}

/* Descend until an action is new or the game is over, then back up the result. */
static Ending simulate(Tree *tree, Row *row)
{
    int32_t set = 0;
    int length = 0;
    if (!make_room(tree)) {
        return NO_MEMORY;
    }
    while (true) {
        int32_t edge = choose(tree, set, row);
        bool is_new = !tree->edges[edge].visits;
        tree->way[2 * length] = edge;
        tree->way[2 * length + 1] = row->agenda[row->steps - 1].seat;
        length++;
        if (!go_on(tree, row, (Action){tree->edges[edge].number, {{0}}})) {
            return NO_ROOM;
        }
        if (!row->steps || is_new || length == tree->most_answers) {
            back_up(tree, row, length);
            return FOUND;
        }
        set = set_of(tree, row);
    }
}

/* Make the simulations of a search from a position that agrees with the observer's view.  The root
 * is the first information set then.  The memory is to be freed, however it ends. */
Ending grow_tree(Tree *tree, const Row *row)
{
    int kept = tree->worlds < tree->simulations ? tree->worlds : 1; /* to be searched again */
    if (!make_room(tree) || !resize(tree, &tree->world, kept, sizeof(Row))
        || !resize(tree, &tree->way, 2 * tree->most_answers, sizeof *tree->way)
        || !resize(tree, &tree->valuer.kept, PLACES, sizeof *tree->valuer.kept)) {
        return NO_MEMORY;
    }
    memset(tree->valuer.kept, 0, PLACES * sizeof *tree->valuer.kept);
    tree->sets[0].first = tree->sets[0].last = -1;
    tree->set_count = 1;
    for (int number = 0; number < tree->simulations; number++) {
        Row *world = &tree->world[number % kept], end;
        if (number < tree->worlds) {
            memcpy(world, row, row_size(row));
            if (number && !determinize(world, tree->observer, draw_below, tree->generator)) {
                return NO_ROOM;
            }
        }
        memcpy(&end, world, row_size(world));
        Ending ending = simulate(tree, &end);
        if (ending != FOUND) {
            return ending;
        }
        if (number % SIMULATIONS_A_PAUSE == 0 && !tree->pause(tree->source)) {
            return STOPPED;
        }
    }
    return FOUND;
}

/* Free the memory of a search. */
void free_tree(Tree *tree)
{
    tree->resize(tree->valuer.kept, 0);
    tree->resize(tree->world, 0);
    tree->resize(tree->sets, 0);
    tree->resize(tree->edges, 0);
    tree->resize(tree->slots, 0);
    tree->resize(tree->way, 0);
}
