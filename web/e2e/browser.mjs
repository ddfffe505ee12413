// SPDX-License-Identifier: GPL-3.0-or-later
// A browser for the tests, what they ask of it, and how they tell what they did.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const here = dirname(fileURLToPath(import.meta.url));
export const shots = process.env.SCREENSHOTS ?? join(here, '../../target/screens');
mkdirSync(shots, { recursive: true });

/** What went wrong in the browser without anybody having looked: it fails the test at its end. */
export const complaints = [];
/** Complaints that are the test's own doing, such as lines that break when it stops the server. */
export const expected = [];

export const testid = id => `[data-testid="${id}"]`;

const steps = { passed: 0, now: 'starting the browser' };

export async function step(name, f) {
  steps.now = name;
  const begun = Date.now();
  const said = await f();
  steps.passed++;
  console.log(`ok  ${name}${said ? ` (${said})` : ''}, ${Date.now() - begun} ms`);
}

/** Asks until the answer is true enough. */
export async function until(what, f, ms = 10_000) {
  const end = Date.now() + ms;
  for (;;) {
    const last = await f();
    if (last) return last;
    if (Date.now() > end) throw new Error(`waited ${ms / 1000} s in vain until ${what}`);
    await new Promise(done => setTimeout(done, 50));
  }
}

/** The server's side of what the page shows. */
export function apiOf(address) {
  const token = /token=([^&]*)/.exec(address.hash)?.[1] ?? null;
  return async path => {
    const headers = token ? { authorization: `Bearer ${decodeURIComponent(token)}` } : {};
    const response = await fetch(new URL(`api/v1/${path}`, new URL('./', address)), { headers });
    assert.ok(response.ok, `${path}: ${response.status}`);
    return response.headers.get('content-type')?.includes('json') ? response.json() : response.text();
  };
}

/** What the board says of itself and, apart from that, where its pieces stand to the eye; both at one moment. */
export function readBoard(page) {
  return page.evaluate(() => {
    const board = document.querySelector('[data-testid="live-board"]');
    if (!board?.dataset.fen) return null;
    const box = board.querySelector('cg-board').getBoundingClientRect();
    const letters = { pawn: 'p', knight: 'n', bishop: 'b', rook: 'r', queen: 'q', king: 'k' };
    const squares = Array(64).fill('');
    const moving = board.querySelector('piece.anim, piece.fading') !== null;
    for (const piece of board.querySelectorAll('cg-board piece')) {
      const at = piece.getBoundingClientRect();
      let file = Math.round(((at.left - box.left) / box.width) * 8);
      let row = Math.round(((at.top - box.top) / box.height) * 8);
      if (board.dataset.orientation === 'black') [file, row] = [7 - file, 7 - row];
      const role = Object.keys(letters).find(r => piece.classList.contains(r));
      squares[row * 8 + file] = piece.classList.contains('white') ? letters[role].toUpperCase() : letters[role];
    }
    let seen = '';
    for (let row = 0; row < 8; row++) {
      let empty = 0;
      for (let file = 0; file < 8; file++) {
        const piece = squares[row * 8 + file];
        if (piece === '') empty++;
        else {
          seen += (empty || '') + piece;
          empty = 0;
        }
      }
      seen += (empty || '') + (row < 7 ? '/' : '');
    }
    const { game, ply, fen, orientation } = board.dataset;
    return { game: Number(game), ply: Number(ply), fen, orientation, seen, moving };
  });
}

/** The board at rest, compared with the game in the API. */
export async function boardIsGame(page, api) {
  const board = await until('the pieces on the board rest where the position has them', async () => {
    const b = await readBoard(page);
    return b && !b.moving && b.seen === b.fen.split(' ')[0] && b;
  });
  const detail = await api(`games/${board.game}`);
  const position = board.ply === 0 ? detail.game.start_fen : detail.plies[board.ply - 1]?.fen;
  assert.ok(position, `the board shows ply ${board.ply} of game ${board.game}, which the API does not have yet: it has ${detail.plies.length}`);
  assert.equal(board.fen, position, `the board does not show ply ${board.ply} of game ${board.game}`);
  return { board, detail };
}

/** The letters of a browser whose reader wants them larger: 16 are usual. */
export async function letters(page, size) {
  const session = await page.context().newCDPSession(page);
  await session.send('Page.setFontSizes', { fontSizes: { standard: size, fixed: Math.round((size * 13) / 16) } });
}

/** The page fits; a board that has just come, or a window that has just changed, may need a moment. */
export async function noOverflow(page, where) {
  let over;
  const fits = async () => {
    over = await page.evaluate(() => {
      const wide = document.documentElement.scrollWidth - innerWidth;
      // What stands out of a box that scrolls, seen or not, makes the page longer than what is on it.
      const end = document.body.getBoundingClientRect().bottom + scrollY;
      const tall = Math.round(document.documentElement.scrollHeight - Math.max(end, innerHeight));
      if (tall > 1) return `${tall} px longer than what is on it`;
      if (wide <= 0) return null;
      const culprit = [...document.querySelectorAll('#app *')].find(e => e.getBoundingClientRect().right > innerWidth + 1);
      return `${wide} px too wide, first at <${culprit?.tagName.toLowerCase()} class="${culprit?.className}">`;
    });
    return over === null;
  };
  await until('the page fits', fits, 5000).catch(() => assert.fail(`${where}: ${over}`));
}

/** To another address of the page. */
export const go = (page, hash) => page.evaluate(h => (location.hash = h), hash);

/** The file that a click saves. */
export async function saved(page, click) {
  const [download] = await Promise.all([page.waitForEvent('download'), click()]);
  return { name: download.suggestedFilename(), text: readFileSync(await download.path(), 'utf8') };
}

export const shot = (page, name, fullPage = false) => page.screenshot({ path: join(shots, `${name}.png`), fullPage });

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What a person with a screen reader, weak eyes or no mouse would stumble over. */
export async function accessible(page, where) {
  // As a string: the page's policy lets no script in by an element, and this is none.
  await page.evaluate(axe);
  const found = await page.evaluate(async () => {
    const { violations } = await globalThis.axe.run(document, { resultTypes: ['violations'] });
    return violations.filter(v => v.impact === 'serious' || v.impact === 'critical').map(v => `${v.id}: ${v.nodes.slice(0, 3).map(n => `${n.target.join(' ')} (${n.any[0]?.message ?? n.failureSummary})`).join('; ')}`);
  });
  assert.deepEqual(found, [], `${where} is not accessible`);
}

/** Runs `test` in a browser; leaves with status 0, or 1 and what was wrong. */
export async function withBrowser(address, limitMs, test) {
  const profile = mkdtempSync(join(tmpdir(), 'rookery-e2e-'));
  let context = null;
  let status = 0;
  // A browser that hangs must not hold up whoever waits for this.
  const watchdog = setTimeout(() => {
    console.error(`not ok  ${steps.now}: the whole took too long`);
    process.exitCode = 1;
    void context?.close().finally(() => process.exit(1));
    setTimeout(() => process.exit(1), 5000).unref();
  }, limitMs);
  try {
    context = await chromium.launchPersistentContext(profile, {
      executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
      headless: true,
      acceptDownloads: true,
      viewport: { width: 1280, height: 800 },
      colorScheme: 'dark',
      args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
    });
    context.setDefaultTimeout(15_000);
    const complain = text => (expected.some(e => e.test(text)) ? null : complaints.push(text));
    context.on('console', m => m.type() === 'error' && complain(`console: ${m.text()} (${m.location().url})`));
    context.on('weberror', e => complain(`exception: ${e.error().stack ?? e.error()}`));
    context.on('requestfailed', r => r.failure()?.errorText !== 'net::ERR_ABORTED' && complain(`request failed: ${r.url()} ${r.failure()?.errorText}`));
    context.on('request', r => {
      const url = new URL(r.url());
      if (/^(https?|wss?):$/.test(url.protocol) && url.host !== address.host) complain(`the page asked another host: ${r.url()}`);
    });
    await test(context.pages()[0] ?? (await context.newPage()), context);
    await step('nothing complained', async () => assert.deepEqual(complaints, []));
  } catch (error) {
    status = 1;
    console.error(`not ok  ${steps.now}: ${error.message}`);
    for (const complaint of complaints) console.error(`        ${complaint}`);
    await context?.pages().at(-1)?.screenshot({ path: join(shots, 'failed.png') }).catch(() => {});
  } finally {
    clearTimeout(watchdog);
    await context?.close().catch(() => {});
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  }
  console.log(`${steps.passed} passed, ${status} failed`);
  process.exitCode = status;
}
