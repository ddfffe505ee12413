// SPDX-License-Identifier: GPL-3.0-or-later
// What was measured: curves of one subject or of two beside each other, the journal's table, and games that begin alike side by side.
import { html, nothing } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import { styleMap } from 'lit-html/directives/style-map.js';
import type { App } from '../app';
import { count, think } from '../format';
import type { TelemetryTable } from '../generated/api';
import type { Loadable } from '../loadable';
import { parameters } from '../questions';
import { format, parse, type Of, type TelemetryTab } from '../router';
import { failed, loading } from './common';
import { plots } from './plots';
import { firmwares, nameOf, subjects, table, WHO, type TelemetryRoute } from './subjects';
import { journal, sides } from './tables';

const TABS: Record<TelemetryTab, string> = { plots: 'Curves', journal: 'Journal', sides: 'Side by side' };

export function telemetry(app: App) {
  if (app.route.page !== 'telemetry') return nothing;
  const route = app.route;
  const body = { plots: curves, journal: journalTab, sides }[route.tab];
  return html`<div class="page wide">
    <div class="page-head"><h1>Telemetry</h1>
      <nav class="tabs" aria-label="Kinds of telemetry">
        ${(Object.entries(TABS) as [TelemetryTab, string][]).map(([tab, words]) => html`<a href=${format({ ...route, tab })} aria-current=${tab === route.tab ? 'page' : nothing}>${words}</a>`)}
      </nav>
    </div>
    <form class="filters" aria-label="Whose telemetry" @submit=${(e: Event) => e.preventDefault()}>
      ${subject(app, route, 'a')} ${subject(app, route, 'b')}
    </form>
    ${body(app, route)}
  </div>`;
}

function subject(app: App, route: TelemetryRoute, which: 'a' | 'b') {
  const value = route[which] ?? '';
  const groups: [string, Of[]][] = [
    ['Runs', app.state.runs.map(r => `run=${r.id}`)],
    ['Boards', app.state.boards.map(b => `board=${b.id}`)],
    ['Firmware versions', firmwares(app).map(v => `firmware=${v}`)],
    ['Latest games', app.state.recent.slice(0, 30).map(g => `game=${g.id}`)],
  ];
  const known = value === '' || value === 'all' || groups.some(([, all]) => all.includes(value));
  const option = (of: Of) => {
    const game = of.startsWith('game=') ? app.state.recent.find(g => `game=${g.id}` === of) : undefined;
    return html`<option value=${of} ?selected=${of === value}>${nameOf(app, of)}${game ? `: ${game.white} – ${game.black}` : ''}</option>`;
  };
  return html`<label>${which === 'a' ? 'Of' : 'Compared with'}
    <select data-testid="telemetry-${which}" .value=${live(value)} @change=${(e: Event) => {
      // Both may be chosen before the page is drawn again: what was chosen last stands in the address.
      const now = parse(location.hash);
      location.hash = format({ ...(now.page === 'telemetry' ? now : route), [which]: (e.target as HTMLSelectElement).value || null });
    }}>
      ${which === 'a' ? html`<option value="all">Everything</option>` : html`<option value="">Nothing</option>`}
      ${known ? nothing : option(value)}
      ${groups.map(([name, all]) => (all.length ? html`<optgroup label=${name}>${all.map(option)}</optgroup>` : nothing))}
    </select>
  </label>`;
}

// ---- curves ----

function curves(app: App, route: TelemetryRoute) {
  // Where nothing at all was measured, or cannot be known, one sentence says so, not every plot by itself.
  const asked = subjects(app, route).map(s => sums(app, s.of));
  const alone = asked.some(a => a.at === 'failed') || asked.every(a => a.at === 'here' && (a.value.data['mover'] ?? []).every(mover => mover === 'opening'));
  return html`${figures(app, route)} ${alone ? nothing : html`${plots(app, route)} ${percentiles(app, route)}`}`;
}

const of = (t: TelemetryTable, name: string, row: number): number | null => {
  const value = t.data[name]?.[row];
  return typeof value === 'number' ? value : null;
};

const sums = (app: App, of: Of) => table(app, 'summary', { ...parameters(of), group: 'mover' });

function figures(app: App, route: TelemetryRoute) {
  const all = subjects(app, route).map(s => ({ ...s, table: sums(app, s.of) }));
  const bad = all.find(s => s.table.at === 'failed');
  if (bad?.table.at === 'failed') return failed(bad.table.error, () => { app.tables.forgetFailed(); app.changed(); });
  if (all.some(s => s.table.at === 'loading')) return loading('Fetching…');
  const rows = all.flatMap(s => {
    const t = (s.table as Extract<Loadable<TelemetryTable>, { at: 'here' }>).value;
    return Array.from({ length: t.rows }, (_, row) => ({ s, t, row, mover: String(t.data['mover']?.[row] ?? '') })).filter(r => r.mover !== 'opening');
  });
  if (rows.length === 0) return html`<p class="empty">Nothing was measured here yet.</p>`;
  const cell = (r: (typeof rows)[number], name: string, write: (n: number) => string) => {
    const value = of(r.t, name, r.row);
    return html`<td>${value === null ? '–' : write(value)}</td>`;
  };
  const whole = (n: number) => n.toLocaleString('en');
  return html`<div class="scroll card" tabindex="0" role="region" aria-label="Sums"><table class="figures-table" data-testid="figures">
    <thead><tr><th>Of</th><th>Player</th><th>Games</th><th>Thinks</th><th>Nodes/s</th><th>Fastest</th><th>Mean time</th><th>Mean nodes</th><th>Most nodes</th><th>Mean depth</th><th>Over budget</th><th>Book</th><th>Sent again</th></tr></thead>
    <tbody>${rows.map(
      r => html`<tr>
        <th scope="row">${r.s.name}</th><td><i class="key ${r.mover} ${r.s.which}"></i> ${WHO[r.mover] ?? r.mover}</td>
        ${cell(r, 'games', whole)} ${cell(r, 'thinks', whole)} ${cell(r, 'nps', count)} ${cell(r, 'fastest_nps', count)} ${cell(r, 'time_mean_ms', think)} ${cell(r, 'nodes_mean', count)} ${cell(r, 'peak_nodes', count)}
        ${cell(r, 'depth_mean', n => n.toFixed(1))} ${r.mover === 'first' ? cell(r, 'overrun_share', n => `${(n * 100).toFixed(1)} %`) : html`<td>–</td>`} ${cell(r, 'book_hits', whole)} ${cell(r, 'retransmissions', whole)}
      </tr>`,
    )}</tbody>
  </table></div>`;
}

const PERCENTILES = ['p50', 'p90', 'p95', 'p99'] as const;

function percentiles(app: App, route: TelemetryRoute) {
  const all = subjects(app, route).flatMap(s => {
    const asked = table(app, 'summary', { ...parameters(s.of), group: 'mover,phase', percentiles: 'true' });
    return asked.at === 'here' ? [{ s, t: asked.value }] : [];
  });
  const rows = all.flatMap(({ s, t }) =>
    Array.from({ length: t.rows }, (_, row) => ({
      s,
      mover: String(t.data['mover']?.[row] ?? ''),
      phase: String(t.data['phase']?.[row] ?? ''),
      values: PERCENTILES.map(p => of(t, `time_${p}_ms`, row)),
    })).filter(r => r.values.some(v => v !== null)),
  );
  if (rows.length === 0) return nothing;
  const most = Math.max(...rows.flatMap(r => r.values.map(v => v ?? 0)));
  const part = (v: number | null) => (v === null || v <= 0 ? 0 : Math.max(0.02, Math.log10(1 + v) / Math.log10(1 + most)));
  return html`<section class="card" data-testid="percentiles">
    <header><h2>Think times</h2><span class="muted">nearest rank; bars are logarithmic</span></header>
    <div class="scroll" tabindex="0" role="region" aria-label="Think times"><table class="figures-table">
      <thead><tr><th>Of</th><th>Player</th><th>Phase</th>${PERCENTILES.map(p => html`<th>${p}</th>`)}</tr></thead>
      <tbody>${rows.map(
        r => html`<tr><th scope="row">${r.s.name}</th><td><i class="key ${r.mover} ${r.s.which}"></i> ${WHO[r.mover] ?? r.mover}</td><td>${r.phase}</td>
          ${r.values.map(v => html`<td class="bar-cell"><i class="${r.mover}" style=${styleMap({ width: `${Math.round(part(v) * 100)}%` })}></i><span>${v === null ? '–' : think(v)}</span></td>`)}</tr>`,
      )}</tbody>
    </table></div>
  </section>`;
}

const journalTab = (app: App, route: TelemetryRoute) => subjects(app, route).map(s => journal(app, s));
