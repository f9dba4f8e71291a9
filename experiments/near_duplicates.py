"""Table 3 of Kohlschütter & Nejdl 2008 anew: near duplicates found by each segmenter.

    python experiments/near_duplicates.py [--small] [--parts] [--with SEGMENTER]...
    python experiments/near_duplicates.py --pages ../shared/data-modern [--with SEGMENTER]...

For each noise level of `lyrics.py` and each setting three percentages: of the true duplicate pairs
(the same song on two sites), how many are called duplicates; of the true non-duplicate pairs (all
pairs of pages with different songs), how many are not; the same of those on one site. Every pair is
looked at, without an index; the last column is by the index: pairs that are in one cluster.
FULLTEXT is all text of a page, MAINTEXT its main text as `pagecut text` finds it.

With --pages, the real pages of a dataset with main texts instead: the pairs that the index finds,
and how many of them are near duplicates by their true main texts, too.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from lyrics import LEVELS, LyricsPage, Noise, make_pages
from numpy.typing import NDArray

import pagecut
from pagecut import parse_html
from pagecut.errors import counted
from pagecut.evaluation.datasets import read_dataset
from pagecut.page import Page
from pagecut.segmenters import SEGMENTERS, segmenter
from pagecut.studies.near_duplicates import Fingerprint, NearDuplicates

FULL_TEXT = "FULLTEXT"
MAIN_TEXT = "MAINTEXT"
VARIANTS = ("block-fusion(smooth='equal')", "block-fusion(smooth='sparse')")
OURS = NearDuplicates()
PAPER = NearDuplicates(segments=1, values=8)
PAPER_NAME = "paper: 8 values"
DEFAULT = "default: 128 values, 3 segments"
SETTINGS = {
    PAPER_NAME: PAPER,
    "8 values, 3 segments": NearDuplicates(values=8),
    DEFAULT: OURS,
}
CLUSTERS = "default, in one cluster"
SMALL = 24  # texts in a small collection

Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rates:
    """Percentages of true duplicates found, and of true non-duplicates left alone."""

    duplicates: float
    others: float
    same_site: float  # the non-duplicates that are pages of one site

    def __str__(self) -> str:
        return f"{self.duplicates:.1f} / {self.others:.3f} / {self.same_site:.3f}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One line of the table."""

    noise: str
    method: str
    rates: dict[str, Rates]  # by setting
    parts: dict[str, dict[str, Rates]]  # by setting, then over some of the pairs only

    def line(self, values: Iterable[object]) -> str:
        return f"| {self.noise} | {self.method} | {' | '.join(map(str, values))} |"


def methods() -> list[str]:
    """Both kinds of text, and all segmenters that need no rendering."""
    plain = [name for name, method in SEGMENTERS.items() if not getattr(method, "needs", ())]
    return [FULL_TEXT, MAIN_TEXT, *plain, *VARIANTS]


def called_duplicates(prints: Sequence[Fingerprint], threshold: float) -> Mask:
    """(n, n) whether two pages share enough values; every pair is looked at."""
    signatures = np.concatenate([each.signatures for each in prints])
    owners = np.repeat(np.arange(len(prints)), [len(each.tokens) for each in prints])
    least = threshold * signatures.shape[1] - 1e-9
    called = np.zeros((len(prints), len(prints)), dtype=bool)
    for row, signature in enumerate(signatures):
        equal = np.count_nonzero(signatures[row:] == signature, axis=1)
        called[owners[row], owners[row:][equal >= least]] = True
    return called | called.T


def in_one_cluster(prints: Sequence[Fingerprint], setting: NearDuplicates) -> Mask:
    """(n, n) whether two pages are in one cluster."""
    number = {
        name: index
        for index, cluster in enumerate(setting.compare(prints).clusters)
        for name in cluster
    }
    labels = np.array([number.get(each.name, -1 - row) for row, each in enumerate(prints)])
    return np.asarray(labels[:, None] == labels)


def rates(called: Mask, same_text: Mask, same_site: Mask, pairs: Mask) -> Rates:
    """Percentages over some pairs."""

    def percent(chosen: Mask, of: Mask) -> float:
        return 100 * float(np.count_nonzero(chosen & of) / np.count_nonzero(of))

    return Rates(
        duplicates=percent(called, pairs & same_text),
        others=percent(~called, pairs & ~same_text),
        same_site=percent(~called, pairs & ~same_text & same_site),
    )


def fingerprints(page: Page, name: str, method: str) -> dict[str, Fingerprint]:
    """Those of each setting."""
    if method in (FULL_TEXT, MAIN_TEXT):
        text = page.text if method == FULL_TEXT else pagecut.text(page)
        return {
            setting: each.fingerprint_text(text, name, exact=False)
            for setting, each in SETTINGS.items()
        }
    segmentation = segmenter(method).segment(page)
    return {
        setting: each.fingerprint_segments(segmentation, name, exact=False)
        for setting, each in SETTINGS.items()
    }


def score(pages: Sequence[tuple[LyricsPage, Page]], method: str, noise: str) -> Row:
    """One method on one collection."""
    prints: dict[str, list[Fingerprint]] = {name: [] for name in SETTINGS}
    for page, parsed in pages:
        for name, made in fingerprints(parsed, page.name, method).items():
            prints[name].append(made)
    texts = np.array([page.text for page, _ in pages])
    sites = np.array([page.site for page, _ in pages])
    same_text, same_site = texts[:, None] == texts, sites[:, None] == sites
    every = np.triu(np.ones_like(same_text), k=1)
    called = {
        name: called_duplicates(prints[name], setting.threshold)
        for name, setting in SETTINGS.items()
    }
    called[CLUSTERS] = in_one_cluster(prints[DEFAULT], OURS)
    crowded = np.array([page.crowded for page, _ in pages])
    parts = {"no page crowded": ~touches(crowded), "a page crowded": touches(crowded)}
    parts |= {str(site): touches(sites == site) for site in np.unique(sites)}
    return Row(
        noise=noise,
        method=method,
        rates={name: rates(each, same_text, same_site, every) for name, each in called.items()},
        parts={
            name: {
                part: rates(called[name], same_text, same_site, every & pairs)
                for part, pairs in parts.items()
            }
            for name in (PAPER_NAME, DEFAULT)
        },
    )


def touches(chosen: Mask) -> Mask:
    """(n, n) whether at least one page of a pair is chosen."""
    return chosen[:, None] | chosen


def table(texts: int, chosen: Sequence[str], levels: Sequence[Noise] = LEVELS) -> Iterator[Row]:
    """The table, row by row."""
    for noise in levels:
        pages = [(page, parse_html(page.html)) for page in make_pages(noise, texts, texts)]
        for method in chosen:
            yield score(pages, method, noise.name)


def on_real_pages(dataset: Path, chosen: Sequence[str]) -> Iterator[str]:
    """For each segmenter and setting the pairs that are found, and how many of them are right."""
    pages = {}
    texts = []
    for entry in read_dataset(dataset):
        if "main-text" in entry.tasks:
            pages[entry.id], truth = entry.load()
            texts.append(OURS.fingerprint_text(truth.main_text or "", entry.id, exact=False))
    same = OURS.compare(texts)
    cluster = {name: number for number, names in enumerate(same.clusters) for name in names}
    yield f"{len(pages):,} pages, {counted(len(same.pairs), 'pair')} with nearly one main text\n"
    yield "| segmenter | setting | pairs found | right |\n|---|---|---|---|"
    for method in chosen:
        prints = [fingerprints(page, name, method) for name, page in pages.items()]
        for name, setting in SETTINGS.items():
            found = setting.compare(each[name] for each in prints).pairs
            right = sum(cluster.get(pair.a, -1) == cluster.get(pair.b, -2) for pair in found)
            yield f"| {method} | {name} | {len(found)} | {right} |"


def header(names: Iterable[str]) -> str:
    names = list(names)
    return f"| noise | segmenter | {' | '.join(names)} |\n|---|---{'|---' * len(names)}|"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--small", action="store_true", help=f"{SMALL} texts instead of 300")
    parser.add_argument("--parts", action="store_true", help="also over some of the pairs only")
    parser.add_argument("--with", dest="specs", action="append", help="only these segmenters")
    parser.add_argument("--pages", type=Path, help="a dataset with main texts instead of songs")
    options = parser.parse_args()
    chosen = options.specs or methods()
    if options.pages:
        for line in on_real_pages(options.pages, chosen):
            print(line, flush=True)
        return
    rows = []
    print("Stand-in for the paper's 6,982 pages of three song sites: made-up sites and songs.\n")
    print(header([*SETTINGS, CLUSTERS]))
    for row in table(SMALL if options.small else 300, chosen):
        rows.append(row)
        print(row.line(row.rates.values()), flush=True)
    for setting in rows[0].parts if options.parts else ():
        print(f"\nTrue duplicates found, over pairs of some pages; {setting}\n")
        print(header(rows[0].parts[setting]))
        for row in rows:
            print(row.line(f"{each.duplicates:.1f}" for each in row.parts[setting].values()))


if __name__ == "__main__":
    main()
