// SPDX-License-Identifier: GPL-3.0-or-later
// What the page knows of chess: the rules. They are large, so they are fetched when a game is on the screen already.
import { Asked } from './loadable';

export class Knowledge {
  readonly #rules: Asked<typeof import('./notation')>;

  constructor(changed: () => void) {
    this.#rules = new Asked(changed);
  }

  /** The rules of chess; `null` until they are here. */
  rules(): typeof import('./notation') | null {
    const rules = this.#rules.get('', () => import('./notation'));
    return rules.at === 'here' ? rules.value : null;
  }
}
