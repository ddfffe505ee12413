// SPDX-License-Identifier: GPL-3.0-or-later
// A board's raw traffic, and a way to talk to it.
import { html, nothing } from 'lit-html';
import { guard } from 'lit-html/directives/guard.js';
import { repeat } from 'lit-html/directives/repeat.js';
import { live } from 'lit-html/directives/live.js';
import type { App } from '../app';
import { filtered, type Entry, type Way } from '../console';
import type { Desk } from '../desk';
import { time } from '../format';
import * as icons from './icons';

export function consoleCard(app: App, desk: Desk) {
  const shown = filtered(desk.log, desk.filter, desk.way, desk.noise);
  const board = app.state.boards.find(b => b.id === desk.board);
  const playing = board?.game !== null && board?.game !== undefined;
  const value = (e: Event) => (e.target as HTMLInputElement).value;
  const checked = (e: Event) => (e.target as HTMLInputElement).checked;
  return html`<section class="card console" data-testid="console" data-open=${desk.console.open} data-lines=${shown.length}>
    <header>
      <h2>Console</h2>
      <span class="pill ${desk.console.open ? 'l-ready' : 'l-connecting'}">${desk.console.open ? (desk.held ? 'Held' : 'Live') : 'Connecting'}</span>
    </header>
    <div class="tools">
      <input type="search" placeholder="Filter" aria-label="Filter the lines" .value=${live(desk.filter)} @input=${(e: Event) => desk.set({ filter: value(e) })} data-testid="console-filter" />
      <select aria-label="Direction" @change=${(e: Event) => desk.set({ way: value(e) as Way })}>
        <option value="both">Both ways</option>
        <option value="in">From the board</option>
        <option value="out">To the board</option>
      </select>
      <label class="check"><input type="checkbox" .checked=${desk.hex} @change=${(e: Event) => desk.set({ hex: checked(e) })} data-testid="console-hex" /> Hex</label>
      <label class="check"><input type="checkbox" .checked=${desk.noise} @change=${(e: Event) => desk.set({ noise: checked(e) })} /> Noise</label>
      <span class="space"></span>
      <button type="button" aria-pressed=${desk.held ? 'true' : 'false'} @click=${() => desk.hold()}>${desk.held ? icons.play : icons.pause} ${desk.held ? 'Go on' : 'Hold'}</button>
      <button type="button" @click=${() => desk.console.clear()}>Clear</button>
      <button type="button" @click=${() => void desk.saveLines()} data-testid="console-save">${icons.download} Lines</button>
    </div>
    <div class="log ${desk.hex ? 'with-hex' : ''}" role="log" aria-label="Lines of the link" tabindex="0" aria-live="off">
      ${guard([desk.log, desk.filter, desk.way, desk.noise, desk.hex], () =>
        shown.length === 0 ? html`<p class="empty">${desk.log.entries.length ? 'No line fits the filter.' : 'Nothing yet.'}</p>` : repeat(shown, e => e.key, e => entry(e, desk.hex)),
      )}
    </div>
    <form class="say" @submit=${(e: Event) => { e.preventDefault(); desk.say(); }}>
      <input
        aria-label="Say to the board"
        placeholder="A command: . ping, i 0 identify, or !raw line"
        autocomplete="off"
        autocapitalize="off"
        spellcheck="false"
        .value=${live(desk.draft)}
        @input=${(e: Event) => desk.set({ draft: value(e) })}
        @keydown=${(e: KeyboardEvent) => recall(e, desk)}
        data-testid="console-say"
      />
      ${playing
        ? html`<label class="check warn" title="What is said may disturb the game"><input type="checkbox" .checked=${desk.force} @change=${(e: Event) => desk.set({ force: checked(e) })} data-testid="console-force" /> Although it plays a game</label>`
        : nothing}
      ${/* Not disabled where nothing is typed: Enter right behind a recalled line, before the page is drawn again, would do nothing. */ nothing}
      <button type="submit" class="primary" ?disabled=${!desk.console.open}>Send</button>
    </form>
  </section>`;
}

function recall(event: KeyboardEvent, desk: Desk): void {
  if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
  event.preventDefault();
  desk.recall(event.key === 'ArrowUp' ? -1 : 1);
}

function entry(e: Entry, hex: boolean) {
  if (e.kind === 'note') return html`<p class="note-line ${e.bad ? 'bad' : ''}"><time>${time(e.at)}</time><b>${e.text}</b></p>`;
  const { line } = e;
  return html`<p class="l-${line.way} ${line.meaning === null ? 'noise' : ''}">
    <time>${time(line.at)}</time><i title=${line.way === 'in' ? 'From the board' : 'To the board'}>${line.way === 'in' ? '←' : '→'}<span class="sr">${line.way === 'in' ? 'from the board' : 'to the board'}</span></i>
    <code>${line.text}</code>${hex ? html`<code class="hex">${line.hex.replace(/../g, '$& ')}</code>` : nothing}
    <span>${line.meaning ?? 'noise'}</span>
  </p>`;
}

let shownKey = -1;

/** After the frame: the newest line stays in sight for whoever is at the end already. */
export function consolePlaced(desk: Desk): void {
  const box = document.querySelector<HTMLElement>('.console .log');
  const last = desk.log.entries.at(-1)?.key ?? -1;
  if (!box) return;
  if (last !== shownKey && (desk.held === null) && (box.dataset['end'] ?? 'yes') === 'yes') box.scrollTop = box.scrollHeight;
  shownKey = last;
  if (!box.dataset['end']) {
    box.dataset['end'] = 'yes';
    box.addEventListener('scroll', () => (box.dataset['end'] = box.scrollTop + box.clientHeight > box.scrollHeight - 30 ? 'yes' : 'no'), { passive: true });
  }
}
