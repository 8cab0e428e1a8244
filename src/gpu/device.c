/* The rules and games of src/native on a GPU, or in a loop on the processor if HOST is defined.
 *
 * This file includes the sources of the rules (`rules.c`, which the build creates), so that the compiler
 * can inline functions.  The results equal those of `Batch` and `rollouts` of the native backend.
 */

#ifndef HOST
#pragma clang attribute push(__attribute__((internal_linkage)),                                   \
                             apply_to = any(function, variable(is_global)))
#endif
#define VALLETTA_API
#include "rules.c"
#ifndef HOST
#pragma clang attribute pop
#endif

/* The number of keys by which games are sorted: all action numbers, and one for no action. */
enum { KEYS = NUMBERS + 1 };

/* The number of threads that write a mask, each a word of four bytes at a time. */
enum { LANES = 32, WORDS = NUMBERS / 4, WORDS_EACH = (WORDS + LANES - 1) / LANES };
_Static_assert(NUMBERS % 4 == 0, "a mask consists of whole words");

/* The first game with an illegal action number and the first game that exceeds a row, or `NO_GAME`.
 *
 * While one of them is set, no game accepts an action number or continues. */
enum { NO_GAME = INT32_MAX };
typedef struct {
    int32_t illegal, stopped, is_blocked;
} Trouble;

/* The sum of the results of random games, and the number of the next game. */
typedef struct {
    uint64_t next;
    Tally sum;
} Sum;

/* The argument of a kernel: pointers to memory of the GPU, and numbers.
 *
 * `keys` and `starts` have `KEYS` items, and `rank` and `order` one item for each game.  `given` is the
 * argument of a method, and `into` is its result. */
typedef struct {
    Course *course;
    Described *described;
    Game *game;
    Row *last;
    Trouble *trouble;
    uint32_t *keys, *starts, *rank, *order;
    const void *given;
    void *into;
    int64_t kind;
    uint64_t seed, games;
    int64_t views; /* the bytes that are written for a game */
    int64_t threads;
} Call;

#ifdef HOST
static int64_t host_thread;
#define THREAD host_thread
#define KERNEL(name)                                                                              \
    static void each_##name(const Call *call);                                                    \
    __attribute__((visibility("default"))) void gpu_##name(const Call *call);                     \
    void gpu_##name(const Call *call)                                                             \
    {                                                                                             \
        for (host_thread = 0; host_thread < call->threads; host_thread++) {                       \
            each_##name(call);                                                                    \
        }                                                                                         \
    }                                                                                             \
    static void each_##name(const Call *call)
#else
#define THREAD                                                                                    \
    ((int64_t)__nvvm_read_ptx_sreg_ctaid_x() * __nvvm_read_ptx_sreg_ntid_x()                      \
     + __nvvm_read_ptx_sreg_tid_x())
#define KERNEL(name)                                                                              \
    static void each_##name(const Call *call);                                                    \
    __attribute__((nvptx_kernel)) void gpu_##name(Call call)                                      \
    {                                                                                             \
        if (THREAD < call.threads) {                                                              \
            each_##name(&call);                                                                   \
        }                                                                                         \
    }                                                                                             \
    static inline __attribute__((always_inline)) void each_##name(const Call *call)
extern __attribute__((address_space(3))) uint32_t pool[]; /* memory that the threads of a block share */
#endif

static void note(int32_t *first, int64_t game)
{
    int32_t known = __atomic_load_n(first, __ATOMIC_RELAXED);
    while (game < known
           && !__atomic_compare_exchange_n(first, &known, (int32_t)game, false, __ATOMIC_RELAXED,
                                           __ATOMIC_RELAXED)) {
    }
}

static Row *last_of(const Call *call, int64_t game)
{
    return &call->last[call->course->restarts ? game : 0];
}

_Static_assert(offsetof(Course, start) == sizeof(Table)
                   && offsetof(Course, chance_is_outside) == sizeof(Table) + sizeof(Row)
                   && offsetof(Course, restarts) == sizeof(Table) + sizeof(Row) + 1,
               "the host writes a course without holes");

/* Write the sizes of types that the host needs. */
KERNEL(sizes)
{
    const int32_t sizes[] = {sizeof(Call), sizeof(Course), sizeof(Described), sizeof(Game),
                             offsetof(Game, answer)};
    memcpy(call->into, sizes, sizeof sizes);
}

/* Complete a course from its table, start and settings, and describe its buildings. */
KERNEL(prepare)
{
    valletta_complete(&call->course->table);
    describe(&call->course->table, call->described);
}

/* Restart the selected games, each with its seed; the selection follows the seeds in memory. */
KERNEL(reset)
{
    Game *game = &call->game[THREAD];
    const uint64_t *seeds = call->given;
    if (((const uint8_t *)(seeds + call->games))[THREAD]) {
        game->seed = seeds[THREAD];
        memset(last_of(call, THREAD), 0, sizeof(Row));
        if (!reset_game(call->course, game)) {
            note(&call->trouble->stopped, THREAD);
        }
    }
}

/* Copy the action numbers of all games; record the first illegal one, and count the games of each other
 * number. */
KERNEL(check)
{
    Game *game = &call->game[THREAD];
    if (call->trouble->is_blocked) {
        return;
    }
    game->answer = ((const int64_t *)call->given)[THREAD];
    if (accepts(game)) {
        uint32_t *count = &call->keys[game->answer - NO_ANSWER];
        call->rank[THREAD] = __atomic_fetch_add(count, 1, __ATOMIC_RELAXED);
    } else {
        note(&call->trouble->illegal, THREAD);
    }
}

/* Compute the index of the first game of each action number in the sorted order. */
KERNEL(starts)
{
    uint32_t before = 0;
    for (int64_t key = 0; key < THREAD; key++) {
        before += call->keys[key];
    }
    call->starts[THREAD] = before;
}

/* Sort the games by their action numbers, so that neighbouring threads execute the same code. */
KERNEL(sort)
{
    if (call->trouble->illegal == NO_GAME) {
        int64_t key = call->game[THREAD].answer - NO_ANSWER;
        call->order[call->starts[key] + call->rank[THREAD]] = (uint32_t)THREAD;
    }
}

/* Apply the action numbers of all games, unless one of them is illegal. */
KERNEL(step)
{
    if (call->trouble->illegal == NO_GAME) {
        uint32_t each = call->order[THREAD];
        if (!continue_game(call->course, &call->game[each], last_of(call, each))) {
            note(&call->trouble->stopped, each);
        }
    } else if (THREAD == 0) {
        call->trouble->is_blocked = 1;
    }
}

/* Write masks; several threads write each mask, and their words are adjacent. */
KERNEL(legal_mask)
{
    const Game *game = &call->game[THREAD / LANES];
    uint32_t *into = (uint32_t *)call->into + THREAD / LANES * WORDS, words[WORDS_EACH] = {0};
    int lane = (int)(THREAD % LANES);
    for (int place = 0; place < game->legal_count; place++) {
        int number = game->legal[place];
        for (int mine = 0; mine < WORDS_EACH; mine++) {
            words[mine] |= (uint32_t)(number / 4 == lane + mine * LANES) << number % 4 * 8;
        }
    }
    for (int mine = 0; mine < WORDS_EACH; mine++) {
        if (lane + mine * LANES < WORDS) {
            into[lane + mine * LANES] = words[mine];
        }
    }
}

#ifdef HOST
#define OWN(into, width) ((into) + THREAD * (width))
static void write_out(const Call *call, int64_t width)
{
    (void)call, (void)width;
}
#else
#define OWN(into, width) ((int16_t *)(uint32_t *)pool + __nvvm_read_ptx_sreg_tid_x() * (width))
/* Write the adjacent views of a block from its shared memory. */
static void write_out(const Call *call, int64_t width)
{
    int64_t lane = __nvvm_read_ptx_sreg_tid_x(), first = THREAD - lane;
    int64_t left = call->threads - first;
    int64_t views = left < __nvvm_read_ptx_sreg_ntid_x() ? left : __nvvm_read_ptx_sreg_ntid_x();
    int16_t *into = (int16_t *)call->into + first * width;
    __syncthreads();
    for (int64_t place = lane; place < views * width / 2; place += views) {
        ((uint32_t *)(void *)into)[place] = pool[place];
    }
    if (views * width % 2 && lane == 0) {
        into[views * width - 1] = ((int16_t *)(uint32_t *)pool)[views * width - 1];
    }
}
#endif

/* Write the view of the seat that must decide (or of a spectator), or the views of all seats, of each game. */
KERNEL(observe)
{
    const Game *game = &call->game[THREAD / call->views];
    int viewer = call->views == 1 ? viewer_of(game) : (int)(THREAD % call->views);
    int64_t width = (int64_t)columns(call->course->table.players);
    observe(call->course, call->described, game, viewer, NULL, SPECTATOR,
            OWN((int16_t *)call->into, width));
    write_out(call, width);
}

/* Write any other result of the games. */
KERNEL(results)
{
    int kind = (int)call->kind, players = call->course->table.players;
    char *into = (char *)call->into + THREAD * (int64_t)result_size(kind, players);
    write_result(&call->game[THREAD], players, kind, call->seed, (uint64_t)THREAD, into);
}

/* Play random games up to a number; a thread whose game is over takes the next one. */
KERNEL(rollouts)
{
    Sum *all = call->into;
    Tally tally = {0};
    Row row;
    Rng rng = {0, 0};
    int decisions = 0;
    Progress progress = IS_OVER;
    for (;;) {
        if (progress != GOES_ON) {
            uint64_t number = __atomic_fetch_add(&all->next, 1, __ATOMIC_RELAXED);
            if (number >= call->games) {
                break;
            }
            rng = generator(call->seed, number);
            row = call->course->start;
            decisions = 0;
        }
        progress = decide_at_random(&call->course->table, &row, &rng, &decisions);
        if (progress != GOES_ON) {
            add_played(&tally, &call->course->table, &row, progress, decisions);
        }
    }
    const uint64_t *part = (const uint64_t *)(const void *)&tally;
    for (size_t place = 0; place < sizeof tally / sizeof *part; place++) {
        __atomic_fetch_add((uint64_t *)(void *)&all->sum + place, part[place], __ATOMIC_RELAXED);
    }
}
