/* Caches of Python objects: actions and prompts by number, and numbers by action. */

#include "binding.h"

#include <string.h>

static size_t place_of(const PyObject *object)
{
    return (size_t)(((uintptr_t)object >> 4) * UINT32_C(2654435761)) % ADDRESSES;
}

/* Index the actions from Python by their addresses. */
void index_actions(State *state)
{
    for (int number = 0; number < NUMBERS; number++) {
        PyObject *action = PyTuple_GetItem(state->actions, number);
        if (action != Py_None) {
            size_t place = place_of(action);
            while (state->addresses[place].action) {
                place = (place + 1) % ADDRESSES;
            }
            state->addresses[place].action = action; /* the tuple keeps it alive */
            state->addresses[place].number = number;
        }
    }
}

/* Return the action with a number; it must not be a payment. */
PyObject *ready_action(State *state, TableObject *table, int number)
{
    PyObject *action = number < DRAW_CARD ? PyTuple_GetItem(table->dealings, number)
                                          : PyTuple_GetItem(state->actions, number);
    Py_XINCREF(action);
    return action;
}

/* Return actions other than payments as a tuple. */
PyObject *ready_actions(State *state, TableObject *table, const uint16_t *numbers, int count)
{
    PyObject *actions = PyTuple_New(count);
    for (int place = 0; actions && place < count; place++) {
        PyObject *action = ready_action(state, table, numbers[place]);
        if (!action || PyTuple_SetItem(actions, place, action) < 0) {
            Py_CLEAR(actions);
        }
    }
    if (actions) {
        PyObject_GC_UnTrack(actions);
    }
    return actions;
}

/* Set a slot of a new object to a number; return false with an exception if that fails. */
static bool set_number(State *state, PyObject *object, int name, long number)
{
    PyObject *value = PyLong_FromLong(number);
    bool is_set = value && PyObject_GenericSetAttr(object, state->names[name], value) == 0;
    Py_XDECREF(value);
    return is_set;
}

/* Return new goods, created slot by slot: the amounts are valid and need no validation. */
static PyObject *new_goods(State *state, const int amounts[GOODS])
{
    PyObject *goods = PyType_GenericAlloc((PyTypeObject *)state->goods_type, 0), *name, *value;
    Py_ssize_t place = 0;
    bool is_complete = goods;
    for (int good = 0; is_complete && good < GOODS; good++) {
        is_complete = set_number(state, goods, FIRST_GOOD_NAME + good, amounts[good]);
    }
    while (is_complete && PyDict_Next(state->goods_rest, &place, &name, &value)) {
        is_complete = PyObject_GenericSetAttr(goods, name, value) == 0;
    }
    if (is_complete) {
        PyObject_GC_UnTrack(goods);
    } else {
        Py_CLEAR(goods);
    }
    return goods;
}

/* Return a new object of a type with one slot set to new goods. */
static PyObject *new_with_goods(State *state, PyObject *type, int name, const int amounts[GOODS])
{
    PyObject *goods = new_goods(state, amounts);
    PyObject *created = goods ? PyType_GenericAlloc((PyTypeObject *)type, 0) : NULL;
    if (created && PyObject_GenericSetAttr(created, state->names[name], goods) < 0) {
        Py_CLEAR(created);
    }
    Py_XDECREF(goods);
    return created;
}

/* Return a new payment. */
static PyObject *new_payment(State *state, const int paid[GOODS])
{
    PyObject *payment = new_with_goods(state, state->pay_type, GOODS_NAME, paid);
    if (payment) {
        PyObject_GC_UnTrack(payment);
    }
    return payment;
}

/* Create a prompt for a payment directly, without calling Python. */
static PyObject *new_payment_prompt(State *state, const Step *step)
{
    int price[GOODS];
    for (int good = 0; good < GOODS; good++) {
        price[good] = step->goods[good];
    }
    PyObject *prompt = new_with_goods(state, state->payment_prompt_type, PRICE_NAME, price);
    if (prompt && !(set_number(state, prompt, SEAT_NAME, step->seat)
                    && set_number(state, prompt, SITE_NAME, step->value))) {
        Py_CLEAR(prompt);
    }
    return prompt;
}

/* Return the slot of a payment in the cache, or a null pointer if it is not cached. */
static PyObject **place_of_payment(State *state, const int paid[GOODS])
{
    unsigned place = 0;
    for (int good = 0; good < GOODS; good++) {
        if ((unsigned)paid[good] >= PAID) {
            return NULL;
        }
        place = place * PAID + (unsigned)paid[good];
    }
    return &state->payments[place];
}

/* Return a payment, from the cache if possible. */
PyObject *ready_payment(State *state, const int paid[GOODS])
{
    PyObject **place = place_of_payment(state, paid);
    if (place && *place) {
        return Py_NewRef(*place);
    }
    PyObject *payment = new_payment(state, paid);
    if (place) {
        PyObject *before = *place; /* null, unless the slot was filled in the meantime */
        *place = Py_XNewRef(payment);
        Py_XDECREF(before);
    }
    return payment;
}

/* The payments collected so far; a null pointer if memory is exhausted. */
typedef struct {
    int (*paid)[GOODS];
    Py_ssize_t count, size;
} Payments;

enum { FEW = 64 };

/* Add a payment to the collected ones. */
static int collect(void *collection, const int paid[GOODS])
{
    Payments *list = collection;
    if (list->count == list->size) {
        list->size = 2 * list->size + FEW;
        void *larger = PyMem_Realloc(list->paid, (size_t)list->size * sizeof *list->paid);
        if (!larger) {
            PyMem_Free(list->paid);
        }
        list->paid = larger;
    }
    if (!list->paid) {
        return -1;
    }
    memcpy(list->paid[list->count++], paid, sizeof *list->paid);
    return BRICK;
}

/* Return all payments of a prompt's price from some goods as a tuple. */
PyObject *ready_payments(State *state, const Step *prompt, const uint16_t goods[GOODS])
{
    Payments list = {NULL, 0, 0};
    payments(prompt->goods, goods, 0, collect, &list);
    PyObject *actions = list.size && !list.paid ? PyErr_NoMemory() : PyTuple_New(list.count);
    for (Py_ssize_t place = 0; actions && place < list.count; place++) {
        PyObject *payment = ready_payment(state, list.paid[place]);
        if (!payment || PyTuple_SetItem(actions, place, payment) < 0) {
            Py_CLEAR(actions);
        }
    }
    PyMem_Free(list.paid);
    if (actions) {
        PyObject_GC_UnTrack(actions);
    }
    return actions;
}

/* Return a prompt, from the cache if possible. */
PyObject *ready_prompt(State *state, const Step *step)
{
    uint64_t key;
    memcpy(&key, step, sizeof key);
    size_t place = (size_t)((key * UINT64_C(0x9E3779B97F4A7C15)) >> 40) % PROMPTS;
    PyObject *prompt = state->prompts[place].prompt;
    if (prompt && !memcmp(&state->prompts[place].step, step, sizeof *step)) {
        Py_INCREF(prompt);
        return prompt;
    }
    Step wanted = *step;
    prompt = wanted.kind == PAYMENT_PROMPT
        ? new_payment_prompt(state, &wanted)
        : PyObject_CallFunction(state->make_step, "y#", (const char *)&wanted,
                                (Py_ssize_t)sizeof wanted);
    if (prompt) {
        PyObject *before = state->prompts[place].prompt;
        Py_INCREF(prompt);
        state->prompts[place].prompt = prompt;
        state->prompts[place].step = wanted;
        Py_XDECREF(before);
    }
    return prompt;
}

/* Read the goods of a payment; return false if they cannot be read, perhaps with an exception. */
static bool read_payment(State *state, PyObject *object, Action *action)
{
    PyObject *goods = PyObject_GetAttr(object, state->names[GOODS_NAME]);
    bool is_read = goods && (PyObject *)Py_TYPE(goods) == state->goods_type;
    for (int good = 0; is_read && good < GOODS; good++) {
        PyObject *count = PyObject_GetAttr(goods, state->names[FIRST_GOOD_NAME + good]);
        long number = count ? PyLong_AsLong(count) : -1;
        is_read = number >= 0 && number <= MOST_GOODS;
        action->goods.of[good] = (int)(is_read ? number : 0);
        Py_XDECREF(count);
    }
    Py_XDECREF(goods);
    action->number = PAY;
    return is_read;
}

/* Return 1 if an object is an action, and write its number; return 0 if it is none, and -1 for an
 * exception.
 *
 * A wrong object is no exception, but an interruption or a lack of memory is. */
int find_action(State *state, TableObject *table, PyObject *object, Action *action)
{
    action->goods = NOTHING;
    for (size_t place = place_of(object); state->addresses[place].action;
         place = (place + 1) % ADDRESSES) {
        if (state->addresses[place].action == object) {
            action->number = state->addresses[place].number;
            return 1;
        }
    }
    bool is_known;
    if ((PyObject *)Py_TYPE(object) == state->pay_type) {
        is_known = read_payment(state, object, action);
    } else {
        PyObject *number =
            PyObject_CallFunctionObjArgs(state->find_number, object, table->cards, NULL);
        action->number = number ? (int)PyLong_AsLong(number) : -1;
        is_known = action->number >= 0;
        Py_XDECREF(number);
    }
    if (PyErr_Occurred()) {
        if (!PyErr_ExceptionMatches(PyExc_Exception) || PyErr_ExceptionMatches(PyExc_MemoryError)
            || PyErr_ExceptionMatches(PyExc_RecursionError)) {
            return -1;
        }
        PyErr_Clear();
    }
    return is_known;
}
