// SPDX-License-Identifier: GPL-3.0-or-later
// The board on the stage. It owns its element; lit only puts the element in its place.
import { Chessground } from '@lichess-org/chessground';
import type { Api } from '@lichess-org/chessground/api';
import type { Key } from '@lichess-org/chessground/types';
import type { Side } from '../generated/api';
import type { Position } from '../replay';

/** An arrow on the board. */
export interface Arrow {
  readonly from: string;
  readonly to: string;
  readonly brush: 'paleBlue';
}

const GLIDE_MS = 180;

const calm = matchMedia('(prefers-reduced-motion: reduce)');

/** So far a finger goes sideways over the board for the next move, or the one before. */
const SWIPE_PX = 40;

export class StageBoard {
  /** A finger went over the board: 1 to the next move, -1 back. */
  onSwipe: ((by: number) => void) | null = null;
  readonly element: HTMLElement;
  #ground: Api | null = null;
  #game: number | null = null;
  #ply = -1;
  #at = -Infinity;
  #shown = '';

  constructor() {
    this.element = document.createElement('div');
    this.element.className = 'cg-wrap';
    this.element.dataset['testid'] = 'live-board';
    this.element.setAttribute('role', 'img');
    let from: Touch | null = null;
    this.element.addEventListener('touchstart', e => (from = e.touches.length === 1 ? e.touches[0]! : null), { passive: true });
    this.element.addEventListener('touchend', e => {
      const to = e.changedTouches[0];
      if (!from || !to) return;
      const [dx, dy] = [to.clientX - from.clientX, to.clientY - from.clientY];
      from = null;
      if (Math.abs(dx) > SWIPE_PX && Math.abs(dx) > 2 * Math.abs(dy)) this.onSwipe?.(dx < 0 ? 1 : -1);
    });
  }

  /** A board that is on no page has no size: an arrow on it would have no length, and the browser complain. */
  leave(): void {
    if (this.#shown === '') return;
    this.#shown = '';
    this.#ground?.setAutoShapes([]);
  }

  /** After the element was put in its place: chessground measures it. */
  update(game: number, position: Position, orientation: Side, label: string, arrows: readonly Arrow[] = []): void {
    const shown = `${game} ${position.ply} ${position.fen} ${orientation} ${position.check} ${arrows.map(a => a.from + a.to).join(' ')}`;
    this.element.setAttribute('aria-label', label);
    if (shown === this.#shown) return;
    this.#shown = shown;
    // Pieces glide for a move or two; a jump through the game, another game, or moves that come faster than they glide are shown at once.
    const time = performance.now();
    const near = game === this.#game && Math.abs(position.ply - this.#ply) <= 2 && time - this.#at > 2 * GLIDE_MS;
    this.#at = time;
    const config = {
      fen: position.fen,
      orientation,
      turnColor: position.turn,
      check: position.check ? position.turn : false,
      lastMove: position.lastMove ? ([...position.lastMove] as Key[]) : undefined,
      animation: { enabled: near && !calm.matches, duration: GLIDE_MS },
    } as const;
    const first = this.#ground === null;
    if (this.#ground) this.#ground.set({ ...config, lastMove: config.lastMove as Key[] });
    else {
      this.#ground = Chessground(this.element, {
        ...config,
        lastMove: config.lastMove ?? [],
        viewOnly: true,
        coordinates: true,
        drawable: { enabled: false, visible: true },
      });
    }
    const shapes = arrows.map(a => ({ orig: a.from as Key, dest: a.to as Key, brush: a.brush, modifiers: { lineWidth: 8 } }));
    // A board that was made in this frame has no size yet, and an arrow on it no length.
    if (first || this.element.offsetWidth === 0) {
      requestAnimationFrame(() => {
        if (this.element.offsetWidth === 0) return;
        this.#ground?.redrawAll();
        this.#ground?.setAutoShapes(shapes);
      });
    } else this.#ground.setAutoShapes(shapes);
    this.#game = game;
    this.#ply = position.ply;
    Object.assign(this.element.dataset, { fen: position.fen, game: String(game), ply: String(position.ply), orientation });
  }
}
