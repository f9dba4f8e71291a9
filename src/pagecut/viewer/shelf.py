"""The pages to look at, opened when asked for; the last few stay open."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import Final

from pagecut.page import Page
from pagecut.results.segmentation import Segmentation

_OPEN: Final = 8


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class OpenPage:
    """A page and what goes with it.

    Args:
        source: the HTML it was parsed from; None where there is none (PDF, snapshots).
        folder: where its style sheets and images lie; None to show none of them.
        picture: the rendered page as PNG; None unless it was rendered.
        truth: what people marked, by its spec.
        contexts: the true text of each annotated <img>, by its position among the <img>; None where
            it has none.
    """

    page: Page
    source: bytes | str | None = None
    folder: Path | None = None
    picture: bytes | None = None
    truth: Mapping[str, Segmentation] = field(default_factory=dict)
    contexts: Mapping[int, str | None] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class Item:
    """A page by its name, and how to open it."""

    name: str
    open: Callable[[], OpenPage]


class Shelf:
    """Pages in order."""

    def __init__(self, items: Sequence[Item]) -> None:
        self.items = tuple(items)
        self._open: OrderedDict[int, OpenPage] = OrderedDict()
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self.items)

    def page(self, number: int) -> OpenPage:
        """Open a page, or take it from those that are open."""
        if not 0 <= number < len(self.items):
            raise IndexError(f"page {number} of {len(self.items)}")
        with self._lock:
            if number not in self._open:
                self._open[number] = self.items[number].open()
                while len(self._open) > _OPEN:
                    self._open.popitem(last=False)
            self._open.move_to_end(number)
            return self._open[number]
