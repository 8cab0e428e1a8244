/* Search: the value of positions, the lines of a turn, and how a lead develops after them.
 *
 * Like the rules, this layer knows nothing of Python and has no variable that is not local or
 * constant.  It states in C what `valletta_rules.bots` states in Python, step by step, so that both
 * return the same answers: sums are added in the same order, and the same numbers are drawn.
 * Memory is given by the caller's `Resize`.
 */

#ifndef VALLETTA_SEARCH_H
#define VALLETTA_SEARCH_H

#include "row.h"

/* What cards yield, in the order of `Income`; and the holdings on which a yield may depend. */
enum { ANY_GOOD = GOODS, BUILD_ACTIONS, GAINED_POINTS, SALES, CARDS, GAINS };
enum { BEST_ICON = GOODS, GREEN_BUILDINGS, BLUE_BUILDINGS, UPGRADED, COUNTS };

/* The constants of the value function, all of them doubles, in the order in which Python passes
 * them.  A kind of card yields `yields`, and of one gain (`rising`) another `slope` for each of one
 * of the holdings (`counted`). */
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

/* Changes the size of a block of memory as `realloc` does; null if that fails.  Size 0 frees it. */
typedef void *(*Resize)(void *block, size_t size);

/* Is called now and then during a search; false to stop it. */
typedef bool (*Pause)(void *source);

/* How a search ended. */
typedef enum { FOUND, STOPPED, NO_MEMORY, NO_ROOM } Ending;

enum { NOBODY = -2, CHANCE = -1 };

/* value.c: a player's cards and buildings, and what they yield together */
typedef struct {
    Bag cards;
    uint32_t built, upgraded;
} Means;

typedef struct {
    Means means;
    int32_t points; /* of the buildings */
    double gains[GAINS];
} Income;

/* Values positions of one game.  What cards yield is kept, in a place of so many (a power of two)
 * that depends on the cards and buildings; places that are zero are right. */
typedef struct {
    const Table *table;
    const Weights *weights;
    Income *kept;
    uint32_t places;
} Valuer;

enum { PLACES = 1 << 8 };

bool are_weights(const Weights *weights);
void expected_points(const Valuer *valuer, const Row *row, int viewer, double points[MAX_PLAYERS]);
double expected_lead(const Valuer *valuer, const Row *row, int seat);

/* turn_search.c: a position that a line reaches, with the action that leads there from another one */
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
    int32_t *slots; /* of a hash table: the newest node of each, or -1 */
    int32_t *listed; /* first to be continued, then those found, the best first */
    int32_t count, room, found;
} Lines;

int asked(const Row *row);
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
    int turns; /* of the seat's own, to be played */
    int ends, worlds;
    const Row *end;
    const Row *world; /* with the others' hands */
    Mersenne *luck;   /* of each world */
    double *lead;     /* of each end, in each world */
} Plans;

bool can_graft(const Row *row, const Row *world, int seat);
Ending try_plan(const Plans *plans, int number);

#endif
