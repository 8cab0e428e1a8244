/* The functions that play a game, with the names of those in Python: packed positions are handled in C, and
 * other arguments are passed to Python. */

#include "binding.h"

/* Call a Python function with the given arguments. */
static PyObject *refer(PyObject *function, PyObject *const *given, Py_ssize_t count,
                       PyObject *names)
{
    Py_ssize_t named = names ? PyTuple_Size(names) : 0;
    PyObject *args = PyTuple_New(count), *kwargs = named ? PyDict_New() : NULL, *result = NULL;
    for (Py_ssize_t place = 0; args && place < count; place++) {
        PyTuple_SetItem(args, place, Py_NewRef(given[place]));
    }
    for (Py_ssize_t place = 0; kwargs && place < named; place++) {
        if (PyDict_SetItem(kwargs, PyTuple_GetItem(names, place), given[count + place]) < 0) {
            Py_CLEAR(kwargs);
        }
    }
    if (args && (kwargs || !named)) {
        result = PyObject_Call(function, args, kwargs);
    }
    Py_XDECREF(args);
    Py_XDECREF(kwargs);
    return result;
}

/* Return the state of the module; a null pointer with an exception if it has not been prepared. */
static State *prepared(PyObject *module)
{
    State *state = PyModule_GetState(module);
    if (!state->actions) {
        PyErr_SetString(PyExc_RuntimeError, "import valletta_rules.native first");
        return NULL;
    }
    return state;
}

/* Return whether a call has `count` arguments, all positional, and the first is a packed position. */
static bool is_direct(const State *state, PyObject *const *given, Py_ssize_t count,
                      PyObject *names, Py_ssize_t wanted)
{
    return count == wanted && !names && Py_TYPE(given[0]) == state->packed_type;
}

PyDoc_STRVAR(legal_actions_doc, "legal_actions($module, state)\n--\n\n"
                                "Return every legal answer, as `valletta_rules.legal_actions` does.");

static PyObject *call_legal_actions(PyObject *module, PyObject *const *given, Py_ssize_t count,
                                    PyObject *names)
{
    State *state = prepared(module);
    if (state && is_direct(state, given, count, names, 1)) {
        PyObject *actions = answers_of(state, given[0]);
        if (!actions || PyTuple_Size(actions)) {
            return actions;
        }
        Py_DECREF(actions); /* Python distinguishes the end of the game from an impossible position */
    }
    return state ? refer(state->legal_actions, given, count, names) : NULL;
}

PyDoc_STRVAR(apply_doc, "apply($module, state, action)\n--\n\n"
                        "Return the position after an action, as `valletta_rules.apply` does.");

static PyObject *call_apply(PyObject *module, PyObject *const *given, Py_ssize_t count,
                            PyObject *names)
{
    State *state = prepared(module);
    if (state && is_direct(state, given, count, names, 2)) {
        PyObject *next = position_after(state, given[0], given[1]);
        if (next != Py_None) {
            return next;
        }
        Py_DECREF(next); /* not legal: Python computes the reason */
    }
    return state ? refer(state->apply, given, count, names) : NULL;
}

PyDoc_STRVAR(resolve_chance_doc,
             "resolve_chance($module, state, rng)\n--\n\n"
             "Resolve chance with a generator, as `valletta_rules.resolve_chance` does.");

static PyObject *call_resolve_chance(PyObject *module, PyObject *const *given, Py_ssize_t count,
                                     PyObject *names)
{
    State *state = prepared(module);
    if (state && is_direct(state, given, count, names, 2)) {
        return position_resolved(state, given[0], given[1]);
    }
    return state ? refer(state->resolve_chance, given, count, names) : NULL;
}

#define CALL(name) \
    {#name, (PyCFunction)(void (*)(void))call_##name, METH_FASTCALL | METH_KEYWORDS, name##_doc}

PyMethodDef call_functions[] = {
    CALL(legal_actions),
    CALL(apply),
    CALL(resolve_chance),
    {NULL, NULL, 0, NULL},
};
