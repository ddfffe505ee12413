// SPDX-License-Identifier: GPL-3.0-or-later
// A board's firmware: which images there are, the flash that goes on, and those that were.
import { html, nothing } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import type { App } from '../app';
import { imageName, type Desk } from '../desk';
import { bytes, date, duration, FLASH_PHASES, FLASH_RESULTS, plural } from '../format';
import type { BoardView, FirmwareImage, FlashEntry, FlashMode, FlashPhase, FlashRecord, FlashView, FlashWhen } from '../generated/api';
import { failed } from './common';
import { flashOf, meter } from './doing';
import * as icons from './icons';

export function flashCard(app: App, desk: Desk, board: BoardView) {
  const flash = flashOf(app, board.id);
  const running = flash?.record.result === 'running';
  return html`<section class="card flash" data-testid="flash" data-result=${flash?.record.result ?? 'none'}
      @dragover=${(e: DragEvent) => e.preventDefault()}
      @drop=${(e: DragEvent) => { e.preventDefault(); void desk.upload(e.dataTransfer?.files); }}>
    <header><h2>Firmware</h2><span class="muted">${board.identity['fw'] ? `runs ${board.identity['fw']}` : 'version not known'}</span></header>
    ${ownBook(board)}
    ${flash ? progress(desk, flash) : nothing} ${running ? nothing : choose(desk)} ${history(desk)}
  </section>`;
}

/** What the board says of the book in its flash: hash and size, or that there is none. */
function ownBook(board: BoardView) {
  const said = board.identity['book'];
  if (said === undefined) return nothing;
  const [hash, size] = said.split(',');
  return html`<p class="muted" data-testid="own-book">${size === undefined ? 'It has no opening book.' : html`Its opening book has ${plural(Number(size), 'position')} (<code>${hash}</code>).`} <a href="#/books">Books</a></p>`;
}

/** The steps of a flash that a person may see, in their order. */
const STEPS: readonly FlashPhase[] = ['enter', 'sync', 'read', 'erase', 'write', 'verify', 'start'];

function progress(desk: Desk, flash: FlashView) {
  const { record } = flash;
  const going = record.result === 'running';
  const at = flash.phase ? STEPS.indexOf(flash.phase) : -1;
  const unit = flash.phase === 'erase' ? 'pages' : 'bytes';
  const amount = (n: number) => (unit === 'pages' ? `${Math.round(n)} pages` : bytes(Math.round(n)));
  return html`<div class="flash-now ${record.result}" role=${record.result === 'failed' ? 'alert' : nothing}>
    <p><b>${going ? (flash.phase ? FLASH_PHASES[flash.phase] : 'Beginning') : FLASH_RESULTS[record.result]}</b> <span class="muted">${imageName({ ...record, sha256: record.image, board: null })}</span></p>
    ${going
      ? html`<ol class="steps" aria-label="Steps">
            ${STEPS.map((s, i) => html`<li class=${i < at ? 'done' : i === at ? 'now' : ''} aria-current=${i === at ? 'step' : nothing} title=${FLASH_PHASES[s]}>${s}</li>`)}
          </ol>
          ${meter(flash)}
          <p class="of" data-testid="flash-figures">
            <span>${flash.total ? `${amount(flash.done)} of ${amount(flash.total)}` : '\u00a0'}</span>
            <span>${flash.rate === null ? '' : `${amount(flash.rate)}/s`}${flash.left_s === null ? '' : `, ${duration(flash.left_s * 1000)} left`}</span>
          </p>`
      : html`<p class="muted">${outcome(flash)}</p>`}
    ${going && flash.say ? html`<p class="warn">${flash.say}</p>` : nothing}
    ${going ? html`<div class="buttons"><button type="button" ?disabled=${desk.busy} @click=${() => desk.cancel()}>${icons.stop} Stop…</button></div>` : nothing}
  </div>`;
}

/** What there is to say of a flash that is over. */
function outcome({ record, firmware }: FlashView): string {
  return [
    record.detail,
    firmware && `The board says that it runs ${firmware}.`,
    record.bytes > 0 && `${bytes(record.bytes)} were written.`,
    record.retries > 0 && `${record.retries} ${record.retries === 1 ? 'exchange was' : 'exchanges were'} tried again.`,
  ]
    .filter(Boolean)
    .join(' ');
}

const WHEN: Record<FlashWhen, string> = { free: 'Only if it plays no game', finish: 'After its game', pause: 'At once; its game rests meanwhile' };
const ENTRY: Record<FlashEntry, string> = { app: 'The program on it leads there', lines: 'RESET and BOOT0 by the adapter’s lines', manual: 'By hand: BOOT0 and the reset button' };
const MODE: Record<FlashMode, string> = { write: 'Write it', verify: 'Only compare', dry_run: 'Only try, write nothing' };

function choose(desk: Desk) {
  const options = <T extends string>(name: string, label: string, all: Record<T, string>, value: T, set: (value: T) => void) => html`<label>${label}
    <select name=${name} @change=${(e: Event) => set((e.target as HTMLSelectElement).value as T)} .value=${live(value)}>
      ${(Object.entries(all) as [T, string][]).map(([key, text]) => html`<option value=${key} ?selected=${key === value}>${text}</option>`)}
    </select>
  </label>`;
  return html`
    <fieldset class="images">
      <legend>Images</legend>
      ${desk.images.at === 'loading' ? html`<p class="muted">Fetching…</p>` : desk.images.at === 'failed' ? failed(desk.images.error, () => void desk.fetch()) : desk.images.value.map(i => image(desk, i))}
      ${desk.images.at === 'here' && desk.images.value.length === 0 ? html`<p class="muted">None is kept yet.</p>` : nothing}
      <div class="upload">
        <label class="button">${icons.upload} Upload an image<input type="file" class="sr" accept=".elf,.hex,.ihex,.bin,.rkb" @change=${(e: Event) => {
          const input = e.target as HTMLInputElement;
          void desk.upload(input.files).then(() => (input.value = ''));
        }} data-testid="flash-upload" /></label>
        <span class="muted">ELF, Intel HEX or binary, or a board’s book (.rkb); or drop it here</span>
      </div>
    </fieldset>
    <details class="options">
      <summary>How it is done</summary>
      <div class="fields">
        ${options('when', 'If it plays a game', WHEN, desk.when, when => desk.set({ when }))} ${options('entry', 'Way into the loader', ENTRY, desk.entry, entry => desk.set({ entry }))}
        ${desk.entry === 'lines' ? html`<label>Lines<input .value=${live(desk.lines)} placeholder="reset=rts,boot0=!dtr" @input=${(e: Event) => desk.set({ lines: (e.target as HTMLInputElement).value })} /></label>` : nothing}
        ${options('mode', 'What', MODE, desk.mode, mode => desk.set({ mode }))}
        <label class="check"><input type="checkbox" .checked=${live(desk.unprotect)} @change=${(e: Event) => desk.set({ unprotect: (e.target as HTMLInputElement).checked })} /> Take the read-out protection away (erases everything)</label>
        <label class="check"><input type="checkbox" .checked=${live(desk.foreign)} @change=${(e: Event) => desk.set({ foreign: (e.target as HTMLInputElement).checked })} /> Accept uploads that do not name their board</label>
      </div>
    </details>
    <div class="buttons">
      <button type="button" class="primary" ?disabled=${desk.busy || desk.chosen === null} @click=${() => desk.askFlash(false)} data-testid="flash-begin">${icons.chip} ${desk.mode === 'write' ? 'Flash' : 'Begin'}…</button>
      <button type="button" ?disabled=${desk.busy} @click=${() => desk.askFlash(true)} data-testid="flash-back">${icons.again} Roll back…</button>
    </div>`;
}

function image(desk: Desk, i: FirmwareImage) {
  return html`<div class="image">
    <label title=${i.sha256}><input type="radio" name="image" .checked=${live(desk.chosen === i.sha256)} @change=${() => desk.set({ chosen: i.sha256 })} />
      <span><b>${imageName(i)}</b><small>${bytes(i.size)} · ${date(i.at)} · <code>${i.sha256.slice(0, 12)}</code></small></span></label>
    <button type="button" class="ghost" aria-label=${`Delete ${imageName(i)}`} @click=${() => desk.forget(i)}>${icons.close}</button>
  </div>`;
}

function history(desk: Desk) {
  if (desk.history.at !== 'here' || desk.history.value.length === 0) return nothing;
  const list = desk.history.value;
  return html`<details class="history">
    <summary>${list.length} ${list.length === 1 ? 'flash' : 'flashes'} so far</summary>
    <ul class="events">${list.map(past)}</ul>
  </details>`;
}

function past(f: FlashRecord) {
  return html`<li>
    <b class=${f.result === 'failed' ? 'bad' : ''}>${FLASH_RESULTS[f.result]}</b> <span>${date(f.started_at)}</span>
    <code>${imageName({ ...f, sha256: f.image, board: null })} · ${bytes(f.bytes)}${f.retries ? ` · ${f.retries} tried again` : ''} · by ${f.by}${f.detail ? html`<br />${f.detail}` : nothing}</code>
  </li>`;
}
