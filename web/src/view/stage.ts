// SPDX-License-Identifier: GPL-3.0-or-later
// A game on the stage: board, bar, curve, players, moves and the buttons. The live view and the replay both show it.
import { html, nothing, type TemplateResult } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import type { App } from '../app';
import { plural, reasonText, resultText, sanWords } from '../format';
import type { Side } from '../generated/api';
import { format } from '../router';
import { evaluationAt, moveNumber, openingOf, positionAt, squares, type Position } from '../replay';
import { SPEEDS, type Subject } from '../stage';
import { StageBoard, type Arrow } from './board';
import { effortCards, effortPlaced } from './effort';
import { bar, graph } from './evaluation';
import * as icons from './icons';
import { keepInSight, moves } from './moves';
import { player } from './player';

const board = new StageBoard();

export function stage(app: App, subject: Subject, side: TemplateResult, below: TemplateResult | typeof nothing = nothing) {
  const ply = app.stage.ply(subject);
  const position = positionAt(subject.game, subject.plies, ply);
  const bottom: Side = app.flipped ? 'black' : 'white';
  const top: Side = app.flipped ? 'white' : 'black';
  const evaluation = evaluationAt(
    subject.plies,
    ply,
    subject.live && ply === subject.plies.length ? [subject.live.white_thinking, subject.live.black_thinking] : [],
  );
  return html`<div class="stage">
    <div class="side">${side}</div>
    <div class="board-area">
      ${bar(evaluation, bottom)}
      <div class="board-box">${board.element}${result(app, subject, ply)}</div>
    </div>
    ${graph(app, subject, ply)}
    <div class="right">
      <div class="p-top">${player(app, subject, top, ply, position.fen)}</div>
      <div class="list">
        ${heading(subject)} ${moves(app, subject)}
        ${subject.live && ply < subject.plies.length
          ? html`<button type="button" class="to-live" @click=${() => app.stage.goTo(subject.plies.length)}>${icons.last} ${subject.plies.length - ply} further, to the live move</button>`
          : nothing}
      </div>
      <div class="p-bottom">${player(app, subject, bottom, ply, position.fen)}</div>
      ${controls(app, subject, ply, position)}
    </div>
    <div class="below">${effortCards(subject)} ${below}</div>
    <p class="sr" aria-live="polite" data-testid="last-move">${spoken(subject, position)}</p>
  </div>`;
}

/** After lit has put the elements in their places. */
export function stagePlaced(app: App, subject: Subject): void {
  const ply = app.stage.ply(subject);
  const position = positionAt(subject.game, subject.plies, ply);
  const last = spoken(subject, position);
  board.update(subject.game.id, position, app.flipped ? 'black' : 'white', `Board. ${last} ${position.turn === 'white' ? 'White' : 'Black'} to move.`, arrows(app, subject, ply));
  board.onSwipe = by => app.stage.step(by);
  effortPlaced(app, subject, ply);
  keepInSight(subject, ply);
}

/** The stage is not on the page any more. */
export const stageLeft = (): void => board.leave();

function spoken(subject: Subject, position: Position): string {
  const p = subject.plies[position.ply - 1];
  if (!p) return 'Start position.';
  const { number } = moveNumber(subject.game.start_fen, p.ply);
  return `Move ${number}, ${p.side === 'white' ? 'White' : 'Black'}: ${sanWords(p.san)}.`;
}

function heading(subject: Subject) {
  const { game } = subject;
  return html`<header class="list-head">
    <b>${openingOf(subject.game, subject.plies) ?? `Game ${game.number}`}</b>
    <span>${game.state === 'finished' ? plural(subject.plies.length, 'ply', 'plies') : subject.live ? html`<span class="live-dot"></span>live` : ''}</span>
  </header>`;
}

function result(app: App, subject: Subject, ply: number) {
  const { game } = subject;
  // Whoever saw it end is told so; a game from before is looked at undisturbed, its result stands under its moves.
  const seen = app.state.ended.some(l => l.game.id === game.id);
  if (!seen || game.state !== 'finished' || app.route.page !== 'live' || ply !== subject.plies.length || app.stage.dismissed === game.id) return nothing;
  const winner = game.result === '1-0' ? game.white : game.result === '0-1' ? game.black : null;
  const goesOn = app.state.runs.some(r => r.id === game.run && r.state === 'running' && (r.settings.games === 0 || r.played < r.settings.games));
  return html`<div class="result" data-testid="result" data-game=${game.id} data-result=${game.result} role="status">
    <button type="button" class="ghost" aria-label="Put the result away" @click=${() => app.stage.dismiss(game.id)}>${icons.close}</button>
    <strong class=${game.result === '*' ? 'none' : ''}>${game.result === '*' ? 'No result' : resultText(game.result)}</strong>
    <p class="reason">${reasonText(game)}</p>
    ${game.detail ? html`<p class="detail">${game.detail}</p>` : nothing}
    ${winner ? html`<p class="winner" title=${winner}>${winner} wins</p>` : nothing}
    <p class="more"><a href="#/game/${game.id}/0">Replay</a>${goesOn ? html`<span>the next game is about to start…</span>` : nothing}</p>
  </div>`;
}

function controls(app: App, subject: Subject, ply: number, position: Position) {
  const end = subject.plies.length;
  const button = (label: string, icon: unknown, on: () => void, off = false, testid = '') =>
    html`<button type="button" aria-label=${label} title=${label} ?disabled=${off} data-testid=${testid || nothing} @click=${on}>${icon}</button>`;
  return html`<div class="controls" role="toolbar" aria-label="Replay">
    ${button('First move (↑)', icons.first, () => app.stage.goTo(0), ply === 0, 'first')}
    ${button('Previous move (←)', icons.prev, () => app.stage.step(-1), ply === 0, 'prev')}
    ${button(app.stage.autoplay ? 'Stop playing (space)' : 'Play (space)', app.stage.autoplay ? icons.pause : icons.play, () => app.stage.toggleAutoplay(), end === 0, 'autoplay')}
    <select class="speed" aria-label="Speed" title="Speed (+, −)" data-testid="speed" .value=${live(String(app.stage.speed))} @change=${(e: Event) => app.stage.setSpeed(Number((e.target as HTMLSelectElement).value))}>
      ${SPEEDS.map(s => html`<option value=${String(s)} ?selected=${s === app.stage.speed}>${s === 0.5 ? '½' : s}×</option>`)}
    </select>
    ${button('Next move (→)', icons.next, () => app.stage.step(1), ply === end, 'next')}
    ${button('Last move (↓)', icons.last, () => app.stage.goTo(end), ply === end, 'last')}
    <span class="space"></span>
    ${button('Flip the board (F)', icons.flip, () => app.flip(), false, 'flip')}
    ${button('Copy the position (FEN)', icons.copy, () => void app.copy(position.fen, 'The position (FEN) is copied.'), false, 'copy-fen')}
    ${button('Copy the game (PGN)', icons.pgn, () => void app.copy(app.api.pgn(subject.game.id), 'The game (PGN) is copied.'), false, 'stage-copy-pgn')}
    ${button('Copy a link to this move', icons.share, () => void app.copy(linkTo(subject, ply), 'A link to this move is copied.'), false, 'share')}
    ${button(app.sounds.on ? 'Sound off (S)' : 'Sound on (S)', app.sounds.on ? icons.soundOn : icons.soundOff, () => { app.sounds.toggle(); app.changed(); }, false, 'sound')}
  </div>`;
}

function linkTo(subject: Subject, ply: number): string {
  const url = new URL(location.href);
  url.hash = format({ page: 'game', id: subject.game.id, ply });
  return url.href;
}

/** What is thought of now, where a think goes on; else what the player of the last move expects next. */
function arrows(app: App, subject: Subject, ply: number): Arrow[] {
  const to = (found: readonly [string, string] | null | undefined): Arrow[] => (found ? [{ from: found[0], to: found[1], brush: 'paleBlue' }] : []);
  const { live, plies, game } = subject;
  if (live && ply === plies.length) {
    const t = [live.white_thinking, live.black_thinking].find(t => t?.ply === ply + 1);
    const san = t?.pv[0];
    return san === undefined ? [] : to(app.knowledge.rules()?.squaresOf(plies.at(-1)?.fen ?? game.start_fen, san));
  }
  const p = plies[ply - 1];
  const line = p?.pv?.split(' ') ?? [];
  // The line begins with the move that was played.
  return line[0] === p?.uci ? to(squares(line[1] ?? '')) : [];
}
