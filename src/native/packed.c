/* `PackedState`: an immutable position in one block of memory. */

#include "binding.h"
#include "game.h"

#include <string.h>
#include <structmember.h>

/* Return the state of the module, or a null pointer with an exception while the interpreter shuts down. */
State *state_of(PyObject *self)
{
    State *state = PyType_GetModuleState(Py_TYPE(self));
    if (state && !state->actions) {
        PyErr_SetString(PyExc_RuntimeError, "valletta_rules.native has been unloaded");
        return NULL;
    }
    return state;
}

/* Return the table of a position. */
TableObject *table_of(PyObject *object)
{
    return ((Packed *)object)->deal->table;
}

/* Return the position with the row that follows another position. */
static PyObject *followed_by(State *state, PyObject *object, const Row *row)
{
    return keep_row(state, state->packed_type, table_of(object), (Packed *)object, row);
}

static void packed_dealloc(PyObject *object)
{
    PyTypeObject *type = Py_TYPE(object);
    release_deal(((Packed *)object)->deal);
    Py_XDECREF(((Packed *)object)->prompt);
    PyObject_Free(object);
    Py_DECREF((PyObject *)type);
}

static Py_hash_t packed_hash(PyObject *object)
{
    const unsigned char *bytes = ((Packed *)object)->own;
    size_t size = stored_size((Packed *)object), place = sizeof(uint32_t);
    uint32_t first;
    memcpy(&first, bytes, sizeof first);
    uint64_t mixed = size << 32 ^ first, part;
    for (; place < size; place += sizeof part) {
        memcpy(&part, bytes + place, sizeof part);
        mixed = (mixed ^ part) * UINT64_C(0x9E3779B97F4A7C15);
        mixed ^= mixed >> 32;
    }
    Py_hash_t hash = (Py_hash_t)mixed;
    return hash == -1 ? -2 : hash;
}

/* Return whether two positions belong to one game and display; negative for an exception. */
static int are_alike(const Deal *one, const Deal *other)
{
    if (one == other || memcmp(one->shared, other->shared, sizeof one->shared)) {
        return one == other;
    }
    const TableObject *mine = one->table, *theirs = other->table;
    int alike = PyObject_RichCompareBool(mine->rules, theirs->rules, Py_EQ);
    return alike > 0 ? PyObject_RichCompareBool(mine->cards, theirs->cards, Py_EQ) : alike;
}

static PyObject *packed_compare(PyObject *object, PyObject *other, int operation)
{
    if (Py_TYPE(object) != Py_TYPE(other) || (operation != Py_EQ && operation != Py_NE)) {
        Py_RETURN_NOTIMPLEMENTED;
    }
    const Packed *mine = (Packed *)object, *theirs = (Packed *)other;
    size_t size = stored_size(mine);
    int alike = size == stored_size(theirs) && !memcmp(mine->own, theirs->own, size);
    if (alike && (alike = are_alike(mine->deal, theirs->deal)) < 0) {
        return NULL;
    }
    return PyBool_FromLong(alike == (operation == Py_EQ));
}

/* Return all legal actions as a tuple. */
PyObject *answers_of(State *state, PyObject *object)
{
    const Row *row = row_of(state, object);
    if (row->steps && row->agenda[row->steps - 1].kind == PAYMENT_PROMPT) {
        Step prompt = row->agenda[row->steps - 1];
        uint16_t goods[GOODS]; /* creating payments may have loaded another row */
        memcpy(goods, row->player[prompt.seat].goods, sizeof goods);
        return ready_payments(state, &prompt, goods);
    }
    uint16_t numbers[NUMBERS];
    int count = legal_actions(&table_of(object)->table, row, numbers);
    return ready_actions(state, table_of(object), numbers, count);
}

PyDoc_STRVAR(list_actions_doc, "list_actions($self, /)\n--\n\n"
                               "Return every legal answer to the prompt, sorted.");

static PyObject *packed_list_actions(PyObject *object, PyObject *unused)
{
    State *state = state_of(object);
    (void)unused;
    return state ? answers_of(state, object) : NULL;
}

PyDoc_STRVAR(allows_doc, "allows($self, action, /)\n--\n\n"
                         "Return whether an action is legal; `check` returns the reason if not.");

static PyObject *packed_allows(PyObject *object, PyObject *given)
{
    State *state = state_of(object);
    Action action;
    if (!state) {
        return NULL;
    }
    int status = find_action(state, table_of(object), given, &action);
    if (status < 0) {
        return NULL;
    }
    const Row *row = row_of(state, object);
    return PyBool_FromLong(status && is_legal(&table_of(object)->table, row, &action));
}

PyDoc_STRVAR(refusal_doc,
             "refusal($self, number, goods, /)\n--\n\n"
             "Return why the action with a number is illegal, or `None` if it is legal.");

static PyObject *packed_refusal(PyObject *object, PyObject *args)
{
    Refusal why;
    Action action;
    Row row;
    int *paid = action.goods.of;
    if (!PyArg_ParseTuple(args, "i(iiii):refusal", &action.number, &paid[GOLD], &paid[WOOD],
                          &paid[STONE], &paid[BRICK])) {
        return NULL;
    }
    bool right = action.number >= 0 && action.number <= NUMBERS;
    for (int good = 0; good < GOODS; good++) {
        right = right && paid[good] >= 0 && paid[good] <= MOST_GOODS;
    }
    if (!right) {
        PyErr_SetString(PyExc_ValueError, "no action has such a number, or so many goods");
        return NULL;
    }
    read_row((Packed *)object, &row);
    if (valletta_check(&table_of(object)->table, &row, &action, &why)) {
        Py_RETURN_NONE;
    }
    return PyBytes_FromStringAndSize((const char *)&why, sizeof why);
}

static PyObject *full(void)
{
    PyErr_SetString(PyExc_OverflowError,
                    "a packed position cannot hold what this leads to; .unpack() can");
    return NULL;
}

/* Return the position after an action, or `None` if the action is illegal. */
PyObject *position_after(State *state, PyObject *object, PyObject *given)
{
    const Table *table = &table_of(object)->table;
    Action action;
    int status = find_action(state, table_of(object), given, &action);
    if (status < 0) {
        return NULL;
    }
    Row *row = row_of(state, object);
    if (!status || !is_legal(table, row, &action)) {
        Py_RETURN_NONE;
    }
    remember(state, NULL); /* the row becomes that of the next position */
    return apply(table, row, &action) ? followed_by(state, object, row) : full();
}

PyDoc_STRVAR(position_after_doc,
             "position_after($self, action, /)\n--\n\n"
             "Return the position after an action, or `None` if it is not legal.\n\n"
             "Raises `OverflowError` if the position does not fit into a row.");

static PyObject *packed_position_after(PyObject *object, PyObject *given)
{
    State *state = state_of(object);
    return state ? position_after(state, object, given) : NULL;
}

PyDoc_STRVAR(transition_doc,
             "transition($self, action, /)\n--\n\n"
             "Return the position after an action and the events, or `None` if it is "
             "illegal.\n\nRaises `OverflowError` if the position does not fit into a row.");

static PyObject *packed_transition(PyObject *object, PyObject *given)
{
    State *state = state_of(object);
    const Table *table = &table_of(object)->table;
    Event events[MOST_EVENTS];
    Action action;
    if (!state) {
        return NULL;
    }
    int status = find_action(state, table_of(object), given, &action);
    if (status < 0) {
        return NULL;
    }
    Row row = *row_of(state, object);
    if (!status || !is_legal(table, &row, &action)) {
        Py_RETURN_NONE;
    }
    int count = valletta_transition(table, &row, &action, events);
    PyObject *after = count < 0 ? full() : followed_by(state, object, &row);
    return after ? Py_BuildValue("Ny#", after, (const char *)events,
                                 (Py_ssize_t)((size_t)count * sizeof *events))
                 : NULL;
}

/* Return whether a chance prompt is open. */
static bool asks_chance(PyObject *object)
{
    Step prompt;
    return next_step((Packed *)object, &prompt) && prompt.kind <= BARREL_PROMPT;
}

PyDoc_STRVAR(weights_doc, "weights($self, /)\n--\n\n"
                          "Return the outcomes of chance, each with an integer proportional to "
                          "its probability;\nan empty tuple if chance need not answer.");

static PyObject *packed_weights(PyObject *object, PyObject *unused)
{
    State *state = state_of(object);
    uint16_t numbers[NUMBERS];
    uint64_t weights[NUMBERS];
    Row row;
    (void)unused;
    if (!state) {
        return NULL;
    }
    read_row((Packed *)object, &row);
    int count = asks_chance(object)
        ? chance_weights(&table_of(object)->table, &row, numbers, weights)
        : 0;
    PyObject *pairs = PyTuple_New(count);
    for (int place = 0; pairs && place < count; place++) {
        PyObject *action = ready_action(state, table_of(object), numbers[place]);
        PyObject *pair =
            action ? Py_BuildValue("NK", action, (unsigned long long)weights[place]) : NULL;
        if (!pair || PyTuple_SetItem(pairs, place, pair) < 0) {
            Py_CLEAR(pairs);
        }
    }
    return pairs;
}

/* Draw bits with the C function of `getrandbits`; negative with an exception. */
static int64_t draw_bits(const Plain *plain, int bits)
{
    PyObject *wanted = PyLong_FromLong(bits);
    PyObject *drawn = wanted ? plain->state->getrandbits(plain->generator, wanted) : NULL;
    int64_t number = drawn ? PyLong_AsLongLong(drawn) : -1;
    Py_XDECREF(drawn);
    Py_XDECREF(wanted);
    return number;
}

/* Draw a number as `random.Random.randrange` does, with as many bits as the limit has. */
static int64_t from_bits(void *source, uint64_t limit)
{
    int bits = limit ? 64 - __builtin_clzll(limit) : 0;
    int64_t number;
    do {
        number = draw_bits(source, bits);
    } while (number >= (int64_t)limit);
    return number;
}

/* Draw a number from any generator. */
static int64_t from_numbers(void *source, uint64_t limit)
{
    PyObject *drawn = PyObject_CallFunction(source, "K", (unsigned long long)limit);
    long long number = drawn ? PyLong_AsLongLong(drawn) : -1;
    Py_XDECREF(drawn);
    if ((number < 0 || number >= (long long)limit) && !PyErr_Occurred()) {
        PyErr_Format(PyExc_ValueError, "a generator answered %lld to a limit of %llu", number,
                     (unsigned long long)limit);
        return -1;
    }
    return number;
}

/* Return whether a generator draws exactly as `random.Random` does: it has this type, and neither the type
 * nor the generator has another method for drawing. */
static bool is_plain(State *state, PyObject *generator)
{
    if ((PyObject *)Py_TYPE(generator) != state->random_type || !state->getrandbits) {
        return false;
    }
    PyObject *own = PyObject_GenericGetDict(generator, NULL);
    bool plain = own;
    bool is_bare = PyDict_Size(own) == 1 /* a null pointer does not have this size */
        && PyDict_GetItemWithError(own, state->names[GAUSS_NAME]); /* the only attribute of a new generator */
    for (int method = 0; plain && method < METHODS; method++) {
        PyObject *name = state->names[GETRANDBITS_NAME + method];
        PyObject *function = PyObject_GetAttr(state->random_type, name);
        plain = function == state->methods[method]
            && (is_bare || !PyDict_GetItemWithError(own, name));
        Py_XDECREF(function);
    }
    Py_XDECREF(own);
    PyErr_Clear();
    return plain;
}

/* Prepare a generator; return false with an exception if the object is none. */
bool open_source(State *state, PyObject *generator, Source *source)
{
    bool draws_bits = is_plain(state, generator);
    PyObject *numbers =
        draws_bits ? NULL : PyObject_CallFunctionObjArgs(state->numbers_from, generator, NULL);
    *source = (Source){{state, generator}, numbers};
    return draws_bits || numbers;
}

/* Draw a number from 0 to `limit` - 1; negative with an exception. */
int64_t draw_number(void *given, uint64_t limit)
{
    Source *source = given;
    return source->numbers ? from_numbers(source->numbers, limit) : from_bits(&source->plain, limit);
}

/* Return the position of a row for which numbers were drawn; `done` is false if drawing failed. */
PyObject *position_drawn(State *state, PyObject *object, const Row *row, bool done)
{
    if (done) {
        return row->fault ? full() : followed_by(state, object, row);
    }
    if (!PyErr_Occurred()) {
        PyErr_SetString(PyExc_ValueError, "chance has no answer");
    }
    return NULL;
}

/* A function that changes a row by random numbers; it returns false if that fails. */
typedef bool (*Change)(const Table *table, Row *row, int viewer, Numbers draw, void *source);

/* Return the position after a change that draws numbers from a generator. */
static PyObject *changed(State *state, PyObject *object, Change change, int viewer,
                         PyObject *generator)
{
    Row another, *row = &another;
    Source source;
    if (!open_source(state, generator, &source)) {
        return NULL;
    }
    if (source.numbers) { /* a generator in Python may load the row of another position */
        read_row((Packed *)object, row);
    } else {
        row = row_of(state, object);
        remember(state, NULL); /* the row becomes that of the next position */
    }
    bool done = change(&table_of(object)->table, row, viewer, draw_number, &source);
    Py_XDECREF(source.numbers);
    return position_drawn(state, object, row, done);
}

static bool let_chance_answer(const Table *table, Row *row, int viewer, Numbers draw, void *source)
{
    (void)viewer;
    return resolve_chance(table, row, draw, source);
}

static bool make_up(const Table *table, Row *row, int viewer, Numbers draw, void *source)
{
    (void)table;
    return determinize(row, viewer, draw, source);
}

/* Return the position after a generator has resolved chance. */
PyObject *position_resolved(State *state, PyObject *object, PyObject *generator)
{
    if (!asks_chance(object)) {
        Py_INCREF(object);
        return object;
    }
    return changed(state, object, let_chance_answer, SPECTATOR, generator);
}

PyDoc_STRVAR(resolved_doc, "resolved($self, generator, /)\n--\n\n"
                           "Return the position after chance, resolved with a generator.");

static PyObject *packed_resolved(PyObject *object, PyObject *generator)
{
    State *state = state_of(object);
    return state ? position_resolved(state, object, generator) : NULL;
}

/* Return whether a viewer is a seat of the game or a spectator; otherwise set an exception. */
static bool is_viewer(PyObject *object, int viewer)
{
    if (viewer < SPECTATOR || viewer >= table_of(object)->table.players) {
        PyErr_Format(PyExc_ValueError, "there is no seat %d", viewer);
        return false;
    }
    return true;
}

PyDoc_STRVAR(played_on_doc,
             "played_on($self, bots, chance, turns, is_reported, /)\n--\n\n"
             "Play at random until a seat without a generator must answer or the game is over.\n\n"
             "Returns the position after that, and the seats and their answers.");

PyDoc_STRVAR(determinized_doc,
             "determinized($self, viewer, generator, /)\n--\n\n"
             "Return a position whose hidden cards are split at random.\n\n"
             "`viewer` is a seat, or -1 for a spectator.");

static PyObject *packed_determinized(PyObject *object, PyObject *args)
{
    int viewer;
    PyObject *generator;
    if (!PyArg_ParseTuple(args, "iO:determinized", &viewer, &generator)
        || !is_viewer(object, viewer)) {
        return NULL;
    }
    State *state = state_of(object);
    return state ? changed(state, object, make_up, viewer, generator) : NULL;
}

PyDoc_STRVAR(redacted_doc, "redacted($self, viewer, /)\n--\n\n"
                           "Return the view of a seat, or of a spectator (`None`), as a row.\n\n"
                           "Returns `None` if the seat does not exist.");

static PyObject *packed_redacted(PyObject *object, PyObject *viewer)
{
    State *state = state_of(object);
    Row row;
    int overflow;
    long seat =
        viewer == Py_None ? SPECTATOR : PyLong_AsLongAndOverflow(viewer, &overflow);
    if (!state || PyErr_Occurred()) {
        return NULL;
    }
    if (viewer != Py_None && (overflow || seat < 0 || seat >= table_of(object)->table.players)) {
        Py_RETURN_NONE;
    }
    read_row((Packed *)object, &row);
    redact(&row, (int)seat);
    return keep_row(state, state->view_type, table_of(object), (Packed *)object, &row);
}

PyDoc_STRVAR(legal_mask_doc,
             "legal_mask($self, begun, /)\n--\n\n"
             "Return a byte for each action number, 1 if it is legal.\n\n"
             "`begun` is a tuple of the numbers of a partial payment.  Returns `None` if no legal "
             "payment begins with them.");

static PyObject *packed_legal_mask(PyObject *object, PyObject *begun)
{
    Row row;
    Step prompt;
    int paid[GOODS] = {0};
    uint16_t numbers[NUMBERS];
    uint8_t mask[NUMBERS];
    if (!PyTuple_Check(begun)) {
        PyErr_SetString(PyExc_TypeError, "the numbers of a partial payment must be a tuple");
        return NULL;
    }
    Py_ssize_t parts = PyTuple_Size(begun);
    bool asks_payment = next_step((Packed *)object, &prompt) && prompt.kind == PAYMENT_PROMPT;
    bool possible = !parts || (asks_payment && parts < GOODS);
    for (int part = 0; possible && part < parts; part++) {
        int overflow;
        long number = PyLong_AsLongAndOverflow(PyTuple_GetItem(begun, part), &overflow);
        if (number == -1 && PyErr_Occurred()) {
            return NULL;
        }
        possible = number >= PAY && number <= PAY + MOST_PAID;
        paid[part] = possible ? (int)number - PAY : 0;
    }
    read_row((Packed *)object, &row);
    int count =
        possible ? list_legal(&table_of(object)->table, &row, (int)parts, paid, numbers) : 0;
    if (!possible || (!count && row.steps)) {
        Py_RETURN_NONE;
    }
    mark(numbers, count, mask);
    return PyBytes_FromStringAndSize((const char *)mask, NUMBERS);
}

PyDoc_STRVAR(encode_doc,
             "encode($self, into, viewer, parts, gold, wood, stone, /)\n--\n\n"
             "Write the view of a seat, or of a spectator (-1), with a partial payment.");

static PyObject *packed_encode(PyObject *object, PyObject *args)
{
    const Table *table = &table_of(object)->table;
    Row row;
    Py_buffer into;
    int viewer, parts, paid[GOODS] = {0};
    int16_t numbers[MOST_COLUMNS];
    size_t size = columns(table->players) * sizeof *numbers;
    if (!PyArg_ParseTuple(args, "w*iiiii:encode", &into, &viewer, &parts, &paid[0], &paid[1],
                          &paid[2])) {
        return NULL;
    }
    bool right = is_viewer(object, viewer);
    if (right && ((size_t)into.len != size || parts < 0 || parts > PARTS)) {
        PyErr_Format(PyExc_ValueError, "%zu bytes and at most %d parts are needed", size, PARTS);
        right = false;
    }
    if (right) {
        read_row((Packed *)object, &row);
        encode(table, &table_of(object)->described, &row, viewer, parts, paid, NULL,
               SPECTATOR, numbers);
        memcpy(into.buf, numbers, size);
    }
    PyBuffer_Release(&into);
    if (!right) {
        return NULL;
    }
    Py_RETURN_NONE;
}

PyDoc_STRVAR(outcome_doc, "outcome($self, /)\n--\n\n"
                          "Return the final scores and the winners, or `None`.");

static PyObject *packed_outcome(PyObject *object, PyObject *unused)
{
    State *state = state_of(object);
    Score scores[MAX_PLAYERS];
    Row row;
    int clause;
    (void)unused;
    if (!state) {
        return NULL;
    }
    read_row((Packed *)object, &row);
    if (row.phase != OVER) {
        Py_RETURN_NONE;
    }
    int seats = valletta_outcome(&table_of(object)->table, &row, scores, &clause);
    PyObject *sheet = PyTuple_New(row.players);
    for (int seat = 0; sheet && seat < row.players; seat++) {
        PyObject *line = Py_BuildValue("iiii", scores[seat].track, scores[seat].buildings,
                                       scores[seat].goods, scores[seat].houses);
        if (!line || PyTuple_SetItem(sheet, seat, line) < 0) {
            Py_CLEAR(sheet);
        }
    }
    return sheet ? PyObject_CallFunction(state->make_outcome, "Nii", sheet, seats, clause) : NULL;
}

/* Return the number of each seat as a tuple. */
PyObject *by_seat(const uint64_t numbers[MAX_PLAYERS], int players)
{
    PyObject *tuple = PyTuple_New(players);
    for (int seat = 0; tuple && seat < players; seat++) {
        PyObject *number = PyLong_FromUnsignedLongLong(numbers[seat]);
        if (!number || PyTuple_SetItem(tuple, seat, number) < 0) {
            Py_CLEAR(tuple);
        }
    }
    return tuple;
}

PyDoc_STRVAR(points_doc, "points($self, /)\n--\n\n"
                         "Return the points of each seat, as if the game ended now.");

static PyObject *packed_points(PyObject *object, PyObject *unused)
{
    Score scores[MAX_PLAYERS];
    Row row;
    (void)unused;
    read_row((Packed *)object, &row);
    score_sheet(&table_of(object)->table, &row, scores);
    uint64_t points[MAX_PLAYERS];
    for (int seat = 0; seat < row.players; seat++) {
        const Score *each = &scores[seat];
        points[seat] = (uint64_t)(each->track + each->buildings + each->goods);
    }
    return by_seat(points, row.players);
}

PyDoc_STRVAR(unpack_doc, "unpack($self, /)\n--\n\nReturn the position as a `GameState`.");

static PyObject *packed_unpack(PyObject *object, PyObject *unused)
{
    State *state = state_of(object);
    (void)unused;
    return state ? PyObject_CallFunctionObjArgs(state->unpack, object, NULL) : NULL;
}

static PyObject *packed_bytes(PyObject *object, PyObject *unused)
{
    Row row;
    (void)unused;
    read_row((Packed *)object, &row);
    return PyBytes_FromStringAndSize((const char *)&row, (Py_ssize_t)row_size(&row));
}

static PyObject *packed_sizeof(PyObject *object, PyObject *unused)
{
    (void)unused;
    return PyLong_FromSize_t(offsetof(Packed, own) + stored_size((Packed *)object));
}

static PyObject *packed_reduce(PyObject *object, PyObject *unused)
{
    const TableObject *table = table_of(object);
    State *state = state_of(object);
    PyObject *bytes = state ? packed_bytes(object, unused) : NULL;
    return bytes ? Py_BuildValue("O(iOON)", state->restore, LAYOUT_VERSION,
                                 table->rules, table->cards, bytes)
                 : NULL;
}

static PyObject *packed_copy(PyObject *object, PyObject *unused)
{
    (void)unused;
    Py_INCREF(object);
    return object;
}

static PyObject *packed_rules(PyObject *object, void *unused)
{
    (void)unused;
    Py_INCREF(table_of(object)->rules);
    return table_of(object)->rules;
}

static PyObject *packed_cards(PyObject *object, void *unused)
{
    (void)unused;
    Py_INCREF(table_of(object)->cards);
    return table_of(object)->cards;
}

static PyObject *packed_repr(PyObject *object)
{
    return PyUnicode_FromFormat("<PackedState: %R>", ((Packed *)object)->prompt);
}

static PyMethodDef packed_methods[] = {
    {"list_actions", packed_list_actions, METH_NOARGS, list_actions_doc},
    {"allows", packed_allows, METH_O, allows_doc},
    {"refusal", packed_refusal, METH_VARARGS, refusal_doc},
    {"transition", packed_transition, METH_O, transition_doc},
    {"position_after", packed_position_after, METH_O, position_after_doc},
    {"weights", packed_weights, METH_NOARGS, weights_doc},
    {"resolved", packed_resolved, METH_O, resolved_doc},
    {"played_on", packed_played_on, METH_VARARGS, played_on_doc},
    {"determinized", packed_determinized, METH_VARARGS, determinized_doc},
    {"redacted", packed_redacted, METH_O, redacted_doc},
    {"legal_mask", packed_legal_mask, METH_O, legal_mask_doc},
    {"encode", packed_encode, METH_VARARGS, encode_doc},
    {"outcome", packed_outcome, METH_NOARGS, outcome_doc},
    {"points", packed_points, METH_NOARGS, points_doc},
    {"unpack", packed_unpack, METH_NOARGS, unpack_doc},
    {"__bytes__", packed_bytes, METH_NOARGS, "Return the row."},
    {"__sizeof__", packed_sizeof, METH_NOARGS, NULL},
    {"__reduce__", packed_reduce, METH_NOARGS, NULL},
    {"__copy__", packed_copy, METH_NOARGS, NULL},
    {"__deepcopy__", packed_copy, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};

/* Set the exception for an attribute of a `GameState` that a packed position lacks. */
static PyObject *packed_lacks(PyObject *object, void *name)
{
    State *state = state_of(object);
    return state ? PyErr_Format(state->lacking, "a PackedState has no %s: .unpack() gives it",
                                (const char *)name)
                 : NULL;
}

#define LACKS(name) {name, packed_lacks, NULL, "Of a `GameState`: use `unpack`.", name}

/* The interpreter reads a member faster than an attribute with a getter. */
static PyMemberDef packed_members[] = {
    {"prompt", T_OBJECT_EX, offsetof(Packed, prompt), READONLY,
     "The question to be answered next, or `None`."},
    {NULL, 0, 0, 0, NULL},
};

static PyGetSetDef packed_getset[] = {
    {"rules", packed_rules, NULL, "The rule set the game is played by.", NULL},
    {"cards", packed_cards, NULL, "The card set the game is played with.", NULL},
    LACKS("display"),
    LACKS("players"),
    LACKS("supply"),
    LACKS("barrels"),
    LACKS("valette"),
    LACKS("active"),
    LACKS("played"),
    LACKS("phase"),
    LACKS("agenda"),
    LACKS("seats"),
    LACKS("opponents_of"),
    LACKS("replace"),
    LACKS("players_with"),
    LACKS("with_player"),
    LACKS("doing_first"),
    LACKS("done"),
    {NULL, NULL, NULL, NULL, NULL},
};

PyDoc_STRVAR(packed_doc,
             "A position in one block of memory: immutable, hashable, equal by value.\n\n"
             "`pack` makes one of a `GameState`, and `unpack` leads back.");

static PyType_Slot packed_slots[] = {
    {Py_tp_doc, (void *)packed_doc},
    {Py_tp_dealloc, packed_dealloc},
    {Py_tp_hash, packed_hash},
    {Py_tp_richcompare, packed_compare},
    {Py_tp_repr, packed_repr},
    {Py_tp_methods, packed_methods},
    {Py_tp_members, packed_members},
    {Py_tp_getset, packed_getset},
    {0, NULL},
};

PyType_Spec packed_spec = {
    .name = "valletta_rules.native.PackedState",
    .basicsize = sizeof(Packed),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .slots = packed_slots,
};

/* `PackedView`: the view of a position, as a row without the hidden hands.
 *
 * It has the layout of a position, so that some functions accept both; functions that require a position
 * refuse a view. */

PyDoc_STRVAR(view_determinized_doc, "determinized($self, generator, /)\n--\n\n"
                                    "Return a position that is consistent with the view.");

static bool make_up_hidden(const Table *table, Row *row, int viewer, Numbers draw, void *source)
{
    (void)table, (void)viewer;
    return determinize_redacted(row, draw, source);
}

static PyObject *view_determinized(PyObject *object, PyObject *generator)
{
    State *state = state_of(object);
    return state ? changed(state, object, make_up_hidden, SPECTATOR, generator) : NULL;
}

PyDoc_STRVAR(view_unpack_doc, "unpack($self, seat, /)\n--\n\n"
                              "Return the table with the information of the viewer, and the agenda.");

static PyObject *view_unpack(PyObject *object, PyObject *seat)
{
    State *state = state_of(object);
    long viewer = seat == Py_None ? SPECTATOR : PyLong_AsLong(seat);
    if (!state || PyErr_Occurred()) {
        return NULL;
    }
    return table_and_agenda(state, (Packed *)object, (int)viewer);
}

static PyMethodDef view_methods[] = {
    {"list_actions", packed_list_actions, METH_NOARGS, list_actions_doc},
    {"determinized", view_determinized, METH_O, view_determinized_doc},
    {"unpack", view_unpack, METH_O, view_unpack_doc},
    {"__bytes__", packed_bytes, METH_NOARGS, "Return the row."},
    {"__sizeof__", packed_sizeof, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef view_getset[] = {
    {"rules", packed_rules, NULL, "The rule set the game is played by.", NULL},
    {"cards", packed_cards, NULL, "The card set the game is played with.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot view_slots[] = {
    {Py_tp_doc, (void *)"What a viewer knows of a position, in one block of memory."},
    {Py_tp_dealloc, packed_dealloc},
    {Py_tp_methods, view_methods},
    {Py_tp_members, packed_members},
    {Py_tp_getset, view_getset},
    {0, NULL},
};

PyType_Spec view_spec = {
    .name = "valletta_rules.native.PackedView",
    .basicsize = sizeof(Packed),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .slots = view_slots,
};
