// SPDX-License-Identifier: GPL-3.0-or-later
// Nodes and time of every ply of the game on the stage, growing as it is played.
import { html, nothing } from 'lit-html';
import { guard } from 'lit-html/directives/guard.js';
import type { App } from '../app';
import type { PlyView } from '../generated/api';
import { effort } from '../effort';
import type { Subject } from '../stage';
import { PlotBox } from './uplot';
import { themeKey } from './theme';

let on: App | null = null;
const pick = (ply: number) => on?.stage.goTo(ply);
const nodes = new PlotBox({ x: 'Ply', y: 'Nodes', kind: 'line', unit: 'count', log: true }, 'effort', pick);
const time = new PlotBox({ x: 'Ply', y: 'Time', kind: 'line', unit: 'ms', log: true }, 'effort', pick);

export function effortCards(subject: Subject) {
  if (!subject.plies.some(p => p.nodes !== null || p.host_ms !== null)) return nothing;
  return html`<div class="plots effort" data-testid="effort">
    <section class="card plot"><header><h2>Nodes a move</h2></header>${guard([], () => nodes.element)}</section>
    <section class="card plot"><header><h2>Time a move</h2></header>${guard([], () => time.element)}</section>
  </div>`;
}

let drawn: { plies: readonly PlyView[]; lines: ReturnType<typeof effort> } | null = null;

/** After lit has put the elements in their places. */
export function effortPlaced(app: App, subject: Subject, ply: number): void {
  on = app;
  if (drawn?.plies !== subject.plies) drawn = { plies: subject.plies, lines: effort(subject.plies, { white: subject.game.white, black: subject.game.black }) };
  const key = themeKey(app);
  nodes.update(drawn.lines.nodes, key);
  time.update(drawn.lines.time, key);
  for (const box of [nodes, time]) box.mark(ply || null);
}
