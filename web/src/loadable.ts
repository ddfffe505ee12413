// SPDX-License-Identifier: GPL-3.0-or-later
// Something that is asked of the server.

export type Loadable<T> = { readonly at: 'loading' } | { readonly at: 'failed'; readonly error: string } | { readonly at: 'here'; readonly value: T };

export function words(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Answers of the server by a key, each asked for once. Keeps the latest `most` of them, for pages that stay open for weeks. */
export class Asked<T> {
  readonly #have = new Map<string, Loadable<T>>();
  /** The latest question for a key: an answer to an earlier one is old. */
  readonly #asked = new Map<string, symbol>();
  readonly #old = new Set<string>();

  constructor(
    private readonly changed: () => void,
    private readonly most = 40,
  ) {}

  get(key: string, ask: () => Promise<T>): Loadable<T> {
    const have = this.#have.get(key);
    if (have && !this.#old.delete(key)) return have;
    const shown: Loadable<T> = have?.at === 'here' ? have : { at: 'loading' };
    const question = Symbol(key);
    this.#have.set(key, shown);
    this.#asked.set(key, question);
    while (this.#have.size > this.most) this.forget(this.#have.keys().next().value!);
    ask()
      .then<Loadable<T>, Loadable<T>>(
        value => ({ at: 'here', value }),
        (error: unknown) => ({ at: 'failed', error: words(error) }),
      )
      .then(result => {
        // Forgotten meanwhile, or asked for anew: the answer is old.
        if (this.#asked.get(key) !== question) return;
        this.#have.set(key, result);
        this.changed();
      });
    return shown;
  }

  /** Asks again for what is looked at next; until the new answer is here, the one from before is shown. */
  renew(which: (key: string) => boolean = () => true): void {
    for (const key of this.#have.keys()) if (which(key)) this.#old.add(key);
  }

  /** Adds to an answer that is here. */
  amend(key: string, how: (value: T) => T): void {
    const have = this.#have.get(key);
    if (have?.at === 'here') this.#have.set(key, { at: 'here', value: how(have.value) });
  }

  forget(key: string): void {
    for (const all of [this.#have, this.#asked, this.#old]) all.delete(key);
  }

  forgetAll(): void {
    for (const all of [this.#have, this.#asked, this.#old]) all.clear();
  }

  forgetFailed(): void {
    for (const [key, value] of this.#have) if (value.at === 'failed') this.forget(key);
  }
}
