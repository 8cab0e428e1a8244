/* The value function: the expected points of each player, as in `valletta_rules.bots.value`. */

#include "search.h"

#include <math.h>
#include <string.h>

/* The points and counts of a player's buildings. */
typedef struct {
    int points;
    int count[COUNTS];
} Holdings;

/* Return whether the indices in the weights exist. */
bool are_weights(const Weights *weights)
{
    for (int card = 0; card < CHARACTERS; card++) {
        if (!(weights->rising[card] >= 0 && weights->rising[card] < GAINS
              && weights->counted[card] >= 0 && weights->counted[card] < COUNTS)) {
            return false;
        }
    }
    return true;
}

/* Count the buildings on some sites, and their icons. */
static void count_icons(const Table *table, const Row *row, uint32_t sites, Holdings *holdings)
{
    for (; sites; sites = other_sites(sites)) {
        int design = row->display[first_site(sites)];
        holdings->points += table->points[design];
        holdings->count[table->icon[design]]++;
    }
}

/* Return the buildings of a player with their points and counts. */
static Holdings holdings_of(const Table *table, const Row *row, const Means *means)
{
    Holdings holdings = {0, {0}};
    count_icons(table, row, means->built, &holdings);
    count_icons(table, row, means->upgraded, &holdings);
    for (int good = 0; good < GOODS; good++) {
        if (holdings.count[good] > holdings.count[BEST_ICON]) {
            holdings.count[BEST_ICON] = holdings.count[good];
        }
    }
    for (uint32_t sites = means->built; sites; sites = other_sites(sites)) {
        int colour = COLOUR_OF[table->character[row->display[first_site(sites)]]];
        holdings.count[GREEN_BUILDINGS] += colour == GREEN;
        holdings.count[BLUE_BUILDINGS] += colour == BLUE;
    }
    holdings.count[UPGRADED] = count_sites(means->upgraded);
    return holdings;
}

/* Return the number of goods that cards yield. */
static double goods_gained(const double gains[GAINS])
{
    return gains[GOLD] + gains[WOOD] + gains[STONE] + gains[BRICK] + gains[ANY_GOOD];
}

/* Compute the yield of cards if each of them is played once; that of an Apprentice is approximate. */
static void add_up(const Weights *weights, const uint8_t cards[CHARACTERS],
                   const Holdings *holdings, double sums[GAINS])
{
    double goods = 0;
    int models = 0;
    memset(sums, 0, GAINS * sizeof *sums);
    for (int card = 0; card < CHARACTERS; card++) {
        double gains[GAINS];
        if (!cards[card]) {
            continue;
        }
        memcpy(gains, weights->yields[card], sizeof gains);
        gains[(int)weights->rising[card]] +=
            weights->slope[card] * holdings->count[(int)weights->counted[card]];
        for (int gain = 0; gain < GAINS; gain++) {
            sums[gain] += cards[card] * gains[gain];
        }
        if (weights->is_model[card] != 0) {
            goods += cards[card] * goods_gained(gains);
            models += cards[card];
        }
    }
    if (cards[APPRENTICE]) {
        double usual = goods / (models > 1 ? models : 1);
        sums[ANY_GOOD] += weights->copy * cards[APPRENTICE] * (usual > 1 ? usual : 1);
    }
}

/* Return the yield of a player's cards, from the cache if possible. */
static const Income *income(const Valuer *valuer, const Row *row, const Player *player,
                            const Bag *cards)
{
    Means means = {*cards, player->built, player->upgraded};
    Income *place = &valuer->cache[hash(&means, sizeof means) & (valuer->places - 1)];
    if (memcmp(&place->means, &means, sizeof means)) {
        Holdings holdings = holdings_of(valuer->table, row, &means);
        place->means = means;
        place->points = holdings.points;
        add_up(valuer->weights, cards->of, &holdings, place->gains);
    }
    return place;
}

/* Return the approximate number of points that cards are worth if they are played now. */
static double merit(const Weights *weights, const double gains[GAINS])
{
    return goods_gained(gains) * weights->good_now + gains[BUILD_ACTIONS] * weights->build_now
        + gains[GAINED_POINTS] + gains[SALES];
}

/* Return a number, or 0 if it is negative. */
static double at_least_0(double number)
{
    return number > 0 ? number : 0;
}

/* Return a smooth minimum: slightly below the smaller number, and lowest if the numbers are equal. */
static double lesser(double one, double other)
{
    if (one <= 0 || other <= 0) {
        return 0;
    }
    return one * other / pow(one * one * one + other * other * other, 1.0 / 3);
}

/* Return the expected points of a player, from the expected number of plays of each card. */
static double forecast(const Weights *weights, const Player *player, const Income *income,
                       double times, double left)
{
    const double *gains = income->gains;
    double stock[GOODS];
    for (int good = 0; good < GOODS; good++) {
        stock[good] = player->goods[good] + times * gains[good];
    }
    double wealth =
        stock[GOLD] + stock[WOOD] + stock[STONE] + stock[BRICK] + times * gains[ANY_GOOD];
    double gold_wanted = weights->gold_share * wealth;
    double wanted = weights->material_share * wealth + weights->spare;
    double surplus = at_least_0(stock[GOLD] - gold_wanted) + at_least_0(stock[WOOD] - wanted);
    surplus += at_least_0(stock[STONE] - wanted) + at_least_0(stock[BRICK] - wanted);
    wealth -= weights->waste * surplus;
    double built = lesser(times * gains[BUILD_ACTIONS], wealth / weights->goods_a_building);
    wealth -= weights->goods_a_building * built;
    double room = HOUSES_PER_PLAYER - weights->room_lost * count_sites(player->built);
    built -= weights->crowding * at_least_0(built - room);
    double sold = times * gains[SALES], most = wealth / weights->goods_a_sale;
    sold = most < sold ? most : sold;
    wealth -= weights->goods_a_sale * sold;
    double points = player->score + income->points + times * gains[GAINED_POINTS];
    points += (weights->points_a_building + weights->points_a_turn * left) * built;
    return points + weights->points_a_sale * sold + weights->points_a_good * wealth;
}

/* Add the cards of a bag to another. */
static void join(Bag *bag, const Bag *other)
{
    for (int card = 0; card < CHARACTERS; card++) {
        bag->of[card] += other->of[card];
    }
    bag->total += other->total;
}

/* Return the expected points of a player; the hand is used only if it is visible. */
static double expect(const Valuer *valuer, const Row *row, int seat, double left,
                     bool is_hand_visible)
{
    const Weights *weights = valuer->weights;
    const Player *player = &row->player[seat];
    Bag cards = player->hand;
    join(&cards, &player->draw_pile);
    if (row->phase >= FINAL) {
        return forecast(weights, player, income(valuer, row, player, &cards), 1, 0);
    }
    join(&cards, &player->discard_pile);
    for (int play = 0; seat == row->active && play < row->plays; play++) {
        put(&cards, row->played[play], 1);
    }
    const Income *earned = income(valuer, row, player, &cards);
    double often = earned->gains[CARDS] > 1 ? earned->gains[CARDS] : 1;
    double times = weights->used * (1 + PLAYS_PER_TURN * left / often);
    double points = forecast(weights, player, earned, times, left);
    if (is_hand_visible && player->hand.total) {
        earned = income(valuer, row, player, &player->hand);
        points += weights->hand * merit(weights, earned->gains);
    }
    return points;
}

/* Return the approximate number of turns of the main phase that are left to each player. */
static double turns_left(const Weights *weights, const Row *row)
{
    int houses = 0, score = 0;
    for (int seat = 0; seat < row->players; seat++) {
        int own = count_sites(row->player[seat].built);
        houses = own > houses ? own : houses;
        score = row->player[seat].score > score ? row->player[seat].score : score;
    }
    double left = weights->turns_a_house * (HOUSES_PER_PLAYER - houses);
    double by_score = weights->turns_a_point * (TRIGGERING_SCORE - score);
    double by_space = weights->turns_a_space * (LAST_SPACE - row->valette);
    left = by_score < left ? by_score : left;
    left = by_space < left ? by_space : left;
    return row->phase >= FINAL ? 0 : at_least_0(left);
}

/* Compute the approximate final points of each player; only the viewer's hand is used, and none for a
 * spectator. */
void expected_points(const Valuer *valuer, const Row *row, int viewer, double points[MAX_PLAYERS])
{
    double left = turns_left(valuer->weights, row);
    for (int seat = 0; seat < row->players; seat++) {
        points[seat] = expect(valuer, row, seat, left, seat == viewer);
    }
}

/* Return the expected lead of a seat in points over its best opponent. */
double expected_lead(const Valuer *valuer, const Row *row, int seat)
{
    double points[MAX_PLAYERS];
    expected_points(valuer, row, seat, points);
    double best = points[(seat + 1) % row->players];
    for (int other = 0; other < row->players; other++) {
        if (other != seat && points[other] > best) {
            best = points[other];
        }
    }
    return points[seat] - best;
}
