/* The reasons of refusals, computed only for illegal actions, so that the rules need only return false. */

#include "row.h"

/* Write the reason: a code, a clause, and the facts that belong to it. */
static void set_reason(Refusal *refusal, int code, uint32_t clause, unsigned facts)
{
    refusal->code = code;
    refusal->clause = clause;
    refusal->facts = facts;
}

/* Return the type of an action by its index; an action without a number is a wrong number of goods. */
static int kind_of(int number)
{
    int kind = number < NUMBERS ? KINDS - 1 : TAKE_GOODS_KIND;
    while (number < (int)FIRSTS[kind]) {
        kind--;
    }
    return kind;
}

/* Return the clause of a prompt. */
uint32_t clause_of(Step prompt)
{
    return prompt.kind == BONUS_PROMPT ? BONUS_CLAUSES[prompt.value] : STEP_CLAUSES[prompt.kind];
}

static void refuse_dealing(const Table *table, const Row *row, int number, Refusal *refusal)
{
    int quotas[COLOURS], design = number - DEAL_BUILDING;
    left_of_quotas(table, row, quotas);
    bool is_unwanted =
        design < table->designs && quotas[COLOUR_OF[table->character[design]]] <= 0;
    set_reason(refusal, design < table->designs ? BUILDING_NOT_AVAILABLE : MALFORMED,
               is_unwanted ? CLAUSE(SET, 8) : CLAUSE(SET, 9), FACT(BUILDING));
}

static void refuse_play(const Table *table, const Row *row, Step prompt, int number,
                        Refusal *refusal)
{
    int character = (number - PLAY_CARD) / 2;
    int copied = stands_for(table, row->played, row->plays, character);
    refusal->character = character;
    if (!row->player[prompt.seat].hand.of[character]) {
        set_reason(refusal, CARD_NOT_IN_HAND, CLAUSE(TRN, 3), FACT(CHARACTER));
    } else if (copied < 0 || !can_do_something(table, row, prompt.seat, copied)) {
        set_reason(refusal, NO_EFFECT_TO_DECLINE, CLAUSE(TRN, 14), FACT(CHARACTER));
    } else if (DECLINING[copied] == AT_ITS_CHOICE || !stake(table, row, prompt.seat, copied)) {
        set_reason(refusal, NO_EFFECT_TO_DECLINE, CLAUSE(TRN, 10), FACT(CHARACTER));
    } else {
        set_reason(refusal, EFFECT_COMPULSORY, copied == VALETTE ? CLAUSE(VAL, 2) : CLAUSE(TRN, 7),
                   FACT(CHARACTER));
    }
}

static void refuse_declining(Refusal *refusal, int character, uint32_t clause)
{
    refusal->character = character;
    set_reason(refusal, EFFECT_COMPULSORY, clause, FACT(CHARACTER));
}

static void refuse_site(const Table *table, const Row *row, Step prompt, int number,
                        Refusal *refusal)
{
    bool is_new = number < UPGRADE;
    int seat = prompt.seat, site = number - (is_new ? BUILD : UPGRADE);
    if (site >= row->dealt) {
        set_reason(refusal, MALFORMED, 0, FACT(SITE));
        return;
    }
    const Player *player = &row->player[seat];
    refusal->owner = owner_of(row, site);
    refusal->price = is_new ? building_price(table, row, seat, site, prompt.goods)
                            : upgrade_price(table, row, site, prompt.goods);
    refusal->goods = owned(row, seat);
    if (is_new && refusal->owner >= 0) {
        set_reason(refusal, refusal->owner == seat ? ALREADY_BUILT : SITE_TAKEN, CLAUSE(BLD, 3),
                   FACT(SITE) | FACT(OWNER));
    } else if (is_new && count_sites(player->built) >= HOUSES_PER_PLAYER) {
        set_reason(refusal, NO_HOUSE_LEFT, CLAUSE(BLD, 4), FACT(SITE));
    } else if (!is_new && refusal->owner != seat) {
        set_reason(refusal, SITE_NOT_OWN, CLAUSE(BLD, 15), FACT(SITE) | FACT(OWNER));
    } else if (!is_new && is_among(player->upgraded, site)) {
        set_reason(refusal, ALREADY_UPGRADED, CLAUSE(BLD, 16), FACT(SITE));
    } else {
        set_reason(refusal, NOT_AFFORDABLE, CLAUSE(BLD, 26), FACT(SITE) | FACT(PRICE) | FACT(GOODS));
    }
}

static void refuse_payment(const Row *row, Step prompt, const Action *action, Refusal *refusal)
{
    int extra = 0, missing = 0;
    refusal->goods = owned(row, prompt.seat);
    if (!covers(&refusal->goods, &action->goods)) {
        set_reason(refusal, NOT_OWNED, CLAUSE(BLD, 19), FACT(PAYMENT) | FACT(GOODS));
        return;
    }
    for (int good = 0; good < GOODS; good++) {
        int more = action->goods.of[good] - prompt.goods[good];
        refusal->price.of[good] = prompt.goods[good];
        refusal->missing.of[good] = more < 0 ? -more : 0;
        missing += refusal->missing.of[good];
        extra += more > 0 ? more : 0;
    }
    refusal->site = prompt.value;
    bool is_short = extra < SUBSTITUTES * missing;
    set_reason(refusal, is_short ? PAYMENT_SHORT : PAYMENT_EXCESSIVE,
               is_short && extra ? CLAUSE(BLD, 20) : CLAUSE(BLD, 19),
               FACT(SITE) | FACT(PRICE) | FACT(PAYMENT) | FACT(MISSING));
}

/* Write why goods cannot be returned to the supply: gold never can, and other goods must be owned. */
static void refuse_returning(const Row *row, Step prompt, int number, Refusal *refusal)
{
    int good = number - RETURN_GOOD;
    bool plans = prompt.kind == ARCHITECT_PROMPT;
    refusal->owned = row->player[prompt.seat].goods[good];
    if (good == GOLD) {
        set_reason(refusal, GOOD_NOT_OFFERED, plans ? CLAUSE(YEL, 2) : CLAUSE(BLU, 7), FACT(GOOD));
    } else if (plans) {
        set_reason(refusal, NOT_OWNED, CLAUSE(YEL, 1), FACT(GOOD) | FACT(OWNED));
    } else {
        set_reason(refusal, NOT_OWNED, CLAUSE(BLU, 7), FACT(GOOD));
    }
}

/* Write why a card cannot be dismissed or hired. */
static void refuse_staff(int number, Refusal *refusal)
{
    bool dismisses = number < HIRE;
    refusal->character = number - (dismisses ? DISMISS : HIRE);
    set_reason(refusal, dismisses ? CARD_NOT_IN_HAND : CARD_NOT_IN_SUPPLY,
               dismisses ? CLAUSE(VAL, 10) : CLAUSE(VAL, 12), FACT(CHARACTER));
}

/* Write why an action of a type that answers the prompt is refused. */
static void refuse(const Table *table, const Row *row, Step prompt, const Action *action,
                   Refusal *refusal)
{
    int number = action->number;
    switch (prompt.kind) {
    case DEAL_PROMPT:
        refuse_dealing(table, row, number, refusal);
        break;
    case DRAW_PROMPT:
        refusal->character = number - DRAW_CARD;
        set_reason(refusal, CARD_NOT_IN_PILE, CLAUSE(TRN, 17), FACT(CHARACTER));
        break;
    case BARREL_PROMPT:
        set_reason(refusal, NO_SUCH_BARREL, CLAUSE(VAL, 5), FACT(GOOD));
        break;
    case DRAFT_PROMPT:
    case BONUS_PROMPT:
        set_reason(refusal, GOOD_NOT_OFFERED, clause_of(prompt), FACT(GOOD));
        break;
    case PLAY_PROMPT:
        refuse_play(table, row, prompt, number, refusal);
        break;
    case MAID_PROMPT:
        refuse_declining(refusal, MAID, CLAUSE(TRN, 7));
        break;
    case ARTISAN_PROMPT:
        refuse_declining(refusal, ARTISAN, CLAUSE(TRN, 7));
        break;
    case NUN_PROMPT:
        refuse_declining(refusal, NUN, CLAUSE(TRN, 7));
        break;
    case SITE_PROMPT:
        refuse_site(table, row, prompt, number, refusal);
        break;
    case PAYMENT_PROMPT:
        refuse_payment(row, prompt, action, refusal);
        break;
    case VALETTE_PROMPT:
        refuse_staff(number, refusal);
        break;
    case MONK_PROMPT:
        set_reason(refusal, NOT_OWNED, CLAUSE(BLU, 2), FACT(GOOD));
        break;
    case SEAMSTRESS_PROMPT:
        if (number == DECLINE) {
            refuse_declining(refusal, SEAMSTRESS, CLAUSE(TRN, 7));
            break;
        }
        refusal->goods = action->goods;
        set_reason(refusal, WRONG_NUMBER_OF_GOODS, CLAUSE(BLU, 10), FACT(GOODS));
        break;
    default: /* TRADER_PROMPT, ARCHITECT_PROMPT */
        if (number == DECLINE) {
            refuse_declining(refusal, ARCHITECT, CLAUSE(YEL, 3));
            break;
        }
        refuse_returning(row, prompt, number, refusal);
        break;
    }
}

/* Return whether an action is legal; write the reason if it is not. */
bool valletta_check(const Table *table, const Row *row, const Action *action, Refusal *refusal)
{
    if (action->number < NUMBERS && is_legal(table, row, action)) {
        return true;
    }
    *refusal = (Refusal){.owner = -1};
    if (!row->steps) {
        set_reason(refusal, GAME_OVER, CLAUSE(FIN, 16), 0);
        return false;
    }
    Step prompt = row->agenda[row->steps - 1];
    if (ANSWERED_BY[prompt.kind] >> kind_of(action->number) & 1) {
        refuse(table, row, prompt, action, refusal);
    } else {
        set_reason(refusal, WRONG_KIND, clause_of(prompt), FACT(PROMPT) | FACT(ACTION));
    }
    return false;
}
