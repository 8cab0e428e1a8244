/* The rules of the game on rows.  A row is a position in one block of memory without pointers.
 *
 * This layer does not depend on Python, allocates no memory and has no mutable global variables.
 * Its functions have two main arguments: a table (the rule set and the cards of a game) and a row.
 * Each source file implements a chapter of the rulebook; files and functions have the names of those in
 * src/valletta_rules/rulebook.
 *
 * Two rows are equal if and only if their bytes are equal; unused bytes are zero.
 */

#ifndef VALLETTA_ROW_H
#define VALLETTA_ROW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "tables.h"
#include "valletta.h"

/* The types and functions of valletta.h, with the shorter names of these sources and of Python. */
typedef valletta_goods Goods;
typedef valletta_bag Bag;
typedef valletta_step Step;
typedef valletta_player Player;
typedef valletta_position Row;
typedef valletta_table Table;
typedef valletta_action Action;
typedef valletta_refusal Refusal;
typedef valletta_event Event;
typedef valletta_score Score;
typedef valletta_numbers Numbers;

#define lay_table(...) valletta_begin(__VA_ARGS__)
#define row_size(...) valletta_size(__VA_ARGS__)
#define problem_of_row(...) valletta_problem(__VA_ARGS__)
#define legal_actions(...) valletta_legal_actions(__VA_ARGS__)
#define is_legal(...) valletta_is_legal(__VA_ARGS__)
#define apply(...) valletta_apply(__VA_ARGS__)
#define chance_weights(...) valletta_chance(__VA_ARGS__)
#define resolve_chance(...) valletta_resolve_chance(__VA_ARGS__)
#define determinize(...) valletta_determinize(__VA_ARGS__)
#define redact(...) valletta_redact(__VA_ARGS__)

/* The number of a clause, from its chapter and its number in the chapter; and the bit of a fact. */
#define CLAUSE(chapter, number) ((uint32_t)(CLAUSE_##chapter + number))
#define FACT(name) (1u << FACT_##name)

/* A bit set of kinds of cards. */
typedef uint64_t Kinds;

_Static_assert((int)CHARACTERS <= MAX_KINDS && MAX_KINDS % 8 == 0, "the kinds fill whole words");
_Static_assert(MOST_CARDS <= 128, "counts are compared by words");
_Static_assert(MAX_KINDS <= 64, "a set of kinds has a bit for each");
_Static_assert(sizeof(Step) == 8, "a step is a word");
_Static_assert(offsetof(Row, player) % 4 == 0, "players are aligned");

/* A callback for a payment.  It returns the good whose amount changes next: the last good to get
 * every payment, an earlier good to skip payments that differ only in later goods, or -1 to stop.
 * */
typedef int (*Found)(void *collection, const int payment[GOODS]);

#include "contracts.h"

/* Sets of sites, spaces and kinds have a bit for each.  What these functions ensure is not proved
 * like other contracts, but tested of every set that a game has (tests/native/sets.c). */

/*@ requires 0 <= each < 64;
    assigns \nothing;
    ensures \result != 0 <==> is_of(all, each);
*/
static inline bool is_among(uint64_t all, int each)
{
    return all >> each & 1;
}

/*@ requires all != 0;
    assigns \nothing;
    ensures \result == first(all);
*/
static inline int first_site(uint32_t all)
{
    return __builtin_ctz(all);
}

/*@ requires all != 0;
    assigns \nothing;
    ensures \result == others(all);
*/
static inline uint32_t other_sites(uint32_t all)
{
    return all & (all - 1);
}

/*@ requires 0 <= site < 32;
    assigns \nothing;
    ensures is_of(\result, site);
    ensures \forall integer each; 0 <= each < 64 ==>
      (is_of(\result, each) <==> each == site || is_of(all, each));
    ensures all <= UINT8_MAX && site < 8 ==> \result <= UINT8_MAX;
*/
static inline uint32_t with_site(uint32_t all, int site)
{
    return all | UINT32_C(1) << site;
}

/*@ assigns \nothing;
    ensures \result == both(one, other);
    ensures \forall integer each; 0 <= each < 64 ==>
      (is_of(\result, each) <==> is_of(one, each) && is_of(other, each));
*/
static inline uint32_t in_both(uint32_t one, uint32_t other)
{
    return one & other;
}

/*@ assigns \nothing;
    ensures \forall integer each; 0 <= each < 64 ==>
      (is_of(\result, each) <==> is_of(all, each) && !is_of(some, each));
*/
static inline uint32_t without(uint32_t all, uint32_t some)
{
    return all & ~some;
}

/*@ requires 0 <= count < 32;
    assigns \nothing;
    ensures \forall integer each; 0 <= each < 64 ==> (is_of(\result, each) <==> each < count);
*/
static inline uint32_t first_sites(int count)
{
    return (UINT32_C(1) << count) - 1;
}

/*@ requires all != 0;
    assigns \nothing;
    ensures \result == first(all);
*/
static inline int first_kind(Kinds all)
{
    return __builtin_ctzll(all);
}

/*@ requires all != 0;
    assigns \nothing;
    ensures \result == others(all);
*/
static inline Kinds other_kinds(Kinds all)
{
    return all & (all - 1);
}

/* Return a hash of some bytes; four sums are made side by side. */
static inline uint64_t hash(const void *bytes, size_t size)
{
    enum { SUMS = 4 };
    uint64_t sum[SUMS] = {1, 2, 3, 4}, part;
    size_t place = 0;
    for (; place + sizeof sum <= size; place += sizeof sum) {
        for (int each = 0; each < SUMS; each++) {
            memcpy(&part, (const char *)bytes + place + (size_t)each * sizeof part, sizeof part);
            sum[each] = (sum[each] ^ part) * UINT64_C(0x9E3779B97F4A7C15);
            sum[each] ^= sum[each] >> 32;
        }
    }
    for (; place < size; place += sizeof part) {
        part = 0;
        memcpy(&part, (const char *)bytes + place,
               size - place < sizeof part ? size - place : sizeof part);
        sum[0] = (sum[0] ^ part ^ sum[0] >> 32) * UINT64_C(0x9E3779B97F4A7C15);
    }
    for (int each = 1; each < SUMS; each++) {
        sum[0] = (sum[0] ^ sum[0] >> 32 ^ sum[each]) * UINT64_C(0xBF58476D1CE4E5B9);
    }
    return sum[0] ^ sum[0] >> 29;
}

/* rows.c */
extern const Goods NOTHING;
Goods one(int good);
Goods goods_of(int good, int count);
int total(const Goods *goods);
Goods owned(const Row *row, int seat);
void put(Bag *bag, int character, int count);
/*@ requires \valid_read(bag);
    requires \forall integer kind; 0 <= kind < CHARACTERS ==> bag->of[kind] <= MOST_CARDS;
    requires \forall integer kind; CHARACTERS <= kind < MAX_KINDS ==> bag->of[kind] == 0;
    assigns \nothing;
    ensures \forall integer kind; 0 <= kind < 64 ==>
      (is_of(\result, kind) <==> kind < CHARACTERS && bag->of[kind] > 0);
*/
Kinds kinds_in(const Bag *bag);
bool covers(const Goods *goods, const Goods *other);
int count_sites(uint32_t sites);
Step step(int kind, int seat, int value, const Goods *goods);
Step question(int kind, int seat);
void do_first(Row *row, Step step);
Step done(Row *row);
int opponent(const Row *row, int seat, int place);
int cards_in(const Row *row);
const char *problem_of_table(const Table *table);
const char *complete_table(Table *table);

/* engine.c */
void run(Row *row);

/* ledger.c */
void take(Row *row, int seat, Goods goods, uint32_t clause);
void give_back(Row *row, int seat, Goods goods, uint32_t clause);
void give(Row *row, int giver, int taker, Goods goods, uint32_t clause);
void score(Row *row, int seat, int points, uint32_t clause);

/* houses_and_icons.c */
int owner_of(const Row *row, int site);
uint32_t free_sites(const Row *row);
int icons(const Table *table, const Row *row, int seat, int good);
int count_of_colour(const Table *table, const Row *row, int seat, int colour);
int building_points(const Table *table, const Row *row, int seat);
void gain(Player *player, int character);
void lose(Player *player, int character);
void join_discard_pile(Player *player);

/* effects.c */
bool is_declinable_as_played(const Table *table, int character);
bool check_declining_choice(const Table *table);
void decline(Row *row, int seat, uint32_t clause);
int legal_goods(const Table *table, uint16_t *numbers);
bool check_good(const Table *table, const Action *action);

/* card_effects.c: the effect of each card but the Apprentice, found by the card */
bool can_do_something(const Table *table, const Row *row, int seat, int character);
bool stake(const Table *table, const Row *row, int seat, int character);
void carry_out(const Table *table, Row *row, int seat, int character);

/* setup.c */
void first_turns(const Table *table, Row *row);
bool lacks_a_building(const Row *row);
void left_of_quotas(const Table *table, const Row *row, int left[COLOURS]);
int deal_weights(const Table *table, const Row *row, uint16_t *numbers, uint64_t *weights);
bool check_deal(const Table *table, const Row *row, const Action *action);
void deal(Row *row, const Action *action);
int legal_drafts(Step prompt, uint16_t *numbers);
bool check_draft(Step prompt, const Action *action);
void draft(Row *row, Step prompt, const Action *action);

/* turn.c */
void begin_turn(Row *row, Step turn);
int legal_plays(const Table *table, const Row *row, Step prompt, uint16_t *numbers);
bool may_play_in_vain(const Table *table, const Row *row, int seat, int character);
bool check_play(const Table *table, const Row *row, Step prompt, const Action *action);
void play(const Table *table, Row *row, Step prompt, const Action *action);
bool has_a_card(const Row *row, Step prompt);
void end_turn(Row *row, Step ending);
void reshuffle_if_wanted(Row *row, int seat);
bool draws_a_card(const Row *row, Step prompt);
int draw_weights(const Row *row, Step prompt, uint16_t *numbers, uint64_t *weights);
bool check_draw(const Row *row, Step prompt, const Action *action);
void draw(Row *row, Step prompt, const Action *action);
int cards_wanted(const Row *row, Step prompt);
void pass_turn(Row *row, Step passing);

/* red.c */
void gatherer(Row *row, int seat, int good, uint32_t clause);
void serve(Row *row, Step prompt, const Action *action);
int stands_for(const Table *table, const uint8_t *played, int plays, int character);

/* valette.c */
uint32_t barrel_spaces(const Table *table);
int next_space(const Table *table, const Row *row);
void advance(const Table *table, Row *row, int seat);
bool has_a_choice(const Row *row, Step prompt);
bool can_dismiss_or_hire(const Row *row, int seat);
bool advances(const Row *row);
int barrel_weights(const Row *row, uint16_t *numbers, uint64_t *weights);
bool check_barrel(const Row *row, const Action *action);
void reveal_barrel(Row *row, Step prompt, const Action *action);
int legal_staff(const Row *row, Step prompt, uint16_t *numbers);
bool check_staff(const Row *row, Step prompt, const Action *action);
void dismiss_or_hire(Row *row, Step prompt, const Action *action);

/* green.c */
void collector(const Table *table, Row *row, int seat, int good, uint32_t clause);

/* blue.c */
int legal_bonuses(Step prompt, uint16_t *numbers);
bool check_bonus(Step prompt, const Action *action);
void take_bonus(Row *row, Step prompt, const Action *action);
bool has_to_give(const Row *row, int seat);
bool monk_takes(const Row *row, int seat);
void monk(Row *row, int seat);
int legal_gifts(const Row *row, Step prompt, uint16_t *numbers);
bool check_gift(const Row *row, Step prompt, const Action *action);
void give_to_monk(Row *row, Step prompt, const Action *action);
bool can_trade(const Row *row, int seat);
int legal_trades(const Row *row, Step prompt, uint16_t *numbers);
bool check_trade(const Row *row, Step prompt, const Action *action);
void trade(Row *row, Step prompt, const Action *action);
int legal_pairs(const Table *table, uint16_t *numbers);
bool check_pair(const Table *table, const Action *action);
void take_pair(Row *row, Step prompt, const Action *action);
bool can_buy(const Row *row, int seat);
void merchant(Row *row, int seat);
bool has_icons(const Row *row, int seat);
void craft(const Table *table, Row *row, Step prompt, const Action *action);
bool has_green(const Table *table, const Row *row, int seat);
void chamberlain(const Table *table, Row *row, int seat);
bool anybody_gives(const Row *row, int seat, int character);
void levy(Row *row, int seat, int character);
void share_alms(Row *row, Step prompt, const Action *action);

/* yellow.c */
bool can_pay_architect(const Row *row, int seat);
int legal_plans(const Table *table, const Row *row, Step prompt, uint16_t *numbers);
bool check_plan(const Table *table, const Row *row, Step prompt, const Action *action);
void plan(Row *row, Step prompt, const Action *action);
bool can_sell(const Row *row, int seat, const uint8_t price[GOODS]);
void sale(Row *row, int seat, const uint8_t price[GOODS], int points, uint32_t clause);
void admirer(const Table *table, Row *row, int seat, int colour, uint32_t clause);
bool has_upgraded(const Row *row, int seat);
void pius(Row *row, int seat);
void knight(Row *row, int seat);

/* refusals.c */
uint32_t clause_of(Step prompt);

/* events.c: events are logged only if a caller requests them.  The contracts do not cover events:
 * in the proofs, no caller requests them. */
enum { UNTOLD }; /* instead of a clause: the event is part of another event */
void log_event(Row *row, int kind, int seat, int value, int other, const Goods *goods, uint32_t clause);
void telling_if_triggered(Row *row, unsigned before);
#ifdef __FRAMAC__
#define IF_TOLD(row, telling) ((void)0)
#define CONDITIONS(row) 0
#else
#define IF_TOLD(row, telling) ((row)->told ? telling : (void)0)
#define CONDITIONS(row) ((row)->told ? end_conditions(row) : 0)
#endif
#define TELL(row, kind, seat, value, other, clause) \
    IF_TOLD(row, log_event(row, EVENT_##kind, seat, value, other, NULL, clause))
#define TELL_GOODS(row, kind, seat, other, goods, clause) \
    IF_TOLD(row, log_event(row, EVENT_##kind, seat, 0, other, goods, clause))
#define TELL_IF_TRIGGERED(row, before) IF_TOLD(row, telling_if_triggered(row, before))

/* views.c */
enum { SPECTATOR = VALLETTA_SPECTATOR };
bool determinize_redacted(Row *row, Numbers draw, void *source);

/* encoding.c: the numbers of columns that occur once, for each player, site and step, and at most */
enum {
    ONCE = 4 + ANSWERS + GOODS + 2 * CHARACTERS + MAX_PLAYED + 1 + PARTS,
    EACH_PLAYER = GOODS + 2 + 3 * CHARACTERS,
    EACH_SITE = 6 + GOODS,
    EACH_STEP = 3 + GOODS,
    MOST_COLUMNS = ONCE + MAX_PLAYERS * EACH_PLAYER + MAX_SITES * EACH_SITE + MAX_STEPS * EACH_STEP
};
typedef struct { /* the columns of a site for each design */
    int16_t site[MAX_DESIGNS][EACH_SITE];
} Described;
size_t columns(int players);
void describe(const Table *table, Described *described);
void encode_partial_payment(int parts, const int paid[GOODS], int16_t *into);
void encode(const Table *table, const Described *described, const Row *row, int viewer, int parts,
            const int paid[GOODS], const Row *before, int last_viewer, int16_t *into);

enum { MOST_GOLD = UINT8_MAX + SUBSTITUTES * (GOODS - 1) * UINT8_MAX }; /* of a payment */

/* building.c */
Goods building_price(const Table *table, const Row *row, int seat, int site,
                     const uint8_t reduction[GOODS]);
Goods upgrade_price(const Table *table, const Row *row, int site, const uint8_t reduction[GOODS]);
bool can_pay(const uint16_t goods[GOODS], const Goods *price);
int sites_in_reach(const Table *table, const Row *row, int seat, const uint8_t reduction[GOODS],
                   int most, uint16_t *numbers);
int legal_sites(const Table *table, const Row *row, Step prompt, uint16_t *numbers);
bool check_site(const Table *table, const Row *row, Step prompt, const Action *action);
void choose_site(const Table *table, Row *row, Step prompt, const Action *action);
bool is_payment(const int payment[GOODS], const uint8_t price[GOODS]);
void payments(const uint8_t price[GOODS], const uint16_t goods[GOODS], int begun, Found found,
              void *collection);
int64_t count_payments(const uint8_t price[GOODS], const uint16_t goods[GOODS],
                       int64_t by_gold[MOST_GOLD + 1]);
void nth_payment(const uint8_t price[GOODS], const uint16_t goods[GOODS],
                 const int64_t by_gold[MOST_GOLD + 1], int64_t number, int payment[GOODS]);
bool check_payment(const Row *row, Step prompt, const Action *action);
void pay(const Table *table, Row *row, Step prompt, const Action *action);

/* final_phase.c */
unsigned end_conditions(const Row *row);
void begin_if_triggered(Row *row);
void end(Row *row);

/* scoring.c */
int goods_points(const uint16_t goods[GOODS]);
void score_sheet(const Table *table, const Row *row, Score scores[MAX_PLAYERS]);
uint8_t winners(int players, const Score scores[MAX_PLAYERS], int *decided_by);

#endif
