/* The engine: legal actions, and the positions after them. */

#include "row.h"

_Static_assert(ARCHITECT_PROMPT == NO_STEP + 16, "every prompt has its answers here");

/* List the possible answers of chance, with a whole number in proportion to each probability. */
/*@ requires is_table(table) && readable(row) && is_display(table, row) && has_step(row);
    requires DEAL_PROMPT <= row->agenda[row->steps - 1].kind <= BARREL_PROMPT;
    requires row->agenda[row->steps - 1].kind == DRAW_PROMPT ==> is_seat(row, row->agenda[row->steps - 1].seat) &&
      has_kinds(&row->player[row->agenda[row->steps - 1].seat].draw_pile);
    requires \valid(numbers + (0 .. NUMBERS - 1)) && \valid(weights + (0 .. NUMBERS - 1));
    requires \separated(numbers + (0 .. NUMBERS - 1), weights + (0 .. NUMBERS - 1), table, row);
    assigns numbers[0 .. NUMBERS - 1], weights[0 .. NUMBERS - 1];
    ensures 0 <= \result <= NUMBERS && is_ascending(numbers, \result);
    ensures row->agenda[row->steps - 1].kind == DEAL_PROMPT ==> \forall integer number; lists(numbers, \result, number) ==>
      0 <= number - DEAL_BUILDING < table->designs && cards_left(table, row, number - DEAL_BUILDING) > 0;
    ensures row->agenda[row->steps - 1].kind == DRAW_PROMPT ==> \forall integer place; 0 <= place < \result ==>
      0 <= numbers[place] - DRAW_CARD < CHARACTERS && weights[place] > 0;
    ensures row->agenda[row->steps - 1].kind == DRAW_PROMPT ==> \forall integer number;
      lists(numbers, \result, number) <==> may_be_drawn(row, asked(row), number);
    ensures row->agenda[row->steps - 1].kind == BARREL_PROMPT ==> \forall integer number;
      lists(numbers, \result, number) <==> may_be_revealed(row, number);
    ensures row->agenda[row->steps - 1].kind == BARREL_PROMPT ==> \forall integer place; 0 <= place < \result ==>
      weights[place] == row->barrels[numbers[place] - REVEAL_BARREL];
*/
int chance_weights(const Table *table, const Row *row, uint16_t numbers[NUMBERS],
                   uint64_t weights[NUMBERS])
{
    Step prompt = row->agenda[row->steps - 1];
    switch (prompt.kind) {
    case DEAL_PROMPT:
        return deal_weights(table, row, numbers, weights);
    case DRAW_PROMPT:
        return draw_weights(row, prompt, numbers, weights);
    default: /* BARREL_PROMPT */
        break;
    }
    return barrel_weights(row, numbers, weights);
}

/* List the numbers of the legal actions in ascending order, except payments, which are too many. */
/*@ requires is_table(table) && readable(row) && row->steps <= MAX_STEPS;
    requires row->steps > 0 ==> is_step(row, row->agenda[row->steps - 1]) && can_play(table, row, asked(row));
    requires row->steps > 0 ==> has_kinds(&row->player[asked(row)].hand) &&
      has_kinds(&row->player[asked(row)].draw_pile) && has_kinds(&row->supply);
    requires row->steps > 0 ==> row->agenda[row->steps - 1].kind < TURN;
    requires \valid(numbers + (0 .. NUMBERS - 1));
    requires \base_addr(numbers) != \base_addr(row) && \base_addr(numbers) != \base_addr(table);
    requires \separated(row, table);
    assigns numbers[0 .. NUMBERS - 1];
    ensures 0 <= \result <= NUMBERS && is_ascending(numbers, \result);
    ensures row->steps == 0 || is_asked(row, PAYMENT_PROMPT) ==> \result == 0;
    ensures is_asked{Pre}(row, DEAL_PROMPT) ==> \forall integer number; lists(numbers, \result, number) ==>
      0 <= number - DEAL_BUILDING < table->designs && cards_left(table, row, number - DEAL_BUILDING) > 0;
    ensures is_asked{Pre}(row, BARREL_PROMPT) ==> \forall integer number;
      lists(numbers, \result, number) <==> may_be_revealed(row, number);
    ensures is_asked{Pre}(row, DRAW_PROMPT) ==> \forall integer number;
      lists(numbers, \result, number) <==> may_be_drawn(row, asked(row), number);
    ensures is_asked{Pre}(row, DRAFT_PROMPT) ==> \forall integer number;
      lists(numbers, \result, number) <==> may_draft(row->agenda[row->steps - 1], number);
    ensures is_asked{Pre}(row, PLAY_PROMPT) ==> \forall integer number;
      lists(numbers, \result, number) <==> may_play{Pre}(table, row, asked{Pre}(row), number);
    ensures is_asked{Pre}(row, SITE_PROMPT) ==> \forall integer number;
      lists(numbers, \result, number) <==>
        may_take_site{Pre}(table, row, \at(row->agenda[row->steps - 1], Pre), number, NEIGHBOURS);
    ensures is_asked{Pre}(row, VALETTE_PROMPT) ==> \forall integer number;
      lists(numbers, \result, number) <==> may_dismiss_or_hire(row, asked(row), number);
    ensures is_asked{Pre}(row, MONK_PROMPT) ==> \forall integer number;
      lists(numbers, \result, number) <==> may_give(row, asked(row), number);
    ensures is_asked{Pre}(row, TRADER_PROMPT) ==> \forall integer number;
      lists(numbers, \result, number) <==> may_trade(row, asked(row), number);
    ensures is_asked{Pre}(row, SEAMSTRESS_PROMPT) ==> \forall integer number;
      lists(numbers, \result, number) <==> may_take_pair(table, number);
    ensures is_asked{Pre}(row, BONUS_PROMPT) ==> \forall integer number;
      lists(numbers, \result, number) <==> may_take_bonus(row->agenda[row->steps - 1].value, number);
    ensures is_asked{Pre}(row, ARCHITECT_PROMPT) ==> \forall integer number;
      lists(numbers, \result, number) <==> may_plan(table, row, asked(row), number);
    ensures is_asked{Pre}(row, MAID_PROMPT) || is_asked{Pre}(row, ARTISAN_PROMPT) || is_asked{Pre}(row, NUN_PROMPT) ==>
      \forall integer number; lists(numbers, \result, number) <==> may_take_one(table, number);
*/
int legal_actions(const Table *table, const Row *row, uint16_t numbers[NUMBERS])
{
    uint64_t weights[NUMBERS];
    //@ assert \forall integer site; 0 <= site < MAX_SITES ==> is_site(site);
    /*@ assert \forall uint32_t one[30], other[30], integer site; are_same(one, other) && is_site(site) ==>
          one[site] == other[site]; */
    if (!row->steps) {
        return 0;
    }
    Step prompt = row->agenda[row->steps - 1];
    switch (prompt.kind) {
    case DEAL_PROMPT:
    case DRAW_PROMPT:
    case BARREL_PROMPT:
        return chance_weights(table, row, numbers, weights);
    case DRAFT_PROMPT:
        return legal_drafts(prompt, numbers);
    case PLAY_PROMPT:
        return legal_plays(table, row, prompt, numbers);
    case MAID_PROMPT:
    case ARTISAN_PROMPT:
    case NUN_PROMPT:
        return legal_goods(table, numbers);
    case SITE_PROMPT:
        /*@ assert \forall uint32_t other[30];
              (\forall integer site; 0 <= site < MAX_SITES ==> other[site] == NEIGHBOURS[site]) ==>
                \forall integer number; may_take_site(table, row, prompt, number, other) <==>
                may_take_site(table, row, prompt, number, NEIGHBOURS); */
        /*@ assert \forall uint32_t other[30], integer number; are_same(other, NEIGHBOURS) ==>
              (may_take_site(table, row, prompt, number, other) <==>
               may_take_site(table, row, prompt, number, NEIGHBOURS)); */
        return legal_sites(table, row, prompt, numbers);
    case VALETTE_PROMPT:
        return legal_staff(row, prompt, numbers);
    case MONK_PROMPT:
        return legal_gifts(row, prompt, numbers);
    case TRADER_PROMPT:
        return legal_trades(row, prompt, numbers);
    case SEAMSTRESS_PROMPT:
        return legal_pairs(table, numbers);
    case BONUS_PROMPT:
        return legal_bonuses(prompt, numbers);
    case ARCHITECT_PROMPT:
        return legal_plans(table, row, prompt, numbers);
    default: /* a payment */
        return 0;
    }
}

/* Return whether an action is legal, without listing the others. */
/*@ requires is_table(table) && \valid_read(row) && readable(row) && \separated(row, table);
    requires row->steps > 0 ==> row->steps <= MAX_STEPS && is_step(row, row->agenda[row->steps - 1]) &&
      can_play(table, row, row->agenda[row->steps - 1].seat);
    requires \valid_read(action) && 0 <= action->number < NUMBERS;
    requires \forall integer good; is_good(good) ==> 0 <= action->goods.of[good];
    assigns \nothing;
    ensures row->steps == 0 ==> \result == 0;
    ensures is_asked(row, DEAL_PROMPT) && \result != 0 ==> action->number - DEAL_BUILDING < table->designs &&
      cards_left(table, row, action->number - DEAL_BUILDING) > 0;
    ensures is_asked(row, PAYMENT_PROMPT) ==> (\result != 0 <==>
      may_pay(row, row->agenda[row->steps - 1], action->number, action->goods));
    ensures is_asked(row, DRAW_PROMPT) ==> (\result != 0 <==> may_be_drawn(row, asked(row), action->number));
    ensures is_asked(row, BARREL_PROMPT) ==> (\result != 0 <==> may_be_revealed(row, action->number));
    ensures is_asked(row, DRAFT_PROMPT) ==> (\result != 0 <==> may_draft(row->agenda[row->steps - 1], action->number));
    ensures is_asked(row, PLAY_PROMPT) ==> (\result != 0 <==> may_play(table, row, asked(row), action->number));
    ensures is_asked(row, SITE_PROMPT) ==> (\result != 0 <==>
      may_take_site(table, row, row->agenda[row->steps - 1], action->number, NEIGHBOURS));
    ensures is_asked(row, VALETTE_PROMPT) ==> (\result != 0 <==> may_dismiss_or_hire(row, asked(row), action->number));
    ensures is_asked(row, MONK_PROMPT) ==> (\result != 0 <==> may_give(row, asked(row), action->number));
    ensures is_asked(row, TRADER_PROMPT) ==> (\result != 0 <==> may_trade(row, asked(row), action->number));
    ensures is_asked(row, SEAMSTRESS_PROMPT) ==> (\result != 0 <==> may_take_pair(table, action->number));
    ensures is_asked(row, BONUS_PROMPT) ==> (\result != 0 <==>
      may_take_bonus(row->agenda[row->steps - 1].value, action->number));
    ensures is_asked(row, ARCHITECT_PROMPT) ==> (\result != 0 <==> may_plan(table, row, asked(row), action->number));
    ensures is_asked(row, MAID_PROMPT) || is_asked(row, ARTISAN_PROMPT) || is_asked(row, NUN_PROMPT) ==>
      (\result != 0 <==> may_take_one(table, action->number));
*/
bool is_legal(const Table *table, const Row *row, const Action *action)
{
    //@ assert \forall integer site; 0 <= site < MAX_SITES ==> is_site(site);
    /*@ assert \forall uint32_t one[30], other[30], integer site; are_same(one, other) && is_site(site) ==>
          one[site] == other[site]; */
    if (!row->steps) {
        return false;
    }
    Step prompt = row->agenda[row->steps - 1];
    switch (prompt.kind) {
    case DEAL_PROMPT:
        return check_deal(table, row, action);
    case DRAW_PROMPT:
        return check_draw(row, prompt, action);
    case BARREL_PROMPT:
        return check_barrel(row, action);
    case DRAFT_PROMPT:
        return check_draft(prompt, action);
    case PLAY_PROMPT:
        return check_play(table, row, prompt, action);
    case MAID_PROMPT:
    case ARTISAN_PROMPT:
    case NUN_PROMPT:
        return check_good(table, action);
    case SITE_PROMPT:
        /*@ assert \forall uint32_t other[30];
              (\forall integer site; 0 <= site < MAX_SITES ==> other[site] == NEIGHBOURS[site]) ==>
                \forall integer number; may_take_site(table, row, prompt, number, other) <==>
                may_take_site(table, row, prompt, number, NEIGHBOURS); */
        /*@ assert \forall uint32_t other[30], integer number; are_same(other, NEIGHBOURS) ==>
              (may_take_site(table, row, prompt, number, other) <==>
               may_take_site(table, row, prompt, number, NEIGHBOURS)); */
        return check_site(table, row, prompt, action);
    case PAYMENT_PROMPT:
        return check_payment(row, prompt, action);
    case VALETTE_PROMPT:
        return check_staff(row, prompt, action);
    case MONK_PROMPT:
        return check_gift(row, prompt, action);
    case TRADER_PROMPT:
        return check_trade(row, prompt, action);
    case SEAMSTRESS_PROMPT:
        return check_pair(table, action);
    case BONUS_PROMPT:
        return check_bonus(prompt, action);
    default: /* ARCHITECT_PROMPT */
        break;
    }
    return check_plan(table, row, prompt, action);
}

/* Apply a legal action, without the automatic steps that follow. */
static void answer(const Table *table, Row *row, const Action *action)
{
    Step prompt = row->agenda[row->steps - 1];
    switch (prompt.kind) {
    case DEAL_PROMPT:
        deal(row, action);
        break;
    case DRAW_PROMPT:
        draw(row, prompt, action);
        break;
    case BARREL_PROMPT:
        reveal_barrel(row, prompt, action);
        break;
    case DRAFT_PROMPT:
        draft(row, prompt, action);
        break;
    case PLAY_PROMPT:
        play(table, row, prompt, action);
        break;
    case MAID_PROMPT:
        serve(row, prompt, action);
        break;
    case SITE_PROMPT:
        choose_site(table, row, prompt, action);
        break;
    case PAYMENT_PROMPT:
        pay(table, row, prompt, action);
        break;
    case VALETTE_PROMPT:
        dismiss_or_hire(row, prompt, action);
        break;
    case MONK_PROMPT:
        give_to_monk(row, prompt, action);
        break;
    case TRADER_PROMPT:
        trade(row, prompt, action);
        break;
    case SEAMSTRESS_PROMPT:
        take_pair(row, prompt, action);
        break;
    case ARTISAN_PROMPT:
        craft(table, row, prompt, action);
        break;
    case NUN_PROMPT:
        share_alms(row, prompt, action);
        break;
    case BONUS_PROMPT:
        take_bonus(row, prompt, action);
        break;
    default: /* ARCHITECT_PROMPT */
        plan(row, prompt, action);
        break;
    }
}

/* Apply a legal action to a row; return whether the row can hold the result. */
bool apply(const Table *table, Row *row, const Action *action)
{
    answer(table, row, action);
    run(row);
    return !row->fault;
}

/* Return whether a prompt still needs an answer when its turn comes. */
/*@ requires readable(row) && is_player(row, prompt.seat);
    assigns \nothing;
    ensures prompt.kind == DEAL_PROMPT ==> (\result != 0 <==> row->dealt < SITES[row->players]);
    ensures prompt.kind == DRAW_PROMPT ==> (\result != 0 <==>
      row->player[prompt.seat].hand.total < HAND_SIZE && row->player[prompt.seat].draw_pile.total > 0);
    ensures prompt.kind == PLAY_PROMPT ==> (\result != 0 <==> row->player[prompt.seat].hand.total > 0);
    ensures prompt.kind == VALETTE_PROMPT ==> (\result != 0 <==>
      row->player[prompt.seat].hand.total > 0 || row->supply.total > 0);
    ensures prompt.kind == MONK_PROMPT ==> (\result != 0 <==> in_all(row, prompt.seat) >= MONK_SPARES);
    ensures prompt.kind == DEAL_PROMPT || prompt.kind == DRAW_PROMPT || prompt.kind == PLAY_PROMPT ||
      prompt.kind == VALETTE_PROMPT || prompt.kind == MONK_PROMPT || \result != 0;
*/
static bool still_stands(const Row *row, Step prompt)
{
    switch (prompt.kind) {
    case DEAL_PROMPT:
        return lacks_a_building(row);
    case DRAW_PROMPT:
        return draws_a_card(row, prompt);
    case PLAY_PROMPT:
        return has_a_card(row, prompt);
    case VALETTE_PROMPT:
        return has_a_choice(row, prompt);
    case MONK_PROMPT:
        return has_to_give(row, prompt.seat);
    default:
        return true;
    }
}

/* Run the next step if it is automatic or no longer needed; return whether it was. */
static bool run_once(Row *row)
{
    Step next = row->agenda[row->steps - 1];
    switch (next.kind) {
    case TURN:
        done(row);
        begin_turn(row, next);
        return true;
    case END_TURN:
        done(row);
        end_turn(row, next);
        return true;
    case PASS_TURN:
        done(row);
        pass_turn(row, next);
        return true;
    default:
        if (still_stands(row, next)) {
            return false;
        }
        done(row);
        return true;
    }
}

/* Run automatic steps, until a prompt must be answered or the game is over. */
void run(Row *row)
{
    while (row->steps && !row->fault && run_once(row)) {
    }
}
