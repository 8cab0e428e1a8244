/* Random games with generators of Python: one for each source of chance and for each seat that plays at
 * random.
 *
 * The games equal those of `valletta_rules.bots.random_bot`, without its views. */

#include "binding.h"
#include "rollout.h"

/* The generators of chance in the order of the Python arguments; each seat has its own for drawing cards. */
enum { DEALS_BUILDINGS, REVEALS_BARRELS, DRAWS_CARDS };

/* A game and its generators; a seat that is not played here has none. */
typedef struct {
    State *state;
    TableObject *table;
    Row row;
    Source bots[MAX_PLAYERS], chance[DRAWS_CARDS + MAX_PLAYERS];
} Playing;

static Step current_prompt(const Row *row)
{
    return row->agenda[row->steps - 1];
}

/* Draw a number for the open chance prompt from its generator. */
static int64_t draw_for_chance(void *given, uint64_t limit)
{
    Playing *playing = given;
    Step prompt = current_prompt(&playing->row);
    int place = prompt.kind == DRAW_PROMPT     ? DRAWS_CARDS + prompt.seat
              : prompt.kind == BARREL_PROMPT ? REVEALS_BARRELS
                                             : DEALS_BUILDINGS;
    return draw_number(&playing->chance[place], limit);
}

/* Choose a random action for a seat, and add it to a list; return false with an exception if that fails. */
static bool answer(Playing *playing, int seat, PyObject *actions)
{
    const Table *table = &playing->table->table;
    Action action;
    if (!pick_action(table, &playing->row, draw_number, &playing->bots[seat], &action)) {
        if (!PyErr_Occurred()) {
            PyErr_SetString(PyExc_ValueError, "no answer is legal");
        }
        return false;
    }
    PyObject *chosen = action.number == PAY
        ? ready_payment(playing->state, action.goods.of)
        : ready_action(playing->state, playing->table, action.number);
    bool is_added = chosen && !PyList_Append(actions, chosen);
    Py_XDECREF(chosen);
    apply(table, &playing->row, &action);
    return is_added;
}

/* Return a new list for the actions of a seat, added with the seat to `runs`: a borrowed reference, or
 * null. */
static PyObject *new_actions(PyObject *runs, int seat, bool begins)
{
    PyObject *actions = PyList_New(0);
    PyObject *run = actions ? Py_BuildValue("iON", seat, begins ? Py_True : Py_False, actions) : NULL;
    bool is_added = run && !PyList_Append(runs, run);
    Py_XDECREF(run);
    return is_added ? actions : NULL;
}

/* Play until a seat without a generator must decide, the game is over, or the limit of turns is reached; or
 * until the first turn of another phase begins.
 *
 * Return false if that fails. */
static bool play_on(Playing *playing, long turns, bool is_reported, PyObject *runs)
{
    Row *row = &playing->row;
    PyObject *actions = NULL;
    int phase = row->phase, seat = 0;
    while (resolve_chance(&playing->table->table, row, draw_for_chance, playing)) {
        Step prompt = row->steps && !row->fault ? current_prompt(row) : (Step){0};
        bool begins = prompt.kind == PLAY_PROMPT && !row->plays && !is_reported;
        if (!prompt.kind || !playing->bots[prompt.seat].plain.generator
            || (begins && (row->phase != phase || turns <= 0))) {
            return true;
        }
        turns -= begins;
        if (!actions || begins || prompt.seat != seat) {
            seat = prompt.seat;
            actions = new_actions(runs, seat, begins);
        }
        if (!actions || !answer(playing, seat, actions)) {
            return false;
        }
        is_reported = false;
    }
    return false;
}

/* Prepare the generators of a tuple; return false with an exception if that fails.
 *
 * The generators of seats may be missing. */
static bool open_sources(State *state, PyObject *generators, Py_ssize_t count, bool seats,
                         Source sources[])
{
    if (PyTuple_Size(generators) != count) {
        PyErr_SetString(PyExc_ValueError, "there is another number of generators");
        return false;
    }
    for (Py_ssize_t place = 0; place < count; place++) {
        PyObject *generator = PyTuple_GetItem(generators, place);
        if (!(seats && generator == Py_None) && !open_source(state, generator, &sources[place])) {
            return false;
        }
    }
    return true;
}

/* Play at random: (bots, chance, turns, is_reported) -> position, [(seat, begins, actions), ...]. */
PyObject *packed_played_on(PyObject *object, PyObject *args)
{
    Playing playing = {.state = state_of(object), .table = table_of(object)};
    PyObject *bots, *chance, *after = NULL;
    long turns;
    int is_reported;
    if (!playing.state
        || !PyArg_ParseTuple(args, "O!O!lp:played_on", &PyTuple_Type, &bots, &PyTuple_Type, &chance,
                             &turns, &is_reported)) {
        return NULL;
    }
    int players = playing.table->table.players;
    PyObject *runs = PyList_New(0);
    if (runs && open_sources(playing.state, bots, players, true, playing.bots)
        && open_sources(playing.state, chance, DRAWS_CARDS + players, false, playing.chance)) {
        read_row((Packed *)object, &playing.row);
        bool done = play_on(&playing, turns, is_reported, runs);
        after = position_drawn(playing.state, object, &playing.row, done);
    }
    for (int seat = 0; seat < players; seat++) {
        Py_XDECREF(playing.bots[seat].numbers);
    }
    for (int place = 0; place < DRAWS_CARDS + players; place++) {
        Py_XDECREF(playing.chance[place].numbers);
    }
    if (!after) {
        Py_XDECREF(runs);
        return NULL;
    }
    return Py_BuildValue("NN", after, runs);
}
