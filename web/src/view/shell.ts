// SPDX-License-Identifier: GPL-3.0-or-later
// What frames every page: the head, alarms, dialogs and passing words.
import { html, nothing, type TemplateResult } from 'lit-html';
import type { App, Theme } from '../app';
import type { RunView } from '../generated/api';
import type { Route } from '../router';
import { alarms } from '../state';
import { game } from './game';
import { games } from './games';
import * as icons from './icons';
import { live } from './live';
import { runs } from './runs';

const PAGES: Record<Route['page'], (app: App) => TemplateResult | typeof nothing> = { live, game, games, runs };

const NAV = [
  { href: '#/', text: 'Live', pages: ['live'] },
  { href: '#/games', text: 'Games', pages: ['games', 'game'] },
  { href: '#/runs', text: 'Runs', pages: ['runs'] },
] as const;

export function shell(app: App) {
  return html`
    <a class="skip" href="#main" @click=${skip}>Skip to the content</a>
    <header class="top">
      <a class="brand" href="#/" aria-label="Rookery, live view">${icons.rook}<span>Rookery</span></a>
      <nav aria-label="Pages">
        ${NAV.map(n => html`<a href=${n.href} aria-current=${(n.pages as readonly string[]).includes(app.route.page) ? 'page' : nothing}>${n.text}</a>`)}
      </nav>
      <span class="space"></span>
      ${connection(app)} ${theme(app)}
    </header>
    ${banner(app)}
    <main id="main" tabindex="-1" class="at-${app.route.page}">${PAGES[app.route.page](app)}</main>
    ${app.toast ? html`<div class="toast ${app.toast.bad ? 'bad' : ''}" role=${app.toast.bad ? 'alert' : 'status'}>${app.toast.text}</div>` : nothing}
    ${app.tokenAsked ? tokenDialog(app, app.tokenAsked.wrong) : nothing} ${app.stopAsked ? stopDialog(app, app.stopAsked) : nothing}
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
  const list = alarms(app.state);
  if (list.length === 0) return nothing;
  return html`<div class="alarms" role="alert" data-testid="alarms">
    ${icons.alarm}
    <ul>${list.map(a => html`<li><b>${a.who}</b> ${a.text}</li>`)}</ul>
  </div>`;
}

/** After lit has put the elements in their places: a dialog opens only in the document. */
export function shellPlaced(): void {
  for (const dialog of document.querySelectorAll<HTMLDialogElement>('dialog:not([open])')) dialog.showModal();
}

function tokenDialog(app: App, wrong: boolean) {
  return html`<dialog aria-labelledby="token-title" @cancel=${() => app.cancelToken()}>
    <form
      method="dialog"
      @submit=${(e: SubmitEvent) => {
        e.preventDefault();
        app.giveToken(String(new FormData(e.target as HTMLFormElement).get('token') ?? '').trim());
      }}
    >
      <h2 id="token-title">${wrong ? 'The server does not accept this token' : 'The server asks for a token'}</h2>
      <p>It stands in the server’s configuration. It is kept in this tab only, until you close it.</p>
      <input name="token" type="password" autocomplete="current-password" aria-label="Token" required data-testid="token-input" />
      <div class="buttons"><button type="button" @click=${() => app.cancelToken()}>Not now</button><button type="submit" class="primary">Go on</button></div>
    </form>
  </dialog>`;
}

function stopDialog(app: App, run: RunView) {
  return html`<dialog aria-labelledby="stop-title" @cancel=${() => app.askStop(null)} data-testid="stop-dialog">
    <h2 id="stop-title">Stop this run?</h2>
    <p>“${run.name}” has played ${run.played}${run.settings.games > 0 ? ` of ${run.settings.games}` : ''} games. The game on the board is played to its end. A stopped run cannot be taken up again; to rest it, pause it.</p>
    <div class="buttons">
      <button type="button" autofocus @click=${() => app.askStop(null)}>Keep it going</button>
      <button type="button" class="danger" data-testid="stop-confirm" @click=${() => void app.act(run, 'stop')}>${icons.stop} Stop the run</button>
    </div>
  </dialog>`;
}
