"""What each question of `rookery telemetry` takes over a synthetic database of a million plies and four million iterations, which is
built through the store; and what the roll-ups that make them quick take from every ply.
"""
import os
import subprocess
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LIMIT_MS = 100


def section():
    """The median of five for each question, in a warm cache; plies with and without the trigger in turn."""
    program = ["cargo", "build", "--release", "--locked", "--quiet", "-p", "rookery-server", "--example", "telemetry_bench"]
    subprocess.run(program, check=True, cwd=ROOT)
    with tempfile.TemporaryDirectory(dir=os.path.join(ROOT, "target")) as folder:
        made = subprocess.run([os.path.join(ROOT, "target/release/examples/telemetry_bench"), os.path.join(folder, "synthetic.db")],
                              check=True, stdout=subprocess.PIPE, text=True).stdout
    lines = [line.split("\t") for line in made.splitlines()]
    _, plies, iterations, size, seconds = next(line for line in lines if line[0] == "built")
    queries = [(name, float(ms), int(rows)) for _, name, ms, rows in (line for line in lines if line[0] == "query")]
    summary = next(ms for name, ms, _ in queries if name == "summary")
    rollups = [(int(games), int(length), float(with_it), float(without)) for _, games, length, with_it, without in (line for line in lines if line[0] == "rollup")]
    costs = "\n".join(f"| {games} games of {length} plies | {with_it:.0f} µs | {without:.0f} µs | {with_it - without:+.0f} µs | {with_it / without:.2f} |" for games, length, with_it, without in rollups)
    verdict = "within" if summary <= LIMIT_MS else "ABOVE"
    table = "\n".join(f"| `{name}` | {ms:.1f} ms | {rows} |" for name, ms, rows in queries)
    return f"""\
{int(plies):,} plies and {int(iterations):,} iterations of 12,500 games in 25 runs ({int(size) / 1e6:.0f} MB), built through the store in {float(seconds):.0f} s: each question to `rookery telemetry`, the median of five in a warm cache.

| question | time | rows |
|---|---|---|
{table}

The summary over everything takes **{summary:.1f} ms** ({verdict} the limit of {LIMIT_MS} ms).

The sums are kept by a trigger, in the transaction that adds a ply. A ply with the four iterations of its think, durable, into a database with the trigger and into one without it, in turn; medians:

| | with | without | the trigger | ratio |
|---|---|---|---|---|
{costs}

It is a part of what refereeing costs (above), whose limit of 0.2 ms a ply holds for everything together.
"""
