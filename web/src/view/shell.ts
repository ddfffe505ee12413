// SPDX-License-Identifier: GPL-3.0-or-later
// What frames every page: the head, alarms, dialogs and passing words.
import { html, nothing, type TemplateResult } from 'lit-html';
import type { App, Question, Theme } from '../app';
import type { Route } from '../router';
import { boardPage } from './boardpage';
import { boards } from './boards';
import { book, bookPlaced } from './book';
import { books } from './books';
import { consolePlaced } from './console';
import { newRun } from './form';
import { game } from './game';
import { games } from './games';
import * as icons from './icons';
import { live } from './live';
import { overview } from './overview';
import { plotsPlaced } from './plots';
import { runs } from './runs';
import { telemetry } from './telemetry';
import { themeKey } from './theme';

const PAGES: Record<Route['page'], (app: App) => TemplateResult | typeof nothing> = {
  live,
  overview,
  game,
  games,
  telemetry,
  runs,
  new: newRun,
  books,
  book,
  boards,
  board: boardPage,
};

const NAV = [
  { href: '#/', text: 'Live', icon: icons.zap, pages: ['live'] },
  { href: '#/overview', text: 'Overview', icon: icons.grid, pages: ['overview'] },
  { href: '#/games', text: 'Games', icon: icons.list, pages: ['games', 'game'] },
  { href: '#/telemetry', text: 'Telemetry', icon: icons.chart, pages: ['telemetry'] },
  { href: '#/runs', text: 'Runs', icon: icons.flag, pages: ['runs', 'new'] },
  { href: '#/books', text: 'Books', icon: icons.book, pages: ['books', 'book'] },
  { href: '#/boards', text: 'Boards', icon: icons.chip, pages: ['boards', 'board'] },
] as const;

/** The page's name for the browser's tab and its history. */
export function pageTitle(app: App): string {
  const { route } = app;
  const own = route.page === 'new' ? 'New run' : route.page === 'board' ? app.state.boards.find(b => b.id === route.id)?.name : undefined;
  const title = own ?? NAV.find(n => (n.pages as readonly string[]).includes(route.page))?.text;
  return title ? `${title} · Rookery` : 'Rookery';
}

export function shell(app: App) {
  return html`
    <a class="skip" href="#main" @click=${skip}>Skip to the content</a>
    <header class="top">
      <a class="brand" href="#/" aria-label="Rookery, live view">${icons.rook}<span>Rookery</span></a>
      <nav aria-label="Pages">
        ${NAV.map(n => html`<a href=${n.href} aria-current=${(n.pages as readonly string[]).includes(app.route.page) ? 'page' : nothing}>${n.icon}<span>${n.text}</span></a>`)}
      </nav>
      <span class="space"></span>
      ${connection(app)} ${theme(app)}
    </header>
    ${banner(app)}
    <main id="main" tabindex="-1" class="at-${app.route.page}">${PAGES[app.route.page](app)}</main>
    ${app.toast ? html`<div class="toast ${app.toast.bad ? 'bad' : ''}" role=${app.toast.bad ? 'alert' : 'status'}>${app.toast.text}</div>` : nothing}
    ${app.access.asked ? tokenDialog(app, app.access.asked) : nothing} ${app.question ? questionDialog(app, app.question) : nothing}
  `;
}

/** The address after `#` is the page's; the skip link must not change it. */
function skip(event: Event): void {
  event.preventDefault();
  document.getElementById('main')?.focus();
}

const CONNECTION = { connecting: 'Connecting…', connected: 'Connected', reconnecting: 'Reconnecting…', offline: 'Offline' } as const;

function connection(app: App) {
  const last = app.delay.last;
  const median = app.delay.median;
  const ms = (n: number) => (n < 1000 ? `${Math.round(n)} ms` : `${(n / 1000).toFixed(1)} s`);
  const title =
    last === null || median === null
      ? 'The line to the server'
      : `From a ply in the server to this screen: ${ms(last)}, median ${ms(median)}${app.delay.correction ? ' (clocks differ, corrected)' : ''}`;
  return html`<button type="button" class="connection c-${app.conn}" data-testid="connection" data-state=${app.conn} title=${title} @click=${() => app.conn !== 'connected' && app.reconnect()}>
    <i></i><span class="text" role="status">${CONNECTION[app.conn]}</span>${app.conn === 'connected' && last !== null ? html`<span class="delay" data-testid="delay">${ms(last)}</span>` : nothing}
  </button>`;
}

const NEXT_THEME: Record<Theme, Theme> = { auto: 'dark', dark: 'light', light: 'auto' };
const THEME_TEXT: Record<Theme, string> = { auto: 'as the system', dark: 'dark', light: 'light' };

function theme(app: App) {
  const icon = { auto: icons.auto, dark: icons.moon, light: icons.sun }[app.theme];
  const label = `Theme: ${THEME_TEXT[app.theme]}. Change to ${THEME_TEXT[NEXT_THEME[app.theme]]}`;
  return html`<button type="button" class="ghost" data-testid="theme" aria-label=${label} title=${label} @click=${() => app.setTheme(NEXT_THEME[app.theme])}>${icon}</button>`;
}

function banner(app: App) {
  const list = app.alarms();
  if (list.length === 0) return nothing;
  return html`<div class="alarms" role="alert" data-testid="alarms">
    ${icons.alarm}
    <ul>${list.map(a => html`<li><b>${a.who}</b> ${a.text}${a.past ? html` <button type="button" class="link" data-testid="put-away" aria-label=${`Put away: ${a.who}`} @click=${() => app.putAway(a)}>Put away</button>` : nothing}</li>`)}</ul>
  </div>`;
}

/** After lit has put the elements in their places: a dialog opens only in the document. */
export function shellPlaced(app: App): void {
  plotsPlaced(app, themeKey(app));
  if (app.desk) consolePlaced(app.desk);
  bookPlaced(app);
  for (const dialog of document.querySelectorAll<HTMLDialogElement>('dialog:not([open])')) dialog.showModal();
}

function tokenDialog(app: App, asked: { words: string; wrong: boolean }) {
  return html`<dialog aria-labelledby="token-title" @cancel=${() => app.cancelToken()}>
    <form
      method="dialog"
      @submit=${(e: SubmitEvent) => {
        e.preventDefault();
        const given = new FormData(e.target as HTMLFormElement);
        app.giveToken(String(given.get('token') ?? '').trim(), given.has('keep'));
      }}
    >
      <h2 id="token-title">${asked.wrong ? 'This needs another token' : 'The server asks for a token'}</h2>
      <p>It stands in the server’s configuration; boards may have one of their own for flashing. It is kept in this tab until you close it, or in this browser where you say so.</p>
      <p class="muted">The server says: ${asked.words}</p>
      <input name="token" type="password" autocomplete="current-password" aria-label="Token" required data-testid="token-input" />
      <label class="check"><input type="checkbox" name="keep" data-testid="token-keep" /> Keep it in this browser</label>
      <div class="buttons"><button type="button" @click=${() => app.cancelToken()}>Not now</button><button type="submit" class="primary">Go on</button></div>
    </form>
  </dialog>`;
}

function questionDialog(app: App, q: Question) {
  return html`<dialog aria-labelledby="question-title" @cancel=${() => app.ask(null)} data-testid="question">
    <h2 id="question-title">${q.title}</h2>
    <p>${q.text}</p>
    <div class="buttons">
      <button type="button" autofocus @click=${() => app.ask(null)}>${q.no}</button>
      <button type="button" class="danger" data-testid="question-yes" @click=${() => app.answerYes()}>${q.yes}</button>
    </div>
  </dialog>`;
}
