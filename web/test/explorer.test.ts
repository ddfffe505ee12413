// SPDX-License-Identifier: GPL-3.0-or-later
import { describe, expect, test } from 'vitest';
import { bookSide, forSide } from '../src/explorer';
import type { BookMoveView } from '../src/generated/api';

const move = (weight: number | null): BookMoveView => ({ uci: 'e2e4', san: 'e4', weight, share: null, cp: null, fen: '', opening: null, goes_on: true });
const [white, black] = ['8/8/8/8/8/8/8/8 w - - 0 1', '8/8/8/8/8/8/8/8 b - - 0 1'];

describe('the side of a book', () => {
  test('is to move where the book has a move, and waits where it has none', () => {
    expect(bookSide({ fen: white, moves: [move(3)] })).toBe('white');
    expect(bookSide({ fen: black, moves: [move(3)] })).toBe('black');
    expect(bookSide({ fen: white, moves: [move(null)] })).toBe('black');
    expect(bookSide({ fen: black, moves: [move(null)] })).toBe('white');
    expect(bookSide({ fen: black, moves: [] })).toBe('black');
  });

  test('sees what the games brought it', () => {
    expect(forSide({ white: 3, draws: 2, black: 1 }, 'white')).toEqual({ won: 3, drawn: 2, lost: 1 });
    expect(forSide({ white: 3, draws: 2, black: 1 }, 'black')).toEqual({ won: 1, drawn: 2, lost: 3 });
  });
});
