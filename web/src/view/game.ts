// SPDX-License-Identifier: GPL-3.0-or-later
// One game: its replay, its result, what happened to it, and the figures of every ply.
import { html, nothing } from 'lit-html';
import { guard } from 'lit-html/directives/guard.js';
import type { App } from '../app';
import { date, forWhite, linkEvent, markText, plural, reasonText, resultText, scoreText, took } from '../format';
import type { IncidentView, PlyView } from '../generated/api';
import { faultMarks, moveNumber, openingOf } from '../replay';
import { gamesOf, telemetryOf } from '../router';
import { saveBlob } from '../save';
import type { Subject } from '../stage';
import { findRun, rests } from '../state';
import { boardCard } from './cards';
import { failed, loading } from './common';
import * as icons from './icons';
import { stage } from './stage';

export function game(app: App) {
  if (app.route.page !== 'game') return nothing;
  const id = app.route.id;
  const subject = app.stage.subject();
  if (subject === null || subject.at === 'loading') return loading(`Fetching game ${id}…`);
  if (subject.at === 'failed') return html`${failed(subject.error, () => app.details.retry(id))}<p class="center"><a href="#/games">All games</a></p>`;
  const s = subject.value;
  return html`<h1 class="sr">Game ${id}: ${s.game.white} against ${s.game.black}</h1>
    ${stage(app, s, about(app, s), html`${incidents(app, s)} ${link(app, s)} ${telemetry(app, s)}`)}`;
}

function about(app: App, subject: Subject) {
  const { game } = subject;
  const run = findRun(app.state, game.run);
  const opening = openingOf(game, subject.plies);
  const board = subject.live ? app.state.boards.find(b => b.id === game.board) : undefined;
  const winner = game.result === '1-0' ? game.white : game.result === '0-1' ? game.black : null;
  return html`<section class="card about-game">
      <header><h2>Game ${game.number}${run?.settings.games ? html` <small>of ${run.settings.games}</small>` : nothing}</h2><span class="muted">#${game.id}</span></header>
      ${game.state === 'finished'
        ? html`<div class="verdict" data-testid="result" data-game=${game.id} data-result=${game.result}>
            <strong class=${game.result === '*' ? 'none' : ''}>${game.result === '*' ? 'No result' : resultText(game.result)}</strong>
            <div><p class="reason">${reasonText(game)}</p>${winner ? html`<p class="winner">${winner} wins</p>` : nothing}</div>
          </div>
          ${game.detail ? html`<p class="detail">${game.detail}</p>` : nothing}`
        : rests(app.state, game)
          ? html`<p class="verdict">Cut off, with its moves kept. It goes on when <a href="#/runs">its run</a> does.</p>`
          : html`<p class="verdict"><span class="live-dot"></span> Being played</p>`}
      <dl class="facts">
        <div><dt>White</dt><dd>${game.white}</dd></div>
        <div><dt>Black</dt><dd>${game.black}</dd></div>
        ${opening ? html`<div><dt>Opening</dt><dd>${opening}</dd></div>` : nothing}
        <div><dt>Begun</dt><dd>${date(game.started_at)}</dd></div>
        ${game.ended_at ? html`<div><dt>Took</dt><dd>${[took(game), plural(subject.plies.length, 'ply', 'plies')].filter(Boolean).join(', ')}</dd></div>` : nothing}
        <div><dt>Run</dt><dd><a href=${gamesOf(game.run)}>${run?.name ?? `Run ${game.run}`}</a></dd></div>
      </dl>
      <div class="buttons">
        <button type="button" data-testid="download-pgn" @click=${() => void app.downloadPgn(game.id)}>${icons.download} PGN</button>
        <button type="button" data-testid="copy-pgn" @click=${() => void app.copy(app.api.pgn(game.id), 'The game (PGN) is copied.')}>${icons.copy} Copy PGN</button>
      </div>
      <div class="links"><a href=${telemetryOf(`game=${game.id}`)}>Telemetry</a><button type="button" class="link" @click=${() => void app.attempt(async () => saveBlob(await app.api.report(game.id), `rookery-game-${game.id}.zip`))}>Fault report</button></div>
      ${subject.live ? html`<a class="button" href="#/" @click=${() => app.stage.show(game.id)}>Watch it live</a>` : nothing}
    </section>
    ${board ? boardCard(app, board) : nothing}`;
}

function incidents(app: App, subject: Subject) {
  const list: readonly IncidentView[] = subject.incidents;
  if (list.length === 0) return nothing;
  const who = (i: IncidentView) => {
    if (i.mover !== 'first' && i.mover !== 'second') return '';
    const white = (i.mover === 'first') === (subject.game.first_color === 'white');
    return white ? subject.game.white : subject.game.black;
  };
  return html`<section class="card" data-testid="incidents">
    <header><h2>Incidents</h2><span class="muted">${list.length}</span></header>
    <ul class="incidents">
      ${list.map(
        i => html`<li>
          <button type="button" class="link" @click=${() => app.stage.goTo(Math.max(0, i.ply - 1))}>ply ${i.ply}</button>
          <div><b>${i.kind.replaceAll('_', ' ')}</b> <span class="muted">${who(i)} · ${date(i.at)}</span><p>${i.detail}</p></div>
        </li>`,
      )}
    </ul>
  </section>`;
}

/** The faults of the link, ply by ply: what the marks under the curve say. */
function link(app: App, subject: Subject) {
  const faults = app.details.events(subject.game).filter(e => linkEvent(e.event).fault);
  const marks = faultMarks(subject.plies, faults, subject.live ? undefined : subject.plies.length);
  if (marks.length === 0) return nothing;
  const all = marks.reduce((sum, m) => sum + [...m.kinds.values()].reduce((a, b) => a + b, 0), 0);
  return html`<details class="card telemetry" data-testid="game-faults" data-count=${all}>
    <summary><h2>Faults on the link</h2><span class="muted">${all.toLocaleString('en')}</span></summary>
    <ul class="incidents">
      ${marks.map(
        m => html`<li>
          <button type="button" class="link" @click=${() => app.stage.goTo(Math.max(0, m.ply - 1))}>ply ${m.ply}</button>
          <div>${markText(m)}</div>
        </li>`,
      )}
    </ul>
  </details>`;
}

const whole = (n: number | null | undefined) => (n == null ? '' : Math.round(n).toLocaleString('en'));

function telemetry(app: App, subject: Subject) {
  const { plies, game } = subject;
  if (plies.length === 0) return nothing;
  // A game that is played grows: its table is drawn when it is asked for, and then with every ply.
  return html`<details class="card telemetry" data-testid="telemetry">
    <summary><h2>Every ply in figures</h2><span class="muted">scores are White’s view</span></summary>
    <div class="scroll" tabindex="0" role="region" aria-label="Every ply in figures" @click=${(e: Event) => {
      const to = (e.target as Element).closest<HTMLElement>('[data-to]')?.dataset['to'];
      if (to) app.stage.goTo(Number(to));
    }}>
      ${guard([plies], () => html`<table>
        <thead>
          <tr><th>Move</th><th><span class="sr">Book</span></th><th>Player</th><th>Score</th><th>Raw</th><th>Depth</th><th>Nodes</th><th>Time (host)</th><th>Time (own)</th><th>Nodes/s</th><th>Clock</th><th>Sent again</th><th>Expected line</th></tr>
        </thead>
        <tbody>${plies.map(p => row(p, game.start_fen))}</tbody>
      </table>`)}
    </div>
  </details>`;
}

function row(p: PlyView, startFen: string) {
  const { number, side } = moveNumber(startFen, p.ply);
  const ms = p.board_ms ?? p.host_ms;
  return html`<tr>
    <th scope="row"><button type="button" class="link" data-to=${p.ply}>${number}${side === 'white' ? '.' : '…'} ${p.san}</button></th>
    <td>${p.book ? html`<span class="mark">${icons.book}<span class="sr">book</span></span>` : nothing}</td>
    <td>${p.mover}</td>
    <td>${p.score ? scoreText(forWhite(p.score, p.side)) : ''}</td>
    <td>${p.score_raw ?? ''}</td>
    <td>${p.depth ?? ''}</td>
    <td>${whole(p.nodes)}</td>
    <td>${p.host_ms === null ? '' : `${p.host_ms.toFixed(1)} ms`}</td>
    <td>${p.board_ms === null ? '' : `${whole(p.board_ms)} ms`}</td>
    <td>${p.nodes !== null && ms ? whole((p.nodes / ms) * 1000) : ''}</td>
    <td>${p.clock_ms === null ? '' : `${(p.clock_ms / 1000).toFixed(1)} s`}</td>
    <td>${p.retransmissions || ''}</td>
    <td class="pv">${p.pv ?? ''}</td>
  </tr>`;
}
