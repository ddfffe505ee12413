// SPDX-License-Identifier: GPL-3.0-or-later
// Puts the page together: one App, one render for each animation frame, and the window's events.
import { render } from 'lit-html';
import '@lichess-org/chessground/assets/chessground.base.css';
import '@lichess-org/chessground/assets/chessground.cburnett.css';
import './style/theme.css';
import './style/frame.css';
import './style/stage.css';
import './style/parts.css';
import './style/desk.css';
import './style/plots.css';
import './style/books.css';
import { App } from './app';
import { bindKeys } from './keys';
import { moveNumber } from './replay';
import { bookTitle } from './view/book';
import { pageTitle, shell, shellPlaced } from './view/shell';
import { stageLeft, stagePlaced } from './view/stage';

const root = document.getElementById('app')!;
root.replaceChildren();

let scheduled = false;

/** However much arrives between two frames, it is drawn once. */
function schedule(): void {
  if (scheduled) return;
  scheduled = true;
  requestAnimationFrame(() => {
    scheduled = false;
    draw();
  });
}

const app = new App(schedule);
const afterPaint = new MessageChannel();
afterPaint.port1.onmessage = () => app.painted();

function draw(): void {
  render(shell(app), root);
  shellPlaced(app);
  const subject = app.stage.subject();
  if (subject?.at === 'here') {
    stagePlaced(app, subject.value);
    const last = subject.value.plies.at(-1);
    const { game, live } = subject.value;
    const n = last && moveNumber(game.start_fen, last.ply);
    document.title = live && last && n ? `${n.number}${n.side === 'white' ? '.' : '…'} ${last.san} · Rookery` : `${game.white} – ${game.black} · Rookery`;
  } else {
    stageLeft();
    document.title = bookTitle(app) ?? pageTitle(app);
  }
  // A message is delivered after the browser has painted this frame.
  afterPaint.port2.postMessage(null);
}

// Elapsed times and clocks tick only while something is thought about and somebody looks.
setInterval(() => {
  const subject = document.visibilityState === 'visible' ? app.stage.subject() : null;
  if (subject?.at === 'here' && subject.value.live?.thinking_since != null) schedule();
}, 100);

// "3 min ago" must not stand still.
setInterval(schedule, 30_000);

// Plots are drawn in the colours of the theme.
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', schedule);

addEventListener('hashchange', () => app.navigated());
addEventListener('online', () => app.reconnect());
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') app.wake();
});
bindKeys(app);
app.start();
