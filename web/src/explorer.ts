// SPDX-License-Identifier: GPL-3.0-or-later
// What the book pages know: which books there are, the position that is looked at, and everything a person can do with them.
import { plural } from './format';
import type { App } from './app';
import { Form } from './form';
import type { BookForm, BookPage, BookView, EvaluationView, PositionGames } from './generated/api';
import { Asked, type Loadable } from './loadable';
import { format, type Place } from './router';
import { saveBlob } from './save';

/** An engine is asked about a position where somebody stays, not about each that is leafed over. */
const STAYS_MS = 250;

export class Explorer {
  readonly books = new Asked<readonly BookView[]>(() => this.app.changed());
  readonly #pages = new Asked<BookPage>(() => this.app.changed(), 200);
  readonly #games = new Asked<PositionGames>(() => this.app.changed(), 200);
  readonly #evaluations = new Asked<EvaluationView>(() => this.app.changed(), 200);
  /** Moves that were gone back over: they are a step away. */
  ahead: readonly string[] = [];
  busy = false;
  /** What is shown until the next position has come. */
  #last: BookPage | null = null;
  #stays: string | null = null;
  #timer: ReturnType<typeof setTimeout> | null = null;

  constructor(private readonly app: App) {}

  list(): Loadable<readonly BookView[]> {
    return this.books.get('all', () => this.app.api.books());
  }

  /** The address bar has led here. */
  arrived(place: Place, same: boolean): void {
    // What was gone back over belongs to the line that was left.
    if (!same || this.#stays !== position(place)) this.ahead = [];
    this.#stay(place);
  }

  #stay(place: Place): void {
    const key = position(place);
    if (this.#stays === key) return;
    this.#stays = null;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#stays = key;
      this.app.changed();
    }, STAYS_MS);
  }

  /** The position; while it is fetched, the one before it. */
  page(place: Place): { readonly asked: Loadable<BookPage>; readonly shown: BookPage | null } {
    const asked = this.#pages.get(`${place.id} ${position(place)}`, () => this.app.api.bookPage(place.id, where(place)));
    if (asked.at === 'here') this.#last = asked.value;
    const same = this.#last?.book.id === place.id && asked.at !== 'failed';
    return { asked, shown: same ? this.#last : null };
  }

  games(place: Place): Loadable<PositionGames> {
    return this.#games.get(position(place), () => this.app.api.positionGames(where(place)));
  }

  evaluation(place: Place): Loadable<EvaluationView> {
    const key = position(place);
    return this.#stays === key ? this.#evaluations.get(key, () => this.app.api.evaluation(where(place))) : { at: 'loading' };
  }

  /** Asked again: the answer was an error, or games have ended since. */
  again(): void {
    this.books.forgetAll();
    this.#pages.forgetFailed();
    this.#evaluations.forgetFailed();
    this.#games.forgetAll();
    this.app.changed();
  }

  gameEnded(): void {
    this.#games.forgetAll();
  }

  // ---- the line ----

  play(place: Place, uci: string): void {
    this.ahead = this.ahead[0] === uci ? this.ahead.slice(1) : [];
    this.#go({ ...place, line: [...place.line, uci] });
  }

  /** The move that comes next: the one that was gone back over, or the book's heaviest. */
  step(place: Place, by: 1 | -1): void {
    if (by < 0) return this.to(place, place.line.length - 1);
    const { asked } = this.page(place);
    const next = this.ahead[0] ?? (asked.at === 'here' ? asked.value.moves[0]?.uci : undefined);
    if (next !== undefined) this.play(place, next);
  }

  to(place: Place, ply: number): void {
    const all = [...place.line, ...this.ahead];
    const at = Math.max(0, Math.min(ply, all.length));
    if (at === place.line.length) return;
    this.ahead = all.slice(at);
    this.#go({ ...place, line: all.slice(0, at) });
  }

  #go(place: Place): void {
    this.app.route = { page: 'book', ...place };
    history.replaceState(null, '', format(this.app.route));
    this.#stay(place);
    this.app.changed();
  }

  share(): Promise<void> {
    return this.app.copy(location.href, 'A link to this position is copied.');
  }

  /** A new run whose games begin here. */
  run(place: Place, page: BookPage): void {
    const form = new Form(this.app, null);
    const name = page.opening ?? undefined;
    form.fields.openings = [{ ...(name ? { name } : {}), ...(place.fen ? { fen: page.start } : {}), moves: page.line.map(s => s.uci) }];
    form.said = { text: `From the book ${page.book.name}.`, bad: false };
    this.app.form = form;
    location.hash = '#/runs/new';
  }

  // ---- the books ----

  async upload(files: FileList | readonly File[] | null | undefined): Promise<BookView | null> {
    const file = files?.[0];
    if (!file) return null;
    let kept: BookView | null = null;
    await this.app.busily(this, async () => {
      kept = await this.app.api.keepBook(file);
      this.books.forgetAll();
      this.app.say(`${file.name} is kept: ${plural(kept.entries ?? 0, 'entry', 'entries')}.`);
    });
    return kept;
  }

  forget(book: BookView): void {
    this.app.ask({
      title: 'Delete this book?',
      text: `${book.name} is removed from the server. Boards that carry it go on carrying it; games that were played from it stay.`,
      yes: 'Delete the book',
      no: 'Keep it',
      act: () =>
        void this.app.busily(this, async () => {
          await this.app.api.forgetBook(book.id);
          this.again();
          if (this.app.route.page === 'book') location.hash = '#/books';
        }),
    });
  }

  download(book: BookView, form: BookForm | null): Promise<void> {
    return this.app.busily(this, async () => {
      const { blob, name } = await this.app.api.bookFile(book.id, form);
      saveBlob(blob, name ?? book.name);
    });
  }

  /** Among the images of the boards' pages, where it is flashed. */
  async toBoard(book: BookView): Promise<void> {
    await this.app.busily(this, async () => {
      const image = await this.app.api.bookImage(book.id);
      const { boards } = this.app.state;
      this.app.say(`${book.name} is among the images now (${image.size.toLocaleString('en')} bytes): choose it on the board’s page.`);
      location.hash = boards.length === 1 ? `#/board/${boards[0]!.id}` : '#/boards';
    });
  }
}

const position = (place: Place) => `${place.fen ?? ''} ${place.line.join(',')}`;

const where = (place: Place) => ({ fen: place.fen, line: place.line.join(',') });

/** Games as the side whose book it is sees them. */
export function forSide(of: { readonly white: number; readonly draws: number; readonly black: number }, side: 'white' | 'black') {
  return side === 'white' ? { won: of.white, drawn: of.draws, lost: of.black } : { won: of.black, drawn: of.draws, lost: of.white };
}

/** The side that the book speaks for here: whose turn it is where it has a move, the other one where it waits for an answer. */
export function bookSide(page: Pick<BookPage, 'fen' | 'moves'>): 'white' | 'black' {
  const white = page.fen.split(' ')[1] !== 'b';
  const own = page.moves.length === 0 || page.moves.some(m => m.weight !== null);
  return white === own ? 'white' : 'black';
}
