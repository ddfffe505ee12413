"""The chip's figures, as `make bench-chip` has left them in bench/CHIP.md: they do not depend on the machine that measures."""
import os
import re

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def section():
    with open(os.path.join(ROOT, "bench/CHIP.md"), encoding="utf-8") as file:
        text = file.read()
    body = text.split("\n", 1)[1].strip()
    # One level deeper than there.
    return re.sub(r"^(#+) ", r"#\1 ", body, flags=re.M)
