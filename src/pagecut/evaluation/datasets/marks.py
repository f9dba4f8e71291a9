"""What people marked on a page: blocks in its HTML, the contexts of its images in a file.

Blocks: `data-block="1"` on a top-level block, `"2"` on a block inside one. Contexts: for each <img>
of the page its true text, or why it has none. A `Problem` says what is wrong with either.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Final

import numpy as np

from pagecut.errors import FormatError, counted
from pagecut.evaluation.compared_units import shown_tokens
from pagecut.page import Page
from pagecut.page.nodes import Int
from pagecut.page.text.tokenizer import bare_words
from pagecut.results.json_files import read_json

_SHOWN: Final = 3
MARKS: Final = frozenset({"data-block", "data-block-type"})
LEVELS: Final = (1, 2)

# What Kreuzer's marking tool leaves behind in its files: the class of the element under the
# pointer, and an empty class attribute on each element that it marked.
TOOL_CLASSES: Final = frozenset({"highlight"})
MARKED: Final = ".blocks.html"

_MARK_ATTRIBUTE = re.compile(
    rb"""\sdata-block(?:-type)?\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'>]+)""", re.IGNORECASE
)
_TOOL_CLASS = re.compile(
    rb"""\sclass\s*=\s*(?:"\s*(?:highlight\s*)?"|'\s*(?:highlight\s*)?')""", re.IGNORECASE
)

Blocks = dict[int, Int]
Contexts = dict[int, str | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One thing that is wrong.

    Args:
        file: where it is.
        message: the place in the file, and what is wrong there.
        warning: whether the dataset can be read all the same.
    """

    file: Path
    message: str
    warning: bool = False

    def __str__(self) -> str:
        return f"{self.file}: {self.message}"


def raise_first(problems: Iterable[Problem]) -> None:
    """Raise the first problem that is more than a warning."""
    for problem in problems:
        if not problem.warning:
            raise FormatError(str(problem))


def some_of(names: Sequence[object]) -> str:
    """The first few of a list, and how many more there are."""
    shown = ", ".join(str(name) for name in names[:_SHOWN])
    more = len(names) - _SHOWN
    return f"{shown} and {more} more" if more > 0 else shown


def shown_units(page: Page) -> tuple[Int, Int]:
    """Where the tokens of the shown text start, and the leaf each is in."""
    starts = shown_tokens(page)
    return starts, page.leaves_at(starts)


def marked_blocks(page: Page, leaves: Int) -> Blocks:
    """The marked node that each leaf is in.

    Level 2 is the nearest marked ancestor of either kind, level 1 the nearest one marked 1.
    """
    marks = _marks(page)
    return {
        level: nearest(page, {row: row for row, kind in marks.items() if kind in kinds})[leaves]
        for level, kinds in ((1, {"1"}), (2, {"1", "2"}))
    }


def nearest(page: Page, own: Mapping[int, int]) -> Int:
    """(n,) the value of each node, or of the nearest around it that has one; -1 = none has."""
    found = page.nodes.parent.tolist()
    for row, parent in enumerate(found):
        found[row] = own.get(row, found[parent] if parent >= 0 else -1)
    return np.array(found, dtype=np.int32)


def no_blocks(units: Int) -> Blocks:
    """The blocks of a page on which nobody marked any."""
    return {level: np.full(len(units), -1, dtype=np.int32) for level in LEVELS}


def without_marks(page: Page, file: Path) -> Page:
    """The page without its marks, and without what the marking leaves behind."""
    tool = TOOL_CLASSES if file.name.endswith(MARKED) else frozenset[str]()
    bare = {}
    for row, attributes in page.attrs.items():
        kept = {key: value for key, value in attributes.items() if key not in MARKS}
        if "class" in kept:
            names = kept["class"].split()
            if not names or tool.intersection(names):
                kept["class"] = " ".join(name for name in names if name not in tool)
            if not kept["class"]:
                del kept["class"]
        if kept:
            bare[row] = kept
    return replace(page, attrs=bare)


def without_mark_attributes(source: bytes, file: Path) -> bytes:
    """The source without the attributes that mark blocks, and what the marking leaves behind."""
    bare = _MARK_ATTRIBUTE.sub(b"", source)
    return _TOOL_CLASS.sub(b"", bare) if file.name.endswith(MARKED) else bare


def mark_problems(page: Page, file: Path, *, needed: bool) -> Iterator[Problem]:
    """What people should look at: no marks where they are needed, marks of an unknown kind, marks
    around nothing."""
    marks = _marks(page)
    if needed and not marks:
        yield Problem(file=file, message="no block is marked", warning=True)
    for row, value in marks.items():
        if value not in ("1", "2"):
            place = page.xpath(row)
            message = f'{place}: data-block="{value}" is ignored: it must be 1 or 2'
            yield Problem(file=file, message=message, warning=True)
    nodes = page.nodes
    empty = [page.xpath(row) for row in marks if nodes.start[row] == nodes.end[row]]
    if empty:
        message = f"{counted(len(empty), 'marked block')} without text or image: {some_of(empty)}"
        yield Problem(file=file, message=message, warning=True)


def _marks(page: Page) -> dict[int, str]:
    return {row: kept["data-block"] for row, kept in page.attrs.items() if "data-block" in kept}


def parse_contexts(path: Path, count: int) -> tuple[Contexts, list[Problem]]:
    """The contexts in the file of a page with so many <img>, and what is wrong with it."""
    match read_json(path):
        case {"images": list(entries)}:
            pass
        case _:
            return {}, [Problem(file=path, message="must be {'images': [...]}")]
    contexts: Contexts = {}
    problems = []
    for number, entry in enumerate(entries):
        match entry:
            case {"image": int(image), "context": str(text)} if "skip" not in entry:
                value: str | None = text
            case {"image": int(image), "skip": _} if "context" not in entry:
                value = None
            case _:
                message = (
                    f"entry {number} must have image, a number, and either context or skip, "
                    f"got {entry!r:.200}"
                )
                problems.append(Problem(file=path, message=message))
                continue
        if not 0 <= image < count:
            message = f"entry {number}: no image {image}; the page has {count} <img>"
            problems.append(Problem(file=path, message=message))
        elif image in contexts:
            message = f"entry {number}: a second entry for image {image}"
            problems.append(Problem(file=path, message=message))
        else:
            contexts[image] = value
    return contexts, problems


def context_problems(path: Path, contexts: Contexts, page: Page) -> Iterator[Problem]:
    """Contexts with words that the page does not have, and <img> without an entry."""
    page_text = readable_text(page)
    for image, text in contexts.items():
        if text is not None and not text.strip():
            message = f"image {image}: the context is empty; write skip instead"
            yield Problem(file=path, message=message, warning=True)
        if missing := missing_words(text or "", page_text):
            message = f"image {image}: words that are not in the page: {some_of(missing)}"
            yield Problem(file=path, message=message, warning=True)
    count = count_img(page)
    if left := [image for image in range(count) if image not in contexts]:
        message = f"{len(left)} of {count} <img> without an entry: {some_of(left)}"
        yield Problem(file=path, message=message, warning=True)


def count_img(page: Page) -> int:
    """How many <img> a page has."""
    return sum(image.tag == "img" for image in page.images)


def readable_text(page: Page) -> str:
    """A page's whole text, without images."""
    return page.readable(0, len(page.text))


def missing_words(text: str, page_text: str) -> list[str]:
    """The words that measures compare and a page does not have, not even as part of a longer one.

    Without style sheets two words may run together that people see apart.
    """
    words = _words(page_text)
    candidates = dict.fromkeys(word for word in bare_words(text) if word not in words)
    return [word for word in candidates if word not in page_text]


@lru_cache(maxsize=1)
def _words(page_text: str) -> frozenset[str]:
    """The words of a page, found once for all its images."""
    return frozenset(bare_words(page_text))
