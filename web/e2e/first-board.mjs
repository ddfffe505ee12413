#!/usr/bin/env node
// SPDX-License-Identifier: GPL-3.0-or-later
// What somebody waits for who opens the page: its weight as the server sends it, and the time to the first board. One line of JSON, for
// bench/page.py. The server is told of by an address; every load is of a browser that has nothing of the page.
//
//   node e2e/first-board.mjs http://127.0.0.1:8080 LOADS
import { chromium } from 'playwright-core';

const [address, loads] = process.argv.slice(2);
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  headless: true,
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
});

/** Notes when a board with all its pieces is there, at the end of the frame that shows it. */
function look() {
  const seen = () => {
    const board = document.querySelector('[data-testid="live-board"]');
    if (!board?.dataset.fen) return false;
    const men = board.dataset.fen.split(' ')[0].replace(/[^a-z]/gi, '').length;
    return board.querySelectorAll('cg-board piece:not(.ghost):not(.fading)').length >= men;
  };
  const frame = () => (seen() ? requestAnimationFrame(() => (globalThis.firstBoard = performance.now())) : requestAnimationFrame(frame));
  requestAnimationFrame(frame);
}

try {
  const measured = [];
  for (let load = 0; load < Number(loads); load++) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    const page = await context.newPage();
    await page.addInitScript(look);
    await page.goto(address, { waitUntil: 'commit' });
    await page.waitForFunction(() => globalThis.firstBoard > 0, null, { timeout: 30_000 });
    await page.waitForLoadState('networkidle').catch(() => {});
    measured.push(
      await page.evaluate(() => {
        const files = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')];
        const sizes = files.map(f => ({ path: new URL(f.name).pathname, sent: f.encodedBodySize, size: f.decodedBodySize }));
        return { ms: globalThis.firstBoard, files: sizes };
      }),
    );
    await context.close();
  }
  console.log(JSON.stringify(measured));
} finally {
  await browser.close();
}
