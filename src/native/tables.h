/* The tables of the game.  Written by `python -m spec.checks accept generated`. */

#ifndef VALLETTA_TABLES_H
#define VALLETTA_TABLES_H

#include <stdint.h>

enum { TABLES_VERSION = 583046145 };

enum {
    RED, PURPLE, GREEN, BLUE, YELLOW, COLOURS
};

enum {
    GOLD, WOOD, STONE, BRICK, GOODS
};

enum {
    SHOPKEEPER, LUMBERJACK, STONE_SCULPTOR, BRICK_WORKER, MAID, BUILDER, APPRENTICE, VALETTE,
    BANKER, WOODWORKER, CARVER, MASON, MONK, BRICKLAYER, TRADER, SEAMSTRESS, MERCHANT, ARTISAN,
    CHAMBERLAIN, STONEMASON, INNKEEPER, NUN, CARPENTER, TAX_COLLECTOR, ARCHITECT, GRAND_BAILIFF,
    GRAND_MASTER, PHILIP, CHARLES, PIUS, KNIGHT, CHARACTERS
};

enum {
    SETUP, MAIN, FINAL, OVER, PHASES
};

enum {
    NO_STEP, DEAL_PROMPT, DRAW_PROMPT, BARREL_PROMPT, DRAFT_PROMPT, PLAY_PROMPT, MAID_PROMPT,
    SITE_PROMPT, PAYMENT_PROMPT, VALETTE_PROMPT, MONK_PROMPT, TRADER_PROMPT, SEAMSTRESS_PROMPT,
    ARTISAN_PROMPT, NUN_PROMPT, BONUS_PROMPT, ARCHITECT_PROMPT, TURN, END_TURN, PASS_TURN, STEPS
};

enum {
    EFFECTS, OPENING, BARREL_LAYOUT, APPRENTICE_COLOUR, START_PLAYER_VARIANT, FEWER_BARRELS, ANSWERS
};

enum {
    COMPULSORY, OPTIONAL,
};

enum {
    DRAFT, DRAFT_AND_STAGGERED,
};

enum {
    EVERY_SPACE, BY_PLAYERS,
};

enum {
    GAME_OVER, WRONG_KIND, CARD_NOT_IN_HAND, CARD_NOT_IN_SUPPLY, CARD_NOT_IN_PILE,
    EFFECT_COMPULSORY, NO_EFFECT_TO_DECLINE, SITE_TAKEN, SITE_NOT_OWN, ALREADY_BUILT,
    ALREADY_UPGRADED, NO_HOUSE_LEFT, NOT_AFFORDABLE, NOT_OWNED, PAYMENT_SHORT, PAYMENT_EXCESSIVE,
    GOOD_NOT_OFFERED, WRONG_NUMBER_OF_GOODS, BUILDING_NOT_AVAILABLE, NO_SUCH_BARREL, MALFORMED
};

enum {
    FACT_PROMPT, FACT_ACTION, FACT_CHARACTER, FACT_BUILDING, FACT_GOOD, FACT_OWNED, FACT_SITE,
    FACT_OWNER, FACT_PRICE, FACT_PAYMENT, FACT_GOODS, FACT_MISSING,
};

enum {
    EVENT_BUILDING_DEALT, EVENT_CARD_DRAWN, EVENT_RESHUFFLED, EVENT_GOOD_DRAFTED, EVENT_TURN_BEGAN,
    EVENT_CARD_PLAYED, EVENT_CARD_COPIED, EVENT_EFFECT_DECLINED, EVENT_EFFECT_FIZZLED,
    EVENT_GOODS_TAKEN, EVENT_GOODS_RETURNED, EVENT_GOODS_GIVEN, EVENT_POINTS_SCORED, EVENT_BUILT,
    EVENT_UPGRADED, EVENT_VALETTE_MOVED, EVENT_BARREL_REVEALED, EVENT_DISMISSED, EVENT_HIRED,
    EVENT_PLAYED_CARDS_DISCARDED, EVENT_FINAL_PHASE_TRIGGERED, EVENT_FINAL_PHASE_BEGAN,
    EVENT_PLAYER_DROPPED_OUT, EVENT_GAME_ENDED, EVENTS
};

enum {
    LAST_BARREL, SCORE, HOUSES,
};

enum {
    NEVER, AT_ITS_CHOICE, AS_PLAYED, AS_PLAYED_IF_OPTIONAL, DECLININGS
};

/* The first number of each type of action. */
enum {
    DEAL_BUILDING = 0,
    DRAW_CARD = 37,
    REVEAL_BARREL = 68,
    DRAFT_GOOD = 72,
    PLAY_CARD = 76,
    TAKE_GOOD = 138,
    TAKE_GOODS = 142,
    RETURN_GOOD = 152,
    GIVE_GOOD = 156,
    BUILD = 160,
    UPGRADE = 190,
    PAY = 220,
    DISMISS = 269,
    HIRE = 300,
    DECLINE = 331,
    NUMBERS = 332
};

/* The constants of the rules. */
enum {
    PLAYS_PER_TURN = 3,
    HAND_SIZE = 5,
    HOUSES_PER_PLAYER = 8,
    TOWER = 0,
    LAST_SPACE = 25,
    AREA_LENGTH = 5,
    ROW_LENGTH = 5,
    TRIGGERING_SCORE = 25,
    SUBSTITUTES = 3,
    CONSTRUCTION_BONUS = 2,
    GOODS_PER_POINT = 3,
    MONK_SPARES = 4,
    INNKEEPER_SPARES = 2,
    TAX_COLLECTOR_SPARES = 3,
    NUN_TAKES = 3,
    ARCHITECT_PRICE = 4,
    ARCHITECT_POINTS = 4,
    BAILIFF_POINTS = 4,
    GRAND_MASTER_POINTS = 5,
    KNIGHT_POINTS = 2,
    BUILDING_CARDS = 37,
    BARREL_TOKENS = 25,
    YELLOW_COPIES = 2,
    MOST_COST = 9,
    DEAREST = 16,
    MOST_POINTS = 9,
};

/* The limits of a row. */
enum {
    LAYOUT_VERSION = 1,
    MAX_PLAYERS = 4,
    MAX_KINDS = 40,
    MAX_SITES = 30,
    MAX_DESIGNS = 255,
    MAX_PLAYED = 8,
    MAX_STEPS = 12,
    MOST_GOODS = 65000,
    MOST_SCORE = 65000,
    MOST_CARDS = 128,
    MOST_EVENTS = 64,
};

/* The encoding of views as arrays. */
enum {
    PARTS = 3,
    MOST_NUMBER = 32767,
};

/* The number to which each chapter adds the numbers of its clauses. */
enum {
    CLAUSE_REA = 1380270336,
    CLAUSE_CMP = 1129140224,
    CLAUSE_SET = 1397052416,
    CLAUSE_TRN = 1414680064,
    CLAUSE_RED = 1380271104,
    CLAUSE_BLD = 1112294400,
    CLAUSE_VAL = 1447119872,
    CLAUSE_GRN = 1196576256,
    CLAUSE_BLU = 1112298752,
    CLAUSE_YEL = 1497713664,
    CLAUSE_FIN = 1179209216,
    CLAUSE_SCO = 1396920064,
    CLAUSE_INF = 1229866496,
};

/* The types of actions. */
enum {
    DEAL_BUILDING_KIND = 0,
    DRAW_CARD_KIND = 1,
    REVEAL_BARREL_KIND = 2,
    DRAFT_GOOD_KIND = 3,
    PLAY_CARD_KIND = 4,
    TAKE_GOOD_KIND = 5,
    TAKE_GOODS_KIND = 6,
    RETURN_GOOD_KIND = 7,
    GIVE_GOOD_KIND = 8,
    BUILD_KIND = 9,
    UPGRADE_KIND = 10,
    PAY_KIND = 11,
    DISMISS_KIND = 12,
    HIRE_KIND = 13,
    DECLINE_KIND = 14,
    KINDS = 15
};

static const uint8_t COLOUR_OF[CHARACTERS] = {
    RED, RED, RED, RED, RED, RED, RED, PURPLE, GREEN, GREEN, GREEN, GREEN, BLUE, BLUE, BLUE, BLUE,
    BLUE, BLUE, BLUE, BLUE, BLUE, BLUE, BLUE, BLUE, YELLOW, YELLOW, YELLOW, YELLOW, YELLOW, YELLOW,
    YELLOW,
};

static const uint8_t DECLINING[CHARACTERS] = {
    AS_PLAYED_IF_OPTIONAL, AS_PLAYED_IF_OPTIONAL, AS_PLAYED_IF_OPTIONAL, AS_PLAYED_IF_OPTIONAL,
    AT_ITS_CHOICE, AT_ITS_CHOICE, NEVER, NEVER, AS_PLAYED_IF_OPTIONAL, AS_PLAYED_IF_OPTIONAL,
    AS_PLAYED_IF_OPTIONAL, AS_PLAYED_IF_OPTIONAL, AS_PLAYED_IF_OPTIONAL, AT_ITS_CHOICE,
    AT_ITS_CHOICE, AT_ITS_CHOICE, AS_PLAYED, AT_ITS_CHOICE, AS_PLAYED_IF_OPTIONAL, AT_ITS_CHOICE,
    AS_PLAYED_IF_OPTIONAL, AT_ITS_CHOICE, AT_ITS_CHOICE, AS_PLAYED_IF_OPTIONAL, AT_ITS_CHOICE,
    AS_PLAYED, AS_PLAYED, AS_PLAYED_IF_OPTIONAL, AS_PLAYED_IF_OPTIONAL, AS_PLAYED_IF_OPTIONAL,
    AS_PLAYED_IF_OPTIONAL,
};

static const uint8_t REDUCTIONS[CHARACTERS][GOODS] = {
    {0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0},
    {0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0},
    {0, 0, 0, 0}, {0, 0, 0, 2}, {0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0},
    {0, 0, 0, 0}, {0, 0, 2, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}, {0, 2, 0, 0}, {0, 0, 0, 0},
    {0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0},
    {0, 0, 0, 0},
};

static const uint8_t BONUS_GOODS[CHARACTERS][GOODS] = {
    {0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0},
    {0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0},
    {1, 1, 1, 1}, {0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0},
    {0, 0, 0, 0}, {0, 0, 0, 0}, {1, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}, {0, 1, 1, 1},
    {0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0},
    {0, 0, 0, 0},
};

static const uint8_t COPIED_COLOURS[COLOURS] = {
    1, 0, 1, 0, 0,
};

static const uint8_t PAIRS[RETURN_GOOD - TAKE_GOODS][GOODS] = {
    {0, 0, 0, 2}, {0, 0, 1, 1}, {0, 0, 2, 0}, {0, 1, 0, 1}, {0, 1, 1, 0}, {0, 2, 0, 0},
    {1, 0, 0, 1}, {1, 0, 1, 0}, {1, 1, 0, 0}, {2, 0, 0, 0},
};

static const uint32_t NEIGHBOURS[MAX_SITES] = {
    0x402, 0x805, 0x100a, 0x2014, 0x4008, 0x8040, 0x100a0, 0x20140, 0x40280, 0x80100, 0x100801,
    0x201402, 0x402804, 0x805008, 0x1002010, 0x2010020, 0x4028040, 0x8050080, 0x100a0100,
    0x20040200, 0x200400, 0x500800, 0xa01000, 0x1402000, 0x804000, 0x4008000, 0xa010000, 0x14020000,
    0x28040000, 0x10080000,
};

static const uint32_t FIRSTS[KINDS] = {
    0, 37, 68, 72, 76, 138, 142, 152, 156, 160, 190, 220, 269, 300, 331,
};

static const uint32_t ANSWERED_BY[STEPS] = {
    0x0, 0x1, 0x2, 0x4, 0x8, 0x10, 0x4020, 0x4600, 0x800, 0x7000, 0x100, 0x4080, 0x4040, 0x4020,
    0x4020, 0x4020, 0x4080, 0x0, 0x0, 0x0,
};

static const uint32_t STEP_CLAUSES[STEPS] = {
    0x0, 0x53455409, 0x54524e12, 0x56414c04, 0x53455416, 0x54524e02, 0x52454406, 0x424c4401,
    0x424c4413, 0x56414c08, 0x424c5502, 0x424c5507, 0x424c550a, 0x424c550f, 0x424c551a, 0x0,
    0x59454c02, 0x0, 0x0, 0x0,
};

static const uint32_t CONDITION_CLAUSES[] = {
    0x46494e01, 0x46494e02, 0x46494e03,
};

static const uint32_t PERMISSIONS[CHARACTERS] = {
    0x52454405, 0x52454405, 0x52454405, 0x52454405, 0x54524e0b, 0x54524e0b, 0, 0x54524e0b,
    0x47524e09, 0x47524e09, 0x47524e09, 0x47524e09, 0x424c5521, 0x54524e0b, 0x54524e0b, 0x54524e0b,
    0x424c550d, 0x54524e0b, 0x424c5515, 0x54524e0b, 0x424c5521, 0x54524e0b, 0x54524e0b, 0x424c5521,
    0x54524e0b, 0x59454c08, 0x59454c08, 0x59454c10, 0x59454c10, 0x59454c10, 0x59454c10,
};

static const uint32_t BONUS_CLAUSES[CHARACTERS] = {
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x424c5505, 0, 0, 0, 0, 0, 0, 0, 0x424c5519, 0, 0,
    0x424c5520, 0, 0, 0, 0, 0, 0, 0,
};

static const uint8_t SITES[MAX_PLAYERS + 1] = {
    0, 0, 20, 25, 30,
};

static const uint8_t QUOTAS[MAX_PLAYERS + 1][COLOURS] = {
    {0, 0, 0, 0, 0}, {0, 0, 0, 0, 0}, {0, 0, 6, 8, 6}, {0, 0, 8, 10, 7}, {0, 0, 10, 12, 8},
};

static const uint8_t TRADER_TAKES[GOODS] = {
    3, 0, 0, 0,
};

static const uint8_t MERCHANT_WARES[GOODS] = {
    0, 1, 1, 1,
};

static const uint8_t BAILIFF_PRICE[GOODS] = {
    4, 0, 0, 0,
};

static const uint8_t GRAND_MASTER_PRICE[GOODS] = {
    1, 1, 1, 1,
};

static const uint8_t STARTING_DECK[CHARACTERS] = {
    1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
};

static const uint8_t GENERAL_SUPPLY[CHARACTERS] = {
    0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
};

static const uint8_t STAGGERED_PLAYS[] = {
    1, 2,
};

static const uint8_t APPRENTICE_COLOURS[] = {
    RED, PURPLE,
};

static const uint8_t BUILT_IN_DESIGNS[][4 + GOODS] = {
    {8, 0, 1, 3, 1, 1, 1, 1}, {9, 1, 1, 3, 1, 0, 1, 2}, {10, 2, 1, 3, 1, 2, 0, 1},
    {11, 3, 1, 3, 1, 1, 2, 0}, {22, 1, 2, 2, 3, 0, 2, 1}, {19, 2, 2, 2, 3, 1, 0, 2},
    {13, 3, 2, 2, 3, 2, 1, 0}, {12, 1, 2, 1, 3, 1, 1, 1}, {14, 0, 2, 1, 1, 1, 2, 1},
    {15, 2, 2, 1, 2, 2, 1, 1}, {16, 3, 2, 1, 2, 1, 1, 1}, {17, 0, 3, 1, 2, 2, 1, 2},
    {18, 0, 2, 1, 2, 2, 1, 0}, {20, 0, 2, 1, 1, 0, 1, 2}, {21, 1, 2, 1, 2, 1, 2, 1},
    {23, 2, 3, 1, 2, 1, 1, 2}, {24, 3, 4, 1, 2, 1, 2, 2}, {25, 0, 3, 1, 3, 1, 1, 1},
    {26, 0, 4, 1, 1, 2, 2, 2}, {27, 1, 4, 2, 3, 1, 1, 3}, {28, 2, 4, 2, 3, 1, 3, 1},
    {29, 3, 2, 2, 2, 3, 1, 1}, {30, 0, 4, 1, 4, 2, 1, 1},
};

static const uint8_t BUILT_IN_BARRELS[GOODS] = {
    7, 6, 6, 6,
};

static const char *const CHARACTER_NAMES[CHARACTERS] = {
    "shopkeeper", "lumberjack", "stone_sculptor", "brick_worker", "maid", "builder", "apprentice",
    "valette", "banker", "woodworker", "carver", "mason", "monk", "bricklayer", "trader",
    "seamstress", "merchant", "artisan", "chamberlain", "stonemason", "innkeeper", "nun",
    "carpenter", "tax_collector", "architect", "grand_bailiff", "grand_master", "philip", "charles",
    "pius", "knight",
};

static const char *const GOOD_NAMES[GOODS] = {
    "gold", "wood", "stone", "brick",
};

#endif
