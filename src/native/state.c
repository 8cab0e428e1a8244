/* The state of the module: the objects from Python, caches and threads. */

#include "binding.h"

#include <string.h>

static const char *const ATTRIBUTES[NAMES] = {
    "goods", "gold",  "wood",       "stone",       "brick",     "seat",
    "site",  "price", "gauss_next", "getrandbits", "randrange", "_randbelow",
};

/* Return the C function of `getrandbits` of new generators, if it accepts one argument.
 *
 * Otherwise return a null pointer, perhaps with an exception. */
static PyCFunction find_getrandbits(const State *state)
{
    PyObject *fresh = PyObject_CallObject(state->random_type, NULL);
    PyObject *bound = fresh ? PyObject_GetAttr(fresh, state->names[GETRANDBITS_NAME]) : NULL;
    PyCFunction function = bound && PyCFunction_Check(bound) && PyCFunction_GetFlags(bound) == METH_O
        ? PyCFunction_GetFunction(bound)
        : NULL;
    Py_XDECREF(bound);
    Py_XDECREF(fresh);
    return function;
}

/* Store the objects that Python has created; return false if they are invalid. */
bool prepare(State *state, PyObject *wanted)
{
    clear_ready(state);
    if (PyTuple_Size(wanted) != HANDED) {
        PyErr_SetString(PyExc_TypeError, "there is another number of objects to take over");
        return false;
    }
    for (int place = 0; place < HANDED; place++) {
        state->handed[place] = Py_NewRef(PyTuple_GetItem(wanted, place));
    }
    bool is_named = true;
    for (int name = 0; name < NAMES; name++) {
        state->names[name] = PyUnicode_InternFromString(ATTRIBUTES[name]);
        is_named = is_named && state->names[name];
    }
    for (int method = 0; is_named && method < METHODS; method++) {
        PyObject *name = state->names[GETRANDBITS_NAME + method];
        state->methods[method] = PyObject_GetAttr(state->random_type, name);
        is_named = state->methods[method];
    }
    state->getrandbits = is_named ? find_getrandbits(state) : NULL;
    if (PyErr_Occurred() || PyTuple_Size(state->actions) != NUMBERS || !are_readers(state->readers)) {
        if (!PyErr_Occurred()) {
            PyErr_SetString(PyExc_ValueError, "there is another number of actions, or this is not "
                                              "what a table is made of");
        }
        clear_ready(state);
        return false;
    }
    index_actions(state);
    return true;
}

/* Visit the stored objects except payments: the garbage collector does not track payments, because they
 * have no references back. */
int visit_ready(State *state, visitproc visit, void *arg)
{
    Py_VISIT(state->table_type);
    Py_VISIT(state->packed_type);
    Py_VISIT(state->view_type);
    Py_VISIT(state->batch_type);
    for (int place = 0; place < HANDED; place++) {
        Py_VISIT(state->handed[place]);
    }
    for (int method = 0; method < METHODS; method++) {
        Py_VISIT(state->methods[method]);
    }
    for (int place = 0; place < PROMPTS; place++) {
        Py_VISIT(state->prompts[place].prompt);
    }
    return 0;
}

/* Release all stored objects. */
void clear_ready(State *state)
{
    memset(state->addresses, 0, sizeof state->addresses);
    for (int place = 0; place < HANDED; place++) {
        Py_CLEAR(state->handed[place]);
    }
    for (int method = 0; method < METHODS; method++) {
        Py_CLEAR(state->methods[method]);
    }
    for (int name = 0; name < NAMES; name++) {
        Py_CLEAR(state->names[name]);
    }
    for (int place = 0; place < PAYMENTS; place++) {
        Py_CLEAR(state->payments[place]);
    }
    for (int place = 0; place < PROMPTS; place++) {
        Py_CLEAR(state->prompts[place].prompt);
    }
    for (int place = 0; place < CACHED_PARTS; place++) {
        Py_CLEAR(state->parts[place].with);
        Py_CLEAR(state->parts[place].part);
    }
    remember(state, NULL);
    for (int place = 0; place < DEALS; place++) {
        release_deal(state->deals[place]);
        state->deals[place] = NULL;
    }
}

/* Lend the permanent threads, which are started here; lend another pool if they are already lent. */
Pool *lend_pool(State *state, Pool *another)
{
    if (state->pool_is_lent) {
        open_pool(another);
        return another;
    }
    if (!state->has_pool) {
        open_pool(&state->pool);
    }
    state->has_pool = state->pool_is_lent = true;
    return &state->pool;
}

/* Take a lent pool back. */
void take_back(State *state, Pool *pool)
{
    if (pool == &state->pool) {
        state->pool_is_lent = false;
    } else {
        close_pool(pool);
    }
}
