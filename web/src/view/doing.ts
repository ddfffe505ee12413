// SPDX-License-Identifier: GPL-3.0-or-later
// What a board does now: its game, its flash, or nothing.
import { html, nothing } from 'lit-html';
import type { App } from '../app';
import { FLASH_PHASES } from '../format';
import type { BoardView, FlashView } from '../generated/api';
import { miniBoard } from './mini';
import { positionAt } from '../replay';

export function doing(app: App, board: BoardView) {
  const live = app.state.live.find(l => l.game.board === board.id);
  if (!live) return html`<p class="doing idle">${board.link === 'ready' ? 'Idle: it plays no game.' : 'It plays no game.'}</p>`;
  const { game, plies } = live;
  const position = positionAt(game, plies, plies.length);
  const thinks = live.thinking_since === null ? null : position.turn === 'white' ? game.white : game.black;
  const run = app.state.runs.find(r => r.id === game.run);
  return html`<a class="doing" href="#/" @click=${() => app.stage.show(game.id)} data-game=${game.id}>
    ${miniBoard(position.fen, game.first_color, position.lastMove)}
    <span class="about">
      <b>${game.white}</b><b>${game.black}</b>
      <small>Game ${game.number}${run?.settings.games ? ` of ${run.settings.games}` : ''}, move ${Math.ceil(plies.length / 2)}${plies.length ? `: ${plies.at(-1)!.san}` : ''}</small>
      <small>${run?.state === 'paused' ? 'The run is paused' : thinks ? `${thinks} thinks` : 'Between two moves'}</small>
    </span>
  </a>`;
}

export const flashOf = (app: App, board: number): FlashView | undefined => app.state.flashes.find(f => f.record.board === board);

/** One line of a flash that goes on. */
export function flashLine(app: App, board: BoardView) {
  const flash = flashOf(app, board.id);
  if (!flash || flash.record.result !== 'running') return nothing;
  return html`<p class="flash-line"><b>Flashing:</b> ${flash.phase ? FLASH_PHASES[flash.phase] : 'beginning'} ${meter(flash)}</p>`;
}

/** How far a step is; where there is no telling, the bar moves by itself. */
export const meter = (flash: FlashView) =>
  flash.total > 0 ? html`<progress max=${flash.total} value=${flash.done} aria-label="This step"></progress>` : html`<progress aria-label="This step"></progress>`;
