/* The Mersenne Twister MT19937 of Makoto Matsumoto and Takuji Nishimura, used as `random.Random` uses it. */

#include "search.h"

enum { MIDDLE = 397 };

/* Compute the next 624 words. */
static void refill(Mersenne *mersenne)
{
    uint32_t *word = mersenne->word;
    for (int place = 0; place < WORDS; place++) {
        uint32_t bits = (word[place] & UINT32_C(0x80000000))
            | (word[(place + 1) % WORDS] & UINT32_C(0x7fffffff));
        word[place] = word[(place + MIDDLE) % WORDS] ^ bits >> 1
            ^ (bits & 1 ? UINT32_C(0x9908b0df) : 0);
    }
    mersenne->place = 0;
}

/* Draw 32 bits. */
static uint32_t next_word(Mersenne *mersenne)
{
    if (mersenne->place >= WORDS) {
        refill(mersenne);
    }
    uint32_t bits = mersenne->word[mersenne->place++];
    bits ^= bits >> 11;
    bits ^= bits << 7 & UINT32_C(0x9d2c5680);
    bits ^= bits << 15 & UINT32_C(0xefc60000);
    return bits ^ bits >> 18;
}

/* Draw a number from 0 to `limit` - 1, as `randrange` does. */
int64_t draw_below(void *source, uint64_t limit)
{
    int bits = limit ? 64 - __builtin_clzll(limit) : 0;
    uint64_t number = 0;
    do {
        number = bits > 32 ? next_word(source) : 0;
        if (bits > 32) {
            number |= (uint64_t)(next_word(source) >> (64 - bits)) << 32;
        } else if (bits) {
            number = next_word(source) >> (32 - bits);
        }
    } while (limit && number >= limit);
    return (int64_t)number;
}
