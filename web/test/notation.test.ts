// SPDX-License-Identifier: GPL-3.0-or-later
import { expect, test } from 'vitest';
import { sanLine, squaresOf } from '../src/notation';
import { START } from './make';

test('a line of moves in words, up to the first that is not possible', () => {
  expect(sanLine(START, ['e2e4', 'e7e5', 'g1f3'])).toEqual(['e4', 'e5', 'Nf3']);
  expect(sanLine(START, ['e2e4', 'e2e4'])).toEqual(['e4']);
  expect(sanLine(START, ['0000'])).toEqual([]);
  expect(sanLine('r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1', ['e1g1', 'e8c8'])).toEqual(['O-O', 'O-O-O']);
  expect(sanLine('no position', ['e2e4'])).toEqual([]);
});

test('a move on the board', () => {
  expect(squaresOf(START, 'Nf3')).toEqual(['g1', 'f3']);
  expect(squaresOf('r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1', 'O-O-O')).toEqual(['e8', 'c8']);
  expect(squaresOf(START, 'Ke2')).toBeNull();
});
