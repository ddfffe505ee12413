// SPDX-License-Identifier: GPL-3.0-or-later
// How long a ply takes from the server to the screen, though the two clocks may differ. Pure.

/** Clocks closer than this are taken as one: then the figure contains the way over the network too. */
const SAME_CLOCK_MS = 250;
const KEPT = 50;

export class Delay {
  #offset: number | null = null;
  #values: number[] = [];

  /** The server said `server` on its clock in a message that arrived at `here` on ours. */
  heard(server: number, here: number): void {
    const offset = here - server;
    // The quickest message has the smallest surplus, so the least offset is nearest to the clocks' difference.
    if (this.#offset === null || offset < this.#offset) this.#offset = offset;
  }

  /** A new connection may be to a machine whose clock was set. */
  reset(): void {
    this.#offset = null;
  }

  /** What to take off our clock to get the server's. */
  get correction(): number {
    return this.#offset !== null && Math.abs(this.#offset) > SAME_CLOCK_MS ? this.#offset : 0;
  }

  /** A ply made at `server` (its clock) was on the screen at `here` (ours). */
  shown(server: number, here: number): void {
    this.#values.push(Math.max(0, here - server - this.correction));
    if (this.#values.length > KEPT) this.#values.shift();
  }

  get last(): number | null {
    return this.#values.at(-1) ?? null;
  }

  get median(): number | null {
    if (this.#values.length === 0) return null;
    const sorted = [...this.#values].sort((a, b) => a - b);
    return sorted[sorted.length >> 1]!;
  }
}
