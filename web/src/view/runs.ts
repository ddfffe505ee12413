// SPDX-License-Identifier: GPL-3.0-or-later
// All runs: those that are played, those that wait for a board, and those that are over.
import { html, nothing } from 'lit-html';
import type { App } from '../app';
import { count, date, duration } from '../format';
import type { RunView } from '../generated/api';
import { KNOWN } from '../oldruns';
import { HOW_LONG, queue, timeLeft } from '../progress';
import { gamesOf, telemetryOf } from '../router';
import { runCard } from './cards';
import { loading } from './common';
import * as icons from './icons';

const COLORS = { white: 'always White', black: 'always Black', alternate: 'alternating colours' } as const;

export function runs(app: App) {
  if (app.state.epoch === null) return loading('Waiting for the server…');
  const { going, waiting, left, over } = queue(app.state.runs);
  const { old } = app;
  return html`<div class="page">
    <div class="page-head"><h1>Runs</h1><a class="button primary" href="#/runs/new" data-testid="new-run-link">${icons.plus} New run</a></div>
    ${app.state.runs.length === 0 ? html`<p class="empty">No run yet. <a href="#/runs/new">Begin one</a>, or use <code>rookery run</code>.</p>` : nothing}
    ${group(app, '', going)} ${group(app, 'Waiting', waiting, 'Those that want the same boards begin in this order.')} ${group(app, 'Interrupted', left)}
    ${group(app, going.length + waiting.length + left.length ? 'Over' : '', [...over, ...old.list])}
    ${over.length >= KNOWN && old.more ? html`<p class="center"><button type="button" data-testid="older-runs" ?disabled=${old.busy} @click=${() => void old.fetch()}>Older runs</button></p>` : nothing}
  </div>`;
}

function group(app: App, title: string, list: readonly RunView[], note = '') {
  if (list.length === 0) return nothing;
  return html`${title ? html`<h2 class="group">${title}</h2>` : nothing}${note ? html`<p class="muted">${note}</p>` : nothing}
    <div class="cards">${list.map(r => html`<div class="stack">${runCard(app, r, 'h2')}${settings(app, r)}</div>`)}</div>`;
}

function settings(app: App, r: RunView) {
  const left = timeLeft(r, app.state.recent);
  return html`<dl class="facts run-facts">
    ${r.state === 'imported' ? nothing : how(r)}
    ${r.state === 'imported' ? html`<div><dt>Imported</dt><dd>${date(r.created_at)}</dd></div>` : html`<div><dt>Begun</dt><dd>${date(r.created_at)}</dd></div>${r.ended_at ? html`<div><dt>Over</dt><dd>${date(r.ended_at)}</dd></div>` : nothing}`}
    ${left === null ? nothing : html`<div title=${HOW_LONG}><dt>Time left</dt><dd>about ${duration(left)}</dd></div>`}
  </dl>
  <p class="links run-facts"><a href=${gamesOf(r.id)}>Games</a><a href=${telemetryOf(`run=${r.id}`)}>Telemetry</a>${r.state === 'imported' ? nothing : html`<a href="#/runs/new?like=${r.id}">Again, with changes</a>`}</p>`;
}

/** What an imported run does not know. */
function how({ settings: s, openings }: RunView) {
  return html`
    <div><dt>Player under test</dt><dd>${'boards' in s.first ? `${s.first.boards.length} ${s.first.boards.length === 1 ? 'board' : 'boards'}, ${count(s.level)} nodes a move` : `engine, ${s.first.engine.limit}`}, ${COLORS[s.color]}</dd></div>
    <div><dt>Opponent</dt><dd>${s.second.limit}${s.second.options.length ? `, ${s.second.options.map(([k, v]) => `${k}=${v}`).join(', ')}` : ''}</dd></div>
    <div><dt>Openings</dt><dd>${openings || 'the start position'}</dd></div>
  `;
}
