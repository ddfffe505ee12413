// SPDX-License-Identifier: GPL-3.0-or-later
// A player's panel: who it is, its clock, and what it thinks or thought.
import { html, nothing } from 'lit-html';
import { classMap } from 'lit-html/directives/class-map.js';
import type { App } from '../app';
import { clock, count, forWhite, scoreText, think } from '../format';
import type { PlyView, RunView, Score, Side } from '../generated/api';
import { clockAt, material, moveNumber, startClock } from '../replay';
import type { Subject } from '../stage';
import { findRun, sideToMove } from '../state';
import * as icons from './icons';

interface Thought {
  readonly depth: number | null;
  readonly nodes: number | null;
  readonly score: Score | null;
  readonly ms: number | null;
  readonly line: string;
  readonly book: boolean;
}

export function isBoard(subject: Subject, side: Side): boolean {
  return subject.game.board !== null && subject.game.first_color === side;
}

export function player(app: App, subject: Subject, side: Side, ply: number, fen: string) {
  const { game, plies, live: playing } = subject;
  const name = side === 'white' ? game.white : game.black;
  const board = isBoard(subject, side);
  const run = findRun(app.state, game.run);
  const atEnd = ply === plies.length;
  const since = playing?.thinking_since ?? null;
  const turn = sideToMove(game.start_fen, plies.length);
  const thinks = playing !== null && atEnd && since !== null && turn === side;
  const elapsed = thinks ? Math.max(0, app.now() - since) : null;
  const thought = thinks ? now(subject, side, elapsed!) : past(app, subject, side, ply);
  const left = clockAt(plies, side, ply, board ? null : startClock(run, game.first_color === side));
  const { balance, white, black } = material(fen);
  const extra = side === 'white' ? white : black;
  const ahead = side === 'white' ? balance : -balance;

  return html`<section class=${classMap({ player: true, thinks, [side]: true })} aria-label=${`${side === 'white' ? 'White' : 'Black'}: ${name}`}>
    <header>
      <span class="disc ${side}" title=${side === 'white' ? 'White' : 'Black'}></span>
      <h2 title=${name}>${name}</h2>
      ${run?.state === 'imported' ? nothing : html`<span class="kind" title=${kindTitle(run, board)}>${board ? icons.chip : icons.engine}<span>${board ? 'board' : 'engine'}</span></span>`}
      ${left === null
        ? nothing
        : html`<span class="clock" role="timer" aria-label="Clock">${clock(left - (elapsed ?? 0))}</span>`}
    </header>
    <p class="material" aria-hidden="true">${extra.map(p => html`<i class="m-${p}">${GLYPHS[p]}</i>`)}${ahead > 0 ? html`<b>+${ahead}</b>` : nothing}</p>
    <dl class="figures">
      <div class="score" title="White’s view"><dt>Score</dt><dd>${thought?.score ? scoreText(forWhite(thought.score, side)) : thought?.book ? icons.book : '–'}</dd></div>
      <div><dt>Depth</dt><dd>${thought?.depth ?? '–'}</dd></div>
      <div><dt>Nodes</dt><dd>${thought?.nodes == null ? '–' : count(thought.nodes)}</dd></div>
      <div><dt>Nodes/s</dt><dd>${speed(thought)}</dd></div>
      <div><dt>Time</dt><dd class="time">${elapsed !== null ? ticking(elapsed) : thought?.ms == null ? '–' : think(thought.ms)}</dd></div>
    </dl>
    <p class="line" title=${thought?.line ?? ''}>
      ${thinks ? html`<span class="pulse" aria-hidden="true"></span><span class="sr">thinking: </span>` : nothing}${
        thought?.line ? thought.line : thinks ? 'thinking…' : thought?.book ? 'from the book' : '\u00a0'
      }
    </p>
  </section>`;
}

const GLYPHS: Record<string, string> = { q: '♛', r: '♜', b: '♝', n: '♞', p: '♟\ufe0e' };

function kindTitle(run: RunView | undefined, board: boolean): string {
  if (!run) return board ? 'A board' : 'A UCI engine';
  return board ? `A board, ${count(run.settings.level)} nodes a move` : `A UCI engine, ${run.settings.second.limit}`;
}

/** Tenths: more would only flicker. */
function ticking(ms: number): string {
  return ms < 60_000 ? `${(ms / 1000).toFixed(1)} s` : clock(ms);
}

function speed(t: Thought | null): string {
  return t?.nodes && t.ms && t.ms > 0 ? count((t.nodes / t.ms) * 1000) : '–';
}

function now(subject: Subject, side: Side, elapsed: number): Thought | null {
  const t = side === 'white' ? subject.live?.white_thinking : subject.live?.black_thinking;
  // The line of the think before this one says nothing about this one.
  if (!t || t.ply !== subject.plies.length + 1) return null;
  return { depth: t.depth, nodes: t.nodes, score: t.score, ms: t.ms ?? elapsed, line: withNumbers(subject, t.ply, t.pv), book: false };
}

function past(app: App, subject: Subject, side: Side, ply: number): Thought | null {
  for (let i = ply - 1; i >= 0 && i >= ply - 2; i--) {
    const p = subject.plies[i];
    if (p?.side !== side) continue;
    const t = side === 'white' ? subject.live?.white_thinking : subject.live?.black_thinking;
    const line = t?.ply === p.ply && t.pv.length > 0 ? withNumbers(subject, p.ply, t.pv) : expected(app, subject, p);
    return { depth: p.depth, nodes: p.nodes, score: p.score, ms: p.board_ms ?? p.host_ms, line, book: p.book || p.mover === 'opening' };
  }
  return null;
}

const lines = new WeakMap<PlyView, string>();

/** The line that a ply's think expected, in SAN once the rules are here. */
function expected(app: App, subject: Subject, p: PlyView): string {
  const rules = p.pv ? app.knowledge.rules() : null;
  if (!p.pv || !rules) return p.pv ?? '';
  let line = lines.get(p);
  if (line === undefined) {
    const before = subject.plies[p.ply - 2]?.fen ?? subject.game.start_fen;
    line = withNumbers(subject, p.ply, rules.sanLine(before, p.pv.split(' '))) || p.pv;
    lines.set(p, line);
  }
  return line;
}

/** `12. Nf3 Nc6 13. Bb5` */
function withNumbers(subject: Subject, ply: number, moves: readonly string[]): string {
  return moves
    .map((san, i) => {
      const { number, side } = moveNumber(subject.game.start_fen, ply + i);
      return side === 'white' ? `${number}. ${san}` : i === 0 ? `${number}… ${san}` : san;
    })
    .join(' ');
}


