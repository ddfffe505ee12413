// SPDX-License-Identifier: GPL-3.0-or-later
// Everything at a glance: each board with what it does, each run with its score and the time it still takes.
import { html, nothing } from 'lit-html';
import type { App } from '../app';
import { ago, date, duration, LINK_STATES } from '../format';
import type { BoardView, LiveGame, RunView } from '../generated/api';
import { faultsOf } from '../health';
import { HOW_LONG, queue, timeLeft } from '../progress';
import { KNOWN } from '../oldruns';
import { gamesOf } from '../router';
import { tile } from './boards';
import { recentCard, runCard } from './cards';
import { loading } from './common';
import { doing, flashLine } from './doing';
import * as icons from './icons';
import { miniBoard } from './mini';
import { positionAt } from '../replay';

/** So many runs that are over are shown. */
const OVER = 4;

export function overview(app: App) {
  if (app.state.epoch === null) return loading('Waiting for the server…');
  const { boards, runs, live } = app.state;
  const { going, waiting, left, over } = queue(runs);
  const alone = live.filter(l => l.game.board === null);
  return html`<div class="page wide" data-testid="overview">
    <h1 class="sr">Overview</h1>
    ${totals(app, going, waiting)}
    <div class="glance">
      ${boards.length || alone.length
        ? html`<section aria-label="Boards"><h2 class="group">Boards</h2><div class="cards">${boards.map(b => board(app, b))}${alone.map(l => engines(app, l))}</div></section>`
        : nothing}
      <section aria-label="Runs"><h2 class="group">Runs</h2>
        ${runs.length === 0 ? html`<p class="empty">No run yet. <a href="#/runs/new">Begin one</a>.</p>` : nothing}
        <div class="cards">${[...going, ...waiting, ...left, ...over.slice(0, OVER)].map(r => run(app, r))}</div>
        ${over.length > OVER ? html`<p class="center"><a href="#/runs" data-testid="all-runs">${over.length < KNOWN ? `All ${runs.length} runs` : 'All runs'}</a></p>` : nothing}
      </section>
      ${recentCard(app)}
    </div>
  </div>`;
}

function totals(app: App, going: readonly RunView[], waiting: readonly RunView[]) {
  const { boards, runs, live } = app.state;
  const ready = boards.filter(b => b.link === 'ready').length;
  const played = runs.reduce((n, r) => n + r.played, 0);
  const lefts = going.map(r => timeLeft(r, app.state.recent)).filter(n => n !== null);
  const faults = boards.reduce((n, b) => n + faultsOf(b), 0);
  const all = [
    { label: 'Boards ready', value: `${ready} of ${boards.length}`, title: 'Boards whose link is in session', bad: ready < boards.length },
    { label: 'Games now', value: String(live.length), title: 'Games that are being played', bad: false },
    { label: 'Runs now', value: `${going.length}${waiting.length ? ` + ${waiting.length} waiting` : ''}`, title: 'Runs that go on or rest', bad: false },
    { label: 'Games done', value: played.toLocaleString('en'), title: runs.length < KNOWN ? 'In all runs' : `In the runs that go on and the latest ${KNOWN} that are over`, bad: false },
    { label: 'Time left', value: lefts.length ? duration(Math.max(...lefts)) : going.some(r => r.settings.games === 0) ? 'no end' : '–', title: `Until the last run with an end is over, ${HOW_LONG}`, bad: false },
    { label: 'Link faults', value: faults.toLocaleString('en'), title: 'On all links since the server’s start', bad: faults > 0 },
  ];
  return html`<dl class="tiles totals">${all.map(tile)}</dl>`;
}

function board(app: App, b: BoardView) {
  const latest = app.state.links.find(l => l.board === b.id);
  return html`<section class="card board-card" data-board=${b.id} data-link=${b.link}>
    <header><h3><a href="#/board/${b.id}" title=${b.name}>${b.name}</a></h3><span class="pill l-${b.link}">${LINK_STATES[b.link]}</span></header>
    ${b.alarm ? html`<p class="warn">${icons.alarm} ${b.alarm}</p>` : nothing} ${doing(app, b)} ${flashLine(app, b)}
    <p class="of"><span title=${date(b.since)}>${LINK_STATES[b.link]} for ${duration(app.now() - b.since)}</span><span>${latest ? `last event ${ago(app.now() - latest.at)}` : ''}</span></p>
  </section>`;
}

/** A game without a board. */
function engines(app: App, l: LiveGame) {
  const position = positionAt(l.game, l.plies, l.plies.length);
  return html`<section class="card board-card">
    <header><h3>Game ${l.game.number}</h3><span class="pill">engines</span></header>
    <a class="doing" href="#/" @click=${() => app.stage.show(l.game.id)}>${miniBoard(position.fen, 'white', position.lastMove)}
      <span class="about"><b>${l.game.white}</b><b>${l.game.black}</b><small>move ${Math.ceil(l.plies.length / 2)}</small></span></a>
  </section>`;
}

function run(app: App, r: RunView) {
  const left = timeLeft(r, app.state.recent);
  return html`<div class="stack">${runCard(app, r, 'h3')}<p class="of run-facts"><a href=${gamesOf(r.id)}>Games</a><span title=${HOW_LONG}>${left === null ? (r.ended_at ? `over ${ago(app.now() - r.ended_at)}` : '') : `about ${duration(left)} left`}</span></p></div>`;
}
