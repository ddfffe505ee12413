// SPDX-License-Identifier: GPL-3.0-or-later
// Plays legal chess that looks like chess, with made-up telemetry, for the fake server. Deterministic by its seed.
import { Chess } from 'chessops/chess';
import { makeFen, parseFen } from 'chessops/fen';
import { makeSanAndPlay } from 'chessops/san';
import { makeUci, parseUci } from 'chessops/util';

export const START = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';

/** mulberry32 */
export function random(seed) {
  let a = seed >>> 0;
  return () => {
    a = (a + 0x6d2b79f5) >>> 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

export const OPENINGS = [
  ['Sicilian Defence, Najdorf', 'e2e4 c7c5 g1f3 d7d6 d2d4 c5d4 f3d4 g8f6 b1c3 a7a6'],
  ['Ruy Lopez, Closed', 'e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1 f8e7'],
  ["Queen's Gambit Declined", 'd2d4 d7d5 c2c4 e7e6 b1c3 g8f6 c1g5 f8e7'],
  ["King's Indian Defence", 'd2d4 g8f6 c2c4 g7g6 b1c3 f8g7 e2e4 d7d6'],
  ['Caro-Kann Defence', 'e2e4 c7c6 d2d4 d7d5 b1c3 d5e4 c3e4 c8f5'],
  ['French Defence, Winawer', 'e2e4 e7e6 d2d4 d7d5 b1c3 f8b4'],
  ['Italian Game', 'e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 c2c3 g8f6'],
];

const VALUE = { pawn: 100, knight: 310, bishop: 325, rook: 500, queen: 920, king: 0 };

function evaluate(position) {
  let sum = 0;
  for (const [square, piece] of position.board) {
    const file = square & 7;
    const rank = piece.color === 'white' ? square >> 3 : 7 - (square >> 3);
    const centre = 3.5 - Math.max(Math.abs(file - 3.5), Math.abs(rank - 3.5));
    let v = VALUE[piece.role] + { pawn: rank * 9 + centre * 4, knight: centre * 16, bishop: centre * 8, rook: rank === 6 ? 25 : 0, queen: centre * 3, king: rank === 0 ? 30 : -rank * 12 }[piece.role];
    sum += piece.color === 'white' ? v : -v;
  }
  return position.turn === 'white' ? sum : -sum;
}

function* moves(position) {
  const context = position.ctx();
  for (const [from, dests] of position.allDests(context)) {
    for (const to of dests) {
      const promotes = position.board.get(from).role === 'pawn' && (to < 8 || to >= 56);
      yield promotes ? { from, to, promotion: 'queen' } : { from, to };
    }
  }
}

function captures(position, alpha, beta, depth) {
  let best = evaluate(position);
  if (best >= beta || depth === 0) return best;
  alpha = Math.max(alpha, best);
  for (const m of moves(position)) {
    if (!position.board.get(m.to)) continue;
    const next = position.clone();
    next.play(m);
    const v = -captures(next, -beta, -alpha, depth - 1);
    if (v > best) best = v;
    alpha = Math.max(alpha, v);
    if (alpha >= beta) break;
  }
  return best;
}

function choose(position, rnd, noise, quick = false) {
  let best = null;
  let bestValue = -Infinity;
  let score = 0;
  for (const m of moves(position)) {
    const next = position.clone();
    next.play(m);
    const v = next.isCheckmate() ? 100000 : next.isStalemate() ? 0 : quick ? -evaluate(next) : -captures(next, -Infinity, Infinity, 1);
    const noisy = v + (rnd() - 0.5) * noise;
    if (noisy > bestValue) [best, bestValue, score] = [m, noisy, v];
  }
  return { move: best, score };
}

/** One game, grown a ply at a time by `next()`. */
export class Played {
  constructor({ seed, opening = null, fen = START, wander = false, maxPlies = 400, firstColor = 'white', skill = 60 }) {
    this.rnd = random(seed);
    this.position = Chess.fromSetup(parseFen(fen).unwrap()).unwrap();
    this.opening = opening ? opening[1].split(' ') : [];
    this.wander = wander;
    this.maxPlies = maxPlies;
    this.firstColor = firstColor;
    this.skill = skill;
    this.plies = [];
    this.seen = new Map();
    this.clock = { white: 60_000, black: 60_000 };
    this.end = null;
  }

  /** What is thought before the move: the iterations, then the ply. `null` when the game is over. */
  next(at) {
    if (this.end) return null;
    const n = this.plies.length + 1;
    const side = this.position.turn;
    const first = side === this.firstColor;
    const book = n <= this.opening.length;
    let move, score;
    if (book) {
      move = parseUci(this.opening[n - 1]);
      score = null;
    } else if (this.wander && n < this.maxPlies - 60) {
      const quiet = [...moves(this.position)].filter(m => !this.position.board.get(m.to) && this.position.board.get(m.from).role !== 'pawn');
      const all = quiet.length ? quiet : [...moves(this.position)];
      move = all[Math.floor(this.rnd() * all.length)];
      score = evaluate(this.position);
    } else {
      ({ move, score } = choose(this.position, this.rnd, first ? this.skill : 25));
    }
    const legalNext = this.position.clone();
    const uci = makeUci(move);
    const san = makeSanAndPlay(legalNext, move);
    const line = [san];
    const pv = [uci];
    const ahead = legalNext.clone();
    for (let i = 0; i < 4 && !ahead.isEnd(); i++) {
      const m = choose(ahead, this.rnd, 30, true).move;
      pv.push(makeUci(m));
      line.push(makeSanAndPlay(ahead, m));
    }
    const ms = book ? 2 : first ? 300 + this.rnd() * 900 : 60 + this.rnd() * 250;
    const nodes = book ? null : Math.round(ms * (first ? 8.2 : 850) * (0.8 + this.rnd() * 0.4));
    const depth = book ? null : first ? 4 + Math.floor(this.rnd() * 4) : 9 + Math.floor(this.rnd() * 6);
    const mate = score !== null && Math.abs(score) > 50_000;
    const shown = score === null ? null : mate ? { mate: score > 0 ? 1 : -1 } : { cp: Math.round(score + (this.rnd() - 0.5) * (first ? 60 : 20)) };
    const iterations = [];
    if (!book) {
      for (let d = Math.max(1, depth - 5); d <= depth; d++) {
        const part = 2 ** (d - depth);
        iterations.push({
          ply: n,
          side,
          depth: d,
          nodes: Math.round(nodes * part),
          score: shown && 'cp' in shown ? { cp: Math.round(shown.cp + (this.rnd() - 0.5) * 40 * (1 - part)) } : shown,
          score_raw: shown && 'cp' in shown ? Math.round(shown.cp * 0.64) : 0,
          ms: Math.round(ms * part),
          pv: line.slice(0, Math.max(1, Math.min(line.length, d))),
        });
      }
    }
    this.clock[side] = Math.max(0, this.clock[side] - ms + 600);
    this.position = legalNext;
    const fen = makeFen(this.position.toSetup());
    const key = fen.split(' ').slice(0, 4).join(' ');
    this.seen.set(key, (this.seen.get(key) ?? 0) + 1);
    const ply = {
      ply: n,
      side,
      mover: book ? 'opening' : first ? 'first' : 'second',
      uci: normal(uci, san),
      san,
      fen,
      clock_ms: book || first ? null : Math.round(this.clock[side]),
      nodes,
      depth,
      score: shown,
      score_raw: shown && 'cp' in shown ? Math.round(shown.cp * (first ? 0.64 : 1)) : null,
      host_ms: book ? 0.1 : Math.round(ms * 10 + 23) / 10,
      board_ms: book || !first ? null : Math.round(ms),
      book: !book && first && n < this.opening.length + 3,
      retransmissions: first && this.rnd() < 0.06 ? 1 + Math.floor(this.rnd() * 2) : 0,
      pv: book ? null : pv.join(' '),
      at,
    };
    this.plies.push(ply);
    this.#judge(key, side);
    return { iterations, ply, ms };
  }

  #judge(key, mover) {
    const p = this.position;
    const name = s => (s === 'white' ? 'White' : 'Black');
    if (p.isCheckmate()) this.end = { result: mover === 'white' ? '1-0' : '0-1', termination: 'checkmate', reason: `${name(mover)} mates` };
    else if (p.isStalemate()) this.end = draw('stalemate', 'Draw by stalemate');
    else if (p.isInsufficientMaterial()) this.end = draw('insufficient_material', 'Draw by insufficient mating material');
    else if (!this.wander && (this.seen.get(key) ?? 0) >= 3) this.end = draw('threefold_repetition', 'Draw by 3-fold repetition');
    else if (!this.wander && p.halfmoves >= 100) this.end = draw('fifty_moves', 'Draw by fifty moves rule');
    else if (this.plies.length >= this.maxPlies) this.end = draw('max_plies', 'Draw by adjudication: maximum game length');
  }

  playOut(begun, msPerPly) {
    while (!this.end) this.next(begun + this.plies.length * msPerPly);
    return this;
  }
}

function draw(termination, reason) {
  return { result: '1/2-1/2', termination, reason };
}

/** chessops castles king takes rook; UCI as the server speaks it moves the king two squares. */
function normal(uci, san) {
  if (!san.startsWith('O-O')) return uci;
  return uci.slice(0, 2) + (san.startsWith('O-O-O') ? 'c' : 'g') + uci[1];
}

export function pgn(game, plies) {
  const tags = { Event: 'Rookery (made up)', Site: '-', Date: '2026.11.29', Round: game.number, White: game.white, Black: game.black, Result: game.result };
  const head = Object.entries(tags).map(([k, v]) => `[${k} "${String(v).replace(/[\\"]/g, '\\$&')}"]`);
  const body = plies.map((p, i) => (i % 2 === 0 ? `${i / 2 + 1}. ${p.san}` : p.san)).join(' ');
  return `${head.join('\n')}\n\n${body} ${game.result}\n`;
}
