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

/* The most players, and so on. */
enum {
    VALLETTA_MAX_PLAYERS = 4,
    VALLETTA_MAX_SITES = 30,
    VALLETTA_MAX_DESIGNS = 255,
    VALLETTA_MOST_EVENTS = 64,
};

/* What the numbers of clauses begin with. */
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

/* How large the types are. */
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

/* Cards whose order does not matter: how many of each kind, and the total. There is room for
 * more kinds than the game has. */
typedef struct {
    uint8_t of[40];
    uint8_t total;
} valletta_bag;
static_assert(sizeof(valletta_bag) == VALLETTA_BAG_BYTES, "bag: no holes");

/* A step of the agenda. `value` is the site of a payment, the plays of a turn, the seat that
 * takes, or the character that grants a good; `goods` the price, the reduction or the choice. */
typedef struct {
    uint8_t kind;
    uint8_t seat;
    uint8_t value;
    uint8_t unused;
    uint8_t goods[4];
} valletta_step;
static_assert(sizeof(valletta_step) == VALLETTA_STEP_BYTES, "step: no holes");

/* What belongs to one player; `built` and `upgraded` have a bit for each site. */
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

/* A position. What comes first need not be kept with each: of the agenda only the steps that are
 * there, and what follows it up to `players` once for a game. The players come last, so that a
 * position can be cut off behind the last of them. */
typedef struct {
    valletta_step agenda[12]; /* the next step last */
    uint8_t display[30]; /* designs, by their places in the card set */
    uint8_t dealt; /* buildings in the display */
    uint8_t players;
    uint8_t active;
    uint8_t phase;
    uint8_t valette;
    uint8_t plays; /* cards played this turn */
    uint8_t steps; /* on the agenda */
    uint8_t fault; /* a limit was exceeded; never set in a row that is returned */
    uint8_t barrels[4];
    uint8_t played[8];
    valletta_bag supply;
    uint8_t told; /* a player or spectator hears of events; never in a row that is returned */
    valletta_player player[4];
} valletta_position;
static_assert(sizeof(valletta_position) == VALLETTA_POSITION_BYTES, "position: no holes");

/* What is the same in all positions of a game: rule set and cards. What follows from the players
 * and the answers is filled in by `valletta_complete`. */
typedef struct {
    uint8_t players;
    uint8_t effects_are_optional;
    uint8_t apprentice_is_red;
    uint8_t fewer_barrels;
    uint32_t barrel_spaces; /* a bit for each space that has a barrel at the start */
    uint8_t designs;
    uint8_t character[255];
    uint8_t icon[255];
    uint8_t points[255];
    uint8_t copies[255];
    uint8_t cost[255][4];
    uint8_t barrels[4]; /* how many show each good */
    uint8_t answers[6]; /* of the rule set, as encoded in arrays */
    uint8_t unused;
} valletta_table;
static_assert(sizeof(valletta_table) == VALLETTA_TABLE_BYTES, "table: no holes");

/* An amount of each good. */
typedef struct {
    int32_t of[4];
} valletta_goods;
static_assert(sizeof(valletta_goods) == VALLETTA_GOODS_BYTES, "goods: no holes");

/* Why an action is refused. The code is that of a violation in the Python package, or
 * `VALLETTA_MALFORMED` for what is no action of this game; the clause is its number after its
 * chapter: `VALLETTA_CLAUSE_BLD + 3` is BLD-3, whose letters are the upper bytes. The facts
 * follow in numbers, but for those of the action itself. */
typedef struct {
    int32_t code;
    uint32_t clause;
    uint32_t facts; /* a bit for each that belongs to it */
    int32_t character;
    int32_t site;
    int32_t owner; /* -1 for nobody */
    int32_t owned;
    valletta_goods price;
    valletta_goods goods;
    valletta_goods missing;
} valletta_refusal;
static_assert(sizeof(valletta_refusal) == VALLETTA_REFUSAL_BYTES, "refusal: no holes");

/* Something that happened; its kinds are those of events in the Python package. `value` is the
 * card, good, condition, space or design, the points or the plays; `other` the site or the seat
 * that takes. */
typedef struct {
    int32_t kind;
    int32_t seat;
    int32_t value;
    int32_t other;
    uint32_t clause; /* 0 where its kind says it */
    valletta_goods goods;
} valletta_event;
static_assert(sizeof(valletta_event) == VALLETTA_EVENT_BYTES, "event: no holes");

#endif
