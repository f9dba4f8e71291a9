"""What columns of results of one page have in common."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pagecut.page import Page
from pagecut.results.tables import Columns


class PageColumns:
    """Each column by its name, computed for all rows at once when it is asked for.

    A column `x` is the property `_x`, one value for each row.

    Args:
        count: of rows.
        name: stands in for the URL of a page that has none.
    """

    def __init__(self, page: Page, count: int, name: str | None = None) -> None:
        self.page = page
        self.count = count
        self.name = name

    def select(self, names: Sequence[str]) -> Columns:
        """Some columns, in this order."""
        return {name: getattr(self, f"_{name}") for name in names}

    def _same(self, value: object) -> list[Any]:
        return [value] * self.count

    @property
    def _page(self) -> list[str]:
        return self._same(self.page.id)

    @property
    def _url(self) -> list[str | None]:
        return self._same(self.page.url or self.name)
