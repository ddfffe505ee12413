#!/usr/bin/env python3
"""Makes bench/balanced.epd: positions after six to eight random plies that Stockfish holds to be balanced.

    bench/make_openings.py [COUNT]

The seed, the number of nodes and one thread make it the same file again with the same Stockfish (15.1). `ce` is its score for the side
to move.
"""
import os
import random
import shutil
import sys

import chess
import chess.engine

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
STOCKFISH = shutil.which("stockfish") or "/usr/games/stockfish"
SEED, COUNT = 20250101, 2000
PLIES, NODES, BALANCED_CP = (6, 8), 5000, 50


def play_at_random(chance):
    board = chess.Board()
    for _ in range(chance.randint(*PLIES)):
        # Sorted, so that the choice does not hang on the library's order.
        moves = sorted(move.uci() for move in board.legal_moves)
        if not moves:
            break
        board.push_uci(chance.choice(moves))
    return board


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else COUNT
    chance, seen, tried = random.Random(SEED), set(), 0
    path = os.path.join(ROOT, "bench/balanced.epd")
    with chess.engine.SimpleEngine.popen_uci(STOCKFISH) as engine, open(path + ".part", "w", encoding="ascii") as file:
        engine.configure({"Threads": 1, "Hash": 16})
        while len(seen) < count:
            tried += 1
            board = play_at_random(chance)
            # Two positions that differ only in the square behind a pawn that nobody can take make the same game.
            place = board.epd(en_passant="legal")
            if place in seen or board.is_check() or board.is_game_over():
                continue
            # A new game each time: an emptied hash table, so that no position depends on the one before.
            score = engine.analyse(board, chess.engine.Limit(nodes=NODES), game=tried)["score"].white()
            if score.is_mate() or abs(score.score()) >= BALANCED_CP:
                continue
            seen.add(place)
            file.write(f'{place} ce {score.score() if board.turn else -score.score()};\n')
    os.replace(path + ".part", path)
    print(f"{count} balanced positions of {tried} tried")


if __name__ == "__main__":
    main()
