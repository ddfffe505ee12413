// SPDX-License-Identifier: GPL-3.0-or-later
// One board: its link's health, what it does, its console and its firmware.
import { html, nothing } from 'lit-html';
import type { App } from '../app';
import { ago, duration, LINK_STATES, linkEvent } from '../format';
import type { BoardView } from '../generated/api';
import { health } from '../health';
import { telemetryOf } from '../router';
import { tile } from './boards';
import { loading } from './common';
import { consoleCard } from './console';
import { doing } from './doing';
import { flashCard } from './flash';

export function boardPage(app: App) {
  if (app.route.page !== 'board') return nothing;
  if (app.state.epoch === null) return loading('Waiting for the server…');
  const { desk, route } = app;
  const board = app.state.boards.find(b => b.id === route.id);
  if (!board || !desk) return html`<div class="page"><h1>Board ${route.id}</h1><p class="empty">There is no such board. <a href="#/boards">All boards</a></p></div>`;
  return html`<div class="page wide">
    <div class="page-head">
      <h1>${board.name} <span class="pill l-${board.link}" data-testid="link-state" data-link=${board.link}>${LINK_STATES[board.link]}</span></h1>
      <p class="muted"><code>${board.url}</code> · for ${duration(app.now() - board.since)} · <a href=${telemetryOf(`board=${board.id}`)}>Telemetry</a></p>
    </div>
    <div class="desk">
      <div class="desk-side">${link(app, board)} ${flashCard(app, desk, board)}</div>
      ${consoleCard(app, desk)}
    </div>
  </div>`;
}

function link(app: App, board: BoardView) {
  const others = Object.entries(board.counters)
    .filter(([, n]) => n > 0)
    .map(([name, n]) => ({ ...linkEvent(name), name, n }))
    .sort((a, b) => Number(b.fault) - Number(a.fault) || b.n - a.n);
  const latest = app.state.links.filter(l => l.board === board.id).slice(0, 5);
  const identity = [...Object.entries(board.identity), ...(board.boot ? [['boot', board.boot] as const] : [])];
  return html`<section class="card board-card">
    <header><h2>Link</h2></header>
    <dl class="tiles" data-testid="health">${health(board).map(tile)}</dl>
    ${doing(app, board)}
    <details><summary>Everything that was counted</summary>
      <dl class="counters">${others.map(c => html`<div class=${c.fault ? 'is-fault' : ''}><dt title=${c.name}>${c.label}</dt><dd>${c.n.toLocaleString('en')}</dd></div>`)}</dl>
    </details>
    ${latest.length
      ? html`<details open><summary>Latest on the link</summary>
          <ul class="events">${latest.map(l => html`<li><b>${linkEvent(l.event).label}</b> <span>${ago(app.now() - l.at)}</span>${l.detail ? html`<code>${l.detail}</code>` : nothing}</li>`)}</ul>
        </details>`
      : nothing}
    ${identity.length
      ? html`<details><summary>What the board says of itself</summary><dl class="counters">${identity.map(([k, v]) => html`<div><dt>${k}</dt><dd>${v}</dd></div>`)}</dl></details>`
      : nothing}
  </section>`;
}
