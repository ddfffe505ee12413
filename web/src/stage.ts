// SPDX-License-Identifier: GPL-3.0-or-later
// The game on the stage, the ply of it that is looked at, and playing it through.
import type { App } from './app';
import type { GameView, IncidentView, LiveGame, PlyView } from './generated/api';
import type { Loadable } from './loadable';
import { format } from './router';
import { findGame, follow } from './state';
import { browser, read, write } from './storage';

/** A game on the stage, from wherever its plies came. */
export interface Subject {
  readonly game: GameView;
  readonly plies: readonly PlyView[];
  readonly live: LiveGame | null;
  readonly incidents: readonly IncidentView[];
}

/** How many times as fast a game is played through. */
export const SPEEDS: readonly number[] = [0.5, 1, 2, 4];
const AUTOPLAY_MS = 700;
const SPEED_KEY = 'rookery.speed';

export class Stage {
  /** The game of the live view. */
  shown: number | null = null;
  /** The finished game whose result card was put away. */
  dismissed: number | null = null;
  speed = 1;
  /** An earlier ply of the live view's game, where the person looks at one. */
  #browse: number | null = null;
  #autoplay: ReturnType<typeof setInterval> | null = null;

  constructor(private readonly app: Pick<App, 'state' | 'route' | 'details' | 'changed'>) {}

  /** The speed of the last visit. */
  recall(): void {
    this.setSpeed(Number(read(browser, SPEED_KEY) ?? 1));
  }

  /** The game on the stage of the current page; fetches it where it is not here. */
  subject(): Loadable<Subject> | null {
    const { route } = this.app;
    const id = route.page === 'live' ? this.shown : route.page === 'game' ? route.id : null;
    if (id === null) return null;
    const live = findGame(this.app.state, id);
    const playing = live !== undefined && live.game.state === 'playing';
    // A live game's plies come by themselves; its incidents are asked for only on its own page.
    const detail = route.page === 'live' && live ? undefined : this.app.details.of(id);
    const incidents = detail?.at === 'here' ? detail.value.incidents : [];
    if (live) return { at: 'here', value: { game: live.game, plies: live.plies, live: playing ? live : null, incidents } };
    if (!detail || detail.at === 'loading') return { at: 'loading' };
    if (detail.at === 'failed') return detail;
    return { at: 'here', value: { game: detail.value.game, plies: detail.value.plies, live: null, incidents } };
  }

  /** Shows the game that is worth watching, unless somebody looks at another one. */
  follow(): void {
    const { state } = this.app;
    // Somebody who looks at an earlier move of a finished game is not pulled away from it.
    const resting = this.shown !== null && !state.live.some(l => l.game.id === this.shown);
    if (resting && this.#browse !== null && this.shown !== null && findGame(state, this.shown)) return;
    const next = follow(state, this.shown);
    if (next === this.shown) return;
    this.shown = next;
    this.#browse = null;
    this.stop();
  }

  show(game: number): void {
    this.shown = game;
    this.#browse = null;
    this.stop();
    this.app.changed();
  }

  /** Whoever comes back to the live view wants to see what is live. */
  toPresent(): void {
    this.#browse = null;
  }

  dismiss(game: number): void {
    this.dismissed = game;
    this.app.changed();
  }

  // ---- the ply ----

  /** The ply on the screen. */
  ply(subject: Subject): number {
    const { route } = this.app;
    const wanted = route.page === 'game' ? route.ply : this.#browse;
    return Math.min(wanted ?? subject.plies.length, subject.plies.length);
  }

  goTo(ply: number): void {
    this.stop();
    this.#goTo(ply);
  }

  #goTo(ply: number): void {
    const subject = this.subject();
    if (subject?.at !== 'here') return;
    const { route } = this.app;
    const last = subject.value.plies.length;
    const to = Math.max(0, Math.min(ply, last));
    // At the last move of a game that is played, "the last move" is meant, not this one for ever.
    const follows = to === last && (subject.value.live !== null || route.page === 'live');
    if (route.page === 'game') {
      this.app.route = { ...route, ply: follows ? null : to };
      history.replaceState(null, '', format(this.app.route));
    } else {
      this.#browse = follows ? null : to;
      if (follows) this.follow();
    }
    this.app.changed();
  }

  step(by: number): void {
    const subject = this.subject();
    if (subject?.at === 'here') this.goTo(this.ply(subject.value) + by);
  }

  // ---- playing through ----

  get autoplay(): boolean {
    return this.#autoplay !== null;
  }

  toggleAutoplay(): void {
    if (this.autoplay) {
      this.stop();
      this.app.changed();
      return;
    }
    const subject = this.subject();
    if (subject?.at !== 'here' || subject.value.plies.length === 0) return;
    if (this.ply(subject.value) >= subject.value.plies.length) this.#goTo(0);
    this.#start();
    this.app.changed();
  }

  #start(): void {
    this.#autoplay = setInterval(() => this.#playNext(), AUTOPLAY_MS / this.speed);
  }

  #playNext(): void {
    const now = this.subject();
    if (now?.at !== 'here') return this.stop();
    const next = this.ply(now.value) + 1;
    this.#goTo(next);
    if (next >= now.value.plies.length) {
      this.stop();
      this.app.changed();
    }
  }

  stop(): void {
    if (this.#autoplay !== null) clearInterval(this.#autoplay);
    this.#autoplay = null;
  }

  /** Kept for the next visit. */
  setSpeed(speed: number): void {
    this.speed = SPEEDS.includes(speed) ? speed : 1;
    write(browser, SPEED_KEY, this.speed === 1 ? null : String(this.speed));
    if (this.autoplay) {
      this.stop();
      this.#start();
    }
    this.app.changed();
  }

  stepSpeed(by: number): void {
    const at = SPEEDS.indexOf(this.speed) + by;
    this.setSpeed(SPEEDS[Math.max(0, Math.min(at, SPEEDS.length - 1))]!);
  }
}
