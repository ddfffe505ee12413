#!/usr/bin/env python3
"""Asks which pawn coefficient plays best, and writes bench/STRENGTH.md. Takes 20 minutes with one worker.

    bench/strength.py [--workers N] [--share N]     --share 10 plays a tenth of the games, and writes nothing
"""
import argparse
import datetime
import json
import os
import platform
import resource
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ENGINE = os.path.join(ROOT, "target/release/rookery-engine")
OPENINGS = "bench/balanced.epd"
CELLS = 512
# Pawn coefficient of the first side and of the second, node budget, games. One of them at two levels.
MATCHES = [(9, 20, 3000, 2000), (12, 20, 3000, 2000), (14, 20, 3000, 2000), (9, 20, 1000, 4000)]


def command(match):
    first, second, nodes, games = match
    return ["match", "--first", f"pawn={first}", "--second", f"pawn={second}", "--nodes", str(nodes), "--cells", str(CELLS),
            "--openings", OPENINGS, "--games", str(games)]


def play(match, workers, folder):
    print(f"pawn {match[0]} against {match[1]} at {match[2]} nodes", flush=True)
    path = os.path.join(folder, "result.json")
    words = [ENGINE, *command(match), "--workers", str(workers), "--json", path]
    if subprocess.run(words, cwd=ROOT, stdout=subprocess.DEVNULL).returncode:
        sys.exit("error: the match has failed")
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def verdict(match, result):
    """What the error bar allows to be said, and no more."""
    first, second, nodes, _ = match
    low, high = result["elo"] - result["elo_error_95"], result["elo"] + result["elo_error_95"]
    if low > 0:
        said = f"**{first} is better than {second}**"
    elif high < 0:
        said = f"**{second} is better than {first}**"
    else:
        said = f"**no difference between {first} and {second} is shown**: what there is lies between {low:+.0f} and {high:+.0f} Elo for {first}"
    return f"- At {nodes:,} nodes {said} ({result['elo']:+.1f} ± {result['elo_error_95']:.1f} Elo, LOS {100 * result['los']:.1f} %)."


def levels_agree(results):
    """Whether the comparison that was made at two levels differs between them: the difference of two independent results."""
    twice = [(match, result) for match, result in results if match[:2] == MATCHES[-1][:2]]
    (low, at_low), (high, at_high) = sorted(twice, key=lambda row: row[0][2])
    difference = at_low["elo"] - at_high["elo"]
    error = (at_low["elo_error_95"] ** 2 + at_high["elo_error_95"] ** 2) ** 0.5
    said = "The answer depends on the level" if abs(difference) > error else "That the answer depends on the level is not shown"
    return f"- {said}: {low[0]} against {low[1]} differs by {difference:+.1f} ± {error:.1f} Elo between {low[2]:,} and {high[2]:,} nodes."


def write(results, seconds):
    with open(os.path.join(ROOT, "bench/STRENGTH.md"), "w", encoding="utf-8") as file:
        file.write(f"""# The pawn coefficient

Written by `make strength` (`bench/strength.py`) on {datetime.date.today()}: {seconds / 60:.0f} minutes of processor time of a {platform.machine()}.

## What it does

A pawn's move costs `coefficient * (holes + shelter - 1)` units, 74 of which are a pawn. `holes`, 0 to 2, counts the squares diagonally before the pawn
that nothing like it guards once it has gone: those where no pawn of the same state stands two files away beside it. `shelter` is 1 if the own king, having moved, stands
right behind the pawn on its home rank. So a move that leaves no hole is worth the coefficient, and one that leaves two, or uncovers the king, costs it: a large one
keeps pawns together and in front of their king. It is `PawnCoefficient` over UCI: 9 in the preset `classic`, which is micro-Max 4.8 as it was published, and 20 in
`journal`.

## The answer

""")
        file.write("\n".join(verdict(match, result) for match, result in results) + "\n" + levels_agree(results) + "\n")
        file.write(f"""
## The matches

micro-Max against itself, {CELLS} cells a side as on the chip, castling bonus 50 and 50. Every opening is played twice with the colours swapped; results are told from
the side of the first number. Elo and its 95 % error bar are those of the pentanomial model (`engine/src/cli/contest/elo.rs`), whose unit is the pair.
`{OPENINGS}` has positions after six to eight random plies that Stockfish holds to be within half a pawn (`bench/make_openings.py`). The engine is
deterministic, so only openings make games differ; the same command has the same result anywhere.

| pawn | node budget | nodes a move | games | distinct | + = - | pairs 0, ½, 1, 1½, 2 | score | Elo | LOS |
|---|---|---|---|---|---|---|---|---|---|
""")
        for (first, second, nodes, _), result in results:
            pairs = ", ".join(str(count) for count in result["pairs"])
            file.write(f"| {first} : {second} | {nodes:,} | {result['nodes'] // result['plies']:,} | {result['games']:,} | {result['distinct_games']:,} "
                       f"| +{result['wins']} ={result['draws']} -{result['losses']} | {pairs} | {100 * result['score']:.2f} % "
                       f"| {result['elo']:+.1f} ± {result['elo_error_95']:.1f} | {100 * result['los']:.1f} % |\n")
        file.write("\nGames end by the rules; one of 200 moves would be a draw. So ended: ")
        ends = {}
        for _, result in results:
            for name, count in result["ends"].items():
                ends[name] = ends.get(name, 0) + count
        stopped = sum(result["stopped_thinks"] for _, result in results)
        file.write(", ".join(f"{name.replace('_', ' ')} {count:,}" for name, count in sorted(ends.items())) + ".\n")
        file.write(f"Thinks that were stopped because an iteration took more than a thousand budgets: {stopped}.\n\n")
        for match, _ in results:
            file.write(f"    rookery-engine {' '.join(command(match))}\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--share", type=int, default=1)
    options = parser.parse_args()
    matches = [(first, second, nodes, games // options.share // 2 * 2) for first, second, nodes, games in MATCHES]
    with tempfile.TemporaryDirectory() as folder:
        results = [(match, play(match, options.workers, folder)) for match in matches]
    for match, result in results:
        print(verdict(match, result))
    print(levels_agree(results))
    if options.share == 1:
        write(results, resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime)


if __name__ == "__main__":
    main()
