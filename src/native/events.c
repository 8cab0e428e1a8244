/* The events of a transition, recorded while it happens. */

#include "row.h"

/* A row whose events are recorded. */
typedef struct {
    Row row;
    int count;
    Event *events;
} Told;

/* Record an event, unless it is a change of no goods; goods have a clause.
 *
 * The array has room for the events of any position. */
void log_event(Row *row, int kind, int seat, int value, int other, const Goods *goods, uint32_t clause)
{
    Told *told = (Told *)row;
    if (goods && (!total(goods) || clause == UNTOLD)) {
        return;
    }
    told->events[told->count++ % MOST_EVENTS] =
        (Event){kind, seat, value, other, clause, goods ? *goods : NOTHING};
}

/* Record the conditions for the final phase that are now fulfilled and were not before. */
void telling_if_triggered(Row *row, unsigned before)
{
    unsigned fresh = row->phase == MAIN ? end_conditions(row) & ~before : 0;
    for (int condition = LAST_BARREL; condition <= HOUSES; condition++) {
        if (fresh >> condition & 1) {
            log_event(row, EVENT_FINAL_PHASE_TRIGGERED, row->active, condition, 0, NULL,
                      CONDITION_CLAUSES[condition]);
        }
    }
}

/* Apply a legal action and record its events; return their number, or -1. */
int valletta_transition(const Table *table, Row *row, const Action *action,
                        Event events[MOST_EVENTS])
{
    Told told = {.row = *row, .events = events};
    told.row.told = 1;
    bool is_held = apply(table, &told.row, action);
    *row = told.row;
    row->told = 0;
    return is_held ? told.count : -1;
}
