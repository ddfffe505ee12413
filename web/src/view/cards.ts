// SPDX-License-Identifier: GPL-3.0-or-later
// The cards beside the stage: a run's score, a board's link, the latest games.
import { html, nothing } from 'lit-html';
import { styleMap } from 'lit-html/directives/style-map.js';
import type { App } from '../app';
import { ago, date, estimateText, LINK_STATES, linkEvent, outcomeForFirst, plural, reasonShort, reasonText, resultText, RUN_STATES } from '../format';
import type { BoardView, GameView, RunView } from '../generated/api';
import { faultsOf } from '../health';
import { format } from '../router';
import { rests } from '../state';
import * as icons from './icons';

export function runCard(app: App, run: RunView, title: 'h2' | 'h3' = 'h2') {
  // A run of 0 games has no end: its bar shows the score alone.
  const endless = run.settings.games === 0;
  const total = Math.max(run.settings.games, run.played);
  const part = (n: number) => styleMap({ flexGrow: String(n) });
  const points = run.wins + run.draws / 2;
  const scored = run.wins + run.draws + run.losses;
  const head = html`<span title=${run.name}>${run.name}</span> <small title="The run’s number">#${run.id}</small>`;
  return html`<section class="card run" data-testid="run-score" data-run=${run.id} data-played=${run.played} data-state=${run.state}>
    <header>
      ${title === 'h2' ? html`<h2>${head}</h2>` : html`<h3>${head}</h3>`}
      <span class="pill s-${run.state}">${RUN_STATES[run.state]}</span>
    </header>
    <p class="versus"><span title=${run.first}><b>${run.first}</b></span><span title=${run.second}>against <b>${run.second}</b></span></p>
    <p class="wdl" aria-label=${`${run.wins} won, ${run.draws} drawn, ${run.losses} lost by ${run.first}`}>
      <span class="win"><b>${run.wins}</b> won</span><span class="draw"><b>${run.draws}</b> drawn</span><span class="loss"><b>${run.losses}</b> lost</span>
    </p>
    <div class="wdl-bar" role="progressbar" aria-label="Games played" aria-valuemin="0" aria-valuemax=${total} aria-valuenow=${run.played}>
      <i class="win" style=${part(run.wins)}></i><i class="draw" style=${part(run.draws)}></i><i class="loss" style=${part(run.losses)}></i>
      <i class="rest" style=${part(Math.max(0, total - run.played))}></i>
    </div>
    <p class="of">
      <span><b>${run.played.toLocaleString('en')}</b> ${endless || run.state === 'imported' ? (run.played === 1 ? 'game' : 'games') : `of ${plural(total, 'game')}`}</span>
      ${run.standing.score === null ? nothing : html`<span>${points} / ${scored} (${run.standing.score.toFixed(1)} %)</span>`}
    </p>
    ${run.played > scored ? html`<p class="of"><span>Without a result</span><span>${(run.played - scored).toLocaleString('en')}</span></p>` : nothing}
    ${strength(run)}
    ${run.state === 'interrupted' ? html`<p class="muted">The server that played it ended. It rests until somebody resumes it.</p>` : nothing}
    ${run.alarm ? html`<p class="warn">${icons.alarm} ${run.alarm}</p>` : nothing} ${inQueue(run)} ${runButtons(app, run)}
  </section>`;
}

/** What the score says about strength, as soon as it says something. */
function strength({ standing: s }: RunView) {
  const row = (label: string, title: string, value: string) => html`<p class="of" title=${title}><span>${label}</span><span>${value}</span></p>`;
  const percent = (share: number) => `${share.toFixed(1)} %`;
  const paired = s.pairs?.some(n => n > 0) ? s.pairs : null;
  return html`
    ${s.elo ? row('Elo difference', 'With half its 95 % interval', estimateText(s.elo)) : nothing}
    ${s.normalized ? row('Normalized Elo', 'The difference in standard deviations of a game, with half its 95 % interval', estimateText(s.normalized)) : nothing}
    ${s.los === null ? nothing : row('LOS, draws', 'The chance that the first player is the stronger one; draws among the games', `${percent(s.los)}, ${percent(s.draws ?? 0)}`)}
    ${paired ? row('Pairs', 'Pairs of games of one opening from both sides, by their points: 0, ½, 1, 1½, 2', paired.join(' · ')) : nothing}
  `;
}

/** Why a run waits for a board: no fault, and so no alarm. */
function inQueue(run: RunView) {
  if (!run.queue) return nothing;
  const which = run.queue.place === 1 ? 'Next for a board' : `Number ${run.queue.place} in the queue`;
  return html`<p class="of queued" data-testid="run-queue" data-place=${run.queue.place}><span><b>${which}:</b> ${run.queue.why}</span></p>`;
}

export function runButtons(app: App, run: RunView) {
  if (!['pending', 'running', 'paused', 'interrupted'].includes(run.state)) return nothing;
  const resting = run.state === 'paused' || run.state === 'interrupted';
  const busy = app.busy?.run === run.id;
  return html`<div class="buttons">
    ${run.state === 'running'
      ? html`<button type="button" data-testid="run-pause" ?disabled=${busy} @click=${() => void app.act(run, 'pause')}>${icons.pause} Pause</button>`
      : nothing}
    ${resting
      ? html`<button type="button" data-testid="run-resume" ?disabled=${busy} @click=${() => void app.act(run, 'resume')}>${icons.play} Resume</button>`
      : nothing}
    ${run.queue && run.queue.place > 1
      ? html`<button type="button" data-testid="run-next" ?disabled=${busy} title="Before all others that wait for its boards" @click=${() => void app.act(run, 'next')}>${icons.first} Next</button>`
      : nothing}
    ${run.state === 'pending'
      ? html`<button type="button" data-testid="run-withdraw" ?disabled=${busy} @click=${() => askWithdraw(app, run)}>${icons.close} Take out of the queue…</button>`
      : html`${run.state === 'interrupted' ? nothing : html`<button type="button" data-testid="run-stop" ?disabled=${busy} title="Ends after the games that are being played" @click=${() => askStop(app, run)}>${icons.stop} Stop…</button>`}
          <button type="button" data-testid="run-abort" ?disabled=${busy} title="Ends at once" @click=${() => askAbort(app, run)}>${icons.close} Abort…</button>`}
  </div>`;
}

const soFar = (run: RunView) => `“${run.name}” has played ${run.settings.games > 0 ? `${run.played} of ${plural(run.settings.games, 'game')}` : plural(run.played, 'game')}.`;

function askWithdraw(app: App, run: RunView): void {
  app.ask({
    title: 'Take this run out of the queue?',
    text: `${soFar(run)} It waits for a board: no game of it is cut off. Its settings are kept, and “Again, with changes” begins it anew.`,
    yes: 'Take it out',
    no: 'Let it wait',
    act: () => void app.act(run, 'stop'),
  });
}

function askStop(app: App, run: RunView): void {
  app.ask({
    title: 'Stop this run after its game?',
    text: `${soFar(run)} What is on the board is played to its end. A stopped run cannot be taken up again; to rest it, pause it.`,
    yes: 'Stop the run',
    no: 'Keep it going',
    act: () => void app.act(run, 'stop'),
  });
}

/** Which games an abort cuts off, and how far they are. */
function cutOff(app: App, run: RunView): string {
  if (run.state === 'interrupted') return 'A game of it that is not over is closed without a result; its moves are kept.';
  const open = app.state.live.filter(l => l.game.run === run.id).map(l => `game ${l.game.number} after ${plural(l.plies.length, 'ply', 'plies')}`);
  if (open.length === 0) return 'No game of it is on a board now.';
  return `Cut off without a result: ${open.join(', ')}. The moves are kept.`;
}

function askAbort(app: App, run: RunView): void {
  app.ask({
    title: 'Abort this run at once?',
    text: `${soFar(run)} ${cutOff(app, run)} An aborted run cannot be taken up again.`,
    yes: 'Abort the run',
    no: 'Keep it going',
    act: () => void app.act(run, 'abort'),
  });
}

export function boardCard(app: App, board: BoardView) {
  const counters = Object.entries(board.counters)
    .filter(([, n]) => n > 0)
    .map(([name, n]) => ({ ...linkEvent(name), name, n }))
    .sort((a, b) => Number(b.fault) - Number(a.fault) || b.n - a.n);
  const faults = faultsOf(board);
  const latest = app.state.links.filter(l => l.board === board.id).slice(0, 8);
  const identity = Object.entries(board.identity);
  return html`<section class="card board-card" data-testid="link-state" data-board=${board.id} data-link=${board.link}>
    <header>
      <h2 title=${board.name}><a href="#/board/${board.id}">${board.name}</a></h2>
      <span class="pill l-${board.link}">${LINK_STATES[board.link]}</span>
    </header>
    <p class="of"><span class="url" title=${board.url}>${board.url}</span>${board.rtt_ms === null ? nothing : html`<span title="Smoothed round trip">${board.rtt_ms.toFixed(board.rtt_ms < 10 ? 1 : 0)} ms</span>`}</p>
    ${board.alarm ? html`<p class="warn">${icons.alarm} ${board.alarm}</p>` : nothing}
    <details>
      <summary>${faults === 0 ? 'No faults on the link' : html`<b>${faults.toLocaleString('en')}</b> ${faults === 1 ? 'fault' : 'faults'} on the link`}</summary>
      <dl class="counters">
        ${counters.map(c => html`<div class=${c.fault ? 'is-fault' : ''}><dt title=${c.name}>${c.label}</dt><dd>${c.n.toLocaleString('en')}</dd></div>`)}
      </dl>
      ${latest.length
        ? html`<h3>Latest</h3>
            <ul class="events">
              ${latest.map(l => html`<li><b>${linkEvent(l.event).label}</b> <span>${ago(app.now() - l.at)}</span>${l.detail ? html`<code>${l.detail}</code>` : nothing}</li>`)}
            </ul>`
        : nothing}
      ${identity.length
        ? html`<h3>The board says</h3>
            <dl class="counters">${identity.map(([k, v]) => html`<div><dt>${k}</dt><dd>${v}</dd></div>`)}${board.boot ? html`<div><dt>boot</dt><dd>${board.boot}</dd></div>` : nothing}</dl>`
        : nothing}
    </details>
  </section>`;
}

export function badge(app: App, game: GameView) {
  if (rests(app.state, game)) return html`<span class="badge o-none">rests</span>`;
  const outcome = game.state === 'playing' ? 'playing' : (outcomeForFirst(game) ?? 'none');
  return html`<span class="badge o-${outcome}">${game.state === 'playing' ? html`<span class="live-dot"></span>live` : resultText(game.result)}</span>`;
}

export function recentCard(app: App) {
  const games = app.state.recent.slice(0, 12);
  return html`<section class="card recent">
    <header><h2>Latest games</h2><a href=${format({ page: 'games', filter: {} })}>All</a></header>
    ${games.length === 0 ? html`<p class="empty">None is over yet.</p>` : nothing}
    <ul>
      ${games.map(
        g => html`<li><a href="#/game/${g.id}" title=${[reasonText(g), ...(g.ended_at ? [date(g.ended_at)] : [])].join(', ')}>
          ${badge(app, g)}<span class="names"><b>${g.white}</b><b>${g.black}</b></span><span class="why">${reasonShort(g)}<small>${plural(Math.ceil(g.plies / 2), 'move')}</small></span>
        </a></li>`,
      )}
    </ul>
  </section>`;
}
