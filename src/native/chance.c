/* Chance: outcomes drawn from a generator. */

#include "row.h"

/* A generator is a function that returns a number and changes no row and no table. */
/*@ ghost
  int64_t said;
  /@ requires limit > 0;
     assigns said;
     ensures \result == said;
  @/
  int64_t any_numbers(void *source, uint64_t limit);
*/

/* Draw a number below the sum of some weights; negative if there are none or the generator failed. */
/*@ requires number == &any_numbers;
    assigns said;
    ensures \result == (0 <= said < sum ? said : -1);
*/
static int64_t ticket(uint64_t sum, Numbers number, void *source)
{
    int64_t drawn = -1;
    if (sum) {
        //@ calls any_numbers;
        drawn = number(source, sum);
    }
    return drawn >= 0 && (uint64_t)drawn < sum ? drawn : -1;
}

/* Draw a card by a random number, in the order of `draw_weights`; return false if that failed.
 *
 * Rules: TRN-18, SET-15
 */
/*@ requires \valid(row) && is_seat(row, prompt.seat) && number == &any_numbers;
    requires is_bag(&row->player[prompt.seat].draw_pile) && has_kinds(&row->player[prompt.seat].draw_pile);
    requires \forall integer kind; 0 <= kind < CHARACTERS ==> has_room(row->player[prompt.seat].hand, kind);
    requires can_join(&row->player[prompt.seat]);
    assigns said, row->player[prompt.seat].hand, row->player[prompt.seat].draw_pile,
      row->player[prompt.seat].discard_pile, row->player[prompt.seat].shown;
    ensures \result != 0 <==> 0 <= said < \old(row->player[prompt.seat].draw_pile.total);
    ensures \result == 0 ==> is_unchanged{Pre, Post}(&row->player[prompt.seat].hand) &&
      has_same_piles{Pre, Post}(&row->player[prompt.seat]);
    ensures TRN_18_states: SET_15_part: \result != 0 ==> \exists integer kind; 0 <= kind < CHARACTERS &&
      cards_before{Pre}(&row->player[prompt.seat].draw_pile, kind) <= said <
      cards_before{Pre}(&row->player[prompt.seat].draw_pile, kind + 1) &&
      holds_more{Pre, Post}(&row->player[prompt.seat].hand, kind, 1);
*/
static bool draw_once(Row *row, Step prompt, Numbers number, void *source)
{
    const Bag *pile = &row->player[prompt.seat].draw_pile;
    int64_t left = ticket(pile->total, number, source);
    Kinds rest = left < 0 ? 0 : kinds_in(pile);
    //@ assert left >= 0 && rest == 0 ==> \forall integer kind; 0 <= kind < CHARACTERS ==> pile->of[kind] == 0;
    //@ assert left >= 0 && rest == 0 ==> cards(pile) == 0;
    if (!rest) {
        return false;
    }
    /*@ ghost
      /@ loop assigns \nothing;
         loop pragma UNROLL "completely", CHARACTERS + 1;
      @/
      for (int each = 0; each < CHARACTERS; each++) {
          /@ assert cards_before(pile, each + 1) == cards_before(pile, each) + pile->of[each]; @/
      }
    */
    //@ assert cards_before(pile, CHARACTERS) == cards(pile);
    //@ ghost int kind = 0;
    /*@ ghost
      /@ loop invariant 0 <= kind <= first(rest) && cards_before(pile, kind) == 0;
         loop assigns kind;
         loop variant CHARACTERS - kind;
      @/
      while (!pile->of[kind]) {
          kind++;
      }
    */
    //@ assert kind == first(rest);
    /*@ loop invariant 0 < rest && kind == first(rest) && 0 <= left == said - cards_before(pile, kind);
        loop invariant \forall integer each; 0 <= each < 64 && is_of(rest, each) ==>
          each < CHARACTERS && pile->of[each] > 0;
        loop invariant \forall integer each; kind <= each < CHARACTERS && pile->of[each] > 0 ==> is_of(rest, each);
        loop assigns rest, left, kind;
        loop variant rest;
    */
    for (; left >= pile->of[first_kind(rest)]; rest = other_kinds(rest)) {
        left -= pile->of[first_kind(rest)];
        //@ assert left == said - cards_before(pile, kind + 1);
        //@ ghost kind++;
        /*@ ghost
          /@ loop invariant first(rest) < kind <= CHARACTERS;
             loop invariant left == said - cards_before(pile, kind);
             loop invariant \forall integer each; first(rest) < each < kind ==> pile->of[each] == 0;
             loop assigns kind;
             loop variant CHARACTERS - kind;
          @/
          while (kind < CHARACTERS && !pile->of[kind]) {
              kind++;
          }
        */
        //@ assert kind < CHARACTERS;
        //@ assert is_of(others(rest), kind) && kind == first(others(rest));
    }
    draw(row, prompt, &(Action){DRAW_CARD + first_kind(rest), {{0}}});
    return true;
}

/* Resolve any other chance prompt by a random number; return false if that failed.
 *
 * Rules: VAL-4
 */
/*@ requires is_table(table) && \valid(row) && readable(row) && \separated(row, table) && is_display(table, row);
    requires number == &any_numbers && has_step(row);
    requires row->agenda[row->steps - 1].kind == DEAL_PROMPT ? row->dealt < MAX_SITES :
      row->agenda[row->steps - 1].kind == BARREL_PROMPT && is_player(row, row->agenda[row->steps - 1].seat);
    assigns said, row->dealt, row->display[row->dealt], row->barrels[0 .. GOODS - 1], row->steps,
      row->agenda[row->steps - 1], row->player[row->agenda[row->steps - 1].seat].goods[0 .. GOODS - 1], row->fault;
    ensures \result == 0 ==> row->dealt == \old(row->dealt) && row->steps == \old(row->steps);
    ensures is_asked{Pre}(row, DEAL_PROMPT) && \result != 0 ==>
      row->dealt == \old(row->dealt) + 1 && row->display[\old(row->dealt)] < table->designs &&
      cards_left{Pre}(table, row, \at(row->display[\at(row->dealt, Pre)], Post)) > 0;
    ensures is_asked{Pre}(row, BARREL_PROMPT) && \result != 0 ==> is_done{Pre, Post}(row);
    ensures VAL_4_part: is_asked{Pre}(row, BARREL_PROMPT) && \result != 0 ==> \exists integer good;
      is_good(good) && row->barrels[good] == \old(row->barrels[good]) - 1 &&
      (row->fault || gained{Pre, Post}(row, asked{Pre}(row), good, 1));
    ensures is_asked{Pre}(row, DEAL_PROMPT) || has_margin{Pre}(row, asked{Pre}(row)) ==> stays_sound{Pre, Post}(row);
*/
static bool resolve_once(const Table *table, Row *row, Numbers number, void *source)
{
    uint16_t numbers[NUMBERS];
    uint64_t weights[NUMBERS], sum = 0;
    int count = chance_weights(table, row, numbers, weights), each = 0;
    //@ ghost int is_barrel = row->agenda[row->steps - 1].kind == BARREL_PROMPT;
    /*@ assert \forall integer place; 0 <= place < count ==>
          weights_before(&weights[0], place + 1) == weights_before(&weights[0], place) + weights[place]; */
    /*@ assert \forall integer each; is_good(each) ==> has(row, row->agenda[row->steps - 1].seat, each) ==
          has{Pre}(row, row->agenda[row->steps - 1].seat, each); */
    //@ assert \forall integer place; 0 <= place < count ==> lists(&numbers[0], count, numbers[place]);
    /*@ assert !is_barrel ==> \forall integer place; 0 <= place < count ==>
          0 <= numbers[place] - DEAL_BUILDING < table->designs &&
          cards_left(table, row, numbers[place] - DEAL_BUILDING) > 0; */
    /*@ assert is_barrel ==> \forall integer place; 0 <= place < count ==> lists(&numbers[0], count, numbers[place]) &&
          is_good(numbers[place] - REVEAL_BARREL) && row->barrels[numbers[place] - REVEAL_BARREL] > 0; */
    /*@ loop invariant 0 <= place <= count && sum <= weights_before(&weights[0], place);
        loop assigns place, sum;
        loop variant count - place;
    */
    for (int place = 0; place < count; place++) {
        sum += weights[place];
    }
    int64_t drawn = ticket(sum, number, source);
    if (drawn < 0) {
        return false;
    }
    uint64_t left = (uint64_t)drawn;
    //@ assert said < weights_before(&weights[0], count);
    /*@ loop invariant 0 <= each < count;
        loop invariant left == said - weights_before(&weights[0], each);
        loop assigns each, left;
        loop variant count - each;
    */
    while (left >= weights[each]) {
        left -= weights[each++];
    }
    //@ ghost int good = numbers[each] - REVEAL_BARREL;
    //@ assert !is_barrel ==> cards_left{Pre}(table, row, numbers[each] - DEAL_BUILDING) > 0;
    Action action = {numbers[each], {{0}}};
    //@ assert is_barrel ==> is_good(good) && action.number == REVEAL_BARREL + good;
    Step prompt = row->agenda[row->steps - 1];
    if (prompt.kind == DEAL_PROMPT) {
        deal(row, &action);
    } else { /* BARREL_PROMPT */
        //@ assert has_margin{Pre}(row, asked{Pre}(row)) ==> has_margin(row, prompt.seat);
        //@ assert row->fault == \at(row->fault, Pre);
        reveal_barrel(row, prompt, &action);
        //@ assert has_margin{Pre}(row, asked{Pre}(row)) ==> stays_sound{Pre, Here}(row);
        //@ assert row->fault || gained{Pre, Here}(row, prompt.seat, good, 1);
        //@ assert row->barrels[good] == \at(row->barrels[\at(good, Here)], Pre) - 1;
        //@ assert is_good(good) && is_done{Pre, Here}(row);
    }
    return true;
}

/* Resolve chance prompts with a generator until a player must decide or the game is over.
 *
 * The generator is called once for each prompt.  Return false if the generator failed.
 */
bool resolve_chance(const Table *table, Row *row, Numbers number, void *source)
{
    while (row->steps && !row->fault) {
        Step prompt = row->agenda[row->steps - 1];
        int times = 1;
        switch (prompt.kind) {
        case DEAL_PROMPT:
            times = SITES[row->players] - row->dealt;
            break;
        case DRAW_PROMPT:
            times = cards_wanted(row, prompt);
            break;
        case BARREL_PROMPT:
            break;
        default:
            return true;
        }
        for (int time = 0; time < times; time++) {
            if (!(prompt.kind == DRAW_PROMPT ? draw_once(row, prompt, number, source)
                                             : resolve_once(table, row, number, source))) {
                return false;
            }
        }
        run(row);
    }
    return true;
}
