// SPDX-License-Identifier: GPL-3.0-or-later
// What the server keeps of single games: their plies and incidents, and what happened on their boards' links.
import type { App } from './app';
import type { Change, GameDetail, GameView, LinkEventView } from './generated/api';
import { Asked, type Loadable } from './loadable';
import { mergedEvents } from './replay';

/** Enough to go back and forth, few enough for a page that stays open for weeks. */
const KEPT = 20;

/** The events of a game's link as the server keeps them and as they were heard since. */
interface Events {
  readonly kept: readonly LinkEventView[];
  readonly heard: readonly LinkEventView[];
  readonly all: readonly LinkEventView[];
}

export class Details {
  readonly #games = new Asked<GameDetail>(() => this.app.changed(), KEPT);
  readonly #events = new Asked<Events>(() => this.app.changed(), KEPT);

  constructor(private readonly app: Pick<App, 'api' | 'state' | 'changed'>) {}

  of(game: number): Loadable<GameDetail> {
    return this.#games.get(String(game), () => this.app.api.game(game));
  }

  /** What happened on the board's link during a game, each once; until the server has answered, what was heard. */
  events(game: GameView): readonly LinkEventView[] {
    if (game.board === null) return [];
    const heard = () => this.app.state.links.filter(l => l.game === game.id);
    const known = this.#events.get(String(game.id), async () => {
      const kept = await this.app.api.events(game.id);
      return { kept, heard: heard(), all: mergedEvents(kept, heard()) };
    });
    return known.at === 'here' ? known.value.all : heard();
  }

  heard({ at, game, event, detail }: Extract<Change, { kind: 'link' }>): void {
    if (game === null) return;
    this.#events.amend(String(game), ({ kept, heard: before }) => {
      const heard = [...before, { at, event, detail }];
      return { kept, heard, all: mergedEvents(kept, heard) };
    });
  }

  /** Asks anew when somebody looks: the incidents and the end are only in the database's version. */
  ended(game: number): void {
    this.#games.forget(String(game));
    this.#events.forget(String(game));
  }

  /** What happened meanwhile was not heard. */
  missed(): void {
    this.#games.renew();
    this.#events.forgetAll();
  }

  retry(game: number): void {
    this.#games.forget(String(game));
    this.app.changed();
  }

  retryFailed(): void {
    this.#games.forgetFailed();
    this.#events.forgetFailed();
  }
}
