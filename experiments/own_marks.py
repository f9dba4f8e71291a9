"""Pages that were marked here: which text belongs to their images, what their blocks are for, and
which text is the main text.

The pages of the first two are some of those with main text (docs/datasets.md), one of a site, and
none of a site that another dataset with such marks has; those of the third are pages with image
contexts. A line of `image_marks.jsonl`, `block_marks.jsonl` or `main_text_marks.jsonl` is a page:
its id, the start of the SHA-256 of its text, and marks by ranges of that text:

- for each `<img>`, by its place among them, the ranges that belong to it, or why none does; an
  image about which the reader was not sure is left out;
- the blocks that people would see, each with its role and its ranges; on most pages also the
  regions around them;
- the main text, and the page's type: nothing learns from these.

docs/datasets.md says how they were made, and how well readers agree.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from pagecut.page import Page

HERE = Path(__file__).parent
IMAGES = HERE / "image_marks.jsonl"
BLOCKS = HERE / "block_marks.jsonl"
MAIN_TEXTS = HERE / "main_text_marks.jsonl"
DIGITS = 16  # of the hash

Spans = Sequence[tuple[int, int]]


@dataclass(frozen=True, kw_only=True)
class ImageMarks:
    """The marks of one page's images.

    Args:
        id: of the page in its dataset.
        text: the first digits of the SHA-256 of the text that the ranges are of.
        spans: of images with a context, the ranges of text.
        skipped: of the other images, why they have none.
    """

    id: str
    text: str
    spans: Mapping[int, Spans]
    skipped: Mapping[int, str]

    def contexts(self, page: Page) -> dict[int, str | None]:
        """The true text of each marked image; None where it has none."""
        check_text(page, self.id, self.text)
        found: dict[int, str | None] = dict.fromkeys(self.skipped)
        for place, spans in self.spans.items():
            found[place] = page.readable_spans(spans)
        return found


@dataclass(frozen=True, kw_only=True)
class BlockMarks:
    """The marked blocks of one page: of each its role and the ranges of text.

    Args:
        regions: around the blocks; None where nobody marked them.
    """

    id: str
    text: str
    blocks: Sequence[tuple[str, Spans]]
    regions: Sequence[tuple[str, Spans]] | None = None


@dataclass(frozen=True, kw_only=True)
class MainTextMarks:
    """The marked main text of one page, and its type."""

    id: str
    text: str
    type: str
    spans: Spans

    def main_text(self, page: Page) -> str:
        check_text(page, self.id, self.text)
        return page.readable_spans(self.spans)


def read_image_marks(path: Path = IMAGES) -> dict[str, ImageMarks]:
    """The marks by the ids of their pages."""
    found = {}
    for row in _rows(path):
        images = {int(place): mark for place, mark in row["images"].items()}
        found[row["page"]] = ImageMarks(
            id=row["page"],
            text=row["text"],
            spans={
                place: _spans(mark) for place, mark in images.items() if not isinstance(mark, str)
            },
            skipped={place: mark for place, mark in images.items() if isinstance(mark, str)},
        )
    return found


def read_block_marks(path: Path = BLOCKS) -> dict[str, BlockMarks]:
    """The marks by the ids of their pages."""
    return {
        row["page"]: BlockMarks(
            id=row["page"],
            text=row["text"],
            blocks=[(role, _spans(spans)) for role, spans in row["blocks"]],
            regions=None
            if "regions" not in row
            else [(role, _spans(spans)) for role, spans in row["regions"]],
        )
        for row in _rows(path)
    }


def read_main_text_marks(path: Path = MAIN_TEXTS) -> dict[str, MainTextMarks]:
    """The marks by the ids of their pages."""
    return {
        row["page"]: MainTextMarks(
            id=row["page"], text=row["text"], type=row["type"], spans=_spans(row["spans"])
        )
        for row in _rows(path)
    }


def digest(page: Page) -> str:
    return sha256(page.text.encode("utf-8", "surrogatepass")).hexdigest()[:DIGITS]


def check_text(page: Page, name: str, text: str) -> None:
    """Refuse marks that are of another text than the page's."""
    if digest(page) != text:
        raise ValueError(
            f"{name}: its text is not the one that was marked; the page, or how pagecut reads it, "
            "has changed: mark it anew, or take its line away"
        )


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    return (json.loads(line) for line in path.read_text(encoding="utf-8").splitlines())


def _spans(pairs: Sequence[Sequence[int]]) -> Spans:
    return [(start, end) for start, end in pairs]
