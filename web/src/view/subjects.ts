// SPDX-License-Identifier: GPL-3.0-or-later
// Whose telemetry a page shows, and the tables that are asked for.
import type { App } from '../app';
import type { TelemetryTable } from '../generated/api';
import type { Loadable } from '../loadable';
import type { Of } from '../router';
import { findRun, runName } from '../state';

export type TelemetryRoute = Extract<App['route'], { page: 'telemetry' }>;

export const table = (app: App, view: string, query: Record<string, string>): Loadable<TelemetryTable> =>
  app.tables.get(`${view} ${JSON.stringify(query)}`, () => app.api.telemetry(view, query));

/** The firmware versions that games were played with. */
export function firmwares(app: App): string[] {
  const asked = table(app, 'summary', { group: 'firmware' });
  const all = asked.at === 'here' ? (asked.value.data['firmware'] ?? []) : [];
  return all.filter(v => typeof v === 'string');
}

/** The name of a subject, for people. */
export function nameOf(app: App, of: Of): string {
  if (of === 'all') return 'Everything';
  const [kind, id] = [of.slice(0, of.indexOf('=')), of.slice(of.indexOf('=') + 1)];
  if (kind === 'run') {
    const run = findRun(app.state, Number(id));
    return run ? runName(app.state, run) : `Run ${id}`;
  }
  if (kind === 'board') return app.state.boards.find(b => b.id === Number(id))?.name ?? `Board ${id}`;
  return kind === 'game' ? `Game ${id}` : `Firmware ${id}`;
}

/** Both subjects of the page, with a name each. */
export function subjects(app: App, route: TelemetryRoute): { which: 'a' | 'b'; of: Of; name: string }[] {
  const a = { which: 'a' as const, of: route.a, name: nameOf(app, route.a) };
  return route.b === null ? [a] : [a, { which: 'b' as const, of: route.b, name: nameOf(app, route.b) }];
}

export const WHO: Record<string, string> = { first: 'Under test', second: 'Opponent', opening: 'Opening' };
