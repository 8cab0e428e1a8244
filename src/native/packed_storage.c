/* The storage of positions: each one stores only its own part of a row, and the rest is shared by the game. */

#include "binding.h"

#include <string.h>

enum { OWN = offsetof(Row, active), SHARED = OWN - offsetof(Row, display) };

_Static_assert(sizeof ((Deal *)0)->shared == SHARED, "what is shared lies between agenda and own");

_Static_assert((offsetof(Row, player) - OWN) % 8 == 4 && sizeof(Player) % 8 == 0
                   && sizeof(Step) % 8 == 0,
               "a stored position has half a word, then whole words, as hashes require");

/* Return the number of stored bytes of a row before the agenda. */
static size_t own_size(const Deal *deal)
{
    return offsetof(Row, player) - OWN + deal->table->table.players * sizeof(Player);
}

/* Return the number of steps on the agenda. */
static uint8_t steps_of(const Packed *packed)
{
    return packed->own[offsetof(Row, steps) - OWN];
}

/* Return the number of stored bytes of a row. */
size_t stored_size(const Packed *packed)
{
    return own_size(packed->deal) + steps_of(packed) * sizeof(Step);
}

/* Unpack the row of a position. */
void read_row(const Packed *packed, Row *row)
{
    size_t own = own_size(packed->deal), agenda = steps_of(packed) * sizeof(Step);
    memcpy(row->agenda, packed->own + own, agenda);
    memset((char *)row->agenda + agenda, 0, sizeof row->agenda - agenda);
    memcpy((char *)row + offsetof(Row, display), packed->deal->shared, SHARED);
    memcpy((char *)row + OWN, packed->own, own);
}

/* Record the position whose row is unpacked; a null pointer if there is none. */
void remember(State *state, PyObject *packed)
{
    PyObject *before = state->last;
    Py_XINCREF(packed);
    state->last = packed;
    Py_XDECREF(before);
}

/* Return the row of a position: it is valid until the row of another position is requested. */
Row *row_of(State *state, PyObject *packed)
{
    if (state->last != packed) {
        read_row((Packed *)packed, &state->row);
        remember(state, packed);
    }
    return &state->row;
}

/* Read the next step of a position; return false if there is none. */
bool next_step(const Packed *packed, Step *step)
{
    uint8_t steps = steps_of(packed);
    if (steps) {
        memcpy(step, packed->own + own_size(packed->deal) + (steps - 1) * sizeof *step, sizeof *step);
    }
    return steps;
}

/* Return the part of a row that all positions of a game share, as a new reference. */
static Deal *deal_of(State *state, TableObject *table, const Row *row)
{
    const unsigned char *shared = (const unsigned char *)row + offsetof(Row, display);
    uint64_t mixed = (uintptr_t)table, part;
    for (size_t place = 0; place < SHARED; place += sizeof part) {
        memcpy(&part, shared + place, sizeof part);
        mixed = (mixed ^ part) * UINT64_C(0x9E3779B97F4A7C15);
        mixed ^= mixed >> 32;
    }
    Deal **slot = &state->deals[mixed % DEALS], *deal = *slot;
    if (!deal || deal->table != table || memcmp(deal->shared, shared, SHARED)) {
        if (!(deal = PyMem_Malloc(sizeof *deal))) {
            return NULL;
        }
        Py_INCREF((PyObject *)(deal->table = table));
        deal->references = 1;
        memcpy(deal->shared, shared, SHARED);
        release_deal(*slot);
        *slot = deal;
    }
    deal->references++;
    return deal;
}

/* Release a shared part; it may be a null pointer. */
void release_deal(Deal *deal)
{
    if (deal && !--deal->references) {
        Py_DECREF((PyObject *)deal->table);
        PyMem_Free(deal);
    }
}

/* Return a new object of a type that stores a row; `like` is a position of the same game, or null.
 *
 * If the unpacked row is that of the last position, it becomes that of the new one. */
PyObject *keep_row(State *state, PyTypeObject *type, TableObject *table, const Packed *like,
                   const Row *row)
{
    enum { DEALT = offsetof(Row, dealt) - offsetof(Row, display) };
    Deal *deal = like && like->deal->shared[DEALT] == row->dealt ? like->deal : NULL;
    if (deal) {
        deal->references++;
    } else {
        deal = deal_of(state, table, row);
    }
    size_t own = deal ? own_size(deal) : 0, agenda = row->steps * sizeof(Step);
    Packed *self = deal ? PyObject_Malloc(offsetof(Packed, own) + own + agenda) : NULL;
    if (!self) {
        release_deal(deal);
        return PyErr_NoMemory();
    }
    PyObject_Init((PyObject *)self, type);
    self->deal = deal;
    self->prompt = NULL;
    memcpy(self->own, (const char *)row + OWN, own);
    memcpy(self->own + own, row->agenda, agenda);
    if (row == &state->row) {
        remember(state, (PyObject *)self);
    }
    Step next;
    self->prompt = next_step(self, &next) ? ready_prompt(state, &next) : Py_NewRef(Py_None);
    if (!self->prompt) {
        Py_DECREF((PyObject *)self);
        return NULL;
    }
    return (PyObject *)self;
}

/* Return a new position with a row. */
PyObject *packed_from(State *state, TableObject *table, const Row *row)
{
    return keep_row(state, state->packed_type, table, NULL, row);
}
