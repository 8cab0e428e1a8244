/* Search: the value of positions, the lines of a turn, and how a lead develops after them.
 *
 * Like the rules, this layer does not depend on Python and has no mutable global variables.  It
 * repeats the algorithms of `valletta_rules.bots` step by step, so both return the same answers: they
 * add sums in the same order, and draw the same random numbers.  The caller's `Resize` allocates the
 * memory.
 */

#ifndef VALLETTA_SEARCH_H
#define VALLETTA_SEARCH_H

#include "row.h"

/* The gains from cards, in the order of `Income`; and the holdings on which a gain may depend. */
enum { ANY_GOOD = GOODS, BUILD_ACTIONS, GAINED_POINTS, SALES, CARDS, GAINS };
enum { BEST_ICON = GOODS, GREEN_BUILDINGS, BLUE_BUILDINGS, UPGRADED, COUNTS };

/* The constants of the value function, in the order in which Python passes them; all are doubles.
 * A kind of card gains `yields`.  Its gain `rising` increases by `slope` for each unit of its
 * holding `counted`. */
typedef struct {
    double turns_a_house, turns_a_point, turns_a_space;
    double goods_a_building, points_a_building, points_a_turn;
    double goods_a_sale, points_a_sale, points_a_good;
    double gold_share, material_share, spare, room_lost, crowding, waste;
    double hand, used, copy, good_now, build_now;
    double is_model[CHARACTERS];
    double yields[CHARACTERS][GAINS];
    double rising[CHARACTERS];
    double counted[CHARACTERS];
    double slope[CHARACTERS];
} Weights;

/* Resizes a block of memory like `realloc`; returns null on failure.  Size 0 frees the block. */
typedef void *(*Resize)(void *block, size_t size);

/* A callback that a search calls regularly; if it returns false, the search stops. */
typedef bool (*Pause)(void *source);

/* How a search ended. */
typedef enum { FOUND, STOPPED, NO_MEMORY, NO_ROOM } Ending;

enum { NOBODY = -2, CHANCE = -1 };

/* value.c: a player's cards and buildings, and their joint gains */
typedef struct {
    Bag cards;
    uint32_t built, upgraded;
} Means;

typedef struct {
    Means means;
    int32_t points; /* of the buildings */
    double gains[GAINS];
} Income;

/* Evaluates positions of one game.  A hash table with `places` slots (a power of two) caches the
 * gains, keyed by cards and buildings; slots that are all zero are valid. */
typedef struct {
    const Table *table;
    const Weights *weights;
    Income *cache;
    uint32_t places;
} Valuer;

enum { PLACES = 1 << 8 };

bool are_weights(const Weights *weights);
void expected_points(const Valuer *valuer, const Row *row, int viewer, double points[MAX_PLAYERS]);
double expected_lead(const Valuer *valuer, const Row *row, int seat);

/* turn_search.c: a position that a line reaches, and the action that leads to it from its parent */
typedef struct {
    Row row;
    Action action;
    double worth;
    int32_t parent;
    int32_t next;  /* in the same slot */
    uint8_t place; /* in the turn */
} Node;

typedef struct {
    Valuer valuer;
    int seat;
    int beam;
    Resize resize;
    Pause pause;
    void *source;
    Node *nodes;
    int32_t *slots; /* a hash table: the newest node in each slot, or -1 */
    int32_t *listed; /* the nodes to expand, later the resulting lines, best first */
    int32_t count, room, listed_count;
} Lines;

int seat_to_answer(const Row *row);
int options(const Table *table, const Row *row, uint16_t numbers[NUMBERS], Goods *payment);
Ending find_lines(Lines *lines, const Row *row);
void free_lines(Lines *lines);

/* mersenne.c: the generator of Python's `random.Random` */
enum { WORDS = 624 };
typedef struct {
    uint32_t word[WORDS];
    uint32_t place;
} Mersenne;
int64_t draw_below(void *mersenne, uint64_t limit);

/* plan_rollouts.c: how a seat's lead develops from the ends of its plans */
typedef struct {
    Lines lines;
    int turns; /* the number of the seat's own turns to play */
    int ends, worlds;
    const Row *end;
    const Row *world; /* positions with possible hands of the opponents */
    Mersenne *luck;   /* the generator of each world */
    double *lead;     /* the result for each end in each world */
} Plans;

bool can_graft(const Row *row, const Row *world, int seat);
Ending try_plan(const Plans *plans, int number);

#endif
