/* Play random games, and print their results: a program in C that links only the library of the rules.
 *
 *     cc -std=c11 -O2 -I src/native examples/c/random_games.c libvalletta.a -o random_games
 *     ./random_games 3 100        a hundred games for three
 */

#include <stdio.h>
#include <stdlib.h>

#include "valletta.h"

/* Return a random number below a limit, by the generator splitmix64. */
static int64_t draw(void *source, uint64_t limit)
{
    uint64_t *state = source, mixed = *state += UINT64_C(0x9E3779B97F4A7C15);
    mixed = (mixed ^ mixed >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    mixed = (mixed ^ mixed >> 27) * UINT64_C(0x94D049BB133111EB);
    return (int64_t)((mixed ^ mixed >> 31) % limit);
}

/* The number of reported payments, and the index of the picked one. */
typedef struct {
    uint64_t *seed;
    int count;
    valletta_goods picked;
} Payments;

/* Choose one of the reported payments uniformly. */
static bool pick(void *source, const int payment[VALLETTA_GOODS])
{
    Payments *payments = source;
    if (!draw(payments->seed, (uint64_t)++payments->count)) {
        for (int good = 0; good < VALLETTA_GOODS; good++) {
            payments->picked.of[good] = payment[good];
        }
    }
    return true;
}

/* Return a legal action. */
static valletta_action choose(const valletta_table *table, const valletta_position *position,
                              uint64_t *seed)
{
    uint16_t numbers[VALLETTA_NUMBERS];
    int count = valletta_legal_actions(table, position, numbers);
    if (count) {
        return (valletta_action){.number = numbers[draw(seed, (uint64_t)count)]};
    }
    Payments payments = {.seed = seed};
    valletta_payments(position, pick, &payments);
    return (valletta_action){VALLETTA_PAY, payments.picked};
}

/* Play a game to the end; return the number of decisions, or -1 if the type of positions cannot hold one. */
static long play(const valletta_table *table, valletta_position *position, uint64_t *seed)
{
    long decisions = 0;
    valletta_begin(table, position);
    while (valletta_resolve_chance(table, position, draw, seed)) {
        if (!position->steps) {
            return decisions;
        }
        valletta_action action = choose(table, position, seed);
        if (!valletta_is_legal(table, position, &action)
            || !valletta_apply(table, position, &action)) {
            return -1;
        }
        decisions++;
    }
    return -1;
}

int main(int count, char **words)
{
    valletta_table table = {.players = count > 1 ? (uint8_t)atoi(words[1]) : 3};
    valletta_position position;
    long games = count > 2 ? atol(words[2]) : 1, decisions = 0;
    uint64_t seed = 1;
    valletta_built_in_cards(&table);
    const char *problem = valletta_complete(&table);
    if (problem) {
        fprintf(stderr, "%s\n", problem);
        return 1;
    }
    for (long game = 0; game < games; game++) {
        valletta_score scores[VALLETTA_MAX_PLAYERS];
        int clause;
        long played = play(&table, &position, &seed);
        if (played < 0 || (problem = valletta_problem(&table, &position))) {
            fprintf(stderr, "game %ld: %s\n", game, problem ? problem : "it cannot go on");
            return 1;
        }
        decisions += played;
        int winners = valletta_outcome(&table, &position, scores, &clause);
        printf("game %ld:", game);
        for (int seat = 0; seat < position.players; seat++) {
            printf(" %d%s", valletta_total(&scores[seat]),
                   winners >> seat & 1 ? "*" : "");
        }
        printf(" [SCO-%d]\n", clause);
    }
    printf("%ld decisions\n", decisions);
    return 0;
}
