/* Searches from packed positions, for `valletta_rules.bots.native_search`. */

#include "binding.h"
#include "search.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_SEARCHED = 1 << 28, DEEPEST = 64, AT_ONCE = 64 };

/* Resize memory without the interpreter's lock; size 0 frees it. */
static void *resize(void *block, size_t size)
{
    if (!size) {
        free(block);
        return NULL;
    }
    return realloc(block, size);
}

/* Let the interpreter handle signals; return false if one of them raised an exception. */
static bool handle_signals(void *source)
{
    PyThreadState **suspended = source;
    PyEval_RestoreThread(*suspended);
    bool goes_on = PyErr_CheckSignals() == 0;
    *suspended = PyEval_SaveThread();
    return goes_on;
}

/* Set the exception for a search that failed. */
static PyObject *failed(Ending ending)
{
    if (ending == NO_MEMORY) {
        return PyErr_NoMemory();
    }
    if (ending == NO_ROOM) {
        PyErr_SetString(PyExc_OverflowError,
                        "a packed position cannot hold what this leads to; .unpack() can");
    }
    return NULL;
}

/* Copy weights from a buffer; return false with an exception if they are invalid. */
static bool read_weights(const Py_buffer *given, Weights *weights)
{
    bool right = (size_t)given->len == sizeof *weights;
    if (right) {
        memcpy(weights, given->buf, sizeof *weights);
        right = are_weights(weights);
    }
    if (!right) {
        PyErr_Format(PyExc_ValueError, "these are not the %zu bytes of weights", sizeof *weights);
    }
    return right;
}

/* Return whether a position has a seat; otherwise set an exception. */
static bool has_seat(const Packed *position, int seat, int least)
{
    if (seat < least || seat >= position->deal->table->table.players) {
        PyErr_Format(PyExc_ValueError, "there is no seat %d", seat);
        return false;
    }
    return true;
}

PyDoc_STRVAR(expected_doc, "expected(position, weights, seat, /)\n--\n\n"
                           "Return the expected points of each player; -1 or the seat whose hand "
                           "is known.");

static PyObject *expected(PyObject *module, PyObject *args)
{
    State *state = PyModule_GetState(module);
    Packed *position;
    Py_buffer given;
    Weights weights;
    double points[MAX_PLAYERS];
    Row row;
    int seat;
    if (!PyArg_ParseTuple(args, "O!y*i:expected", state->packed_type, &position, &given, &seat)) {
        return NULL;
    }
    bool right = read_weights(&given, &weights) && has_seat(position, seat, SPECTATOR);
    PyBuffer_Release(&given);
    if (!right) {
        return NULL;
    }
    read_row(position, &row);
    Income cache = {0};
    Valuer valuer = {&position->deal->table->table, &weights, &cache, 1};
    expected_points(&valuer, &row, seat, points);
    PyObject *tuple = PyTuple_New(row.players);
    for (int each = 0; tuple && each < row.players; each++) {
        PyObject *number = PyFloat_FromDouble(points[each]);
        if (!number || PyTuple_SetItem(tuple, each, number) < 0) {
            Py_CLEAR(tuple);
        }
    }
    return tuple;
}

/* Return the actions that lead to a node. */
static PyObject *line_to(State *state, TableObject *table, const Node *nodes, int32_t end)
{
    int length = 0;
    for (int32_t node = end; nodes[node].parent >= 0; node = nodes[node].parent) {
        length++;
    }
    PyObject *line = PyTuple_New(length);
    for (int32_t node = end; line && length; node = nodes[node].parent) {
        const Action *taken = &nodes[node].action;
        PyObject *action = taken->number == PAY ? ready_payment(state, taken->goods.of)
                                                : ready_action(state, table, taken->number);
        if (!action || PyTuple_SetItem(line, --length, action) < 0) {
            Py_CLEAR(line);
        }
    }
    return line;
}

/* Mark the nodes that lead to the best one with their depth, from 1; other nodes have 0. */
static void mark_best(Node *nodes, int32_t count, int32_t best)
{
    int32_t depth = 0;
    for (int32_t node = 0; node < count; node++) {
        nodes[node].next = 0;
    }
    for (int32_t node = best; nodes[node].parent >= 0; node = nodes[node].parent) {
        depth++;
    }
    for (int32_t node = best; nodes[node].parent >= 0; node = nodes[node].parent) {
        nodes[node].next = depth < DEEPEST ? depth : DEEPEST - 1;
        depth--;
    }
}

/* Return the number of actions that a line shares with the best one. */
static int shared_with_best(const Node *nodes, int32_t end)
{
    while (nodes[end].parent >= 0 && !nodes[end].next) {
        end = nodes[end].parent;
    }
    return nodes[end].parent < 0 ? 0 : nodes[end].next;
}

/* Return lines as tuples.
 *
 * Of the lines that share a beginning of any length with the best line, only the best `keep` are returned. */
static PyObject *tuples_of(State *state, Packed *position, Lines *lines, int keep)
{
    PyObject *list = PyList_New(0);
    int counts[DEEPEST] = {0};
    if (lines->listed_count) {
        mark_best(lines->nodes, lines->count, lines->listed[0]);
    }
    for (int32_t each = 0; list && each < lines->listed_count; each++) {
        const Node *node = &lines->nodes[lines->listed[each]];
        int shared = shared_with_best(lines->nodes, lines->listed[each]);
        bool is_wanted = counts[shared] < keep;
        for (int depth = 0; depth <= shared; depth++) {
            counts[depth]++;
        }
        if (!is_wanted) {
            continue;
        }
        PyObject *line = line_to(state, position->deal->table, lines->nodes, lines->listed[each]);
        PyObject *end = line ? keep_row(state, state->packed_type, position->deal->table, position,
                                        &node->row)
                             : NULL;
        PyObject *tuple = end ? Py_BuildValue("OOd", line, end, node->worth) : NULL;
        if (!tuple || PyList_Append(list, tuple) < 0) {
            Py_CLEAR(list);
        }
        Py_XDECREF(line);
        Py_XDECREF(end);
        Py_XDECREF(tuple);
    }
    return list;
}

PyDoc_STRVAR(lines_doc, "lines(position, weights, seat, beam, keep, /)\n--\n\n"
                        "Return the best lines of a seat's turn: actions, position, worth.\n\n"
                        "The interpreter's lock is released.");

static PyObject *search_lines(PyObject *module, PyObject *args)
{
    State *state = PyModule_GetState(module);
    Packed *position;
    Py_buffer given;
    Weights weights;
    Row row;
    Lines lines = {.resize = resize, .pause = handle_signals};
    int keep;
    if (!PyArg_ParseTuple(args, "O!y*iii:lines", state->packed_type, &position, &given,
                          &lines.seat, &lines.beam, &keep)) {
        return NULL;
    }
    bool right = read_weights(&given, &weights) && has_seat(position, lines.seat, 0);
    PyBuffer_Release(&given);
    read_row(position, &row);
    if (right && (seat_to_answer(&row) != lines.seat || lines.beam < 1 || keep < 1)) {
        PyErr_SetString(PyExc_ValueError, "a seat that must answer, a beam and lines are needed");
        right = false;
    }
    if (!right) {
        return NULL;
    }
    lines.valuer = (Valuer){&position->deal->table->table, &weights, NULL, PLACES};
    PyThreadState *suspended = PyEval_SaveThread();
    lines.source = &suspended;
    Ending ending = find_lines(&lines, &row);
    PyEval_RestoreThread(suspended);
    PyObject *result = ending == FOUND ? tuples_of(state, position, &lines, keep) : failed(ending);
    free_lines(&lines);
    return result;
}

/* Plans that several threads try. */
typedef struct {
    Plans plans;
    int first;
} Trial;

/* Return true: the threads of a trial leave signals to the caller. */
static bool carry_on(void *source)
{
    (void)source;
    return true;
}

/* Try a plan in a world; return the reason if it failed, or -1. */
static int try_one(void *given, int share)
{
    const Trial *trial = given;
    Ending ending = try_plan(&trial->plans, trial->first + share);
    return ending == FOUND ? -1 : (int)ending;
}

/* Try all plans in all worlds in threads; return how this ended. */
static Ending try_all(State *state, Trial *trial, int threads)
{
    int count = trial->plans.ends * trial->plans.worlds, failed = -1;
    Pool another, *pool = lend_pool(state, &another);
    for (trial->first = 0; failed < 0 && trial->first < count; trial->first += AT_ONCE) {
        int left = count - trial->first;
        Py_BEGIN_ALLOW_THREADS
        failed = share_out(pool, threads, left < AT_ONCE ? left : AT_ONCE, try_one, trial);
        Py_END_ALLOW_THREADS
        failed = failed < 0 && PyErr_CheckSignals() ? STOPPED : failed;
    }
    take_back(state, pool);
    return failed < 0 ? FOUND : (Ending)failed;
}

/* Return the rows of a tuple of positions with a table; null with an exception if the tuple is invalid. */
static Row *rows_of(State *state, PyObject *tuple, const TableObject *table)
{
    Py_ssize_t count = PyTuple_Size(tuple);
    Row *rows = PyMem_Calloc((size_t)count, sizeof *rows);
    if (!rows) {
        PyErr_NoMemory();
    }
    for (Py_ssize_t place = 0; rows && place < count; place++) {
        PyObject *item = PyTuple_GetItem(tuple, place);
        const Packed *position = (Packed *)item;
        if (!PyObject_TypeCheck(item, state->packed_type) || position->deal->table != table) {
            PyErr_SetString(PyExc_ValueError, "positions of one game are needed");
            PyMem_Free(rows);
            return NULL;
        }
        read_row(position, &rows[place]);
    }
    return rows;
}

/* Return numbers as a list. */
static PyObject *list_of(const double *numbers, int count)
{
    PyObject *list = PyList_New(count);
    for (int place = 0; list && place < count; place++) {
        PyObject *number = PyFloat_FromDouble(numbers[place]);
        if (!number || PyList_SetItem(list, place, number) < 0) {
            Py_CLEAR(list);
        }
    }
    return list;
}

/* Return whether plans can be tried with a number of threads; otherwise set an exception. */
static bool are_plans(const Plans *plans, const Py_buffer *luck, int threads)
{
    bool right = plans->ends > 0 && plans->worlds > 0 && plans->ends <= MOST_SEARCHED / plans->worlds
        && luck->len == (Py_ssize_t)((size_t)plans->worlds * sizeof(Mersenne))
        && plans->lines.beam > 0 && plans->turns > 0 && threads > 0 && threads <= MOST_THREADS;
    if (!right) {
        PyErr_SetString(PyExc_ValueError, "these plans cannot be tried");
    }
    return right;
}

/* Return whether the hands of all worlds are possible in the ends of all plans; otherwise set an exception. */
static bool are_alike(const Plans *plans)
{
    for (int number = 0; number < plans->ends * plans->worlds; number++) {
        if (!can_graft(&plans->end[number / plans->worlds], &plans->world[number % plans->worlds],
                       plans->lines.seat)) {
            PyErr_SetString(PyExc_ValueError, "positions of one game are needed");
            return false;
        }
    }
    return true;
}

PyDoc_STRVAR(leads_doc, "leads(ends, worlds, weights, luck, seat, turns, beam, threads, /)\n--\n\n"
                        "Return a seat's leads some turns after its plans, for each end in each "
                        "world.\n\n`luck` contains the state of a `random.Random` for each world.");

static PyObject *leads(PyObject *module, PyObject *args)
{
    State *state = PyModule_GetState(module);
    PyObject *ends, *worlds, *list = NULL;
    Py_buffer given, luck;
    Weights weights;
    int threads;
    Trial trial = {.plans = {.lines = {.resize = resize, .pause = carry_on}}};
    Plans *plans = &trial.plans;
    if (!PyArg_ParseTuple(args, "O!O!y*y*iiii:leads", &PyTuple_Type, &ends, &PyTuple_Type, &worlds,
                          &given, &luck, &plans->lines.seat, &plans->turns, &plans->lines.beam,
                          &threads)) {
        return NULL;
    }
    plans->ends = (int)PyTuple_Size(ends);
    plans->worlds = (int)PyTuple_Size(worlds);
    plans->luck = luck.buf;
    if (are_plans(plans, &luck, threads) && read_weights(&given, &weights)) {
        PyObject *item = PyTuple_GetItem(ends, 0);
        const Packed *any = (Packed *)item;
        TableObject *table = PyObject_TypeCheck(item, state->packed_type) ? any->deal->table : NULL;
        plans->end = rows_of(state, ends, table);
        plans->world = plans->end ? rows_of(state, worlds, table) : NULL;
        plans->lead = PyMem_Calloc((size_t)(plans->ends * plans->worlds), sizeof *plans->lead);
        if (!plans->lead) {
            PyErr_NoMemory();
        } else if (plans->world && has_seat(any, plans->lines.seat, 0) && are_alike(plans)) {
            plans->lines.valuer = (Valuer){&table->table, &weights, NULL, PLACES};
            Ending ending = try_all(state, &trial, threads);
            list = ending == FOUND ? list_of(plans->lead, plans->ends * plans->worlds)
                                   : failed(ending);
        }
        PyMem_Free((void *)plans->end);
        PyMem_Free((void *)plans->world);
        PyMem_Free(plans->lead);
    }
    PyBuffer_Release(&given);
    PyBuffer_Release(&luck);
    return list;
}

PyMethodDef search_functions[] = {
    {"expected", expected, METH_VARARGS, expected_doc},
    {"leads", leads, METH_VARARGS, leads_doc},
    {"lines", search_lines, METH_VARARGS, lines_doc},
    {NULL, NULL, 0, NULL},
};
