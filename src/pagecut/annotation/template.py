"""Pages made from one template: how to recognize them, and one threshold for all of them.

Zeleny, Burget & Zendulka 2017, §7: a threshold found for one page is used again on other pages of
the same template (Zeleny & Burget, "Cluster-based page segmentation", 2013).
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from statistics import median_low
from typing import Final, NamedTuple

import numpy as np

from pagecut.errors import TooLarge
from pagecut.page import Page, check_page
from pagecut.page.nodes import ELEMENT
from pagecut.segmenters.box_clustering import AUTO, BoxClustering

DEPTH: Final = 2  # levels below <body> that belong to the template
_DIGEST_LENGTH: Final = 16
_DIGITS = re.compile(r"\d+")


class Key(NamedTuple):
    """What an element looks like in the markup. Digits, which number items, do not count."""

    tag: str
    id: str
    classes: frozenset[str]

    def __str__(self) -> str:
        classes = "".join(f".{each}" for each in sorted(self.classes))
        return f"{self.tag}{'#' + self.id if self.id else ''}{classes}"


def key_of(page: Page, row: int) -> Key:
    """The key of a row."""
    attrs = page.attrs.get(row, {})
    classes = frozenset(_DIGITS.sub("", attrs.get("class", "")).split())
    return Key(page.node(row).tag, _DIGITS.sub("", attrs.get("id", "")), classes)


def template_signature(page: Page) -> str:
    """The same for all pages that are made from one template, as far as that can be seen.

    It follows from the elements with content on the upper levels of the tree, each by its tag, id
    and classes without digits; how many of a kind there are does not count. A sheet of a PDF is
    known by its size.
    """
    check_page(page)
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
    method = method or BoxClustering()
    fitting = ((template_signature(page), fitting_threshold(page, method)) for page in pages)
    return middle_thresholds((each, value) for each, value in fitting if value is not None)


def fitting_threshold(page: Page, method: BoxClustering) -> float | None:
    """What "auto" takes for a page; None where that would take too long."""
    try:
        return float(replace(method, threshold=AUTO).explain(page).chosen["threshold"])
    except TooLarge:
        return None


def middle_thresholds(fitting: Iterable[tuple[str, float]]) -> dict[str, float]:
    """For each template the middle of the thresholds that fit its pages."""
    values: dict[str, list[float]] = {}
    for signature, value in fitting:
        values.setdefault(signature, []).append(value)
    return {signature: median_low(each) for signature, each in sorted(values.items())}


@dataclass(frozen=True, slots=True)
class ByTemplate:
    """Box clustering with the threshold of each page's template."""

    method: BoxClustering
    thresholds: Mapping[str, float]

    def method_of(self, page: Page) -> BoxClustering:
        """A template without a threshold has only pages that are too large, which "auto" says."""
        threshold = self.thresholds.get(template_signature(page))
        return replace(self.method, threshold=AUTO if threshold is None else threshold)


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
    return hashlib.sha256("\n".join(lines).encode("utf-8")).hexdigest()[:_DIGEST_LENGTH]
