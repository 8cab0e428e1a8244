/* The rules and games of src/native on a GPU, or in a loop where HOST is defined.
 *
 * This one source includes those of the rules (`rules.c`, written by the build), so that functions
 * are inlined.  Results are those of `Batch` and `rollouts` of the native backend.
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

/* The numbers that games can be sorted by: all actions, and none. */
enum { KEYS = NUMBERS + 1 };

/* The threads that write a mask, a word of four bytes at a time. */
enum { LANES = 32, WORDS = NUMBERS / 4, WORDS_EACH = (WORDS + LANES - 1) / LANES };
_Static_assert(NUMBERS % 4 == 0, "masks are whole words");

/* The first games that were given an illegal number, or came to more than a row can hold; `NO_GAME`
 * where there are none.  While it is held, no game takes a number or goes on. */
enum { NO_GAME = INT32_MAX };
typedef struct {
    int32_t illegal, stopped, is_held;
} Trouble;

/* The sum of games at random, and the number of the next. */
typedef struct {
    uint64_t next;
    Tally sum;
} Sum;

/* The argument of a kernel: memory of the GPU, and numbers.  `keys` and `starts` have `KEYS` items,
 * `rank` and `order` one for each game; `given` is the argument of a method, `into` its result. */
typedef struct {
    Course *course;
    Described *described;
    Game *game;
    Row *last;
    Trouble *trouble;
    uint32_t *keys, *starts, *rank, *order;
    const void *given;
    void *into;
    int64_t asked;
    uint64_t seed, games;
    int64_t views; /* of a game that are written */
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
extern __attribute__((address_space(3))) uint32_t pool[]; /* memory that a block shares */
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

/* Write what the host needs to know of the types. */
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

/* Restart the selected games, each from its seed; the selection follows the seeds. */
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

/* Take over the numbers for all games; note the first that is illegal, and count the others. */
KERNEL(check)
{
    Game *game = &call->game[THREAD];
    if (call->trouble->is_held) {
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

/* Tell where the games of a number begin, if they are sorted by it. */
KERNEL(starts)
{
    uint32_t before = 0;
    for (int64_t key = 0; key < THREAD; key++) {
        before += call->keys[key];
    }
    call->starts[THREAD] = before;
}

/* Sort the games by their numbers, so that neighbours do the same. */
KERNEL(sort)
{
    if (call->trouble->illegal == NO_GAME) {
        int64_t key = call->game[THREAD].answer - NO_ANSWER;
        call->order[call->starts[key] + call->rank[THREAD]] = (uint32_t)THREAD;
    }
}

/* Answer in every game, unless a number is illegal. */
KERNEL(step)
{
    if (call->trouble->illegal == NO_GAME) {
        uint32_t each = call->order[THREAD];
        if (!continue_game(call->course, &call->game[each], last_of(call, each))) {
            note(&call->trouble->stopped, each);
        }
    } else if (THREAD == 0) {
        call->trouble->is_held = 1;
    }
}

/* Write masks, each by several threads whose words lie side by side. */
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
/* Write the views of a block, which lie side by side, from the memory that it shares. */
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

/* Write what the seat to play, or a spectator, sees of each game, or what every seat sees. */
KERNEL(observe)
{
    const Game *game = &call->game[THREAD / call->views];
    int viewer = call->views == 1 ? viewer_of(game) : (int)(THREAD % call->views);
    int64_t width = (int64_t)columns(call->course->table.players);
    observe(call->course, call->described, game, viewer, NULL, SPECTATOR,
            OWN((int16_t *)call->into, width));
    write_out(call, width);
}

/* Write what else can be asked. */
KERNEL(tell)
{
    int asked = (int)call->asked, players = call->course->table.players;
    char *into = (char *)call->into + THREAD * (int64_t)size_told(asked, players);
    tell(&call->game[THREAD], players, asked, call->seed, (uint64_t)THREAD, into);
}

/* Play the games of all numbers below a limit; a thread takes the next when one is over, while its
 * neighbours go on. */
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
