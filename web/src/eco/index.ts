// SPDX-License-Identifier: GPL-3.0-or-later
// Names of openings by the moves that were played: the longest line that has one. Pure. `lines.txt` is made by tools/eco.mjs.
import text from './lines.txt?raw';

let names: Map<string, string> | null = null;

function read(): Map<string, string> {
  const found = new Map<string, string>();
  let moves: string[] = [];
  let name = '';
  for (const line of text.split('\n')) {
    const [same, own, code, letters, rest] = line.split('\t');
    if (rest === undefined) continue;
    moves = [...moves.slice(0, Number(same)), ...(own ? own.split(' ') : [])];
    name = name.slice(0, Number(letters)) + rest;
    found.set(moves.join(' '), `${code} ${name}`);
  }
  return found;
}

/** `C60 Ruy Lopez`, of a game from the usual start position. */
export function openingName(san: readonly string[]): string | null {
  names ??= read();
  let line = '';
  let found: string | null = null;
  for (const move of san.slice(0, 10)) {
    line += `${line ? ' ' : ''}${move.replace(/[+#]$/, '')}`;
    found = names.get(line) ?? found;
  }
  return found;
}
