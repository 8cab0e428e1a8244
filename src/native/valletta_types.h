/* The numbers and types of valletta.h.  Written by `python -m spec.checks accept generated`. */

#ifndef VALLETTA_TYPES_H
#define VALLETTA_TYPES_H

#include <assert.h>
#include <stdint.h>

enum {
    VALLETTA_RED, VALLETTA_PURPLE, VALLETTA_GREEN, VALLETTA_BLUE, VALLETTA_YELLOW, VALLETTA_COLOURS
};

enum {
    VALLETTA_GOLD, VALLETTA_WOOD, VALLETTA_STONE, VALLETTA_BRICK, VALLETTA_GOODS
};

enum {
    VALLETTA_SHOPKEEPER, VALLETTA_LUMBERJACK, VALLETTA_STONE_SCULPTOR, VALLETTA_BRICK_WORKER,
    VALLETTA_MAID, VALLETTA_BUILDER, VALLETTA_APPRENTICE, VALLETTA_VALETTE, VALLETTA_BANKER,
    VALLETTA_WOODWORKER, VALLETTA_CARVER, VALLETTA_MASON, VALLETTA_MONK, VALLETTA_BRICKLAYER,
    VALLETTA_TRADER, VALLETTA_SEAMSTRESS, VALLETTA_MERCHANT, VALLETTA_ARTISAN, VALLETTA_CHAMBERLAIN,
    VALLETTA_STONEMASON, VALLETTA_INNKEEPER, VALLETTA_NUN, VALLETTA_CARPENTER,
    VALLETTA_TAX_COLLECTOR, VALLETTA_ARCHITECT, VALLETTA_GRAND_BAILIFF, VALLETTA_GRAND_MASTER,
    VALLETTA_PHILIP, VALLETTA_CHARLES, VALLETTA_PIUS, VALLETTA_KNIGHT, VALLETTA_CHARACTERS
};

enum {
    VALLETTA_SETUP, VALLETTA_MAIN, VALLETTA_FINAL, VALLETTA_OVER, VALLETTA_PHASES
};

enum {
    VALLETTA_NO_STEP, VALLETTA_DEAL_PROMPT, VALLETTA_DRAW_PROMPT, VALLETTA_BARREL_PROMPT,
    VALLETTA_DRAFT_PROMPT, VALLETTA_PLAY_PROMPT, VALLETTA_MAID_PROMPT, VALLETTA_SITE_PROMPT,
    VALLETTA_PAYMENT_PROMPT, VALLETTA_VALETTE_PROMPT, VALLETTA_MONK_PROMPT, VALLETTA_TRADER_PROMPT,
    VALLETTA_SEAMSTRESS_PROMPT, VALLETTA_ARTISAN_PROMPT, VALLETTA_NUN_PROMPT, VALLETTA_BONUS_PROMPT,
    VALLETTA_ARCHITECT_PROMPT, VALLETTA_TURN, VALLETTA_END_TURN, VALLETTA_PASS_TURN, VALLETTA_STEPS
};

enum {
    VALLETTA_EFFECTS, VALLETTA_OPENING, VALLETTA_BARREL_LAYOUT, VALLETTA_APPRENTICE_COLOUR,
    VALLETTA_START_PLAYER_VARIANT, VALLETTA_FEWER_BARRELS, VALLETTA_ANSWERS
};

enum {
    VALLETTA_COMPULSORY, VALLETTA_OPTIONAL,
};

enum {
    VALLETTA_DRAFT, VALLETTA_DRAFT_AND_STAGGERED,
};

enum {
    VALLETTA_EVERY_SPACE, VALLETTA_BY_PLAYERS,
};

enum {
    VALLETTA_GAME_OVER, VALLETTA_WRONG_KIND, VALLETTA_CARD_NOT_IN_HAND, VALLETTA_CARD_NOT_IN_SUPPLY,
    VALLETTA_CARD_NOT_IN_PILE, VALLETTA_EFFECT_COMPULSORY, VALLETTA_NO_EFFECT_TO_DECLINE,
    VALLETTA_SITE_TAKEN, VALLETTA_SITE_NOT_OWN, VALLETTA_ALREADY_BUILT, VALLETTA_ALREADY_UPGRADED,
    VALLETTA_NO_HOUSE_LEFT, VALLETTA_NOT_AFFORDABLE, VALLETTA_NOT_OWNED, VALLETTA_PAYMENT_SHORT,
    VALLETTA_PAYMENT_EXCESSIVE, VALLETTA_GOOD_NOT_OFFERED, VALLETTA_WRONG_NUMBER_OF_GOODS,
    VALLETTA_BUILDING_NOT_AVAILABLE, VALLETTA_NO_SUCH_BARREL, VALLETTA_MALFORMED
};

enum {
    VALLETTA_FACT_PROMPT, VALLETTA_FACT_ACTION, VALLETTA_FACT_CHARACTER, VALLETTA_FACT_BUILDING,
    VALLETTA_FACT_GOOD, VALLETTA_FACT_OWNED, VALLETTA_FACT_SITE, VALLETTA_FACT_OWNER,
    VALLETTA_FACT_PRICE, VALLETTA_FACT_PAYMENT, VALLETTA_FACT_GOODS, VALLETTA_FACT_MISSING,
};

enum {
    VALLETTA_EVENT_BUILDING_DEALT, VALLETTA_EVENT_CARD_DRAWN, VALLETTA_EVENT_RESHUFFLED,
    VALLETTA_EVENT_GOOD_DRAFTED, VALLETTA_EVENT_TURN_BEGAN, VALLETTA_EVENT_CARD_PLAYED,
    VALLETTA_EVENT_CARD_COPIED, VALLETTA_EVENT_EFFECT_DECLINED, VALLETTA_EVENT_EFFECT_FIZZLED,
    VALLETTA_EVENT_GOODS_TAKEN, VALLETTA_EVENT_GOODS_RETURNED, VALLETTA_EVENT_GOODS_GIVEN,
    VALLETTA_EVENT_POINTS_SCORED, VALLETTA_EVENT_BUILT, VALLETTA_EVENT_UPGRADED,
    VALLETTA_EVENT_VALETTE_MOVED, VALLETTA_EVENT_BARREL_REVEALED, VALLETTA_EVENT_DISMISSED,
    VALLETTA_EVENT_HIRED, VALLETTA_EVENT_PLAYED_CARDS_DISCARDED,
    VALLETTA_EVENT_FINAL_PHASE_TRIGGERED, VALLETTA_EVENT_FINAL_PHASE_BEGAN,
    VALLETTA_EVENT_PLAYER_DROPPED_OUT, VALLETTA_EVENT_GAME_ENDED, VALLETTA_EVENTS
};

enum {
    VALLETTA_LAST_BARREL, VALLETTA_SCORE, VALLETTA_HOUSES,
};

/* The first number of each type of action. */
enum {
    VALLETTA_DEAL_BUILDING = 0,
    VALLETTA_DRAW_CARD = 37,
    VALLETTA_REVEAL_BARREL = 68,
    VALLETTA_DRAFT_GOOD = 72,
    VALLETTA_PLAY_CARD = 76,
    VALLETTA_TAKE_GOOD = 138,
    VALLETTA_TAKE_GOODS = 142,
    VALLETTA_RETURN_GOOD = 152,
    VALLETTA_GIVE_GOOD = 156,
    VALLETTA_BUILD = 160,
    VALLETTA_UPGRADE = 190,
    VALLETTA_PAY = 220,
    VALLETTA_DISMISS = 269,
    VALLETTA_HIRE = 300,
    VALLETTA_DECLINE = 331,
    VALLETTA_NUMBERS = 332,
};

/* Limits. */
enum {
    VALLETTA_MAX_PLAYERS = 4,
    VALLETTA_MAX_SITES = 30,
    VALLETTA_MAX_DESIGNS = 255,
    VALLETTA_MOST_EVENTS = 64,
};

/* The number to which each chapter adds the numbers of its clauses. */
enum {
    VALLETTA_CLAUSE_REA = 1380270336,
    VALLETTA_CLAUSE_CMP = 1129140224,
    VALLETTA_CLAUSE_SET = 1397052416,
    VALLETTA_CLAUSE_TRN = 1414680064,
    VALLETTA_CLAUSE_RED = 1380271104,
    VALLETTA_CLAUSE_BLD = 1112294400,
    VALLETTA_CLAUSE_VAL = 1447119872,
    VALLETTA_CLAUSE_GRN = 1196576256,
    VALLETTA_CLAUSE_BLU = 1112298752,
    VALLETTA_CLAUSE_YEL = 1497713664,
    VALLETTA_CLAUSE_FIN = 1179209216,
    VALLETTA_CLAUSE_SCO = 1396920064,
    VALLETTA_CLAUSE_INF = 1229866496,
};

/* The sizes of the types. */
enum {
    VALLETTA_BAG_BYTES = 41,
    VALLETTA_STEP_BYTES = 8,
    VALLETTA_PLAYER_BYTES = 184,
    VALLETTA_POSITION_BYTES = 924,
    VALLETTA_TABLE_BYTES = 2060,
    VALLETTA_GOODS_BYTES = 16,
    VALLETTA_REFUSAL_BYTES = 76,
    VALLETTA_EVENT_BYTES = 36,
};

/* A multiset of cards: the number of each kind, and the total. The array is longer than the
 * number of kinds in the game. */
typedef struct {
    uint8_t of[40];
    uint8_t total;
} valletta_bag;
static_assert(sizeof(valletta_bag) == VALLETTA_BAG_BYTES, "bag: no holes");

/* A step of the agenda. By kind, `value` is the site of a payment, the number of plays of a
 * turn, the seat that takes goods, or the character that grants a good; `goods` is the price,
 * the reduction or the choice. */
typedef struct {
    uint8_t kind;
    uint8_t seat;
    uint8_t value;
    uint8_t unused;
    uint8_t goods[4];
} valletta_step;
static_assert(sizeof(valletta_step) == VALLETTA_STEP_BYTES, "step: no holes");

/* The state of one player; `built` and `upgraded` are bit sets of sites. */
typedef struct {
    valletta_bag hand;
    valletta_bag draw_pile;
    valletta_bag discard_pile;
    valletta_bag shown;
    uint32_t built;
    uint32_t upgraded;
    uint16_t goods[4];
    uint16_t score;
    uint16_t unused;
} valletta_player;
static_assert(sizeof(valletta_player) == VALLETTA_PLAYER_BYTES, "player: no holes");

/* A position. The members are in an order that allows compact storage: of the agenda, only the
 * first `steps` steps are needed; the members from `display` to `players` are equal in all
 * positions of a game after the setup; and the array of players can be truncated after the last
 * player. */
typedef struct {
    valletta_step agenda[12]; /* the next step is the last one */
    uint8_t display[30]; /* indices of designs in the card set */
    uint8_t dealt; /* the number of buildings in the display */
    uint8_t players;
    uint8_t active;
    uint8_t phase;
    uint8_t valette;
    uint8_t plays; /* the number of cards played this turn */
    uint8_t steps; /* the number of steps on the agenda */
    uint8_t fault; /* a limit was exceeded; 0 in all returned positions */
    uint8_t barrels[4];
    uint8_t played[8];
    valletta_bag supply;
    uint8_t told; /* events are logged; 0 in all returned positions */
    valletta_player player[4];
} valletta_position;
static_assert(sizeof(valletta_position) == VALLETTA_POSITION_BYTES, "position: no holes");

/* The constants of a game: rule set and cards. `valletta_complete` computes the members that
 * follow from `players` and `answers`. */
typedef struct {
    uint8_t players;
    uint8_t effects_are_optional;
    uint8_t apprentice_is_red;
    uint8_t fewer_barrels;
    uint32_t barrel_spaces; /* a bit set of the spaces that have a barrel at the start */
    uint8_t designs;
    uint8_t character[255];
    uint8_t icon[255];
    uint8_t points[255];
    uint8_t copies[255];
    uint8_t cost[255][4];
    uint8_t barrels[4]; /* the number of barrels that show each good */
    uint8_t answers[6]; /* the answers of the rule set, encoded as in arrays */
    uint8_t unused;
} valletta_table;
static_assert(sizeof(valletta_table) == VALLETTA_TABLE_BYTES, "table: no holes");

/* An amount of each good. */
typedef struct {
    int32_t of[4];
} valletta_goods;
static_assert(sizeof(valletta_goods) == VALLETTA_GOODS_BYTES, "goods: no holes");

/* The reason why an action is illegal. `code` is the code of a violation in the Python package,
 * or `VALLETTA_MALFORMED` if the action is not one of this game. `clause` is the number of the
 * chapter plus the number of the clause: `VALLETTA_CLAUSE_BLD + 3` is BLD-3 (the upper bytes are
 * its letters). The other members are the facts, except those that the action itself contains. */
typedef struct {
    int32_t code;
    uint32_t clause;
    uint32_t facts; /* a bit set of the facts that apply */
    int32_t character;
    int32_t site;
    int32_t owner; /* -1 if there is no owner */
    int32_t owned;
    valletta_goods price;
    valletta_goods goods;
    valletta_goods missing;
} valletta_refusal;
static_assert(sizeof(valletta_refusal) == VALLETTA_REFUSAL_BYTES, "refusal: no holes");

/* An event; its kinds are those of the Python package. By kind, `value` is the card, good,
 * condition, space, design, points or plays, and `other` is the site or the seat that takes
 * goods. */
typedef struct {
    int32_t kind;
    int32_t seat;
    int32_t value;
    int32_t other;
    uint32_t clause; /* 0 if the kind determines the clause */
    valletta_goods goods;
} valletta_event;
static_assert(sizeof(valletta_event) == VALLETTA_EVENT_BYTES, "event: no holes");

#endif
