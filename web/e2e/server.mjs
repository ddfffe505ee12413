// SPDX-License-Identifier: GPL-3.0-or-later
// A real server with a simulated board and Stockfish, in a folder of its own, that can be stopped and started again at the same address.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Chess } from 'chessops/chess';
import { makeSanAndPlay } from 'chessops/san';

const PROGRAM = process.env.ROOKERY ?? join(dirname(fileURLToPath(import.meta.url)), '../../target/debug/rookery');

export class Server {
  #place = mkdtempSync(join(tmpdir(), 'rookery-page-'));
  #db = join(this.#place, 'demo.db');
  #process = null;
  #gone = null;
  #said = '';
  url = null;

  /** `more` are arguments of `rookery demo`. */
  constructor(more = [], listen = '127.0.0.1:0') {
    this.more = more;
    this.listen = listen;
  }

  /** Games of a PGN file, before the server is started. */
  import(pgn, name, more = []) {
    const file = join(this.#place, 'import.pgn');
    writeFileSync(file, pgn);
    execFileSync(PROGRAM, ['import', '--db', this.#db, '--run', name, ...more, file], { stdio: ['ignore', 'ignore', 'inherit'] });
  }

  async start() {
    const listen = this.url === null ? this.listen : this.url.host;
    this.#said = '';
    const args = ['demo', '--listen', listen, '--db', this.#db, '--level', '4000', '--speed', '12000', '--faults', 'light', ...this.more];
    const child = spawn(PROGRAM, args, { stdio: ['ignore', 'ignore', 'pipe'] });
    this.#process = child;
    this.#gone = new Promise(done => child.once('exit', done));
    child.stderr.setEncoding('utf8');
    await new Promise((ready, failed) => {
      child.stderr.on('data', text => {
        this.#said += text;
        const found = /^the page is at (http\S+)\s/m.exec(this.#said);
        if (found) ready((this.url = new URL(found[1].replace('0.0.0.0', '127.0.0.1'))));
      });
      child.once('error', failed);
      void this.#gone.then(() => failed(new Error(`the server is gone: ${this.#said}`)));
    });
  }

  async stop(signal = 'SIGINT') {
    this.#process?.kill(signal);
    await this.#gone;
  }

  async remove() {
    await this.stop();
    rmSync(this.#place, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** A legal game of so many plies, in which only knights move, nothing is taken and no check given, so that it cannot end. */
export function longGame(plies) {
  const rnd = random(7);
  const position = Chess.default();
  const words = [];
  for (let ply = 0; ply < plies; ply++) {
    const all = [...position.allDests()].flatMap(([from, dests]) => [...dests].map(to => ({ from, to })));
    const calm = all.filter(m => {
      if (position.board.get(m.from).role !== 'knight' || position.board.get(m.to)) return false;
      const after = position.clone();
      after.play(m);
      return !after.isCheck();
    });
    assert.ok(calm.length > 0, 'a knight can always move');
    if (ply % 2 === 0) words.push(`${ply / 2 + 1}.`);
    words.push(makeSanAndPlay(position, calm[Math.floor(rnd() * calm.length)]), ply % 2 === 0 ? `{ d=5 uz=${4000 + Math.floor(rnd() * 4000)} oc=${Math.floor(rnd() * 80 - 40)}}` : `{+0.10/9 0.1s}`);
  }
  return `[Event "Endurance"]\n[White "board"]\n[Black "engine"]\n[Result "1/2-1/2"]\n\n${words.join(' ')} 1/2-1/2\n`;
}

/** One game of each of two firmware versions: they part at the fifth ply. */
export function builds() {
  const moves = [['4.9', 'Bc4 Bc5 c3 Nf6'], ['5.0', 'Bb5 a6 Ba4 Nf6']];
  return moves.map(([version, rest]) => {
    const line = `e4 e5 Nf3 Nc6 ${rest}`.split(' ').map((san, i) => (i % 2 === 0 ? `${i / 2 + 1}. ${san} { d=5 uz=4500 oc=12}` : `${san} {+0.10/9 0.1s}`));
    return [version, `[Event "Builds"]\n[White "board"]\n[Black "engine"]\n[Result "1/2-1/2"]\n\n${line.join(' ')} 1/2-1/2\n`];
  });
}

/** The least that the server takes for a program of the chip: a vector table, and the words that say what it is. */
export function image(version) {
  const bytes = Buffer.alloc(2048);
  for (let i = 0x200; i < bytes.length; i++) bytes[i] = (i * 31 + version.length * 7) & 0xff;
  bytes.writeUInt32LE(0x200008e0, 0);
  bytes.writeUInt32LE(0x08000201, 4);
  bytes.write(`rookery-firmware stm32f103c6 ${version}\0`, 0x180);
  return bytes;
}

/** mulberry32 */
function random(seed) {
  let a = seed >>> 0;
  return () => {
    a = (a + 0x6d2b79f5) >>> 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
