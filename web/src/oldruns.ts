// SPDX-License-Identifier: GPL-3.0-or-later
// Runs that are over, and older than those that the server tells of by itself.
import type { App } from './app';
import type { RunView } from './generated/api';

/** So many runs that are over the server tells of by itself. */
export const KNOWN = 50;
const PAGE = 50;

export class OldRuns {
  list: readonly RunView[] = [];
  busy = false;
  /** Whether there may be more. */
  more = true;

  constructor(private readonly app: Pick<App, 'api' | 'state' | 'busily'>) {}

  /** The next page, older than every run that is known to be over. Those that are not over are all known. */
  fetch(): Promise<void> {
    return this.app.busily(this, async () => {
      const known = [...this.app.state.runs.filter(r => r.ended_at !== null || r.state === 'imported'), ...this.list];
      const page = await this.app.api.runs({ before: Math.min(...known.map(r => r.id)), limit: PAGE });
      const have = new Set([...this.app.state.runs, ...this.list].map(r => r.id));
      this.list = [...this.list, ...page.filter(r => !have.has(r.id))];
      this.more = page.length === PAGE;
    });
  }
}
