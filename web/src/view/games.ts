// SPDX-License-Identifier: GPL-3.0-or-later
// The list of games: a table on a wide screen, cards on a phone.
import { html, nothing } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import type { App } from '../app';
import { ago, date, duration, reasonText, resultText } from '../format';
import type { GameResult, GameView } from '../generated/api';
import { format } from '../router';
import { badge } from './cards';
import { failed, loading } from './common';

const RESULTS: readonly GameResult[] = ['1-0', '0-1', '1/2-1/2', '*'];

export function games(app: App) {
  if (app.route.page !== 'games') return nothing;
  const route = app.route;
  if (!app.list || app.list.run !== route.run) app.loadGames(route.run);
  const list = app.list!;
  const shown = list.games.filter(g => route.result === null || g.result === route.result);
  const go = (change: Partial<typeof route>) => {
    location.hash = format({ ...route, ...change });
  };
  return html`<div class="page">
    <div class="page-head">
      <h1>Games</h1>
      <form class="filters" aria-label="Filter" @submit=${(e: Event) => e.preventDefault()}>
        <label>Run
          <select data-testid="filter-run" .value=${live(route.run === null ? '' : String(route.run))} @change=${(e: Event) => go({ run: number((e.target as HTMLSelectElement).value) })}>
            <option value="">All runs</option>
            ${app.state.runs.map(r => html`<option value=${r.id} ?selected=${r.id === route.run}>${r.name}</option>`)}
            ${route.run !== null && !app.state.runs.some(r => r.id === route.run) ? html`<option value=${route.run} selected>Run ${route.run}</option>` : nothing}
          </select>
        </label>
        <label>Result
          <select data-testid="filter-result" .value=${live(route.result ?? '')} @change=${(e: Event) => go({ result: ((e.target as HTMLSelectElement).value || null) as GameResult | null })}>
            <option value="">All results</option>
            ${RESULTS.map(r => html`<option value=${r} ?selected=${r === route.result}>${r === '*' ? 'No result' : resultText(r)}</option>`)}
          </select>
        </label>
      </form>
    </div>
    <p class="note">Filled blue: won by the player under test; orange frame: lost; grey frame: drawn.</p>
    <table class="games" data-testid="game-list" data-count=${shown.length}>
      <thead>
        <tr><th>Result</th><th>White</th><th>Black</th><th>How it ended</th><th class="num">Moves</th><th class="num">Took</th><th class="num">When</th></tr>
      </thead>
      <tbody>${shown.map(g => line(app, g))}</tbody>
    </table>
    ${!list.loading && !list.error && shown.length === 0 ? html`<p class="empty">No game here${route.result ? ' with this result' : ''} yet.</p>` : nothing}
    ${list.error ? failed(list.error, () => app.retryGames()) : nothing}
    ${list.loading ? loading('Fetching games…') : nothing}
    ${list.next !== null && !list.loading
      ? html`<p class="center"><button type="button" data-testid="more-games" @click=${() => { app.loadGames(route.run, true); app.changed(); }}>Older games</button></p>`
      : nothing}
  </div>`;
}

function number(text: string): number | null {
  return text === '' ? null : Number(text);
}

function line(app: App, g: GameView) {
  return html`<tr data-game=${g.id}>
    <td class="res"><a href="#/game/${g.id}" >${badge(g)}<span class="sr"> game ${g.number}, ${g.white} against ${g.black}</span></a></td>
    <td class="name w" title=${g.white}><i class="disc white"></i>${g.white}</td>
    <td class="name b" title=${g.black}><i class="disc black"></i>${g.black}</td>
    <td class="why">${reasonText(g)}</td>
    <td class="num">${Math.ceil(g.plies / 2)}<span class="only-phone"> moves</span></td>
    <td class="num took">${g.ended_at ? duration(g.ended_at - g.started_at) : '–'}</td>
    <td class="num when" title=${date(g.started_at)}>${ago(app.now() - (g.ended_at ?? g.started_at))}</td>
  </tr>`;
}
