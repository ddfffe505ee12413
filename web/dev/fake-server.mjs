#!/usr/bin/env node
// SPDX-License-Identifier: GPL-3.0-or-later
// A stand-in for Rookery's server while the page is made: the built page, /ws and the REST API, with made-up games that are legal and go on for ever.
//
//   node dev/fake-server.mjs [--port 8790] [--boards 1] [--pace 1] [--seed 1] [--token T] [--past 70] [--html] [--idle] [--long 300]
//
//   --pace   factor on all thinking times (0.05: a ply every few milliseconds)     --html   names that contain HTML
//   --long   the live games wander for that many plies                            --idle   nothing is played
//   POST /dev/restart   as if the server was started anew (new epoch)              POST /dev/drop   cuts all WebSockets
//   POST /dev/gap       skips a number, which no real server does                  POST /dev/alarm?text=…
import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import { dirname, extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { WebSocketServer } from 'ws';
import { OPENINGS, pgn, Played, random, START } from './game.mjs';

const { values: o } = parseArgs({
  options: {
    port: { type: 'string', default: '8790' },
    boards: { type: 'string', default: '1' },
    pace: { type: 'string', default: '1' },
    seed: { type: 'string', default: '1' },
    past: { type: 'string', default: '70' },
    long: { type: 'string' },
    token: { type: 'string' },
    html: { type: 'boolean', default: false },
    idle: { type: 'boolean', default: false },
  },
});
const pace = Number(o.pace);
const seed = Number(o.seed);
const boardCount = Number(o.boards);
const rnd = random(seed * 7919);
const dist = join(dirname(fileURLToPath(import.meta.url)), '../dist');

const first = o.html ? '<img src=x onerror="alert(1)"> <b>micro-Max</b> & friends, a name without an end' : 'micro-Max 4.8 (STM32F103)';
const second = o.html ? '"><script>alert(2)</script>' : 'Stockfish 15.1';

// ---- state ----

let epoch = newEpoch();
let seq = 0;
let log = [];
const boards = [];
const runs = [];
const live = new Map();
const games = []; // finished: { game, plies, incidents }
let gameId = 0;
const sockets = new Set();

function newEpoch() {
  return `e${Date.now().toString(36)}${Math.floor(Math.random() * 1e6).toString(36)}`;
}

function makeBoard(id) {
  return {
    id,
    name: ['rook-a', 'rook-b', 'bench left', 'bench right'][id - 1] ?? `board ${id}`,
    url: `tcp://127.0.0.1:${7000 + id}`,
    link: 'ready',
    since: Date.now() - 3_600_000,
    identity: { kind: 'board', fw: '2.1.0', eng: 'umax48', cells: '128', unit: '0.64', hz: '72000000' },
    boot: '5f3a90c1',
    rtt_ms: 3.4 + id,
    counters: { connected: 1, synced: 3, drained: 2, bad_crc: 14, retransmitted: 17, timeout: 5, partial: 2, duplicate_event: 1 },
    game: null,
    alarm: null,
  };
}

function makeRun(id, state, total, name) {
  return {
    id,
    name,
    state,
    first,
    second,
    settings: {
      name,
      first: { boards: boards.map(b => ({ name: b.name, url: b.url })) },
      second: { name: second, path: 'stockfish', args: [], env: {}, options: [['Hash', '16'], ['Skill Level', '3']], limit: 'nodes=5000' },
      games: total,
      color: 'alternate',
      level: 60000,
      openings: [],
      concurrency: boardCount,
      adjudication: {},
      claims: 'automatic',
      on_illegal: 'forfeit',
      think_timeout_s: 120,
      board_patience_s: 60,
      time_margin_ms: 50,
      engine_restarts: 3,
      seed: 1,
    },
    openings: OPENINGS.length,
    played: 0,
    wins: 0,
    losses: 0,
    draws: 0,
    standing: { score: null, draws: null, elo: null, normalized: null, los: null, pairs: null },
    created_at: Date.now() - 86_400_000 * (4 - id),
    ended_at: state === 'finished' ? Date.now() - 86_400_000 * (3 - id) : null,
    alarm: null,
    queue: null,
  };
}

function makeGame(run, number, board, startedAt) {
  const firstColor = number % 2 === 1 ? 'white' : 'black';
  const opening = OPENINGS[(number - 1) % OPENINGS.length];
  const id = ++gameId;
  const game = {
    id,
    run: run.id,
    number,
    board: board?.id ?? null,
    white: firstColor === 'white' ? first : second,
    black: firstColor === 'white' ? second : first,
    first_color: firstColor,
    start_fen: START,
    opening: opening[0],
    state: 'playing',
    result: '*',
    termination: null,
    reason: null,
    detail: null,
    plies: 0,
    started_at: startedAt,
    ended_at: null,
  };
  return { game, opening, firstColor };
}

function finish(run, game, end, plies, at, incidents = []) {
  Object.assign(game, end, { state: 'finished', plies: plies.length, ended_at: at });
  games.unshift({ game, plies, incidents });
  run.played++;
  if (game.result === '1/2-1/2') run.draws++;
  else if ((game.result === '1-0') === (game.first_color === 'white')) run.wins++;
  else if (game.result !== '*') run.losses++;
}

function past() {
  const done = makeRun(1, 'finished', Math.floor(Number(o.past) / 2), 'umax 4.8 at 60k nodes');
  const now = makeRun(2, o.idle ? 'paused' : 'running', 100, 'night run, all openings');
  runs.push(now, done);
  // Few games, often: making one takes a moment.
  const variants = new Map();
  for (let i = 0; i < Number(o.past); i++) {
    const run = i < done.settings.games ? done : now;
    const number = run.played + 1;
    const begun = Date.now() - (Number(o.past) - i) * 400_000;
    const { game, opening, firstColor } = makeGame(run, number, boards[i % boards.length], begun);
    const wander = i === 5;
    const variant = `${wander} ${number % 14}`;
    const played =
      variants.get(variant) ??
      new Played({ seed: seed * 1000 + i, opening, firstColor, wander, maxPlies: wander ? 320 : 240, skill: 40 + rnd() * 500 }).playOut(begun, 900);
    variants.set(variant, played);
    let end = played.end;
    let incidents = [];
    if (i % 17 === 9) {
      const loser = firstColor === 'white' ? 'White' : 'Black';
      end = { result: firstColor === 'white' ? '0-1' : '1-0', termination: 'illegal_move', reason: `${loser} makes an illegal move`, detail: 'The board sent e1g1 with the king in check; raw line: "B 3f 12 MOVE e1g1 c=9a41"' };
      incidents = [{ at: begun + 60_000, ply: played.plies.length, mover: 'first', kind: 'illegal_move', fen: played.plies.at(-1).fen, detail: 'e1g1 is not legal here\nraw: <B 3f 12 MOVE e1g1 c=9a41>' }];
    } else if (i % 11 === 6) {
      incidents = [{ at: begun + 30_000, ply: 24, mover: 'second', kind: 'engine_restarted', fen: null, detail: 'The engine ended with status 139 (signal 11) and was started again; the position was restored.' }];
    }
    finish(run, game, end, played.plies, begun + played.plies.length * 900, incidents);
  }
}

// ---- deltas ----

function emit(change) {
  const message = { type: 'delta', seq: ++seq, at: Date.now(), change };
  log.push(message);
  if (log.length > 5000) log.shift();
  const text = JSON.stringify(message);
  for (const ws of sockets) ws.send(text);
}

function snapshot() {
  return {
    type: 'snapshot',
    epoch,
    seq,
    now: Date.now(),
    version: '0.0.0-fake',
    boards,
    runs,
    live: [...live.values()].map(l => l.view),
    recent: games.slice(0, 20).map(g => g.game),
    flashes: [],
  };
}

// ---- play ----

const pause = ms => new Promise(done => setTimeout(done, ms));

async function play(board) {
  const run = runs[0];
  for (;;) {
    if (run.state !== 'running') {
      await pause(200);
      continue;
    }
    if (run.played + live.size >= run.settings.games) run.settings.games += 100;
    const { game, opening, firstColor } = makeGame(run, run.played + live.size + 1, board, Date.now());
    const played = new Played({ seed: seed * 77 + gameId, opening, firstColor, wander: Boolean(o.long), maxPlies: o.long ? Number(o.long) : 300 });
    const view = { game, plies: [], white_thinking: null, black_thinking: null, thinking_since: null };
    live.set(game.id, { view });
    board.game = game.id;
    emit({ kind: 'game_started', live: structuredClone(view) });
    emit({ kind: 'board', board: structuredClone(board) });
    while (run.state === 'running' || run.state === 'paused') {
      if (run.state === 'paused') {
        await pause(200);
        continue;
      }
      const side = played.position.turn;
      view.thinking_since = Date.now();
      emit({ kind: 'think_started', game: game.id, side });
      const step = played.next(Date.now());
      let spent = 0;
      for (const i of step.iterations) {
        const due = i.ms * pace * 2;
        if (due - spent > 1) await pause(due - spent);
        spent = Math.max(spent, due);
        const thinking = { game: game.id, ...i };
        view[`${side}_thinking`] = thinking;
        emit({ kind: 'thinking', thinking });
      }
      await pause(Math.max(1, step.ms * pace * 2 - spent));
      if (rnd() < 0.05) {
        const event = ['retransmitted', 'bad_crc', 'timeout', 'partial'][Math.floor(rnd() * 4)];
        board.counters[event] = (board.counters[event] ?? 0) + 1;
        emit({ kind: 'link', board: board.id, game: game.id, event, detail: `<B 3f ${10 + Math.floor(rnd() * 80)} ITER d=5 c=0000>` });
      }
      const ply = { ...step.ply, at: Date.now() };
      view.plies.push(ply);
      game.plies = view.plies.length;
      view.thinking_since = null;
      emit({ kind: 'ply', game: game.id, ply });
      if (played.end) break;
    }
    const end = played.end ?? { result: '*', termination: 'aborted', reason: 'Aborted by the operator' };
    live.delete(game.id);
    board.game = null;
    finish(run, game, end, view.plies, Date.now());
    emit({ kind: 'game_ended', game: structuredClone(game) });
    emit({ kind: 'run', run: structuredClone(run) });
    emit({ kind: 'board', board: structuredClone(board) });
    await pause(Math.max(150, 4000 * pace));
  }
}

for (let i = 1; i <= boardCount; i++) boards.push(makeBoard(i));
past();
if (!o.idle) for (const board of boards) void play(board);

// ---- HTTP ----

const TYPES = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' };
const CSP = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self' ws: wss:";

const server = createServer(async (request, response) => {
  const url = new URL(request.url, 'http://fake');
  const json = (status, value) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
  };
  const fail = (status, error, message) => json(status, { error, message });
  try {
    if (url.pathname.startsWith('/dev/') && request.method === 'POST') return json(200, dev(url));
    if (url.pathname.startsWith('/api/v1/')) {
      if (o.token && request.headers.authorization !== `Bearer ${o.token}`) return fail(401, 'unauthorized', 'This server wants a token.');
      return api(url, request.method, json, fail, response);
    }
    const path = normalize(url.pathname === '/' ? '/index.html' : url.pathname);
    const body = await readFile(join(dist, path));
    response
      .writeHead(200, { 'content-type': TYPES[extname(path)] ?? 'application/octet-stream', 'content-security-policy': CSP, 'cache-control': 'no-cache' })
      .end(body);
  } catch {
    fail(404, 'not_found', 'There is nothing here.');
  }
});

function api(url, method, json, fail, response) {
  const [noun, id, verb] = url.pathname.slice('/api/v1/'.length).split('/');
  if (noun === 'boards' && !verb && method === 'GET') return json(200, boards);
  if (noun === 'runs' && method === 'GET') return json(200, runs);
  if (noun === 'runs' && method === 'POST') {
    const run = runs.find(r => r.id === Number(id));
    if (!run) return fail(404, 'not_found', `There is no run ${id}.`);
    const next = { pause: { running: 'paused' }, resume: { paused: 'running' }, stop: { running: 'stopped', paused: 'stopped' } }[verb]?.[run.state];
    if (!next) return fail(409, 'conflict', `A run that is ${run.state} cannot be asked to ${verb}.`);
    run.state = next;
    if (next === 'stopped') run.ended_at = Date.now();
    emit({ kind: 'run', run: structuredClone(run) });
    return json(200, run);
  }
  if (noun === 'games' && id === undefined) {
    const q = url.searchParams;
    const run = q.get('run');
    const before = q.get('before');
    const limit = Math.min(200, Number(q.get('limit') ?? 50));
    const all = [...[...live.values()].map(l => l.view.game), ...games.map(g => g.game)].sort((a, b) => b.id - a.id);
    const rows = all.filter(g => (run === null || g.run === Number(run)) && (before === null || g.id < Number(before)));
    const page = rows.slice(0, limit);
    return json(200, { games: page, next: rows.length > limit ? page.at(-1).id : null });
  }
  if (noun === 'games') {
    const playing = live.get(Number(id));
    const found = playing ? { game: playing.view.game, plies: playing.view.plies, incidents: [] } : games.find(g => g.game.id === Number(id));
    if (!found) return fail(404, 'not_found', `There is no game ${id}.`);
    if (verb === 'pgn') return response.writeHead(200, { 'content-type': 'application/x-chess-pgn' }).end(pgn(found.game, found.plies));
    return json(200, found);
  }
  return fail(404, 'not_found', 'There is nothing here.');
}

function dev(url) {
  switch (url.pathname) {
    case '/dev/restart':
      epoch = newEpoch();
      seq = 0;
      log = [];
      for (const ws of sockets) ws.terminate();
      break;
    case '/dev/drop':
      for (const ws of sockets) ws.terminate();
      break;
    case '/dev/gap':
      seq++;
      break;
    case '/dev/alarm':
      boards[0].alarm = url.searchParams.get('text') || null;
      boards[0].link = boards[0].alarm ? 'connecting' : 'ready';
      emit({ kind: 'board', board: structuredClone(boards[0]) });
      break;
  }
  return { epoch, seq };
}

const wss = new WebSocketServer({ noServer: true });
server.on('upgrade', (request, socket, head) => {
  const url = new URL(request.url, 'http://fake');
  if (url.pathname !== '/ws' || (o.token && url.searchParams.get('token') !== o.token)) {
    socket.end('HTTP/1.1 401 Unauthorized\r\nconnection: close\r\n\r\n');
    return;
  }
  wss.handleUpgrade(request, socket, head, ws => {
    const since = Number(url.searchParams.get('since'));
    const oldest = log[0]?.seq ?? seq + 1;
    if (url.searchParams.get('epoch') === epoch && since <= seq && since >= oldest - 1) {
      ws.send(JSON.stringify({ type: 'resumed', epoch, seq: since }));
      for (const m of log) if (m.seq > since) ws.send(JSON.stringify(m));
    } else ws.send(JSON.stringify(snapshot()));
    sockets.add(ws);
    ws.on('close', () => sockets.delete(ws));
    ws.on('error', () => sockets.delete(ws));
  });
});

server.listen(Number(o.port), '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}/`));
