#!/usr/bin/env python3
"""Measures Rookery against peers in the same run and writes bench/RESULTS.md.

    bench/run.py                  everything
    bench/run.py --only engine    one section; the others stay as they are
"""
import argparse
import os
import platform
import time

import chip_tables
import engine
import link
import page
import referee
import telemetry
import viewers

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
RESULTS = os.path.join(ROOT, "bench/RESULTS.md")
SECTIONS = {
    "referee": ("What refereeing costs", referee.section),
    "engine": ("How fast the host's engine is", engine.section),
    "telemetry": ("What telemetry takes", telemetry.section),
    "viewers": ("What watching costs", viewers.viewers),
    "slow": ("What a viewer costs that does not read", viewers.slow),
    "page": ("What the page weighs", page.section),
    "link": ("How a bad link is survived", link.section),
    "chip": ("The chip's instructions", chip_tables.section),
}


def kept():
    """The sections of the file as it is, by their titles."""
    if not os.path.exists(RESULTS):
        return {}
    with open(RESULTS, encoding="utf-8") as file:
        parts = file.read().split("\n## ")[1:]
    return {title: text.strip() for title, _, text in (part.partition("\n") for part in parts)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", choices=SECTIONS)
    options = parser.parse_args()
    sections = kept()
    for name, (title, measure) in SECTIONS.items():
        if options.only in (None, name):
            where = f"{platform.machine()}, {os.cpu_count()} cores, Linux {platform.release().split('-')[0]}"
            sections[title] = f"On {time.strftime('%Y-%m-%d')}: {where}.\n\n{measure().strip()}"
    with open(RESULTS, "w", encoding="utf-8") as file:
        file.write("# Results\n\nWritten by `make bench` (`bench/run.py`; `--only SECTION` measures one of: " + ", ".join(SECTIONS) + ").\n")
        for title, _ in SECTIONS.values():
            if title in sections:
                file.write(f"\n## {title}\n\n{sections[title]}\n")


if __name__ == "__main__":
    main()
