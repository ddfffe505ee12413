// SPDX-License-Identifier: GPL-3.0-or-later
import { describe, expect, test, vi } from 'vitest';
import { fields, Form, fresh, settings, type Fields } from '../src/form';
import type { BookSpec, FlashRequest, RunSettings } from '../src/generated/api';
import { readOpenings } from '../src/openings';
import { board, run } from './make';

const filled = (more: Partial<Fields> = {}): Fields => ({ ...fresh(), boards: ['tcp://10.0.0.1:23'], ...more });
const faults = (more: Partial<Fields>) => Object.keys(settings(filled(more)).faults);

describe('a new run', () => {
  test('the fields as they are at first need only a board', () => {
    expect(Object.keys(settings(fresh()).faults)).toEqual(['boards']);
    expect(settings(filled()).settings).toMatchObject({
      first: { boards: [{ url: 'tcp://10.0.0.1:23' }] },
      second: { path: 'stockfish', args: [], options: [], limit: 'nodes=5000' },
      games: 10,
      level: 45_000,
      adjudication: {},
    });
  });

  test('every field that is wrong is named', () => {
    expect(faults({ games: '0' })).toEqual(['games']);
    expect(faults({ games: '0', endless: true })).toEqual([]);
    expect(faults({ games: '1.5', level: '-1', seed: 'x' })).toEqual(['games', 'level', 'seed']);
    expect(faults({ others: '192.168.4.1' })).toEqual(['others']);
    expect(faults({ second: { ...fresh().second, path: ' ', options: 'Skill Level', limit: 'fast' } })).toEqual(['second.path', 'second.options', 'second.limit']);
    expect(faults({ draw: true, drawMoves: '' })).toEqual(['drawMoves']);
    expect(faults({ drawMoves: '' })).toEqual([]);
    expect(faults({ second: { ...fresh().second, kind: 'tc', limit: '60+0.6' } })).toEqual([]);
    expect(faults({ second: { ...fresh().second, kind: 'tc', limit: '0' } })).toEqual(['second.limit']);
  });

  test('a book is sent with how it is played from, and not at all where none is named', () => {
    const book = (more: object) => settings(filled({ second: { ...fresh().second, ...more } })).settings?.second.book;
    expect(book({})).toBeUndefined();
    expect(book({ bookPlies: '8' })).toBeUndefined();
    expect(book({ book: ' main.bin ', bookPick: 'best' })).toEqual({ path: 'main.bin', pick: 'best' });
    expect(book({ book: 'main.bin', bookPlies: '8' })).toEqual({ path: 'main.bin', pick: 'weighted', plies: 8 });
    expect(faults({ second: { ...fresh().second, book: 'main.bin', bookPlies: 'many' } })).toEqual(['second.bookPlies']);
  });

  test('boards that are ticked and written are one each', () => {
    const made = settings(filled({ others: 'tcp://10.0.0.2:23\n tcp://10.0.0.1:23' })).settings!;
    expect(made.first).toEqual({ boards: [{ url: 'tcp://10.0.0.1:23' }, { url: 'tcp://10.0.0.2:23' }] });
  });

  test('options may have blanks and “=” in them, arguments quotes', () => {
    const second = { ...fresh().second, options: 'Skill Level = 3\n\nBook=a=b', args: '--x "a b" ""' };
    expect(settings(filled({ second })).settings!.second).toMatchObject({ options: [['Skill Level', '3'], ['Book', 'a=b']], args: ['--x', 'a b', ''] });
  });

  test('settings of a run that was make the same run again', () => {
    const old: RunSettings = {
      first: { boards: [{ url: 'tcp://10.0.0.1:23', name: 'left' }, { url: 'tcp://gone:1' }] },
      second: { path: 'sf', dir: '/srv', args: ['--x', 'a b'], env: { HASH: '1' }, options: [['Skill Level', '3']], limit: 'tc=60+0.6' },
      games: 0,
      color: 'white',
      level: 60_000,
      openings: [{ name: 'x', moves: ['e2e4'] }],
      concurrency: 2,
      adjudication: { draw: { move_number: 30, moves: 6, score: 5 }, resign: { moves: 3, score: 900, two_sided: false }, max_plies: 300 },
      claims: 'never',
      on_illegal: 'retry',
      think_timeout_s: 1,
      board_patience_s: 2,
      time_margin_ms: 3,
      engine_restarts: 4,
      seed: 5,
    };
    const { settings: again } = settings(fields(old, old.openings, ['tcp://10.0.0.1:23']));
    expect(again).toEqual(old);
    const book: BookSpec = { path: 'x.bin', pick: 'best' } as BookSpec;
    const later = { ...old, second: { ...old.second, book }, news: 7 } as RunSettings;
    expect(settings(fields(later, [], [])).settings).toMatchObject({ news: 7, second: { book } });
  });
});

describe('the book of the boards', () => {
  const desk = board(1, { url: 'tcp://a:1' });
  const wall = board(2, { url: 'tcp://b:1' });
  /** What is asked of the server, in its order. */
  const sent = async (change: Partial<Fields>) => {
    const asked: unknown[] = [];
    const api = {
      bookImage: async (id: string) => (asked.push(`image of ${id}`), { sha256: 'abc' }),
      flash: async (id: number, { image, when }: FlashRequest) => void asked.push(`flash ${id} ${image} ${when}`),
      begin: async () => (asked.push('begin'), run(1)),
    };
    const form = new Form({ api, state: { boards: [desk, wall] }, changed: () => {}, say: () => {} } as never, null);
    form.set(change);
    vi.stubGlobal('location', { hash: '' });
    vi.stubGlobal('requestAnimationFrame', () => 0);
    await form.send();
    vi.unstubAllGlobals();
    return { asked, form };
  };

  test('goes to those that are ticked, before the run begins', async () => {
    expect((await sent({ boards: [wall.url], boardBook: 'b7' })).asked).toEqual(['image of b7', 'flash 2 abc finish', 'begin']);
  });

  test('is asked for nowhere where the flash is to stay as it is, or an engine plays', async () => {
    for (const change of [{ boards: [desk.url] }, { by: 'engine' as const, boardBook: 'b7', boards: [desk.url] }]) expect((await sent(change)).asked).toEqual(['begin']);
  });

  test('cannot be put on a board that the server does not know', async () => {
    const { asked, form } = await sent({ boards: [desk.url], others: 'tcp://c:1', boardBook: 'b7' });
    expect([asked, form.faults['others']]).toEqual([[], expect.stringContaining('tick them')]);
  });
});

describe('openings', () => {
  test('moves, with numbers or without, in SAN or UCI', () => {
    const { lines, faults } = readOpenings('1. e4 c5 2. Nf3\n# a comment\n\ne2e4 c7c5 g1f3\ne4 c5 Nf3');
    expect(faults).toEqual([]);
    expect(lines).toEqual(Array(3).fill({ moves: ['e2e4', 'c7c5', 'g1f3'] }));
  });

  test('EPD and FEN', () => {
    const { lines, faults } = readOpenings('rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - id "King\'s pawn";\n4k3/8/8/8/8/8/4P3/4K3 w - - 3 20');
    expect(faults).toEqual([]);
    expect(lines.map(l => [l.name, l.fen])).toEqual([
      ["King's pawn", 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1'],
      [undefined, '4k3/8/8/8/8/8/4P3/4K3 w - - 3 20'],
    ]);
  });

  test('PGN: main lines, a start position, names', () => {
    const { lines, faults } = readOpenings('[Event "x"]\n[Opening "Sicilian"]\n\n1. e4 (1. d4 d5) c5 {why not} *\n\n[Event "end"]\n[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]\n\n1. e4 *\n');
    expect(faults).toEqual([]);
    expect(lines).toEqual([
      { name: 'Sicilian', moves: ['e2e4', 'c7c5'] },
      { name: 'end', fen: '4k3/8/8/8/8/8/4P3/4K3 w - - 0 1', moves: ['e2e4'] },
    ]);
  });

  test('castling is written as the server takes it', () => {
    expect(readOpenings('e4 e5 Nf3 Nc6 Bc4 Bc5 O-O').lines[0]!.moves.at(-1)).toBe('e1g1');
  });

  test('what is wrong is said with its place, and the others are read', () => {
    const { lines, faults } = readOpenings('e4 e5\ne4 Ke3\n8/8/8/8/8/8/8/8 w - -');
    expect(lines).toHaveLength(1);
    expect(faults).toEqual(['Line 2: “Ke3” is not possible after 1 plies.', expect.stringMatching(/^Line 3: .* is no position/)]);
    expect(readOpenings('[Event "x"]\n\n1. e4 Ke3 *').faults).toEqual(['Game 1: “Ke3” is not possible after 1 plies.']);
  });
});
