// SPDX-License-Identifier: GPL-3.0-or-later
// A position of a book: the board, the line to it, its moves, what an engine thinks, and the games that came through it.
import { html, nothing } from 'lit-html';
import type { App } from '../app';
import { bookSide, forSide } from '../explorer';
import { ago, forWhite, plural, sanWords, scoreText } from '../format';
import type { BookForm, BookMoveView, BookPage, PlayedMoveView } from '../generated/api';
import { moveNumber } from '../replay';
import { format, type Place } from '../router';
import { BookBoard } from './bookboard';
import { FORMS } from './books';
import { failed, loading } from './common';
import * as icons from './icons';

const board = new BookBoard();

export function book(app: App) {
  if (app.route.page !== 'book') return nothing;
  const place = app.route;
  const { asked, shown } = app.explorer.page(place);
  if (asked.at === 'failed') {
    return html`<div class="page"><h1>Book</h1>${failed(asked.error, () => app.explorer.again())}<p class="center"><a href="#/books">All books</a></p></div>`;
  }
  if (!shown) return loading('Opening the book…');
  return html`<div class="explorer" aria-busy=${asked.at === 'loading'} data-testid="explorer" data-fen=${shown.fen}>
    <div class="board-box">${board.element}</div>
    <div class="controls" role="toolbar" aria-label="Line">${controls(app, place, shown)}</div>
    <div class="explorer-side">
      <header class="page-head"><h1>${shown.book.name}</h1><a href="#/books">All books</a></header>
      <div class="here">
        <p class="opening" data-testid="opening">${shown.opening ?? (shown.line.length ? 'No name of its own' : 'Start position')}</p>
        <button type="button" class="primary" data-testid="book-run" @click=${() => app.explorer.run(place, shown)}>${icons.flag} Play a run from here</button>
      </div>
      ${crumbs(app, place, shown)} ${moves(app, place, shown)} ${engine(app, place, shown)} ${games(app, place)} ${files(app, shown)}
    </div>
    <p class="sr" aria-live="polite" data-testid="book-spoken">${spoken(shown)}</p>
  </div>`;
}

/** After lit has put the elements in their places. */
export function bookPlaced(app: App): void {
  if (app.route.page !== 'book') return board.leave();
  const place = app.route;
  const { shown } = app.explorer.page(place);
  if (!shown || !board.element.isConnected) return;
  board.onMove = uci => app.explorer.play(place, uci);
  board.update(shown, app.flipped ? 'black' : 'white', `Board. ${spoken(shown)}`);
}

export function bookTitle(app: App): string | null {
  const page = app.route.page === 'book' ? app.explorer.page(app.route).shown : null;
  return page && `${page.opening ?? page.book.name} · Rookery`;
}

function spoken(page: BookPage): string {
  const last = page.line.at(-1);
  const turn = page.fen.split(' ')[1] === 'b' ? 'Black' : 'White';
  const n = page.moves.length;
  const own = page.moves.some(m => m.weight !== null);
  const has = n === 0 ? 'The book has no move here' : own ? `The book has ${n} ${n === 1 ? 'move' : 'moves'}` : `${n} ${n === 1 ? 'move leads' : 'moves lead'} back into the book`;
  return `${last ? `${sanWords(last.san)}. ` : ''}${page.opening ? `${page.opening}. ` : ''}${turn} to move. ${has}.`;
}

function controls(app: App, place: Place, page: BookPage) {
  const { explorer } = app;
  const button = (label: string, icon: unknown, on: () => void, off = false, testid = '') =>
    html`<button type="button" aria-label=${label} title=${label} ?disabled=${off} data-testid=${testid || nothing} @click=${on}>${icon}</button>`;
  const end = explorer.ahead.length === 0 && page.moves.length === 0;
  return html`${button('To the beginning (↑)', icons.first, () => explorer.to(place, 0), place.line.length === 0, 'book-first')}
    ${button('Back (←)', icons.prev, () => explorer.step(place, -1), place.line.length === 0, 'book-prev')}
    ${button('Next: the heaviest move (→)', icons.next, () => explorer.step(place, 1), end, 'book-next')}
    <span class="space"></span>
    ${button('Flip the board (F)', icons.flip, () => app.flip())} ${button('Copy the position (FEN)', icons.copy, () => void app.copy(page.fen, 'The position (FEN) is copied.'))}
    ${button('Copy a link to this position', icons.share, () => void explorer.share(), false, 'book-share')}`;
}

/** The line, each of its moves a step back; those that were gone back over are paler. */
function crumbs(app: App, place: Place, page: BookPage) {
  const numbered = (n: number) => {
    const { number, side } = moveNumber(page.start, n);
    return side === 'white' ? `${number}. ` : n === 1 ? `${number}… ` : '';
  };
  const at = page.line.length;
  return html`<nav class="crumbs" aria-label="Line" data-testid="crumbs">
    <button type="button" aria-current=${at === 0 ? 'true' : nothing} @click=${() => app.explorer.to(place, 0)}>${place.fen ? 'Position' : 'Start'}</button>
    ${page.line.map((s, i) => html`<button type="button" aria-current=${i + 1 === at ? 'true' : nothing} @click=${() => app.explorer.to(place, i + 1)}>${numbered(i + 1)}${s.san}</button>`)}
    ${app.explorer.ahead.length ? html`<button type="button" class="ahead" @click=${() => app.explorer.to(place, Number.MAX_SAFE_INTEGER)}>… ${app.explorer.ahead.length} further</button>` : nothing}
  </nav>`;
}

interface Row {
  readonly uci: string;
  readonly san: string;
  readonly book: BookMoveView | null;
  readonly played: PlayedMoveView | null;
}

function moves(app: App, place: Place, page: BookPage) {
  const games = app.explorer.games(place);
  const played = games.at === 'here' ? games.value.moves : [];
  const rows: Row[] = page.moves.map(m => ({ uci: m.uci, san: m.san, book: m, played: played.find(p => p.uci === m.uci) ?? null }));
  const others = played.filter(p => p.uci !== null && !page.moves.some(m => m.uci === p.uci));
  rows.push(...others.map(p => ({ uci: p.uci!, san: p.san ?? p.uci!, book: null, played: p })));
  const side = bookSide(page);
  if (rows.length === 0) return html`<p class="empty" data-testid="book-moves" data-count="0">The book ends here, and no game came through. Go back, or make a move on the board.</p>`;
  return html`<table class="book-moves" data-testid="book-moves" data-count=${page.moves.length}>
    <caption class="sr">Moves of the position: how the book weighs them, and how games with them ended for ${side === 'white' ? 'White' : 'Black'}</caption>
    <thead><tr><th>Move</th><th>In the book</th><th class="num">Weight</th><th>Games, won · drawn · lost by ${side === 'white' ? 'White' : 'Black'}</th></tr></thead>
    <tbody>${rows.map(r => row(app, place, r, side))}</tbody>
  </table>`;
}

function row(app: App, place: Place, r: Row, side: 'white' | 'black') {
  const m = r.book;
  const share = m?.share ?? null;
  const percent = share === null ? null : `${Math.round(share * 100)} %`;
  const inBook = !m ? html`<span class="muted">not in the book</span>` : m.weight === null ? html`<span class="muted">leads back into it</span>` : html`<span class="share"><i aria-hidden="true" style="width:${(share ?? 0) * 100}%"></i><b>${percent ?? '–'}</b></span>`;
  return html`<tr data-move=${r.uci} class=${m ? '' : 'other'}>
    <td><button type="button" @click=${() => app.explorer.play(place, r.uci)}>${r.san}</button></td>
    <td>${inBook}${m?.opening ? html`<small>${m.opening}</small>` : nothing}${m && !m.goes_on ? html`<small>the book ends there</small>` : nothing}</td>
    <td class="num">${m?.weight ?? '–'}${m?.cp != null ? html`<small title="By the engine that made the book, White’s view">${scoreText(forWhite({ cp: m.cp }, turnOf(app)))}</small>` : nothing}</td>
    <td>${r.played ? results(r.played, side) : html`<span class="muted">none</span>`}</td>
  </tr>`;
}

const turnOf = (app: App): 'white' | 'black' => {
  const page = app.route.page === 'book' ? app.explorer.page(app.route).shown : null;
  return page?.fen.split(' ')[1] === 'b' ? 'black' : 'white';
};

function results(p: PlayedMoveView, side: 'white' | 'black') {
  const { won, drawn, lost } = forSide(p, side);
  const open = p.games - won - drawn - lost;
  return html`<span class="of-games"><b>${p.games}</b>
    <span class="wdl-bar" aria-hidden="true"><i class="win" style="flex-grow:${won}"></i><i class="draw" style="flex-grow:${drawn}"></i><i class="loss" style="flex-grow:${lost}"></i></span>
    <small>${won} · ${drawn} · ${lost}${open ? ` (${open} open)` : ''}</small></span>`;
}

function engine(app: App, place: Place, page: BookPage) {
  const asked = app.explorer.evaluation(place);
  const turn = page.fen.split(' ')[1] === 'b' ? 'black' : 'white';
  const said = asked.at === 'here' ? asked.value : null;
  return html`<section class="card" data-testid="book-engine" data-at=${asked.at}>
    <header><h2>Engine</h2><small class="muted">${said?.engine ? `${said.engine}, ${said.limit}` : ''}</small></header>
    ${asked.at === 'loading' ? html`<p class="muted">Thinking…</p>` : asked.at === 'failed' ? failed(asked.error, () => app.explorer.again()) : nothing}
    ${said?.absent ? html`<p class="muted">${said.absent}</p>` : nothing} ${said?.engine && said.moves.length === 0 ? html`<p class="muted">The game is over here.</p>` : nothing}
    ${said?.moves.length
      ? html`<ol class="judged">${said.moves.map(m => html`<li><button type="button" @click=${() => app.explorer.play(place, m.uci)}>${m.san}</button> <b title="White’s view">${scoreText(forWhite(m.score, turn))}</b></li>`)}</ol>`
      : nothing}
  </section>`;
}

function games(app: App, place: Place) {
  const asked = app.explorer.games(place);
  if (asked.at === 'loading') return html`<section class="card"><header><h2>Games</h2></header><p class="muted">Fetching…</p></section>`;
  if (asked.at === 'failed') return html`<section class="card">${failed(asked.error, () => app.explorer.again())}</section>`;
  const { games, moves, within_plies, counted } = asked.value;
  const all = moves.reduce((sum, m) => sum + m.games, 0);
  return html`<section class="card" data-testid="book-games" data-count=${all}>
    <header><h2>Games through this position</h2><small class="muted" title=${`Whatever the order of their moves, within ${within_plies} plies`}>${all >= counted ? `the latest ${counted.toLocaleString('en')}` : all}</small></header>
    ${games.length === 0 ? html`<p class="muted">None yet.</p>` : nothing}
    <ul class="events">
      ${games.slice(0, 12).map(g => html`<li><a href=${format({ page: 'game', id: g.game, ply: g.ply })}><b>${g.result === '1/2-1/2' ? '½–½' : g.result}</b> ${g.white} – ${g.black}</a> <span>${g.san ? `then ${g.san}` : 'ends here'}${g.ended_at === null ? '' : `, ${ago(app.now() - g.ended_at)}`}</span></li>`)}
    </ul>
  </section>`;
}

function files(app: App, page: BookPage) {
  const { explorer } = app;
  const b = page.book;
  const facts = [b.form ? FORMS[b.form] : null, b.entries === null ? null : plural(b.entries, 'entry', 'entries')].filter(Boolean).join(', ');
  return html`<section class="card">
    <header><h2>The book</h2><small class="muted">${facts}</small></header>
    <div class="buttons">
      ${(Object.keys(FORMS) as BookForm[]).map(form => html`<button type="button" ?disabled=${explorer.busy} data-testid="book-as-${form}" title=${`Download as ${FORMS[form]}`} @click=${() => void explorer.download(b, form)}>${icons.download} ${{ polyglot: '.bin', compact: '.rkb', json: '.json', pgn: '.pgn' }[form]}</button>`)}
      <button type="button" ?disabled=${explorer.busy} data-testid="book-to-board" @click=${() => void explorer.toBoard(b)}>${icons.chip} Put it on a board…</button>
      ${b.source === 'kept' ? html`<button type="button" ?disabled=${explorer.busy} @click=${() => explorer.forget(b)}>${icons.close} Delete…</button>` : nothing}
    </div>
  </section>`;
}
