/* Of valletta.h, what the rules do not have by themselves. */

#include "row.h"

/* Return the version that was compiled. */
int valletta_version(void)
{
    return VALLETTA_VERSION;
}

/* Fill in the cards that come with the library. */
void valletta_built_in_cards(Table *table)
{
    table->designs = sizeof BUILT_IN_DESIGNS / sizeof *BUILT_IN_DESIGNS;
    for (int design = 0; design < table->designs; design++) {
        const uint8_t *each = BUILT_IN_DESIGNS[design];
        table->character[design] = each[0];
        table->icon[design] = each[1];
        table->points[design] = each[2];
        table->copies[design] = each[3];
        for (int good = 0; good < GOODS; good++) {
            table->cost[design][good] = each[4 + good];
        }
    }
    for (int good = 0; good < GOODS; good++) {
        table->barrels[good] = BUILT_IN_BARRELS[good];
    }
}

/* Fill in what follows from the players and the answers; return what is wrong with the table. */
const char *valletta_complete(Table *table)
{
    const uint8_t *answers = table->answers;
    if (answers[EFFECTS] > OPTIONAL || answers[OPENING] > DRAFT_AND_STAGGERED
        || answers[BARREL_LAYOUT] > BY_PLAYERS || answers[APPRENTICE_COLOUR] > 1
        || answers[START_PLAYER_VARIANT] > 1 || answers[FEWER_BARRELS] > 1) {
        return "a question has no such answer";
    }
    table->effects_are_optional = answers[EFFECTS] == OPTIONAL;
    table->apprentice_is_red = APPRENTICE_COLOURS[answers[APPRENTICE_COLOUR]] == RED;
    table->fewer_barrels = answers[FEWER_BARRELS];
    table->barrel_spaces = barrel_spaces(table);
    return problem_of_table(table);
}

/* Whom payments are told. */
typedef struct {
    valletta_told told;
    void *source;
} Listener;

/* Tell of a payment. */
static int pass_on(void *collection, const int payment[GOODS])
{
    const Listener *listener = collection;
    return listener->told(listener->source, payment) ? BRICK : -1;
}

/* Tell a function of the legal payments. */
void valletta_payments(const Row *row, valletta_told told, void *source)
{
    Listener listener = {told, source};
    if (row->steps && row->agenda[row->steps - 1].kind == PAYMENT_PROMPT) {
        Step prompt = row->agenda[row->steps - 1];
        payments(prompt.goods, row->player[prompt.seat].goods, 0, pass_on, &listener);
    }
}

/* Fill in the score sheet as if the game ended now; return the winners. */
int valletta_outcome(const Table *table, const Row *row, Score scores[MAX_PLAYERS], int *clause)
{
    score_sheet(table, row, scores);
    return winners(row->players, scores, clause);
}
