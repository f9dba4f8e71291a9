"""One threshold for all pages of a template, chosen before the first page is cut."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from pagecut.page import Page
    from pagecut.segmenters import Segmenter


class PerTemplate:
    """The thresholds by template, so that the order of pages changes nothing."""

    def __init__(self, method: Segmenter) -> None:
        from pagecut.segmenters.box_clustering import BoxClustering

        if not isinstance(method, BoxClustering):
            raise click.UsageError(f"--per-template goes with box-clustering, not with {method}")
        self._method = method
        self._thresholds: dict[str, float] = {}

    def choose(self, pages: Sequence[Page]) -> None:
        """Choose the thresholds, and say which."""
        from pagecut.template import choose_threshold, template_signature

        self._thresholds = choose_threshold(pages, self._method)
        counts = Counter(template_signature(page) for page in pages)
        for signature, threshold in self._thresholds.items():
            pages_of = "1 page" if counts[signature] == 1 else f"{counts[signature]} pages"
            click.echo(f"template {signature}: {pages_of}, threshold {threshold:g}", err=True)

    def method_of(self, page: Page) -> Segmenter:
        """The method with the threshold of a page's template.

        A template without one has only pages that are too large, and "auto" says so for each.
        """
        from pagecut.segmenters.box_clustering import AUTO
        from pagecut.template import template_signature

        threshold = self._thresholds.get(template_signature(page))
        return replace(self._method, threshold=AUTO if threshold is None else threshold)
