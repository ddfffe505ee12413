// SPDX-License-Identifier: GPL-3.0-or-later
// The keyboard: arrows, Home, End, space and F, as on Lichess; plus and minus for the speed.
import type { App } from './app';

const TAKES_TEXT = 'input, select, textarea, dialog[open], [contenteditable]';
const TAKES_SPACE = 'button, a, summary';

export function bindKeys(app: App): void {
  addEventListener('keydown', event => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return;
    if (app.route.page !== 'live' && app.route.page !== 'game') return;
    const target = event.target instanceof Element ? event.target : document.body;
    if (target.closest(TAKES_TEXT) || document.querySelector('dialog[open]')) return;
    // A table that scrolls has the arrows for itself.
    if (target.closest('.scroll')) return;
    if (event.key === ' ' && target.closest(TAKES_SPACE)) return;
    const action = ACTIONS[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!action) return;
    event.preventDefault();
    action(app);
  });
}

const ACTIONS: Record<string, (app: App) => void> = {
  ArrowLeft: app => app.step(-1),
  ArrowRight: app => app.step(1),
  ArrowUp: app => app.goTo(0),
  ArrowDown: app => app.goTo(Number.MAX_SAFE_INTEGER),
  Home: app => app.goTo(0),
  End: app => app.goTo(Number.MAX_SAFE_INTEGER),
  f: app => app.flip(),
  '+': app => app.stepSpeed(1),
  '-': app => app.stepSpeed(-1),
  s: app => {
    app.sounds.toggle();
    app.changed();
  },
  ' ': app => app.toggleAutoplay(),
};
