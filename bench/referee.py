"""What refereeing costs: 20 games of Stockfish against itself at 500 nodes a move, every ply durable (synchronous = FULL), against a plain loop
that asks two Stockfish processes the same questions over pipes and keeps nothing. Both are whole processes, measured in turn.
"""
import os
import shutil
import sqlite3
import statistics
import subprocess
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ROOKERY = os.path.join(ROOT, "target/release/rookery")
STOCKFISH = shutil.which("stockfish") or "/usr/games/stockfish"
GAMES, NODES, PAIRS = 20, 500, 5
LIMIT_MS = 0.2


def rookery_command(db):
    limit = f"nodes={NODES}"
    return [ROOKERY, "run", "--engine2", STOCKFISH, "--engine2-limit", limit, "--engine", STOCKFISH, "--engine-limit", limit,
            "--games", str(GAMES), "--openings", os.path.join(ROOT, "bench/openings.epd"), "--db", db]


def rookery(db):
    begun = time.perf_counter()
    subprocess.run(rookery_command(db), check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return time.perf_counter() - begun


class Engine:
    """As little as a loop over pipes can be: whole reads, no parsing but for the answer."""

    def __init__(self):
        self.process = subprocess.Popen([STOCKFISH], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
        self.out, self.into = self.process.stdout.fileno(), self.process.stdin.fileno()
        self.ask("uci", b"uciok")

    def ask(self, text, answer):
        os.write(self.into, text.encode() + b"\n")
        heard = b""
        while answer not in heard or not heard.endswith(b"\n"):
            heard += os.read(self.out, 65536)
        return heard

    def close(self):
        os.write(self.into, b"quit\n")
        self.process.wait()


def loop(games):
    """Plays the same games: Stockfish with one thread and a node limit repeats itself, which is checked move by move."""
    begun = time.perf_counter()
    engines = {"first": Engine(), "second": Engine()}
    for start, plies in games:
        for engine in engines.values():
            engine.ask("ucinewgame\nisready", b"readyok")
        moves = ""
        for mover, uci in plies:
            line = f"position fen {start}" + (f" moves{moves}" if moves else "")
            heard = engines[mover].ask(f"{line}\ngo nodes {NODES}", b"bestmove")
            played = heard[heard.index(b"bestmove "):].split()[1].decode()
            if played != uci:
                raise SystemExit(f"the loop plays {played} where rookery had {uci}: no comparison")
            moves += " " + uci
    for engine in engines.values():
        engine.close()
    return time.perf_counter() - begun


def games_of(db):
    connection = sqlite3.connect(db)
    games = connection.execute("SELECT id, start_fen FROM games ORDER BY number").fetchall()
    query = "SELECT mover, uci FROM plies WHERE game_id = ? ORDER BY ply"
    return [(fen, connection.execute(query, (game,)).fetchall()) for game, fen in games]


def sync_ms(folder):
    """What the disk takes for one small durable write."""
    path = os.path.join(folder, "sync")
    file = os.open(path, os.O_CREAT | os.O_WRONLY)
    times = []
    for _ in range(200):
        os.write(file, b"x" * 4096)
        begun = time.perf_counter()
        os.fdatasync(file)
        times.append((time.perf_counter() - begun) * 1000)
    os.close(file)
    return statistics.median(times)


def section():
    rows = []
    with tempfile.TemporaryDirectory(dir=os.path.join(ROOT, "target")) as folder:
        for pair in range(PAIRS + 1):
            db = os.path.join(folder, f"{pair}.db")
            ours = rookery(db)
            games = games_of(db)
            plies = sum(len(moves) for _, moves in games)
            theirs = loop(games)
            # The first pair warms the caches.
            if pair:
                rows.append((ours, theirs, plies, (ours - theirs) * 1000 / plies))
                print(f"pair {pair}: rookery {ours:.2f} s, loop {theirs:.2f} s, {plies} plies, {rows[-1][3]:+.3f} ms a ply")
        disk = sync_ms(folder)
    overhead = statistics.median(row[3] for row in rows)
    ratio = statistics.median(row[0] / row[1] for row in rows)
    verdict = "within" if overhead <= LIMIT_MS else "ABOVE"
    print(f"median {overhead:+.3f} ms a ply, ratio {ratio:.3f}: {verdict} the limit of {LIMIT_MS} ms")
    text = f"""A small durable write (4 KiB and fdatasync) takes {disk:.2f} ms on the disk.

{GAMES} games of Stockfish against itself at {NODES} nodes a move, every ply durable against power loss (`synchronous = FULL`) before it is announced, against a plain
loop that asks two Stockfish processes the same questions over pipes, keeps nothing and judges nothing. Whole processes, in turn; the loop checks that it gets the same moves.

    rookery run --engine2 stockfish --engine2-limit nodes={NODES} --engine stockfish --engine-limit nodes={NODES} --games {GAMES} --openings bench/openings.epd --db FILE

| pair | rookery | plain loop | plies | more, per ply |
|---|---|---|---|---|
"""
    for number, (ours, theirs, plies, more) in enumerate(rows, 1):
        text += f"| {number} | {ours:.2f} s | {theirs:.2f} s | {plies} | {more:+.3f} ms |\n"
    return text + f"""
Median: **{overhead:+.3f} ms a ply** ({verdict} the limit of {LIMIT_MS} ms), ratio {ratio:.3f}. The commit of a ply runs beside the next think, so the disk shows only where it is slower than that."""
