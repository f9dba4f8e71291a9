"""L3S-GN1 and the like: pages whose texts lie in <span>s with a class for what they are.

`annotated/UUID.html` has the labels, `url-mapping.txt` lines `<urn:uuid:UUID> URL`; `original/` is
not read. The classes `x-nc-sel0` to `x-nc-sel5` are: not content, headline, full text,
supplemental, related content, comments.

Kohlschütter, Fankhauser & Nejdl, "Boilerplate Detection using Shallow Text Features", WSDM 2010.

A label is no block: level 1 is all text of one label, level 2 a run of text with one label. Text
without a label is in no block. The main text is headline, full text and supplemental, as in the
paper's two-class problem.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np
from selectolax.lexbor import LexborHTMLParser

from pagecut.errors import FormatError
from pagecut.evaluation.datasets.marks import Problem, nearest, shown_units
from pagecut.evaluation.datasets.pages import DatasetPage, GroundTruth, read_bytes, read_text
from pagecut.page import Page
from pagecut.page.nodes import Int
from pagecut.page.text.tokenizer import code_points
from pagecut.page.text.white_space import WHITE_POINTS
from pagecut.parsing.decoding import decode
from pagecut.parsing.html import parse_html

MAIN_LABELS: Final = (1, 2, 3)
_LABEL = re.compile(r"x-nc-sel([0-5])", re.IGNORECASE)
_LABEL_IN_FILE = re.compile(rb"x-nc-sel[0-5]", re.IGNORECASE)
_SELECTOR: Final = '[class*="x-nc-sel" i]'
_MAPPING: Final = "url-mapping.txt"
_LINE = re.compile(r"^<urn:uuid:([0-9a-f-]+)>\s+(\S+)", re.IGNORECASE | re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledPage(DatasetPage):
    """A page whose truth is a label on each of its texts."""

    @property
    def tasks(self) -> frozenset[str]:
        return frozenset({"segmentation", "main-text"})

    def load(self) -> tuple[Page, GroundTruth]:
        """The page without the labels and the <span>s that hold them, and the truth."""
        source = self.source()
        return self._transfer(parse_html(source, self.url), source)

    def unmarked(self) -> str:
        """The page without the labels and the <span>s that hold them."""
        return without_labels(decode(self.source())[0])

    def separate_truth(self, marked: Page) -> tuple[Page, GroundTruth]:
        """The same; the page is parsed anew, as it has other nodes without the <span>s."""
        return self._transfer(marked, self.source())

    def _transfer(self, marked: Page, source: bytes) -> tuple[Page, GroundTruth]:
        bare = parse_html(without_labels(decode(source)[0]), self.url)
        page = replace(bare, charset=marked.charset)
        labels = _moved(label_of_characters(marked), marked.text, page.text)
        if labels is None:
            raise FormatError(f"{self.html}: the text changes when its labels are removed")
        units, _ = shown_units(page)
        at_units = labels[units]
        blocks = {1: at_units, 2: np.where(at_units < 0, -1, _runs(at_units)).astype(np.int32)}
        text = _main_text(page, labels)
        return page, GroundTruth(units=units, blocks=blocks, contexts={}, main_text=text)

    def problems(self) -> Iterator[Problem]:
        """What is wrong with the page."""
        labels = label_of_characters(parse_html(self.source(), self.url))
        if not (labels >= 0).any():
            yield Problem(file=self.html, message="no text has a label", warning=True)
        elif not np.isin(labels, MAIN_LABELS).any():
            message = "no text is labelled as headline, full text or supplemental"
            yield Problem(file=self.html, message=message, warning=True)
        self.load()


def is_labelled(folder: Path) -> bool:
    """Whether any page of the folder, or of `annotated/` in it, has labels."""
    return any(
        _LABEL_IN_FILE.search(read_bytes(file, file.name)) for file in _labelled_files(folder)
    )


def list_labelled(folder: Path) -> tuple[list[DatasetPage], list[Problem]]:
    """Every page of the folder, or of `annotated/` in it."""
    path = folder / _MAPPING
    text = read_text(path) if path.exists() else ""
    urls = {name.lower(): url for name, url in _LINE.findall(text)}
    pages: list[DatasetPage] = [
        LabelledPage(
            id=file.stem, group=folder.resolve().name, url=urls.get(file.stem.lower()), html=file
        )
        for file in _labelled_files(folder)
    ]
    return pages, []


def without_labels(source: str) -> str:
    """The HTML without the labels; <span>s that hold nothing else are removed."""
    parser = LexborHTMLParser(source)
    for node in parser.css(_SELECTOR):
        names = (node.attributes.get("class") or "").split()
        kept = [name for name in names if not _LABEL.fullmatch(name)]
        if len(kept) == len(names):
            continue
        if node.tag == "span" and not kept and len(node.attributes) == 1:
            node.unwrap()
        elif kept:
            node.attrs["class"] = " ".join(kept)
        else:
            del node.attrs["class"]
    return parser.html or ""


def label_of_characters(page: Page) -> Int:
    """(characters,) the label of the nearest element around each that has one; -1 = none."""
    own = {
        row: int(found[-1])
        for row, kept in page.attrs.items()
        if (found := [m[1] for m in map(_LABEL.fullmatch, kept.get("class", "").split()) if m])
    }
    around = nearest(page, own).tolist()
    labels = np.full(len(page.text), -1, dtype=np.int32)
    for row, start, end in zip(
        page.leaves.tolist(), page.leaf_starts.tolist(), page.leaf_ends.tolist(), strict=True
    ):
        labels[start:end] = around[row]
    return labels


def _labelled_files(folder: Path) -> list[Path]:
    inner = folder / "annotated"
    place = inner if inner.is_dir() else folder
    files = [*place.glob("*.html"), *place.glob("*.htm")]
    return sorted(path for path in files if path.is_file())


def _moved(labels: Int, text: str, new_text: str) -> Int | None:
    """Labels of the same characters in a text with other white space; None if it has others."""
    old, new = code_points(text), code_points(new_text)
    old_ink, new_ink = ~np.isin(old, WHITE_POINTS), ~np.isin(new, WHITE_POINTS)
    if not np.array_equal(old[old_ink], new[new_ink]):
        return None
    moved = np.full(len(new), -1, dtype=np.int32)
    moved[new_ink] = labels[old_ink]
    return moved


def _runs(values: Int) -> Int:
    """A number for each run of equal values."""
    return np.cumsum(np.diff(values, prepend=values[:1]) != 0).astype(np.int32)


def _main_text(page: Page, labels: Int) -> str:
    """The texts with a main label, a line for each leaf or part of one."""
    main = np.isin(labels, MAIN_LABELS)
    white = np.isin(code_points(page.text), WHITE_POINTS)
    inked = np.flatnonzero(~white)
    parts = []
    start = None
    end = 0
    for at in inked.tolist():
        if main[at]:
            start = at if start is None else start
            end = at + 1
        elif start is not None:
            parts.append(page.readable(start, end))
            start = None
    if start is not None:
        parts.append(page.readable(start, end))
    return "\n".join(part for part in parts if part)
