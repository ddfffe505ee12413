// SPDX-License-Identifier: GPL-3.0-or-later
// The live view: the game that is played now, its run, its board and what went before.
import { html, nothing } from 'lit-html';
import type { App } from '../app';
import { resultText } from '../format';
import type { LiveGame } from '../generated/api';
import { positionAt } from '../replay';
import type { Subject } from '../stage';
import { onStrip } from '../state';
import { boardCard, recentCard, runCard } from './cards';
import { miniBoard } from './mini';
import { stage } from './stage';
import { failed, loading } from './common';

export function live(app: App) {
  const subject = app.stage.subject();
  if (app.state.epoch === null) return app.conn === 'offline' ? failed('Not connected.', () => app.reconnect()) : loading('Waiting for the server…');
  if (subject === null) return idle(app);
  if (subject.at === 'loading') return loading('Fetching the latest game…');
  if (subject.at === 'failed') return failed(subject.error, () => app.details.retry(app.stage.shown!));
  return html`<h1 class="sr">Live: ${subject.value.game.white} against ${subject.value.game.black}</h1>
    ${strip(app)} ${stage(app, subject.value, aside(app, subject.value))}`;
}

function aside(app: App, subject: Subject) {
  const run = app.state.runs.find(r => r.id === subject.game.run);
  const board = app.state.boards.find(b => b.id === subject.game.board);
  return html`${quiet(app, subject)}${run ? runCard(app, run) : nothing}${board ? boardCard(app, board) : nothing}${recentCard(app)}`;
}

/** A page that is called live says so where it shows a game from before. */
function quiet(app: App, { game, live }: Subject) {
  if (live !== null || app.state.live.length > 0 || app.state.ended.some(l => l.game.id === game.id)) return nothing;
  return html`<section class="card" data-testid="quiet"><h2>Nothing is being played</h2><p class="muted">This is the latest game. <a href="#/runs/new">Begin a run</a></p></section>`;
}

/** Small boards to choose from, where several games are played. */
function strip(app: App) {
  const games = onStrip(app.state);
  if (!games.some(l => l.game.id !== app.stage.shown)) return nothing;
  return html`<nav class="strip" aria-label="Games being played" data-testid="live-strip">${games.map(l => small(app, l))}</nav>`;
}

function small(app: App, l: LiveGame) {
  const { game } = l;
  const position = positionAt(game, l.plies, l.plies.length);
  const board = app.state.boards.find(b => b.id === game.board);
  const last = l.plies.at(-1);
  return html`<button type="button" data-game=${game.id} aria-pressed=${game.id === app.stage.shown ? 'true' : 'false'} @click=${() => app.stage.show(game.id)}>
    ${miniBoard(position.fen, app.flipped ? 'black' : 'white', position.lastMove)}
    <span class="about"><b>${game.white}</b><b>${game.black}</b><small>${board ? board.name : `Game ${game.number}`}</small><small>${game.state === 'finished' ? resultText(game.result) : html`${Math.ceil(l.plies.length / 2)}${last ? ` · ${last.san}` : ''}`}</small></span>
  </button>`;
}

function idle(app: App) {
  return html`<h1>Nothing is being played</h1>
    <p class="lead">As soon as a run begins, its game appears here by itself. <a href="#/runs/new">Begin a run</a></p>
    <div class="cards">${app.state.runs.map(r => runCard(app, r))}${app.state.boards.map(b => boardCard(app, b))}</div>`;
}
