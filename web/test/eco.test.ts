// SPDX-License-Identifier: GPL-3.0-or-later
import { expect, test } from 'vitest';
import { openingName } from '../src/eco';

const name = (line: string) => openingName(line.split(' ').filter(Boolean));

test('the longest line that has a name', () => {
  expect(name('e4 e5 Nf3 Nc6 Bb5')).toBe('C60 Ruy Lopez');
  expect(name('e4 e5 Nf3 Nc6 Bb5 h5 h4 h6')).toBe('C60 Ruy Lopez');
  expect(name('e4 c5')).toBe('B20 Sicilian Defense');
  expect(name('e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6')).toMatch(/^B90 Sicilian Defense: Najdorf/);
});

test('checks are written as the server writes them; nothing has no name', () => {
  expect(name('f4 e5 g3 exf4 gxf4 Qh4#')).toMatch(/^A02 Bird Opening/);
  expect(name('')).toBeNull();
});
