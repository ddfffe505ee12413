// SPDX-License-Identifier: GPL-3.0-or-later
// The board of a book's position: it shows the book's moves as arrows, and takes moves. It owns its element; lit only puts the element in its place.
import { Chessground } from '@lichess-org/chessground';
import type { Api } from '@lichess-org/chessground/api';
import type { DrawShape } from '@lichess-org/chessground/draw';
import type { Key } from '@lichess-org/chessground/types';
import type { BookPage, Side } from '../generated/api';
import { squares } from '../replay';

/** More arrows than these hide the pieces. */
const ARROWS = 8;

const calm = matchMedia('(prefers-reduced-motion: reduce)');

export class BookBoard {
  readonly element: HTMLElement;
  /** A move was made on the board. */
  onMove: ((uci: string) => void) | null = null;
  #ground: Api | null = null;
  #away = true;
  #shown = '';
  #page: BookPage | null = null;

  constructor() {
    this.element = document.createElement('div');
    this.element.className = 'cg-wrap';
    this.element.dataset['testid'] = 'book-board';
    // The moves are a list of buttons beside it, which says the same to those who do not see the board.
    this.element.setAttribute('role', 'img');
  }

  /** Another page is shown: taken out of the document, a board has no size. */
  leave(): void {
    if (this.#away) return;
    this.#away = true;
    this.#shown = '';
    this.#ground?.setAutoShapes([]);
  }

  /** After the element was put in its place: chessground measures it. */
  update(page: BookPage, orientation: Side, label: string): void {
    this.element.setAttribute('aria-label', label);
    const shown = `${page.book.id} ${page.fen} ${page.line.length} ${orientation}`;
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.#page = page;
    const turn = page.fen.split(' ')[1] === 'b' ? 'black' : 'white';
    const dests = new Map<Key, Key[]>();
    for (const { uci } of page.legal) {
      const from = uci.slice(0, 2) as Key;
      dests.set(from, [...(dests.get(from) ?? []), uci.slice(2, 4) as Key]);
    }
    const last = squares(page.line.at(-1)?.uci ?? '');
    const config = {
      fen: page.fen,
      orientation,
      turnColor: turn,
      check: page.check ? turn : false,
      lastMove: last ? ([...last] as Key[]) : [],
      animation: { enabled: !calm.matches, duration: 180 },
      movable: { free: false, color: turn, dests, showDests: true, events: { after: (from: Key, to: Key) => this.#moved(from, to) } },
    } as const;
    if (this.#ground) this.#ground.set(config);
    else this.#ground = Chessground(this.element, { ...config, coordinates: true, premovable: { enabled: false }, drawable: { enabled: false, visible: true } });
    const shapes = arrows(page);
    // A board that was put in its place in this frame has no size yet, and an arrow on it no length.
    if (this.#away || this.element.offsetWidth === 0) {
      requestAnimationFrame(() => {
        if (this.element.offsetWidth === 0) return;
        this.#ground?.redrawAll();
        this.#ground?.setAutoShapes(shapes);
      });
    } else this.#ground.setAutoShapes(shapes);
    this.#away = false;
    Object.assign(this.element.dataset, { fen: page.fen, arrows: String(shapes.length), orientation });
  }

  /** A pawn at the end of its way becomes what the book makes of it, or a queen. */
  #moved(from: Key, to: Key): void {
    const page = this.#page;
    const fits = (m: { readonly uci: string }) => m.uci.startsWith(from + to);
    const uci = page?.moves.find(fits)?.uci ?? page?.legal.find(m => m.uci === `${from}${to}q`)?.uci ?? page?.legal.find(fits)?.uci;
    // The position that comes with the answer is drawn even where it is the one that the board has already.
    this.#shown = '';
    if (uci) this.onMove?.(uci);
  }
}

/** By their weight: the heaviest is as wide as a piece's foot, the lightest as a line. */
function arrows(page: BookPage): DrawShape[] {
  const most = Math.max(...page.moves.map(m => m.share ?? 0), 0);
  return page.moves
    .filter(m => m.weight !== 0)
    .slice(0, ARROWS)
    .flatMap(m => {
      const at = squares(m.uci);
      if (!at) return [];
      const lineWidth = m.share === null || most === 0 ? 3 : 3 + 9 * (m.share / most);
      return [{ orig: at[0] as Key, dest: at[1] as Key, brush: m.weight === null ? 'paleGrey' : 'paleBlue', modifiers: { lineWidth } }];
    });
}
