// SPDX-License-Identifier: GPL-3.0-or-later
import { expect, test } from 'vitest';
import { Archive } from '../src/archive';
import type { GameView } from '../src/generated/api';
import { game } from './make';

const settled = () => new Promise(done => setTimeout(done));

/** An archive whose server has these games, newest first, `size` on a page. */
function archive(server: { games: GameView[] }, size: number) {
  const asked: (number | null)[] = [];
  const api = {
    games: async ({ before }: { before: number | null }) => {
      asked.push(before);
      const rest = server.games.filter(g => before === null || g.id < before);
      return { games: rest.slice(0, size), next: rest.length > size ? rest[size - 1]!.id : null, total: before === null ? rest.length : null };
    },
  };
  return { asked, list: new Archive({ api, route: { page: 'games', filter: {} }, changed: () => {}, attempt: async () => {}, say: () => {} } as never) };
}
const ids = (a: Archive) => a.list!.games.map(g => g.id);

test('games that began or ended unheard are in the list as soon as it is looked at again, and older pages stay', async () => {
  const server = { games: [4, 3, 2, 1].map(id => game(id, { state: 'playing' })) };
  const { list, asked } = archive(server, 2);
  list.of({});
  await settled();
  list.more({});
  await settled();
  expect([ids(list), list.list!.total]).toEqual([[4, 3, 2, 1], 4]);
  server.games = [game(5, { state: 'playing' }), ...[4, 3, 2, 1].map(id => game(id, { state: 'finished' }))];
  await list.renew();
  expect([ids(list), list.list!.total]).toEqual([[5, 4, 3, 2, 1], 5]);
  expect(list.list!.games[1]!.state).toBe('finished');
  expect(asked).toEqual([null, 3, null]);
  // One that ends before the list has heard that it began.
  list.ended(game(6, { state: 'finished' }));
  expect([ids(list)[0], list.list!.total]).toEqual([6, 6]);
  // More new ones than a page holds: what lies between is not here, so that the list begins anew.
  server.games = [game(9), game(8), game(7), ...server.games];
  await list.renew();
  expect([ids(list), list.list!.next]).toEqual([[9, 8], 8]);
});

test('a list that a filter narrows loses what fits no more', async () => {
  const server = { games: [2, 1].map(id => game(id, { state: 'playing' })) };
  const { list } = archive(server, 50);
  list.of({ state: 'playing' });
  await settled();
  server.games = [game(1, { state: 'playing' })];
  list.ended(game(2, { state: 'finished' }));
  // The list stands until the server has answered.
  expect(ids(list)).toEqual([2, 1]);
  await settled();
  expect(ids(list)).toEqual([1]);
});
