// SPDX-License-Identifier: GPL-3.0-or-later
// All runs and all boards at a glance.
import { html, nothing } from 'lit-html';
import type { App } from '../app';
import { count, date } from '../format';
import type { RunView } from '../generated/api';
import { format } from '../router';
import { boardCard, runCard } from './cards';
import { loading } from './common';

const COLORS = { white: 'always White', black: 'always Black', alternate: 'alternating colours' } as const;

export function runs(app: App) {
  if (app.state.epoch === null) return loading('Waiting for the server…');
  const { runs, boards } = app.state;
  return html`<div class="page">
    <h1>Runs</h1>
    ${runs.length === 0 ? html`<p class="empty">No run yet. Start one with <code>rookery run</code> or <code>rookery demo</code>.</p>` : nothing}
    <div class="cards">${runs.map(r => html`<div class="stack">${runCard(app, r)}${settings(r)}</div>`)}</div>
    ${boards.length ? html`<h1 class="second">Boards</h1><div class="cards">${boards.map(b => boardCard(app, b))}</div>` : nothing}
  </div>`;
}

function settings(r: RunView) {
  const s = r.settings;
  return html`<dl class="facts run-facts">
    <div><dt>Player under test</dt><dd>${'boards' in s.first ? `${s.first.boards.length} ${s.first.boards.length === 1 ? 'board' : 'boards'}, ${count(s.level)} nodes a move` : `engine, ${s.first.engine.limit}`}, ${COLORS[s.color]}</dd></div>
    <div><dt>Opponent</dt><dd>${s.second.limit}${s.second.options.length ? `, ${s.second.options.map(([k, v]) => `${k}=${v}`).join(', ')}` : ''}</dd></div>
    <div><dt>Openings</dt><dd>${r.openings || 'the start position'}</dd></div>
    <div><dt>Begun</dt><dd>${date(r.created_at)}${r.ended_at ? html`, over ${date(r.ended_at)}` : nothing}</dd></div>
    <div><dt></dt><dd><a href=${format({ page: 'games', run: r.id, result: null })}>Games of this run</a></dd></div>
  </dl>`;
}
