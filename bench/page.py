"""What somebody waits for who opens the page: its weight as the server sends it, and the time to the first board in Chromium on this machine."""
import json
import os
import statistics
import subprocess
import tempfile

import viewers

ROOT = viewers.ROOT
LOADS = 7
LIMIT_BYTES = 150_000
LIMIT_MS = 1000


def section():
    with tempfile.TemporaryDirectory(dir=os.path.join(ROOT, "target")) as folder, viewers.rookery(folder, viewers.PACED) as server:
        command = ["node", os.path.join(ROOT, "web/e2e/first-board.mjs"), f"http://{server.address}", str(LOADS + 1)]
        # The first load is that of a browser that has just been started.
        loads = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)
    cold, loads = loads[0], loads[1:]
    times = sorted(load["ms"] for load in loads)
    # What the page asks the API for is no part of it.
    files = sorted((file for file in cold["files"] if not file["path"].startswith("/api/")), key=lambda file: -file["sent"])
    weight = sum(file["sent"] for file in files)
    median = statistics.median(times)
    print(f"{weight} bytes, first board after {median:.0f} ms")
    table = "\n".join(f"| `{file['path']}` | {file['sent']:,} | {file['size']:,} |" for file in files)
    verdict = lambda value, limit: "within" if value < limit else "ABOVE"  # noqa: E731
    return f"""\
The live page of a running game, opened {LOADS} times in Chromium on the same machine, each time by a browser that has nothing of it (and once before by a browser that was just started: {cold['ms']:.0f} ms).

    node web/e2e/first-board.mjs http://ADDRESS {LOADS + 1}

| file | bytes as sent | bytes |
|---|---|---|
{table}

Together **{weight / 1000:.1f} kB** ({verdict(weight, LIMIT_BYTES)} the limit of {LIMIT_BYTES // 1000} kB). From the request to the frame that shows the first board with all its pieces: **{median:.0f} ms** as the median, {times[-1]:.0f} ms at the most ({verdict(times[-1], LIMIT_MS)} the limit of {LIMIT_MS} ms)."""
