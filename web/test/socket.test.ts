// SPDX-License-Identifier: GPL-3.0-or-later
import { beforeEach, describe, expect, test } from 'vitest';
import { Socket, type ConnState, type SocketOptions, type WebSocketLike } from '../src/socket';
import { apply, initial, type State } from '../src/state';
import { delta, live, ply, snapshot } from './make';

class FakeSocket implements WebSocketLike {
  onopen: WebSocketLike['onopen'] = null;
  onmessage: WebSocketLike['onmessage'] = null;
  onclose: WebSocketLike['onclose'] = null;
  onerror: WebSocketLike['onerror'] = null;
  closed = false;

  constructor(readonly url: string) {}

  close(): void {
    this.closed = true;
  }
  open(): void {
    this.onopen?.({} as never);
  }
  say(message: unknown): void {
    this.onmessage?.({ data: typeof message === 'string' ? message : JSON.stringify(message) });
  }
  cut(): void {
    this.onerror?.({} as never);
    this.onclose?.({} as never);
  }
}

class FakeTime {
  now = 0;
  #id = 0;
  #due = new Map<number, { at: number; f: () => void }>();

  set = (f: () => void, ms: number): number => {
    this.#due.set(++this.#id, { at: this.now + ms, f });
    return this.#id;
  };
  clear = (id: number): void => void this.#due.delete(id);
  get pending(): number {
    return this.#due.size;
  }
  pass(ms: number): void {
    const end = this.now + ms;
    for (;;) {
      const next = [...this.#due].filter(([, t]) => t.at <= end).sort((a, b) => a[1].at - b[1].at)[0];
      if (!next) break;
      this.#due.delete(next[0]);
      this.now = next[1].at;
      next[1].f();
    }
    this.now = end;
  }
}

let sockets: FakeSocket[];
let states: ConnState[];
let state: State;
let time: FakeTime;
let refused: number;
let token: string | null;
let socket: Socket;

function make(more: Partial<SocketOptions> = {}): Socket {
  return new Socket({
    url: 'ws://host/ws',
    make: url => {
      const s = new FakeSocket(url);
      sockets.push(s);
      return s;
    },
    token: () => token,
    position: () => (state.epoch === null ? null : { epoch: state.epoch, seq: state.seq }),
    onMessage: m => {
      const applied = apply(state, m);
      state = applied.state;
      return applied.outcome;
    },
    onState: s => states.push(s),
    onRefused: () => refused++,
    timers: time,
    random: () => 0.5,
    now: () => time.now,
    ...more,
  });
}

const last = () => sockets.at(-1)!;

beforeEach(() => {
  sockets = [];
  states = [];
  state = initial;
  time = new FakeTime();
  refused = 0;
  token = null;
  socket = make();
});

test('connects, and is connected when the snapshot is here', () => {
  socket.start();
  expect(last().url).toBe('ws://host/ws');
  last().open();
  expect(states).toEqual(['connecting']);
  last().say(snapshot());
  expect(states).toEqual(['connecting', 'connected']);
  expect(time.pending).toBe(0);
});

test('a cut line is resumed from the last number', () => {
  socket.start();
  last().open();
  last().say(snapshot({ epoch: 'e/1' }));
  last().say(delta(11, { kind: 'ply', game: 1, ply: ply(1) }));
  last().cut();
  expect(states.at(-1)).toBe('reconnecting');
  time.pass(500);
  expect(last().url).toBe('ws://host/ws?epoch=e%2F1&since=11');
  last().open();
  last().say({ type: 'resumed', epoch: 'e/1', seq: 11 });
  expect(states.at(-1)).toBe('connected');
  last().say(delta(12, { kind: 'ply', game: 1, ply: ply(2) }));
  expect(state.live[0]?.plies).toHaveLength(2);
  expect(sockets).toHaveLength(2);
});

test('a gap is followed by a connection that asks for a snapshot', () => {
  socket.start();
  last().open();
  last().say(snapshot());
  const torn = last();
  torn.say(delta(13, { kind: 'ply', game: 1, ply: ply(1) }));
  expect(torn.closed).toBe(true);
  torn.say(delta(11, { kind: 'ply', game: 1, ply: ply(1) }));
  expect(state.seq, 'nothing more is heard from the old line').toBe(10);
  time.pass(500);
  expect(last().url).toBe('ws://host/ws');
  // The snapshot is asked for until one came.
  last().cut();
  time.pass(1000);
  expect(last().url).toBe('ws://host/ws');
  last().open();
  last().say(snapshot({ seq: 13, live: [live(1, 2)] }));
  expect(state.seq).toBe(13);
  last().cut();
  time.pass(500);
  expect(last().url).toContain('since=13');
});

test('a resumption that is not ours leads to a snapshot', () => {
  socket.start();
  last().say(snapshot());
  last().cut();
  time.pass(500);
  last().say({ type: 'resumed', epoch: 'other', seq: 10 });
  time.pass(500 * 2);
  expect(last().url).toBe('ws://host/ws');
});

test('a restarted server answers a resumption with a snapshot, and that is that', () => {
  socket.start();
  last().say(snapshot());
  last().cut();
  time.pass(500);
  last().say(snapshot({ epoch: 'b', seq: 0 }));
  expect(state.epoch).toBe('b');
  expect(states.at(-1)).toBe('connected');
});

test('what cannot be read is not skipped', () => {
  for (const bad of ['{', '"text"', 'null', '[]']) {
    sockets = [];
    state = initial;
    socket = make();
    socket.start();
    last().say(snapshot());
    const before = last();
    before.say(bad);
    expect(before.closed, bad).toBe(true);
    socket.stop();
  }
});

test('waits longer and longer, to eight seconds, and not after a success', () => {
  socket.start();
  const waits: number[] = [];
  for (let i = 0; i < 7; i++) {
    const n = sockets.length;
    last().cut();
    const from = time.now;
    while (sockets.length === n) time.pass(50);
    waits.push(time.now - from);
  }
  expect(waits).toEqual([500, 1000, 2000, 4000, 8000, 8000, 8000]);
  last().open();
  last().say(snapshot());
  last().cut();
  const n = sockets.length;
  time.pass(500);
  expect(sockets).toHaveLength(n + 1);
});

describe('refusal', () => {
  test('of a connection that never opened is told; of one that was open it is not', () => {
    socket.start();
    last().cut();
    expect(refused).toBe(1);
    time.pass(500);
    last().open();
    last().say(snapshot());
    last().cut();
    expect(refused).toBe(1);
  });

  test('a token goes along, and again() uses a new one at once', () => {
    socket.start();
    last().cut();
    token = 'a b&c';
    socket.again();
    expect(last().url).toBe('ws://host/ws?token=a+b%26c');
    expect(time.pending, 'only the guard of the new connection').toBe(1);
  });
});

test('a connection that hangs is given up', () => {
  socket.start();
  const hangs = last();
  hangs.open();
  time.pass(10_000);
  expect(hangs.closed).toBe(true);
  time.pass(500);
  expect(sockets).toHaveLength(2);
});

test('a constructor that throws is a failure like any other', () => {
  let calls = 0;
  socket = make({
    make: url => {
      if (++calls === 1) throw new Error('blocked');
      sockets.push(new FakeSocket(url));
      return last();
    },
  });
  socket.start();
  time.pass(500);
  expect(sockets).toHaveLength(1);
});

test('after sleep a line that was silent for long is made anew, a lively one is kept', () => {
  socket.start();
  last().say(snapshot());
  time.pass(5000);
  socket.wake();
  expect(sockets).toHaveLength(1);
  time.pass(60_000);
  socket.wake();
  expect(sockets).toHaveLength(2);
  expect(last().url).toContain('since=10');
});

test('stop ends everything', () => {
  socket.start();
  last().say(snapshot());
  socket.stop();
  expect(last().closed).toBe(true);
  expect(time.pending).toBe(0);
  socket.again();
  socket.wake();
  time.pass(100_000);
  expect(sockets).toHaveLength(1);
  expect(states.at(-1)).toBe('offline');
});
