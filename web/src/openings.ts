// SPDX-License-Identifier: GPL-3.0-or-later
// Openings as people have them: PGN, EPD or FEN, UCI moves. Pure, but it knows the rules of chess, so it is a part of its own that only the form fetches.
import { castlingSide, Chess, type Position } from 'chessops/chess';
import { makeFen, parseFen } from 'chessops/fen';
import { parsePgn, startingPosition } from 'chessops/pgn';
import { parseSan } from 'chessops/san';
import { isNormal, type Move } from 'chessops/types';
import { kingCastlesTo, makeUci, parseUci } from 'chessops/util';
import type { OpeningLine } from './generated/api';

export interface Openings {
  readonly lines: OpeningLine[];
  readonly faults: string[];
}

export function readOpenings(text: string): Openings {
  const found: Openings = { lines: [], faults: [] };
  // Tags or a numbered move: a PGN file, or moves as in one.
  if (/^\s*\[\w+\s+"/m.test(text)) {
    readPgn(text, found);
    return found;
  }
  text.split(/\r?\n/).forEach((raw, i) => {
    const line = raw.trim();
    if (line === '' || line.startsWith('#')) return;
    const read = line.includes('/') ? readEpd(line) : readMoves(line);
    if (typeof read === 'string') found.faults.push(`Line ${i + 1}: ${read}`);
    else found.lines.push(read);
  });
  return found;
}

function readPgn(text: string, found: Openings): void {
  parsePgn(text).forEach((game, i) => {
    const who = `Game ${i + 1}`;
    const start = startingPosition(game.headers);
    if (start.isErr) {
      found.faults.push(`${who}: its FEN tag is no position.`);
      return;
    }
    const pos = start.value;
    const fen = game.headers.has('FEN') ? makeFen(pos.toSetup()) : undefined;
    const moves: string[] = [];
    for (const node of game.moves.mainline()) {
      const move = parseSan(pos, node.san);
      if (!move) {
        found.faults.push(`${who}: “${node.san}” is not possible after ${moves.length} plies.`);
        return;
      }
      moves.push(uci(pos, move));
      pos.play(move);
    }
    const tag = (name: string) => (game.headers.get(name) ?? '').replace(/^\?$/, '');
    const name = tag('Opening') || tag('ECO') || tag('Event');
    found.lines.push({ ...(name ? { name } : {}), ...(fen ? { fen } : {}), moves });
  });
}

/** UCI as engines write it: castling is the king's two steps, not the king onto its rook. */
function uci(pos: Position, move: Move): string {
  const side = castlingSide(pos, move);
  if (side === undefined || !isNormal(move)) return makeUci(move);
  return makeUci({ from: move.from, to: kingCastlesTo(pos.turn, side) });
}

/** A FEN, or an EPD whose operation `id "…"` is the name. */
function readEpd(line: string): OpeningLine | string {
  const parts = line.split(/\s+/);
  const clocks = /^\d+$/.test(parts[4] ?? '') && /^\d+$/.test(parts[5] ?? '');
  const text = clocks ? parts.slice(0, 6).join(' ') : `${parts.slice(0, 4).join(' ')} 0 1`;
  const setup = parseFen(text);
  const pos = setup.isOk ? Chess.fromSetup(setup.value) : null;
  if (!pos?.isOk) return `“${text}” is no position that can be played.`;
  const name = /\bid\s+"([^"]*)"/.exec(line)?.[1];
  return { ...(name ? { name } : {}), fen: makeFen(pos.value.toSetup()), moves: [] };
}

/** Moves from the start position, in UCI notation or SAN, with numbers or without. */
function readMoves(line: string): OpeningLine | string {
  const pos = Chess.default();
  const moves: string[] = [];
  for (const word of line.replace(/\d+\.+/g, ' ').split(/\s+/).filter(Boolean)) {
    const plain = /^[a-h][1-8][a-h][1-8][qrbn]?$/.test(word) ? parseUci(word) : undefined;
    const move = plain ?? parseSan(pos, word);
    if (!move || !pos.isLegal(move)) return `“${word}” is not possible after ${moves.length} plies.`;
    moves.push(uci(pos, move));
    pos.play(move);
  }
  return { moves };
}
