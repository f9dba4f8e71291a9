"""Measure what docs/performance.md shows, and write it there.

    python benchmarks/performance.py [FOLDER_OR_WARC …] [--repeats 5] [--only cost|hostile]

The tables stand between comments that name them; all else in the file is left as it is.
"""

from __future__ import annotations

import argparse
import re
from pathlib import Path

from cost import FOLDERS, ROOT, compare
from hostile import table

PAGE = ROOT / "docs" / "performance.md"


def put(name: str, content: str) -> None:
    """Replace what stands between the comments of a table."""
    text = PAGE.read_text("utf-8")
    pattern = re.compile(rf"(<!-- {name} -->\n).*?(\n<!-- end -->)", re.DOTALL)
    if not pattern.search(text):
        raise SystemExit(f"{PAGE} has no place for {name!r}")
    PAGE.write_text(pattern.sub(lambda found: found[1] + content + found[2], text), "utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sources", nargs="*", type=Path, help="folders of HTML, or WARC files")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--only", choices=["cost", "hostile"])
    arguments = parser.parse_args()
    if arguments.only != "hostile":
        put("cost", "\n".join(compare(arguments.sources or FOLDERS, arguments.repeats)).strip())
    if arguments.only != "cost":
        put("hostile", "\n".join(table()))


if __name__ == "__main__":
    main()
