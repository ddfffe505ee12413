// SPDX-License-Identifier: GPL-3.0-or-later
// The list of games that the person has narrowed down, and its games as PGN.
import type { App } from './app';
import type { GameView } from './generated/api';
import { words } from './loadable';
import type { Filter } from './router';
import { saveText } from './save';

export interface GameList {
  readonly key: string;
  readonly games: readonly GameView[];
  readonly next: number | null;
  readonly loading: boolean;
  readonly error: string | null;
}

const PAGE = 50;
const MOST = 500;
/** Games whose PGN is asked for at the same time. */
const ABREAST = 6;

export class Archive {
  list: GameList | null = null;
  /** How far a download of many games is. */
  saving: { done: number; of: number | null; stop: boolean } | null = null;

  constructor(private readonly app: App) {}

  /** The list of a filter; asks for its first page where it is another one than before. */
  of(filter: Filter): GameList {
    const key = JSON.stringify(filter);
    if (this.list?.key === key) return this.list;
    this.list = { key, games: [], next: null, loading: true, error: null };
    void this.#fetch(filter, key);
    return this.list;
  }

  more(filter: Filter): void {
    const list = this.list;
    if (!list || list.loading) return;
    this.list = { ...list, loading: true, error: null };
    void this.#fetch(filter, list.key);
    this.app.changed();
  }

  async #fetch(filter: Filter, key: string): Promise<void> {
    try {
      const page = await this.app.api.games({ ...filter, before: this.list!.next, limit: PAGE });
      if (this.list?.key !== key) return;
      const have = new Set(this.list.games.map(g => g.id));
      const games = [...this.list.games, ...page.games.filter(g => !have.has(g.id))].sort((a, b) => b.id - a.id);
      this.list = { key, games, next: page.next, loading: false, error: null };
    } catch (error) {
      if (this.list?.key !== key) return;
      this.list = { ...this.list, loading: false, error: words(error) };
    }
    this.app.changed();
  }

  /** A game is over: the list learns it at once where it cannot be wrong, and asks again where the filter decides. */
  ended(game: GameView): void {
    if (!this.list) return;
    const known = this.list.games.some(g => g.id === game.id);
    if (known) this.list = { ...this.list, games: this.list.games.map(g => (g.id === game.id ? game : g)) };
    else if (this.list.key === '{}') this.list = { ...this.list, games: [game, ...this.list.games] };
    else if (this.list.next === null && !this.list.loading) this.list = null;
  }

  retryFailed(): void {
    if (this.list?.error) this.list = null;
  }

  retry(): void {
    this.list = null;
    this.app.changed();
  }

  stopSaving(): void {
    if (this.saving) this.saving = { ...this.saving, stop: true };
    this.app.changed();
  }

  /** Every game of a filter in one PGN file, oldest first. */
  async save(filter: Filter, name: string): Promise<void> {
    if (this.saving) return;
    this.saving = { done: 0, of: null, stop: false };
    this.app.changed();
    await this.app.attempt(async () => {
      const ids: number[] = [];
      let before: number | null = null;
      do {
        const page: { games: GameView[]; next: number | null } = await this.app.api.games({ ...filter, before, limit: MOST });
        ids.push(...page.games.map(g => g.id));
        before = page.next;
      } while (before !== null && !this.saving!.stop);
      ids.reverse();
      const texts: string[] = Array<string>(ids.length);
      this.saving = { ...this.saving!, of: ids.length };
      let next = 0;
      const worker = async () => {
        while (next < ids.length && !this.saving!.stop) {
          const at = next++;
          texts[at] = (await this.app.api.pgn(ids[at]!)).trim();
          this.saving = { ...this.saving!, done: this.saving!.done + 1 };
          this.app.changed();
        }
      };
      await Promise.all(Array.from({ length: ABREAST }, worker));
      if (this.saving.stop) this.app.say('Nothing was saved.');
      else if (ids.length === 0) this.app.say('There is no game to save.', true);
      else saveText(`${texts.join('\n\n')}\n`, name, 'application/x-chess-pgn');
    });
    this.saving = null;
    this.app.changed();
  }
}
