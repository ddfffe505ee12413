#!/usr/bin/env node
// SPDX-License-Identifier: GPL-3.0-or-later
// Makes src/eco/lines.txt, the page's names of openings, of the tables of lichess-org/chess-openings (public domain, CC0 1.0).
//
//   node tools/eco.mjs FOLDER      with a.tsv to e.tsv in it: code, name, moves
//
// Sorted by their moves, each line says how many moves it shares with the line before, its own moves, its code, how many letters of the
// name it shares, and the rest of the name. Lines of more than ten plies are left out: the page is to stay small.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const LONGEST = 10;

const rows = ['a', 'b', 'c', 'd', 'e'].flatMap(volume =>
  readFileSync(join(process.argv[2], `${volume}.tsv`), 'utf8')
    .split('\n')
    .slice(1)
    .filter(Boolean)
    .map(row => {
      const [code, name, line] = row.split('\t');
      return { code, name, moves: line.split(/\s+/).filter(word => !/^\d+\.+$/.test(word)) };
    }),
);
const kept = rows.filter(r => r.moves.length <= LONGEST).sort((a, b) => (a.moves.join(' ') < b.moves.join(' ') ? -1 : 1));
const shared = (a, b) => {
  let n = 0;
  while (n < a.length && n < b.length && a[n] === b[n]) n++;
  return n;
};
let before = { name: '', moves: [] };
const lines = kept.map(r => {
  const [moves, letters] = [shared(r.moves, before.moves), shared(r.name, before.name)];
  before = r;
  return [moves, r.moves.slice(moves).join(' '), r.code, letters, r.name.slice(letters)].join('\t');
});
writeFileSync(new URL('../src/eco/lines.txt', import.meta.url), `${lines.join('\n')}\n`);
console.log(`${lines.length} of ${rows.length} openings`);
