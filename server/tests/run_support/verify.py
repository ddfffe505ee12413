"""Replays every game of a database with python-chess, and compares its PGN file with it.

usage: verify.py DATABASE [PGN]; prints a JSON list of the games; exits 1 with the first thing that is wrong.
"""
import json
import sqlite3
import sys

import chess
import chess.pgn

WORDS = {
    chess.Termination.CHECKMATE: "checkmate",
    chess.Termination.STALEMATE: "stalemate",
    chess.Termination.INSUFFICIENT_MATERIAL: "insufficient_material",
}


def fail(text):
    print(text)
    sys.exit(1)


def replay(db, game):
    board = chess.Board(game["start_fen"])
    plies = db.execute("SELECT * FROM plies WHERE game_id = ? ORDER BY ply", (game["id"],)).fetchall()
    for number, ply in enumerate(plies, 1):
        where = f"game {game['id']} ply {ply['ply']}"
        if ply["ply"] != number:
            fail(f"{where}: ply {number} is missing")
        move = chess.Move.from_uci(ply["uci"])
        if move not in board.legal_moves:
            fail(f"{where}: {move} is illegal in {board.fen()}")
        if board.san(move) != ply["san"]:
            fail(f"{where}: SAN {ply['san']} instead of {board.san(move)}")
        board.push(move)
        if board.fen() != ply["fen"]:
            fail(f"{where}: FEN {ply['fen']} instead of {board.fen()}")
    outcome = board.outcome(claim_draw=False)
    if game["state"] == "finished" and outcome and outcome.termination in WORDS:
        if WORDS[outcome.termination] != game["termination"] or outcome.result() != game["result"]:
            fail(f"game {game['id']}: {game['result']} {game['termination']} instead of {outcome}")
    if game["termination"] in WORDS.values() and not outcome:
        fail(f"game {game['id']}: {game['termination']}, but {board.fen()} is not over")
    if game["termination"] == "threefold_repetition" and not board.is_repetition(3):
        fail(f"game {game['id']}: no threefold repetition")
    if game["termination"] == "fifty_moves" and board.halfmove_clock < 100:
        fail(f"game {game['id']}: no fifty moves")
    return board


def main():
    db = sqlite3.connect(f"file:{sys.argv[1]}?mode=ro", uri=True, timeout=60)
    db.row_factory = sqlite3.Row
    if db.execute("PRAGMA integrity_check").fetchone()[0] != "ok":
        fail("the database is damaged")
    games = db.execute("SELECT * FROM games ORDER BY run_id, number").fetchall()
    finals = {}
    for game in games:
        board = replay(db, game)
        if game["state"] == "finished":
            finals.setdefault((str(game["number"]), game["result"], board.fen()), []).append(game["id"])
    if len(sys.argv) > 2:
        wanted = sum(len(ids) for ids in finals.values())
        found = 0
        with open(sys.argv[2]) as file:
            while (pgn := chess.pgn.read_game(file)) is not None:
                if pgn.errors:
                    fail(f"PGN: {pgn.errors}")
                found += 1
                end = pgn.end().board().fen()
                if (pgn.headers["Round"], pgn.headers["Result"], end) not in finals:
                    fail(f"PGN game {found} (round {pgn.headers['Round']}) is none of the database: {end}")
        if found != wanted:
            fail(f"{found} games in the PGN, {wanted} in the database")
    print(json.dumps([dict(game) for game in games]))


main()
