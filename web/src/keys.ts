// SPDX-License-Identifier: GPL-3.0-or-later
// The keyboard: arrows, Home, End, space and F, as on Lichess; plus and minus for the speed.
import type { App } from './app';
import type { Explorer } from './explorer';
import type { Place } from './router';

const TAKES_TEXT = 'input, select, textarea, dialog[open], [contenteditable]';
const TAKES_SPACE = 'button, a, summary';

export function bindKeys(app: App): void {
  addEventListener('keydown', event => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return;
    const { page } = app.route;
    if (page !== 'live' && page !== 'game' && page !== 'book') return;
    const target = event.target instanceof Element ? event.target : document.body;
    if (target.closest(TAKES_TEXT) || document.querySelector('dialog[open]')) return;
    // A table that scrolls has the arrows for itself.
    if (target.closest('.scroll')) return;
    if (event.key === ' ' && target.closest(TAKES_SPACE)) return;
    const action = (page === 'book' ? BOOK : ACTIONS)[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!action) return;
    event.preventDefault();
    action(app);
  });
}

const inBook = (act: (explorer: Explorer, place: Place) => void) => (app: App) => {
  if (app.route.page === 'book') act(app.explorer, app.route);
};

const BOOK: Record<string, (app: App) => void> = {
  ArrowLeft: inBook((e, place) => e.step(place, -1)),
  ArrowRight: inBook((e, place) => e.step(place, 1)),
  ArrowUp: inBook((e, place) => e.to(place, 0)),
  ArrowDown: inBook((e, place) => e.to(place, Number.MAX_SAFE_INTEGER)),
  Home: inBook((e, place) => e.to(place, 0)),
  End: inBook((e, place) => e.to(place, Number.MAX_SAFE_INTEGER)),
  f: app => app.flip(),
};

const ACTIONS: Record<string, (app: App) => void> = {
  ArrowLeft: app => app.stage.step(-1),
  ArrowRight: app => app.stage.step(1),
  ArrowUp: app => app.stage.goTo(0),
  ArrowDown: app => app.stage.goTo(Number.MAX_SAFE_INTEGER),
  Home: app => app.stage.goTo(0),
  End: app => app.stage.goTo(Number.MAX_SAFE_INTEGER),
  f: app => app.flip(),
  '+': app => app.stage.stepSpeed(1),
  '-': app => app.stage.stepSpeed(-1),
  s: app => {
    app.sounds.toggle();
    app.changed();
  },
  ' ': app => app.stage.toggleAutoplay(),
};
