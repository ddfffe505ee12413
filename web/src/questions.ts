// SPDX-License-Identifier: GPL-3.0-or-later
// What the telemetry page asks the server, and the server's tables as lines to draw. Pure.
import type { TelemetryTable } from './generated/api';
import type { Of } from './router';

/** A line of a plot: values against its own positions. */
export interface Line {
  readonly label: string;
  /** Who: the player under test is drawn in one colour, its opponent in the other. */
  readonly mover: 'first' | 'second';
  /** Of the two that are compared. */
  readonly which: 'a' | 'b';
  readonly x: readonly number[];
  readonly y: readonly (number | null)[];
}

export interface Plot {
  readonly key: string;
  readonly title: string;
  readonly x: string;
  readonly y: string;
  readonly kind: 'line' | 'bars';
  /** How values are written. */
  readonly unit: 'count' | 'ms' | 'cp' | 'percent' | 'plain';
  readonly log: boolean;
  readonly view: string;
  /** The question's parameters besides the subject's. */
  readonly ask: Readonly<Record<string, string>>;
  readonly xs: string;
  readonly ys: (row: (column: string) => number | null) => number | null;
  readonly only?: 'first';
  readonly note?: string;
}

/** A game may have thousands of plies, an archive thousands of games; beyond this a curve says that it is cut. */
export const ROWS = '20000';

const column = (name: string) => (row: (column: string) => number | null) => row(name);

export const PLOTS: readonly Plot[] = [
  { key: 'nodes', title: 'Nodes a move', x: 'Ply', y: 'Nodes', kind: 'line', unit: 'count', log: true, view: 'summary', ask: { group: 'mover,ply', limit: ROWS }, xs: 'ply', ys: column('nodes_mean') },
  { key: 'time', title: 'Time a move', x: 'Ply', y: 'Time', kind: 'line', unit: 'ms', log: true, view: 'summary', ask: { group: 'mover,ply', limit: ROWS }, xs: 'ply', ys: column('time_mean_ms') },
  { key: 'score', title: 'Scores', x: 'Ply', y: 'Pawns', kind: 'line', unit: 'cp', log: false, view: 'score', ask: {}, xs: 'ply', ys: column('score'), note: 'Both players on one scale; mates are drawn at ten pawns.' },
  { key: 'nps', title: 'Nodes a second', x: 'Ply', y: 'Nodes/s', kind: 'line', unit: 'count', log: true, view: 'summary', ask: { group: 'mover,ply', limit: ROWS }, xs: 'ply', ys: column('nps') },
  { key: 'material', title: 'Nodes a second by material', x: 'Material of both sides', y: 'Nodes/s', kind: 'line', unit: 'count', log: true, view: 'summary', ask: { group: 'mover,material', limit: ROWS }, xs: 'material', ys: column('nps'), note: 'Pawn 1, knight and bishop 3, rook 5, queen 9; 78 at the start.' },
  { key: 'depth', title: 'Depths', x: 'Depth', y: 'Thinks', kind: 'bars', unit: 'plain', log: false, view: 'summary', ask: { group: 'mover,depth' }, xs: 'depth', ys: column('depths'), note: 'Left out are thinks that saw a forced mate and thinks that were searched to the end (docs/telemetry.md).' },
  { key: 'overrun', title: 'Thinks above the node budget', x: 'Ply', y: 'Part', kind: 'bars', unit: 'percent', log: false, view: 'summary', ask: { group: 'mover,ply', limit: ROWS }, xs: 'ply', ys: row => scaled(row('overrun_share'), 100), only: 'first' },
  { key: 'book', title: 'Moves from the book', x: 'Ply', y: 'Moves', kind: 'bars', unit: 'plain', log: false, view: 'summary', ask: { group: 'mover,ply', limit: ROWS }, xs: 'ply', ys: column('book_hits') },
  { key: 'faults', title: 'Link faults by game', x: 'Game', y: 'Faults', kind: 'bars', unit: 'plain', log: false, view: 'games', ask: { limit: ROWS }, xs: 'game', ys: column('link_faults'), only: 'first' },
];

/**
 * The same plots where a subject is more than one game: by the move, of which a player has one in every game. By the ply, the games with
 * White and those with Black would take turns, and a curve would jump between the two.
 */
export const PLOTS_OF_MANY: readonly Plot[] = PLOTS.map(p =>
  p.xs !== 'ply' ? p : { ...p, x: 'Move', xs: 'move', ask: p.ask['group'] ? { ...p.ask, group: 'mover,move' } : p.ask },
);

export const plotsFor = (subjects: readonly Of[]): readonly Plot[] => (subjects.every(of => of.startsWith('game=')) ? PLOTS : PLOTS_OF_MANY);

const scaled = (n: number | null, by: number) => (n === null ? null : n * by);

/** The parameter of a question for a subject. */
export function parameters(of: Of): Record<string, string> {
  if (of === 'all') return {};
  const at = of.indexOf('=');
  return { [of.slice(0, at)]: of.slice(at + 1) };
}

export function lines(plot: Plot, table: TelemetryTable, which: 'a' | 'b', names: Readonly<Record<'first' | 'second', string>>): Line[] {
  const at = (name: string, row: number): number | null => {
    const value = table.data[name]?.[row];
    return typeof value === 'number' ? value : null;
  };
  const movers = table.data['mover'];
  return (['first', 'second'] as const)
    .filter(mover => (movers === undefined ? mover === 'first' : plot.only === undefined || mover === plot.only))
    .flatMap(mover => {
      const points: [number, number | null][] = [];
      for (let row = 0; row < table.rows; row++) {
        if (movers !== undefined && movers[row] !== mover) continue;
        const x = at(plot.xs, row);
        const y = plot.ys(name => at(name, row));
        // A depth that no counted think has is no bar: those of book moves and of mate lines.
        if (x === null || (plot.xs === 'depth' && y === 0)) continue;
        points.push([x, y]);
      }
      points.sort((p, q) => p[0] - q[0]);
      if (!points.some(p => p[1] !== null && (plot.kind === 'line' || p[1] !== 0))) return [];
      return [{ label: names[mover], mover, which, x: points.map(p => p[0]), y: points.map(p => p[1]) }];
    });
}

/** Lines as uPlot takes them: one row of positions, and each line's values at them. */
export function joined(all: readonly Line[]): { x: number[]; ys: (number | null | undefined)[][] } {
  const x = [...new Set(all.flatMap(l => [...l.x]))].sort((a, b) => a - b);
  const index = new Map(x.map((v, i) => [v, i]));
  const ys = all.map(l => {
    // A place where a line has no point is passed over; one where nothing was measured is a gap.
    const row = Array<number | null | undefined>(x.length).fill(undefined);
    l.x.forEach((v, i) => (row[index.get(v)!] = l.y[i]));
    return row;
  });
  return { x, ys };
}

/** The same as a file for other programs. */
export function csv(plot: Pick<Plot, 'x'>, all: readonly Line[]): string {
  const { x, ys } = joined(all);
  const cell = (value: unknown) => (value == null ? '' : /[",\n]/.test(String(value)) ? `"${String(value).replaceAll('"', '""')}"` : String(value));
  const rows = [[plot.x, ...all.map(l => l.label)], ...x.map((v, i) => [v, ...ys.map(y => y[i])])];
  return rows.map(row => row.map(cell).join(',')).join('\r\n') + '\r\n';
}

/** Mean scores: at each ply of a game from White's side, at each move of several from that of the player under test. */
export function scoreQuestion(of: Of, by: 'ply' | 'move' = 'ply'): string {
  const view = 'telemetry_plies';
  const { run, game, board, firmware } = parameters(of) as Partial<Record<string, string>>;
  const where = ['score_white_cp IS NOT NULL', "mover <> 'opening'"];
  for (const [name, id] of [['run', run], ['game', game], ['board', board]] as const) if (id !== undefined && /^\d+$/.test(id)) where.push(`${name} = ${id}`);
  if (firmware !== undefined) where.push(`firmware = '${firmware.replaceAll("'", "''")}'`);
  const white = 'max(-1000, min(1000, score_white_cp))';
  const score = by === 'ply' ? white : `CASE WHEN (side = 'white') = (mover = 'first') THEN ${white} ELSE -${white} END`;
  const x = by === 'ply' ? 'ply' : '(ply + 1) / 2';
  return `SELECT ${x} AS ${by}, mover, avg(${score}) AS score FROM ${view} WHERE ${where.join(' AND ')} GROUP BY 1, mover ORDER BY 1`;
}
