// SPDX-License-Identifier: GPL-3.0-or-later
import { html, svg, type SVGTemplateResult, type TemplateResult } from 'lit-html';

const stroke = (body: SVGTemplateResult): TemplateResult =>
  html`<svg class="icon" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${body}</svg>`;

export const rook = html`<svg class="icon" viewBox="0 0 24 24" fill="currentColor" aria-hidden="true"><path d="M5 3h3.500v2.500h2V3h3v2.500h2V3H19v5.500l-2 1.800v5.400l2 1.800V21H5v-3.500l2-1.800v-5.400L5 8.500z" /></svg>`;
export const flip = stroke(svg`<path d="M7 4v15m0 0-3-3m3 3 3-3M17 20V5m0 0-3 3m3-3 3 3" />`);
export const first = stroke(svg`<path d="M18 6l-6 6 6 6M11 6l-6 6 6 6" />`);
export const prev = stroke(svg`<path d="M15 6l-6 6 6 6" />`);
export const next = stroke(svg`<path d="M9 6l6 6-6 6" />`);
export const last = stroke(svg`<path d="M6 6l6 6-6 6M13 6l6 6-6 6" />`);
export const play = stroke(svg`<path d="M8 5.500v13l10.500-6.500z" fill="currentColor" />`);
export const pause = stroke(svg`<path d="M9 6v12M15 6v12" />`);
export const stop = stroke(svg`<rect x="6.500" y="6.500" width="11" height="11" rx="1.500" />`);
export const chip = stroke(svg`<rect x="7" y="7" width="10" height="10" rx="1.500" /><path d="M10 3.500V7m4-3.500V7m-4 10v3.500m4-3.500v3.500M3.500 10H7m-3.500 4H7m10-4h3.500M17 14h3.500" />`);
export const engine = stroke(svg`<path d="M4 17l5-5-5-5M12 18h8" />`);
export const copy = stroke(svg`<rect x="8.500" y="8.500" width="11" height="11" rx="2" /><path d="M15.500 8.500V6a1.500 1.500 0 0 0-1.500-1.500H6A1.500 1.500 0 0 0 4.500 6v8A1.500 1.500 0 0 0 6 15.500h2.500" />`);
export const pgn = stroke(svg`<path d="M6 3.500h8.500L18.500 7.500V20.500H6zM14 3.500V8h4.500M9 12h6.500M9 16h6.500" />`);
export const download = stroke(svg`<path d="M12 4v11m0 0-4-4m4 4 4-4M5 19.500h14" />`);
export const sun = stroke(svg`<circle cx="12" cy="12" r="4" /><path d="M12 3v1.500M12 19.500V21M3 12h1.500M19.500 12H21M5.600 5.600l1.100 1.100M17.300 17.300l1.100 1.100M5.600 18.400l1.100-1.100M17.300 6.700l1.100-1.100" />`);
export const moon = stroke(svg`<path d="M19.500 14.500A8 8 0 0 1 9.500 4.500a8 8 0 1 0 10 10z" />`);
export const auto = stroke(svg`<circle cx="12" cy="12" r="8" /><path d="M12 4a8 8 0 0 1 0 16z" fill="currentColor" />`);
export const alarm = stroke(svg`<path d="M12 4 2.800 19.500h18.400zM12 10v4.500M12 17v.1" />`);
export const close = stroke(svg`<path d="M6 6l12 12M18 6 6 18" />`);
export const book = stroke(svg`<path d="M12 6.500C10 5 7 4.500 4 5v13c3-.500 6 0 8 1.500 2-1.500 5-2 8-1.500V5c-3-.500-6 0-8 1.500zm0 0v13" />`);
export const again = stroke(svg`<path d="M20 5v5h-5M19.500 13a8 8 0 1 1-1.700-6.200L20 10" />`);
export const upload = stroke(svg`<path d="M12 15V4m0 0L8 8m4-4 4 4M5 19.500h14" />`);
export const share = stroke(svg`<circle cx="6" cy="12" r="2.500" /><circle cx="17" cy="6" r="2.500" /><circle cx="17" cy="18" r="2.500" /><path d="M8.200 10.800l6.600-3.600M8.200 13.200l6.600 3.600" />`);
export const soundOn = stroke(svg`<path d="M4 9.500v5h3.500L12 19V5L7.500 9.500zM15.500 9a4 4 0 0 1 0 6M18 6.500a8 8 0 0 1 0 11" />`);
export const soundOff = stroke(svg`<path d="M4 9.500v5h3.500L12 19V5L7.500 9.500zM16 9.500l5 5m0-5-5 5" />`);
export const plus = stroke(svg`<path d="M12 5v14M5 12h14" />`);
export const grid = stroke(svg`<rect x="4" y="4" width="7" height="7" rx="1.500" /><rect x="13" y="4" width="7" height="7" rx="1.500" /><rect x="4" y="13" width="7" height="7" rx="1.500" /><rect x="13" y="13" width="7" height="7" rx="1.500" />`);
export const chart = stroke(svg`<path d="M4 4v16h16M7.500 15l4-5 3 3 4.500-6" />`);
export const list = stroke(svg`<path d="M8 6h12M8 12h12M8 18h12M4 6h.1M4 12h.1M4 18h.1" />`);
export const flag = stroke(svg`<path d="M6 21V4h11l-2.500 4L17 12H6" />`);
export const zap = stroke(svg`<path d="M13 3 5 13.500h6L10.500 21 19 10.500h-6z" />`);
