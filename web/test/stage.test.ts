// SPDX-License-Identifier: GPL-3.0-or-later
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Access } from '../src/access';
import { Details } from '../src/details';
import type { GameDetail } from '../src/generated/api';
import type { Route } from '../src/router';
import { Stage } from '../src/stage';
import { apply, initial, type State } from '../src/state';
import { board, delta, game, live, ply, run, snapshot } from './make';

const settled = () => vi.advanceTimersByTimeAsync(0);
const stored = (kept: Record<string, string> = {}) => ({
  kept,
  getItem: (key: string) => kept[key] ?? null,
  setItem: (key: string, value: string) => void (kept[key] = value),
  removeItem: (key: string) => void delete kept[key],
});

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('localStorage', stored());
  vi.stubGlobal('sessionStorage', stored());
  vi.stubGlobal('location', { href: 'https://chess.example/rookery/?a#/games' });
  vi.stubGlobal('history', { replaceState: vi.fn() });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** A page that plays game 1, five plies old, and whose server has the finished game 7 of three plies. */
function page(route: Route = { page: 'live' }) {
  const detail = { game: game(7, { state: 'finished', result: '1-0' }), plies: [1, 2, 3].map(n => ply(n)), incidents: [{ ply: 2 }] } as unknown as GameDetail;
  const state = apply(initial, snapshot({ boards: [board(1)], runs: [run(1)], live: [live(1, 5), live(2, 1, { board: 2 })] })).state;
  const app = { state: state as State, route, changed: () => {}, api: { game: vi.fn(async () => detail), events: vi.fn(async () => []) }, details: null as unknown as Details };
  app.details = new Details(app as never);
  const stage = new Stage(app as never);
  const at = () => {
    const subject = stage.subject();
    return subject?.at === 'here' ? stage.ply(subject.value) : null;
  };
  return { app, stage, at };
}

test('the live game is followed, an earlier ply of it stays, and its last one is the present again', () => {
  const { app, stage, at } = page();
  stage.show(1);
  expect(at()).toBe(5);
  stage.step(-2);
  expect(at()).toBe(3);
  app.state = apply(app.state, delta(11, { kind: 'ply', game: 1, ply: ply(6) })).state;
  expect(at()).toBe(3);
  stage.goTo(99);
  app.state = apply(app.state, delta(12, { kind: 'ply', game: 1, ply: ply(7) })).state;
  expect(at()).toBe(7);
  stage.goTo(-4);
  expect(at()).toBe(0);
  stage.toPresent();
  expect(at()).toBe(7);
  stage.step(-1);
  stage.show(2);
  expect(at()).toBe(1);
});

test('an ended game is left for the next one of its board, but not under the eyes of somebody who looks at an earlier ply', () => {
  const ended = (app: ReturnType<typeof page>['app']) => {
    app.state = apply(app.state, delta(11, { kind: 'game_ended', game: game(1, { state: 'finished', plies: 5, ended_at: 9000 }) })).state;
    app.state = apply(app.state, delta(12, { kind: 'game_started', live: live(3) })).state;
  };
  const watched = page();
  watched.stage.show(1);
  ended(watched.app);
  watched.stage.follow();
  expect(watched.stage.shown).toBe(3);

  const read = page();
  read.stage.show(1);
  read.stage.step(-1);
  ended(read.app);
  read.stage.follow();
  expect([read.stage.shown, read.at()]).toEqual([1, 4]);
  read.stage.step(1);
  expect(read.stage.shown).toBe(3);
});

test('a game of the archive is fetched once, its ply is in the address, and it is asked for again when it has ended', async () => {
  const { app, stage, at } = page({ page: 'game', id: 7, ply: null } as Route);
  expect(stage.subject()).toEqual({ at: 'loading' });
  await settled();
  expect(at()).toBe(3);
  stage.goTo(1);
  expect([at(), app.route]).toEqual([1, { page: 'game', id: 7, ply: 1 }]);
  expect(history.replaceState).toHaveBeenCalledOnce();
  expect(app.api.game).toHaveBeenCalledOnce();
  app.details.ended(7);
  expect(stage.subject()).toEqual({ at: 'loading' });
  await settled();
  expect(app.api.game).toHaveBeenCalledTimes(2);
});

test('a game is played through from its beginning to its end, faster when that is wanted, and the speed is kept', async () => {
  const { stage, at } = page({ page: 'game', id: 7, ply: null } as Route);
  stage.subject();
  await settled();
  stage.toggleAutoplay();
  expect([stage.autoplay, at()]).toEqual([true, 0]);
  vi.advanceTimersByTime(700);
  expect(at()).toBe(1);
  stage.stepSpeed(1);
  vi.advanceTimersByTime(350);
  expect(at()).toBe(2);
  vi.advanceTimersByTime(350);
  expect([stage.autoplay, at()]).toEqual([false, 3]);
  stage.stepSpeed(9);
  expect(stage.speed).toBe(4);
  const again = page().stage;
  again.recall();
  expect(again.speed).toBe(4);
  again.setSpeed(3);
  expect(again.speed).toBe(1);
});

test('what happened on a link is told once, whether it was kept or heard', async () => {
  const { app } = page();
  const retry = { at: 5, game: 1, board: 1, event: 'retry', detail: null } as const;
  app.api.events.mockResolvedValue([{ at: 5, event: 'retry', detail: null }] as never);
  app.state = { ...app.state, links: [retry] } as never;
  expect(app.details.events(game(1))).toHaveLength(1);
  await settled();
  expect(app.details.events(game(1))).toHaveLength(1);
  app.details.heard({ kind: 'link', ...retry, at: 6 } as never);
  expect(app.details.events(game(1)).map(e => e.at).sort()).toEqual([5, 6]);
  expect(app.details.events(game(1, { board: null }))).toEqual([]);
});

test('a token is asked for once by all who need one, kept where that is wanted, and only a socket has it in its address', async () => {
  const access = new Access(() => {});
  access.recall();
  const given = [access.ask('Give me the token'), access.ask('And me')];
  expect(access.asked).toEqual({ words: 'Give me the token', wrong: false });
  expect(access.socketUrl('./ws')).toBe('wss://chess.example/rookery/ws');
  access.give('a b', false);
  expect(await Promise.all(given)).toEqual([true, true]);
  expect([access.asked, access.token, localStorage.getItem('rookery.token'), sessionStorage.getItem('rookery.token')]).toEqual([null, 'a b', null, 'a b']);
  expect(access.socketUrl('./ws')).toBe('wss://chess.example/rookery/ws?token=a+b');
  expect(access.socketUrl('./ws', false)).toBe('wss://chess.example/rookery/ws');

  const refused = access.ask('It was wrong');
  expect(access.asked?.wrong).toBe(true);
  access.refuse();
  expect(await refused).toBe(false);
  access.give('c', true);
  const next = new Access(() => {});
  next.recall();
  expect(next.token).toBe('c');
  vi.stubGlobal('sessionStorage', stored());
  next.recall();
  expect(next.token).toBe('c');
});
