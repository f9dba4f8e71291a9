"""One threshold for all pages of a template, chosen before the first page is cut."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from pagecut.page import Page
    from pagecut.segmenters import Segmenter
    from pagecut.segmenters.box_clustering import BoxClustering


class PerTemplate:
    """The thresholds by template, so that the order of pages changes nothing."""

    def __init__(self, method: Segmenter, spec: str) -> None:
        self._method = box_clustering_of(method)
        refuse_threshold(spec)
        self._thresholds: Mapping[str, float] = {}

    def choose(self, pages: Sequence[Page]) -> None:
        """Choose the thresholds, and say which."""
        from pagecut.annotation.template import choose_threshold, template_signature

        self._thresholds = choose_threshold(pages, self._method)
        say_thresholds(self._thresholds, Counter(template_signature(page) for page in pages))

    def method_of(self, page: Page) -> Segmenter:
        """The method with the threshold of a page's template."""
        from pagecut.annotation.template import ByTemplate

        return ByTemplate(self._method, self._thresholds).method_of(page)


def box_clustering_of(method: Segmenter) -> BoxClustering:
    """The method, if it is one with a threshold to choose."""
    from pagecut.segmenters.box_clustering import BoxClustering

    if not isinstance(method, BoxClustering):
        raise click.UsageError(f"--per-template goes with box-clustering, not with {method}")
    return method


def refuse_threshold(spec: str) -> None:
    """A threshold that is given and one that is chosen cannot both hold."""
    given = re.search(r"\bthreshold\s*=\s*([^\s,)]+)", spec)
    if given and given[1].strip("\"'") != "auto":
        raise click.UsageError(
            f"--per-template chooses the threshold, but {spec} gives one: leave out the one or "
            "the other"
        )


def say_thresholds(thresholds: Mapping[str, float], counts: Mapping[str, int]) -> None:
    for signature, threshold in thresholds.items():
        pages = "1 page" if counts[signature] == 1 else f"{counts[signature]} pages"
        click.echo(f"template {signature}: {pages}, threshold {threshold:g}", err=True)
