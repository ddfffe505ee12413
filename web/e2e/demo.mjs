#!/usr/bin/env node
// SPDX-License-Identifier: GPL-3.0-or-later
// Does with the page what a person does, in Chromium, against a server that plays games. Changes nothing on the server.
//
//   ROOKERY_URL   the page, with `#token=…` where the server wants one (default http://127.0.0.1:8790/, the fake server's)
//   CHROMIUM      the browser (default /usr/bin/chromium)
//   SCREENSHOTS   where to put them (default screenshots/ beside this folder)
//   ROOKERY_WAIT  seconds to wait for the first ply and for the first finished game (default 120)
//
// Leaves with status 0, or 1 and what was wrong.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const address = new URL(process.env.ROOKERY_URL ?? 'http://127.0.0.1:8790/');
const token = /token=([^&]*)/.exec(address.hash)?.[1] ?? null;
const base = new URL('./', address).href;
const patience = Number(process.env.ROOKERY_WAIT ?? 120) * 1000;
const shots = process.env.SCREENSHOTS ?? join(dirname(fileURLToPath(import.meta.url)), '../screenshots');
mkdirSync(shots, { recursive: true });
const profile = mkdtempSync(join(tmpdir(), 'rookery-e2e-'));

const complaints = [];
let context = null;
let passed = 0;
let now = 'starting the browser';

async function step(name, f) {
  now = name;
  const begun = Date.now();
  const said = await f();
  passed++;
  console.log(`ok  ${name}${said ? ` (${said})` : ''}, ${Date.now() - begun} ms`);
}

async function api(path) {
  const response = await fetch(new URL(`api/v1/${path}`, base), { headers: token ? { authorization: `Bearer ${decodeURIComponent(token)}` } : {} });
  assert.equal(response.status, 200, `GET /api/v1/${path} answered ${response.status}`);
  return response.headers.get('content-type')?.includes('json') ? response.json() : response.text();
}

/** Asks until the answer is true enough. */
async function until(what, f, ms = 10_000) {
  const end = Date.now() + ms;
  let last;
  for (;;) {
    last = await f();
    if (last) return last;
    if (Date.now() > end) throw new Error(`waited ${ms / 1000} s in vain until ${what}`);
    await new Promise(done => setTimeout(done, 50));
  }
}

const testid = id => `[data-testid="${id}"]`;

/** What the board says of itself and, apart from that, where its pieces stand to the eye; both at one moment. */
function readBoard(page) {
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
async function boardIsGame(page) {
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

async function noOverflow(page, where) {
  const over = await page.evaluate(() => {
    const wide = document.documentElement.scrollWidth - innerWidth;
    if (wide <= 0) return null;
    const culprit = [...document.querySelectorAll('#app *')].find(e => e.getBoundingClientRect().right > innerWidth + 1);
    return `${wide} px too wide, first at <${culprit?.tagName.toLowerCase()} class="${culprit?.className}">`;
  });
  assert.equal(over, null, `${where}: ${over}`);
}

const shot = (page, name, fullPage = false) => page.screenshot({ path: join(shots, `${name}.png`), fullPage });

async function main() {
  context = await chromium.launchPersistentContext(profile, {
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    headless: true,
    acceptDownloads: true,
    viewport: { width: 1280, height: 800 },
    colorScheme: 'dark',
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  });
  const page = context.pages()[0] ?? (await context.newPage());
  page.setDefaultTimeout(15_000);
  context.on('console', m => m.type() === 'error' && complaints.push(`console: ${m.text()} (${m.location().url})`));
  context.on('weberror', e => complaints.push(`exception: ${e.error().stack ?? e.error()}`));
  context.on('requestfailed', r => r.failure()?.errorText !== 'net::ERR_ABORTED' && complaints.push(`request failed: ${r.url()} ${r.failure()?.errorText}`));
  context.on('request', r => {
    const url = new URL(r.url());
    if (/^(https?|wss?):$/.test(url.protocol) && url.host !== address.host) complaints.push(`the page asked another host: ${r.url()}`);
  });

  await step('the page opens and is connected', async () => {
    await page.goto(address.href);
    await page.locator(`${testid('connection')}[data-state="connected"]`).waitFor();
    assert.ok(!page.url().includes('token='), 'the token is still in the address bar');
  });

  await step('a live game is on the board', async () => {
    const board = await until(
      'a live game has its first ply on the board',
      async () => {
        const b = await readBoard(page);
        return b && b.ply > 0 && (await page.title()).includes('Rookery') && (await page.locator('.list-head .live-dot').count()) > 0 && b;
      },
      patience,
    );
    return `game ${board.game}, ply ${board.ply}`;
  });

  await step('the board on the screen is the game in the API', async () => {
    const { board } = await boardIsGame(page);
    return `game ${board.game}, ply ${board.ply}, ${board.seen}`;
  });

  await step('plies arrive by themselves, and are right', async () => {
    const before = await readBoard(page);
    const after = await until('the next ply, or the next game, is on the board', async () => {
      const b = await readBoard(page);
      return b && (b.game !== before.game || b.ply > before.ply) && b;
    }, patience);
    await boardIsGame(page);
    return `ply ${before.ply} to ${after.game === before.game ? after.ply : `game ${after.game}`}`;
  });

  await step('the page shows the score, the link and the moves', async () => {
    await page.locator(testid('move-list')).waitFor();
    assert.ok((await page.locator(`${testid('move-list')} [data-to]`).count()) > 0, 'the list of moves is empty');
    const runs = await api('runs');
    const card = page.locator(testid('run-score')).first();
    await card.waitFor();
    const id = Number(await card.getAttribute('data-run'));
    assert.ok(runs.some(r => r.id === id), `the page shows run ${id}, the API has none`);
    if ((await api('boards')).length > 0) assert.ok((await page.locator(testid('link-state')).count()) > 0, 'the board’s link is not shown');
  });

  await step('F and the button flip the board', async () => {
    await page.keyboard.press('f');
    await until('the board is turned', async () => (await readBoard(page))?.orientation === 'black');
    await boardIsGame(page);
    await page.locator(testid('flip')).click();
    await until('the board is turned back', async () => (await readBoard(page))?.orientation === 'white');
  });

  await step('looking back at a live game stays put, and End follows it again', async () => {
    await until('the game has three plies', async () => (await readBoard(page)).ply >= 3, patience);
    await page.keyboard.press('Home');
    const start = await until('the start position is shown', async () => {
      const b = await readBoard(page);
      return b.ply === 0 && b;
    });
    await new Promise(done => setTimeout(done, 1500));
    assert.equal((await readBoard(page)).game, start.game, 'the page went to another game while somebody looked back');
    assert.equal((await readBoard(page)).ply, 0, 'the page did not stay at the ply that was chosen');
    await page.keyboard.press('End');
    await until('the live move is shown', async () => (await readBoard(page)).ply > 0);
  });
  await shot(page, 'live-dark-1280');

  let finished;
  await step('a finished game opens from the list', async () => {
    finished = await until('a game is over', async () => (await api('games?limit=50')).games.find(g => g.state === 'finished' && g.plies > 4), patience);
    await page.getByRole('link', { name: 'Games', exact: true }).click();
    await page.locator(`${testid('game-list')} tr[data-game="${finished.id}"]`).waitFor();
    await shot(page, 'games-dark-1280');
    await page.locator(`${testid('game-list')} tr[data-game="${finished.id}"] a`).click();
    const result = page.locator(testid('result'));
    await result.waitFor();
    assert.equal(await result.getAttribute('data-result'), finished.result);
    if (finished.reason) assert.ok((await result.innerText()).includes(finished.reason), 'the reason is not shown');
    const { board } = await boardIsGame(page);
    assert.equal(board.ply, finished.plies, 'a finished game opens at its end');
    return `game ${finished.id}, ${finished.result}, ${finished.plies} plies`;
  });

  await step('every position of the replay is the one in the API', async () => {
    const { plies, game } = await api(`games/${finished.id}`);
    await page.keyboard.press('ArrowUp');
    await until('the start position is shown', async () => (await readBoard(page)).ply === 0);
    assert.equal((await readBoard(page)).fen, game.start_fen);
    const walked = Math.min(plies.length, 60);
    for (let n = 1; n <= walked; n++) {
      await page.keyboard.press('ArrowRight');
      const b = await until(`ply ${n} is shown`, async () => {
        const at = await readBoard(page);
        return at.ply === n && at;
      });
      assert.equal(b.fen, plies[n - 1].fen, `ply ${n}`);
    }
    await boardIsGame(page);
    await page.keyboard.press('ArrowLeft');
    await until('one ply back', async () => (await readBoard(page)).ply === walked - 1);
    await page.keyboard.press('ArrowDown');
    await until('the last ply is shown', async () => (await readBoard(page)).ply === plies.length);
    await boardIsGame(page);
    await page.locator(`${testid('move-list')} [data-to="2"]`).click();
    await until('the ply that was clicked is shown', async () => (await readBoard(page)).ply === 2);
    assert.ok(page.url().endsWith(`#/game/${finished.id}/2`), `the address does not name the ply: ${page.url()}`);
    return `${walked} of ${plies.length} plies walked`;
  });

  await step('the address of a ply opens there', async () => {
    await page.reload();
    await until('ply 2 is shown', async () => (await readBoard(page))?.ply === 2);
    await boardIsGame(page);
  });

  await step('autoplay goes on by itself', async () => {
    await page.locator(testid('autoplay')).click();
    await until('ply 3 or later', async () => (await readBoard(page)).ply >= 3);
    await page.locator(testid('autoplay')).click();
  });

  await step('the PGN is downloaded and is the API’s', async () => {
    const [download] = await Promise.all([page.waitForEvent('download'), page.locator(testid('download-pgn')).click()]);
    assert.match(download.suggestedFilename(), /\.pgn$/);
    const text = readFileSync(await download.path(), 'utf8');
    assert.equal(text, await api(`games/${finished.id}/pgn`));
    assert.ok(text.includes(finished.result), 'the PGN has no result');
    return download.suggestedFilename();
  });

  await step('dark, light and chosen themes', async () => {
    const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const dark = await background();
    await page.emulateMedia({ colorScheme: 'light' });
    const light = await background();
    assert.notEqual(dark, light, 'the page does not follow the system’s theme');
    await shot(page, 'game-light-1280');
    await page.locator(testid('theme')).click();
    assert.equal(await background(), dark, 'the theme that was chosen is not shown');
    await page.reload();
    assert.equal(await background(), dark, 'the theme that was chosen is not kept');
    await page.locator(testid('theme')).click();
    await page.locator(testid('theme')).click();
    await page.emulateMedia({ colorScheme: 'dark' });
  });

  await step('asking to stop a run asks back, and “no” changes nothing', async () => {
    await page.getByRole('link', { name: 'Runs', exact: true }).click();
    await page.locator(testid('run-score')).first().waitFor();
    await shot(page, 'runs-dark-1280');
    const stop = page.locator(testid('run-stop'));
    if ((await stop.count()) === 0) return 'no run that could be stopped';
    const before = (await api('runs')).map(r => r.state);
    await stop.first().click();
    await page.locator(testid('stop-dialog')).waitFor();
    await page.keyboard.press('Escape');
    await page.locator(testid('stop-dialog')).waitFor({ state: 'detached' });
    assert.equal((await api('runs')).filter(r => r.state === 'stopped').length, before.filter(s => s === 'stopped').length);
  });

  await step('a phone shows everything without scrolling sideways', async () => {
    await page.setViewportSize({ width: 360, height: 740 });
    for (const [name, hash] of [['live', '#/'], ['game', `#/game/${finished.id}`], ['games', '#/games'], ['runs', '#/runs']]) {
      await page.evaluate(h => (location.hash = h), hash);
      await page.locator(`main.at-${name}`).waitFor();
      if (name === 'live' || name === 'game') {
        await page.locator(testid('live-board')).waitFor();
        await until('the board fits the phone', async () => {
          const box = await page.locator(testid('live-board')).boundingBox();
          return box && box.width > 280 && box.x >= 0 && box.x + box.width <= 360;
        });
        await boardIsGame(page);
      }
      if (name === 'games') await page.locator(`${testid('game-list')} tr[data-game]`).first().waitFor();
      await noOverflow(page, `${name} at 360 px`);
      await shot(page, `${name}-dark-360`);
    }
    await page.emulateMedia({ colorScheme: 'light' });
    await page.evaluate(() => (location.hash = '#/'));
    await page.locator('main.at-live').waitFor();
    await shot(page, 'live-light-360');
    await page.setViewportSize({ width: 1280, height: 800 });
    await noOverflow(page, 'live at 1280 px');
    await boardIsGame(page);
    await shot(page, 'live-light-1280');
  });

  await step('nothing complained', async () => {
    assert.deepEqual(complaints, []);
  });
}

let status = 0;
// A browser that hangs must not hold up whoever waits for this.
const watchdog = setTimeout(
  () => {
    console.error(`not ok  ${now}: the whole took too long`);
    process.exitCode = 1;
    void context?.close().finally(() => process.exit(1));
    setTimeout(() => process.exit(1), 5000).unref();
  },
  4 * patience + 120_000,
);
try {
  await main();
} catch (error) {
  status = 1;
  console.error(`not ok  ${now}: ${error.message}`);
  for (const complaint of complaints) console.error(`        ${complaint}`);
  await context?.pages()[0]?.screenshot({ path: join(shots, 'failed.png') }).catch(() => {});
} finally {
  clearTimeout(watchdog);
  await context?.close().catch(() => {});
  rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
}
console.log(`${passed} passed, ${status} failed`);
process.exitCode = status;
