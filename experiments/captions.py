"""How well captions are found, on figures with a `<figcaption>` and on figures without one.

python experiments/captions.py ../shared/data-modern/main-text/html [--pages N]

Reads saved pages (`*.html` or `*.html.gz`). Of each `<figure>` with one image and a `<figcaption>`
with words, the words are the true caption; then the same pages are read

- as they are;
- renamed: the `<figcaption>` is a `<div>` without a class;
- bare: the `<figure>` is one, too, so that no name says anything;
- emptied: the `<figcaption>` is taken away with its words, so that there is no caption to find.

Right is a caption whose word F is at least .8. At last come the figures that have no `<figcaption>`
from the first: how many of them are given a caption.
"""

from __future__ import annotations

import argparse
import gzip
import re
from collections import Counter
from multiprocessing import Pool
from pathlib import Path

from pagecut import parse_html
from pagecut.contexts.item.captions import Captions
from pagecut.evaluation.measures.overlap import common_subsequence
from pagecut.evidence.item_tree import ItemTree
from pagecut.page import Page
from pagecut.page.text.tokenizer import bare_words

RIGHT = 0.8
FIGCAPTION = re.compile(r"<(/?)figcaption\b[^>]*>", re.IGNORECASE)
FIGURE = re.compile(r"<(/?)figure\b[^>]*>", re.IGNORECASE)
TAKEN_AWAY = re.compile(r"<figcaption\b[^>]*>.*?</figcaption\s*>", re.IGNORECASE | re.DOTALL)


def read(path: Path) -> str:
    data = path.read_bytes()
    return (gzip.decompress(data) if path.suffix == ".gz" else data).decode("utf-8", "replace")


def captions_of(page: Page) -> list[tuple[str, str]]:
    """The source and the caption of each image."""
    tree = ItemTree(page)
    found = Captions(tree)
    spans = [(image.src or "", found.span(image.node)) for image in page.images]
    return [(src, page.readable_spans((span,)) if span else "") for src, span in spans]


def true_captions(page: Page) -> tuple[dict[str, str], set[str]]:
    """By the source of the image: the words of the `<figcaption>`, and figures without one."""
    told: dict[str, str] = {}
    without: set[str] = set()
    rows = {image.node: image for image in page.images}
    nodes = page.nodes
    tags = [page.packed.tag_names[code] for code in nodes.tag.tolist()]
    times = Counter(image.src for image in page.images)
    for figure, tag in enumerate(tags):
        if tag != "figure":
            continue
        inside = range(figure + 1, nodes.subtree_end[figure])
        images = [rows[row] for row in inside if row in rows and rows[row].tag == "img"]
        texts = [row for row in inside if tags[row] == "figcaption"]
        if len(images) != 1 or not images[0].src or times[images[0].src] > 1:
            continue
        words = page.readable_spans(tuple((nodes.start[row], nodes.end[row]) for row in texts))
        if bare_words(words):
            told[images[0].src] = words
        elif not texts:
            without.add(images[0].src)
    return told, without


def f_of(own: str, true: str) -> float:
    one, two = bare_words(own), bare_words(true)
    return 2 * common_subsequence(one, two) / (len(one) + len(two)) if one and two else 0.0


def measure(path: Path) -> Counter[str]:
    html = read(path)
    counts: Counter[str] = Counter()
    if "<figure" not in html.lower():
        return counts
    page = parse_html(html)
    told, without = true_captions(page)
    renamed = FIGCAPTION.sub(r"<\1div>", html)
    for name, source in (
        ("as they are", html),
        ("renamed", renamed),
        ("bare", FIGURE.sub(r"<\1div>", renamed)),
        ("emptied", TAKEN_AWAY.sub("", html)),
    ):
        for src, caption in captions_of(parse_html(source)):
            if src in told:
                counts[f"{name}: images"] += 1
                counts[f"{name}: given"] += bool(caption)
                counts[f"{name}: right"] += f_of(caption, told[src]) >= RIGHT
            elif name == "as they are" and src in without:
                counts["without: images"] += 1
                counts["without: given"] += bool(caption)
    counts["pages"] = int(bool(told))
    return counts


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--pages", type=int, help="read the first N pages alone")
    arguments = parser.parse_args()
    paths = sorted(p for p in arguments.folder.iterdir() if ".html" in p.suffixes)
    if not paths:
        parser.error(f"no pages in {arguments.folder}")
    with Pool(2) as pool:
        counts = sum(pool.map(measure, paths[: arguments.pages], chunksize=16), Counter[str]())
    print(f"{counts['pages']} pages with figures that have a <figcaption>")
    for name in ("as they are", "renamed", "bare", "emptied", "without"):
        images = counts[f"{name}: images"]
        shares = [
            f"{what} {counts[f'{name}: {what}'] / max(1, images):.3f}"
            for what in ("given", "right")
            if name != "without" or what == "given"
        ]
        print(f"{name:12} {images:6} images  {'  '.join(shares)}")


if __name__ == "__main__":
    main()
