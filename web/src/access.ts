// SPDX-License-Identifier: GPL-3.0-or-later
// The token that the server may ask for: where it is kept, who waits for it, and the addresses that must carry it.
import { browser, read, tab, write } from './storage';

const KEY = 'rookery.token';

export class Access {
  /** What the person is asked for a token with, and whether one was given that did not do. */
  asked: { readonly words: string; readonly wrong: boolean } | null = null;
  #token: string | null = null;
  #waiting: ((given: boolean) => void)[] = [];

  constructor(private readonly changed: () => void) {}

  get token(): string | null {
    return this.#token;
  }

  /** The token of this tab, or of this browser. */
  recall(): void {
    this.#token = read(tab, KEY) ?? read(browser, KEY);
  }

  /** Kept in this tab. */
  set(token: string): void {
    this.#token = token || null;
    write(tab, KEY, this.#token);
  }

  /** Asks the person; false where they put the question away. */
  ask(words: string): Promise<boolean> {
    this.asked ??= { words, wrong: this.#token !== null };
    this.changed();
    return new Promise(given => this.#waiting.push(given));
  }

  /** Kept in this tab; with `keep` in this browser, until another one is given without it. */
  give(token: string, keep: boolean): void {
    this.set(token);
    write(browser, KEY, keep ? token : null);
    this.#answered(true);
  }

  refuse(): void {
    this.#answered(false);
  }

  #answered(given: boolean): void {
    this.asked = null;
    for (const f of this.#waiting.splice(0)) f(given);
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
}
