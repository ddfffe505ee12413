// SPDX-License-Identifier: GPL-3.0-or-later
// One plot: uPlot in an element of its own, drawn anew when its lines, its size or the theme change. lit only puts the element in its place.
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { count, think } from '../format';
import { joined, type Line, type Plot } from '../questions';

type Look = Pick<Plot, 'x' | 'y' | 'kind' | 'unit' | 'log'>;

export const WRITE: Record<Plot['unit'], (n: number) => string> = {
  count,
  ms: think,
  cp: n => (n / 100).toFixed(2).replace('-', '\u2212'),
  percent: n => `${Number(n.toFixed(1))} %`,
  plain: n => String(Number(n.toFixed(2))),
};

const HEIGHT = 220;
/** Steps of an axis of what is counted: there is no half a game. */
const WHOLE = [1, 2, 5].flatMap(n => Array.from({ length: 7 }, (_, i) => n * 10 ** i)).sort((a, b) => a - b);

export class PlotBox {
  readonly element = document.createElement('div');
  #plot: uPlot | null = null;
  #drawn = '';
  #lines: readonly Line[] = [];
  #width = 0;

  constructor(
    private readonly look: Look,
    /** Plots with the same name move their cursors together. */
    private readonly together: string | null = null,
    private readonly onPick: ((x: number) => void) | null = null,
  ) {
    this.element.className = 'uplot-box';
    new ResizeObserver(() => {
      const width = Math.floor(this.element.clientWidth);
      if (!this.#plot) this.#draw();
      else if (width > 0 && width !== this.#width) {
        this.#width = width;
        this.#plot.setSize({ width, height: HEIGHT });
      }
    }).observe(this.element);
  }

  get canvas(): HTMLCanvasElement | null {
    return this.#plot?.ctx.canvas ?? null;
  }

  update(lines: readonly Line[], theme: string): void {
    const shape = JSON.stringify([theme, lines.map(l => [l.label, l.mover, l.which])]);
    if (shape === this.#drawn && lines === this.#lines) return;
    const grows = this.#plot !== null && shape === this.#drawn;
    this.#lines = lines;
    this.#drawn = shape;
    const data = this.#data();
    if (grows && drawable(data)) this.#plot!.setData(data);
    else this.#draw();
  }

  /** A mark at a position, for example the ply on the board. */
  mark(x: number | null): void {
    if (this.#mark === x) return;
    this.#mark = x;
    this.#plot?.redraw(false);
  }
  #mark: number | null = null;

  #data(): uPlot.AlignedData {
    const { x, ys } = joined(this.#lines);
    // Nothing of zero or less has a place on a logarithmic scale.
    const fit = this.look.log ? ys.map(y => y.map(v => (v != null && v <= 0 ? null : v))) : ys;
    return [x, ...fit] as uPlot.AlignedData;
  }

  #draw(): void {
    this.#plot?.destroy();
    this.#plot = null;
    this.element.replaceChildren();
    const width = Math.floor(this.element.clientWidth);
    const data = this.#data();
    if (width <= 0 || !drawable(data)) return;
    this.#width = width;
    const style = getComputedStyle(document.documentElement);
    const colour = (name: string) => style.getPropertyValue(name).trim();
    const [soft, line, card] = [colour('--soft'), colour('--line'), colour('--card')];
    const of = (l: Line) => colour(l.mover === 'first' ? '--curve-white' : '--curve-black');
    const write = WRITE[this.look.unit];
    const bars = this.look.kind === 'bars';
    const n = this.#lines.length;
    const axis = { stroke: soft, grid: { stroke: line, width: 1 }, ticks: { stroke: line, width: 1 }, font: '11px system-ui, sans-serif', labelFont: '11px system-ui, sans-serif' };
    this.#plot = new uPlot(
      {
        width,
        height: HEIGHT,
        scales: { x: { time: false, ...(bars ? { range: around } : {}) }, y: { distr: this.look.log ? 3 : 1, ...(bars ? { range: (_, __, max) => [0, Math.max(1, max * 1.08)] as [number, number] } : {}) } },
        // As the lines: the two that are compared differ by more than a colour.
        legend: { live: true, markers: { dash: (_, i) => (this.#lines[i - 1]?.which === 'b' ? 'dashed' : 'solid') } },
        cursor: { drag: { x: true, y: false }, points: { size: 7 }, ...(this.together ? { sync: { key: this.together } } : {}) },
        axes: [
          { ...axis, label: this.look.x, labelSize: 16, size: 26, ...(bars || this.look.x === 'Ply' || this.look.x === 'Move' ? { incrs: WHOLE } : {}) },
          { ...axis, size: 54, ...(this.look.unit === 'plain' ? { incrs: WHOLE } : {}), values: (_, splits) => splits.map(v => (v === null ? '' : this.look.log && !/^[125]/.test(String(Number(v).toExponential())) ? '' : write(v))) },
        ],
        series: [
          { label: this.look.x, value: (_: uPlot, v: number | null) => (v == null ? '–' : String(v)) },
          ...this.#lines.map((l, i) => ({
            label: l.label,
            stroke: of(l),
            width: 1.6,
            ...(l.which === 'b' ? { dash: [5, 4] } : {}),
            spanGaps: false,
            points: { show: l.x.length < 3, size: 5 },
            value: (_: uPlot, v: number | null) => (v == null ? '–' : write(v)),
            ...(bars
              ? { fill: l.which === 'b' ? card : of(l), paths: uPlot.paths.bars!({ disp: shifted(i, n) }), points: { show: false } }
              : {}),
          })),
        ],
        hooks: {
          draw: [
            u => {
              if (this.#mark === null) return;
              const x = Math.round(u.valToPos(this.#mark, 'x', true));
              u.ctx.save();
              u.ctx.strokeStyle = soft;
              u.ctx.beginPath();
              u.ctx.moveTo(x, u.bbox.top);
              u.ctx.lineTo(x, u.bbox.top + u.bbox.height);
              u.ctx.stroke();
              u.ctx.restore();
            },
          ],
          ready: [
            u => {
              if (!this.onPick) return;
              u.over.addEventListener('click', () => {
                const at = u.cursor.idx;
                if (at != null) this.onPick!(u.data[0][at]!);
              });
            },
          ],
        },
      },
      data,
      this.element,
    );
  }
}

/** uPlot does not survive axes without a range: a game that has just begun has plies of its opening alone, and nothing to draw. */
export function drawable([x, ...ys]: uPlot.AlignedData): boolean {
  return x.length > 0 && ys.some(y => [...y].some(v => v != null));
}

/** Room for the first and the last bar. A single one would else stand in a range that uPlot makes up. */
function around(u: uPlot, min: number, max: number): [number, number] {
  const only = u.data[0].length === 1 ? u.data[0][0]! : null;
  return only === null ? [min - 0.6, max + 0.6] : [only - 2.5, only + 2.5];
}

/** Bars of several lines at one place stand side by side, in units of the place. */
function shifted(i: number, n: number) {
  const width = 0.8 / n;
  return {
    x0: { unit: 1 as const, values: (u: uPlot) => (u.data[0] as number[]).map(v => v - 0.4 + i * width) },
    size: { unit: 1 as const, values: (u: uPlot) => (u.data[0] as number[]).map(() => width * 0.94) },
  };
}
