"""How many nodes a second the host's engine walks, against the plain search of its tests, which walks the same tree with the same counts
(engine/tests/support/plain.rs), and Stockfish with one thread for orientation. All in the same run, in turn.
"""
import os
import shutil
import statistics
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
STOCKFISH = shutil.which("stockfish") or "/usr/games/stockfish"
RUNS, STOCKFISH_NODES = 7, 500_000
# The four positions of the original's figures, as in firmware/chip/src/bin/bench.rs.
GAMES = [
    "h2h4 g7g5 h4g5",
    "h2h4 g7g5 h4g5 c7c5 e2e3 d7d5 f1b5 b8c6 d2d4 f7f6 d1h5 e8d7 d4c5 a7a6 b5d3 d8a5 b1c3 a5c5 g5g6 h7h6",
    "g1f3 b8c6 f3h4 e7e6 h4f3 d7d6 d2d3 g8f6 c2c4 f8e7 b1c3 e8g8 c1f4 c8d7 h2h4 h7h5 e2e4 c6a5 e4e5 f6g4 f1e2 a5c6 e5d6 e7d6 f4d6",
    "c2c4 c7c6 d2d4 g8h6 g2g3 a7a5 h2h4 h6g8 b1c3 d7d6 f1g2 g8f6 c3e4 c8g4 d1b3 a8a7 c1f4 g4f5 b3d3 e7e6 e1c1 b8d7 g2f3 h7h5 g1h3 f6e4 "
    "f3e4 f5e4 d3e4 f8e7 e4f3 d7f6 f4g5 f6g4 g5e7 d8e7 h3f4 g4f6 a2a4 e6e5 d4e5 e7e5 f3e3 e5e3 f2e3 f6e4 d1g1 f7f5 g1g2 b7b6 g2g1 h8h6 "
    "f4d3 e4c5",
]


def engines():
    """For every position: nodes, nodes a second of the engine and of the plain search."""
    command = ["cargo", "run", "--release", "--locked", "--quiet", "-p", "rookery-engine", "--example", "speed", "--", *GAMES]
    out = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout
    rows = [line.split() for line in out.splitlines()]
    return [(int(nodes), int(nodes) / float(ours), int(nodes) / float(plain)) for nodes, ours, plain in rows]


def processor_seconds(pid):
    """What all threads of a process have used."""
    with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def stockfish():
    """Stockfish's nodes a second in every position."""
    speeds = []
    for game in GAMES:
        with subprocess.Popen([STOCKFISH], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
            def ask(text, answer):
                process.stdin.write(text + "\n")
                process.stdin.flush()
                nodes = 0
                for line in process.stdout:
                    words = line.split()
                    if "nodes" in words:
                        nodes = int(words[words.index("nodes") + 1])
                    if line.startswith(answer):
                        return nodes
                raise SystemExit("error: Stockfish has ended")

            ask(f"setoption name Threads value 1\nsetoption name Hash value 16\nposition startpos moves {game}\nisready", "readyok")
            begun = processor_seconds(process.pid)
            nodes = ask(f"go nodes {STOCKFISH_NODES}", "bestmove")
            speeds.append(nodes / (processor_seconds(process.pid) - begun))
            process.stdin.write("quit\n")
            process.stdin.close()
    return speeds


def section():
    # The first run builds, and warms the caches.
    engines()
    runs, peers = [], []
    for run in range(1, RUNS + 1):
        runs.append(engines())
        peers.append(stockfish())
        print(f"run {run}: " + ", ".join(f"{ours / 1e6:.2f}" for _, ours, _ in runs[-1]) + " M nodes a second")
    text = f"""The host's engine with 512 cells and a budget of 200,000, against a plain recursive search that walks the same tree, node for node (`engine/tests/support/plain.rs`,
compiled alike; its move and its count of nodes are checked to be the same). The original's C is not part of this repository. Stockfish with one thread stands
beside it for orientation only: its nodes are other nodes. Medians of {RUNS} runs, in nodes a second of
processor time.

    cargo run --release -p rookery-engine --example speed -- "MOVES" ...

| position | nodes | engine | plain search | ratio | Stockfish |
|---|---|---|---|---|---|
"""
    for place in range(len(GAMES)):
        ours = statistics.median(run[place][1] for run in runs)
        plain = statistics.median(run[place][2] for run in runs)
        ratio = statistics.median(run[place][1] / run[place][2] for run in runs)
        peer = statistics.median(run[place] for run in peers)
        text += f"| {place + 1} | {runs[0][place][0]:,} | {ours:,.0f} | {plain:,.0f} | {ratio:.1f} | {peer:,.0f} |\n"
    return text
