// SPDX-License-Identifier: GPL-3.0-or-later
// Does with the page what a person does who watches: the live game, the replay, the list of games. Changes nothing on the server.
//
//   node e2e/demo.mjs
//   ROOKERY_URL   the page, with `#token=…` where the server wants one (default http://127.0.0.1:8080/)
//   CHROMIUM      the browser (default /usr/bin/chromium)
//   SCREENSHOTS   where to put them (default target/screens)
//   ROOKERY_WAIT  seconds to wait for the first ply and for the first finished game (default 120)
import assert from 'node:assert/strict';
import { pathToFileURL } from 'node:url';
import { apiOf, boardIsGame, noOverflow, readBoard, saved, shot, step, testid, until, withBrowser } from './browser.mjs';

export const patience = Number(process.env.ROOKERY_WAIT ?? 120) * 1000;

export async function demo(page, address) {
  const api = apiOf(address);
  await step('the page opens and is connected', async () => {
    await page.goto(address.href);
    await page.locator(`${testid('connection')}[data-state="connected"]`).waitFor();
    assert.ok(!page.url().includes('token='), 'the token is still in the address bar');
    await page.locator(`${testid('live-board')} piece`).first().waitFor();
    return `a board after ${Math.round(await page.evaluate(() => performance.now()))} ms`;
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
    const { board } = await boardIsGame(page, api);
    return `game ${board.game}, ply ${board.ply}, ${board.seen}`;
  });

  await step('plies arrive by themselves, and are right', async () => {
    const before = await readBoard(page);
    const after = await until('the next ply, or the next game, is on the board', async () => {
      const b = await readBoard(page);
      return b && (b.game !== before.game || b.ply > before.ply) && b;
    }, patience);
    await boardIsGame(page, api);
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
    await boardIsGame(page, api);
    await page.locator(testid('flip')).click();
    await until('the board is turned back', async () => (await readBoard(page))?.orientation === 'white');
  });

  await step('looking back at a live game stays put, and End follows it again', async () => {
    await until('the game has three plies', async () => (await readBoard(page))?.ply >= 3, patience);
    await page.keyboard.press('Home');
    const start = await until('the start position is shown', async () => {
      const b = await readBoard(page);
      return b?.ply === 0 && b;
    });
    await new Promise(done => setTimeout(done, 1500));
    assert.equal((await readBoard(page)).game, start.game, 'the page went to another game while somebody looked back');
    assert.equal((await readBoard(page)).ply, 0, 'the page did not stay at the ply that was chosen');
    await page.keyboard.press('End');
    await until('the live move is shown', async () => (await readBoard(page))?.ply > 0);
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
    const { board } = await boardIsGame(page, api);
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
    await boardIsGame(page, api);
    await page.keyboard.press('ArrowLeft');
    await until('one ply back', async () => (await readBoard(page)).ply === walked - 1);
    await page.keyboard.press('ArrowDown');
    await until('the last ply is shown', async () => (await readBoard(page)).ply === plies.length);
    await boardIsGame(page, api);
    await page.locator(`${testid('move-list')} [data-to="2"]`).click();
    await until('the ply that was clicked is shown', async () => (await readBoard(page)).ply === 2);
    assert.ok(page.url().endsWith(`#/game/${finished.id}/2`), `the address does not name the ply: ${page.url()}`);
    return `${walked} of ${plies.length} plies walked`;
  });

  await step('the address of a ply opens there', async () => {
    await page.reload();
    await until('ply 2 is shown', async () => (await readBoard(page))?.ply === 2);
    await boardIsGame(page, api);
  });

  await step('autoplay goes on by itself', async () => {
    await page.locator(testid('autoplay')).click();
    await until('ply 3 or later', async () => (await readBoard(page)).ply >= 3);
    await page.locator(testid('autoplay')).click();
  });

  await step('the PGN is downloaded and is the API’s', async () => {
    const { name, text } = await saved(page, () => page.locator(testid('download-pgn')).click());
    assert.match(name, /\.pgn$/);
    assert.equal(text, await api(`games/${finished.id}/pgn`));
    assert.ok(text.includes(finished.result), 'the PGN has no result');
    return name;
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
        await boardIsGame(page, api);
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
    await boardIsGame(page, api);
    await shot(page, 'live-light-1280');
  });
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const address = new URL(process.env.ROOKERY_URL ?? 'http://127.0.0.1:8080/');
  await withBrowser(address, 4 * patience + 120_000, page => demo(page, address));
}
