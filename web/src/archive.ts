// SPDX-License-Identifier: GPL-3.0-or-later
// The list of games that the person has narrowed down, and its games as PGN.
import type { App } from './app';
import type { GameView } from './generated/api';
import { words } from './loadable';
import type { Filter } from './router';
import { saveBlob } from './save';

export interface GameList {
  readonly key: string;
  readonly games: readonly GameView[];
  readonly next: number | null;
  /** Of all pages; `null` until the server has said it. */
  readonly total: number | null;
  readonly loading: boolean;
  readonly error: string | null;
}

const PAGE = 50;

export class Archive {
  list: GameList | null = null;
  /** A download of many games that is under way. */
  saving: { readonly bytes: number; readonly stop: AbortController } | null = null;

  #filter: Filter = {};
  #renewing = false;

  constructor(private readonly app: Pick<App, 'api' | 'route' | 'changed' | 'attempt' | 'say'>) {}

  /** The list of a filter; asks for its first page where it is another one than before. */
  of(filter: Filter): GameList {
    const key = JSON.stringify(filter);
    if (this.list?.key === key) return this.list;
    this.list = { key, games: [], next: null, total: null, loading: true, error: null };
    this.#filter = filter;
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
      this.list = { key, games, next: page.next, total: page.total ?? this.list.total, loading: false, error: null };
    } catch (error) {
      if (this.list?.key !== key) return;
      this.list = { ...this.list, loading: false, error: words(error) };
    }
    this.app.changed();
  }

  /** Games may have begun or ended unheard: the newest are asked for again, and the list stands until they are here. */
  async renew(): Promise<void> {
    const before = this.list;
    if (!before || before.loading || before.error || this.#renewing) return;
    this.#renewing = true;
    try {
      const page = await this.app.api.games({ ...this.#filter, before: null, limit: PAGE });
      const list = this.list;
      if (list?.key !== before.key) return;
      // Older games than these were fetched before, and stay as they are; but not beyond a gap.
      const fresh = new Set(page.games.map(g => g.id));
      const meets = page.next !== null && list.games.some(g => fresh.has(g.id));
      const older = meets ? list.games.filter(g => g.id < Math.min(...fresh)) : [];
      this.list = { ...list, games: [...page.games, ...older], next: older.length ? list.next : page.next, total: page.total };
      this.app.changed();
    } catch {
      // What is listed was right a moment ago, and the next occasion comes with the connection.
    } finally {
      this.#renewing = false;
    }
  }

  /** A game is over: the list learns it at once where it cannot be wrong, and asks again where the filter decides. */
  ended(game: GameView): void {
    if (!this.list) return;
    const known = this.list.games.some(g => g.id === game.id);
    if (this.list.key === '{}' && known) this.list = { ...this.list, games: this.list.games.map(g => (g.id === game.id ? game : g)) };
    else if (this.list.key === '{}') this.list = { ...this.list, games: [game, ...this.list.games], total: this.list.total === null ? null : this.list.total + 1 };
    else if (this.app.route.page === 'games') void this.renew();
  }

  retryFailed(): void {
    if (this.list?.error) this.list = null;
  }

  retry(): void {
    this.list = null;
    this.app.changed();
  }

  stopSaving(): void {
    this.saving?.stop.abort();
  }

  /** Every game of a filter in one PGN file, by run and number. */
  async save(filter: Filter, name: string): Promise<void> {
    if (this.saving) return;
    const stop = new AbortController();
    this.saving = { bytes: 0, stop };
    this.app.changed();
    await this.app.attempt(async () => {
      try {
        const parts: Uint8Array<ArrayBuffer>[] = [];
        let bytes = 0;
        for await (const part of this.app.api.gamesAsPgn(filter, stop.signal)) {
          parts.push(part);
          bytes += part.length;
          this.saving = { bytes, stop };
          this.app.changed();
        }
        if (bytes === 0) this.app.say('There is no game to save: none that is over fits.', true);
        else saveBlob(new Blob(parts, { type: 'application/x-chess-pgn' }), name);
      } catch (error) {
        if (!stop.signal.aborted) throw error;
        this.app.say('Nothing was saved.');
      }
    });
    this.saving = null;
    this.app.changed();
  }
}
