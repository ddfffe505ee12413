// SPDX-License-Identifier: GPL-3.0-or-later
// The order of a table's rows by one of its columns. Pure.
import type { Cell } from './generated/api';

export interface Order {
  readonly column: string;
  readonly down: boolean;
}

/** What a click on a column's head makes of the order: the greatest first, then the least first, then as the table came. */
export function next(order: Order | null, column: string): Order | null {
  if (order?.column !== column) return { column, down: true };
  return order.down ? { column, down: false } : null;
}

/** The numbers of the rows in the order of their values. Those without one come last, whichever way; equal ones stay as they were. */
export function rowsBy(values: readonly Cell[], down: boolean): number[] {
  const compare = (a: Cell, b: Cell) => (typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b), 'en', { numeric: true }));
  return values
    .map((value, row) => ({ value, row }))
    .sort((a, b) => {
      if (a.value === null || b.value === null) return Number(a.value === null) - Number(b.value === null);
      return down ? compare(b.value, a.value) : compare(a.value, b.value);
    })
    .map(({ row }) => row);
}
