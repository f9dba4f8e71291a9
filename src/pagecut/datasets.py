"""Pages with human truth: the folder layout, and what its marks mean.

A dataset is a folder with `pages.json`, a list of pages:

    {"id": …, "dataset": …, "url": …, "html": "path/in/the/folder.html",
     "image_context": "path/in/the/folder.json"}        # the last one if there is any

Segments are marked in the HTML: `data-block="1"` on a top-level block, `"2"` on a block inside one.
The marks are taken off before a method sees the page. An image-context file gives, for each <img>
of the page in document order, `context` (the true text) or `skip` (why it has none).
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import numpy as np

from pagecut.errors import FormatError
from pagecut.html import parse_html
from pagecut.page import NOT_SHOWN, Int, Page
from pagecut.text import token_spans

MARKS: Final = frozenset({"data-block", "data-block-type"})
LEVELS: Final = (1, 2)


@dataclass(frozen=True, slots=True, kw_only=True)
class Truth:
    """What people say of a page.

    Args:
        units: (u,) where each token of the shown text starts.
        blocks: for each level, (u,) the row of the marked node that a unit is in; -1 = none.
        contexts: for each annotated <img>, its true text; None where it has none.
    """

    units: Int
    blocks: dict[int, Int]
    contexts: dict[int, str | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class DatasetPage:
    """One page of a dataset, read when asked for."""

    id: str
    group: str
    url: str | None
    html: Path
    image_context: Path | None

    def load(self) -> tuple[Page, Truth]:
        """The page without its marks, and the truth."""
        try:
            marked = parse_html(self.html.read_bytes(), self.url)
        except OSError as error:
            raise FormatError(f"{self.id}: cannot read {self.html}: {error.strerror}") from error
        units, blocks = _true_blocks(marked)
        count = sum(image.tag == "img" for image in marked.images)
        contexts = _true_contexts(self.image_context, count) if self.image_context else {}
        bare = {
            row: kept
            for row, attributes in marked.attrs.items()
            if (kept := {key: value for key, value in attributes.items() if key not in MARKS})
        }
        page = replace(marked, attrs=bare)
        return page, Truth(units=units, blocks=blocks, contexts=contexts)


@dataclass(frozen=True, slots=True, kw_only=True)
class Dataset:
    """Pages with human truth."""

    folder: Path
    pages: tuple[DatasetPage, ...]

    def __iter__(self) -> Iterator[DatasetPage]:
        return iter(self.pages)

    def __len__(self) -> int:
        return len(self.pages)

    def ids(self, groups: Collection[str]) -> frozenset[str]:
        """The pages of some groups (`dataset` in pages.json)."""
        known = sorted({page.group for page in self.pages})
        if unknown := sorted(set(groups) - set(known)):
            raise FormatError(
                f"{self.folder}: no pages of {', '.join(unknown)}; there are {', '.join(known)}"
            )
        return frozenset(page.id for page in self.pages if page.group in groups)


def read_dataset(folder: Path | str) -> Dataset:
    """Read a dataset's list of pages."""
    folder = Path(folder)
    listing = _read_json(folder / "pages.json")
    if not isinstance(listing, list):
        raise FormatError(f"{folder / 'pages.json'}: must be a list of pages")
    pages = []
    for number, entry in enumerate(listing):
        try:
            context = entry.get("image_context")
            pages.append(
                DatasetPage(
                    id=str(entry["id"]),
                    group=str(entry.get("dataset", "")),
                    url=entry.get("url"),
                    html=folder / entry["html"],
                    image_context=folder / context if context else None,
                )
            )
        except (AttributeError, KeyError, TypeError) as error:
            raise FormatError(
                f"{folder / 'pages.json'}: entry {number} must have id and html, got {entry!r}"
            ) from error
    return Dataset(folder=folder, pages=tuple(pages))


def _read_json(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise FormatError(f"{path}: {error.strerror}") from error
    except ValueError as error:
        raise FormatError(f"{path}: no JSON: {error}") from error


def _true_blocks(page: Page) -> tuple[Int, dict[int, Int]]:
    """The tokens of shown text, and the marked node that each is in.

    Level 2 is the nearest marked ancestor of either kind, level 1 the nearest one marked 1.
    """
    marks = {row: kept["data-block"] for row, kept in page.attrs.items() if "data-block" in kept}
    starts = token_spans(page.text)[:, 0]
    leaves = page.leaves_at(starts)
    shown = (page.nodes.hidden[leaves] & NOT_SHOWN) == 0
    starts, leaves = starts[shown], leaves[shown]
    blocks = {}
    for level, kinds in ((1, {"1"}), (2, {"1", "2"})):
        nearest = page.nodes.parent.tolist()
        for row, parent in enumerate(nearest):
            own = row if marks.get(row) in kinds else -1
            nearest[row] = own if own >= 0 else (nearest[parent] if parent >= 0 else -1)
        blocks[level] = np.array(nearest, dtype=np.int32)[leaves]
    return starts, blocks


def _true_contexts(path: Path, count: int) -> dict[int, str | None]:
    """The contexts in an annotation file of a page with so many <img>."""
    match _read_json(path):
        case {"images": list(entries)}:
            pass
        case _:
            raise FormatError(f"{path}: must be {{'images': [...]}}")
    contexts: dict[int, str | None] = {}
    for number, entry in enumerate(entries):
        match entry:
            case {"image": int(image), "context": str(text)}:
                contexts[image] = text
            case {"image": int(image), "skip": _}:
                contexts[image] = None
            case _:
                raise FormatError(
                    f"{path}: entry {number} must have image, a number, and context or skip, "
                    f"got {entry!r}"
                )
        if not 0 <= image < count:
            raise FormatError(f"{path}: entry {number}: image {image} of a page with {count} <img>")
    return contexts
