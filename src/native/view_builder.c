/* The table and the agenda of a view, created from its row. */

#include "binding.h"

#include <string.h>

/* The objects from Python for creating a view, in this order; the parts are those of a `Table`, in the
 * order of its slots. */
enum { TABLE_TYPE, PART_NAMES, READ_DISPLAY, READ_PLAYER, READ_BAG, READ_GOODS, CARDS_BY_RANK, PHASES_BY_NUMBER, READERS };
enum {
    RULES_PART, CARDS_PART, DISPLAY_PART, PLAYERS_PART, SUPPLY_PART, BARRELS_PART, VALETTE_PART,
    ACTIVE_PART, PLAYED_PART, PHASE_PART, TABLE_PARTS
};

/* Return whether a tuple has the necessary objects. */
bool are_readers(PyObject *readers)
{
    if (PyTuple_Size(readers) != READERS || !PyType_Check(PyTuple_GetItem(readers, TABLE_TYPE))) {
        return false;
    }
    for (int reader = PART_NAMES; reader < READERS; reader++) {
        PyObject *item = PyTuple_GetItem(readers, reader);
        int least = reader == PART_NAMES     ? TABLE_PARTS
                  : reader == CARDS_BY_RANK ? CHARACTERS
                                            : PHASES;
        bool is_tuple = reader == PART_NAMES || reader >= CARDS_BY_RANK;
        if (is_tuple ? !PyTuple_Check(item) || PyTuple_Size(item) != least : !PyCallable_Check(item)) {
            return false;
        }
    }
    return true;
}

static PyObject *given(const State *state, int reader)
{
    return PyTuple_GetItem(state->readers, reader);
}

/* Return the value that a Python function reads from bytes, and from another argument unless that is null.
 *
 * The result is cached, because most parts of a table equal those of an earlier one. */
static PyObject *read_part(State *state, int reader, const void *bytes, size_t size, PyObject *with)
{
    uint8_t key[sizeof(Player) + 2] = {(uint8_t)reader, (uint8_t)size};
    memcpy(key + 2, bytes, size);
    Part *entry = &state->parts[hash(key, size + 2) % CACHED_PARTS];
    if (!entry->part || entry->with != with || memcmp(entry->key, key, sizeof key)) {
        PyObject *copied = PyBytes_FromStringAndSize(bytes, (Py_ssize_t)size);
        PyObject *part =
            copied ? PyObject_CallFunctionObjArgs(given(state, reader), copied, with, NULL) : NULL;
        Py_XDECREF(copied);
        if (!part) {
            return NULL;
        }
        PyObject *before[] = {entry->part, entry->with};
        memcpy(entry->key, key, sizeof key);
        entry->with = Py_XNewRef(with);
        entry->part = part;
        Py_XDECREF(before[0]);
        Py_XDECREF(before[1]);
    }
    return Py_NewRef(entry->part);
}

static PyObject *players_of(State *state, const Row *row, int viewer)
{
    PyObject *players = PyTuple_New(row->players);
    for (int seat = 0; players && seat < row->players; seat++) {
        PyObject *player = read_part(state, READ_PLAYER, &row->player[seat], sizeof(Player),
                                     seat == viewer ? Py_True : Py_False);
        if (!player || PyTuple_SetItem(players, seat, player) < 0) {
            Py_CLEAR(players);
        }
    }
    return players;
}

static PyObject *played_of(const State *state, const Row *row)
{
    PyObject *played = PyTuple_New(row->plays);
    for (int place = 0; played && place < row->plays; place++) {
        PyObject *card = PyTuple_GetItem(given(state, CARDS_BY_RANK), row->played[place]);
        Py_XINCREF(card);
        if (!card || PyTuple_SetItem(played, place, card) < 0) {
            Py_CLEAR(played);
        }
    }
    return played;
}

/* Return a part of the table as a new reference. */
static PyObject *part_of(State *state, const TableObject *table, const Row *row, int viewer,
                         int part)
{
    switch (part) {
    case RULES_PART:
        return Py_NewRef(table->rules);
    case CARDS_PART:
        return Py_NewRef(table->cards);
    case DISPLAY_PART:
        return read_part(state, READ_DISPLAY, row->display, row->dealt, table->cards);
    case PLAYERS_PART:
        return players_of(state, row, viewer);
    case SUPPLY_PART:
        return read_part(state, READ_BAG, row->supply.of, sizeof row->supply.of, NULL);
    case BARRELS_PART:
        return read_part(state, READ_GOODS, row->barrels, sizeof row->barrels, NULL);
    case VALETTE_PART:
        return PyLong_FromLong(row->valette);
    case ACTIVE_PART:
        return PyLong_FromLong(row->active);
    case PLAYED_PART:
        return played_of(state, row);
    default: /* PHASE_PART */
        return Py_XNewRef(PyTuple_GetItem(given(state, PHASES_BY_NUMBER), row->phase));
    }
}

/* Return the table, created slot by slot, because the values of a row need no validation. */
static PyObject *make_table(State *state, const TableObject *table, const Row *row, int viewer)
{
    PyObject *created = PyType_GenericAlloc((PyTypeObject *)given(state, TABLE_TYPE), 0);
    for (int part = 0; created && part < TABLE_PARTS; part++) {
        PyObject *value = part_of(state, table, row, viewer, part);
        PyObject *name = PyTuple_GetItem(given(state, PART_NAMES), part);
        if (!value || PyObject_GenericSetAttr(created, name, value) < 0) {
            Py_CLEAR(created);
        }
        Py_XDECREF(value);
    }
    return created;
}

/* Return the agenda, the next step first. */
static PyObject *make_agenda(State *state, const Row *row)
{
    PyObject *agenda = PyTuple_New(row->steps);
    for (int place = 0; agenda && place < row->steps; place++) {
        PyObject *step = ready_prompt(state, &row->agenda[row->steps - 1 - place]);
        if (!step || PyTuple_SetItem(agenda, place, step) < 0) {
            Py_CLEAR(agenda);
        }
    }
    return agenda;
}

/* Return the table in the view of a viewer, and the agenda. */
PyObject *table_and_agenda(State *state, const Packed *packed, int viewer)
{
    Row row;
    read_row(packed, &row);
    PyObject *table = make_table(state, packed->deal->table, &row, viewer);
    PyObject *agenda = table ? make_agenda(state, &row) : NULL;
    PyObject *both = agenda ? PyTuple_Pack(2, table, agenda) : NULL;
    Py_XDECREF(table);
    Py_XDECREF(agenda);
    return both;
}
