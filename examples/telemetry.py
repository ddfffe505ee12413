#!/usr/bin/env python3
"""Asks a Rookery server what was measured: think times of both players, and how deep they came. Needs nothing but Python.

    examples/telemetry.py http://127.0.0.1:8080 [--token TOKEN] [--run ID]

docs/telemetry.md describes the views and their columns.
"""
import argparse
import json
from urllib.parse import urlencode
from urllib.request import Request, urlopen


class Rookery:
    def __init__(self, url, token):
        self.url = url.rstrip("/") + "/api/v1/telemetry/"
        self.headers = {"Authorization": f"Bearer {token}"} if token else {}

    def view(self, view, **filters):
        """A view as rows: dictionaries by column."""
        given = urlencode({key: value for key, value in filters.items() if value is not None})
        return self.rows(Request(f"{self.url}{view}?{given}", headers=self.headers))

    def sql(self, text):
        """The same for a query of one's own."""
        headers = self.headers | {"Content-Type": "application/json"}
        return self.rows(Request(f"{self.url}sql", json.dumps({"sql": text}).encode(), headers))

    def rows(self, request):
        with urlopen(request) as answer:
            table = json.load(answer)
        return [dict(zip(table["columns"], row)) for row in zip(*(table["data"][name] for name in table["columns"]))]


def bar(count, most, width=40):
    return "#" * max(1, round(count * width / most))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("url", nargs="?", default="http://127.0.0.1:8080")
    parser.add_argument("--token")
    parser.add_argument("--run", type=int)
    args = parser.parse_args()
    rookery = Rookery(args.url, args.token)
    for row in rookery.view("summary", group="mover", percentiles="true", run=args.run):
        print(f"{row['mover']}: {row['thinks']} thinks in {row['games']} games, {row['nodes']} nodes, {row['nps']} nodes/s")
        print(f"  time: p50 {row['time_p50_ms']} ms, p90 {row['time_p90_ms']} ms, p99 {row['time_p99_ms']} ms")
    depths = [row for row in rookery.view("summary", group="depth", mover="first", run=args.run) if row["depth"] is not None]
    most = max((row["thinks"] for row in depths), default=1)
    for row in depths:
        print(f"depth {row['depth']:3}: {bar(row['thinks'], most)} {row['thinks']}")
    for row in rookery.sql("SELECT kind, count(*) AS events FROM telemetry_link WHERE fault GROUP BY kind ORDER BY events DESC"):
        print(f"link: {row['events']} times {row['kind']}")


main()
