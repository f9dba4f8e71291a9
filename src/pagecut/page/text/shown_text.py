"""The text of a page that the markup does not hide."""

from __future__ import annotations

from pagecut.page import Page
from pagecut.page.nodes import NOT_SHOWN, TEXT


def shown_spans(page: Page, *, images: bool = True) -> list[tuple[int, int]]:
    """The ranges of a page's text that are shown, as few as white space allows.

    Args:
        images: those that are shown belong to the ranges; else each parts the texts around it.
    """
    nodes, leaves = page.nodes, page.leaves
    leaves = leaves[(nodes.hidden[leaves] & NOT_SHOWN) == 0]
    if not images:
        leaves = leaves[nodes.kind[leaves] == TEXT]
    found: list[tuple[int, int]] = []
    for start, end in zip(nodes.start[leaves].tolist(), nodes.end[leaves].tolist(), strict=True):
        if found and not page.text[found[-1][1] : start].strip():
            found[-1] = found[-1][0], end
        else:
            found.append((start, end))
    return found
