// SPDX-License-Identifier: GPL-3.0-or-later
import { describe, expect, test } from 'vitest';
import { empty, filtered, heard, KEPT, note, type Log } from '../src/console';
import type { ConsoleMessage, FlashView } from '../src/generated/api';
import { health } from '../src/health';
import { queue, timeLeft } from '../src/progress';
import { apply, initial } from '../src/state';
import { board, delta, game, run, snapshot } from './make';

const line = (text: string, way: 'in' | 'out' = 'in', meaning: string | null = 'a ping'): ConsoleMessage => ({ type: 'line', at: 1, way, text, hex: '2e', meaning });
const log = (...messages: ConsoleMessage[]): Log => messages.reduce((l, m) => heard(l, m, 5), empty);

describe('console', () => {
  const some = log(line('@1 . 5c'), line('@1 t 2a', 'out', 'think'), line('\\xff\\x00', 'in', null), { type: 'missed', lines: 3 }, { type: 'answer', said: '.', sent: false, text: 'the board plays game 7' });
  const shown = (filter: string, way: 'both' | 'in' | 'out' = 'both', noise = true) => filtered(some, filter, way, noise).map(e => e.key);

  test('lines, what was missed and answers stand in their order', () => {
    expect(some.entries.map(e => (e.kind === 'line' ? e.line.text : e.text))).toEqual(['@1 . 5c', '@1 t 2a', '\\xff\\x00', expect.stringContaining('3 lines'), '. → the board plays game 7']);
    expect(some.entries.map(e => e.kind === 'note' && e.bad)).toEqual([false, false, false, true, true]);
  });

  test('the filter takes every word, in text, bytes and meaning; answers stay', () => {
    expect(shown('')).toEqual([0, 1, 2, 3, 4]);
    expect(shown('think')).toEqual([1, 3, 4]);
    expect(shown('PING 5c')).toEqual([0, 3, 4]);
    expect(shown('ping think')).toEqual([3, 4]);
    expect(shown('', 'out')).toEqual([1, 3, 4]);
    expect(shown('', 'both', false)).toEqual([0, 1, 3, 4]);
  });

  test('a page that is open for weeks keeps the latest lines, and each has a key of its own', () => {
    let l = empty;
    for (let i = 0; i < KEPT + 10; i++) l = note(l, String(i), false, i);
    expect(l.entries).toHaveLength(KEPT);
    expect(l.entries[0]!.key).toBe(10);
    expect(l.entries.at(-1)!.key).toBe(KEPT + 9);
  });

  test('kinds of messages of a newer server change nothing', () => {
    expect(heard(empty, { type: 'later' } as never, 0)).toBe(empty);
  });
});

describe('health', () => {
  const of = (counters: Record<string, number>, label: string) => health(board(1, { counters })).find(f => f.label === label)!;

  test('the first connection and session are no repairs', () => {
    expect(of({ connected: 1 }, 'Reconnects')).toMatchObject({ value: '0', bad: false });
    expect(of({ connected: 4 }, 'Reconnects')).toMatchObject({ value: '3', bad: true });
    expect(of({}, 'Resyncs').value).toBe('0');
  });

  test('wrong checksums on both ends are one figure; a drained line is no fault', () => {
    expect(of({ bad_crc: 2, nak_crc: 3 }, 'CRC errors')).toMatchObject({ value: '5', bad: true });
    expect(of({ drained: 9 }, 'Drains')).toMatchObject({ value: '9', bad: false });
  });

  test('a round trip that is not known is no zero', () => {
    expect(health(board(1, { rtt_ms: null }))[0]!.value).toBe('–');
    expect(health(board(1, { rtt_ms: 3.44 }))[0]!.value).toBe('3.4 ms');
  });
});

describe('runs', () => {
  test('those that wait stand in the order in which they begin', () => {
    const at = (place: number) => ({ place, why: 'run 3 plays on desk', behind: [3] });
    const runs = [
      run(6, { state: 'paused', queue: at(3) }),
      run(5, { state: 'pending', queue: at(1) }),
      run(4, { state: 'pending', queue: at(2) }),
      // It plays, and waits for one more board.
      run(3, { queue: at(1) }),
      run(2, { state: 'paused' }),
      run(1, { state: 'finished' }),
      run(0, { state: 'interrupted' }),
    ];
    const { going, waiting, left, over } = queue(runs);
    expect([going, waiting, left, over].map(list => list.map(r => r.id))).toEqual([[3, 2], [5, 4, 6], [0], [1]]);
  });

  test('time left is by the pace of the run’s own games', () => {
    const recent = [game(1, { started_at: 0, ended_at: 60_000 }), game(2, { started_at: 0, ended_at: 120_000 }), game(3, { run: 9, started_at: 0, ended_at: 1 })];
    expect(timeLeft(run(1, { played: 2 }), recent)).toBe(8 * 90_000);
    const two = run(1, { played: 2 });
    expect(timeLeft({ ...two, settings: { ...two.settings, concurrency: 2 } }, recent)).toBe(4 * 90_000);
    expect(timeLeft(run(1, { state: 'paused', played: 2 }), recent)).toBeNull();
    expect(timeLeft({ ...two, settings: { ...two.settings, games: 0 } }, recent)).toBeNull();
    expect(timeLeft(two, [])).toBeNull();
  });
});

test('the last flash of each board is kept', () => {
  const flash = (board: number, done: number) => ({ record: { board, result: 'running' }, done }) as FlashView;
  let { state } = apply(initial, snapshot({ flashes: [flash(1, 0), flash(2, 0)] }));
  state = apply(state, delta(11, { kind: 'flash', flash: flash(1, 64) })).state;
  expect(state.flashes.map(f => [f.record.board, f.done])).toEqual([[2, 0], [1, 64]]);
});
