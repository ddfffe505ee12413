// SPDX-License-Identifier: GPL-3.0-or-later
// Small, complete values of the API's types for the tests.
import type { BoardView, Change, GameView, LiveGame, PlyView, RunView, ServerMessage, Snapshot, ThinkingView } from '../src/generated/api';

export const START = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';

export const game = (id: number, more: Partial<GameView> = {}): GameView => ({
  id,
  run: 1,
  number: id,
  board: 1,
  white: 'board',
  black: 'engine',
  first_color: 'white',
  start_fen: START,
  opening: null,
  eco: null,
  state: 'playing',
  result: '*',
  termination: null,
  reason: null,
  detail: null,
  plies: 0,
  started_at: 1000 * id,
  ended_at: null,
  ...more,
});

export const ply = (n: number, more: Partial<PlyView> = {}): PlyView => ({
  ply: n,
  side: n % 2 === 1 ? 'white' : 'black',
  mover: n % 2 === 1 ? 'first' : 'second',
  uci: 'e2e4',
  san: 'e4',
  fen: `fen after ${n}`,
  clock_ms: null,
  nodes: 1000,
  depth: 5,
  score: { cp: 30 },
  score_raw: 30,
  host_ms: 100,
  board_ms: null,
  book: false,
  retransmissions: 0,
  pv: null,
  at: n,
  ...more,
});

export const live = (id: number, plies = 0, more: Partial<GameView> = {}): LiveGame => ({
  game: game(id, { plies, ...more }),
  plies: Array.from({ length: plies }, (_, i) => ply(i + 1)),
  white_thinking: null,
  black_thinking: null,
  thinking_since: null,
});

export const thinking = (id: number, n: number, more: Partial<ThinkingView> = {}): ThinkingView => ({
  game: id,
  ply: n,
  side: n % 2 === 1 ? 'white' : 'black',
  depth: 4,
  nodes: 400,
  score: { cp: 10 },
  score_raw: 10,
  ms: 5,
  pv: ['e4'],
  ...more,
});

export const board = (id: number, more: Partial<BoardView> = {}): BoardView => ({
  id,
  name: `board ${id}`,
  url: `tcp://127.0.0.1:${id}`,
  link: 'ready',
  since: 0,
  identity: {},
  boot: null,
  rtt_ms: 1,
  counters: {},
  game: null,
  alarm: null,
  ...more,
});

export const run = (id: number, more: Partial<RunView> = {}): RunView => ({
  id,
  name: `run ${id}`,
  state: 'running',
  first: 'board',
  second: 'engine',
  settings: {
    first: { boards: [] },
    second: { path: 'stockfish', args: [], env: {}, options: [], limit: 'nodes=1' },
    games: 10,
    color: 'alternate',
    level: 1000,
    openings: [],
    concurrency: 1,
    adjudication: {},
    claims: 'automatic',
    on_illegal: 'forfeit',
    think_timeout_s: 1,
    board_patience_s: 1,
    time_margin_ms: 1,
    engine_restarts: 1,
    seed: 1,
  },
  openings: 0,
  played: 0,
  wins: 0,
  losses: 0,
  draws: 0,
  standing: { score: null, draws: null, elo: null, normalized: null, los: null, pairs: null },
  created_at: 0,
  ended_at: null,
  alarm: null,
  queue: null,
  ...more,
});

export const snapshot = (more: Partial<Snapshot> = {}): ServerMessage => ({
  type: 'snapshot',
  epoch: 'a',
  seq: 10,
  now: 0,
  version: '1',
  boards: [board(1)],
  runs: [run(1)],
  live: [live(1)],
  recent: [],
  flashes: [],
  ...more,
});

export const delta = (seq: number, change: Change, at = 5000): ServerMessage => ({ type: 'delta', seq, at, change });
