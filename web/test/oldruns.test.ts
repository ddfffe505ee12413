// SPDX-License-Identifier: GPL-3.0-or-later
import { expect, test } from 'vitest';
import { OldRuns } from '../src/oldruns';
import { run } from './make';

test('runs older than those the server tells of come by pages, each once, until there are no more', async () => {
  const all = Array.from({ length: 170 }, (_, i) => run(170 - i, { state: 'finished', ended_at: 1 }));
  // One that was left long ago is known from the start, and must not hide what is newer than it.
  const left = run(30, { state: 'interrupted' });
  const server = all.map(r => (r.id === 30 ? left : r));
  const asked: unknown[] = [];
  const api = {
    runs: async ({ before, limit }: { before: number; limit: number }) => {
      asked.push(before);
      return server.filter(r => r.id < before).slice(0, limit);
    },
  };
  const old = new OldRuns({ api, state: { runs: [...all.slice(0, 50), left] }, busily: async (_: unknown, f: () => Promise<void>) => f() } as never);
  while (old.more && asked.length < 9) await old.fetch();
  expect(asked).toEqual([121, 71, 21]);
  expect(old.list.map(r => r.id)).toEqual(Array.from({ length: 120 }, (_, i) => 120 - i).filter(id => id !== 30));
});
