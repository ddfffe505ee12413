// SPDX-License-Identifier: GPL-3.0-or-later
// A small still board: only pieces on squares, cheap enough for many at once.
import { html } from 'lit-html';
import { guard } from 'lit-html/directives/guard.js';
import { styleMap } from 'lit-html/directives/style-map.js';
import type { Side } from '../generated/api';

const ROLES: Record<string, string> = { p: 'pawn', n: 'knight', b: 'bishop', r: 'rook', q: 'queen', k: 'king' };

interface Placed {
  readonly kind: string;
  readonly file: number;
  readonly rank: number;
}

export function placement(fen: string): Placed[] {
  const placed: Placed[] = [];
  (fen.split(' ')[0] ?? '').split('/').forEach((row, rank) => {
    let file = 0;
    for (const c of row) {
      if (/\d/.test(c)) {
        file += Number(c);
        continue;
      }
      const role = ROLES[c.toLowerCase()];
      if (role) placed.push({ kind: `${c === c.toLowerCase() ? 'black' : 'white'} ${role}`, file, rank });
      file++;
    }
  });
  return placed;
}

export const miniBoard = (fen: string, orientation: Side, lastMove: readonly string[] | null) =>
  html`<span class="mini cg-wrap" aria-hidden="true">${guard([fen, orientation], () => {
    const turned = orientation === 'black';
    const at = (file: number, rank: number) =>
      styleMap({ transform: `translate(${(turned ? 7 - file : file) * 100}%, ${(turned ? 7 - rank : rank) * 100}%)` });
    return html`<cg-board>
      ${(lastMove ?? []).map(key => html`<square class="last-move" style=${at(key.charCodeAt(0) - 97, 8 - Number(key[1]))}></square>`)}
      ${placement(fen).map(p => html`<piece class=${p.kind} style=${at(p.file, p.rank)}></piece>`)}
    </cg-board>`;
  })}</span>`;
