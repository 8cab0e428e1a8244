/* Tests of the functions on bit sets whose contracts are assumed in contracts.h (`Sets`).
 *
 * The program prints the line of the first check that fails.  Functions with one argument are tested with
 * every set of sites and of kinds.  Functions with two arguments treat each bit separately, so they are
 * tested with every pair of bytes at every place; the other bits are all zero or all one.
 */

#include "rows.c"
#include "houses_and_icons.c"

#include <stdio.h>

_Static_assert((int)MAX_SITES <= (int)CHARACTERS, "sets of kinds are run through, and no larger ones");

#define CHECK(claim) do { if (!(claim)) return __LINE__; } while (0)

/* Return whether a set contains a member, as contracts.h defines it. */
static bool has_bit(uint64_t all, int each)
{
    return all / (UINT64_C(1) << each) % 2 == 1;
}

/* Check every set with a number of possible members, in the order of its first member. */
static int firsts(int members)
{
    for (int first = members - 1; first >= 0; first--) {
        uint64_t wrong = 0;
        for (uint64_t higher = 0; higher < UINT64_C(1) << (members - first - 1); higher++) {
            uint64_t others = higher << first << 1, all = others + (UINT64_C(1) << first);
            wrong |= (uint64_t)(first_site((uint32_t)all) ^ first) | (other_sites((uint32_t)all) ^ others);
            wrong |= (uint64_t)(first_kind(all) ^ first) | (other_kinds(all) ^ others);
        }
        CHECK(wrong == 0);
    }
    return 0;
}

/* Check single members and pairs of members at all 64 places. */
static int places(void)
{
    for (int one = 0; one < 64; one++) {
        for (int other = 0; other < 64; other++) {
            uint64_t all = UINT64_C(1) << one | UINT64_C(1) << other;
            CHECK(first_kind(all) == (one < other ? one : other));
            CHECK(other_kinds(all) == (one == other ? 0 : UINT64_C(1) << (one < other ? other : one)));
            CHECK(is_among(all, one) && is_among(~all, one) == 0);
            for (int each = 0; each < 64; each++) {
                CHECK(is_among(all, each) == (each == one || each == other));
            }
        }
    }
    for (int count = 0; count < 32; count++) {
        for (int each = 0; each < 64; each++) {
            CHECK(has_bit(first_sites(count), each) == (each < count));
        }
    }
    return 0;
}

/* Check two sets of sites in which one byte differs from no sites or from all sites. */
static int pairs(uint32_t one, uint32_t other)
{
    uint32_t all = with_all(one, other), some = in_both(one, other), rest = without(one, other);
    int count = 0;
    for (int each = 0; each < 32; each++) {
        bool is_here = has_bit(one, each), is_there = has_bit(other, each);
        CHECK(has_bit(all, each) == (is_here || is_there) && has_bit(some, each) == (is_here && is_there));
        CHECK(has_bit(rest, each) == (is_here && !is_there));
        CHECK(with_site(one, each) == (is_here ? one : one + (UINT32_C(1) << each)));
        count += is_here;
    }
    CHECK(count_sites(one) == count);
    return 0;
}

/* Check the kinds in a bag: each count of a kind, together with each count of another kind of its word. */
static int kinds(void)
{
    for (int one = 0; one < CHARACTERS; one++) {
        for (int other = one / 8 * 8; other < CHARACTERS && other < one / 8 * 8 + 8; other++) {
            for (int count = 0; count <= MOST_CARDS; count++) {
                for (int more = 0; more <= MOST_CARDS; more++) {
                    Bag none = {0}, rest;
                    memset(&rest, 0, sizeof rest);
                    memset(rest.of, MOST_CARDS, CHARACTERS);
                    none.of[one] = rest.of[one] = (uint8_t)count;
                    none.of[other] = rest.of[other] = (uint8_t)more;
                    uint64_t last = (uint64_t)(more > 0) << other;
                    uint64_t found = last | (one == other ? 0 : (uint64_t)(count > 0) << one);
                    uint64_t outside = (UINT64_C(1) << one) | (UINT64_C(1) << other);
                    uint64_t every = (UINT64_C(1) << CHARACTERS) - 1;
                    CHECK(kinds_in(&none) == found && kinds_in(&rest) == ((every & ~outside) | found));
                }
            }
        }
    }
    return 0;
}

int main(void)
{
    int failed = places();
    failed = failed ? failed : kinds();
    for (int place = 0; !failed && place < 4 * 4; place++) {
        uint32_t around = place & 4 ? UINT32_MAX : 0, beside = place & 8 ? UINT32_MAX : 0;
        int shift = place % 4 * 8;
        uint32_t hole = ~(UINT32_C(255) << shift);
        for (uint32_t pair = 0; !failed && pair < 256 * 256; pair++) {
            failed = pairs((around & hole) | (pair & 255) << shift, (beside & hole) | (pair >> 8) << shift);
        }
    }
    failed = failed ? failed : firsts(CHARACTERS);
    if (failed) {
        printf("tests/native/sets.c:%d: not so\n", failed);
    }
    return failed != 0;
}
