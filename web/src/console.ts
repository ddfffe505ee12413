// SPDX-License-Identifier: GPL-3.0-or-later
// The raw traffic of a board's link as it comes, and what a person says to the board. The lines are pure; `Console` has the WebSocket.
import type { ConsoleMessage, ConsoleSay, RawLineView } from './generated/api';

/** What stands in the console: a line of the link, or an answer to the person, or words of ours. */
export type Entry =
  | { readonly kind: 'line'; readonly key: number; readonly line: RawLineView }
  | { readonly kind: 'note'; readonly key: number; readonly at: number; readonly text: string; readonly bad: boolean };

/** As many as the server keeps, and as many again of what came since. */
export const KEPT = 2048;

export interface Log {
  readonly entries: readonly Entry[];
  readonly next: number;
}

export const empty: Log = { entries: [], next: 0 };

export function heard(log: Log, message: ConsoleMessage, now: number): Log {
  switch (message.type) {
    case 'line':
      return add(log, { kind: 'line', key: log.next, line: message });
    case 'missed':
      return note(log, message.lines === 1 ? 'A line came faster than this page took it and is not here.' : `${message.lines.toLocaleString('en')} lines came faster than this page took them and are not here.`, true, now);
    case 'answer':
      return note(log, message.said ? `${message.said} → ${message.text}` : message.text, !message.sent, now);
    default:
      // A newer server may send kinds of messages this page does not know.
      return log;
  }
}

export const note = (log: Log, text: string, bad: boolean, at: number): Log => add(log, { kind: 'note', key: log.next, at, text, bad });

function add(log: Log, entry: Entry): Log {
  return { entries: [...log.entries.slice(log.entries.length >= KEPT ? 1 : 0), entry], next: log.next + 1 };
}

export type Way = 'both' | 'in' | 'out';

/** Lines whose text, bytes or meaning have every word of the filter; what was said to the person always stays. */
export function filtered(log: Log, filter: string, way: Way, noise: boolean): readonly Entry[] {
  const wanted = filter.toLowerCase().split(/\s+/).filter(Boolean);
  if (wanted.length === 0 && way === 'both' && noise) return log.entries;
  return log.entries.filter(e => {
    if (e.kind === 'note') return true;
    if (way !== 'both' && e.line.way !== way) return false;
    if (!noise && e.line.meaning === null) return false;
    const text = `${e.line.text}\n${e.line.hex}\n${e.line.meaning ?? ''}`.toLowerCase();
    return wanted.every(w => text.includes(w));
  });
}

const RETRY_MS = 2000;

export class Console {
  log: Log = empty;
  open = false;
  #ws: WebSocket | null = null;
  #retry: ReturnType<typeof setTimeout> | null = null;
  #closed = false;

  constructor(
    private readonly url: () => string,
    private readonly changed: () => void,
  ) {
    this.#connect();
  }

  #connect(): void {
    const ws = new WebSocket(this.url());
    this.#ws = ws;
    ws.onopen = () => {
      // The server begins with the lines that it keeps: those that are here would stand there twice.
      this.log = { ...empty, next: this.log.next };
      this.open = true;
      this.changed();
    };
    ws.onmessage = event => {
      this.log = heard(this.log, JSON.parse(String(event.data)) as ConsoleMessage, Date.now());
      this.changed();
    };
    ws.onclose = () => {
      this.open = false;
      this.changed();
      if (!this.#closed) this.#retry = setTimeout(() => this.#connect(), RETRY_MS);
    };
  }

  say(say: string, force: boolean): boolean {
    if (!this.open || !this.#ws) return false;
    const message: ConsoleSay = { say, force };
    this.#ws.send(JSON.stringify(message));
    return true;
  }

  clear(): void {
    this.log = { ...empty, next: this.log.next };
    this.changed();
  }

  close(): void {
    this.#closed = true;
    if (this.#retry !== null) clearTimeout(this.#retry);
    this.#ws?.close();
  }
}
