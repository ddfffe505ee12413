"""What watching costs: one live game, up to 2,000 viewers of it over WebSockets, and the same bytes to the same viewers by a plain broadcast.
And what a viewer that does not read costs the others.
"""
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import time

from websockets.sync.client import connect

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ROOKERY = os.path.join(ROOT, "target/release/rookery")
CLIENT = os.path.join(ROOT, "target/release/examples/viewers")
COUNTS = [1, 500, 1000, 2000]
SECONDS = 8
# A think of the board takes a tenth of a second, and one of the engine next to nothing: some 15 plies a second.
LEVEL, SPEED = 1000, 10_000
# The engine's thinks in a game as fast as it goes.
FAST = ["--level", "1000", "--speed", "0", "--engine-limit", "nodes=1000"]
PACED = ["--level", str(LEVEL), "--speed", str(SPEED), "--engine-limit", "nodes=1000"]
PEER_WATCHES = "a plain `broadcast` of Python's `websockets`"


class Process:
    """A server under measurement: where it listens, and what it takes."""

    def __init__(self, command, said):
        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        heard = ""
        while not (found := re.search(said, heard)):
            line = self.process.stderr.readline()
            if not line:
                raise SystemExit(f"the server is gone: {heard}")
            heard += line
        self.address = found[1]
        threading.Thread(target=self.process.stderr.read, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()

    def cpu(self):
        """Seconds of processor time, of all threads."""
        folder = f"/proc/{self.process.pid}/task"
        return sum(int(open(f"{folder}/{task}/schedstat", encoding="ascii").read().split()[0]) for task in os.listdir(folder)) / 1e9

    def memory(self):
        """Kilobytes of its own."""
        with open(f"/proc/{self.process.pid}/status", encoding="ascii") as file:
            return int(re.search(r"RssAnon:\s+(\d+)", file.read())[1])

    def sockets(self):
        """How many it has open."""
        folder, count = f"/proc/{self.process.pid}/fd", 0
        for file in os.listdir(folder):
            try:
                count += os.readlink(f"{folder}/{file}").startswith("socket:")
            except OSError:
                pass
        return count


def rookery(folder, game):
    db = os.path.join(folder, f"{time.monotonic_ns()}.db")
    return Process([ROOKERY, "demo", "--listen", "127.0.0.1:0", "--db", db, *game], r"the page is at http://(\S+)")


class Viewers:
    """The viewers' program (server/examples/viewers.rs)."""

    def __init__(self, server):
        self.server = server
        self.process = subprocess.Popen([CLIENT, server.address], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait()

    def ask(self, command):
        self.process.stdin.write(command + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit(f"the viewers are gone at '{command}'")
        return json.loads(line)

    def measure(self, seconds=SECONDS):
        """What they got in that time, and what the server took for it."""
        before = self.server.cpu()
        got = self.ask(f"measure {seconds}")
        got["cpu"] = self.server.cpu() - before
        got["memory"] = self.server.memory()
        if got["lost"]:
            raise SystemExit(f"{len(got['lost'])} viewers were lost: {got['lost'][0]}")
        return got


def watched(server, counts):
    """One measurement for each number of viewers."""
    rows = []
    with Viewers(server) as viewers:
        for count in counts:
            viewers.ask(f"watch {count}")
            # What they left behind when they came is no part of it.
            time.sleep(1)
            rows.append(viewers.measure())
            print(f"{count} viewers: {rows[-1]}", file=sys.stderr)
    return rows


def heard(server, seconds):
    """What one viewer hears: the snapshot, and each delta with the time since the one before."""
    with connect(f"ws://{server.address}/ws", max_size=None) as socket:
        snapshot, deltas = socket.recv(), []
        end = last = time.monotonic()
        while (now := time.monotonic()) < end + seconds:
            try:
                text = socket.recv(timeout=1)
            except TimeoutError:
                continue
            now = time.monotonic()
            deltas.append((now - last, text))
            last = now
    return {"snapshot": snapshot, "deltas": deltas}


def slope(base, rows):
    """Kilobytes a viewer: the straight line that fits best."""
    points = [(0, base), *((row["viewers"], row["memory"]) for row in rows)]
    x0, y0 = (sum(values) / len(points) for values in zip(*points))
    return sum((x - x0) * (y - y0) for x, y in points) / sum((x - x0) ** 2 for x, _ in points)


def each(row, idle):
    """Microseconds of the server's processor time for a delta to a viewer, beyond what the game takes by itself."""
    return (row["cpu"] - idle * row["seconds"]) * 1e6 / max(row["receipts"], 1)


def table(rows, idle):
    return "\n".join(
        f"| {row['viewers']:,} | {row['deltas'] / row['seconds']:.0f} | {row['p50_us'] / 1000:.1f} ms | {row['p99_us'] / 1000:.1f} ms "
        f"| {row['max_us'] / 1000:.1f} ms | {each(row, idle):.1f} µs | {row['memory'] / 1000:.1f} MB | {row['renewed']} |" for row in rows)


def idle_cpu(server, seconds=3):
    before = server.cpu()
    time.sleep(seconds)
    return (server.cpu() - before) / seconds


def viewers():
    subprocess.run(["cargo", "build", "--release", "--locked", "--quiet", "-p", "rookery-server", "--example", "viewers"], check=True, cwd=ROOT)
    with tempfile.TemporaryDirectory(dir=os.path.join(ROOT, "target")) as folder:
        with rookery(folder, PACED) as server:
            record = heard(server, 5)
            base, idle = server.memory(), idle_cpu(server)
            ours = watched(server, COUNTS)
        path = os.path.join(folder, "record.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(record, file)
        with Process([sys.executable, os.path.join(ROOT, "bench/viewers_peer.py"), path], r"listening at (\S+)") as peer:
            peer_base, peer_idle = peer.memory(), idle_cpu(peer)
            theirs = watched(peer, [1, COUNTS[-1]])
        fast = []
        for count in (1, COUNTS[-1]):
            with rookery(folder, FAST) as server:
                fast += watched(server, [count])
    fast_table = "\n".join(
        f"| {row['viewers']:,} | {row['deltas'] / row['seconds']:.0f} | {row['receipts'] / row['seconds']:,.0f} | {row['p50_us'] / 1000:.1f} ms "
        f"| {row['p99_us'] / 1000:.1f} ms | {row['memory'] / 1000:.1f} MB | {row['renewed']} |" for row in fast)
    most, peer_most = ours[-1], theirs[-1]
    size = most["bytes"] / max(most["receipts"], 1)
    head = "| viewers | deltas/s | p50 | p99 | longest | processor a delta a viewer | memory | renewed |\n|---|---|---|---|---|---|---|---|"
    return f"""\
A live game of some {most['deltas'] / most['seconds']:.0f} deltas a second (of {size:.0f} bytes) and its viewers on the same {os.cpu_count()} cores, {SECONDS} s for each row. The time is from the announcement, which
follows the commit, to the arrival of the whole message at the viewer's socket, as the kernel notes it: what the viewers' program takes for itself is not in it. The announcement is
stamped in whole milliseconds, so up to one of them is too much. Memory is what the server has allocated, without the kernel's buffers; `renewed` are snapshots for viewers that were behind.

    rookery demo {' '.join(PACED)} ; target/release/examples/viewers ADDRESS

{head}
{table(ours, idle)}

**{slope(base, ours):.1f} kB a viewer** ({base / 1000:.1f} MB without any), p99 with {most['viewers']:,} viewers **{most['p99_us'] / 1000:.1f} ms** against {ours[0]['p99_us'] / 1000:.1f} ms with one.

The same bytes at the same pace to the same viewers from {PEER_WATCHES}, which keeps no game:

{head}
{table(theirs, peer_idle)}

It takes {slope(peer_base, theirs):.1f} kB a viewer. With {most['viewers']:,} viewers Rookery needs {each(most, idle) / each(peer_most, peer_idle):.2f} of its processor time for a delta, and its p99 is {most['p99_us'] / peer_most['p99_us']:.2f} of it.

A game as fast as it goes (`{' '.join(FAST)}`), which makes more deltas than {COUNTS[-1]:,} viewers can be told one by one on these cores. What has gathered for a viewer is sent together, and one that is a thousand
behind gets a snapshot:

| viewers | deltas/s | told, a second | p50 | p99 | memory | renewed |
|---|---|---|---|---|---|---|
{fast_table}

With {COUNTS[-1]:,} viewers on its own cores the game goes on at {fast[1]['deltas'] / fast[1]['seconds'] / (fast[0]['deltas'] / fast[0]['seconds']):.2f} of the pace that it has with one.
"""


def slow():
    """The others' times with and without viewers that do not read, and what becomes of those."""
    good, bad, seconds = 200, 50, 10
    subprocess.run(["cargo", "build", "--release", "--locked", "--quiet", "-p", "rookery-server", "--example", "viewers"], check=True, cwd=ROOT)
    with tempfile.TemporaryDirectory(dir=os.path.join(ROOT, "target")) as folder, rookery(folder, PACED) as server, Viewers(server) as viewers:
        viewers.ask(f"watch {good}")
        time.sleep(1)
        before = viewers.measure(seconds)
        held = server.sockets()
        viewers.ask(f"slow {bad} 0")
        viewers.ask(f"slow {bad} 1")
        begun, most, rows = time.monotonic(), 0, []
        while server.sockets() > held and time.monotonic() < begun + 120:
            rows.append(viewers.measure(seconds))
            most = max(most, rows[-1]["memory"])
            print(f"{time.monotonic() - begun:.0f} s: {server.sockets() - held} slow viewers, {rows[-1]}", file=sys.stderr)
        gone = time.monotonic() - begun if server.sockets() <= held else None
    end = f"All {2 * bad} were closed within {gone:.0f} s" if gone else f"{server.sockets() - held} of them were still there after 120 s"
    table = "\n".join(
        f"| {name} | {row['deltas'] / row['seconds']:.0f} | {row['p50_us'] / 1000:.1f} ms | {row['p99_us'] / 1000:.1f} ms | {row['memory'] / 1000:.1f} MB |"
        for name, row in [("none", before), *((f"{2 * bad}, after {seconds * n} s", row) for n, row in enumerate(rows, 1))])
    worst = max(row["p99_us"] for row in rows) / before["p99_us"]
    return f"""\
{good} viewers that read, and {bad} that never do and {bad} that take a byte a second; the same game and the same times as above.

| slow viewers | deltas/s | p50 | p99 | memory |
|---|---|---|---|---|
{table}

The others' p99 is at the worst **{worst:.2f}** of what it is without them, and the server has at most {(most - before['memory']) / (2 * bad):.0f} kB more for each of them. {end}: who takes nothing for 30 seconds is gone (one
byte a second is so little that the system does not even say so). One that wakes before gets what was under way, a new snapshot and what follows (`server/tests/ws.rs`).
"""
