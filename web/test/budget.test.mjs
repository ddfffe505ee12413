// SPDX-License-Identifier: GPL-3.0-or-later
// What a person waits for: the built page as it goes over the line.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';

const dist = join(import.meta.dirname, '../dist');
const size = file => gzipSync(readFileSync(file)).length;
const assets = readdirSync(join(dist, 'assets')).map(name => ({ name, size: size(join(dist, 'assets', name)) }));

test('the page with everything it may ever fetch is below 150 kB compressed', () => {
  const total = [...assets, { name: 'index.html', size: size(join(dist, 'index.html')) }].reduce((sum, a) => sum + a.size, 0);
  expect(total, JSON.stringify(assets)).toBeLessThan(150_000);
});

test('what the first board needs is below 110 kB', () => {
  const first = assets.filter(a => /^rookery\./.test(a.name)).reduce((sum, a) => sum + a.size, 0);
  expect(first, JSON.stringify(assets)).toBeLessThan(110_000);
});
