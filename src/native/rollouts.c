/* `rollouts`: many games from one position, which threads play in shares. */

#include "binding.h"
#include "rollout.h"

#include <string.h>

/* The number of games of each thread between checks for signals, and the number of its shares: other
 * threads take the remaining shares of a delayed one. */
enum { AT_ONCE = 256, SHARES_EACH = 16 };

/* A share of the games: those from `first` to `end` - 1. */
typedef struct {
    const Table *table;
    const Row *start;
    uint64_t seed, first, end;
    Tally tally;
} Share;

/* Play the games of a share. */
static int do_share(void *given, int place)
{
    Share *share = (Share *)given + place;
    for (uint64_t number = share->first; number < share->end; number++) {
        play_numbered(share->table, share->start, share->seed, number, &share->tally);
    }
    return -1;
}

/* Play the games from `first` to `end` - 1 in threads, and add them to a tally. */
static void play_games(Pool *pool, Share shares[], int threads, uint64_t first, uint64_t end,
                       Tally *tally)
{
    int count = threads * SHARES_EACH;
    for (int place = 0; place < count; place++) {
        shares[place].first = first + (end - first) * (uint64_t)place / (uint64_t)count;
        shares[place].end = first + (end - first) * ((uint64_t)place + 1) / (uint64_t)count;
        memset(&shares[place].tally, 0, sizeof(Tally));
    }
    share_out(pool, threads, count, do_share, shares);
    for (int place = 0; place < count; place++) {
        add_tally(tally, &shares[place].tally);
    }
}

/* Play random games: (position, number of games, seed, threads) -> sums. */
PyObject *module_rollouts(PyObject *module, PyObject *args)
{
    State *state = PyModule_GetState(module);
    PyObject *given;
    unsigned long long games, seed;
    int threads;
    if (!PyArg_ParseTuple(args, "O!KKi:rollouts", state->packed_type, &given, &games, &seed,
                          &threads)) {
        return NULL;
    }
    if (threads < 1 || threads > MOST_THREADS) {
        return PyErr_Format(PyExc_ValueError, "there are 1 to %d threads", MOST_THREADS);
    }
    const Packed *packed = (Packed *)given;
    Row start = {0};
    Tally tally = {0};
    Pool another;
    Share *shares = PyMem_Calloc((size_t)(threads * SHARES_EACH), sizeof *shares);
    if (!shares) {
        return PyErr_NoMemory();
    }
    read_row(packed, &start);
    for (int place = 0; place < threads * SHARES_EACH; place++) {
        shares[place] = (Share){.table = &packed->deal->table->table, .start = &start, .seed = seed};
    }
    Pool *pool = lend_pool(state, &another);
    while (tally.games < games && !PyErr_CheckSignals()) {
        uint64_t some = (uint64_t)threads * AT_ONCE, left = games - tally.games;
        Py_BEGIN_ALLOW_THREADS
        play_games(pool, shares, threads, tally.games,
                   tally.games + (some < left ? some : left), &tally);
        Py_END_ALLOW_THREADS
    }
    take_back(state, pool);
    PyMem_Free(shares);
    if (PyErr_Occurred()) {
        return NULL;
    }
    int players = start.players;
    return Py_BuildValue("KKKNNN", (unsigned long long)tally.games,
                         (unsigned long long)tally.unfinished, (unsigned long long)tally.decisions,
                         by_seat(tally.parts, players), by_seat(tally.points, players),
                         by_seat(tally.squares, players));
}
