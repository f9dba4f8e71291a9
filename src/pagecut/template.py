"""Pages made from one template: how they are told, and the threshold that fits all of them.

Zeleny, Burget & Zendulka 2017, §7: a threshold found for one page is used again on other pages of
the same template (Zeleny & Burget, "Cluster-based page segmentation", 2013).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import replace
from statistics import median_low
from typing import Final

import numpy as np

from pagecut.errors import TooLarge
from pagecut.nodes import ELEMENT
from pagecut.page import Page
from pagecut.segmenters.box_clustering import AUTO, BoxClustering
from pagecut.template_steps import Key, key_of

DEPTH: Final = 2  # levels below <body> that belong to the template
_DIGITS: Final = 16


def template_signature(page: Page) -> str:
    """The same for all pages that are made from one template, as far as that can be seen.

    It follows from the elements with content on the upper levels of the tree, each by its tag, id
    and classes without digits; how many of a kind there are does not count. A sheet of a PDF is
    known by its size.
    """
    if page.kind == "pdf":
        width, height = page.size or (0.0, 0.0)
        return _digest([f"sheet {width:.0f} {height:.0f}"])
    return _digest(sorted(str(path) for path in _skeleton(page)))


def choose_threshold(
    pages: Iterable[Page], method: BoxClustering | None = None
) -> dict[str, float]:
    """For each template the threshold in the middle of those that fit its pages.

    Pages that would take too long count for nothing; a template of such alone has no threshold.

    Args:
        method: whose other parameters are used.
    """
    method = replace(method or BoxClustering(), threshold=AUTO)
    values: dict[str, list[float]] = {}
    for page in pages:
        try:
            chosen = method.explain(page).chosen["threshold"]
        except TooLarge:
            continue
        values.setdefault(template_signature(page), []).append(chosen)
    return {signature: median_low(each) for signature, each in sorted(values.items())}


def _skeleton(page: Page) -> set[tuple[Key, ...]]:
    """The paths from <body> to the elements with content on the upper levels."""
    nodes = page.nodes
    bodies = np.flatnonzero(nodes.tag_mask(frozenset({"body"})))
    body = int(bodies[0]) if len(bodies) else 0
    base = int(nodes.depth[body])
    paths: set[tuple[Key, ...]] = set()
    above: list[Key] = []
    row, end = body + 1, int(nodes.subtree_end[body])
    while row < end:
        level = int(nodes.depth[row]) - base
        is_container = nodes.kind[row] == ELEMENT and nodes.end[row] > nodes.start[row]
        if is_container:
            del above[level - 1 :]
            above.append(key_of(page, row))
            paths.add(tuple(above))
        row = row + 1 if is_container and level < DEPTH else int(nodes.subtree_end[row])
    return paths


def _digest(lines: Iterable[str]) -> str:
    return hashlib.sha256("\n".join(lines).encode("utf-8")).hexdigest()[:_DIGITS]
