// SPDX-License-Identifier: GPL-3.0-or-later
import { describe, expect, test } from 'vitest';
import type { ServerMessage } from '../src/generated/api';
import { alarms, apply, findGame, follow, initial, onStrip, rests, sideToMove, type State } from '../src/state';
import { board, delta, game, live, ply, run, snapshot, START, thinking } from './make';

/** Applies all, and insists that each was applied. */
function fold(...messages: ServerMessage[]): State {
  return messages.reduce((state, m) => {
    const applied = apply(state, m);
    expect(applied.outcome, JSON.stringify(m).slice(0, 100)).toBe('applied');
    return applied.state;
  }, initial);
}

describe('numbers', () => {
  test('a delta before any snapshot asks for one', () => {
    expect(apply(initial, delta(1, { kind: 'ply', game: 1, ply: ply(1) }))).toEqual({ state: initial, outcome: 'resync' });
  });

  test('a gap asks for a snapshot and changes nothing', () => {
    const state = fold(snapshot());
    const applied = apply(state, delta(12, { kind: 'ply', game: 1, ply: ply(1) }));
    expect(applied).toEqual({ state, outcome: 'resync' });
  });

  test('what is known already is ignored', () => {
    const state = fold(snapshot(), delta(11, { kind: 'ply', game: 1, ply: ply(1) }));
    for (const seq of [1, 10, 11]) {
      expect(apply(state, delta(seq, { kind: 'ply', game: 1, ply: ply(2) }))).toEqual({ state, outcome: 'ignored' });
    }
  });

  test('resumption at our number is welcome, at another or of another epoch is not', () => {
    const state = fold(snapshot());
    expect(apply(state, { type: 'resumed', epoch: 'a', seq: 10 })).toEqual({ state, outcome: 'ignored' });
    expect(apply(state, { type: 'resumed', epoch: 'a', seq: 9 }).outcome).toBe('resync');
    expect(apply(state, { type: 'resumed', epoch: 'b', seq: 10 }).outcome).toBe('resync');
    expect(apply(initial, { type: 'resumed', epoch: 'a', seq: 0 }).outcome).toBe('resync');
  });

  test('after a resumption deltas go on', () => {
    const state = fold(snapshot());
    const resumed = apply(state, { type: 'resumed', epoch: 'a', seq: 10 }).state;
    expect(apply(resumed, delta(11, { kind: 'ply', game: 1, ply: ply(1) })).state.live[0]?.plies).toHaveLength(1);
  });

  test('a restarted server begins anew, with its own numbers', () => {
    const old = fold(snapshot({ seq: 900 }), delta(901, { kind: 'link', at: 5, board: 1, game: 1, event: 'bad_crc', detail: 'x' }));
    const { state, outcome } = apply(old, snapshot({ epoch: 'b', seq: 0, live: [live(1, 3)] }));
    expect(outcome).toBe('applied');
    expect(state).toMatchObject({ epoch: 'b', seq: 0, links: [] });
    expect(apply(state, delta(1, { kind: 'ply', game: 1, ply: ply(4) })).state.live[0]?.plies).toHaveLength(4);
  });

  test('a snapshot in the middle replaces everything, also with a lower number', () => {
    const state = fold(snapshot(), delta(11, { kind: 'ply', game: 1, ply: ply(1) }), snapshot({ seq: 50, live: [live(2, 7)] }));
    expect(state.seq).toBe(50);
    expect(state.live.map(l => l.game.id)).toEqual([2]);
  });

  test('kinds that this page does not know keep the numbers in step', () => {
    const state = fold(snapshot());
    const unknown = { type: 'delta', seq: 11, at: 0, change: { kind: 'weather', sun: true } } as unknown as ServerMessage;
    const after = apply(state, unknown);
    expect(after.outcome).toBe('applied');
    expect(after.state.seq).toBe(11);
    expect(apply(state, { type: 'news' } as unknown as ServerMessage)).toEqual({ state, outcome: 'ignored' });
  });
});

describe('games', () => {
  test('plies are appended and end the think', () => {
    const state = fold(
      snapshot(),
      delta(11, { kind: 'think_started', game: 1, side: 'white' }, 7000),
      delta(12, { kind: 'thinking', thinking: thinking(1, 1) }),
    );
    expect(state.live[0]).toMatchObject({ thinking_since: 7000, white_thinking: { depth: 4 }, black_thinking: null });
    const after = apply(state, delta(13, { kind: 'ply', game: 1, ply: ply(1) })).state;
    expect(after.live[0]).toMatchObject({ thinking_since: null, game: { plies: 1 } });
    expect(after.live[0]?.white_thinking).not.toBeNull();
  });

  test('a ply that is there already is not added twice; one too far asks for a snapshot', () => {
    const state = fold(snapshot({ live: [live(1, 4)] }));
    expect(apply(state, delta(11, { kind: 'ply', game: 1, ply: ply(4) })).state.live[0]?.plies).toHaveLength(4);
    expect(apply(state, delta(11, { kind: 'ply', game: 1, ply: ply(6) }))).toEqual({ state, outcome: 'resync' });
  });

  test('a ply of an unknown game asks for a snapshot, a late iteration does not', () => {
    const state = fold(snapshot());
    expect(apply(state, delta(11, { kind: 'ply', game: 9, ply: ply(1) })).outcome).toBe('resync');
    expect(apply(state, delta(11, { kind: 'thinking', thinking: thinking(9, 1) })).outcome).toBe('applied');
  });

  test('game_started takes the place of one with the same number', () => {
    const state = fold(snapshot({ live: [live(1, 5), live(2, 1)] }), delta(11, { kind: 'game_started', live: live(1, 3) }));
    expect(state.live.map(l => [l.game.id, l.plies.length])).toEqual([
      [1, 3],
      [2, 1],
    ]);
  });

  test('a game that is over moves to the lists, keeps its plies, and comes back when it is resumed', () => {
    const over = game(1, { state: 'finished', result: '1-0', plies: 4 });
    const state = fold(snapshot({ live: [live(1, 4)] }), delta(11, { kind: 'game_ended', game: over }));
    expect(state.live).toEqual([]);
    expect(state.recent).toEqual([over]);
    expect(findGame(state, 1)).toMatchObject({ game: { result: '1-0' }, plies: { length: 4 } });
    const resumed = apply(state, delta(12, { kind: 'game_started', live: live(1, 4) })).state;
    expect(resumed).toMatchObject({ recent: [], ended: [], live: { length: 1 } });
  });

  test('the end of a game that was never seen is only listed', () => {
    const state = fold(snapshot(), delta(11, { kind: 'game_ended', game: game(7, { state: 'finished' }) }));
    expect(state.recent.map(g => g.id)).toEqual([7]);
    expect(state.ended).toEqual([]);
  });

  test('a game of 1000 plies, and what did not change is the same object', () => {
    let state = fold(snapshot({ live: [live(1), live(2)] }));
    const other = state.live[1];
    for (let n = 1; n <= 1000; n++) {
      state = apply(state, delta(10 + 2 * n - 1, { kind: 'think_started', game: 1, side: 'white' })).state;
      state = apply(state, delta(10 + 2 * n, { kind: 'ply', game: 1, ply: ply(n) })).state;
    }
    expect(state.live[0]?.plies.at(-1)?.ply).toBe(1000);
    expect(state.live[1]).toBe(other);
  }, 20_000);

  test('lists do not grow without end', () => {
    let state = fold(snapshot({ live: [] }));
    let seq = 10;
    for (let id = 1; id <= 200; id++) {
      state = apply(state, delta(++seq, { kind: 'game_started', live: live(id) })).state;
      state = apply(state, delta(++seq, { kind: 'link', at: 5, board: 1, game: id, event: 'timeout', detail: '' })).state;
      state = apply(state, delta(++seq, { kind: 'game_ended', game: game(id, { state: 'finished' }) })).state;
    }
    expect(state.recent.length).toBeLessThanOrEqual(60);
    expect(state.recent[0]?.id).toBe(200);
    expect(state.ended.length).toBeLessThanOrEqual(8);
    expect(state.links.length).toBeLessThanOrEqual(100);
  });

  test('the state that was is never changed', () => {
    const state = fold(snapshot({ live: [live(1, 2)] }));
    const before = structuredClone(state);
    apply(state, delta(11, { kind: 'ply', game: 1, ply: ply(3) }));
    apply(state, delta(11, { kind: 'link', at: 5, board: 1, game: 1, event: 'echo', detail: '' }));
    apply(state, delta(11, { kind: 'game_ended', game: game(1) }));
    expect(state).toEqual(before);
  });
});

describe('boards and runs', () => {
  test('are replaced, or added', () => {
    const state = fold(
      snapshot(),
      delta(11, { kind: 'board', board: board(1, { link: 'draining' }) }),
      delta(12, { kind: 'board', board: board(2) }),
      delta(13, { kind: 'run', run: run(1, { wins: 1 }) }),
      delta(14, { kind: 'run', run: run(2) }),
    );
    expect(state.boards.map(b => [b.id, b.link])).toEqual([
      [1, 'draining'],
      [2, 'ready'],
    ]);
    expect(state.runs.map(r => [r.id, r.wins])).toEqual([
      [2, 0],
      [1, 1],
    ]);
  });

  test('link events are counted until the board itself says how many', () => {
    const event = { kind: 'link', at: 5, board: 1, game: null, event: 'bad_crc', detail: 'line' } as const;
    const state = fold(snapshot(), delta(11, event), delta(12, event));
    expect(state.boards[0]?.counters).toEqual({ bad_crc: 2 });
    expect(state.links).toHaveLength(2);
    expect(apply(state, delta(13, { kind: 'board', board: board(1, { counters: { bad_crc: 5 } }) })).state.boards[0]?.counters).toEqual({ bad_crc: 5 });
  });

  test('alarms of both are told', () => {
    const state = fold(snapshot({ boards: [board(1, { alarm: 'no cable' })], runs: [run(1, { alarm: 'no engine' })] }));
    expect(alarms(state).map(a => a.text)).toEqual(['no cable', 'no engine']);
    // What is over can be put away; what goes on cannot.
    const over = fold(snapshot({ runs: [run(1, { alarm: 'waits' }), run(2, { state: 'failed', ended_at: 5, alarm: 'no engine' })] }));
    expect(alarms(over).map(a => a.past)).toEqual([false, true]);
  });
});

describe('which game is shown', () => {
  const over = (id: number, more = {}) => game(id, { state: 'finished', result: '1-0', ...more });

  test('the newest live one at first', () => {
    expect(follow(fold(snapshot({ live: [live(1), live(2)] })), null)).toBe(2);
    expect(follow(fold(snapshot({ live: [] })), null)).toBeNull();
    expect(follow(fold(snapshot({ live: [], recent: [over(5)] })), null)).toBe(5);
  });

  test('it stays while it is played, whatever else begins', () => {
    expect(follow(fold(snapshot({ live: [live(1), live(2)] })), 1)).toBe(1);
  });

  test('it rests on the game that is over until the next of its board begins', () => {
    const ended = fold(snapshot({ live: [live(1), live(2, 0, { board: 2 })] }), delta(11, { kind: 'game_ended', game: over(1) }));
    expect(follow(ended, 1)).toBe(1);
    const next = apply(ended, delta(12, { kind: 'game_started', live: live(3) })).state;
    expect(follow(next, 1)).toBe(3);
  });

  test('it goes elsewhere when its run is over', () => {
    const state = fold(
      snapshot({ live: [live(1), live(2, 0, { board: 2, run: 2 })], runs: [run(1), run(2)] }),
      delta(11, { kind: 'game_ended', game: over(1) }),
      delta(12, { kind: 'run', run: run(1, { state: 'finished' }) }),
    );
    expect(follow(state, 1)).toBe(2);
  });

  test('without a board: the next game of the run, not one that is played beside it', () => {
    const none = { board: null };
    const state = fold(
      snapshot({ boards: [], live: [live(1, 0, none), live(2, 0, none)] }),
      delta(11, { kind: 'game_ended', game: over(1, { ...none, ended_at: 9000 }) }),
    );
    expect(follow(state, 1)).toBe(1);
    const next = apply(state, delta(12, { kind: 'game_started', live: live(3, 0, { ...none, started_at: 9500 }) })).state;
    expect(follow(next, 1)).toBe(3);
  });

  test('a board that is stuck is not waited for while others play', () => {
    const state = fold(
      snapshot({ live: [live(1), live(2, 0, { board: 2 })], boards: [board(1, { alarm: 'silent' }), board(2)] }),
      delta(11, { kind: 'game_ended', game: over(1) }),
    );
    expect(follow(state, 1)).toBe(2);
  });

  test('a restarted server that resumed the game keeps it', () => {
    const state = fold(snapshot(), snapshot({ epoch: 'b', seq: 0, live: [live(1, 6)] }));
    expect(follow(state, 1)).toBe(1);
  });
});

test('a board between two games keeps its place among the games to choose from', () => {
  const state = fold(
    snapshot({ live: [live(1), live(2, 0, { board: 2 })] }),
    delta(11, { kind: 'game_ended', game: game(1, { state: 'finished' }) }),
  );
  expect(onStrip(state).map(l => l.game.id)).toEqual([1, 2]);
  const next = apply(state, delta(12, { kind: 'game_started', live: live(3) })).state;
  expect(onStrip(next).map(l => l.game.id)).toEqual([3, 2]);
  const over = apply(state, delta(12, { kind: 'run', run: run(1, { state: 'finished' }) })).state;
  expect(onStrip(over).map(l => l.game.id)).toEqual([2]);
});

test('whose turn it is, also where Black begins', () => {
  expect(sideToMove(START, 0)).toBe('white');
  expect(sideToMove(START, 1)).toBe('black');
  const black = START.replace(' w ', ' b ');
  expect(sideToMove(black, 0)).toBe('black');
  expect(sideToMove(black, 3)).toBe('white');
});

test('a game that is not over is played only where the server says so; until it has said anything, nothing is claimed', () => {
  const cut = game(5, { state: 'playing' });
  expect(rests(initial, cut)).toBe(false);
  const state = fold(snapshot({ live: [live(7, 3)] }));
  expect([cut, game(7, { state: 'playing' }), game(5, { state: 'finished', result: '1-0' })].map(g => rests(state, g))).toEqual([true, false, false]);
});
