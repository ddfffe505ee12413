// SPDX-License-Identifier: GPL-3.0-or-later
// What the page knows of chess: the names of openings and the rules. Both are large, so they are fetched when a game is on the screen already.
import type { GameView, PlyView } from './generated/api';
import { Asked } from './loadable';

const START = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';

export class Knowledge {
  readonly #names: Asked<typeof import('./eco')>;
  readonly #rules: Asked<typeof import('./notation')>;

  constructor(changed: () => void) {
    this.#names = new Asked(changed);
    this.#rules = new Asked(changed);
  }

  /** What an opening is called: by the run's own words, else by its moves; `null` while nobody knows. */
  opening(game: GameView, plies: readonly PlyView[]): string | null {
    if (game.opening !== null) return game.opening;
    if (game.start_fen !== START || plies.length === 0) return null;
    const names = this.#names.get('', () => import('./eco'));
    return names.at === 'here' ? names.value.openingName(plies.slice(0, 10).map(p => p.san)) : null;
  }

  /** The rules of chess; `null` until they are here. */
  rules(): typeof import('./notation') | null {
    const rules = this.#rules.get('', () => import('./notation'));
    return rules.at === 'here' ? rules.value : null;
  }
}
