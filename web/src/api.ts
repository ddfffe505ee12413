// SPDX-License-Identifier: GPL-3.0-or-later
// The HTTP side of the server, relative to the page, so that a proxy may serve it under a path. Every failure becomes a `Failure` whose message can be shown.
import type {
  ApiError,
  BoardView,
  BookForm,
  BookPage,
  BookView,
  EvaluationView,
  FirmwareImage,
  FlashRecord,
  FlashRequest,
  FlashView,
  GameDetail,
  GamePage,
  LinkEventView,
  OpeningLine,
  OpeningOrder,
  PositionGames,
  RunSettings,
  RunView,
  TelemetryTable,
} from './generated/api';

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

export type RunAction = 'pause' | 'resume' | 'stop' | 'abort' | 'next';

/** What is not given is left out of the question. */
export type Query = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** What a run is begun with: the server fills in what is left out. */
export type NewRun = Partial<Omit<RunSettings, 'second'>> & Pick<RunSettings, 'first' | 'games'> & { second: Partial<RunSettings['second']> & { path: string } };

export function queryText(query: Query): string {
  const q = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) if (value !== null && value !== undefined && value !== '') q.set(key, String(value));
  const text = q.toString();
  return text ? `?${text}` : '';
}

interface Wanted {
  readonly method?: string;
  readonly body?: BodyInit;
  readonly kind?: string;
  readonly signal?: AbortSignal;
}

export class Api {
  constructor(
    private readonly token: () => string | null,
    /** Called with the server's words when it wants a token, or another one; answers whether there is one now. */
    private readonly unauthorized: (words: string) => Promise<boolean>,
    private readonly fetcher: typeof fetch = (input, init) => fetch(input, init),
  ) {}

  games(query: Query = {}): Promise<GamePage> {
    return this.json(`/games${queryText(query)}`);
  }

  game(id: number): Promise<GameDetail> {
    return this.json(`/games/${id}`);
  }

  /** What happened on the board's link during a game: the latest of it, in order. */
  events(id: number): Promise<LinkEventView[]> {
    return this.json(`/games/${id}/events${queryText({ limit: 10_000 })}`);
  }

  pgn(id: number): Promise<string> {
    return this.text(`/games/${id}/pgn`);
  }

  /** The games of a filter in one file, part by part. */
  async *gamesAsPgn(query: Query, signal: AbortSignal): AsyncGenerator<Uint8Array<ArrayBuffer>> {
    const reader = (await this.request(`/games.pgn${queryText(query)}`, { signal })).body!.getReader();
    for (;;) {
      const part = await read(reader);
      if (part.done) return;
      yield part.value;
    }
  }

  report(id: number): Promise<Blob> {
    return this.request(`/games/${id}/report`).then(r => r.blob());
  }

  runs(query: Query = {}): Promise<RunView[]> {
    return this.json(`/runs${queryText(query)}`);
  }

  run(id: number): Promise<RunView> {
    return this.json(`/runs/${id}`);
  }

  begin(settings: NewRun): Promise<RunView> {
    return this.send('/runs', settings);
  }

  async act(run: number, action: RunAction): Promise<void> {
    await this.request(`/runs/${run}/${action}`, { method: 'POST' });
  }

  boards(): Promise<BoardView[]> {
    return this.json('/boards');
  }

  lines(board: number): Promise<Blob> {
    return this.request(`/boards/${board}/lines.txt`).then(r => r.blob());
  }

  images(): Promise<FirmwareImage[]> {
    return this.json('/firmware');
  }

  upload(file: Blob, region: 'application' | 'book', foreign: boolean): Promise<FirmwareImage> {
    return this.request(`/firmware${queryText({ region, foreign: foreign || null })}`, { method: 'POST', body: file, kind: 'application/octet-stream' }).then(r => r.json());
  }

  async forgetImage(sha256: string): Promise<void> {
    await this.request(`/firmware/${sha256}`, { method: 'DELETE' });
  }

  flashes(board: number): Promise<FlashRecord[]> {
    return this.json(`/boards/${board}/flashes`);
  }

  flash(board: number, request: Partial<FlashRequest>): Promise<FlashView> {
    return this.send(`/boards/${board}/flash`, request);
  }

  async cancelFlash(board: number): Promise<void> {
    await this.request(`/boards/${board}/flash`, { method: 'DELETE' });
  }

  books(): Promise<BookView[]> {
    return this.json('/books');
  }

  bookPage(id: string, where: Query): Promise<BookPage> {
    return this.json(`/books/${encodeURIComponent(id)}${queryText(where)}`);
  }

  keepBook(file: File): Promise<BookView> {
    return this.request(`/books${queryText({ name: file.name })}`, { method: 'POST', body: file, kind: 'application/octet-stream' }).then(r => r.json());
  }

  async forgetBook(id: string): Promise<void> {
    await this.request(`/books/${encodeURIComponent(id)}`, { method: 'DELETE' });
  }

  /** The file and its name. */
  async bookFile(id: string, form: BookForm | null): Promise<{ blob: Blob; name: string | null }> {
    const answer = await this.request(`/books/${encodeURIComponent(id)}/file${queryText({ form })}`);
    return { blob: await answer.blob(), name: /filename="([^"]+)"/.exec(answer.headers.get('content-disposition') ?? '')?.[1] ?? null };
  }

  bookOpenings(id: string, how: { order: OpeningOrder; plies: string; lines: string; seed: string }): Promise<OpeningLine[]> {
    return this.json(`/books/${encodeURIComponent(id)}/openings${queryText(how)}`);
  }

  bookImage(id: string): Promise<FirmwareImage> {
    return this.request(`/books/${encodeURIComponent(id)}/image`, { method: 'POST' }).then(r => r.json());
  }

  evaluation(where: Query): Promise<EvaluationView> {
    return this.json(`/positions/evaluation${queryText(where)}`);
  }

  positionGames(where: Query): Promise<PositionGames> {
    return this.json(`/positions/games${queryText(where)}`);
  }

  telemetry(view: string, query: Query): Promise<TelemetryTable> {
    return this.json(`/telemetry/${view}${queryText(query)}`);
  }

  telemetryText(view: string, query: Query): Promise<string> {
    return this.text(`/telemetry/${view}${queryText(query)}`);
  }

  sql(sql: string, limit: number): Promise<TelemetryTable> {
    return this.send('/telemetry/sql', { sql, limit });
  }

  private async json<T>(path: string): Promise<T> {
    return (await this.request(path)).json() as Promise<T>;
  }

  private async text(path: string): Promise<string> {
    return (await this.request(path)).text();
  }

  private async send<T>(path: string, body: unknown): Promise<T> {
    const answer = await this.request(path, { method: 'POST', body: JSON.stringify(body), kind: 'application/json' });
    return answer.json() as Promise<T>;
  }

  /** Asked again with every token that the person gives. */
  private async request(path: string, wanted: Wanted = {}): Promise<Response> {
    for (;;) {
      const token = this.token();
      const headers: Record<string, string> = token ? { Authorization: `Bearer ${token}` } : {};
      if (wanted.kind) headers['Content-Type'] = wanted.kind;
      let response: Response;
      try {
        response = await this.fetcher(`./api/v1${path}`, { method: wanted.method ?? 'GET', headers, body: wanted.body ?? null, cache: 'no-store', signal: wanted.signal ?? null });
      } catch {
        throw new Failure(0, 'unreachable', 'The server cannot be reached.');
      }
      if (response.ok) return response;
      const why = await failure(response);
      if (!wantsToken(why) || !(await this.unauthorized(why.message))) throw why;
    }
  }
}

/** The server breaks off what it cannot finish. */
async function read(reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>) {
  try {
    return await reader.read();
  } catch {
    throw new Failure(0, 'broken_off', 'The server broke off in the middle: nothing was saved. Try it again.');
  }
}

/** Flashing has a token of its own; whoever knows another one is told so with 403. */
function wantsToken(why: Failure): boolean {
  return why.status === 401 || (why.status === 403 && why.message.includes("flash token (--flash-token)"));
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
