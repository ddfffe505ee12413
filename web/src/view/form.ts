// SPDX-License-Identifier: GPL-3.0-or-later
// The form of a new run.
import { html, nothing, type TemplateResult } from 'lit-html';
import { ifDefined } from 'lit-html/directives/if-defined.js';
import { live } from 'lit-html/directives/live.js';
import type { App } from '../app';
import { LINK_STATES } from '../format';
import type { BookView } from '../generated/api';
import type { EngineFields, Fields, Form, LimitKind } from '../form';
import * as icons from './icons';

const typed = (e: Event) => (e.target as HTMLInputElement).value;
const ticked = (e: Event) => (e.target as HTMLInputElement).checked;

export function newRun(app: App) {
  const { form } = app;
  if (app.route.page !== 'new' || !form) return nothing;
  const f = form.fields;
  return html`<form class="page new-run" novalidate data-testid="new-run" @submit=${(e: Event) => { e.preventDefault(); void form.send(); }}>
    <div class="page-head"><h1>New run</h1>${!form.filled ? nothing : html`<p class="muted">filled in as run ${form.like}</p>`}</div>
    <div class="form-cards">
      ${first(app, form)} ${opponent(app, form)}
      <section class="card">
        <h2>Games</h2>
        <div class="fields">
          ${f.endless ? nothing : number(form, 'games', 'How many')}
          ${check('No end', f.endless, endless => form.set({ endless }))}
          ${choice('Colour of the player under test', f.color, { alternate: 'Alternating', white: 'Always White', black: 'Always Black' }, color => form.set({ color }))}
          ${f.by === 'boards' ? number(form, 'level', 'Level: node budget for a move') : nothing}
          ${text(form, 'name', 'Name of the run', 'made from the players')}
        </div>
      </section>
      ${openings(app, form)} ${adjudication(form)} ${rest(form)}
    </div>
    ${form.error ? html`<p class="warn" role="alert" data-testid="form-error">${icons.alarm} ${form.error}</p>` : nothing}
    <div class="buttons send">
      <a class="button" href="#/runs">Not now</a>
      <button type="submit" class="primary" ?disabled=${form.sending} data-testid="begin-run">${icons.play} Begin the run</button>
    </div>
  </form>`;
}

// ---- fields ----

function field(form: Form, key: string, label: string, input: (fault: string | undefined) => TemplateResult, wide = false) {
  const fault = form.faults[key];
  return html`<label class=${wide ? 'wide' : ''}>${label} ${input(fault)}${fault ? html`<em id="fault-${key}">${fault}</em>` : nothing}</label>`;
}

type Text = { [K in keyof Fields]: Fields[K] extends string ? K : never }[keyof Fields];

function text(form: Form, key: Text, label: string, placeholder = '') {
  return field(
    form,
    key,
    label,
    fault => html`<input name=${key} .value=${live(form.fields[key] as string)} placeholder=${placeholder} aria-invalid=${fault ? 'true' : 'false'} aria-describedby=${ifDefined(fault ? `fault-${key}` : undefined)} @input=${(e: Event) => form.set({ [key]: typed(e) })} />`,
  );
}

function number(form: Form, key: Text, label: string, unit = '') {
  return field(
    form,
    key,
    unit ? `${label} (${unit})` : label,
    fault => html`<input name=${key} inputmode="numeric" .value=${live(form.fields[key] as string)} aria-invalid=${fault ? 'true' : 'false'} aria-describedby=${ifDefined(fault ? `fault-${key}` : undefined)} @input=${(e: Event) => form.set({ [key]: typed(e) })} />`,
  );
}

function check(label: string, value: boolean, set: (value: boolean) => void) {
  return html`<label class="check"><input type="checkbox" .checked=${live(value)} @change=${(e: Event) => set(ticked(e))} /> ${label}</label>`;
}

function choice<T extends string>(label: string, value: T, all: Record<T, string>, set: (value: T) => void) {
  return html`<label>${label}
    <select .value=${live(value)} @change=${(e: Event) => set(typed(e) as T)}>
      ${(Object.entries(all) as [T, string][]).map(([key, words]) => html`<option value=${key} ?selected=${key === value}>${words}</option>`)}
    </select>
  </label>`;
}

// ---- sections ----

function first(app: App, form: Form) {
  const f = form.fields;
  return html`<section class="card">
    <h2>Player under test</h2>
    <div class="choice" role="radiogroup" aria-label="Who is under test">
      <label class="check"><input type="radio" name="by" .checked=${live(f.by === 'boards')} @change=${() => form.set({ by: 'boards' })} /> Boards</label>
      <label class="check"><input type="radio" name="by" .checked=${live(f.by === 'engine')} @change=${() => form.set({ by: 'engine' })} /> An engine in a board’s place</label>
    </div>
    ${f.by === 'engine' ? engine(app, form, 'first') : boards(app, form)}
  </section>`;
}

function boards(app: App, form: Form) {
  const f = form.fields;
  const known = app.state.boards;
  const tick = (url: string, on: boolean) => form.set({ boards: on ? [...f.boards, url] : f.boards.filter(u => u !== url) });
  const fault = form.faults['boards'];
  return html`<div class="fields">
    <div class="wide ticks" role="group" aria-label="Boards">
      ${known.map(b => html`<label class="check"><input type="checkbox" aria-invalid=${fault ? 'true' : 'false'} .checked=${live(f.boards.includes(b.url))} @change=${(e: Event) => tick(b.url, ticked(e))} />
        <span>${b.name} <small>${LINK_STATES[b.link]}${b.game !== null ? ', plays a game' : ''}</small></span></label>`)}
      ${fault ? html`<em>${fault}</em>` : nothing}
    </div>
    ${field(form, 'others', known.length ? 'Other boards (URLs)' : 'Boards (URLs)', wrong => html`<textarea rows="1" name="others" aria-invalid=${wrong || (fault && known.length === 0) ? 'true' : 'false'} placeholder="tcp://192.168.4.1:23" .value=${live(f.others)} @input=${(e: Event) => form.set({ others: typed(e) })}></textarea>`, true)}
    ${boardBook(app, form)}
    ${f.boards.length + f.others.split(/\s+/).filter(Boolean).length > 1 ? number(form, 'concurrency', 'Games at the same time') : nothing}
  </div>`;
}

/** A board plays from the book in its flash, a simulated one as well. */
function boardBook(app: App, form: Form) {
  const books = known(app);
  if (books.length === 0) return html`<p class="muted wide">A board plays from the book in its flash, a simulated one as well. To give it another one, <a href="#/books">upload it</a>.</p>`;
  return html`<div class="wide" data-testid="board-book">${choice('Book of the boards', form.fields.boardBook, { '': 'What is in their flash', ...Object.fromEntries(books.map(b => [b.id, b.name])) }, book => form.set({ boardBook: book }))}</div>
    ${form.fields.boardBook === '' ? nothing : html`<p class="muted wide">It is written into the flash of the boards that are ticked before their first game, and stays there. A board that plays for another run gets it after its game.</p>`}`;
}

const opponent = (app: App, form: Form) => html`<section class="card"><h2>Opponent</h2>${engine(app, form, 'second')}</section>`;

const LIMIT_WORDS: Record<LimitKind, string> = { nodes: 'Nodes a move', depth: 'Depth', movetime: 'Milliseconds a move', tc: 'A clock: seconds+increment' };

function engine(app: App, form: Form, which: 'first' | 'second') {
  const e = form.fields[which];
  const set = (change: Partial<EngineFields>) => form.setEngine(which, change);
  const input = (key: 'path' | 'limit' | 'args' | 'name' | 'book' | 'bookPlies', label: string, placeholder = '') =>
    field(
      form,
      `${which}.${key}`,
      label,
      fault => html`<input name="${which}.${key}" aria-invalid=${fault ? 'true' : 'false'} autocapitalize="off" spellcheck="false" placeholder=${placeholder} .value=${live(e[key])} @input=${(ev: Event) => set({ [key]: typed(ev) })} />`,
    );
  return html`<div class="fields">
    ${input('path', 'UCI engine (program on the server)')}
    ${choice('Limit', e.kind, LIMIT_WORDS, kind => set({ kind, limit: { nodes: '5000', depth: '8', movetime: '200', tc: '60+0.6' }[kind] }))} ${input('limit', LIMIT_WORDS[e.kind])}
    ${field(form, `${which}.options`, 'UCI options', fault => html`<textarea rows="2" aria-invalid=${fault ? 'true' : 'false'} placeholder="Skill Level=3" spellcheck="false" .value=${live(e.options)} @input=${(ev: Event) => set({ options: typed(ev) })}></textarea>`, true)}
    <details class="wide" ?open=${e.book !== ''} data-testid="${which}-book"><summary>Book${e.book ? '' : ': none'}</summary>
      <div class="fields">
        ${choice('A book that the server knows', known(app).some(b => b.path === e.book) ? e.book : '', { '': e.book ? 'another file' : 'None', ...Object.fromEntries(known(app).map(b => [b.path, b.name])) }, book => set({ book }))}
        ${input('book', 'Or a file on the server', '/books/main.bin')}
        ${choice('Choose among its moves', e.bookPick, { weighted: 'Drawn by weight', best: 'The heaviest', uniform: 'Drawn, each as likely' }, bookPick => set({ bookPick }))}
        ${input('bookPlies', 'Plies of a game from it', 'as long as it has one')}
      </div>
    </details>
    <details class="wide"><summary>Arguments, another name</summary><div class="fields">${input('args', 'Arguments')} ${input('name', 'Name', 'as the engine says')}</div></details>
  </div>`;
}

function openings(app: App, form: Form) {
  const { openings } = form.fields;
  return html`<section class="card">
    <h2>Openings</h2>
    <p class="muted">${openings.length === 0 ? 'Every game begins at the start position.' : `${openings.length} ${openings.length === 1 ? 'line' : 'lines'}, used in turn${form.fields.color === 'alternate' ? ', each from both sides' : ''}.`}</p>
    <textarea id="openings-text" rows="3" aria-label="Openings" placeholder="PGN, EPD or FEN lines, or moves: e4 c5 Nf3 d6" spellcheck="false"></textarea>
    ${form.said ? html`<p class=${form.said.bad ? 'warn' : 'muted'} role="status">${form.said.text}</p>` : nothing}
    <div class="buttons">
      <button type="button" @click=${() => void form.read((document.getElementById('openings-text') as HTMLTextAreaElement).value)} data-testid="read-openings">Take these</button>
      <label class="button">${icons.upload} A file<input type="file" class="sr" accept=".pgn,.epd,.fen,.txt,.bin,.rkb,.json" data-testid="openings-file" @change=${(e: Event) => {
        const input = e.target as HTMLInputElement;
        void form.file(input.files).then(() => (input.value = ''));
      }} /></label>
      ${openings.length ? html`<button type="button" @click=${() => { form.said = null; form.set({ openings: [] }); }}>None</button>` : nothing}
    </div>
    ${fromBook(app, form)}
  </section>`;
}

/** The books that can be opened. */
function known(app: App): readonly BookView[] {
  const list = app.explorer.list();
  return list.at === 'here' ? list.value.filter(b => b.size !== null) : [];
}

function fromBook(app: App, form: Form) {
  const f = form.fields;
  const all = known(app);
  if (all.length === 0) return html`<p class="muted">Openings come out of a book, too: <a href="#/books">upload one</a>.</p>`;
  return html`<div class="fields" role="group" aria-label="Openings from a book" data-testid="from-book">
    ${choice('From a book', f.from, { '': 'Choose…', ...Object.fromEntries(all.map(b => [b.id, b.name])) }, from => form.set({ from }))}
    ${choice('Which of its lines', f.fromOrder, { 'in-turn': 'Each in turn', best: 'Of the best moves', weighted: 'Drawn by weight, by the seed' }, fromOrder => form.set({ fromOrder }))}
    ${number(form, 'fromPlies', 'Plies of a line')} ${number(form, 'fromLines', 'Lines at most')}
    <div class="buttons"><button type="button" ?disabled=${f.from === ''} @click=${() => void form.takeFrom()} data-testid="take-from-book">${icons.book} Take its lines</button></div>
  </div>`;
}

function adjudication(form: Form) {
  const f = form.fields;
  return html`<section class="card">
    <h2>Early ends</h2>
    <div class="fields">
      <div class="wide">${check('A draw when both scores stay near zero', f.draw, draw => form.set({ draw }))}</div>
      ${f.draw ? html`${number(form, 'drawFrom', 'From full move')} ${number(form, 'drawMoves', 'For so many moves')} ${number(form, 'drawScore', 'Within', 'centipawns')}` : nothing}
      <div class="wide">${check('Lost when the score stays low', f.resign, resign => form.set({ resign }))}</div>
      ${f.resign
        ? html`${number(form, 'resignMoves', 'For so many moves')} ${number(form, 'resignScore', 'At or below minus', 'centipawns')} ${check('Both sides agree', f.resignTwoSided, resignTwoSided => form.set({ resignTwoSided }))}`
        : nothing}
      ${number(form, 'maxPlies', 'A draw at so many plies (empty: never)')}
      ${choice('Threefold repetition, fifty moves', f.claims, { automatic: 'Claimed at once', never: 'Not claimed' }, claims => form.set({ claims }))}
    </div>
  </section>`;
}

function rest(form: Form) {
  return html`<section class="card">
    <h2>When things go wrong</h2>
    <div class="fields">
      ${choice('An illegal move of the board', form.fields.onIllegal, { forfeit: 'Loses the game', retry: 'Is asked for once more' }, onIllegal => form.set({ onIllegal }))}
      ${number(form, 'patience', 'Patience with a board out of reach', 's')} ${number(form, 'thinkTimeout', 'Longest think', 's')} ${number(form, 'margin', 'Overstepping of a clock', 'ms')}
      ${number(form, 'restarts', 'Engine restarts in a game')} ${number(form, 'seed', 'Seed of the openings’ order')}
    </div>
  </section>`;
}
