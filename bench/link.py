"""How a bad link is survived: goodput against a clean link in the same run, and the time from the loss of a session to the next one.
The same games are played over a simulated board's line with one kind of fault after another (firmware/README.md, "Faults").
"""
import os
import sqlite3
import statistics
import subprocess
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ROOKERY = os.path.join(ROOT, "target/release/rookery")
SIM = os.path.join(ROOT, "target/release/board-sim")
GAMES, PLIES, LEVEL = 3, 60, 2000
# So much of what is on the line is struck: a line in fifty, which is far worse than any link that plays games.
RATE = 0.02
KINDS = ["lose", "run", "swap", "dup-line", "merge", "split", "flip7", "flip8", "pause", "echo", "stall", "silence", "drop", "reboot"]
LOST = ("drained", "disconnected", "rebooted")


def play(faults, folder):
    """Seconds of the run, plies, and how long each loss of the session lasted, in seconds."""
    sim = subprocess.Popen([SIM, "--listen", "127.0.0.1:0", "--exit-with-parent", "--no-book", "--seed", "1", "--faults", faults],
                           stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    place = sim.stdout.readline().split()[-1]
    db = os.path.join(folder, f"{faults}.db")
    begun = time.perf_counter()
    subprocess.run([ROOKERY, "run", "--board", f"tcp://{place}", "--engine", "stockfish", "--engine-limit", "nodes=50", "--games", str(GAMES),
                    "--level", str(LEVEL), "--max-plies", str(PLIES), "--openings", os.path.join(ROOT, "bench/openings.epd"), "--db", db],
                   check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    took = time.perf_counter() - begun
    sim.stdin.close()
    sim.wait()
    connection = sqlite3.connect(db)
    plies = connection.execute("SELECT count(*) FROM plies").fetchone()[0]
    times, lost = [], None
    for kind, at in connection.execute("SELECT kind, at FROM link_events ORDER BY id"):
        if kind in LOST:
            lost = lost or at
        elif kind == "synced" and lost:
            times.append((at - lost) / 1000)
            lost = None
    connection.close()
    # The first session is none that was lost.
    return took, plies, sorted(times[1:])


def section():
    rows = []
    with tempfile.TemporaryDirectory(dir=os.path.join(ROOT, "target")) as folder:
        took, plies, _ = play("none", folder)
        clean = plies / took
        every = []
        for kind in [*KINDS, "all"]:
            faults = kind if kind == "all" else f"{kind}={RATE}"
            took, plies, times = play(faults, folder)
            every += times
            rows.append((kind, plies / took / clean, times))
            print(f"{kind}: goodput {plies / took / clean:.2f}, {len(times)} sessions lost")
    table = "\n".join(
        f"| {kind} | {goodput:.2f} | {len(times)} | " + (f"{statistics.median(times):.2f} s | {times[-1]:.2f} s |" if times else "- | - |")
        for kind, goodput, times in rows)
    every.sort()
    quantile = lambda part: every[min(len(every) - 1, int(part * len(every)))]  # noqa: E731
    return f"""\
{GAMES} games of at most {PLIES} plies at {LEVEL} nodes a move over TCP, {RATE:.0%} of the lines (of the thinks for `reboot`) struck by one kind of fault; `all` is the simulator's own
mixture of all kinds. Goodput is plies a second against the clean link's {clean:.1f}. A session that is lost is found again within the time given, from the first sign of the loss; a
`silence` of 0.5 to 3 s and a `stall` of at most 1.5 s are part of it.

    board-sim --faults KIND={RATE} … ; rookery run --board tcp://… --games {GAMES} --max-plies {PLIES} --level {LEVEL}

| fault | goodput | sessions lost | back, median | back, longest |
|---|---|---|---|---|
{table}

Of all {len(every)}: half within {quantile(0.5):.2f} s, 95 % within {quantile(0.95):.2f} s, the longest {every[-1]:.2f} s.
"""
