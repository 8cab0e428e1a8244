/* The functions of valletta.h that the files of the rules do not define. */

#include "row.h"

/* Return the version of the compiled interface. */
int valletta_version(void)
{
    return VALLETTA_VERSION;
}

/* Return the name of a character. */
const char *valletta_character_name(int character)
{
    return character >= 0 && character < CHARACTERS ? CHARACTER_NAMES[character] : NULL;
}

/* Return the name of a good. */
const char *valletta_good_name(int good)
{
    return good >= 0 && good < GOODS ? GOOD_NAMES[good] : NULL;
}

/* Write the cards that come with the library. */
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

/* Compute the values that follow from the players and the rulings.
 *
 * Return the reason why the rules cannot be used with such a table, or a null pointer. */
const char *complete_table(Table *table)
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

/* Return whether the cards of two designs look the same. */
static bool are_alike(const Table *table, int one, int other)
{
    return table->character[one] == table->character[other] && table->icon[one] == table->icon[other]
        && table->points[one] == table->points[other]
        && !memcmp(table->cost[one], table->cost[other], sizeof table->cost[one]);
}

/* Return how a design contradicts the rulebook, or a null pointer. */
static const char *problem_of_design(const Table *table, int design)
{
    int cost = 0;
    for (int good = 0; good < GOODS; good++) {
        if (table->cost[design][good] > MOST_COST) {
            return "a building costs too many goods of a kind";
        }
        cost += table->cost[design][good];
    }
    for (int other = 0; other < design; other++) {
        if (are_alike(table, design, other)) {
            return "two designs look alike";
        }
    }
    return STARTING_DECK[table->character[design]] ? "a building brings a starting card"
        : !table->copies[design]                   ? "no card bears a design"
        : cost > DEAREST                           ? "a building costs too many goods"
        : table->points[design] > MOST_POINTS      ? "a building has too many points"
                                                   : NULL;
}

/* Return how the numbers of cards contradict the rulebook, or a null pointer. */
static const char *problem_of_counts(const Table *table)
{
    int of[CHARACTERS] = {0}, coloured[COLOURS] = {0}, cards = 0, barrels = 0, single = 0;
    for (int design = 0; design < table->designs; design++) {
        int character = table->character[design];
        of[character] += table->copies[design];
        coloured[COLOUR_OF[character]] += table->copies[design];
        cards += table->copies[design];
    }
    for (int good = 0; good < GOODS; good++) {
        barrels += table->barrels[good];
    }
    for (int character = 0; character < CHARACTERS; character++) {
        bool is_yellow = COLOUR_OF[character] == YELLOW;
        if (!of[character] && !STARTING_DECK[character]) {
            return "a character comes with no building";
        }
        if (is_yellow && of[character] > YELLOW_COPIES) {
            return "there are too many cards of a yellow character";
        }
        single += is_yellow && of[character] < YELLOW_COPIES;
    }
    for (int colour = 0; colour < COLOURS; colour++) {
        if (coloured[colour] < QUOTAS[MAX_PLAYERS][colour]) {
            return "there are too few buildings of a colour";
        }
    }
    return cards != BUILDING_CARDS ? "there is another number of building cards"
        : barrels != BARREL_TOKENS ? "there is another number of barrels"
        : !single                  ? "every yellow character comes with two buildings"
                                   : NULL;
}

/* Compute the values that follow from the players and the rulings; return why no game can begin at such a
 * table, or a null pointer. */
const char *valletta_complete(Table *table)
{
    const char *problem = complete_table(table);
    if (!problem && table->fewer_barrels && table->players != 2) {
        problem = "the variant with fewer barrels is for two players";
    }
    for (int design = 0; !problem && design < table->designs; design++) {
        problem = problem_of_design(table, design);
    }
    return problem ? problem : problem_of_counts(table);
}

/* The receiver of payments: a function and its argument. */
typedef struct {
    valletta_told callback;
    void *source;
} Listener;

/* Pass a payment on to the receiver. */
static int pass_on(void *collection, const int payment[GOODS])
{
    const Listener *listener = collection;
    return listener->callback(listener->source, payment) ? BRICK : -1;
}

/* Report the legal payments to a function. */
void valletta_payments(const Row *row, valletta_told callback, void *source)
{
    Listener listener = {callback, source};
    if (row->steps && row->agenda[row->steps - 1].kind == PAYMENT_PROMPT) {
        Step prompt = row->agenda[row->steps - 1];
        payments(prompt.goods, row->player[prompt.seat].goods, 0, pass_on, &listener);
    }
}

/* Return the seat that must decide, or `VALLETTA_CHANCE` or `VALLETTA_NOBODY`. */
int valletta_asked(const Row *row)
{
    if (!row->steps) {
        return VALLETTA_NOBODY;
    }
    Step prompt = row->agenda[row->steps - 1];
    return prompt.kind <= BARREL_PROMPT ? VALLETTA_CHANCE : prompt.seat;
}

/* Write the score sheet as if the game ended now; return the winners. */
int valletta_outcome(const Table *table, const Row *row, Score scores[MAX_PLAYERS], int *clause)
{
    score_sheet(table, row, scores);
    return winners(row->players, scores, clause);
}

/* Return the total points of a player's line on the score sheet. */
int valletta_total(const Score *score)
{
    return score->track + score->buildings + score->goods;
}
