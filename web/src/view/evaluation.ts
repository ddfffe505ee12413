// SPDX-License-Identifier: GPL-3.0-or-later
// The bar beside the board and the curve below it. Both show White's winning chances.
import { html, nothing, svg } from 'lit-html';
import { guard } from 'lit-html/directives/guard.js';
import { styleMap } from 'lit-html/directives/style-map.js';
import type { App } from '../app';
import { linkEvent, markText, scoreText } from '../format';
import type { Side } from '../generated/api';
import { curve, faultMarks, moveNumber, type Evaluation, type FaultMark } from '../replay';
import type { Subject } from '../stage';

export function bar(evaluation: Evaluation, orientation: Side) {
  const said = [evaluation.white && `White's player says ${scoreText(evaluation.white)}`, evaluation.black && `Black's player says ${scoreText(evaluation.black)}`]
    .filter(Boolean)
    .join(', ');
  const label = said ? `Evaluation for White: ${said}` : 'Evaluation: nothing said yet';
  return html`<div class="bar ${orientation}" role="img" aria-label=${label} title=${label}>
    <div class="fill" style=${styleMap({ '--part': String((evaluation.chance + 1) / 2) })}></div>
    <div class="middle"></div>
  </div>`;
}

/** The curve has room for this many plies before it is squeezed. */
const ROOM = 60;

export function graph(app: App, subject: Subject, ply: number) {
  const n = subject.plies.length;
  const span = subject.live ? Math.max(n, ROOM) : Math.max(n, 1);
  const at = subject.plies[ply - 1];
  const { number, side } = moveNumber(subject.game.start_fen, ply);
  const faults = marks(app, subject, span);
  const text = ply === 0 || !at ? 'Start position' : `${number}${side === 'white' ? '.' : '…'} ${at.san}`;
  return html`<div
    class="graph"
    role="slider"
    tabindex="0"
    aria-label="Evaluation of the game, White above"
    aria-valuemin="0"
    aria-valuemax=${n}
    aria-valuenow=${ply}
    aria-valuetext=${text}
    @pointerdown=${(e: PointerEvent) => drag(app, e, span)}
    @pointermove=${(e: PointerEvent) => e.buttons & 1 && drag(app, e, span)}
  >
    <svg viewBox="0 0 ${span} 2" preserveAspectRatio="none" aria-hidden="true">
      ${guard([subject.plies, span, faults], () => shapes(subject, span, faults))}
      ${svg`<line class="cursor" x1=${ply} x2=${ply} y1="0" y2="2" />`}
    </svg>
    <p class="legend" aria-hidden="true"><span class="k-mean">mean</span><span class="k-white">White’s player</span><span class="k-black">Black’s player</span></p>
  </div>`;
}

let known: { plies: unknown; events: unknown; span: number; marks: FaultMark[] } | null = null;

/** Made anew only when something happened: thousands of events are no business of every frame. */
function marks(app: App, subject: Subject, span: number): FaultMark[] {
  const events = app.details.events(subject.game);
  if (known?.plies === subject.plies && known.events === events && known.span === span) return known.marks;
  const faults = events.filter(e => linkEvent(e.event).fault);
  known = { plies: subject.plies, events, span, marks: faultMarks(subject.plies, faults, span) };
  return known.marks;
}

function shapes(subject: Subject, span: number, faults: readonly FaultMark[]) {
  const c = curve(subject.plies);
  const y = (chance: number) => (1 - chance).toFixed(3);
  const area = `M0 1 ${c.mean.map((v, i) => `L${i} ${y(v)}`).join(' ')} L${c.mean.length - 1} 1Z`;
  const line = (values: readonly (number | null)[]) => {
    let path = '';
    values.forEach((v, i) => {
      if (v !== null) path += `${path ? 'L' : 'M'}${i} ${y(v)} `;
    });
    return path;
  };
  const book = subject.plies.findLastIndex(p => p.book || p.mover === 'opening') + 1;
  return svg`
    ${book > 0 ? svg`<rect class="book" x="0" y="0" width=${book} height="2" />` : nothing}
    <path class="area" d=${area} />
    <line class="zero" x1="0" x2=${span} y1="1" y2="1" />
    <path class="white" d=${line(c.white)} />
    <path class="black" d=${line(c.black)} />
    ${faults.map(m => svg`<line class="fault" data-ply=${m.ply} x1=${m.ply} x2=${m.ply} y1="1.86" y2="2"><title>Ply ${m.ply}: ${markText(m)}</title></line>`)}
  `;
}

function drag(app: App, event: PointerEvent, span: number): void {
  const box = (event.currentTarget as Element).getBoundingClientRect();
  if (event.type === 'pointerdown') (event.currentTarget as Element).setPointerCapture(event.pointerId);
  app.stage.goTo(Math.round(((event.clientX - box.left) / box.width) * span));
}
