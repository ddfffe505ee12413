// SPDX-License-Identifier: GPL-3.0-or-later
// The list of moves with what each cost.
import { html, nothing } from 'lit-html';
import { guard } from 'lit-html/directives/guard.js';
import type { App } from '../app';
import { count, forWhite, plural, reasonText, resultText, scoreText, think } from '../format';
import type { PlyView } from '../generated/api';
import { rows } from '../replay';
import type { Subject } from '../stage';
import * as icons from './icons';

/** The current move is marked after the frame: a step through a long game then costs one cell, not the list. */
export function moves(app: App, subject: Subject) {
  const { game, plies } = subject;
  return html`<div class="moves" data-testid="move-list" role="region" aria-label="Moves" tabindex="0" @click=${(e: Event) => clicked(app, e)}>
    ${guard([plies, game], () => {
      const list = rows(game.start_fen, plies);
      return html`
        <ol>${list.map(r => html`<li><span class="number">${r.number}</span>${cell(r.white)}${cell(r.black)}</li>`)}</ol>
        ${plies.length === 0 ? html`<p class="empty">No move yet.</p>` : nothing}
        ${game.state === 'finished'
          ? html`<p class="end"><b>${game.result === '*' ? 'No result' : resultText(game.result)}</b> ${reasonText(game)}</p>`
          : nothing}
      `;
    })}
  </div>`;
}

// A ply never changes, and a long game has many of them: what is written in its cell is made once.
const cells = new WeakMap<PlyView, { figures: string; time: string; title: string }>();

function texts(p: PlyView): { figures: string; time: string; title: string } {
  let t = cells.get(p);
  if (!t) {
    const ms = p.board_ms ?? p.host_ms;
    const score = p.score ? scoreText(forWhite(p.score, p.side)) : '';
    t = {
      figures: [score, p.depth === null ? '' : `/${p.depth}`].join(''),
      time: [ms === null ? '' : think(ms), p.nodes === null ? '' : count(p.nodes)].filter(Boolean).join(' · '),
      title: [
        score && `score ${score} (White's view)`,
        p.depth !== null && `depth ${p.depth}`,
        p.nodes !== null && `${p.nodes.toLocaleString('en')} nodes`,
        ms !== null && think(ms),
        (p.book || p.mover === 'opening') && 'from the book',
        p.retransmissions > 0 && `${plural(p.retransmissions, 'line')} sent again`,
      ]
        .filter(Boolean)
        .join(', '),
    };
    cells.set(p, t);
  }
  return t;
}

function cell(p: PlyView | null) {
  if (!p) return html`<span class="gap">…</span>`;
  const t = texts(p);
  const book = p.book || p.mover === 'opening';
  return html`<button
    type="button"
    data-to=${p.ply}
    title=${t.title}
    tabindex="-1"
  ><b>${p.san}</b>${book
    ? html`<span class="mark" title="From the book">${icons.book}<span class="sr">book</span></span>`
    : html`<small><span>${t.figures}</span><span>${t.time}</span></small>`}${p.retransmissions > 0 ? html`<i class="fault" title="Lines were sent again">↻</i>` : nothing}</button>`;
}

function clicked(app: App, event: Event): void {
  const to = (event.target as Element).closest<HTMLElement>('[data-to]')?.dataset['to'];
  if (to !== undefined) app.stage.goTo(Number(to));
}

function mark(box: HTMLElement, ply: number): void {
  for (const old of box.querySelectorAll('.current')) {
    old.classList.remove('current');
    old.removeAttribute('aria-current');
  }
  const now = box.querySelector(`[data-to="${ply}"]`);
  now?.classList.add('current');
  now?.setAttribute('aria-current', 'step');
}

let shownKey = '';

/** After the frame: the current move is kept in sight, within the list only (the page must not jump). */
export function keepInSight(subject: Subject, ply: number): void {
  const key = `${subject.game.id} ${ply} ${subject.plies.length}`;
  const box = document.querySelector<HTMLElement>('.moves');
  if (!box || (key === shownKey && box.dataset['seen'] === key)) return;
  mark(box, ply);
  shownKey = key;
  box.dataset['seen'] = key;
  if (ply === 0) box.scrollTop = 0;
  else if (ply === subject.plies.length) box.scrollTop = box.scrollHeight;
  else {
    const current = box.querySelector<HTMLElement>('.current');
    if (!current) return;
    const top = current.offsetTop - box.clientHeight / 2 + current.offsetHeight / 2;
    box.scrollTop = Math.max(0, top);
  }
}
