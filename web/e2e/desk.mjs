// SPDX-License-Identifier: GPL-3.0-or-later
// Does with the page what a person does who is in charge: boards, firmware, telemetry, the search (the runs: runs.mjs). Changes the server, so it has one of its own.
import assert from 'node:assert/strict';
import { accessible, apiOf, boardIsGame, expected, go, letters, noOverflow, readBoard, saved, shot, step, testid, until } from './browser.mjs';
import { patience } from './demo.mjs';
import { image, Server } from './server.mjs';

/** Every view, for the pictures and for those who cannot use a mouse or see well. */
const VIEWS = game => [
  ['live', '#/'],
  ['overview', '#/overview'],
  ['game', `#/game/${game}/12`],
  ['games', '#/games'],
  ['telemetry', '#/telemetry'],
  ['journal', '#/telemetry/journal'],
  ['sides', `#/telemetry/sides?a=game%3D${game}&b=game%3D${game}`],
  ['runs', '#/runs'],
  ['new', '#/runs/new'],
  ['boards', '#/boards'],
  ['board', '#/board/1'],
];

export async function desk(page, context, server, long) {
  const api = apiOf(server.url);
  const by = id => page.locator(testid(id));

  await step('games are searched, and saved as PGN', async () => {
    await go(page, '#/games');
    await by('filter-text').fill('endurance');
    await by('filter-text').press('Enter');
    await page.locator(`${testid('game-list')}[data-count="1"]`).waitFor();
    assert.match(page.url(), /text=endurance/);
    // One request, however many games.
    const asked = [];
    page.on('request', r => /\.pgn|\/pgn/.test(r.url()) && asked.push(r.url()));
    const one = await saved(page, () => by('pgn-filtered').click());
    assert.equal(one.text.trim(), (await api(`games/${long}/pgn`)).trim());
    await go(page, '#/games?max_plies=30&result=1%2F2-1%2F2');
    const { games } = await api('games?max_plies=30&result=1/2-1/2');
    assert.ok(games.length >= 2);
    await page.locator(`${testid('game-list')}[data-count="${games.length}"]`).waitFor();
    assert.equal(await by('game-total').innerText(), `${(await api('games?max_plies=30&result=1/2-1/2')).total} games`);
    const more = await saved(page, () => by('pgn-filtered').click());
    assert.equal(more.text.match(/^\[Event /gm).length, games.length);
    const all = await saved(page, () => by('pgn-all').click());
    const { games: over } = await api('games?state=finished&limit=500');
    assert.ok(over.length - all.text.match(/^\[Event /gm).length <= 1, 'a game may have ended meanwhile, no more');
    assert.deepEqual(asked.map(url => new URL(url).pathname.split('/').pop()), ['games.pgn', 'games.pgn', 'games.pgn']);
    // What is searched by: the opponent, and the opening by its position.
    await go(page, '#/games');
    await page.getByText('More', { exact: true }).click();
    await by('filter-opponent').fill('engine');
    await by('filter-opponent').press('Enter');
    await page.locator(`${testid('game-list')}[data-count="3"] tr[data-game="${long}"]`).waitFor();
    const named = (await api('games?state=finished&limit=500')).games.find(g => g.eco !== null);
    await go(page, `#/games?opening=${encodeURIComponent(named.eco)}`);
    await page.locator(`${testid('game-list')} tr[data-game="${named.id}"]`).waitFor();
    await go(page, `#/game/${named.id}`);
    await page.locator('.about-game').getByText(named.opening ?? named.eco).waitFor();
    await go(page, '#/games?text=nothing+of+this+name');
    await page.getByText('No game fits this search.').waitFor();
  });

  await step('a game of 1,000 plies is walked from end to end', async () => {
    await go(page, `#/game/${long}`);
    await until('its last ply is shown', async () => (await readBoard(page))?.ply === 1000);
    await boardIsGame(page, api);
    await page.locator(testid('live-board')).hover();
    await page.keyboard.press('Home');
    await until('the start is shown', async () => (await readBoard(page)).ply === 0);
    const begun = Date.now();
    for (let i = 0; i < 20; i++) await page.keyboard.press('ArrowRight');
    await until('ply 20 is shown', async () => (await readBoard(page)).ply === 20);
    const ms = Date.now() - begun;
    await boardIsGame(page, api);
    await page.keyboard.press('End');
    await until('the end is shown', async () => (await readBoard(page)).ply === 1000);
    return `20 moves in ${ms} ms`;
  });

  await step('telemetry: curves, what they are made of, the journal, two games side by side', async () => {
    const { games } = await api('games?max_plies=30&result=1/2-1/2');
    await go(page, `#/telemetry?a=run%3D${games[0].run}&b=game%3D${long}`);
    await by('figures').waitFor();
    for (const key of ['nodes', 'time', 'score', 'nps', 'material', 'depth']) await page.locator(`${testid(`plot-${key}`)}:not([data-lines="0"]) canvas`).waitFor();
    await by('percentiles').waitFor();
    const sums = await api(`telemetry/summary?run=${games[0].run}&group=mover`);
    assert.ok(sums.data.overrun_share.every(share => share === null), 'engines have no budget that could be overrun');
    const csv = await saved(page, () => page.locator(testid('plot-nodes')).getByText('CSV').click());
    const values = await api(`telemetry/summary?run=${games[0].run}&group=mover,move`);
    const at = values.data.move.findIndex((_, i) => values.data.mover[i] === 'first' && values.data.nodes_mean[i] !== null);
    const row = csv.text.split('\r\n').find(line => line.startsWith(`${values.data.move[at]},`));
    assert.equal(Number(row.split(',')[1]), values.data.nodes_mean[at], csv.text.slice(0, 200));
    const png = await saved(page, () => page.locator(testid('plot-nodes')).getByLabel('picture as PNG').click());
    assert.match(png.name, /\.png$/);
    await go(page, `#/telemetry/journal?a=run%3D${games[0].run}`);
    await page.locator(`${testid('journal')}[data-rows="2"]`).waitFor();
    const order = async () => (await by('journal').locator('tbody th').allInnerTexts()).map(Number);
    const before = await order();
    await by('journal').locator('[data-sort="game"]').click();
    await until('the last game comes first', async () => (await order())[0] === Math.max(...before));
    await by('journal').locator('[data-sort="game"]').press('Enter');
    await until('the first game comes first', async () => (await order())[0] === Math.min(...before));
    assert.equal(await by('journal').locator('th[aria-sort="ascending"]').count(), 1);
    // Games that begin differently cannot be compared, and the page says so.
    expected.push(/409 \(Conflict\).*compare/);
    await go(page, `#/telemetry/sides?a=game%3D${games[0].id}&b=game%3D${games[1].id}`);
    await Promise.race([page.locator(testid('pairs')).waitFor(), page.getByText('begin alike').waitFor(), page.locator('.wait.bad').waitFor()]);
  });

  await step('addresses of what there is not lead on, and nothing is asked for again and again', async () => {
    let sockets = 0;
    const count = () => void sockets++;
    page.on('websocket', count);
    await go(page, '#/board/987654');
    await page.getByText('There is no such board.').waitFor();
    await page.getByRole('link', { name: 'All boards' }).click();
    await page.locator('main.at-boards').waitFor();
    page.off('websocket', count);
    assert.equal(sockets, 0, 'a console of no board was asked for');
    expected.push(/404 \(Not Found\).*\/games\/987654/);
    await go(page, '#/game/987654');
    await page.getByText('there is no game 987654').waitFor();
    await page.getByRole('link', { name: 'All games' }).click();
    await page.locator('main.at-games').waitFor();
    const imported = (await api('runs')).find(r => r.state === 'imported');
    await go(page, `#/runs/new?like=${imported.id}`);
    await page.getByText(`Run ${imported.id} was imported`).waitFor();
    assert.equal(await page.locator('[name="second.path"]').inputValue(), 'stockfish');
  });

  await step('telemetry of a game grows with the game, and what nobody measured is no zero', async () => {
    const playing = async () => (await api('games?state=playing&limit=1')).games[0];
    const { id } = await until('a game is played', playing, patience);
    await go(page, `#/telemetry?a=game%3D${id}`);
    const thinks = async () => (await by('figures').count()) && Number((await by('figures').locator('tbody tr').last().locator('td').nth(2).innerText()).replaceAll(',', ''));
    const first = await until('something was measured', thinks, patience);
    await until('more was measured', async () => (await thinks()) > first, patience);
    await go(page, `#/telemetry/journal?a=game%3D${long}`);
    const cell = async column => by('journal').locator('tbody td').nth(column).innerText();
    await by('journal').waitFor();
    const heads = await by('journal').locator('thead th').allInnerTexts();
    assert.equal(await cell(heads.indexOf('Faults') - 1), '–', 'an imported game had no link that could have had faults');
    assert.equal(await page.title(), 'Telemetry · Rookery');
  });

  await step('firmware versions stand side by side, with the first difference marked', async () => {
    await go(page, '#/telemetry/sides');
    await by('telemetry-a').selectOption('firmware=4.9');
    await by('telemetry-b').selectOption('firmware=5.0');
    await page.locator(`${testid('pairs')}[data-count="1"]`).waitFor();
    const parts = page.locator(`${testid('pairs')} tr.parts`);
    assert.equal(await parts.count(), 1);
    assert.match(await parts.innerText(), /^5\s*≠[\s\S]*Bc4[\s\S]*Bb5/);
    await page.getByText('part at ply 5').waitFor();
    await shot(page, 'sides-firmware-1280');
    assert.ok((await by('telemetry-a').locator('option[value="board=1"]').count()) > 0, 'a board cannot be chosen');
  });

  await step('a replay is played faster, and the speed is kept', async () => {
    await go(page, `#/game/${long}/0`);
    await until('the start is shown', async () => (await readBoard(page))?.ply === 0);
    await by('speed').selectOption('4');
    await by('autoplay').click();
    await until('ply 4 or later', async () => (await readBoard(page)).ply >= 4);
    await by('autoplay').click();
    await page.reload();
    assert.equal(await by('speed').inputValue(), '4');
    await page.evaluate(() => document.activeElement?.blur());
    await page.keyboard.press('-');
    await page.keyboard.press('-');
    await until('the usual speed', async () => (await by('speed').inputValue()) === '1');
  });

  await step('a board’s console shows the lines, filters them and guards a game', async () => {
    await go(page, '#/board/1');
    await page.locator(`${testid('console')}[data-open="true"]`).waitFor();
    await page.locator('.log .l-out').first().waitFor();
    // Between two games there is nothing to guard: said again until one is played.
    await until('a game is guarded', async () => {
      if ((await api('boards'))[0].game === null) return false;
      await by('console-say').fill('.');
      await by('console-say').press('Enter');
      return page.getByText(/say it with force/).first().waitFor({ timeout: 2000 }).then(() => true, () => false);
    }, patience);
    await by('console-force').check();
    await by('console-say').press('ArrowUp');
    await by('console-say').press('Enter');
    await page.locator('.note-line:not(.bad)').first().waitFor();
    await by('console-hex').check();
    await page.locator('.log .hex').first().waitFor();
    await by('console-filter').fill('ping');
    await until('only pings are left', async () => {
      const lines = await page.locator('.log p:not(.note-line)').allInnerTexts();
      return lines.length > 0 && lines.every(l => /ping/i.test(l));
    });
    const lines = await saved(page, () => by('console-save').click());
    assert.match(lines.text, /^\d{13} /m);
    await by('console-filter').fill('');
    await by('console-hex').uncheck();
  });

  await step('an image is uploaded, tried on the board with its phases, and deleted', async () => {
    expected.push(/4\d\d .*\/firmware/);
    await by('flash-upload').setInputFiles({ name: 'nonsense.bin', mimeType: 'application/octet-stream', buffer: Buffer.from('nothing') });
    await page.locator('.toast.bad').waitFor();
    await by('flash-upload').setInputFiles({ name: 'rookery.bin', mimeType: 'application/octet-stream', buffer: image('9.9.1') });
    await page.getByText('firmware 9.9.1').first().waitFor();
    await page.getByText('How it is done').click();
    await page.locator('.flash [name="when"]').selectOption('pause');
    await page.locator('.flash [name="mode"]').selectOption('dry_run');
    await by('flash-begin').click();
    await by('question-yes').click();
    // The board's move is waited for first, and one can take micro-Max a while.
    await page.locator(`${testid('flash')}[data-result="running"] .steps .now`).waitFor({ timeout: patience });
    await shot(page, 'flash-dark-1280');
    await page.locator(`${testid('flash')}[data-result="compared"]`).waitFor({ timeout: patience });
    await page.getByLabel('Delete firmware 9.9.1').click();
    await by('question-yes').click();
    await page.getByText('None is kept yet.').waitFor();
  });

  await step('every view is accessible, and fits a phone', async () => {
    const { games } = await api('games?state=finished&min_plies=20&limit=1');
    for (const [name, hash] of VIEWS(games[0].id)) {
      await page.setViewportSize({ width: 1280, height: 800 });
      await page.emulateMedia({ colorScheme: name === 'telemetry' || name === 'runs' ? 'light' : 'dark' });
      await go(page, hash);
      await page.locator(`main.at-${hash.startsWith('#/telemetry') ? 'telemetry' : name}`).waitFor();
      await page.locator('.wait .spinner').waitFor({ state: 'detached' });
      await noOverflow(page, `${name} at 1280 px`);
      await accessible(page, name);
      await shot(page, `${name}-1280`);
      await page.setViewportSize({ width: 768, height: 1024 });
      await noOverflow(page, `${name} at 768 px`);
      await page.setViewportSize({ width: 360, height: 740 });
      await noOverflow(page, `${name} at 360 px`);
      await shot(page, `${name}-360`, true);
    }
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.emulateMedia({ colorScheme: 'dark' });
  });

  await step('every view fits for who wants larger letters', async () => {
    const { games } = await api('games?state=finished&min_plies=20&limit=1');
    for (const [width, height, size] of [[1280, 800, 32], [390, 844, 24]]) {
      await page.setViewportSize({ width, height });
      await letters(page, size);
      for (const [name, hash] of VIEWS(games[0].id)) {
        await go(page, hash);
        await page.locator(`main.at-${hash.startsWith('#/telemetry') ? 'telemetry' : name}`).waitFor();
        await page.locator('.wait .spinner').waitFor({ state: 'detached' });
        assert.equal(await page.evaluate(() => getComputedStyle(document.documentElement).fontSize), `${size * 0.9375}px`);
        await noOverflow(page, `${name} at ${width} px with letters of ${size} px`);
        await shot(page, `${name}-${width}-letters`);
      }
    }
    await letters(page, 16);
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  await step('the keyboard alone reaches the pages, the moves and the dialogs', async () => {
    await go(page, `#/game/${long}`);
    await until('the game is shown', async () => (await readBoard(page))?.ply === 1000);
    await page.evaluate(() => document.activeElement?.blur());
    await page.keyboard.press('ArrowLeft');
    await until('one move back', async () => (await readBoard(page)).ply === 999);
    const focused = () => page.evaluate(() => document.activeElement?.textContent?.trim() ?? '');
    for (let i = 0; i < 12 && (await focused()) !== 'Runs'; i++) await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.locator('main.at-runs').waitFor();
    for (let i = 0; i < 30 && !(await focused()).startsWith('Stop'); i++) await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await by('question').waitFor();
    assert.match(await focused(), /Keep it going/, 'the harmless answer has not the focus');
    await page.keyboard.press('Enter');
    await by('question').waitFor({ state: 'detached' });
  });

  await step('faults of a past game are marked on its curve, as many as the server kept', async () => {
    // The link loses and spoils lines, so that some game has had faults.
    const game = await until('a game with faults is over', async () => {
      for (const { id } of (await api('games?state=finished&board=1')).games) if ((await api(`games/${id}/events`)).some(e => e.event === 'retransmitted')) return id;
      return null;
    }, patience);
    await go(page, `#/game/${game}`);
    await page.locator('.graph line.fault').first().waitFor({ state: 'attached' });
    const events = await api(`games/${game}/events`);
    const kept = events.filter(e => e.event === 'retransmitted').length;
    // The plies say something of it before the events are here.
    const said = await until('the page has as many as the API', async () => {
      const texts = await page.locator('.graph line.fault title').allTextContents();
      const again = texts.flatMap(text => [...text.matchAll(/(?:(\d+) × )?lines sent again/g)].map(m => Number(m[1] ?? 1))).reduce((a, b) => a + b, 0);
      return again >= kept && texts;
    });
    await by('game-faults').locator('summary').click();
    await shot(page, 'game-faults-1280');
    return `game ${game}, ${events.length} events, ${said.length} marks`;
  });

  await step('a server for everybody asks for its token, for whatever is done, and for another one to flash', async () => {
    const guarded = new Server(['--token', 'look', '--flash-token', 'burn'], '0.0.0.0:0');
    const tab = await context.newPage();
    expected.push(/401 \(Unauthorized\)|403 \(Forbidden\)|WebSocket.*(401|Authentication|failed)/);
    try {
      await guarded.start();
      expected.push(new RegExp(`asked another host: http://${guarded.url.host}/`));
      await tab.goto(new URL('./', guarded.url).href);
      await tab.locator(testid('token-input')).fill('wrong');
      await tab.keyboard.press('Enter');
      await tab.getByText('This needs another token').waitFor();
      await tab.locator(testid('token-input')).fill('look');
      await tab.keyboard.press('Enter');
      await tab.locator(`${testid('connection')}[data-state="connected"]`).waitFor();
      await go(tab, '#/board/1');
      await tab.locator(`${testid('console')}[data-open="true"]`).waitFor();
      await tab.locator(testid('flash-upload')).setInputFiles({ name: 'rookery.bin', mimeType: 'application/octet-stream', buffer: image('9.9.2') });
      await tab.locator(testid('token-input')).fill('burn');
      await tab.keyboard.press('Enter');
      // What was asked for is done without being asked for again.
      await tab.getByText('firmware 9.9.2').first().waitFor();
      await go(tab, '#/runs');
      await tab.locator(testid('run-pause')).click();
      await tab.locator(testid('run-resume')).waitFor();
      // Of this tab only, unless the person says otherwise.
      const later = async () => {
        const other = await context.newPage();
        await other.goto(new URL('./', guarded.url).href);
        return other;
      };
      const asked = await later();
      await asked.locator(testid('token-input')).fill('look');
      await asked.locator(testid('token-keep')).check();
      await asked.keyboard.press('Enter');
      await asked.locator(`${testid('connection')}[data-state="connected"]`).waitFor();
      await asked.close();
      const known = await later();
      await known.locator(`${testid('connection')}[data-state="connected"]`).waitFor();
      assert.equal(await known.locator(testid('token-input')).count(), 0);
      await known.close();
    } finally {
      await tab.close();
      await guarded.remove();
    }
  });

  await step('two tabs see the same game, also after the server was gone: nothing missing, nothing double', async () => {
    await go(page, '#/');
    const other = await context.newPage();
    await other.goto(server.url.href);
    await until('both show the game', async () => (await readBoard(page))?.ply > 0 && (await readBoard(other))?.ply > 0, patience);
    expected.push(/WebSocket|ERR_CONNECTION|Failed to fetch|request failed/);
    await server.stop('SIGKILL');
    await page.locator(`${testid('connection')}[data-state="reconnecting"]`).waitFor();
    await server.start();
    for (const tab of [page, other]) await tab.locator(`${testid('connection')}[data-state="connected"]`).waitFor({ timeout: patience });
    const before = await readBoard(page);
    await until('the game goes on in both tabs', async () => {
      const [a, b] = [await readBoard(page), await readBoard(other)];
      return a && b && (a.game !== before.game || a.ply > before.ply + 1) && a.game === b.game && a.ply === b.ply;
    }, patience);
    for (const tab of [page, other]) {
      await boardIsGame(tab, api);
      // The game goes on meanwhile: what the page shows at one moment, and then what is kept of that game.
      const shown = await until('the moves are shown up to the board’s', () => tab.evaluate(() => {
        const { game, ply } = document.querySelector('[data-testid="live-board"]')?.dataset ?? {};
        const moves = [...document.querySelectorAll('[data-testid="move-list"] [data-to] b')].map(e => e.innerText);
        return moves.length > 0 && moves.length >= Number(ply) && { game: Number(game), moves };
      }), patience);
      const { plies } = await api(`games/${shown.game}`);
      assert.deepEqual(shown.moves, plies.slice(0, shown.moves.length).map(p => p.san), `the moves of game ${shown.game}`);
    }
    await other.close();
  });

  await step('a run that a server left says so, also its game, and is ended by a word', async () => {
    const left = await until('a game is played', async () => (await api('games?state=playing&limit=1')).games[0], patience);
    await server.stop('SIGKILL');
    // Other settings: what is begun is another run.
    server.more = [...server.more, '--seed', '7'];
    await server.start();
    await page.locator(`${testid('connection')}[data-state="connected"]`).waitFor({ timeout: patience });
    await go(page, `#/games?run=${left.run}&state=playing`);
    await page.locator(`${testid('game-list')} tr[data-game="${left.id}"]`).filter({ hasText: 'rests' }).filter({ hasText: 'Cut off' }).waitFor();
    await go(page, '#/runs');
    const card = page.locator(`${testid('run-score')}[data-run="${left.run}"]`);
    await card.and(page.locator('[data-state="interrupted"]')).filter({ hasText: 'It rests' }).waitFor();
    assert.equal(await card.locator(testid('run-resume')).count(), 1);
    await shot(page, 'interrupted-1280');
    await card.locator(testid('run-abort')).click();
    await by('question-yes').click();
    await card.and(page.locator('[data-state="stopped"]')).waitFor();
    assert.equal((await api(`games/${left.id}`)).game.termination, 'aborted');
    assert.equal((await api(`runs/${left.run}`)).state, 'stopped');
  });
}
