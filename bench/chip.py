#!/usr/bin/env python3
"""Counts the instructions that the chip's engine takes for a node, and writes bench/CHIP.md.

The program firmware/chip/src/bin/bench.rs runs on an emulated Cortex-M3. With -icount shift=0 QEMU lets an instruction take a
nanosecond of the machine's time, and the machine's timer counts at 24 MHz: 41.67 instructions a tick. A second run, of a few
passes, tells by function where the instructions go (bench/chip_profile.py).
"""
import os
import re
import subprocess
import sys

sys.dont_write_bytecode = True
import chip_profile  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TIMEOUT_S = 300
# The journal's chip, and the original there: 8,578 cycles for 5,521 instructions.
HZ, CYCLES_PER_INSTRUCTION = 72_000_000, 8578 / 5521
# The original, compiled by gcc -O2, in the same four positions.
ORIGINAL = (5520, 5760)
STOP_MS = 50
# A quarter of that: no position may take more.
MOST = 1400
LINE = re.compile(r"(insn/node (\d+) nodes (\d+) move (\S+)) d (-?\d+) uz (-?\d+) oc (-?\d+) longest-silence (\d+)")


MACHINE = ["qemu-system-arm", "-M", "stm32vldiscovery", "-nographic", "-monitor", "none", "-serial", "stdio"]


def build(environment, option):
    built = subprocess.run([os.path.join(ROOT, "tools/firmware"), option], stdout=subprocess.PIPE, text=True, env=environment)
    if built.returncode:
        sys.exit(built.returncode)
    return built.stdout.split()[-1]


def run(image):
    with subprocess.Popen(["timeout", str(TIMEOUT_S), *MACHINE, "-icount", "shift=0", "-kernel", image], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True) as machine:
        rows = []
        for text in machine.stdout:
            if text.startswith("stack"):
                break
            found = LINE.match(text)
            if not found:
                sys.exit(f"error: the chip says: {text.strip()}")
            print(found[1], flush=True)
            rows.append(found)
        machine.terminate()
    if len(rows) != 4:
        sys.exit("error: the chip has not come to the end")
    return rows


def milliseconds(instructions):
    return 1000 * instructions * CYCLES_PER_INSTRUCTION / HZ


def main():
    rows = run(build(dict(os.environ), "--bench"))
    sections = list(chip_profile.report(ROOT, build, MACHINE))
    worst = max(int(row[2]) for row in rows)
    silence = milliseconds(max(int(row[8]) for row in rows))
    with open(os.path.join(ROOT, "bench/CHIP.md"), "w", encoding="utf-8") as file:
        file.write("# The chip's speed\n\nWritten by `make bench-chip`: instructions on an emulated Cortex-M3 (QEMU, `-icount shift=0`), as the chip's program is compiled,\n"
                   "256 cells, a budget of 20,000, in the four positions of the original's figures.\n\n"
                   "| position | instructions a node | nodes | move | d | uz | oc | longest silence, instructions |\n|---|---|---|---|---|---|---|---|\n")
        for number, row in enumerate(rows, 1):
            file.write(f"| {number} | {int(row[2]):,} | {int(row[3]):,} | {row[4]} | {row[5]} | {int(row[6]):,} | {row[7]} | {int(row[8]):,} |\n")
        file.write(f"\nThe original takes {ORIGINAL[0]:,} to {ORIGINAL[1]:,} (gcc -O2).\n\n"
                   f"Estimated at 72 MHz with the original's {CYCLES_PER_INSTRUCTION:.2f} cycles an instruction there: {HZ / CYCLES_PER_INSTRUCTION / worst:,.0f} nodes a second or more, and\n"
                   f"at most {silence:.0f} ms between two moments in which the search listens. `stop` has to be honoured within {STOP_MS} ms.\n")
        file.writelines(sections)
    if worst > MOST:
        sys.exit(f"error: {worst} instructions a node, more than {MOST}: a quarter of the original's")
    if silence > STOP_MS:
        sys.exit(f"error: {silence:.0f} ms until a stop is seen, more than {STOP_MS}")


if __name__ == "__main__":
    main()
