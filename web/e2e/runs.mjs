// SPDX-License-Identifier: GPL-3.0-or-later
// Does with the page what a person does with runs: looks them over, begins, pauses and aborts them, and changes their order where they wait for a board.
import assert from 'node:assert/strict';
import { apiOf, go, shot, step, testid, until } from './browser.mjs';
import { patience } from './demo.mjs';

export async function runs(page, server) {
  const api = apiOf(server.url);
  const by = id => page.locator(testid(id));

  await step('the overview shows every board, the runs that go on and the latest of those that are over', async () => {
    await go(page, '#/overview');
    await by('overview').waitFor();
    const runs = await api('runs');
    const over = runs.filter(r => !['pending', 'running', 'paused'].includes(r.state));
    // The latest of those that are over are there, and the others behind a link.
    for (const run of runs.filter(r => !over.includes(r))) await page.locator(`${testid('run-score')}[data-run="${run.id}"]`).waitFor();
    if (over.length > 4) assert.match(await by('all-runs').innerText(), new RegExp(`All ${runs.length} runs`));
    else for (const run of over) await page.locator(`${testid('run-score')}[data-run="${run.id}"]`).waitFor();
    for (const board of await api('boards')) await page.locator(`[data-board="${board.id}"]`).waitFor();
    await page.locator('.doing .mini piece').first().waitFor();
  });

  await step('a run begins from the form, which says what is wrong first', async () => {
    await page.getByRole('link', { name: 'Runs', exact: true }).click();
    await by('new-run-link').click();
    await page.getByLabel('An engine in a board’s place').check();
    await page.locator('[name="games"]').fill('none');
    await by('begin-run').click();
    await by('form-error').waitFor();
    assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('name')), 'games', 'the field that is wrong has not the focus');
    await page.locator('[name="games"]').fill('2');
    await page.locator('[name="name"]').fill('quick & "quoted"');
    for (const which of ['first', 'second']) await page.locator(`[name="${which}.limit"]`).fill('200');
    await page.locator('#openings-text').fill('1. e4 c5\nd4 Kd2 d5');
    await by('read-openings').click();
    await page.getByText('Line 2').waitFor();
    await page.locator('[name="maxPlies"]').fill('30');
    await by('begin-run').click();
    await page.locator('main.at-runs').waitFor();
    const run = (await api('runs')).find(r => r.name === 'quick & "quoted"');
    assert.ok(run, 'the run is not in the API');
    assert.deepEqual((await api(`runs/${run.id}`)).settings.openings, [{ moves: ['e2e4', 'c7c5'] }]);
    await until('the run is over', async () => (await api(`runs/${run.id}`)).state === 'finished', patience);
    await page.locator(`${testid('run-score')}[data-run="${run.id}"][data-state="finished"]`).waitFor();
  });

  await step('a run is paused, goes on, and is aborted after a question', async () => {
    const demo = (await api('runs')).find(r => r.state === 'running');
    await go(page, `#/runs/new?like=${demo.id}`);
    await page.getByText(`filled in as run ${demo.id}`).waitFor();
    await page.getByLabel('An engine in a board’s place').check();
    await page.locator('[name="name"]').fill('endless');
    await by('begin-run').click();
    const card = page.locator('.stack').filter({ hasText: 'endless' });
    await card.locator(testid('run-pause')).click();
    await card.locator(testid('run-resume')).click();
    await card.locator(testid('run-pause')).waitFor();
    await card.locator(testid('run-abort')).click();
    await page.locator(`dialog[open]${testid('question')}`).waitFor();
    await page.keyboard.press('Escape');
    await by('question').waitFor({ state: 'detached' });
    const endless = (await api('runs')).find(r => r.name === 'endless');
    assert.equal(endless.state, 'running', '“no” has aborted the run');
    await card.locator(testid('run-abort')).click();
    await by('question-yes').click();
    await until('the run is over', async () => (await api(`runs/${endless.id}`)).state === 'stopped', patience);
    await page.locator(`${testid('run-score')}[data-run="${endless.id}"][data-state="stopped"]`).waitFor();
  });

  await step('runs wait for a board in an order that a person changes; what is wrong is seen at a glance', async () => {
    const begin = settings => page.evaluate(async s => (await fetch('./api/v1/runs', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(s) })).json(), settings);
    const run = (name, url, engine = 'stockfish') => begin({ name, first: { boards: [{ url }] }, second: { path: engine, limit: 'nodes=50' }, games: 2, level: 300 });
    const { url } = (await api('boards'))[0];
    const [patient, hasty] = [await run('patient', url), await run('hasty', url)];
    await go(page, '#/runs');
    const card = r => page.locator(`${testid('run-score')}[data-run="${r.id}"]`);
    await card(patient).locator(`${testid('run-queue')}[data-place="1"]`).filter({ hasText: 'plays on' }).waitFor();
    await card(hasty).locator(`${testid('run-queue')}[data-place="2"]`).waitFor();
    await card(hasty).locator(testid('run-next')).click();
    await card(patient).locator(`${testid('run-queue')}[data-place="2"]`).waitFor();
    assert.equal((await api(`runs/${hasty.id}`)).queue.place, 1);
    // One is told of before the other.
    await until('they stand in their order', async () => {
      const order = await page.locator(testid('run-queue')).evaluateAll(all => all.map(e => Number(e.closest('[data-run]').dataset.run)));
      return order.join() === [hasty.id, patient.id].join();
    });
    for (const r of [patient, hasty]) {
      await card(r).locator(testid('run-withdraw')).click();
      await page.getByText('no game of it is cut off').waitFor();
      await by('question-yes').click();
      await card(r).and(page.locator('[data-state="stopped"]')).waitFor();
    }
    // A board that nobody answers for, and an engine that is not there.
    const away = await run('away', 'tcp://127.0.0.1:1');
    const broken = await begin({ name: 'broken', first: { engine: { path: 'no-such-engine', limit: 'nodes=50' } }, second: { path: 'no-such-engine', limit: 'nodes=50' }, games: 1 });
    await go(page, '#/overview');
    await card(away).locator('.warn').filter({ hasText: 'waiting for board' }).waitFor();
    await card(broken).and(page.locator('[data-state="failed"]')).locator('.warn').filter({ hasText: 'no-such-engine' }).waitFor();
    const board = (await api('boards')).find(b => b.url.endsWith(':1'));
    await page.locator(`.board-card[data-board="${board.id}"] .warn`).waitFor();
    await shot(page, 'alarms-dark-1280', true);
    // What is over is put away, also for the next time; what goes on stays.
    await by('alarms').getByRole('button', { name: 'Put away: broken' }).click();
    await by('alarms').getByText('no-such-engine').waitFor({ state: 'detached' });
    await page.reload();
    await by('alarms').getByText('away').first().waitFor();
    assert.equal(await by('alarms').getByText('no-such-engine').count(), 0);
    await go(page, '#/runs');
    await card(away).locator(testid('run-abort')).click();
    await page.getByText('No game of it is on a board now.').waitFor();
    await by('question-yes').click();
    await card(away).and(page.locator('[data-state="stopped"]')).waitFor();
  });
}
