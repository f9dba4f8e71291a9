"""Pages with human truth: what every format of datasets is read into.

The true blocks are a Segmentation, so that whatever takes a method's result takes them, too.
"""

from __future__ import annotations

import zlib
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from pagecut.content.metadata import Metadata
from pagecut.errors import FormatError
from pagecut.evaluation.datasets.marks import (
    Blocks,
    Contexts,
    Problem,
    context_problems,
    count_img,
    mark_problems,
    marked_blocks,
    parse_contexts,
    raise_first,
    shown_units,
    without_mark_attributes,
    without_marks,
)
from pagecut.evaluation.datasets.segment_files import parse_segments, segment_problems
from pagecut.page import Page
from pagecut.page.nodes import Int
from pagecut.page.text.tokenizer import token_spans
from pagecut.parsing.html import parse_html
from pagecut.parsing.limits import DEFAULT_LIMITS
from pagecut.parsing.sources import GZIP, unpack
from pagecut.results.segmentation import Segmentation

TRUTH: Final = "truth"  # stands for people where a segmenter's spec is asked for
NOT_SHOWN: Final = -2  # the block of tokens that are no units


@dataclass(frozen=True, slots=True, kw_only=True)
class GroundTruth:
    """What people say of a page.

    Args:
        units: (u,) where each token of the shown text starts.
        blocks: for each level, (u,) a number for the block that a unit is in; -1 = none. Where
            the truth is marks in the HTML, the number is the row of the marked node.
        contexts: for each annotated <img>, its true text; None where it has none.
        items: (u,) a number for the entry of a list or grid that a unit is in; -1 = none. None
            where nobody looked for them.
        main_text: the main text; None where nobody gave it.
        present: snippets that a good extraction of the main text has.
        absent: snippets that it does not have.
        metadata: title, authors and date of publication; None where nobody gave them.
    """

    units: Int
    blocks: Blocks
    contexts: Contexts
    items: Int | None = None
    main_text: str | None = None
    present: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()
    metadata: Metadata | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DatasetPage:
    """One page of a dataset, read when asked for; its blocks are marked in the HTML or in a file.

    The formats whose truth lies elsewhere have classes of their own.

    Args:
        group: the source that the page is from; of a page with main text, its type.
        segments: the file with its regions, blocks and items; None where they are marked.
    """

    id: str
    group: str
    url: str | None
    html: Path
    image_context: Path | None = None
    segments: Path | None = None

    @property
    def tasks(self) -> frozenset[str]:
        """What there may be truth for; whether blocks are marked shows when the page is loaded."""
        found = {"segmentation"}
        if self.segments is not None:
            found.add("items")
        if self.image_context is not None:
            found.add("image-context")
        return frozenset(found)

    def has_truth(self, task: str) -> bool:
        """Whether there is truth for a task; for marks, the file is looked at."""
        if task not in self.tasks:
            return False
        if task != "segmentation" or self.segments is not None or self.image_context is None:
            return True
        try:
            return b"data-block" in self.source()
        except FormatError:
            return True  # whoever loads it will say what is wrong

    @property
    def files(self) -> tuple[Path, ...]:
        """The page and what its truth is read from."""
        found = (self.html, self.image_context, self.segments)
        return tuple(path for path in found if path is not None)

    def source(self) -> bytes:
        """The page's bytes, marks included."""
        return read_bytes(self.html, self.id)

    def unmarked(self) -> bytes | str:
        """What a browser is given: the page without its marks."""
        return without_mark_attributes(self.source(), self.html)

    def screenshot(self) -> NDArray[np.uint8] | None:
        """(height, width, 3) the picture of the page, a pixel per CSS px; None if there is none."""
        return None

    def picture(self) -> bytes | None:
        """The picture of the page as PNG, at any scale, to draw on; None if there is none."""
        return None

    def load(self) -> tuple[Page, GroundTruth]:
        """The page without its marks, and the truth."""
        return self.separate_truth(parse_html(self.source(), self.url))

    def separate_truth(self, marked: Page) -> tuple[Page, GroundTruth]:
        """The same for a page that was parsed or rendered before, with its marks."""
        units, leaves = shown_units(marked)
        contexts: Contexts = {}
        if self.image_context is not None:
            contexts, problems = parse_contexts(self.image_context, count_img(marked))
            raise_first(problems)
        if self.segments is not None:
            segments, problems = parse_segments(self.segments, marked)
            raise_first(problems)
            return marked, GroundTruth(
                units=units,
                blocks=segments.blocks(marked, leaves),
                contexts=contexts,
                items=segments.items(marked, leaves),
            )
        page = without_marks(marked, self.html)
        return page, GroundTruth(
            units=units, blocks=marked_blocks(marked, leaves), contexts=contexts
        )

    def problems(self) -> Iterator[Problem]:
        """What is wrong with the page's files."""
        marked = parse_html(self.source(), self.url)
        if self.segments is not None:
            segments, found = parse_segments(self.segments, marked)
            yield from found
            yield from segment_problems(self.segments, segments, marked)
        else:
            yield from mark_problems(marked, self.html, needed=self.image_context is None)
        if self.image_context is not None:
            contexts, found = parse_contexts(self.image_context, count_img(marked))
            yield from found
            yield from context_problems(self.image_context, contexts, marked)


@dataclass(frozen=True, slots=True, kw_only=True)
class Dataset:
    """Pages with human truth.

    Args:
        format: the name of the format they were read from.
        rendered: whether the pages come as a browser shows them.
        folders: of datasets that were read into one; `folder` is then the one around them.
    """

    folder: Path
    pages: tuple[DatasetPage, ...]
    format: str = "pagecut"
    rendered: bool = False
    folders: tuple[Path, ...] = ()

    @property
    def title(self) -> str:
        """Its folder, or its folders."""
        return ", ".join(map(str, self.folders)) or str(self.folder)

    def __iter__(self) -> Iterator[DatasetPage]:
        return iter(self.pages)

    def __len__(self) -> int:
        return len(self.pages)

    def for_task(self, task: str) -> Dataset:
        """The pages that have truth for a task."""
        return replace(self, pages=tuple(page for page in self.pages if page.has_truth(task)))

    def sources(self) -> dict[str, frozenset[str]]:
        """The pages of each group, by its name; those of no group are left out."""
        names = sorted({page.group for page in self.pages if page.group})
        return {name: self.ids([name]) for name in names}

    def ids(self, groups: Collection[str]) -> frozenset[str]:
        """The pages of some groups (`dataset` in pages.json)."""
        known = sorted({page.group for page in self.pages})
        if unknown := sorted(set(groups) - set(known)):
            raise FormatError(
                f"{self.title}: no pages of {', '.join(unknown)}; there are {', '.join(known)}"
            )
        return frozenset(page.id for page in self.pages if page.group in groups)


def read_text(path: Path) -> str:
    """A file's text, without a byte order mark."""
    try:
        return path.read_text(encoding="utf-8-sig", errors="replace")
    except OSError as error:
        raise FormatError(f"{path}: {error.strerror}") from error


def read_bytes(path: Path, name: str) -> bytes:
    """A file's bytes, also of one that gzip packed; no more than a page may have, and one."""
    most = DEFAULT_LIMITS.size + 1
    try:
        with path.open("rb") as file:
            data = file.read(most)
        if path.suffix == ".gz" and not data.startswith(GZIP):
            raise OSError("Not a gzipped file")  # a dataset means what it says
        return unpack(data, most)
    except (OSError, EOFError, ValueError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or error
        raise FormatError(f"{name}: cannot read {path}: {reason}") from error


def true_segmentation(
    page: Page, truth: GroundTruth, level: int, *, signs: bool = False
) -> Segmentation:
    """The marked blocks of one level; text outside all marks is in no segment.

    Args:
        signs: whether signs are in the block of the words beside them, for whoever looks at it:
            nobody sees a border at a full stop. Measures compare words alone.
    """
    tokens = token_spans(page.text)
    blocks = np.full(len(tokens), NOT_SHOWN, dtype=np.int32)
    blocks[np.searchsorted(tokens[:, 0], truth.units)] = truth.blocks[level]
    marked = blocks >= 0
    spans = _with_signs(page, tokens, blocks) if signs else tokens
    made_by = f"{TRUTH}(level={level})"
    return Segmentation.from_spans(page, spans[marked], blocks[marked], made_by=made_by)


def _with_signs(page: Page, tokens: Int, blocks: Int) -> Int:
    """(k, 2) the ranges of tokens, each up to the next one of its leaf, or of its block where no
    image lies between them; the first of a leaf from the leaf's start."""
    if not len(tokens):
        return tokens
    first = np.searchsorted(page.leaf_starts, tokens[:, 0], "right") - 1
    last = np.searchsorted(page.leaf_starts, tokens[:, 1] - 1, "right") - 1
    images = np.searchsorted(page.image_starts, tokens[:, 0])
    same_leaf = first[1:] == last[:-1]
    same_block = (blocks[1:] == blocks[:-1]) & (images[1:] == images[:-1])
    starts = np.where(np.append(False, same_leaf), tokens[:, 0], page.leaf_starts[first])
    ends = page.leaf_ends[last]
    ends[:-1] = np.where(same_leaf | same_block, starts[1:], ends[:-1])
    return np.stack([starts, ends], axis=1)


def true_segmentations(entries: Iterable[DatasetPage], level: int) -> Iterator[Segmentation]:
    """Those of all pages that have marks of the level."""
    for entry in entries:
        segmentation = true_segmentation(*entry.load(), level)
        if len(segmentation):
            yield segmentation
