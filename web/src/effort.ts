// SPDX-License-Identifier: GPL-3.0-or-later
// What each ply has cost. Pure.
import type { PlyView, Side } from './generated/api';
import type { Line } from './questions';

/** Lines of nodes and of time against the ply, one of each player, in the colours that the evaluation has for White and Black. */
export function effort(plies: readonly PlyView[], names: Record<Side, string>): { nodes: Line[]; time: Line[] } {
  const line = (side: Side, value: (p: PlyView) => number | null): Line => {
    const own = plies.filter(p => p.side === side && !p.book && p.mover !== 'opening');
    return { label: names[side], mover: side === 'white' ? 'first' : 'second', which: 'a', x: own.map(p => p.ply), y: own.map(value) };
  };
  const both = (value: (p: PlyView) => number | null) => (['white', 'black'] as const).map(side => line(side, value));
  return { nodes: both(p => p.nodes), time: both(p => p.host_ms ?? p.board_ms) };
}
