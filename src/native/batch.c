/* `Batch`: many games at a time, which threads play in shares.
 *
 * Only the call that has set `busy` checks and copies buffers and changes games.  Each of its threads plays
 * games of its own, without the lock of the interpreter.
 */

#include "binding.h"
#include "game.h"
#include "thread.h"

#include <string.h>

/* The maximum number of games, and the number of shares for each thread: other threads take the remaining
 * shares of a delayed one. */
enum { MOST_GAMES = 1 << 24, SHARES_EACH = 8 };

/* The number of bytes of a cache line. */
enum { LINE = 64 };

typedef struct Batch Batch;

/* A function that does something to one game; it returns false if that fails. */
typedef bool (*Task)(Batch *batch, int game);

struct Batch {
    PyObject_HEAD
    TableObject *table;
    Course course;
    Game *games;
    Row *last; /* the last row of the previous game, if games restart */
    int count;
    int threads;
    bool busy;
    size_t columns; /* the number of columns of a view */
    bool has_advanced; /* whether the last call that changed games was `advance` */
    Pool pool;
    Task task; /* the function that the shares of a call execute */
    int shares;
    int kind; /* the result that a call returns, and the seed for random choices */
    uint64_t seed;
    const char *given; /* the arguments of a call: seeds or answers, and the selected games */
    const char *wanted;
    char *into; /* the destination, and the number of bytes of a game */
    size_t size;
};

static Row *last_of(Batch *batch, int game)
{
    return &batch->last[batch->course.restarts ? game : 0];
}

static bool begin(Batch *batch, int game)
{
    Game *current = &batch->games[game];
    if (!batch->wanted[game]) {
        return true;
    }
    memcpy(&current->seed, batch->given + (size_t)game * sizeof current->seed, sizeof current->seed);
    memset(last_of(batch, game), 0, sizeof(Row));
    return reset_game(&batch->course, current);
}

static bool check(Batch *batch, int game)
{
    Game *current = &batch->games[game];
    memcpy(&current->answer, batch->given + (size_t)game * sizeof current->answer,
           sizeof current->answer);
    return accepts(current);
}

static bool go_on(Batch *batch, int game)
{
    return continue_game(&batch->course, &batch->games[game], last_of(batch, game));
}

/* Return the number of bytes that `advance` writes for each game: rewards, a view, a mask, and a flag. */
static size_t size_advanced(const Batch *batch)
{
    size_t players = batch->course.table.players;
    return players * sizeof(float) + columns((int)players) * sizeof(int16_t) + NUMBERS + 1;
}

/* Prefetch memory that will be written soon: four cache lines at a time, perhaps a few too many. */
static void fetch(const void *from, size_t size)
{
    uintptr_t line = (uintptr_t)from, end = line + size;
    for (; line < end; line += 4 * (uintptr_t)LINE) {
        __builtin_prefetch((const void *)line, 1);
        __builtin_prefetch((const void *)(line + LINE), 1);
        __builtin_prefetch((const void *)(line + 2 * (uintptr_t)LINE), 1);
        __builtin_prefetch((const void *)(line + 3 * (uintptr_t)LINE), 1);
    }
}

/* Apply the answer of a game, and write its results into the arrays: rewards, view, mask and flag. */
static bool go_on_and_write(Batch *batch, int game)
{
    Game *current = &batch->games[game];
    const Described *described = &batch->table->described;
    size_t count = (size_t)batch->count, place = (size_t)game;
    size_t players = batch->course.table.players, width = batch->columns;
    float *rewards = (float *)(void *)batch->into;
    int16_t *views = (int16_t *)(void *)(rewards + count * players);
    uint8_t *masks = (uint8_t *)(views + count * width);
    bool goes_on, had_ended = current->over;
    if (game + 1 < batch->count) {
        fetch(current + 1, sizeof *current);
        fetch(views + (place + 1) * width, (ONCE + players * EACH_PLAYER) * sizeof *views);
        fetch(masks + (place + 1) * NUMBERS, NUMBERS);
    }
    if (batch->has_advanced) {
        goes_on = continue_and_update(&batch->course, described, current, last_of(batch, game),
                                      views + place * width, masks + place * NUMBERS);
    } else {
        goes_on = go_on(batch, game);
        observe(&batch->course, described, current, viewer_of(current), NULL, SPECTATOR,
                views + place * width);
        mark(current->legal, current->legal_count, masks + place * NUMBERS);
    }
    for (size_t seat = 0; (had_ended || current->over || !batch->has_advanced) && seat < players;
         seat++) {
        rewards[place * players + seat] = reward(current, (int)seat);
    }
    masks[count * NUMBERS + place] = current->over;
    return goes_on;
}

/* Return the first game of a share. */
static int first_of(const Batch *batch, int share)
{
    return (int)((int64_t)batch->count * share / batch->shares);
}

/* Execute the task for the games of a share; return the first game for which it failed, or -1. */
static int do_share(void *given, int share)
{
    Batch *batch = given;
    int failed = -1, end = first_of(batch, share + 1);
    for (int game = first_of(batch, share); game < end; game++) {
        if (!batch->task(batch, game) && failed < 0) {
            failed = game;
        }
    }
    return failed;
}

/* Execute a task for all games, in threads and without the interpreter's lock.
 *
 * Return the first game for which it failed, or -1. */
static int do_all(Batch *batch, Task task)
{
    int failed;
    batch->busy = true;
    batch->task = task;
    batch->shares = batch->threads > 1 ? SHARES_EACH * batch->threads : 1;
    Py_BEGIN_ALLOW_THREADS
    failed = share_out(&batch->pool, batch->threads, batch->shares, do_share, batch);
    Py_END_ALLOW_THREADS
    batch->busy = false;
    return failed;
}

/* Return whether no other thread uses this batch; otherwise set an exception. */
static bool is_free(const Batch *self)
{
    if (self->busy) {
        PyErr_SetString(PyExc_RuntimeError, "another thread is at work on this batch");
    }
    return !self->busy;
}

/* Return whether a buffer has the right size; otherwise set an exception. */
static bool fits(const Batch *self, const Py_buffer *buffer, size_t size)
{
    if ((size_t)buffer->len != (size_t)self->count * size) {
        PyErr_Format(PyExc_ValueError, "%zu bytes are needed, not %zd", (size_t)self->count * size,
                     buffer->len);
        return false;
    }
    return true;
}

static PyObject *stopped(int game)
{
    return PyErr_Format(PyExc_OverflowError,
                        "game %d has stopped: its position exceeds the size of a row", game);
}

static PyObject *batch_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    State *state = PyType_GetModuleState(type);
    PyObject *given;
    int count, outside, restarts, threads;
    if (!state || !state->actions) {
        PyErr_SetString(PyExc_RuntimeError, "import valletta_rules.native first");
        return NULL;
    }
    if (kwargs && PyDict_Size(kwargs)) {
        PyErr_SetString(PyExc_TypeError, "Batch() takes no keyword arguments");
        return NULL;
    }
    if (!PyArg_ParseTuple(args, "O!ippi:Batch", state->packed_type, &given, &count, &outside,
                          &restarts, &threads)) {
        return NULL;
    }
    if (count < 1 || count > MOST_GAMES || threads < 1 || threads > MOST_THREADS) {
        return PyErr_Format(PyExc_ValueError, "there are 1 to %d games and 1 to %d threads",
                            MOST_GAMES, MOST_THREADS);
    }
    Batch *self = PyObject_New(Batch, type);
    if (!self) {
        return NULL;
    }
    const Packed *start = (Packed *)given;
    self->table = start->deal->table;
    Py_INCREF((PyObject *)self->table);
    self->course = (Course){.table = self->table->table,
                            .chance_is_outside = outside,
                            .restarts = restarts};
    read_row(start, &self->course.start);
    self->games = PyMem_Calloc((size_t)count, sizeof *self->games);
    self->last = PyMem_Calloc(restarts ? (size_t)count : 1, sizeof *self->last);
    self->columns = columns(self->course.table.players);
    self->has_advanced = false;
    self->count = count;
    self->threads = threads;
    self->busy = false;
    open_pool(&self->pool);
    if (!self->games || !self->last) {
        Py_DECREF((PyObject *)self);
        return PyErr_NoMemory();
    }
    return (PyObject *)self;
}

static void batch_dealloc(PyObject *object)
{
    Batch *self = (Batch *)object;
    PyTypeObject *type = Py_TYPE(object);
    close_pool(&self->pool);
    PyMem_Free(self->games);
    PyMem_Free(self->last);
    Py_DECREF((PyObject *)self->table);
    PyObject_Free(object);
    Py_DECREF((PyObject *)type);
}

PyDoc_STRVAR(reset_doc, "reset($self, seeds, wanted, /)\n--\n\n"
                        "Restart the selected games, each from its seed.");

static PyObject *batch_reset(PyObject *object, PyObject *args)
{
    Batch *self = (Batch *)object;
    Py_buffer seeds, wanted;
    int failed = -1;
    if (!PyArg_ParseTuple(args, "y*y*:reset", &seeds, &wanted)) {
        return NULL;
    }
    bool right = is_free(self) && fits(self, &seeds, sizeof(uint64_t)) && fits(self, &wanted, 1);
    if (right) {
        self->given = seeds.buf;
        self->wanted = wanted.buf;
        self->has_advanced = false;
        failed = do_all(self, begin);
    }
    PyBuffer_Release(&seeds);
    PyBuffer_Release(&wanted);
    if (!right) {
        return NULL;
    }
    if (failed >= 0) {
        return stopped(failed);
    }
    Py_RETURN_NONE;
}

/* Apply an action number in every game if all are legal.
 *
 * If one is illegal, or if a game stops, set an exception. */
static bool answer(Batch *self, const Py_buffer *ids, Task task)
{
    self->given = ids->buf;
    int illegal = do_all(self, check);
    int failed = illegal < 0 ? do_all(self, task) : -1;
    if (illegal < 0) {
        self->has_advanced = task == go_on_and_write;
    }
    if (illegal >= 0) {
        PyErr_Format(PyExc_ValueError, "%lld is not a legal number in game %d",
                     (long long)self->games[illegal].answer, illegal);
    } else if (failed >= 0) {
        stopped(failed);
    }
    return illegal < 0 && failed < 0;
}

PyDoc_STRVAR(step_doc, "step($self, ids, /)\n--\n\nApply one action number in each game.");

static PyObject *batch_step(PyObject *object, PyObject *args)
{
    Batch *self = (Batch *)object;
    Py_buffer ids;
    if (!PyArg_ParseTuple(args, "y*:step", &ids)) {
        return NULL;
    }
    bool right = is_free(self) && fits(self, &ids, sizeof(int64_t)) && answer(self, &ids, go_on);
    PyBuffer_Release(&ids);
    if (!right) {
        return NULL;
    }
    Py_RETURN_NONE;
}

PyDoc_STRVAR(advance_doc, "advance($self, ids, into, /)\n--\n\n"
                          "Apply one action number in each game, and overwrite the results in `into`.");

static PyObject *batch_advance(PyObject *object, PyObject *args)
{
    Batch *self = (Batch *)object;
    Py_buffer ids, into;
    if (!PyArg_ParseTuple(args, "y*w*:advance", &ids, &into)) {
        return NULL;
    }
    bool right = is_free(self) && fits(self, &ids, sizeof(int64_t))
        && fits(self, &into, size_advanced(self));
    if (right && (uintptr_t)into.buf % _Alignof(float)) {
        PyErr_SetString(PyExc_ValueError, "the buffer is not aligned");
        right = false;
    }
    if (right) {
        self->into = into.buf;
        right = answer(self, &ids, go_on_and_write);
    }
    PyBuffer_Release(&ids);
    PyBuffer_Release(&into);
    if (!right) {
        return NULL;
    }
    Py_RETURN_NONE;
}

/* Write a view to an address that may be unaligned; return the address after it. */
static char *write_view(const Batch *self, const Game *game, int viewer, char *into)
{
    int16_t numbers[MOST_COLUMNS];
    size_t size = columns(self->course.table.players) * sizeof *numbers;
    bool is_aligned = (uintptr_t)into % _Alignof(int16_t) == 0;
    observe(&self->course, &self->table->described, game, viewer, NULL, SPECTATOR,
            is_aligned ? (int16_t *)(void *)into : numbers);
    if (!is_aligned) {
        memcpy(into, numbers, size);
    }
    return into + size;
}

/* Write the result of a call for one game. */
static bool fill_game(Batch *self, int game)
{
    const Game *current = &self->games[game];
    char *into = self->into + (size_t)game * self->size;
    int players = self->course.table.players;
    switch (self->kind) {
    case MASK:
        mark(current->legal, current->legal_count, (uint8_t *)into);
        break;
    case OBSERVATION:
        write_view(self, current, viewer_of(current), into);
        break;
    case OBSERVATIONS:
        for (int each = 0; each < players; each++) {
            into = write_view(self, current, each, into);
        }
        break;
    default:
        write_result(current, players, self->kind, self->seed, (uint64_t)game, into);
        break;
    }
    return true;
}

PyDoc_STRVAR(fill_doc, "fill($self, kind, into, seed=0, /)\n--\n\n"
                       "Write one kind of result of all games.");

static PyObject *batch_fill(PyObject *object, PyObject *args)
{
    Batch *self = (Batch *)object;
    Py_buffer into;
    int kind;
    unsigned long long seed = 0;
    if (!PyArg_ParseTuple(args, "iw*|K:fill", &kind, &into, &seed)) {
        return NULL;
    }
    bool right = is_free(self);
    if (right && (kind < MASK || kind > SAMPLE)) {
        PyErr_Format(PyExc_ValueError, "unknown kind of results: %d", kind);
        right = false;
    }
    right = right && fits(self, &into, result_size(kind, self->course.table.players));
    if (right) {
        self->kind = kind;
        self->into = into.buf;
        self->size = result_size(kind, self->course.table.players);
        self->seed = seed;
        if (kind == MASK || kind >= OBSERVATION) {
            do_all(self, fill_game);
        } else { /* too few games to be worth threads */
            for (int game = 0; game < self->count; game++) {
                fill_game(self, game);
            }
        }
    }
    PyBuffer_Release(&into);
    if (!right) {
        return NULL;
    }
    Py_RETURN_NONE;
}

PyDoc_STRVAR(position_doc, "position($self, game, is_last, /)\n--\n\n"
                           "Return the position of a game, or the last position of its previous game.");

static PyObject *batch_position(PyObject *object, PyObject *args)
{
    Batch *self = (Batch *)object;
    State *state = PyType_GetModuleState(Py_TYPE(object));
    int game, is_last;
    if (!PyArg_ParseTuple(args, "ip:position", &game, &is_last) || !is_free(self)) {
        return NULL;
    }
    if (game < 0 || game >= self->count) {
        return PyErr_Format(PyExc_IndexError, "game %d does not exist; the batch has %d games", game,
                            self->count);
    }
    const Row *row = &self->games[game].row;
    if (is_last && row->steps) {
        row = &self->last[self->course.restarts ? game : 0];
    }
    if (row->fault) {
        return stopped(game);
    }
    if (!row->players) {
        return PyErr_Format(PyExc_ValueError, "game %d has not ended yet", game);
    }
    return packed_from(state, self->table, row);
}

static PyMethodDef batch_methods[] = {
    {"reset", batch_reset, METH_VARARGS, reset_doc},
    {"step", batch_step, METH_VARARGS, step_doc},
    {"advance", batch_advance, METH_VARARGS, advance_doc},
    {"fill", batch_fill, METH_VARARGS, fill_doc},
    {"position", batch_position, METH_VARARGS, position_doc},
    {NULL, NULL, 0, NULL},
};

PyDoc_STRVAR(batch_doc, "Games side by side; `valletta_rules.native.Batch` is how to use it.");

static PyType_Slot batch_slots[] = {
    {Py_tp_doc, (void *)batch_doc},
    {Py_tp_new, batch_new},
    {Py_tp_dealloc, batch_dealloc},
    {Py_tp_methods, batch_methods},
    {0, NULL},
};

PyType_Spec batch_spec = {
    .name = "valletta_rules._native.Batch",
    .basicsize = sizeof(Batch),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = batch_slots,
};
