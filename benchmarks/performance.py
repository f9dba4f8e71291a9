"""Measure what docs/performance.md shows, and write it there.

    python benchmarks/performance.py [FOLDER_OR_WARC …] [--repeats 5] [--every 1]
        [--only cost|scaling|hostile|instructions] [--largest 1000000]

The tables stand between comments that name them; all else in the file is left as it is. The
pictures go to docs/images.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable

import hostile
import instructions
import scaling
from cost import FOLDERS, ROOT, add_arguments, compare

PAGE = ROOT / "docs" / "performance.md"
PICTURES = ROOT / "docs" / "images"


def put(name: str, content: str) -> None:
    """Replace what stands between the comments of a table."""
    text = PAGE.read_text("utf-8")
    pattern = re.compile(rf"(<!-- {name} -->\n).*?(<!-- end -->)", re.DOTALL)
    if not pattern.search(text):
        raise SystemExit(f"{PAGE} has no place for {name!r}")
    PAGE.write_text(pattern.sub(lambda found: f"{found[1]}{content}\n{found[2]}", text), "utf-8")


def cost(arguments: argparse.Namespace) -> str:
    sources = arguments.sources or FOLDERS
    plot = PICTURES / "cost.svg"
    return "\n".join(compare(sources, arguments.repeats, arguments.every, plot)).strip()


def growth(arguments: argparse.Namespace) -> str:
    found = scaling.measure(arguments.largest)
    scaling.draw(found, PICTURES)
    return "\n".join(scaling.table_of(found))


def hostile_pages(_: argparse.Namespace) -> str:
    return "\n".join(hostile.table())


def counts(_: argparse.Namespace) -> str:
    return "\n".join(instructions.table())


PARTS: dict[str, Callable[[argparse.Namespace], str]] = {
    "cost": cost,
    "scaling": growth,
    "hostile": hostile_pages,
    "instructions": counts,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add_arguments(parser)
    parser.add_argument("--only", choices=PARTS)
    parser.add_argument("--largest", type=int, default=1_000_000, metavar="NODES")
    arguments = parser.parse_args()
    for name, part in PARTS.items():
        if arguments.only in (None, name):
            put(name, part(arguments))


if __name__ == "__main__":
    main()
