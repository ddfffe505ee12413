"""Where the chip's instructions and its flash go: for bench/CHIP.md."""
import bisect
import collections
import os
import re
import subprocess
import sys
import threading

TIMEOUT_S = 600
# Passes a think: every piece of code that is run is logged, so there are few.
BUDGET = 300
TOP = 16


def nm(elf):
    """Address, size and name of what lies in the flash, in the order of addresses."""
    text = subprocess.run(["arm-none-eabi-nm", "-C", "-S", elf], stdout=subprocess.PIPE, text=True, check=True).stdout
    symbols = []
    for line in text.splitlines():
        words = line.split(" ", 3)
        if len(words) == 4 and words[2] in "tTrR":
            symbols.append((int(words[0], 16), int(words[1], 16), words[3]))
    return sorted(symbols)


def short(name):
    """`<a::b::C<D>>::e` and `a::b::<impl a::b::C>::e`: both are e, of the module b."""
    plain, before = name.replace("{{", "{").replace("}}", "}"), None
    while plain != before:
        before, plain = plain, re.sub(r"<[^<>]*>", "", plain)
    parts = [part for part in plain.split("::") if part]
    if not parts:
        return name
    return "::".join(parts[-2:]) if parts[-1].startswith("{") else parts[-1]


def module(name):
    found = re.search(r"\b([a-z]\w*)::(?:(\w+)::)?", name)
    if not found:
        return "start, vectors, memory (by hand)"
    crate, inner = found[1], found[2]
    if not crate.startswith("rookery_"):
        return "core and libraries"
    return f"{crate}::{inner}" if inner and inner[0].islower() and inner != "__cortex_m_rt_main" else crate


def profile(command, image):
    """Instructions by function, of one run of the bench.

    QEMU tells every piece of code when it translates it, with its instructions, and by its address when it is run.
    """
    machine = subprocess.Popen(["timeout", str(TIMEOUT_S), *command, "-d", "in_asm,exec,nochain", "-kernel", image],
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    told = threading.Event()

    def until_told():
        for text in machine.stdout:
            if text.startswith("stack"):
                told.set()
                machine.terminate()

    reader = threading.Thread(target=until_told, daemon=True)
    reader.start()
    pieces, runs, piece = {}, collections.Counter(), None
    symbols = nm(image)
    starts = [address for address, _, _ in symbols]
    shares = collections.Counter()

    def settle(start):
        for address in pieces.get(start, ()):
            shares[symbols[bisect.bisect(starts, address) - 1][2]] += runs[start]
        runs[start] = 0

    for line in machine.stderr:
        if line.startswith("Trace"):
            runs[line.split("/", 2)[1]] += 1
        elif line.startswith("IN:"):
            piece = []
        elif piece is not None and line.startswith("0x"):
            piece.append(int(line[2:10], 16))
        elif piece:
            start = f"{piece[0]:08x}"
            if pieces.get(start) != piece:
                # Translated anew, with another length.
                settle(start)
                pieces[start] = piece
            piece = None
    machine.wait()
    reader.join()
    if not told.is_set():
        sys.exit("error: the chip has not come to the end of its profile")
    for start in list(runs):
        settle(start)
    return shares


def shares_table(shares):
    total = sum(shares.values())
    yield "| function | module | share |\n|---|---|---|\n"
    rest = total
    for name, count in shares.most_common(TOP):
        rest -= count
        yield f"| `{short(name)}` | {module(name)} | {100 * count / total:.1f} % |\n"
    yield f"| all others | | {100 * rest / total:.1f} % |\n"


def sizes_table(elf):
    sections = subprocess.run(["arm-none-eabi-size", "-A", elf], stdout=subprocess.PIPE, text=True, check=True).stdout
    flash = sum(int(line.split()[1]) for line in sections.splitlines() if line.split()[:1] and line.split()[0] in (".vector_table", ".text", ".rodata", ".data"))
    modules = collections.Counter()
    for _, size, name in nm(elf):
        modules[module(name)] += size
    unnamed = flash - sum(modules.values())
    yield "| module | bytes |\n|---|---|\n"
    for name, size in modules.most_common():
        yield f"| {name} | {size:,} |\n"
    yield f"| texts, jump tables and other constants without a name | {unnamed:,} |\n| together | {flash:,} |\n"


def report(root, build, command):
    """The two sections, as lines; the program is built with a small budget for it."""
    image = build(dict(os.environ, BENCH_BUDGET=str(BUDGET)), "--bench")
    shares = profile(command, image)
    elf = build(dict(os.environ), "--path")
    yield (f"\n## Where the instructions go\n\nBy function, of all that is executed in the same program with a budget of {BUDGET}. What was inlined counts where it went.\n\n")
    yield from shares_table(shares)
    yield f"\n## Where the flash goes\n\nBy module, of `{os.path.relpath(elf, root)}`.\n\n"
    yield from sizes_table(elf)
