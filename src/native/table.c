/* `Table`: the part that is the same in all positions of a game, for Python and for rows. */

#include "binding.h"

#include <string.h>

static PyObject *table_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    PyObject *rules, *cards, *dealings;
    const char *bytes, *problem;
    Py_ssize_t size;
    Table table;
    State *state = PyType_GetModuleState(type);
    if (!state || !state->actions) {
        PyErr_SetString(PyExc_RuntimeError, "import valletta_rules.native first");
        return NULL;
    }
    if (kwargs && PyDict_Size(kwargs)) {
        PyErr_SetString(PyExc_TypeError, "Table() takes no keyword arguments");
        return NULL;
    }
    if (!PyArg_ParseTuple(args, "OOO!y#:Table", &rules, &cards, &PyTuple_Type, &dealings, &bytes,
                          &size)) {
        return NULL;
    }
    if (size != sizeof table) {
        PyErr_Format(PyExc_ValueError, "a table has %zd bytes, not %zd", sizeof table, size);
        return NULL;
    }
    memcpy(&table, bytes, sizeof table);
    problem = complete_table(&table);
    int dealt = table.designs < DRAW_CARD ? table.designs : DRAW_CARD; /* buildings that have numbers */
    if (problem || PyTuple_Size(dealings) != dealt) {
        PyErr_SetString(PyExc_ValueError, problem ? problem : "each design is dealt");
        return NULL;
    }
    TableObject *self = PyObject_New(TableObject, type);
    if (self) {
        self->table = table;
        describe(&self->table, &self->described);
        Py_INCREF(self->rules = rules);
        Py_INCREF(self->cards = cards);
        Py_INCREF(self->dealings = dealings);
    }
    return (PyObject *)self;
}

static void table_dealloc(PyObject *object)
{
    TableObject *self = (TableObject *)object;
    PyTypeObject *type = Py_TYPE(object);
    Py_DECREF(self->rules);
    Py_DECREF(self->cards);
    Py_DECREF(self->dealings);
    PyObject_Free(object);
    Py_DECREF((PyObject *)type);
}

PyDoc_STRVAR(position_doc,
             "position($self, row, /)\n--\n\n"
             "Return the position of a row, which is passed as bytes.\n\n"
             "Raises `ValueError` for bytes that are not a row of this table.");

static PyObject *table_position(PyObject *object, PyObject *bytes)
{
    TableObject *self = (TableObject *)object;
    State *state = PyType_GetModuleState(Py_TYPE(object));
    Row row = {0};
    char *given;
    Py_ssize_t size;
    const char *problem;
    if (!state || !state->actions) {
        PyErr_SetString(PyExc_RuntimeError, "valletta_rules.native has been unloaded");
        return NULL;
    }
    if (PyBytes_AsStringAndSize(bytes, &given, &size) < 0) {
        return NULL;
    }
    size_t wanted = offsetof(Row, player) + self->table.players * sizeof(Player);
    if ((size_t)size != wanted) {
        PyErr_Format(PyExc_ValueError, "a row has %zu bytes, not %zd", wanted, size);
        return NULL;
    }
    memcpy(&row, given, wanted);
    if ((problem = problem_of_row(&self->table, &row))) {
        PyErr_Format(PyExc_ValueError, "this is no row: %s", problem);
        return NULL;
    }
    return packed_from(state, self, &row);
}

PyDoc_STRVAR(first_doc, "first($self, /)\n--\n\nReturn the position before anything is dealt.");

static PyObject *table_first(PyObject *object, PyObject *unused)
{
    TableObject *self = (TableObject *)object;
    State *state = PyType_GetModuleState(Py_TYPE(object));
    Row row;
    (void)unused;
    if (!state || !state->actions) {
        PyErr_SetString(PyExc_RuntimeError, "valletta_rules.native has been unloaded");
        return NULL;
    }
    lay_table(&self->table, &row);
    return packed_from(state, self, &row);
}

static PyMethodDef table_methods[] = {
    {"first", table_first, METH_NOARGS, first_doc},
    {"position", table_position, METH_O, position_doc},
    {NULL, NULL, 0, NULL},
};

PyDoc_STRVAR(table_doc, "What is the same in all positions of a game: rule set and cards.");

static PyType_Slot table_slots[] = {
    {Py_tp_doc, (void *)table_doc},
    {Py_tp_new, table_new},
    {Py_tp_dealloc, table_dealloc},
    {Py_tp_methods, table_methods},
    {0, NULL},
};

PyType_Spec table_spec = {
    .name = "valletta_rules._native.Table",
    .basicsize = sizeof(TableObject),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = table_slots,
};
