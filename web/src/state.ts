// SPDX-License-Identifier: GPL-3.0-or-later
// What the server has told, folded into one value. Pure: no DOM, no socket, no clock.
import type {
  BoardView,
  Change,
  FlashView,
  GameView,
  LinkEventKind,
  LiveGame,
  PlyView,
  RunView,
  ServerMessage,
  Side,
  Snapshot,
} from './generated/api';

/** Something that happened on a board's link. */
export interface LinkEvent {
  readonly board: number;
  readonly game: number | null;
  readonly event: LinkEventKind;
  readonly detail: string;
  readonly at: number;
}

export interface State {
  /** `null` before the first snapshot. */
  readonly epoch: string | null;
  readonly seq: number;
  readonly version: string;
  readonly boards: readonly BoardView[];
  readonly runs: readonly RunView[];
  readonly live: readonly LiveGame[];
  /** Games that were seen to end, whole, newest first: the live view rests on them until the next game begins. */
  readonly ended: readonly LiveGame[];
  readonly recent: readonly GameView[];
  readonly links: readonly LinkEvent[];
  /** The last flash of each board since the server's start. */
  readonly flashes: readonly FlashView[];
}

/** What became of a message. After `resync` the state is as it was, and only a new snapshot helps. */
export type Outcome = 'applied' | 'ignored' | 'resync';

export interface Applied {
  readonly state: State;
  readonly outcome: Outcome;
}

const KEPT_ENDED = 8;
const KEPT_RECENT = 60;
const KEPT_LINKS = 100;

export const initial: State = {
  epoch: null,
  seq: 0,
  version: '',
  boards: [],
  runs: [],
  live: [],
  ended: [],
  recent: [],
  links: [],
  flashes: [],
};

export function apply(state: State, message: ServerMessage): Applied {
  switch (message.type) {
    case 'snapshot':
      return { state: fromSnapshot(state, message), outcome: 'applied' };
    case 'resumed':
      // The server goes on from our number; anything else would hide a gap.
      return message.epoch === state.epoch && message.seq === state.seq
        ? { state, outcome: 'ignored' }
        : { state, outcome: 'resync' };
    case 'delta': {
      if (state.epoch === null) return { state, outcome: 'resync' };
      if (message.seq <= state.seq) return { state, outcome: 'ignored' };
      if (message.seq !== state.seq + 1) return { state, outcome: 'resync' };
      const next = change(state, message.change, message.at);
      if (next === null) return { state, outcome: 'resync' };
      return { state: { ...next, seq: message.seq }, outcome: 'applied' };
    }
    default:
      // A newer server may send kinds of messages this page does not know.
      return { state, outcome: 'ignored' };
  }
}

function fromSnapshot(old: State, snapshot: Snapshot): State {
  const alive = new Set(snapshot.live.map(l => l.game.id));
  // A game that was live when the line was cut and is in the list now ended unseen: its plies are not all here, so it is not kept.
  const finished = new Set(snapshot.recent.map(g => g.id));
  return {
    epoch: snapshot.epoch,
    seq: snapshot.seq,
    version: snapshot.version,
    boards: snapshot.boards,
    runs: snapshot.runs,
    live: snapshot.live,
    ended: old.ended.filter(l => finished.has(l.game.id) && !alive.has(l.game.id)),
    recent: snapshot.recent,
    links: old.epoch === snapshot.epoch ? old.links : [],
    flashes: snapshot.flashes,
  };
}

/** `null` where the change does not fit what is known. */
function change(state: State, c: Change, at: number): State | null {
  switch (c.kind) {
    case 'board':
      return { ...state, boards: put(state.boards, c.board, 'last') };
    case 'run':
      return { ...state, runs: put(state.runs, c.run, 'first') };
    case 'game_started': {
      const id = c.live.game.id;
      const replaced = state.live.some(l => l.game.id === id);
      return {
        ...state,
        live: replaced ? state.live.map(l => (l.game.id === id ? c.live : l)) : [...state.live, c.live],
        ended: state.ended.filter(l => l.game.id !== id),
        recent: state.recent.filter(g => g.id !== id),
      };
    }
    case 'ply':
      return onGame(state, c.game, live => withPly(live, c.ply), null);
    // A think may be reported when its game is just over: then there is nothing to show it on, and nothing is amiss.
    case 'think_started':
      return onGame(state, c.game, live => ({ ...live, thinking_since: at }), state);
    case 'thinking':
      return onGame(
        state,
        c.thinking.game,
        live => (c.thinking.side === 'white' ? { ...live, white_thinking: c.thinking } : { ...live, black_thinking: c.thinking }),
        state,
      );
    case 'game_ended': {
      const id = c.game.id;
      const last = state.live.find(l => l.game.id === id);
      return {
        ...state,
        live: state.live.filter(l => l.game.id !== id),
        ended: last
          ? [{ ...last, game: c.game, thinking_since: null }, ...state.ended.filter(l => l.game.id !== id)].slice(0, KEPT_ENDED)
          : state.ended,
        recent: [c.game, ...state.recent.filter(g => g.id !== id)].slice(0, KEPT_RECENT),
      };
    }
    case 'flash': {
      const { board } = c.flash.record;
      return { ...state, flashes: [...state.flashes.filter(f => f.record.board !== board), c.flash] };
    }
    case 'link': {
      const { kind: _, ...event } = c;
      return {
        ...state,
        // The counters of the next board message win; until then the page counts along.
        boards: state.boards.map(b =>
          b.id === c.board ? { ...b, counters: { ...b.counters, [c.event]: (b.counters[c.event] ?? 0) + 1 } } : b,
        ),
        links: [event, ...state.links].slice(0, KEPT_LINKS),
      };
    }
    default:
      // A newer server's change: nothing here to change, and the numbers stay in step.
      return state;
  }
}

function withPly(live: LiveGame, ply: PlyView): LiveGame | null {
  const have = live.plies.length;
  if (ply.ply <= have) return live;
  if (ply.ply !== have + 1) return null;
  return {
    ...live,
    game: { ...live.game, plies: ply.ply },
    plies: [...live.plies, ply],
    thinking_since: null,
  };
}

function onGame(state: State, id: number, f: (live: LiveGame) => LiveGame | null, unknown: State | null): State | null {
  const at = state.live.findIndex(l => l.game.id === id);
  const old = state.live[at];
  if (!old) return unknown;
  const next = f(old);
  if (next === null) return null;
  if (next === old) return state;
  return { ...state, live: replaceAt(state.live, at, next) };
}

function put<T extends { readonly id: number }>(list: readonly T[], item: T, where: 'first' | 'last'): readonly T[] {
  const at = list.findIndex(x => x.id === item.id);
  if (at >= 0) return replaceAt(list, at, item);
  return where === 'first' ? [item, ...list] : [...list, item];
}

function replaceAt<T>(list: readonly T[], at: number, item: T): readonly T[] {
  return list.map((x, i) => (i === at ? item : x));
}

// ---- questions about the state ----

export function findGame(state: State, id: number): LiveGame | undefined {
  return state.live.find(l => l.game.id === id) ?? state.ended.find(l => l.game.id === id);
}

/** Whether a game that is not over is played by nobody now: it goes on with its run, and that may have been left by an earlier server. */
export function rests(state: State, game: GameView): boolean {
  return game.state === 'playing' && state.epoch !== null && findGame(state, game.id) === undefined;
}

/** A run's name, with its number where another one is called the same. */
export function runName(state: State, run: RunView): string {
  return state.runs.some(r => r.name === run.name && r.id !== run.id) ? `${run.name} (run ${run.id})` : run.name;
}

export function findRun(state: State, id: number): RunView | undefined {
  return state.runs.find(r => r.id === id);
}

export function sideToMove(startFen: string, plies: number): Side {
  const blackBegins = startFen.split(' ')[1] === 'b';
  return (plies % 2 === 1) === blackBegins ? 'white' : 'black';
}

/**
 * The game the live view shows. It stays on the game it shows while that is played; when it is over it rests there until another
 * game of the same board or run begins, and follows that one.
 */
export function follow(state: State, current: number | null): number | null {
  if (current !== null && state.live.some(l => l.game.id === current)) return current;
  const over =
    current === null ? undefined : (state.ended.find(l => l.game.id === current)?.game ?? state.recent.find(g => g.id === current));
  if (over) {
    const next = state.live.find(l =>
      // Without a board there is only the time to tell the next game of a run from one that was played beside this one.
      over.board === null ? l.game.run === over.run && l.game.started_at >= (over.ended_at ?? over.started_at) : l.game.board === over.board,
    );
    if (next) return next.game.id;
    const run = state.runs.find(r => r.id === over.run);
    const stuck = state.boards.some(b => b.id === over.board && b.alarm !== null);
    // Its next game is about to start: do not jump to another board's meanwhile.
    if (state.live.length === 0 || (run?.state === 'running' && run.played < run.settings.games && !stuck)) return over.id;
  }
  const newest = state.live.reduce<LiveGame | null>((a, b) => (a && a.game.started_at >= b.game.started_at ? a : b), null);
  return newest?.game.id ?? state.ended[0]?.game.id ?? state.recent[0]?.id ?? null;
}

/** Games to choose from: those that are played, and the last one of a board that is between two games, so that nothing jumps. */
export function onStrip(state: State): LiveGame[] {
  const busy = new Set(state.live.map(l => l.game.board));
  const resting = state.ended.filter(l => {
    const { board, run } = l.game;
    if (board === null || busy.has(board) || !state.runs.some(r => r.id === run && r.state === 'running' && r.played < r.settings.games)) return false;
    busy.add(board);
    return true;
  });
  return [...state.live, ...resting].sort((a, b) => (a.game.board ?? 0) - (b.game.board ?? 0) || a.game.id - b.game.id);
}

export interface Alarm {
  readonly key: string;
  /** Of a run that is over: nothing about it changes any more, so that a person who has read it may put it away. */
  readonly past: boolean;
  readonly who: string;
  readonly text: string;
}

export function alarms(state: State): Alarm[] {
  return [
    ...state.boards.flatMap(b => (b.alarm ? [{ key: `b${b.id}`, past: false, who: b.name, text: b.alarm }] : [])),
    ...state.runs.flatMap(r => (r.alarm ? [{ key: `r${r.id} ${r.alarm}`, past: r.ended_at !== null, who: r.name, text: r.alarm }] : [])),
  ];
}
