// SPDX-License-Identifier: GPL-3.0-or-later
// The form of a new run: its fields as they are typed, and what they make. `settings` and `fields` are pure.
import type { NewRun } from './api';
import type { App } from './app';
import type { BoardSpec, Claims, ColorPolicy, EngineSpec, OnIllegal, OpeningLine, OpeningOrder, Pick, RunSettings } from './generated/api';
import { words } from './loadable';

export const LIMITS = ['nodes', 'depth', 'movetime', 'tc'] as const;
export type LimitKind = (typeof LIMITS)[number];

/** An engine as it is typed. */
export interface EngineFields {
  name: string;
  path: string;
  args: string;
  options: string;
  kind: LimitKind;
  limit: string;
  /** The file of the book that the server plays from for it; empty for none. */
  book: string;
  bookPick: Pick;
  bookPlies: string;
  /** What the form has no field for, from the run that it is filled in as: it is sent as it was. */
  kept: Partial<EngineSpec>;
}

export interface Fields {
  name: string;
  /** Boards or an engine in their place. */
  by: 'boards' | 'engine';
  /** URLs of known boards that were ticked. */
  boards: string[];
  /** URLs of others, one a line. */
  others: string;
  /** The book that is put into the flash of those boards first; empty for what is there. */
  boardBook: string;
  first: EngineFields;
  second: EngineFields;
  games: string;
  endless: boolean;
  color: ColorPolicy;
  level: string;
  concurrency: string;
  openings: readonly OpeningLine[];
  /** From which book they are to be taken, and how. */
  from: string;
  fromOrder: OpeningOrder;
  fromPlies: string;
  fromLines: string;
  draw: boolean;
  drawFrom: string;
  drawMoves: string;
  drawScore: string;
  resign: boolean;
  resignMoves: string;
  resignScore: string;
  resignTwoSided: boolean;
  maxPlies: string;
  claims: Claims;
  onIllegal: OnIllegal;
  thinkTimeout: string;
  patience: string;
  margin: string;
  restarts: string;
  seed: string;
  /** The same of the whole run, and of its boards. */
  kept: Partial<RunSettings>;
  keptBoards: readonly BoardSpec[];
}

export const engine = (): EngineFields => ({ name: '', path: 'stockfish', args: '', options: '', kind: 'nodes', limit: '5000', book: '', bookPick: 'weighted', bookPlies: '', kept: {} });

export const fresh = (): Fields => ({
  name: '',
  by: 'boards',
  boards: [],
  others: '',
  boardBook: '',
  first: engine(),
  second: engine(),
  games: '10',
  endless: false,
  color: 'alternate',
  level: '45000',
  concurrency: '1',
  openings: [],
  from: '',
  fromOrder: 'in-turn',
  fromPlies: '8',
  fromLines: '100',
  draw: false,
  drawFrom: '40',
  drawMoves: '8',
  drawScore: '10',
  resign: false,
  resignMoves: '4',
  resignScore: '600',
  resignTwoSided: true,
  maxPlies: '',
  claims: 'automatic',
  onIllegal: 'forfeit',
  thinkTimeout: '600',
  patience: '180',
  margin: '50',
  restarts: '3',
  seed: '0',
  kept: {},
  keptBoards: [],
});

/** By the name of the field: what is wrong with it and what to do. */
export type Faults = Readonly<Record<string, string>>;

export interface Made {
  readonly settings: NewRun | null;
  readonly faults: Faults;
}

export function settings(f: Fields): Made {
  const faults: Record<string, string> = {};
  const whole = (key: string, text: string, least: number, most = 4_294_967_295): number => {
    const n = /^\d+$/.test(text.trim()) ? Number(text.trim()) : NaN;
    if (!(n >= least && n <= most)) faults[key] = `A whole number, ${most >= 4_294_967_295 ? `${least} or more` : `from ${least} to ${most.toLocaleString('en')}`}.`;
    return n;
  };
  const spec = (key: string, e: EngineFields): NewRun['second'] => {
    if (e.path.trim() === '') faults[`${key}.path`] = 'The program: a path, or a name that the server finds.';
    const options: [string, string][] = [];
    for (const line of e.options.split('\n').map(l => l.trim()).filter(Boolean)) {
      const at = line.indexOf('=');
      if (at < 1) faults[`${key}.options`] = `“${line}” has no “=”: write one NAME=VALUE on each line.`;
      else options.push([line.slice(0, at).trim(), line.slice(at + 1).trim()]);
    }
    const plies = e.book.trim() !== '' && e.bookPlies.trim() !== '' ? { plies: whole(`${key}.bookPlies`, e.bookPlies, 1) } : {};
    const book = e.book.trim() === '' ? {} : { book: { path: e.book.trim(), pick: e.bookPick, ...plies } };
    const fits = e.kind === 'tc' ? /^\d+(\.\d+)?(\+\d+(\.\d+)?)?$/.test(e.limit.trim()) && parseFloat(e.limit) > 0 : /^[1-9]\d*$/.test(e.limit.trim());
    if (!fits) faults[`${key}.limit`] = e.kind === 'tc' ? 'Seconds, and an increment where there is one: 60+0.6' : 'A whole number, 1 or more.';
    return { ...e.kept, path: e.path.trim(), args: argumentsOf(e.args), options, limit: `${e.kind}=${e.limit.trim()}`, ...book, ...(e.name.trim() ? { name: e.name.trim() } : {}) };
  };

  const urls = [...new Set([...f.boards, ...f.others.split(/\s+/).filter(Boolean)])];
  if (f.by === 'boards') {
    if (urls.length === 0) faults['boards'] = 'Tick a board, or write the URL of one: tcp://192.168.4.1:23';
    const wrong = urls.find(u => !/^[a-z][a-z0-9+.-]*:.+$/i.test(u));
    if (f.boardBook !== '' && f.others.trim() !== '') faults['others'] = 'A book is put on boards that the server knows: tick them, or let these play from what is in their flash.';
    if (wrong !== undefined) faults['others'] = `“${wrong}” is no URL of a board: write it as tcp://HOST:PORT`;
  }
  const made: NewRun = {
    ...f.kept,
    first: f.by === 'boards' ? { boards: urls.map(url => f.keptBoards.find(b => b.url === url) ?? { url }) } : { engine: spec('first', f.first) as EngineSpec },
    second: spec('second', f.second),
    games: f.endless ? 0 : whole('games', f.games, 1),
    color: f.color,
    level: whole('level', f.level, 1),
    concurrency: whole('concurrency', f.concurrency, 1),
    openings: [...f.openings],
    adjudication: {
      ...(f.draw
        ? { draw: { move_number: whole('drawFrom', f.drawFrom, 0), moves: whole('drawMoves', f.drawMoves, 1), score: whole('drawScore', f.drawScore, 0) } }
        : {}),
      ...(f.resign ? { resign: { moves: whole('resignMoves', f.resignMoves, 1), score: whole('resignScore', f.resignScore, 1), two_sided: f.resignTwoSided } } : {}),
      ...(f.maxPlies.trim() === '' ? {} : { max_plies: whole('maxPlies', f.maxPlies, 1) }),
    },
    claims: f.claims,
    on_illegal: f.onIllegal,
    think_timeout_s: whole('thinkTimeout', f.thinkTimeout, 1),
    board_patience_s: whole('patience', f.patience, 1),
    time_margin_ms: whole('margin', f.margin, 0),
    engine_restarts: whole('restarts', f.restarts, 0),
    seed: whole('seed', f.seed, 0, Number.MAX_SAFE_INTEGER),
    ...(f.name.trim() ? { name: f.name.trim() } : {}),
  };
  return { settings: Object.keys(faults).length === 0 ? made : null, faults };
}

/** Arguments as a shell takes them: blanks part them, double quotes hold them together. */
function argumentsOf(text: string): string[] {
  return [...text.matchAll(/"([^"]*)"|(\S+)/g)].map(m => m[1] ?? m[2]!);
}

/** The form as it has to be filled in for these settings. `known` are the boards that can be ticked. */
export function fields(s: RunSettings, openings: readonly OpeningLine[], known: readonly string[]): Fields {
  const typed = (e: EngineSpec): EngineFields => {
    const at = e.limit.indexOf('=');
    const { name: _n, path: _p, args: _a, options: _o, limit: _l, book, ...kept } = e;
    return {
      kept,
      book: book?.path ?? '',
      bookPick: book?.pick ?? 'weighted',
      bookPlies: book?.plies === undefined ? '' : String(book.plies),
      name: e.name ?? '',
      path: e.path,
      args: e.args.map(a => (/\s/.test(a) || a === '' ? `"${a}"` : a)).join(' '),
      options: e.options.map(([k, v]) => `${k}=${v}`).join('\n'),
      kind: (LIMITS as readonly string[]).includes(e.limit.slice(0, at)) ? (e.limit.slice(0, at) as LimitKind) : 'nodes',
      limit: e.limit.slice(at + 1),
    };
  };
  const old = fresh();
  const urls = 'boards' in s.first ? s.first.boards.map(b => b.url) : [];
  const { draw, resign, max_plies } = s.adjudication;
  // A name is a run's own; openings are not in lists of runs and come from beside.
  const { name: _name, openings: _openings, first: _first, second: _second, ...kept } = s;
  return {
    ...old,
    kept,
    keptBoards: 'boards' in s.first ? s.first.boards : [],
    name: s.name ?? '',
    by: 'boards' in s.first ? 'boards' : 'engine',
    boards: urls.filter(u => known.includes(u)),
    others: urls.filter(u => !known.includes(u)).join('\n'),
    first: 'engine' in s.first ? typed(s.first.engine) : old.first,
    second: typed(s.second),
    games: s.games === 0 ? old.games : String(s.games),
    endless: s.games === 0,
    color: s.color,
    level: String(s.level),
    concurrency: String(s.concurrency),
    openings,
    draw: draw !== undefined,
    ...(draw ? { drawFrom: String(draw.move_number), drawMoves: String(draw.moves), drawScore: String(draw.score) } : {}),
    resign: resign !== undefined,
    ...(resign ? { resignMoves: String(resign.moves), resignScore: String(resign.score), resignTwoSided: resign.two_sided } : {}),
    maxPlies: max_plies === undefined ? '' : String(max_plies),
    claims: s.claims,
    onIllegal: s.on_illegal,
    thinkTimeout: String(s.think_timeout_s),
    patience: String(s.board_patience_s),
    margin: String(s.time_margin_ms),
    restarts: String(s.engine_restarts),
    seed: String(s.seed),
  };
}

export class Form {
  fields: Fields = fresh();
  /** Faults are shown once the person has tried to send. */
  tried = false;
  sending = false;
  error: string | null = null;
  /** Filled in as the run that it was to be like. */
  filled = false;
  /** What was read as openings, and what was wrong with it. */
  said: { text: string; bad: boolean } | null = null;

  constructor(
    private readonly app: App,
    readonly like: number | null,
  ) {
    const { boards } = app.state;
    if (like !== null) void this.#fill(like);
    else if (boards.length === 1) this.fields.boards = [boards[0]!.url];
  }

  async #fill(run: number): Promise<void> {
    await this.app.attempt(async () => {
      const old = await this.app.api.run(run);
      if (old.state === 'imported') {
        this.error = `Run ${run} was imported: its files do not say what it was played with, so that there is nothing to fill this form in with.`;
        return;
      }
      this.fields = fields(old.settings, old.settings.openings, this.app.state.boards.map(b => b.url));
      this.fields.name = '';
      this.filled = true;
    });
  }

  get faults(): Faults {
    return this.tried ? settings(this.fields).faults : {};
  }

  set(change: Partial<Fields>): void {
    this.fields = { ...this.fields, ...change };
    this.error = null;
    this.app.changed();
  }

  setEngine(which: 'first' | 'second', change: Partial<EngineFields>): void {
    this.set({ [which]: { ...this.fields[which], ...change } });
  }

  /** Openings in any of the forms that people have them in. The reader knows the rules of chess and is fetched when it is needed. */
  async read(text: string): Promise<void> {
    try {
      const { readOpenings } = await import('./openings');
      const { lines, faults } = readOpenings(text);
      if (lines.length) this.fields = { ...this.fields, openings: lines };
      this.said = faults.length
        ? { text: `${faults.slice(0, 3).join(' ')}${faults.length > 3 ? ` And ${faults.length - 3} more.` : ''}${lines.length ? ` ${lines.length} others were read.` : ''}`, bad: true }
        : { text: `${lines.length} ${lines.length === 1 ? 'opening' : 'openings'} read.`, bad: false };
    } catch (error) {
      this.said = { text: words(error), bad: true };
    }
    this.app.changed();
  }

  /** Openings out of a book that the server knows. */
  async takeFrom(): Promise<void> {
    const { from, fromOrder: order, fromPlies: plies, fromLines: lines, seed } = this.fields;
    try {
      const openings = await this.app.api.bookOpenings(from, { order, plies, lines, seed });
      this.fields = { ...this.fields, openings };
      this.said = { text: `${openings.length} ${openings.length === 1 ? 'line was' : 'lines were'} taken from the book.`, bad: false };
    } catch (error) {
      this.said = { text: words(error), bad: true };
    }
    this.app.changed();
  }

  /** A file of openings: a book is kept by the server and chosen, anything else is read here. */
  async file(files: FileList | null | undefined): Promise<void> {
    const file = files?.[0];
    if (!file) return;
    if (!/\.(bin|rkb|json)$/i.test(file.name)) return this.read(await file.text());
    const kept = await this.app.explorer.upload(files);
    if (!kept) return;
    this.fields = { ...this.fields, from: kept.id };
    await this.takeFrom();
  }

  /** The book goes to the boards before the run does: its first game waits until they have it. */
  async #putBook(): Promise<void> {
    const { by, boardBook, boards } = this.fields;
    if (by !== 'boards' || boardBook === '') return;
    const { sha256 } = await this.app.api.bookImage(boardBook);
    for (const { id, url } of this.app.state.boards) {
      // Where one plays for another run, after its game.
      if (boards.includes(url)) await this.app.api.flash(id, { image: sha256, when: 'finish', by: 'the page' });
    }
  }

  async send(): Promise<void> {
    this.tried = true;
    const { settings: made, faults } = settings(this.fields);
    if (!made) {
      this.error = Object.keys(faults).length === 1 ? 'One field is not right yet.' : `${Object.keys(faults).length} fields are not right yet.`;
      this.app.changed();
      requestAnimationFrame(() => document.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
      return;
    }
    this.sending = true;
    this.error = null;
    this.app.changed();
    try {
      await this.#putBook();
      const run = await this.app.api.begin(made);
      this.app.form = null;
      this.app.say(`“${run.name}” has begun.`);
      location.hash = '#/runs';
    } catch (error) {
      this.error = words(error);
    }
    this.sending = false;
    this.app.changed();
  }
}
