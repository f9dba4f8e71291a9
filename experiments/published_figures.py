"""What the papers report, by the spec of the method here; and our own cross-validated figures."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

DOCS: Final = Path(__file__).resolve().parents[1] / "docs"

# Kohlschütter & Nejdl 2008, Table 1: ARI and NMI on 111 pages.
TABLE_1: Final = {
    "word-wrap": "0.25 / 0.59",
    "tag-gap": "0.43 / 0.65",
    "block-fusion": "0.60 / 0.75",
    "block-fusion(smooth='equal')": "0.62 / 0.76",
    "block-fusion-rules": "0.79 / 0.87",
    "just-rules": "0.78 / 0.84",
    "graph-cuts": "0.60 / 0.76",
    "graph-cuts(level=1)": "0.60 / 0.76",
}
# Zeleny, Burget & Zendulka 2017, Table 3: ARI over boxes, the mean of its eight kinds of pages.
TABLE_3: Final = {"vips": "0.75 / – ¶", "box-clustering": "0.63 / – ¶"}
# A public VIPS program on these pages, over words, at its best degree for the level.
PUBLIC_VIPS: Final = {2: "0.54 / 0.76 §", 1: "0.50 / 0.63 §"}
# The degree at which our own VIPS is best, by level.
BEST_DEGREE: Final = {2: 7, 1: 4}

# Alcic & Conrad 2011, Table II: F overall, and on its diverse collection.
TABLE_2: Final = {
    "full-text": "0.04 / 0.05",
    "n-terms": "0.47 / 0.41",
    "n-terms(n=20)": "0.48 / 0.41",
    "siblings": "0.80 / 0.80",
    "monash": "0.90 / 0.81",
    "dom-distance": "0.93 / 0.85",
    "by-segment(segmenter='vips(pdoc=5)')": "0.15 / 0.21",
    "by-segment(segmenter='vips(pdoc=6)')": "0.42 / 0.36",
    "by-segment(segmenter='vips(pdoc=7)')": "0.45 / 0.36",
}


def published(spec: str, level: int) -> str:
    """ARI and NMI that others report of a segmenter, if any."""
    if spec == f"vips(pdoc={BEST_DEGREE[level]})" or (level == 2 and spec == "vips"):
        return f"{PUBLIC_VIPS[level]}; {TABLE_3['vips']}"
    return TABLE_1.get(spec) or TABLE_3.get(spec.partition("(")[0], "–")


def cross_validated_graph_cuts(level: int) -> tuple[str, str]:
    """ARI and NMI of graph-cuts on pages it was not learnt from."""
    row = _row("graph-cuts.md", rf"{level} \| 2013 \(\d+\)")
    return row[0], row[1]


def cross_validated_mosaic(form: str, level: int) -> tuple[str, str]:
    """The same of mosaic on the pages of 2013, "parsed only" or "rendered"."""
    row = _row("methods/mosaic.md", rf"{form.split()[0]} \| {level} \| 2013")
    return row[0], row[1]


def _row(name: str, start: str) -> list[str]:
    """The cells of a table in the docs, from the page that explains them."""
    text = (DOCS / name).read_text(encoding="utf-8")
    row = re.search(rf"^\| {start} \|(.*)\|$", text, re.MULTILINE)
    if row is None:
        raise SystemExit(f"docs/{name} has no row of cross-validated figures: {start}")
    return [each.strip().replace("**", "") for each in row[1].split("|")]
