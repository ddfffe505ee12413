#!/usr/bin/env python3
"""Watches a Rookery server: every move as it is played, with what its mover says of it.

    pip install websockets chess
    examples/watch.py http://127.0.0.1:8080 [--token TOKEN] [--games N]

It comes back after an interruption by itself, and misses nothing meanwhile: docs/websocket.schema.json says what is sent.
"""
import argparse
import asyncio
import json
from urllib.parse import quote

import chess
import websockets


class Watcher:
    def __init__(self, url, token, games):
        self.url, self.token, self.left = url.rstrip("/").replace("http", "ws", 1) + "/ws", token, games
        self.epoch = self.seq = None
        self.boards = {}  # a chess.Board for each game that is being played

    def address(self):
        words = {"token": self.token, "epoch": self.epoch, "since": self.seq}
        given = "&".join(f"{key}={quote(str(value))}" for key, value in words.items() if value is not None)
        return f"{self.url}?{given}" if given else self.url

    async def run(self):
        while True:
            try:
                # A snapshot has every live game whole: there is no telling how long it is.
                async with websockets.connect(self.address(), max_size=None) as socket:
                    async for text in socket:
                        self.hear(json.loads(text))
                        if self.left == 0:
                            return
            except (OSError, websockets.ConnectionClosed) as error:
                print("reconnecting:", error)
            await asyncio.sleep(1)

    def hear(self, message):
        if message["type"] == "snapshot":
            self.epoch, self.seq = message["epoch"], message["seq"]
            self.boards.clear()
            for live in message["live"]:
                self.begin(live)
        elif message["type"] == "delta":
            self.seq = message["seq"]
            self.change(message["change"])

    def begin(self, live):
        game = live["game"]
        board = chess.Board(game["start_fen"])
        for ply in live["plies"]:
            board.push_uci(ply["uci"])
        self.boards[game["id"]] = board
        print(f"game {game['id']}: {game['white']} - {game['black']}, {len(live['plies'])} plies so far")

    def change(self, change):
        if change["kind"] == "game_started":
            self.begin(change["live"])
        elif change["kind"] == "ply" and change["game"] in self.boards:
            ply, board = change["ply"], self.boards[change["game"]]
            number = f"{board.fullmove_number}{'.' if board.turn else '...'}"
            # The server's SAN is ours: both sides know the same position.
            san = board.san(chess.Move.from_uci(ply["uci"]))
            assert san == ply["san"], (san, ply["san"])
            board.push_uci(ply["uci"])
            known = {key: ply[key] for key in ("depth", "nodes", "host_ms", "score") if ply[key] is not None}
            print(f"game {change['game']}: {number} {san}", *(f"{key}={value}" for key, value in known.items()))
        elif change["kind"] == "game_ended":
            game = change["game"]
            self.boards.pop(game["id"], None)
            print(f"game {game['id']}: {game['result']} ({game['reason']})")
            self.left -= 1


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("url", nargs="?", default="http://127.0.0.1:8080")
    parser.add_argument("--token")
    parser.add_argument("--games", type=int, default=-1, help="end after so many games")
    args = parser.parse_args()
    asyncio.run(Watcher(args.url, args.token, args.games).run())


main()
