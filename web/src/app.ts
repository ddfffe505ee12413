// SPDX-License-Identifier: GPL-3.0-or-later
// What the page knows besides the server's state, and everything a person can do. Views read it and call it; it renders nothing itself.
import { Api, Failure, type RunAction } from './api';
import { Delay } from './delay';
import type { GameDetail, GameView, IncidentView, LiveGame, PlyView, RunView, ServerMessage } from './generated/api';
import { format, parse, takeToken, type Route } from './router';
import { Socket, type ConnState } from './socket';
import { apply, findGame, follow, initial, type Outcome, type State } from './state';

export type Theme = 'auto' | 'dark' | 'light';

export type Loadable<T> = { readonly at: 'loading' } | { readonly at: 'failed'; readonly error: string } | { readonly at: 'here'; readonly value: T };

/** A game on the stage, from wherever its plies came. */
export interface Subject {
  readonly game: GameView;
  readonly plies: readonly PlyView[];
  readonly live: LiveGame | null;
  readonly incidents: readonly IncidentView[];
}

export interface GameList {
  readonly run: number | null;
  readonly games: readonly GameView[];
  readonly next: number | null;
  readonly loading: boolean;
  readonly error: string | null;
}

export interface Toast {
  readonly text: string;
  readonly bad: boolean;
}

const AUTOPLAY_MS = 700;
const TOAST_MS = 5000;
const PAGE = 50;
/** Details of games kept in memory: enough to go back and forth, few enough for a page that stays open for weeks. */
const KEPT_DETAILS = 20;

export class App {
  state: State = initial;
  route: Route = { page: 'live' };
  conn: ConnState = 'connecting';
  readonly delay = new Delay();
  flipped = false;
  theme: Theme = 'auto';
  /** The game of the live view. */
  shown: number | null = null;
  /** An earlier ply of the live view's game, where the person looks at one. */
  browse: number | null = null;
  autoplay = false;
  /** The finished game whose result card was put away. */
  dismissed: number | null = null;
  details = new Map<number, Loadable<GameDetail>>();
  list: GameList | null = null;
  tokenAsked: { wrong: boolean } | null = null;
  stopAsked: RunView | null = null;
  busy: { run: number; action: RunAction } | null = null;
  toast: Toast | null = null;

  readonly api: Api;
  #socket: Socket;
  #render: () => void;
  #token: string | null = null;
  #autoplayTimer: ReturnType<typeof setInterval> | null = null;
  #toastTimer: ReturnType<typeof setTimeout> | null = null;
  #connectedAt = 0;
  /** Server times of plies that are in the state and not on the screen yet. */
  #unshown: number[] = [];

  constructor(render: () => void) {
    this.#render = render;
    this.api = new Api(
      () => this.#token,
      () => this.#askToken(),
    );
    const url = new URL('./ws', location.href);
    url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
    url.hash = url.search = '';
    this.#socket = new Socket({
      url: url.href,
      make: address => new WebSocket(address) as never,
      token: () => this.#token,
      position: () => (this.state.epoch === null ? null : { epoch: this.state.epoch, seq: this.state.seq }),
      onMessage: message => this.#message(message),
      onState: conn => {
        if (conn === 'connected' && this.conn !== 'connected') {
          this.#connectedAt = Date.now();
          this.#retryFailed();
        }
        this.conn = conn;
        this.changed();
      },
      // A WebSocket does not say why it was refused; an ordinary request does, and asks for the token where that is the reason.
      onRefused: () => void this.api.boards().catch(() => {}),
    });
  }

  start(): void {
    this.#token = read(sessionStorage, 'rookery.token');
    const theme = read(localStorage, 'rookery.theme');
    if (theme === 'dark' || theme === 'light') this.theme = theme;
    this.navigated();
    this.#socket.start();
  }

  changed(): void {
    this.#render();
  }

  // ---- the server ----

  #message(message: ServerMessage): Outcome {
    const here = Date.now();
    if (message.type === 'snapshot') {
      if (message.epoch !== this.state.epoch) this.delay.reset();
      this.delay.heard(message.now, here);
    }
    const { state, outcome } = apply(this.state, message);
    if (outcome !== 'applied') return outcome;
    if (message.type === 'delta') {
      this.delay.heard(message.at, here);
      // What follows a resumption was sent again and says nothing about the delay.
      if (message.change.kind === 'ply' && here - this.#connectedAt > 1000) this.#unshown.push(message.change.ply.at);
      if (message.change.kind === 'game_ended') this.#ended(message.change.game);
    }
    this.state = state;
    this.#follow();
    this.changed();
    return outcome;
  }

  #ended(game: GameView): void {
    // Fetched anew when somebody looks: the incidents and the end are only in the database's version.
    this.details.delete(game.id);
    if (this.list && (this.list.run === null || this.list.run === game.run) && !this.list.games.some(g => g.id === game.id)) {
      this.list = { ...this.list, games: [game, ...this.list.games] };
    } else if (this.list) {
      this.list = { ...this.list, games: this.list.games.map(g => (g.id === game.id ? game : g)) };
    }
  }

  #follow(): void {
    // Somebody who looks at an earlier move of a finished game is not pulled away from it.
    const resting = this.shown !== null && !this.state.live.some(l => l.game.id === this.shown);
    if (resting && this.browse !== null && this.shown !== null && findGame(this.state, this.shown)) return;
    const next = follow(this.state, this.shown);
    if (next === this.shown) return;
    this.shown = next;
    this.browse = null;
    this.#stopAutoplay();
  }

  /** Called by the view when a frame is on the screen. */
  painted(): void {
    if (this.#unshown.length === 0) return;
    const here = Date.now();
    // A page in the background shows its plies when somebody comes back to it; that is not a delay of ours.
    if (document.visibilityState === 'visible') for (const at of this.#unshown) this.delay.shown(at, here);
    this.#unshown = [];
  }

  /** The server's clock now. */
  now(): number {
    return Date.now() - this.delay.correction;
  }

  wake(): void {
    this.#unshown = [];
    this.#socket.wake();
  }

  reconnect(): void {
    if (this.#socket.stopped) this.#socket.start();
    else this.#socket.again();
  }

  #retryFailed(): void {
    for (const [id, detail] of this.details) if (detail.at === 'failed') this.details.delete(id);
    if (this.list?.error) this.list = null;
  }

  // ---- games ----

  /** The game on the stage of the current page; fetches it where it is not here. */
  subject(): Loadable<Subject> | null {
    const id = this.route.page === 'live' ? this.shown : this.route.page === 'game' ? this.route.id : null;
    if (id === null) return null;
    const live = findGame(this.state, id);
    const playing = live !== undefined && live.game.state === 'playing';
    // A live game's plies come by themselves; its incidents are asked for only on its own page.
    const detail = this.route.page === 'live' && live ? undefined : this.detail(id);
    const incidents = detail?.at === 'here' ? detail.value.incidents : [];
    if (live) return { at: 'here', value: { game: live.game, plies: live.plies, live: playing ? live : null, incidents } };
    if (!detail || detail.at === 'loading') return { at: 'loading' };
    if (detail.at === 'failed') return detail;
    return { at: 'here', value: { game: detail.value.game, plies: detail.value.plies, live: null, incidents } };
  }

  detail(id: number): Loadable<GameDetail> {
    const have = this.details.get(id);
    if (have) return have;
    const loading: Loadable<GameDetail> = { at: 'loading' };
    this.details.set(id, loading);
    while (this.details.size > KEPT_DETAILS) this.details.delete(this.details.keys().next().value!);
    this.api
      .game(id)
      .then<Loadable<GameDetail>, Loadable<GameDetail>>(
        value => ({ at: 'here', value }),
        error => ({ at: 'failed', error: words(error) }),
      )
      .then(result => {
        if (this.details.get(id) === loading) this.details.set(id, result);
        this.changed();
      });
    return loading;
  }

  retryDetail(id: number): void {
    this.details.delete(id);
    this.changed();
  }

  /** The ply on the screen. */
  ply(subject: Subject): number {
    const wanted = this.route.page === 'game' ? this.route.ply : this.browse;
    return Math.min(wanted ?? subject.plies.length, subject.plies.length);
  }

  goTo(ply: number): void {
    this.#stopAutoplay();
    this.#goTo(ply);
  }

  #goTo(ply: number): void {
    const subject = this.subject();
    if (subject?.at !== 'here') return;
    const last = subject.value.plies.length;
    const to = Math.max(0, Math.min(ply, last));
    // At the last move of a game that is played, "the last move" is meant, not this one for ever.
    const follows = to === last && (subject.value.live !== null || this.route.page === 'live');
    if (this.route.page === 'game') {
      this.route = { ...this.route, ply: follows ? null : to };
      history.replaceState(null, '', format(this.route));
    } else {
      this.browse = follows ? null : to;
      if (follows) this.#follow();
    }
    this.changed();
  }

  step(by: number): void {
    const subject = this.subject();
    if (subject?.at === 'here') this.goTo(this.ply(subject.value) + by);
  }

  toggleAutoplay(): void {
    if (this.autoplay) {
      this.#stopAutoplay();
      this.changed();
      return;
    }
    const subject = this.subject();
    if (subject?.at !== 'here' || subject.value.plies.length === 0) return;
    if (this.ply(subject.value) >= subject.value.plies.length) this.#goTo(0);
    this.autoplay = true;
    this.#autoplayTimer = setInterval(() => {
      const now = this.subject();
      if (now?.at !== 'here') return this.#stopAutoplay();
      const next = this.ply(now.value) + 1;
      this.#goTo(next);
      if (next >= now.value.plies.length) {
        this.#stopAutoplay();
        this.changed();
      }
    }, AUTOPLAY_MS);
    this.changed();
  }

  #stopAutoplay(): void {
    if (this.#autoplayTimer !== null) clearInterval(this.#autoplayTimer);
    this.#autoplayTimer = null;
    this.autoplay = false;
  }

  show(game: number): void {
    this.shown = game;
    this.browse = null;
    this.#stopAutoplay();
    this.changed();
  }

  dismiss(game: number): void {
    this.dismissed = game;
    this.changed();
  }

  flip(): void {
    this.flipped = !this.flipped;
    this.changed();
  }

  async copyFen(fen: string): Promise<void> {
    await this.#copy(fen, 'The position (FEN) is copied.');
  }

  async copyPgn(id: number): Promise<void> {
    try {
      await this.#copy(await this.api.pgn(id), 'The game (PGN) is copied.');
    } catch (error) {
      this.say(words(error), true);
    }
  }

  async downloadPgn(id: number): Promise<void> {
    try {
      const text = await this.api.pgn(id);
      const url = URL.createObjectURL(new Blob([text], { type: 'application/x-chess-pgn' }));
      const link = document.createElement('a');
      link.href = url;
      link.download = `rookery-game-${id}.pgn`;
      link.click();
      setTimeout(() => URL.revokeObjectURL(url), 10_000);
    } catch (error) {
      this.say(words(error), true);
    }
  }

  async #copy(text: string, done: string): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      // No clipboard outside of https and loopback: the old way still works there.
      const area = document.createElement('textarea');
      area.value = text;
      area.style.position = 'fixed';
      area.style.opacity = '0';
      document.body.append(area);
      area.select();
      const ok = document.execCommand('copy');
      area.remove();
      if (!ok) return this.say('The browser does not allow copying here.', true);
    }
    this.say(done);
  }

  // ---- the list of games ----

  loadGames(run: number | null, more = false): void {
    const old = this.list;
    if (old && old.run === run && (old.loading || !more)) return;
    const before = more && old?.run === run ? old.next : null;
    const keep = more && old?.run === run ? old.games : [];
    const loading: GameList = { run, games: keep, next: before, loading: true, error: null };
    this.list = loading;
    this.api.games({ run, before, limit: PAGE }).then(
      page => {
        if (this.list?.run !== run) return;
        const have = new Set(this.list.games.map(g => g.id));
        this.list = {
          run,
          games: [...this.list.games, ...page.games.filter(g => !have.has(g.id))].sort((a, b) => b.id - a.id),
          next: page.next,
          loading: false,
          error: null,
        };
        this.changed();
      },
      error => {
        if (this.list?.run !== run) return;
        this.list = { ...this.list, loading: false, error: words(error) };
        this.changed();
      },
    );
  }

  retryGames(): void {
    this.list = null;
    this.changed();
  }

  // ---- runs ----

  async act(run: RunView, action: RunAction): Promise<void> {
    this.stopAsked = null;
    this.busy = { run: run.id, action };
    this.changed();
    try {
      await this.api.act(run.id, action);
      const done = { pause: 'is paused', resume: 'goes on', stop: 'is stopped' }[action];
      this.say(`“${run.name}” ${done}.`);
    } catch (error) {
      if (!(error instanceof Failure && error.status === 401)) this.say(words(error), true);
    }
    this.busy = null;
    this.changed();
  }

  askStop(run: RunView | null): void {
    this.stopAsked = run;
    this.changed();
  }

  // ---- the page ----

  navigated(): void {
    const taken = takeToken(location.hash);
    if (taken) {
      this.#setToken(taken.token);
      history.replaceState(null, '', taken.rest);
    }
    const route = parse(location.hash);
    const samePage = route.page === this.route.page && (route.page !== 'game' || this.route.page !== 'game' || route.id === this.route.id);
    if (!samePage) {
      this.#stopAutoplay();
      // Whoever comes back to the live view wants to see what is live.
      if (route.page === 'live') this.browse = null;
    }
    this.route = route;
    if (route.page === 'live') this.#follow();
    this.changed();
  }

  setTheme(theme: Theme): void {
    this.theme = theme;
    if (theme === 'auto') {
      delete document.documentElement.dataset['theme'];
      remove(localStorage, 'rookery.theme');
    } else {
      document.documentElement.dataset['theme'] = theme;
      write(localStorage, 'rookery.theme', theme);
    }
    this.changed();
  }

  say(text: string, bad = false): void {
    this.toast = { text, bad };
    if (this.#toastTimer !== null) clearTimeout(this.#toastTimer);
    this.#toastTimer = setTimeout(
      () => {
        this.toast = null;
        this.changed();
      },
      bad ? TOAST_MS * 2 : TOAST_MS,
    );
    this.changed();
  }

  #askToken(): void {
    this.tokenAsked ??= { wrong: this.#token !== null };
    this.changed();
  }

  giveToken(token: string): void {
    this.tokenAsked = null;
    this.#setToken(token);
    this.#retryFailed();
    this.reconnect();
    this.changed();
  }

  /** Without a token there is nothing to see: no more is asked until the person does. */
  cancelToken(): void {
    this.tokenAsked = null;
    if (this.conn !== 'connected') this.#socket.stop();
    this.changed();
  }

  #setToken(token: string): void {
    this.#token = token || null;
    if (token) write(sessionStorage, 'rookery.token', token);
    else remove(sessionStorage, 'rookery.token');
  }
}

function words(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

// Storage may be forbidden; the page does without it then.
function read(storage: Storage, key: string): string | null {
  try {
    return storage.getItem(key);
  } catch {
    return null;
  }
}

function write(storage: Storage, key: string, value: string): void {
  try {
    storage.setItem(key, value);
  } catch {
    // See above.
  }
}

function remove(storage: Storage, key: string): void {
  try {
    storage.removeItem(key);
  } catch {
    // See above.
  }
}
