// SPDX-License-Identifier: GPL-3.0-or-later
import { describe, expect, test } from 'vitest';
import { Api, Failure } from '../src/api';
import { Delay } from '../src/delay';
import { ago, clock, count, date, duration, estimateText, forWhite, linkEvent, markText, outcomeForFirst, plural, reasonShort, reasonText, sanWords, scoreText, think, took, winChance } from '../src/format';
import { clockAt, curve, evaluationAt, faultMarks, material, mergedEvents, moveNumber, openingOf, positionAt, rows, startClock } from '../src/replay';
import { format, parse, takeToken } from '../src/router';
import { placement } from '../src/view/mini';
import type { LinkEventKind } from '../src/generated/api';
import { game, ply, START, thinking } from './make';

describe('router', () => {
  test.each(['#/', '#/game/7', '#/game/7/0', '#/game/7/31', '#/games', '#/games?run=3', '#/games?run=3&result=1-0', '#/games?termination=checkmate&text=a%26b&min_plies=40', '#/runs', '#/runs/new', '#/runs/new?like=4', '#/overview', '#/boards', '#/board/2', '#/books', '#/book/run-7-second', '#/book/main?line=e2e4,e7e5', '#/telemetry', '#/telemetry?a=run%3D1&b=game%3D7', '#/telemetry/journal?a=firmware%3D5.3+beta', '#/telemetry/sides?a=run%3D1&b=run%3D2'])('%s there and back', hash => {
    expect(format(parse(hash))).toBe(hash);
  });

  test.each(['', '#', '#/nowhere', '#nonsense'])('%s is the live view', hash => {
    expect(parse(hash)).toEqual({ page: 'live' });
  });

  test('nonsense in an address is left out', () => {
    expect(parse('#/game/x')).toEqual({ page: 'games', filter: {} });
    expect(parse('#/game/3/-1')).toEqual({ page: 'game', id: 3, ply: null });
    expect(parse('#/games?run=1&nonsense=2')).toEqual({ page: 'games', filter: { run: '1' } });
    expect(parse('#/games?result=1%2F2-1%2F2')).toMatchObject({ filter: { result: '1/2-1/2' } });
    expect(parse('#/telemetry/x?a=run%3Dx&b=1')).toEqual({ page: 'telemetry', tab: 'plots', a: 'all', b: null });
    expect(parse('#/board/x')).toEqual({ page: 'boards' });
    expect(parse('#/book/run-7-second?line=e2e4,x,e7e8q')).toEqual({ page: 'book', id: 'run-7-second', fen: null, line: ['e2e4', 'e7e8q'] });
    expect(parse('#/book/my%20book%2Fno.%201')).toMatchObject({ id: 'my book/no. 1', line: [] });
    expect(parse('#/book')).toEqual({ page: 'books' });
  });

  test('the token is taken out of the address', () => {
    expect(takeToken('#token=abc')).toEqual({ token: 'abc', rest: '#/' });
    expect(takeToken('#token=a%2Fb')).toEqual({ token: 'a/b', rest: '#/' });
    expect(takeToken('#/games?token=abc')).toEqual({ token: 'abc', rest: '#/games' });
    expect(takeToken('#/games?run=1&token=abc')).toEqual({ token: 'abc', rest: '#/games?run=1' });
    expect(takeToken('#token=%zz')).toEqual({ token: '%zz', rest: '#/' });
    expect(takeToken('#/games?run=1')).toBeNull();
    expect(takeToken('#token=')).toBeNull();
  });
});

describe('figures', () => {
  test('long ago in the largest unit, one of something, and nothing where nothing was measured', () => {
    const DAY = 86_400_000;
    expect([20, 100, 2831].map(days => ago(days * DAY))).toEqual(['20 days ago', '3 months ago', '8 years ago']);
    expect([715, 716, 729].map(days => ago(days * DAY))).toEqual(['23 months ago', '2 years ago', '2 years ago']);
    expect([plural(1, 'game'), plural(0, 'game'), plural(1204, 'entry', 'entries')]).toEqual(['1 game', '0 games', '1,204 entries']);
    expect(took({ started_at: 5000, ended_at: 65_000 })).toBe('1 min');
    expect(took({ started_at: 5000, ended_at: null })).toBeNull();
    expect(took({ started_at: 5000, ended_at: 5000 })).toBeNull();
  });

  test('a day without a time of day is that day everywhere', () => {
    const midnight = Date.UTC(2019, 2, 7);
    const named = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' });
    expect(date(midnight)).toBe(named.format(midnight));
    expect(date(midnight + 1)).not.toBe(named.format(midnight));
  });

  test('scores are White’s view', () => {
    expect(scoreText(forWhite({ cp: 31 }, 'white'))).toBe('+0.31');
    expect(scoreText(forWhite({ cp: 31 }, 'black'))).toBe('\u22120.31');
    expect(scoreText(forWhite({ cp: 0 }, 'black'))).toBe('0.00');
    expect(scoreText(forWhite({ mate: 3 }, 'black'))).toBe('\u2212#3');
    expect(scoreText({ mate: 3 })).toBe('#3');
    expect(winChance({ cp: 0 })).toBe(0);
    expect(winChance({ mate: -1 })).toBe(-1);
    expect(winChance({ cp: 99999 })).toBeLessThan(1);
  });

  test('counts keep three figures', () => {
    expect([0, 950, 4506, 9999, 45_062, 450_620, 999_499, 1_234_567, 12_345_678, 123_456_789, 2e9].map(count)).toEqual([
      '0', '950', '4.51k', '10.0k', '45.1k', '451k', '999k', '1.23M', '12.3M', '123M', '2.00G',
    ]);
  });

  test('times', () => {
    expect([0.42, 12.4, 99.6, 850, 12_340, 59_960].map(think)).toEqual(['0.4 ms', '12 ms', '0.10 s', '0.85 s', '12.3 s', '0:59']);
    expect([-5, 5390, 9999, 65_000, 3_725_000].map(clock)).toEqual(['0:00.0', '0:05.3', '0:09.9', '1:05', '1:02:05']);
    expect([400, 42_000, 180_000, 3_900_000].map(duration)).toEqual(['0 s', '42 s', '3 min', '1 h 05 min']);
    expect([0, 60_000, 7_200_000, 86_400_000, 3 * 86_400_000].map(ago)).toEqual(['just now', '1 min ago', '2 h ago', 'yesterday', '3 days ago']);
  });

  test('moves in words', () => {
    expect(sanWords('e4')).toBe('pawn e4');
    expect(sanWords('Nxf6+')).toBe('knight takes f6, check');
    expect(sanWords('exd8=Q#')).toBe('pawn e takes d8 promotes to queen, checkmate');
    expect(sanWords('R1a3')).toBe('rook 1 a3');
    expect(sanWords('Qh4e1')).toBe('queen h4 e1');
    expect(sanWords('O-O-O+')).toBe('castles queenside, check');
    expect(sanWords('O-O')).toBe('castles kingside');
    expect(sanWords('?!')).toBe('?!');
  });

  test('results and reasons', () => {
    expect(outcomeForFirst(game(1, { result: '1-0' }))).toBe('win');
    expect(outcomeForFirst(game(1, { result: '1-0', first_color: 'black' }))).toBe('loss');
    expect(outcomeForFirst(game(1, { result: '1/2-1/2' }))).toBe('draw');
    expect(outcomeForFirst(game(1))).toBeNull();
    expect(reasonText(game(1, { state: 'finished', termination: 'dead_board' }))).toBe('Board out of reach');
    expect(reasonText(game(1, { reason: 'White mates', termination: 'checkmate' }))).toBe('White mates');
    expect(reasonShort(game(1, { reason: 'Draw by adjudication: maximum game length', termination: 'max_plies' }))).toBe('Draw by adjudication');
    expect(linkEvent('something_new')).toEqual({ label: 'something new', fault: true });
  });

  test('a figure stands with its error, and a minus is one', () => {
    expect(estimateText({ value: 147.19, error: 66.01 })).toBe('+147 ± 66');
    expect(estimateText({ value: -3.6, error: 12.2 })).toBe('−4 ± 12');
  });
});

describe('replay', () => {
  const plies = [ply(1, { uci: 'e2e4', fen: 'f1' }), ply(2, { uci: 'e7e8q', san: 'e8=Q+', fen: 'f2', score: { cp: 50 } }), ply(3, { score: null })];

  test('positions', () => {
    const g = game(1);
    expect(positionAt(g, plies, 0)).toEqual({ fen: START, ply: 0, lastMove: null, check: false, turn: 'white' });
    expect(positionAt(g, plies, 2)).toEqual({ fen: 'f2', ply: 2, lastMove: ['e7', 'e8'], check: true, turn: 'white' });
    expect(positionAt(g, plies, 99).ply).toBe(3);
    expect(positionAt(g, plies, -1).ply).toBe(0);
    expect(positionAt(g, [ply(1, { uci: '0000' })], 1).lastMove).toBeNull();
  });

  test('move numbers and rows, also where Black begins late', () => {
    expect(rows(START, plies).map(r => [r.number, r.white?.ply, r.black?.ply])).toEqual([
      [1, 1, 2],
      [2, 3, undefined],
    ]);
    const black = '8/8/8/8/8/8/8/8 b - - 0 30';
    expect(rows(black, plies).map(r => [r.number, r.white?.ply, r.black?.ply])).toEqual([
      [30, undefined, 1],
      [31, 2, 3],
    ]);
    expect(moveNumber(black, 2)).toEqual({ number: 31, side: 'white' });
    expect(moveNumber('broken', 1)).toEqual({ number: 1, side: 'white' });
  });

  test('evaluation: the last word of each side, White’s view; the think that is going on has the last', () => {
    expect(evaluationAt(plies, 3)).toMatchObject({ white: { cp: 30 }, black: { cp: -50 } });
    expect(evaluationAt([], 0)).toEqual({ white: null, black: null, chance: 0 });
    expect(evaluationAt(plies, 3, [thinking(1, 4, { score: { cp: 200 } })]).black).toEqual({ cp: -200 });
    expect(evaluationAt(plies, 3, [thinking(1, 2, { score: { cp: 200 } })]).black).toEqual({ cp: -50 });
    const c = curve(plies);
    expect(c.mean).toHaveLength(4);
    expect(c.white[1]).toBeGreaterThan(0);
    expect(c.black[1]).toBeNull();
    expect(c.black[3]).toBeLessThan(0);
  });

  test('faults stand at the ply that was thought about when they happened, each kind with its number', () => {
    const three = [ply(1, { at: 100 }), ply(2, { at: 200, retransmissions: 1 }), ply(3, { at: 300 })];
    const said = (...events: [number, LinkEventKind][]) => faultMarks(three, events.map(([at, event]) => ({ at, event }))).map(m => [m.ply, markText(m)]);
    expect(said()).toEqual([[2, 'lines sent again']]);
    expect(said([250, 'bad_crc'], [150, 'retransmitted'], [151, 'retransmitted'], [400, 'rebooted'])).toEqual([[2, '2 × lines sent again'], [3, 'wrong checksum'], [4, 'board restarted']]);
    expect(faultMarks(three, [{ at: 400, event: 'rebooted' }], 3).map(m => m.ply)).toEqual([2, 3]);
    expect(faultMarks([], [{ at: 1, event: 'timeout' }])).toHaveLength(1);
  });

  test('what was heard of a link and is kept by now counts once', () => {
    const event = (at: number) => ({ at, event: 'bad_crc' as const, detail: 'x' });
    const kept = [event(1), event(2)];
    expect(mergedEvents(kept, [])).toBe(kept);
    expect(mergedEvents(kept, [event(2)])).toBe(kept);
    expect(mergedEvents(kept, [event(2), event(2)])).toEqual([event(1), event(2), event(2)]);
    expect(mergedEvents([event(2), event(2)], [event(2), event(2)])).toHaveLength(2);
    expect(mergedEvents(kept, [event(2), event(3)])).toEqual([event(1), event(2), event(3)]);
  });

  test('an opening has the run’s name, else that of the last position that has one', () => {
    const plies = [ply(1, { opening: 'B00 King’s Pawn Game' }), ply(2, { opening: 'C20 King’s Pawn Game' }), ply(3)];
    expect(openingOf(game(1, { opening: 'Line 3' }), plies)).toBe('Line 3');
    expect(openingOf(game(1), plies)).toBe('C20 King’s Pawn Game');
    expect(openingOf(game(1, { eco: 'C60 Ruy Lopez' }), [])).toBe('C60 Ruy Lopez');
    expect(openingOf(game(1), [ply(1)])).toBeNull();
  });

  test('material and the small board', () => {
    expect(material(START)).toEqual({ balance: 0, white: [], black: [] });
    expect(material('4k3/8/8/8/8/8/8/QQ2K2r w - - 0 1')).toEqual({ balance: 13, white: ['q', 'q'], black: ['r'] });
    expect(placement(START)).toHaveLength(32);
    expect(placement('8/8/8/8/8/8/8/7K w')).toEqual([{ kind: 'white king', file: 7, rank: 7 }]);
    expect(placement('<img>')).toEqual([]);
  });
});

describe('delay', () => {
  test('one clock: the figure is as measured', () => {
    const d = new Delay();
    d.heard(1000, 1003);
    d.shown(1000, 1020);
    expect([d.last, d.median]).toEqual([20, 20]);
  });

  test('clocks that differ are corrected by the quickest message', () => {
    const d = new Delay();
    d.heard(1000, 61_040);
    d.heard(2000, 62_005);
    d.shown(3000, 63_025);
    expect(d.last).toBe(20);
    d.reset();
    expect(d.correction).toBe(0);
  });
});

describe('api', () => {
  const answer = (status: number, body: unknown) => async () => new Response(typeof body === 'string' ? body : JSON.stringify(body), { status });
  const never = async () => false;

  test('an error is the server’s own words, and 401 asks for a token', async () => {
    const asked: string[] = [];
    const refused = async (words: string) => asked.push(words) > 1000;
    const api = new Api(() => 't', refused, answer(401, { error: 'unauthorized', message: 'Give a token.' }) as never);
    await expect(api.game(1)).rejects.toMatchObject({ status: 401, code: 'unauthorized', message: 'Give a token.' });
    expect(asked).toEqual(['Give a token.']);
  });

  test('what was asked for is done when the token is given, and asked for again while it is wrong', async () => {
    let token = 'none';
    const seen: (string | undefined)[] = [];
    const server = async (_: string, init: RequestInit) => {
      const given = (init.headers as Record<string, string>)['Authorization'];
      seen.push(given);
      return given === 'Bearer right' ? new Response('{"id":7}') : new Response('{"error":"unauthorized","message":"no"}', { status: 401 });
    };
    const tokens = ['wrong', 'right'];
    const api = new Api(() => token, async () => ((token = tokens.shift()!), true), server as never);
    await expect(api.run(7)).resolves.toEqual({ id: 7 });
    expect(seen).toEqual(['Bearer none', 'Bearer wrong', 'Bearer right']);
  });

  test('flashing has a token of its own, which is asked for like the other; any other 403 is an error', async () => {
    let asked = 0;
    const ask = async () => (asked++, false);
    const own = answer(403, { error: 'forbidden', message: "this needs the server's flash token (--flash-token): send it" });
    await expect(new Api(() => null, ask, own as never).cancelFlash(1)).rejects.toMatchObject({ status: 403 });
    expect(asked).toBe(1);
    const other = answer(403, { error: 'forbidden', message: 'not from this site' });
    await expect(new Api(() => null, ask, other as never).cancelFlash(1)).rejects.toMatchObject({ status: 403 });
    expect(asked).toBe(1);
  });

  test('an answer that is no JSON, and none at all', async () => {
    const odd = new Api(() => null, never, answer(502, '<html>') as never);
    await expect(odd.runs()).rejects.toMatchObject({ status: 502 });
    const dead = new Api(() => null, never, (async () => { throw new TypeError('x'); }) as never);
    await expect(dead.runs()).rejects.toBeInstanceOf(Failure);
  });

  test('queries, bodies and the token are sent', async () => {
    const seen: [string, RequestInit][] = [];
    const api = new Api(() => 'abc', never, (async (url: string, init: RequestInit) => {
      seen.push([url, init]);
      return new Response('{}');
    }) as never);
    await api.games({ run: 2, text: 'a&b', before: null, limit: 50, result: '' });
    await api.act(3, 'abort');
    await api.flash(4, { rollback: true });
    expect(seen.map(([url, init]) => [init.method, url, init.body])).toEqual([
      ['GET', './api/v1/games?run=2&text=a%26b&limit=50', null],
      ['POST', './api/v1/runs/3/abort', null],
      ['POST', './api/v1/boards/4/flash', '{"rollback":true}'],
    ]);
    expect(seen[0]![1].headers).toEqual({ Authorization: 'Bearer abc' });
    expect(seen[2]![1].headers).toEqual({ Authorization: 'Bearer abc', 'Content-Type': 'application/json' });
  });
});

describe('clocks in a replay', () => {
  const run = (first: unknown, limit: string) => ({ settings: { first, second: { limit } } }) as unknown as Parameters<typeof startClock>[0];

  test('stand as they stood: after the last move, and before the first as they began', () => {
    const plies = [ply(1, { mover: 'opening' }), ply(2, { mover: 'opening' }), ply(3, { clock_ms: 59_000 }), ply(4), ply(5, { clock_ms: 58_000 })];
    expect([0, 2, 3, 4, 5].map(n => clockAt(plies, 'white', n, 60_000))).toEqual([60_000, 60_000, 59_000, 59_000, 58_000]);
    expect([0, 4].map(n => clockAt(plies, 'black', n, null))).toEqual([null, null]);
    expect(clockAt(plies, 'black', 4, 60_000)).toBeNull();
  });

  test('begin with what the limit says', () => {
    const boards = { boards: [] };
    expect(startClock(run(boards, 'tc=60+0.6'), false)).toBe(60_000);
    expect(startClock(run(boards, 'tc=60+0.6'), true)).toBeNull();
    expect(startClock(run({ engine: { limit: 'tc=0.5' } }, 'nodes=5'), true)).toBe(500);
    expect(startClock(run(boards, 'nodes=5000'), false)).toBeNull();
    expect(startClock(undefined, false)).toBeNull();
  });
});
