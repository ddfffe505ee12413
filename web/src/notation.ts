// SPDX-License-Identifier: GPL-3.0-or-later
// Moves in the words of people, and back onto the board. Pure, but it knows the rules of chess, so it is fetched when the page already shows something.
import { castlingSide, Chess } from 'chessops/chess';
import { parseFen } from 'chessops/fen';
import { makeSanAndPlay, parseSan } from 'chessops/san';
import { isNormal } from 'chessops/types';
import { kingCastlesTo, makeSquare, parseUci } from 'chessops/util';

function at(fen: string): Chess | null {
  const setup = parseFen(fen);
  if (setup.isErr) return null;
  const position = Chess.fromSetup(setup.value);
  return position.isOk ? position.value : null;
}

/** A line of UCI moves from a position as SAN, up to the first that is not possible. */
export function sanLine(fen: string, moves: readonly string[]): string[] {
  const position = at(fen);
  const line: string[] = [];
  for (const text of position ? moves : []) {
    const move = parseUci(text);
    if (!move || !position!.isLegal(move)) break;
    line.push(makeSanAndPlay(position!, move));
  }
  return line;
}

/** From where to where a move in SAN goes. */
export function squaresOf(fen: string, san: string): readonly [string, string] | null {
  const position = at(fen);
  const move = position && parseSan(position, san);
  if (!move || !isNormal(move)) return null;
  const side = castlingSide(position, move);
  return [makeSquare(move.from), makeSquare(side ? kingCastlesTo(position.turn, side) : move.to)];
}
