// SPDX-License-Identifier: GPL-3.0-or-later
import { describe, expect, test } from 'vitest';
import { effort } from '../src/effort';
import type { TelemetryTable } from '../src/generated/api';
import { csv, joined, lines, parameters, PLOTS, plotsFor, scoreQuestion } from '../src/questions';
import { next, rowsBy } from '../src/sorting';
import { drawable } from '../src/view/uplot';
import { ply } from './make';

const names = { first: 'board', second: 'engine' };
const plot = (key: string) => PLOTS.find(p => p.key === key)!;
const table = (data: TelemetryTable['data']): TelemetryTable => ({ columns: Object.keys(data), rows: Object.values(data)[0]!.length, truncated: false, data });

describe('plots', () => {
  test('a line for each player, in the order of its positions', () => {
    const t = table({ mover: ['second', 'first', 'first', 'opening'], ply: [2, 3, 1, 1], nodes_mean: [5, 30, 10, null] });
    expect(lines(plot('nodes'), t, 'a', names)).toEqual([
      { label: 'board', mover: 'first', which: 'a', x: [1, 3], y: [10, 30] },
      { label: 'engine', mover: 'second', which: 'a', x: [2], y: [5] },
    ]);
  });

  test('depths are drawn as the server counts them, a budget is the board’s alone, and nothing makes no line', () => {
    expect(lines(plot('depth'), table({ mover: ['first', 'first', 'first', 'first'], depth: [0, 6, 7, 97], thinks: [0, 5, 1, 9], depths: [0, 3, 1, 0] }), 'a', names)[0]).toMatchObject({ x: [6, 7], y: [3, 1] });
    const over = table({ mover: ['first', 'second'], ply: [1, 2], overrun_share: [0.25, 0] });
    expect(lines(plot('overrun'), over, 'a', names)).toMatchObject([{ label: 'board', y: [25] }]);
    expect(lines(plot('book'), table({ mover: ['first'], ply: [1], book_hits: [0] }), 'a', names)).toEqual([]);
    expect(lines(plot('faults'), table({ game: [2, 1], link_faults: [0, 4] }), 'b', names)).toMatchObject([{ which: 'b', x: [1, 2], y: [4, 0] }]);
  });

  test('lines with different positions share an axis', () => {
    const [a, b] = lines(plot('nodes'), table({ mover: ['first', 'first', 'second'], ply: [1, 3, 2], nodes_mean: [1, null, 2] }), 'a', names);
    expect(joined([a!, b!])).toEqual({ x: [1, 2, 3], ys: [[1, undefined, null], [undefined, 2, undefined]] });
    expect(csv({ x: 'Ply' }, [{ ...a!, label: 'a, "b"' }, b!])).toBe('Ply,"a, ""b""",engine\r\n1,1,\r\n2,,2\r\n3,,\r\n');
  });

  test('subjects are parameters, and cannot break out of a query', () => {
    expect(parameters('all')).toEqual({});
    expect(parameters('firmware=5=3')).toEqual({ firmware: '5=3' });
    expect(scoreQuestion("firmware=x' OR '1'='1")).toContain("firmware = 'x'' OR ''1''=''1'");
    expect(scoreQuestion('run=1 OR 1')).not.toContain('OR 1');
    expect(scoreQuestion('game=7')).toContain('game = 7');
  });

  test('games with both colours are drawn by the move, of which each player has one in every game', () => {
    expect(plotsFor(['game=1', 'game=2']).map(p => p.x)).toContain('Ply');
    for (const subjects of [['all'], ['run=1'], ['game=1', 'run=1']]) {
      const all = plotsFor(subjects);
      expect(all.some(p => p.xs === 'ply' || p.ask['group'] === 'mover,ply')).toBe(false);
      expect(all.find(p => p.key === 'nodes')).toMatchObject({ x: 'Move', ask: { group: 'mover,move' } });
    }
    // A game beside many is seen from the same side as they are.
    expect(scoreQuestion('game=7', 'move')).toMatch(/^SELECT \(ply \+ 1\) \/ 2 AS move.*mover = 'first'.*GROUP BY 1, mover/);
    expect(scoreQuestion('game=7')).not.toContain("mover = 'first'");
  });

  test('a table is put in order, greatest first, and what was not measured comes last', () => {
    expect(rowsBy([3, null, 10, 3], true)).toEqual([2, 0, 3, 1]);
    expect(rowsBy([3, null, 10, 3], false)).toEqual([0, 3, 2, 1]);
    expect(rowsBy(['5.10', '5.9', null], true)).toEqual([0, 1, 2]);
    expect([next(null, 'a'), next({ column: 'a', down: true }, 'a'), next({ column: 'a', down: false }, 'a'), next({ column: 'b', down: false }, 'a')]).toEqual([
      { column: 'a', down: true },
      { column: 'a', down: false },
      null,
      { column: 'a', down: true },
    ]);
  });

  test('what has no value is not drawn', () => {
    expect(drawable([[], [], []])).toBe(false);
    expect(drawable([[1, 2], [null, undefined]] as never)).toBe(false);
    expect(drawable([[1, 2], [null, null], [null, 0]])).toBe(true);
  });

  test('what a game costs: moves from a book cost nothing', () => {
    const { nodes, time } = effort([ply(1, { book: true }), ply(2, { nodes: 7 }), ply(3, { nodes: 9, host_ms: null, board_ms: 4 })], { white: 'w', black: 'b' });
    expect(nodes.map(l => [l.label, l.mover, l.x, l.y])).toEqual([['w', 'first', [3], [9]], ['b', 'second', [2], [7]]]);
    expect(time[0]!.y).toEqual([4]);
  });
});
