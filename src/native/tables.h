/* The tables of the game.  Written by `python -m spec.checks accept generated`. */

#ifndef VALLETTA_TABLES_H
#define VALLETTA_TABLES_H

#include <stdint.h>

enum { TABLES_VERSION = 5 };

enum {
    RED,
    PURPLE,
    GREEN,
    BLUE,
    YELLOW,
    COLOURS
};

enum {
    GOLD,
    WOOD,
    STONE,
    BRICK,
    GOODS
};

enum {
    SHOPKEEPER,
    LUMBERJACK,
    STONE_SCULPTOR,
    BRICK_WORKER,
    MAID,
    BUILDER,
    APPRENTICE,
    VALETTE,
    BANKER,
    WOODWORKER,
    CARVER,
    MASON,
    MONK,
    BRICKLAYER,
    TRADER,
    SEAMSTRESS,
    MERCHANT,
    ARTISAN,
    CHAMBERLAIN,
    STONEMASON,
    INNKEEPER,
    NUN,
    CARPENTER,
    TAX_COLLECTOR,
    ARCHITECT,
    GRAND_BAILIFF,
    GRAND_MASTER,
    PHILIP,
    CHARLES,
    PIUS,
    KNIGHT,
    CHARACTERS
};

enum {
    SETUP,
    MAIN,
    FINAL,
    OVER,
    PHASES
};

enum {
    NO_STEP,
    DEAL_PROMPT,
    DRAW_PROMPT,
    BARREL_PROMPT,
    DRAFT_PROMPT,
    PLAY_PROMPT,
    MAID_PROMPT,
    SITE_PROMPT,
    PAYMENT_PROMPT,
    VALETTE_PROMPT,
    MONK_PROMPT,
    TRADER_PROMPT,
    SEAMSTRESS_PROMPT,
    ARTISAN_PROMPT,
    NUN_PROMPT,
    BONUS_PROMPT,
    ARCHITECT_PROMPT,
    TURN,
    END_TURN,
    PASS_TURN,
    STEPS
};

enum {
    EFFECTS,
    OPENING,
    BARREL_LAYOUT,
    APPRENTICE_COLOUR,
    START_PLAYER_VARIANT,
    FEWER_BARRELS,
    ANSWERS
};

enum {
    COMPULSORY,
    OPTIONAL,
};

enum {
    DRAFT,
    DRAFT_AND_STAGGERED,
};

enum {
    EVERY_SPACE,
    BY_PLAYERS,
};

enum {
    NEVER,
    AT_ITS_CHOICE,
    AS_PLAYED,
    AS_PLAYED_IF_OPTIONAL,
    DECLININGS
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

/* The numbers of the rules. */
enum {
    HAND_SIZE = 5,
    HOUSES_PER_PLAYER = 8,
    LAST_SPACE = 25,
    TOWER = 0,
    AREA_LENGTH = 5,
    ROW_LENGTH = 5,
    PLAYS_PER_TURN = 3,
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
};

/* How much a row can hold. */
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
};

/* How views are written as arrays. */
enum {
    PARTS = 3,
    MOST_NUMBER = 32767,
};

static const uint8_t COLOUR_OF[CHARACTERS] = {
    RED,
    RED,
    RED,
    RED,
    RED,
    RED,
    RED,
    PURPLE,
    GREEN,
    GREEN,
    GREEN,
    GREEN,
    BLUE,
    BLUE,
    BLUE,
    BLUE,
    BLUE,
    BLUE,
    BLUE,
    BLUE,
    BLUE,
    BLUE,
    BLUE,
    BLUE,
    YELLOW,
    YELLOW,
    YELLOW,
    YELLOW,
    YELLOW,
    YELLOW,
    YELLOW,
};

static const uint8_t DECLINING[CHARACTERS] = {
    AS_PLAYED_IF_OPTIONAL,
    AS_PLAYED_IF_OPTIONAL,
    AS_PLAYED_IF_OPTIONAL,
    AS_PLAYED_IF_OPTIONAL,
    AT_ITS_CHOICE,
    AT_ITS_CHOICE,
    NEVER,
    NEVER,
    AS_PLAYED_IF_OPTIONAL,
    AS_PLAYED_IF_OPTIONAL,
    AS_PLAYED_IF_OPTIONAL,
    AS_PLAYED_IF_OPTIONAL,
    AS_PLAYED_IF_OPTIONAL,
    AT_ITS_CHOICE,
    AT_ITS_CHOICE,
    AT_ITS_CHOICE,
    AS_PLAYED,
    AT_ITS_CHOICE,
    AS_PLAYED_IF_OPTIONAL,
    AT_ITS_CHOICE,
    AS_PLAYED_IF_OPTIONAL,
    AT_ITS_CHOICE,
    AT_ITS_CHOICE,
    AS_PLAYED_IF_OPTIONAL,
    AT_ITS_CHOICE,
    AS_PLAYED,
    AS_PLAYED,
    AS_PLAYED_IF_OPTIONAL,
    AS_PLAYED_IF_OPTIONAL,
    AS_PLAYED_IF_OPTIONAL,
    AS_PLAYED_IF_OPTIONAL,
};

static const uint8_t REDUCTIONS[CHARACTERS][GOODS] = {
    {0, 0, 0, 0},
    {0, 0, 0, 0},
    {0, 0, 0, 0},
    {0, 0, 0, 0},
    {0, 0, 0, 0},
    {0, 0, 0, 0},
    {0, 0, 0, 0},
    {0, 0, 0, 0},
    {0, 0, 0, 0},
    {0, 0, 0, 0},
    {0, 0, 0, 0},
    {0, 0, 0, 0},
    {0, 0, 0, 0},
    {0, 0, 0, 2},
    {0, 0, 0, 0},
    {0, 0, 0, 0},
    {0, 0, 0, 0},
    {0, 0, 0, 0},
    {0, 0, 0, 0},
    {0, 0, 2, 0},
    {0, 0, 0, 0},
    {0, 0, 0, 0},
    {0, 2, 0, 0},
    {0, 0, 0, 0},
    {0, 0, 0, 0},
    {0, 0, 0, 0},
    {0, 0, 0, 0},
    {0, 0, 0, 0},
    {0, 0, 0, 0},
    {0, 0, 0, 0},
    {0, 0, 0, 0},
};

static const uint8_t BONUS_GOODS[CHARACTERS][GOODS] = {
    {0, 0, 0, 0},
    {0, 0, 0, 0},
    {0, 0, 0, 0},
    {0, 0, 0, 0},
    {0, 0, 0, 0},
    {0, 0, 0, 0},
    {0, 0, 0, 0},
    {0, 0, 0, 0},
    {0, 0, 0, 0},
    {0, 0, 0, 0},
    {0, 0, 0, 0},
    {0, 0, 0, 0},
    {1, 1, 1, 1},
    {0, 0, 0, 0},
    {0, 0, 0, 0},
    {0, 0, 0, 0},
    {0, 0, 0, 0},
    {0, 0, 0, 0},
    {0, 0, 0, 0},
    {0, 0, 0, 0},
    {1, 0, 0, 0},
    {0, 0, 0, 0},
    {0, 0, 0, 0},
    {0, 1, 1, 1},
    {0, 0, 0, 0},
    {0, 0, 0, 0},
    {0, 0, 0, 0},
    {0, 0, 0, 0},
    {0, 0, 0, 0},
    {0, 0, 0, 0},
    {0, 0, 0, 0},
};

static const uint8_t COPIED_COLOURS[COLOURS] = {
    1,
    0,
    1,
    0,
    0,
};

static const uint8_t PAIRS[RETURN_GOOD - TAKE_GOODS][GOODS] = {
    {0, 0, 0, 2},
    {0, 0, 1, 1},
    {0, 0, 2, 0},
    {0, 1, 0, 1},
    {0, 1, 1, 0},
    {0, 2, 0, 0},
    {1, 0, 0, 1},
    {1, 0, 1, 0},
    {1, 1, 0, 0},
    {2, 0, 0, 0},
};

static const uint32_t NEIGHBOURS[MAX_SITES] = {
    0x402,
    0x805,
    0x100a,
    0x2014,
    0x4008,
    0x8040,
    0x100a0,
    0x20140,
    0x40280,
    0x80100,
    0x100801,
    0x201402,
    0x402804,
    0x805008,
    0x1002010,
    0x2010020,
    0x4028040,
    0x8050080,
    0x100a0100,
    0x20040200,
    0x200400,
    0x500800,
    0xa01000,
    0x1402000,
    0x804000,
    0x4008000,
    0xa010000,
    0x14020000,
    0x28040000,
    0x10080000,
};

static const uint8_t SITES[MAX_PLAYERS + 1] = {
    0,
    0,
    20,
    25,
    30,
};

static const uint8_t QUOTAS[MAX_PLAYERS + 1][COLOURS] = {
    {0, 0, 0, 0, 0},
    {0, 0, 0, 0, 0},
    {0, 0, 6, 8, 6},
    {0, 0, 8, 10, 7},
    {0, 0, 10, 12, 8},
};

static const uint8_t TRADER_TAKES[GOODS] = {
    3,
    0,
    0,
    0,
};

static const uint8_t MERCHANT_WARES[GOODS] = {
    0,
    1,
    1,
    1,
};

static const uint8_t BAILIFF_PRICE[GOODS] = {
    4,
    0,
    0,
    0,
};

static const uint8_t GRAND_MASTER_PRICE[GOODS] = {
    1,
    1,
    1,
    1,
};

static const uint8_t STARTING_DECK[CHARACTERS] = {
    1,
    1,
    1,
    1,
    1,
    1,
    1,
    1,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
};

static const uint8_t GENERAL_SUPPLY[CHARACTERS] = {
    0,
    0,
    0,
    0,
    0,
    4,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
};

static const uint8_t STAGGERED_PLAYS[] = {
    1,
    2,
};

static const uint8_t APPRENTICE_COLOURS[] = {
    RED,
    PURPLE,
};

static const uint8_t BUILT_IN_DESIGNS[][4 + GOODS] = {
    {8, 0, 1, 3, 1, 1, 1, 1},
    {9, 1, 1, 3, 1, 0, 1, 2},
    {10, 2, 1, 3, 1, 2, 0, 1},
    {11, 3, 1, 3, 1, 1, 2, 0},
    {22, 1, 2, 2, 2, 0, 2, 1},
    {19, 2, 2, 2, 2, 1, 0, 2},
    {13, 3, 2, 2, 2, 2, 1, 0},
    {12, 1, 2, 1, 2, 1, 1, 1},
    {14, 0, 2, 1, 1, 1, 2, 1},
    {15, 2, 2, 1, 2, 1, 1, 1},
    {16, 3, 2, 1, 2, 1, 1, 1},
    {17, 0, 3, 1, 2, 2, 1, 2},
    {18, 0, 2, 1, 2, 2, 1, 0},
    {20, 0, 2, 1, 1, 1, 1, 2},
    {21, 1, 3, 1, 2, 1, 2, 1},
    {23, 2, 3, 1, 2, 1, 1, 2},
    {24, 3, 4, 1, 3, 1, 2, 2},
    {25, 0, 3, 1, 4, 1, 1, 1},
    {26, 0, 4, 1, 2, 2, 2, 2},
    {27, 1, 4, 2, 3, 1, 1, 3},
    {28, 2, 4, 2, 3, 1, 3, 1},
    {29, 3, 4, 2, 3, 3, 1, 1},
    {30, 0, 3, 1, 3, 2, 1, 1},
};

static const uint8_t BUILT_IN_BARRELS[GOODS] = {
    7,
    6,
    6,
    6,
};

#endif
