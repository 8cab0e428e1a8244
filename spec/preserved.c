/* That every step leads from a valid position to a valid one: what CBMC is asked, for one question at a time.
 *
 * A question is who of how many players (SEAT, PLAYERS) is asked for what (ASKED), of a card also what is played
 * (COPIED).  Everything else is any valid position: cards, goods, houses, display, agenda, editions and card set.
 * All checks of C's undefined behaviour are on in what is verified, and off in what is only said about it here.
 *
 * Verified with `spec.checks.preserved`, which makes `asking.c` of engine.c: there the step that is asked is read by
 * `asked`, so that its kind and seat are known.
 */

#include "row.h"

/* Instead of these functions others stand below, that may do whatever the contracts of the originals allow, or more. */
#define put put_into
#define done take_off
#include "rows.c"
#undef put
#undef done
#define join_discard_pile join_piles
#define icons icons_on
#define count_of_colour houses_of
#include "holdings.c"
#undef join_discard_pile
#undef icons
#undef count_of_colour
#define stands_for means
#include "red.c"
#undef stands_for
#define sites_in_reach sites
#include "building.c"
#undef sites_in_reach

/* Nothing between these marks is verified itself. */
#define STATED \
    _Pragma("CPROVER check push") _Pragma("CPROVER check disable \"bounds\"") \
    _Pragma("CPROVER check disable \"pointer\"") _Pragma("CPROVER check disable \"pointer-primitive\"") \
    _Pragma("CPROVER check disable \"signed-overflow\"") _Pragma("CPROVER check disable \"undefined-shift\"") \
    _Pragma("CPROVER check disable \"div-by-zero\"")
#define VERIFIED _Pragma("CPROVER check pop")

STATED

static Table TABLE;
static Row ROW, KEPT; /* in KEPT, each bag is as `put` and `join_discard_pile` have left it */
static Step PROMPT;
static Action ACTION;
Table nondet_table(void);
Row nondet_row(void);
Step nondet_step(void);
Action nondet_action(void);
int nondet_int(void);

/* Loops written out: bounds that are no numbers would be a burden. */
#define TEN(does, of, tens) does(of, tens##0) does(of, tens##1) does(of, tens##2) does(of, tens##3) does(of, tens##4) \
    does(of, tens##5) does(of, tens##6) does(of, tens##7) does(of, tens##8) does(of, tens##9)
#define THIRTY(does, of) TEN(does, of, ) TEN(does, of, 1) TEN(does, of, 2)
#define KINDS(does, of) THIRTY(does, of) does(of, 30)
#define BEYOND(does, of) does(of, 31) does(of, 32) does(of, 33) does(of, 34) does(of, 35) does(of, 36) does(of, 37) \
    does(of, 38) does(of, 39)
#define PLACES(does, of) does(of, 0) does(of, 1) does(of, 2) does(of, 3) does(of, 4) does(of, 5) does(of, 6) does(of, 7)
#define STEPS_OF(does, of) PLACES(does, of) does(of, 8) does(of, 9) does(of, 10) does(of, 11)
#if PLAYERS == 2
#define SEATS(does, of) does(of, 0) does(of, 1)
#elif PLAYERS == 3
#define SEATS(does, of) does(of, 0) does(of, 1) does(of, 2)
#else
#define SEATS(does, of) does(of, 0) does(of, 1) does(of, 2) does(of, 3)
#endif
_Static_assert(CHARACTERS == 31 && MAX_KINDS == 40 && MAX_SITES == 30 && MAX_PLAYED == 8 && MAX_STEPS == 12,
               "loops are written out");

/* The parts of a valid position, as `problem_of_row` has them, but for the sums of bags. */
#define IS_SITE(row, site) & (site < row.dealt ? row.display[site] < TABLE.designs : row.display[site] == 0)
#define IS_PLAY(row, place) & (place < row.plays ? row.played[place] < CHARACTERS : row.played[place] == 0)
#define IS_ONE(row, step)                                                                                        \
    ((step.kind > NO_STEP) & (step.kind < STEPS) & (step.seat < row.players) & (step.unused == 0)                \
     & ((step.kind != PAYMENT_PROMPT) | (step.value < row.dealt))                                                \
     & (((step.kind != PLAY_PROMPT) & (step.kind != TURN)) | (step.value > 0))                                   \
     & ((step.kind != MONK_PROMPT) | ((step.value < row.players) & (step.value != step.seat)))                   \
     & ((step.kind != BONUS_PROMPT) | (step.value == MONK) | (step.value == INNKEEPER) | (step.value == TAX_COLLECTOR)))
#define IS_NONE(step) \
    !(step.kind | step.seat | step.value | step.unused | step.goods[0] | step.goods[1] | step.goods[2] | step.goods[3])
#define IS_STEP(row, place) & (place < row.steps ? IS_ONE(row, row.agenda[place]) : IS_NONE(row.agenda[place]))
#define PLUS(bag, kind) + ROW.bag.of[kind]
#define IS_SUM(bag) ((0 KINDS(PLUS, bag)) == ROW.bag.total)
#define IS_ZERO(bag, kind) & (ROW.bag.of[kind] == 0)
#define IS_HELD(player, kind) & (player.shown.of[kind] <= player.hand.of[kind])
#define CARDS(row, seat) \
    + row.player[seat].hand.total + row.player[seat].draw_pile.total + row.player[seat].discard_pile.total
#define EACH_PART_OF(does, player)                                                                               \
    does(((ROW.player.built >> ROW.dealt) == 0) & ((ROW.player.upgraded >> ROW.dealt) == 0)                      \
         & (ROW.player.unused == 0) & (ROW.player.score <= MOST_SCORE)                                           \
         & (ROW.player.goods[0] <= MOST_GOODS) & (ROW.player.goods[1] <= MOST_GOODS)                             \
         & (ROW.player.goods[2] <= MOST_GOODS) & (ROW.player.goods[3] <= MOST_GOODS))                            \
    does(true BEYOND(IS_ZERO, player.hand) BEYOND(IS_ZERO, player.draw_pile) BEYOND(IS_ZERO, player.discard_pile) \
         BEYOND(IS_ZERO, player.shown))                                                                          \
    does(true KINDS(IS_HELD, ROW.player))
#define EACH_PART_AT(does, seat) EACH_PART_OF(does, player[seat])
#define EACH_PART(does)                                                                                          \
    does((ROW.players == PLAYERS) & (ROW.active < PLAYERS) & (ROW.phase < PHASES) & (ROW.valette <= LAST_SPACE)  \
         & (ROW.dealt <= SITES[PLAYERS]) & (ROW.plays <= MAX_PLAYED) & (ROW.steps <= MAX_STEPS) & !ROW.told)     \
    does(true THIRTY(IS_SITE, ROW))                                                                              \
    does(true PLACES(IS_PLAY, ROW))                                                                              \
    does(true STEPS_OF(IS_STEP, ROW))                                                                            \
    does(ROW.supply.total + ROW.plays SEATS(CARDS, ROW) <= MOST_CARDS)                                           \
    does(true BEYOND(IS_ZERO, supply))                                                                           \
    SEATS(EACH_PART_AT, does)

#define LET(part) __CPROVER_assume(part);
#define CLAIM(part, says) __CPROVER_assert(ROW.fault || (part), says);
#ifdef INVARIANTS /* Instead, is kept what games keep; and, which has to fail, does nothing come of what is assumed? */
#define HOLDS(part, says)
#define IF_KEPT(does) does
static int COUNTED, MOVED; /* any kind of card, and how many of it have come into bags */
static bool is_shown(const Bag *bag);
#define IS_REACHED(so) CLAIM(!(so), "it is never reached")
#else
#define HOLDS(part, says) CLAIM(part, says)
#define IF_KEPT(does)
#endif
#define IS_VALID(part) HOLDS(part, "it is valid")

/* Of the bags' sums CBMC shows that bags change by `put` and `join_discard_pile` alone, and within a byte; that
 * these keep the sums follows from their contracts (spec/bags.smt2). */
#define IS_KEPT_KIND(bag, kind) & (ROW.bag.of[kind] == KEPT.bag.of[kind])
#define IS_KEPT(bag) HOLDS((ROW.bag.total == KEPT.bag.total) KINDS(IS_KEPT_KIND, bag), "bags change card by card")
#define ARE_KEPT(row, seat) IS_KEPT(player[seat].hand) IS_KEPT(player[seat].draw_pile) \
    IS_KEPT(player[seat].discard_pile) IS_KEPT(player[seat].shown)
#define KEEP_IF_IT_IS(of) if (bag == &ROW.of) { KEPT.of = *bag; }
#define KEEP_OF(row, seat) KEEP_IF_IT_IS(player[seat].hand) KEEP_IF_IT_IS(player[seat].draw_pile) \
    KEEP_IF_IT_IS(player[seat].discard_pile) KEEP_IF_IT_IS(player[seat].shown)

static void keep(const Bag *bag)
{
    KEEP_IF_IT_IS(supply)
    SEATS(KEEP_OF, ROW)
}

void put(Bag *bag, int character, int count)
{
    __CPROVER_assert((0 <= character) & (character < CHARACTERS) && bag->of[character] + count >= 0
                         && bag->total + count >= 0 && bag->total + count <= UINT8_MAX, "a bag can hold it");
    put_into(bag, character, count);
    keep(bag);
    IF_KEPT(MOVED += (character == COUNTED) & !is_shown(bag) ? count : 0;)
}

void join_discard_pile(Player *player)
{
    __CPROVER_assert(player->draw_pile.total + player->discard_pile.total <= UINT8_MAX, "a pile can hold it");
    join_piles(player);
    keep(&player->draw_pile);
    keep(&player->discard_pile);
    keep(&player->shown);
}

/* What `done` is proved to do, without a pointer into the agenda. */
Step done(Row *row)
{
    Step taken = row->agenda[row->steps - 1];
    row->steps--;
    row->agenda[row->steps] = (Step){0};
    return taken;
}

/* What a card stands for: itself, and an Apprentice for any but one; it may be nothing. */
int stands_for(const Table *table, const uint8_t *played, int plays, int character)
{
#ifdef COPIED
    __CPROVER_assume((character == COPIED) | (character == APPRENTICE));
    return COPIED;
#else
    return means(table, played, plays, character);
#endif
}

/* How many icons or buildings somebody has: as many as that can be. */
static int up_to(int most)
{
    int count = nondet_int();
    LET((0 <= count) & (count <= most))
    return count;
}

int icons(const Table *table, const Row *row, int seat, int good)
{
    __CPROVER_assert((0 <= seat) & (seat < PLAYERS) & (0 <= good) & (good < GOODS), "there are such icons");
    return up_to(2 * MAX_SITES + 4);
}

int count_of_colour(const Table *table, const Row *row, int seat, int colour)
{
    __CPROVER_assert((0 <= seat) & (seat < PLAYERS), "somebody has buildings");
    return up_to(32);
}

/* How many sites are in reach for a card: any number, which is more than the contract of the original allows. */
int sites_in_reach(const Table *table, const Row *row, int seat, const uint8_t *reduction, int most, uint16_t *numbers)
{
    return up_to(most);
}

/* The step that is asked: what stands there. */
static Step asked(const Row *row)
{
    const Step *top = &row->agenda[row->steps - 1];
    __CPROVER_assert(top->kind == PROMPT.kind && top->seat == PROMPT.seat && top->value == PROMPT.value
                         && top->goods[0] == PROMPT.goods[0] && top->goods[1] == PROMPT.goods[1]
                         && top->goods[2] == PROMPT.goods[2] && top->goods[3] == PROMPT.goods[3], "it is asked");
    return PROMPT;
}

VERIFIED
#include "asking.c"
STATED

static void any_cards(void)
{
    TABLE = nondet_table();
    TABLE.players = PLAYERS;
    TABLE.barrel_spaces = barrel_spaces(&TABLE);
    bool fits = true;
    for (int design = 0; design < UINT8_MAX; design++) {
        fits &= (design >= TABLE.designs) | ((TABLE.character[design] < CHARACTERS) & (TABLE.icon[design] < GOODS));
    }
    LET(fits)
}

#ifdef INVARIANTS
/* What games keep beyond what makes a position valid.  On the agenda, effects lie above all else, and above them a
 * payment.  A site has one owner, and an upgrade a house; nobody has more than eight houses, one that is being paid for
 * among them, nor more than five cards in hand, with those that effects on the agenda may bring. */
static bool is_effect(int kind)
{
    return (kind == BARREL_PROMPT) | ((MAID_PROMPT <= kind) & (kind <= ARCHITECT_PROMPT));
}

static bool keeps_order(void)
{
    bool kept = true;
    for (int place = 0; place + 1 < MAX_STEPS; place++) {
        int kind = ROW.agenda[place].kind, above = ROW.agenda[place + 1].kind;
        kept &= (place + 1 >= ROW.steps) | ((kind != PAYMENT_PROMPT) & (!is_effect(kind) | is_effect(above)));
    }
    return kept;
}

static bool keeps_holdings(int seat)
{
    uint32_t built = ROW.player[seat].built, upgraded = ROW.player[seat].upgraded, paid = 0;
    int cards = ROW.player[seat].hand.total;
    for (int place = 0; place < MAX_STEPS; place++) {
        Step each = ROW.agenda[place];
        bool is_his = (place < ROW.steps) & (each.seat == seat);
        cards += is_his & ((each.kind == SITE_PROMPT) | (each.kind == PAYMENT_PROMPT) | (each.kind == VALETTE_PROMPT));
        paid |= is_his & (each.kind == PAYMENT_PROMPT) ? UINT32_C(1) << each.value : 0;
    }
    bool kept = !(upgraded & (~built | paid));
    for (int other = 0; other < PLAYERS; other++) {
        kept &= (other == seat) | !((built | paid) & ROW.player[other].built);
    }
    return kept & (__builtin_popcount(built | paid) <= HOUSES_PER_PLAYER) & (cards <= HAND_SIZE);
}

#define AND_KEEPS(row, seat) & keeps_holdings(seat)
#define CLAIM_OF(row, seat) CLAIM(keeps_holdings(seat), "houses and hands are within their limits")

static void begin_to_keep(void)
{
    COUNTED = up_to(CHARACTERS - 1);
    LET(keeps_order() SEATS(AND_KEEPS, ROW))
}

static void is_kept(void)
{
    CLAIM(keeps_order(), "the agenda is in order")
    SEATS(CLAIM_OF, ROW)
    IS_REACHED(true)
}

/* Of any kind of card there are as many as before, in bags and among those played; one more with a new building. */
static bool is_shown(const Bag *bag)
{
    bool found = false;
    for (int seat = 0; seat < PLAYERS; seat++) {
        found |= bag == &ROW.player[seat].shown;
    }
    return found;
}

static int played(const Row *row)
{
    int count = 0;
    for (int place = 0; place < MAX_PLAYED; place++) {
        count += (place < row->plays) & (row->played[place] == COUNTED);
    }
    return count;
}

static int builds_with_the_counted(void)
{
    return (PROMPT.kind == PAYMENT_PROMPT) & !(KEPT.player[SEAT].built >> PROMPT.value & 1)
        & (TABLE.character[KEPT.display[PROMPT.value]] == COUNTED);
}

static void are_conserved(int more)
{
    CLAIM(MOVED + played(&ROW) - played(&KEPT) == more, "no card is lost or added")
}
#endif

/* Any valid position in which this is asked. */
static void any_position(void)
{
    any_cards();
    ROW = nondet_row();
    PROMPT = nondet_step();
    PROMPT.seat = SEAT;
#ifdef ASKED
    PROMPT.kind = ASKED;
#else
    LET((PROMPT.kind != TURN) & (PROMPT.kind != END_TURN) & (PROMPT.kind != PASS_TURN))
#endif
    LET((ROW.steps > 0) & (ROW.steps <= MAX_STEPS))
    ROW.agenda[ROW.steps - 1] = PROMPT;
    ROW.players = PLAYERS;
    ROW.fault = ROW.told = 0;
    EACH_PART(LET)
    LET(IS_SUM(supply) & IS_SUM(player[SEAT].hand) & IS_SUM(player[SEAT].draw_pile))
    LET(IS_SUM(player[SEAT].discard_pile) & IS_SUM(player[SEAT].shown))
    KEPT = ROW;
    IF_KEPT(begin_to_keep();)
}

/* Buildings are dealt before anything else is asked. */
static bool deals_first(void)
{
    return ROW.steps == 0 || ROW.dealt == SITES[PLAYERS]
        || (ROW.agenda[ROW.steps - 1].kind == DEAL_PROMPT && TABLE.designs <= DRAW_CARD - DEAL_BUILDING);
}

static void is_valid(void)
{
    EACH_PART(IS_VALID)
    IS_KEPT(supply)
    SEATS(ARE_KEPT, ROW)
    HOLDS(deals_first(), "buildings are dealt first")
}

/* The game begins. */
void laid(void)
{
    any_cards();
    lay_table(&TABLE, &ROW);
    KEPT = ROW;
    LET(TABLE.designs <= DRAW_CARD - DEAL_BUILDING)
    is_valid();
    HOLDS(IS_SUM(supply) & !ROW.fault, "the supply is counted")
#define ARE_SUMS(row, seat) HOLDS(IS_SUM(player[seat].hand) & IS_SUM(player[seat].draw_pile) \
    & IS_SUM(player[seat].discard_pile) & IS_SUM(player[seat].shown), "cards are counted")
    SEATS(ARE_SUMS, ROW)
    IF_KEPT(is_kept();)
}

/* Somebody answers.  What may be dealt is proved of `check_deal`; any building of the card set will do here. */
void answered(void)
{
    any_position();
    ACTION = nondet_action();
    LET(deals_first() && !problem_of_prompt(&TABLE, &ROW))
    LET((0 <= ACTION.number) & (ACTION.number < NUMBERS) & (ACTION.goods.of[0] >= 0) & (ACTION.goods.of[1] >= 0)
        & (ACTION.goods.of[2] >= 0) & (ACTION.goods.of[3] >= 0))
    if (PROMPT.kind == DEAL_PROMPT) {
        LET((DEAL_BUILDING <= ACTION.number) & (ACTION.number < DEAL_BUILDING + TABLE.designs))
    } else {
        LET(is_legal(&TABLE, &ROW, &ACTION))
    }
    IF_KEPT(LET(still_stands(&ROW, PROMPT)))
    answer(&TABLE, &ROW, &ACTION);
    is_valid();
    IF_KEPT(is_kept(); are_conserved(builds_with_the_counted());)
}

/* What is left to be run: a turn may lead to its end, and that to the next turn, whose player has a card. */
#define LEFT(row, place) \
    + (place >= row.steps ? 0 : row.agenda[place].kind == TURN ? 5 : row.agenda[place].kind == END_TURN ? 3 : 1)

/* A step runs by itself, or has to wait for an answer. */
void ran(void)
{
    any_position();
    LET(deals_first())
    int left = 0 STEPS_OF(LEFT, ROW);
    bool runs = run_once(&ROW);
    is_valid();
    HOLDS(runs || !problem_of_prompt(&TABLE, &ROW), "somebody is asked")
    HOLDS(!runs || (0 STEPS_OF(LEFT, ROW)) < left
          || (ROW.agenda[ROW.steps - 1].kind == PLAY_PROMPT
              && ROW.player[ROW.agenda[ROW.steps - 1].seat].hand.total), "it ends")
    IF_KEPT(is_kept(); are_conserved(0);)
}

/* What is called valid here is what `problem_of_row` finds nothing wrong with: the cards of a bag, those of all, those
 * shown, and without a card in any bag the rest. */
#define AND(part) valid &= (part);
#define AGREES(one, other) __CPROVER_assert((one) == (other), "it is what the backend finds");
#define AGREE_ON_SHOWN(row, seat) AGREES(holds_what_it_shows(&row.player[seat]), true KINDS(IS_HELD, row.player[seat]))
#define CLEAR(row, seat) row.player[seat].hand = row.player[seat].draw_pile = row.player[seat].discard_pile \
    = row.player[seat].shown = (Bag){0};

void agrees(void)
{
    any_cards();
    ROW = nondet_row();
    LET(ROW.players == PLAYERS && !ROW.fault)
    AGREES(is_bag(&ROW.supply), IS_SUM(supply) & (true BEYOND(IS_ZERO, supply)))
    AGREES(cards_in(&ROW), ROW.supply.total + ROW.plays SEATS(CARDS, ROW))
    SEATS(AGREE_ON_SHOWN, ROW)
    ROW.supply = (Bag){0};
    SEATS(CLEAR, ROW)
    bool valid = true;
    EACH_PART(AND)
    AGREES(!problem_of_row(&TABLE, &ROW), valid && !problem_of_prompt(&TABLE, &ROW))
    IF_KEPT(IS_REACHED(valid && !problem_of_prompt(&TABLE, &ROW)))
}

/* What contracts take as given of the kinds in a bag, which are read by bits; and how much of a row is used. */
#define IS_FEW(bag, kind) & (ROW.bag.of[kind] <= MOST_CARDS)
#define IS_TOLD(bag, kind) & ((kinds >> kind & 1) == (ROW.bag.of[kind] > 0))

void given(void)
{
    ROW = nondet_row();
    ROW.players = PLAYERS;
    ROW.fault = 0;
    LET(true KINDS(IS_FEW, supply) BEYOND(IS_ZERO, supply))
    Kinds kinds = kinds_in(&ROW.supply);
    HOLDS(kinds >> CHARACTERS == 0 KINDS(IS_TOLD, supply), "these kinds are in it")
    HOLDS(row_size(&ROW) == (size_t)((char *)&ROW.player[PLAYERS] - (char *)&ROW), "so much is used")
    IF_KEPT(IS_REACHED(true))
}
VERIFIED
