// SPDX-License-Identifier: GPL-3.0-or-later
// The WebSocket: connects, resumes where it was, backs off, and says what it is doing. It knows no chess and no DOM.
import type { ServerMessage } from './generated/api';
import type { Outcome } from './state';

/** The part of a WebSocket that is used; a test gives its own. */
export interface WebSocketLike {
  onopen: ((event: never) => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: ((event: never) => void) | null;
  onerror: ((event: never) => void) | null;
  close(): void;
}

export interface Timers {
  set(f: () => void, ms: number): number;
  clear(id: number): void;
}

export type ConnState = 'connecting' | 'connected' | 'reconnecting' | 'offline';

export interface SocketOptions {
  /** The address without its query. */
  url: string;
  make(url: string): WebSocketLike;
  token(): string | null;
  /** From where to resume; `null` asks for a snapshot. */
  position(): { epoch: string; seq: number } | null;
  onMessage(message: ServerMessage): Outcome;
  onState(state: ConnState): void;
  /** A connection failed before it was open: the reason may be a missing token, which only an HTTP request can tell. */
  onRefused?(): void;
  timers?: Timers;
  random?(): number;
  now?(): number;
}

export const BACKOFF_FIRST_MS = 500;
export const BACKOFF_LAST_MS = 8000;
/** Connections that hang half-way, and lines on which nothing came for long while the page slept, are made anew. */
const OPEN_TIMEOUT_MS = 10_000;
const STALE_MS = 30_000;

const windowTimers: Timers = {
  set: (f, ms) => setTimeout(f, ms) as unknown as number,
  clear: id => clearTimeout(id),
};

export class Socket {
  readonly #o: SocketOptions;
  readonly #timers: Timers;
  #ws: WebSocketLike | null = null;
  #retry: number | null = null;
  #guard: number | null = null;
  #backoff = BACKOFF_FIRST_MS;
  #everConnected = false;
  #fresh = false;
  #stopped = true;
  #lastHeard = 0;

  constructor(options: SocketOptions) {
    this.#o = options;
    this.#timers = options.timers ?? windowTimers;
  }

  /** Does nothing where it was started already. */
  start(): void {
    if (!this.#stopped) return;
    this.#stopped = false;
    this.#open();
  }

  get stopped(): boolean {
    return this.#stopped;
  }

  stop(): void {
    this.#stopped = true;
    this.#drop();
    this.#o.onState('offline');
  }

  /** Connects at once, for example when the network is back or a token was given. */
  again(): void {
    if (this.#stopped) return;
    this.#backoff = BACKOFF_FIRST_MS;
    this.#drop();
    this.#open();
  }

  /** The page was asleep: a line that may have died unnoticed is made anew. Resuming costs next to nothing. */
  wake(): void {
    if (this.#stopped) return;
    if (this.#ws === null) return this.again();
    if (this.#now() - this.#lastHeard > STALE_MS) this.again();
  }

  #now(): number {
    return this.#o.now?.() ?? Date.now();
  }

  #open(): void {
    this.#o.onState(this.#everConnected ? 'reconnecting' : 'connecting');
    const query = new URLSearchParams();
    const position = this.#fresh ? null : this.#o.position();
    if (position) {
      query.set('epoch', position.epoch);
      query.set('since', String(position.seq));
    }
    const token = this.#o.token();
    if (token) query.set('token', token);
    const text = query.toString();

    let ws: WebSocketLike;
    try {
      ws = this.#o.make(text ? `${this.#o.url}?${text}` : this.#o.url);
    } catch {
      this.#later();
      return;
    }
    this.#ws = ws;
    let opened = false;
    this.#guard = this.#timers.set(() => this.#failed(ws, opened), OPEN_TIMEOUT_MS);
    ws.onopen = () => {
      opened = true;
    };
    ws.onmessage = event => {
      if (this.#ws === ws) this.#heard(ws, event.data);
    };
    ws.onclose = () => this.#failed(ws, opened);
    ws.onerror = () => this.#failed(ws, opened);
  }

  #heard(ws: WebSocketLike, data: unknown): void {
    this.#lastHeard = this.#now();
    let message: ServerMessage | null = null;
    try {
      const value: unknown = typeof data === 'string' ? JSON.parse(data) : null;
      if (typeof value === 'object' && value !== null && 'type' in value) message = value as ServerMessage;
    } catch {
      // Handled below: what cannot be read cannot be skipped either.
    }
    const outcome = message === null ? 'resync' : this.#o.onMessage(message);
    if (outcome === 'resync') {
      this.#fresh = true;
      this.#failed(ws, true);
      return;
    }
    if (this.#guard !== null && (message?.type === 'snapshot' || message?.type === 'resumed')) {
      this.#timers.clear(this.#guard);
      this.#guard = null;
      this.#backoff = BACKOFF_FIRST_MS;
      this.#fresh = false;
      this.#everConnected = true;
      this.#o.onState('connected');
    }
  }

  #failed(ws: WebSocketLike, opened: boolean): void {
    if (this.#ws !== ws) return;
    this.#drop();
    if (this.#stopped) return;
    if (!opened) this.#o.onRefused?.();
    // The owner may have stopped or restarted this socket in its answer.
    if (this.#stopped || this.#ws !== null) return;
    this.#later();
  }

  #later(): void {
    this.#o.onState(this.#everConnected ? 'reconnecting' : 'connecting');
    // Many pages must not come back in step after a restart of the server.
    const wait = this.#backoff * (0.8 + 0.4 * (this.#o.random?.() ?? Math.random()));
    this.#backoff = Math.min(this.#backoff * 2, BACKOFF_LAST_MS);
    this.#retry = this.#timers.set(() => {
      this.#retry = null;
      this.#open();
    }, wait);
  }

  #drop(): void {
    if (this.#retry !== null) this.#timers.clear(this.#retry);
    if (this.#guard !== null) this.#timers.clear(this.#guard);
    this.#retry = this.#guard = null;
    const ws = this.#ws;
    this.#ws = null;
    if (!ws) return;
    ws.onopen = ws.onmessage = ws.onclose = ws.onerror = null;
    ws.close();
  }
}
