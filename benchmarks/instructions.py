"""How many instructions the hot path takes: these do not depend on what else the machine does.

    python benchmarks/instructions.py [PAGE …]

Counted by callgrind (Debian: `apt-get install valgrind`), each step on each page in a process of
its own: parsing alone, `parse_html`, Block Fusion and Mosaic with their texts, image contexts with
theirs. Every process does all steps a few times first; one that does no more is taken off the
others, so that starting Python and importing are not counted. The pages are three of the examples,
or those given.
"""

from __future__ import annotations

import gc
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
WARM, COUNTED = 2, 10
STEPS = ("parse", "page", "block-fusion", "mosaic", "item")


def task_of(step: str) -> Callable[[bytes], object]:
    from selectolax.lexbor import LexborHTMLParser

    from pagecut import parse_html
    from pagecut.contexts import extractor
    from pagecut.segmenters import segmenter

    if step == "parse":
        return LexborHTMLParser
    if step == "page":
        return parse_html
    if step == "item":
        item = extractor("item")
        return lambda data: [context.text for context in item.extract(parse_html(data))]
    method = segmenter(step)
    return lambda data: method.segment(parse_html(data)).texts


def run(step: str, page: str, warm: Sequence[str]) -> None:
    """What callgrind watches."""
    gc.disable()
    for each in STEPS:
        task = task_of(each)
        for path in warm:
            data = Path(path).read_bytes()
            for _ in range(WARM + COUNTED * (each == step and path == page)):
                task(data)


def count(step: str, page: str, warm: Sequence[str]) -> int:
    """Instructions of a whole process."""
    watched = [sys.executable, __file__, "--run", step, page, *warm]
    done = subprocess.run(
        ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *watched],
        capture_output=True,
        text=True,
        check=False,
        # Other threads and hashes that differ from run to run would be counted too.
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1", "PYTHONHASHSEED": "0"},
    )
    found = re.search(r"Collected : (\d+)", done.stderr)
    if found is None or done.returncode:
        raise SystemExit(f"callgrind did not count {step} on {page}: {done.stderr[-300:]}")
    return int(found[1])


def examples() -> list[Path]:
    """A small, a middling and a large one."""
    found = sorted((ROOT / "examples").rglob("*.html"), key=lambda path: path.stat().st_size)
    return [found[0], found[len(found) // 2], found[-1]]


def table(pages: Sequence[Path] = ()) -> Iterator[str]:
    """The lines of a Markdown table: thousands of instructions, and ratios to parsing."""
    if shutil.which("valgrind") is None:
        yield "valgrind is not installed: apt-get install valgrind"
        return
    yield "| page | KB | " + " | ".join(STEPS) + " |"
    yield "|---|---:|" + "---:|" * len(STEPS)
    paths = [str(page) for page in pages or examples()]
    wanted = [("", ""), *((step, page) for page in paths for step in STEPS)]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        base, *counts = pool.map(lambda each: count(each[0], each[1], paths), wanted)
    for page in map(Path, paths):
        each = [(counts.pop(0) - base) / COUNTED for _ in STEPS]
        cells = [f"{value / 1000:,.0f}k ({value / each[0]:.2f})" for value in each]
        name = f"{page.parent.name}/{page.name}"
        yield f"| {name} | {page.stat().st_size / 1000:.0f} | " + " | ".join(cells) + " |"


if __name__ == "__main__":
    if sys.argv[1:2] == ["--run"]:
        run(sys.argv[2], sys.argv[3], sys.argv[4:])
    else:
        for line in table([Path(name) for name in sys.argv[1:]]):
            print(line, flush=True)
