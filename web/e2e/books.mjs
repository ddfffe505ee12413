// SPDX-License-Identifier: GPL-3.0-or-later
// Does with the page what a person does with an opening book: brings it, walks through it, plays from it, puts it on a board, deletes it.
import assert from 'node:assert/strict';
import { accessible, apiOf, expected, go, noOverflow, saved, shot, step, testid, until } from './browser.mjs';
import { patience } from './demo.mjs';

/** The same position by two orders of moves, and names on the way. */
const LINES = ['1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 *', '1. Nf3 Nc6 2. e4 e5 3. Bc4 *', '1. e4 e5 2. Nf3 Nc6 3. Bb5 Nf6 *', '1. d4 d5 2. c4 *'].join('\n\n');

export async function books(page, server) {
  const api = apiOf(server.url);
  const by = id => page.locator(testid(id));
  const fen = () => by('explorer').getAttribute('data-fen');
  const at = async line => until(`the line is ${line}`, async () => (await by('crumbs').innerText()).replace(/\s+/g, ' ').startsWith(line));

  await step('a book is uploaded, and what is none is refused with a reason', async () => {
    await page.getByRole('link', { name: 'Books', exact: true }).click();
    await page.getByText('The server knows no book yet.').waitFor();
    expected.push(/400 \(Bad Request\).*\/books/);
    await by('book-upload').setInputFiles({ name: 'nonsense.bin', mimeType: 'application/octet-stream', buffer: Buffer.from('nothing') });
    await page.locator('.toast.bad').waitFor();
    await by('book-upload').setInputFiles({ name: 'lines.pgn', mimeType: 'application/octet-stream', buffer: Buffer.from(LINES) });
    await page.locator(`${testid('books')}[data-count="1"]`).waitFor();
    await page.getByRole('link', { name: 'lines.pgn' }).click();
    await by('book-moves').waitFor();
  });

  await step('it is walked by its moves, by the board, by the keyboard and by its line', async () => {
    assert.deepEqual((await by('book-moves').locator('tr[data-move]:not(.other) button').allInnerTexts()).sort(), ['Nf3', 'd4', 'e4']);
    await by('book-moves').getByRole('button', { name: 'e4' }).click();
    await at('Start 1. e4');
    await until('the board has its arrow', async () => (await by('book-board').getAttribute('data-arrows')) === '1');
    // On the board: from e7 to e5, which is the book's, then a move that is not.
    const square = async name => {
      const box = await page.locator(`${testid('book-board')} cg-board`).boundingBox();
      const [file, rank] = [name.charCodeAt(0) - 97, Number(name[1]) - 1];
      await page.mouse.click(box.x + ((file + 0.5) * box.width) / 8, box.y + ((7.5 - rank) * box.height) / 8);
    };
    await square('e7');
    await square('e5');
    await at('Start 1. e4 e5');
    await square('a2');
    await square('a3');
    await at('Start 1. e4 e5 2. a3');
    await page.locator(`${testid('book-moves')}[data-count="0"]`).waitFor();
    await page.evaluate(() => document.activeElement?.blur());
    await page.keyboard.press('ArrowLeft');
    await at('Start 1. e4 e5');
    await page.keyboard.press('ArrowRight');
    await at('Start 1. e4 e5 2. a3');
    await by('crumbs').getByRole('button', { name: 'e5' }).click();
    await at('Start 1. e4 e5');
    await by('book-moves').getByRole('button', { name: 'Nf3' }).click();
    await at('Start 1. e4 e5 2. Nf3');
    await page.keyboard.press('Home');
    await until('the start is shown', async () => (await fen()).startsWith('rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w'));
    await page.keyboard.press('End');
    await at('Start 1. e4 e5 2. Nf3');
  });

  await step('a link shows the position, its name, the engine’s moves and the games that came through', async () => {
    const id = (await api('books'))[0].id;
    await go(page, `#/book/${id}?line=g1f3,b8c6,e2e4,e7e5`);
    await at('Start 1. Nf3 Nc6 2. e4 e5');
    const moves = by('book-moves').locator('tr[data-move]:not(.other) button');
    await until('the moves of both orders are here', async () => (await moves.allInnerTexts()).sort().join() === 'Bb5,Bc4');
    assert.match(await by('opening').innerText(), /^C44 /);
    await page.locator(`${testid('book-engine')}[data-at="here"] li`).first().waitFor();
    const word = await api('positions/evaluation?line=g1f3,b8c6,e2e4,e7e5');
    assert.deepEqual(await by('book-engine').locator('li button').allInnerTexts(), word.moves.map(m => m.san));
    assert.match(await by('book-spoken').textContent(), /White to move\. The book has 2 moves\./);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']).catch(() => {});
    await by('book-share').click();
    await page.getByText('A link to this position is copied.').waitFor();
    // A game of the server's own, from its beginning.
    const { games } = await api('games?state=finished&min_plies=20&limit=1');
    const game = await api(`games/${games[0].id}`);
    await go(page, `#/book/${id}?line=${game.plies.slice(0, 3).map(p => p.uci).join(',')}`);
    const link = by('book-games').locator(`a[href="#/game/${games[0].id}/3"]`);
    await link.click();
    await until('the game is shown after three plies', async () => page.url().endsWith(`#/game/${games[0].id}/3`));
    await page.goBack();
    await by('explorer').waitFor();
  });

  await step('the book page is accessible, and fits a phone', async () => {
    const id = (await api('books'))[0].id;
    for (const [name, hash, scheme] of [['book', `#/book/${id}?line=e2e4,e7e5,g1f3,b8c6`, 'dark'], ['book-light', `#/book/${id}`, 'light'], ['books', '#/books', 'dark']]) {
      await page.setViewportSize({ width: 1280, height: 800 });
      await page.emulateMedia({ colorScheme: scheme });
      await go(page, hash);
      await (name === 'books' ? by('books') : page.locator(`${testid('book-engine')}[data-at="here"]`)).waitFor();
      await noOverflow(page, `${name} at 1280 px`);
      await accessible(page, name);
      await shot(page, `${name}-1280`);
      await page.setViewportSize({ width: 360, height: 740 });
      await noOverflow(page, `${name} at 360 px`);
      await shot(page, `${name}-360`, true);
    }
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.emulateMedia({ colorScheme: 'dark' });
  });

  await step('it is downloaded in each form', async () => {
    const id = (await api('books'))[0].id;
    await go(page, `#/book/${id}`);
    for (const [form, ending] of [['polyglot', 'bin'], ['compact', 'rkb'], ['json', 'json'], ['pgn', 'pgn']]) {
      const { name, text } = await saved(page, () => by(`book-as-${form}`).click());
      assert.equal(name, `lines.${ending}`);
      assert.ok(text.length > 10);
    }
  });

  await step('a run begins from a position, and another with the book’s openings and the book for its engine', async () => {
    const [book] = await api('books');
    await go(page, `#/book/${book.id}?line=e2e4,e7e5,g1f3`);
    await at('Start 1. e4 e5 2. Nf3');
    await by('book-run').click();
    await page.getByText('From the book lines.pgn.').waitFor();
    const begin = async (name, more) => {
      await page.getByLabel('An engine in a board’s place').check();
      await page.locator('[name="games"]').fill('2');
      await page.locator('[name="name"]').fill(name);
      for (const which of ['first', 'second']) await page.locator(`[name="${which}.limit"]`).fill('100');
      await page.locator('[name="maxPlies"]').fill('12');
      await more();
      await by('begin-run').click();
      await page.locator('main.at-runs').waitFor();
      const run = (await api('runs')).find(r => r.name === name);
      await until('the run is over', async () => (await api(`runs/${run.id}`)).state === 'finished', patience);
      return (await api(`runs/${run.id}`)).settings;
    };
    const first = await begin('from a position', async () => {});
    assert.deepEqual(first.openings.map(o => o.moves), [['e2e4', 'e7e5', 'g1f3']]);
    await go(page, '#/runs/new');
    const second = await begin('from a book', async () => {
      await by('from-book').getByLabel('From a book').selectOption({ label: 'lines.pgn' });
      await by('from-book').getByLabel('Which of its lines').selectOption('best');
      await page.locator('[name="fromPlies"]').fill('2');
      await by('take-from-book').click();
      await page.getByText('1 line was taken from the book.').waitFor();
      await by('second-book').locator('summary').click();
      await by('second-book').getByLabel('A book that the server knows').selectOption({ label: 'lines.pgn' });
      await page.locator('[name="second.bookPlies"]').fill('6');
      await shot(page, 'new-book-1280', true);
    });
    assert.deepEqual(second.openings.map(o => o.moves), [['e2e4', 'e7e5']]);
    assert.deepEqual(second.second.book, { path: book.path, pick: 'weighted', plies: 6 });
  });

  await step('a run gives its board a book before its first game', async () => {
    const board = async () => (await api('boards'))[0];
    const before = (await board()).identity.book;
    await go(page, '#/runs/new');
    await page.getByRole('radio', { name: 'Boards' }).check();
    await by('board-book').locator('select').selectOption({ label: 'lines.pgn' });
    await page.locator('[name="name"]').fill('with a book');
    await by('begin-run').click();
    await page.locator('main.at-runs').waitFor();
    // The board plays for another run: it gets the book after its game, and says then which one it has.
    const { id } = await board();
    const flash = await until('the book is in the board’s flash', async () => (await api(`boards/${id}/flashes`)).find(f => f.result === 'flashed'), 2 * patience);
    await until('the board says that it has another book', async () => ((await board()).identity.book ?? before) !== before, patience);
    const run = (await api('runs')).find(r => r.name === 'with a book');
    assert.ok(['pending', 'running'].includes(run.state), `the run is ${run.state}`);
    await fetch(new URL(`api/v1/runs/${run.id}/abort`, server.url), { method: 'POST' });
    await until('the run is over', async () => (await api(`runs/${run.id}`)).state === 'stopped', patience);
    return `${flash.bytes} bytes`;
  });

  await step('it becomes an image for a board, and is deleted after a question', async () => {
    const [book] = await api('books');
    await go(page, `#/book/${book.id}`);
    await by('book-to-board').click();
    await page.locator('main.at-board').waitFor();
    await page.locator('.image').filter({ hasText: 'book' }).waitFor();
    await shot(page, 'board-with-book-1280');
    await page.locator('.image').filter({ hasText: 'book' }).getByRole('button').click();
    await by('question-yes').click();
    await page.getByText('None is kept yet.').waitFor();
    await go(page, '#/books');
    await page.locator(`[data-book="${book.id}"]`).getByRole('button').click();
    await by('question-yes').click();
    // The run that played from it still names its file, which is gone.
    await page.getByText('its file is gone').waitFor();
  });
}
