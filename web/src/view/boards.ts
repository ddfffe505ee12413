// SPDX-License-Identifier: GPL-3.0-or-later
// All boards: how their links are, and what they do now.
import { html, nothing } from 'lit-html';
import type { App } from '../app';
import { LINK_STATES } from '../format';
import { health } from '../health';
import type { BoardView } from '../generated/api';
import { loading } from './common';
import { doing, flashLine } from './doing';
import * as icons from './icons';

export function boards(app: App) {
  if (app.state.epoch === null) return loading('Waiting for the server…');
  const list = app.state.boards;
  return html`<div class="page">
    <div class="page-head"><h1>Boards</h1></div>
    ${list.length === 0
      ? html`<p class="empty">No board yet. A board is known from the first run that names it: <a href="#/runs/new">begin a run</a>, or name it in the configuration.</p>`
      : nothing}
    <div class="cards">${list.map(b => card(app, b))}</div>
  </div>`;
}

function card(app: App, b: BoardView) {
  return html`<section class="card board-card" data-testid="board" data-board=${b.id} data-link=${b.link}>
    <header>
      <h2><a href="#/board/${b.id}" title=${b.name}>${b.name}</a></h2>
      <span class="pill l-${b.link}">${LINK_STATES[b.link]}</span>
    </header>
    <p class="of"><span class="url" title=${b.url}>${b.url}</span>${b.identity['fw'] ? html`<span>firmware ${b.identity['fw']}</span>` : nothing}</p>
    ${b.alarm ? html`<p class="warn">${icons.alarm} ${b.alarm}</p>` : nothing} ${doing(app, b)} ${flashLine(app, b)}
    <dl class="tiles small">${health(b).slice(0, 4).map(tile)}</dl>
    <a class="button" href="#/board/${b.id}">Link, console, firmware</a>
  </section>`;
}

export const tile = (t: { label: string; value: string; title: string; bad: boolean }) =>
  html`<div class=${t.bad ? 'bad' : ''} title=${t.title}><dt>${t.label}</dt><dd>${t.value}</dd></div>`;
