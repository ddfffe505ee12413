// SPDX-License-Identifier: GPL-3.0-or-later
// A game as a row of positions, and what is to be seen at each of them. Pure; the server has sent SAN, UCI and FEN, so no rules of chess here.
import { forWhite, winChance } from './format';
import type { GameView, LinkEventView, PlyView, RunView, Score, Side, ThinkingView } from './generated/api';
import { sideToMove } from './state';

export interface Position {
  readonly fen: string;
  /** 0 is the start position. */
  readonly ply: number;
  readonly lastMove: readonly [string, string] | null;
  readonly check: boolean;
  readonly turn: Side;
}

export function positionAt(game: GameView, plies: readonly PlyView[], ply: number): Position {
  const at = Math.max(0, Math.min(ply, plies.length));
  const last = plies[at - 1];
  return {
    fen: last?.fen ?? game.start_fen,
    ply: at,
    lastMove: last ? squares(last.uci) : null,
    check: last ? /[+#]/.test(last.san) : false,
    turn: sideToMove(game.start_fen, at),
  };
}

export function squares(uci: string): readonly [string, string] | null {
  const m = /^([a-h][1-8])([a-h][1-8])/.exec(uci);
  return m ? [m[1]!, m[2]!] : null;
}

/** `12.` or `12…` of a ply. */
export function moveNumber(startFen: string, ply: number): { number: number; side: Side } {
  const fields = startFen.split(' ');
  const first = Number(fields[5]) || 1;
  const halves = ply - 1 + (fields[1] === 'b' ? 1 : 0);
  return { number: first + Math.floor(halves / 2), side: halves % 2 === 0 ? 'white' : 'black' };
}

export interface MoveRow {
  readonly number: number;
  /** `null` where Black begins. */
  readonly white: PlyView | null;
  readonly black: PlyView | null;
}

export function rows(startFen: string, plies: readonly PlyView[]): MoveRow[] {
  const list: MoveRow[] = [];
  for (let i = 0; i < plies.length; ) {
    const { number, side } = moveNumber(startFen, i + 1);
    const white = side === 'white' ? plies[i++]! : null;
    const black = i < plies.length ? plies[i++]! : null;
    list.push({ number, white, black });
  }
  return list;
}

/** Scores seen by White, up to a ply: the last of each side. */
export interface Evaluation {
  readonly white: Score | null;
  readonly black: Score | null;
  /** The mean of both sides' winning chances, -1 to 1; 0 where nobody has said anything. */
  readonly chance: number;
}

export function evaluationAt(plies: readonly PlyView[], ply: number, thinking: readonly (ThinkingView | null)[] = []): Evaluation {
  let white: Score | null = null;
  let black: Score | null = null;
  for (const t of thinking) {
    if (!t?.score || t.ply !== ply + 1) continue;
    if (t.side === 'white') white = forWhite(t.score, 'white');
    else black = forWhite(t.score, 'black');
  }
  for (let i = Math.min(ply, plies.length) - 1; i >= 0 && i >= ply - 8 && (white === null || black === null); i--) {
    const p = plies[i]!;
    if (!p.score) continue;
    if (p.side === 'white') white ??= forWhite(p.score, 'white');
    else black ??= forWhite(p.score, 'black');
  }
  const chances = [white, black].filter(s => s !== null).map(winChance);
  return { white, black, chance: chances.length ? chances.reduce((a, b) => a + b, 0) / chances.length : 0 };
}

/** What an opening is called: by the run's own words, else by the last position that has a name, whatever order of moves led there. */
export function openingOf(game: GameView, plies: readonly PlyView[]): string | null {
  return game.opening ?? plies.findLast(p => p.opening !== undefined)?.opening ?? game.eco;
}

/** What went wrong on the link while a ply was thought about. */
export interface FaultMark {
  readonly ply: number;
  /** Kinds of events, and how often each happened. */
  readonly kinds: ReadonlyMap<string, number>;
}

/**
 * Marks for the time line: `events` are the faults of a game, in any order. Lines that were sent again stand in the plies as well, for games whose
 * events are not kept; they count once.
 */
export function faultMarks(plies: readonly PlyView[], events: readonly Pick<LinkEventView, 'at' | 'event'>[], last = plies.length + 1): FaultMark[] {
  const found = new Map<number, Map<string, number>>();
  const kinds = (ply: number) => found.get(ply) ?? found.set(ply, new Map()).get(ply)!;
  let i = 0;
  for (const e of [...events].sort((a, b) => a.at - b.at)) {
    while (i < plies.length && plies[i]!.at < e.at) i++;
    const of = kinds(Math.max(1, Math.min(plies[i]?.ply ?? plies.length + 1, last)));
    of.set(e.event, (of.get(e.event) ?? 0) + 1);
  }
  for (const p of plies) if (p.retransmissions > 0 && !found.get(p.ply)?.has('retransmitted')) kinds(p.ply).set('retransmitted', p.retransmissions);
  return [...found].map(([ply, kinds]) => ({ ply, kinds })).sort((a, b) => a.ply - b.ply);
}

/** What the server has kept of a link and what was heard of it, each once. Equal events of one millisecond happen: as many are there as either has. */
export function mergedEvents(kept: readonly LinkEventView[], heard: readonly LinkEventView[]): readonly LinkEventView[] {
  if (heard.length === 0) return kept;
  const key = (e: LinkEventView) => `${e.at} ${e.event} ${e.detail}`;
  const have = new Map<string, number>();
  for (const e of kept) have.set(key(e), (have.get(key(e)) ?? 0) + 1);
  const more = heard.filter(e => {
    const left = have.get(key(e)) ?? 0;
    have.set(key(e), left - 1);
    return left <= 0;
  });
  return more.length ? [...kept, ...more.map(({ at, event, detail }) => ({ at, event, detail }))] : kept;
}

/**
 * A side's clock as it stood after a ply: what it had left after its last move, else what it began with. Moves of an opening line took no
 * time. `null`: it plays without a clock.
 */
export function clockAt(plies: readonly PlyView[], side: Side, ply: number, start: number | null): number | null {
  for (let i = Math.min(ply, plies.length) - 1; i >= 0; i--) {
    const p = plies[i]!;
    if (p.side === side && p.clock_ms !== null) return p.clock_ms;
    // An engine says it after each of its moves: one that does not has no clock.
    if (p.side === side && p.mover !== 'opening') return null;
  }
  return start;
}

/** Milliseconds on an engine's clock at the start: `tc=60+0.6` is a minute. */
export function startClock(run: RunView | undefined, first: boolean): number | null {
  if (!run) return null;
  const spec = first ? ('engine' in run.settings.first ? run.settings.first.engine : null) : run.settings.second;
  const found = /^tc=(\d+(?:\.\d+)?)/.exec(spec?.limit ?? '');
  return found ? Number(found[1]) * 1000 : null;
}

export interface Curve {
  /** Winning chances after each ply from 0 on; `null` where that side has said nothing yet. */
  readonly mean: readonly number[];
  readonly white: readonly (number | null)[];
  readonly black: readonly (number | null)[];
}

export function curve(plies: readonly PlyView[]): Curve {
  const mean: number[] = [0];
  const white: (number | null)[] = [null];
  const black: (number | null)[] = [null];
  let w: number | null = null;
  let b: number | null = null;
  for (const p of plies) {
    if (p.score) {
      const chance = winChance(forWhite(p.score, p.side));
      if (p.side === 'white') w = chance;
      else b = chance;
    }
    white.push(w);
    black.push(b);
    mean.push(w === null ? (b ?? 0) : b === null ? w : (w + b) / 2);
  }
  return { mean, white, black };
}

/** Material, White minus Black, in pawns: what the pieces on a board say at a glance. */
export function material(fen: string): { balance: number; white: string[]; black: string[] } {
  const counts = new Map<string, number>();
  for (const c of fen.split(' ')[0] ?? '') if (/[a-z]/i.test(c)) counts.set(c, (counts.get(c) ?? 0) + 1);
  const values = { q: 9, r: 5, b: 3, n: 3, p: 1 } as const;
  let balance = 0;
  const white: string[] = [];
  const black: string[] = [];
  for (const [piece, value] of Object.entries(values)) {
    const more = (counts.get(piece.toUpperCase()) ?? 0) - (counts.get(piece) ?? 0);
    balance += more * value;
    for (let i = 0; i < Math.abs(more); i++) (more > 0 ? white : black).push(piece);
  }
  return { balance, white, black };
}
