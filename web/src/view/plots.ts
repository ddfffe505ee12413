// SPDX-License-Identifier: GPL-3.0-or-later
// The curves of the telemetry page, each with its values as CSV and its picture as PNG.
import { html, nothing } from 'lit-html';
import { guard } from 'lit-html/directives/guard.js';
import type { App } from '../app';
import type { TelemetryTable } from '../generated/api';
import type { Loadable } from '../loadable';
import { csv, lines, parameters, plotsFor, ROWS, scoreQuestion, type Line, type Plot } from '../questions';
import { saveBlob, saveText } from '../save';
import * as icons from './icons';
import { PlotBox } from './uplot';
import { subjects, table, WHO, type TelemetryRoute } from './subjects';

/** By the plot's key and what it is drawn against. */
const boxes = new Map<string, PlotBox>();
const place = (p: Plot) => `${p.key} ${p.xs}`;
const ofRoute = (route: TelemetryRoute) => plotsFor(route.b === null ? [route.a] : [route.a, route.b]);
/** Lines are made once for each set of tables. */
const made = new WeakMap<TelemetryTable, Map<string, Line[]>>();

export function plots(app: App, route: TelemetryRoute) {
  return html`<div class="plots">${ofRoute(route).map(p => plot(app, route, p))}</div>
    <p class="note">Drag over a plot to look closer, double-click to see all again. Solid: ${subjects(app, route)[0]!.name}${route.b === null ? '' : `; dashed: ${subjects(app, route)[1]!.name}`}.</p>`;
}

function ask(app: App, p: Plot, of: string): Loadable<TelemetryTable> {
  if (p.view === 'score') return app.tables.get(`score ${p.xs} ${of}`, () => app.api.sql(scoreQuestion(of, p.xs === 'move' ? 'move' : 'ply'), Number(ROWS)));
  return table(app, p.view, { ...parameters(of), ...p.ask });
}

function plot(app: App, route: TelemetryRoute, p: Plot) {
  const all = subjects(app, route).map(s => ({ ...s, table: ask(app, p, s.of) }));
  const wait = all.some(s => s.table.at === 'loading');
  const bad = all.find(s => s.table.at === 'failed')?.table;
  const found = all.flatMap(s => (s.table.at === 'here' ? linesOf(p, s.table.value, s.which, route.b === null ? '' : `${s.name}, `) : []));
  const box = boxes.get(place(p)) ?? new PlotBox(p, p.xs === 'ply' || p.xs === 'move' ? p.xs : null);
  boxes.set(place(p), box);
  const name = `rookery-${p.key}-${route.a}${route.b ? `-${route.b}` : ''}`.replace(/[^\w.-]+/g, '_');
  const scores = p.key === 'score' && (p.xs === 'ply' ? 'White’s view. ' : 'The view of the player under test. ');
  return html`<section class="card plot" data-testid="plot-${p.key}" data-lines=${found.length}>
    <header>
      <h2>${p.title}</h2>
      ${found.length
        ? html`<span class="buttons flat">
            <button type="button" class="ghost" title="Values as CSV" aria-label=${`${p.title}: values as CSV`} @click=${() => saveText(csv(p, found), `${name}.csv`, 'text/csv')}>CSV</button>
            <button type="button" class="ghost" title="Picture as PNG" aria-label=${`${p.title}: picture as PNG`} @click=${() => picture(box, `${name}.png`)}>${icons.download}</button>
          </span>`
        : nothing}
    </header>
    ${bad?.at === 'failed' ? html`<p class="warn">${bad.error}</p>` : found.length === 0 ? html`<p class="empty">${wait ? 'Fetching…' : 'Nothing to draw.'}</p>` : nothing}
    ${found.length ? guard([box], () => box.element) : nothing}
    ${all.some(s => s.table.at === 'here' && s.table.value.truncated) ? html`<p class="warn">Cut: only the first ${Number(ROWS).toLocaleString('en')} rows are drawn. Choose less: a run, a board, a game.</p>` : nothing}
    ${found.length && (p.note || scores) ? html`<p class="muted">${scores || ''}${p.note ?? ''}</p>` : nothing}
  </section>`;
}

function linesOf(p: Plot, t: TelemetryTable, which: 'a' | 'b', prefix: string): Line[] {
  const have = made.get(t) ?? new Map<string, Line[]>();
  made.set(t, have);
  const key = `${place(p)} ${which} ${prefix}`;
  if (!have.has(key)) have.set(key, lines(p, t, which, { first: `${prefix}${WHO['first']!.toLowerCase()}`, second: `${prefix}${WHO['second']!.toLowerCase()}` }));
  return have.get(key)!;
}

/** After lit has put the elements in their places. */
export function plotsPlaced(app: App, theme: string): void {
  if (app.route.page !== 'telemetry' || app.route.tab !== 'plots') return;
  const route = app.route;
  for (const p of ofRoute(route)) {
    const all = subjects(app, route).flatMap(s => {
      const t = ask(app, p, s.of);
      return t.at === 'here' ? linesOf(p, t.value, s.which, route.b === null ? '' : `${s.name}, `) : [];
    });
    boxes.get(place(p))?.update(stable(place(p), all), theme);
  }
}

const last = new Map<string, readonly Line[]>();

/** The same array for the same lines, so that a plot is drawn only when something has changed. */
function stable(key: string, now: readonly Line[]): readonly Line[] {
  const before = last.get(key);
  if (before && before.length === now.length && before.every((l, i) => l === now[i])) return before;
  last.set(key, now);
  return now;
}

/** The plot on the card's ground, so that it is legible wherever it is put. */
function picture(box: PlotBox, name: string): void {
  const from = box.canvas;
  if (!from) return;
  const to = document.createElement('canvas');
  [to.width, to.height] = [from.width, from.height];
  const ink = to.getContext('2d')!;
  ink.fillStyle = getComputedStyle(document.documentElement).getPropertyValue('--card').trim();
  ink.fillRect(0, 0, to.width, to.height);
  ink.drawImage(from, 0, 0);
  to.toBlob(blob => blob && saveBlob(blob, name));
}
