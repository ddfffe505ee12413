// SPDX-License-Identifier: GPL-3.0-or-later
// The HTTP side of the server, relative to the page, so that a proxy may serve it under a path. Every failure becomes a `Failure` whose message can be shown.
import type { ApiError, BoardView, GameDetail, GamePage, RunView } from './generated/api';

export class Failure extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message);
    this.name = 'Failure';
  }
}

export type RunAction = 'pause' | 'resume' | 'stop';

export interface GamesQuery {
  run?: number | null;
  before?: number | null;
  limit?: number;
}

export class Api {
  constructor(
    private readonly token: () => string | null,
    /** Called when the server wants a token, or another one. */
    private readonly unauthorized: () => void,
    private readonly fetcher: typeof fetch = (input, init) => fetch(input, init),
  ) {}

  games(query: GamesQuery = {}): Promise<GamePage> {
    const q = new URLSearchParams();
    if (query.run != null) q.set('run', String(query.run));
    if (query.before != null) q.set('before', String(query.before));
    if (query.limit) q.set('limit', String(query.limit));
    const text = q.toString();
    return this.json('GET', `/games${text ? `?${text}` : ''}`);
  }

  game(id: number): Promise<GameDetail> {
    return this.json('GET', `/games/${id}`);
  }

  async pgn(id: number): Promise<string> {
    return (await this.request('GET', `/games/${id}/pgn`)).text();
  }

  runs(): Promise<RunView[]> {
    return this.json('GET', '/runs');
  }

  boards(): Promise<BoardView[]> {
    return this.json('GET', '/boards');
  }

  async act(run: number, action: RunAction): Promise<void> {
    await this.request('POST', `/runs/${run}/${action}`);
  }

  private async json<T>(method: string, path: string): Promise<T> {
    return (await this.request(method, path)).json() as Promise<T>;
  }

  private async request(method: string, path: string): Promise<Response> {
    const token = this.token();
    let response: Response;
    try {
      response = await this.fetcher(`./api/v1${path}`, {
        method,
        headers: token ? { Authorization: `Bearer ${token}` } : {},
        cache: 'no-store',
      });
    } catch {
      throw new Failure(0, 'unreachable', 'The server cannot be reached.');
    }
    if (response.ok) return response;
    if (response.status === 401) this.unauthorized();
    throw await failure(response);
  }
}

async function failure(response: Response): Promise<Failure> {
  const fallback = `The server answered ${response.status} ${response.statusText}`.trim() + '.';
  try {
    const body = (await response.json()) as Partial<ApiError>;
    return new Failure(response.status, body.error ?? 'unknown', body.message ?? fallback);
  } catch {
    return new Failure(response.status, 'unknown', fallback);
  }
}
