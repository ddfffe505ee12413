// SPDX-License-Identifier: GPL-3.0-or-later
// Values in words and figures. Pure.
import type { FaultMark } from './replay';
import type { Estimate, FlashPhase, FlashResult, GameView, LinkEventKind, LinkState, RunState, Score, Side, Termination } from './generated/api';

const MINUS = '\u2212';

/** The score seen by White, whoever reported it. */
export function forWhite(score: Score, side: Side): Score {
  if (side === 'white') return score;
  return 'cp' in score ? { cp: -score.cp } : { mate: -score.mate };
}

export function scoreText(score: Score): string {
  if ('mate' in score) return `${score.mate < 0 ? MINUS : ''}#${Math.abs(score.mate)}`;
  const pawns = (Math.abs(score.cp) / 100).toFixed(2);
  return `${score.cp < 0 ? MINUS : score.cp > 0 ? '+' : ''}${pawns}`;
}

/** From -1 (Black wins) to 1 (White wins): the curve Lichess draws. Takes White's score. */
export function winChance(score: Score): number {
  if ('mate' in score) return score.mate > 0 ? 1 : -1;
  const cp = Math.max(-1000, Math.min(1000, score.cp));
  return 2 / (1 + Math.exp(-0.00368208 * cp)) - 1;
}

/** `950`, `45.0k`, `1.23M` */
export function count(n: number): string {
  if (n < 1000) return String(Math.round(n));
  if (n < 9_995) return `${(n / 1000).toFixed(2)}k`;
  if (n < 99_950) return `${(n / 1000).toFixed(1)}k`;
  if (n < 999_500) return `${Math.round(n / 1000)}k`;
  if (n < 9_995_000) return `${(n / 1e6).toFixed(2)}M`;
  if (n < 99_950_000) return `${(n / 1e6).toFixed(1)}M`;
  if (n < 999_500_000) return `${Math.round(n / 1e6)}M`;
  return `${(n / 1e9).toFixed(2)}G`;
}

/** A time of thinking: `0.4 ms`, `12 ms`, `0.85 s`, `12.3 s`, `2:05`. */
export function think(ms: number): string {
  if (ms < 9.95) return `${ms.toFixed(1)} ms`;
  if (ms < 99.5) return `${Math.round(ms)} ms`;
  if (ms < 9_995) return `${(ms / 1000).toFixed(2)} s`;
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`;
  return clock(ms);
}

/** A clock: `0:05.3` below ten seconds, `1:05`, `1:02:05`. */
export function clock(ms: number): string {
  const left = Math.max(0, ms);
  if (left < 10_000) return `0:0${(Math.floor(left / 100) / 10).toFixed(1)}`;
  const s = Math.floor(left / 1000);
  const two = (n: number) => String(n).padStart(2, '0');
  const h = Math.floor(s / 3600);
  return h > 0 ? `${h}:${two(Math.floor(s / 60) % 60)}:${two(s % 60)}` : `${Math.floor(s / 60)}:${two(s % 60)}`;
}

/** How long something took, in words short enough for a table: `42 s`, `3 min`, `1 h 05 min`. */
export function duration(ms: number): string {
  const s = Math.max(0, Math.round(ms / 1000));
  if (s < 60) return `${s} s`;
  const min = Math.round(s / 60);
  if (min < 60) return `${min} min`;
  return `${Math.floor(min / 60)} h ${String(min % 60).padStart(2, '0')} min`;
}

export function ago(ms: number): string {
  if (ms < 45_000) return 'just now';
  if (ms < 3_600_000) return `${Math.max(1, Math.round(ms / 60_000))} min ago`;
  if (ms < 86_400_000) return `${Math.round(ms / 3_600_000)} h ago`;
  const days = Math.round(ms / 86_400_000);
  if (days === 1) return 'yesterday';
  if (days < 60) return `${days} days ago`;
  // Rounded first: 23 months and a half are two years, not 24 months.
  const months = Math.round(days / 30.44);
  return months < 24 ? `${months} months ago` : `${Math.round(days / 365.25)} years ago`;
}

/** `1 game`, `1,204 games` */
export function plural(n: number, one: string, many = `${one}s`): string {
  return `${n.toLocaleString('en')} ${n === 1 ? one : many}`;
}

/** How long a game took; `null` where nobody measured it: a file of games may say neither when they ended nor what a move took. */
export function took(game: Pick<GameView, 'started_at' | 'ended_at'>): string | null {
  return game.ended_at === null || game.ended_at <= game.started_at ? null : duration(game.ended_at - game.started_at);
}

const dateTime = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' });
const DAY_MS = 86_400_000;

/** A moment of midnight to the millisecond is the day of a game whose file knows no time of day: that day everywhere in the world. */
export function date(at: number): string {
  return at % DAY_MS === 0 ? day.format(at) : dateTime.format(at);
}

export function resultText(result: GameView['result']): string {
  return result === '1/2-1/2' ? '½–½' : result === '*' ? '*' : result.replace('-', '–');
}

export const TERMINATIONS: Record<Termination, string> = {
  checkmate: 'Checkmate',
  stalemate: 'Stalemate',
  threefold_repetition: 'Threefold repetition',
  fivefold_repetition: 'Fivefold repetition',
  fifty_moves: 'Fifty-move rule',
  seventy_five_moves: 'Seventy-five-move rule',
  insufficient_material: 'Insufficient material',
  draw_adjudication: 'Draw by adjudication',
  win_adjudication: 'Win by adjudication',
  max_plies: 'Maximum game length',
  time_forfeit: 'Time forfeit',
  illegal_move: 'Illegal move',
  stalled_connection: 'Connection stalled',
  engine_crash: 'Engine crashed',
  dead_board: 'Board out of reach',
  unsayable_move: 'The board has no words for the move',
  interrupted: 'Interrupted',
  aborted: 'Aborted',
  unstated: 'Not said by its file',
};

/** Why a game ended; the server's own words where it gave some. */
export function reasonText(game: GameView): string {
  if (game.reason) return game.reason;
  if (game.termination) return TERMINATIONS[game.termination] ?? game.termination;
  return game.state === 'playing' ? 'Being played' : 'No reason given';
}

/** The same where there is little room: without the particulars, which stand behind a colon or a semicolon. */
export const reasonShort = (game: GameView): string => reasonText(game).split(/[;:]/)[0]!;

/** How a game went for the run's first player. */
export function outcomeForFirst(game: GameView): 'win' | 'loss' | 'draw' | null {
  if (game.result === '*') return null;
  if (game.result === '1/2-1/2') return 'draw';
  return (game.result === '1-0') === (game.first_color === 'white') ? 'win' : 'loss';
}

export const RUN_STATES: Record<RunState, string> = {
  pending: 'Waiting',
  running: 'Running',
  paused: 'Paused',
  finished: 'Finished',
  stopped: 'Stopped',
  failed: 'Failed',
  imported: 'Imported',
  interrupted: 'Interrupted',
};

export const LINK_STATES: Record<LinkState, string> = {
  disconnected: 'Disconnected',
  connecting: 'Connecting',
  draining: 'Draining the line',
  syncing: 'Synchronising',
  ready: 'Ready',
  leased: 'In other hands',
};

/** What happens on a link: the words, and whether it is a fault. */
export const LINK_EVENTS: Record<LinkEventKind, { label: string; fault: boolean }> = {
  connected: { label: 'Connected', fault: false },
  synced: { label: 'Synchronised', fault: false },
  drained: { label: 'Line drained', fault: false },
  position_pushed: { label: 'Position sent again', fault: false },
  disconnected: { label: 'Connection lost', fault: true },
  connect_failed: { label: 'Connection refused', fault: true },
  sync_failed: { label: 'Synchronising failed', fault: true },
  timeout: { label: 'No answer in time', fault: true },
  retransmitted: { label: 'Lines sent again', fault: true },
  nak_crc: { label: 'Board saw a wrong checksum', fault: true },
  nak_seq: { label: 'Board saw a wrong number', fault: true },
  bad_crc: { label: 'Wrong checksum', fault: true },
  malformed: { label: 'Line not understood', fault: true },
  too_long: { label: 'Line too long', fault: true },
  partial: { label: 'Line cut off', fault: true },
  echo: { label: 'Own line echoed', fault: true },
  wrong_session: { label: 'Line of another session', fault: true },
  stale_reply: { label: 'Late answer', fault: true },
  duplicate_event: { label: 'Event twice', fault: true },
  move_lost: { label: 'Move lost', fault: true },
  telemetry_gap: { label: 'Telemetry lost', fault: true },
  rebooted: { label: 'Board restarted', fault: true },
  position_differs: { label: 'Position differed', fault: true },
  ping_missed: { label: 'Ping unanswered', fault: true },
};

/** `3 × line sent again, bad checksum`. */
export function markText(mark: FaultMark): string {
  return [...mark.kinds].map(([kind, n]) => `${n > 1 ? `${n} × ` : ''}${linkEvent(kind).label.toLowerCase()}`).join(', ');
}

export function linkEvent(name: string): { label: string; fault: boolean } {
  return (LINK_EVENTS as Record<string, { label: string; fault: boolean }>)[name] ?? { label: name.replaceAll('_', ' '), fault: true };
}

const PIECES: Record<string, string> = { K: 'king', Q: 'queen', R: 'rook', B: 'bishop', N: 'knight' };

/** A move for a screen reader: `Nxf6+` is "knight takes f6, check". */
export function sanWords(san: string): string {
  const end = san.endsWith('#') ? ', checkmate' : san.endsWith('+') ? ', check' : '';
  const core = san.replace(/[+#!?]+$/, '');
  if (/^[O0]-[O0]-[O0]$/.test(core)) return `castles queenside${end}`;
  if (/^[O0]-[O0]$/.test(core)) return `castles kingside${end}`;
  const m = /^([KQRBN]?)([a-h]?[1-8]?)(x?)([a-h][1-8])(?:=([QRBN]))?$/.exec(core);
  if (!m) return san;
  const [, piece, from, takes, to, promotion] = m;
  return [PIECES[piece ?? ''] ?? 'pawn', from, takes ? 'takes' : '', to, promotion ? `promotes to ${PIECES[promotion]}` : '']
    .filter(Boolean)
    .join(' ')
    .concat(end);
}

/** A figure with half its 95 % interval. */
export function estimateText({ value, error }: Estimate): string {
  const sign = value < 0 ? MINUS : '+';
  return `${sign}${Math.abs(value).toFixed(0)} ± ${error.toFixed(0)}`;
}

export const FLASH_PHASES: Record<FlashPhase, string> = {
  wait: 'Waiting for the game',
  enter: 'Leading the board into its loader',
  sync: 'Greeting the loader',
  unprotect: 'Taking the protection away',
  read: 'Reading what is there',
  erase: 'Erasing pages',
  write: 'Writing',
  verify: 'Reading back',
  start: 'Starting the program',
};

export const FLASH_RESULTS: Record<FlashResult, string> = {
  running: 'Going on',
  flashed: 'Flashed',
  unchanged: 'Was there already',
  compared: 'Compared only',
  failed: 'Failed',
  cancelled: 'Stopped',
  interrupted: 'Cut off by the server’s end',
};

/** `12.3 kB` */
export function bytes(n: number): string {
  return n < 1000 ? `${n} B` : `${(n / 1000).toFixed(n < 100_000 ? 1 : 0)} kB`;
}

const timeOfDay = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit', fractionalSecondDigits: 3 });

/** `14:03:22.117` */
export function time(at: number): string {
  return timeOfDay.format(at);
}
