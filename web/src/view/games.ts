// SPDX-License-Identifier: GPL-3.0-or-later
// The list of games: a table on a wide screen, cards on a phone; the form that narrows it; and the games as PGN.
import { html, nothing } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import type { App } from '../app';
import { ago, bytes, date, plural, reasonShort, reasonText, resultText, TERMINATIONS, took } from '../format';
import type { GameResult, GameView } from '../generated/api';
import { openingOf } from '../replay';
import { format, type Filter } from '../router';
import { findGame, rests, runName } from '../state';
import { badge } from './cards';
import { failed, loading } from './common';
import * as icons from './icons';
import { firmwares } from './subjects';

const RESULTS: readonly GameResult[] = ['1-0', '0-1', '1/2-1/2', '*'];

export function games(app: App) {
  if (app.route.page !== 'games') return nothing;
  const { filter } = app.route;
  const list = app.archive.of(filter);
  const narrowed = Object.keys(filter).length > 0;
  return html`<div class="page">
    <div class="page-head"><h1>Games</h1>${pgn(app, filter, narrowed)}</div>
    ${search(app, filter, narrowed)}
    <p class="note">${list.total === null ? nothing : html`<b data-testid="game-total">${plural(list.total, 'game')}</b>. `}Filled blue: won by the player under test; orange frame: lost; grey frame: drawn.</p>
    ${list.games.length === 0
      ? nothing
      : html`<table class="games" data-testid="game-list" data-count=${list.games.length}>
          <thead>
            <tr><th>Result</th><th>White</th><th>Black</th><th>How it ended, opening</th><th class="num">Moves</th><th class="num">Took</th><th class="num">When</th></tr>
          </thead>
          <tbody>${list.games.map(g => line(app, g))}</tbody>
        </table>`}
    ${!list.loading && !list.error && list.games.length === 0 ? html`<p class="empty">${narrowed ? 'No game fits this search.' : 'No game yet.'}</p>` : nothing}
    ${list.error ? failed(list.error, () => app.archive.retry()) : nothing}
    ${list.loading ? loading('Fetching games…') : nothing}
    ${list.next !== null && !list.loading ? html`<p class="center"><button type="button" data-testid="more-games" @click=${() => app.archive.more(filter)}>Older games</button></p>` : nothing}
  </div>`;
}

function pgn(app: App, filter: Filter, narrowed: boolean) {
  const { saving } = app.archive;
  if (saving) {
    return html`<p class="saving" role="status">
      <progress aria-label="Games are fetched"></progress> ${bytes(saving.bytes)}
      <button type="button" @click=${() => app.archive.stopSaving()}>Stop</button>
    </p>`;
  }
  return html`<div class="buttons flat">
    ${narrowed ? html`<button type="button" data-testid="pgn-filtered" @click=${() => void app.archive.save(filter, 'rookery-games.pgn')}>${icons.download} These as PGN</button>` : nothing}
    <button type="button" data-testid="pgn-all" @click=${() => void app.archive.save({}, 'rookery-all-games.pgn')}>${icons.download} All as PGN</button>
  </div>`;
}

function search(app: App, filter: Filter, narrowed: boolean) {
  const go = (change: Filter) => {
    const next = Object.fromEntries(Object.entries({ ...filter, ...change }).filter(([, v]) => v));
    location.hash = format({ page: 'games', filter: next });
  };
  const pick = (key: keyof Filter, label: string, all: string, options: readonly (readonly [string, string])[], testid = '') => {
    const value = filter[key] ?? '';
    const known = value === '' || options.some(([v]) => v === value);
    return html`<label>${label}
      <select data-testid=${testid || nothing} .value=${live(value)} @change=${(e: Event) => go({ [key]: (e.target as HTMLSelectElement).value })}>
        <option value="">${all}</option>
        ${options.map(([v, words]) => html`<option value=${v} ?selected=${v === value}>${words}</option>`)}
        ${known ? nothing : html`<option value=${value} selected>${value}</option>`}
      </select>
    </label>`;
  };
  // Without `live`: a ply that comes while somebody types draws the page, and must not take the letters away.
  const enter = (key: keyof Filter, label: string, type: string, placeholder = '') =>
    html`<label>${label}<input type=${type} min=${type === 'number' ? 0 : nothing} data-testid="filter-${key}" placeholder=${placeholder} .value=${filter[key] ?? ''} @change=${(e: Event) => go({ [key]: (e.target as HTMLInputElement).value.trim() })} /></label>`;
  const more = ['state', 'termination', 'opening', 'opponent', 'firmware', 'since', 'until', 'min_plies', 'max_plies', 'board'] as const;
  return html`<form class="filters" role="search" aria-label="Games" @submit=${(e: Event) => e.preventDefault()}>
    ${enter('text', 'Search', 'search', 'player, opening, run, reason')}
    ${pick('run', 'Run', 'All runs', app.state.runs.map(r => [String(r.id), runName(app.state, r)] as const), 'filter-run')}
    ${pick('result', 'Result', 'All results', RESULTS.map(r => [r, r === '*' ? 'No result' : resultText(r)] as const), 'filter-result')}
    <details class="more" ?open=${more.some(key => filter[key])}>
      <summary>More</summary>
      <div class="filters">
        ${pick('board', 'Board', 'All boards', app.state.boards.map(b => [String(b.id), b.name] as const))}
        ${pick('state', 'State', 'Any state', [['playing', 'Being played'], ['finished', 'Over']])}
        ${pick('termination', 'How it ended', 'Any way', Object.entries(TERMINATIONS), 'filter-termination')}
        ${pick('firmware', 'Firmware', 'All versions', firmwares(app).map(v => [v, v] as const), 'filter-firmware')}
        ${enter('opponent', 'Opponent', 'search', 'Stockfish')} ${enter('opening', 'Opening', 'search', 'Sicilian')} ${enter('since', 'From', 'date')} ${enter('until', 'Before', 'date')}
        ${enter('min_plies', 'Plies, at least', 'number')} ${enter('max_plies', 'At most', 'number')}
      </div>
    </details>
    ${narrowed ? html`<a class="button" href="#/games">All games</a>` : nothing}
  </form>`;
}

const RESTS = 'Cut off, with its moves kept: it goes on when its run does';

function line(app: App, g: GameView) {
  const opening = openingOf(g, []);
  const resting = rests(app.state, g);
  // A game that is played has moves that the list did not have when it was fetched.
  const plies = findGame(app.state, g.id)?.plies.length ?? g.plies;
  return html`<tr data-game=${g.id}>
    <td class="res"><a href="#/game/${g.id}" >${badge(app, g)}<span class="sr"> game ${g.number}, ${g.white} against ${g.black}</span></a></td>
    <td class="name w" title=${g.white}><i class="disc white"></i>${g.white}</td>
    <td class="name b" title=${g.black}><i class="disc black"></i>${g.black}</td>
    <td class="why" title=${resting ? RESTS : reasonText(g)}>${resting ? 'Cut off' : reasonShort(g)}${opening ? html`<small class="muted">${opening}</small>` : nothing}</td>
    <td class="num">${Math.ceil(plies / 2)}<span class="only-phone"> ${plies > 2 || plies === 0 ? 'moves' : 'move'}</span></td>
    <td class="num took">${took(g) ?? '–'}</td>
    <td class="num when" title=${date(g.started_at)}>${ago(app.now() - (g.ended_at ?? g.started_at))}</td>
  </tr>`;
}
