"""The headings of a page."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pagecut.page.tags import HEADINGS

if TYPE_CHECKING:
    from pagecut.page import Page


def heading_rows(page: Page) -> list[int]:
    """The rows of the headings with text, ascending; found once."""
    found: list[int] | None = page.__dict__.get("_heading_rows")
    if found is None:
        found = page.__dict__["_heading_rows"] = _find_headings(page)
    return found


def _find_headings(page: Page) -> list[int]:
    packed = page.packed
    wanted = [at for at, name in enumerate(packed.tag_names) if name in HEADINGS]
    tags = np.asarray(packed.column("tag"))
    rows = sorted(row for tag in wanted for row in np.flatnonzero(tags == tag).tolist())
    starts, ends = packed.column("start"), packed.column("end")
    return [row for row in rows if starts[row] < ends[row]]
