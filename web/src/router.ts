// SPDX-License-Identifier: GPL-3.0-or-later
// The address bar's part after `#`, read and written. A new page is a new kind of `Route` and a line in each function.

import type { GameFilter } from './generated/api';

/** What a list of games is narrowed to: the API's filter, each field as it stands in an address. */
const FIELDS: Readonly<Record<keyof GameFilter, true>> = {
  run: true,
  board: true,
  firmware: true,
  opponent: true,
  state: true,
  result: true,
  termination: true,
  opening: true,
  text: true,
  since: true,
  until: true,
  min_plies: true,
  max_plies: true,
};
export const FILTERS = Object.keys(FIELDS) as (keyof GameFilter)[];
export type Filter = Readonly<Partial<Record<keyof GameFilter, string>>>;

/** Whose telemetry: `run=1`, `game=17`, `firmware=5.3`, `board=2`, or `all`. */
export type Of = string;

export type TelemetryTab = 'plots' | 'journal' | 'sides';

/** A position of a book: a line from the usual start position, or from another one. */
export interface Place {
  readonly id: string;
  readonly fen: string | null;
  readonly line: readonly string[];
}

export type Route =
  | { readonly page: 'live' }
  | { readonly page: 'overview' }
  | { readonly page: 'game'; readonly id: number; readonly ply: number | null }
  | { readonly page: 'games'; readonly filter: Filter }
  | { readonly page: 'telemetry'; readonly tab: TelemetryTab; readonly a: Of; readonly b: Of | null }
  | { readonly page: 'runs' }
  /** The form of a new run, filled in as an old one. */
  | { readonly page: 'new'; readonly like: number | null }
  | { readonly page: 'books' }
  | ({ readonly page: 'book' } & Place)
  | { readonly page: 'boards' }
  | { readonly page: 'board'; readonly id: number };

const TABS: readonly string[] = ['plots', 'journal', 'sides'];
const UCI = /^[a-h][1-8][a-h][1-8][qrbn]?$/;
const OF = /^(all|(run|game|board)=\d{1,15}|firmware=.{1,100})$/;

/** Unknown addresses lead to the live view. */
export function parse(hash: string): Route {
  const text = hash.replace(/^#/, '');
  const at = text.indexOf('?');
  const path = at < 0 ? text : text.slice(0, at);
  const q = new URLSearchParams(at < 0 ? '' : text.slice(at + 1));
  const parts = path.split('/').filter(p => p !== '');
  const id = natural(parts[1]);
  switch (parts[0]) {
    case 'overview':
      return { page: 'overview' };
    case 'game':
      return id === null ? { page: 'games', filter: {} } : { page: 'game', id, ply: natural(parts[2]) };
    case 'games':
      return { page: 'games', filter: Object.fromEntries(FILTERS.flatMap(key => (q.get(key) ? [[key, q.get(key)!]] : []))) };
    case 'telemetry': {
      const of = (key: string) => {
        const value = q.get(key);
        return value !== null && OF.test(value) ? value : null;
      };
      const tab = TABS.includes(parts[1] ?? '') ? (parts[1] as TelemetryTab) : 'plots';
      return { page: 'telemetry', tab, a: of('a') ?? 'all', b: of('b') };
    }
    case 'runs':
      return parts[1] === 'new' ? { page: 'new', like: natural(q.get('like') ?? undefined) } : { page: 'runs' };
    case 'books':
      return { page: 'books' };
    case 'book': {
      const name = decoded(parts[1]);
      const line = (q.get('line') ?? '').split(',').filter(m => UCI.test(m));
      return name === null ? { page: 'books' } : { page: 'book', id: name, fen: q.get('fen'), line };
    }
    case 'boards':
      return { page: 'boards' };
    case 'board':
      return id === null ? { page: 'boards' } : { page: 'board', id };
    default:
      return { page: 'live' };
  }
}

export function format(route: Route): string {
  switch (route.page) {
    case 'live':
      return '#/';
    case 'overview':
    case 'runs':
    case 'books':
    case 'boards':
      return `#/${route.page}`;
    case 'book':
      return `#/book/${encodeURIComponent(route.id)}${search([['fen', route.fen], ['line', route.line.join(',')]]).replaceAll('%2C', ',')}`;
    case 'game':
      return route.ply === null ? `#/game/${route.id}` : `#/game/${route.id}/${route.ply}`;
    case 'games':
      return `#/games${search(FILTERS.map(key => [key, route.filter[key]]))}`;
    case 'telemetry': {
      const tab = route.tab === 'plots' ? '' : `/${route.tab}`;
      return `#/telemetry${tab}${search([['a', route.a === 'all' ? null : route.a], ['b', route.b]])}`;
    }
    case 'new':
      return `#/runs/new${search([['like', route.like === null ? null : String(route.like)]])}`;
    case 'board':
      return `#/board/${route.id}`;
  }
}

export const gamesOf = (run: number): string => format({ page: 'games', filter: { run: String(run) } });
export const telemetryOf = (a: Of): string => format({ page: 'telemetry', tab: 'plots', a, b: null });

function search(pairs: readonly (readonly [string, string | null | undefined])[]): string {
  const q = new URLSearchParams();
  for (const [key, value] of pairs) if (value) q.set(key, value);
  const text = q.toString();
  return text ? `?${text}` : '';
}

/**
 * The token of an address such as `http://host:8080/#token=abc`, and the address without it: it must neither stay in the address bar nor
 * in the history.
 */
export function takeToken(hash: string): { token: string; rest: string } | null {
  const found = /(^#|[?&])token=([^&]*)/.exec(hash);
  if (!found?.[2]) return null;
  const rest = hash.replace(found[0], found[1] === '#' ? '#' : found[1] === '?' ? '?' : '').replace(/[?&#]$/, '');
  let token = found[2];
  try {
    token = decodeURIComponent(token);
  } catch {
    // Not percent-encoded after all: taken as it stands.
  }
  return { token, rest: rest.startsWith('#/') ? rest : '#/' };
}

function decoded(text: string | undefined): string | null {
  try {
    return text ? decodeURIComponent(text) : null;
  } catch {
    return null;
  }
}

function natural(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : null;
}
