// SPDX-License-Identifier: GPL-3.0-or-later
// The list of books.
import { html, nothing } from 'lit-html';
import type { App } from '../app';
import { bytes, date, plural } from '../format';
import type { BookSource, BookView } from '../generated/api';
import { format } from '../router';
import { failed, loading } from './common';
import * as icons from './icons';

export const FORMS = { polyglot: 'Polyglot', compact: 'a board’s', json: 'JSON', pgn: 'PGN' } as const;
const FROM: Record<BookSource, string> = { configured: 'from the configuration', run: 'played from by a run', kept: 'kept' };

export const bookLink = (id: string) => format({ page: 'book', id, fen: null, line: [] });

export function books(app: App) {
  const { explorer } = app;
  const list = explorer.list();
  const count = list.at === 'here' ? list.value.length : '';
  return html`<div class="page" @dragover=${(e: DragEvent) => e.preventDefault()} @drop=${(e: DragEvent) => { e.preventDefault(); void explorer.upload(e.dataTransfer?.files); }}>
    <div class="page-head"><h1>Books</h1>
      <label class="button ${explorer.busy ? 'off' : ''}">${icons.upload} Upload a book<input type="file" class="sr" accept=".bin,.rkb,.json,.pgn" data-testid="book-upload" ?disabled=${explorer.busy} @change=${(e: Event) => {
        const input = e.target as HTMLInputElement;
        void explorer.upload(input.files).then(() => (input.value = ''));
      }} /></label>
    </div>
    <p class="note">Polyglot (.bin), a board’s (.rkb), JSON or PGN; or drop a file here. <code>rookery book build</code> makes new ones.</p>
    ${list.at === 'loading' ? loading('Fetching books…') : nothing} ${list.at === 'failed' ? failed(list.error, () => explorer.again()) : nothing}
    <ul class="books" data-testid="books" data-count=${count}>${list.at === 'here' ? list.value.map(b => line(app, b)) : nothing}</ul>
    ${list.at === 'here' && list.value.length === 0 ? html`<p class="empty">The server knows no book yet.</p>` : nothing}
  </div>`;
}

function line(app: App, b: BookView) {
  const facts = [b.form ? FORMS[b.form] : null, b.entries === null ? null : plural(b.entries, 'entry', 'entries'), b.size === null ? null : bytes(b.size), b.run === null ? FROM[b.source] : `run ${b.run} plays from it`, b.at === null ? null : date(b.at)];
  return html`<li class="card book" data-book=${b.id}>
    ${icons.book}
    <div>
      ${b.size === null ? html`<b>${b.name}</b> <span class="bad">its file is gone</span>` : html`<a href=${bookLink(b.id)}><b>${b.name}</b></a>`}
      <small title=${b.path}>${facts.filter(Boolean).join(' · ')}</small>
    </div>
    ${b.source === 'kept' ? html`<button type="button" class="ghost" aria-label=${`Delete ${b.name}`} title="Delete" @click=${() => app.explorer.forget(b)}>${icons.close}</button>` : nothing}
  </li>`;
}
