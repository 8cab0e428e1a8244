/* Declarations shared by the files that use the Python API. */

#ifndef VALLETTA_BINDING_H
#define VALLETTA_BINDING_H

#define Py_LIMITED_API 0x030b0000
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "row.h"
#include "thread.h"

enum { ADDRESSES = 1024, PROMPTS = 1 << 14 };

/* Payments with fewer than `PAID` goods of each kind are cached; almost all payments are. */
enum { PAID = 18, PAYMENTS = PAID * PAID * PAID * PAID };

/* The number of slots in the cache of displays, which positions from outside use. */
enum { DEALS = 1 << 8 };

/* The names of attributes that the module reads. */
enum {
    GOODS_NAME,
    FIRST_GOOD_NAME,
    SEAT_NAME = FIRST_GOOD_NAME + GOODS,
    SITE_NAME,
    PRICE_NAME,
    GAUSS_NAME,
    GETRANDBITS_NAME,
    NAMES = GETRANDBITS_NAME + 3
};

/* The methods with which `random.Random` draws; `getrandbits` is the first. */
enum { METHODS = NAMES - GETRANDBITS_NAME };

/* The number of objects that the package passes to the module on import. */
enum { HANDED = 17 };

/* A cached part of a view's table.  Its key contains the reader, and the number and values of the
 * bytes that were read; `with` is another object on which it depends, or null. */
enum { CACHED_PARTS = 1 << 10 };
typedef struct {
    uint8_t key[sizeof(Player) + 2];
    PyObject *with, *part;
} Part;

/* The table of a game, and the Python objects that belong to it. */
typedef struct {
    PyObject_HEAD
    Table table;
    Described described;
    PyObject *rules;
    PyObject *cards;
    PyObject *dealings; /* the `DealBuilding` action of each design */
} TableObject;

/* The data that all positions of a game share: the table, and the members of a row from `display`
 * to `players`. */
typedef struct {
    Py_ssize_t references;
    TableObject *table;
    unsigned char shared[offsetof(Row, active) - offsetof(Row, display)];
} Deal;

/* A position: its prompt or None, and the rest of its row: the members from `active` to the last
 * player, then the steps of the agenda. */
typedef struct {
    PyObject_HEAD
    Deal *deal;
    PyObject *prompt;
    unsigned char own[];
} Packed;

/* The module's state; there is no other mutable variable.
 *
 * Objects that are needed repeatedly are cached.  Prompts and parts of tables have a fixed number
 * of slots: a new entry replaces the one in the same slot. */
typedef struct {
    PyTypeObject *table_type;
    PyTypeObject *packed_type;
    PyTypeObject *view_type;
    PyTypeObject *batch_type;
    union {
        struct {
            PyObject *actions;      /* by number; None if the action differs between games */
            PyObject *find_number;  /* (action, cards) -> number, or -1 */
            PyObject *goods_rest;   /* the other slots of a fresh `Goods`, as a dictionary */
            PyObject *make_step;    /* (bytes of a step) -> Step */
            PyObject *make_outcome; /* (scores, winners, clause) -> Outcome */
            PyObject *unpack;       /* (packed position) -> GameState */
            PyObject *readers;      /* create the parts of a view's table: see view_builder.c */
            PyObject *restore;      /* (version, rules, cards, bytes) -> packed position */
            PyObject *numbers_from; /* (generator) -> (limit) -> number */
            PyObject *lacking;      /* the error for attributes that only a `GameState` has */
            PyObject *legal_actions, *apply, *resolve_chance; /* the engine's functions */
            PyObject *pay_type;
            PyObject *payment_prompt_type;
            PyObject *goods_type;
            PyObject *random_type;
        };
        PyObject *handed[HANDED]; /* the same objects, in the order in which Python passes them */
    };
    PyObject *methods[METHODS]; /* of `random_type` */
    PyCFunction getrandbits;    /* the C function of `getrandbits`, (generator, bits), or null */
    PyObject *names[NAMES];
    struct {
        PyObject *action;
        int number;
    } addresses[ADDRESSES];
    PyObject *payments[PAYMENTS]; /* in the order of their amounts */
    struct {
        Step step;
        PyObject *prompt;
    } prompts[PROMPTS];
    Part parts[CACHED_PARTS];
    Deal *deals[DEALS];
    PyObject *last; /* the position whose row was unpacked last, or null; `row` is its row */
    Row row;
    Pool pool; /* used by one call at a time */
    bool has_pool, pool_is_lent;
} State;

_Static_assert(offsetof(State, random_type) - offsetof(State, actions)
                   == (HANDED - 1) * sizeof(PyObject *),
               "each object that Python passes has a member");

/* A generator of the type `random.Random`. */
typedef struct {
    State *state;
    PyObject *generator;
} Plain;

/* A source of random numbers: a generator, and the function that draws numbers, or null if the
 * generator's bits are used directly. */
typedef struct {
    Plain plain;
    PyObject *numbers;
} Source;

/* state.c */
bool prepare(State *state, PyObject *wanted);
int visit_ready(State *state, visitproc visit, void *arg);
void clear_ready(State *state);
Pool *lend_pool(State *state, Pool *another);
void take_back(State *state, Pool *pool);

/* object_cache.c */
void index_actions(State *state);
PyObject *ready_action(State *state, TableObject *table, int number);
PyObject *ready_actions(State *state, TableObject *table, const uint16_t *numbers, int count);
PyObject *ready_payment(State *state, const int paid[GOODS]);
PyObject *ready_payments(State *state, const Step *prompt, const uint16_t goods[GOODS]);
PyObject *ready_prompt(State *state, const Step *step);
int find_action(State *state, TableObject *table, PyObject *object, Action *action);

/* table.c */
extern PyType_Spec table_spec;

/* packed_storage.c */
void read_row(const Packed *packed, Row *row);
void remember(State *state, PyObject *packed);
Row *row_of(State *state, PyObject *packed);
bool next_step(const Packed *packed, Step *step);
size_t stored_size(const Packed *packed);
void release_deal(Deal *deal);
PyObject *keep_row(State *state, PyTypeObject *type, TableObject *table, const Packed *like,
                   const Row *row);
PyObject *packed_from(State *state, TableObject *table, const Row *row);

/* packed.c */
extern PyType_Spec packed_spec;
extern PyType_Spec view_spec;
State *state_of(PyObject *self);
TableObject *table_of(PyObject *object);
bool open_source(State *state, PyObject *generator, Source *source);
int64_t draw_number(void *source, uint64_t limit);
PyObject *position_drawn(State *state, PyObject *object, const Row *row, bool done);
PyObject *answers_of(State *state, PyObject *object);
PyObject *position_after(State *state, PyObject *object, PyObject *given);
PyObject *position_resolved(State *state, PyObject *object, PyObject *generator);
PyObject *by_seat(const uint64_t numbers[MAX_PLAYERS], int players);

/* random_games.c */
PyObject *packed_played_on(PyObject *object, PyObject *args);

/* dispatch.c */
extern PyMethodDef call_functions[];

/* view_builder.c */
bool are_readers(PyObject *readers);
PyObject *table_and_agenda(State *state, const Packed *packed, int viewer);

/* search_binding.c */
extern PyMethodDef search_functions[];

/* batch.c */
extern PyType_Spec batch_spec;

/* rollouts.c */
PyObject *module_rollouts(PyObject *module, PyObject *args);

#endif
