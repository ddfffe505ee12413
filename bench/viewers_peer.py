"""A plain server that broadcasts a record of deltas (bench/viewers.py) to whoever connects, again and again at the record's pace."""
import asyncio
import json
import re
import sys
import time

from websockets.asyncio.server import broadcast, serve


async def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        record = json.load(file)
    # Each place where the number and the time stand; what is behind them is what is broadcast.
    deltas = [(pause, re.sub(r'^\{"type":"delta","seq":\d+,"at":\d+', "", text)) for pause, text in record["deltas"]]
    seq, viewers = 0, set()

    async def welcome(socket):
        told = None
        # What is broadcast while the snapshot is on its way must not be missing.
        while told != seq:
            told = seq
            await socket.send(re.sub(r'"seq":\d+', f'"seq":{told}', record["snapshot"], count=1))
        viewers.add(socket)
        try:
            await socket.wait_closed()
        finally:
            viewers.discard(socket)

    async with serve(welcome, "127.0.0.1", 0, compression=None) as server:
        host, port = next(iter(server.sockets)).getsockname()
        print(f"listening at {host}:{port}", file=sys.stderr, flush=True)
        due = time.monotonic()
        while True:
            for pause, rest in deltas:
                due += pause
                await asyncio.sleep(max(due - time.monotonic(), 0))
                seq += 1
                broadcast(viewers, f'{{"type":"delta","seq":{seq},"at":{int(time.time() * 1000)}{rest}')


asyncio.run(main())
