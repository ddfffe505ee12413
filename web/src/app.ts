// SPDX-License-Identifier: GPL-3.0-or-later
// What the page knows besides the server's state, and everything a person can do. Views read it and call it; it renders nothing itself. What only one
// page knows, or what is an idea of its own, is in a class of its own: `access.ts`, `stage.ts`, `archive.ts`, `desk.ts`, `form.ts` and others.
import { Access } from './access';
import { Api, Failure, type RunAction } from './api';
import { Archive } from './archive';
import { Delay } from './delay';
import { Desk } from './desk';
import { Details } from './details';
import { Explorer } from './explorer';
import { Form } from './form';
import type { GameView, RunView, ServerMessage, TelemetryTable } from './generated/api';
import { Knowledge } from './knowledge';
import { Asked, words } from './loadable';
import { OldRuns } from './oldruns';
import { parse, takeToken, type Route } from './router';
import { copyText, saveText } from './save';
import { Socket, type ConnState } from './socket';
import { Sounds } from './sound';
import { Stage } from './stage';
import { alarms, type Alarm, apply, initial, type Outcome, type State } from './state';
import { browser, read, write } from './storage';

export type Theme = 'auto' | 'dark' | 'light';

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

const TOAST_MS = 5000;
/** The telemetry of a game that is played is asked for again at most so often. */
const TELEMETRY_MS = 5000;

/** One line each in the browser's storage. */
const line = (text: string) => text.replaceAll('\n', ' ');

export class App {
  state: State = initial;
  route: Route = { page: 'live' };
  conn: ConnState = 'connecting';
  readonly delay = new Delay();
  flipped = false;
  theme: Theme = 'auto';
  /** Alarms of runs that are over which a person has put away in this browser: the latest hundred. */
  #putAway: readonly string[] = (read(browser, 'rookery.put-away') ?? '').split('\n').filter(Boolean);
  readonly tables = new Asked<TelemetryTable>(() => this.changed());
  readonly access = new Access(() => this.changed());
  readonly details = new Details(this);
  readonly stage = new Stage(this);
  readonly archive = new Archive(this);
  readonly old = new OldRuns(this);
  readonly explorer = new Explorer(this);
  readonly sounds = new Sounds();
  readonly knowledge = new Knowledge(() => this.changed());
  /** The board's page that is open. */
  desk: Desk | null = null;
  /** The form of a new run; kept while it is not sent, so that a look at another page costs nothing. */
  form: Form | null = null;
  question: Question | null = null;
  busy: { run: number; action: RunAction } | null = null;
  toast: Toast | null = null;

  readonly api: Api;
  #socket: Socket;
  #render: () => void;
  #toastTimer: ReturnType<typeof setTimeout> | null = null;
  #connectedAt = 0;
  #renewed = 0;
  /** Server times of plies that are in the state and not on the screen yet. */
  #unshown: number[] = [];

  constructor(render: () => void) {
    this.#render = render;
    this.api = new Api(
      () => this.access.token,
      words => this.access.ask(words),
    );
    this.#socket = new Socket({
      url: this.access.socketUrl('./ws', false),
      make: address => new WebSocket(address) as never,
      token: () => this.access.token,
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
    this.access.recall();
    const theme = read(browser, 'rookery.theme');
    if (theme === 'dark' || theme === 'light') this.theme = theme;
    this.stage.recall();
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
      this.details.missed();
      this.tables.renew();
      void this.archive.renew();
    }
    const { state, outcome } = apply(this.state, message);
    if (outcome !== 'applied') return outcome;
    if (message.type === 'delta') {
      this.delay.heard(message.at, here);
      // What follows a resumption was sent again and says nothing about the delay.
      if (message.change.kind === 'ply' && here - this.#connectedAt > 1000) this.#unshown.push(message.change.ply.at);
      if (message.change.kind === 'ply') this.#measured(message.change.game, here);
      if (message.change.kind === 'link') this.details.heard(message.change);
      if (message.change.kind === 'game_ended') this.#ended(message.change.game);
      if (message.change.kind === 'flash') this.desk?.flashed(message.change.flash);
      this.sounds.heard(message.change, this.stage.shown);
    }
    this.state = state;
    this.#openDesk();
    this.stage.follow();
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
    this.details.ended(game.id);
    this.tables.renew();
    this.archive.ended(game);
    this.explorer.gameEnded();
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
    this.details.retryFailed();
    this.tables.forgetFailed();
    this.archive.retryFailed();
    this.explorer.again();
  }

  // ---- what a person does ----

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
      this.access.set(taken.token);
      history.replaceState(null, '', taken.rest);
    }
    const route = parse(location.hash);
    const samePage = route.page === this.route.page && (route.page !== 'game' || this.route.page !== 'game' || route.id === this.route.id);
    if (!samePage) {
      this.stage.stop();
      if (route.page === 'live') this.stage.toPresent();
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
    if (route.page === 'live') this.stage.follow();
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

  giveToken(token: string, keep: boolean): void {
    this.access.give(token, keep);
    this.#retryFailed();
    if (this.conn !== 'connected') this.reconnect();
  }

  /** Without a token there may be nothing to see: no more is asked until the person does. */
  cancelToken(): void {
    this.access.refuse();
    if (this.conn !== 'connected') this.#socket.stop();
  }
}
