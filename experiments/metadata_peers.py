"""Title, author and date by other people's extractors, on the pages that ours is learnt from.

    python experiments/metadata_peers.py [FOLDER]

The folder is that of `train_metadata.py`, whose figures these stand beside. Needs `pagecut[peers]`:
trafilatura, and htmldate, which it brings. Both get the source and the URL, nothing else.
"""

from __future__ import annotations

import logging
import sys
import time
from collections import defaultdict
from pathlib import Path

import numpy as np

from pagecut.evaluation.datasets import read_dataset
from pagecut.evaluation.datasets.main_text import TextPage, read_true_text
from pagecut.evaluation.datasets.pages import read_bytes
from pagecut.evaluation.tasks import METADATA_VALUES, normal_metadata


def by_trafilatura(source: bytes, url: str | None) -> dict[str, str | None]:
    from trafilatura.metadata import extract_metadata

    found = extract_metadata(source, default_url=url)
    if found is None:
        return {}
    author = found.author.replace(";", ",") if found.author else None
    return {"title": found.title, "author": author, "date": found.date}


def by_htmldate(source: bytes, url: str | None) -> dict[str, str | None]:
    from htmldate import find_date

    return {"date": find_date(source.decode("utf-8", "replace"), url=url, original_date=True)}


PEERS = {"trafilatura": by_trafilatura, "htmldate": by_htmldate}


def main() -> None:
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "../shared/data-modern/main-text")
    logging.disable(logging.CRITICAL)
    counts: dict[tuple[str, str, str], list[tuple[bool, bool, bool, bool]]] = defaultdict(list)
    seconds: dict[str, float] = defaultdict(float)
    entries = [entry for entry in read_dataset(folder) if isinstance(entry, TextPage)]
    if not entries:
        sys.exit(f"{folder}: no page has true metadata")
    for entry in entries:
        true = read_true_text(entry.gold).metadata
        source = read_bytes(entry.html, entry.id)
        for peer, read in PEERS.items():
            start = time.process_time()
            try:
                found = read(source, entry.url)
            except Exception as error:  # what a peer cannot read counts as nothing given
                print(f"{entry.id}: {peer}: {error!r:.100}", file=sys.stderr)
                found = {}
            seconds[peer] += time.process_time() - start
            for field in ("date",) if peer == "htmldate" else tuple(METADATA_VALUES):
                given = normal_metadata(field, found.get(field))
                marked = normal_metadata(field, METADATA_VALUES[field](true))
                right = given is not None and given == marked
                values = right, given is not None, marked is not None, given == marked
                for kind in ("all", entry.group):
                    counts[peer, field, kind].append(values)
    for (peer, field, kind), values in counts.items():
        right, given, marked, exact = np.array(values, dtype=float).sum(axis=0)
        print(
            f"{peer:12} {field:7} {kind:14} pages {len(values):5} "
            f"F {2 * right / max(1, given + marked):.3f} "
            f"precision {right / max(1, given):.3f} recall {right / max(1, marked):.3f} "
            f"exact {exact / len(values):.3f}"
        )
    for peer, each in seconds.items():
        print(f"{peer}: {1000 * each / len(entries):.1f} ms a page")


if __name__ == "__main__":
    main()
