/* The green cards: goods for the icons on one's buildings. */

#include "row.h"

/* The player takes as many goods of a kind as there are icons of it.
 *
 * Rules: GRN-1, GRN-2, GRN-3, GRN-4, GRN-8, GRN-9
 */
void collector(const Table *table, Row *row, int seat, int good, uint32_t clause)
{
    take(row, seat, goods_of(good, icons(table, row, seat, good)), clause);
}
