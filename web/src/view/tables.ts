// SPDX-License-Identifier: GPL-3.0-or-later
// Telemetry as tables: the journal, and games that begin alike side by side.
import { html, nothing } from 'lit-html';
import type { App } from '../app';
import { count, date, resultText, scoreText, think } from '../format';
import type { Cell, GameResult, TelemetryTable } from '../generated/api';
import { parameters } from '../questions';
import { next, rowsBy, type Order } from '../sorting';
import type { Of } from '../router';
import { saveText } from '../save';
import { failed, loading } from './common';
import * as icons from './icons';
import { subjects, table, type TelemetryRoute } from './subjects';

interface Column {
  readonly name: string;
  readonly head: string;
  readonly title?: string;
  readonly write?: (n: number) => string;
  /** A column that is empty where this one could not be measured; its own zero says nothing then. */
  readonly needs?: string;
}

const percent = (n: number) => `${n.toFixed(1)}×`;

const JOURNAL: readonly Column[] = [
  { name: 'result', head: 'Result' },
  { name: 'plies', head: 'Plies' },
  { name: 'firmware', head: 'Firmware' },
  { name: 'budget_nodes', head: 'Budget', title: 'Node budget for a move', write: count },
  { name: 'thinks', head: 'Thinks' },
  { name: 'book_hits', head: 'Book' },
  { name: 'nodes', head: 'Nodes', write: count, needs: 'peak_nodes' },
  { name: 'time_ms', head: 'Time', write: think, needs: 'longest_time_ms' },
  { name: 'sustained_nps', head: 'Nodes/s', title: 'Sustained: all nodes by all time', write: count },
  { name: 'fastest_nps', head: 'Fastest', title: 'The fastest think of a second or more', write: count },
  { name: 'peak_nodes', head: 'Peak', title: 'The think of the most nodes', write: count },
  { name: 'peak_ply', head: 'at ply' },
  { name: 'peak_depth', head: 'depth' },
  { name: 'peak_time_ms', head: 'time', write: think },
  { name: 'peak_over_budget', head: 'budgets', title: 'How many budgets the peak took', write: percent },
  { name: 'longest_time_ms', head: 'Longest', write: think },
  { name: 'overruns', head: 'Overruns', title: 'Thinks above the budget', needs: 'peak_nodes' },
  { name: 'depth_min', head: 'Depth min' },
  { name: 'depth_mean', head: 'mean', write: n => n.toFixed(1) },
  { name: 'depth_max', head: 'max' },
  { name: 'mate_lines', head: 'Mates', title: 'Thinks that ended at the deepest depth, 97 or 98: forced mates' },
  { name: 'link_faults', head: 'Faults', title: 'Link faults', needs: 'board' },
];

/** The journal's order, for as long as the page is open. */
let order: Order | null = null;

function head(app: App, name: string, words: string, title?: string) {
  const mine = order?.column === name ? order : null;
  const sort = () => {
    order = next(order, name);
    app.changed();
  };
  return html`<th title=${title ?? nothing} aria-sort=${mine ? (mine.down ? 'descending' : 'ascending') : 'none'}>
    <button type="button" class="sort" data-sort=${name} @click=${sort}>${words}<span aria-hidden="true">${mine ? (mine.down ? ' ▾' : ' ▴') : ''}</span></button>
  </th>`;
}

/** A figure of the journal, or nothing where it was not measured. */
function figure(t: TelemetryTable, c: Column, row: number): Cell {
  const measured = c.needs === undefined || t.data[c.needs]?.[row] != null;
  return measured ? (t.data[c.name]?.[row] ?? null) : null;
}

function inOrder(t: TelemetryTable): number[] {
  const rows = Array.from({ length: t.rows }, (_, row) => row);
  if (order === null) return rows;
  const column = JOURNAL.find(c => c.name === order!.column) ?? { name: order.column, head: '' };
  return rowsBy(rows.map(row => figure(t, column, row)), order.down);
}

export function journal(app: App, s: { of: Of; name: string; which: 'a' | 'b' }) {
  const asked = table(app, 'journal', parameters(s.of));
  if (asked.at === 'loading') return loading('Fetching the journal…');
  if (asked.at === 'failed') return failed(asked.error, () => { app.tables.forgetFailed(); app.changed(); });
  const t = asked.value;
  const save = () => app.attempt(async () => saveText(await app.api.telemetryText('journal', { ...parameters(s.of), format: 'csv', limit: 100_000 }), `rookery-journal-${s.of.replace(/\W+/g, '_')}.csv`, 'text/csv'));
  return html`<section class="card" data-testid="journal" data-rows=${t.rows}>
    <header><h2>${s.name}</h2><button type="button" class="ghost" aria-label="The journal as CSV" @click=${() => void save()}>${icons.download} CSV</button></header>
    ${t.rows === 0 ? html`<p class="empty">No game yet.</p>` : nothing}
    ${t.truncated ? html`<p class="muted">The first ${t.rows} games; the CSV file has them all.</p>` : nothing}
    <div class="scroll" tabindex="0" role="region" aria-label="Journal"><table class="figures-table">
      <thead><tr>${head(app, 'game', 'Game')}${JOURNAL.map(c => head(app, c.name, c.head, c.title))}</tr></thead>
      <tbody>${inOrder(t).map(row => html`<tr>
        <th scope="row"><a href="#/game/${t.data['game']?.[row]}" title=${`${String(t.data['white']?.[row])} – ${String(t.data['black']?.[row])}, ${begun(t, row)}`}>${t.data['game']?.[row]}</a></th>
        ${JOURNAL.map(c => html`<td>${written(c, figure(t, c, row))}</td>`)}
      </tr>`)}</tbody>
    </table></div>
  </section>`;
}

function begun(t: TelemetryTable, row: number): string {
  const at = t.data['started_at_ms']?.[row];
  return typeof at === 'number' ? date(at) : '';
}

function written(c: Column, value: Cell): string {
  if (value === null) return '–';
  if (c.name === 'result') return resultText(value as GameResult);
  if (typeof value === 'string') return value;
  return c.write ? c.write(value) : value.toLocaleString('en');
}

// ---- side by side ----

export function sides(app: App, route: TelemetryRoute) {
  const [a, b] = subjects(app, route);
  if (!b || a!.of === 'all') return html`<p class="empty">Choose a run, a board, a firmware version or a game on both sides: games that begin alike are laid side by side from their first own move.</p>`;
  const asked = app.tables.get(`compare ${a!.of} ${b.of}`, () => app.api.telemetry('compare', { a: a!.of, b: b.of, moves: 15 }));
  if (asked.at === 'loading') return loading('Comparing…');
  if (asked.at === 'failed') return failed(asked.error, () => { app.tables.forgetFailed(); app.changed(); });
  const t = asked.value;
  if (t.rows === 0) return html`<p class="empty">No two games of these begin alike.</p>`;
  const pairs = new Map<number, number[]>();
  (t.data['pair'] ?? []).forEach((pair, row) => pairs.set(Number(pair), [...(pairs.get(Number(pair)) ?? []), row]));
  return html`<p class="note">Fifteen moves of each side, from the first that came from no opening line and no book. ${t.truncated ? `The first ${pairs.size} pairs.` : ''}</p>
    <div class="pairs" data-testid="pairs" data-count=${pairs.size}>${[...pairs.values()].map(rows => pair(t, rows, a!.name, b.name))}</div>`;
}

function pair(t: TelemetryTable, rows: readonly number[], a: string, b: string) {
  const at = (name: string, row: number) => t.data[name]?.[row] ?? null;
  const parted = rows.find(row => at('first_difference', row) === 1);
  const one = (side: 'a' | 'b', row: number) => {
    const figure = (name: string, write: (n: number) => string) => {
      const value = at(`${side}_${name}`, row);
      return html`<td>${typeof value === 'number' ? write(value) : '–'}</td>`;
    };
    return html`<td class="san">${at(`${side}_san`, row) ?? '–'}</td>${figure('depth', String)}${figure('nodes', count)}${figure('time_ms', think)}${figure('score_cp', cp => scoreText({ cp }))}`;
  };
  const heads = html`<th>Move</th><th>Depth</th><th>Nodes</th><th>Time</th><th>Score</th>`;
  const game = (side: 'a' | 'b') => at(`${side}_game`, rows[0]!);
  return html`<section class="card">
    <header><h2>Games <a href="#/game/${game('a')}">${game('a')}</a> and <a href="#/game/${game('b')}">${game('b')}</a></h2>
      <span class="muted">${parted === undefined ? 'the same throughout' : `part at ply ${at('ply', parted)}`}</span></header>
    <div class="scroll" tabindex="0" role="region" aria-label="Moves side by side"><table class="figures-table sides">
      <thead><tr><th colspan="2"></th><th colspan="5">${a}</th><th colspan="5">${b}</th></tr><tr><th>Ply</th><th>Player</th>${heads}${heads}</tr></thead>
      <tbody>${rows.map(
        row => html`<tr class="${at('first_difference', row) === 1 ? 'parts' : ''} ${at('same', row) === 1 ? '' : 'differs'}">
          <th scope="row">${at('ply', row)}${at('first_difference', row) === 1 ? html` <b class="mark-difference" title="The first difference">≠<span class="sr">first difference</span></b>` : nothing}</th>
          <td>${at('mover', row) === 'first' ? 'under test' : 'opponent'}</td>${one('a', row)}${one('b', row)}
        </tr>`,
      )}</tbody>
    </table></div>
  </section>`;
}
