// SPDX-License-Identifier: GPL-3.0-or-later
// What the page knows besides the server's state, and everything a person can do. Views read it and call it; it renders nothing itself. What only one
// page knows is in a class of its own: `archive.ts`, `desk.ts`, `form.ts`.
import { Api, Failure, type RunAction } from './api';
import { Archive } from './archive';
import { Delay } from './delay';
import { Desk } from './desk';
import { Explorer } from './explorer';
import { Form } from './form';
import type { Change, GameDetail, GameView, IncidentView, LinkEventView, LiveGame, PlyView, RunView, ServerMessage, TelemetryTable } from './generated/api';
import { Knowledge } from './knowledge';
import { Asked, words, type Loadable } from './loadable';
import { OldRuns } from './oldruns';
import { mergedEvents } from './replay';
import { format, parse, takeToken, type Route } from './router';
import { copyText, saveText } from './save';
import { Socket, type ConnState } from './socket';
import { Sounds } from './sound';
import { alarms, type Alarm, apply, findGame, follow, initial, type Outcome, type State } from './state';
import { browser, read, tab, write } from './storage';

export type { Loadable } from './loadable';
export type Theme = 'auto' | 'dark' | 'light';

/** A game on the stage, from wherever its plies came. */
export interface Subject {
  readonly game: GameView;
  readonly plies: readonly PlyView[];
  readonly live: LiveGame | null;
  readonly incidents: readonly IncidentView[];
}

export interface Toast {
  readonly text: string;
  readonly bad: boolean;
}

/** Something that is not done before the person has said so twice. */
export interface Question {
  readonly title: string;
  readonly text: string;
  readonly yes: string;
  readonly no: string;
  readonly act: () => void;
}

const AUTOPLAY_MS = 700;
/** How many times as fast a game is played through. */
export const SPEEDS = [0.5, 1, 2, 4] as const;
const TOAST_MS = 5000;
/** The telemetry of a game that is played is asked for again at most so often. */
const TELEMETRY_MS = 5000;
/** Details of games kept in memory: enough to go back and forth, few enough for a page that stays open for weeks. */
const KEPT_DETAILS = 20;

/** One line each in the browser's storage. */
const line = (text: string) => text.replaceAll('\n', ' ');

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
  speed: number = 1;
  /** The finished game whose result card was put away. */
  dismissed: number | null = null;
  /** Alarms of runs that are over which a person has put away in this browser: the latest hundred. */
  #putAway: readonly string[] = (read(browser, 'rookery.put-away') ?? '').split('\n').filter(Boolean);
  readonly details = new Asked<GameDetail>(() => this.changed(), KEPT_DETAILS);
  /** What happened on the links during games, as far as the server keeps it and as it was heard since. */
  readonly events = new Asked<{ kept: readonly LinkEventView[]; heard: readonly LinkEventView[]; all: readonly LinkEventView[] }>(() => this.changed(), KEPT_DETAILS);
  readonly tables = new Asked<TelemetryTable>(() => this.changed());
  readonly archive = new Archive(this);
  readonly old = new OldRuns(this);
  readonly explorer = new Explorer(this);
  readonly sounds = new Sounds();
  readonly knowledge = new Knowledge(() => this.changed());
  /** The board's page that is open. */
  desk: Desk | null = null;
  /** The form of a new run; kept while it is not sent, so that a look at another page costs nothing. */
  form: Form | null = null;
  tokenAsked: { words: string; wrong: boolean } | null = null;
  question: Question | null = null;
  busy: { run: number; action: RunAction } | null = null;
  toast: Toast | null = null;

  readonly api: Api;
  #socket: Socket;
  #render: () => void;
  #token: string | null = null;
  #tokenWanted: ((given: boolean) => void)[] = [];
  #autoplayTimer: ReturnType<typeof setInterval> | null = null;
  #toastTimer: ReturnType<typeof setTimeout> | null = null;
  #connectedAt = 0;
  #renewed = 0;
  /** Server times of plies that are in the state and not on the screen yet. */
  #unshown: number[] = [];

  constructor(render: () => void) {
    this.#render = render;
    this.api = new Api(
      () => this.#token,
      words => this.#askToken(words),
    );
    this.#socket = new Socket({
      url: this.socketUrl('./ws', false),
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
    this.#token = read(tab, 'rookery.token') ?? read(browser, 'rookery.token');
    const theme = read(browser, 'rookery.theme');
    if (theme === 'dark' || theme === 'light') this.theme = theme;
    this.setSpeed(Number(read(browser, 'rookery.speed') ?? 1));
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
      // What happened meanwhile was not heard.
      this.events.forgetAll();
      this.tables.renew();
      this.details.renew();
      void this.archive.renew();
    }
    const { state, outcome } = apply(this.state, message);
    if (outcome !== 'applied') return outcome;
    if (message.type === 'delta') {
      this.delay.heard(message.at, here);
      // What follows a resumption was sent again and says nothing about the delay.
      if (message.change.kind === 'ply' && here - this.#connectedAt > 1000) this.#unshown.push(message.change.ply.at);
      if (message.change.kind === 'ply') this.#measured(message.change.game, here);
      if (message.change.kind === 'link') this.#heard(message.change);
      if (message.change.kind === 'game_ended') this.#ended(message.change.game);
      if (message.change.kind === 'flash') this.desk?.flashed(message.change.flash);
      this.sounds.heard(message.change, this.shown);
    }
    this.state = state;
    this.#openDesk();
    this.#follow();
    this.changed();
    return outcome;
  }

  /** A board's page asks for much, and again when it is refused: only where there is such a board. */
  #openDesk(): void {
    const { route } = this;
    if (route.page === 'board' && this.desk === null && this.state.boards.some(b => b.id === route.id)) this.desk = new Desk(this, route.id);
  }

  /** The curves of a game that is played grow with it, though not with every ply of a quick one. */
  #measured(game: number, here: number): void {
    const { route } = this;
    if (route.page !== 'telemetry' || (route.a !== `game=${game}` && route.b !== `game=${game}`)) return;
    if (here - this.#renewed < TELEMETRY_MS) return;
    this.#renewed = here;
    this.tables.renew();
  }

  #ended(game: GameView): void {
    // Fetched anew when somebody looks: the incidents and the end are only in the database's version.
    this.details.forget(String(game.id));
    this.events.forget(String(game.id));
    this.tables.renew();
    this.archive.ended(game);
    this.explorer.gameEnded();
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
    this.details.forgetFailed();
    this.events.forgetFailed();
    this.tables.forgetFailed();
    this.archive.retryFailed();
    this.explorer.again();
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

  /** What happened on the board's link during a game, each once; empty until the server has answered. */
  linkEvents(game: GameView): readonly LinkEventView[] {
    if (game.board === null) return [];
    const heard = () => this.state.links.filter(l => l.game === game.id);
    const known = this.events.get(String(game.id), async () => {
      const kept = await this.api.events(game.id);
      return { kept, heard: heard(), all: mergedEvents(kept, heard()) };
    });
    return known.at === 'here' ? known.value.all : heard();
  }

  #heard({ at, game, event, detail }: Extract<Change, { kind: 'link' }>): void {
    if (game === null) return;
    this.events.amend(String(game), ({ kept, heard: before }) => {
      const heard = [...before, { at, event, detail }];
      return { kept, heard, all: mergedEvents(kept, heard) };
    });
  }

  detail(id: number): Loadable<GameDetail> {
    return this.details.get(String(id), () => this.api.game(id));
  }

  retryDetail(id: number): void {
    this.details.forget(String(id));
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
    this.#autoplayTimer = setInterval(() => this.#playNext(), AUTOPLAY_MS / this.speed);
    this.changed();
  }

  #playNext(): void {
    const now = this.subject();
    if (now?.at !== 'here') return this.#stopAutoplay();
    const next = this.ply(now.value) + 1;
    this.#goTo(next);
    if (next >= now.value.plies.length) {
      this.#stopAutoplay();
      this.changed();
    }
  }

  /** Kept for the next visit. */
  setSpeed(speed: number): void {
    this.speed = (SPEEDS as readonly number[]).includes(speed) ? speed : 1;
    write(browser, 'rookery.speed', this.speed === 1 ? null : String(this.speed));
    if (this.#autoplayTimer !== null) {
      clearInterval(this.#autoplayTimer);
      this.#autoplayTimer = setInterval(() => this.#playNext(), AUTOPLAY_MS / this.speed);
    }
    this.changed();
  }

  stepSpeed(by: number): void {
    const at = (SPEEDS as readonly number[]).indexOf(this.speed) + by;
    this.setSpeed(SPEEDS[Math.max(0, Math.min(at, SPEEDS.length - 1))]!);
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

  async copy(text: string | Promise<string>, done: string): Promise<void> {
    await this.attempt(async () => {
      if (await copyText(await text)) this.say(done);
      else this.say('The browser does not allow copying here.', true);
    });
  }

  downloadPgn(id: number): Promise<void> {
    return this.attempt(async () => saveText(await this.api.pgn(id), `rookery-game-${id}.pgn`, 'application/x-chess-pgn'));
  }

  /** Does something that may fail, and says why it did. */
  async attempt(what: () => Promise<void>): Promise<void> {
    try {
      await what();
    } catch (error) {
      // Whoever put the question for a token away knows why nothing happened.
      if (!(error instanceof Failure && error.status === 401)) this.say(words(error), true);
    }
    this.changed();
  }

  /** {@link attempt}, with those who would do it a second time told to wait. */
  async busily(who: { busy: boolean }, what: () => Promise<void>): Promise<void> {
    who.busy = true;
    this.changed();
    await this.attempt(what);
    who.busy = false;
    this.changed();
  }

  // ---- runs ----

  async act(run: RunView, action: RunAction): Promise<void> {
    this.busy = { run: run.id, action };
    this.changed();
    await this.attempt(async () => {
      await this.api.act(run.id, action);
      const done = { pause: 'is paused', resume: 'goes on', stop: 'ends after the games that are being played', abort: 'is aborted', next: 'has the next board that is free' }[action];
      this.say(`“${run.name}” ${done}.`);
    });
    this.busy = null;
    this.changed();
  }

  ask(question: Question | null): void {
    this.question = question;
    this.changed();
  }

  answerYes(): void {
    const question = this.question;
    this.question = null;
    question?.act();
    this.changed();
  }

  // ---- the page ----

  /** What is wrong, but for what the person has put away. */
  alarms(): Alarm[] {
    return alarms(this.state).filter(a => !(a.past && this.#putAway.includes(line(a.key))));
  }

  putAway(alarm: Alarm): void {
    this.#putAway = [...this.#putAway, line(alarm.key)].slice(-100);
    write(browser, 'rookery.put-away', this.#putAway.join('\n'));
    this.changed();
  }

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
    const board = route.page === 'board' ? route.id : null;
    if (this.desk?.board !== board) {
      this.desk?.close();
      this.desk = null;
      this.#openDesk();
    }
    if (route.page === 'new' && (this.form === null || (route.like !== null && this.form.like !== route.like))) this.form = new Form(this, route.like);
    if (route.page === 'book') this.explorer.arrived(route, samePage);
    if (route.page === 'live') this.#follow();
    if (route.page === 'games' && !samePage) void this.archive.renew();
    if (!samePage) scrollTo(0, 0);
    this.changed();
  }

  setTheme(theme: Theme): void {
    this.theme = theme;
    if (theme === 'auto') {
      delete document.documentElement.dataset['theme'];
      write(browser, 'rookery.theme', null);
    } else {
      document.documentElement.dataset['theme'] = theme;
      write(browser, 'rookery.theme', theme);
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

  #askToken(words: string): Promise<boolean> {
    this.tokenAsked ??= { words, wrong: this.#token !== null };
    this.changed();
    return new Promise(given => this.#tokenWanted.push(given));
  }

  #tokenAnswered(given: boolean): void {
    this.tokenAsked = null;
    for (const f of this.#tokenWanted.splice(0)) f(given);
  }

  /** Kept in this tab; with `keep` in this browser, until another one is given without it. */
  giveToken(token: string, keep: boolean): void {
    this.#setToken(token);
    write(browser, 'rookery.token', keep ? token : null);
    this.#tokenAnswered(true);
    this.#retryFailed();
    if (this.conn !== 'connected') this.reconnect();
    this.changed();
  }

  /** Without a token there may be nothing to see: no more is asked until the person does. */
  cancelToken(): void {
    this.#tokenAnswered(false);
    if (this.conn !== 'connected') this.#socket.stop();
    this.changed();
  }

  /** A WebSocket's address beside the page, with the token that a WebSocket can only carry there. */
  socketUrl(path: string, withToken = true): string {
    const url = new URL(path, location.href);
    url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
    url.hash = url.search = '';
    if (withToken && this.#token) url.searchParams.set('token', this.#token);
    return url.href;
  }

  #setToken(token: string): void {
    this.#token = token || null;
    write(tab, 'rookery.token', token || null);
  }
}
