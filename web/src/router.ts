// SPDX-License-Identifier: GPL-3.0-or-later
// The address bar's part after `#`, read and written. A new page is a new kind of `Route` and a line in each function.
import type { GameResult } from './generated/api';

export type Route =
  | { readonly page: 'live' }
  | { readonly page: 'game'; readonly id: number; readonly ply: number | null }
  | { readonly page: 'games'; readonly run: number | null; readonly result: GameResult | null }
  | { readonly page: 'runs' };

const RESULTS: readonly string[] = ['1-0', '0-1', '1/2-1/2', '*'];

/** Unknown addresses lead to the live view. */
export function parse(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#/, '').split('?', 2);
  const parts = path.split('/').filter(p => p !== '');
  switch (parts[0]) {
    case 'game': {
      const id = natural(parts[1]);
      return id === null ? { page: 'games', run: null, result: null } : { page: 'game', id, ply: natural(parts[2]) };
    }
    case 'games': {
      const q = new URLSearchParams(query);
      const result = q.get('result');
      return {
        page: 'games',
        run: natural(q.get('run') ?? undefined),
        result: result !== null && RESULTS.includes(result) ? (result as GameResult) : null,
      };
    }
    case 'runs':
      return { page: 'runs' };
    default:
      return { page: 'live' };
  }
}

export function format(route: Route): string {
  switch (route.page) {
    case 'live':
      return '#/';
    case 'game':
      return route.ply === null ? `#/game/${route.id}` : `#/game/${route.id}/${route.ply}`;
    case 'games': {
      const q = new URLSearchParams();
      if (route.run !== null) q.set('run', String(route.run));
      if (route.result !== null) q.set('result', route.result);
      const text = q.toString();
      return text ? `#/games?${text}` : '#/games';
    }
    case 'runs':
      return '#/runs';
  }
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

function natural(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : null;
}
