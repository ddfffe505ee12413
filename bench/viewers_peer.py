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
    seq, came, viewers = 0, 0.0, set()

    async def welcome(socket):
        nonlocal came
        came = time.monotonic()
        await socket.send(re.sub(r'"seq":\d+', f'"seq":{seq}', record["snapshot"], count=1))
        came = time.monotonic()
        viewers.add(socket)
        try:
            await socket.wait_closed()
        finally:
            viewers.discard(socket)

    async with serve(welcome, "127.0.0.1", 0, compression=None) as server:
        host, port = next(iter(server.sockets)).getsockname()
        print(f"listening at {host}:{port}", file=sys.stderr, flush=True)
        while True:
            for pause, rest in deltas:
                await asyncio.sleep(pause)
                # While viewers come nothing is broadcast: each finds the state that its snapshot has, and none waits for the others.
                while time.monotonic() - came < 0.5:
                    await asyncio.sleep(0.1)
                seq += 1
                broadcast(viewers, f'{{"type":"delta","seq":{seq},"at":{int(time.time() * 1000)}{rest}')


asyncio.run(main())
