// SPDX-License-Identifier: GPL-3.0-or-later
// Where runs stand among each other, and how long one still takes. Pure.
import type { GameView, RunView } from './generated/api';

/** Runs that are played or rest, those that wait (the one that begins next first), those that an earlier server left, and those that are over. */
export function queue(runs: readonly RunView[]): { going: RunView[]; waiting: RunView[]; left: RunView[]; over: RunView[] } {
  const waits = (r: RunView) => r.state === 'pending' || (r.state === 'paused' && r.played === 0 && r.queue !== null);
  const going = runs.filter(r => (r.state === 'running' || r.state === 'paused') && !waits(r));
  const waiting = runs.filter(waits).sort((a, b) => (a.queue?.place ?? 0) - (b.queue?.place ?? 0) || a.id - b.id);
  const left = runs.filter(r => r.state === 'interrupted');
  return { going, waiting, left, over: runs.filter(r => ![going, waiting, left].some(list => list.includes(r))) };
}

/** How `timeLeft` knows. */
export const HOW_LONG = 'estimated from the mean time of its latest games, and how many are played at a time';

/** Milliseconds until a run is over, by the pace of its latest games; `null` where there is no telling. */
export function timeLeft(run: RunView, recent: readonly GameView[]): number | null {
  const left = run.settings.games - run.played;
  if (run.state !== 'running' || run.settings.games === 0 || left <= 0) return null;
  const times = recent.flatMap(g => (g.run === run.id && g.ended_at !== null ? [g.ended_at - g.started_at] : []));
  if (times.length === 0) return null;
  return (left * times.reduce((a, b) => a + b, 0)) / times.length / Math.max(1, Math.min(run.settings.concurrency, left));
}
