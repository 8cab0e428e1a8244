/* The rules for JavaScript: the functions of valletta.h on one table and one position, whose places
 * the host asks for; what comes in tuples lies in arrays beside them. */

#include "valletta.h"

/* Of `row.h`: a position from outside can have cards with which no game begins. */
const char *complete_table(valletta_table *table);

#define EXPORT(name) __attribute__((export_name(#name))) host_##name
#define IMPORT(name) __attribute__((import_module("host"), import_name(#name)))

IMPORT(draw) double host_draw(double limit);
IMPORT(payment) int host_payment(int gold, int wood, int stone, int brick);

static valletta_table table;
static valletta_position position;
static uint16_t numbers[VALLETTA_NUMBERS];
static double weights[VALLETTA_NUMBERS];
static valletta_score scores[VALLETTA_MAX_PLAYERS];
static valletta_refusal refusal;
static valletta_event events[VALLETTA_MOST_EVENTS];

valletta_table *EXPORT(place_table)(void) { return &table; }
valletta_position *EXPORT(place_position)(void) { return &position; }
uint16_t *EXPORT(place_numbers)(void) { return numbers; }
double *EXPORT(place_weights)(void) { return weights; }
valletta_score *EXPORT(place_scores)(void) { return scores; }
valletta_refusal *EXPORT(place_refusal)(void) { return &refusal; }
valletta_event *EXPORT(place_events)(void) { return events; }

static int64_t draw(void *source, uint64_t limit)
{
    (void)source;
    return (int64_t)host_draw((double)limit);
}

static bool report(void *source, const int payment[VALLETTA_GOODS])
{
    (void)source;
    return host_payment(payment[0], payment[1], payment[2], payment[3]);
}

/* Of the payments, how many come before the one that is wanted; and that one. */
static int before;
static valletta_action wanted;

static bool count(void *source, const int payment[VALLETTA_GOODS])
{
    (void)source;
    for (int good = 0; good < VALLETTA_GOODS; good++) {
        wanted.goods.of[good] = payment[good];
    }
    return before-- > 0;
}

/* Count the legal payments. */
int EXPORT(count)(void)
{
    before = INT32_MAX;
    valletta_payments(&position, count, NULL);
    return INT32_MAX - before;
}

/* Pay what stands at a place of the list: 1 if that is done, 0 if there is none, -1 if the position
 * cannot hold it. */
int EXPORT(pay)(int place)
{
    before = place;
    wanted.number = VALLETTA_PAY;
    valletta_payments(&position, count, NULL);
    return before >= 0 ? 0 : valletta_apply(&table, &position, &wanted) ? 1 : -1;
}

const char *EXPORT(complete)(void) { return complete_table(&table); }
const char *EXPORT(check_start)(void) { return valletta_complete(&table); }
void EXPORT(begin)(void) { valletta_begin(&table, &position); }
const char *EXPORT(problem)(void) { return valletta_problem(&table, &position); }
int EXPORT(legal)(void) { return valletta_legal_actions(&table, &position, numbers); }
void EXPORT(payments)(void) { valletta_payments(&position, report, NULL); }
void EXPORT(redact)(int seat) { valletta_redact(&position, seat); }
int EXPORT(resolve)(void) { return valletta_resolve_chance(&table, &position, draw, NULL); }
int EXPORT(determinize)(int seat) { return valletta_determinize(&position, seat, draw, NULL); }

int EXPORT(check)(int number, int gold, int wood, int stone, int brick)
{
    valletta_action action = {number, {{gold, wood, stone, brick}}};
    return valletta_check(&table, &position, &action, &refusal);
}

/* Apply a legal action; -1 if the position cannot hold the result, else 0. */
int EXPORT(apply)(int number, int gold, int wood, int stone, int brick)
{
    valletta_action action = {number, {{gold, wood, stone, brick}}};
    return valletta_apply(&table, &position, &action) ? 0 : -1;
}

/* Do the same, and say how many events there were; -1 if the position cannot hold the result. */
int EXPORT(transition)(int number, int gold, int wood, int stone, int brick)
{
    valletta_action action = {number, {{gold, wood, stone, brick}}};
    return valletta_transition(&table, &position, &action, events);
}

int EXPORT(chance)(void)
{
    uint64_t whole[VALLETTA_NUMBERS];
    int count = valletta_chance(&table, &position, numbers, whole);
    for (int place = 0; place < count; place++) {
        weights[place] = (double)whole[place];
    }
    return count;
}

/* Return the winners, a bit for each seat, and above them the number of the clause. */
int EXPORT(outcome)(void)
{
    int clause, winners = valletta_outcome(&table, &position, scores, &clause);
    return winners | clause << VALLETTA_MAX_PLAYERS;
}
