// SPDX-License-Identifier: GPL-3.0-or-later
// A link's state of health, from its counters. Pure.
import { linkEvent } from './format';
import type { BoardView, LinkEventKind } from './generated/api';

export interface Figure {
  readonly label: string;
  readonly value: string;
  readonly title: string;
  /** Something a person should look at. */
  readonly bad: boolean;
}

export function health(board: BoardView): Figure[] {
  const n = (...kinds: LinkEventKind[]) => kinds.reduce((sum, kind) => sum + (board.counters[kind] ?? 0), 0);
  const figure = (label: string, count: number, title: string, fault = true): Figure => ({ label, value: count.toLocaleString('en'), title, bad: fault && count > 0 });
  const rtt = board.rtt_ms;
  // The first of each is the beginning, not a repair.
  const again = (kind: LinkEventKind) => Math.max(0, n(kind) - 1);
  return [
    { label: 'Round trip', value: rtt === null ? '–' : `${rtt.toFixed(rtt < 10 ? 1 : 0)} ms`, title: 'From a line to its answer, smoothed', bad: false },
    figure('Sent again', n('retransmitted'), 'Lines that were sent again because no answer came'),
    figure('CRC errors', n('bad_crc', 'nak_crc'), 'Lines with a wrong checksum, seen here or by the board'),
    figure('Reconnects', again('connected'), 'The connection was made anew'),
    figure('Resyncs', again('synced'), 'Sessions that were begun anew'),
    figure('Drains', n('drained'), 'The line was emptied of what stood on it', false),
    figure('Time-outs', n('timeout', 'ping_missed'), 'Answers and pings that did not come in time'),
    figure('Broken lines', n('malformed', 'too_long', 'partial', 'echo'), 'Lines cut off, too long, echoed or not understood'),
    figure('Restarts', n('rebooted'), 'The board began anew by itself'),
  ];
}

export function faultsOf(board: BoardView): number {
  return Object.entries(board.counters).reduce((sum, [name, n]) => sum + (linkEvent(name).fault ? n : 0), 0);
}
