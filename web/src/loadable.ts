// SPDX-License-Identifier: GPL-3.0-or-later
// Something that is asked of the server.

export type Loadable<T> = { readonly at: 'loading' } | { readonly at: 'failed'; readonly error: string } | { readonly at: 'here'; readonly value: T };

export function words(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Answers of the server by a key, each asked for once. Keeps the latest `most` of them, for pages that stay open for weeks. */
export class Asked<T> {
  readonly #have = new Map<string, Loadable<T>>();

  constructor(
    private readonly changed: () => void,
    private readonly most = 40,
  ) {}

  get(key: string, ask: () => Promise<T>): Loadable<T> {
    const have = this.#have.get(key);
    if (have) return have;
    const loading: Loadable<T> = { at: 'loading' };
    this.#have.set(key, loading);
    while (this.#have.size > this.most) this.#have.delete(this.#have.keys().next().value!);
    ask()
      .then<Loadable<T>, Loadable<T>>(
        value => ({ at: 'here', value }),
        (error: unknown) => ({ at: 'failed', error: words(error) }),
      )
      .then(result => {
        // Forgotten meanwhile, or asked for anew: the answer is old.
        if (this.#have.get(key) !== loading) return;
        this.#have.set(key, result);
        this.changed();
      });
    return loading;
  }

  /** Adds to an answer that is here. */
  amend(key: string, how: (value: T) => T): void {
    const have = this.#have.get(key);
    if (have?.at === 'here') this.#have.set(key, { at: 'here', value: how(have.value) });
  }

  forget(key: string): void {
    this.#have.delete(key);
  }

  forgetAll(): void {
    this.#have.clear();
  }

  forgetFailed(): void {
    for (const [key, value] of this.#have) if (value.at === 'failed') this.#have.delete(key);
  }
}
